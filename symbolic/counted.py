"""Factorials, binomial coefficients and sums of variables: their values, their steps, and closed forms of sums.

In a term each of them is a symbol whose name is its text, such as `factorial(n)`.  Nothing else is used of it than what
is here: its value at whole numbers, how it changes from n to n + 1, and closed forms proved by induction or by the
binomial theorem.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import sympy
from panshuffle.symbolic.algebra import FAILURES, from_sympy, to_sympy
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.identity import check_identity
from panshuffle.symbolic.ranges import range_of
from panshuffle.symbolic.term import (
    ONE,
    ZERO,
    Apply,
    Number,
    Symbol,
    Term,
    TermError,
    constant,
    parts,
    substitute,
    symbols,
    text_of,
)

LARGEST, LARGEST_CHOICE, MOST_TERMS, COMPARED = 1_000, 30, 200, 12
CASES = ("abs", "min", "max")
COUNTED = {"factorial": 1, "binomial": 2, "sum": 4}
"""What is counted, with the number of arguments; a sum is written sum(TERM, i, FIRST, LAST)."""


@dataclass(frozen=True)
class Counted:
    """What a symbol stands for: its kind and its arguments."""

    kind: str
    arguments: tuple[Term, ...]

    @property
    def free(self) -> frozenset[str]:
        """The variables that it depends on."""
        found = frozenset[str]().union(*map(free_symbols, self.arguments))
        return found - symbols(self.arguments[1]) if self.kind == "sum" else found

    @property
    def counting(self) -> frozenset[str]:
        """The variables that must be whole: those of a sum's ends, or of all arguments; an index is."""
        terms = self.arguments[2:] if self.kind == "sum" else self.arguments
        inner = [name for term in self.arguments for name in symbols(term) & KNOWN.keys()]
        inside = frozenset[str]().union(*(KNOWN[name].counting for name in inner))
        found = frozenset[str]().union(*map(free_symbols, terms)) | inside
        return found - symbols(self.arguments[1]) if self.kind == "sum" else found


KNOWN: dict[str, Counted] = {}
"""What each symbol stands for that was made here, by its name."""


def free_symbols(term: Term) -> frozenset[str]:
    """The variables of a term, those inside of what is counted among them."""
    return frozenset[str]().union(*(KNOWN[name].free if name in KNOWN else {name} for name in symbols(term)))


def counted(kind: str, arguments: list[Term]) -> Term:
    """The number or the polynomial that something counted is, or else the symbol for it.  *Raises* `TermError`.

    >>> text_of(counted("sum", [Symbol("i"), Symbol("i"), ONE, Number(Fraction(3))]))
    '(1 + (2 + 3))'
    """
    if any(isinstance(part, Apply) and part.operator in CASES for term in arguments for part in parts(term)):
        raise TermError(f"{', '.join(CASES)} are not read inside of a {kind}")
    if len(arguments) != COUNTED[kind]:
        form = {"sum": "sum(TERM, i, FIRST, LAST)", "binomial": "binomial(n, k)", "factorial": "factorial(n)"}[kind]
        raise TermError(f"{kind} is written {form}")
    if kind == "sum":
        found = expanded(arguments)
    else:
        found = choice(*arguments) if kind == "binomial" else factorial(*arguments)
    if found is not None:
        return found
    name = f"{kind}({', '.join(map(text_of, arguments))})"
    KNOWN[name] = Counted(kind, tuple(arguments))
    return Symbol(name)


def factorial(term: Term) -> Term | None:
    """The factorial of a number; None of a variable."""
    count = constant(term)
    if count is None and symbols(term):
        return None
    if count is None or count.denominator != 1 or not 0 <= count <= LARGEST:
        raise TermError(f"factorial is read of whole numbers from 0 to {LARGEST} and of variables")
    return Number(Fraction(math.factorial(int(count))))


def choice(above: Term, below: Term) -> Term | None:
    """A binomial coefficient: of numbers, or the polynomial in what stands above for a small number below."""
    top, count = constant(above), constant(below)
    if count is None and symbols(below):
        return None
    if count is None or count.denominator != 1 or count < 0:
        raise TermError("binomial(n, k) is read for a whole number k that is not negative, or a variable")
    if top is not None and top.denominator == 1 and max(top, count) <= LARGEST and top >= 0:
        return Number(Fraction(math.comb(int(top), int(count))))
    if count > LARGEST_CHOICE:
        raise TermError(f"binomial(n, k) with a variable n is read for k up to {LARGEST_CHOICE}, or a variable k")
    product: Term = ONE
    for i in range(int(count)):
        product = Apply("*", (product, Apply("-", (above, Number(Fraction(i)))) if i else above))
    return Apply("/", (product, Number(Fraction(math.factorial(int(count))))))


