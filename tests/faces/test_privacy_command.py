"""`panshuffle privacy` and `panshuffle curve` as their user sees them: values, keys, digits and refusals."""

import json
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import mpmath
import pytest

from panshuffle.arguments import PROTOCOLS
from tests.every import every
from tests.faces.privacy_answers import outcome, privacy, run, words

SMALL = {
    "binomial": "--l 6 --p 1/3",
    "poisson-binomial": "--n 6 --m 2 --p 1/3",
    "binary-sum": "--n 6 --p 3/4",
    "modular-sum": "--n 6 --m 3",
    "distinct-elements": "--n 6 --q 1/2 --m 2",
    "hashed-distinct-elements": "--n 6 --k 90 --eps 1 --m 2",
    "uniformity": "--lam 3",
    "compressed-uniformity": "--k 6 --k-hat 3 --lam 3",
    "pan-sum": "--lam 6",
    "pan-histogram": "--lam 6",
    "shuffle-histogram": "--n 6 --p 3/4",
    "pan-distinct-elements": "--n 6 --q 1/2 --m 2",
    "pan-uniformity": "--n 6 --lam 3",
    "randomized-or": "--exp-eps 3",
    "two-bit-sum": "--n 6 --p 1/4",
    "geometric-distinct-elements": "--k 4 --exp-eps 3",
}


SHUFFLED = [
    "binary-sum",
    "modular-sum",
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "shuffle-histogram",
    "two-bit-sum",
]


POOLS = [
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "pan-histogram",
    "shuffle-histogram",
    "two-bit-sum",
]


def close(answer, value, digits):
    """Whether the ends enclose an mpmath number that has so many digits right."""
    slack = abs(value) * mpmath.mpf(10) ** -digits
    return mpmath.mpf(answer["lower"]) <= value + slack and value - slack <= mpmath.mpf(answer["upper"])


def binomial_law(l, p):
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]


def positive_parts(pairs, factor):
    return sum(a - factor * b for a, b in pairs if a > factor * b)


def test_twenty_coins(capsys):
    answer = privacy(capsys, "binomial --l 20 --p 1/2 --at-exp-eps 2")
    law = binomial_law(20, Fraction(1, 2))
    value = positive_parts(zip([*law, 0], [0, *law], strict=True), 2)
    assert answer["exact"] == str(value) == "4265/262144"
    assert (answer["quantity"], answer["scope"]) == ("delta", "all neighbours")
    assert answer["parameters"] == {"l": "20", "p": "1/2"}


def test_two_bins(capsys):
    answer = privacy(capsys, "pan-histogram --lam 12 --at-exp-eps 9/4 --pair")
    law = [0, *binomial_law(12, Fraction(1, 2)), 0]
    cells = product(range(14), repeat=2)
    value = positive_parts([(law[x] * law[y + 1], law[x + 1] * law[y]) for x, y in cells], Fraction(9, 4))
    assert answer["exact"] == str(value) == "3364315/33554432"


def test_total_variation(capsys):
    """Four ones and m = 4 against no ones, by listing the 2^3 share vectors of each user as numbers of ones."""
    answer = privacy(capsys, "modular-sum --n 4 --m 4 --tv --ones 4")
    pools = []
    for bit in (1, 0):
        law = {0: Fraction(1)}
        for _ in range(4):
            step = {}
            for x, mass in law.items():
                for bits in product((0, 1), repeat=4):
                    if sum(bits) % 2 == bit:
                        step[x + sum(bits)] = step.get(x + sum(bits), 0) + mass / 8
            law = step
        pools.append(law)
    value = sum(abs(pools[0].get(x, 0) - pools[1].get(x, 0)) for x in range(17)) / 2
    assert answer["exact"] == str(value) == "31/512"
    assert answer["quantity"] == "tv"
    worst = privacy(capsys, "modular-sum --n 4 --m 4 --tv")
    assert Fraction(worst["exact"]) >= value
    assert worst["scope"] == "all inputs"


