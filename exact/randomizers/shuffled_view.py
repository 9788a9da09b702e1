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

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, gcd

from flint import arb, ctx
from panshuffle.exact.curves.composition import Laws, Rows, laws_of_rows
from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    LARGEST_FACTOR_BITS,
    NO_NEIGHBOUR,
    Curve,
    View,
    enclosed,
    factor_ends,
)
from panshuffle.exact.curves.mean_gain import chernoff, mean_positive
from panshuffle.exact.errors import ParameterError, Undecided
from panshuffle.exact.laws.integer_law import IntegerLaw, law_of_masses, point
from panshuffle.exact.laws.noise import around, binomial_law, working_bits
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.randomizers.enumeration import (
    BITS,
    Background,
    Neighbours,
    Response,
    Shuffled,
    cells,
    cost,
    memory,
    response_of,
)
from panshuffle.exact.randomizers.randomizer import Multiset, Randomizer
from panshuffle.exact.randomizers.two_messages import Coins, Worst, WorstCurve
from panshuffle.exact.real import Certified, Real, ball_of, dyadic, exp, log, real, scaled_bounds, sqrt

FACTOR_BITS = 192
MASS_BITS, CUT = 256, 208  # of the masses, and of the least that is kept at an end of a law
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

    @cache
    def bound(exp_eps: Real) -> arb:
        factor = Fraction(factor_ends(exp_eps, FACTOR_BITS)[0], 1 << FACTOR_BITS)
        return largest(cases, users, ball_of(factor, BALL_BITS))[0].upper().min(1)

    return lambda exp_eps, precision: bound(exp_eps)


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
        self.best = cache(self.find_best)

    def chosen(self, factor: Fraction) -> list[Neighbours]:
        """The candidates whose changed users are the easiest to tell apart without any others."""

        def local(candidate: Neighbours) -> Fraction:
            above, below = self.laws[candidate.upper], self.laws[candidate.lower]
            zero = (Fraction(0), Fraction(0))
            return sum((max(m[0] - factor * below.get(y, zero)[1], Fraction(0)) for y, m in above.items()), Fraction(0))

        return sorted(self.candidates, key=local, reverse=True)[:MOST_CANDIDATES]

    def find_best(self, exp_eps: Real) -> tuple[Fraction, Neighbours]:
        """The largest lower bound at e^eps, and where it comes from."""
        low, high = factor_ends(exp_eps, FACTOR_BITS)
        factor = Fraction(low if high is None else high, 1 << FACTOR_BITS)
        chosen = self.chosen(factor)
        if high is None:
            return self.limit(), chosen[0]
        if self.randomizer.is_single:
            value, place = largest([self.case(c) for c in chosen], self.users, ball_of(factor, BALL_BITS))
            return max(dyadic(value.lower()), Fraction(0)), chosen[place]
        return max(((self.value(candidate, factor), candidate) for candidate in chosen), key=lambda item: item[0])

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
        others = point(0, MASS_BITS)
        for z, count in holders:
            others = others.plus(step_of(self.laws[z], statistic).times(count, CUT)).cut(CUT)
        low, high = (others.plus(step_of(law, statistic)) for law in pair)
        first = min(low.first, high.first)
        top, bottom = factor.numerator, factor.denominator
        difference = bottom * low.masses_from(first) - top * high.masses_from(first)
        penalty = top * ((1 << MASS_BITS) - high.total())  # a mass is at most its bound and all that is missing
        total = sum(int(value) - penalty for value in difference.coeffs() if value > penalty)
        return Fraction(total, bottom << MASS_BITS)


def step_of(law: LetterLaw, statistic: Scores) -> IntegerLaw:
    """The law of the statistic of one user."""
    masses: dict[int, int] = {}
    for y, (low, _) in law.items():
        masses[statistic[y]] = masses.get(statistic[y], 0) + (low * (1 << MASS_BITS)).__floor__()
    return law_of_masses(masses, MASS_BITS)


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


