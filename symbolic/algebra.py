"""The second algebra system: an equation holds on a domain because sympy reduces its difference to 0.

Nothing is shared with the first (`symbolic.identity`) but what a claim means: fractions, signs, values at points,
derivatives and moments are found in other ways.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from math import comb, lcm, prod
from typing import TypeAlias

import sympy
from flint import arb, ctx, fmpq
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.moments import Law
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, parse_term, substitute, symbols
from sympy import QQ
from sympy.polys.fields import FracElement, FracField, field
from sympy.polys.polyerrors import BasePolynomialError
from sympy.polys.rings import PolyElement, ring

# Signs of sympy polynomials: measured from the ends of the generators' ranges, all coefficients have one sign.
#
# A generator x in [a, inf) is a + t with t >= 0; x in (-inf, b] is b - t; x in [a, b] is a v + b u with u, v >= 0 and
# u + v = 1, by which every monomial is brought to the same degree.  Then a sum of terms of one sign has that sign.

MOST_TERMS_OF_A_SIGN = 4_000


@dataclass(frozen=True)
class Range:
    """An interval of the reals; None is an infinite end."""

    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = False
    upper_open: bool = False


ABOVE_ZERO = Range(Fraction(0), lower_open=True)
NOT_NEGATIVE = Range(Fraction(0))
OPPOSITE = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


def sign_of(polynomial: PolyElement, ranges: Sequence[Range]) -> str | None:
    """The relation (>, >=, < or <=) to 0 that a polynomial has for all values in the ranges, if one is found.

    >>> _, x = ring("x", QQ)
    >>> sign_of(x**2 - x + 1, [Range(Fraction(1))]), sign_of(1 - x, [Range(Fraction(0), Fraction(1))])
    ('>', '>=')
    """
    terms = shifted(polynomial, ranges)
    free = [2 * i for i, inner in enumerate(ranges) if inner.lower is None and inner.upper is None]
    if not terms or any(monomial[i] % 2 for monomial in terms for i in free):
        return None
    positive = {coefficient > 0 for coefficient in terms.values()}
    if len(positive) > 1:
        return None
    strict = all(any(not any(monomial[i] for i in zeros) for monomial in terms) for zeros in vanishing(ranges))
    found = ">" if strict else ">="
    return found if True in positive else OPPOSITE[found]


def shifted(polynomial: PolyElement, ranges: Sequence[Range]) -> PolyElement | None:
    """The polynomial in two new generators for each old one, which are not negative, or only the first is used."""
    degrees = [max(0, degree) for degree in polynomial.degrees()]
    if prod(degree + 1 for degree in degrees) > MOST_TERMS_OF_A_SIGN:
        return None
    new, *steps = ring([f"t{i}" for i in range(2 * len(ranges))], QQ)
    total = new.zero
    for monomial, coefficient in polynomial.terms():
        part = new.ground_new(coefficient)
        for i, (power, degree, inner) in enumerate(zip(monomial, degrees, ranges, strict=True)):
            part *= moved(inner, steps[2 * i], steps[2 * i + 1], power, degree)
        total += part
    return total


def moved(inner: Range, first: PolyElement, second: PolyElement, power: int, degree: int) -> PolyElement:
    """A power of a generator, measured from the ends of its range."""
    lower, upper = (None if end is None else QQ(*end.as_integer_ratio()) for end in (inner.lower, inner.upper))
    if lower is not None and upper is not None:
        return (lower * second + upper * first) ** power * (first + second) ** (degree - power)
    if lower is not None:
        return (first + lower) ** power
    return (upper - first) ** power if upper is not None else first**power


def vanishing(ranges: Sequence[Range]) -> Iterator[set[int]]:
    """The largest sets of new generators that can be 0 at the same point."""
    always: set[int] = set()
    choices: list[list[set[int]]] = []
    for i, inner in enumerate(ranges):
        if inner.lower is not None and inner.upper is not None:
            ends = [({2 * i}, inner.lower_open), ({2 * i + 1}, inner.upper_open)]
            choices.append([zeros for zeros, is_open in ends if not is_open] or [set()])
        elif not (inner.lower is not None and inner.lower_open) and not (inner.upper is not None and inner.upper_open):
            always.add(2 * i)
    for chosen in product(*choices):
        yield always.union(*chosen)


# Claims at a rational point, by sympy's exact numbers: the second opinion on a counterexample.
#
# A number that is not rational is kept as an expression; its sign is found in balls.

PRECISIONS = (64, 256, 1024)
LARGEST_BITS = 100_000
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
HOLDS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}


class Undefined(Exception):
    """A term that is surely not defined at the point."""


class Unsettled(Exception):
    """A sign that no precision settles."""


def value_at(term: Term, point: Mapping[str, Fraction]) -> sympy.Expr:
    """The value as a sympy number.  *Raises* `Undefined` and `Unsettled`."""
    if isinstance(term, Number):
        return rational(term.value)
    if isinstance(term, Symbol):
        return rational(point[term.name])
    values = [value_at(argument, point) for argument in term.arguments]
    if term.operator in ("exp", "log", "sqrt"):
        return function_at(term.operator, values[0])
    left, right = values
    if term.operator == "^":
        return power_at(left, right, constant(term.arguments[1]))
    if term.operator == "/" and sign(right) == 0:
        raise Undefined
    return ARITHMETIC[term.operator](left, right)


def function_at(name: str, argument: sympy.Expr) -> sympy.Expr:
    """exp, log or sqrt of a number."""
    least = {"log": 1, "sqrt": 0}.get(name)
    if least is not None and sign(argument) < least:
        raise Undefined
    if any(max(abs(number.p), number.q) > LARGEST_BITS for number in argument.atoms(sympy.Rational)) and name == "exp":
        raise Unsettled
    return getattr(sympy, name)(argument)


def power_at(base: sympy.Expr, exponent: sympy.Expr, written: Fraction | None) -> sympy.Expr:
    """base^exponent; what is allowed depends on whether the exponent is written as a number."""
    whole = written is not None and written.denominator == 1
    least = 0 if written is not None and written > 0 else 1
    if not whole and sign(base) < least:
        raise Undefined
    if written is not None and whole and written < 0 and sign(base) == 0:
        raise Undefined
    if exponent.is_Rational:
        size = (abs(base.p).bit_length() + base.q.bit_length() if base.is_Rational else 1) * abs(exponent.p)
        if size > LARGEST_BITS or exponent.q > LARGEST_BITS:
            raise Unsettled
    return base**exponent


def rational(value: Fraction) -> sympy.Rational:
    """A rational as sympy's."""
    return sympy.Rational(*value.as_integer_ratio())


