"""`panshuffle sample`: run a protocol and write what it shows, one run a line."""

from __future__ import annotations

import argparse
import json

from panshuffle.answers.sample import Sampler
from panshuffle.card import card
from panshuffle.dataset import GENERATORS, Source
from panshuffle.exact.errors import InputError
from panshuffle.output import destination, jsonable, with_progress
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Question, whole

MOST_ROWS = 20_000_000
"""More rows than that take minutes to draw one by one."""
MOST_RUNS = 10**12


def run(args: argparse.Namespace) -> int:
    """Runs the command; everything is checked before the first line is written."""
    name, source = card(args.protocol).name, source_of(args)
    sampler = Sampler.of(Question.parsed("sample", args), source)
    if source.path is None and sampler.taking_part > MOST_ROWS:
        raise InputError(f"{name} has more than {MOST_ROWS} rows here, too many to be generated one by one")
    runs = whole("runs", args.runs, 1, MOST_RUNS)
    coins = Coins(None if args.seed is None else whole("seed", args.seed, 0))
    show = sampler.shown(coins, args.approximate)
    with destination(args.output) as stream:
        for _ in with_progress(range(runs), name):
            line = {key: jsonable(value) for key, value in show().items()}
            stream.write(json.dumps(line, allow_nan=False) + "\n")
    return 0


def source_of(args: argparse.Namespace) -> Source:
    """The one source of data."""
    given = {name: getattr(args, name) for name in ("input", *GENERATORS)}
    given = {name: value for name, value in given.items() if value not in (None, False)}
    if len(given) != 1:
        named = " and ".join(f"--{name}" for name in given) or "none"
        wanted = "--input, --uniform, --paired, --distinct or --ones"
        raise InputError(f"one source of data is needed ({wanted}); given: {named}")
    return Source.of(args.input, given)