# Any eps0-locally private randomizer behind a shuffler: between its clones and its floor.
#
# Legend: p = e^eps0, E = e^eps, N users.
#
# *From above.*  Feldman, McMillan and Talwar (2021): whatever the randomizers are, each chosen with the messages so far
# in hand, the shuffled view of two neighbours is a function of a pair (A + D, C - A + 1 - D) and its mirror, where
# C ~ Bin(N-1, 1/p) others are clones, A ~ Bin(C, 1/2) of them send the first letter, and the changed user sends it with
# probability p/(p+1), or 1/(p+1) for the other input.  That is one user hidden among letters of the weights 1/(2p) and
# 1/(2p) (`hidden_user`); the mirror is the same pair with the letters exchanged.
#
# *From above, not adaptive.*  If all users share one randomizer with finitely many messages, one for each user, chosen
# beforehand, the weights are 1/(p+1) each: the ledger's stronger-clones, a theorem of the kernel.  With R(x) = p U + V
# and R(x') = U + p V every law is at least max(U, V), a blanket whose noise is no more spread out than that of the two
# letters.
#
# *From below.*  Binary response, (p, 1)/(p+1) against (1, p)/(p+1), is such a randomizer: its worst background that was
# looked at is a lower bound (`two_messages`).
#
# Both have the pure eps0, which n times the same message reaches.


MOST_USERS = 10**9
"""As for a randomizer in a file."""
LARGEST_EPS0 = 64
"""Nothing is left of privacy beyond."""
FLOOR_BITS = 100
"""Masses below 2^-100 change no lower bound that is shown."""
BELOW = "Below: binary response with this eps0, which is one of these randomizers, and this background."
WHY = (
    "Above: the clones of Feldman, McMillan and Talwar: every other user sends, with probability e^-eps0, a coin that "
    "does not depend on the data, and the changed user is one more coin with odds e^eps0; this pair covers every "
    f"eps0-locally private randomizer, also if each is chosen after the messages before it.  {BELOW}"
)
WHY_NOT_ADAPTIVE = (
    "Above: every other user sends, with probability 2/(e^eps0 + 1), a coin that does not depend on the data, and the "
    "changed user is one more coin with odds e^eps0 (stronger-clones, a theorem of the kernel): this pair covers every "
    "eps0-locally private randomizer with finitely many messages, one for each user, that all share and that is chosen "
    f"beforehand.  {BELOW}"
)


def clones_curve(eps0: Real, users: int, adaptive: bool = True) -> Curve:
    """The curve of the clones: an upper bound for every eps0-locally private randomizer, adaptive or chosen before."""
    check_local(eps0, users)
    p = exp(eps0)
    often, seldom, weight = p / (p + 1), 1 / (p + 1), 1 / (2 * p) if adaptive else 1 / (p + 1)
    case = Case.of(((often, seldom, weight), (seldom, often, weight)), complete=False)

    @cache
    def bound(exp_eps: Real) -> arb:
        return case.delta(users, exp_eps.ball(MASS_BITS)).upper().min(1)

    return Curve(lambda exp_eps, precision: bound(exp_eps), None, p)


def check_local(eps0: Real, users: int) -> None:
    """*Raises* `ParameterError` unless 0 < eps0 <= 64 and there are 1 to 10^9 users."""
    refuse_if(not (eps0 > 0 and eps0 <= LARGEST_EPS0), "eps0", eps0, f"above 0 and at most {LARGEST_EPS0}")
    check_count("n", users)
    refuse_if(users > MOST_USERS, "n", users, f"such that at most {MOST_USERS} users take part")


def floor_of(eps0: Real, users: int) -> Worst:
    """The backgrounds of binary response."""
    p = exp(eps0)
    return Worst([Coins(p / (p + 1), 1 / (p + 1))], users)


def local_view(eps0: Real, users: int, adaptive: bool = True) -> View:
    """The view of N users of any eps0-locally private randomizer, from both sides."""
    above, worst = clones_curve(eps0, users, adaptive), floor_of(eps0, users)
    below = Curve(
        lambda exp_eps, precision: worst.best(exp_eps).value.nonnegative_part(),
        None,
        None,
        lambda: Certified.of(eps0),
    )
    why = WHY if adaptive else WHY_NOT_ADAPTIVE
    return View(enclosed(below, above), ALL_NEIGHBOURS, why, background_at=lambda exp_eps: held(worst, exp_eps))