def sign(number: sympy.Expr) -> int:
    """The sign of a sympy number.  *Raises* `Unsettled`."""
    if number.is_Rational:
        return (int(number.p) > 0) - (int(number.p) < 0)
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            ball = ball_of(number)
        if ball.is_finite() and (ball > 0 or ball < 0):
            return 1 if ball > 0 else -1
    raise Unsettled


def ball_of(number: sympy.Expr) -> arb:
    """An enclosure of a sympy number.  *Raises* `Unsettled` for a number of another kind."""
    if number.is_Rational:
        return arb(fmpq(int(number.p), int(number.q)))
    if number.is_Add or number.is_Mul:
        balls = map(ball_of, number.args)
        return sum(balls, arb(0)) if number.is_Add else prod(balls, start=arb(1))
    if number is sympy.E or number.func is sympy.exp:
        return ball_of(sympy.Integer(1) if number is sympy.E else number.args[0]).exp()
    if number.func is sympy.log:
        return ball_of(number.args[0]).log()
    if not number.is_Pow:
        raise Unsettled
    base, exponent = number.args
    whole = exponent.is_Integer and abs(exponent) <= LARGEST_BITS
    return ball_of(base) ** int(exponent) if whole else (ball_of(exponent) * ball_of(base).log()).exp()


def holds(relation: Relation, point: Mapping[str, Fraction]) -> bool:
    """Whether a relation holds at a point, its terms defined.  *Raises* `Unsettled`."""
    try:
        difference = value_at(relation.left, point) - value_at(relation.right, point)
    except Undefined:
        return False
    return sign(difference) in HOLDS[relation.relation]


