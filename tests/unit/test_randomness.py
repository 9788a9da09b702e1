"""The samplers: their laws, at a false-alarm probability of 1e-9 each, and their exactness at the boundary."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb

import mpmath
import pytest
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.real import exp, log, real
from panshuffle.protocols.randomness.bernoulli import bernoulli_sampler
from panshuffle.protocols.randomness.binomial import log_mass_binomial, sample_by_digits
from panshuffle.protocols.randomness.bits import sample_below
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.randomness.poisson import cumulative_table, log_mass_poisson
from panshuffle.protocols.randomness.rejection import sample_log_concave

from tests.brute_force.counts import check_counts
from tests.conftest import FULL
from tests.unit.laws import binomial, poisson

RUNS = 40_000
P_PRIME = real("(1-(1-exp(-1))^(1/200))/2")


class Script:
    """A source that yields given words of 64 bits."""

    def __init__(self, words):
        self.words = list(words)

    def getrandbits(self, k):
        assert k == 64
        return self.words.pop(0)


def counts(draw, runs=RUNS):
    coins = Coins()
    return Counter(draw(coins) for _ in range(runs))


def digits(number: mpmath.mpf, words: int) -> list[int]:
    """The first words of the binary expansion of a number in (0, 1), by mpmath."""
    whole = int(mpmath.floor(number * mpmath.mpf(2) ** (64 * words)))
    return [whole >> 64 * (words - 1 - i) & (1 << 64) - 1 for i in range(words)]


ONE_THIRD, EXP_MINUS_ONE = real("1/3"), real("exp(-1)")
LAWS = {
    "below 3": (lambda c: c.below(3), {i: Fraction(1, 3) for i in range(3)}),
    "permutation of 3": (
        lambda c: tuple(c.shuffled("abc")),
        {p: Fraction(1, 6) for p in permutations("abc")},
    ),
    "Ber(1/3)": (lambda c: c.bernoulli(ONE_THIRD), binomial(1, Fraction(1, 3))),
    "Ber(exp(-1))": (lambda c: c.bernoulli(EXP_MINUS_ONE), {0: 1 - EXP_MINUS_ONE, 1: EXP_MINUS_ONE}),
    "Bin(6, 2/7)": (lambda c: c.binomial(6, real("2/7")), binomial(6, Fraction(2, 7))),
    "Bin(3, exp(-1))": (
        lambda c: c.binomial(3, EXP_MINUS_ONE),
        {i: comb(3, i) * exp(-i) * (1 - exp(-1)) ** (3 - i) for i in range(4)},
    ),
    "Bin(8, 1/3) by rejection": (
        lambda c: sample_log_concave(3, 0, 8, log_mass_binomial(8, real("1/3")), c.source),
        binomial(8, Fraction(1, 3)),
    ),
    "Bin(9, 1/10) by rejection": (
        lambda c: sample_log_concave(1, 0, 9, log_mass_binomial(9, real("1/10")), c.source),
        binomial(9, Fraction(1, 10)),
    ),
    "Pois(3/2)": (lambda c: min(c.poisson(real("3/2")), 9), poisson(Fraction(3, 2), 9)),
    "Pois(1/100)": (lambda c: min(c.poisson(real("1/100")), 3), poisson(Fraction(1, 100), 3)),
    "Pois(5/2) by rejection": (
        lambda c: min(sample_log_concave(2, 0, None, log_mass_poisson(real("5/2")), c.source), 9),
        poisson(Fraction(5, 2), 9),
    ),
    "geometric, eps = log 2": (
        lambda c: min(c.geometric(log(real(2))), 12),
        {**{i: Fraction(1, 2 ** (i + 1)) for i in range(12)}, 12: Fraction(1, 2**12)},
    ),
    "geometric, eps = 1/5": (
        lambda c: min(c.geometric(real("1/5")) // 3, 9),
        {**{i: exp(-real(3 * i) / 5) - exp(-real(3 * i + 3) / 5) for i in range(9)}, 9: exp(-real(27) / 5)},
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_law(name, sweep_factor):
    draw, law = LAWS[name]
    answer = check_counts(law, counts(draw, RUNS * sweep_factor // (1 if FULL else 20)))
    assert answer.consistent, answer


def test_a_wrong_law_is_found_out():
    assert not check_counts(binomial(6, Fraction(2, 7)), counts(lambda c: c.binomial(6, real("3/10")))).consistent


@pytest.mark.parametrize("words", [1, 2, 5])
def test_bernoulli_at_the_boundary_follows_the_expansion_of_p(words):
    """U agrees with p for some words and is then just below or just above it."""
    with mpmath.workdps(400):
        p = (1 - (1 - mpmath.exp(-1)) ** (mpmath.mpf(1) / 200)) / 2
        expansion = digits(p, words)
    assert bernoulli_sampler(P_PRIME)(Script([*expansion[:-1], expansion[-1] - 1])) == 1
    assert bernoulli_sampler(P_PRIME)(Script([*expansion[:-1], expansion[-1] + 1])) == 0


def test_bernoulli_of_a_dyadic_that_is_not_recognised_ends():
    hidden = log(real(6)) - log(real(2)) - log(real(3)) + Fraction(1, 4)
    assert hidden.fraction is None
    quarter = 1 << 62
    assert bernoulli_sampler(hidden)(Script([quarter - 1, 0])) == 1
    assert bernoulli_sampler(hidden)(Script([quarter, 5])) == 0


def test_extreme_probabilities():
    coins = Coins(3)
    assert coins.bernoulli(real(0)) == 0
    assert coins.bernoulli(real(1)) == 1
    assert coins.bernoulli(real("exp(-1e12)")) == 0
    assert coins.bernoulli(1 - real("exp(-1e12)")) == 1
    assert coins.binomial(50, 1 - real("exp(-1e12)")) == 50
    assert coins.binomial(0, real("1/3")) == 0


def test_binomial_by_digits_compares_with_p_bit_by_bit():
    """One number with bits 0.1, 0.01, ... against p = 5/8 = 0.101."""

    class Bits:
        def __init__(self, bits):
            self.bits = list(bits)

        def getrandbits(self, k):
            assert k == 1
            return self.bits.pop(0)

    top = 5 << 61
    assert sample_by_digits(1, top, real(0), Bits([0])) == 1
    assert sample_by_digits(1, top, real(0), Bits([1, 1])) == 0
    assert sample_by_digits(1, top, real(0), Bits([1, 0, 0])) == 1


@pytest.mark.parametrize("n", [10**9, 10**15])
def test_large_binomial_is_within_chernoff_of_its_mean(n):
    """Mean of 200 draws; the deviation bound is Hoeffding's, at 1e-12."""
    coins, runs = Coins(), 200
    mean = Fraction(sum(coins.binomial(n, real("1/3")) for _ in range(runs)), runs)
    assert abs(mean - Fraction(n, 3)) ** 2 < Fraction(n, 2 * runs) * 29


