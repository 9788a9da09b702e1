"""`panshuffle plan`: which protocol meets a target, and with which exact parameters."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from panshuffle.options import QUESTIONS, add_group, add_json
from panshuffle.tasks import TASKS

if TYPE_CHECKING:
    from panshuffle.answer import Json
    from panshuffle.question import Question

ENDINGS = (".csv", ".svg", ".png")
DEFAULT_POINTS = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("protocol", metavar="TASK", help="one of: " + ", ".join(TASKS))
    for group in QUESTIONS["plan"]:
        add_group(parser, group)
    parser.add_argument("--figure", metavar="FILE", help="FILE.csv, .svg or .png: paper, exact and lower bound over k")
    parser.add_argument("--points", metavar="P", help="number of k in the figure, from 4 to --k (default 8)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0 where a protocol meets the target, 1 where none does."""
    from panshuffle.answers.plan import resolve
    from panshuffle.question import Question

    question = Question.parsed("plan", args)
    find = resolve(question)
    figure = figure_of(args, question)
    found = find()
    print(json.dumps(found.as_dict() | figure) if args.json else found)
    return 0 if found.choice is not None else 1


def figure_of(args: argparse.Namespace, question: Question) -> dict[str, Json]:
    """The rows of the figure, which is written; nothing where none is asked for."""
    from exact.errors import InputError

    if args.figure is None:
        if args.points is not None:
            raise InputError("--points has no meaning without --figure")
        return {}
    if not args.figure.endswith(ENDINGS):
        raise InputError(f"figure = {args.figure} is not allowed: figure must end in .csv, .svg or .png")
    from panshuffle.answers.plan import planned
    from panshuffle.output import destination
    from panshuffle.plan_figure import COLUMNS, rows_of
    from panshuffle.question import whole

    points = DEFAULT_POINTS if args.points is None else whole("points", args.points, 2)
    asked = planned(question)
    target, values = asked.target, asked.task.values(asked.n, asked.k, asked.target)
    rows = rows_of(question.subject, values, asked.k, target, points)
    if args.figure.endswith(".csv"):
        with destination(args.figure) as stream:
            stream.write(",".join(COLUMNS) + "\n")
            stream.writelines(",".join(map(str, row)) + "\n" for row in rows)
    else:
        from panshuffle.figure import draw_bounds

        title = f"{question.subject} at eps = {target.eps}, delta = {target.delta}, gamma = {target.gamma}"
        draw_bounds(args.figure, title, values.what, values.paper, rows)
    return {"figure": {"value": values.what, "rows": [row._asdict() for row in rows]}}