def inside(value: Fraction, domain: Domain) -> bool:
    """Whether a rational is in a domain.  *Raises* `Unsettled`."""
    if domain.integer and value.denominator != 1:
        return False
    ends = ((domain.lower, ">" if domain.lower_open else ">="), (domain.upper, "<" if domain.upper_open else "<="))
    return all(end is None or holds(Relation(Number(value), relation, end), {}) for end, relation in ends)


def admitted(claim: Claim, point: Mapping[str, Fraction]) -> bool:
    """Whether a point is surely in the domains and fulfils what is given."""
    try:
        within = all(inside(point[name], domain) for name, domain in claim.variables.items())
        return within and all(holds(relation, point) for relation in claim.given)
    except Unsettled:
        return False


def holds_at(claim: Claim, point: Mapping[str, Fraction], where_defined: bool = False) -> bool | None:
    """Whether the conclusion holds at a point that the claim admits; None if it does not, or if it is not settled.

    With `where_defined` a relation that is not defined at the point does not settle it either.
    """
    if not admitted(claim, point):
        return None
    settled: bool | None = True
    for relation in claim.conclusion:
        try:
            if not holds(relation, point):
                if not where_defined or is_defined(relation, point):
                    return False
                settled = None
        except Unsettled:
            settled = None
    return settled


def is_defined(relation: Relation, point: Mapping[str, Fraction]) -> bool:
    """Whether both sides are defined at a point.  *Raises* `Unsettled`."""
    try:
        return all(value_at(side, point) is not None for side in (relation.left, relation.right))
    except Undefined:
        return False


# The second algebra system: terms as fractions of sympy's polynomials over QQ, in generators with relations.
#
# A generator is a variable, an integer, |f| for a polynomial f, exp(m) for a quotient m with one term above, or log|f|.
# With T = c f^e g^d ... factored by sympy, T^q = |c|^q |f|^(e q) |g|^(d q) ... wherever T >= 0, and
# log T = log|c| + e log|f| + d log|g| + ... wherever T > 0, whatever the signs of the factors; exp(a m + b n) is
# exp(m)^a exp(n)^b.  A term's fraction has its value at every point where the term and all terms inside it are defined.

MOST_TERMS = 2_000
MOST_FACTORED = 200
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


ENOUGH = {"!=": ("!=", ">", "<"), ">": (">",), ">=": (">", ">=")}
FAILURES = (NoForm, Undefined, Unsettled, RecursionError, ArithmeticError, BasePolynomialError, NotImplementedError)


def proves(claim: Claim, points: Iterable[Mapping[str, Fraction]]) -> bool:
    """Whether every term is shown to be defined, every equation to hold, and the claim to admit one of the points.

    >>> from panshuffle.symbolic.claim import claim
    >>> proves(claim("log(x^2 - 1) = log(x - 1) + log(x + 1)", x="(1, 2]"), [{"x": Fraction(2)}])
    True
    >>> proves(claim("sqrt(x^2) = x", x="[-1, 1]"), [{"x": Fraction(1)}])
    False
    """
    if not claim.conclusion or any(relation.relation != "=" for relation in claim.conclusion):
        return False
    try:
        system = System({name: range_of(domain) for name, domain in claim.variables.items()})
        shown = all(defined(relation, claim.given[:n], system) for n, relation in enumerate(claim.given))
        shown = shown and all(defined(relation, claim.given, system) for relation in claim.conclusion)
        shown = shown and all(vanishes(relation, claim, system) for relation in claim.conclusion)
        return shown and any(admitted(claim, point) for point in points)
    except FAILURES:
        return False


def range_of(domain: Domain) -> Range:
    """The interval of a domain, without an irrational end.  *Raises* `Undefined` for an end that is no number."""
    ends = [None if end is None else value_at(end, {}) for end in (domain.lower, domain.upper)]
    lower, upper = (Fraction(int(e.p), int(e.q)) if e is not None and e.is_Rational else None for e in ends)
    return Range(lower, upper, domain.lower_open, domain.upper_open)


