"""The second algebra system: sympy's own functions bring the difference of both sides of an equation to 0.

Nothing is shared with the first (`symbolic.identity`) but what a claim means: normal forms, values at points,
derivatives and moments are found in other ways.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from math import comb, prod

import sympy
from panshuffle.symbolic.claim import Claim, Domain, definitions
from panshuffle.symbolic.ranges import range_of
from panshuffle.symbolic.term import ONE, Apply, Number, Symbol, Term, substitute
from sympy.polys.polyerrors import BasePolynomialError

MOST_TERMS = 2_000
"""How many terms a numerator may have once it is multiplied out."""
MOST_FACTORED = 200
LARGEST_PRIME = 10_000
LARGEST_DEGREE = 400
LARGEST_BITS = 100_000
ROUNDS = 3
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
HOLDS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}


class NoForm(Exception):
    """A term that this system does not reduce, or not within its limits."""


FAILURES = (NoForm, RecursionError, ArithmeticError, BasePolynomialError, NotImplementedError)

# Terms as sympy's expressions, and back.


def to_sympy(term: Term, symbols: Mapping[str, sympy.Symbol] | None = None) -> sympy.Expr:
    """The term as a sympy expression; a variable is just a number, or the symbol that is given for it."""
    if isinstance(term, Number):
        return sympy.Rational(*term.value.as_integer_ratio())
    if isinstance(term, Symbol):
        return (symbols or {}).get(term.name) or sympy.Symbol(term.name)
    values = [to_sympy(argument, symbols) for argument in term.arguments]
    if term.operator in ("exp", "^") and (is_long(values[-1], LARGEST_BITS) or is_long_power(*values)):
        raise NoForm("an exponent is too large")
    if term.operator in ("exp", "log", "sqrt"):
        return getattr(sympy, term.operator)(values[0])
    return values[0] ** values[1] if term.operator == "^" else ARITHMETIC[term.operator](*values)


def is_long(expression: sympy.Expr, largest: int) -> bool:
    """Whether a rational in an expression is made of a number above the largest one."""
    return any(max(abs(number.p), number.q) > largest for number in expression.atoms(sympy.Rational))


def is_long_power(base: sympy.Expr, exponent: sympy.Expr = sympy.S.One) -> bool:
    """Whether a rational to a rational exponent has too many bits."""
    if not (base.is_Rational and exponent.is_Rational):
        return False
    return bool((abs(base.p).bit_length() + base.q.bit_length()) * abs(exponent.p) > LARGEST_BITS)


def from_sympy(expression: sympy.Expr) -> Term:
    """The term of a sympy expression.  *Raises* `NoForm` for a function that terms do not have."""
    if expression.is_Rational:
        return Number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return Symbol(expression.name)
    if expression is sympy.E:
        return Apply("exp", (ONE,))
    operator = {sympy.Add: "+", sympy.Mul: "*", sympy.Pow: "^", sympy.exp: "exp", sympy.log: "log"}.get(expression.func)
    if operator is None:
        raise NoForm(f"{expression} is not a term")
    parts = [from_sympy(part) for part in expression.args]
    return Apply(operator, (*parts,)) if len(parts) == 1 else reduce(lambda a, b: Apply(operator, (a, b)), parts)


def differentiated(term: Term, name: str) -> Term:
    """The derivative by sympy.

    >>> from panshuffle.symbolic.term import parse_term, text_of
    >>> text_of(differentiated(parse_term("x^3 + y"), "x"))
    '(3 * (x ^ 2))'
    """
    return from_sympy(sympy.diff(to_sympy(term), sympy.Symbol(name)))


# Equations: the numerator of the difference, multiplied out after exponents, roots and logarithms are taken apart.


def proves(claim: Claim) -> bool:
    """Whether both sides of every equation of a claim are equal wherever they are defined.

    >>> from panshuffle.symbolic.claim import claim
    >>> proves(claim("log(x^2 - 1) = log(x - 1) + log(x + 1)", x="(1, 2]"))
    True
    >>> proves(claim("sqrt(x^2) = x", x="[-1, 1]"))
    False
    """
    if not claim.conclusion or any(relation.relation != "=" for relation in claim.conclusion):
        return False
    try:
        system, meanings = System(claim.variables), list(definitions(claim))
        return all(
            system.vanishes(at_definitions(Apply("-", (one.left, one.right)), meanings)) for one in claim.conclusion
        )
    except FAILURES:
        return False


def at_definitions(term: Term, meanings: Iterable[tuple[str, Term]]) -> Term:
    """The term with variables that hypotheses define replaced."""
    for name, meaning in meanings:
        term = substitute(term, {name: meaning})
    return term


class System:
    """Reduces expressions over variables whose domains are known.

    A sum that is a positive base of a power is a symbol of its own there, to an exponent without a whole part.
    """

    def __init__(self, variables: Mapping[str, Domain]) -> None:
        self.variables = variables
        self.symbols = {name: assumed(name, domain) for name, domain in variables.items()}
        self.bases: dict[sympy.Expr, sympy.Symbol] = {}

    def vanishes(self, term: Term) -> bool:
        """Whether the numerator of a term is 0 once it is multiplied out.  *Raises* `NoForm` for a long one."""
        expression = to_sympy(term, self.symbols)
        for _ in range(ROUNDS):
            above, _ = sympy.fraction(sympy.together(self.reduced(expression)))
            expression = sympy.expand(self.restored(sympy.expand(limited(above, MOST_TERMS))))
            if expression == 0:
                return True
            expression = sympy.powsimp(expression)
        return False

    def reduced(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression with its powers, exponentials and logarithms taken apart, inner ones first."""
        if expression.is_Atom:
            return expression
        inner = [self.reduced(argument) for argument in expression.args]
        if expression.func is sympy.exp:
            return self.exponential(inner[0])
        if expression.func is sympy.log:
            return self.logarithm(inner[0])
        if expression.is_Pow and not inner[1].is_Integer:
            return self.power(*inner)
        return expression.func(*inner)

    def exponential(self, inner: sympy.Expr) -> sympy.Expr:
        """exp of a sum as a product; exp(c log(b)) as b^c."""
        found = []
        for part in sympy.Add.make_args(proper(inner)):
            logarithms = [factor for factor in sympy.Mul.make_args(part) if factor.func is sympy.log]
            one = logarithms[0] if len(logarithms) == 1 else None
            found.append(sympy.exp(part) if one is None else self.power(one.args[0], part / one))
        return sympy.Mul(*found)

    def logarithm(self, inner: sympy.Expr) -> sympy.Expr:
        """The logarithm of a product of positive factors as a sum."""
        rest, factors = self.factored(inner)
        found = [times * (1 if base is sympy.E else sympy.log(base)) for base, times in factors]
        return sympy.Add(*found, *([] if rest == 1 else [sympy.log(rest)]))

    def power(self, base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        """A power of a product of positive factors as a product."""
        if base == 0:
            return base**exponent
        rest, factors = self.factored(base)
        found = [self.single(inner, proper(times * exponent)) for inner, times in factors]
        return sympy.Mul(*found, rest**exponent)

    def single(self, base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        """A power of a positive factor; the whole part of its exponent is taken out of a power of a sum."""
        if base is sympy.E:
            return self.exponential(exponent)
        if not base.is_Add:
            return base**exponent
        name = self.bases.setdefault(base, sympy.Dummy(positive=True))
        parts = [self.restored(name**part) for part in sympy.Add.make_args(exponent)]
        return sympy.Mul(*parts)

    def restored(self, expression: sympy.Expr) -> sympy.Expr:
        """An expression with sums in place of the whole powers of their symbols."""
        for base, name in self.bases.items():
            expression = expression.replace(
                lambda part, name=name: part.as_base_exp()[0] == name and part.as_base_exp()[1].is_Rational,
                lambda part, base=base, name=name: (
                    base ** sympy.floor(part.as_base_exp()[1]) * name ** sympy.frac(part.as_base_exp()[1])
                ),
            )
        return expression

    def factored(self, expression: sympy.Expr) -> tuple[sympy.Expr, list[tuple[sympy.Expr, sympy.Expr]]]:
        """(rest, [(b, e), ...]) where the expression is rest * b^e * ... and every b is positive."""
        rest, found = sympy.Integer(1), []
        for part in sympy.Mul.make_args(sympy.factor(limited(sympy.together(expression)))):
            base, times = part.as_base_exp()
            if base.is_Rational and base > 0:
                found += [(prime, often * times) for prime, often in prime_factors(base)]
            elif self.is_positive(base):
                found.append((base, times))
            elif times.is_Integer and self.is_positive(-base):
                rest *= (-1) ** times
                found.append((-base, times))
            else:
                rest *= part
        return rest, found

    def is_positive(self, base: sympy.Expr) -> bool:
        """Whether a base is positive on the whole domain."""
        if base.is_positive:
            return True
        while base.free_symbols & {*self.bases.values()}:
            base = base.xreplace({name: inner for inner, name in self.bases.items()})
        return bool(base.is_Add) and range_of(from_sympy(base), self.variables).positive


def assumed(name: str, domain: Domain) -> sympy.Symbol:
    """A symbol of which sympy knows whether it is whole, and which sign its domain gives it."""
    low, high = (sympy.nan if end is None else to_sympy(end) for end in (domain.lower, domain.upper))
    facts = {"real": True, "integer": domain.integer or None}
    if low.is_positive or (low.is_zero and domain.lower_open):
        facts["positive"] = True
    elif low.is_nonnegative:
        facts["nonnegative"] = True
    elif high.is_negative or (high.is_zero and domain.upper_open):
        facts["negative"] = True
    return sympy.Symbol(name, **facts)


def proper(expression: sympy.Expr) -> sympy.Expr:
    """A fraction as a polynomial and fractions with one term above."""
    above, below = sympy.fraction(sympy.cancel(limited(sympy.together(expression))))
    if not below.free_symbols:
        return sympy.expand(above / below)
    whole, rest = sympy.div(above, below)
    return sympy.expand(whole) + sympy.Add(*(sympy.cancel(part / below) for part in sympy.Add.make_args(rest)))


def prime_factors(number: sympy.Rational) -> list[tuple[sympy.Integer, int]]:
    """The primes of a positive rational with their exponents; a large cofactor stays whole."""
    above, below = (sympy.factorint(part, limit=LARGEST_PRIME) for part in (number.p, number.q))
    found = [*above.items(), *((prime, -times) for prime, times in below.items())]
    return [(sympy.Integer(prime), times) for prime, times in found if prime != 1]


def limited(expression: sympy.Expr, most: int = MOST_FACTORED) -> sympy.Expr:
    """An expression.  *Raises* `NoForm` where it is too long to be multiplied out or for gcds and factors."""
    if any(bulk(part) > most for part in sympy.fraction(expression)):
        raise NoForm("an expression has too many terms")
    if any(is_long(part.as_base_exp()[1], LARGEST_DEGREE) for part in expression.atoms(sympy.Pow, sympy.exp)):
        raise NoForm("the degree is too large")
    return expression


def bulk(expression: sympy.Expr) -> int:
    """How many terms an expression has at most once it is multiplied out."""
    if expression.is_Add:
        return sum(map(bulk, expression.args))
    if expression.is_Mul:
        return prod(map(bulk, expression.args))
    if expression.is_Pow and expression.exp.is_Integer and expression.exp > 0:
        inner, times = bulk(expression.base), int(expression.exp)
        return comb(inner - 1 + times, times) if inner > 1 else 1
    return 1


# Claims at a rational point, by sympy's numbers: the second opinion on a counterexample.


def fails_at(claim: Claim, point: Mapping[str, Fraction], where_defined: bool = False) -> bool | None:
    """Whether the conclusion fails at a point that a claim admits; None if that is not settled.

    With `where_defined` a relation that is not defined at the point does not settle it either.
    """
    values = {name: Number(value) for name, value in point.items()}
    settled: bool | None = False
    for relation in claim.conclusion:
        for one in (*reversed(relation.conditions()), relation):  # what is inside has to be defined first
            try:
                gap = to_sympy(substitute(Apply("-", (one.left, one.right)), values))
                holds = sign(gap) in HOLDS[one.relation]
            except FAILURES:
                settled = None
                break
            if not holds and (one is relation or not where_defined):
                return True
            if not holds:
                settled = None
                break
    return settled


def sign(number: sympy.Expr) -> int:
    """The sign of a sympy number.  *Raises* `NoForm` where sympy does not find it."""
    if number.is_zero:
        return 0
    if number.is_positive or number.is_negative:
        return 1 if number.is_positive else -1
    raise NoForm("the sign of a number is not found")
