"""Claims and their witnesses, found with the checker's own arithmetic and accepted by it before they are written."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import asinh, log, sinh, sqrt
from math import exp as float_exp

from panshuffle.exact import check
from panshuffle.exact.certificates.pool_witness import distinct_witness, flipped_witness
from panshuffle.exact.certificates.writer import (
    CertificateError,
    Entry,
    Found,
    Goal,
    Place,
    Subject,
    advantage,
    bits_for,
    draft,
    entry_of,
    masses,
    readable,
    rounded,
)
from panshuffle.exact.check import PROTOCOLS, Claim, Interval, Noise, Rejected, rational

NODE_BITS = 32
FEWEST_NODES, MOST_NODES, MOST_RATIOS = 64, 1024, 3000
REACH = 14
GRID_DIGITS, CLOSE = 4, Fraction(1, 500)


def certify(
    subject: Subject,
    kind: str,
    place: Place,
    wanted: str,
    digits: int,
    fixed: bool = False,
    background: tuple[int, ...] | None = None,
) -> Entry:
    """A claim with its witness: delta as `wanted`, or as close to it as the replay comes if that is not `fixed`.

    *Raises* `CertificateError` where no witness is found.
    """
    if subject.protocol not in PROTOCOLS:
        names = ", ".join(PROTOCOLS)
        raise CertificateError(f"no certificate: they are written for {names}")
    try:
        factor = float(place.enclosure(64)[1])
        claim = draft(subject, kind, place, bits_for(readable(wanted), factor, digits))
        find = WITNESSES[PROTOCOLS[subject.protocol].views[subject.view]]
        delta, witness = find(claim, Goal(wanted, digits, fixed, background))
        return entry_of(subject, claim, place, delta, witness)
    except (Rejected, OverflowError) as reason:
        raise CertificateError(f"no certificate: {reason}") from None


def product_witness(claim: Claim, goal: Goal) -> Found:
    """The witness for two opposite shifts."""
    noise, ratio = check.noise_of(claim), claim.factor
    event: Entry = masses(check.product_event(noise, check.weights(noise, claim.bits), ratio), claim.upper, claim.bits)
    return goal.by_events(claim, [event if claim.upper else {"ratio_above": str(ratio), **event}])


def released_witness(claim: Claim, goal: Goal) -> Found:
    """The witness where one number is released."""
    events: list[Entry] = [
        {"direction": direction, side: cut, **masses(bounds, claim.upper, claim.bits)}
        for direction, (side, cut, bounds) in check.released(claim).items()
        if claim.direction in (None, direction)
    ]
    return goal.by_events(claim, events)


def shares_witness(claim: Claim, goal: Goal) -> Found:
    """The parity of the ones."""
    return goal.by_events(claim, [masses(check.PARITY, claim.upper, claim.bits)])


def shift_witness(claim: Claim, goal: Goal) -> Found:
    """The witness for one shift."""
    noise = check.noise_of(claim)
    directions = [claim.direction] if claim.direction else ["lose"] if noise.is_symmetric else ["lose", "gain"]
    return goal.by_events(claim, [shift_event(claim, noise, str(direction)) for direction in directions])


def shift_event(claim: Claim, noise: Noise, direction: str) -> Entry:
    """The best event in one direction."""
    side, cut = "at_most", crossing(noise, claim.factor)
    if direction == "gain":
        side, cut = "at_least", crossing(noise, 1 / claim.factor) + 1
    bounds = check.shift_event(check.weights(noise, claim.bits), direction, cut)
    return {"direction": direction, side: cut, **masses(bounds, claim.upper, claim.bits)}


def crossing(noise: Noise, level: Fraction) -> int:
    """The largest x with b(x) >= level b(x-1), or 0 where there is none.

    >>> crossing(Noise(20, (Fraction(1), Fraction(1))), Fraction(2))
    7
    """
    theta = noise.theta[0]
    l = noise.l or 0
    return min(l, int(theta * (l + 1) / (theta + level)))


def poisson_pair_witness(claim: Claim, goal: Goal) -> Found:
    """Ever finer grids of ratios, until one shows what is wanted: all ratios that matter where there are few."""
    best: tuple[Fraction, Entry] | None = None
    noise, target = check.noise_of(claim), rational(goal.delta)
    for nodes, single in grids(claim, noise):
        pools = check.PoolTwice(noise, claim.bits, nodes)
        if claim.upper:
            value, witness = pools.delta_upper(claim.exp_eps[0]), {"nodes": [str(node) for node in pools.nodes]}
        else:
            value, witness = grid_lower(claim, pools, single)
        if best is None or (value < best[0]) == claim.upper:
            best = (value, witness)
        if (value <= target) if claim.upper else (value >= target):
            return goal.delta, witness
        if not goal.fixed and abs(value - target) <= CLOSE * target:
            break
    if best is None:
        raise CertificateError("no certificate: the noise is too wide for a grid")
    return goal.claimed(best[0], claim.upper, GRID_DIGITS), best[1]


def grid_lower(claim: Claim, pools: check.PoolTwice, single: bool) -> tuple[Fraction, Entry]:
    """The lower bound on one grid: in the bucket of r2 the event r1 > E/middle, or E/r2 if that is its only ratio."""
    nodes, exp_eps = pools.nodes, claim.exp_eps[1]
    ends = [*nodes[1:], nodes[-1] * 2]
    middles = ends if single else [(s + t) / 2 for s, t in zip(nodes, ends, strict=True)]
    cuts = [simple(exp_eps / middle) for middle in middles]
    event: Entry = masses(pools.event(cuts), False, claim.bits)
    event |= {"nodes": [str(node) for node in nodes], "cuts": [str(cut) for cut in cuts]}
    return advantage(claim, event), {"events": [event]}


def simple(x: Fraction) -> Fraction:
    """A short rational near x."""
    return Fraction(max(1, round(x * 2**NODE_BITS)), 2**NODE_BITS)


def grids(claim: Claim, noise: Noise) -> list[tuple[list[Fraction], bool]]:
    """Grids of growing size that fit into the checker's limits, and whether each bucket is a single ratio."""
    law = check.weights(noise, claim.bits)
    most = check.most_rows(claim.bits) // len(law.low)
    counts = range(max(1, law.first), law.end + 1 if law.end < 120 else 0)
    ratios = sorted({Fraction(x, y) for x in counts for y in counts})  # of two counts that are not negligible
    if 0 < len(ratios) <= min(most, MOST_RATIOS):
        return [(ratios, True)]
    sizes = [FEWEST_NODES << i for i in range(10) if FEWEST_NODES << i <= min(most, MOST_NODES)]
    return [(grid(float(noise.theta[0]), float(claim.exp_eps[0]), size), False) for size in sizes]


