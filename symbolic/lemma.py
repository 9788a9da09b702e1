"""Lemmas as people write them: texts, sympy relations and z3 formulas, read into the claims that the provers decide.

A lemma becomes several claims, one for each case: abs, min and max by the sign of what they compare, and a power with
a positive exponent by whether its base is 0.  Together the cases cover the domains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from importlib import import_module
from itertools import chain
from typing import Any

import sympy
from flint import arb, ctx
from panshuffle.exact.errors import shortened
from panshuffle.symbolic.algebra import FAILURES, from_sympy, to_sympy
from panshuffle.symbolic.ball_box import CONSTANTS
from panshuffle.symbolic.claim import (
    FLIPPED,
    Claim,
    Domain,
    Relation,
    definedness,
    named,
    parse_domain,
    parse_relations,
)
from panshuffle.symbolic.counted import CASES, COUNTED, KNOWN, counted, free_symbols
from panshuffle.symbolic.form import Unfit, polynomial
from panshuffle.symbolic.point import holds_at
from panshuffle.symbolic.ranges import End, ball_end, both, cut, ends_of, is_empty, range_of
from panshuffle.symbolic.term import (
    FUNCTIONS,
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
    parse_term,
    parts,
    substitute,
    symbols,
)

REALS = Domain(None, None, True, True)
SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "\N{MINUS SIGN}": "-", "·": "*", "∈": " in ", "∞": "inf"}
MEANINGS = {
    "ln": "log(u)",
    "sinh": "(exp(u) - exp(-u))/2",
    "cosh": "(exp(u) + exp(-u))/2",
    "tanh": "(exp(2*u) - 1)/(exp(2*u) + 1)",
    "expm1": "exp(u) - 1",
    "log1p": "log(1 + u)",
}
"""Functions that are read as terms of the provers."""
READ = (*FUNCTIONS, *MEANINGS, *CASES, *COUNTED)
UNREAD = ("odd", "even", "prime", "composite", "irrational", "noninteger")
BOUNDS = {"positive": ">", "nonnegative": ">="}
CONSTANT_NAMES = ("e", "E", "pi")
NOT_NAMES = {"in", "is", "inf", "real", "reals", "integer", "integers", "positive", "nonnegative"}
PI, PI_BITS = "pi", 256
MOST_CASES = 64
LISTED = re.compile(r"(-?\d+(?:\s*,\s*-?\d+)+)(\s*,\s*\.\.\.(?:\s*,\s*(-?\d+))?)?")
WORDS = re.compile(r"(?:the\s+)?((?:(?:real|integer|positive|nonnegative)s?\s*)+)(?:numbers?)?\s*(.*)")
HOW = "give one, as in --for '{0} in (0, 1]', '{0} > 0', '{0} real' or '{0} in 1, 2, ...' (in Python: {0}='(0, 1]')"


@dataclass(frozen=True)
class Lemma:
    """What is claimed: for the domains and hypotheses, each relation of the conclusion; its text as it was given."""

    text: str
    domains: Mapping[str, Domain]
    given: tuple[Relation, ...]
    conclusion: tuple[Relation, ...]
    constants: tuple[str, ...] = ()
    """Names that are read as Euler's number."""
    is_step: bool = False
    """Whether it is a step in the proof of another lemma, for which one prover is enough."""

    def cases(self) -> Iterator[Claim]:
        """Claims without abs, min and max that say together what the lemma says; a case without points is left out."""
        found = supposed(Claim(dict(self.domains), self.given, self.conclusion))
        while found:
            case = found.pop(0)
            halves = split(case)
            if halves is None:
                yield from supposed(case)
            else:
                found = halves + found
            if len(found) > MOST_CASES:
                raise TermError(f"the claim has more than {MOST_CASES} cases of abs, min and max")


