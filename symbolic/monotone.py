"""The prover by monotonicity: a term is not negative on an interval, because it is not at an end and then increases.

The steps that a person would write: what a function is at an end of the interval, the sign of its derivative on the
rest of it, or that it is concave and not negative at both ends.  Each derivative is an identity for two algebra
systems, each sign is decided by balls or by SMT solvers, or by the same prover, up to `DEEPEST` times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import islice

import sympy
from panshuffle.symbolic.algebra import FAILURES, from_sympy, to_sympy
from panshuffle.symbolic.ball import check_inequality
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.decision import Budget, Exhausted, Status
from panshuffle.symbolic.derivative import check_derivative, derivative, is_interval
from panshuffle.symbolic.identity import check_identity
from panshuffle.symbolic.lemma import is_enclosed_pi
from panshuffle.symbolic.point import holds_at, in_domain, points, violation
from panshuffle.symbolic.ranges import both, cut, range_of
from panshuffle.symbolic.smt import LIMITS, check_smt
from panshuffle.symbolic.smt_text import is_opaque
from panshuffle.symbolic.term import (
    MINUS_ONE,
    ONE,
    ZERO,
    Apply,
    Number,
    Symbol,
    Term,
    TermError,
    constant,
    minus,
    parts,
    substitute,
    symbols,
    text_of,
    times,
)

DEEPEST = 3
UNITS, MORE_UNITS, SEARCH_UNITS, SMT_SHARE = 16_000, 60_000, 20_000, 20
MOST_SIGNS, FEW_SIGNS = 80, 20
"""How many signs are looked for in the proof of one claim, and of a claim that another prover has proved."""
TRIALS = 40
LARGEST = 400
"""How many operations a term may have whose sign is looked for."""
ANCHORS = (Fraction(0), Fraction(1))
MEAN_VALUE = "continuity and the mean value theorem"
STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


@dataclass(frozen=True)
class Line:
    """A step of a proof: how deep it is nested, what holds, and why."""

    depth: int
    says: str
    by: str


def shown(term: Term, least: int = 0) -> str:
    """The term with as few parentheses as it needs.

    >>> from panshuffle.symbolic.term import parse_term
    >>> shown(parse_term("(2^g - 1)*(-x)/3 - (a - b)"))
    '(2^g - 1)*(-x)/3 - (a - b)'
    """
    if isinstance(term, Symbol):
        return term.name
    if isinstance(term, Number):
        plain = str(term.value)
        atom = term.value >= 0 and (term.value.denominator == 1 or least <= STRENGTH["*"])
        return plain if atom or least <= 1 else f"({plain})"
    if term.operator not in STRENGTH:
        return f"{term.operator}({', '.join(map(shown, term.arguments))})"
    own, (left, right) = STRENGTH[term.operator], term.arguments
    negative, size = signed(term)
    if negative and term.operator in ("*", "/"):
        return f"-{shown(size, own)}" if least <= 1 else f"(-{shown(size, own)})"
    if term.operator == "+" and signed(right)[0]:
        text = f"{shown(left, 1)} - {shown(signed(right)[1], 2)}"
    elif (
        term.operator == "*" and isinstance(right, Apply) and right.operator == "^" and right.arguments[1] == MINUS_ONE
    ):
        text = f"{shown(left, 2)}/{shown(right.arguments[0], 3)}"
    else:
        gap = " " if own == 1 else ""
        after = own if term.operator in ("+", "*") else own + (term.operator != "^")
        text = f"{shown(left, own + (term.operator == '^'))}{gap}{term.operator}{gap}{shown(right, after)}"
    return f"({text})" if own < least else text


def signed(term: Term) -> tuple[bool, Term]:
    """Whether a product has a negative number in front, and the term without its sign."""
    if isinstance(term, Number):
        return term.value < 0, Number(abs(term.value))
    if isinstance(term, Apply) and term.operator in ("*", "/"):
        negative, size = signed(term.arguments[0])
        if size == ONE and term.operator == "*":
            return negative, term.arguments[1]
        return negative, Apply(term.operator, (size, term.arguments[1]))
    return False, term


def opposite(term: Term) -> Term:
    """-term, without a sign in front of a sign."""
    negative, size = signed(term)
    return size if negative else minus(term)


def shown_relation(relation: Relation) -> str:
    """A relation with as few parentheses as it needs."""
    return f"{shown(relation.left)} {relation.relation} {shown(relation.right)}"


def shown_domain(domain: Domain) -> str:
    """A domain as it is written in a claim."""
    low = "-inf" if domain.lower is None else shown(domain.lower)
    high = "inf" if domain.upper is None else shown(domain.upper)
    opening, closing = ("(" if domain.lower_open else "["), (")" if domain.upper_open else "]")
    infinite = domain.lower is None, domain.upper is None
    opening, closing = ("(" if infinite[0] else opening), (")" if infinite[1] else closing)
    return f"{'integer ' if domain.integer else ''}{opening}{low}, {high}{closing}"


def prove_by_monotonicity(claim: Claim, units: int = UNITS, signs: int = MOST_SIGNS) -> list[Line]:
    """The steps of a proof of a claim with one inequality, by its first variable where there is one; else none.

    Balls do as many units of work for each sign.

    >>> from panshuffle.symbolic.claim import claim
    >>> for line in prove_by_monotonicity(claim("exp(x) - 1 >= x", x="[0, inf)")):
    ...     print("  " * line.depth + line.says)
    exp(x) - 1 - x >= 0 for x in [0, inf): it is 0 at x = 0, and it does not fall from there on
      d/dx [exp(x) - 1 - x] = -1 + exp(x)
      this, without positive factors: 1 >= 0 for x in (0, inf)
    """
    (relation,) = claim.conclusion
    if relation.relation in ("=", "!="):
        return []
    sides = (relation.left, relation.right)
    larger, smaller = sides if relation.relation in (">=", ">") else sides[::-1]
    strict = relation.relation in ("<", ">")
    budget = Budget(signs)
    for name, domain in claim.variables.items():
        hull = replace(domain, integer=False)
        free = name in relation.symbols and not any(name in one.symbols for one in claim.given)
        if is_enclosed_pi({name: domain}) or not is_interval(hull) or not free:
            continue
        prover, found = Monotonicity(claim, name, budget, units), list[Line]()
        with suppress(Exhausted):
            found = prover.by_logarithm(larger, smaller, strict, hull)
            found = found or prover.proof(difference(larger, smaller), strict, hull, 0)
        found = found or by_reciprocal(claim, name, units, signs)
        if found:
            return found
    return []


def by_reciprocal(claim: Claim, name: str, units: int, signs: int) -> list[Line]:
    """The steps of a proof of the claim about 1/t in place of a variable that goes to infinity."""
    domain, (relation,) = claim.variables[name], claim.conclusion
    low = constant(domain.lower) if domain.lower is not None else None
    if domain.upper is not None or low is None or low <= 0:
        return []
    new = next(letter for letter in ("t", "s", "u", "v", "w") if letter not in claim.variables)
    inverse = Apply("/", (ONE, Symbol(new)))
    others = {other: one for other, one in claim.variables.items() if other != name}
    variables = {new: Domain(ZERO, Number(1 / low), True, domain.lower_open), **others}
    try:
        sides = [tidied(substitute(side, {name: inverse})) for side in (relation.left, relation.right)]
    except FAILURES:
        return []
    there = replace(claim, variables=variables, conclusion=(Relation(sides[0], relation.relation, sides[1]),))
    pairs = zip((relation.left, relation.right), sides, strict=True)
    same = [Relation(substitute(old, {name: inverse}), "=", side) for old, side in pairs]
    found = check_identity(replace(there, conclusion=tuple(same)))
    rest = prove_by_monotonicity(there, units, signs) if found.status is Status.PROVED else []
    text = f"with {name} = 1/{new}: {shown_relation(there.conclusion[0])} for {new} in {shown_domain(variables[new])}"
    return [Line(0, text, found.tier), *(replace(line, depth=line.depth + 1) for line in rest)] if rest else []


def tidied(term: Term) -> Term:
    """The term as sympy writes it, its logarithms of quotients and powers taken apart."""
    found = to_sympy(term).replace(sympy.log, lambda inner: sympy.log(sympy.factor(sympy.together(inner))))
    return from_sympy(sympy.expand_log(sympy.powdenest(found, force=True), force=True))


def difference(larger: Term, smaller: Term) -> Term:
    """larger - smaller."""
    return larger if smaller == ZERO else opposite(smaller) if larger == ZERO else Apply("-", (larger, smaller))


def factored(term: Term) -> Term:
    """A sum as a product with the factors that its parts share, as sympy finds them."""
    if not (isinstance(term, Apply) and term.operator in ("+", "-")):
        return term
    try:
        return from_sympy(sympy.factor(sympy.expand(to_sympy(term))))
    except FAILURES:
        return term


def logarithm(term: Term) -> Term:
    """The logarithm of a positive term, where it is a power or a product taken apart."""
    if isinstance(term, Apply) and term.operator == "exp":
        return term.arguments[0]
    if isinstance(term, Apply) and term.operator in ("*", "/"):
        left, right = map(logarithm, term.arguments)
        return Apply("+" if term.operator == "*" else "-", (left, right))
    if isinstance(term, Apply) and term.operator == "^":
        return Apply("*", (term.arguments[1], logarithm(term.arguments[0])))
    return Apply("log", (term,))


@dataclass(frozen=True)
class Monotonicity:
    """The prover for one variable of a claim."""

    claim: Claim
    name: str
    budget: Budget
    units: int

    def decided(self, goal: Claim) -> str:
        """As `decided`, paid for.  *Raises* `Exhausted`."""
        self.budget.spend()
        return decided(goal, self.units)

    def on(self, domain: Domain | None, *conclusion: Relation) -> Claim:
        """A claim with another domain of the variable, or without the variable."""
        others = {name: one for name, one in self.claim.variables.items() if name != self.name}
        variables = others if domain is None else {**others, self.name: domain}
        return replace(self.claim, variables=variables, conclusion=conclusion)

    def proof(self, term: Term, strict: bool, domain: Domain, depth: int, direct: bool = True) -> list[Line]:
        """The steps that show term >= 0 (term > 0) on a domain, in one step where that is wanted; none if none work."""
        goal = self.on(domain, Relation(term, ">" if strict else ">=", ZERO))
        if sum(1 for _ in parts(term)) > LARGEST or fails(goal):
            return []
        says = f"{shown_relation(goal.conclusion[0])} for {self.name} in {shown_domain(domain)}"
        tier = self.decided(goal) if depth else ""
        if tier and direct:
            return [Line(depth, says, tier)]
        ways = (
            (self.by_clearing, self.by_convexity, self.by_end, self.by_concavity, self.by_infinity)
            if depth < DEEPEST
            else ()
        )
        found = next((lines for way in ways for lines in way(term, strict, domain, depth, says) if lines), [])
        return found or ([Line(depth, says, tier)] if tier else [])

    def by_logarithm(self, larger: Term, smaller: Term, strict: bool, domain: Domain) -> list[Line]:
        """The same of the logarithms, where both sides are positive and one of them is a power."""
        variables = self.on(domain).variables
        powers = [one for one in (larger, smaller) if isinstance(one, Apply) and one.operator in ("exp", "^")]
        positive = [Relation(side, ">", ZERO) for side in (larger, smaller) if not range_of(side, variables).positive]
        if not powers or not all(self.decided(self.on(domain, one)) for one in positive):
            return []
        logs = [logarithm(factored(side)) for side in (larger, smaller)]
        pairs = [Relation(Apply("log", (side,)), "=", log) for side, log in zip((larger, smaller), logs, strict=True)]
        same = check_identity(self.on(domain, *pairs))
        rest = self.proof(difference(logs[0], logs[1]), strict, domain, 1) if same.status is Status.PROVED else []
        text = f"both sides are positive, so it is the same of log({shown(larger)}) = {shown(logs[0])} and of "
        return [Line(0, f"{text}log({shown(smaller)}) = {shown(logs[1])}", same.tier), *rest] if rest else []

    def by_clearing(self, term: Term, strict: bool, domain: Domain, depth: int, says: str) -> Iterator[list[Line]]:
        """The numerator over a positive denominator."""
        try:
            above, below = (from_sympy(part) for part in sympy.fraction(sympy.together(to_sympy(term))))
        except FAILURES:
            return
        if not symbols(below):
            return
        if not self.decided(self.on(domain, Relation(below, ">", ZERO))):
            above, below = opposite(above), opposite(below)
            if not self.decided(self.on(domain, Relation(below, ">", ZERO))):
                return
        same = check_identity(self.on(domain, Relation(term, "=", Apply("/", (above, below)))))
        if same.status is not Status.PROVED:
            return
        rest = self.proof(above, strict, domain, depth + 1, direct=False)
        if rest:
            text = f"{says}: it is {shown(above, 2)} over {shown(below)} > 0"
            yield [Line(depth, text, same.tier), *rest]

    def by_end(self, term: Term, strict: bool, domain: Domain, depth: int, says: str) -> Iterator[list[Line]]:
        """The value at an end, or at a point between, and the derivative's sign from there on."""
        inner = [Number(value) for value in ANCHORS if in_domain(value, open_part(domain)) is True]
        alone = symbols(term) == {self.name}
        for anchor in (domain.lower, domain.upper, *inner, *(self.standing(term, domain) if alone else ())):
            if anchor is None:
                continue
            value = substitute(term, {self.name: anchor})
            sign = self.sign_of_value(value, strict and self.belongs(anchor, domain))
            if sign is None:
                continue
            pieces = [(piece, up) for piece, up in self.pieces(domain, anchor)]
            lines = [self.slope_lines(term, piece, up, strict and sign == ">=", depth) for piece, up in pieces]
            if not all(lines):
                continue
            held = "0" if self.sign_of_zero(value) else f"{sign} 0"
            move = " and ".join("rises" if up else "falls" for _, up in pieces)
            move = {"rises": "it does not fall from there on", "falls": "it does not rise up to there"}.get(
                move, "it does not fall away from there"
            )
            text = f"{says}: it is {held} at {self.name} = {shown(anchor)}, and {move}"
            yield [Line(depth, text, MEAN_VALUE), *(one for part in lines for one in part)]
        yield from self.by_diagonal(term, domain, depth, says, strict)

    def standing(self, term: Term, domain: Domain) -> list[Term]:
        """Points inside of the domain where the derivative of a term is 0, as sympy finds them."""
        x = sympy.Symbol(self.name)
        try:
            slope = sympy.factor(sympy.fraction(sympy.together(sympy.diff(to_sympy(term), x)))[0])
            found = [from_sympy(zero) for factor in sympy.Mul.make_args(slope) for zero in zeros(factor, x)]
        except (*FAILURES, sympy.PolynomialError):
            return []
        ends = [(end, sign) for end, sign in ((domain.lower, ">"), (domain.upper, "<")) if end is not None]
        return [
            zero for zero in found if all(self.decided(self.on(None, Relation(zero, sign, end))) for end, sign in ends)
        ]

    def by_convexity(self, term: Term, strict: bool, domain: Domain, depth: int, says: str) -> Iterator[list[Line]]:
        """The value where the derivative is 0, in terms of other variables, and a second derivative of at least 0."""
        inside = open_part(domain)
        if symbols(term) == {self.name} or not self.is_defined(term, domain):
            return
        for place in self.standing(term, domain):
            sign = self.sign_of_value(substitute(term, {self.name: place}), strict)
            first, line = self.derivative(term, inside, depth + 1) if sign is not None else (None, None)
            if first is None or line is None or not self.sign_of_zero(substitute(first, {self.name: place})):
                continue
            second, other = self.derivative(first, inside, depth + 1)
            if second is None or other is None:
                continue
            curve = self.reduced(second, inside)
            rest = introduced(self.proof(curve, False, inside, depth + 1), second, curve, True)
            if rest:
                text = f"{says}: it is {sign} 0 at {self.name} = {shown(place)}, where its derivative is 0, and convex"
                yield [Line(depth, text, "convexity"), line, other, *rest]

    def by_diagonal(self, term: Term, domain: Domain, depth: int, says: str, strict: bool) -> Iterator[list[Line]]:
        """The value where the variable equals another one, and a derivative with the sign of their distance."""
        for other, inner in self.claim.variables.items():
            if strict or other == self.name or other not in symbols(term) or not within(inner, domain):
                continue
            anchor = Symbol(other)
            sign = self.sign_of_value(substitute(term, {self.name: anchor}), False)
            if sign is None or not self.is_defined(term, domain):
                continue
            slope, line = self.derivative(term, domain, depth + 1)
            if slope is None or line is None:
                continue
            away = Apply("*", (Apply("-", (Symbol(self.name), anchor)), slope))
            rest = self.proof(self.reduced(away, domain), False, domain, depth + 1)
            if rest:
                text = f"{says}: it is {sign} 0 at {self.name} = {other}, and it does not fall away from there"
                yield [Line(depth, text, MEAN_VALUE), line, *rest]

    def belongs(self, anchor: Term, domain: Domain) -> bool:
        """Whether an end or a point between belongs to a domain."""
        if anchor == domain.lower:
            return not domain.lower_open
        return not (anchor == domain.upper and domain.upper_open)

    def sign_of_value(self, value: Term, strict: bool) -> str | None:
        """The relation to 0 of a value at an end, > or >=, as it is proved; None where it is not what it must be."""
        for sign in (">",) if strict else (">", ">="):
            if self.decided(self.on(None, Relation(value, sign, ZERO))):
                return sign
        return None

    def sign_of_zero(self, value: Term) -> bool:
        """Whether a value is 0."""
        return check_identity(self.on(None, Relation(value, "=", ZERO))).status is Status.PROVED

    def pieces(self, domain: Domain, anchor: Term) -> list[tuple[Domain, bool]]:
        """The closed pieces of a domain above and below a point, and whether the term must rise on them."""
        if anchor == domain.lower:
            return [(replace(domain, lower_open=False), True)]
        if anchor == domain.upper:
            return [(replace(domain, upper_open=False), False)]
        parts_of = (cut(domain, ">=", anchor), True), (cut(domain, "<=", anchor), False)
        return [(piece, up) for piece, up in parts_of if piece is not None]

    def slope_lines(self, term: Term, piece: Domain, up: bool, strict: bool, depth: int) -> list[Line]:
        """The steps that show that a term, defined on a piece, rises (falls) on it."""
        if not self.is_defined(term, piece):
            return []
        inside = open_part(piece)
        slope, line = self.derivative(term, inside, depth + 1)
        if slope is None or line is None:
            return []
        sign = self.reduced(slope if up else opposite(slope), inside)
        rest = self.proof(sign, strict, inside, depth + 1)
        return [line, *introduced(rest, slope, sign, up)] if rest else []

    def by_concavity(self, term: Term, strict: bool, domain: Domain, depth: int, says: str) -> Iterator[list[Line]]:
        """Values at both ends, and a second derivative that is not positive."""
        low, high = domain.lower, domain.upper
        if (
            low is None
            or high is None
            or not self.is_defined(term, replace(domain, lower_open=False, upper_open=False))
        ):
            return
        values = [substitute(term, {self.name: end}) for end in (low, high)]
        signs = [
            self.sign_of_value(value, strict and self.belongs(end, domain))
            for value, end in zip(values, (low, high), strict=True)
        ]
        if None in signs or (strict and ">" not in signs):
            return
        inside = open_part(domain)
        first, line = self.derivative(term, inside, depth + 1)
        if first is None or line is None:
            return
        second, other = self.derivative(first, inside, depth + 1)
        if second is None or other is None:
            return
        sign = self.reduced(opposite(second), inside)
        rest = introduced(self.proof(sign, False, inside, depth + 1), second, sign, False)
        if rest:
            ends = " and ".join(shown(end) for end in (low, high))
            text = f"{says}: it is not negative at {self.name} = {ends}, and concave between"
            yield [Line(depth, text, "concavity"), line, other, *rest]

    def by_infinity(self, term: Term, strict: bool, domain: Domain, depth: int, says: str) -> Iterator[list[Line]]:
        """The sign of a derivative that goes to 0 far out, in terms of 1/t."""
        if depth and symbols(term) == {self.name}:
            goal = self.on(domain, Relation(term, ">" if strict else ">=", ZERO))
            lines = by_reciprocal(goal, self.name, self.units, FEW_SIGNS)
            if lines:
                yield [
                    Line(depth, says, "another variable"),
                    *(replace(one, depth=one.depth + depth + 1) for one in lines),
                ]

    def is_defined(self, term: Term, domain: Domain) -> bool:
        """Whether a term is defined on a whole domain."""
        return check_identity(self.on(domain, Relation(term, "=", term))).status is Status.PROVED

    def derivative(self, term: Term, domain: Domain, depth: int) -> tuple[Term | None, Line | None]:
        """The derivative, simplified by sympy and then checked, with its step."""
        domains = {name: shown_domain(one) for name, one in self.on(domain).variables.items()}
        for slope in self.slopes(term):
            with suppress(TermError):  # a text that is too long
                found = check_derivative(text_of(term), self.name, text_of(slope), **domains)
                if found.status is not Status.PROVED:
                    continue
                return slope, Line(depth, f"d/d{self.name} [{shown(term)}] = {shown(slope)}", found.tier)
        return None, None

    def slopes(self, term: Term) -> Iterator[Term]:
        """Forms of the derivative, the most readable first."""
        with suppress(*FAILURES, sympy.PolynomialError):
            found = sympy.diff(to_sympy(term), sympy.Symbol(self.name))
            with suppress(*FAILURES, sympy.PolynomialError):
                yield from_sympy(sympy.factor(sympy.together(found)))
            yield from_sympy(found)
        yield derivative(term, self.name)

    def reduced(self, term: Term, domain: Domain) -> Term:
        """A term with the sign of a term, without factors that are plainly positive."""
        variables = self.on(domain).variables
        kept = [factor for factor in factors_of(term) if not range_of(factor, variables).positive]
        return reduce(times, kept) if kept else ONE


