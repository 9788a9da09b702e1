"""Which paragraph of a section a sentence of the ledger speaks of: the one that has most of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from panshuffle.proofs.ledger import section_of
from panshuffle.proofs.statement import Statement
from panshuffle.prose.tokens import GREEK

WORD = re.compile(r"[a-z]{4,}")
FEWEST_WORDS, SHARE = 4, 0.6
"""So many words of four letters or more, and this part of them in one paragraph, tell which it is."""


def words_of(text: str) -> set[str]:
    """The longer words of a text, formulas apart."""
    plain = re.sub(r"<math.*?</math>|<[^>]*>", " ", text, flags=re.DOTALL).lower()
    return set(WORD.findall(plain)) - set(GREEK)


def spoken_of(statement: Statement, paragraphs: Sequence[tuple[str, str]]) -> int | None:
    """The number of the paragraph with most words of a printed sentence, in its section; None where none has enough."""
    wanted = words_of(statement.printed)
    section = f"section-{section_of(statement)}"
    if len(wanted) < FEWEST_WORDS or statement.kind in ("worst neighbour", "sharper", "fact"):
        return None
    scores = [
        (len(wanted & words_of(text)) / len(wanted), -number)
        for number, (key, text) in enumerate(paragraphs)
        if key == section
    ]
    best, place = max(scores, default=(0.0, 0))
    return -place if best >= SHARE else None
