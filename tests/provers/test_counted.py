"""Claims about factorials, binomial coefficients and sums: proved by closed forms and induction, and only if true."""

import re
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

import pytest
from panshuffle.symbolic.counted import KNOWN, at, closed_form, counted, step
from panshuffle.symbolic.lemma import lemma_of
from panshuffle.symbolic.term import Number, Symbol, TermError, constant, parse_term, substitute

import panshuffle

TRUE = [
    ("sum(i^2, i, 1, n) = n*(n+1)*(2*n+1)/6", {"n": "1, 2, ..."}, "two algebra systems"),
    ("sum(r^i, i, 0, n-1) = (1 - r^n)/(1 - r)", {"n": "1, 2, ...", "r": "(0, 1)"}, "two algebra systems"),
    ("sum(binomial(n, i)*p^i*(1-p)^(n-i), i, 0, n) = 1", {"n": "1, 2, ...", "p": "(0, 1)"}, ""),
    ("sum(1/i, i, 1, n) <= 1 + log(n)", {"n": "1, 2, ..."}, "induction"),
    ("sum(1/i^2, i, 1, n) <= 2 - 1/n", {"n": "1, 2, ..."}, "induction"),
    ("n! >= (n/e)^n", {"n": "1, 2, ..."}, "induction"),
    ("binomial(2*n, n) <= 4^n", {"n": "1, 2, ..."}, "SMT"),
    ("sum(i, i, 1, 2*n) = n*(2*n + 1)", {"n": "1, 2, ..."}, "algebra system"),
    ("sum(1/i, i, n + 1, 2*n) >= 1/2", {"n": "1, 2, ..."}, "induction"),
    ("sum(log(1 + 1/i), i, 1, n) = log(n + 1)", {"n": "1, 2, ..."}, "algebra system"),
    ("sum((i - n*p)^2*binomial(n, i)*p^i*(1-p)^(n-i), i, 0, n) = n*p*(1-p)", {"n": "1, 2, ...", "p": "(0, 1)"}, ""),
    ("binomial(n + 1, 3)/binomial(n, 3) <= 4", {"n": "3, 4, ..."}, ""),
    ("binomial(n, k) <= 2^n", {"n": "1, 2, ..., 6", "k": "0, 1, ..., 5"}, "exact evaluation"),
    ("binomial(n, k) <= n^k/factorial(k)", {"n": "1, 2, ...", "k": "1, 2, 3"}, ""),
    ("binomial(2*n, n) <= 4^n/sqrt(3*n + 1)", {"n": "1, 2, ..."}, "induction"),
    ("sum(i*binomial(n, i)*p^i*(1-p)^(n-i), i, 0, n) = n*p", {"n": "1, 2, ...", "p": "(0, 1)"}, "one algebra system"),
]
FALSE = [
    ("binomial(2*n, n) <= 4^n/sqrt(4*n + 1)", {"n": "1, 2, ..."}),
    ("sum(i, i, 1, n) = n^2/2", {"n": "1, 2, ..."}),
    ("sum(i, i, 5, n) = n*(n+1)/2 - 10", {"n": "1, 2, ..."}),  # the empty sums are 0
    ("sum(1/i, i, 1, n) <= log(n) + 1/2", {"n": "1, 2, ..."}),
    ("factorial(n) >= 3^(n-1)", {"n": "1, 2, ..."}),
    ("n! < 10^6*n^3", {"n": "1, 2, ..."}),
    ("binomial(2*n, n) <= 3^n", {"n": "1, 2, ..."}),
    ("binomial(n, k) <= n^k/factorial(k)/2", {"n": "1, 2, ...", "k": "1, 2, 3"}),
    ("sum(binomial(n, i)*p^i, i, 0, n) = (1 + p)^(n+1)", {"n": "1, 2, ...", "p": "(0, 1)"}),
    ("sum(i*r^i, i, 0, n) <= r", {"n": "1, 2, ...", "r": "(0, 1)"}),
]
LATE = [
    ("factorial(n) < 10^90", {"n": "1, 2, ..."}),  # fails from n = 66 on
    ("sum(1/i, i, 1, n) <= 6", {"n": "1, 2, ..."}),  # fails from n = 227 on
    ("binomial(2*n, n) <= 10^50", {"n": "1, 2, ..."}),
    ("sum(1/sqrt(i), i, 1, n) <= 30", {"n": "1, 2, ..."}),
    ("sum(binomial(100 - n, i), i, 0, 100 - n) = 2^(100 - n)", {"n": "0, 1, 2, ..."}),  # the empty sums are 0
    ("sum(i*binomial(100 - n, i), i, 0, 100 - n) = (100 - n)*2^(99 - n)", {"n": "0, 1, 2, ..."}),
    ("sum(r^i, i, 0, 90 - n) = (1 - r^(91 - n))/(1 - r)", {"n": "0, 1, 2, ...", "r": "(0, 1)"}),
    ("sum(i, i, 1, 100 - n) = (100 - n)*(101 - n)/2", {"n": "0, 1, 2, ..."}),
]
"""False, but only beyond the first cases: not proved."""