def held(worst: Worst, exp_eps: Real | None) -> tuple[int, int]:
    """How many of the others hold the changed user's first and second input where the floor is reached."""
    place = worst.best(exp_eps if exp_eps is not None else real(1))
    return place.ones, place.zeros


def response_laws(eps0: Real, users: int) -> Laws:
    """How many of N users of binary response say the second input: all hold the first one, but the changed user.

    Under `lower` that user holds the first one, too, and the count is Bin(N, 1/(p+1)); `upper` has (p x + (N-x)/p)/N
    times its mass at x.
    """
    check_local(eps0, users)
    odds = exp(eps0)
    chance = 1 / (odds + 1)

    def rows(precision: int) -> Rows:
        with ctx.workprec(working_bits(precision, users)):
            law, p = binomial_law(users, chance, working_bits(precision, users)), odds.ball_here()
            first, lower = around(law, int(float(law.centre()[0].mid())), FLOOR_BITS)
            masses = [((p * x + (users - x) / p) / users * mass, mass) for x, mass in enumerate(lower, start=first)]
            rests = [1 - sum((row[side] for row in masses), arb(0)) for side in (0, 1)]
            return Rows(masses, (rests[0].nonnegative_part(), rests[1].nonnegative_part()))

    return laws_of_rows(rows)


# Published closed forms for the eps of a shuffled eps0-local randomizer, as printed, to stand beside certified ends.
#
# Legend: p = e^eps0, n users, k inputs. None where a hypothesis of the statement fails. Nothing is certified by these.


def clones_epsilon(eps0: Real, users: int, delta: Real) -> Real | None:
    """Feldman, McMillan, Talwar, "Hiding among the clones" (2021), Theorem 3.1, for any eps0-local randomizers.

    *Formula*: log(1 + (p-1)/(p+1) s), s = 8 sqrt(p log(4/delta)/n) + 8p/n.
    *Holds when* eps0 <= log(n/(16 log(2/delta))) (checked).  The authors' program computes another form, which is never
    less: with p + 1/(1+s) in place of p + 1, and log(4/delta) in the hypothesis.
    """
    p = exp(eps0)
    if not p * 16 * log(2 / delta) <= users:
        return None
    return log(1 + (p - 1) / (p + 1) * (8 * sqrt(p * log(4 / delta) / users) + 8 * p / users))


def blanket_epsilon(eps0: Real, k: int, users: int, delta: Real) -> Real | None:
    """Balle, Bell, Gascon, Nissim, "The privacy blanket of the shuffle model" (2019), Theorem 3.1, for k-ary response.

    *Formula*: the least eps with gamma = k/(p+k-1) >= max(14k log(2/delta)/((n-1) eps^2), 27k/((n-1) eps)), the
    larger of the two eps at which one of the terms is gamma.
    *Holds when* n >= 2, gamma < 1, which is p > 1, and eps <= 1 (checked).
    """
    if users < 2 or not eps0 > 0:
        return None
    total = (exp(eps0) + k - 1) / (users - 1)
    first, second = sqrt(14 * log(2 / delta) * total), 27 * total
    found = first if first >= second else second
    return found if found <= real(1) else None


# One user among many whose letters have one law: the certified curve of the multiset of all letters.
#
# Legend: w(y) the weight of a letter y among the others, of total at most 1 (what is missing is an other who is not
# seen); P_x, P_x' the laws of the changed user's letter; E = e^eps; N users, the changed one included.
#
# *Its curve.* Put the changed user at a uniform place among those who are seen. A sequence of B + 1 letters with w > 0
# then has the mass prod w(y_i)/beta * 1/(B+1) sum of P_x(y_i) beta/w(y_i), beta the total of w. So with L(y) = (P_x(y)
# - E P_x'(y)) beta/w(y), delta given B is E[(mean of B + 1 draws of L)_+] plus the sum of (P_x(y) - E P_x'(y))_+ over
# the letters with w = 0, which only the changed user sends. As Bin(N-1, beta)(b)/(b+1) = Bin(N, beta)(b+1)/(N beta),
# the mean over B is E[(W_1 + ... + W_N)_+] / N, where W_i = (P_x(y) - E P_x'(y))/w(y) with probability w(y), and 0
# with probability 1 - beta.
#
# Values that no sum above 0 has are left out first.  If none of the others is negative, the mean is N E[W] for what is
# left of the law.  Else it is summed over types (how often each value occurs) where few have a positive sum, and
# enclosed by `mean_positive` otherwise.


