"""Exact error laws against second derivations: enumeration with fractions, mpmath sums, closed forms, simulation."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import pytest
from panshuffle.exact.accuracy.estimates import (
    Case,
    Cases,
    ClippedSum,
    CountLaw,
    HashedCount,
    collision_law,
    distinct_cases,
    estimate_error,
    geometric_alpha,
    geometric_chance,
    hashed_error,
    largest_error,
    least_alpha_of,
    noise_error,
    outside,
    pan_sum_error,
    paper_alpha,
    transformed_cases,
    worst_alpha,
    worst_chance,
)
from panshuffle.exact.accuracy.figure1 import FIGURE_1
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.integer_law import binomial_window, outside_bounds
from panshuffle.exact.real import HALF, first_true, log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.model.online import run
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from tests.brute_force.counts import check_counts
from tests.every import every

EXP_EPS = Fraction(2)
EPS = log(real(2))


def estimates(k, held, exp_eps=EXP_EPS, share=None):
    """The law of A_DE's estimate by enumeration: {z: mass}."""
    p = (1 - (share if share is not None else 1 - 1 / exp_eps)) / 2
    law = Counter()
    for a, b in product(range(held + 1), range(k - held + 1)):
        mass = Fraction(comb(held, a), 2**held) * comb(k - held, b) * p**b * (1 - p) ** (k - held - b)
        law[(2 * (a + b) * exp_eps - k) / (exp_eps - 1)] += mass
    return law


def failure(law, truth, alpha):
    return sum(mass for z, mass in law.items() if abs(z - truth) > alpha)


def least(law, truth, beta):
    return min(alpha for alpha in {0, *(abs(z - truth) for z in law)} if failure(law, truth, alpha) <= beta)


