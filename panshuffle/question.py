"""A question: what is asked of which protocol, immutable and exact; and the parameters that it gives."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isfinite
from operator import index
from typing import SupportsIndex, TypeAlias, TypeVar, cast

from panshuffle.arguments import AS_PRINTED, PARAMS, Option, options_of
from panshuffle.exact.errors import InputError, NumberError, ParameterError, shortened
from panshuffle.exact.parameters import check_open_unit, check_positive, honest_users
from panshuffle.exact.real import Real, fraction_text, log, real

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Value = str | bool
"""An option's value as text in exact notation; True for a flag."""
Number = TypeVar("Number")
LONGEST_WHOLE = 10_000
"""Bits of the longest whole number that Python writes as decimals without a word."""
LARGEST_COUNT = 10**100
"""Beyond any deployment, and small enough that arithmetic on it is instant."""


@dataclass(frozen=True)
class Params:
    """The parameters that were given to a protocol, as texts in exact notation."""

    subject: str
    given: Mapping[str, str]

    def has(self, parameter: str) -> bool:
        """Whether the parameter was given."""
        return parameter in self.given

    def text(self, parameter: str, otherwise: str = "") -> str:
        """The parameter's text.  *Raises* `InputError` if it was not given."""
        if parameter not in self.given:
            raise InputError(f"{self.subject} needs --{parameter}{otherwise}")
        return self.given[parameter]

    def real(self, parameter: str, otherwise: str = "") -> Real:
        """The exact number."""
        return number(parameter, self.text(parameter, otherwise))

    def count(self, parameter: str, least: int = 1) -> int:
        """The whole number.  *Raises* `ParameterError` for anything else."""
        return whole(parameter, self.text(parameter), least)

    def count_or(self, parameter: str, otherwise: int) -> int:
        """The whole number, or another where it was not given."""
        return self.count(parameter) if parameter in self.given else otherwise

    def real_or(self, parameter: str, otherwise: Real) -> Real:
        """The exact number, or another where it was not given."""
        return self.real(parameter) if parameter in self.given else otherwise

    def with_more(self, more: Mapping[str, str]) -> Params:
        """The same parameters and some more, which do not replace any."""
        return Params(self.subject, {**more, **self.given})

    def epsilon(self, n: int | None = None) -> Real:
        """The exact epsilon from --eps, --exp-eps or, for P_DE with n users, --q."""
        ways = [way for way in ("eps", "exp-eps", *(("q",) if n else ())) if way in self.given]
        if len(ways) > 1:
            raise InputError(f"--{ways[0]} and --{ways[1]} say the same thing: give one of them")
        if ways == ["exp-eps"]:
            value = self.real("exp-eps")
            if not value > 1:
                raise ParameterError("exp-eps", self.text("exp-eps"), "a finite number above 1")
            return log(value)
        if ways == ["q"] and n:
            value = self.real("q")
            check_open_unit("q", value)
            return -log(1 - value**n)  # exact: P_DE takes the n-th root again
        eps = self.real("eps", " (or --exp-eps)")
        check_positive("eps", eps)
        return eps

    def delta(self, otherwise: str = "") -> Real:
        """The exact delta, strictly between 0 and 1."""
        value = self.real("delta", otherwise)
        check_open_unit("delta", value)
        return value

    def given_or_printed(
        self, parameter: str, read: Callable[[str], Number], formula: Callable[[Real, Real], Number]
    ) -> Number:
        """The parameter as given, or the printed formula for --eps and --delta; not both."""
        if parameter in self.given:
            for other in ("eps", "exp-eps", "delta"):
                if other in self.given:
                    reason = f"the printed {parameter} follows from eps and delta"
                    raise InputError(f"--{parameter} and --{other} exclude each other: {reason}")
            return read(parameter)
        if not (self.has("eps") or self.has("exp-eps")):
            self.text(parameter, ", or --eps and --delta for the printed formula")
        return formula(self.epsilon(), self.delta())

    def check_known(self, known: Iterable[str]) -> None:
        """*Raises* `InputError` for a parameter that the protocol does not have."""
        taken = set(known)
        for parameter in self.given:
            if parameter not in taken:
                params = ", ".join(f"--{one}" for one in (*PARAMS, AS_PRINTED) if one in taken)
                raise InputError(f"--{parameter} has no meaning for {self.subject}, which takes {params}")


