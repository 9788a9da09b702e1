"""What a certificate claims, in the rational numbers that Coq computes with, and why Coq believes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from panshuffle.exact.check import Claim, Data, Rejected, exp_bounds, rational, record
from panshuffle.exact.errors import InputError

PRECISIONS = ((64, 48), (128, 80), (192, 128), (320, 256), (512, 512))
"""Bits of the largest mass, and of the rational below e^eps, from short to long."""
Fields = dict[str, object]
"""What stands in a Coq file."""
MOST_TERMS, LARGEST_EPS = 400, 50
Row = list[tuple[int, int]]
"""Masses, each between two whole numbers."""


@dataclass(frozen=True)
class Target:
    """What is claimed: delta at an eps, or at an e^eps."""

    delta: Fraction
    eps: Fraction | None
    exp_eps: Fraction | None


def target_of(claim: Claim, entry: Data) -> Target:
    """What is claimed, in rational numbers.  Raises: InputError."""
    ((name, text),) = record(entry["at"], "'at'", {"eps", "exp_eps"}).items()
    place = fraction(text, "eps" if name == "eps" else "e^eps")
    if name == "eps" and place > LARGEST_EPS:
        raise InputError(f"the kernel replays eps of at most {LARGEST_EPS}")
    return Target(claim.delta, place if name == "eps" else None, place if name != "eps" else None)


def fraction(text: object, letter: str) -> Fraction:
    """A parameter that is written as a rational number.  Raises: InputError."""
    try:
        return rational(text)
    except Rejected:
        raise InputError(f"the kernel replays rational numbers, and {letter} is not written as one") from None


def nonneg(target: Target) -> str:
    """Why Coq believes that eps is not negative."""
    return "apply ln_nonneg; lra" if target.eps is None else "lra"


def below_of(target: Target, places: int) -> tuple[Fraction, str, str]:
    """A rational at most e^eps, why Coq believes that, and eps in Coq's language."""
    if target.eps is None:
        ratio = target.exp_eps or Fraction(1)
        text = f"({ratio.numerator} / {ratio.denominator})"
        return ratio, "right; rewrite exp_ln; lra", f"(ln {text})"
    p, q = target.eps.numerator, target.eps.denominator
    ratio = Fraction(int(exp_bounds(target.eps, places + 8)[0] * 2**places), 2**places)
    terms = next(n for n, value in enumerate(taylor(target.eps)) if n == MOST_TERMS or value >= ratio)
    below = f"apply (below_exp_sound {terms} {p} {q}); vm_cast_no_check (eq_refl true)"
    return ratio, below, f"({p} / {q})"


def shortest(tries: Iterable[tuple[bool, Fields]]) -> Fields:
    """The first try that is accepted; where none is, the first of all, for Coq to refuse.

    >>> shortest([(False, {"bits": 64}), (True, {"bits": 128}), (True, {"bits": 192})])
    {'bits': 128}
    """
    first: Fields | None = None
    for accepted, found in tries:
        if accepted:
            return found
        first = first or found
    return first or {}


def taylor(x: Fraction) -> Iterator[Fraction]:
    """The sums of x^k/k! for k = 0, ..., n, one n after the other.

    >>> from itertools import islice
    >>> [str(value) for value in islice(taylor(Fraction(1)), 4)]
    ['1', '2', '5/2', '8/3']
    """
    term = total = Fraction(1)
    for k in count(1):
        yield total
        term *= x / k
        total += term
