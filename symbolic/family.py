"""The family prover: a sequence stays below a limit, exactly up to some n and by an upper bound in n beyond."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from panshuffle.symbolic.ball import check_inequality
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.exhaustive import TIER
from panshuffle.symbolic.point import holds_at
from panshuffle.symbolic.term import Number, Term, TermError, parse_term, symbols

VARIABLE = "n"
BEYOND = 40
FAR = (120, 240, 360, 720)
"""Where the bound is compared with the values beyond the exact part: so many indices after it, and these."""


def check_family(
    value: Callable[[int], Fraction],
    limit: Fraction,
    start: int,
    last: int,
    bound: str,
    describe: Callable[[int], str] = "n = {}".format,
    step: int = 1,
) -> Decision:
    """Proved if value(n) < limit for every n >= start that is a multiple of `step`, refuted with the first that is not.

    Up to `last` the values are compared exactly.  Beyond, `bound`, a term in n, is proved to be below the limit by
    balls; that it is an upper bound of the values there is the caller's, and is compared at the next indices and at
    far ones: one where it is not leaves the family undecided.

    >>> check_family(lambda n: Fraction(n, 2**n), Fraction(1, 2), 3, 20, "1/n").status
    <Status.PROVED: 'proved'>
    >>> check_family(lambda n: Fraction(n, 2**n), Fraction(1, 2), 0, 20, "1/n").witness
    'n = 1'
    """
    term, limit = parse_term(bound), exact(limit)
    if step < 1:
        raise TermError(f"step = {step} is not a step: it must be at least 1")
    if symbols(term) != {VARIABLE}:
        raise TermError(f"{bound!r} is not a bound in {VARIABLE}")
    cases = [n for n in range(start, last + 1) if n % step == 0]
    for n in cases:
        if not exact(value(n)) < limit:
            return Decision(Status.REFUTED, TIER, describe(n))
    beyond = [n for n in (*range(last + 1, last + BEYOND), *FAR) if n > last and n % step == 0]
    if not cases or not beyond or not all(bounds(term, n, exact(value(n))) for n in beyond):
        return Decision(Status.UNDECIDED, TIER)
    tail = check_inequality(below(term, limit, last + 1))
    if tail.status is Status.PROVED:
        return Decision(Status.PROVED, tail.tier)
    return Decision(Status.UNDECIDED, TIER)


def exact(value: Fraction | int) -> Fraction:
    """A value that is a rational.  *Raises* `TypeError` for any other, such as a float."""
    if not isinstance(value, (int, Fraction)) or isinstance(value, bool):
        raise TypeError(f"the value {value!r} of a family is not a rational number")
    return Fraction(value)


def bounds(term: Term, n: int, value: Fraction) -> bool:
    """Whether a value is certainly at most the term at n, which is defined there."""
    return holds_at(Relation(Number(value), "<=", term), {VARIABLE: Fraction(n)}) is True


def below(term: Term, limit: Fraction, first: int) -> Claim:
    """The claim that a term in n is below a limit from some n on."""
    domain = Domain(Number(Fraction(first)), None, upper_open=True)
    return Claim({VARIABLE: domain}, (), (Relation(term, "<", Number(limit)),))
