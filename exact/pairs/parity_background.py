"""P_DE in a given background, and one pool in its worst one; the letters are those of `exact.pairs.parity_pair`."""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb, ctx
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.numbers.certified import largest
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.pairs.parity_pair import (
    Background,
    Box,
    ParityPools,
    Stretch,
    Worst,
    background_box,
    is_pure,
    largest_in,
    pair_at,
    possible,
    settled,
    settled_ball,
    stretches,
)
from panshuffle.exact.parameters import check_parity_curve


def backgrounds(users: int, k: int, dummies: int = 0) -> Iterator[Background]:
    """Every (CA, CB) that other users can form: none for k = 1, CA + CB = N-1 for k = 2, at most N-1 for more.

    Dummies hold the element 1, which is neither or one of the two.

    >>> list(backgrounds(2, 2)), list(backgrounds(3, 3, 2))
    ([(0, 1), (1, 0)], [(0, 0), (0, 2), (2, 0)])
    """
    for a in range(users if k > 1 else 0):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            if possible(background_box((a, b)), users, k, dummies):
                yield a, b


def check_background(users: int, background: Background) -> None:
    """*Raises* `ParameterError` unless the other holders of a and of b are different users."""
    a, b = background
    if a < 0 or b < 0 or a + b > users - 1:
        raise ParameterError("holders", f"{a},{b}", f"two counts, at least 0, with a sum of at most {users - 1}")


def parity_pair_delta(
    users: int, holders_a: int, holders_b: int, m: int, q: Real, exp_eps: Real, precision: int
) -> arb:
    """The hockey-stick divergence of the pair of pools.  *Exactness*: enclosure."""
    check_parity_curve(users, 0, m, q, exp_eps)
    check_background(users, (holders_a, holders_b))

    box = background_box((holders_a, holders_b))
    return settled_ball(lambda inner: pair_at(ParityPools(users, m, q, inner), box, exp_eps.ball(inner)), precision)


def parity_pool_delta(users: int, holders: int, m: int, q: Real, exp_eps: Real, gain: bool, precision: int) -> arb:
    """The hockey-stick divergence of law_(C+1) from law_C (`gain`) or of law_C from law_(C+1), C = holders.

    *Exactness*: enclosure.
    """
    check_parity_curve(users, holders, m, q, exp_eps)

    def evaluate(inner: int) -> arb:
        pool = ParityPools(users, m, q, inner).pool(Stretch(holders, holders))
        bound = exp_eps.ball(inner)
        with ctx.workprec(inner):
            return pool.gain(bound) if gain else pool.lose(bound)

    return settled_ball(evaluate, precision)


def worst_pool_background(
    users: int, m: int, q: Real, ways: tuple[bool, ...], exp_eps: Real, precision: int
) -> tuple[arb, int]:
    """The largest divergence of one pool that gains (True) or loses (False) a holder, and its other holders."""
    check_parity_curve(users, 0, m, q, exp_eps)
    if is_pure(q, exp_eps, False, precision):
        return arb(0), 0
    found = settled(lambda inner: worst_pool(ParityPools(users, m, q, inner), ways, exp_eps), precision)
    return found.best, found.where[0].first


def worst_pool(pools: ParityPools, ways: tuple[bool, ...], exp_eps: Real, tries: int | None = None) -> Worst:
    """One pool that gains (True) or loses (False) a holder, in its worst background."""
    bound = exp_eps.ball(pools.precision)

    def value(box: Box) -> arb:
        pool = pools.pool(box[0])
        return largest(pool.gain(bound) if gain else pool.lose(bound) for gain in ways)

    start, *others = [(stretch,) for stretch in stretches(pools.users)]
    return largest_in(pools, lambda box: True, others, start, (value,), tries)
