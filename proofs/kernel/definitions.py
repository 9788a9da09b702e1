"""The definitions that the pinned statements rest on, found by machine from what Coq prints."""

from __future__ import annotations

import re
from pathlib import Path

from panshuffle.proofs.kernel.coq import ask
from panshuffle.proofs.kernel.sources import LIBRARY
from panshuffle.proofs.root import digest


def names_in(printed: str, modules: list[str]) -> set[str]:
    """The constants of our modules that a printed term mentions, as Module.name."""
    pattern = rf"(?<![\w.'])(?:{LIBRARY}\.)?((?:{'|'.join(modules)})\.[A-Za-z_][\w']*)"
    return set(re.findall(pattern, printed))


def print_definitions(
    roots: set[str], likely: set[str], modules: list[str], preamble: str, build: Path
) -> dict[str, str]:
    """What Coq prints for the roots and for everything of ours that they mention, transitively.

    `likely` names are asked for in the first round, so that there is seldom a second one; they may be more than needed.
    """
    printed: dict[str, str] = {}
    wanted = roots | likely
    while wanted:
        printed |= ask({name: f"Print {name}" for name in sorted(wanted)}, preamble, build)
        wanted = {name for text in printed.values() for name in names_in(text, modules)} - printed.keys()
    return {name: printed[name] for name in closure(roots, printed, modules)}


def closure(roots: set[str], printed: dict[str, str], modules: list[str]) -> list[str]:
    """The names that the roots mention, and what those mention, sorted."""
    found: set[str] = set()
    wanted = set(roots)
    while wanted:
        name = wanted.pop()
        found.add(name)
        wanted |= names_in(printed[name], modules) - found
    return sorted(found)


def definition_digests(printed: dict[str, str]) -> dict[str, str]:
    """The sha256 of each definition as printed, apart from the places of line breaks."""
    return {name: digest(" ".join(text.split()).encode("utf-8")) for name, text in sorted(printed.items())}
