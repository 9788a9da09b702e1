"""What the SMT solvers are told of exponentials, logarithms and symbolic powers, which they do not know themselves.

Each is taken apart first: exp(2*x - y) into powers of exp(x) and exp(y), log(x^2/y) into logarithms of x and y, and
2^x is exp(x*log(2)).  Of what is left the text says what holds of all real numbers: that exp and log rise, that they
undo each other, and that their curves lie on one side of each tangent and on the other of a chord.
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
from panshuffle.symbolic.smt_solver import INFORMED
from panshuffle.symbolic.smt_text import Encoder, NoEncoding, decimal, is_opaque, repeat
from panshuffle.symbolic.term import Apply, Number, Term, parts

MOST_POINTS = 7
"""How many exponentials and logarithms are compared with each other."""

CHORDS = (("0.0", "1.0", "1.7182818285"), ("(- 1.0)", "0.0", "0.6321205588"))
"""Ends, and slopes of lines from (0, 1) that lie above exp between them: more than e - 1 and less than 1 - 1/e."""

Weights = dict[sympy.Expr, Fraction]


@dataclass
class Informed(Encoder):
    """The texts of terms, with what holds of every exponential and logarithm that occurs."""

    heading: tuple[str, ...] = (INFORMED,)
    more: bool = False
    """Whether also with what holds of (-x, 1/exp(x)), and with chords."""
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
            self.power_of_e(argument)

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
        return self.power_of_e(exponent(term))

    def power_of_e(self, argument: Term) -> str:
        """The exponential of a term, once for each value that the term may be written as."""
        summands = self.summands(argument)
        key = total(summands)
        if key not in self.exponentials:
            texts = [self.exponential(one, weight) for one, weight in summands.items()]
            self.exponentials[key] = f"(* {' '.join(texts)})" if len(texts) > 1 else "".join(texts) or "1.0"
        return self.exponentials[key]

    def exponential(self, summand: sympy.Expr, weight: Fraction) -> str:
        """exp(weight * summand)."""
        if isinstance(summand, sympy.log):
            return self.text(Apply("^", (from_sympy(summand.args[0]), Number(weight))))
        unit = self.units.get(summand, weight)
        atom = Apply("exp", (total({summand: unit}),))
        power = repeat(super().opaque(atom), abs(int(weight / unit)))
        inverse = Apply("exp", (total({summand: -abs(weight)}),))
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
        return to_sympy(total(self.factors(from_sympy(inner))))

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
        """What holds of any two points (x, exp(x)) of the text, where what a logarithm is taken of is positive."""
        points = [("0.0", "1.0", "true")]
        points += [(self.text(one), text, "true") for one, text in list(self.exponentials.items())]
        points += [(text, self.text(one), f"(> {self.text(one)} 0.0)") for one, text in list(self.logarithms.items())]
        if len(points) > MOST_POINTS:
            raise NoEncoding("too many exponentials and logarithms")
        for x, exp, positive in points[1:]:
            if positive == "true":
                yield f"(> {exp} 0.0)"
            for low, high, slope in CHORDS if self.more else ():
                yield f"(=> (and {positive} (<= {low} {x}) (<= {x} {high})) (<= {exp} (+ 1.0 (* {slope} {x}))))"
        for (x, low, one), (y, high, other) in combinations(points, 2):
            for fact in (*rises(x, low, y, high), *(reflected(x, low, y, high) if self.more else ())):
                yield f"(=> (and {one} {other}) {fact})"


def rises(x: str, low: str, y: str, high: str) -> Iterator[str]:
    """That exp rises between two points (x, low) and (y, high), and lies above its tangent at each of them."""
    yield f"(= (<= {x} {y}) (<= {low} {high}))"
    yield f"(= (>= {x} {y}) (>= {low} {high}))"
    yield f"(>= {high} (* {low} (+ 1.0 (- {y} {x}))))"
    yield f"(>= {low} (* {high} (+ 1.0 (- {x} {y}))))"


def reflected(x: str, low: str, y: str, high: str) -> Iterator[str]:
    """The same of (-x, 1/exp(x)) in place of the first point."""
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
            whole = sympy.powsimp(sympy.expand(to_sympy(term)), combine="exp")
            for one in sorted(whole.atoms(sympy.exp, sympy.Pow), key=str):
                base, power = one.as_base_exp()
                if power.free_symbols:
                    yield from_sympy(sympy.expand(power * sympy.log(base)))


def apart(expanded: sympy.Expr) -> Weights:
    """The summands of an expanded expression and their rational weights."""
    return {one: Fraction(int(w.p), int(w.q)) for one, w in expanded.as_coefficients_dict().items() if w}


def total(weights: Weights) -> Term:
    """The weighted sum as a term."""
    return from_sympy(sympy.Add(*(sympy.Rational(*weight.as_integer_ratio()) * one for one, weight in weights.items())))
