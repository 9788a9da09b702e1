"""Sound bounds on the shuffled histogram of N users, for N beyond enumeration: from above by the privacy blanket.

Legend: P_x the law of one user's multiset of messages (a letter y), w(y) = min over x of P_x(y), beta = sum of w,
E = e^eps, (x, x') the changed user's inputs.

*Clones.*  Every user's law is at least w, so each of the N - 1 other users is, with probability beta and whatever the
input, a clone: the letter is drawn from w/beta; otherwise it is drawn from what is left of P_x.  Show the analyst who
is no clone and what those users sent, and group the messages of each user together: the histogram is a function of
that, so delta only grows.  With B ~ Bin(N-1, beta) clones, what is left to see is the multiset of B + 1 letters.

*Its curve.*  Put the changed user at a uniform place among B + 1.  A sequence of letters with w > 0 then has mass
    prod w(y_i)/beta * 1/(B+1) sum P_x(y_i) beta/w(y_i),
so with L(y) = (P_x(y) - E P_x'(y)) beta/w(y), delta given B is E[(mean of B + 1 draws of L)_+] plus the sum of
(P_x(y) - E P_x'(y))_+ over the letters with w = 0, which only the changed user sends.  As Bin(N-1, beta)(b)/(b+1) =
Bin(N, beta)(b+1)/(N beta), the mean over B is
    E[(W_1 + ... + W_N)_+] / N,
where W_i = (P_x(y) - E P_x'(y))/w(y) with probability w(y), and 0 with probability 1 - beta.

*Lattice.*  The mean of a convex function grows when each W_i is spread out without changing its mean, so each value is
split between its two neighbours on a lattice; and it grows with W, so values and masses are rounded up.  What
`IntegerLaw.times` drops adds at most its mass times the largest W.

*Rounding.*  Any w below the minimum is a blanket too, so masses are rounded: w down, P_x up, P_x' and E down.

*From below.*  Two neighbours, a background and a function of the histogram are all that a lower bound needs: delta of
the function's two laws is at most delta of the histograms.  The function is a sum of whole numbers t, the scores, over
the messages, so its law is a power of one user's.  Backgrounds: all other users hold one input, or half of them each of
the changed user's two.  If a user sends one message, t rounds (P_x(y) - E P_x'(y))/P_z(y) to a lattice: in the
background of P_z the sum of those, over all messages, has the sign of upper - E lower (as above, with w = P_z).  A
message that the background never sends is told apart: it can only come from the changed user.  Otherwise t is the count
of one message, or the difference of the mean counts under x and x', in units of their spread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import ceil, gcd, isfinite, sqrt

from flint import arb

from exact.curves.curve import factor_ends
from exact.laws.integer_law import IntegerLaw, law_of_masses, point
from exact.numbers.certified import ball_of
from exact.numbers.real import Real, scaled_bounds
from exact.randomizers.enumeration import Background, Neighbours
from exact.randomizers.randomizer import Multiset, Randomizer

FACTOR_BITS = 192
BITS, CUT = 256, 208  # of the masses, and of the least that is kept at an end of a law
WINDOW, LEAST_WINDOW, FEW_PAIRS = 1 << 14, 1 << 9, 16
DEVIATIONS = 34.0

Column = tuple[Fraction, Fraction, Fraction]
"""(P_x rounded up, P_x' rounded down, w rounded down) of a letter."""

MOST_CANDIDATES, MOST_OTHERS = 24, 8
MOST_COUNTS = 2
COARSE, FINE, REFINED = 1 << 9, 1 << 12, 2
STEPS, MOST_STEPS = 16, 1 << 12


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


def columns(randomizer: Randomizer) -> list[list[tuple[Fraction, Fraction]]]:
    """For each letter the ends of its probability under every input."""
    inputs = range(len(randomizer.inputs))
    return [[ends(randomizer.mass(x, letter)) for x in inputs] for letter in randomizer.letters]


def pair_columns(randomizer: Randomizer) -> list[list[Column]]:
    """The columns of every ordered pair of inputs, one of each kind: the order of the letters does not matter."""
    table = columns(randomizer)
    blanket = [min(low for low, _ in row) for row in table]
    kinds: dict[frozenset[tuple[Column, int]], list[Column]] = {}
    for x, other in permutations(range(len(randomizer.inputs)), 2):
        letters = [(row[x][1], row[other][0], low) for row, low in zip(table, blanket, strict=True)]
        kinds.setdefault(frozenset(Counter(letters).items()), letters)
    return list(kinds.values())


def blanket_upper(letters: Iterable[Column], users: int, factor: Fraction, window: int = WINDOW) -> Fraction:
    """An upper bound on delta at e^eps >= factor for one ordered pair of inputs."""
    total = Fraction(0)
    steps: dict[Fraction, Fraction] = {}
    for above, below, weight in letters:
        difference = above - factor * below
        if weight:
            steps[difference / weight] = steps.get(difference / weight, Fraction(0)) + weight
        elif difference > 0:
            total += difference
    beta = sum(steps.values(), Fraction(0))
    if not any(value > 0 for value in steps):
        return min(total, Fraction(1))
    return min(total + spread_mean(steps, 1 - beta, users, window), Fraction(1))


def spread_mean(steps: Mapping[Fraction, Fraction], idle: Fraction, users: int, window: int) -> Fraction:
    """An upper bound on E[(W_1 + ... + W_N)_+]/N, W having these masses at its values and `idle` at 0."""
    width = grid(steps, users, window)
    masses: dict[int, Fraction] = {0: idle}
    for value, mass in steps.items():
        low = (value / width).__floor__()
        share = value / width - low
        masses[low] = masses.get(low, Fraction(0)) + mass * (1 - share)
        if share:
            masses[low + 1] = masses.get(low + 1, Fraction(0)) + mass * share
    unit = 1 << BITS
    step = law_of_masses({x: (mass * unit).__ceil__() for x, mass in masses.items() if mass}, BITS, up=True)
    law = step.times(users, CUT)
    positive = sum(int(mass) * x for x, mass in law.items() if x > 0)
    largest = width * max(masses)
    return (Fraction(positive, unit) * width) / users + Fraction(law.dropped, unit) * largest


def grid(steps: Mapping[Fraction, Fraction], users: int, window: int) -> Fraction:
    """A lattice width: as fine as the window allows, and such that the most important value is on the lattice."""
    weighted = {value: float(mass) * moderate(value) ** 2 for value, mass in steps.items()}
    deviation = sqrt(sum(weighted.values()))
    main = max(weighted, key=lambda value: weighted[value])
    wanted = max(DEVIATIONS * sqrt(users) * deviation / window, abs(moderate(main)) / window)
    finest = 2 * users * max(abs(moderate(value)) for value in steps) / window
    wanted = min(wanted, finest)
    if not (isfinite(wanted) and wanted > 0):
        return abs(main) or Fraction(1)
    return abs(main) / max(1, ceil(abs(moderate(main)) / wanted)) if main else Fraction(wanted)


def moderate(value: Fraction) -> float:
    """A float near the value, kept within what a float's square can be."""
    return float(max(min(value, Fraction(10**100)), -Fraction(10**100)))


def upper_ball(randomizer: Randomizer, users: int) -> Callable[[Real, int], arb]:
    """The function (e^eps, precision) -> an upper bound on delta, as a number without a radius worth speaking of."""
    pairs = pair_columns(randomizer)
    window = max(LEAST_WINDOW, WINDOW * FEW_PAIRS // max(FEW_PAIRS, len(pairs)))
    known: dict[Real, Fraction] = {}

    def ball(exp_eps: Real, precision: int) -> arb:
        if exp_eps not in known:
            factor = Fraction(factor_ends(exp_eps, FACTOR_BITS)[0], 1 << FACTOR_BITS)
            value = max(blanket_upper(letters, users, factor, window) for letters in pairs)
            known[exp_eps] = Fraction(-((-value.numerator << 256) // value.denominator), 1 << 256)
        return ball_of(known[exp_eps], max(precision, 300))

    return ball


LetterLaw = Mapping[Multiset, tuple[Fraction, Fraction]]
Scores = Mapping[Multiset, int]


def candidates(randomizer: Randomizer, users: int) -> Iterator[Neighbours]:
    """The backgrounds that are looked at, one of each kind."""
    inputs, seen = range(len(randomizer.inputs)), set()
    for x, other in permutations(inputs, 2):
        half = (users - 1) // 2
        mixes = [{z: users - 1} for z in dict.fromkeys((x, other, *inputs[:MOST_OTHERS]))] + [
            {x: half, other: users - 1 - half}
        ]
        for mix in mixes:
            background: Background = tuple(mix.get(z, 0) for z in inputs)
            kind = kind_of(randomizer, x, other, mix)
            if kind not in seen:
                seen.add(kind)
                yield Neighbours(background, x, other)


def kind_of(randomizer: Randomizer, x: int, other: int, mix: Mapping[int, int]) -> frozenset[tuple[object, int]]:
    """What a candidate's curve depends on if a user sends one message: how often each combination of masses occurs."""
    keys: list[object] = []
    for letter in randomizer.letters:
        others = tuple((count, randomizer.mass(z, letter)) for z, count in sorted(mix.items()) if count)
        key = (randomizer.mass(x, letter), randomizer.mass(other, letter), others)
        keys.append(key if randomizer.is_single else (letter, key))
    return frozenset(Counter(keys).items())


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
            factor = None if high is None else Fraction(high, 1 << FACTOR_BITS)
            chosen = self.chosen(factor or Fraction(low, 1 << FACTOR_BITS))
            values = [(self.value(candidate, factor, COARSE), candidate) for candidate in chosen]
            values.sort(key=lambda item: item[0], reverse=True)
            values += [(self.value(candidate, factor, FINE), candidate) for _, candidate in values[:REFINED]]
            self.known[exp_eps] = max(values, key=lambda item: item[0])
        return self.known[exp_eps]

    def ball(self, exp_eps: Real, precision: int) -> arb:
        """The bound as a number without a radius worth speaking of."""
        value = self.best(exp_eps)[0]
        return ball_of(Fraction((value.numerator << 256) // value.denominator, 1 << 256), 300)

    def limit(self) -> Fraction:
        """A lower bound on delta at every eps."""
        return max((self.value(candidate, None) for candidate in self.candidates), default=Fraction(0))

    def value(self, candidate: Neighbours, factor: Fraction | None, window: int = COARSE) -> Fraction:
        """A lower bound on delta at every e^eps <= factor, or at every e^eps; from one candidate."""
        holders, above, below = candidate.holders(), self.laws[candidate.upper], self.laws[candidate.lower]
        if self.randomizer.is_single:
            sent = {y for z, _ in holders for y in self.laws[z]}
            alone = sum((excess(above, below, y, factor) for y in above if y not in sent), Fraction(0))
            if factor is None or not sent:
                return alone
            statistics = [loss_statistic(above, below, self.mixed(holders), factor, window / sqrt(self.users))]
            shared = ({y: m for y, m in above.items() if y in sent}, {y: m for y, m in below.items() if y in sent})
        else:
            if factor is None:
                return Fraction(0)
            alone, shared = Fraction(0), (dict(above), dict(below))
            statistics = count_statistics(self.randomizer, above, below, self.mixed(holders))
        return alone + max(self.gain(holders, shared, statistic, factor) for statistic in statistics)

    def mixed(self, holders: Sequence[tuple[int, int]]) -> dict[Multiset, Fraction]:
        """Roughly the law of one message of the background; the statistics may use it, since none has to be exact."""
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


def excess(above: LetterLaw, below: LetterLaw, letter: Multiset, factor: Fraction | None) -> Fraction:
    """(P_x - factor P_x')_+ of a letter, rounded down."""
    if factor is None:
        return above[letter][0] if letter not in below else Fraction(0)
    return max(above[letter][0] - factor * below.get(letter, (0, Fraction(0)))[1], Fraction(0))


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


def loss_statistic(
    above: LetterLaw, below: LetterLaw, mixed: Mapping[Multiset, Fraction], factor: Fraction, window: float
) -> Scores:
    """(P_x - factor P_x')/P_z of each message, rounded to a lattice; two values become 0 and 1."""
    none = (Fraction(0), Fraction(0))
    losses = {y: (above.get(y, none)[0] - factor * below.get(y, none)[1]) / mass for y, mass in mixed.items() if mass}
    values = sorted({*losses.values()})
    if len(values) <= 2:
        return {y: values.index(losses[y]) if y in losses else 0 for y in mixed}
    mean = sum(float(mixed[y]) * moderate(loss) for y, loss in losses.items())
    spread = sqrt(sum(float(mixed[y]) * (moderate(loss) - mean) ** 2 for y, loss in losses.items()))
    width = max(DEVIATIONS * spread / window, spread / MOST_STEPS)
    return {y: whole((moderate(losses[y]) - mean) / width, MOST_STEPS) if y in losses else 0 for y in mixed}


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