@pytest.mark.parametrize(("text", "domains", "prover"), TRUE, ids=[text for text, _, _ in TRUE])
def test_true_claims_are_proved(text, domains, prover):
    found = panshuffle.prove(text, **domains)
    assert found.status == "proved", str(found)
    assert not prover or any(prover in name for name in found.provers)


@pytest.mark.parametrize(("text", "domains"), FALSE, ids=[text for text, _ in FALSE])
def test_false_claims_are_refuted_at_a_point(text, domains):
    found = panshuffle.prove(text, **domains)
    assert found.status == "refuted", str(found)
    assert set(found.witness) == set(domains)


@pytest.mark.parametrize(("text", "domains"), LATE, ids=[text for text, _ in LATE])
def test_claims_that_fail_late_are_not_proved(text, domains):
    assert panshuffle.prove(text, **domains).status != "proved"


@pytest.mark.parametrize("name", ["factorial(n)", "factorial(n+2)", "binomial(2*n, n)", "binomial(2*n+1, n)"])
def test_a_step_leads_from_each_value_to_the_next(name):
    lemma = lemma_of(f"{name} > 0", (), {"n": "1, 2, ..."})
    (symbol,) = lemma.conclusion[0].symbols
    factor, more = step(KNOWN[symbol], "n", lemma.domains)
    assert more == Number(Fraction(0))
    values = [constant(at(Symbol(symbol), {"n": Number(Fraction(n))})) for n in range(1, 30)]
    own = {"factorial(n)": factorial, "factorial(n+2)": lambda n: factorial(n + 2)}
    own |= {"binomial(2*n, n)": lambda n: comb(2 * n, n), "binomial(2*n+1, n)": lambda n: comb(2 * n + 1, n)}
    assert values == [own[name](n) for n in range(1, 30)]
    for n, (now, later) in enumerate(pairwise(values), start=1):
        assert constant(substitute(factor, {"n": Number(Fraction(n))})) * now == later


def test_a_sum_that_may_be_shorter_than_empty_has_no_step():
    lemma = lemma_of("sum(i, i, 5, n) >= 0", (), {"n": "1, 2, ..."})
    (symbol,) = lemma.conclusion[0].symbols
    assert step(KNOWN[symbol], "n", lemma.domains) is None
    assert closed_form(symbol, lemma.domains) is None


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("binomial(n, k) = binomial(n, n - k)", "k <= n"),
        ("binomial(n + 1, k + 1) = binomial(n, k) + binomial(n, k + 1)", "k < n"),
        ("k*binomial(n, k) = n*binomial(n - 1, k - 1)", "k <= n"),
        ("binomial(n, k) <= 2^n", "k <= n"),
        ("factorial(n) = binomial(n, k)*factorial(k)*factorial(n - k)", "k <= n"),
        ("binomial(n, k) >= n/k", "k <= n"),
    ],
)
def test_facts_about_two_whole_numbers_in_order_are_proved_and_hold(text, given):
    assert panshuffle.prove(text, given, n="1, 2, ...", k="1, 2, ...").status == "proved"
    left, sign, right = re.split(" (=|<=|>=) ", text)
    for n, k in [(a, b) for a in range(1, 9) for b in range(1, a + (given == "k <= n"))]:
        scope = {"n": n, "k": k, "binomial": comb, "factorial": factorial}
        one, other = (eval(re.sub(r"\^", "**", side), scope) for side in (left, right))
        assert {"=": one == other, "<=": one <= other, ">=": one >= other}[sign]


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("binomial(n, k) = binomial(n, n - k + 1)", "k <= n"),
        ("binomial(n, k) <= 2^(n - 1) - 1", "k <= n"),
        ("binomial(n, k) > n/k", "k <= n"),
        ("factorial(n) >= binomial(n, k)*factorial(k)*factorial(n - k) + 1", "k <= n"),
        ("binomial(n + 1, k + 1) = binomial(n, k) + binomial(n, k + 1) + 1", "k < n"),
    ],
)
def test_false_facts_about_them_are_refuted(text, given):
    assert panshuffle.prove(text, given, n="1, 2, ...", k="1, 2, ...").status == "refuted"


def test_what_is_counted_at_numbers_is_a_number():
    two, five = Number(Fraction(2)), Number(Fraction(5))
    assert counted("binomial", [five, two]) == Number(Fraction(10))
    assert constant(counted("sum", [parse_term("i^2"), Symbol("i"), two, five])) == 54
    assert counted("sum", [parse_term("i"), Symbol("i"), five, two]) == Number(Fraction(0))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sum(i, 1, n) > 0", "sum is written sum(TERM, i, FIRST, LAST)"),
        ("sum(i, i, 1, 300) > 0", "with at most 200 terms"),
        ("factorial(1/2) > 0", "factorial is read of whole numbers"),
        ("binomial(n) > 0", "binomial is written binomial(n, k)"),
        ("sum(n, n, 1, n) > 0", "the index n of a sum can't be in its ends"),
        ("sum(i + j, i, 1, n) > 0", "the variable j has no domain"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(text, says):
    with pytest.raises(TermError, match=says.replace("(", r"\(").replace(")", r"\)")):
        lemma_of(text, (), {"n": "1, 2, ..."})
