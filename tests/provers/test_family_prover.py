"""A family of values below a limit is steps: exact cases, a bound that is compared, and the bound below the limit."""

from fractions import Fraction
from math import comb

import pytest
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import family
from panshuffle.proofs.verdict import INSTANCES, STEPS, check_statement
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.exhaustive import check_all

from tests.every import every

LAST = 72
SIXTH = Fraction(1, 6)
HOEFFDING = "exp(-2*n/81)"


def above_a_third(n):
    """P[Bin(n, 2/9) > n/3], exactly."""
    return Fraction(sum(comb(n, x) * 2**x * 7 ** (n - x) for x in range(n // 3 + 1, n + 1)), 9**n)


def statuses(*arguments, **more):
    return [step.check().status.value for step in family("says", *arguments, **more)]


def test_the_chernoff_step_with_two_ninths():
    fails = [n for n in range(1, LAST + 1) if above_a_third(n) >= SIXTH]
    assert fails == [1, 2, 4, 5, 7, 8, 11, 14]  # 6 * sum of C(n, x) 2^x 7^(n-x) >= 9^n, in whole numbers
    first = fails[-1] + 1
    assert statuses(above_a_third, SIXTH, first, LAST, HOEFFDING, "hoeffding") == ["proved"] * 3
    assert statuses(above_a_third, SIXTH, 1, LAST, HOEFFDING, "hoeffding", step=3) == ["proved"] * 3
    exact = family("says", above_a_third, SIXTH, first - 1, LAST, HOEFFDING, "hoeffding")[0].check()
    assert (exact.status, exact.witness) == (Status.REFUTED, f"n = {first - 1}")


def test_it_proves_a_statement_with_an_argument_only():
    steps = family("says", above_a_third, SIXTH, 15, LAST, HOEFFDING, "hoeffding")
    assert check_statement("x", Statement("", "lemma", "", steps=steps)).here == INSTANCES
    assert check_statement("x", Statement("", "lemma", "", steps=steps, argument="words")).here == STEPS


@pytest.mark.parametrize("last", [70, 71])
def test_a_tail_that_begins_too_early_is_not_proved(last):
    assert statuses(above_a_third, SIXTH, 60, last, HOEFFDING, "hoeffding")[2] == "refuted"


@every(
    ("value", "limit", "start"),
    [
        (above_a_third, SIXTH, 1),
        (lambda n: Fraction(n * n - 2**n), 1, 0),  # 1 at n = 3
        (Fraction, 40, 0),
        (lambda n: Fraction(comb(2 * n, n), 4**n), Fraction(1, 2), 1),
        (lambda n: (1 + Fraction(1, n)) ** n, Fraction(269, 100), 1),
    ],
)
def test_false_families_are_refuted_at_the_first_failure(value, limit, start):
    answer = family("says", value, Fraction(limit), start, 60, "0*n", "nothing")[0].check()
    n = int(answer.witness.removeprefix("n = "))
    assert answer.status is Status.REFUTED
    assert value(n) >= limit
    assert all(value(smaller) < limit for smaller in range(start, n))


@every(
    ("value", "limit", "last", "bound"),
    [
        (lambda n: Fraction(n * n), 100, 9, "0*n"),  # below 100 only up to 9: the bound is no bound
        (lambda n: Fraction(n * n), 100, 9, "n^2"),  # a bound, but not below 100
        (Fraction, 121, 120, "n - 1"),
        (lambda n: Fraction(1), 2, 10, "2*n/n"),  # not strictly below
        (lambda n: Fraction(1), 2, 10, "1/(n - 11)"),  # not defined at 11
        (lambda n: Fraction(0) if n != 360 else Fraction(9), 2, 10, "1/n"),  # fails at a far index
    ],
)
def test_a_bound_that_is_none_proves_nothing(value, limit, last, bound):
    assert set(statuses(value, Fraction(limit), 0, last, bound, "nothing")) != {"proved"}


def test_a_value_that_fails_where_nobody_looks_needs_the_argument():
    """The steps are right about what they say: the exact cases, the places compared, and the bound."""
    steps = family("says", lambda n: Fraction(n == 1000), Fraction(1, 2), 1, 20, "1/(n+3)", "nothing")
    assert [step.finite for step in steps] == [True, True, False]
    assert check_statement("x", Statement("", "lemma", "", steps=steps)).verdict == "checked"


def test_a_case_that_is_not_decided_is_no_refutation():
    assert check_all(lambda n: None, [1]).status is Status.UNDECIDED
    assert check_all(lambda n: None if n == 1 else n < 2, [1, 2]).status is Status.REFUTED
    assert check_all(lambda n: 1, [1]).status is Status.UNDECIDED
    assert check_all(lambda n: True, []).status is Status.UNDECIDED