def defined(relation: Relation, given: Sequence[Relation], system: System) -> bool:
    """Whether both sides are defined on the whole domain, under hypotheses."""
    return all(
        sign_of_term(system, condition.left) in ENOUGH[condition.relation]
        or any(follows(condition, known, system) for known in given)
        for condition in relation.conditions()
    )


def follows(condition: Relation, known: Relation, system: System) -> bool:
    """Whether a hypothesis says what a condition asks for: their terms differ by a rational factor."""
    difference = system.expression(Apply("-", (known.left, known.right)))
    if known.relation == "=" or difference == 0:
        return False
    content, factors = system.factored(system.expression(condition.left) / difference)
    relation = known.relation if content > 0 or known.relation == "!=" else OPPOSITE[known.relation]
    return not factors and relation in ENOUGH[condition.relation]


def vanishes(relation: Relation, claim: Claim, system: System) -> bool:
    """Whether the difference of both sides is 0, with what equations define replaced."""
    difference: Term = Apply("-", (relation.left, relation.right))
    for known in claim.given:
        name, meaning = known.left, known.right
        if known.relation == "=" and isinstance(name, Symbol) and name.name not in symbols(meaning):
            difference = substitute(difference, {name.name: meaning})
    return not system.quotient(system.expression(difference)).above


def sign_of_term(system: System, term: Term) -> str | None:
    """The relation to 0 that a term has on the whole domain: from its parts, or else from its polynomial."""
    found = sign_of_parts(system, term) if isinstance(term, Apply) else None
    return found if found in (">", "<") else system.sign(system.expression(term)) or found


def sign_of_parts(system: System, term: Apply) -> str | None:
    """The relation to 0 that a term has by those of its arguments."""
    first = term.arguments[0]
    if term.operator == "exp":
        return ">"
    if term.operator == "log":
        return system.sign(system.expression(first) - 1)
    if term.operator == "sqrt":
        return ">" if sign_of_term(system, first) == ">" else ">="
    if term.operator == "^":
        return sign_of_power(sign_of_term(system, first), constant(term.arguments[1]))
    signs = [sign_of_term(system, argument) for argument in term.arguments]
    if term.operator in ("*", "/"):
        return product_sign(*signs)
    left, right = signs[0], signs[1] if term.operator == "+" else OPPOSITE.get(signs[1] or "")
    if left is None or right is None or left[0] != right[0]:
        return None
    return left if len(left) <= len(right) else right


def sign_of_power(base: str | None, exponent: Fraction | None) -> str | None:
    """The relation to 0 of a power by that of its base; an exponent that is no constant has a positive base."""
    if exponent is None:
        return ">"
    if exponent.denominator == 1:
        return powered_sign(base, int(exponent))
    return ">" if base == ">" else ">="


def to_sympy(term: Term) -> sympy.Expr:
    """The term as a sympy expression, whose symbols are just numbers."""
    if isinstance(term, Number):
        return sympy.Rational(*term.value.as_integer_ratio())
    if isinstance(term, Symbol):
        return sympy.Symbol(term.name)
    values = [to_sympy(argument) for argument in term.arguments]
    inside = values[-1] if term.operator in ("exp", "^") else sympy.Integer(0)
    if any(max(abs(number.p), number.q) > LARGEST_BITS for number in inside.atoms(sympy.Rational)):
        raise NoForm("an exponent is too large")
    if term.operator in ("exp", "log", "sqrt"):
        return getattr(sympy, term.operator)(values[0])
    return values[0] ** values[1] if term.operator == "^" else ARITHMETIC[term.operator](*values)


def from_sympy(expression: sympy.Expr) -> Term:
    """The term of a sympy expression.  *Raises* `NoForm` for a function that terms do not have."""
    if expression.is_Rational:
        return Number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return Symbol(expression.name)
    if expression is sympy.E:
        return Apply("exp", (Number(Fraction(1)),))
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


# Moments: derivatives at 0 of E[e^(tX)], where symbolic/moments.py has factorial moments.
#
# E[e^(tX)] is (1 - p + p e^t)^n for Bin(n, p), by the binomial theorem, and exp(mu (e^t - 1)) for Pois(mu), by the
# series of exp; E[X^r] is its r-th derivative at t = 0.

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
