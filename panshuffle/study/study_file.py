"""The study file: its entries, and the questions that their grids stand for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod

from panshuffle.arguments import PROTOCOLS, Option, options_of
from panshuffle.exact.errors import InputError, shortened
from panshuffle.output import located, read_text
from panshuffle.question import Question, decimal_text, nearest

SUBJECTS = {"privacy": "protocol", "calibrate": "protocol", "accuracy": "protocol", "plan": "task", "verify": "slug"}
"""The quantities of a study, and the key that says what each is about."""
TOP_KEYS = ("title", "question")
MOST_QUESTIONS = 200_000
LARGEST_FILE = 10_000_000


@dataclass(frozen=True)
class Entry:
    """A question and the entry of the study file that asks it."""

    question: Question
    number: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """The question in one canonical line: equal questions have equal lines."""
        return self.question.json

    @property
    def where(self) -> str:
        """The entry of the study file in words."""
        protocol = None if self.question.kind == "verify" else self.question.subject
        return place(self.number, self.question.kind, protocol)


@dataclass(frozen=True)
class Study:
    """A study: its title and its questions, each one once, in the order of the file."""

    title: str
    questions: list[Entry]


def place(number: int, quantity: object = "", protocol: object = None) -> str:
    """An entry of the study file in words."""
    words = " ".join(str(word) for word in (quantity, protocol) if word)
    return f"question {number}" + (f" ({shortened(words)})" if words else "")


def known_keys(quantity: str) -> tuple[str, ...]:
    """The keys that an entry may have."""
    return ("quantity", SUBJECTS[quantity], *(name for name in options_of(quantity) if name != "file"))


def read_study(path: str) -> Study:
    """The study in a file.

    *Raises* `InputError` with the place for what is not TOML, an unknown key, a value of another type, an empty grid,
    or a grid that is too large.
    """
    text = read_text(path, LARGEST_FILE)
    with located(path):
        return study_of(parsed(text))


def study_of(table: dict[str, object]) -> Study:
    """The study in the tables of a file."""
    for key in table:
        if key not in TOP_KEYS:
            raise InputError(unknown_key(key, TOP_KEYS))
    title, entries = table.get("title", ""), table.get("question")
    if not isinstance(title, str):
        raise InputError(f"title = {shortened(title)} is not allowed: title must be a text")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError("a study needs at least one [[question]]")
    grids = [Grid.of(number, entry) for number, entry in enumerate(entries, 1)]
    total, largest = sum(grid.size for grid in grids), max(grids, key=lambda grid: grid.size)
    if total > MOST_QUESTIONS:
        many = f"{place(largest.number, largest.quantity)} has {shortened(largest.size)} points"
        raise InputError(f"{many}: a study has at most {MOST_QUESTIONS} questions")
    questions: dict[str, Entry] = {}
    for grid in grids:
        for entry in grid.questions():
            questions.setdefault(entry.text, entry)
    return Study(title, list(questions.values()))


def parsed(text: str) -> dict[str, object]:
    """The file as TOML tables, in which 0.1 stays the text that was written."""
    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"this is not TOML: {problem}") from None
    except RecursionError:
        raise InputError("the tables are nested too deeply") from None


def unknown_key(key: str, known: tuple[str, ...], where: str = "") -> str:
    """The sentence on a key that is not known, with the nearest one that is."""
    hint = nearest(key, known, f"the keys are {', '.join(known)}")
    return f"{where}the key {shortened(key)} is not known: {hint}"


@dataclass(frozen=True)
class Grid:
    """One entry of the file: for each key the values that it takes."""

    number: int
    quantity: str
    axes: Mapping[str, list[str | bool]]

    @classmethod
    def of(cls, number: int, entry: dict[str, object]) -> Grid:
        """The grid of an entry.  *Raises* `InputError` for keys and values that are not allowed."""
        quantity = entry.get("quantity")
        if not isinstance(quantity, str) or quantity not in SUBJECTS:
            said = " has no quantity" if quantity is None else f": quantity = {shortened(quantity)} is not known"
            raise InputError(f"{place(number)}{said}: it must be one of {', '.join(SUBJECTS)}")
        name = entry.get("protocol")
        where = f"{place(number, quantity, name if isinstance(name, str) else None)}: "
        for key in entry:
            if key not in known_keys(quantity):
                raise InputError(unknown_key(key, known_keys(quantity), where))
        subject = SUBJECTS[quantity]
        if subject not in entry:
            raise InputError(f"{where}{quantity} needs a {subject}")
        axes = {key: axis(where, quantity, key, value) for key, value in entry.items() if key != "quantity"}
        for name in axes.get("protocol", []):
            if name not in PROTOCOLS:
                hint = nearest(str(name), PROTOCOLS, f"it must be one of {', '.join(PROTOCOLS)}")
                raise InputError(f"{where}protocol = {name} is not known: {hint}")
        return cls(number, quantity, axes)

    @property
    def size(self) -> int:
        """How many questions there are."""
        return prod(len(values) for values in self.axes.values())

    def questions(self) -> Iterator[Entry]:
        """The questions, the last key of the entry running fastest."""
        for values in product(*self.axes.values()):
            options = dict(zip(self.axes, values, strict=True))
            subject = options.pop(SUBJECTS[self.quantity])
            kept = tuple((key, value) for key, value in options.items() if value is not False)
            yield Entry(Question(self.quantity, str(subject), kept), self.number)


def axis(where: str, quantity: str, key: str, value: object) -> list[str | bool]:
    """The values of one key.  *Raises* `InputError` for an empty list or a value of another type."""
    values = value if isinstance(value, list) else [value]
    if not values:
        raise InputError(f"{where}{key} is an empty list: the grid has no points")
    option = options_of(quantity).get(key)
    return [checked(where, key, one, option) for one in values]


def checked(where: str, key: str, value: object, option: Option | None) -> str | bool:
    """One value, as the command line has it.  *Raises* `InputError` for another type."""
    if option is not None and option.is_flag:
        if not isinstance(value, bool):
            raise InputError(f"{where}{key} = {shortened(value)} is not allowed: {key} must be true or false")
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        allowed = "a text in exact notation, a number, or a list of them"
        raise InputError(f"{where}{key} = {shortened(value)} is not allowed: {key} must be {allowed}")
    if option is not None and option.choices and value not in option.choices:
        raise InputError(
            f"{where}{key} = {shortened(value)} is not allowed: {key} must be {' or '.join(option.choices)}"
        )
    return decimal_text(f"{where}{key}", value) if isinstance(value, int) else value
