"""The analyzer of P_UT by hand, and the data generators."""

from collections import Counter
from fractions import Fraction

import pytest
from panshuffle.exact.real import real, sqrt
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.online import run
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM, Uniformity

from panshuffle.dataset import BITS, PAIRS, elements, generated
from tests.brute_force.counts import check_counts
from tests.unit.laws import binomial

POOLS = [[3, 4], [6, 1]]
"""n = 4, k = 2, m = 4: l = (3, 3), c = (4 - 3/2, 1 - 3/2) = (5/2, -1/2), and with m/k = 2
Z' = (2/4) * ((1/4 - 5/2) + (25/4 + 1/2)) = 9/4."""


def with_threshold(tau):
    return Uniformity(n=4, k=2, lam=real(3), m=real(4), tau=real(tau))


@pytest.mark.parametrize(
    ("tau", "answer"), [("9/4", UNIFORM), ("2.2499", NOT_UNIFORM), ("2.2501", UNIFORM), ("-1", NOT_UNIFORM)]
)
def test_the_statistic_is_compared_with_tau(tau, answer):
    messages = [(j, bit) for j in (1, 2) for bit in (0, 1) for _ in range(POOLS[j - 1][bit])]
    assert with_threshold(tau).analyze_pools(POOLS) == answer
    assert with_threshold(tau).analyze(messages) == answer


def test_thresholds():
    """k = 4, lam = 9, m = 4: every square root of the printed threshold is rational."""
    printed = Uniformity.as_printed(4, 4, real(9), real(4), real("1/2")).tau
    first, rest = 3 * Fraction(1, 4) * 4 / 250, 16 * Fraction(9, 8) + 5 * 8 * Fraction(9, 4)
    rest += 10 * 4 * Fraction(3, 2) + 5 * 8 * Fraction(3, 4)
    assert printed.fraction == first + rest
    compressed = CompressedUniformity.as_printed(4, 16, 4, real(9), real(4), real("1/2")).tau
    alpha = real("1/2") * sqrt(real(4)) / (477 * sqrt(real(160)))
    assert (compressed - rest - 12 * alpha**2 / 250).fraction == 0
    assert (alpha**2).fraction == Fraction(1, 477**2 * 160)


def test_the_decision_is_that_of_the_pools():
    """Without noise worth the name, all users on one of two elements are not uniform and an even split is."""
    quiet = Uniformity.repaired(n=40, k=2, lam=real("1e-9"), m=real(40))
    assert execute(quiet, [1] * 40, Coins(1)).output == NOT_UNIFORM
    assert execute(quiet, [1, 2] * 20, Coins(1)).output == UNIFORM
    packed = CompressedUniformity.repaired(n=40, k=2, k_hat=2, lam=real("1e-9"), m=real(40))
    assert execute(packed.publish(Coins(2)), [1] * 40, Coins(1)).output == NOT_UNIFORM


def test_the_transformed_tester_analyzes_all_n_executions():
    """l_j = -n + the pool's size is about 0 only if the final dummies are there."""
    seen = []

    class Recording(Uniformity):
        def analyze(self, messages):
            seen.append(Counter(label for label, _ in messages))
            return super().analyze(messages)

    quiet = Recording(n=9, k=2, lam=real("1e-9"), m=real(9), tau=real(100))
    assert run(PanUniformity(quiet), [1, 2, 1], Coins(3)).output == UNIFORM
    assert seen == [Counter({1: 9, 2: 9})]


@pytest.mark.parametrize(("k", "alpha"), [(2, "1/4"), (5, "1/3"), (4, "1/2")])
def test_paired_data_are_at_the_distance(k, alpha):
    """Above and below uniform by alpha/h on h pairs, the odd element out untouched."""
    law = {}
    for j in range(1, k + 1):
        shift = 0 if j > 2 * (k // 2) else Fraction(alpha) / (k // 2) * (1 if j % 2 else -1)
        law[j] = Fraction(1, k) + shift
    assert sum(abs(mass - Fraction(1, k)) for mass in law.values()) / 2 == Fraction(alpha)
    counts = Counter(generated("paired", real(alpha), elements(k), 20_000)(Coins()))
    assert check_counts(law, counts).consistent


def test_generated_data():
    coins = Coins()
    assert len(set(generated("distinct", real(3), elements(9), 7)(coins))) == 3
    assert sum(generated("ones", real(3), BITS, 7)(coins)) == 3
    counts = Counter(generated("uniform", real(0), PAIRS, 20_000)(coins))
    assert check_counts({(a, b): Fraction(1, 4) for a in (0, 1) for b in (0, 1)}, counts).consistent


def test_an_impossible_alarm_is_refused():
    with pytest.raises(ValueError, match="alarm"):
        check_counts(binomial(1, Fraction(1, 2)), {0: 1}, Fraction(0))
