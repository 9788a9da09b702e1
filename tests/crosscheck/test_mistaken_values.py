"""Slips in parameters have the values that the formulas, written here once more, give them."""

from fractions import Fraction
from math import ceil, e, exp, log, log2, sqrt

import pytest
from panshuffle.crosscheck.mass_tables import binomial
from panshuffle.crosscheck.reference.mistakes import mistaken_values
from panshuffle.crosscheck.reference.model import Fit
from panshuffle.exact.real import real


def values(name, asked, letters, whole=False, most=10**9):
    """The values of all mistakes of one parameter, by words; its laws stand for the value that they are asked for."""
    asked_for = []

    def laws(value):
        asked_for.append(float(value))
        return ()

    found = {}
    for bug in mistaken_values([Fit(name, real(asked), Fraction(0), Fraction(most), laws, whole=whole)], letters):
        bug.laws()
        found[bug.name] = asked_for.pop()
    return found


def one(found, words):
    return next(value for name, value in found.items() if words in name)


def test_a_formula_with_a_wrong_part():
    eps, delta = 2.0, 0.02
    c, logarithm = (exp(eps) + 1) / (exp(eps) - 1), log(2 / delta)
    lam = ceil(20 * c**2 * logarithm)
    found = values("lam", lam, {"eps": eps, "delta": delta}, whole=True)
    for words, value in {
        "is not squared": 20 * c * logarithm,
        "base 2": 20 * c**2 * log2(2 / delta),
        "the factor 2 in the logarithm is missing": 20 * c**2 * log(1 / delta),
        "eps is taken as 2 eps": 20 * ((exp(4) + 1) / (exp(4) - 1)) ** 2 * logarithm,
        "1/eps stands": 20 / eps**2 * logarithm,
        "is left out": 20 * logarithm,
    }.items():
        assert abs(one(found, words) - value) <= 2, words  # lam was rounded up before


def test_the_noise_bit_of_the_binary_sum_has_its_formula_on_the_other_side():
    eps, delta, n = 8.0, 0.01, 130
    c = (exp(eps) + 1) / (exp(eps) - 1)
    p = 1 - 10 * c**2 * log(2 / delta) / n
    found = values("p", Fraction(p), {"eps": eps, "delta": delta, "n": n}, most=1)
    assert one(found, "factor 2 in the logarithm") == pytest.approx(1 - 10 * c**2 * log(1 / delta) / n, abs=1e-9)


def test_the_logarithm_of_the_tester_has_k():
    eps, delta, k = 4.0, 0.1, 5
    c = (exp(eps) + 1) / (exp(eps) - 1)
    found = values("lam", Fraction(40 * c**2 * log(2 * k / delta)), {"eps": eps, "delta": delta, "k": k})
    assert one(found, "k in the logarithm is missing") == pytest.approx(40 * c**2 * log(2 / delta), rel=1e-9)


def test_messages_by_another_sigma():
    eps, delta = 1.0, 0.001
    found = values("m", 13, {"eps": eps, "delta": delta}, whole=True)
    assert one(found, "natural logarithm") == max(3, int(log((e + 1) / delta)) + 2)


def test_flips_by_another_root():
    eps, n, k = 1.0, 5, 6
    right = (1 - (1 - exp(-eps)) ** (1 / n)) / 2
    found = values("p'", Fraction(right), {"eps": eps, "n": n, "k": k}, most=1)
    assert one(found, "order k") == pytest.approx((1 - (1 - exp(-eps)) ** (1 / k)) / 2, abs=1e-9)
    assert one(found, "divided by k") == pytest.approx((1 - (1 - exp(-eps / k)) ** (1 / n)) / 2, abs=1e-9)


def test_what_stands_in_the_place_of_the_exponential():
    eps, n, k = 0.7, 5, 3
    ratios = {
        "e^eps is taken for eps": exp(-exp(eps)),
        "1/eps is taken for eps": exp(-1 / eps),
        "1 - eps in place": 1 - eps,
        "1/(1 + e^eps)": 1 / (1 + exp(eps)),
        "base is 10": 10**-eps,
        "computed with 2 eps": exp(-2 * eps),
        "multiplied by n": exp(-n * eps),
    }
    shown = {
        "e^-eps": (exp(-eps), lambda ratio: ratio),
        "probability of a 1": (exp(-eps) / 2, lambda ratio: ratio / 2),
        "p'": ((1 - (1 - exp(-eps)) ** (1 / n)) / 2, lambda ratio: (1 - (1 - ratio) ** (1 / n)) / 2),
    }
    for name, (right, chance) in shown.items():
        found = values(name, Fraction(right), {"eps": eps, "n": n, "k": k}, most=1)
        for words, ratio in ratios.items():
            assert one(found, words) == pytest.approx(chance(ratio), abs=1e-9), (name, words)


def test_probabilities_and_dropouts():
    found = values("p", Fraction(3, 10), {"gamma": 0.64}, most=1)
    assert one(found, "the odds p/(1 - p)") == pytest.approx(3 / 7)
    assert one(found, "taken for odds") == pytest.approx(3 / 13)
    assert one(found, "at least one of two") == pytest.approx(0.51)
    assert one(found, "divided by gamma") == pytest.approx(0.3 / 0.64)
    assert one(found, "multiplied by the root of gamma") == pytest.approx(0.3 * sqrt(0.64))


def test_values_outside_what_is_allowed_are_left_out():
    assert all(0 <= value <= 1 for value in values("p", Fraction(4, 5), {"gamma": 0.5}, most=1).values())


def test_a_number_that_is_no_single_letter_has_no_slip():
    assert values("number of users", 5, {"eps": 1.0, "delta": 0.1}) == {}


def test_laws_are_those_of_the_parameter():
    fit = Fit("p", real("1/4"), Fraction(0), Fraction(1), lambda p: (binomial(3, p),))
    half = next(bug for bug in mistaken_values([fit], {}) if "2p in place" in bug.name)
    assert half.laws()[0].mass(3).contains(0.125)
