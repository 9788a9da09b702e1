"""Questions that would be refused, noticed before the work starts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from exact.errors import InputError, Undecided
from panshuffle.parameters import Parameters
from panshuffle.study.questions import Question


class Reached(Exception):
    """The point at which a calibration would begin to compute."""


def check_questions(path: str, questions: Sequence[Question]) -> None:
    """*Raises* `InputError`, with the entry of the file, for the first question that would be refused.

    Every question is built as far as that takes no time: its numbers, its target, the record of its protocol.  What
    comes out only by computing, such as a target that nothing meets, is a row of the table.
    """
    for question in questions:
        try:
            CHECKS[question.quantity](question.namespace())
        except (InputError, Undecided) as problem:
            raise InputError(f"{path}: {question.where}: {problem}") from None


def check_privacy(args: argparse.Namespace) -> None:
    """The point, the part of the view, and the protocol's record."""
    from panshuffle.commands.privacy import choice_of
    from panshuffle.questions import check_choice, fill_in, fraction_taking_part
    from panshuffle.reading import digits_of, point_of
    from panshuffle.recipes import record_of

    parameters = Parameters.of(args)
    digits_of(args.digits)
    choice = choice_of(args)
    if not args.tv:
        point_of(args)
        check_choice(args.protocol, choice)
        fraction_taking_part(parameters)
        fill_in(parameters, choice)
    record_of(parameters)


def check_calibrate(args: argparse.Namespace) -> None:
    """The target and the parameters, up to where the search begins."""
    from panshuffle.questions import WITH_K, WITHOUT_N, Choice, check_choice, fraction_taking_part
    from panshuffle.reading import digits_of, number
    from panshuffle.unknowns import SOLVERS

    parameters = Parameters.of(args)
    digits = digits_of(args.digits)
    if args.pool and args.pair:
        raise InputError("--pool and --pair exclude each other")
    if parameters.protocol == "modular-sum":
        if args.sigma is not None:
            number("sigma", args.sigma)
        return
    check_choice(parameters.protocol, Choice(args.pool, args.pair))
    fraction_taking_part(parameters)
    parameters.used |= {"n"} if parameters.protocol in WITHOUT_N else set()
    parameters.used |= {"k"} if parameters.protocol in WITH_K else set()
    try:
        SOLVERS[parameters.protocol](args, parameters, probe(args), digits)
    except Reached:
        parameters.finish()


def probe(args: argparse.Namespace) -> Any:
    """A target that is checked and then ends the search where it would begin."""
    from panshuffle.unknowns import Target

    class Probe(Target):
        """A target whose every use ends the search."""

        def __init__(self) -> None:
            Target(args)

        def __getattribute__(self, name: str) -> NoReturn:
            raise Reached

    return Probe()


def check_accuracy(args: argparse.Namespace) -> None:
    """The numbers by themselves, and that the protocol has an error law."""
    from panshuffle.accuracy_questions import QUESTIONS
    from panshuffle.accuracy_tester import TESTERS
    from panshuffle.questions import fraction_taking_part
    from panshuffle.reading import digits_of, number

    parameters = Parameters.of(args)
    digits_of(args.digits)
    if args.protocol not in QUESTIONS and args.protocol not in TESTERS:
        raise InputError(f"{args.protocol} has no error law here: accuracy knows {', '.join((*QUESTIONS, *TESTERS))}")
    fraction_taking_part(parameters)
    for letter in ("n", "k", "copies", "votes", "k-hat"):
        if letter in parameters.given:
            parameters.count(letter)
    for letter in ("eps", "exp-eps", "delta", "lam", "tau", "c", "q"):
        if letter in parameters.given:
            parameters.real(letter)
    if args.protocol in TESTERS:
        check_tester(args, parameters)
    elif (args.alpha is None) == (args.beta is None) and args.alpha != "paper":
        raise InputError(f"{args.protocol} needs one of --alpha and --beta (or --alpha paper and --beta)")
    if args.beta is not None:
        number("beta", args.beta)


def check_tester(args: argparse.Namespace, parameters: Parameters) -> None:
    """The noise, the sample size and the distribution of a tester."""
    from exact.parameters import check_positive
    from panshuffle.accuracy_tester import distribution, expected_samples
    from panshuffle.recipes import copies_of

    copies_of(parameters)
    expected_samples(parameters)
    k = parameters.count("k")
    if "lam" in parameters.given:
        check_positive("lam", parameters.real("lam"))
    distribution(args, parameters, k)


def check_verify(args: argparse.Namespace) -> None:
    """The slug."""
    from proofs.ledger import modules

    for slug in args.slug:
        if slug not in modules():
            raise InputError(f"slug = {slug} is not in the ledger: `panshuffle verify` lists all statements")


CHECKS: dict[str, Callable[[argparse.Namespace], None]] = {
    "privacy": check_privacy,
    "calibrate": check_calibrate,
    "accuracy": check_accuracy,
    "verify": check_verify,
}