@dataclass
class Reader:
    """Domains and hypotheses as they are read, one after the other."""

    domains: dict[str, Domain] = field(default_factory=dict)
    given: list[Relation] = field(default_factory=list)

    def read(self, text: str) -> None:
        """Takes in a text such as "x in (0, 1]", "0 < x <= 1", "n in 1, 2, ...", "x real" or "x + y <= 1"."""
        plain = with_signs(text)
        names, inside, where = plain.partition(" in ")
        word = re.fullmatch(r"\s*(\w+(?:\s*,\s*\w+)*)\s+(?:is\s+)?(real|integer|positive|nonnegative)s?\s*", plain)
        if inside or word:
            names, where = (word[1], word[2]) if word else (names, where)
            for name in names.split(","):
                self.declare(named(name.strip()), where)
            return
        for relation in relations_of(plain):
            self.suppose(relation)

    def declare(self, name: str, where: str) -> None:
        """Takes in what a text says of a variable after "in" or "is": an interval, whole numbers, or a relation."""
        plain = with_signs(where).strip()
        listed = LISTED.fullmatch(plain)
        words = WORDS.fullmatch(plain)
        if listed:
            numbers = [int(number) for number in listed[1].split(",")]
            if numbers != list(range(numbers[0], numbers[-1] + 1)):
                raise TermError(f"{plain!r} is not a domain: whole numbers must follow each other, as in 1, 2, 3")
            last = listed[3] or numbers[-1]
            plain = f"integer [{numbers[0]}, {'inf)' if listed[2] and not listed[3] else f'{last}]'}"
        elif words and not plain.startswith("integer ["):
            named_so = {word.rstrip("s") for word in words[1].split()}
            whole = "integer" in named_so or self.whole(name)
            self.domains[name] = replace(self.domains.get(name, REALS), integer=whole)
            for word in named_so & BOUNDS.keys():
                self.suppose(Relation(Symbol(name), BOUNDS[word], ZERO))
            plain = words[2]
        if not plain:
            return
        if plain[0] in "<>=":
            plain = f"{name} {plain}"
        if "<" in plain or ">" in plain:
            self.domains.setdefault(name, REALS)
            for relation in relations_of(plain):
                self.suppose(relation)
            return
        self.domains[name] = both(self.domains.get(name, REALS), parse_domain(plain))

    def whole(self, name: str) -> bool:
        """Whether a variable is known to be whole."""
        return name in self.domains and self.domains[name].integer

    def suppose(self, relation: Relation) -> None:
        """Takes in a hypothesis: what bounds a variable by a constant is a part of its domain.

        A bound that speaks of e alone makes it a variable: of Euler's number it would say nothing.
        """
        speaks_of = relation.symbols
        for name, sign, other in relation.readings():
            bound = with_constants(other, self.domains)
            number = name in CONSTANT_NAMES and name not in self.domains and (name == PI or speaks_of != {name})
            if number or is_special(bound):
                continue
            if sign != "!=" and not symbols(bound) and holds_at(Relation(bound, "=", bound), {}) is True:
                smaller = cut(self.domains.get(name, REALS), sign, bound)
                if smaller is not None:
                    self.domains[name] = smaller
                    return
        self.given.append(relation)

    def lemma(self, text: str, conclusion: Iterable[Relation]) -> Lemma:
        """The lemma with a conclusion.  *Raises* `TermError` for a variable without a domain."""
        relations = [*self.given, *conclusion]
        euler = sorted({name for one in relations for name in one.symbols & {"e", "E"}} - self.domains.keys())
        given, claimed = ([self.settled(relation) for relation in part] for part in (self.given, conclusion))
        for relation in given:  # a hypothesis may be all that is said of a variable
            for name in relation.symbols - KNOWN.keys() - self.domains.keys():
                self.domains[name] = REALS
        terms = (side for relation in (*given, *claimed) for side in (relation.left, relation.right))
        for name in sorted({name for term in terms for name in free_symbols(term)} - set(self.domains)):
            raise TermError(f"the variable {name} has no domain: {HOW.format(name)}")
        for name in sorted({name for relation in (*given, *claimed) for name in relation.symbols & KNOWN.keys()}):
            real = [other for other in KNOWN[name].counting if not self.domains[other].integer]
            if real:
                raise TermError(f"{name} is read for a whole number {real[0]} only: {HOW.format(real[0])}")
        return Lemma(text, self.domains, tuple(given), tuple(claimed), tuple(euler))

    def settled(self, relation: Relation) -> Relation:
        """A relation with e and pi, where they are no variables; pi becomes one with a narrow domain."""
        sides = [with_constants(side, self.domains) for side in (relation.left, relation.right)]
        if PI not in self.domains and any(PI in symbols(side) for side in sides):
            with ctx.workprec(PI_BITS):
                ends = [ball_end(arb.pi(), lower).value for lower in (True, False)]
            low, high = (Number(end) for end in ends if end is not None)
            self.domains[PI] = Domain(low, high)
        return Relation(sides[0], relation.relation, sides[1])


