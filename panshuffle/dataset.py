"""Datasets: read from a file, or generated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import Any

from panshuffle.arguments import Option
from panshuffle.exact.errors import InputError, ParameterError, shortened
from panshuffle.exact.parameters import check_between, check_bit, check_element, check_pair
from panshuffle.exact.real import Real, real
from panshuffle.output import located, read_text
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import number, value_text

Datum = int | tuple[int, int]
"""What one user holds: an element, a bit, or a pair of bits."""


@dataclass(frozen=True)
class Universe:
    """The data universe, as the list of its `size` values: [k], or bits, or pairs of bits.

    `value` gives the one with an index, from 0; `changed` is what a user holds who gains the first element, or a bit,
    and what in the neighbouring dataset; `check` raises `ParameterError` for what does not belong to the universe.
    """

    kind: str
    size: int
    value: Callable[[int], Datum]
    changed: tuple[Datum, Datum]
    check: Callable[[Any], object]

    def others(self, holders: Sequence[int], size: int) -> list[Datum]:
        """A dataset: some users hold the first elements, or a one in either place; all others hold the last, or 0."""
        if self.kind == "element":
            held = [element for element, count in enumerate(holders, start=1) for _ in range(count)]
            return [*held, *[self.size] * (size - len(held))]
        first, second, *_ = (*holders, 0, 0)
        rows = [(int(i < first), int(i < second)) for i in range(size)]
        return [*rows] if self.kind == "pair" else [bit for bit, _ in rows]


GENERATORS = ("uniform", "paired", "distinct", "ones")
BITS = Universe("bit", 2, lambda index: index, (1, 0), check_bit)
PAIRS = Universe("pair", 4, lambda index: (index >> 1, index & 1), ((1, 0), (0, 1)), check_pair)


def elements(k: int) -> Universe:
    """[k]."""
    return Universe("element", k, lambda index: index + 1, (1, 2), lambda value: check_element(value, k))


def read_numbers(path: str) -> list[int]:
    """The whole numbers of a file: separated by white space or commas, or one JSON array (of arrays).

    *Raises* `InputError` for a file that is missing, empty, truncated, not UTF-8 or holds anything else.
    """
    text = read_text(path)
    if text.lstrip().startswith("["):
        return flatten(parse_json(path, text), path)
    numbers = []
    for token in filter(None, re.split(r"[\s,]+", text)):
        if not re.fullmatch(r"[+-]?[0-9]{1,40}", token):
            raise InputError(f"{path}: '{token[:40]}' is not a whole number")
        numbers.append(int(token))
    return numbers


def parse_json(path: str, text: str) -> object:
    """The JSON value of a text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        where = f" at line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise InputError(f"{path}: the text is truncated or is not JSON that can be read{where}") from None


def flatten(value: object, path: str) -> list[int]:
    """The whole numbers of a JSON array, or of an array of arrays."""
    if isinstance(value, list):
        return [number for item in value for number in flatten(item, path)]
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{path}: {json.dumps(value)[:40]} is not a whole number")
    return [value]


def rows_of(numbers: Sequence[int], universe: Universe, path: str) -> list[Datum]:
    """The rows of a dataset, each checked to belong to the universe."""
    rows: list[Datum] = list(numbers)
    if universe.kind == "pair":
        if len(numbers) % 2:
            raise InputError(f"{path}: {len(numbers)} numbers can't be pairs of bits")
        rows = list(zip(numbers[::2], numbers[1::2], strict=True))
    for place, row in enumerate(rows, start=1):
        with located(f"{path}, row {place}"):
            universe.check(row)
    return rows


