"""The arithmetic of the certificate checker: expressions and events by enumeration."""

import random
from fractions import Fraction
from math import comb

import pytest
from panshuffle.exact.check import (
    Noise,
    Pools,
    PoolTwice,
    Rejected,
    by_ratio,
    enclose,
    pair_event,
    pair_upper,
    pool_event,
    pool_upper,
    product_event,
    shift_event,
    weights,
)
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.pairs.parity_pair import parity_law
from panshuffle.exact.real import real


def expression(source, depth=0):
    kind = source.random()
    if depth > 3 or kind < 0.3:
        return source.choice(["1", "2", "0.1", "3/7", "12.5e-1", "1e-6", ".5", "7.", "0.333"])
    if kind < 0.6:
        return f"({expression(source, depth + 1)}{source.choice('+-*/^')}{expression(source, depth + 1)})"
    if kind < 0.9:
        return f"{source.choice(['exp', 'log', 'sqrt'])}({expression(source, depth + 1)})"
    return f"-{expression(source, depth + 1)}"


def test_expressions_are_enclosed():
    """Against the balls of `exact.numbers.real`, which has its own parser."""
    source, compared = random.Random(5), 0
    for _ in range(600):
        text = expression(source)
        try:
            low, high = enclose(text, 96)
            value = real(text)
            difference = (value - low).sign(), (value - high).sign()
        except (Rejected, InputError, Undecided):
            continue
        assert difference[0] >= 0 >= difference[1], text
        assert high - low <= abs(high) * Fraction(1, 2**40) + Fraction(1, 2**40)
        compared += 1
    assert compared > 300


def binomial_masses(l, p):
    return {x: comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)}


@pytest.mark.parametrize("interval", [False, True])
def test_shift_and_product_events_by_enumeration(interval):
    l, p, ratio = 9, Fraction(2, 7), Fraction(3, 2)
    theta = p / (1 - p)
    spread = Fraction(1, 10**30) if interval else 0
    noise = Noise(l, (theta - spread, theta + spread))
    law, b = weights(noise, 64), binomial_masses(l, p)
    for cut in range(l + 1):
        event, gain = shift_event(law, "lose", cut), shift_event(law, "gain", cut + 1)
        enclosed(event[:2], sum(b[x] for x in range(cut + 1)), not interval)
        enclosed(event[2:], sum(b[x] for x in range(cut)), not interval)
        enclosed(gain[:2], sum(b[x] for x in range(cut, l + 1)), not interval)
        enclosed(gain[2:], sum(b[x] for x in range(cut + 1, l + 1)), not interval)
    mass = {(x, y): (b.get(x - 1, 0) * b.get(y, 0), b.get(x, 0) * b.get(y - 1, 0)) for x in b for y in b}
    mass |= {(l + 1, y): (b[l] * b[y], 0) for y in b}
    cells = [(upper, lower) for upper, lower in mass.values() if upper > ratio * lower]
    event = product_event(noise, law, ratio)
    enclosed(event[:2], sum(upper for upper, _ in cells), not interval)
    enclosed(event[2:], sum(lower for _, lower in cells), not interval)


def enclosed(ends, value, equal=False):
    low, high = ends
    assert low <= value <= high
    assert high - low <= (0 if equal else Fraction(1, 10**15))


def test_parity_events_by_enumeration():
    users, m, q, ratio = 4, 2, Fraction(1, 3), Fraction(5, 4)
    laws = [parity_law(users, holders, m, q) for holders in range(users + 1)]
    for share in ((q, q), (q - Fraction(1, 10**40), q + Fraction(1, 10**40))):
        pools = Pools(users, m, share, 96)
        assert pools.exact == (share[0] == share[1])
        more, fewer = laws[2], laws[1]
        cells = [(p, r) for p, r in zip(more, fewer, strict=True) if p > ratio * r]
        event = pool_event(pools.gain(1), ratio, pools.total)
        enclosed(event[:2], sum(p for p, _ in cells), pools.exact)
        enclosed(event[2:], sum(r for _, r in cells), pools.exact)
        delta = sum(p - ratio * r for p, r in cells)
        enclosed((delta, pool_upper(pools.gain(1), ratio, pools.total)), delta)
        pairs = [
            (a * d, b * c) for a, b in zip(laws[2], laws[1], strict=True) for c, d in zip(laws[1], laws[0], strict=True)
        ]
        cells = [(p, r) for p, r in pairs if p > ratio * r]
        first, second = by_ratio(pools.gain(1)), by_ratio(pools.lose(0), falling=False)
        event = pair_event(first, second, ratio, pools.total)
        enclosed(event[:2], sum(p for p, _ in cells), pools.exact)
        delta = sum(p - ratio * r for p, r in cells)
        enclosed((delta, pair_upper(first, second, ratio, pools.total)), delta)


def test_two_poisson_pools_by_enumeration():
    """All cells of a small mean, summed in fractions with e^-mu as a symbol that cancels, against the grid."""
    mu, exp_eps, size = Fraction(1, 2), Fraction(3, 2), 14
    weight = [mu**x / factorial(x) for x in range(size + 1)]
    total = sum(weight)
    b = [w / total for w in weight] + [Fraction(0)]
    pool = [(b[x - 1] * b[y] if x else Fraction(0), b[x] * b[y - 1] if y else Fraction(0))
            for x in range(size + 2) for y in range(size + 2)]  # fmt: skip
    pool = [(p, r) for p, r in pool if p or r]
    delta = sum(max(p * u - exp_eps * r * v, 0) for p, r in pool for u, v in pool)
    nodes = sorted({Fraction(x, y) for x in range(1, 20) for y in range(1, 20)})
    pools = PoolTwice(Noise(None, (mu, mu)), 64, nodes)
    upper = pools.delta_upper(exp_eps)
    event = pools.event([exp_eps / node for node in [*nodes[1:], 2 * nodes[-1]]])
    assert abs(upper - delta) < Fraction(1, 10**9)
    assert abs(event.p_low - exp_eps * event.q_high - delta) < Fraction(1, 10**9)
    coarse = PoolTwice(Noise(None, (mu, mu)), 64, nodes[::20])
    assert coarse.delta_upper(exp_eps) >= upper
    cuts = [exp_eps / node for node in coarse.nodes]
    assert coarse.event(cuts).p_low - exp_eps * coarse.event(cuts).q_high <= delta


def factorial(x):
    return 1 if x < 2 else x * factorial(x - 1)
