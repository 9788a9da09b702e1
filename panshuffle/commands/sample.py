"""`panshuffle sample`: run a protocol and write what it shows, one run a line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from panshuffle.parameters import Parameters, add_parameters

if TYPE_CHECKING:
    from panshuffle.dataset import Generator, Universe
    from protocols.randomness.coins import Coins

GENERATORS = ("uniform", "paired", "distinct", "ones")
MOST_MESSAGES = 50_000_000
MOST_ROWS = 20_000_000
MOST_RUNS = 10**12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    data = parser.add_argument_group("data (one of these)")
    data.add_argument("--input", metavar="FILE", help="whole numbers, one a user; pairs of bits for two-bit-sum")
    data.add_argument("--uniform", action="store_true", help="independent uniform data, new in each run")
    data.add_argument("--paired", metavar="ALPHA", help="independent data at distance ALPHA from uniform")
    data.add_argument("--distinct", metavar="D", help="data with exactly D distinct elements")
    data.add_argument("--ones", metavar="H", help="bits of which H are 1")
    parser.add_argument("--runs", metavar="R", default="1", help="number of runs (default 1)")
    parser.add_argument("--seed", metavar="S", help="a whole number that makes the runs reproducible")
    parser.add_argument("--t", metavar="T", help="show the internal state after T elements of the stream")
    parser.add_argument("--messages", action="store_true", help="show every message, in the shuffled order")
    parser.add_argument("--approximate", action="store_true", help="simulate in floating point: fast, not exact")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of the standard output")
    parser.add_argument("--json", action="store_true", help="JSON lines, which is what is always written")


def run(args: argparse.Namespace) -> int:
    """Runs the command; everything is checked before the first line is written."""
    from panshuffle.output import destination, jsonable, with_progress
    from panshuffle.recipes import record_of
    from protocols.randomness.coins import Coins

    parameters = Parameters.of(args)
    numbers = numbers_of(args, parameters)
    record = record_of(parameters)
    draw = data_of(args, parameters, record, numbers)
    runs = plain_count("runs", args.runs, 1, MOST_RUNS)
    coins = Coins(None if args.seed is None else plain_count("seed", args.seed, 0))
    show = shower(args, record, coins)
    with destination(args.output) as stream:
        for _ in with_progress(range(runs), args.protocol):
            line = {key: jsonable(value) for key, value in show(draw(coins)).items()}
            stream.write(json.dumps(line, allow_nan=False) + "\n")
    return 0


def plain_count(name: str, text: str, least: int, most: int | None = None) -> int:
    """A whole number that is not one of the paper's letters."""
    from exact.errors import ParameterError

    value = Parameters("", {name: text}).count(name, least)
    if most is not None and value > most:
        raise ParameterError(name, text, f"a whole number from {least} to {most}")
    return value


def time_of(text: str, length: int) -> int:
    """The time of the intrusion."""
    from exact.errors import ParameterError

    t = plain_count("t", text, 0)
    if t > length:
        raise ParameterError("t", t, f"a whole number from 0 to {length}, the length of the stream")
    return t


def numbers_of(args: argparse.Namespace, parameters: Parameters) -> list[int] | None:
    """The numbers of the input file, if there is one; where n is absent, they tell it."""
    from exact.errors import InputError
    from panshuffle.dataset import read_numbers

    sources = [name for name in ("input", *GENERATORS) if getattr(args, name) not in (None, False)]
    if len(sources) != 1:
        given = " and ".join(f"--{name}" for name in sources) or "none"
        wanted = "--input, --uniform, --paired, --distinct or --ones"
        raise InputError(f"one source of data is needed ({wanted}); given: {given}")
    if args.input is None:
        return None
    numbers = read_numbers(args.input)
    derived = args.protocol not in ("pan-distinct-elements", "pan-uniformity") and "gamma" not in parameters.given
    if "n" not in parameters.given and derived:
        parameters.given["n"] = str(len(numbers) // (2 if args.protocol == "two-bit-sum" else 1))
    return numbers


def data_of(
    args: argparse.Namespace, parameters: Parameters, record: Any, numbers: list[int] | None
) -> Callable[[Coins], Sequence[Any]]:
    """The function that gives the data of the next run."""
    from exact.errors import InputError
    from panshuffle.dataset import Universe, generator, rows_of

    universe = Universe.of(record)
    n, taking_part = row_counts(parameters, record)
    if numbers is not None:
        rows = honest_rows(rows_of(numbers, universe, args.input), n, taking_part)
        return lambda coins: rows
    kind = next(name for name in GENERATORS if getattr(args, name) not in (None, False))
    chosen = generator(kind, None if kind == "uniform" else getattr(args, kind))
    chosen.check(universe, taking_part)
    if taking_part > MOST_ROWS:
        raise InputError(f"{args.protocol} has more than {MOST_ROWS} rows here, too many to be generated one by one")
    return fresh(chosen, universe, taking_part)


def fresh(chosen: Generator, universe: Universe, rows: int) -> Callable[[Coins], Sequence[Any]]:
    """New data from a generator for each run."""
    return lambda coins: chosen.draw(universe, rows, coins)


def row_counts(parameters: Parameters, record: Any) -> tuple[int, int]:
    """(rows that a full dataset has, rows of those who take part)."""
    from exact.errors import InputError
    from exact.parameters import honest_users

    if not hasattr(record, "analyze_pools") and not hasattr(record, "publish"):
        if parameters.has("gamma"):
            raise InputError(f"--gamma has no meaning for {parameters.protocol}: only shuffle protocols have dropouts")
        rows = getattr(record, "length", None)
        return (record.n, record.n) if rows is None else (rows, rows)
    if not parameters.has("gamma"):
        return record.n, record.n
    return record.n, honest_users(record.n, parameters.real("gamma"))


def honest_rows(rows: Sequence[Any], n: int, taking_part: int) -> Sequence[Any]:
    """The rows of those who take part: the first ones of a full dataset, or all if there are no others."""
    from exact.errors import InputError

    if len(rows) not in (n, taking_part):
        allowed = f"{n}" if n == taking_part else f"{n} (all users) or {taking_part} (those who take part)"
        raise InputError(f"the data has {len(rows)} rows where {allowed} are needed")
    return rows[:taking_part]


def shower(args: argparse.Namespace, record: Any, coins: Coins) -> Callable[[Sequence[Any]], dict[str, Any]]:
    """The function that runs the protocol once and gives what is shown of it."""
    from exact.errors import InputError
    from panshuffle import views

    online = hasattr(record, "initial")
    if args.t is not None and not online:
        raise InputError(f"--t has no meaning for {args.protocol}, which has no internal state")
    if args.messages and (online or hasattr(record, "release")):
        raise InputError(f"--messages has no meaning for {args.protocol}: no shuffled messages are in its view")
    t = None if args.t is None else time_of(args.t, record.length)
    if args.approximate:
        if args.messages:
            raise InputError("--approximate draws counts, not messages: leave out --messages")
        return views.approximate_view(record, t, coins)
    views.check_size(record, MOST_MESSAGES)
    if online:
        return lambda data: views.online_view(record, data, coins, t)
    if hasattr(record, "release"):
        return lambda data: {"output": record.release(data, coins)}
    return lambda data: views.shuffle_view(record, data, coins, args.messages)
