"""A pair of laws that is used several times, or on a random part of the data.

*Poisson subsampling.*  If every user is included with probability q, the law with the changed user is
q * upper + (1 - q) * lower, and without him it is lower: this pair is the subsampled mechanism.

*Uses.*  k independent uses on the same data multiply the masses (`composition`).
"""

from __future__ import annotations

from fractions import Fraction

from panshuffle.exact.curves.composition import Used, mixed_curve
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.curves.law_pair import LawPair, Mass, pair_curve
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import Law, rational_law
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.parameters import refuse_if

MOST_USES = 10**6
"""Beyond, the enclosure of a composition becomes wide."""
MOST_OUTCOMES = 20_000
"""With more ratios a composition takes minutes."""


def sampled_pair(pair: LawPair, q: Real) -> LawPair:
    """The pair where each user is included with probability q.  *Raises* `ParameterError` unless 0 < q <= 1."""
    refuse_if(not (q > 0 and q <= 1), "sampled", q, "above 0 and at most 1")
    mixed = tuple(mixture(above, below, q) for above, below in zip(pair.upper, pair.lower, strict=True))
    return LawPair(pair.outcomes, mixed, pair.lower, mixture(pair.upper_rest, pair.lower_rest, q), pair.lower_rest)


def mixture(above: Mass, below: Mass, q: Real) -> Mass:
    """q * above + (1 - q) * below; one number where both are."""
    low = q * above[0] + (1 - q) * below[0]
    if above[0] == above[1] and below[0] == below[1]:
        return low, low
    return low, q * above[1] + (1 - q) * below[1]


def repeated_curve(pair: LawPair, uses: int) -> Curve:
    """The curve of so many uses.  *Raises* `InputError` for several uses of a pair without rational masses."""
    if uses == 1:
        return pair_curve(pair)
    refuse_if(uses > MOST_USES, "uses", uses, f"at most {MOST_USES}")
    if len(pair.outcomes) > MOST_OUTCOMES:
        raise InputError(f"--uses is for at most {MOST_OUTCOMES} outcomes, and there are {len(pair.outcomes)}")
    return mixed_curve([Used(law_of(pair, pair.upper), law_of(pair, pair.lower), uses)])


def law_of(pair: LawPair, masses: tuple[Mass, ...]) -> Law:
    """One of the two laws."""
    found: dict[int, Fraction] = {}
    for place, (low, _) in enumerate(masses):
        if not pair.is_exact or low.fraction is None:
            raise InputError("--uses needs exact rational masses: write them as fractions, without a remainder")
        if low.fraction:
            found[place] = low.fraction
    return rational_law(found)