BALL_BITS = 224
"""Of all balls: they serve up to 10^9 users."""
WIDTH = 1e-3
"""The relative width of delta that is aimed at: eps moves far less."""
MOST_TYPES = 1500
"""This many types take some milliseconds, and no more than the other way."""

Letter = tuple[Real, Real, Real]
"""(P_x, P_x', w) of a letter."""


@dataclass(frozen=True)
class Case:
    """The letters of two inputs and a background, each with how many are like it; whether all others are seen."""

    letters: tuple[tuple[Letter, int], ...]
    complete: bool

    @classmethod
    def of(cls, letters: Iterable[Letter], complete: bool) -> Case:
        """The case of these letters, in any order: they are sorted, so that sums are the same in every process."""
        return cls(tuple(sorted(Counter(letters).items(), key=lambda item: tuple(map(str, item[0])))), complete)

    def steps(self, factor: arb) -> tuple[list[arb], list[arb], arb]:
        """The masses and the values of W at e^eps = factor, and what the letters with w = 0 add.

        *Raises* `Undecided` where the weights are not told apart from a total of 1, and are not known to have it.
        """
        masses, values, alone = list[arb](), list[arb](), arb(0)
        for (above, below, weight), count in self.letters:
            difference = above.ball(BALL_BITS) - factor * below.ball(BALL_BITS)
            if weight.fraction == 0:
                alone += count * difference.nonnegative_part()
            else:
                masses.append(count * weight.ball(BALL_BITS))
                values.append(difference / weight.ball(BALL_BITS))
        if not self.complete:
            masses.append(1 - sum(masses, arb(0)))
            values.append(arb(0))
            if not masses[-1] > 0:
                raise Undecided("the laws of the inputs are not told apart")
        return masses, values, alone

    def most(self, users: int, factor: arb) -> arb:
        """A quick upper bound on delta."""
        with ctx.workprec(BALL_BITS):
            masses, values, alone = self.steps(factor)
            return (alone + chernoff(*reaching(masses, values, users), users) / users).upper()

    def delta(self, users: int, factor: arb) -> arb:
        """An enclosure of delta at e^eps = factor."""
        with ctx.workprec(BALL_BITS):
            masses, values, alone = self.steps(factor)
            masses, values = reaching(masses, values, users)
            if all(value >= 0 for value in values):
                total = sum(masses, arb(0))
                gain = sum((mass * value for mass, value in zip(masses, values, strict=True)), arb(0))
                return alone + gain * total ** (users - 1)
            few = type_mean(masses, values, users) if users <= MOST_TYPES else None
            if few is not None:
                return alone + few / users
            size = max((abs(value).upper() for value in values), default=arb(1))
            scaled = [value / size for value in values]
            return alone + size * mean_positive(masses, scaled, users, WIDTH) / users


def reaching(masses: list[arb], values: list[arb], users: int) -> tuple[list[arb], list[arb]]:
    """The masses and values without those that no sum above 0 has: all the others together don't make up for them."""
    highest = max((value.upper() for value in values), default=arb(0))
    kept = [i for i, value in enumerate(values) if not value + (users - 1) * highest <= 0]
    return [masses[i] for i in kept], [values[i] for i in kept]


def type_mean(masses: Sequence[arb], values: Sequence[arb], users: int) -> arb | None:
    """E[(W_1 + ... + W_N)_+] by a sum over the types that may have a positive sum; None where they are many."""
    order = sorted(range(len(masses)), key=lambda i: float(values[i].mid()))
    steps = [(masses[i], values[i]) for i in order]
    if not steps:
        return arb(0)
    highest = max(value.upper() for value in values)
    total, visited = arb(0), 0
    stack = [(0, users, arb(1), arb(0))]
    while stack:
        i, left, mass, value = stack.pop()
        step, each = steps[i]
        counts = range(left, left + 1) if i == len(steps) - 1 else range(left + 1)
        for count in counts:
            above = value + count * each
            if each <= 0 and above + (left - count) * highest <= 0:
                break
            visited += 1
            if visited > MOST_TYPES:
                return None
            share = mass * comb(left, count) * step**count
            if i == len(steps) - 1:
                total += share * above.nonnegative_part()
            else:
                stack.append((i + 1, left - count, share, above))
    return total


