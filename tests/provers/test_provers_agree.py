"""All provers on one list of claims, true, false and at the corners: none contradicts another or what is known."""

import pytest
from panshuffle.symbolic.ball import check_inequality
from panshuffle.symbolic.claim import claim
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.identity import check_identity
from panshuffle.symbolic.smt import check_smt

from tests.conftest import FULL
from tests.every import every

REALS, UNIT, POSITIVE, NONNEGATIVE = "(-inf, inf)", "[0, 1]", "(0, inf)", "[0, inf)"
WHOLE, COUNT = "integer (-inf, inf)", "integer [0, 9]"
PROVERS = {"ball": check_inequality, "identity": check_identity, "smt": check_smt}

TRUE = [
    ("x^2 >= 0", {"x": REALS}),
    ("x^0 = 1", {"x": REALS}),
    ("0^0 = 1", {}),
    ("x^1 = x", {"x": REALS}),
    ("x^-1 = 1/x", {"x": POSITIVE}),
    ("x^(1/2) = sqrt(x)", {"x": NONNEGATIVE}),
    ("x^(1/2) >= 0", {"x": UNIT}),
    ("x^(4/2) = x*x", {"x": REALS}),
    ("x^(-1/2) > 0", {"x": "(0, 1]"}),
    ("x^3 <= 0", {"x": "[-1, 0]"}),
    ("(-2)^3 = -8", {}),
    ("(-1)^2 >= 1", {}),
    ("0^2 <= 0", {}),
    ("0^(1/2) = 0", {}),
    ("2^x > 0", {"x": REALS}),
    ("x^y > 0", {"x": "(0, 1]", "y": UNIT}),
    ("2^n >= n", {"n": COUNT}),
    ("(n - n)^2 = 0", {"n": COUNT}),
    ("exp(x) > 0", {"x": REALS}),
    ("exp(0) = 1", {}),
    ("log(1) = 0", {}),
    ("exp(log(x)) = x", {"x": POSITIVE}),
    ("log(exp(x)) = x", {"x": REALS}),
    ("sqrt(x)^2 = x", {"x": NONNEGATIVE}),
    ("sqrt(x^2) >= x", {"x": REALS}),
    ("sqrt(x^2) = x", {"x": NONNEGATIVE}),
    ("x/x = 1", {"x": "(0, 1]"}),
    ("x/x = 1", {"x": "[-2, -1]"}),
    ("x/x <= 1", {"x": "[1, 2]"}),
    ("1/x >= 1", {"x": "(0, 1]"}),
    ("1/x != 0", {"x": POSITIVE}),
    ("(x^2 - 1)/(x - 1) = x + 1", {"x": "(1, 2]"}),
    ("n*(n - 1) >= 0", {"n": WHOLE}),
    ("n^2 != 2", {"n": WHOLE}),
    ("x*y <= (x^2 + y^2)/2", {"x": REALS, "y": REALS}),
    ("x <= x <= x", {"x": REALS}),
    ("0 <= x*(1 - x) <= 1/4", {"x": UNIT}),
    ("x = 1", {"x": "[1, 1]"}),
    ("x <= 1", {"x": "[1, 1]"}),
    ("n = 1", {"n": "integer (0, 2)"}),
    ("n <= 1", {"n": "integer (0, 3/2]"}),
    ("x < 7/10", {"x": "[0, log(2)]"}),
    ("x <= log(2)", {"x": "[0, log(2)]"}),
    ("x^2 <= 2", {"x": "[0, sqrt(2)]"}),
    ("exp(x) >= 1 + x", {"x": REALS}),
    ("log(x) <= x - 1", {"x": POSITIVE}),
    ("1 < 2", {}),
    ("1/3 + 1/3 + 1/3 = 1", {}),
    ("0.1 + 0.2 = 0.3", {}),
    ("sqrt(2)*sqrt(2) = 2", {}),
    ("sqrt(2)*sqrt(3) = sqrt(6)", {}),
    ("8^(1/3) = 2", {}),
    ("exp(x + y) = exp(x)*exp(y)", {"x": REALS, "y": REALS}),
    ("2^(x + y) = 2^x*2^y", {"x": REALS, "y": REALS}),
    ("(x*y)^(1/2) = x^(1/2)*y^(1/2)", {"x": POSITIVE, "y": POSITIVE}),
    ("1e-40 > 0", {}),
    ("x + 1e-40 > x", {"x": REALS}),
]
FALSE = [
    ("x^2 > 0", {"x": REALS}),
    ("x^0 = 0", {"x": REALS}),
    ("0^0 = 0", {}),
    ("0^-1 = 0", {}),
    ("x^-1 = 1/x", {"x": UNIT}),
    ("x^(-1/2) > 0", {"x": UNIT}),
    ("x^(1/2) >= 0", {"x": "[-1, 1]"}),
    ("x^(1/3) <= 1", {"x": "[-1, 1]"}),
    ("x^y >= 0", {"x": UNIT, "y": UNIT}),
    ("x^y >= 0", {"x": UNIT, "y": "[1, 2]"}),
    ("x^y = x", {"x": UNIT, "y": "[1, 1]"}),
    ("x^sqrt(4) = x^2", {"x": "[-1, 1]"}),
    ("x^sqrt(2) >= 0", {"x": UNIT}),
    ("0^y = 0", {"y": "[1, 2]"}),
    ("0^y <= 0", {"y": POSITIVE}),
    ("0^n <= 1", {"n": COUNT}),
    ("(-1)^n <= 1", {"n": COUNT}),
    ("(-1)^n*(-1)^n = 1", {"n": COUNT}),
    ("(-2)^n != 5", {"n": "integer [1, 2]"}),
    ("x^n >= 0", {"x": "[-1, 1]", "n": "integer [2, 2]"}),
    ("(x - 1)^y <= 9", {"x": "[1, 2]", "y": "[1, 2]"}),
    ("2^n > n^2", {"n": COUNT}),
    ("exp(x) > 1", {"x": REALS}),
    ("exp(log(x)) = x", {"x": REALS}),
    ("exp(log(x)) = x", {"x": NONNEGATIVE}),
    ("log(x^2) = 2*log(x)", {"x": REALS}),
    ("sqrt(x)^2 = x", {"x": REALS}),
    ("sqrt(x^2) = x", {"x": REALS}),
    ("x/x = 1", {"x": UNIT}),
    ("x/x <= 1", {"x": "[-1, 1]"}),
    ("0/x = 0", {"x": REALS}),
    ("0*(1/x) <= 0", {"x": UNIT}),
    ("0*log(x) = 0", {"x": NONNEGATIVE}),
    ("x - x + sqrt(x) >= 0", {"x": "[-1, 0]"}),
    ("1/x >= 1", {"x": UNIT}),
    ("1/(x - y) != 0", {"x": UNIT, "y": UNIT}),
    ("(x^2 - 1)/(x - 1) = x + 1", {"x": "[0, 2]"}),
    ("n*(n - 1) > 0", {"n": WHOLE}),
    ("n^2 != 4", {"n": WHOLE}),
    ("x*(x - 1) >= 0", {"x": REALS}),
    ("x*y <= (x^2 + y^2)/3", {"x": REALS, "y": REALS}),
    ("x < x", {"x": REALS}),
    ("x <= x < x", {"x": REALS}),
    ("0 <= x*(1 - x) <= 0.24", {"x": UNIT}),
    ("x != 1", {"x": "[1, 1]"}),
    ("n < 1", {"n": "integer (0, 2)"}),
    ("x < log(2) - 1e-3", {"x": "[0, log(2)]"}),
    ("exp(x) > 1 + x", {"x": REALS}),
    ("log(x) < x - 1", {"x": POSITIVE}),
    ("2 < 1", {}),
    ("0.1 + 0.2 = 0.30000000000000004", {}),
    ("sqrt(2)*sqrt(2) = 2.0000000000000004", {}),
    ("exp(x*y) = exp(x)*exp(y)", {"x": REALS, "y": REALS}),
    ("2^(x*y) = 2^x*2^y", {"x": REALS, "y": REALS}),
    ("(x*y)^(1/2) = x^(1/2)*y^(1/2)", {"x": REALS, "y": REALS}),
    ("sqrt(-1) = sqrt(-1)", {}),
    ("log(0) <= 0", {}),
    ("1/0 = 1/0", {}),
    ("x + 1e-40 = x", {"x": REALS}),
    ("exp(1) = 2.718281828459045", {}),
]


def shown(case):
    return f"{case[0]} for {case[1]}"


@pytest.fixture(params=PROVERS)
def prover(request):
    return PROVERS[request.param]


def test_there_are_more_than_a_hundred():
    assert len(TRUE) + len(FALSE) > 110
    assert len({shown(case) for case in [*TRUE, *FALSE]}) == len(TRUE) + len(FALSE)


@every("case", TRUE if FULL else TRUE[::2])
def test_no_prover_refutes_a_true_claim(prover, case):
    assert prover(claim(case[0], **case[1])).status is not Status.REFUTED


@every("case", FALSE)
def test_no_prover_proves_a_false_claim(prover, case):
    assert prover(claim(case[0], **case[1])).status is not Status.PROVED


def test_each_prover_decides_a_good_part_of_them():
    decided = {
        name: sum(prover(claim(text, **domains)).status is not Status.UNDECIDED for text, domains in FALSE[:12])
        for name, prover in PROVERS.items()
    }
    assert min(decided["ball"], decided["smt"]) >= 10
    assert decided["identity"] >= 3