def with_constants(term: Term, domains: Mapping[str, Domain]) -> Term:
    """The term with exp(1) for e, unless e is a variable."""
    return substitute(term, {name: Apply("exp", (ONE,)) for name in ("e", "E") if name not in domains})


def is_enclosed_pi(domains: Mapping[str, Domain]) -> bool:
    """Whether pi is the number, not a variable that somebody declared."""
    with ctx.workprec(PI_BITS):
        low = ball_end(arb.pi(), True).value
        high = ball_end(arb.pi(), False).value
    enclosed = None if low is None or high is None else Domain(Number(low), Number(high))
    return PI in domains and domains[PI] == enclosed


def lemma_of(claim: object, given: Iterable[object] = (), domains: Mapping[str, str] | None = None) -> Lemma:
    """The lemma that a claim, its hypotheses and its domains denote: texts, sympy relations or z3 formulas.

    *Raises* `TermError` with one sentence for what cannot be read.

    >>> lemma_of("abs(x) <= 1", ["x > -1"], {"x": "[-3, 1]"}).domains["x"].lower_open
    True
    """
    reader = Reader()
    for name, text in (domains or {}).items():
        reader.declare(named(name), str(text))
    for one in sorted(given, key=lambda one: not makes_variable(one)):
        if isinstance(one, str):
            reader.read(one)
        else:
            for relation in foreign(one, reader, outermost=False):
                reader.suppose(relation)
    conclusion = relations_of(with_signs(claim)) if isinstance(claim, str) else foreign(claim, reader)
    return reader.lemma(" ".join(str(claim).split()), conclusion)


def makes_variable(given: object) -> bool:
    """Whether a text speaks of e, E or pi alone, which may make it a variable: it is read before those that use it.

    >>> makes_variable("0 < e <= 1"), makes_variable("q <= e")
    (True, False)
    """
    return isinstance(given, str) and set(re.findall(r"[^\W\d]\w*", given)) - NOT_NAMES <= set(CONSTANT_NAMES)


def with_signs(text: str) -> str:
    """The text in plain letters."""
    return reduce(lambda old, sign: old.replace(sign, SIGNS[sign]), SIGNS, text)


def relations_of(text: str) -> tuple[Relation, ...]:
    """The relations of a chain, in the language of lemmas; abs, min and max stay."""
    return parse_relations(re.sub(r"(\w+|\([^()]*\))!(?!=)", r"factorial(\1)", text), function_of)


def function_of(name: str, arguments: list[Term]) -> Term:
    """A function of terms.  *Raises* `TermError` for one that is not read here."""
    if name in ("min", "max") and arguments:
        return reduce(lambda one, other: Apply(name, (one, other)), arguments)
    if name in COUNTED:
        return counted(name, arguments)
    if name not in READ:
        raise TermError(f"{name} is not read here: write one of {', '.join(READ)}")
    if len(arguments) != 1:
        raise TermError(f"{name} is written with another number of arguments than {len(arguments)}")
    if name in MEANINGS:
        return substitute(parse_term(MEANINGS[name]), {"u": arguments[0]})
    return Apply(name, (arguments[0],))


# Cases: hypotheses as parts of domains, and what abs, min, max and powers of 0 are in each case.


