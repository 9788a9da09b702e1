"""k-ary randomized response behind a shuffler: the histogram of n users' reports, over all neighbours."""

from __future__ import annotations

from functools import lru_cache
from math import exp as double_exp
from math import isqrt, log

from flint import arb, ctx

from crosscheck.court.family import DELTA, EPSILON, SHUFFLE, Bounds, Case, Family
from exact.curves.curve import Curve
from exact.errors import ParameterError
from exact.numbers.certified import largest
from exact.numbers.real import Real, exp
from exact.randomizers.named import named_randomizer
from exact.randomizers.shuffled_view import shuffled_view

BITS = 256  # rounding stays far below the smallest delta that is judged
REACH = 10  # standard deviations of a count that are looked at: what is left out only makes a lower bound less
LARGEST_LISTED = 2000  # users of three and more values, whose two counts are listed
LARGEST_N = 10**6  # users of two values, whose one count is listed
LN2, LN_7_4 = log(2), log(1.75)

FIRST = "every background and histogram where they are few; else the privacy blanket above and one background below"
SECOND = (
    "from below the histogram where the n - 1 other users all hold x, x' or a third value, its counts listed; from "
    "above one user without a shuffler"
)


@lru_cache(maxsize=64)
def curve(case: Case) -> Curve:
    """The certified curve."""
    return shuffled_view(named_randomizer("k-ary", case["values"], exp(case.exact("eps0"))), case["n"]).view.curve


def second(case: Case, exp_eps: Real) -> Bounds:
    """The same delta from explicit backgrounds, and from one user alone."""
    k, n = case["values"], case["n"]
    with ctx.workprec(BITS + 4 * n.bit_length()):
        p, factor = exp(case.exact("eps0")).ball_here(), exp_eps.ball_here()
        truth, lie = p / (p + k - 1), 1 / (p + k - 1)
        found = [background_gain(k, truth, lie, factor, held, n) for held in range(min(k, 3))]
        return Bounds(largest(found).lower(), (truth - factor * lie).nonnegative_part().upper())


def background_gain(k: int, truth: arb, lie: arb, factor: arb, held: int, n: int) -> arb:
    """A lower bound where all others hold x (held = 0), x' (1) or a third value (2)."""
    chances = [truth if y == held else lie for y in range(3)]
    gains = [truth - factor * lie, lie - factor * truth, lie - factor * lie]
    if k == 2:
        return counted_gain(list(zip(chances[:2], gains, strict=False)), n)
    if held < 2 or k == 3:
        rest = k - 2
        return counted_gain([*zip(chances[:2], gains, strict=False), (rest * chances[2], rest * gains[2])], n)
    return counted_gain([*zip(chances, gains, strict=True), ((k - 3) * lie, (k - 3) * gains[2])], n)


def counted_gain(letters: list[tuple[arb, arb]], n: int) -> arb:
    """A lower bound of the divergence, from the counts of two to four letters: (mass w under the others, gain g).

    Of the n reports that are seen, c(y) are y; the others' law times the sum of g(y) c(y)/(n w(y)) is what the first
    input's law exceeds the other's times e^eps by.  The counts of the first two letters are listed, and of the rest
    either there is one letter, or a sum over one more count up to where it pays.  What is left out is not negative.
    """
    (a, gain_a), (b, gain_b), *more = letters
    rest = 1 - a - b
    total, known = arb(0), dict[int, Sums]()
    for j in window(n, b):
        value_b = j * gain_b / b
        if not more:
            total += arb.bin_uiui(n, j) * b**j * a ** (n - j) * (value_b + (n - j) * gain_a / a).nonnegative_part()
            continue
        places = [i for i in window(n, a) if i + j <= n]
        mass = multinomial(n, places[0], j, a, b, rest) if places else arb(0)
        for i in places:
            total += mass * tail_gain(more, rest, n - i - j, value_b + i * gain_a / a, known)
            mass = mass * a * (n - i - j) / (rest * (i + 1))
    return total / n


def multinomial(n: int, i: int, j: int, a: arb, b: arb, rest: arb) -> arb:
    """P(i and j reports of the first two letters)."""
    return arb.bin_uiui(n, j) * b**j * arb.bin_uiui(n - j, i) * a**i * rest ** (n - i - j)


Sums = list[tuple[arb, arb]]
"""For l = 0, 1, ... the mass and the mean of a count below l."""


