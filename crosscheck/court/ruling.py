"""Judging a claim against the truth.  "Unsound" is said only where two exact methods agree on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf, isnan

from flint import arb, ctx
from panshuffle.crosscheck.court.accountant import ESTIMATE, UPPER_BOUND
from panshuffle.crosscheck.court.family import DELTA, Bounds, Case, Reply
from panshuffle.crosscheck.court.truth import BITS, Truth, arb_of, decimals
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.real import Real, dyadic, exp

SOUND, ROUNDING, UNSOUND, UNDECIDED = "sound", "within rounding", "unsound", "undecided"
NO_BOUND = "not a bound"
HARMFUL = (UNSOUND, NO_BOUND)
NO_NUMBER, NOT_ASKED = "no number", "not asked"

MARGIN = Fraction(1, 10**6)
"""The part of delta that rounding the masses of a case to doubles may explain."""
SLACK = Fraction(1, 10**9)
"""The same for eps."""
LEAST_DOUBLE = Fraction(1, 1 << 1074)
"""The least positive double: no answer in doubles can tell a smaller delta from 0."""
WITHIN = "the claim lies within the enclosure of the truth"


@dataclass(frozen=True)
class Ruling:
    """What is said of one side of one answer.

    `times` is, for a sound delta, claim/truth, for an unsound one truth/claim; for eps, what the claimed eps exceeds
    the true one by, and for an unsound one the true delta there over the target.
    """

    question: Case
    accountant: str
    side: str
    verdict: str
    claim: str | None = None
    said: str = ""
    times: str | None = None
    seconds: float | None = None

    @property
    def identifier(self) -> str:
        """A name that stays the same from one judgment to the next."""
        return f"{self.question.name}/{self.accountant}/{self.side}"

    def as_json(self) -> dict[str, object]:
        """The ruling as JSON, without the question."""
        return {"id": self.identifier, **{name: value for name, value in vars(self).items() if name != "question"}}


def rulings_of(truth: Truth, accountant: str, reply: Reply, promise: str = UPPER_BOUND) -> list[Ruling]:
    """The rulings on a reply: one for each side that it claims, or one that says why there is none."""
    seconds = reply.get("seconds")
    if "claims" not in reply:
        return [Ruling(truth.question, accountant, "upper", reply["verdict"], None, reply["said"], None, seconds)]
    claims = sorted(reply["claims"].items())[::-1]
    return [judged(truth, accountant, side, text, seconds, promise) for side, text in claims]


def judged(
    truth: Truth, accountant: str, side: str, text: str, seconds: float | None = None, promise: str = UPPER_BOUND
) -> Ruling:
    """The ruling on one claim; somebody who promises an estimate is not unsound."""
    value = claimed(text)
    if value is None:
        return Ruling(truth.question, accountant, side, NO_NUMBER, text, "it is not a number", None, seconds)
    try:
        judge = judge_delta if truth.question.quantity == DELTA else judge_epsilon
        verdict, times, said = judge(truth, side == "upper", value)
        if verdict != UNSOUND and not truth.agreed:
            verdict, times, said = UNDECIDED, None, "the two exact methods do not agree"
        if verdict == UNSOUND and promise == ESTIMATE:
            verdict = NO_BOUND
    except (Undecided, InputError) as problem:
        verdict, times, said = UNDECIDED, None, str(problem)
    return Ruling(truth.question, accountant, side, verdict, text, said, times, seconds)


def claimed(text: str) -> Fraction | float | None:
    """The number that was claimed: a rational or an infinity; None for nan."""
    if "/" in text or text.lstrip("-").isdigit():
        return Fraction(text)
    value = float(text)
    return None if isnan(value) else value if isinf(value) else Fraction(value)


def judge_delta(truth: Truth, upper: bool, claim: Fraction | float) -> tuple[str, str | None, str]:
    """(verdict, times, what is said) of a delta."""
    if isinstance(claim, float):
        if (claim > 0) == upper:
            return SOUND, None, "it says nothing: an infinite delta"
        claim = Fraction(-1 if upper else 2)
    value, number = truth.value, arb_of(claim)
    if beats(number, value, upper):
        if not upper and claim <= 0:
            return SOUND, None, "it says nothing: no delta is less"
        return SOUND, ratio(number, value.lower), ""
    if not falls_short(number, value, upper):
        return UNDECIDED, None, WITHIN
    if not falls_short(number, value, upper, MARGIN):
        return ROUNDING, None, "off by less than one part in a million"
    if upper and claim >= 0 and value.upper <= arb_of(claim + LEAST_DOUBLE):
        return ROUNDING, None, "off by less than the least positive double"
    if not falls_short(number, truth.other, upper, MARGIN):
        return UNDECIDED, None, "the second method does not confirm it"
    return UNSOUND, ratio(value.lower, number) if claim > 0 else None, "confirmed by the second method"


def judge_epsilon(truth: Truth, upper: bool, claim: Fraction | float) -> tuple[str, str | None, str]:
    """(verdict, times, what is said) of an eps: where it is on the wrong side, the true delta there decides."""
    value = truth.value
    infinite, stand_in = not value.upper.is_finite(), False
    if isinstance(claim, float):
        if (claim > 0) == upper or (infinite and claim > 0):
            return SOUND, None, "" if infinite else "it says nothing: an infinite eps"
        claim = Fraction(-1) if upper else 2 * dyadic(value.upper) + 1
        stand_in = True
    number = arb_of(claim)
    if (infinite and not upper) or (not infinite and beats(number, value, upper)):
        return SOUND, None if infinite else difference(number, value.lower), ""
    target, place = arb_of(Fraction(truth.question.at)), max(claim, Fraction(0))
    if claim < 0 and not (upper and value.lower > 0):
        return UNDECIDED, None, "a negative eps"
    near = place * (1 + SLACK if upper else 1 - SLACK)
    if beats(target, truth.delta(exp(Real(near))), upper):
        return ROUNDING, None, "off by less than one part in a billion"
    found = truth.delta(exp(Real(place)))
    if not misses(found, target, upper):
        if not beats(target * arb_of(1 + MARGIN if upper else 1 - MARGIN), found, upper):
            return UNDECIDED, None, WITHIN
        return ROUNDING, None, "the true delta at that eps is within one part in a million of the target"
    if upper and found.upper <= target + arb_of(LEAST_DOUBLE):
        return ROUNDING, None, "the true delta at that eps exceeds the target by less than the least positive double"
    if not misses(truth.second(exp(Real(place))), target, upper):
        return UNDECIDED, None, "the second method does not confirm it"
    where = f"eps = {float(place):.4g}" if stand_in or claim < 0 else "that eps"
    said = f"the true delta at {where} is {decimals(found.lower)[0]}, confirmed by the second method"
    return UNSOUND, ratio(found.lower, target) if truth.question.at else None, said


def beats(number: arb, value: Bounds, upper: bool) -> bool:
    """Whether a number is certified to be a bound of the value on this side."""
    return bool(number >= value.upper if upper else number <= value.lower)


def falls_short(number: arb, value: Bounds, upper: bool, margin: Fraction = Fraction(0)) -> bool:
    """Whether it is certified not to be one, by more than a part of the value."""
    with ctx.workprec(BITS):
        if upper:
            return bool(number < value.lower * arb_of(1 - margin))
        return bool(number > value.upper * arb_of(1 + margin))


def misses(found: Bounds, target: arb, upper: bool) -> bool:
    """Whether the true delta at a claimed eps is certified to be elsewhere than claimed, by more than the margin."""
    with ctx.workprec(BITS):
        return falls_short(target * arb_of(1 + MARGIN if upper else 1 - MARGIN), found, upper)


def ratio(one: arb, other: arb) -> str | None:
    """one/other to three digits, for display; None where it is not a number."""
    with ctx.workprec(BITS):
        found = float(one / other) if other > 0 else inf
    return f"{found:.4g}" if not isnan(found) else None


def difference(one: arb, other: arb) -> str:
    """one - other to three digits, for display."""
    with ctx.workprec(BITS):
        return f"{float(one - other):+.3g}"