def test_distinct_elements_at_the_ideal_point(capsys):
    answer = privacy(
        capsys,
        [*words("distinct-elements --n 10 --eps 1 --m 4 --holders 0,0 --digits 30 --at-exp-eps"), "2*exp(1)-1"],
    )
    assert answer["background"] == [0, 0]
    assert answer["scope"] == "this pair"
    with mpmath.workdps(60):
        q = (1 - mpmath.exp(-1)) ** (mpmath.mpf(1) / 10)

        def law(holders):
            masses = [mpmath.mpf(1)]
            for i in range(10):
                odd = mpmath.mpf(1) / 2 if i < holders else (1 - q) / 2
                added = [comb(4, x) * (odd if x % 2 else 1 - odd) / 8 for x in range(5)]
                step = [mpmath.mpf(0)] * (len(masses) + 4)
                for (x, u), (y, v) in product(enumerate(masses), enumerate(added)):
                    step[x + y] += u * v
                masses = step
            return masses

        one, none = law(1), law(0)
        cells = product(range(41), repeat=2)
        value = positive_parts([(one[x] * none[y], none[x] * one[y]) for x, y in cells], 2 * mpmath.e - 1)
        assert mpmath.nstr(value, 29).startswith("0.00026116164507395916388403667262")
        assert close(answer, value, 45)
    assert answer["lower"].startswith("0.00026116164507395916388403667262")


def test_a_poisson_pool(capsys):
    answer = privacy(capsys, "uniformity --lam 10 --at-exp-eps 2 --pool --digits 30")
    with mpmath.workdps(60):
        w = [mpmath.mpf(0), *(mpmath.exp(-5) * mpmath.mpf(5) ** i / mpmath.factorial(i) for i in range(90))]
        cells = product(range(90), repeat=2)
        value = positive_parts([(w[x] * w[y + 1], w[x + 1] * w[y]) for x, y in cells], 2)
        assert close(answer, value, 45)
    assert answer["lower"].startswith("0.070482108599739696537996511125")


def test_eps_at_delta_and_back(capsys):
    """delta at the two ends of the eps that was found, on both sides of the target, by rationals close to e^eps."""
    answer = privacy(capsys, "binomial --l 40 --p 1/2 --at-delta 1e-4 --digits 12")
    law = binomial_law(40, Fraction(1, 2))
    with mpmath.workdps(60):
        deltas = []
        for end in ("lower", "upper"):
            factor = mpmath.exp(mpmath.mpf(answer[end]))
            pairs = zip([*law, Fraction(0)], [Fraction(0), *law], strict=True)
            numbers = [[mpmath.mpf(v.numerator) / v.denominator for v in pair] for pair in pairs]
            deltas.append(positive_parts(numbers, factor))
        assert deltas[0] >= mpmath.mpf(10) ** -4 >= deltas[1]
    assert answer["quantity"] == "eps"


@every(
    ("arguments", "expected"),
    [
        ("binomial --l 6 --p 1/3", "inf"),
        ("modular-sum --n 3 --m 3", "inf"),
        ("uniformity --lam 3", "inf"),
        ("pan-histogram --lam 3", "inf"),
        ("two-bit-sum --n 3 --p 0", "inf"),
        ("two-bit-sum --n 3 --p 1/2", 1),
        ("two-bit-sum --n 3 --p 1/4", 9),
        ("two-bit-sum --n 3 --p 1/4 --pool", 3),
        ("randomized-or --exp-eps 3", 3),
        ("geometric-distinct-elements --k 4 --exp-eps 3", 3),
        ("distinct-elements --n 4 --q 1/2 --m 3", 3),
        ("distinct-elements --n 4 --q 1/2 --m 3 --k 1", 1),
    ],
)
def test_pure_eps(capsys, arguments, expected):
    """Closed forms: ((1-p)/p)^2 for two bits, (1+q)/(1-q) for odd m; no finite eps where supports differ."""
    answer = privacy(capsys, f"{arguments} --at-delta 0")
    if expected == "inf":
        assert answer["exact"] == answer["lower"] == answer["upper"] == "inf"
    else:
        with mpmath.workdps(40):
            assert close(answer, mpmath.log(expected), 30)


