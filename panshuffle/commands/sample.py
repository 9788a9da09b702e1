"""`panshuffle sample`: run a protocol and write what it shows, one run a line."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from panshuffle.options import add_json, add_parameters

if TYPE_CHECKING:
    from panshuffle.dataset import Source
    from panshuffle.running import Runner, Show
    from protocols.randomness.coins import Coins

MOST_ROWS = 20_000_000
"""More rows than that take minutes to draw one by one."""
MOST_RUNS = 10**12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    data = parser.add_argument_group("data (one of these)")
    data.add_argument("--input", metavar="FILE", help="whole numbers, one a user; both bits of a pair for each user")
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
    add_json(parser, "JSON lines, which is what is always written")


def run(args: argparse.Namespace) -> int:
    """Runs the command; everything is checked before the first line is written."""
    from exact.errors import InputError
    from panshuffle.card import card
    from panshuffle.output import destination, jsonable, with_progress
    from panshuffle.question import letters_of, whole
    from protocols.randomness.coins import Coins

    found, source = card(args.protocol), source_of(args)
    letters = found.with_rows(letters_of(args), source)
    record = found.record_of(letters)
    runner, universe = found.runner(record), found.universe(record)
    taking_part = found.taking_part(letters, runner.rows)
    draw = source.rows(universe, runner.rows, taking_part)
    if source.chosen is not None and taking_part > MOST_ROWS:
        raise InputError(f"{args.protocol} has more than {MOST_ROWS} rows here, too many to be generated one by one")
    runs = whole("runs", args.runs, 1, MOST_RUNS)
    coins = Coins(None if args.seed is None else whole("seed", args.seed, 0))
    show = shower(args, runner, coins)
    with destination(args.output) as stream:
        for _ in with_progress(range(runs), args.protocol):
            line = {key: jsonable(value) for key, value in show(draw(coins)).items()}
            stream.write(json.dumps(line, allow_nan=False) + "\n")
    return 0


def source_of(args: argparse.Namespace) -> Source:
    """The one source of data."""
    from exact.errors import InputError
    from panshuffle.dataset import GENERATORS, Source

    given = {name: getattr(args, name) for name in ("input", *GENERATORS)}
    given = {name: None if value is True else value for name, value in given.items() if value not in (None, False)}
    if len(given) != 1:
        named = " and ".join(f"--{name}" for name in given) or "none"
        wanted = "--input, --uniform, --paired, --distinct or --ones"
        raise InputError(f"one source of data is needed ({wanted}); given: {named}")
    return Source.of(args.input, given)


def shower(args: argparse.Namespace, runner: Runner, coins: Coins) -> Show:
    """The function that runs the protocol once and gives what is shown of it."""
    from exact.errors import InputError
    from panshuffle.running import check_messages, time_in

    t = time_in(runner, args.protocol, args.messages, args.t)
    if args.approximate:
        if args.messages:
            raise InputError("--approximate draws counts, not messages: leave out --messages")
        return runner.approximate(coins, t)
    check_messages(runner.messages)
    return lambda data: runner.once(data, coins, args.messages, t)
