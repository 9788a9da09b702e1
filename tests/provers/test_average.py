"""Bounds on means from inequalities that hold for every outcome."""

import pytest
from panshuffle.symbolic.average import check_average
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.term import TermError

REAL = "(-inf, inf)"
EVENT = {"i": "[0, 1]", "x": REAL}
INDICATOR = "i*(1 - i) = 0"
SQUARE = {"i": "P", "x": "mu", "x^2": "v + mu^2"}


def markov(conclusion, pointwise="a*i <= x", lowest="[0, inf)"):
    """Markov's inequality, or something near it."""
    return check_average(
        conclusion,
        pointwise,
        (INDICATOR, "i*(x - a) >= 0"),
        outcome={"i": "[0, 1]", "x": lowest},
        means={"i": "P", "x": "M"},
        a="(0, inf)",
    ).status


def cantelli(conclusion, shift="v/t"):
    """Cantelli's inequality, or something near it."""
    return check_average(
        conclusion,
        f"i*(t + {shift})^2 <= (x - mu + {shift})^2",
        (INDICATOR, "i*(x - mu - t) >= 0"),
        outcome=EVENT,
        means=SQUARE,
        mu=REAL,
        v="[0, inf)",
        t="(0, inf)",
    ).status


def test_the_inequalities_of_markov_and_cantelli():
    assert markov("P <= M/a") is Status.PROVED
    assert cantelli("P <= v/(v + t^2)") is Status.PROVED


@pytest.mark.parametrize("conclusion", ["P <= M/(1.01*a)", "P < M/a", "P >= M/a", "M <= 0"])
def test_a_conclusion_that_does_not_follow_is_not_proved(conclusion):
    assert markov(conclusion) is Status.UNDECIDED


def test_an_inequality_that_fails_for_an_outcome_proves_nothing():
    assert markov("P <= M/a", lowest=REAL) is Status.UNDECIDED
    assert markov("P <= M/(2*a)", pointwise="2*a*i <= x") is Status.UNDECIDED
    assert cantelli("P <= v/(v + 1.01*t^2)") is Status.UNDECIDED
    assert cantelli("P <= v/(v + t^2)", shift="(-2*t)") is Status.UNDECIDED


def test_no_mean_is_invented():
    with pytest.raises(TermError, match="mean of x\\^2 has no name"):
        check_average("M >= 0", "x^2 >= 0", outcome={"x": REAL}, means={"x": "M"})
    with pytest.raises(TermError, match="no place among means"):
        check_average("x >= 0", "x^2 >= 0", outcome={"x": REAL}, means={"x^2": "M"})
    with pytest.raises(TermError, match="no inequality"):
        check_average("M = 0", "x = x", outcome={"x": REAL}, means={"x": "M"})
    with pytest.raises(TermError, match="not a product"):
        check_average("M >= 0", "x^2 >= 0", outcome={"x": REAL}, means={"2*x^2": "M"})
