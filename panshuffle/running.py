"""One run of a protocol, and what it shows as the object that becomes one JSON line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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


def no_simulator(coins: Coins, t: int | None) -> Show:
    """*Raises* `InputError`: nothing is to be gained."""
    raise InputError("--approximate has no meaning here: the exact draws of this protocol are as fast")


@dataclass(frozen=True)
class Runner:
    """Whoever runs a protocol: the rows of a full dataset, and what one run shows.

    That is of data, with messages if they are asked for, and the state at a time.  `approximate` gives a function that
    simulates one run in floating point; `messages` is about how many a run has, 0 where it has none; `protocol` is the
    one whose analyzer reads them.
    """

    rows: int
    shows: Callable[[Sequence[Datum], Coins, bool, int | None], Line]
    approximate: Callable[[Coins, int | None], Show] = no_simulator
    messages: int = 0
    protocol: AnyShuffle | RepeatedUniformity | None = None
    has_messages: bool = False
    has_state: bool = False

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
        return self.shows(data, coins, messages, t)


def labelled(pools: Pools) -> dict[str, list[int]]:
    """{"j": [zeros, ones]} for the pools 1, 2, ..."""
    return {str(j): list(pool) for j, pool in enumerate(pools, start=1)}


def shuffled(
    protocol: AnyShuffle | RepeatedUniformity,
    messages: int,
    drawn: Callable[[Coins], AnyShuffle] | None = None,
    no_floats: str = "",
) -> Runner:
    """A shuffle protocol: the messages of a run, about, and how its public randomness is drawn, if it has any.

    It shows the pools, the output, and the messages if they are asked for.
    """

    def draw(coins: Coins) -> Any:
        return protocol if drawn is None else drawn(coins)

    def shows(data: Sequence[Datum], coins: Coins, messages: bool, t: int | None) -> Line:
        one = draw(coins)
        execution = execute(one, data, coins)
        line: Line = {"pools": labelled(one.count_pools(execution.messages))}
        return line | ({"messages": execution.messages} if messages else {}) | {"output": execution.output}

    def approximate(coins: Coins, t: int | None) -> Show:
        if no_floats:
            raise InputError(no_floats)
        from panshuffle.protocols.approximate.simulator import simulate_pools

        generator = numpy_generator(coins)

        def simulate(data: Sequence[Datum]) -> Line:
            one = draw(coins)
            rows = [one.f(x, coins) for x in data] if isinstance(one, Encoded) else data
            inner = one.protocol if isinstance(one, Encoded) else one
            pools = simulate_pools(inner, rows, 1, generator)[0].tolist()
            return {"pools": labelled(pools), "output": one.analyze_pools(pools)}

        return guarded(simulate)

    return Runner(protocol.n, shows, approximate, messages, protocol, has_messages=True)


def online(algorithm: AnyOnline, shown: Callable[[Any, Coins], object] = lambda state, coins: state) -> Runner:
    """An online algorithm, which shows the output, and the state at a time if one is asked for."""

    def shows(data: Sequence[Datum], coins: Coins, messages: bool, t: int | None) -> Line:
        view = run(algorithm, data, coins, t)
        return ({} if t is None else {"state": shown(view.state, coins)}) | {"output": view.output}

    return Runner(algorithm.length, shows, has_state=True)


def transformed(algorithm: PanDistinctElements | PanUniformity, messages: int, counts: bool = False) -> Runner:
    """A shuffle protocol as an online algorithm: a state is shown as its pools.

    `counts` says that it also knows how many of the coming elements it still uses.
    """

    def line(pools: Pools, left: int) -> Line:
        return {"pools": labelled(pools)} | ({"n_left": left} if counts else {})

    def shown(state: Any, coins: Coins) -> Line:
        messages, left = (state.messages, state.n_left) if counts else (state, 0)
        return line(algorithm.protocol.count_pools(in_random_order(messages, coins)), left)

    def approximate(coins: Coins, t: int | None) -> Show:
        from panshuffle.protocols.approximate.simulator import simulate_transformation

        generator, time = numpy_generator(coins), algorithm.length if t is None else t

        def simulate(stream: Sequence[Any]) -> Line:
            pools, left, output = simulate_transformation(algorithm, stream, time, generator)
            return ({} if t is None else {"state": line(pools.tolist(), left)}) | {"output": output}

        return guarded(simulate)

    runner = online(algorithm, shown)
    return replace(runner, approximate=approximate, messages=messages, protocol=algorithm.protocol)


def central(n: int, release: Callable[[Any, Coins], object]) -> Runner:
    """A mechanism of a trusted curator, which shows the output."""
    return Runner(n, lambda data, coins, messages, t: {"output": release(data, coins)})


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
