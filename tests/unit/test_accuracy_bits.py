"""The errors of sums of flipped bits, of the randomized OR and of P_MOD: all data and all coins, and runs."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import log, real
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.two_bit_sum import TwoBitSum

import panshuffle
from panshuffle.answers import accuracy
from panshuffle.card import card
from tests.brute_force.counts import check_counts
from tests.every import every

RUNS = 1500
ALPHAS = ("0", "1/2", "1", "3/2", "5/2", "4")
BETAS = ("0", "1/100", "1/10", "1/2", "9/10", "1")


def sum_errors(data, n, p):
    """{|error|: mass} of the estimate of one sum, over all flips; n is what the analyzer takes off."""
    law = Counter()
    for flips in product((0, 1), repeat=len(data)):
        ones = sum(bit ^ flip for bit, flip in zip(data, flips, strict=True))
        law[abs((ones - n * p) / (1 - 2 * p) - sum(data))] += p ** sum(flips) * (1 - p) ** (len(data) - sum(flips))
    return law


def larger(first, second):
    """The law of the larger of two independent numbers."""
    law = Counter()
    for (a, mass), (b, other) in product(first.items(), second.items()):
        law[max(a, b)] += mass * other
    return law


def beyond(law, alpha):
    return sum(mass for error, mass in law.items() if error > alpha)


def least(laws, beta):
    """The least alpha with a chance of at most beta under every law."""
    sizes = sorted({Fraction(0), *(error for law in laws for error in law)})
    return next(alpha for alpha in sizes if all(beyond(law, alpha) <= beta for law in laws))


@every(("n", "gamma", "p"), [(1, "1", "1/4"), (3, "1", "1/4"), (4, "1", "1/10"), (4, "1/2", "1/4"), (6, "1/2", "2/5")])
def test_two_sums_over_all_data(n, gamma, p):
    users = int(n * Fraction(gamma))
    pools = [sum_errors([1] * ones + [0] * (users - ones), n, Fraction(p)) for ones in range(users + 1)]
    laws = [larger(first, second) for first, second in product(pools, pools)]
    asked = panshuffle.protocol("two-bit-sum", n=n, p=p, gamma=gamma)
    for alpha in ALPHAS:
        worst = max(beyond(law, Fraction(alpha)) for law in laws)
        found = asked.accuracy(alpha=alpha)
        assert Fraction(found.lower) <= worst <= Fraction(found.upper)
        assert found.exact is None or Fraction(found.exact) == worst
        assert found.scope == "all inputs"
    for beta in BETAS:
        found = asked.accuracy(beta=beta)
        assert Fraction(found.lower) <= least(laws, Fraction(beta)) <= Fraction(found.upper)


def test_dropouts_bias_both_sums():
    """np is taken off for n users where only N bring noise: the mean is off by -(n-N)p/(1-2p)."""
    law = Counter()
    for flips in product((0, 1), repeat=2):
        law[(sum(flips) - 4 * Fraction(1, 4)) * 2] += Fraction(1, 4) ** sum(flips) * Fraction(3, 4) ** (2 - sum(flips))
    mean = sum(error * mass for error, mass in law.items())
    found = panshuffle.protocol("two-bit-sum", n=4, p="1/4", gamma="1/2").accuracy(alpha=1).as_dict()["bias"]
    assert (Fraction(found["lower"]), Fraction(found["upper"])) == (mean, mean) == (-1, -1)


@every("exp_eps", ["2", "10", "101/100"])
def test_the_randomized_or_over_all_data(exp_eps):
    """The output is 1 with probability 1/2 if anybody holds 1, and e^-eps/2 if nobody does."""
    errors = []
    for data in product((0, 1), repeat=3):
        one = Fraction(1, 2) if any(data) else 1 / (2 * Fraction(exp_eps))
        errors.append({1: 1 - one, 0: one} if any(data) else {1: one, 0: 1 - one})
    asked = panshuffle.protocol("randomized-or", n=3, exp_eps=exp_eps)
    for alpha in ("0", "1/2", "1", "2"):
        assert Fraction(asked.accuracy(alpha=alpha).exact) == max(beyond(law, Fraction(alpha)) for law in errors)
    for beta in BETAS:
        assert Fraction(asked.accuracy(beta=beta).exact) == least(errors, Fraction(beta))


def test_shares_have_no_error():
    """Over all shares of all bits: the last share of a user is the bit less the others mod 2."""
    for bits, shares in product(product((0, 1), repeat=2), product((0, 1), repeat=4)):
        drawn = [shares[0], shares[1], shares[2], shares[3]]
        messages = [*drawn[:2], bits[0] ^ (sum(drawn[:2]) % 2), *drawn[2:], bits[1] ^ (sum(drawn[2:]) % 2)]
        assert ModularSum(2, 3).analyze(messages) == sum(bits) % 2
    asked = panshuffle.protocol("modular-sum", n=2, m=3)
    assert (asked.accuracy(alpha=0).exact, asked.accuracy(beta="1/10").exact) == ("0", "0")


def agrees(chance, outcomes):
    """Counts of failures against their exact probability; a false alarm has probability 1e-9 at most."""
    return check_counts({True: chance, False: 1 - chance}, Counter(outcomes)).consistent


def test_runs_agree_with_the_exact_law():
    """Three comparisons of runs from data to estimate."""
    coins, record = Coins(), TwoBitSum(3, real("1/4"))
    chance = Fraction(panshuffle.protocol("two-bit-sum", n=3, p="1/4").accuracy(alpha=1).exact)
    data = [(0, 0), (0, 0), (0, 0)]
    assert chance == beyond(larger(*[sum_errors([0] * 3, 3, Fraction(1, 4))] * 2), 1)  # one of the worst data
    runs = (execute(record, data, coins).output for _ in range(RUNS))
    assert agrees(chance, (max(abs(float(z)) for z in output) > 1 for output in runs))
    missed = RandomizedOr(2, log(real(2)))
    assert agrees(Fraction(1, 2), (missed.release([0, 1], coins) != 1 for _ in range(RUNS)))
    assert not any(execute(ModularSum(3, 4), [1, 1, 1], coins).output != 1 for _ in range(50))


@every(
    ("letters", "reason"),
    [
        ({"n": 4, "p": "1/2"}, "p = 1/2 leaves nothing to estimate"),
        ({"n": 4, "p": "3/4"}, "p = 3/4 is not allowed"),
        ({"n": 0, "p": "1/4"}, "n = 0 is not allowed"),
        ({"n": 3, "p": "1/4", "gamma": "1/2"}, "gamma"),
    ],
)
def test_what_has_no_estimate_is_one_sentence(letters, reason):
    with pytest.raises(InputError, match=reason):
        panshuffle.protocol("two-bit-sum", **letters).accuracy(alpha=1)


def test_a_protocol_without_an_error_law_is_refused(monkeypatch):
    monkeypatch.setattr(accuracy, "card", lambda name: replace(card(name), accuracy=None))
    with pytest.raises(InputError, match=r"^binomial has no error law here: accuracy knows binary-sum, "):
        panshuffle.protocol("binomial", l=4).accuracy(alpha=1)


@pytest.mark.long
def test_a_large_two_bit_sum_is_near_the_normal_law():
    """n = 10^4 users, p = 1/4: the standard deviation of a sum is sqrt(n p (1-p))/(1-2p) = 86.6; 1.9488 of these."""
    found = panshuffle.protocol("two-bit-sum", n=10**4, p="1/4").accuracy(beta="1/10")
    assert 167 < float(found.lower) <= float(found.upper) < 171