@every(("k", "d"), [(1, 0), (1, 1), (4, 2), (7, 0), (7, 7), (16, 10), (16, 16)])
def test_distinct_elements_by_enumeration(k, d):
    law, error = estimates(k, d), estimate_error(k, d, EPS)
    for alpha in (Fraction(0), Fraction(1, 2), Fraction(2), Fraction(15, 2), Fraction(14), Fraction(100)):
        assert error.chance(real(alpha)).exact == failure(law, d, alpha)
    for beta in (Fraction(0), Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        assert error.least_alpha(real(beta)).fraction == least(law, d, beta)
    assert error.mean().fraction == 0
    assert error.variance().fraction == sum(mass * (z - d) ** 2 for z, mass in law.items())


def test_values_that_the_issue_names():
    alpha = paper_alpha(16, EPS, real("1/10"))
    assert estimate_error(16, 16, EPS).chance(alpha).exact == Fraction(697, 32768)
    assert estimate_error(16, 10, EPS).least_alpha(real("1/10")).fraction == 14


def test_dropouts_bias_the_printed_estimate_and_not_the_corrected_one():
    """e^eps = 4/3 and gamma = 1/2: Q = 1/4 for all users, 1/2 for half of them."""
    eps, k, d = log(real("4/3")), 5, 3
    law = estimates(k, d, Fraction(4, 3), Fraction(1, 2))
    printed = estimate_error(k, d, eps, HALF)
    assert printed.mean().fraction == sum(mass * (z - d) for z, mass in law.items()) != 0
    assert printed.chance(real(4)).exact == failure(law, d, 4)
    corrected = estimate_error(k, d, eps, HALF, corrected=True)
    assert corrected.mean().fraction == 0
    counts = Counter()
    for z, mass in law.items():
        ones = (z * Fraction(1, 3) + k) / 2 / Fraction(4, 3)
        counts[(2 * ones - k * HALF.constant) / HALF.constant] += mass
    assert corrected.chance(real(3)).exact == failure(counts, d, 3)


@pytest.mark.parametrize("alpha", [3, 5, 9])
def test_the_worst_number_of_distinct_elements(alpha):
    chances = {d: failure(estimates(9, d), d, alpha) for d in range(1, 10)}
    value, case = worst_chance(distinct_cases(9, range(1, 10), EPS), real(alpha))
    assert value.exact == max(chances.values()) == chances[case.distinct]


@pytest.mark.parametrize("beta", ["1/3", "1/10", "1/1000"])
def test_the_worst_alpha(beta):
    alphas = {d: least(estimates(9, d), d, Fraction(beta)) for d in range(1, 10)}
    value, case = worst_alpha(distinct_cases(9, range(1, 10), EPS), real(beta))
    assert value.fraction == max(alphas.values()) == alphas[case.distinct]


def test_dummies_of_the_transformation_hold_the_element_one():
    chances = [failure(estimates(5, held), 3, 4) for held in (3, 4)]
    value, _ = worst_chance(transformed_cases(5, [3], EPS), real(4))
    assert value.exact == max(chances)
    assert transformed_cases(5, [5], EPS).size == 1


def test_irrational_parameters_against_mpmath():
    mpmath.mp.dps = 40
    p = mpmath.exp(-1) / 2
    k, d, alpha = 40, 13, 9
    total = mpmath.mpf(0)
    for a, b in product(range(d + 1), range(k - d + 1)):
        z = (2 * (a + b) * mpmath.e - k) / (mpmath.e - 1)
        if abs(z - d) > alpha:
            total += mpmath.binomial(d, a) / 2**d * mpmath.binomial(k - d, b) * p**b * (1 - p) ** (k - d - b)
    low, high = estimate_error(k, d, real(1)).chance(real(alpha)).enclosure(25)
    assert mpmath.mpf(low) <= total <= mpmath.mpf(high)


@pytest.mark.parametrize(
    ("n", "k", "most", "least_above"), [(3, 5, 1, 5), (50, 60, 30, 45), (0, 7, 2, 6), (400, 100, 0, 260)]
)
def test_doubles_enclose_the_exact_tail(n, k, most, least_above):
    p = Fraction(1, 5)
    exact = outside(CountLaw(((n, HALF), (k, real(p)))), most, least_above).exact
    low, high = outside_bounds(binomial_window(n, HALF), binomial_window(k, real(p)), most, least_above)
    assert Fraction(low) <= exact <= Fraction(high)
    assert high - low <= 1e-11 * high + 3e-100


@pytest.mark.parametrize(("d", "pools"), [(1, 1), (3, 2), (4, 5), (5, 3)])
def test_collisions_by_enumeration(d, pools):
    counted = Counter(d - len(set(values)) for values in product(range(pools), repeat=d))
    assert collision_law(d, pools) == [counted[c] for c in range(d)]
    masses, error = HashedCount(pools, d, HALF).collision_window
    assert all(abs(mass - counted[c] / pools**d) <= 2 * error + 1e-15 for c, mass in enumerate(masses))


def test_hashed_elements_by_enumeration():
    n, pools, d, alpha = 3, 5, 3, 6
    total = Fraction(0)
    for values in product(range(pools), repeat=d):
        total += failure(estimates(pools, len(set(values))), d, alpha)
    error = hashed_error(n, pools, d, EPS)
    low, high = error.chance(real(alpha)).enclosure(20)
    assert Fraction(low) <= total / pools**d <= Fraction(high)
    bounds = error.law.outside_doubles(*error.limits(error.reach_of(real(alpha))))
    assert bounds[0] <= total / pools**d <= bounds[1]
    assert bounds[1] - bounds[0] < 1e-12
    hits = [len(set(values)) for values in product(range(pools), repeat=d)]
    assert abs(float(error.mean()) - (sum(hits) / len(hits) - d)) < 1e-12


@pytest.mark.parametrize("debiased", [True, False])
def test_noise_by_enumeration(debiased):
    coins, p, bins = 6, Fraction(1, 3), 3
    law = {x: comb(coins, x) * p**x * (1 - p) ** (coins - x) for x in range(coins + 1)}
    centre = coins * p if debiased else 0
    for alpha in (Fraction(0), Fraction(1), Fraction(2), Fraction(4), Fraction(6)):
        one = sum(mass for x, mass in law.items() if abs(x - centre) > alpha)
        error = noise_error(coins, real(p), debiased)
        assert error.chance(real(alpha)).exact == one
        assert largest_error(error, bins, real(alpha)).exact == 1 - (1 - one) ** bins
    sizes = sorted({abs(x - centre) for x in law})
    wanted = next(
        a for a in sizes if 1 - (1 - sum(m for x, m in law.items() if abs(x - centre) > a)) ** bins <= Fraction(1, 4)
    )
    assert least_alpha_of(noise_error(coins, real(p), debiased), bins, real("1/4")).fraction == wanted


def test_the_raw_error_of_the_pan_private_sum_is_at_most_two_lambda():
    assert pan_sum_error(5, False).chance(real(10)).exact == 0
    assert pan_sum_error(5, False).chance(real(9)).exact == Fraction(1, 2**10)
    assert pan_sum_error(5, True).mean().fraction == 0


@pytest.mark.parametrize(("n", "users", "k"), [(3, 3, 1), (3, 2, 2), (4, 4, 3)])
def test_the_clipped_histogram_over_all_data(n, users, k):
    """Every dataset of `users` elements of [k], every noise: the largest failure probability."""
    p = Fraction(2, 3)
    noise = {b: comb(users, b) * p**b * (1 - p) ** (users - b) for b in range(users + 1)}
    for alpha in range(users + 1):
        worst = Fraction(0)
        for data in product(range(k), repeat=users):
            counts = [data.count(j) for j in range(k)] if k > 1 else [sum(data) + s for s in range(users + 1)][-1:]
            inside = Fraction(1)
            for s in counts:
                inside *= sum(mass for b, mass in noise.items() if abs(max(0, s + b - n) - s) <= alpha)
            worst = max(worst, 1 - inside)
        assert ClippedSum(n, users, real(p), k).chance(real(alpha)).exact == worst


def test_the_central_baseline():
    """e^eps = 2: mass (1/3) 2^-|v|, so P[|V| > a] = (2/3) 2^-a."""
    assert [geometric_chance(EPS, real(a)).exact for a in (0, 1, 3)] == [
        Fraction(2, 3),
        Fraction(1, 3),
        Fraction(1, 12),
    ]
    assert geometric_alpha(EPS, real("1/12")) == 3
    assert geometric_alpha(EPS, real("1/13")) == 4


def agrees(chance, outcomes):
    """Counts of failures against their exact probability; a false alarm has probability 1e-9 at most."""
    mass = chance.exact if chance.exact is not None else Fraction(chance.enclosure(15)[0])
    law = {True: mass, False: 1 - mass}
    return check_counts(law, Counter(outcomes)).consistent


RUNS = 1500


def simulated(name, coins):
    """(exact probability of failure, outcomes of runs of the protocol)."""
    if name == "distinct-elements":
        record, data = DistinctElements(4, 6, EPS, 4), [1, 5, 5, 2]
        return estimate_error(6, 3, EPS).chance(real(4)), (
            abs(float(execute(record, data, coins).output) - 3) > 4 for _ in range(RUNS)
        )
    if name == "dropouts":
        record, eps = DistinctElements(4, 6, log(real("4/3")), 4), log(real("4/3"))
        runs = (abs(float(execute(record, [1, 5], coins).output) - 2) > 8 for _ in range(RUNS))
        return estimate_error(6, 2, eps, HALF).chance(real(8)), runs
    if name == "pan-distinct-elements":
        record = PanDistinctElements(DistinctElements(6, 5, EPS, 4))
        runs = (abs(float(run(record, [3, 4], coins).output) - 2) > 4 for _ in range(RUNS))
        return estimate_error(5, 2, EPS, held=3).chance(real(4)), runs
    if name == "geometric":
        record = GeometricDistinctElements(3, 5, EPS)
        return geometric_chance(EPS, real(1)), (abs(record.release([1, 1, 4], coins) - 2) > 1 for _ in range(RUNS))
    if name == "pan-sum":
        record = PanSum(3, 4)
        return pan_sum_error(4, True).chance(real(1)), (
            abs(run(record, [1, 0, 1], coins).output - 4 - 2) > 1 for _ in range(RUNS)
        )
    if name == "pan-histogram":
        record = PanHistogram(2, 3, 2)
        truth = (1, 0, 1)
        runs = (
            max(abs(z - 2 - t) for z, t in zip(run(record, [1, 3], coins).output, truth, strict=True)) > 1
            for _ in range(RUNS)
        )
        return largest_error(pan_sum_error(2, True), 3, real(1)), runs
    if name == "binary-sum":
        record = BinarySum(4, real("3/4"))
        runs = (abs(execute(record, [1, 1, 1, 1], coins).output - 4) > 1 for _ in range(RUNS))
        return ClippedSum(4, 4, real("3/4")).chance(real(1)), runs
    record = ShuffleHistogram(4, 3, real("3/4"))
    runs = (
        max(abs(z - t) for z, t in zip(execute(record, [1, 1, 2, 2], coins).output, (2, 2, 0), strict=True)) > 1
        for _ in range(RUNS)
    )
    return ClippedSum(4, 4, real("3/4"), 3).chance(real(1)), runs


@pytest.mark.parametrize(
    "name",
    [
        "distinct-elements",
        "dropouts",
        "pan-distinct-elements",
        "geometric",
        "pan-sum",
        "pan-histogram",
        "binary-sum",
        "histogram",
    ],
)
def test_runs_agree_with_the_exact_law(name):
    chance, outcomes = simulated(name, Coins())
    assert 0.02 < float(chance.ball(64).mid()) < 0.98
    assert agrees(chance, outcomes)


def test_runs_of_the_hashed_protocol_agree():
    """One element never collides, whatever the hash function; with two, a random function is drawn here."""
    record, coins = HashedDistinctElements(2, 50, EPS, 4, real(1)), Coins()
    outcomes = (abs(float(execute(record.publish(coins), [7, 7], coins).output) - 1) > 1 for _ in range(RUNS))
    assert agrees(hashed_error(2, record.protocol.k, 1, EPS).chance(real(1)), outcomes)
    two = (
        abs(float(execute(record.protocol, [1 + coins.below(record.protocol.k) for _ in range(2)], coins).output) - 2)
        > 2
        for _ in range(RUNS)
    )
    assert agrees(hashed_error(2, record.protocol.k, 2, EPS).chance(real(2)), two)


def test_a_wrong_law_is_noticed():
    outcomes = (
        abs(float(execute(DistinctElements(4, 6, EPS, 4), [1, 5, 5, 2], Coins()).output) - 3) > 4 for _ in range(RUNS)
    )
    assert not agrees(estimate_error(6, 3, log(real(8))).chance(real(4)), outcomes)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: estimate_error(4, 5, EPS),
        lambda: estimate_error(4, 2, EPS).chance(real(-1)),
        lambda: estimate_error(4, 2, EPS).least_alpha(real(2)),
        lambda: hashed_error(4, 7, 0, EPS),
        lambda: ClippedSum(4, 4, HALF).chance(real(-1)),
    ],
)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(ParameterError):
        bad()


