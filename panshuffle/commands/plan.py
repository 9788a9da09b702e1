"""`panshuffle plan`: which protocol meets a target, and with which exact parameters."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from panshuffle.parameters import Once, Parameters

if TYPE_CHECKING:
    from panshuffle.plans import Plan, Target

NAMES = ("distinct-elements", "uniformity", "histogram")
ENDINGS = (".csv", ".svg", ".png")
OPTIONS = {
    "n": "number of users (for uniformity, of samples; default: the least that is enough)",
    "k": "size of the data universe [k]",
    "at-eps": "the privacy that is asked for: epsilon",
    "at-delta": "and delta",
    "gamma": "fraction of users who take part for sure (default 1)",
    "alpha": "largest error; for uniformity, the distance of the alternative",
    "beta": "largest probability of a larger error (default 1/10)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("task", metavar="TASK", help="one of: " + ", ".join(NAMES))
    for name, meaning in OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=name.upper().replace("AT-", ""), help=meaning, action=Once)
    parser.add_argument("--figure", metavar="FILE", help="FILE.csv, .svg or .png: paper, exact and lower bound over k")
    parser.add_argument("--points", metavar="P", help="number of k in the figure, from 4 to --k (default 8)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0 where a protocol meets the target, 1 where none does."""
    from exact.errors import InputError
    from panshuffle.plans import TASKS, choice_among

    if args.task not in NAMES:
        raise InputError(f"task = {args.task} is not known: it must be one of {', '.join(NAMES)}")
    given = {name: getattr(args, name.replace("-", "_")) for name in OPTIONS}
    letters = Parameters(args.task, {name: text for name, text in given.items() if text is not None})
    target = target_of(letters)
    n, k = letters.count("n") if letters.has("n") else None, letters.count("k")
    figure = figure_of(args, n, k, target)
    plans = TASKS[args.task](n, k, target)
    chosen = choice_among(plans)
    if args.json:
        result = {"task": args.task, "target": letters.given, "choice": chosen}
        print(json.dumps(result | {"plans": [asdict(plan) for plan in plans]} | figure))
    else:
        print_plans(plans, chosen)
    return 0 if chosen is not None else 1


def figure_of(args: argparse.Namespace, n: int | None, k: int, target: Target) -> dict[str, Any]:
    """The rows of the figure, which is written; nothing where none is asked for."""
    from exact.errors import InputError

    if args.figure is None:
        if args.points is not None:
            raise InputError("--points has no meaning without --figure")
        return {}
    if not args.figure.endswith(ENDINGS):
        raise InputError(f"figure = {args.figure} is not allowed: figure must end in .csv, .svg or .png")
    from panshuffle.bounds import COLUMNS, PAPER, rows_of
    from panshuffle.output import destination

    points = 8 if args.points is None else Parameters("", {"points": args.points}).count("points", 2)
    what, rows = rows_of(args.task, n, k, target, points)
    if args.figure.endswith(".csv"):
        with destination(args.figure) as stream:
            stream.write(",".join(COLUMNS) + "\n")
            stream.writelines(",".join(map(str, row)) + "\n" for row in rows)
    else:
        from panshuffle.figure import draw_bounds

        title = f"{args.task} at eps = {target.eps}, delta = {target.delta}, gamma = {target.gamma}"
        draw_bounds(args.figure, title, what, PAPER[args.task], rows)
    return {"figure": {"value": what, "rows": [row._asdict() for row in rows]}}


def target_of(letters: Parameters) -> Target:
    """The target that the options denote."""
    from exact.errors import InputError, ParameterError
    from exact.numbers.real import real
    from exact.parameters import check_open_unit, check_positive
    from panshuffle.plans import Target

    if letters.protocol == "uniformity" and "beta" in letters.given:
        raise InputError("--beta has no meaning for uniformity: both errors are to be at most 1/3")
    check_positive("at-eps", letters.real("at-eps"))
    check_open_unit("at-delta", letters.real("at-delta"))
    gamma = letters.real("gamma") if letters.has("gamma") else real(1)
    if gamma.fraction is None or not (gamma > 0 and gamma <= 1):
        raise ParameterError("gamma", letters.text("gamma"), "a rational above 0 and at most 1")
    beta = letters.real("beta") if letters.has("beta") else real("1/10")
    check_open_unit("beta", beta)
    alpha = letters.real("alpha") if letters.has("alpha") else None
    if alpha is not None and not alpha > 0:
        raise ParameterError("alpha", letters.text("alpha"), "a finite number above 0")
    return Target(letters.text("at-eps"), letters.text("at-delta"), str(gamma), alpha, beta)


def print_plans(plans: list[Plan], chosen: str | None) -> None:
    """The plans for a person."""
    print(f"choice: {chosen}" if chosen is not None else "choice: no protocol meets the target")
    for plan in plans:
        print(f"\n{plan.protocol} ({plan.model}): {'meets the target' if plan.meets else 'does not meet the target'}")
        print(f"  parameters  {', '.join(f'{name} = {value}' for name, value in plan.parameters.items())}")
        print(f"  messages    {plan.messages}")
        print(f"  privacy     delta in [{plan.privacy['lower']}, {plan.privacy['upper']}]")
        print(f"  error       {error_text(plan.error)}")
        if plan.paper:
            print(f"  paper       {', '.join(f'{name} = {value}' for name, value in plan.paper.items())}")
        for note in plan.notes:
            print(f"  note        {note}")
        for line in plan.verify:
            print(f"  verify      {line}")


def error_text(error: dict[str, Any]) -> str:
    """The error of a plan in words."""
    if error["quantity"] == "alpha":
        value = error["lower"] if error["lower"] == error["upper"] else f"[{error['lower']}, {error['upper']}]"
        return f"at most alpha = {value} with probability 1 - {error['beta']} ({error['scope']})"
    word = "are" if error["certified"] else "are not"
    return f"both errors {word} at most {error['at most']} at m = {error['m']} ({error['scope']})"
