"""Datasets: read from a file, or generated."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from exact.errors import InputError, ParameterError
from exact.numbers.real import Real, real
from exact.parameters import check_between, check_bit, check_element, check_pair
from panshuffle.parameters import Parameters
from protocols.randomness.coins import Coins

Datum = Any


@dataclass(frozen=True)
class Universe:
    """The data universe, as the list of its `size` values: [k], or bits, or pairs of bits."""

    kind: str
    size: int

    @classmethod
    def of(cls, record: Any) -> Universe:
        """The universe of a protocol."""
        inner = getattr(record, "protocol", record) if not hasattr(record, "k") else record
        if hasattr(inner, "k"):
            return cls("element", inner.k)
        return cls("pair", 4) if type(inner).__name__ == "TwoBitSum" else cls("bit", 2)

    def value(self, index: int) -> Datum:
        """The value with this index, from 0."""
        if self.kind == "pair":
            return index >> 1, index & 1
        return index + (self.kind == "element")

    def check(self, value: Datum) -> None:
        """*Raises* `ParameterError` unless the value belongs to the universe."""
        if self.kind == "element":
            check_element(value, self.size)
        elif self.kind == "bit":
            check_bit(value)
        else:
            check_pair(value)


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


def read_text(path: str) -> str:
    """The text of a file that is not empty."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: the file is not UTF-8 text (byte {problem.start})") from None
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror})") from None
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    return text


def parse_json(path: str, text: str) -> Any:
    """The JSON value of a text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        where = f" at line {problem.lineno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise InputError(f"{path}: the text is truncated or is not JSON that can be read{where}") from None


def flatten(value: Any, path: str) -> list[int]:
    """The whole numbers of a JSON array, or of an array of arrays."""
    rows = [item for row in value for item in (row if isinstance(row, list) else [row])]
    for item in rows:
        if isinstance(item, bool) or not isinstance(item, int):
            raise InputError(f"{path}: {json.dumps(item)[:40]} is not a whole number")
    return rows


def rows_of(numbers: Sequence[int], universe: Universe, path: str) -> list[Datum]:
    """The rows of a dataset, each checked to belong to the universe."""
    rows: list[Datum] = list(numbers)
    if universe.kind == "pair":
        if len(numbers) % 2:
            raise InputError(f"{path}: {len(numbers)} numbers can't be pairs of bits")
        rows = list(zip(numbers[::2], numbers[1::2], strict=True))
    for number, row in enumerate(rows, start=1):
        try:
            universe.check(row)
        except ParameterError as problem:
            raise InputError(f"{path}, row {number}: {problem}") from None
    return rows


@dataclass(frozen=True)
class Generator:
    """A way to draw a dataset anew for each run: uniform, paired, distinct or ones."""

    kind: str
    argument: Real

    def draw(self, universe: Universe, rows: int, coins: Coins) -> list[Datum]:
        """One dataset of so many rows."""
        return [universe.value(self.index(universe.size, row, coins)) for row in range(rows)]

    def check(self, universe: Universe, rows: int) -> None:
        """*Raises* `InputError` where the universe or the number of rows does not allow this generator."""
        if self.kind == "paired":
            if universe.size < 2:
                raise InputError("--paired needs a universe of at least two elements")
            pairs = universe.size // 2
            check_between("paired", self.argument, Fraction(0), Fraction(pairs, universe.size))
        elif self.kind == "distinct":
            what = "the number of users who take part, or the size of the universe"
            self.check_whole(1, min(rows, universe.size), what)
        elif self.kind == "ones":
            if universe.kind != "bit":
                raise InputError("--ones has no meaning for this protocol, whose data are not bits")
            self.check_whole(0, rows, "the number of users who take part")

    def check_whole(self, least: int, most: int, what: str) -> None:
        """*Raises* `ParameterError` unless the argument is a whole number in the range."""
        value = self.argument.fraction
        if value is None or value.denominator != 1 or not least <= value <= most:
            raise ParameterError(self.kind, self.argument, f"a whole number from {least} to {most} ({what})")

    def index(self, size: int, row: int, coins: Coins) -> int:
        """The index of one row's value."""
        if self.kind == "uniform":
            return coins.below(size)
        if self.kind == "paired":
            return self.paired(size, coins)
        whole = self.argument.floor()
        return row % whole if self.kind == "distinct" else int(row < whole)

    def paired(self, size: int, coins: Coins) -> int:
        """A draw from the distribution that is alpha/h above and below uniform on h = floor(size/2) pairs.

        Its total variation distance from uniform is exactly alpha: within each pair a uniform draw is
        kept or swapped to the first with probability alpha/h * size.
        """
        pairs = size // 2
        index = coins.below(size)
        swap = index < 2 * pairs and index % 2 == 1 and coins.bernoulli(self.argument * Fraction(size, pairs))
        return index - 1 if swap else index


def generator(kind: str, text: str | None) -> Generator:
    """The generator that an option names.  *Raises* `NumberError` for an argument that is no number."""
    return Generator(kind, Parameters("", {kind: text}).real(kind) if text is not None else real(0))