def test_a_search_from_any_guess_finds_the_boundary():
    for most, boundary, guess in product(range(12), range(12), range(-2, 15)):
        if boundary <= most:
            assert first_true(lambda i, least=boundary: i >= least, most, guess) == boundary


def test_one_case_is_its_own_worst():
    case = Case(3, estimate_error(6, 3, EPS))
    value, found = worst_chance(Cases(1, lambda place: case), real(4))
    assert (value.exact, found.distinct) == (failure(estimates(6, 3), 3, 4), 3)


def test_figure_1_orders_the_models():
    """Central is never worse than pan-private, and a lower bound never above the upper bound of its cell."""
    letters = {"k": 1000, "alpha": Fraction(1, 4), "eps": Fraction(1, 2), "delta": Fraction(1, 10**9)}
    for task in ("histogram", "uniformity", "distinct-elements"):
        cells = {(cell.model, cell.kind): float(cell.value(**letters)) for cell in FIGURE_1 if cell.task == task}
        assert cells["central", "both"] <= cells["pan", "upper"] <= 1.0001 * cells["robust shuffle", "upper"]
        for model in ("pan", "robust shuffle"):
            if (model, "lower") in cells:
                assert cells[model, "lower"] <= cells[model, "upper"]
    with pytest.raises(InputError):
        FIGURE_1[0].value(**(letters | {"k": 0}))


@pytest.mark.parametrize(("k", "gamma", "corrected"), [(120, None, False), (90, "1/2", False), (101, "1/3", True)])
def test_stretches_of_cases_hide_no_worse_one(k, gamma, corrected):
    """The worst case found by ruling stretches out is the worst of all, looked at one by one."""
    share = None if gamma is None else real(gamma)
    cases = distinct_cases(k, range(1, k + 1), EPS, share, corrected)
    both = (cases, replace(cases, rising=False))
    for beta in ("1/2", "1/10", "1/1000"):
        (alpha, _), (slow, _) = (worst_alpha(some, real(beta)) for some in both)
        assert float(alpha) == float(slow)
        (chance, where), (value, same) = (worst_chance(some, alpha * real("9/10")) for some in both)
        assert where.distinct == same.distinct
        assert chance.enclosure(8) == value.enclosure(8)
