"""Moments by the second algebra system: derivatives at 0 of E[e^(tX)], where symbolic/moments.py has factorial moments.

E[e^(tX)] is (1 - p + p e^t)^n for Bin(n, p), by the binomial theorem, and exp(mu (e^t - 1)) for Pois(mu), by the series
of exp; E[X^r] is its r-th derivative at t = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import sympy
from panshuffle.symbolic.algebra import from_sympy, to_sympy
from panshuffle.symbolic.algebra_form import NoForm
from panshuffle.symbolic.moments import Law
from panshuffle.symbolic.term import Term, parse_term

HIGHEST_ORDER = 12
T, N, P, MU = sympy.symbols("t n p mu")
TRANSFORMS = {"Binomial": (1 - P + P * sympy.exp(T)) ** N, "Poisson": sympy.exp(MU * (sympy.exp(T) - 1))}
PARAMETERS = {"n": N, "p": P, "mu": MU}


@cache
def raw_moment(law: str, order: int) -> sympy.Expr:
    """E[X^order] in the parameters of a law.

    >>> raw_moment("Binomial", 2), raw_moment("Poisson", 3)
    (n**2*p**2 - n*p**2 + n*p, mu**3 + 3*mu**2 + mu)
    """
    if order > HIGHEST_ORDER:
        raise NoForm(f"a moment of order {order} is too high: at most {HIGHEST_ORDER}")
    return sympy.expand(sympy.diff(TRANSFORMS[law], T, order).subs(T, 0))


def mean(polynomial: Term, laws: Mapping[str, Law]) -> Term:
    """E of a polynomial in random variables; a law's parameters contain only later ones.

    >>> from panshuffle.symbolic.moments import Poisson
    >>> from panshuffle.symbolic.term import text_of
    >>> text_of(mean(parse_term("X^2 - X"), {"X": Poisson("m")}))
    '(m ^ 2)'
    """
    expression = to_sympy(polynomial)
    for name, law in laws.items():
        values = {PARAMETERS[parameter]: to_sympy(parse_term(text)) for parameter, text in vars(law).items()}
        powers = sympy.Poly(expression, sympy.Symbol(name)).terms()
        moments = [raw_moment(type(law).__name__, order).subs(values, simultaneous=True) for (order,), _ in powers]
        expression = sympy.Add(*(factor * moment for (_, factor), moment in zip(powers, moments, strict=True)))
    return from_sympy(sympy.expand(expression))