def grid(mean: float, factor: float, size: int) -> list[Fraction]:
    """Nodes around the root of E, closest there, and as far as the loss of a pool reaches."""
    deviation = sqrt(2 / mean)
    dense, half = 2 * deviation, REACH * deviation + log(factor) / 2
    steps = [dense * sinh((2 * i / size - 1) * asinh(half / dense)) for i in range(size + 1)]
    return sorted({simple(Fraction(sqrt(factor) * float_exp(step))) for step in steps})


def local_witness(claim: Claim, goal: Goal) -> Found:
    """Any local randomizer: nothing for the clones, a tail of the ones for binary response; delta as sharp as these."""
    users, p, events = claim.users(), check.odds(claim), list[Entry]()
    if claim.upper:
        value = check.clones_upper(users, p, claim.exp_eps[0], claim.bits, check.CLONES[claim.protocol])
    else:
        events = [response_tail(claim, p, goal.background)]
        value = advantage(claim, events[0])
    delta = goal.claimed(value, claim.upper) if goal.fixed else rounded(value, claim.upper, goal.digits)
    return delta, {"events": events} if events else {}


def response_tail(claim: Claim, p: Interval, background: tuple[int, ...] | None) -> Entry:
    """The best event of binary response in one background."""
    if background is None:
        raise CertificateError("no certificate: a lower bound needs a background")
    (ones, zeros), events = background, list[Entry]()
    for cut in response_cuts(p[0], background, claim.exp_eps[1]):
        bounds = check.response_event(p, ones, zeros, cut, claim.bits)
        events.append({"holders": [ones, zeros], "at_least": cut, **masses(bounds, False, claim.bits)})
    return max(events, key=lambda event: advantage(claim, event))


def response_cuts(p: Fraction, background: tuple[int, ...], exp_eps: Fraction) -> list[int]:
    """Cuts near the best one: where the law that is tilted by 1 + (E-1)/(s - E (1-s)) has its mean, s = p/(p+1)."""
    edge = (p - exp_eps) / (p + 1)
    if edge <= 0:
        raise CertificateError("no certificate: delta is 0 here, so no event tells two neighbours apart")
    ratio, (ones, zeros) = 1 + (exp_eps - 1) / edge, background
    mean = int(ones * p * ratio / (1 + p * ratio) + zeros * ratio / (p + ratio))
    return [cut for cut in range(mean - 1, mean + 5) if 0 <= cut <= ones + zeros + 1]


WITNESSES: dict[Callable[[Claim], None], Callable[[Claim, Goal], Found]] = {
    check.replay_shift: shift_witness,
    check.replay_product: product_witness,
    check.replay_poisson_pair: poisson_pair_witness,
    check.replay_distinct: distinct_witness,
    check.replay_flipped: flipped_witness,
    check.replay_released: released_witness,
    check.replay_shares: shares_witness,
    check.replay_local: local_witness,
}
"""Who finds what each form of a claim needs."""
