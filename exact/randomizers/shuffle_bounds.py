"""Sound bounds on the shuffled histogram of N users, for N beyond enumeration.

Legend: P_x the law of one user's multiset of messages (a letter y), w(y) = min over x of P_x(y), beta = sum of w,
E = e^eps, (x, x') the changed user's inputs.

*From above: clones.*  Every user's law is at least w, so each of the N - 1 other users is, with probability beta and
whatever the input, a clone: the letter is drawn from w/beta; otherwise it is drawn from what is left of P_x.  Show the
analyst who is no clone and what those users sent, and group the messages of each user together: the histogram is a
function of that, so delta only grows.  What is left to see are the changed user's letter and those of Bin(N-1, beta)
clones: `hidden_user` has the curve.  Any w below the minimum is a blanket too, so w is rounded down.

*From below, one message a user.*  If all others hold z, the histogram is that of a user hidden among letters of the law
P_z: the same formula with w = P_z, and exact for these neighbours.

*From below, otherwise.*  Two neighbours, a background and a function of the histogram are all that a lower bound needs:
delta of the function's two laws is at most delta of the histograms.  The function is a sum of whole numbers t, the
scores, over the messages, so its law is a power of one user's: t is the count of one message, or the difference of the
mean counts under x and x', in units of their spread.  Backgrounds: all other users hold one input, or half of them each
of the changed user's two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import gcd

from flint import arb
from panshuffle.exact.curves.curve import factor_ends
from panshuffle.exact.laws.integer_law import IntegerLaw, law_of_masses, point
from panshuffle.exact.numbers.certified import ball_of, dyadic
from panshuffle.exact.numbers.real import Real, real, scaled_bounds
from panshuffle.exact.randomizers.enumeration import Background, Neighbours
from panshuffle.exact.randomizers.hidden_user import BITS as BALL_BITS
from panshuffle.exact.randomizers.hidden_user import Case, largest
from panshuffle.exact.randomizers.randomizer import Multiset, Randomizer

FACTOR_BITS = 192
BITS, CUT = 256, 208  # of the masses, and of the least that is kept at an end of a law
MOST_CANDIDATES, MOST_OTHERS = 24, 8
MOST_COUNTS = 2
STEPS = 16


def ends(value: Real) -> tuple[Fraction, Fraction]:
    """A probability rounded down and up; itself where it is a rational of moderate size."""
    if value.fraction is not None and value.fraction.denominator.bit_length() <= FACTOR_BITS:
        return value.fraction, value.fraction
    bits = FACTOR_BITS
    low, high = scaled_bounds(value, bits)
    while low <= 0 < high:
        bits *= 2
        low, high = scaled_bounds(value, bits)
        if value.fraction == 0:
            break
    return Fraction(low, 1 << bits), Fraction(high, 1 << bits)


def blanket_cases(randomizer: Randomizer) -> list[Case]:
    """Every ordered pair of inputs among clones, one of each kind: the order of the letters does not matter."""
    inputs = range(len(randomizer.inputs))
    table = [[randomizer.mass(x, letter) for x in inputs] for letter in randomizer.letters]
    blanket = [real(min(ends(mass)[0] for mass in row)) for row in table]
    return list(
        dict.fromkeys(
            Case.of(((row[x], row[other], w) for row, w in zip(table, blanket, strict=True)), complete=False)
            for x, other in permutations(inputs, 2)
        )
    )


def upper_ball(randomizer: Randomizer, users: int) -> Callable[[Real, int], arb]:
    """The function (e^eps, precision) -> an upper bound on delta, as a number without a radius worth speaking of."""
    cases = blanket_cases(randomizer)
    known: dict[Real, arb] = {}

    def ball(exp_eps: Real, precision: int) -> arb:
        if exp_eps not in known:
            factor = Fraction(factor_ends(exp_eps, FACTOR_BITS)[0], 1 << FACTOR_BITS)
            known[exp_eps] = largest(cases, users, ball_of(factor, BALL_BITS))[0].upper().min(1)
        return known[exp_eps]

    return ball


LetterLaw = Mapping[Multiset, tuple[Fraction, Fraction]]
Scores = Mapping[Multiset, int]


def candidates(randomizer: Randomizer, users: int) -> Iterator[Neighbours]:
    """The backgrounds that are looked at, one of each kind: all others alike, and half and half."""
    inputs, seen = range(len(randomizer.inputs)), set[object]()
    numbers: dict[Real, int] = {}  # equal masses have the same number, which is faster to compare
    masses = [[numbers.setdefault(randomizer.mass(z, y), len(numbers)) for z in inputs] for y in randomizer.letters]
    for x, other in permutations(inputs, 2):
        half = (users - 1) // 2
        mixes = [{z: users - 1} for z in dict.fromkeys((x, other, *inputs[:MOST_OTHERS]))]
        if not randomizer.is_single:
            mixes.append({x: half, other: users - 1 - half})
        for mix in mixes:
            background: Background = tuple(mix.get(z, 0) for z in inputs)
            kind = kind_of(masses, x, other, mix, randomizer.is_single)
            if kind not in seen:
                seen.add(kind)
                yield Neighbours(background, x, other)


def kind_of(
    masses: Sequence[Sequence[int]], x: int, other: int, mix: Mapping[int, int], single: bool
) -> frozenset[tuple[object, int]]:
    """What a candidate's curve depends on if a user sends one message: how often each combination of masses occurs."""
    mixed = sorted((z, count) for z, count in mix.items() if count)
    keys = [(row[x], row[other], tuple((count, row[z]) for z, count in mixed)) for row in masses]
    return frozenset(Counter(keys if single else enumerate(keys)).items())