def test_eps_zero_where_delta_is_one(capsys):
    for protocol in PROTOCOLS:
        assert privacy(capsys, f"{protocol} {SMALL[protocol]} --at-delta 1")["exact"] == "0"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_answers(capsys, protocol):
    """delta falls in eps, at every share of users that is allowed, and one pool shows no more than the pair."""
    for gamma in ("1", "1/2", "1/3") if protocol in SHUFFLED else (None,):
        share = f" --gamma {gamma}" if gamma else ""
        first = privacy(capsys, f"{protocol} {SMALL[protocol]}{share} --at-eps 0")
        later = privacy(capsys, f"{protocol} {SMALL[protocol]}{share} --at-eps 1/2")
        assert Fraction(later["lower"]) <= Fraction(first["upper"]) <= 1
        if protocol in POOLS:
            pool = privacy(capsys, f"{protocol} {SMALL[protocol]}{share} --at-eps 1/2 --pool")
            assert Fraction(pool["lower"]) <= Fraction(later["upper"])


@every("protocol", SHUFFLED)
def test_fewer_users_are_not_more_private(capsys, protocol):
    deltas = [
        privacy(capsys, f"{protocol} {SMALL[protocol]} --gamma {g} --at-exp-eps 3/2") for g in ("1", "1/2", "1/3")
    ]
    for more, fewer in pairwise(deltas):
        assert Fraction(more["lower"]) <= Fraction(fewer["upper"])


@pytest.mark.parametrize("gamma", ["1", "1/2", "1/3"])
def test_gamma_is_a_number_of_users(capsys, gamma):
    users = Fraction(gamma) * 6
    law = binomial_law(int(users), Fraction(3, 4))
    up, down = zip([0, *law], [*law, 0], strict=True), zip([*law, 0], [0, *law], strict=True)
    value = max(positive_parts(pairs, Fraction(3, 2)) for pairs in (up, down))
    answer = privacy(capsys, f"binary-sum --n 6 --p 3/4 --gamma {gamma} --at-exp-eps 3/2")
    assert Fraction(answer["exact"]) == value


@every("direction", ["gain", "lose"])
@every("protocol", ["binomial --l 6 --p 1/3", "binary-sum --n 6 --p 1/3", "shuffle-histogram --n 6 --p 1/3 --pool"])
def test_directions(capsys, protocol, direction):
    """gain: the upper law is the shifted one."""
    law = binomial_law(6, Fraction(1, 3))
    pairs = list(zip([0, *law], [*law, 0], strict=True))
    value = positive_parts(pairs if direction == "gain" else [(b, a) for a, b in pairs], Fraction(3, 2))
    answer = privacy(capsys, f"{protocol} --direction {direction} --at-exp-eps 3/2")
    assert (answer["exact"], answer["scope"]) == (str(value), "this pair")


def test_the_worst_background_is_reported(capsys):
    """With n = 10, eps = 1, m = 3 at e^eps = 8 one other holder of a is worse than none (DESIGN.md)."""
    worst = privacy(capsys, "distinct-elements --n 10 --eps 1 --m 3 --at-exp-eps 8")
    none = privacy(capsys, "distinct-elements --n 10 --eps 1 --m 3 --at-exp-eps 8 --holders 0,0")
    assert worst["background"] == [1, 0]
    for answer, published in ((worst, "9.02e-6"), (none, "5.27e-6")):
        assert abs(Fraction(answer["lower"]) - Fraction(published)) <= Fraction("0.005e-6")


@every("digits", [1, 2, 17, 60, 300])
@every("protocol", ["uniformity --lam 3 --pool", "binomial --l 60 --p 1/3", "geometric-distinct-elements --eps 2"])
def test_digits_are_respected_and_nested(capsys, protocol, digits):
    few = privacy(capsys, f"{protocol} --at-eps 1 --digits {digits}")
    many = privacy(capsys, f"{protocol} --at-eps 1 --digits {digits + 20}")
    assert Fraction(few["lower"]) <= Fraction(many["lower"]) <= Fraction(many["upper"]) <= Fraction(few["upper"])


