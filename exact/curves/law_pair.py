"""A pair of laws (upper, lower) on named outcomes, with masses that are exact or enclosed, and its curve.

A mass is (lower end, upper end), twice the same number where it is exact.  The rest of a law is its mass on outcomes
that are not listed; nothing is known of where in them it lies.  *Bounds*: with E = e^eps, u and l the masses of an
outcome, delta is at least the sum of (u_low - E l_high)_+ over the listed outcomes plus the same for the rest as one
outcome (merging outcomes is post-processing), and at most the sum of (u_high - E l_low)_+ plus the whole rest of upper.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from io import StringIO
from math import lcm
from typing import Any

from flint import arb, ctx, fmpz
from panshuffle.exact.curves.curve import Curve, enclosed
from panshuffle.exact.errors import InputError, NumberError, Undecided, shortened
from panshuffle.exact.pairs.divergence import pool_gain
from panshuffle.exact.real import (
    Certified,
    Real,
    decimal_ends,
    fraction_text,
    largest,
    real,
    scaled_bounds,
    sums_to_one,
)

Mass = tuple[Real, Real]
NONE: Mass = (real(0), real(0))
GUARD = 64
MOST_EXACT_BITS = 1 << 28


@dataclass(frozen=True)
class LawPair:
    """Outcomes with their masses under `upper` and `lower`, and the rest of each law."""

    outcomes: tuple[str, ...]
    upper: tuple[Mass, ...]
    lower: tuple[Mass, ...]
    upper_rest: Mass = NONE
    lower_rest: Mass = NONE

    @property
    def is_exact(self) -> bool:
        """Whether every mass is one number and nothing is left out."""
        masses = (*self.upper, *self.lower)
        return self.upper_rest == NONE == self.lower_rest and all(low is high or low == high for low, high in masses)

    def swapped(self) -> LawPair:
        """The other direction."""
        return LawPair(self.outcomes, self.lower, self.upper, self.lower_rest, self.upper_rest)

    def check(self) -> None:
        """*Raises* `InputError` unless each law's masses can sum to exactly 1."""
        check_total("upper", (*self.upper, self.upper_rest))
        check_total("lower", (*self.lower, self.lower_rest))


def exact_mass(value: Real | Fraction | int) -> Mass:
    """The mass that is one number."""
    number = real(value)
    return number, number


def check_total(name: str, masses: Sequence[Mass]) -> None:
    """*Raises* `InputError` unless the masses sum to 1, or enclosures of them allow that."""
    if all(low is high or low == high for low, high in masses):
        verdict = sums_to_one([low for low, _ in masses])
        if verdict is None:
            raise InputError(
                f"whether the masses of {name} sum to exactly 1 can't be told from the expressions: "
                "write one of them as 1 minus the others"
            )
        if not verdict:
            raise InputError(f"the masses of {name} sum to {total_text(masses)}: they must sum to exactly 1")
        return
    bits = 256 + len(masses).bit_length()
    low = sum(scaled_bounds(mass[0], bits)[0] for mass in masses)
    high = sum(scaled_bounds(mass[1], bits)[1] for mass in masses)
    if not low <= 1 << bits <= high:
        raise InputError(
            f"the masses of {name}, with the remainder, sum to something in {total_text(masses)}: 1 must be in it"
        )


def total_text(masses: Sequence[Mass]) -> str:
    """The sum of masses, for a sentence."""
    bits = 256
    ends = [sum(scaled_bounds(mass[side], bits)[side] for mass in masses) for side in (0, 1)]
    low, high = (decimal_ends(Fraction(end, 1 << bits), 12)[side] for side, end in enumerate(ends))
    return low if low == high else f"[{low}, {high}]"


def one_side(pair: LawPair, high: bool) -> Curve:
    """The curve that bounds the pair's from below or from above, in balls; for exact masses either is the pair's."""
    side = int(high)

    @lru_cache(maxsize=8)
    def rows(bits: int) -> list[tuple[arb, arb]]:
        rest = (pair.upper_rest, NONE if high else pair.lower_rest)
        masses = (*zip(pair.upper, pair.lower, strict=True), rest)
        return [(above[side].ball(bits), below[1 - side].ball(bits)) for above, below in masses]

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision + GUARD):
            factor = exp_eps.ball_here()
            gains = ((above - factor * below).nonnegative_part() for above, below in rows(precision + GUARD))
            return sum(gains, arb(0))

    limit = limit_of(pair, high)
    return Curve(ball, None, None, None if limit.sign() else lambda: pure_side(pair, high), limit)


