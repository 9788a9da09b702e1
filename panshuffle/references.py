"""What correct runs of a protocol show, for its record and its data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from panshuffle.card import Model, card_of

if TYPE_CHECKING:
    from crosscheck.reference.model import Reference
    from panshuffle.dataset import Datum


def reference_of(record: object, data: Sequence[Datum], t: int | None = None) -> Reference:
    """What correct runs of the protocol on the data show; of an online algorithm, with the state at a time.

    *Holds when* the data are the rows of those who take part.  *Raises* `InputError` for what is no record.
    """
    found = card_of(record)
    rows = list(data)
    return found.reference(record, rows, t) if found.model is Model.ONLINE else found.reference(record, rows)
