"""The identity prover's forms: rules that hold at every point at which a term is defined, its ends included.

b^x = exp(x log b) for b > 0; logarithms and roots split into factors that are proved positive, or not negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from panshuffle.symbolic.budget import Budget, Exhausted
from panshuffle.symbolic.claim import Domain
from panshuffle.symbolic.factor import bases_of, expanded_sums, least_exponent
from panshuffle.symbolic.form import Algebra, Base, Form, Unfit, add, is_whole, negative, number, scale
from panshuffle.symbolic.identity_sign import range_of
from panshuffle.symbolic.interval import Interval
from panshuffle.symbolic.rational import common_unit
from panshuffle.symbolic.term import Apply, Symbol, Term, constant

Factors = list[tuple[Base, Form]]


class Former(Algebra):
    """Brings terms over declared variables to normal form within a budget: one unit a product of two monomials."""

    largest_expanded = 200
    most_monomials = 20_000

    def __init__(self, variables: Mapping[str, Domain], budget: Budget) -> None:
        super().__init__(self.is_positive)
        self.variables = variables
        self.budget = budget
        self.known: dict[Term, Form] = {}

    def range(self, term: Term) -> Interval:
        """An interval that holds every value of the term."""
        return range_of(term, self.variables)

    def form(self, term: Term) -> Form:
        """The normal form of a term, which equals it wherever it is defined.  *Raises* `Unfit`."""
        if term not in self.known:
            self.known[term] = self.fresh_form(term)
        return self.known[term]

    def fresh_form(self, term: Term) -> Form:
        """The normal form, computed."""
        if isinstance(term, Apply) and term.operator == "log":
            return self.logarithm_of(term.arguments[0])
        if isinstance(term, Apply) and term.operator == "sqrt":
            return self.root_of(term.arguments[0], Fraction(1, 2))
        if isinstance(term, Apply) and term.operator == "^":
            base, exponent = term.arguments
            value = constant(exponent)
            if value is None:
                return self.exponential(self.multiply(self.form(exponent), self.logarithm_of(base)))
            return self.root_of(base, value) if value.denominator != 1 else self.power(self.form(base), number(value))
        return super().form(term)

    def root_of(self, base: Term, exponent: Fraction) -> Form:
        """base^exponent for a base that is not negative and an exponent that is not whole."""
        if isinstance(base, Apply) and base.operator in ("*", "/"):
            left, right = base.arguments
            if self.range(right).positive or (base.operator == "*" and self.range(left).positive):
                other = self.root_of(right, exponent if base.operator == "*" else -exponent)
                return self.multiply(self.root_of(left, exponent), other)
        return self.power(self.form(base), number(exponent))

    def logarithm_of(self, term: Term) -> Form:
        """log of a positive term: the sum of the logarithms of its factors."""
        if isinstance(term, Apply) and term.operator in ("*", "/"):
            left, right = term.arguments
            if self.range(left).positive or self.range(right).positive:
                other = self.logarithm_of(right)
                return add(self.logarithm_of(left), other if term.operator == "*" else negative(other))
        return self.logarithm(self.form(term))

    def expanded(self, left: Form, right: Form) -> Form:
        """The product of two forms, paid for.  *Raises* `Unfit` where the budget is used up."""
        try:
            self.budget.spend(len(left.terms) * len(right.terms))
        except Exhausted:
            raise Unfit("the normal form takes too much work") from None
        return super().expanded(left, right)

    def factored(self, form: Form) -> tuple[Fraction, Factors, Form]:
        """(content, factors, rest): those that are positive, or all factors of a monomial, where none is negative."""
        content = common_unit(weight for _, weight in form.terms)
        monomial, weight = form.terms[0]
        if len(form.terms) == 1 and weight > 0 and all(self.is_nonnegative(*factor) for factor in monomial):
            return content, list(monomial), number(1)
        least = [(base, least_exponent(form, base)) for base in bases_of(form) if self.is_positive(base)]
        common = [(base, exponent) for base, exponent in least if exponent.rational != 0]
        return content, common, scale(self.divided(form, common), 1 / content)

    def divided(self, form: Form, common: Factors) -> Form:
        """The form without common powers of its monomials."""
        inverse = [(base, negative(exponent)) for base, exponent in common]
        return add(*(self.product((*monomial, *inverse), weight) for monomial, weight in form.terms))

    def is_positive(self, base: Base) -> bool:
        """Whether a base is surely above 0."""
        if base.kind == "variable":
            return self.range(Symbol(base.text)).positive
        inside = base.form.rational if base.kind == "log" and base.form is not None else None
        return base.kind in ("number", "e") or (inside is not None and inside > 1)

    def is_nonnegative(self, base: Base, exponent: Form) -> bool:
        """Whether a base, which is defined to this power, is surely not below 0."""
        if base.kind == "variable" and self.range(Symbol(base.text)).nonnegative:
            return True
        return not is_whole(exponent) or self.is_positive(base)

    def cleared(self, form: Form) -> Form:
        """The form times powers of all sums that divide it, which are not 0 where it is defined."""
        for base in bases_of(form):
            least = least_exponent(form, base) if base.kind == "sum" else number(0)
            if any(weight < 0 for _, weight in least.terms):
                return self.cleared(self.divided(form, [(base, least)]))
        plain = expanded_sums(self, form) if form.terms else form
        return plain if plain == form else self.cleared(plain)

    def vanishes(self, form: Form) -> bool:
        """Whether a form is 0 once its divisors are multiplied away."""
        return not self.cleared(form).terms
