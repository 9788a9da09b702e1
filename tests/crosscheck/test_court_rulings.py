"""Rulings: what is sound, what rounding may explain, and when nobody is accused."""

from dataclasses import replace

import mpmath
import pytest
from flint import arb
from panshuffle.crosscheck.court.family import Bounds
from panshuffle.crosscheck.court.ruling import judged
from panshuffle.crosscheck.court.truth import Truth

from tests.crosscheck.court_questions import RESPONSE, ask
from tests.every import every


@every(
    ("side", "claim", "verdict"),
    [
        ("upper", "0.3927", "sound"),
        ("upper", "1/1", "sound"),
        ("upper", "inf", "sound"),
        ("upper", "0.3926", "unsound"),
        ("upper", "0.0", "unsound"),
        ("upper", "-1e-15", "unsound"),
        ("upper", "-inf", "unsound"),
        ("upper", "nan", "no number"),
        ("lower", "0.3926", "sound"),
        ("lower", "-1.0", "sound"),
        ("lower", "0.3927", "unsound"),
        ("lower", "inf", "unsound"),
    ],
)
def test_rulings_on_a_delta(side, claim, verdict):
    exact = 9 / 16 - 2.718281828459045 / 16
    assert 0.3926 < exact < 0.3927
    assert judged(Truth(RESPONSE), "x", side, claim).verdict == verdict


@pytest.mark.parametrize("parts", [1e-7, 1e-9, 1e-12])
def test_what_rounding_may_explain_is_no_accusation(parts):
    with mpmath.workdps(40):
        exact = mpmath.mpf(9) / 16 - mpmath.e / 16
        below, above = repr(float(exact * (1 - parts))), repr(float(exact * (1 + parts)))
    truth = Truth(RESPONSE)
    assert [judged(truth, "x", "upper", text).verdict for text in (below, above)] == ["within rounding", "sound"]
    assert [judged(truth, "x", "lower", text).verdict for text in (below, above)] == ["sound", "within rounding"]


@every(
    ("question", "side", "claim", "verdict"),
    [
        # eps at delta = 0 of 20 fair lies with p = 1/4 is 20 ln 3 = 21.97224577336219...
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.972245773362", "within rounding"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.9722457734", "sound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.972", "unsound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "inf", "sound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "lower", "21.9", "sound"),
        # one lie has the ratio 3 or 1/3, so that delta is 0 from ln 3 = 1.0986... on
        (ask("randomized-response", "epsilon", 1e-6, p=0.25), "lower", "3.0", "unsound"),
        (ask("geometric", "epsilon", 1e-6, k=2, a=0.5), "lower", "40.0", "unsound"),
        # no eps has delta = 0: the outcome l + 1 is missed by one law
        (ask("binomial", "epsilon", 0.0, l=20), "upper", "50.0", "unsound"),
        (ask("binomial", "epsilon", 0.0, l=20), "upper", "inf", "sound"),
        (ask("binomial", "epsilon", 0.0, l=20), "lower", "50.0", "sound"),
        # 2^-20 = 9.5e-7 is the mass of that outcome
        (ask("binomial", "epsilon", 9e-7, l=20), "upper", "50.0", "unsound"),
        (ask("binomial", "epsilon", 1e-6, l=20), "upper", "50.0", "sound"),
        # sigma = 5, ten times, delta = 1e-6: eps = 2.92160...
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "2.9217", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "2.9215", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "-0.0048", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "2.9215", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "2.9217", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "1e300", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "-inf", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "inf", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "-inf", "sound"),
    ],
)
def test_rulings_on_an_epsilon(question, side, claim, verdict):
    assert judged(Truth(question), "x", side, claim).verdict == verdict


@pytest.mark.parametrize("lower", ["0.2", "0.39260"])
def test_nobody_is_accused_where_the_second_method_does_not_agree(lower):
    def second(case, exp_eps):
        return Bounds(arb(lower), arb(lower) + arb("0.0000005"))

    other = replace(RESPONSE, family=replace(RESPONSE.family, second=second))
    ruling = judged(Truth(other), "x", "upper", "0.392600001")
    assert ruling.verdict == "undecided"
    assert judged(Truth(other), "x", "upper", "0.5").verdict == "undecided"
