"""What one run of a protocol shows, as the object that becomes one JSON line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import fmpz

from exact.errors import InputError
from protocols.distinct_elements import DistinctElements
from protocols.model.online import run
from protocols.model.repeated_uniformity import RepeatedUniformity
from protocols.model.shuffle import Encoded, PublicCoinProtocol, execute, pool_of_bits, pools_of
from protocols.model.transformation import in_random_order
from protocols.modular_sum import ModularSum
from protocols.pan_distinct_elements import PanDistinctElements
from protocols.pan_uniformity import PanUniformity
from protocols.randomness.coins import Coins
from protocols.uniformity import Uniformity

Line = dict[str, Any]


def labelled(pools: Sequence[Sequence[int]]) -> dict[str, list[int]]:
    """{"j": [zeros, ones]} for the pools 1, 2, ..."""
    return {str(j): list(pool) for j, pool in enumerate(pools, start=1)}


def published(record: Any, coins: Coins) -> Any:
    """The protocol with its public randomness drawn, where it has any."""
    return record.publish(coins) if isinstance(record, PublicCoinProtocol) else record


def pools_in(record: Any, messages: Sequence[Any]) -> list[list[int]]:
    """The pools of a protocol's messages."""
    inner = innermost(record)
    if hasattr(inner, "k"):
        return pools_of(messages, getattr(inner, "pools", inner.k))
    return pool_of_bits(messages) if type(inner).__name__ != "TwoBitSum" else pools_of(messages, 2)


def innermost(record: Any) -> Any:
    """The protocol whose messages are sent, within an encoding or a transformation."""
    return innermost(record.protocol) if hasattr(record, "protocol") else record


def shuffle_view(record: Any, data: Sequence[Any], coins: Coins, messages: bool) -> Line:
    """One run of a shuffle protocol."""
    protocol = published(record, coins)
    execution = execute(protocol, data, coins)
    line: Line = {"pools": labelled(pools_in(protocol, execution.messages))}
    return line | ({"messages": execution.messages} if messages else {}) | {"output": execution.output}


def online_view(record: Any, stream: Sequence[Any], coins: Coins, t: int | None) -> Line:
    """One run of an online algorithm; the state is shown where a time was asked for."""
    view = run(record, stream, coins, t)
    return ({} if t is None else {"state": state_of(record, view.state, coins)}) | {"output": view.output}


def state_of(record: Any, state: Any, coins: Coins) -> Any:
    """A state as JSON."""
    if isinstance(record, PanDistinctElements):
        return {"pools": labelled(pools_of(in_random_order(state, coins), innermost(record).k))}
    if isinstance(record, PanUniformity):
        pools = labelled(pools_of(in_random_order(state.messages, coins), innermost(record).k))
        return {"pools": pools, "n_left": state.n_left}
    return state


def check_size(record: Any, most: int) -> None:
    """*Raises* `InputError` where one run has more messages than a computer should be asked to shuffle."""
    inner = innermost(record)
    if isinstance(record, RepeatedUniformity):
        check_messages(record.n * record.k_hat + record.pools * record.lam.ceil() + record.k, most)
        return
    if not hasattr(inner, "analyze_pools"):
        return
    size = inner.n * getattr(inner, "k", 1) + (record.k if hasattr(record, "k_hat") else 0)
    if isinstance(inner, (ModularSum, DistinctElements)):
        size *= inner.m
    elif isinstance(inner, Uniformity):
        size += inner.k * inner.lam.ceil()
    check_messages(size, most)


def check_messages(size: int, most: int) -> None:
    """*Raises* `InputError` for more messages than that."""
    if size > most:
        about = f"{size}" if size < 10**15 else f"10^{len(str(fmpz(size))) - 1}"
        raise InputError(f"one run has about {about} messages, more than {most}: use --approximate, which draws counts")


def approximate_view(record: Any, t: int | None, coins: Coins) -> Callable[[Sequence[Any]], Line]:
    """The function that simulates one run in floating point."""
    import numpy as np

    from protocols.approximate.simulator import simulate_pools, simulate_transformation

    generator = np.random.default_rng(coins.bits(128))

    def shuffled(data: Sequence[Any]) -> Line:
        protocol = published(record, coins)
        rows = [protocol.f(x, coins) for x in data] if isinstance(protocol, Encoded) else data
        pools = simulate_pools(innermost(protocol), rows, 1, generator)[0].tolist()
        return {"pools": labelled(pools), "output": protocol.analyze_pools(pools)}

    def transformed(stream: Sequence[Any]) -> Line:
        time = record.length if t is None else t
        pools, n_left, output = simulate_transformation(record, stream, time, generator)
        state: Line = {"pools": labelled(pools.tolist())}
        state |= {"n_left": n_left} if isinstance(record, PanUniformity) else {}
        return ({} if t is None else {"state": state}) | {"output": output}

    def guarded(simulate: Callable[[Sequence[Any]], Line]) -> Callable[[Sequence[Any]], Line]:
        def view(data: Sequence[Any]) -> Line:
            try:
                return simulate(data)
            except (ValueError, OverflowError) as problem:
                if isinstance(problem, InputError):
                    raise
                raise InputError("these parameters are beyond what floating point can simulate") from None

        return view

    if isinstance(record, RepeatedUniformity):
        raise InputError("--approximate has no meaning with --copies: there is no simulator for copies that vote")
    if isinstance(record, (PanDistinctElements, PanUniformity)):
        return guarded(transformed)
    if hasattr(record, "analyze_pools") or hasattr(record, "publish"):
        return guarded(shuffled)
    raise InputError("--approximate has no meaning here: the exact draws of this protocol are as fast")
