"""What the ledger says of the statement behind a bound."""

from __future__ import annotations

from functools import cache


@cache
def verdict_of(slug: str) -> str:
    """The pinned verdict on a statement, which `panshuffle verify` checks anew."""
    from proofs.pins import pins

    return pins()[slug]["verdict"]