def expanded(arguments: list[Term]) -> Term | None:
    """The terms of a sum between numbers; None where an end is a variable."""
    body, index, *ends = arguments
    if not isinstance(index, Symbol) or index.name in KNOWN:
        raise TermError("the index of a sum is a name, as in sum(i^2, i, 1, n)")
    if any(index.name in free_symbols(end) for end in ends):
        raise TermError(f"the index {index.name} of a sum can't be in its ends")
    low, high = map(constant, ends)
    if low is None or high is None:
        return None
    if low.denominator != 1 or high.denominator != 1 or high - low >= MOST_TERMS:
        raise TermError(f"a sum is read from a whole number to another one, with at most {MOST_TERMS} terms")
    terms = [at(body, {index.name: Number(Fraction(i))}) for i in range(int(low), int(high) + 1)]
    return balanced(terms) if terms else ZERO


def balanced(terms: list[Term]) -> Term:
    """The sum of terms, not nested deeply."""
    middle = len(terms) // 2
    return terms[0] if len(terms) == 1 else Apply("+", (balanced(terms[:middle]), balanced(terms[middle:])))


def at(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with terms in place of variables, inside of what is counted, too.

    The index of a sum is its own: it is not replaced, nor is anything that it occurs in, and a term that has a variable
    of its name gets in under another name of the index.
    """
    inner: dict[str, Term] = {}
    for name in (symbols(term) & KNOWN.keys()) - values.keys():
        one = KNOWN[name]
        if one.kind != "sum":
            inner[name] = counted(one.kind, [at(argument, values) for argument in one.arguments])
            continue
        body, index, *ends = one.arguments
        own = text_of(index)
        free = {key: value for key, value in values.items() if own not in free_symbols(Symbol(key))}
        if any(own in free_symbols(value) for value in free.values()):
            taken = {name for value in (body, *free.values()) for name in free_symbols(value)}
            new = Symbol(next(f"{own}_{i}" for i in count() if f"{own}_{i}" not in taken))
            body, index = at(body, {own: new}), new
        inner[name] = counted("sum", [at(body, free), index, *(at(end, values) for end in ends)])
    return substitute(term, {**values, **inner})


def following(n: str) -> dict[str, Term]:
    """n + 1 in place of n."""
    return {n: Apply("+", (Symbol(n), ONE))}


def grows_by_one(term: Term, n: str) -> bool:
    """Whether a term is n and a whole number."""
    first = constant(substitute(term, {n: ZERO})) if symbols(term) == {n} else None
    if first is None or first.denominator != 1:
        return False
    try:
        return bool(sympy.expand(to_sympy(term) - sympy.Symbol(n)) == sympy.Rational(first))
    except FAILURES:
        return False


def step(one: Counted, n: str, start: Fraction) -> tuple[Term, Term] | None:
    """(a, b) where the value at n + 1 is a times that at n, plus b, for every n >= start; None if none is known."""
    if one.kind == "sum":
        body, index, low, high = one.arguments
        first, begins = constant(at(high, {n: Number(start)})), constant(low)
        if first is None or begins is None or first < begins - 1:
            return None
        if n in free_symbols(body) or not grows_by_one(high, n):
            return None
        return ONE, at(body, {text_of(index): at(high, following(n))})
    if one.free != {n}:
        return None
    whole = sympy.Symbol("whole", integer=True, positive=True)
    try:
        function = sympy.factorial if one.kind == "factorial" else sympy.binomial
        now = function(*(to_sympy(argument).subs(sympy.Symbol(n), whole) for argument in one.arguments))
        ratio = sympy.hypersimp(now, whole)
        factor = None if ratio is None else from_sympy(ratio.subs(whole, sympy.Symbol(n)))
    except FAILURES:
        return None
    if factor is None or not all(follows(one, n, factor, start + i) for i in range(COMPARED)):
        return None
    return factor, ZERO


def follows(one: Counted, n: str, factor: Term, place: Fraction) -> bool:
    """Whether the value at a place, times a factor, is the next one."""
    values = [at(counted(one.kind, list(one.arguments)), {n: Number(place + i)}) for i in (0, 1)]
    ratio = substitute(factor, {n: Number(place)})
    now, later = (constant(value) for value in (Apply("*", (values[0], ratio)), values[1]))
    return now is not None and now == later


# Closed forms of sums.


def closed_form(name: str, domains: Mapping[str, Domain]) -> tuple[Term, str] | None:
    """What a sum is without a sum on the domains, and why; None if that is not known."""
    one = KNOWN[name]
    if one.kind != "sum":
        return None
    theorem = binomial_sum(one, domains)
    return (theorem, "the binomial theorem") if theorem is not None else by_induction(name, domains)


def by_induction(name: str, domains: Mapping[str, Domain]) -> tuple[Term, str] | None:
    """The closed form that sympy finds, if it is right at the first n and in each step from there on."""
    body, index, low, high = KNOWN[name].arguments
    (n, *more) = sorted(free_symbols(high)) or [""]
    lowest = domains[n].lower if n in domains else None
    start = constant(lowest) if lowest is not None else None
    moving = step(KNOWN[name], n, start) if start is not None and domains[n].integer and not more else None
    form = guessed(body, text_of(index), low, high) if moving is not None else None
    if form is None or start is None or moving is None or free_symbols(form) - domains.keys():
        return None
    others = {other: domain for other, domain in domains.items() if other != n}
    place = {n: Number(start)}
    first = Relation(substitute(form, place), "=", at(Symbol(name), place))
    rise = Relation(substitute(form, following(n)), "=", Apply("+", (form, moving[1])))
    if any(symbol in KNOWN for relation in (first, rise) for symbol in relation.symbols):
        return None
    claims = (Claim(others, (), (first,)), Claim(dict(domains), (), (rise,)))
    proved = all(check_identity(claim).status is Status.PROVED for claim in claims)
    return (form, f"induction on {n}, in two algebra systems") if proved else None


def guessed(body: Term, index: str, low: Term, high: Term) -> Term | None:
    """The closed form that sympy gives for a sum: a guess, which is proved afterwards."""
    if any(name in KNOWN for name in symbols(body)):
        return None
    i = sympy.Symbol(index, integer=True, positive=True)
    try:
        top = to_sympy(high)
        whole = {one: sympy.Symbol(f"{one}", integer=True, positive=True) for one in top.free_symbols}
        found = sympy.summation(to_sympy(body).subs(sympy.Symbol(index), i), (i, to_sympy(low), top.subs(whole)))
        plain = found.replace(sympy.Piecewise, lambda *cases: cases[-1][0])
        return from_sympy(sympy.factor(plain.subs({new: old for old, new in whole.items()})))
    except FAILURES:
        return None


def binomial_sum(one: Counted, domains: Mapping[str, Domain]) -> Term | None:
    """c (1 + r)^n for the sum of binomial(n, i) c r^i, n c (1 + r)^(n - 1) for that of binomial(n, i) i c r^(i - 1)."""
    body, index, low, high = one.arguments
    inside = sorted(symbols(body) & KNOWN.keys())
    if [KNOWN[name] for name in inside] != [Counted("binomial", (high, index))] or constant(low) != 0:
        return None
    if not range_of(high, domains).nonnegative:  # the sum is 0 where it is empty
        return None
    factor = substitute(body, {inside[0]: ONE})
    counts = {text_of(index): Domain(ZERO, None, integer=True), inside[0]: Domain(None, None)}
    zero, first, second = (substitute(factor, {text_of(index): Number(Fraction(i))}) for i in (0, 1, 2))
    twice = Apply("*", (Number(Fraction(2)), first))
    for start, ratio, weighted in (
        (zero, Apply("/", (first, zero)), False),
        (first, Apply("/", (second, twice)), True),
    ):
        try:
            scale, rate = (from_sympy(sympy.simplify(to_sympy(part))) for part in (start, ratio))
        except FAILURES:
            continue
        steps = Apply("-", (index, ONE)) if weighted else index
        term = Apply("*", (scale, Apply("^", (rate, steps))))
        term = Apply("*", (index, term)) if weighted else term
        claim = Claim({**domains, **counts}, (), (Relation(body, "=", Apply("*", (Symbol(inside[0]), term))),))
        if check_identity(claim).status is Status.PROVED:
            base, top = Apply("+", (ONE, rate)), Apply("-", (high, ONE)) if weighted else high
            total = Apply("*", (scale, Apply("^", (base, top))))
            return Apply("*", (high, total)) if weighted else total
    return None
