"""One run of a protocol, and what it shows as the object that becomes one JSON line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import fmpz

from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.protocols.model.online import OnlineAlgorithm, run
from panshuffle.protocols.model.shuffle import Encoded, Pools, ShuffleProtocol, execute
from panshuffle.protocols.model.transformation import in_random_order
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import whole

if TYPE_CHECKING:
    import numpy as np

    from panshuffle.dataset import Datum, Universe
    from panshuffle.protocols.model.repeated_uniformity import RepeatedUniformity
    from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
    from panshuffle.protocols.pan_uniformity import PanUniformity

MOST_MESSAGES = 50_000_000
"""More messages than that take a minute to shuffle and gigabytes to hold."""
Line = dict[str, Any]
AnyShuffle: TypeAlias = ShuffleProtocol[Any, Any, Any]
AnyOnline: TypeAlias = OnlineAlgorithm[Any, Any, Any]
Show = Callable[["Sequence[Datum]"], Line]


class Runner:
    """Whoever runs a protocol: what it may show, and what one run shows."""

    has_messages = False
    has_state = False
    messages: int
    """About how many messages a run has; 0 where it has none."""

    @property
    def rows(self) -> int:
        """The rows of a full dataset."""
        raise NotImplementedError

    def time_in(self, name: str, messages: bool, text: str | None) -> int | None:
        """The time at which the state is shown, if it is.  *Raises* `InputError` for what is not shown."""
        if text is not None and not self.has_state:
            raise InputError(f"--t has no meaning for {name}, which has no internal state")
        if messages and not self.has_messages:
            raise InputError(f"--messages has no meaning for {name}: no shuffled messages are in its view")
        if text is None:
            return None
        t = whole("t", text, 0)
        check_time(t, self.rows)
        return t

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """What one run shows."""
        raise NotImplementedError

    def approximate(self, coins: Coins, t: int | None) -> Show:
        """A function that simulates one run in floating point.  *Raises* `InputError` where nothing is to be gained."""
        raise InputError("--approximate has no meaning here: the exact draws of this protocol are as fast")


def labelled(pools: Pools) -> dict[str, list[int]]:
    """{"j": [zeros, ones]} for the pools 1, 2, ..."""
    return {str(j): list(pool) for j, pool in enumerate(pools, start=1)}


@dataclass(frozen=True)
class Shuffled(Runner):
    """A shuffle protocol: how its public randomness is drawn, and the messages of a run, about."""

    protocol: AnyShuffle | RepeatedUniformity
    messages: int
    drawn: Callable[[Coins], AnyShuffle]
    no_floats: str = ""
    has_messages = True

    @classmethod
    def plain(cls, protocol: AnyShuffle, messages: int) -> Shuffled:
        """A protocol without public randomness."""
        return cls(protocol, messages, lambda coins: protocol)

    @property
    def rows(self) -> int:
        """The number of users."""
        return self.protocol.n

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
        from panshuffle.protocols.approximate.simulator import simulate_pools

        generator = numpy_generator(coins)

        def simulate(data: Sequence[Datum]) -> Line:
            protocol = self.drawn(coins)
            rows = [protocol.f(x, coins) for x in data] if isinstance(protocol, Encoded) else data
            inner = protocol.protocol if isinstance(protocol, Encoded) else protocol
            pools = simulate_pools(inner, rows, 1, generator)[0].tolist()
            return {"pools": labelled(pools), "output": protocol.analyze_pools(pools)}

        return guarded(simulate)


@dataclass(frozen=True)
class Online(Runner):
    """An online algorithm."""

    algorithm: AnyOnline
    has_state = True
    messages = 0

    @property
    def rows(self) -> int:
        """The length of the stream."""
        return self.algorithm.length

    def shown(self, state: Any, coins: Coins) -> object:
        """The state as it is shown."""
        return state

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """The output, and the state at a time if one is asked for."""
        view = run(self.algorithm, data, coins, t)
        return ({} if t is None else {"state": self.shown(view.state, coins)}) | {"output": view.output}


@dataclass(frozen=True)
class Transformed(Online):
    """A shuffle protocol as an online algorithm: a state is shown as its pools.

    `counts` says that it also knows how many of the coming elements it still uses.
    """

    algorithm: PanDistinctElements | PanUniformity
    messages: int = 0
    counts: bool = False

    def shown(self, state: Any, coins: Coins) -> Line:
        """The pools, and how many elements are still used."""
        messages, left = (state.messages, state.n_left) if self.counts else (state, 0)
        return self.line(self.algorithm.protocol.count_pools(in_random_order(messages, coins)), left)

    def line(self, pools: Pools, left: int) -> Line:
        """A state as it is shown."""
        return {"pools": labelled(pools)} | ({"n_left": left} if self.counts else {})

    def approximate(self, coins: Coins, t: int | None) -> Show:
        """The pools in floating point."""
        from panshuffle.protocols.approximate.simulator import simulate_transformation

        generator, time = numpy_generator(coins), self.rows if t is None else t

        def simulate(stream: Sequence[Any]) -> Line:
            pools, left, output = simulate_transformation(self.algorithm, stream, time, generator)
            return ({} if t is None else {"state": self.line(pools.tolist(), left)}) | {"output": output}

        return guarded(simulate)


@dataclass(frozen=True)
class Central(Runner):
    """A mechanism of a trusted curator."""

    n: int
    release: Callable[[Any, Coins], object]
    messages = 0

    @property
    def rows(self) -> int:
        """The number of users."""
        return self.n

    def once(self, data: Sequence[Datum], coins: Coins, messages: bool = False, t: int | None = None) -> Line:
        """The output."""
        return {"output": self.release(data, coins)}


def check_time(t: int, length: int) -> None:
    """*Raises* `ParameterError` for a time outside the stream."""
    if not 0 <= t <= length:
        raise ParameterError("t", t, f"a whole number from 0 to {length}, the length of the stream")


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


@dataclass(frozen=True)
class Play:
    """An attack: who runs the data, what it is called, the changed user's in either dataset, and that of the others.

    `elsewhere` is what more a person has to know about the others.
    """

    runner: Runner
    what: str
    changed: tuple[Datum, Datum]
    others: list[Datum]
    elsewhere: str = ""

    @classmethod
    def of(cls, runner: Runner, universe: Universe, rows: int, holders: Sequence[int], what: str = "") -> Play:
        """The first two values of a universe, that many others who hold them, and the rest who hold the last one."""
        return cls(runner, what or universe.kind, universe.changed, universe.others(holders, rows - 1))
