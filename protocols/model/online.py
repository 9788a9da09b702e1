"""The online model: a state is updated once for each element of the stream, then an output is drawn.

The adversary of pan-privacy sees the state at one time t of their choice, and the output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import check_rows
from panshuffle.protocols.randomness.coins import Coins

Datum = TypeVar("Datum")
DatumIn = TypeVar("DatumIn", contravariant=True)
State = TypeVar("State")
Output = TypeVar("Output")
OutputOut = TypeVar("OutputOut", covariant=True)


class OnlineAlgorithm(Protocol[DatumIn, State, OutputOut]):
    """Q = (Q_I, Q_O) on streams of one length."""

    @property
    def length(self) -> int:
        """The number of elements of a stream."""

    def initial(self, coins: Coins) -> State:
        """I_0."""

    def update(self, state: State, x: DatumIn, coins: Coins) -> State:
        """Q_I: the state after one more element."""

    def output(self, state: State, coins: Coins) -> OutputOut:
        """Q_O: the output, drawn from the final state."""


@dataclass(frozen=True)
class View(Generic[State, Output]):
    """(I_t, output), what the adversary sees."""

    state: State
    output: Output


def run(
    algorithm: OnlineAlgorithm[Datum, State, Output], stream: Sequence[Datum], coins: Coins, t: int | None = None
) -> View[State, Output]:
    """One run with an intrusion after t elements (default: after the last).

    *Raises* `InputError` for a stream of another length, `ParameterError` unless 0 <= t <= length.
    """
    check_rows(stream, algorithm.length, algorithm.length)
    t = algorithm.length if t is None else t
    if not 0 <= t <= algorithm.length:
        raise ParameterError("t", t, f"a whole number from 0 to {algorithm.length}, the length of the stream")
    state = algorithm.initial(coins)
    seen = state
    for time, x in enumerate(stream, start=1):
        state = algorithm.update(state, x, coins)
        seen = state if time == t else seen
    return View(seen, algorithm.output(state, coins))
