"""Exact moments: the paper's formulas, a second construction, and formulas that are wrong."""

from fractions import Fraction
from math import comb

import mpmath
import pytest
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.moments import (
    Binomial,
    Poisson,
    check_moment,
    collected,
    mean,
    moment_claim,
    spread,
)
from panshuffle.symbolic.point import rational_at
from panshuffle.symbolic.smt import check_smt
from panshuffle.symbolic.term import TermError, parse_term, text_of

from tests.every import every

COIN = {"X": Binomial("l", "1/2")}
COUNT = {"c": Poisson("nu")}
NOISE = {"X": Binomial("L", "1/2"), "L": Poisson("lam")}
TERM = {**NOISE, **COUNT}
ERROR = "(X - l/2)"
PRINTED = "(c + X - L/2 - nu + d)^2 - (c + X - L/2)"
WHOLE = {"l": "integer [0, inf)"}
RATES = {"nu": "[0, inf)", "d": "(-inf, inf)", "lam": "[0, inf)"}

TRUE = [
    ("value = 0", COIN, {"mean_of": ERROR}, WHOLE),
    ("value = l/4", COIN, {"mean_of": f"{ERROR}^2"}, WHOLE),
    ("value = 0", COIN, {"mean_of": f"{ERROR}^3"}, WHOLE),
    ("value = 3*l^2/16 - l/8", COIN, {"mean_of": f"{ERROR}^4"}, WHOLE),
    ("value = l^2/8 - l/8", COIN, {"variance_of": f"{ERROR}^2"}, WHOLE),
    ("value = k^2*l/(4*m^2)", COIN, {"variance_of": f"k/m*{ERROR}"}, {**WHOLE, "k": "[1, inf)", "m": "[1, inf)"}),
    ("value = d^2", COUNT, {"mean_of": "(c - nu + d)^2 - c"}, RATES),
    ("value = 2*nu^2 + 4*d^2*nu", COUNT, {"variance_of": "(c - nu + d)^2 - c"}, RATES),
    ("value = d^2 + lam/4", TERM, {"mean_of": PRINTED}, RATES),
    (
        "value = 2*nu^2 + 4*d^2*nu + d^2*lam - d*lam + lam*nu + lam^2/8 + 5*lam/16",
        TERM,
        {"variance_of": PRINTED},
        RATES,
    ),
    ("value = lam/2", NOISE, {"variance_of": "X"}, RATES),
    ("value = lam^2/8 + lam/16", NOISE, {"variance_of": "(X - L/2)^2"}, RATES),
]
WRONG = [
    ("value = l/4 + 1e-9", COIN, {"mean_of": f"{ERROR}^2"}, WHOLE),
    ("value = l/4*1.03", COIN, {"mean_of": f"{ERROR}^2"}, WHOLE),
    ("value = l/8", COIN, {"mean_of": f"{ERROR}^3"}, WHOLE),
    ("value = 3*l^2/16", COIN, {"mean_of": f"{ERROR}^4"}, WHOLE),
    ("value = l^2/8", COIN, {"variance_of": f"{ERROR}^2"}, WHOLE),
    ("value = l*(l + 1)/8", COIN, {"variance_of": f"{ERROR}^2"}, WHOLE),
    ("value = d^2 + nu", COUNT, {"mean_of": "(c - nu + d)^2 - c"}, RATES),
    ("value = 2*nu^2", COUNT, {"variance_of": "(c - nu + d)^2 - c"}, RATES),
    ("value = 2*nu^2 + 4*d*nu", COUNT, {"variance_of": "(c - nu + d)^2 - c"}, RATES),
    ("value = d^2 + lam/2", TERM, {"mean_of": PRINTED}, RATES),
    (
        "value = 2*nu^2 + 4*d^2*nu + d^2*lam + lam*nu + lam^2/8 + 5*lam/16",
        TERM,
        {"variance_of": PRINTED},
        RATES,
    ),
    ("value = lam/4", NOISE, {"variance_of": "X"}, RATES),
    ("value = l/4", COIN, {"mean_of": f"{ERROR}^2*k/k"}, {**WHOLE, "k": "[0, 1]"}),
]


@pytest.mark.parametrize(("printed", "laws", "what", "domains"), TRUE)
def test_moments_of_the_paper(printed, laws, what, domains):
    assert check_moment(printed, laws, **what, **domains).status is Status.PROVED


@pytest.mark.parametrize(("printed", "laws", "what", "domains"), WRONG)
def test_wrong_moments_are_refuted_with_parameters(printed, laws, what, domains):
    answer = check_moment(printed, laws, **what, **domains)
    assert answer.status is Status.REFUTED
    assert answer.witness.startswith("at ")


def test_the_bound_on_the_variance_of_a_squared_error():
    what = {"variance_of": f"{ERROR}^2", **WHOLE}
    assert check_smt(moment_claim("value <= l^2/8", COIN, **what)).status is Status.PROVED
    assert check_smt(moment_claim("value < l^2/8", COIN, **what)).status is Status.REFUTED


@every("text", ["X", "X^4", "(X - n/3)^3*X", "(X - 1)^6"])
@every("n", [0, 1, 2, 7])
def test_binomial_means_by_summation(text, n):
    p = Fraction(2, 9)
    point = {"n": Fraction(n)}
    direct = sum(
        comb(n, x) * p**x * (1 - p) ** (n - x) * eval(text.replace("^", "**"), {"X": Fraction(x), "n": Fraction(n)})
        for x in range(n + 1)
    )
    assert rational_at(mean(text, {"X": Binomial("n", "2/9")}), point) == direct


@every("power", range(1, 9))
def test_poisson_means_by_their_series(power):
    with mpmath.workdps(40):
        mu = mpmath.mpf(7) / 2
        series = mpmath.nsum(lambda x: x**power * mpmath.exp(-mu) * mu**x / mpmath.factorial(x), [0, mpmath.inf])
        exact = rational_at(mean(f"X^{power}", {"X": Poisson("7/2")}), {})
        assert abs(series - mpmath.mpf(exact.numerator) / exact.denominator) < mpmath.mpf(10) ** -25 * series


def test_thinning_gives_the_same_moments_as_the_mixture():
    thinned = {"U": Poisson("lam/2"), "V": Poisson("lam/2"), **COUNT}
    text = "(c + (U - V)/2 - nu + d)^2 - (c + (U - V)/2)"
    one, other = (collected(spread(parse_term(text), laws, mean)) for text, laws in ((text, thinned), (PRINTED, TERM)))
    assert text_of(one) == text_of(other)


def test_unusable_moments_are_errors():
    with pytest.raises(TermError, match="not later random variables"):
        mean("X*L", {"L": Poisson("lam"), "X": Binomial("L", "1/2")})
    for text in ("1/X", "exp(X)", "X/X", "sqrt(X)^2"):
        with pytest.raises(TermError, match="polynomial"):
            moment_claim("value = 1", {"X": Poisson("1")}, mean_of=text)
    with pytest.raises(TermError, match="no domain"):
        moment_claim("value = mu", {"X": Poisson("mu")}, mean_of="X")
    with pytest.raises(TermError, match="either"):
        moment_claim("value = mu", {"X": Poisson("mu")}, mu="[0, 1]")
