"""k-ary randomized response behind a shuffler: the histogram of n users' reports, over all neighbours."""

from __future__ import annotations

from functools import lru_cache
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
REACH = 12  # standard deviations of a count that are looked at: what is left out only makes a lower bound less
LARGEST_LISTED = 2000  # users of three and more values, whose two counts are listed
LARGEST_N = 10**6  # users of two values, whose one count is listed
LN2, LN_7_4 = log(2), log(1.75)

FIRST = "every background and histogram where they are few; else the privacy blanket above and one background below"
SECOND = (
    "from below the reports of x, of x' and of all other values, counted, the n - 1 other users all holding x, x' or a "
    "third value; from above one user without a shuffler"
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
        rest = (k - 2) * lie
        laws = [(truth, lie, rest), (lie, truth, rest)]
        if k > 2:
            laws.append((lie, lie, rest + truth - lie))
        seen = largest([gain((truth, lie, rest), others, n, factor) for others in laws])
        return Bounds(seen.lower(), (truth - factor * lie).nonnegative_part().upper())


Law = tuple[arb, arb, arb]
"""The masses of x, of x' and of everything else."""


def gain(own: Law, others: Law, n: int, factor: arb) -> arb:
    """A lower bound of the divergence between input x and x', whose masses are exchanged, from listed counts.

    The two counts are those of x and of x'; g is their law among the n - 1 others, a row for each count of x'.
    """
    (a, b, c), swapped = own, (own[1], own[0], own[2])
    total = arb(0)
    before: dict[int, arb] = {}
    for j in window(n, others[1]):
        row = counts_of(others, n - 1, j)
        for i in {x + step for x in row for step in (0, 1)} | set(before):
            here, left, below = row.get(i, arb(0)), row.get(i - 1, arb(0)), before.get(i, arb(0))
            upper = left * a + below * b + here * c
            lower = left * swapped[0] + below * swapped[1] + here * swapped[2]
            total += (upper - factor * lower).nonnegative_part()
        before = row
    return total


def window(n: int, mass: arb) -> range:
    """The counts of a letter that are looked at."""
    mean = int(float(mass) * n)
    reach = REACH * (isqrt(mean) + 2)
    return range(max(0, mean - reach), min(n, mean + reach) + 1)


def counts_of(law: Law, n: int, j: int) -> dict[int, arb]:
    """P(i of the first letter, j of the second) among n draws, for the counts i that are looked at."""
    a, b, c = law
    if j > n:
        return {}
    left = n - j
    if c.is_zero():
        return {left: arb.bin_uiui(n, j) * a**left * b**j}
    places = [i for i in window(n, a) if i <= left]
    if not places:
        return {}
    mass = arb.bin_uiui(n, j) * b**j * arb.bin_uiui(left, places[0]) * a ** places[0] * c ** (left - places[0])
    row = {}
    for i in places:
        row[i] = mass
        mass = mass * a * (left - i) / (c * (i + 1))
    return row


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
)
BATTERY = (
    FAMILY.problem(DELTA, LN_7_4, quick=True, values=3, n=2, eps0=LN2),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=3, n=100, eps0=LN2),
    FAMILY.problem(EPSILON, 1e-6, values=4, n=1000, eps0=1.0),
    FAMILY.problem(DELTA, 0.25, values=4, n=1000, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=10, n=1000, eps0=2.0),
    FAMILY.problem(EPSILON, 1e-6, quick=True, values=2, n=100, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-6, values=2, n=10**4, eps0=4.0),
    FAMILY.problem(DELTA, 0.05, values=2, n=10**4, eps0=1.0),
    FAMILY.problem(EPSILON, 1e-9, values=2, n=10**5, eps0=2.0),
)
