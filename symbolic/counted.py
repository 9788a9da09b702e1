"""Factorials, binomial coefficients and sums of variables: their values, their steps, and closed forms of sums.

In a term each of them is a symbol whose name is its text, such as `factorial(n)`.  Nothing else is used of it than what
is here: its value at whole numbers, how it changes from n to n + 1, and closed forms proved by induction or by the
binomial theorem.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import sympy
from panshuffle.symbolic.algebra import FAILURES, from_sympy, to_sympy
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.identity import check_identity
from panshuffle.symbolic.ranges import range_of
from panshuffle.symbolic.sequence import PREVIOUS, induction
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

LARGEST, LARGEST_CHOICE, MOST_TERMS, MOST_MOVED = 1_000, 30, 200, 12
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


def step(one: Counted, n: str, domains: Mapping[str, Domain]) -> tuple[Term, Term] | None:
    """(a, b) where the value at n + 1 is a times that at n, plus b, for all n in its domain; None if none is known."""
    if one.kind == "sum":
        more = moved_ends(one, n, domains)
        return None if more is None else (ONE, more)
    now = counted(one.kind, list(one.arguments))
    later = at(now, following(n))
    names = [text_of(now), text_of(later)]
    found = multiples(names, domains) if KNOWN.keys() >= set(names) else {}
    (factor, base), (more, same) = (found.get(name, (ZERO, ((name, 1),))) for name in names)
    return (quotient(more, factor), ZERO) if base == same else None


def moved_ends(one: Counted, n: str, domains: Mapping[str, Domain]) -> Term | None:
    """What a sum at n + 1 has more than at n, where its ends grow with n and it is never shorter than empty."""
    body, index, low, high = one.arguments
    moves = [shift_of(at(end, following(n)), end) for end in (low, high)]
    if n in free_symbols(body) or None in moves or any(name in KNOWN for name in symbols(low) | symbols(high)):
        return None
    first, last = (int(move) for move in moves if move is not None)
    if not 0 <= first <= last <= MOST_MOVED or not range_of(plain(Apply("-", (high, low)), 1), domains).nonnegative:
        return None
    new = [at(body, {text_of(index): plain(high, i)}) for i in range(1, last + 1)]
    old = [at(body, {text_of(index): plain(low, i)}) for i in range(first)]
    gained = balanced(new) if new else ZERO
    return Apply("-", (gained, balanced(old))) if old else gained


def plain(term: Term, more: int = 0) -> Term:
    """A term as sympy writes it, with a whole number added."""
    return from_sympy(sympy.expand(to_sympy(term) + more))


def shift_of(term: Term, other: Term) -> Fraction | None:
    """The whole number by which two terms differ, if it is one."""
    try:
        gap = sympy.expand(to_sympy(term) - to_sympy(other))
    except FAILURES:
        return None
    return Fraction(int(gap)) if gap.is_Integer else None


# Factorials and binomial coefficients as multiples of each other.


Powers = tuple[tuple[str, int], ...]
"""Factorials, by their texts, with exponents."""


def multiples(names: Iterable[str], domains: Mapping[str, Domain]) -> dict[str, tuple[Term, Powers]]:
    """For what is counted a rational factor, and the factorials of which it is a multiple.

    binomial(a, b) is a!/(b! (a - b)!) where b and a - b are not negative, and (t + 2)! = (t + 2) (t + 1) t!.  What is
    no such quotient is left out.

    >>> from panshuffle.symbolic.claim import claim
    >>> n = claim("n >= 0", n="integer [0, inf)").variables
    >>> one = counted("binomial", [plain(Symbol("n"), 3), plain(Symbol("n"), 1)])
    >>> text_of(multiples([text_of(one)], n)[text_of(one)][0])
    '(((1/2) * (2 + n)) * (3 + n))'
    """
    found: dict[str, list[tuple[sympy.Expr, int, int]]] = {}
    for name in names:
        arguments = factorials(KNOWN[name])
        split = [(*one.as_coeff_Add(), power) for one, power in arguments]
        plainly = all(range_of(from_sympy(one), domains).nonnegative for one, _ in arguments)
        if split and plainly and all(number.is_Integer for number, _, _ in split):
            found[name] = [(rest, int(number), power) for number, rest, power in split]
    least: dict[sympy.Expr, int] = {}
    for key, shift, _ in (part for arguments in found.values() for part in arguments):
        least[key] = min(shift, least.get(key, shift))
    return {name: as_multiple(arguments, least) for name, arguments in found.items()}


def factorials(one: Counted) -> list[tuple[sympy.Expr, int]]:
    """The factorials whose quotient something counted is, with 1 or -1; none for a sum or what is in a sum."""
    if one.kind == "sum" or any(name in KNOWN for argument in one.arguments for name in symbols(argument)):
        return []
    above, *below = (sympy.expand(to_sympy(argument)) for argument in one.arguments)
    return [(above, 1), *((part, -1) for k in below for part in (k, sympy.expand(above - k)))]


def as_multiple(arguments: list[tuple[sympy.Expr, int, int]], least: Mapping[sympy.Expr, int]) -> tuple[Term, Powers]:
    """A product of powers of (key + shift)! as a factor and powers of (key + least)!."""
    factor, powers = sympy.Integer(1), dict[sympy.Expr, int]()
    for key, shift, power in arguments:
        start = 0 if key == 0 else least[key]
        factor *= sympy.Mul(*(key + i for i in range(start + 1, shift + 1))) ** power
        if key != 0:
            powers[key] = powers.get(key, 0) + power
    left = sorted((f"({key + least[key]})!", power) for key, power in powers.items() if power)
    return from_sympy(factor), tuple(left)


def quotient(above: Term, below: Term) -> Term:
    """above/below, cancelled."""
    return from_sympy(sympy.factor(sympy.cancel(to_sympy(above) / to_sympy(below))))


# Closed forms of sums.


def closed_form(name: str, domains: Mapping[str, Domain], guesses: Iterable[Term] = ()) -> tuple[Term, str] | None:
    """What a sum is without a sum on the domains, and why; None if that is not known.  Guesses are tried first."""
    one = KNOWN[name]
    if one.kind != "sum":
        return None
    theorem = binomial_sum(one, domains)
    if theorem is not None:
        return theorem, "the binomial theorem"
    body, index, low, high = one.arguments
    forms: list[Term | None] = [*guesses, guessed(body, text_of(index), low, high)]
    proved = (by_induction(name, form, domains) for form in forms if form is not None)
    return next(filter(None, proved), None)


def by_induction(name: str, form: Term, domains: Mapping[str, Domain]) -> tuple[Term, str] | None:
    """A closed form of a sum, if it is right at the first n and in each step from there on."""
    (n, *more) = sorted(free_symbols(KNOWN[name].arguments[3])) or [""]
    lowest = domains[n].lower if n in domains else None
    start = constant(lowest) if lowest is not None else None
    moving = step(KNOWN[name], n, domains) if start is not None and domains[n].integer and not more else None
    if start is None or moving is None or free_symbols(form) - domains.keys():
        return None
    base, move = at(Symbol(name), {n: Number(start)}), Apply("+", (Symbol(PREVIOUS), moving[1]))
    if any(symbol in KNOWN for term in (form, base, move) for symbol in symbols(term)):
        return None
    others = {other: domain for other, domain in domains.items() if other != n}
    found = induction(form, base, move, int(start), n, others)
    return (form, f"induction on {n}, in {found.tier}") if found.status is Status.PROVED else None


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
    """The sum over i = 0, ..., n of binomial(n, i) p(i) r^i for a polynomial p, term by term in i (i - 1) ... (i - d).

    The sum of binomial(n, i) i (i - 1) ... (i - d + 1) r^i is n (n - 1) ... (n - d + 1) r^d (1 + r)^(n - d).
    """
    body, index, low, high = one.arguments
    inside = sorted(symbols(body) & KNOWN.keys())
    if [KNOWN[name] for name in inside] != [Counted("binomial", (high, index))] or constant(low) != 0:
        return None
    if not range_of(high, domains).nonnegative:  # the sum is 0 where it is empty
        return None
    i, factor = sympy.Symbol(text_of(index)), substitute(body, {inside[0]: ONE})
    try:
        rate, weight = geometric(to_sympy(factor), i)
        top, base, left, total = to_sympy(high), sympy.cancel(1 + rate), sympy.Poly(weight, i), sympy.Integer(0)
        for d in range(left.degree(), -1, -1):
            leading = left.coeff_monomial(i**d)
            left -= sympy.Poly(leading * sympy.Mul(*(i - j for j in range(d))), i)
            total += leading * sympy.Mul(*(top - j for j in range(d))) * rate**d * base ** (top - d)
        term, found, positive = (from_sympy(one) for one in (weight * rate**i, total, base))
    except (*FAILURES, sympy.PolynomialError):
        return None
    counts = {text_of(index): Domain(ZERO, None, integer=True)}
    same = check_identity(Claim({**domains, **counts}, (), (Relation(factor, "=", term),)))
    return found if same.status is Status.PROVED and range_of(positive, domains).positive else None


def geometric(product: sympy.Expr, i: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr]:
    """(r, w) where a product is r^i w, and w has no power with i in its exponent."""
    rate, weight = sympy.Integer(1), sympy.Integer(1)
    for factor in sympy.Mul.make_args(product):
        base, power = factor.as_base_exp()
        slope = sympy.diff(power, i)
        if slope == 0 or i in slope.free_symbols:
            weight *= factor
        else:
            rate *= base**slope
            weight *= base ** sympy.expand(power - slope * i)
    return sympy.cancel(rate), weight
