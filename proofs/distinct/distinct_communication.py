"""Theorem de_upper, Part III: communication."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import exhaustive, identity, smt


def bits_needed(k: int) -> int:
    """The least number of bits for a label in [k] and one more bit: 2k messages must differ."""
    return (2 * k - 1).bit_length()


STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part III",
    kind="theorem",
    printed="Each user communicates at most O(k log(n(e^eps+1)/delta)) messages of length O(log k).",
    rests_on=("ikos-messages",),
    steps=(
        exhaustive(
            "a message (j, bit) has length at most 10^6 log2 k, for k in {1, 2, 3, 1000}",
            lambda k: bits_needed(k) <= 10**6 * (k.bit_length() - 1),
            [1, 2, 3, 1000],
            lambda k: f"k = {k}: log k = 0, and a message still carries {bits_needed(k)} bit",
        ),
    ),
    why="At k = 1, log k = 0 but every message carries a bit. The number of messages is right.",
    repair=Repair(
        "m k messages with m = O(log(n(e^eps+1)/delta)), each of log2(k) + 1 bits, rounded up: O(log(2k)).",
        (
            identity(
                "log((E + 1)/d) + log(n) = log(n*(E + 1)/d)",
                says="sigma + log n = log(n(e^eps+1)/delta), in any base",
                E="(1, inf)",
                d="(0, 1)",
                n="[1, inf)",
            ),
            smt("n*(E + 1)/d >= 2", says="which is bounded away from 0", n="[1, inf)", E="(1, inf)", d="(0, 1)"),
            exhaustive(
                "log2(2k) rounded up bits are enough, k <= 64",
                lambda k: 2 ** bits_needed(k) >= 2 * k and bits_needed(k) <= 1 + (k - 1).bit_length(),
                range(1, 65),
            ),
        ),
    ),
    survives="Nothing rests on k = 1, where D(x) = 1.",
    twins=(
        smt("n*(E + 1)/d >= 2.01", says="with 2.01", n="[1, inf)", E="(1, inf)", d="(0, 1)"),
        exhaustive(
            "log2(k) rounded up bits are enough, k <= 8", lambda k: bits_needed(k) <= (k - 1).bit_length(), range(1, 9)
        ),
    ),
)
