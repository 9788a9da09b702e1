"""Protocols run end to end, from data to decision, against the exact probability of an error.

Each comparison raises a false alarm with probability 1e-9 at most, whatever the number of runs.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from panshuffle.exact.accuracy.estimates import estimate_error, hashed_error, largest_error, noise_error
from panshuffle.exact.accuracy.tester import (
    Statistic,
    compressed_chance,
    compressed_fixed,
    fixed_chance,
    paired_law,
    statistic,
    transformed_chance,
    uniform_law,
    used_law,
)
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import threshold
from panshuffle.exact.real import HALF, log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements, least_prime
from panshuffle.protocols.model.online import run
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.uniformity import NOT_UNIFORM, Uniformity

from tests.brute_force.counts import check_counts

RUNS = 2000
EPS = log(real(2))
FAR = [Fraction(5, 8), Fraction(1, 8), Fraction(1, 8), Fraction(1, 8)]
CERTAIN = [Fraction(1), Fraction(0)]


def mass_of(chance):
    return chance.exact if chance.exact is not None else Fraction(chance.enclosure(15)[0])


def agrees(mass, outcomes):
    return check_counts({True: mass, False: 1 - mass}, Counter(outcomes)).consistent


def drawn(law, count, coins):
    """Samples of a law with rational masses."""
    bottom = max(p.denominator for p in law)
    urn = [j for j, p in enumerate(law, start=1) for _ in range(int(p * bottom))]
    assert len(urn) == bottom
    return [urn[coins.below(bottom)] for _ in range(count)]


def binomial_mechanism(coins):
    record = Binomial(3, 6, real("1/3"))
    return noise_error(6, real("1/3"), True).chance(real(1)), lambda: abs(record.release([1, 0, 1], coins) - 2 - 2) > 1


def binary_sum(coins):
    """Three of four users: the messages show N = 3, and ones less N p is the estimate."""
    record, p = BinarySum(4, real("2/3")), Fraction(2, 3)

    def fails():
        messages = execute(record, [1, 0, 1], coins).messages
        return abs(sum(messages) - len(messages) // 2 * p - 2) > 1

    return noise_error(3, real(p), True).chance(real(1)), fails


def shuffle_histogram(coins):
    record, p = ShuffleHistogram(4, 3, real("2/3")), Fraction(2, 3)

    def fails():
        messages = execute(record, [1, 3, 1, 1], coins).messages
        ones = [sum(bit for label, bit in messages if label == j) for j in (1, 2, 3)]
        return max(abs(x - 4 * p - t) for x, t in zip(ones, (3, 0, 1), strict=True)) > 1

    return largest_error(noise_error(4, real(p), True), 3, real(1)), fails


def distinct_corrected(coins):
    """e^eps = 4/3, two of four users: Q = (1/4)^(1/2) = 1/2, and (2C - k/2)/(1/2) is unbiased."""
    record = DistinctElements(4, 6, log(real("4/3")), 4)

    def fails():
        messages = execute(record, [1, 5], coins).messages
        ones = sum(sum(bit for label, bit in messages if label == j) % 2 for j in range(1, 7))
        return abs((2 * ones - 3) * 2 - 2) > 4

    return estimate_error(6, 2, log(real("4/3")), HALF, corrected=True).chance(real(4)), fails


@pytest.mark.parametrize("make", [binomial_mechanism, binary_sum, shuffle_histogram, distinct_corrected])
def test_estimates(make, sweep_factor):
    chance, fails = make(Coins())
    mass = mass_of(chance)
    assert Fraction(1, 50) < mass < Fraction(49, 50)
    assert agrees(mass, (fails() for _ in range(RUNS * sweep_factor)))


@pytest.mark.long
def test_hashed_elements_with_the_protocol_s_own_hash_functions(sweep_factor):
    """All (a, b) of the family, each with the law of P_DE for the values hit; the random function's law is another."""
    n, k, data, alpha, coins = 3, 7, [1, 4, 7], 5, Coins()
    record = HashedDistinctElements(n, k, EPS, 4, real(1))
    pools, q = record.protocol.k, least_prime(k)
    hits = Counter(len({(a * (x - 1) + b) % q % pools for x in data}) for a, b in product(range(1, q), range(q)))
    mass = sum(
        Fraction(count, q * (q - 1)) * estimate_error(pools, 3, EPS, held=held).chance(real(alpha)).exact
        for held, count in hits.items()
    )
    runs = RUNS * sweep_factor
    outcomes = [abs(float(execute(record.publish(coins), data, coins).output) - 3) > alpha for _ in range(runs)]
    assert agrees(mass, outcomes)
    functions = mass_of(hashed_error(n, pools, 3, EPS).chance(real(alpha)))
    values = ([1 + coins.below(pools) for _ in data] for _ in range(runs))
    assert agrees(functions, (abs(float(execute(record.protocol, row, coins).output) - 3) > alpha for row in values))


