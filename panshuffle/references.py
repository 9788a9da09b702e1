"""What correct runs of a protocol show, for its record and its data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from panshuffle.card import Model, card_of
from protocols.model.shuffle import Labelled, sent
from protocols.randomness.coins import Coins

if TYPE_CHECKING:
    from crosscheck.reference.model import Reference
    from panshuffle.dataset import Datum


def reference_of(record: object, data: Sequence[Datum], t: int | None = None) -> Reference:
    """What correct runs of the protocol on the data show; of an online algorithm, with the state at a time.

    *Holds when* the data are the rows of those who take part.  *Raises* `InputError` for what is no record.
    """
    found = card_of(record)
    rows = list(data)
    if found.model is Model.ONLINE:
        return replace(found.reference(record, rows, t), online=True)
    reference = found.reference(record, rows)
    return replace(reference, send=partial(labelled, record, rows)) if found.model is Model.SHUFFLE else reference


def labelled(record: Any, rows: Sequence[Datum], coins: Coins) -> list[list[Labelled]]:
    """What each user sends in a run; bits without a label are of the first pool."""
    return [
        [message if isinstance(message, tuple) else (1, message) for message in vector]
        for vector in sent(record, rows, coins)
    ]