def zeros(factor: sympy.Expr, x: sympy.Symbol) -> Iterator[sympy.Expr]:
    """Where a factor is 0 that is linear or quadratic in x, or linear in log(x) or exp(x)."""
    base, t = factor.as_base_exp()[0], sympy.Dummy()
    for inner, inverse, most in (
        (x, lambda value: value, 2),
        (sympy.log(x), sympy.exp, 1),
        (sympy.exp(x), sympy.log, 1),
    ):
        polynomial = base.subs(inner, t)
        plain = x not in polynomial.free_symbols and polynomial.is_polynomial(t)
        if plain and 1 <= sympy.degree(polynomial, t) <= most:
            yield from map(inverse, sympy.roots(polynomial, t))


def introduced(lines: list[Line], slope: Term, sign: Term, up: bool) -> list[Line]:
    """The steps on a derivative's sign, the first of which says what became of the derivative."""
    if not lines or sign == slope:
        return lines
    what = "this" if up else "the opposite of this"
    factors = "" if sign == opposite(slope) else ", without positive factors"
    return [replace(lines[0], says=f"{what}{factors}: {lines[0].says}"), *lines[1:]]


def factors_of(term: Term) -> list[Term]:
    """Factors whose product has the sign of a term."""
    if isinstance(term, Apply) and term.operator in ("*", "/"):
        return [*factors_of(term.arguments[0]), *factors_of(term.arguments[1])]
    return [term]


def within(inner: Domain, outer: Domain) -> bool:
    """Whether an interval is surely inside another one."""
    with suppress(TermError):
        return both(inner, outer) == inner
    return False


def open_part(domain: Domain) -> Domain:
    """A domain without its ends."""
    return replace(domain, lower_open=True, upper_open=True)


def fails(claim: Claim) -> bool:
    """Whether a claim fails at one of a few simple points."""
    return any(violation(claim, point) is not None for point in islice(points(claim), TRIALS))


def decided(claim: Claim, units: int = UNITS, limits: Mapping[str, int] = LIMITS) -> str:
    """By what a claim with one relation is proved within a small budget; "" if it is not."""
    (relation,) = claim.conclusion
    if not claim.variables:
        return "exact evaluation" if holds_at(relation, {}) is True else ""
    found = check_inequality(claim, units, SEARCH_UNITS)
    if found.status is not Status.UNDECIDED:
        return found.tier if found.status is Status.PROVED else ""
    if any(is_opaque(part) for side in (relation.left, relation.right) for part in parts(side)):
        return ""
    found = check_smt(claim, {solver: limit // SMT_SHARE for solver, limit in limits.items()})
    return found.tier if found.status is Status.PROVED else ""
