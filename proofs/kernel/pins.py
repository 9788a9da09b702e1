"""The kernel claims: each a statement of the paper, the Coq constant that proves it, and the text that Coq must accept."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CONSTANT = re.compile(r"([A-Z][A-Za-z0-9]*)\.([A-Za-z_][A-Za-z0-9_']*)")
FENCE = re.compile(r"\.(?:\s|$)|\(\*|\"|#")
PINS = "pins.toml"
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Claim:
    """One pin.

    `statement` is the full type in Coq's language, with every name of ours qualified by its module; `premises` are the
    hypotheses inside it in words; `differs` says what is not as the paper prints it, and is empty where nothing is;
    `repair` names what holds in place of a refuted statement of `Paper.v`, where it is not the one that is called so.
    """

    name: str
    constant: str
    statement: str
    labels: tuple[str, ...]
    premises: tuple[str, ...]
    differs: str
    repair: str = ""

    @property
    def pin(self) -> str:
        """The name of the pinned definition in the generated Coq file."""
        return "pin_" + self.name.replace("-", "_")


def claim_of(row: dict[str, Any]) -> Claim:
    """The claim of one table of the pins' file.

    Raises: ValueError, where the name is not in kebab-case the constant is not qualified, or the statement not one term.
    """
    name, constant = str(row["name"]), str(row["constant"])
    if not NAME.fullmatch(name):
        raise ValueError(f"{PINS}: the name {name!r} is not in kebab-case")
    if not CONSTANT.fullmatch(constant):
        raise ValueError(f"{PINS}: the constant {constant!r} of {name} is not Module.constant")
    statement = str(row["statement"]).strip()
    if not is_one_term(statement):
        raise ValueError(f"{PINS}: the statement of {name} is not one term of Coq's language")
    labels, premises = (tuple(map(str, row[name])) for name in ("labels", "premises"))
    return Claim(name, constant, statement, labels, premises, str(row.get("differs", "")), str(row.get("repair", "")))


def is_one_term(text: str) -> bool:
    """Whether nothing in a text ends the term that it stands in: no end of a sentence, comment, string or parenthesis.

    >>> is_one_term("forall x : R, (x = x)"), is_one_term("True) := (I"), is_one_term("True. Axiom bad : False")
    (True, False, False)
    """
    depth = 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0 and text.isascii() and not FENCE.search(text)


def read_claims(folder: Path) -> dict[str, Claim]:
    """The claims of a folder by name, in the order of its pins' file.

    Raises: ValueError, where two claims have one name.
    """
    rows = tomllib.loads((folder / PINS).read_text(encoding="utf-8"))["claim"]
    claims: dict[str, Claim] = {}
    for row in rows:
        claim = claim_of(row)
        if claim.name in claims:
            raise ValueError(f"{PINS}: two claims are called {claim.name}")
        claims[claim.name] = claim
    return claims


@cache
def claims() -> dict[str, Claim]:
    """The claims of this folder by name."""
    return read_claims(HERE)


def claim(name: str) -> Claim:
    """The claim of a name.

    Raises: ValueError, where the pins have no such claim.
    """
    if name not in claims():
        raise ValueError(f"{name!r} is not a claim of {PINS}")
    return claims()[name]
