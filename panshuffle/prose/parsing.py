"""Formulas in sentences: where one begins and ends, and what it says.

The ledger writes them as one types them: `e^eps/(e^eps-1) sqrt(2k ln(2/beta))`.  A product without a sign binds like
a fraction's bar, from the left, so `alpha^2 m/100` is all of it over 100; a number with a letter glued to it is one
factor.
"""

from __future__ import annotations

from collections.abc import Callable

from panshuffle.prose.expression import (
    QUIET,
    THIN,
    Expression,
    Fenced,
    Fraction,
    Hatted,
    Name,
    Number,
    Root,
    Row,
    Scripted,
    Sign,
    Word,
)
from panshuffle.prose.tokens import (
    ARTICLES,
    BRACKETED,
    CLOSE,
    FUNCTIONS,
    GREEK,
    HAT_ENDS,
    LAWS,
    OPEN,
    RELATIONS,
    Token,
    is_symbol,
    minus,
    tokens,
)

DEEPEST = 30
"""Brackets in brackets; no sentence has as many."""


class NoFormula(Exception):
    """What is next is not a formula."""


class Parser:
    """A descent over the tokens of a sentence; `place` is that of the next token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.place = 0
        self.depth = 0
        self.quoted = False

    def peek(self, ahead: int = 0) -> Token:
        """A token that is not taken."""
        there, end = self.place + ahead, len(self.text)
        return self.tokens[there] if 0 <= there < len(self.tokens) else Token("end", "", end, end, False)

    def take(self) -> Token:
        """The next token."""
        self.place += 1
        return self.peek(-1)

    def tried(self, read: Callable[[], Expression], skipped: int = 1) -> Expression | None:
        """What is read after so many tokens; where that is no formula, None, and nothing is taken."""
        before = self.place
        self.place += skipped
        try:
            return read()
        except NoFormula:
            self.place = before
            return None

    def formula(self) -> Expression:
        """A chain of sums and relations.  *Raises* `NoFormula`."""
        parts = [self.sum()]
        while sign := self.relation():
            right = self.tried(self.sum)
            if right is None:
                break
            parts += [Sign({"in": "∈", "o": "∘", "mod": "mod"}.get(sign) or RELATIONS[sign]), right]
        return Row(tuple(parts)) if len(parts) > 1 else parts[0]

    def relation(self) -> str:
        """The relation that is next, empty where none is."""
        token = self.peek()
        if token.text in RELATIONS:
            return token.text
        following = self.peek(1).text
        if token.text == "in" and (following in OPEN or (following in ("N", "Z", "R") and following)):
            return "in"
        if token.text == "o" and not token.glued and (following in "([" or following[:1].isupper()):
            return "o"
        return "mod" if token.text == "mod" and self.peek(1).kind == "number" else ""

    def sum(self) -> Expression:
        """Products with plus and minus between them."""
        parts: list[Expression] = []
        if self.peek().text in ("-", "+") and not self.peek(1).text.isspace() and self.peek(1).glued:
            parts.append(Sign(minus(self.take().text)))
        parts.append(self.product())
        while self.peek().text in ("+", "-", "*") and self.joins():
            sign, right = self.peek().text, self.tried(self.product)
            if right is None:
                break
            parts += [Sign(minus(sign)), right]
        return Row(tuple(parts)) if len(parts) > 1 else parts[0]

    def joins(self) -> bool:
        """Whether a sign joins two terms: spaces on both sides of it or on neither; a hyphen before a word does not."""
        token, following = self.peek(), self.peek(1)
        if token.glued != following.glued:
            return False
        if following.kind == "name":
            return is_symbol(following.text) or following.text in ("sqrt", "sum", "prod")
        return following.kind != "end"

    def product(self) -> Expression:
        """Factors, with fractions from the left."""
        found = self.factor()
        while True:
            divided = self.peek().text == "/" and self.peek().glued and self.peek(1).glued
            right = self.tried(self.factor, int(divided)) if divided or self.starts_factor() else None
            if right is None:
                return found
            if divided:
                found = slanted(Fraction(bare(found), bare(right)))
                continue
            before_name = THIN if isinstance(right, Row) and isinstance(right.parts[0], Word | Scripted) else QUIET
            found = Row((*(found.parts if isinstance(found, Row) else (found,)), before_name, right))

    def starts_factor(self) -> bool:
        """Whether the next token may be a factor of a product without a sign."""
        token = self.peek()
        if token.kind == "number" or (token.text == "(" and not token.glued and self.peek(-1).kind == "number"):
            return False
        if token.kind == "name":
            if token.text == "o" and self.relation():
                return False
            if token.text in ARTICLES and not token.glued:
                return self.ends_after(1)
            return is_symbol(token.text) or token.text in ("sqrt", "sum")
        return token.text in ("(", "|") if token.text != "|" else self.depth == 0 and self.peek(-1).text != "|"

    def ends_after(self, count: int) -> bool:
        """Whether an operator, a relation or a bracket follows so many tokens."""
        return self.peek(count).text in (*RELATIONS, "+", "*", "^", "_", "/", ")", "]", "sqrt")

    def factor(self) -> Expression:
        """An atom with its index, power and primes, and a number with the letter that is glued to it."""
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                raise NoFormula
            first, after = self.scripted(), self.peek()
            if isinstance(first, Number) and after.glued and after.kind == "name" and is_symbol(after.text):
                return Row((first, QUIET, self.factor()))
            return first
        finally:
            self.depth -= 1

    def scripted(self) -> Expression:
        """An atom with what is attached to it."""
        base = self.atom()
        primes, below, above = 0, None, None
        while self.peek().glued:
            token, following = self.peek(), self.peek(1)
            if set(token.text) == {"'"} and self.is_prime(token):
                primes += len(self.take().text)
            elif (
                token.text == "^"
                and isinstance(base, Name)
                and not (following.glued and following.text not in HAT_ENDS)
            ):
                self.take()
                base = Hatted(base)
            elif (token.text == "_" and below is not None) or (token.text == "^" and above is not None):
                raise NoFormula
            elif token.text in "^_" and following.glued:
                self.take()
                script = self.script(token.text == "^")
                below, above = (script, above) if token.text == "_" else (below, script)
            elif token.kind == "number" and isinstance(base, Name) and below is None and token.text.isdigit():
                below = Number(self.take().text)
            elif token.text in "([" and isinstance(base, Name | Word) and (token.text == "(" or base.text in BRACKETED):
                base = Row((attached(base, primes, below, above), self.bracket()))
                primes, below, above = 0, None, None
            else:
                break
        return attached(base, primes, below, above)

    def is_prime(self, token: Token) -> bool:
        """Whether an apostrophe is a prime: not of a genitive, and not the end of a quotation."""
        after = self.text[token.end : token.end + 1]
        return not after.isalpha() and not (self.quoted and (not after or after in " ,.;:)"))

    def script(self, power: bool) -> Expression:
        """An index or a power."""
        negative = [Sign(minus(self.take().text))] if self.peek().text == "-" else []
        token = self.peek()
        inner: Expression
        if token.text in ("(", "{"):
            fenced = self.bracket()
            index = isinstance(fenced, Fenced) and isinstance(fenced.inner, Name) and fenced.left == "("
            inner = fenced.inner if isinstance(fenced, Fenced) and not index else fenced
        elif token.kind == "name" and not is_symbol(token.text):
            inner = Word(self.take().text)
        else:
            inner = self.atom()
            while self.peek().glued and set(self.peek().text) == {"'"} and self.is_prime(self.peek()):
                inner = Scripted(inner, len(self.take().text))
            called = [self.peek(i).text for i in (0, 2)] == ["(", ")"] and self.peek().glued
            if power and isinstance(inner, Name | Word) and called:
                inner = Row((inner, self.bracket()))
        return Row((*negative, slanted(inner))) if negative else slanted(inner)

    def atom(self) -> Expression:
        """The smallest formula.  *Raises* `NoFormula`."""
        token = self.peek()
        if token.kind == "number":
            return number(self.take().text)
        if token.kind == "name":
            return self.named(token)
        if token.text == "...":
            self.take()
            return Sign("…")
        if token.text in ("(", "[", "{"):
            return self.bracket()
        if token.text == "|":
            return self.absolute()
        raise NoFormula

    def named(self, token: Token) -> Expression:
        """A letter, a function with its argument, or a law.  *Raises* `NoFormula` for a word."""
        name, following = token.text, self.peek(1)
        if name in ARTICLES and self.depth == 1 and not token.glued and not self.ends_after(1) and not following.glued:
            raise NoFormula
        if name == "sqrt" and following.text == "(" and following.glued:
            self.take()
            fenced = self.bracket()
            return Root(fenced.inner if isinstance(fenced, Fenced) else fenced)
        if name in FUNCTIONS:
            return self.function(name)
        if name in ("sum", "prod") and following.text not in ("of", "over"):
            self.take()
            sign = Sign("∑" if name == "sum" else "∏")
            if self.peek().glued and self.peek().text in "^_":
                return sign
            return Row((sign, self.factor()))
        if name in LAWS and following.glued and following.text in "([":
            return Word(self.take().text)
        if is_symbol(name) or (name == "law" and following.glued and following.text == "_"):
            self.take()
            return Name(GREEK.get(name, name)) if len(name) == 1 or name in GREEK else Word(name)
        raise NoFormula

    def function(self, name: str) -> Expression:
        """A function with its argument in brackets, or with the factor after it."""
        self.take()
        after = self.peek()
        if after.text == "^" and after.glued:
            self.take()
            return Row((Scripted(Word(name), above=self.script(power=True)), THIN, self.factor()))
        if after.text == "(" and after.glued:
            return Row((Word(name), self.bracket()))
        if after.glued or not (
            after.kind == "number" or (after.kind == "name" and is_symbol(after.text)) or after.text in FUNCTIONS
        ):
            raise NoFormula
        return Row((Word(name), THIN, self.factor()))

    def absolute(self) -> Expression:
        """What stands between two bars."""
        self.take()
        inner = self.sum()
        if self.take().text != "|":
            raise NoFormula
        return Fenced("|", inner, "|")

    def bracket(self) -> Expression:
        """What stands in brackets: one formula, or several with commas between them; an interval may be half open."""
        left = self.take().text
        parts: list[Expression] = []
        while self.peek().text not in (*CLOSE, ""):
            parts.append(self.formula())
            if self.peek().text in (",", ";"):
                parts.append(Sign(self.take().text))
            elif self.peek().text not in CLOSE:
                raise NoFormula
        right = self.take().text
        if not right or (left == "{") != (right == "}"):
            raise NoFormula
        return Fenced(left, parts[0] if len(parts) == 1 else Row(tuple(parts)), right)


def number(text: str) -> Expression:
    """A number; one with an exponent as a power of ten."""
    digits, _, exponent = text.partition("e")
    if not exponent:
        return Number(text)
    sign = (Sign("−"),) if exponent.startswith("-") else ()
    power = Scripted(Number("10"), above=Row((*sign, Number(exponent.lstrip("-").lstrip("0") or "0"))))
    return power if digits == "1" else Row((Number(digits), Sign("×"), power))


def attached(base: Expression, primes: int, below: Expression | None, above: Expression | None) -> Expression:
    """A base with what is attached to it, if anything is."""
    return Scripted(base, primes, below, above) if primes or below is not None or above is not None else base


def bare(found: Expression) -> Expression:
    """What stands over or under a bar needs no brackets of its own."""
    if not isinstance(found, Fenced) or (found.left, found.right) != ("(", ")"):
        return found
    is_list = isinstance(found.inner, Row) and Sign(",") in found.inner.parts
    return found if is_list else found.inner


def slanted(found: Expression) -> Expression:
    """A fraction with a slash, where its parts are short: easier to read in a line, and in a power."""
    if isinstance(found, Row) and len(found.parts) == 2 and isinstance(found.parts[0], Sign):
        return Row((found.parts[0], slanted(found.parts[1])))
    if not isinstance(found, Fraction) or not (short(found.above) and short(found.below)):
        return found
    below = found.below if not isinstance(found.below, Row) else Fenced("(", found.below, ")")
    return Row((found.above, Sign("/"), below))


def short(found: Expression) -> bool:
    """Whether an expression may stand beside a slash: a product without sums and fractions."""
    if isinstance(found, Row):
        return all(short(part) for part in found.parts)
    if isinstance(found, Sign):
        return found == QUIET
    if isinstance(found, Scripted):
        return short(found.base)
    if isinstance(found, Root):
        return short(found.inner)
    return isinstance(found, Name | Number | Hatted)
