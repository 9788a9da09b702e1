"""What the SMT solvers are told of exponentials, logarithms and symbolic powers, which they do not know themselves.

Each is taken apart first: exp(2*x - y) into powers of exp(x) and exp(y), log(x^2/y) into logarithms of x and y, and
2^x is exp(x*log(2)).  Of what is left the text says what holds of all real numbers: that exp and log rise, that they
undo each other, and that their curves lie on one side of each tangent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import sympy
from panshuffle.symbolic.algebra import FAILURES, from_sympy, to_sympy
from panshuffle.symbolic.claim import Relation, sides
from panshuffle.symbolic.form import common_unit
from panshuffle.symbolic.ranges import range_of
from panshuffle.symbolic.smt_text import Encoder, NoEncoding, decimal, is_opaque, repeat
from panshuffle.symbolic.term import Apply, Number, Term, parts

MOST_POINTS = 7
"""How many exponentials and logarithms are compared with each other."""

Weights = dict[sympy.Expr, Fraction]


@dataclass
class Informed(Encoder):
    """The texts of terms, with what holds of every exponential and logarithm that occurs."""

    units: dict[sympy.Expr, Fraction] = field(default_factory=dict)
    exponentials: dict[Term, str] = field(default_factory=dict)
    logarithms: dict[Term, str] = field(default_factory=dict)

    def prepare(self, relations: Sequence[Relation]) -> None:
        """Finds the roots of bases, and for each summand of an exponent what all its multiples are multiples of."""
        super().prepare(relations)
        for part in (part for term in (*sides(relations), *self.claim.ends) for part in parts(term)):
            if is_opaque(part) and isinstance(part, Apply) and part.operator != "log":
                self.measure(exponent(part))
        products = list(combined(sides(relations)))
        for argument in products:
            self.measure(argument)
        for argument in products:
            self.opaque(Apply("exp", (argument,)))

    def measure(self, argument: Term) -> None:
        """Takes an exponent into account for what its summands are multiples of."""
        for summand, weight in self.summands(argument).items():
            self.units[summand] = common_unit([weight, self.units.get(summand, weight)])

    def opaque(self, term: Term) -> str:
        """An exponential, a logarithm or a symbolic power, taken apart."""
        if not isinstance(term, Apply):
            raise NoEncoding(f"{term} is no function")
        if term.operator == "log":
            argument = term.arguments[0]
            if argument not in self.logarithms:
                self.logarithms[argument] = self.weighted(self.factors(argument))
            return self.logarithms[argument]
        argument = exponent(term)
        if argument not in self.exponentials:
            texts = [self.exponential(one, weight) for one, weight in self.summands(argument).items()]
            self.exponentials[argument] = f"(* {' '.join(texts)})" if len(texts) > 1 else "".join(texts) or "1.0"
        return self.exponentials[argument]

    def exponential(self, summand: sympy.Expr, weight: Fraction) -> str:
        """exp(weight * summand)."""
        if isinstance(summand, sympy.log):
            return self.text(Apply("^", (from_sympy(summand.args[0]), Number(weight))))
        unit = self.units.get(summand, weight)
        atom = Apply("exp", (product(unit, summand),))
        power = repeat(super().opaque(atom), abs(int(weight / unit)))
        inverse = Apply("exp", (product(-abs(weight), summand),))
        return power if weight > 0 else self.fresh(inverse, lambda name: [f"(= (* {name} {power}) 1.0)"])

    def weighted(self, weights: Weights) -> str:
        """A weighted sum of exponents and logarithms."""
        texts = [f"(* {decimal(weight)} {self.logarithm(one)})" for one, weight in weights.items()]
        return f"(+ {' '.join(texts)})" if len(texts) > 1 else "".join(texts) or "0.0"

    def logarithm(self, one: sympy.Expr) -> str:
        """A logarithm that is not taken apart, or what an exponential has as its logarithm."""
        return super().opaque(from_sympy(one)) if isinstance(one, sympy.log) else self.text(from_sympy(one))

    def summands(self, argument: Term) -> Weights:
        """The summands of an exponent, with their rational weights.  *Raises* `NoEncoding`."""
        try:
            found = apart(sympy.expand(to_sympy(argument).replace(sympy.log, self.expanded)))
        except FAILURES:
            raise NoEncoding(f"exp({argument})") from None
        return found

    def expanded(self, inner: sympy.Expr) -> sympy.Expr:
        """log(inner) as a weighted sum."""
        weights = self.factors(from_sympy(inner))
        return sympy.Add(*(sympy.Rational(*weight.as_integer_ratio()) * one for one, weight in weights.items()))

    def factors(self, argument: Term) -> Weights:
        """The weights of what log(argument) is the sum of, where the factors of the argument are positive."""
        try:
            whole = to_sympy(argument)
            numbers, found = Fraction(1), dict[sympy.Expr, Fraction]()
            for factor in sympy.Mul.make_args(sympy.factor(sympy.together(whole))):
                base, power = factor.as_base_exp()
                if factor.is_Rational and factor.is_positive:
                    numbers *= Fraction(int(factor.p), int(factor.q))
                elif range_of(from_sympy(base), self.claim.variables).positive:
                    for one, weight in apart(sympy.expand(power * sympy.log(base))).items():
                        found[one] = found.get(one, Fraction(0)) + weight
                else:
                    return {sympy.log(whole): Fraction(1)}
        except FAILURES:
            raise NoEncoding(f"log({argument})") from None
        for number, weight in zip(numbers.as_integer_ratio(), (Fraction(1), Fraction(-1)), strict=True):
            if number != 1:
                found[sympy.log(number)] = weight
        return found

    def facts(self) -> Iterator[str]:
        """What holds of any two of the points (x, exp(x)) that the text speaks of, where exp(x) is positive."""
        points = [("0.0", "1.0")]
        points += [(self.text(one), text) for one, text in list(self.exponentials.items())]
        points += [(text, self.text(one)) for one, text in list(self.logarithms.items())]
        if len(points) > MOST_POINTS:
            raise NoEncoding("too many exponentials and logarithms")
        for one, other in combinations(points, 2):
            for fact in (*rises(one, other), *reflected(one, other)):
                yield f"(=> (and (> {one[1]} 0.0) (> {other[1]} 0.0)) {fact})"


def rises(one: tuple[str, str], other: tuple[str, str]) -> Iterator[str]:
    """That exp rises between two points, and lies above its tangent at each of them."""
    (x, low), (y, high) = one, other
    yield f"(= (<= {x} {y}) (<= {low} {high}))"
    yield f"(= (>= {x} {y}) (>= {low} {high}))"
    yield f"(>= {high} (* {low} (+ 1.0 (- {y} {x}))))"
    yield f"(>= {low} (* {high} (+ 1.0 (- {x} {y}))))"


def reflected(one: tuple[str, str], other: tuple[str, str]) -> Iterator[str]:
    """The same of (-x, 1/exp(x)) in place of the first point."""
    (x, low), (y, high) = one, other
    yield f"(= (<= (+ {x} {y}) 0.0) (<= (* {low} {high}) 1.0))"
    yield f"(>= (* {low} {high}) (+ 1.0 {x} {y}))"
    yield f"(>= 1.0 (* {low} {high} (- 1.0 (+ {x} {y}))))"


def exponent(part: Apply) -> Term:
    """What exp is taken of in an exponential or a symbolic power of a positive base."""
    if part.operator == "exp":
        return part.arguments[0]
    base, power = part.arguments
    return Apply("*", (power, Apply("log", (base,))))


def combined(terms: list[Term]) -> Iterator[Term]:
    """The exponents of products of exponentials in some terms, as in exp(x)*exp(y)."""
    for term in terms:
        with suppress(*FAILURES):
            for one in sympy.powsimp(sympy.expand(to_sympy(term)), combine="exp").atoms(sympy.exp, sympy.Pow):
                base, power = one.as_base_exp()
                if power.free_symbols:
                    yield from_sympy(sympy.expand(power * sympy.log(base)))


def apart(expanded: sympy.Expr) -> Weights:
    """The summands of an expanded expression and their rational weights."""
    return {one: Fraction(int(w.p), int(w.q)) for one, w in expanded.as_coefficients_dict().items() if w}


def product(weight: Fraction, one: sympy.Expr) -> Term:
    """weight * one."""
    return from_sympy(sympy.Rational(*weight.as_integer_ratio()) * one)
