"""The tokens of a sentence, and the signs that its names stand for."""

from __future__ import annotations

import re
from typing import NamedTuple

GREEK = {
    "eps": "ε", "epsilon": "ε", "delta": "δ", "gamma": "γ", "lam": "λ", "lambda": "λ", "alpha": "α", "beta": "β",
    "sigma": "σ", "tau": "τ", "mu": "μ", "theta": "θ", "Delta": "Δ", "pi": "π", "rho": "ρ", "chi": "χ", "omega": "ω",
    "Omega": "Ω", "Theta": "Θ", "phi": "φ", "kappa": "κ", "eta": "η", "xi": "ξ", "nu": "ν", "psi": "ψ",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
FUNCTIONS = ("ln", "log", "log2", "exp", "min", "max")
LAWS = ("Ber", "Bin", "Pois", "Poi", "Lap", "SG", "Var", "Geom", "NB", "TV")
BRACKETED = ("P", "E", "Var")
"""What is followed by square brackets."""
RELATIONS = {"<=": "≤", ">=": "≥", "!=": "≠", "<": "<", ">": ">", "=": "=", "~": "∼", "->": "→", "<-": "←"}
TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<genitive>(?<=[A-Za-z])'(?:s|t|re|ll)\b)|(?P<name>[A-Za-z]+)"
    r"|(?P<sign>\.\.\.|<=|>=|!=|->|<-|'+|\S)"
)
OPEN, CLOSE = "([{", ")]}"
HAT_ENDS = (")", "]", ",", ".", ";", ":")
ARTICLES = ("a", "A", "I")


class Token(NamedTuple):
    """A token of a sentence, where it is, and whether it is glued to the one before it."""

    kind: str
    text: str
    start: int
    end: int
    glued: bool


def tokens(text: str) -> list[Token]:
    """The tokens of a sentence; a name with digits behind it is cut before them."""
    found: list[Token] = []
    for match in TOKEN.finditer(text):
        glued = bool(found) and found[-1].end == match.start()
        found.append(Token(match.lastgroup or "sign", match.group(), match.start(), match.end(), glued))
    return found


def is_symbol(name: str) -> bool:
    """Whether a name is a letter or that of a Greek one."""
    return len(name) == 1 or name in GREEK or name in FUNCTIONS or name in LAWS


def minus(sign: str) -> str:
    """A sign as it is printed."""
    return {"-": "−", "*": "·"}.get(sign, sign)