def test_large_poisson_spread():
    """Of 400 draws of Pois(10^12), the share within one half standard deviation of the mean is about 0.383."""
    inside = counts(lambda c: abs(c.poisson(real(10**12)) - 10**12) < 500_000, 400)[True]
    assert 0.2 < inside / 400 < 0.57


@pytest.mark.parametrize("mu", ["3/2", "100", "1/1000"])
def test_poisson_table_encloses_the_cumulative_probabilities(mu):
    lower, upper = cumulative_table(real(mu), 64)
    with mpmath.workdps(60):
        mean, total = mpmath.mpf(Fraction(mu).numerator) / Fraction(mu).denominator, mpmath.mpf(0)
        for i, (low, high) in enumerate(zip(lower, upper, strict=True)):
            total += mpmath.exp(-mean) * mean**i / mpmath.factorial(i)
            assert low <= total * 2**64 <= high
            assert high - low <= 2


def test_a_seed_gives_the_same_draws_and_no_seed_other_ones():
    def draws(coins):
        return [coins.bits(64), coins.poisson(real(2)), coins.geometric(real("0.01")), coins.shuffled(range(9))]

    assert draws(Coins(11)) == draws(Coins(11))
    assert draws(Coins()) != draws(Coins())


@pytest.mark.parametrize("bound", [1, 2, 3, 1000])
def test_below_stays_below(bound):
    coins = Coins()
    assert {sample_below(bound, coins.source) for _ in range(100)} <= set(range(bound))


@pytest.mark.parametrize(
    "draw", [lambda c: c.poisson(real(0)), lambda c: c.geometric(real(-1)), lambda c: c.binomial(3, real(2))]
)
def test_parameters_outside_the_domain_are_refused(draw):
    with pytest.raises(ParameterError):
        draw(Coins())


@pytest.mark.parametrize("excess", ["1e-40", "1e-60", "1e-400"])
def test_a_geometric_draw_at_a_tiny_eps_is_of_its_size(excess):
    """P[G >= i] = e^(-eps i), so eps*G lies in (e^-30, 30) but for a probability of about 1e-13."""
    eps = log(1 + real(excess))
    for seed in range(5):
        draw = Coins(seed).geometric(eps)
        assert -30 < float(log(eps * draw)) < 3.5
