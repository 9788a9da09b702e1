"""The law of the tester's statistic against sums by mpmath, and what follows: thresholds, sample sizes, moments."""

from collections import Counter
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from panshuffle.exact.accuracy.tester import (
    Statistic,
    TwoKinds,
    best_threshold,
    candidates,
    chance_bounds,
    cheapest,
    compressed_chance,
    exact_tail,
    fixed_chance,
    grouped,
    is_at_most,
    least_samples,
    mixture,
    moments,
    optimal,
    paired_law,
    partitions,
    printed,
    proof_conditions,
    repaired,
    repeated_chance,
    statistic,
    sufficient_samples,
    tail_float,
    uniform_law,
)
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import lam_uniformity, threshold, threshold_as_printed
from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.uniformity import NOT_UNIFORM, Uniformity

from tests.brute_force.counts import check_counts
from tests.conftest import FULL

MOST = 26


def uniform(k):
    return [Fraction(1, k)] * k


def paired(k, alpha):
    return [(1 + 2 * alpha) / k, (1 - 2 * alpha) / k] * (k // 2)


def count_law(nu, lam):
    """W = 2c + P - Q by a threefold sum of Poisson masses, cut off where they are far below 1e-20."""
    law = Counter()
    masses = [
        [mpmath.exp(-mu) * mpmath.mpf(mu) ** x / mpmath.factorial(x) for x in range(MOST)] for mu in (nu, lam / 2)
    ]
    for c, p, q in product(range(MOST), repeat=3):
        law[2 * c + p - q] += masses[0][c] * masses[1][p] * masses[1][q]
    return law


def as_mpf(value):
    value = Fraction(value)
    return mpmath.mpf(value.numerator) / value.denominator


def statistic_law(m, lam, probabilities):
    """Z' itself, by its definition, for two elements."""
    mpmath.mp.dps = 40
    k = len(probabilities)
    laws = [count_law(as_mpf(m * p), as_mpf(lam)) for p in probabilities]
    law = Counter()
    for combination in product(*(law.items() for law in laws)):
        z, mass = Fraction(0), mpmath.mpf(1)
        for w, chance in combination:
            c = Fraction(w, 2)
            z += Fraction(k, m) * ((c - Fraction(m, k)) ** 2 - c)
            mass *= chance
        law[z] += mass
    return law


CASES = [(1, Fraction(1, 2), [Fraction(1, 2)] * 2), (2, Fraction(1), [Fraction(3, 4), Fraction(1, 4)])]


@pytest.mark.parametrize(("m", "lam", "probabilities"), CASES)
@pytest.mark.parametrize("tau", ["-1/2", "1", "5/2", "7"])
def test_the_law_by_direct_sums(m, lam, probabilities, tau):
    law = statistic_law(m, lam, probabilities)
    expected = sum(mass for z, mass in law.items() if z > Fraction(tau))
    ball = statistic(real(m), real(lam), probabilities).chance_above(real(tau)).ball(80)
    assert abs(mpmath.mpf(str(ball.mid().str(30, radius=False))) - expected) < mpmath.mpf("1e-14")
    assert ball.rad() < 1e-14


@pytest.mark.parametrize(("m", "lam", "probabilities"), CASES)
def test_the_moments_by_direct_sums(m, lam, probabilities):
    law = statistic_law(m, lam, probabilities)
    mean = sum(mass * mpmath.mpf(z.numerator) / z.denominator for z, mass in law.items())
    square = sum(mass * (mpmath.mpf(z.numerator) / z.denominator) ** 2 for z, mass in law.items())
    found = moments(statistic(real(m), real(lam), probabilities))
    assert abs(float(found[0]) - mean) < 1e-12
    assert abs(float(found[1]) - (square - mean**2)) < 1e-11


def test_a_fixed_number_of_samples_by_enumeration():
    """Every sequence of three samples; given the counts, the noise P - Q of each pool by a twofold sum."""
    mpmath.mp.dps = 40
    m, lam, chances, tau, n = 3, Fraction(1), [Fraction(3, 4), Fraction(1, 4)], Fraction(1), 3
    spread = Counter()
    for p, q in product(range(MOST), repeat=2):
        spread[p - q] += mpmath.exp(-1) / mpmath.mpf(2) ** (p + q) / mpmath.factorial(p) / mpmath.factorial(q)
    expected = mpmath.mpf(0)
    for data in product((0, 1), repeat=n):
        weight = as_mpf(chances[0] ** data.count(0) * chances[1] ** data.count(1))
        for (s, one), (t, two) in product(spread.items(), repeat=2):
            counts = (data.count(0) + Fraction(s, 2), data.count(1) + Fraction(t, 2))
            if sum(Fraction(2, m) * ((c - Fraction(m, 2)) ** 2 - c) for c in counts) > tau:
                expected += weight * one * two
    of = statistic(real(m), real(lam), chances)
    ball = fixed_chance(of, n, of.least_rejected(real(tau))).ball(80)
    assert abs(mpmath.mpf(str(ball.mid().str(30, radius=False))) - expected) < mpmath.mpf("1e-14")
    assert ball.rad() < 1e-14


@pytest.mark.long
def test_poissonization_is_a_mixture_of_fixed_sizes():
    of, tau = statistic(real(3), real(2), [Fraction(3, 4), Fraction(1, 4)]), real(1)
    least = of.least_rejected(tau)
    total = sum(
        mpmath.exp(-3) * mpmath.mpf(3) ** n / mpmath.factorial(n) * float(fixed_chance(of, n, least).ball(64).mid())
        for n in range(25 if FULL else 20)
    )
    beyond = 1e-12 if FULL else 1e-9  # above the mass of the sizes that are left out
    assert abs(float(of.chance_above(tau).ball(64).mid()) - total) < beyond


def test_a_value_of_two_elements():
    of = statistic(real(16), real(10), uniform(2))
    digits = "0.1672153722759993324654261783477"
    assert of.chance_above(real("21/8")).enclosure(31)[0] == digits
    assert Statistic(real(16), real(10), uniform_law(2)) == of
    assert statistic(real(3), real(1), paired(4, Fraction(1, 4))).law == paired_law(4, Fraction(1, 4))


def test_runs_of_the_tester_agree_with_the_law():
    """n ~ Pois(m) users each time; a false alarm has probability 1e-9 at most."""
    coins, lam, m = Coins(), real(3), real(6)
    tau, chances = threshold(2, lam, m), [Fraction(3, 4), Fraction(1, 4)]
    outcomes = Counter()
    for _ in range(1500):
        n = coins.poisson(m)
        data = [1 if coins.bernoulli(real(chances[0])) else 2 for _ in range(n)]
        pools = [[sum(x != j for x in data), sum(x == j for x in data)] for j in (1, 2)]
        for pool in pools:
            for bit in coins.bit_list(coins.poisson(lam)):
                pool[bit] += 1
        outcomes[Uniformity(max(n, 1), 2, lam, m, tau).analyze_pools([[z + (n == 0), o] for z, o in pools])] += 1
    chance = Fraction(statistic(m, lam, chances).chance_above(tau).enclosure(15)[0])
    assert check_counts({NOT_UNIFORM: chance, "uniform": 1 - chance}, outcomes).consistent


def test_the_whole_protocol_adds_the_noise_of_all_users():
    """For n users the noise of R_UT is Pois(lam) in each pool: the pools of one dataset against that law."""
    record, coins = Uniformity.repaired(3, 2, real(2), real(3)), Coins()
    sizes = Counter(len(execute(record, [1, 2, 1], coins).messages) - 6 for _ in range(1500))
    law = {x: Fraction(str(mpmath.exp(-4) * mpmath.mpf(4) ** x / mpmath.factorial(x))) for x in range(12)}
    assert check_counts(law, sizes).consistent


@pytest.mark.parametrize(("k", "m", "proof"), [(10**7, 350_000_000, False), (2 * 10**7, 800_000_000, True)])
def test_the_printed_tester_fails_and_the_repaired_one_does_not(k, m, proof):
    """At the second point every inequality that the paper's proof asks for holds; the first lacks the one of h_1."""
    m, alpha = real(m), real("1/4")
    lam = real(lam_uniformity(k, real(1), real("1e-6")))
    assert all(proof_conditions(k, lam, m, alpha, Fraction(26, 100)).values()) == proof
    far = Statistic(m, lam, paired_law(k, Fraction(26, 100)))
    assert chance_bounds(far, threshold_as_printed(k, lam, m, alpha))[1] < real("1e-6")
    assert chance_bounds(far, threshold(k, lam, m))[0] > real("0.99999")
    assert chance_bounds(Statistic(m, lam, uniform_law(k)), threshold(k, lam, m))[1] <= Fraction(1, 3)


def test_moment_bounds_contain_the_exact_law():
    for law in (uniform_law(4), paired_law(4, Fraction(1, 4))):
        of = Statistic(real(40), real(5), law)
        for tau in (-3, 0, 2, 10, 40):
            low, high = chance_bounds(of, real(tau))
            ball = of.chance_above(real(tau)).ball(64)
            assert not (ball < low.ball(64) or ball > high.ball(64))
            assert abs(of.spectrum().chance_above(tau + 1e-3) - float(ball.mid())) < 0.06


def test_the_best_threshold_is_the_best():
    k, lam, m = 4, real(5), real(12)
    tau, of = best_threshold(k, lam, m), Statistic(m, lam, uniform_law(k))
    index = of.least_rejected(tau) - 1
    assert of.threshold_at(index).fraction == tau.fraction
    assert of.chance_above(tau).decide(Fraction(1, 3)) <= 0
    assert of.chance_above(of.threshold_at(index - 1)).decide(Fraction(1, 3)) > 0


@pytest.mark.parametrize("make", [repaired, optimal, lambda k, lam: printed(k, lam, real("1/4"))])
def test_the_least_sample_size_by_trying_all(make):
    k, lam, far = 2, real(3), paired_law(2, Fraction(1, 4))
    tester = make(k, lam)

    def works(m):
        tau = tester.tau(real(m))
        first = Statistic(real(m), lam, uniform_law(k)).chance_above(tau).decide(Fraction(1, 3)) <= 0
        return first and Statistic(real(m), lam, far).chance_above(tau).decide(Fraction(2, 3)) >= 0

    found = least_samples(tester, far)
    assert found.m == next(m for m in range(1, 200) if works(m)) or not found.smaller_tried
    assert works(found.m)
    assert not works(found.m - 1)


def test_larger_sample_sizes_are_certified_on_both_sides():
    tester, far = repaired(10, real(10)), paired_law(10, Fraction(1, 5))
    found = least_samples(tester, far)
    assert found.m > 64
    assert tester.works(real(found.m), far)
    assert not tester.works(real(found.m - 1), far)
    assert found.m <= sufficient_samples(10, real(10), real("1/5"))


def test_decisions_by_moments_and_by_the_law_agree():
    of = Statistic(real(40), real(5), paired_law(4, Fraction(1, 4)))
    for tau in (-2, 1, 5, 9, 30):
        for above in (True, False):
            chance = of.chance_above(real(tau)).ball(64)
            value = chance if above else 1 - chance
            assert is_at_most(of, real(tau), Fraction(1, 3), above) == bool(value * 3 < 1)


def test_partitions_by_enumeration():
    """All ways to put six elements, three of each kind, into three ordered groups of two."""
    kinds, found = (0, 0, 0, 1, 1, 1), Counter()
    for groups in product(range(3), repeat=6):
        if all(groups.count(g) == 2 for g in range(3)):
            content = [[0, 0] for _ in range(3)]
            for kind, g in zip(kinds, groups, strict=True):
                content[g][kind] += 1
            found[tuple(sorted(map(tuple, content)))] += 1
    assert partitions((3, 3), 3, 2) == dict(found)


def test_the_compressed_tester_is_a_mixture():
    """k = 4 in two groups: together with probability 1/3 each pairing; groups of both signs look uniform."""
    m, lam, tau, alpha = real(20), real(4), real(3), Fraction(1, 4)
    value, ends = compressed_chance(m, lam, 2, paired_law(4, alpha), tau)
    apart = statistic(m, lam, [Fraction(3, 4), Fraction(1, 4)]).chance_above(tau).ball(80)
    even = statistic(m, lam, uniform(2)).chance_above(tau).ball(80)
    assert ends is None
    assert abs(float((value.ball(80) - (apart + 2 * even) / 3).mid())) < 1e-15
    assert compressed_chance(m, lam, 2, uniform_law(5), tau)[0].enclosure(9) == statistic(
        m, lam, uniform(2)
    ).chance_above(tau).enclosure(9)


KINDS = [
    (8, 2, paired_law(8, Fraction(1, 4))),
    (8, 4, ((Fraction(1, 16), 6), (Fraction(5, 16), 2))),
    (9, 3, ((Fraction(1, 18), 7), (Fraction(11, 36), 2))),
    (12, 6, paired_law(12, Fraction(1, 3))),
]


@pytest.mark.parametrize(("k", "h", "law"), KINDS)
def test_the_law_over_partitions_by_enumeration(k, h, law):
    """Every kind of partition with its weight, against the coefficient of a power."""
    m, lam = real(2 * h), real(4)
    tau = threshold(h, lam, m)
    parts = [(of.chance_above(tau), weight) for of, weight in grouped(m, lam, h, law)]
    assert len(parts) > 1
    kinds = TwoKinds(m, lam, h, law)
    assert kinds.k == k
    assert kinds.is_small()
    ball = kinds.chance_above(tau).ball(80)
    assert abs(float((mixture(parts).ball(80) - ball).mid())) < 1e-18
    assert ball.rad() < 1e-18
    assert abs(kinds.spectrum().chance_above(float(tau) + 1e-3) - float(ball.mid())) < 0.02


@pytest.mark.long
def test_the_cheapest_compressed_tester_is_certified():
    far, lam = paired_law(12, Fraction(1, 4)), real(20)
    tester, m = cheapest(12, lam, 100, far)
    one = real(m) / tester.copies
    tau = threshold(tester.k_hat, lam, one)
    chances = [
        repeated_chance([(chance, tester.copies)], tester.votes)
        for chance in (
            Statistic(one, lam, uniform_law(tester.k_hat)).chance_above(tau),
            mixture([(of.chance_above(tau), w) for of, w in grouped(one, lam, tester.k_hat, far)]),
        )
    ]
    assert chances[0].decide(Fraction(1, 3)) <= 0
    assert chances[1].decide(Fraction(2, 3)) >= 0
    assert m % (tester.copies * tester.k_hat) == 0
    assert not tester.works(real(tester.copies * tester.k_hat), far)
    assert candidates(7, lam, 100) == []
    assert tail_float(5, 0.25, 2) == pytest.approx(float(exact_tail([(Fraction(1, 4), 5)], 2)))


@pytest.mark.parametrize(
    "bad",
    [
        lambda: TwoKinds(real(8), real(1), 3, paired_law(8, Fraction(1, 4))),
        lambda: TwoKinds(real(8), real(1), 4, uniform_law(8)),
        lambda: TwoKinds(real(8), real(1), 2, paired_law(400, Fraction(1, 4))),
    ],
)
def test_kinds_that_are_refused(bad):
    with pytest.raises(ParameterError):
        bad()


@pytest.mark.parametrize(
    "bad",
    [
        lambda: paired_law(3, Fraction(1, 4)),
        lambda: paired_law(4, Fraction(3, 4)),
        lambda: statistic(real(1), real(1), [Fraction(1, 2)]),
        lambda: sufficient_samples(4, real("1/2"), real("1/4")),
    ],
)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(ParameterError):
        bad()
