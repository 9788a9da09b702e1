"""A normal form of terms: quotients of sums of monomials with rational exponents, over atoms.

An atom is a variable, a prime number, an exponential exp(monomial), a logarithm of an atom, a sum under a root, or a
sum that divides within an exponent.
Rules are applied only where they hold for every value of the variables at which the term is defined:
exp(a + b) = exp(a) exp(b); b^x = exp(x log b) for b > 0; log and roots split into factors that are proved positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import cast

from symbolic.budget import Budget, Exhausted
from symbolic.claim import Domain
from symbolic.identity_sign import Range, range_of, size
from symbolic.rational import common_unit, prime_powers
from symbolic.term import Apply, Number, Symbol, Term, constant

Atom = tuple[object, ...]
Monomial = tuple[tuple[Atom, Fraction], ...]
Sum = dict[Monomial, Fraction]
Quotient = tuple[Sum, Sum]

ONE: Monomial = ()
UNIT: Sum = {ONE: Fraction(1)}
MOST_TERMS = 20_000
LARGEST_POWER = 200
LARGEST_FACTOR = 10_000


class NoForm(Exception):
    """A term that has no normal form, or none within the limits."""


class Former:
    """Brings terms over declared variables to normal form within a budget: one unit a product of two monomials."""

    def __init__(self, variables: Mapping[str, Domain], budget: Budget) -> None:
        self.variables = variables
        self.budget = budget
        self.known: dict[Term, Quotient] = {}

    def form(self, term: Term) -> Quotient:
        """The normal form of a term.  *Raises* `NoForm`."""
        if term not in self.known:
            self.known[term] = self.fresh_form(term)
        return self.known[term]

    def range(self, term: Term) -> Range:
        """An interval that holds every value of the term."""
        return range_of(term, self.variables)

    def fresh_form(self, term: Term) -> Quotient:
        """The normal form, computed."""
        if isinstance(term, Number):
            return ({ONE: term.value} if term.value else {}), UNIT
        if isinstance(term, Symbol):
            return {power_of(("symbol", term.name)): Fraction(1)}, UNIT
        if term.operator == "exp":
            return self.exponential(self.form(term.arguments[0]))
        if term.operator == "log":
            return self.logarithm(term.arguments[0])
        if term.operator == "sqrt":
            return self.root(term.arguments[0], Fraction(1, 2))
        if term.operator == "^":
            return self.power(*term.arguments)
        return self.arithmetic(term.operator, *map(self.form, term.arguments))

    def arithmetic(self, operator: str, left: Quotient, right: Quotient) -> Quotient:
        """left + right, left - right, left * right or left / right."""
        (a, b), (c, d) = left, right
        if operator == "*":
            return self.quotient(self.times(a, c), self.times(b, d))
        if operator == "/":
            return self.quotient(self.times(a, d), self.times(b, c))
        signed = c if operator == "+" else scaled(c, Fraction(-1))
        if b == d:
            return self.quotient(plus(a, signed), b)
        return self.quotient(plus(self.times(a, d), self.times(signed, b)), self.times(b, d))

    def quotient(self, above: Sum, below: Sum) -> Quotient:
        """A quotient whose divisor is 1 wherever it has only one term."""
        if not below:
            raise NoForm("a divisor is 0")
        if len(below) == 1:
            ((monomial, coefficient),) = below.items()
            return self.times(above, {inverse(monomial): 1 / coefficient}), UNIT
        return above, below

    def times(self, left: Sum, right: Sum) -> Sum:
        """The product of two sums, every whole power of a root multiplied out."""
        if UNIT in (left, right):
            return left if right == UNIT else right
        total: Sum = {}
        for a, x in left.items():
            for b, y in right.items():
                self.watch(total)
                for monomial, factor in self.product(a, b).items():
                    add_to(total, monomial, factor * x * y)
        return total

    def watch(self, total: Sum) -> None:
        """*Raises* `NoForm` where the budget is used up or a sum has become too long."""
        try:
            self.budget.spend()
        except Exhausted:
            raise NoForm("the normal form takes too much work") from None
        if len(total) > MOST_TERMS:
            raise NoForm("the normal form is too long")

    def product(self, a: Monomial, b: Monomial) -> Sum:
        """The product of two monomials."""
        exponents: dict[Atom, Fraction] = dict(a)
        for atom, exponent in b:
            exponents[atom] = exponents.get(atom, Fraction(0)) + exponent
        coefficient, sums = Fraction(1), []
        for atom, exponent in list(exponents.items()):
            whole = exponent.numerator // exponent.denominator
            if atom[0] == "prime" and whole:
                if abs(whole) * size(Fraction(int(str(atom[1])))) > LARGEST_POWER * LARGEST_FACTOR:
                    raise NoForm("an exponent is too large")
                coefficient *= Fraction(int(str(atom[1]))) ** whole
                exponents[atom] = exponent - whole
            elif atom[0] == "root" and whole >= 1:
                sums.append(self.whole_power(inner_sum(atom), whole))
                exponents[atom] = exponent - whole
        monomial = ordered((atom, exponent) for atom, exponent in exponents.items() if exponent)
        return reduce(self.times, sums, {monomial: coefficient})

    def whole_power(self, base: Sum, exponent: int) -> Sum:
        """base^n for n >= 0."""
        if exponent > LARGEST_POWER and len(base) > 1:
            raise NoForm("an exponent is too large")
        if len(base) == 1 and exponent > 1:
            ((monomial, coefficient),) = base.items()
            if exponent * size(coefficient) > LARGEST_POWER * LARGEST_FACTOR:
                raise NoForm("an exponent is too large")
            return self.times({ONE: coefficient**exponent}, self.product(raised(monomial, Fraction(exponent)), ONE))
        result = UNIT
        for _ in range(exponent):
            result = self.times(result, base)
        return result

    def power(self, base: Term, exponent: Term) -> Quotient:
        """base^exponent: multiplied out, a root, or exp(exponent log(base))."""
        value = constant(exponent)
        if value is None:
            return self.exponential(self.arithmetic("*", self.form(exponent), self.logarithm(base)))
        if value.denominator != 1:
            return self.root(base, value)
        above, below = self.form(base)
        if value < 0:
            above, below = below, above
        return self.quotient(self.whole_power(above, abs(int(value))), self.whole_power(below, abs(int(value))))

    def root(self, base: Term, exponent: Fraction) -> Quotient:
        """base^exponent for a base that is not negative and an exponent that is not whole."""
        if isinstance(base, Apply) and base.operator in ("*", "/"):
            left, right = base.arguments
            if self.range(right).positive or (base.operator == "*" and self.range(left).positive):
                return self.arithmetic(base.operator, self.root(left, exponent), self.root(right, exponent))
        above, below = self.form(base)
        if below != UNIT:
            raise NoForm("a root of a quotient whose divisor has no known sign")
        if not above:
            return {}, UNIT
        content, common, rest = self.factored(above)
        factors = [self.constant_power(content, exponent), self.product(raised(common, exponent), ONE)]
        if rest != UNIT:
            factors.append(self.product(power_of(root_atom(rest), exponent), ONE))
        return self.quotient(reduce(self.times, factors), UNIT)

    def factored(self, total: Sum) -> tuple[Fraction, Monomial, Sum]:
        """(content, common, rest) with total = content * common * rest, the first two positive."""
        content = common_unit(total.values())
        if len(total) == 1 and min(total.values()) > 0:
            ((monomial, _),) = total.items()
            if all(self.nonnegative(atom) for atom, _ in monomial):
                return content, monomial, UNIT
        atoms = dict.fromkeys(atom for monomial in total for atom, _ in monomial if self.positive(atom))
        lowest = {atom: min(dict(monomial).get(atom, Fraction(0)) for monomial in total) for atom in atoms}
        common = ordered((atom, exponent) for atom, exponent in lowest.items() if exponent)
        rest = self.times(scaled(total, 1 / content), {inverse(common): Fraction(1)})
        return content, common, rest

    def positive(self, atom: Atom) -> bool:
        """Whether an atom is surely above 0."""
        if atom[0] == "symbol":
            return self.range(Symbol(str(atom[1]))).positive
        return atom[0] in ("prime", "exp") or (atom[0] == "log" and is_prime_atom(atom[1]))

    def nonnegative(self, atom: Atom) -> bool:
        """Whether an atom is surely not below 0."""
        if atom[0] == "symbol":
            return self.range(Symbol(str(atom[1]))).nonnegative
        return atom[0] == "root" or self.positive(atom)

    def constant_power(self, value: Fraction, exponent: Fraction) -> Sum:
        """value^exponent for a positive rational, as powers of primes."""
        monomial = ordered((("prime", p), e * exponent) for p, e in prime_powers(value).items())
        return self.product(monomial, ONE)

    def exponential(self, argument: Quotient) -> Quotient:
        """exp of a sum: the product of the exponentials of its terms."""
        above, below = argument
        if below != UNIT:
            content, common, rest = self.factored(below)
            divisor = ordered([(("divisor", tuple(sorted(rest.items()))), Fraction(-1)), *inverse(common)])
            above = self.times(above, {divisor: 1 / content})
        total = UNIT
        for monomial, coefficient in above.items():
            total = self.times(total, self.product(power_of(exponential_atom(monomial), coefficient), ONE))
        return total, UNIT

    def logarithm(self, term: Term) -> Quotient:
        """log of a positive term: the sum of the logarithms of its factors."""
        if isinstance(term, Apply) and term.operator in ("*", "/"):
            left, right = term.arguments
            if self.range(left).positive or self.range(right).positive:
                operator = "+" if term.operator == "*" else "-"
                return self.arithmetic(operator, self.logarithm(left), self.logarithm(right))
        above, below = self.form(term)
        if below != UNIT or not above:
            raise NoForm("a logarithm of a quotient whose divisor has no known sign")
        content, common, rest = self.factored(above)
        total: Sum = {}
        for p, e in prime_powers(content).items():
            add_to(total, power_of(("log", ("prime", p))), Fraction(e))
        for atom, exponent in common:
            add_to(total, logarithm_monomial(atom), exponent)
        if rest != UNIT:
            add_to(total, power_of(("log", root_atom(rest))), Fraction(1))
        return total, UNIT

    def vanishes(self, total: Sum) -> bool:
        """Whether a sum is 0 once the negative powers of roots are multiplied away."""
        negative = [atom for monomial in total for atom, e in monomial if atom[0] == "root" and e < 0]
        if negative:
            return self.vanishes(self.times(total, {power_of(min(negative)): Fraction(1)}))
        return not total


def ordered(powers: Iterable[tuple[Atom, Fraction]]) -> Monomial:
    """The monomial of some powers of different atoms, in the one order that does not depend on how it was found."""
    return tuple(sorted(powers))


def power_of(atom: Atom, exponent: Fraction = Fraction(1)) -> Monomial:
    """The monomial of one power."""
    return ((atom, exponent),)


def plus(left: Sum, right: Sum) -> Sum:
    """The sum of two sums."""
    total = dict(left)
    for monomial, coefficient in right.items():
        add_to(total, monomial, coefficient)
    return total


def add_to(total: Sum, monomial: Monomial, coefficient: Fraction) -> None:
    """Adds one term; a term that cancels disappears."""
    value = total.get(monomial, Fraction(0)) + coefficient
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def scaled(total: Sum, factor: Fraction) -> Sum:
    """A sum times a rational that is not 0."""
    return {monomial: coefficient * factor for monomial, coefficient in total.items()}


def raised(monomial: Monomial, exponent: Fraction) -> Monomial:
    """A power of a monomial, not yet multiplied out."""
    return tuple((atom, e * exponent) for atom, e in monomial)


def inverse(monomial: Monomial) -> Monomial:
    """1 / monomial."""
    return raised(monomial, Fraction(-1))


def root_atom(total: Sum) -> Atom:
    """The atom of a sum under a root."""
    return ("root", tuple(sorted(total.items())))


def inner_sum(atom: Atom) -> Sum:
    """The sum of a root's atom."""
    terms = cast("tuple[tuple[Monomial, Fraction], ...]", atom[1])
    return dict(terms)


def logarithm_monomial(atom: Atom) -> Monomial:
    """The monomial log(atom): log(exp(a)) is a."""
    if atom[0] == "exp":
        return cast("Monomial", atom[1])
    return power_of(("log", atom))


def exponential_atom(monomial: Monomial) -> Atom:
    """The atom of exp(monomial): exp(log(a)) is a."""
    if len(monomial) == 1:
        ((atom, exponent),) = monomial
        if atom[0] == "log" and exponent == 1 and isinstance(atom[1], tuple):
            return atom[1]
    return ("exp", monomial)


def is_prime_atom(atom: object) -> bool:
    """Whether an atom is a prime number."""
    return isinstance(atom, tuple) and atom[0] == "prime"