def supposed(case: Claim) -> list[Claim]:
    """The case with its hypotheses as parts of the domains where they can be, or nothing where no point is left."""
    found = [] if any(map(is_empty, case.variables.values())) else [replace(case, given=())]
    for relation in case.given:
        found = [later for one in found for later in assumed(one, relation)]
    return found


def assumed(case: Claim, relation: Relation) -> list[Claim]:
    """The case under one more hypothesis, or nothing where no point is left."""
    if relation in case.given:
        return [case]
    rational = ((name, sign, Number(value)) for name, sign, value in bounds(relation))
    for name, sign, end in chain(rational, exponential_bounds(relation)):
        domain = cut(case.variables[name], sign, end)
        if domain is not None:
            return [] if is_empty(domain) else [replace(case, variables={**case.variables, name: domain})]
    return [replace(case, given=(*case.given, relation))]


def bounds(relation: Relation) -> Iterator[tuple[str, str, Fraction]]:
    """(x, sign, c) where the relation is defined everywhere and says x <sign> c for a rational c."""
    if relation.relation == "!=" or is_special(relation.left) or is_special(relation.right) or relation.conditions():
        return
    try:
        found = polynomial(CONSTANTS.form(Apply("-", (relation.left, relation.right))))
    except (Unfit, ArithmeticError):
        return
    slopes = [(powers, weight) for powers, weight in found if powers]
    if len(slopes) == 1 and list(slopes[0][0].values()) == [1]:
        (powers, slope), rest = slopes[0], sum((weight for inner, weight in found if not inner), Fraction(0))
        yield next(iter(powers)), relation.relation if slope > 0 else FLIPPED[relation.relation], -rest / slope


def exponential_bounds(relation: Relation) -> Iterator[tuple[str, str, Term]]:
    """(x, sign, log(c)) where the relation says exp(x) <sign> c for a positive rational c."""
    if relation.relation == "!=" or is_special(relation.left) or is_special(relation.right) or relation.conditions():
        return
    with suppress(*FAILURES, sympy.PolynomialError):
        gap = sympy.expand(to_sympy(Apply("-", (relation.left, relation.right))))
        exponentials = [one for one in gap.atoms(sympy.exp) if one.args[0].is_Symbol]
        found = sympy.Poly(gap, *exponentials) if len(exponentials) == 1 else None
        if found is not None and found.degree() == 1 and all(one.is_Rational for one in found.all_coeffs()):
            slope, rest = found.all_coeffs()
            if rest / slope < 0:
                sign = relation.relation if slope > 0 else FLIPPED[relation.relation]
                yield exponentials[0].args[0].name, sign, from_sympy(sympy.log(-rest / slope))


def is_special(term: Term) -> bool:
    """Whether abs, min or max occurs."""
    return any(isinstance(part, Apply) and part.operator in CASES for part in parts(term))


def split(case: Claim) -> list[Claim] | None:
    """The cases of the first abs, min, max or power of what may be 0; None if there is none."""
    for side in (side for relation in case.relations for side in (relation.left, relation.right)):
        for part in parts(side):
            if isinstance(part, Apply) and part.operator in CASES and not any(map(is_special, part.arguments)):
                return compared(case, part)
            if isinstance(part, Apply) and part.operator == "^" and not is_special(part):
                found = powers_of_zero(case, part)
                if found is not None:
                    return found
    return None


def compared(case: Claim, part: Apply) -> list[Claim]:
    """The cases of abs, min or max: which of two terms is the larger one."""
    first, second = (part.arguments[0], minus(part.arguments[0])) if part.operator == "abs" else part.arguments
    larger, smaller = (second, first) if part.operator == "min" else (first, second)
    gap = first if part.operator == "abs" else Apply("-", (larger, smaller))
    inner = range_of(gap, case.variables)
    upper, lower = exchanged(case, part, first), exchanged(case, part, second)
    known = defined(case, gap)
    if inner.nonnegative or inner.negative:
        return [*known, upper if inner.nonnegative else lower]
    return [*known, *assumed(upper, Relation(gap, ">=", ZERO)), *assumed(lower, Relation(gap, "<", ZERO))]


