"""Sums that are an exponential series or a binomial expansion."""

import pytest
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.sequence import check_series
from panshuffle.symbolic.term import TermError

WHOLE, POSITIVE = "integer [0, inf)", "(0, inf)"


@pytest.mark.parametrize(
    ("closed", "first", "ratio", "rate", "trials", "status"),
    [
        ("exp(c)", "1", "c/(x + 1)", "c", "", Status.PROVED),
        ("exp(c) + 1/10^9", "1", "c/(x + 1)", "c", "", Status.REFUTED),
        ("exp(c)", "c", "c/(x + 1)", "c", "", Status.REFUTED),
        ("exp(c)", "1", "c/(x + 2)", "c", "", Status.UNDECIDED),
        ("exp(c)", "1", "c/(x + 1)^2", "c", "", Status.UNDECIDED),
        ("exp(2*c)", "1", "c/(x + 1)", "2*c", "", Status.UNDECIDED),
        ("(1 + c)^n", "1", "c*(n - x)/(x + 1)", "c", "n", Status.PROVED),
        ("(1 + c)^(n + 1)", "1", "c*(n - x)/(x + 1)", "c", "n", Status.REFUTED),
        ("(1 + c)^n", "1", "c*(n - x + 1)/(x + 1)", "c", "n", Status.UNDECIDED),
        ("exp(c)", "1", "c*(n - x)/(x + 1)", "c", "", Status.UNDECIDED),
    ],
)
def test_a_sum_is_what_its_ratio_says(closed, first, ratio, rate, trials, status):
    assert check_series(closed, first, ratio, rate, trials, n=WHOLE, c=POSITIVE).status is status


def test_trials_are_counted():
    for domain in ("[0, inf)", "integer [-3, inf)", "integer (-inf, inf)"):
        with pytest.raises(TermError, match="whole numbers from 0 on"):
            check_series("(1 + c)^n", "1", "c*(n - x)/(x + 1)", "c", "n", n=domain, c=POSITIVE)
    with pytest.raises(TermError, match="name x is taken"):
        check_series("exp(x)", "1", "x/(x + 1)", "x", x=POSITIVE)