def limit_of(pair: LawPair, high: bool) -> Real:
    """What delta tends to as eps grows, from below or from above."""
    side = int(high)
    missing = [mass[side] for mass, other in zip(pair.upper, pair.lower, strict=True) if not other[1 - side].sign()]
    if high:
        missing.append(pair.upper_rest[1])
    elif not pair.lower_rest[1].sign():
        missing.append(pair.upper_rest[0])
    return sum(missing, real(0))


def pure_side(pair: LawPair, high: bool) -> Certified:
    """The pure eps, from below or from above, where it is finite: the logarithm of the largest quotient, or 0."""
    side = int(high)
    masses = [(mass[side], other[1 - side]) for mass, other in zip(pair.upper, pair.lower, strict=True)]
    ratios = [(above, below) for above, below in masses if above.sign() > 0]

    def evaluate(precision: int) -> arb:
        with ctx.workprec(precision):
            return largest([arb(1), *(above.ball_here() / below.ball_here() for above, below in ratios)]).log()

    return Certified(evaluate, nonnegative=True)


def pair_curve(pair: LawPair) -> Curve:
    """The certified curve of (upper, lower): exact where the masses are, from both sides otherwise."""
    low = one_side(pair, high=False)
    if not pair.is_exact:
        return enclosed(low, one_side(pair, high=True))
    masses = [(above[0].fraction, below[0].fraction) for above, below in zip(pair.upper, pair.lower, strict=True)]
    rational = [(above, below) for above, below in masses if above is not None and below is not None]
    if len(rational) < len(masses):
        return low
    highest = max((above / below for above, below in rational if below), default=Fraction(1))
    ratio, exact = real(max(highest, Fraction(1))), rational_gain(rational)
    if low.limit.sign():
        return Curve(low.ball, exact, limit=low.limit, limit_reached=ratio)
    return Curve(low.ball, exact, ratio)


def rational_gain(masses: Sequence[tuple[Fraction, Fraction]]) -> Callable[[Fraction], Fraction] | None:
    """delta at a rational e^eps, by integers over one denominator; None where that is absurdly large."""
    whole = 1
    for above, below in masses:
        whole = lcm(whole, above.denominator, below.denominator)
        if whole.bit_length() * len(masses) > MOST_EXACT_BITS:
            return None
    upper, lower = ([fmpz((row[side] * whole).numerator) for row in masses] for side in (0, 1))
    return partial(pool_gain, (upper, lower, fmpz(whole)))


# Pairs of laws as text: JSON of the format panshuffle-pair-1, and CSV with the columns outcome, upper, lower.
#
# A mass is an exact number in the notation of `numbers.grammar`, or [low, high]. What is not listed is the remainder,
# in CSV the row whose outcome is (remainder). *Raises* everywhere: `InputError`, one sentence that says where.


Json = Any
"""What a JSON text denotes; a number in it is kept as text."""

FORMAT = "panshuffle-pair-1"
LONGEST_CELL = 1 << 24
"""Characters of a cell: a mass with millions of digits."""
COLUMNS = ["outcome", "upper", "lower"]
REMAINDER = "(remainder)"
MOST_OUTCOMES = 300_000
MOST_BITS = 1 << 29
PLAIN = re.compile(r"\s*([0-9]+)(?:/([0-9]+)|(?:\.([0-9]+))?(?:[eE]-([0-9]{1,4}))?)\s*")
KEYS = {"format", "outcomes", "upper", "lower", "remainder", "about"}


def pair_of_text(text: str) -> LawPair:
    """The checked pair that a JSON or CSV text denotes."""
    pair = pair_of_json(loaded(text)) if text.lstrip().startswith(("{", "[")) else pair_of_csv(text)
    check_size(pair)
    pair.check()
    return pair


def check_size(pair: LawPair) -> None:
    """*Raises* `InputError` for masses of more digits than can be added up in reasonable time."""
    ends = (end.constant for column in (pair.upper, pair.lower) for mass in column for end in mass)
    bits = sum(end.numerator.bit_length() + end.denominator.bit_length() for end in ends)
    if bits > MOST_BITS:
        raise InputError(f"the masses have about {bits * 3 // 10} digits, more than {MOST_BITS * 3 // 10}")


