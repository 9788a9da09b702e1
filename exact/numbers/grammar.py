"""The notation for exact numbers: decimals, fractions, + - * / ^, exp, log and sqrt.

sum    :=  term (('+' | '-') term)*
term   :=  signed (('*' | '/') signed)*
signed :=  ('+' | '-') signed | atom ('^' signed)?
atom   :=  number | ('exp' | 'log' | 'sqrt') '(' sum ')' | '(' sum ')'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from panshuffle.exact.errors import NumberError, Undecided, shortened
from panshuffle.exact.numbers.certified import refine
from panshuffle.exact.numbers.real import LARGEST_RATIONAL_BITS, Real, exp, integer_power, log, real, sqrt

NOTATION = "write decimals, fractions, + - * / ^, exp, log, sqrt"
LONGEST_TEXT = 500
DEEPEST_NESTING = 50
LARGEST_DECIMAL_EXPONENT = 100_000
TOKEN = re.compile(r"\s*(?:((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|([A-Za-z]+)|([-+*/^()]))")
FUNCTIONS: dict[str, Callable[[Real], Real]] = {"exp": exp, "log": log, "sqrt": sqrt}


def parse(text: str) -> Real:
    """The exact number that the text denotes.

    *Raises* `NumberError`: one sentence that quotes the text.

    >>> parse("1/3 - 0.25")
    Real('1/12')
    >>> parse("2^-3")
    Real('1/8')
    >>> parse("1/0")
    Traceback (most recent call last):
    panshuffle.exact.errors.NumberError: '1/0' is not a number: division by zero
    """
    if len(text) > LONGEST_TEXT:
        raise NumberError(f"a number of {len(text)} characters is too long: at most {LONGEST_TEXT} are read")
    try:
        return Reader(text).whole()
    except (NumberError, Undecided) as problem:
        raise NumberError(f"{shortened(text)!r} is not a number: {problem}") from None
    except RecursionError:
        raise NumberError(f"{shortened(text)!r} is not a number: it is nested too deeply") from None


class Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0
        self.token = ""
        self.advance()

    def fail(self, reason: str) -> NoReturn:
        """Raises what is wrong with the notation."""
        raise NumberError(f"{reason} ({NOTATION})")

    def advance(self) -> None:
        """Reads the next token; the empty one stands for the end."""
        if not self.text[self.position :].strip():
            self.token = ""
            return
        match = TOKEN.match(self.text, self.position)
        if match is None:
            self.fail(f"'{self.text[self.position :].strip()[0]}' is unknown")
        self.token = match.group(0).strip()
        self.position = match.end()

    def take(self, expected: str) -> None:
        """Reads past a token that must be there."""
        if self.token != expected:
            self.fail(f"'{expected}' is missing")
        self.advance()

    def deeper(self) -> None:
        """Counts one more level of nesting."""
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            self.fail("it is nested too deeply")

    def whole(self) -> Real:
        """The number that the whole text denotes."""
        value = self.sum()
        if self.token:
            self.fail(f"'{self.token}' is unexpected")
        refine(value.ball, lambda ball: True, "its size")
        return value

    def sum(self) -> Real:
        """The rule of that name, as are the next three."""
        self.deeper()
        value = self.term()
        while self.token in ("+", "-"):
            sign = 1 if self.token == "+" else -1
            self.advance()
            value = value + sign * self.term()
        self.depth -= 1
        return value

    def term(self) -> Real:
        """Products and quotients."""
        value = self.signed()
        while self.token in ("*", "/"):
            operation = self.token
            self.advance()
            factor = self.signed()
            value = value * factor if operation == "*" else value / factor
            sizes = (value.constant.numerator.bit_length(), value.constant.denominator.bit_length())
            if max(sizes) > LARGEST_RATIONAL_BITS:
                self.fail("it is too large to be kept exactly")
        return value

    def signed(self) -> Real:
        """Signs and powers."""
        sign = 1
        while self.token in ("+", "-"):
            sign = -sign if self.token == "-" else sign
            self.advance()
        value = self.atom()
        if self.token == "^":
            self.deeper()
            self.advance()
            value = value ** self.signed()
            self.depth -= 1
        return sign * value

    def atom(self) -> Real:
        """Numbers, functions and parentheses."""
        token = self.token
        if token and (token[0].isdigit() or token[0] == "."):
            self.advance()
            return real(self.decimal(token))
        if token in FUNCTIONS or token == "(":
            self.advance()
            if token in FUNCTIONS:
                self.take("(")
            value = self.sum()
            self.take(")")
            return FUNCTIONS[token](value) if token in FUNCTIONS else value
        return self.fail(f"'{token}' is unknown" if token else "it is incomplete")

    def decimal(self, token: str) -> Fraction:
        """The rational that a decimal denotes."""
        digits, _, exponent = token.lower().partition("e")
        if abs(int(exponent or "0")) > LARGEST_DECIMAL_EXPONENT:
            self.fail(f"an exponent may have at most the size {LARGEST_DECIMAL_EXPONENT}")
        return Fraction(digits.rstrip(".")) * integer_power(Fraction(10), int(exponent or "0"))