def poissonized(record_for, law, m, coins):
    """One run with Pois(m) users; for none the analyzer adds the noise itself (no-samples)."""
    n = coins.poisson(m)
    if n:
        return execute(record_for(n), drawn(law, n, coins), coins).output == NOT_UNIFORM
    return noise_alone(record_for(1), coins)


def noise_alone(record, coins):
    """The decision on the noise of a protocol for one user, whose data bits are all 0."""
    pools = [Counter(coins.bit_list(coins.poisson(record.lam))) for _ in range(record.k)]
    return record.analyze_pools([[pool[0] + 1, pool[1]] for pool in pools]) == NOT_UNIFORM


@pytest.mark.parametrize("law", [[Fraction(1, 4)] * 4, FAR])
def test_the_tester_with_a_poisson_number_of_users(law, sweep_factor):
    coins, lam, m = Coins(), real(2), real(8)
    tau = real("3/2")
    mass = mass_of(statistic(m, lam, law).chance_above(tau))
    assert Fraction(1, 50) < mass < Fraction(49, 50)
    runs = RUNS // 2 * sweep_factor
    assert agrees(mass, (poissonized(lambda n: Uniformity(n, 4, lam, m, tau), law, m, coins) for _ in range(runs)))


@pytest.mark.parametrize("law", [[Fraction(1, 4)] * 4, FAR])
def test_the_tester_with_a_fixed_number_of_users(law, sweep_factor):
    coins, record = Coins(), Uniformity(8, 4, real(2), real(8), real("3/2"))
    of = statistic(real(8), real(2), law)
    mass = mass_of(fixed_chance(of, 8, of.least_rejected(record.tau)))
    runs = RUNS // 2 * sweep_factor
    outcomes = (execute(record, drawn(law, 8, coins), coins).output == NOT_UNIFORM for _ in range(runs))
    assert agrees(mass, outcomes)


@pytest.mark.parametrize("k", [4, 3])
def test_the_compressed_tester(k, sweep_factor):
    """Two groups of [4], and of [3] padded to four, with a new partition in each run."""
    law = [Fraction(3, 4), Fraction(1, 8), Fraction(1, 8), Fraction(0)][:k]
    counts = tuple(sorted(Counter(law).items()))
    coins, lam, m, tau = Coins(), real(1), real(8), real("1/2")
    record = CompressedUniformity(8, k, 2, lam, m, tau)
    runs = RUNS // 2 * sweep_factor
    outcomes = (execute(record.publish(coins), drawn(law, 8, coins), coins).output == NOT_UNIFORM for _ in range(runs))
    assert agrees(mass_of(compressed_fixed(m, lam, 2, counts, tau, 8)), outcomes)

    def decision():
        n = coins.poisson(m)
        if not n:
            return noise_alone(Uniformity(1, 2, lam, m, tau), coins)
        protocol = CompressedUniformity(n, k, 2, lam, m, tau).publish(coins)
        return execute(protocol, drawn(law, n, coins), coins).output == NOT_UNIFORM

    value, ends = compressed_chance(m, lam, 2, counts, tau)
    assert ends is None
    assert agrees(mass_of(value), (decision() for _ in range(runs)))


