"""Counts of sampled outcomes against an exact law, with a false-alarm probability that is a theorem.

For a cell of mass p, P[Bin(N, p)/N is on the far side of x] <= exp(-N*KL(x, p)) for every N (Chernoff), so an
alarm where N*KL > ln(2*cells/alarm) in some cell has probability at most `alarm` under the law.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq
from panshuffle.crosscheck.e_values import frequency_divergence
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.real import Real, real

DEFAULT_ALARM = Fraction(1, 10**9)
PRECISION = 128


class Rest:
    """The cell of all outcomes that the law does not list."""

    def __repr__(self) -> str:
        return "any other outcome"


REST = Rest()


@dataclass(frozen=True)
class Consistency:
    """Whether the counts are consistent with the law and, if not, the cell that deviates most."""

    consistent: bool
    cell: Hashable = None
    observed: int = 0
    expected: float = 0.0


def check_counts(
    law: Mapping[Hashable, Real | Fraction], counts: Mapping[Hashable, int], alarm: Fraction = DEFAULT_ALARM
) -> Consistency:
    """Consistent unless some cell deviates more than an alarm of this probability allows.

    *Holds when* the runs behind the counts are independent (caller); the masses may sum to less than 1
    where the rest is one more cell, the outcomes that the law does not list.
    *Raises* `InputError` for no run, or masses that sum to more than 1.

    >>> check_counts({"heads": Fraction(1, 2), "tails": Fraction(1, 2)}, {"heads": 480, "tails": 520}).consistent
    True
    >>> check_counts({"heads": Fraction(1, 2), "tails": Fraction(1, 2)}, {"heads": 300, "tails": 700}).cell
    'heads'
    """
    if not 0 < alarm < 1:
        raise ParameterError("alarm", alarm, "strictly between 0 and 1")
    runs = sum(counts.values())
    if runs < 1:
        raise InputError("no outcome was counted, so there is nothing to compare")
    with ctx.workprec(PRECISION):
        masses: dict[Hashable, arb] = {cell: real(mass).ball_here() for cell, mass in law.items()}
        rest = (1 - sum(map(real, law.values()), real(0))).ball_here()
        if rest < 0:
            raise InputError("the masses of the law sum to more than 1")
        observed: dict[Hashable, int] = {cell: counts.get(cell, 0) for cell in law}
        masses[REST], observed[REST] = rest.nonnegative_part(), runs - sum(observed.values())
        threshold = (arb(2 * len(masses)) / arb(fmpq(alarm.numerator, alarm.denominator))).log()
        scores = {cell: frequency_divergence(observed[cell], runs, masses[cell]) for cell in masses}
        cell = max(scores, key=lambda cell: float(scores[cell].mid()))
        return Consistency(not scores[cell] > threshold, cell, observed[cell], float(runs * masses[cell].mid()))
