"""The family prover: exact up to some n, an analytic tail beyond."""

from fractions import Fraction
from math import comb

import pytest

from symbolic.answer import Answer, Status
from symbolic.claim import claim
from symbolic.exhaustive import TIER, check_all
from symbolic.family import check_family
from symbolic.identity_sign import range_of
from symbolic.term import parse_term

LAST = 72


def above_a_third(n):
    """P[Bin(n, 2/9) > n/3], exactly."""
    return Fraction(sum(comb(n, x) * 2**x * 7 ** (n - x) for x in range(n // 3 + 1, n + 1)), 9**n)


def small(n):
    """Whether the probability is below 1/6."""
    return above_a_third(n) < Fraction(1, 6)


def hoeffding(last=LAST):
    """The tail: the probability is at most exp(-2 n (1/9)^2), which falls with n and is below 1/6 beyond `last`."""
    domain = claim("n > 0", n=f"integer [{last + 1}, inf)").variables
    upper = range_of(parse_term("exp(-2*n/81)"), domain).upper.value
    below = upper is not None and upper < Fraction(1, 6)
    return Answer(Status.PROVED if below else Status.UNDECIDED, "ball computation")


def test_the_chernoff_step_with_two_ninths():
    fails = [n for n in range(1, LAST + 1) if not small(n)]
    assert fails == [1, 2, 4, 5, 7, 8, 11, 14]  # 6 * sum of C(n, x) 2^x 7^(n-x) >= 9^n, in whole numbers
    first = fails[-1] + 1
    answer = check_family(small, first, LAST, hoeffding)
    assert (answer.status, answer.tier) == (Status.PROVED, "ball computation")
    assert check_family(small, first - 1, LAST, hoeffding).witness == f"n = {first - 1}"
    threes = range(3, LAST + 1, 3)
    assert check_family(small, 3, LAST, hoeffding, indices=threes).status is Status.PROVED


@pytest.mark.parametrize("last", [70, 71])
def test_a_tail_that_begins_too_early_is_not_proved(last):
    assert check_family(small, 60, last, lambda: hoeffding(last)).status is Status.UNDECIDED


FALSE = [
    (small, 1, LAST),
    (lambda n: 2**n >= n * n, 0, 100),
    (lambda n: n * n - n + 41 != 41 * 41, 0, 100),
    (lambda n: all((n * n - n + 41) % d for d in range(2, 41 + n)), 1, 60),
    (lambda n: n < 100, 0, 100),
    (lambda n: n != 0, 0, 100),
    (lambda n: Fraction(comb(2 * n, n), 4**n) < Fraction(1, 2), 1, 50),
    (lambda n: (1 + Fraction(1, n)) ** n < Fraction(271, 100), 1, 200),
]


@pytest.mark.parametrize(("fact", "start", "last"), FALSE)
def test_false_families_are_refuted_at_the_first_failure(fact, start, last):
    answer = check_family(fact, start, last, hoeffding)
    n = int(answer.witness.removeprefix("n = "))
    assert (answer.status, answer.tier) == (Status.REFUTED, TIER)
    assert not fact(n)
    assert all(fact(smaller) for smaller in range(start, n))


def test_undecided_cases_and_tails_stay_undecided():
    assert check_family(lambda n: None if n == 3 else True, 0, 9).status is Status.UNDECIDED
    assert check_family(lambda n: None if n == 3 else n < 5, 0, 9).witness == "n = 5"
    assert check_family(lambda n: True, 5, 4, hoeffding).status is Status.UNDECIDED
    for status in (Status.UNDECIDED, Status.REFUTED):
        assert check_family(lambda n: True, 0, 9, lambda status=status: Answer(status, TIER)).status is Status.UNDECIDED


def test_a_case_that_is_not_decided_is_no_refutation():
    assert check_all(lambda n: None, [1]).status is Status.UNDECIDED
    assert check_all(lambda n: None if n == 1 else n < 2, [1, 2]).status is Status.REFUTED