def defined(case: Claim, term: Term) -> list[Claim]:
    """The claim that a term that is left out of a case is defined, where that is not plain."""
    return [replace(case, conclusion=(Relation(term, "=", term),))] if definedness(term) else []


def powers_of_zero(case: Claim, part: Apply) -> list[Claim] | None:
    """The cases base > 0 and base = 0 of a power with a positive exponent; None where it has no such cases.

    The base must be 0 at an end of one variable's domain; there the power is 0.
    """
    base, exponent = part.arguments
    if constant(exponent) is not None or not range_of(exponent, case.variables).positive:
        return None
    known = defined(case, exponent)
    if constant(base) == 0:
        return [*known, exchanged(case, part, ZERO)]
    if range_of(base, case.variables).positive:
        return None
    for name, sign, value in bounds(Relation(base, "=", ZERO)):
        domain, end = case.variables[name], Number(value)
        low, high = ends_of(domain)
        if sign == "=" and not domain.integer and value in (closed(low), closed(high)):
            above = replace(domain, lower_open=True) if value == low.value else replace(domain, upper_open=True)
            at_zero = exchanged(case, part, ZERO)
            there = Claim({**case.variables, name: Domain(end, end)}, at_zero.given, at_zero.conclusion)
            apart = [] if is_empty(above) else [replace(case, variables={**case.variables, name: above})]
            return [*known, *apart, there]
    return None


def closed(end: End) -> Fraction | None:
    """The value of an end that belongs to the domain."""
    return None if end.is_open else end.value


def exchanged(case: Claim, old: Term, new: Term) -> Claim:
    """The case with one term in place of another, wherever it occurs."""

    def inside(term: Term) -> Term:
        if term == old:
            return new
        return Apply(term.operator, tuple(map(inside, term.arguments))) if isinstance(term, Apply) else term

    given, conclusion = (
        tuple(Relation(inside(r.left), r.relation, inside(r.right)) for r in part)
        for part in (case.given, case.conclusion)
    )
    return Claim(case.variables, given, conclusion)


# Relations of sympy and formulas of z3.


def foreign(claim: object, reader: Reader, outermost: bool = True) -> list[Relation]:
    """The relations of a sympy relation or a z3 formula; what it says of its variables goes to the reader."""
    module = type(claim).__module__.partition(".")[0]
    if isinstance(claim, sympy.Basic):
        return sympy_relations(claim, reader)
    if module == "z3":
        return z3_relations(claim, reader, outermost)
    raise TermError(f"a claim is a text, a sympy relation or a z3 formula, not {shortened(repr(claim))}")


def sympy_relations(claim: sympy.Basic, reader: Reader) -> list[Relation]:
    """The relations of a sympy relation or an And of them; assumptions of its symbols become domains."""
    if claim in (sympy.true, sympy.false):
        raise TermError(f"sympy has made the claim {claim} already: build it with evaluate=False")
    if isinstance(claim, sympy.And):
        return [relation for part in sorted(claim.args, key=str) for relation in sympy_relations(part, reader)]
    signs = {"Le": "<=", "Lt": "<", "Ge": ">=", "Gt": ">", "Eq": "=", "Ne": "!="}
    sign = next((text for name, text in signs.items() if isinstance(claim, getattr(sympy, name))), None)
    if sign is None:
        raise TermError(f"{shortened(str(claim))} is no relation of sympy, or an And of them")
    found = sorted(claim.free_symbols, key=str)
    if len({symbol.name for symbol in found}) < len(found):
        raise TermError("two symbols of sympy have one name and different assumptions")
    for symbol in found:
        named(symbol.name)
        unread = [name for name in UNREAD if getattr(symbol, f"is_{name}")]
        if symbol.is_nonzero and not (symbol.is_positive or symbol.is_negative):
            reader.suppose(Relation(Symbol(symbol.name), "!=", ZERO))
        if unread:
            raise TermError(f"that {symbol.name} is {unread[0]} is not read here: give it as a relation")
        word = "integer" if symbol.is_integer else "real" if symbol.is_real else ""
        bound = ">0" if symbol.is_positive else ">=0" if symbol.is_nonnegative else ""
        bound = bound or ("<0" if symbol.is_negative else "<=0" if symbol.is_nonpositive else "")
        if word:
            reader.domains[symbol.name] = both(
                reader.domains.get(symbol.name, REALS), replace(REALS, integer=word == "integer")
            )
        if bound:
            reader.suppose(Relation(Symbol(symbol.name), bound[:-1], ZERO))
    return [Relation(sympy_term(claim.lhs), sign, sympy_term(claim.rhs))]


