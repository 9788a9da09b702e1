"""One run of a protocol, and what it shows as the object that becomes one JSON line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from flint import fmpz

from exact.errors import InputError, ParameterError
from panshuffle.question import whole
from protocols.model.online import OnlineAlgorithm, run
from protocols.model.shuffle import Encoded, Pools, ShuffleProtocol, execute
from protocols.randomness.coins import Coins

if TYPE_CHECKING:
    import numpy as np

    from panshuffle.dataset import Datum

MOST_MESSAGES = 50_000_000
"""More messages than that take a minute to shuffle and gigabytes to hold."""
Line = dict[str, Any]
AnyShuffle: TypeAlias = ShuffleProtocol[Any, Any, Any]
AnyOnline: TypeAlias = OnlineAlgorithm[Any, Any, Any]
Show = Callable[["Sequence[Datum]"], Line]
NOT_FOR_FLOATS = "--approximate has no meaning here: the exact draws of this protocol are as fast"


class Runner(Protocol):
    """Whoever runs a protocol."""

    @property
    def rows(self) -> int:
        """The rows of a full dataset."""

    @property
    def messages(self) -> int:
        """About how many messages a run has; 0 where it has none."""

    def check(self, name: str, messages: bool, at_time: bool) -> None:
        """*Raises* `InputError` for something to be shown that the protocol does not have."""

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """What one run shows."""

    def approximate(self, coins: Coins, t: int | None) -> Show:
        """A function that simulates one run in floating point."""


def labelled(pools: Pools) -> dict[str, list[int]]:
    """{"j": [zeros, ones]} for the pools 1, 2, ..."""
    return {str(j): list(pool) for j, pool in enumerate(pools, start=1)}


class Analyzer(Protocol):
    """What is known of a shuffle protocol before its public randomness is drawn."""

    @property
    def n(self) -> int:
        """The number of users."""

    def count_pools(self, messages: Sequence[Any]) -> list[list[int]]:
        """(zeros, ones) of each pool."""

    def analyze_pools(self, pools: Pools) -> object:
        """The output."""


@dataclass(frozen=True)
class Shuffled:
    """A shuffle protocol: how its public randomness is drawn, and the messages of a run, about."""

    protocol: Analyzer
    messages: int
    drawn: Callable[[Coins], AnyShuffle]
    no_floats: str = ""

    @classmethod
    def plain(cls, protocol: AnyShuffle, messages: int) -> Shuffled:
        """A protocol without public randomness."""
        return cls(protocol, messages, lambda coins: protocol)

    @property
    def rows(self) -> int:
        """The number of users."""
        return self.protocol.n

    def check(self, name: str, messages: bool, at_time: bool) -> None:
        """*Raises* `InputError` for a time, which only an online algorithm has."""
        if at_time:
            raise InputError(f"--t has no meaning for {name}, which has no internal state")

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """The pools, the output, and the messages if they are asked for."""
        protocol = self.drawn(coins)
        execution = execute(protocol, data, coins)
        line: Line = {"pools": labelled(protocol.count_pools(execution.messages))}
        return line | ({"messages": execution.messages} if messages else {}) | {"output": execution.output}

    def approximate(self, coins: Coins, t: int | None) -> Show:
        """The pools in floating point."""
        if self.no_floats:
            raise InputError(self.no_floats)
        from protocols.approximate.simulator import simulate_pools

        generator = numpy_generator(coins)

        def simulate(data: Sequence[Datum]) -> Line:
            protocol = self.drawn(coins)
            rows = [protocol.f(x, coins) for x in data] if isinstance(protocol, Encoded) else data
            inner = protocol.protocol if isinstance(protocol, Encoded) else protocol
            pools = simulate_pools(inner, rows, 1, generator)[0].tolist()
            return {"pools": labelled(pools), "output": protocol.analyze_pools(pools)}

        return guarded(simulate)


@dataclass(frozen=True)
class Online:
    """An online algorithm: how its state is shown, and its messages, about, where it keeps any."""

    algorithm: AnyOnline
    state: Callable[[Any, Coins], object] = lambda state, coins: state
    messages: int = 0
    transformed: Callable[[Any, int, np.random.Generator], tuple[Line, object]] | None = None

    @property
    def rows(self) -> int:
        """The length of the stream."""
        return self.algorithm.length

    def check(self, name: str, messages: bool, at_time: bool) -> None:
        """*Raises* `InputError` for messages, which are not in the view."""
        if messages:
            raise InputError(f"--messages has no meaning for {name}: no shuffled messages are in its view")

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """The output, and the state at a time if one is asked for."""
        view = run(self.algorithm, data, coins, t)
        return ({} if t is None else {"state": self.state(view.state, coins)}) | {"output": view.output}

    def approximate(self, coins: Coins, t: int | None) -> Show:
        """The pools of a transformed protocol in floating point."""
        if self.transformed is None:
            raise InputError(NOT_FOR_FLOATS)
        simulate, generator, time = self.transformed, numpy_generator(coins), self.rows if t is None else t

        def shown(stream: Sequence[Datum]) -> Line:
            state, output = simulate(stream, time, generator)
            return ({} if t is None else {"state": state}) | {"output": output}

        return guarded(shown)


@dataclass(frozen=True)
class Central:
    """A mechanism of one trusted hand."""

    n: int
    release: Callable[[Any, Coins], object]
    messages: int = 0

    @property
    def rows(self) -> int:
        """The number of users."""
        return self.n

    def check(self, name: str, messages: bool, at_time: bool) -> None:
        """*Raises* `InputError` for a time and for messages."""
        if at_time:
            raise InputError(f"--t has no meaning for {name}, which has no internal state")
        if messages:
            raise InputError(f"--messages has no meaning for {name}: no shuffled messages are in its view")

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """The output."""
        return {"output": self.release(data, coins)}

    def approximate(self, coins: Coins, t: int | None) -> Show:
        """*Raises* `InputError`: there is nothing to gain."""
        raise InputError(NOT_FOR_FLOATS)


def time_in(runner: Runner, name: str, messages: bool, text: str | None) -> int | None:
    """The time at which the state is shown, if it is.  *Raises* `InputError` for what the protocol does not show."""
    runner.check(name, messages, text is not None)
    if text is None:
        return None
    t = whole("t", text, 0)
    if t > runner.rows:
        raise ParameterError("t", t, f"a whole number from 0 to {runner.rows}, the length of the stream")
    return t


def check_messages(messages: int) -> None:
    """*Raises* `InputError` where one run has more messages than a computer should be asked to shuffle."""
    if messages > MOST_MESSAGES:
        about = f"{messages}" if messages < 10**15 else f"10^{len(str(fmpz(messages))) - 1}"
        advice = "use --approximate, which draws counts"
        raise InputError(f"one run has about {about} messages, more than {MOST_MESSAGES}: {advice}")


def numpy_generator(coins: Coins) -> np.random.Generator:
    """Numpy's generator, seeded by the coins."""
    import numpy as np

    return np.random.default_rng(coins.bits(128))


def guarded(simulate: Show) -> Show:
    """The simulation, with one sentence for what doubles can't hold."""

    def view(data: Sequence[Datum]) -> Line:
        try:
            return simulate(data)
        except (ValueError, OverflowError) as problem:
            if isinstance(problem, InputError):
                raise
            raise InputError("these parameters are beyond what floating point can simulate") from None

    return view