def largest(cases: Sequence[Case], users: int, factor: arb) -> tuple[arb, int]:
    """An enclosure of the largest delta of some cases, and the number of a case that has it."""
    bounds = sorted(
        ((case.most(users, factor), i) for i, case in enumerate(cases)), key=lambda item: item[0], reverse=True
    )
    best, place = arb(0), 0
    for most, i in bounds:
        if most <= best.lower():
            break
        value = cases[i].delta(users, factor)
        place = i if value.lower() > best.lower() else place
        best = best.max(value)
    return best, place


# The certified curve of any randomizer behind a shuffler: enumerated where that is feasible, bounded beyond.


EXACT_COST, EXACT_MEMORY = 1_500_000, 1 << 30
FEWER_COST, MANY_COST = 30_000, 600_000
MOST_HONEST = 10**9
"""This many users leave more than three digits of delta where doubles sum up transforms."""
MOST_SENDERS = 10**7
"""As many where a user sends several messages: the law of a statistic takes minutes beyond."""

SAME = "All inputs have the same law, so nobody can tell them apart."
ENUMERATED = (
    "The law of the histogram of all messages is computed for every background of the other {others} users and every "
    "two inputs of the changed one, one of each class under renaming: {pairs} pairs of at most {cells} histograms."
)
BOUNDED = (
    "Enumeration would compare about {cost} masses a point (at most {most} are) and keep about {bits} bits (at most "
    "{room}).  Above: telling the analyst which messages are no draws from what all inputs have in common, and what "
    "they are, leaves the changed user among those draws (the privacy blanket){grouped}; and telling all messages of "
    "some users leaves {fewer} users, whose curve is enumerated{crowd}.  Below: this background and these "
    "neighbours{seen}."
)
CROWD = "; and some value is held by many of the others, so that what they send blurs the letter of that value"
GROUPED = ", with the messages of each user kept together"
SEEN = ", seen through one statistic of the histogram"
TWO_MESSAGES = (
    "With two messages the best event is that one of them is sent at least so often.  Above: backgrounds in which "
    "nearly as many users hold each input are bounded together, by telling the messages of those that differ; all of "
    "the {users} backgrounds are covered.  Below: this background, exactly."
)


@dataclass(frozen=True)
class ShuffledView:
    """A view, whether its curve is exact, and where the largest delta (or the lower bound) is."""

    view: View
    randomizer: Randomizer
    is_exact: bool
    worst_at: Callable[[Real], Neighbours | None]


def shuffled_view(given: Randomizer, users: int) -> ShuffledView:
    """The view of the histogram of N honest users' messages, over all neighbours and backgrounds."""
    check_count("n", users)
    most = MOST_HONEST if given.is_single else MOST_SENDERS
    if users > most:
        raise ParameterError("n", users, f"such that at most {most} users take part")
    randomizer = given.merged()
    if len(randomizer.inputs) == 1:
        return ShuffledView(View(NO_NEIGHBOUR, ALL_NEIGHBOURS, SAME), randomizer, True, lambda exp_eps: None)
    work = cost(randomizer, users)
    if work <= EXACT_COST and memory(randomizer, users) <= EXACT_MEMORY:
        shuffled = Shuffled(randomizer, users)
        counts = {"others": users - 1, "pairs": 2 * len(shuffled.edges), "cells": cells(randomizer, users)}
        view = View(shuffled.curve(), ALL_NEIGHBOURS, ENUMERATED.format(**counts))
        return ShuffledView(view, randomizer, True, shuffled.worst)
    return two_message_view(randomizer, users) or bounded_view(randomizer, users, work)


