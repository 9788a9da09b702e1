"""Randomized response, and the geometric mechanism, which comes down to it: two outcomes, two ratios."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from flint import arb, ctx

from crosscheck.court.family import Bounds, Family
from crosscheck.court.question import Question
from exact.curves.composition import composed_delta
from exact.curves.curve import Curve
from exact.errors import ParameterError
from exact.laws.families import law_of_bernoulli
from exact.numbers.certified import largest
from exact.numbers.real import Real, exp

BITS = 256


def lie(question: Question) -> Real:
    """The probability of the less likely outcome: p itself, or s/(1+s) with s = e^-a."""
    if question.family == "randomized-response":
        return question.exact("p")
    s = exp(-question.exact("a"))
    return s / (1 + s)


def curve(question: Question) -> Curve:
    """The certified curve: the sum over the types of k outcomes."""
    p, k = lie(question), question.k
    upper, lower = law_of_bernoulli(1 - p), law_of_bernoulli(p)

    def ball(exp_eps: Real, precision: int) -> arb:
        return composed_delta(upper, lower, k, exp_eps, Fraction(1, 1 << precision))

    pure = ((1 - p) / p) ** k if question.family == "randomized-response" else exp(question.exact("a") * k)
    return Curve(ball, None, pure)


def second(question: Question, exp_eps: Real) -> Bounds:
    """P[Bin(k, 1-p) >= c] - E P[Bin(k, p) >= c] by incomplete beta functions, at the best c."""
    p, k = lie(question), question.k
    cut = (k + float(exp_eps.ball(64).log()) / log((1 - float(p)) / float(p))) / 2
    with ctx.workprec(BITS + 4 * k.bit_length()):
        lies, factor = p.ball_here(), exp_eps.ball_here()
        near = range(max(ceil(cut) - 1, 0), min(ceil(cut) + 2, k + 1) + 1)
        return Bounds.of(largest([tail(k, 1 - lies, c) - factor * tail(k, lies, c) for c in near]))


def tail(k: int, p: arb, c: int) -> arb:
    """P[Bin(k, p) >= c], the regularized incomplete beta function at p."""
    if c <= 0:
        return arb(1)
    return p.beta_lower(c, k - c + 1, regularized=True) if c <= k else arb(0)


def check(question: Question) -> None:
    """*Raises* `ParameterError` unless p is below 1/2."""
    if not question["p"] < 0.5:
        raise ParameterError("p", question["p"], "a double strictly between 0 and 1/2")


FIRST = "the sum over the types of k outcomes, in balls"
SECOND = "two binomial tails as incomplete beta functions of Arb"
FOUND = {
    "randomized-response": Family(
        "randomized-response",
        "a bit that is reported wrongly with probability p, k bits",
        {"p": 0.0},
        curve,
        second,
        FIRST,
        SECOND,
        10_000,
        check,
    ),
    "geometric": Family(
        "geometric",
        "noise with mass in proportion to e^(-a|v|) on the integers, sensitivity 1: the ratio is e^a up to 0 and e^-a "
        "from 1 on, so it is randomized response with p = 1/(1+e^a)",
        {"a": 0.0},
        curve,
        second,
        FIRST,
        SECOND,
        10_000,
    ),
}