def sympy_term(expression: sympy.Basic) -> Term:
    """The term of a sympy expression.  *Raises* `TermError`."""
    if expression.is_Rational:
        return Number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Float:
        return Number(Fraction(str(expression)))
    if expression.is_Symbol:
        return Symbol(expression.name)
    if expression in (sympy.E, sympy.pi):
        return Apply("exp", (ONE,)) if expression == sympy.E else Symbol(PI)
    parts_of = [sympy_term(part) for part in expression.args]
    operator = {sympy.Add: "+", sympy.Mul: "*", sympy.Pow: "^"}.get(expression.func)
    if operator == "^" and parts_of[1] == MINUS_ONE:
        return Apply("/", (ONE, parts_of[0]))
    if operator is not None:
        return reduce(lambda one, other: Apply(operator, (one, other)), parts_of)
    return function_of(expression.func.__name__.lower(), parts_of)


def z3_relations(claim: Any, reader: Reader, outermost: bool = True) -> list[Relation]:
    """The relations of a z3 formula: comparisons of reals and integers, And of them; the whole may be an Implies."""
    z3 = import_module("z3")
    kind = claim.decl().kind() if z3.is_app(claim) else None
    if kind == z3.Z3_OP_AND:
        return [relation for part in claim.children() for relation in z3_relations(part, reader, False)]
    if kind == z3.Z3_OP_IMPLIES and not outermost:
        raise TermError(f"{shortened(str(claim))} is read as a whole claim only, not as a part or a hypothesis")
    if kind == z3.Z3_OP_IMPLIES:
        for relation in z3_relations(claim.arg(0), reader, False):
            reader.suppose(relation)
        return z3_relations(claim.arg(1), reader)
    signs = {z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "="}
    sign = {**signs, z3.Z3_OP_DISTINCT: "!="}.get(kind)
    if sign is None or claim.num_args() != 2 or not z3.is_arith(claim.arg(0)):
        raise TermError(f"{shortened(str(claim))} is no comparison of z3's numbers, nor And or Implies of them")
    left, right = (z3_term(side, reader) for side in claim.children())
    return [Relation(left, sign, right)]


def z3_term(expression: Any, reader: Reader) -> Term:
    """The term of a z3 expression.  *Raises* `TermError`."""
    z3 = import_module("z3")
    if z3.is_rational_value(expression) or z3.is_int_value(expression):
        return Number(Fraction(str(expression)))
    if z3.is_const(expression) and expression.decl().kind() == z3.Z3_OP_UNINTERPRETED:
        name = named(str(expression))
        old = reader.domains.get(name, REALS)
        reader.domains[name] = replace(old, integer=old.integer or z3.is_int(expression))
        return Symbol(name)
    kind, inner = expression.decl().kind(), [z3_term(part, reader) for part in expression.children()]
    operator = {z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_MUL: "*", z3.Z3_OP_DIV: "/", z3.Z3_OP_POWER: "^"}
    if kind == z3.Z3_OP_UMINUS:
        return minus(inner[0])
    if kind == z3.Z3_OP_TO_REAL:
        return inner[0]
    if kind not in operator:
        raise TermError(f"{shortened(str(expression))} is not read here: write + - * / ^ of z3's numbers")
    return reduce(lambda one, other: Apply(operator[kind], (one, other)), inner)
