"""What somebody brings along: a pair of laws, or a randomizer, in a file; and the view that it has."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exact.curves.curve import THIS_PAIR, Curve, EnclosedCurve, View, enclosed, worse
from exact.curves.law_pair import LawPair, pair_curve
from exact.curves.pair_text import pair_of_text
from exact.errors import InputError
from exact.numbers.real import Real
from exact.parameters import honest_users
from exact.randomizers.randomizer import randomizer_of_text
from exact.randomizers.shuffled_view import ShuffledView, shuffled_view
from panshuffle.dataset import read_text
from panshuffle.parameters import LETTERS, Parameters

MOST_BYTES = 1 << 26
LETTERS_OF: dict[str, tuple[str, ...]] = {"pmf": (), "randomizer": ("n", "gamma")}
SWITCHES = ("as_printed", "pool", "pair", "tv")
OPTIONS = ("holders", "t", "ones", "certificate")
WHY = "The masses are those of the file; both directions are covered, and nothing is said of other neighbours."
ONE_WAY = "The masses are those of the file, in this direction; nothing is said of other neighbours."


@dataclass(frozen=True)
class Own:
    """A view from a file, the parameters to echo, what kind of answer it gives, and where its worst case is."""

    view: View
    parameters: dict[str, str]
    kind: str
    worst_at: Callable[[Real], dict[str, Any]]


def own_of(args: argparse.Namespace) -> Own:
    """The view of --file.  *Raises* `InputError` for an option without a meaning, and for what is wrong in the file."""
    check_options(args)
    if args.file is None:
        raise InputError(f"{args.protocol} needs --file")
    return own_pair(args) if args.protocol == "pmf" else own_randomizer(args)


def check_options(args: argparse.Namespace) -> None:
    """*Raises* `InputError` for an option that has no meaning for a pair or a randomizer from a file."""
    name = args.protocol
    for letter in LETTERS:
        if getattr(args, letter.replace("-", "_"), None) is not None and letter not in LETTERS_OF[name]:
            raise InputError(f"--{letter} has no meaning for {name}")
    for option in (*SWITCHES, *OPTIONS):
        if getattr(args, option, None) not in (None, False):
            raise InputError(f"--{option.replace('_', '-')} has no meaning for {name}")
    if args.direction is not None and name != "pmf":
        raise InputError(f"--direction has no meaning for {name}: both directions are covered")


def text_of(path: str) -> str:
    """The text of a file of a size that can be read."""
    try:
        size = Path(path).stat().st_size
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror})") from None
    if size > MOST_BYTES:
        raise InputError(f"{path}: the file has {size} bytes, more than {MOST_BYTES}")
    return read_text(path)


def named(path: str, read: Callable[[str], Any]) -> Any:
    """What is read from a file, with the file's name in front of what is wrong."""
    text = text_of(path)
    try:
        return read(text)
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from None


def own_pair(args: argparse.Namespace) -> Own:
    """The pair of laws in a file, in one direction or in the worse of both."""
    pair: LawPair = named(args.file, pair_of_text)
    if args.direction is not None:
        view = View(pair_curve(pair if args.direction == "gain" else pair.swapped()), THIS_PAIR, ONE_WAY)
    else:
        view = View(both(pair_curve(pair), pair_curve(pair.swapped())), THIS_PAIR, WHY)
    return Own(view, {"file": args.file}, "exact" if pair.is_exact else "enclosure", lambda exp_eps: {})


def both(gain: Curve, lose: Curve) -> Curve:
    """The worse direction, of curves that may be known from both sides only."""
    if isinstance(gain, EnclosedCurve) and isinstance(lose, EnclosedCurve):
        return enclosed(worse(gain.below, lose.below), worse(gain.above, lose.above))
    return worse(gain, lose)


def own_randomizer(args: argparse.Namespace) -> Own:
    """The shuffled messages of N = gamma*n users of a randomizer in a file."""
    given = {letter: getattr(args, letter) for letter in LETTERS_OF["randomizer"]}
    parameters = Parameters("randomizer", {letter: text for letter, text in given.items() if text is not None})
    n = parameters.count("n")
    users = honest_users(n, parameters.real("gamma")) if parameters.has("gamma") else n
    found: ShuffledView = named(args.file, lambda text: shuffled_view(randomizer_of_text(text), users))

    def worst_at(exp_eps: Real) -> dict[str, Any]:
        worst, names = found.worst_at(exp_eps), found.randomizer.inputs
        if worst is None:
            return {"background": None, "neighbours": None}
        held = {names[i]: count for i, count in enumerate(worst.background) if count}
        return {"background": held, "neighbours": [names[worst.upper], names[worst.lower]]}

    kind = "exact" if found.is_exact else "enclosure"
    return Own(found.view, {"file": args.file} | parameters.given, kind, worst_at)
