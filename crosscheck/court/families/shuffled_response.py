"""k-ary randomized response behind a shuffler: the histogram of n users' reports, over all neighbours."""

from __future__ import annotations

from functools import lru_cache
from math import exp as double_exp
from math import log

from flint import arb, ctx
from panshuffle.crosscheck.court.counted_letters import counted_gain
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, SHUFFLE, Bounds, Case, Family
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.randomizers.randomizer import named_randomizer
from panshuffle.exact.randomizers.shuffled_view import shuffled_view
from panshuffle.exact.real import Real, exp, largest

LARGEST_LISTED = 2000  # users of three and more values, whose two counts are listed
LARGEST_N = 10**6  # users of two values, whose one count is listed
LN2, LN_7_4 = log(2), log(1.75)
LN_13 = log(13)  # where Koskela and others draw their figure: a blanket of 1/4 of four values

FIRST = (
    "every background and histogram where they are few; else the privacy blanket, or a letter that many hold, above "
    "and one background below"
)
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
    with ctx.workprec(PRECISION + 4 * n.bit_length()):
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
    check=check,
    group=SHUFFLE,
    by_hand=by_hand,
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
    FAMILY.problem(EPSILON, 1e-4, values=4, n=1000, eps0=LN_13),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=2, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=2, n=10**4, eps0=4.0),
    FAMILY.problem(DELTA, 0.05, values=2, n=10**4, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-9, values=2, n=10**5, eps0=2.0),
)