def number(name: str, text: str) -> Real:
    """The exact number that a text denotes.  *Raises* `NumberError`, with the name, where it denotes none."""
    try:
        return exact_number(text)
    except NumberError as problem:
        raise NumberError(f"{name} = {shortened(text)} is not allowed: {problem}") from None


@lru_cache(4096)
def exact_number(text: str) -> Real:
    """The number that a text denotes, which is read once."""
    return real(text)


def whole(name: str, text: str, least: int = 1, most: int | None = None) -> int:
    """The whole number that a text denotes.  *Raises* `ParameterError` for anything else."""
    value = number(name, text).fraction
    if value is None or value.denominator != 1 or value < least:
        raise ParameterError(name, text, f"a whole number, at least {least}")
    if value > LARGEST_COUNT:
        raise ParameterError(name, text, "a whole number, at most 10^100")
    if most is not None and value > most:
        raise ParameterError(name, text, f"a whole number from {least} to {most}")
    return value.numerator


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked: the kind of question, the protocol (or slug, or task), and the options in their order.

    Two questions are equal if their numbers are, however they were written.

    >>> Question.of("privacy", "P", {"l": 20, "at-eps": "0.5"}) == Question.read("privacy P --at-eps 1/2 --l 20")
    True
    """

    kind: str
    subject: str
    options: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, kind: str, subject: str, given: Mapping[str, object]) -> Question:
        """The question with the options that were given; None and False stand for absent ones.

        *Raises* `InputError` for an option that this kind of question does not have, and for a float.
        """
        known = options_of(kind)
        for name in given:
            if name not in known:
                hint = nearest(name, known, f"it takes {', '.join(known)}")
                raise InputError(f"{kind} has no option {shortened(name)}: {hint}")
        values = ((name, value_text(option, given.get(name))) for name, option in known.items())
        return cls(kind, subject, tuple((name, value) for name, value in values if value is not None))

    @classmethod
    def parsed(cls, kind: str, args: argparse.Namespace) -> Question:
        """The question of a parsed command line."""
        given = ((name, getattr(args, name.replace("-", "_"))) for name in options_of(kind))
        subject = args.protocol if isinstance(args.protocol, str) else " + ".join(args.protocol)
        found = cls(kind, subject, tuple((name, value) for name, value in given if value not in (None, False)))
        _ = found.key  # its numbers are read here
        return found

    @classmethod
    def read(cls, line: str) -> Question:
        """The question of a command line without its first word, such as "privacy binomial --l 20 --at-eps 1"."""
        kind, subject, *words = shlex.split(line)
        given: dict[str, object] = {}
        known = options_of(kind)
        while words:
            name = words.pop(0).removeprefix("--")
            given[name] = True if name in known and known[name].is_flag else words.pop(0)
        return cls.of(kind, subject, given)

    @classmethod
    def of_json(cls, text: str) -> Question:
        """The question of its canonical line."""
        return cls.of(*json.loads(text))

    @property
    def json(self) -> str:
        """The question in one canonical line: equal texts of options have equal lines."""
        return json.dumps([self.kind, self.subject, dict(self.options)], sort_keys=True)

    def get(self, name: str) -> str | None:
        """The text of an option; None where it was not given."""
        value = dict(self.options).get(name)
        return value if isinstance(value, str) else None

    def text(self, name: str) -> str:
        """The text of an option, or its default."""
        given = self.get(name)
        return given if given is not None else options_of(self.kind)[name].default or ""

    def has(self, name: str) -> bool:
        """Whether an option was given."""
        return any(name == given for given, _ in self.options)

    def refuse(self, names: Iterable[str]) -> None:
        """*Raises* `InputError` for one of these options, which have no meaning for the subject."""
        for name in names:
            if self.has(name):
                raise InputError(f"--{name} has no meaning for {self.subject}")

    @cached_property
    def params(self) -> Params:
        """The parameters of the protocol among the options."""
        given = {name: str(value) for name, value in self.options if name in PARAMS}
        return Params(self.subject, given | ({AS_PRINTED: ""} if self.has(AS_PRINTED) else {}))

    @property
    def line(self) -> str:
        """The command line that asks it.

        >>> Question.of("privacy", "P", {"l": "80", "at-eps": "log(2)"}).line
        "panshuffle privacy P --l 80 --at-eps 'log(2)'"
        """
        return shlex.join(["panshuffle", self.kind, self.subject, *self.arguments])

    @property
    def arguments(self) -> list[str]:
        """The options as words of a command line; a value is never taken for an option."""
        words: list[str] = []
        for name, value in self.options:
            if value is True:
                words.append(f"--{name}")
            else:
                words += [f"--{name}={value}"] if str(value).startswith("-") else [f"--{name}", str(value)]
        return words

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What equal questions have in common: the kind, the subject, and the options with their numbers reduced."""
        return self.kind, self.subject, frozenset((name, reduced(value)) for name, value in self.options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def nearest(name: str, known: Iterable[str], otherwise: str) -> str:
    """The end of a sentence on a name that is not known: the nearest one that is, or something else."""
    found = get_close_matches(name, list(known), 1, 0.5)
    return f"did you mean {found[0]}?" if found else otherwise


def value_text(option: Option, value: object) -> Value | None:
    """An option's value as exact text; None for an absent one.  *Raises* `InputError` for what is not exact."""
    name = option.name
    if value is None:
        return None
    if isinstance(value, bool) != option.is_flag:
        raise ParameterError(name, shortened(value), "True or False" if option.is_flag else "an exact number or a text")
    if isinstance(value, bool):
        return value or None
    if isinstance(value, float):
        advice = f'write {name}="{float(value)!r}", or a Fraction' if isfinite(value) else "and no number"
        raise InputError(f"{name} = {float(value)!r} is a float, which is not exact: {advice}")
    if isinstance(value, (str, Fraction, Decimal, Real)):
        text = str(value)
    elif isinstance(value, (list, tuple)):
        text = ",".join(str(value_text(option, item)) for item in value)
    else:
        try:
            text = decimal_text(name, index(cast(SupportsIndex, value)))
        except TypeError:
            raise ParameterError(
                name, shortened(value), 'an int, a Fraction, a Decimal or a text such as "1/3"'
            ) from None
    if option.choices and text not in option.choices:
        raise ParameterError(name, text, " or ".join(option.choices))
    return text


def decimal_text(name: str, value: int) -> str:
    """A whole number as text.  *Raises* `InputError` for one of thousands of digits."""
    if value.bit_length() > LONGEST_WHOLE:
        raise InputError(f"{name} = {shortened(value)} is not allowed: write it as a text, such as 10^4000")
    return str(value)


def exact_texts(value: object) -> object:
    """Mappings and lists with every number as exact text.  *Raises* `InputError` for a float.

    >>> exact_texts({"0": {"0": Fraction(2, 3), "1": "1/3"}})
    {'0': {'0': '2/3', '1': '1/3'}}
    """
    if isinstance(value, Mapping):
        found = {str(key): exact_texts(item) for key, item in value.items()}
        if len(found) < len(value):
            raise InputError("a key is there twice: keys that are not texts are read as the texts that they print")
        return found
    if isinstance(value, (list, tuple)):
        return [exact_texts(item) for item in value]
    return value_text(Option("probability", "", "P"), value)


def reduced(value: Value) -> Value:
    """A rational number in lowest terms; any other text as it is."""
    if value is True or value is False:
        return value
    try:
        exact = exact_number(str(value)).fraction
    except (InputError, ArithmeticError):
        return value
    return value if exact is None else fraction_text(exact)


# What is asked of a protocol: its parameters, who takes part, and which part of the view.


ONES = "the number of ones"


@dataclass(frozen=True)
class ViewSelection:
    """What of the view is asked for: one pool or both, a direction, a background, a time."""

    pool: bool = False
    pair: bool = False
    direction: str | None = None
    holders: tuple[int, ...] | None = None
    t: int | None = None

    @property
    def background(self) -> tuple[tuple[int, ...], bool]:
        """The other holders, and whether one pool is seen."""
        return self.holders or (), self.pool

    @property
    def ones(self) -> str:
        """What is counted in the pools of this part, in words."""
        return ONES if self.pool else f"{ONES} in the pool that gains, and in the one that loses"


@dataclass(frozen=True)
class Setting:
    """The parameters as they were given, the fraction of users who take part, and the part of the view."""

    params: Params
    gamma: Real
    selection: ViewSelection = ViewSelection()

    def users(self, n: int | None = None) -> int:
        """N = gamma*n, of n users, or as many as were given, those who take part."""
        return honest_users(self.params.count("n") if n is None else n, self.gamma)


@dataclass(frozen=True)
class Seen:
    """Which parts a view has: pools, directions of a shift, a background, times; `symmetric`: directions are equal."""

    pools: bool = False
    shift: bool = False
    symmetric: bool = False
    holders: bool = False
    time: bool = False
