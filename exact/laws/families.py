"""The laws that the paper's protocols are made of."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from flint import arb, ctx
from panshuffle.exact.laws.law import Law, Masses, enclosed_law, rational_law
from panshuffle.exact.laws.noise import BinomialLaw, poisson_masses, walk
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.parameters import check_between, check_bit, check_count, check_positive


def law_of_bernoulli(p: Real) -> Law:
    """Ber(p)."""
    return law_of_binomial(1, p)


def law_of_binomial(n: int, p: Real, enclosed: bool = False) -> Law:
    """Bin(n, p): exact for rational p, unless it is asked for as enclosed.

    >>> from panshuffle.exact.numbers.real import real
    >>> law_of_binomial(2, real("1/3")).mass(2)
    Fraction(1, 9)
    """
    check_count("n", n, least=0)
    check_between("p", p, Fraction(0), Fraction(1))
    q = p.fraction
    if q is not None and not (enclosed and 0 < q < 1):
        return rational_law({x: comb(n, x) * q**x * (1 - q) ** (n - x) for x in range(n + 1)})

    def enclose(precision: int) -> Masses:
        with ctx.workprec(precision + n.bit_length()):
            success, failure = p.ball_here(), (1 - p).ball_here()
            if failure > 0:
                return Masses(dict(enumerate(walk(BinomialLaw(n, success, failure), 0, 1))), arb(0))
            powers = {x: arb.bin_uiui(n, x) * success**x * failure ** (n - x) for x in range(n + 1)}
            return Masses(powers, arb(0))

    return enclosed_law(enclose)


def law_of_poisson(mu: Real) -> Law:
    """Pois(mu), with an enclosed tail."""
    check_positive("mu", mu)

    def enclose(precision: int) -> Masses:
        masses, tail = poisson_masses(mu, precision)
        return Masses(dict(enumerate(masses)), tail)

    return enclosed_law(enclose)


def law_of_shares(u: int, m: int) -> Law:
    """The number of ones among m bits that are uniform with sum u mod 2.

    >>> law_of_shares(1, 3).exact
    mappingproxy({1: Fraction(3, 4), 3: Fraction(1, 4)})
    """
    check_bit(u, "u")
    check_count("m", m)
    return rational_law({x: Fraction(comb(m, x), 2 ** (m - 1)) for x in range(u, m + 1, 2)})
