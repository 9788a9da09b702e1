"""The printed number of what a sentence names by its label: "Theorem de_upper" is Theorem 3.3 in print."""

from __future__ import annotations

import re
from functools import cache

from panshuffle.proofs.paper import items

KINDS = "Theorem|Lemma|Claim|Fact|Corollary|Definition|Algorithm|Equation|Figure"


@cache
def numbers() -> dict[str, str]:
    """The printed numbers by label, without the label's prefix."""
    found = [
        (item.key.partition(":")[2], item.number) for item in items() if ":" in item.key and item.kind != "section"
    ]
    return {name: number for name, number in found if name and number}


@cache
def pattern() -> re.Pattern[str]:
    """A kind and a label; the longer labels first."""
    names = "|".join(re.escape(name) for name in sorted(numbers(), key=len, reverse=True))
    return re.compile(rf"\b(?:{KINDS}) ({names})(?![\w-])")


def in_print(text: str) -> str:
    """A sentence with the paper's numbers in place of its labels.

    >>> in_print("proof of Theorem ikos, first line")
    'proof of Theorem 3.2, first line'
    """
    return pattern().sub(lambda match: numbers()[match[1]], text)