def two_message_view(randomizer: Randomizer, users: int) -> ShuffledView | None:
    """The view of a randomizer with two messages; None for others, and where the extreme inputs are not told apart."""
    if not randomizer.is_single or len(randomizer.letters) != 2:
        return None
    inputs, (zero, one) = range(len(randomizer.inputs)), randomizer.letters
    mass = randomizer.mass
    try:
        low, *_, high = sorted(inputs, key=lambda x: mass(x, one))
    except Undecided:
        return None
    sides = {Coins(mass(high, one), mass(low, one)): (high, low), Coins(mass(low, zero), mass(high, zero)): (low, high)}
    worst = Worst(sides, users)

    def worst_at(exp_eps: Real) -> Neighbours:
        found = worst.best(exp_eps)
        upper, lower = sides[found.coins]
        held = {upper: found.ones, lower: found.zeros}
        return Neighbours(tuple(held.get(x, 0) for x in inputs), upper, lower)

    pure = local_pure(randomizer)
    limit = Real(LowerBound(randomizer, users).limit()) if pure.infinite else real(0)
    curve = WorstCurve.of(worst, eps=None if pure.infinite else pure, limit=limit)
    return ShuffledView(View(curve, ALL_NEIGHBOURS, TWO_MESSAGES.format(users=users)), randomizer, False, worst_at)


def bounded_view(randomizer: Randomizer, users: int, work: int) -> ShuffledView:
    """The view between a lower and an upper bound."""
    few = fewer_users(randomizer, users)
    lower = LowerBound(randomizer, users)
    grouped = "" if randomizer.is_single else GROUPED
    sizes = {"cost": about(work), "most": about(EXACT_COST)}
    sizes |= {"bits": about(memory(randomizer, users)), "room": about(EXACT_MEMORY)}
    response = response_of(randomizer, users)
    crowd, seen = "" if response is None else CROWD, "" if randomizer.is_single else SEEN
    why = BOUNDED.format(**sizes, grouped=grouped, seen=seen, fewer=few, crowd=crowd)
    curve = enclosed(lower_curve(randomizer, lower), upper_curve(randomizer, users, few, response))
    return ShuffledView(View(curve, ALL_NEIGHBOURS, why), randomizer, False, lambda exp_eps: lower.best(exp_eps)[1])


def about(value: int) -> str:
    """A large count for a sentence."""
    return Certified.of(value).enclosure(2)[1]


def fewer_users(randomizer: Randomizer, users: int) -> int:
    """A number of users, at most `users` and at least 1, that their curve is cheap to enumerate."""
    most = FEWER_COST if randomizer.is_single else MANY_COST
    return 1 + bisect_right(range(2, users + 1), most, key=lambda some: cost(randomizer, some))


def local_pure(randomizer: Randomizer) -> Certified:
    """The pure eps of one user alone, which no shuffling makes worse."""
    return Shuffled(randomizer, 1).pure_epsilon()


def lower_curve(randomizer: Randomizer, lower: LowerBound) -> Curve:
    """The curve of the lower bound.

    *Pure eps*: with one message a user, the histogram of N times the message y has the ratio P_x(y)/P_x'(y) where the
    others hold an input that sends y, so the pure eps is that of one user alone.
    """
    pure = local_pure(randomizer) if randomizer.is_single else Certified.of(0)
    return Curve(lower.ball, None, None, lambda: pure, Real(lower.limit()))


def upper_curve(randomizer: Randomizer, users: int, few: int, response: Response | None) -> Curve:
    """The curve of the upper bound: the least of the blanket's, of fewer users' and of a crowded letter's."""
    blanket, fewer, pure = upper_ball(randomizer, users), Shuffled(randomizer, few), local_pure(randomizer)

    @cache
    def bound(exp_eps: Real) -> arb:
        found = blanket(exp_eps, 64).min(fewer.ball(exp_eps, 64).upper())
        return found if response is None else found.min(response.bound(exp_eps.ball(BITS)))

    limit = Real(dyadic(bound(real(2) ** LARGEST_FACTOR_BITS))) if pure.infinite else real(0)
    return Curve(lambda exp_eps, precision: bound(exp_eps), None, None, lambda: pure, limit)