def test_printed_bounds_beside_the_answer(capsys):
    answer = privacy(capsys, "pan-sum --lam 2000 --at-eps 1/2")
    with mpmath.workdps(40):
        c = (mpmath.exp(mpmath.mpf(1) / 2) + 1) / (mpmath.exp(mpmath.mpf(1) / 2) - 1)
        printed = 2 * mpmath.exp(-100 / c**2)
        assert 0 <= mpmath.mpf(answer["paper"]["value"]) - printed < printed / 10**5
    assert answer["paper"]["slug"] == "pan-sum"
    assert Fraction(answer["upper"]) < Fraction(answer["paper"]["value"])
    assert privacy(capsys, "pan-sum --lam 20 --at-eps 1/2")["paper"] is None


def test_upper_bounds_say_so(capsys):
    """Of a bound nothing is known from below."""
    for protocol in PROTOCOLS:
        answer = privacy(capsys, f"{protocol} {SMALL[protocol]} --at-exp-eps 2")
        bounded = protocol == "pan-uniformity"
        assert answer["kind"] == ("upper bound" if bounded else "exact")
        assert not bounded or answer["lower"] == "0"


def test_a_bound_that_is_infinite(capsys):
    answer = privacy(capsys, "pan-uniformity --n 9 --lam 20 --at-delta 1e-2")
    assert (answer["lower"], answer["upper"], answer["kind"]) == ("0", "inf", "upper bound")


@pytest.mark.parametrize("t", ["0", "1", "2"])
def test_times(capsys, t):
    for protocol in (
        "pan-sum --n 2 --lam 4",
        "pan-distinct-elements --n 6 --q 1/2 --m 2",
        "pan-uniformity --n 6 --lam 2",
    ):
        at, worst = (privacy(capsys, f"{protocol} --at-exp-eps 2 {end}") for end in (f"--t {t}", ""))
        assert Fraction(at["upper"]) <= Fraction(worst["upper"])


def test_the_answer_for_a_person(capsys):
    out = run(capsys, "privacy binomial --l 20 --p 1/2 --at-exp-eps 2")
    assert out.startswith("delta at eps = log(2): 4265/262144 = [0.01626968383, 0.01626968384]\n")
    assert "covers all neighbours (exact)" in out
    assert "eps at delta = 0: inf" in run(capsys, "privacy modular-sum --n 3 --m 3 --at-delta 0")


LARGE = [
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 1",
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 3",
    "--n 1100 --k 2 --m 2 --eps 1 --at-eps 1",
    "--n 1100 --k 10 --m 2 --eps 1 --at-delta 1e-6",
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 0.9 --pool",
    "--n 1100 --k 10 --m 2 --eps 1 --at-eps 0.4 --pool --direction lose",
]


@pytest.mark.parametrize("arguments", LARGE)
def test_large_pools_are_known_from_both_sides(capsys, arguments):
    """Never exact; not below what no other holder gives, which is computed by whole laws."""
    answer = json.loads(outcome(capsys, f"privacy distinct-elements {arguments} --json")[1])
    assert answer["kind"] == "two-sided"
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    assert 0 <= lower <= upper < 1 + (answer["quantity"] == "eps")
    holders = "0" if "--pool" in arguments else "0,1099" if "--k 2" in arguments else "0,0"
    alone = privacy(capsys, f"distinct-elements {arguments} --holders {holders}")
    assert upper >= Fraction(alone["lower"])
    assert upper <= max(Fraction(alone["upper"]) * (1 + Fraction(1, 10**8)), Fraction(1, 10**50))


def test_large_pools_beyond_one_user(capsys):
    """delta is 0 from (1+q)/(1-q) on, whatever m is: one user's messages say no more."""
    for m in (6, 7):
        line = f"distinct-elements --n 50000 --k 1000 --eps 0.551878 --m {m} --gamma 9/10 --at-eps 20"
        assert privacy(capsys, line)["upper"] == "0"