def loaded(text: str) -> Json:
    """The JSON value of a text, decimals kept as text and no key twice."""
    try:
        return json.loads(text, parse_float=str, parse_int=Integer, parse_constant=str, object_pairs_hook=keyed)
    except json.JSONDecodeError as problem:
        raise InputError(f"line {problem.lineno}: the text is truncated or is not JSON ({problem.msg})") from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply") from None


class Integer(str):
    """A whole number of a JSON text, kept as text so that it may have any number of digits."""


def keyed(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object.  *Raises* `InputError` for a key that is there twice."""
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"the key '{shortened(key)}' is there twice")
        found[key] = value
    return found


def checked_object(value: Json, of: str, keys: Collection[str]) -> dict[str, Json]:
    """The object.  *Raises* `InputError` unless it names this format, and has no other keys than these."""
    if not isinstance(value, dict) or value.get("format") != of:
        raise InputError(f'the JSON is not an object with "format": "{of}"')
    unknown = sorted({*value} - {*keys})
    if unknown:
        raise InputError(f"the key '{shortened(unknown[0])}' is unknown: the keys are {', '.join(sorted(keys))}")
    return value


def number_of(value: Json, where: str) -> Real:
    """An exact number that is not negative."""
    if not isinstance(value, str):
        raise InputError(f"{where}: {shortened(json.dumps(value))} is not a number in exact notation")
    number = plain_number(value)
    if number is not None:
        return number
    try:
        result = real(value)
        sign = result.sign()
    except NumberError as problem:
        raise InputError(f"{where}: {problem}") from None
    except Undecided:
        raise InputError(f"{where}: the sign of {shortened(value)} can't be told: write 0 if it is 0") from None
    if sign < 0:
        raise InputError(f"{where}: {shortened(value)} is negative")
    return result


def plain_number(text: str) -> Real | None:
    """The number that p, p/q or a decimal of any length denotes; None for other notation."""
    match = PLAIN.fullmatch(text)
    if match is None:
        return None
    whole, bottom, digits, exponent = match.groups()
    if bottom is not None:
        return None if not bottom.strip("0") else Real(Fraction(int(fmpz(whole)), int(fmpz(bottom))))
    return Real(Fraction(int(fmpz(whole + (digits or ""))), 10 ** (len(digits or "") + int(exponent or "0"))))


def mass_of(value: Json, where: str) -> Mass:
    """A mass: a number, or an enclosure [low, high] with 0 <= low <= high."""
    if isinstance(value, str) and value.strip().startswith("["):
        if not value.strip().endswith("]"):
            raise InputError(f"{where}: the enclosure {shortened(value)} is not closed")
        value = re.split(r"[,;]", value.strip()[1:-1])
    if not isinstance(value, list):
        number = number_of(value, where)
        return number, number
    if len(value) != 2:
        raise InputError(f"{where}: an enclosure is [low, high], two numbers, not {len(value)}")
    low, high = number_of(value[0], where), number_of(value[1], where)
    if low.compare(high) > 0:
        raise InputError(f"{where}: the enclosure [{shortened(value[0])}, {shortened(value[1])}] is empty")
    return low, high


def check_outcomes(names: Sequence[tuple[str, str]]) -> None:
    """*Raises* `InputError` for no outcome, too many, or one twice; each comes with where it stands."""
    if not names:
        raise InputError("no outcome is listed")
    if len(names) > MOST_OUTCOMES:
        raise InputError(f"{len(names)} outcomes are listed, more than {MOST_OUTCOMES}")
    seen: dict[str, str] = {}
    for name, where in names:
        if name in seen:
            raise InputError(f"{where}: the outcome '{shortened(name)}' is there already ({seen[name]})")
        seen[name] = where


def pair_of_json(value: Json) -> LawPair:
    """The pair that a JSON value denotes."""
    value = checked_object(value, FORMAT, KEYS)
    columns = [value.get(name) for name in ("outcomes", "upper", "lower")]
    for name, column in zip(("outcomes", "upper", "lower"), columns, strict=True):
        if not isinstance(column, list):
            raise InputError(f"'{name}' is missing or is not a list")
    outcomes, upper, lower = (column or [] for column in columns)
    if not len(outcomes) == len(upper) == len(lower):
        raise InputError(f"there are {len(outcomes)} outcomes, {len(upper)} masses of upper and {len(lower)} of lower")
    labels = (str(name) if isinstance(name, str) else json.dumps(name) for name in outcomes)
    names = [(label, f"outcome {i}") for i, label in enumerate(labels, start=1)]
    check_outcomes(names)
    masses = [
        tuple(mass_of(mass, f"{side}, mass {i}") for i, mass in enumerate(column, start=1))
        for side, column in (("upper", upper), ("lower", lower))
    ]
    rest = value.get("remainder") or {}
    if not isinstance(rest, dict) or not {*rest} <= {"upper", "lower"}:
        raise InputError("'remainder' is not an object with the keys upper and lower")
    rests = [mass_of(rest[side], f"remainder of {side}") if side in rest else NONE for side in ("upper", "lower")]
    return LawPair(tuple(name for name, _ in names), masses[0], masses[1], rests[0], rests[1])


def rows_of_csv(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, with their lines; the longest cell of a process is as before in the end."""
    reader, before = csv.reader(StringIO(text, newline=""), strict=True), csv.field_size_limit(LONGEST_CELL)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as problem:
        raise InputError(f"line {reader.line_num}: the text is truncated or is not CSV ({problem})") from None
    finally:
        csv.field_size_limit(before)


def pair_of_csv(text: str) -> LawPair:
    """The pair that a CSV text denotes."""
    rows = rows_of_csv(text)
    line, header = next(rows, (1, []))
    if [cell.strip() for cell in header] != COLUMNS:
        raise InputError(f"line {line}: the header must be {','.join(COLUMNS)}, not {shortened(','.join(header))}")
    names: list[tuple[str, str]] = []
    upper: list[Mass] = []
    lower: list[Mass] = []
    rests = (NONE, NONE)
    for line, row in rows:
        where = f"line {line}"
        if len(row) != len(COLUMNS):
            raise InputError(f"{where}: {len(row)} columns where {len(COLUMNS)} are expected (quote an enclosure)")
        masses = mass_of(row[1], f"{where}, upper"), mass_of(row[2], f"{where}, lower")
        if row[0].strip() == REMAINDER:
            if rests != (NONE, NONE):
                raise InputError(f"{where}: the remainder is there twice")
            rests = masses
            continue
        names.append((row[0].strip(), where))
        upper.append(masses[0])
        lower.append(masses[1])
    check_outcomes(names)
    return LawPair(tuple(name for name, _ in names), tuple(upper), tuple(lower), *rests)


def mass_value(mass: Mass) -> Json:
    """A mass as the formats have it: text, or a list of two texts."""
    low, high = mass
    return number_text(low) if low is high or low == high else [number_text(low), number_text(high)]


def number_text(value: Real) -> str:
    """An exact number in the notation that is read back as the same number, as a decimal where that is short."""
    if value.fraction is None:
        return str(value)
    low, high = decimal_ends(value.fraction, 40)
    return low if low == high and ("e" in low or len(low) <= 42) else fraction_text(value.fraction)


def json_of_pair(pair: LawPair, about: dict[str, Json]) -> str:
    """The pair as JSON; `about` says for a person where it comes from."""
    table: dict[str, Json] = {"format": FORMAT, "about": about, "outcomes": list(pair.outcomes)}
    table |= {"upper": [mass_value(mass) for mass in pair.upper], "lower": [mass_value(mass) for mass in pair.lower]}
    if (pair.upper_rest, pair.lower_rest) != (NONE, NONE):
        table["remainder"] = {"upper": mass_value(pair.upper_rest), "lower": mass_value(pair.lower_rest)}
    return json.dumps(table) + "\n"


def csv_of_pair(pair: LawPair) -> str:
    """The pair as CSV."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = zip(pair.outcomes, pair.upper, pair.lower, strict=True)
    writer.writerows((name, csv_mass(above), csv_mass(below)) for name, above, below in rows)
    if (pair.upper_rest, pair.lower_rest) != (NONE, NONE):
        writer.writerow((REMAINDER, csv_mass(pair.upper_rest), csv_mass(pair.lower_rest)))
    return stream.getvalue()


def csv_mass(mass: Mass) -> str:
    """A mass as one cell."""
    value = mass_value(mass)
    return value if isinstance(value, str) else f"[{value[0]}, {value[1]}]"
