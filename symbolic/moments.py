"""Exact moments of polynomials in binomial and Poisson variables, as polynomials in the parameters.

A random variable's parameters may contain the random variables after it: Bin(L, 1/2) with L ~ Pois(lam) is a mixture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial, reduce

import sympy
from panshuffle.symbolic.algebra import NoForm, from_sympy, to_sympy
from panshuffle.symbolic.claim import (
    Claim,
    Domain,
    Relation,
    check_declared,
    definedness,
    parse_domain,
    parse_relations,
)
from panshuffle.symbolic.decision import Budget, Decision, Status
from panshuffle.symbolic.form import Unfit, polynomial
from panshuffle.symbolic.identity import ONE_SYSTEM, UNITS, Former, check_identity, discharged
from panshuffle.symbolic.ranges import is_whole
from panshuffle.symbolic.term import ONE, ZERO, Apply, Number, Symbol, Term, TermError, parse_term, plus, symbols, times

HIGHEST_ORDER = 40
VALUE = "value"
COUNTS = Domain(ZERO, None, upper_open=True, integer=True)


@dataclass(frozen=True)
class Binomial:
    """Bin(n, p): successes in n independent trials, n a whole number >= 0 and p in [0, 1]."""

    n: str
    p: str

    def factorial_moment(self, order: int) -> Term:
        """E[X(X-1)...(X-r+1)] = n(n-1)...(n-r+1) p^r.

        It is the mean number of ordered r-tuples of different trials that are all successes: there are
        n(n-1)...(n-r+1) such tuples, and each has r successes with probability p^r.
        """
        n = parse_term(self.n)
        factors: list[Term] = [Apply("-", (n, Number(Fraction(i)))) for i in range(order)]
        return product([*factors, Apply("^", (parse_term(self.p), Number(Fraction(order))))])


@dataclass(frozen=True)
class Poisson:
    """Pois(mu), mu >= 0."""

    mu: str

    def factorial_moment(self, order: int) -> Term:
        """E[X(X-1)...(X-r+1)] = mu^r.

        It is the sum over x >= r of e^-mu mu^x / (x - r)!, which is mu^r e^-mu times the series of e^mu.
        """
        return Apply("^", (parse_term(self.mu), Number(Fraction(order))))


Law = Binomial | Poisson
Average = Callable[[Term, Mapping[str, Law]], Term]
LAWS: dict[str, tuple[type[Binomial] | type[Poisson], int]] = {"Bin": (Binomial, 2), "Pois": (Poisson, 1)}
LAW = re.compile(r"\s*(\w+)\s*\((.*)\)\s*")


def parse_law(text: str) -> Law:
    """The law that a text such as "Bin(n, 1/2)" or "Pois(mu)" denotes.  *Raises* `TermError` for any other.

    >>> parse_law("Geometric(m)")
    Traceback (most recent call last):
    panshuffle.symbolic.term.TermError: 'Geometric(m)' is not a law: write Bin(n, p) or Pois(mu)
    """
    match = LAW.fullmatch(text)
    arguments = [part.strip() for part in match[2].split(",")] if match else []
    kind, arity = LAWS.get(match[1], (Poisson, -1)) if match else (Poisson, -1)
    if len(arguments) != arity:
        raise TermError(f"{text!r} is not a law: write Bin(n, p) or Pois(mu)")
    for argument in arguments:
        parse_term(argument)
    return kind(*arguments)


@cache
def stirling(power: int, order: int) -> int:
    """The number of x(x-1)...(x-order+1) in x^power (Stirling's number of the second kind).

    >>> [stirling(4, order) for order in range(5)]
    [0, 1, 7, 6, 1]
    """
    if power == 0 or order == 0:
        return int(power == order)
    return order * stirling(power - 1, order) + stirling(power - 1, order - 1)


def raw_moment(law: Law, power: int) -> Term:
    """E[X^power], from the factorial moments."""
    if power > HIGHEST_ORDER:
        raise TermError(f"a moment of order {power} is too high: at most {HIGHEST_ORDER}")
    terms: list[Term] = [
        Apply("*", (Number(Fraction(stirling(power, order))), law.factorial_moment(order)))
        for order in range(power + 1)
        if stirling(power, order)
    ]
    return total(terms)


def mean(polynomial: str | Term, laws: Mapping[str, Law]) -> Term:
    """E of a polynomial in independent random variables, as a polynomial in the parameters.

    *Holds when* a law's parameters contain only later random variables (checked), given which it is independent of
    the others (caller).

    >>> from panshuffle.symbolic.term import text_of
    >>> text_of(mean("X^2 - X", {"X": Poisson("m")}))
    '(m ^ 2)'
    """
    term = parse_term(polynomial) if isinstance(polynomial, str) else polynomial
    names = list(laws)
    for number, (name, law) in enumerate(laws.items()):
        used = frozenset().union(*(symbols(parse_term(text)) for text in vars(law).values()))
        if used & set(names[: number + 1]):
            raise TermError(f"the law of {name} has parameters that are not later random variables")
        term = averaged(term, name, law)
    return term


def averaged(term: Term, name: str, law: Law) -> Term:
    """The expectation over one variable."""
    pieces: list[Term] = []
    for exponents, coefficient in expanded(term):
        power = exponents.pop(name, Fraction(0))
        if power.denominator != 1 or power < 0:
            raise TermError(f"{name}^{power} is not a polynomial in {name}")
        powers = [powered(other, exponent) for other, exponent in sorted(exponents.items())]
        pieces.append(product([Number(coefficient), *powers, raw_moment(law, int(power))]))
    return collected(total(pieces))


def powered(name: str, exponent: Fraction) -> Term:
    """A power of a variable."""
    return Symbol(name) if exponent == 1 else Apply("^", (Symbol(name), Number(exponent)))


def expanded(term: Term) -> list[tuple[dict[str, Fraction], Fraction]]:
    """A term that is a polynomial (divided by monomials, at most) multiplied out.  *Raises* `TermError`."""
    anywhere = {name: Domain(None, None) for name in sorted(symbols(term))}
    form = Former(anywhere, Budget(UNITS)).form(term)
    try:
        return polynomial(form)
    except Unfit:
        raise TermError("a moment is of a polynomial in the random variables and the parameters") from None


def collected(term: Term) -> Term:
    """A polynomial as the sum of its monomials, in a fixed order."""
    pieces: list[Term] = []
    for powers, coefficient in sorted((sorted(powers.items()), coefficient) for powers, coefficient in expanded(term)):
        factors = [powered(name, exponent) for name, exponent in powers]
        pieces.append(product([Number(coefficient), *factors]))
    return total(pieces)


def total(terms: list[Term]) -> Term:
    """The sum of terms."""
    return reduce(plus, terms) if terms else ZERO


def product(terms: list[Term]) -> Term:
    """The product of terms."""
    return reduce(times, terms)


# The second way: derivatives at 0 of E[e^(tX)], by sympy.
#
# It is (1 - p + p e^t)^n for Bin(n, p), by the binomial theorem, and exp(mu (e^t - 1)) for Pois(mu), by the series of
# exp; E[X^r] is its r-th derivative at t = 0.

HIGHEST_DERIVATIVE = 12
T, N, P, MU = sympy.symbols("t n p mu")
TRANSFORMS = {"Binomial": (1 - P + P * sympy.exp(T)) ** N, "Poisson": sympy.exp(MU * (sympy.exp(T) - 1))}
PARAMETERS = {"n": N, "p": P, "mu": MU}


@cache
def transformed_moment(law: str, order: int) -> sympy.Expr:
    """E[X^order] in the parameters of a law.

    >>> transformed_moment("Binomial", 2), transformed_moment("Poisson", 3)
    (n**2*p**2 - n*p**2 + n*p, mu**3 + 3*mu**2 + mu)
    """
    if order > HIGHEST_DERIVATIVE:
        raise NoForm(f"a moment of order {order} is too high: at most {HIGHEST_DERIVATIVE}")
    return sympy.expand(sympy.diff(TRANSFORMS[law], T, order).subs(T, 0))


def mean_by_sympy(polynomial: Term, laws: Mapping[str, Law]) -> Term:
    """As `mean`, of laws whose parameters contain only later random variables.

    >>> from panshuffle.symbolic.term import text_of
    >>> text_of(mean_by_sympy(parse_term("X^2 - X"), {"X": Poisson("m")}))
    '(m ^ 2)'
    """
    expression = to_sympy(polynomial)
    for name, law in laws.items():
        values = {PARAMETERS[parameter]: to_sympy(parse_term(text)) for parameter, text in vars(law).items()}
        powers = sympy.Poly(expression, sympy.Symbol(name)).terms()
        moments = [
            transformed_moment(type(law).__name__, order).subs(values, simultaneous=True) for (order,), _ in powers
        ]
        expression = sympy.Add(*(factor * moment for (_, factor), moment in zip(powers, moments, strict=True)))
    return from_sympy(sympy.expand(expression))


# The claim that a printed moment is right.


def spread(term: Term, laws: Mapping[str, Law], average: Average) -> Term:
    """The mean of the square minus the square of the mean."""
    centre = average(term, laws)
    return Apply("-", (average(Apply("*", (term, term)), laws), Apply("*", (centre, centre))))


def moment_claim(
    printed: str,
    laws: Mapping[str, Law],
    mean_of: str = "",
    variance_of: str = "",
    average: Average | None = None,
    **domains: str,
) -> Claim:
    """The claim that a printed relation in `value` holds, where value is the mean or the variance of a polynomial.

    *Raises* `TermError` where a law may have impossible parameters.  A number of trials ranges over whole numbers.

    >>> str(moment_claim("value = m", {"X": Poisson("m")}, mean_of="X", m="[0, inf)").conclusion[0])
    'm = m'
    """
    if bool(mean_of) == bool(variance_of):
        raise TermError("a moment is either the mean or the variance of something")
    variables = {name: parse_domain(text) for name, text in domains.items()}
    check_names(printed, laws, variables)
    trials = {law.n.strip() for law in laws.values() if isinstance(law, Binomial)}
    variables |= {name: replace(domain, integer=True) for name, domain in variables.items() if name in trials}
    for name, law in laws.items():
        check_law(name, law, {**variables, **dict.fromkeys(laws, COUNTS)})
    term, average = parse_term(mean_of or variance_of), average or mean
    value = average(term, laws) if mean_of else spread(term, laws, average)
    relations = [relation.at({VALUE: value}) for relation in parse_relations(printed)]
    texts = [mean_of or variance_of, *(text for law in laws.values() for text in vars(law).values())]
    relations += [divisible(condition, laws) for text in texts for condition in definedness(parse_term(text))]
    check_declared(frozenset().union(*(relation.symbols for relation in relations)), variables)
    return Claim(variables, (), tuple(relations))


def check_names(printed: str, laws: Mapping[str, Law], variables: Mapping[str, Domain]) -> None:
    """*Raises* `TermError` for a name that is to mean two things, and for a relation that is not about the value."""
    for name in sorted(set(laws) & set(variables)):
        raise TermError(f"{name} is a random variable and a parameter")
    if VALUE in {*laws, *variables}:
        raise TermError(f"the name {VALUE} is taken: it stands for the moment")
    if not any(VALUE in relation.symbols for relation in parse_relations(printed)):
        raise TermError(f"{printed!r} does not speak of the {VALUE}, which is the moment")


def check_law(name: str, law: Law, variables: Mapping[str, Domain]) -> None:
    """*Raises* `TermError` unless a law is one for all values of its parameters, random ones included."""
    for text in vars(law).values():
        check_declared(symbols(parse_term(text)), variables)
    if isinstance(law, Poisson):
        if not never_negative(parse_term(law.mu), variables):
            raise TermError(f"{name} has no law: the mean {law.mu} is not known to be at least 0")
        return
    n, p = parse_term(law.n), parse_term(law.p)
    if not is_whole(n, variables) or not never_negative(n, variables):
        raise TermError(f"{name} has no law: {law.n} is not known to be a whole number from 0 on")
    rest = Apply("-", (ONE, p))
    if not never_negative(p, variables) or not never_negative(rest, variables):
        raise TermError(f"{name} has no law: the probability {law.p} is not known to be in [0, 1]")


def never_negative(term: Term, variables: Mapping[str, Domain]) -> bool:
    """Whether a term is surely at least 0."""
    return discharged(Relation(term, ">=", ZERO), (), Former(variables, Budget(UNITS)))


def divisible(condition: Relation, laws: Mapping[str, Law]) -> Relation:
    """An equation that says that a divisor, which cancels when the moment is expanded, is not 0: 0 * (1 / d) = 0."""
    if condition.relation != "!=" or symbols(condition.left) & set(laws):
        raise TermError("a moment is of a polynomial in the random variables and the parameters")
    return Relation(Apply("*", (ZERO, Apply("/", (ONE, condition.left)))), "=", ZERO)


def check_moment(
    printed: str,
    laws: Mapping[str, Law],
    mean_of: str = "",
    variance_of: str = "",
    **domains: str,
) -> Decision:
    """Whether a printed formula, an equation in `value`, is the exact mean or variance, refuted with parameters.

    >>> check_moment("value = mu", {"X": Poisson("mu")}, variance_of="X", mu="[0, inf)").status
    <Status.PROVED: 'proved'>
    """
    try:
        claim = moment_claim(printed, laws, mean_of, variance_of, None, **domains)
    except (Unfit, RecursionError):
        return Decision(Status.UNDECIDED, ONE_SYSTEM)
    second = partial(moment_claim, printed, laws, mean_of, variance_of, mean_by_sympy, **domains)
    return check_identity(claim, second=second)