def generated(kind: str, argument: Real, universe: Universe, rows: int) -> Callable[[Coins], list[Datum]]:
    """The function that draws a dataset anew for each run: uniform, paired, distinct or ones.

    *Raises* `InputError` where the universe or the number of rows does not allow that.
    """
    size, whole, fair = universe.size, argument.floor(), 2 * (universe.size // 2)

    def check_whole(least: int, most: int, what: str) -> None:
        if argument.fraction != whole or not least <= whole <= most:
            raise ParameterError(kind, argument, f"a whole number from {least} to {most} ({what})")

    def index(row: int, coins: Coins) -> int:
        if kind in ("distinct", "ones"):
            return row % whole if kind == "distinct" else int(row < whole)
        drawn = coins.below(size)
        # at a distance: alpha/h above and below uniform on h = floor(size/2) pairs, in total variation exactly alpha;
        # a uniform draw is kept, or swapped to the first of its pair with probability alpha/h * size
        odd = kind == "paired" and drawn < fair and drawn % 2 == 1
        return drawn - 1 if odd and coins.bernoulli(argument * Fraction(2 * size, fair)) else drawn

    if kind == "paired":
        if size < 2:
            raise InputError("--paired needs a universe of at least two elements")
        check_between("paired", argument, Fraction(0), Fraction(fair // 2, size))
    elif kind == "distinct":
        check_whole(1, min(rows, size), "the number of users who take part, or the size of the universe")
    elif kind == "ones":
        if universe.kind != "bit":
            raise InputError("--ones has no meaning for this protocol, whose data are not bits")
        check_whole(0, rows, "the number of users who take part")
    return lambda coins: [universe.value(index(row, coins)) for row in range(rows)]


def numbers_in(data: object) -> Iterator[int]:
    """The whole numbers of rows in Python, pairs among them.  *Raises* `InputError` for anything else."""
    if not isinstance(data, Iterable) or isinstance(data, (str, bytes, Mapping)):
        raise InputError("data is not allowed: it must be a list of rows")
    for place, row in enumerate(data, start=1):
        for item in row if isinstance(row, (tuple, list)) else (row,):
            if isinstance(item, bool) or not hasattr(item, "__index__"):
                raise InputError(f"data, row {place}: {shortened(item)} is not a whole number")
            yield index(item)


@dataclass(frozen=True)
class Source:
    """Where data comes from: numbers, of a file or from Python, or the name and the argument of a generator."""

    path: str | None
    numbers: tuple[int, ...] = ()
    chosen: tuple[str, Real] = ("", real(0))

    @classmethod
    def of(cls, path: str | None, given: Mapping[str, object]) -> Source:
        """The file, which is read, or the one generator of those that were given with their arguments."""
        if path is not None:
            return cls(path, tuple(read_numbers(path)))
        kind, text = next(iter(given.items()))
        return cls(None, chosen=(kind, number(kind, text) if isinstance(text, str) else real(0)))

    @classmethod
    def in_python(cls, data: Sequence[Datum] | None, options: Mapping[str, object]) -> tuple[Source, dict[str, object]]:
        """The data, or the one generator among the options, and the other options."""
        known = {name: Option(name, "", None if name == "uniform" else "X") for name in GENERATORS}
        texts = {name: value_text(option, options.get(name)) for name, option in known.items()}
        given = {name: text for name, text in texts.items() if text is not None}
        rest = {name: value for name, value in options.items() if name not in GENERATORS}
        if len(given) + (data is not None) != 1:
            wanted = ", ".join(("data", *GENERATORS))
            raise InputError(f"one source of data is needed: {wanted}")
        return cls.of(None, given) if data is None else cls("data", tuple(numbers_in(data))), rest

    def rows(self, universe: Universe, rows: int, taking_part: int) -> Callable[[Coins], Sequence[Datum]]:
        """The function that gives the rows of those who take part in the next run.

        These are the first ones of a full dataset, or all if there are no others.  *Raises* `InputError` for a file
        with other rows, or a generator that the universe does not allow.
        """
        if self.path is None:
            return generated(*self.chosen, universe, taking_part)
        fixed = rows_of(self.numbers, universe, self.path)
        if len(fixed) not in (rows, taking_part):
            allowed = f"{rows}" if rows == taking_part else f"{rows} (all users) or {taking_part} (those who take part)"
            raise InputError(f"the data has {len(fixed)} rows where {allowed} are needed")
        return lambda coins: fixed[:taking_part]
