"""The study file: its entries, and the questions that their grids stand for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
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
    """A question, and the entry of the study file that asks it, in words."""

    question: Question
    where: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The question in one canonical line: equal questions have equal lines."""
        return self.question.json


@dataclass(frozen=True)
class Study:
    """A study: its title and its questions, each one once, in the order of the file."""

    title: str
    questions: list[Entry]


def read_study(path: str) -> Study:
    """The study in a file.

    *Raises* `InputError` with the place for what is not TOML, an unknown key, a value of another type, an empty grid,
    or a grid that is too large.
    """
    text = read_text(path, LARGEST_FILE)
    with located(path):
        return study_of(parsed(text))


def study_of(table: Mapping[str, object]) -> Study:
    """The study in the tables of a file."""
    check_keys(table, TOP_KEYS)
    title, entries = table.get("title", ""), table.get("question")
    if not isinstance(title, str):
        raise InputError(f"title = {shortened(title)} is not allowed: title must be a text")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError("a study needs at least one [[question]]")
    grids = [axes_of(number, entry) for number, entry in enumerate(entries, 1)]
    sizes = [prod(map(len, axes.values())) for axes in grids]
    if sum(sizes) > MOST_QUESTIONS:
        largest = sizes.index(max(sizes))
        many = f"{place(largest + 1, *grids[largest]['quantity'])} has {shortened(sizes[largest])} points"
        raise InputError(f"{many}: a study has at most {MOST_QUESTIONS} questions")
    questions: dict[str, Entry] = {}
    for number, axes in enumerate(grids, 1):
        for entry in entries_of(number, axes):
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


def place(number: int, *words: object) -> str:
    """An entry of the study file in words."""
    known = " ".join(word for word in words if isinstance(word, str))
    return f"question {number}" + (f" ({shortened(known)})" if known else "")


def check_keys(table: Mapping[str, object], known: Sequence[str]) -> None:
    """*Raises* `InputError` for a key that is not known, with the nearest one that is."""
    for key in table:
        if key not in known:
            hint = nearest(key, known, f"the keys are {', '.join(known)}")
            raise InputError(f"the key {shortened(key)} is not known: {hint}")


Axes = Mapping[str, Sequence[str | bool]]
"""For each key of an entry the values that it takes."""


def axes_of(number: int, entry: Mapping[str, object]) -> Axes:
    """The grid of an entry.  *Raises* `InputError` for keys and values that are not allowed."""
    quantity = entry.get("quantity")
    if not isinstance(quantity, str) or quantity not in SUBJECTS:
        said = " has no quantity" if quantity is None else f": quantity = {shortened(quantity)} is not known"
        raise InputError(f"{place(number)}{said}: it must be one of {', '.join(SUBJECTS)}")
    options, subject = options_of(quantity), SUBJECTS[quantity]
    with located(place(number, quantity, entry.get("protocol"))):
        check_keys(entry, ("quantity", subject, *(name for name in options if name != "file")))
        if subject not in entry:
            raise InputError(f"{quantity} needs a {subject}")
        axes = {key: axis(key, value, options.get(key)) for key, value in entry.items()}
        for name in axes.get("protocol", []):
            if name not in PROTOCOLS:
                hint = nearest(str(name), PROTOCOLS, f"it must be one of {', '.join(PROTOCOLS)}")
                raise InputError(f"protocol = {name} is not known: {hint}")
    return axes


def entries_of(number: int, axes: Axes) -> Iterator[Entry]:
    """The questions of a grid, the last key of the entry running fastest."""
    for values in product(*axes.values()):
        options = dict(zip(axes, values, strict=True))
        quantity = str(options.pop("quantity"))
        subject = str(options.pop(SUBJECTS[quantity]))
        kept = tuple((key, value) for key, value in options.items() if value is not False)
        words = (quantity,) if quantity == "verify" else (quantity, subject)
        yield Entry(Question(quantity, subject, kept), place(number, *words))


def axis(key: str, value: object, option: Option | None) -> list[str | bool]:
    """The values of one key, as the command line has them.  *Raises* `InputError` for none, or one of another type."""
    values = value if isinstance(value, list) else [value]
    if not values:
        raise InputError(f"{key} is an empty list: the grid has no points")
    choices, is_flag = (option.choices, option.is_flag) if option is not None else ((), False)
    other = "true or false" if is_flag else "a text in exact notation, a number, or a list of them"
    allowed = " or ".join(choices) or other
    found: list[str | bool] = []
    for one in values:
        value = decimal_text(key, one) if isinstance(one, int) and not isinstance(one, bool) else one
        if (
            not isinstance(value, (str, bool))
            or isinstance(value, bool) != is_flag
            or (choices and value not in choices)
        ):
            raise InputError(f"{key} = {shortened(one)} is not allowed: {key} must be {allowed}")
        found.append(value)
    return found
