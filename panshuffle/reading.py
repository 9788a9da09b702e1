"""Where a privacy curve is read, and how the answer is shown."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from exact.curves.curve import View, dyadic
from exact.errors import InputError, Undecided
from exact.numbers.certified import DEFAULT_DIGITS, Certified, ball_ends, check_digits
from exact.numbers.real import Real, exp, fraction_text, log
from panshuffle.ledger import verdict_of
from panshuffle.parameters import Parameters


@dataclass(frozen=True)
class Point:
    """Where the curve is read: at an eps (as e^eps) or at a delta."""

    exp_eps: Real | None
    delta: Real | None

    @property
    def quantity(self) -> str:
        """What is asked for."""
        return "eps" if self.exp_eps is None else "delta"


def number(name: str, text: str) -> Real:
    """An exact number that is not one of the paper's letters."""
    return Parameters("", {name: text}).real(name)


def exp_eps_of(args: argparse.Namespace) -> Real | None:
    """The e^eps at which to read, if one was given."""
    from exact.errors import ParameterError

    if args.at_eps is not None and args.at_exp_eps is not None:
        raise InputError("--at-eps and --at-exp-eps say the same thing: give one of them")
    if args.at_eps is not None:
        eps = number("at-eps", args.at_eps)
        if not eps >= 0:
            raise ParameterError("at-eps", args.at_eps, "a finite number, at least 0")
        return exp(eps)
    if args.at_exp_eps is None:
        return None
    value = number("at-exp-eps", args.at_exp_eps)
    if not value >= 1:
        raise ParameterError("at-exp-eps", args.at_exp_eps, "a finite number, at least 1")
    return value


def delta_of(args: argparse.Namespace) -> Real | None:
    """The delta at which to read, if one was given."""
    from exact.errors import ParameterError

    if args.at_delta is None:
        return None
    value = number("at-delta", args.at_delta)
    if not (value >= 0 and value <= 1):
        raise ParameterError("at-delta", args.at_delta, "between 0 and 1")
    return value


def point_of(args: argparse.Namespace) -> Point:
    """The one point that was asked for."""
    point = Point(exp_eps_of(args), delta_of(args))
    if (point.exp_eps is None) == (point.delta is None):
        raise InputError("one point is needed: --at-eps, --at-exp-eps or --at-delta")
    return point


def digits_of(text: str | None) -> int:
    """The number of digits to certify."""
    if text is None:
        return DEFAULT_DIGITS
    digits = Parameters("", {"digits": text}).count("digits")
    check_digits(digits)
    return digits


def read(view: View, point: Point, digits: int) -> Certified:
    """The certified answer."""
    if point.exp_eps is not None:
        return view.curve.delta(point.exp_eps)
    if point.delta is not None:
        return view.curve.epsilon(point.delta, digits)
    raise InputError("one point is needed: --at-eps, --at-exp-eps or --at-delta")


def place_of(point: Point, answer: Certified) -> Real | None:
    """The e^eps that the answer speaks of: where it was read, or what was found; None for infinity."""
    if point.exp_eps is not None:
        return point.exp_eps
    return None if answer.infinite else exp(Real(dyadic(answer.ball(64))))


def paper_of(view: View, point: Point) -> Real | None:
    """The paper's bound at the same point; None where there is none or its hypotheses fail."""
    if view.paper is None:
        return None
    try:
        if point.exp_eps is not None:
            return view.paper.delta(log(point.exp_eps))
        return None if point.delta is None else view.paper.epsilon(point.delta)
    except Undecided:
        return None


def shown(value: Certified, digits: int) -> dict[str, Any]:
    """lower, upper and exact of an answer."""
    lower, upper = value.enclosure(digits)
    exact = "inf" if value.infinite else None if value.exact is None else fraction_text(value.exact)
    exact = "0" if lower == upper == "0" else exact
    return {"lower": lower, "upper": upper, "exact": exact}


def paper_json(view: View, point: Point) -> dict[str, Any] | None:
    """The paper's bound as JSON: rounded up, since it is a bound."""
    bound = paper_of(view, point)
    if bound is None or view.paper is None:
        return None
    slug = view.paper.slug
    return {"value": Certified.of(bound).enclosure(6)[1], "slug": slug, "verdict": verdict_of(slug)}


def factor(view: View, point: Point, answer: Certified) -> str | None:
    """How many times the answer the paper's bound is."""
    bound = paper_of(view, point)
    if bound is None or answer.infinite or answer.exact == 0:
        return None
    ball = answer.ball(128)
    return ball_ends(bound.ball(128) / ball, 3)[1] if ball > 0 else None