def tail_gain(more: list[tuple[arb, arb]], rest: arb, left: int, value: arb, known: dict[int, Sums]) -> arb:
    """A lower bound of the mean of (value + what `left` reports of the last letters add)_+."""
    (w, g), *last = more
    if not last:
        return (value + left * g / w).nonnegative_part()
    ((other, loss),) = last
    low, high = loss / other, g / w
    most = float((value + left * high) / (high - low))
    if most <= 0:
        return arb(0)
    if left not in known:
        known[left] = sums_of(left, other / rest)
    chance, mean = known[left][min(int(most) + 1, len(known[left]) - 1)]
    return ((value + left * high) * chance + (low - high) * mean).nonnegative_part()


def sums_of(left: int, chance: arb) -> Sums:
    """The sums of Bin(left, chance), up to a count that is hardly ever exceeded."""
    mass, zero = (1 - chance) ** left, arb(0)
    sums = [(zero, zero)]
    for l in range(window(left, chance).stop):
        sums.append((sums[-1][0] + mass, sums[-1][1] + l * mass))
        mass = mass * (left - l) * chance / ((l + 1) * (1 - chance))
    return sums


def window(n: int, mass: arb) -> range:
    """The counts of a letter that are looked at."""
    mean = int(float(mass) * n)
    reach = REACH * (isqrt(mean) + 2)
    return range(max(0, mean - reach), min(n, mean + reach) + 1)


BY_HAND = """\
# A lower bound of delta at e^eps = E: everybody else holds x, x' or a third value, and the reports of x, of x' and of
# all other values are counted.  p = e^eps0 and E are rounded to nine digits, E upwards.
from fractions import Fraction
from math import comb
k, n, p, E = {k}, {n}, Fraction({p}), Fraction({e})
true, lie = p / (p + k - 1), 1 / (p + k - 1)

def chances(held):  # of reporting x, x', anything else
    first, second = (true if held == value else lie for value in (0, 1))
    return first, second, 1 - first - second

def law(own, held):
    found = {{}}
    a, b, c = chances(held)
    for i in range(n):
        for j in range(n - i):
            mass = comb(n - 1, i) * comb(n - 1 - i, j) * a**i * b**j * c ** (n - 1 - i - j)
            for (up, right), chance in zip(((1, 0), (0, 1), (0, 0)), chances(own)):
                found[i + up, j + right] = found.get((i + up, j + right), 0) + mass * chance
    return found

best = 0
for held in range(min(k, 3)):
    P, Q = law(0, held), law(1, held)
    best = max(best, sum(max(P[cell] - E * Q[cell], 0) for cell in P))
print(float(best))
"""


def by_hand(case: Case, eps: float) -> str:
    """The program that shows the truth."""
    p, e = round(double_exp(case["eps0"]) * 10**9), round(double_exp(eps) * 10**9) + 1
    return BY_HAND.format(k=case["values"], n=case["n"], p=f"{p}, 10**9", e=f"{e}, 10**9")


def check(case: Case) -> None:
    """*Raises* `ParameterError` where the second method would list too much."""
    most = LARGEST_N if case["values"] == 2 else LARGEST_LISTED
    if case["n"] > most:
        raise ParameterError("n", case["n"], f"at most {most} for {case['values']} values")


FAMILY = Family(
    __name__,
    8,
    "one of `values` values, reported with odds e^eps0 against each other one, by n users behind a shuffler",
    {"values": 2, "n": 2, "eps0": 0.0},
    curve,
    second,
    FIRST,
    SECOND,
    1,
    {"values": 64, "eps0": 16.0},
    check,
    SHUFFLE,
    by_hand,
)
BATTERY = (
    FAMILY.problem(DELTA, LN_7_4, quick=True, values=3, n=2, eps0=LN2),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=3, n=100, eps0=LN2),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=3, n=100, eps0=2.0),
    FAMILY.problem(EPSILON, 1e-6, values=3, n=100, eps0=3.0),
    FAMILY.problem(EPSILON, 1e-6, values=4, n=1000, eps0=4.0),
    FAMILY.problem(EPSILON, 1e-6, values=4, n=1000, eps0=1.0),
    FAMILY.problem(DELTA, 0.25, values=4, n=1000, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=10, n=1000, eps0=2.0),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=2, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=2, n=10**4, eps0=4.0),
    FAMILY.problem(DELTA, 0.05, values=2, n=10**4, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-9, values=2, n=10**5, eps0=2.0),
)