class LowerBound:
    """The largest of the bounds of some candidates, at every e^eps."""

    def __init__(self, randomizer: Randomizer, users: int) -> None:
        self.randomizer, self.users = randomizer, users
        self.laws: list[LetterLaw] = [{y: ends(mass) for y, mass in law.items()} for law in randomizer.laws]
        self.candidates = list(candidates(randomizer, users))
        self.known: dict[Real, tuple[Fraction, Neighbours]] = {}

    def chosen(self, factor: Fraction) -> list[Neighbours]:
        """The candidates whose changed users are the easiest to tell apart without any others."""

        def local(candidate: Neighbours) -> Fraction:
            above, below = self.laws[candidate.upper], self.laws[candidate.lower]
            zero = (Fraction(0), Fraction(0))
            return sum((max(m[0] - factor * below.get(y, zero)[1], Fraction(0)) for y, m in above.items()), Fraction(0))

        return sorted(self.candidates, key=local, reverse=True)[:MOST_CANDIDATES]

    def best(self, exp_eps: Real) -> tuple[Fraction, Neighbours]:
        """The largest lower bound at e^eps, and where it comes from."""
        if exp_eps not in self.known:
            low, high = factor_ends(exp_eps, FACTOR_BITS)
            factor = Fraction(low if high is None else high, 1 << FACTOR_BITS)
            chosen = self.chosen(factor)
            if high is None:
                self.known[exp_eps] = self.limit(), chosen[0]
            elif self.randomizer.is_single:
                value, place = largest([self.case(c) for c in chosen], self.users, ball_of(factor, BALL_BITS))
                self.known[exp_eps] = max(dyadic(value.lower()), Fraction(0)), chosen[place]
            else:
                values = ((self.value(candidate, factor), candidate) for candidate in chosen)
                self.known[exp_eps] = max(values, key=lambda item: item[0])
        return self.known[exp_eps]

    def case(self, candidate: Neighbours) -> Case:
        """The changed user hidden among others who all hold one input."""
        mass, (z, _) = self.randomizer.mass, (candidate.holders() or [(candidate.lower, 0)])[0]
        letters = self.randomizer.letters
        return Case.of(
            ((mass(candidate.upper, y), mass(candidate.lower, y), mass(z, y)) for y in letters), complete=True
        )

    def ball(self, exp_eps: Real, precision: int) -> arb:
        """The bound as a number without a radius worth speaking of."""
        value = self.best(exp_eps)[0]
        return ball_of(Fraction((value.numerator << 256) // value.denominator, 1 << 256), 300)

    def limit(self) -> Fraction:
        """A lower bound on delta at every eps: with one message, what x sends and x' never, all others like x'."""
        if not self.randomizer.is_single:
            return Fraction(0)
        pairs = permutations(self.laws, 2)
        return max(sum((mass[0] for y, mass in x.items() if y not in other), Fraction(0)) for x, other in pairs)

    def value(self, candidate: Neighbours, factor: Fraction) -> Fraction:
        """A lower bound on delta at every e^eps <= factor, from one candidate, for several messages a user."""
        holders, above, below = candidate.holders(), self.laws[candidate.upper], self.laws[candidate.lower]
        statistics = count_statistics(self.randomizer, above, below, self.mixed(holders))
        return max(self.gain(holders, (above, below), statistic, factor) for statistic in statistics)

    def mixed(self, holders: Sequence[tuple[int, int]]) -> dict[Multiset, Fraction]:
        """Roughly the law of one user of the background; the statistics may use it, since none has to be exact."""
        total = sum(count for _, count in holders)
        masses: dict[Multiset, Fraction] = {}
        for z, count in holders:
            for y, (low, _) in self.laws[z].items():
                masses[y] = masses.get(y, Fraction(0)) + low * count / total
        return masses

    def gain(
        self, holders: Sequence[tuple[int, int]], pair: tuple[LetterLaw, LetterLaw], statistic: Scores, factor: Fraction
    ) -> Fraction:
        """The sum of (upper - factor*lower)_+ over the values of a statistic, rounded down."""
        parts = [(self.laws[z], count) for z, count in holders]
        low = own_row(pair[0], statistic, background_row(parts, statistic, up=False), up=False)
        high = own_row(pair[1], statistic, background_row(parts, statistic, up=True), up=True)
        first = min(low.first, high.first)
        top, bottom = factor.numerator, factor.denominator
        difference = bottom * low.masses_from(first) - top * high.masses_from(first)
        penalty = top * high.dropped
        total = sum(int(value) - penalty for value in difference.coeffs() if value > penalty)
        return Fraction(total, bottom << 2 * BITS)


def background_row(laws: Sequence[tuple[LetterLaw, int]], statistic: Scores, up: bool) -> IntegerLaw:
    """The law of the statistic of the background, rounded up or down."""
    result = point(0, BITS, up)
    for law, count in laws:
        result = result.plus(step_of(law, statistic, up).times(count, CUT)).cut(CUT)
    return result


def step_of(law: LetterLaw, statistic: Scores, up: bool) -> IntegerLaw:
    """The law of the statistic of one user, rounded up or down."""
    masses: dict[int, int] = {}
    for y, (low, high) in law.items():
        mass = (high * (1 << BITS)).__ceil__() if up else (low * (1 << BITS)).__floor__()
        masses[statistic[y]] = masses.get(statistic[y], 0) + mass
    return law_of_masses(masses, BITS, up)


def own_row(law: LetterLaw, statistic: Scores, row: IntegerLaw, up: bool) -> IntegerLaw:
    """The law with the changed user, over 4^BITS; `dropped` bounds what each mass that is rounded up may lack."""
    step = step_of(law, statistic, up)
    first = row.first + step.first if law else row.first
    return IntegerLaw(row.masses * step.masses, first, 2 * BITS, up, row.dropped * step.total())


def whole(value: float, most: int) -> int:
    """The nearest whole number of a size that is at most `most`."""
    return round(max(-float(most), min(float(most), value)))


def count_statistics(
    randomizer: Randomizer, above: LetterLaw, below: LetterLaw, mixed: Mapping[Multiset, Fraction]
) -> list[Scores]:
    """The counts of single messages, and the difference of the mean counts in units of their spread."""
    weights = []
    for index in range(len(randomizer.messages)):
        gap = sum(float(m[0]) * y[index] for y, m in above.items())
        gap -= sum(float(m[0]) * y[index] for y, m in below.items())
        mean = sum(float(m) * y[index] for y, m in mixed.items())
        spread = sum(float(m) * (y[index] - mean) ** 2 for y, m in mixed.items())
        weights.append(gap / (spread + 1e-3))
    largest = max(abs(weight) for weight in weights) or 1.0
    steps = [whole(STEPS * weight / largest, STEPS) for weight in weights]
    rounded = tuple(step // (gcd(*steps) or 1) for step in steps)
    units = [tuple(int(i == j) for j in range(len(weights))) for i, weight in enumerate(weights) if weight]
    chosen = dict.fromkeys((rounded, *units[:MOST_COUNTS]))
    return [{y: sum(t * n for t, n in zip(ts, y, strict=True)) for y in randomizer.letters} for ts in chosen]
