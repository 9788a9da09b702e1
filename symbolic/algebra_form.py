"""The second algebra system: terms as fractions of sympy's polynomials over QQ, in generators with relations.

A generator is a variable, an integer, |f| for a polynomial f, exp(m) for a quotient m with one term above, or log|f|.
With T = c f^e g^d ... factored by sympy, T^q = |c|^q |f|^(e q) |g|^(d q) ... wherever T >= 0, and
log T = log|c| + e log|f| + d log|g| + ... wherever T > 0, whatever the signs of the factors; exp(a m + b n) is
exp(m)^a exp(n)^b.  A term's fraction has its value at every point where the term and all terms inside it are defined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import TypeAlias

import sympy
from panshuffle.symbolic.algebra_point import ARITHMETIC
from panshuffle.symbolic.algebra_sign import ABOVE_ZERO, NOT_NEGATIVE, Range, sign_of
from panshuffle.symbolic.term import Number, Symbol, Term, constant
from sympy import QQ
from sympy.polys.fields import FracElement, FracField, field
from sympy.polys.rings import PolyElement

MOST_TERMS = 2_000
MOST_FACTORED = 200
LARGEST_BITS = 100_000
LARGEST_PRIME = 10_000
LARGEST_DEGREE = 400
Expression: TypeAlias = sympy.Expr
Polynomial: TypeAlias = PolyElement
Values: TypeAlias = dict[Expression, tuple[FracElement, int]]


class NoForm(Exception):
    """A term that this system does not reduce, or not within its limits."""


@dataclass(frozen=True)
class Generator:
    """What a symbol stands for; `sign` is that of what is inside |f|, 0 where it is not known."""

    kind: str
    inner: Expression
    sign: int = 1


@dataclass(frozen=True)
class Quotient:
    """A fraction of polynomials in roots of generators: the i-th is symbols[i]^(1/roots[i])."""

    above: Polynomial
    below: Polynomial
    symbols: tuple[Expression, ...]
    roots: tuple[int, ...]

    def expression(self, polynomial: Polynomial) -> Expression:
        """A polynomial in these roots, as an expression in the generators."""
        return sympy.Add(*(self.monomial(powers, factor) for powers, factor in polynomial.terms()))

    def monomial(self, powers: tuple[int, ...], factor: Fraction) -> Expression:
        """A term of a polynomial as an expression in the generators."""
        parts = zip(self.symbols, powers, self.roots, strict=True)
        return sympy.Mul(QQ.to_sympy(factor), *(s ** sympy.Rational(power, root) for s, power, root in parts))


class System:
    """Reduces terms over variables whose ranges are known."""

    def __init__(self, ranges: Mapping[str, Range]) -> None:
        self.ranges = ranges
        self.symbols: dict[tuple[str, Expression], Expression] = {}
        self.generators: dict[Expression, Generator] = {}
        self.known: dict[Term, Expression] = {}

    def symbol(self, kind: str, inner: Expression, sign: int = 1) -> Expression:
        """The symbol of a generator; one that is not negative says so to sympy."""
        if (kind, inner) not in self.symbols:
            lower = self.ranges[inner].lower if kind == "variable" else None
            never_negative = kind not in ("variable", "log") or (lower is not None and lower >= 0)
            assumption = {"nonnegative": True} if never_negative else {"real": True}
            name = sympy.Symbol(f"g{len(self.symbols):05}", **assumption)
            self.symbols[kind, inner], self.generators[name] = name, Generator(kind, inner, sign)
        return self.symbols[kind, inner]

    def expression(self, term: Term) -> Expression:
        """The term as an expression in the generators.  *Raises* `NoForm`."""
        if term not in self.known:
            self.known[term] = self.fresh_expression(term)
        return self.known[term]

    def fresh_expression(self, term: Term) -> Expression:
        """The expression, computed."""
        if isinstance(term, Number):
            return sympy.Rational(*term.value.as_integer_ratio())
        if isinstance(term, Symbol):
            return self.symbol("variable", term.name)
        if term.operator == "^":
            return self.power(*term.arguments)
        first, *rest = map(self.expression, term.arguments)
        if term.operator == "exp":
            return self.exponential(first)
        if term.operator == "log":
            return self.logarithm(first)
        if term.operator == "sqrt":
            return self.root(first, sympy.Rational(1, 2))
        if term.operator == "/" and rest[0] == 0:
            raise NoForm("a divisor is 0")
        return ARITHMETIC[term.operator](first, rest[0])

    def power(self, base: Term, exponent: Term) -> Expression:
        """base^exponent: a whole power, a root, or exp(exponent log(base))."""
        value, inside = constant(exponent), self.expression(base)
        if value is None:
            return self.exponential(self.expression(exponent) * self.logarithm(inside))
        if value.denominator != 1:
            return self.root(inside, sympy.Rational(*value.as_integer_ratio()))
        return whole_power(inside, int(value))

    def root(self, base: Expression, exponent: Expression) -> Expression:
        """base^exponent for a base that is not negative."""
        if base == 0:
            return sympy.Integer(0)
        content, factors = self.factored(base)
        return sympy.Mul(
            self.number_power(abs(content), exponent), *(self.size_power(f, exponent * e) for f, e in factors)
        )

    def logarithm(self, inside: Expression) -> Expression:
        """log of what is positive."""
        if inside == 0:
            raise NoForm("the logarithm of 0")
        content, factors = self.factored(inside)
        numbers = (e * self.symbol("log", p) for p, e in prime_factors(abs(content)))
        return sympy.Add(*numbers, *(e * self.size_logarithm(f) for f, e in factors))

    def exponential(self, argument: Expression) -> Expression:
        """exp of a sum: whole terms, and terms over a polynomial, each the power of a generator."""
        quotient = self.quotient(argument)
        if not quotient.above:
            return sympy.Integer(1)
        content, below = quotient.below.primitive()
        (whole,), rest = quotient.above.div([below])
        result = sympy.Integer(1)
        for polynomial, divisor in ((whole, below.ring.one), (rest, below)):
            for powers, factor in polynomial.terms():
                upper, lower = below.ring({powers: QQ(1)}).cancel(divisor)
                number, key = (quotient.expression(upper) / quotient.expression(lower)).as_coeff_Mul()
                result *= self.generated_exponential(key, number * QQ.to_sympy(factor / content))
        return result

    def generated_exponential(self, key: Expression, times: Expression) -> Expression:
        """exp(times * key): a power of what is inside a logarithm, or of a generator."""
        generator = self.generators.get(key)
        if generator is None or generator.kind != "log":
            return self.symbol("exp", key) ** times
        inner = generator.inner
        return self.number_power(inner, times) if inner.is_Integer else self.size_power(inner, times)

    def number_power(self, number: Expression, exponent: Expression) -> Expression:
        """A power of a positive rational: roots of integers are generators."""
        if exponent.is_Integer:
            return whole_power(number, int(exponent))
        return sympy.Mul(*(self.symbol("integer", p) ** (e * exponent) for p, e in prime_factors(number)))

    def size_power(self, f: Expression, exponent: Expression) -> Expression:
        """|f|^exponent."""
        base, power = f.as_base_exp()
        if base.is_Symbol and base.is_nonnegative:
            return base ** (power * exponent)
        found = self.sign(f)
        if exponent.is_Integer and (found or exponent % 2 == 0):
            return whole_power(f if found in (">", ">=") or exponent % 2 == 0 else -f, int(exponent))
        sign = 0 if found is None else 1 if found in (">", ">=") else -1
        return self.symbol("size", f, sign) ** exponent

    def size_logarithm(self, f: Expression) -> Expression:
        """log|f|."""
        base, power = f.as_base_exp()
        generator = self.generators.get(base)
        if generator is None or generator.kind in ("variable", "log"):
            return self.symbol("log", f if generator is None else base) * (1 if generator is None else power)
        if generator.kind == "integer":
            return self.symbol("log", generator.inner) * power
        return (generator.inner if generator.kind == "exp" else self.size_logarithm(generator.inner)) * power

    def factored(self, expression: Expression) -> tuple[Expression, list[tuple[Expression, int]]]:
        """(c, [(f, e), ...]) with expression = c f^e ..., each f without a content and with a positive first term."""
        quotient = self.quotient(expression)
        content, factors = sympy.Integer(1), []
        for polynomial, side in ((quotient.above, 1), (quotient.below, -1)):
            if not polynomial:
                raise NoForm("0 has no factors")
            few = len(polynomial) <= MOST_FACTORED
            constant_factor, parts = polynomial.factor_list() if few else (QQ(1), [(polynomial, 1)])
            content *= QQ.to_sympy(constant_factor) ** side
            for part, multiplicity in parts:
                inner, plain = part.primitive()
                inner, plain = (inner, plain) if plain.LC > 0 else (-inner, -plain)
                content *= QQ.to_sympy(inner) ** (side * multiplicity)
                factors.append((quotient.expression(plain), side * multiplicity))
        return content, factors

    def quotient(self, expression: Expression) -> Quotient:
        """The fraction of an expression, the relations of its generators applied.  *Raises* `NoForm`."""
        symbols = sorted(self.below(expression), key=str)
        whole = [expression, *(self.generators[s].inner for s in symbols if self.generators[s].kind == "size")]
        roots = dict.fromkeys(symbols, 1)
        for power in (power for part in whole for power in part.atoms(sympy.Pow) if power.base in roots):
            roots[power.base] = lcm(roots[power.base], int(power.exp.q))
        _, *elements = field([symbol.name for symbol in symbols], QQ) if symbols else field("unused", QQ)
        values = {s: (e, roots[s]) for s, e in zip(symbols, elements, strict=False)}
        found = limited(fraction(expression, values, elements[0].field))
        above, below = (self.reduced(part, symbols, values) for part in (found.numer, found.denom))
        if not below:
            raise NoForm("a divisor is 0")
        above, below = above.cancel(below)
        fillers = () if symbols else (sympy.Integer(1),)
        return Quotient(above, below, (*symbols, *fillers), (*(roots[s] for s in symbols), *map(int, fillers)))

    def below(self, expression: Expression) -> set[Expression]:
        """The generators of an expression, and those of what is inside |f|."""
        found = set(expression.free_symbols)
        for symbol in list(found):
            if self.generators[symbol].kind == "size":
                found |= self.below(self.generators[symbol].inner)
        return found

    def reduced(self, polynomial: Polynomial, symbols: list[Expression], values: Values) -> Polynomial:
        """The remainder by p^(1/N)^N = p, |f|^(1/N)^N = f or -f, or |f|^(1/N)^(2 N) = f^2, inner generators last."""
        for index in reversed(range(len(symbols))):
            generator, root = self.generators[symbols[index]], values[symbols[index]][1]
            if generator.kind not in ("integer", "size"):
                continue
            inner = fraction(generator.inner, values, values[symbols[index]][0].field).numer
            degree, inner = (root, generator.sign * inner) if generator.sign else (2 * root, inner**2)
            polynomial = replaced(polynomial, index, degree, inner)
        return polynomial

    def sign(self, expression: Expression) -> str | None:
        """The relation to 0 that an expression has on the whole domain, if one is found."""
        if expression.is_Rational:
            return ">" if expression > 0 else "<" if expression < 0 else None
        content, factors = self.factored(expression)
        result: str | None = ">" if content > 0 else "<"
        for factor, exponent in factors:
            quotient = self.quotient(factor)
            ranges = [self.range(s, root) for s, root in zip(quotient.symbols, quotient.roots, strict=True)]
            result = product_sign(result, powered_sign(sign_of(quotient.above, ranges), exponent))
        return result

    def range(self, symbol: Expression, root: int) -> Range:
        """An interval for a root of a generator."""
        if symbol == 1:
            return Range(Fraction(1), Fraction(1))
        generator = self.generators[symbol]
        if generator.kind == "integer":
            low = Fraction(int(sympy.integer_nthroot(generator.inner * 1000**root, root)[0]), 1000)
            return Range(low, low + Fraction(1, 1000))
        inner = self.ranges[generator.inner] if generator.kind == "variable" else self.generated_range(generator)
        return inner if root == 1 else root_range(inner)

    def generated_range(self, generator: Generator) -> Range:
        """An interval for an exponential, a logarithm or a size, by the sign of what is inside."""
        inner = generator.inner
        if generator.kind == "size":
            return ABOVE_ZERO if self.sign(inner) in (">", "<") else NOT_NEGATIVE
        if generator.kind == "exp":
            return compared_range(self.sign(inner), Fraction(1), Fraction(0))
        if inner == 2:
            return Range(Fraction(69, 100), Fraction(7, 10))
        return compared_range(self.sign(inner - 1) if self.sign(inner) == ">" else None, Fraction(0), None)


def compared_range(relation: str | None, middle: Fraction, least: Fraction | None) -> Range:
    """An interval above `least` whose numbers are in a relation to its middle."""
    if relation in (">", ">="):
        return Range(middle, None, relation == ">")
    if relation in ("<", "<="):
        return Range(least, middle, True, relation == "<")
    return Range(least, None, True)


def root_range(inner: Range) -> Range:
    """An interval for a root of the numbers, which are not negative, of an interval."""
    if inner.lower is not None and inner.lower >= 1:
        return Range(Fraction(1), None, inner.lower_open)
    below_one = inner.upper is not None and inner.upper <= 1
    positive = inner.lower is not None and (inner.lower > 0 or inner.lower_open)
    return Range(Fraction(0), Fraction(1) if below_one else None, positive, below_one and inner.upper_open)


def product_sign(left: str | None, right: str | None) -> str | None:
    """The relation to 0 of a product."""
    if left is None or right is None:
        return None
    positive = (left[0] == ">") == (right[0] == ">")
    weak = "=" if "=" in left + right else ""
    return (">" if positive else "<") + weak


def powered_sign(relation: str | None, exponent: int) -> str | None:
    """The relation to 0 of a whole power of what has one."""
    if exponent % 2 == 0:
        return ">" if relation in (">", "<") else ">="
    return relation


def whole_power(base: Expression, exponent: int) -> Expression:
    """base^exponent.  *Raises* `NoForm` for 1/0 and for a number that is too long."""
    if base == 0 and exponent < 0:
        raise NoForm("a divisor is 0")
    if base.is_Rational and (abs(base.p).bit_length() + base.q.bit_length()) * abs(exponent) > LARGEST_BITS:
        raise NoForm("a number is too long")
    return base**exponent


def prime_factors(number: Expression) -> list[tuple[Expression, int]]:
    """The primes of a positive rational and their exponents; a large cofactor stays whole."""
    above, below = (sympy.factorint(part, limit=LARGEST_PRIME) for part in (number.p, number.q))
    found = [*above.items(), *((p, -e) for p, e in below.items())]
    return [(sympy.Integer(p), e) for p, e in found if p != 1]


def replaced(polynomial: Polynomial, index: int, degree: int, inner: Polynomial) -> Polynomial:
    """A polynomial with x^degree = inner for one generator x."""
    result = polynomial.ring.zero
    for powers, factor in polynomial.terms():
        often, left = divmod(powers[index], degree)
        rest = polynomial.ring({(*powers[:index], left, *powers[index + 1 :]): factor})
        result += rest * bounded_power(inner, often)
    return result


def fraction(expression: Expression, values: Values, over: FracField) -> FracElement:
    """An expression as an element of a field.  *Raises* `NoForm` where it has too many terms."""
    if expression.is_Rational:
        return over.ground_new(QQ(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        element, root = values[expression]
        return limited(element**root)
    if expression.is_Pow and expression.base.is_Symbol:
        element, root = values[expression.base]
        return limited(element ** int(expression.exp * root))
    if expression.is_Pow:
        inner, exponent = fraction(expression.base, values, over), int(expression.exp)
        upper, lower = (bounded_power(part, abs(exponent)) for part in (inner.numer, inner.denom))
        return over.new(upper, lower) if exponent >= 0 else over.new(lower, upper)
    total = fraction(expression.args[0], values, over)
    for argument in expression.args[1:]:
        other = fraction(argument, values, over)
        if max(len(total.numer), len(total.denom)) * max(len(other.numer), len(other.denom)) > MOST_TERMS**2:
            raise NoForm("the fraction has too many terms")
        total = total + other if expression.is_Add else total * other
        if len(total.numer) + len(total.denom) > MOST_TERMS:
            raise NoForm("the fraction has too many terms")
    return total


def bounded_power(polynomial: Polynomial, exponent: int) -> Polynomial:
    """A power.  *Raises* `NoForm` where it could have too many terms."""
    long = exponent > MOST_TERMS or comb(len(polynomial) - 1 + exponent, exponent) > MOST_TERMS
    if len(polynomial) > 1 and long:
        raise NoForm("a power has too many terms")
    parts = [abs(int(part)) for c in polynomial.coeffs() for part in (c.numerator, c.denominator)]
    longest = max(parts, default=1)
    if longest > 1 and longest.bit_length() * exponent > LARGEST_BITS:
        raise NoForm("a number is too long")
    return polynomial**exponent


def limited(element: FracElement) -> FracElement:
    """A fraction.  *Raises* `NoForm` where its degree is too large for gcds and factors."""
    if any(max(part.degrees(), default=0) > LARGEST_DEGREE for part in (element.numer, element.denom)):
        raise NoForm("the degree is too large")
    return element
