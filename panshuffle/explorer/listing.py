"""The protocols that are explored, and what the page's script reads of them."""

from __future__ import annotations

from panshuffle.card import cards
from panshuffle.explorer.subjects import DEFAULTS, MEANINGS, STEPS, Explored


def subjects() -> dict[str, Explored]:
    """The protocols that are explored, in the order of the list."""
    found = [(card.explored, card.name) for card in cards() if card.explored is not None]
    return {name: explored for explored, name in sorted(found, key=lambda pair: pair[0].place)}


def description() -> dict[str, object]:
    """What the page's script reads."""
    known = {name: explored.description() for name, explored in subjects().items()}
    return {"steps": STEPS, "defaults": DEFAULTS, "meanings": MEANINGS, "subjects": known}