@pytest.mark.parametrize("law", [CERTAIN, [Fraction(1, 2)] * 2])
def test_the_transformed_tester(law, sweep_factor):
    """Nine executions, a stream of three: dummies, n' and the cut at three included."""
    coins, record = Coins(), Uniformity(9, 2, real(1), real(9), real("1/4"))
    of = statistic(real(9), real(1), law)
    mass = mass_of(transformed_chance(of, 9, of.least_rejected(record.tau)))
    assert Fraction(1, 50) < mass < Fraction(49, 50)
    online, runs = PanUniformity(record), RUNS * sweep_factor
    outcomes = (run(online, drawn(law, online.length, coins), coins).output == NOT_UNIFORM for _ in range(runs))
    assert agrees(mass, outcomes)


@pytest.mark.long
def test_the_transformed_law_by_enumeration():
    """n = 3 and k = 2: n' is 0 or 1, every sequence of three elements, the noise P - Q by a twofold sum."""
    mpmath.mp.dps = 40
    lam, m, tau, law = 1, 3, Fraction(1), [Fraction(3, 4), Fraction(1, 4)]
    spread = Counter()
    for p, q in product(range(26), repeat=2):
        spread[p - q] += mpmath.exp(-lam) * mpmath.mpf(lam) ** (p + q) / 2 ** (p + q) / mpmath.fac(p) / mpmath.fac(q)
    expected = mpmath.mpf(0)
    chances = [Fraction(7, 9) ** 3, 1 - Fraction(7, 9) ** 3]
    assert used_law(3) == tuple(chances)
    for used, data in product((0, 1), product((0, 1), repeat=3)):
        weight = chances[used] * Fraction(1, 2) ** (3 - used) * (law[data[0]] if used else 1)
        for (s, one), (t, two) in product(spread.items(), repeat=2):
            counts = (data.count(0) + Fraction(s, 2), data.count(1) + Fraction(t, 2))
            if sum(Fraction(2, m) * ((c - Fraction(m, 2)) ** 2 - c) for c in counts) > tau:
                expected += mpmath.mpf(weight.numerator) / weight.denominator * one * two
    of = statistic(real(m), real(lam), law)
    ball = transformed_chance(of, 3, of.least_rejected(real(tau))).ball(80)
    assert abs(mpmath.mpf(ball.mid().str(30, radius=False)) - expected) < mpmath.mpf("1e-14")
    assert ball.rad() < 1e-14


def test_a_uniform_stream_gives_uniform_samples():
    """Two kinds of elements with one probability each: the general recursion against the multinomial one."""
    from panshuffle.exact.accuracy.tester import samples_law
    from panshuffle.exact.real import dyadic

    flat = Statistic(real(6), real(2), uniform_law(4))
    tau = threshold(4, real(2), real(6))
    least = flat.least_rejected(tau)
    split = Statistic(real(6), real(2), ((Fraction(1, 4), 2), (Fraction(1, 4), 2)))
    ball = samples_law(split, 6, 90, used_law(6)).chance(least)
    low, high = dyadic(ball.lower()), dyadic(ball.upper())
    assert low <= mass_of(fixed_chance(flat, 6, least)) + Fraction(1, 10**14)
    assert high >= mass_of(fixed_chance(flat, 6, least))
    assert high - low < Fraction(1, 10**14)


def test_a_wrong_law_is_noticed():
    """Without the dummies the three samples of the stream would all be 1."""
    coins, record = Coins(), Uniformity(9, 2, real(1), real(9), real("1/4"))
    of = statistic(real(9), real(1), CERTAIN)
    wrong = mass_of(fixed_chance(of, 9, of.least_rejected(record.tau)))
    outcomes = (run(PanUniformity(record), [1, 1, 1], coins).output == NOT_UNIFORM for _ in range(RUNS))
    assert not agrees(wrong, outcomes)


@pytest.mark.parametrize("n", [2, 400])
def test_sizes_that_are_refused(n):
    of = Statistic(real(3), real(1), paired_law(2, Fraction(1, 4)))
    with pytest.raises(ParameterError):
        transformed_chance(of, n, 0)
