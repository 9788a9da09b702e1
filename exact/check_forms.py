"""How each kind of claim is replayed.  Standard library only.

Legend: P and Q are the two laws of the view; delta = max over events S of P[S] - E Q[S], E = e^eps.  So any event gives
a lower bound, and the event {P > E Q} gives delta itself.  A claim holds E between two rationals; an upper bound is
shown for the lower one, because delta falls in E, and a lower bound for the upper one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from exact import check as check_ideal
from exact import check as check_laws
from exact import check as check_parity
from exact.check import (
    Bounds,
    Interval,
    Noise,
    Rejected,
    add,
    enclose,
    exp,
    inverse,
    log,
    negative,
    rational,
    short,
    times,
)

Data = Mapping[str, object]

GUARD = 64
LARGEST_COUNT = LARGEST_MEAN = 10**15
MOST_NODES = 5000


@dataclass(frozen=True)
class Claim:
    """delta <= `delta` (kind "upper") or delta >= `delta` (kind "lower") at e^eps, and the witness for it."""

    kind: str
    protocol: str
    parameters: Mapping[str, str]
    view: str
    direction: str | None
    holders: tuple[int, ...] | None
    exp_eps: Interval
    delta: Fraction
    bits: int
    witness: Data

    @property
    def upper(self) -> bool:
        """Whether the claim is an upper bound."""
        return self.kind == "upper"

    def number(self, letter: str, default: str | None = None) -> Interval:
        """A parameter."""
        text = self.parameters.get(letter, default)
        if text is None:
            raise Rejected(f"the parameter {letter} is missing")
        return enclose(text, self.bits + GUARD)

    def count(self, letter: str, least: int = 1) -> int:
        """A parameter that is a whole number."""
        return whole(self.number(letter), letter, least)

    def users(self) -> int:
        """N = gamma * n."""
        gamma = self.number("gamma", "1")
        if not 0 < gamma[0] <= gamma[1] <= 1:
            raise Rejected("gamma is not above 0 and at most 1")
        n = Fraction(self.count("n"))
        return whole(times(gamma, (n, n), self.bits + GUARD), "gamma*n", 1)

    def events(self, most: int) -> list[Data]:
        """The events of the witness."""
        found = self.witness.get("events")
        if not isinstance(found, list) or not 1 <= len(found) <= most or not all(isinstance(e, dict) for e in found):
            raise Rejected(f"the witness needs 1 to {most} events")
        return found

    def settle(self, event: Data, bounds: Bounds) -> None:
        """*Raises* `Rejected` unless the event has the masses that the file states, and they give the claim."""
        p, q = rational(event.get("P")), rational(event.get("Q"))
        if self.upper:
            if bounds.p_high > p or bounds.q_low < q:
                raise Rejected("the event does not have the probabilities that are stated")
            holds = p - self.exp_eps[0] * q <= self.delta
        else:
            if bounds.p_low < p or bounds.q_high > q:
                raise Rejected("the event does not have the probabilities that are stated")
            holds = p - self.exp_eps[1] * q >= self.delta
        if not holds:
            raise Rejected("the stated probabilities do not give the claimed delta")


def whole(value: Interval, letter: str, least: int) -> int:
    """The whole number that an interval consists of."""
    if value[0] != value[1] or value[0].denominator != 1 or not least <= value[0] <= LARGEST_COUNT:
        raise Rejected(f"{letter} is not a whole number from {least} to {LARGEST_COUNT}")
    return value[0].numerator


def integer(value: object, what: str) -> int:
    """A whole number of the file."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Rejected(f"{what} is not a whole number")
    return value


def rationals(value: object, what: str, bits: int) -> Sequence[Fraction]:
    """A list of short rationals of the file."""
    if not isinstance(value, list) or len(value) > MOST_NODES:
        raise Rejected(f"{what} is not a list of at most {MOST_NODES} rationals")
    return [short(rational(item), bits) for item in value]


def binomial(l: int, p: Interval) -> Noise:
    """Bin(l, p) with 0 < p < 1."""
    if not 0 < p[0] <= p[1] < 1:
        raise Rejected("p is not strictly between 0 and 1")
    return Noise(l, (p[0] / (1 - p[0]), p[1] / (1 - p[1])))


def poisson(gamma: Interval, lam: Interval, bits: int) -> Noise:
    """P_UT: the zeros and the ones of a pool have independent noise Pois(gamma*lam/2)."""
    if not 0 < gamma[0] <= gamma[1] <= 1 or lam[0] <= 0:
        raise Rejected("lam is not positive, or gamma not above 0 and at most 1")
    mean = times(gamma, lam, bits)
    if mean[1] > LARGEST_MEAN:
        raise Rejected("the noise has a mean above 10^15")
    return Noise(None, (mean[0] / 2, mean[1] / 2))


def replay_shift(claim: Claim, noise: Noise) -> None:
    """One shift: the view is the noise under one law and 1 + noise under the other.

    "lose" has the noise as P and events {view <= cut}; "gain" is the same after reflection, view -> l+1-view.
    An upper bound that names no direction needs both, or one if p = 1/2 makes them equal.
    """
    wanted = [claim.direction] if claim.direction else ["lose", "gain"]
    seen = []
    for event in claim.events(2 if claim.upper else 1):
        direction = event.get("direction")
        if direction not in wanted:
            raise Rejected("an event has no direction, or another one than the claim")
        cut = integer(event.get("at_most" if direction == "lose" else "at_least"), "the cut of an event")
        turned, cut = (noise, cut) if direction == "lose" else (noise.mirrored(), (noise.l or 0) + 1 - cut)
        if not 0 <= cut <= (noise.l or 0):
            raise Rejected("the cut of an event lies outside of the noise")
        if claim.upper and not check_laws.is_best_cut(turned, cut, claim.exp_eps[0]):
            raise Rejected("the cut is not where the ratio of the laws crosses e^eps")
        claim.settle(event, check_laws.shift_event(check_laws.weights(turned, claim.bits), cut))
        seen.append(direction)
    symmetric = noise.theta == noise.mirrored().theta
    if claim.upper and not symmetric and not all(direction in seen for direction in wanted):
        raise Rejected("an upper bound needs an event for each direction")


def replay_product(claim: Claim, noise: Noise) -> None:
    """Two opposite shifts: the pair of a histogram, and the zeros and ones of a Poisson pool."""
    (event,) = claim.events(1)
    ratio = claim.exp_eps[0] if claim.upper else short(rational(event.get("ratio_above")), claim.bits)
    if ratio <= 0:
        raise Rejected("the ratio of an event is not positive")
    law = check_laws.weights(noise, claim.bits)
    claim.settle(event, check_laws.product_event(noise, law, ratio))


def replay_poisson_pair(claim: Claim, noise: Noise) -> None:
    """Both Poisson pools that a changed user touches."""
    if claim.upper:
        pools = check_laws.PoolTwice(noise, claim.bits, rationals(claim.witness.get("nodes"), "nodes", claim.bits))
        if pools.delta_upper(claim.exp_eps[0]) > claim.delta:
            raise Rejected("the bound on the grid is above the claimed delta")
        return
    (event,) = claim.events(1)
    cuts = rationals(event.get("cuts"), "cuts", claim.bits)
    nodes = rationals(event.get("nodes"), "nodes", claim.bits)
    if any(cut <= 0 for cut in cuts):
        raise Rejected("the ratio of an event is not positive")
    claim.settle(event, check_laws.PoolTwice(noise, claim.bits, nodes).event(cuts))


def share(claim: Claim) -> Interval:
    """q = (1 - e^-eps)^(1/n) of P_DE, from q, eps or e^eps."""
    ways = [letter for letter in ("q", "eps", "exp-eps") if letter in claim.parameters]
    if len(ways) != 1:
        raise Rejected("one of q, eps and exp-eps is needed")
    bits, value, n = claim.bits + GUARD, claim.number(ways[0]), Fraction(claim.count("n"))
    if ways != ["q"]:
        grown = value if ways == ["exp-eps"] else exp(value, bits)
        one = (Fraction(1), Fraction(1))
        value = exp(times(log(add(one, negative(inverse(grown, bits)), bits), bits), (1 / n, 1 / n), bits), bits)
    if not 0 < value[0] <= value[1] < 1:
        raise Rejected("q is not strictly between 0 and 1")
    return value


def replay_distinct(claim: Claim) -> None:
    """P_DE."""
    users, m, k, q = claim.users(), claim.count("m"), claim.count("k", 2), share(claim)
    if claim.witness.get("form") == "ideal":
        replay_ideal(claim, users, m, k, q)
        return
    if users * m > check_parity.MOST_MESSAGES:
        raise Rejected(f"a pool has more than {check_parity.MOST_MESSAGES} messages")
    pools = check_parity.Pools(users, m, q, claim.bits)
    if not claim.upper:
        replay_parity_event(claim, pools, k)
    elif claim.view == "pool":
        replay_parity_pool(claim, pools)
    else:
        replay_parity_pair(claim, pools, k)


def replay_ideal(claim: Claim, users: int, m: int, k: int, q: Interval) -> None:
    """Large pools."""
    if claim.view != "pair" or claim.holders is not None:
        raise Rejected("the ideal sum speaks of the pair and of all backgrounds only")
    bits = claim.bits + GUARD
    if not claim.upper:
        claim.settle(claim.events(1)[0], check_ideal.parity_event(users, k, q, bits))
    elif check_ideal.ideal_upper(users, k, m, q, claim.exp_eps[0], bits) > claim.delta:
        raise Rejected("the bound by the ideal sum is above the claimed delta")


def background_of(value: object, users: int, k: int, view: str) -> tuple[int, ...]:
    """The other holders that an event or a claim names, if there can be so many."""
    if not isinstance(value, (list, tuple)) or len(value) != (1 if view == "pool" else 2):
        raise Rejected("holders are not one count for a pool or two for a pair")
    found = tuple(integer(item, "a number of holders") for item in value)
    total = sum(found)
    if min(found) < 0 or total > users - 1 or (len(found) == 2 and k == 2 and total != users - 1):
        raise Rejected("there can't be so many other holders")
    return found


def replay_parity_event(claim: Claim, pools: check_parity.Pools, k: int) -> None:
    """A lower bound: the event {P > ratio * Q} in one background."""
    (event,) = claim.events(1)
    holders = background_of(event.get("holders"), pools.users, k, claim.view)
    ratio = short(rational(event.get("ratio_above")), claim.bits)
    if ratio <= 0 or (claim.holders is not None and claim.holders != holders):
        raise Rejected("the event is one of another background, or its ratio is not positive")
    if claim.view == "pool":
        direction = event.get("direction")
        if direction not in ("gain", "lose") or claim.direction not in (None, direction):
            raise Rejected("an event has no direction, or another one than the claim")
        step = pools.gain(holders[0]) if direction == "gain" else pools.lose(holders[0])
        claim.settle(event, check_parity.pool_event(step, ratio, pools.total))
        return
    first, second = (check_parity.by_ratio(pools.gain(holders[0])), pools.lose(holders[1]))
    order = check_parity.by_ratio(second, falling=False)
    claim.settle(event, check_parity.pair_event(first, order, ratio, pools.total))


def replay_parity_pool(claim: Claim, pools: check_parity.Pools) -> None:
    """An upper bound for one pool, in every background and direction that the claim covers."""
    if claim.holders is not None:
        background_of(claim.holders, pools.users, 3, "pool")
    elif pools.users > check_parity.MOST_USERS:
        raise Rejected(f"backgrounds of at most {check_parity.MOST_USERS} users are enumerated")
    for holders in claim.holders or reversed(range(pools.users)):
        steps = {"gain": pools.gain(holders), "lose": pools.lose(holders)}
        for direction, step in steps.items():
            covered = claim.direction in (None, direction)
            if covered and check_parity.pool_upper(step, claim.exp_eps[0], pools.total) > claim.delta:
                raise Rejected(f"delta is not seen to be at most the claimed one with {holders} other holders")


def replay_parity_pair(claim: Claim, pools: check_parity.Pools, k: int) -> None:
    """An upper bound for the pair, in the background of the claim or in all of them."""
    exp_eps = claim.exp_eps[0]
    if claim.holders is not None:
        a, b = background_of(claim.holders, pools.users, k, "pair")
        first, second = check_parity.by_ratio(pools.gain(a)), check_parity.by_ratio(pools.lose(b), falling=False)
        worse = check_parity.pair_upper(first, second, exp_eps, pools.total) > claim.delta
        found = (a, b) if worse else None
    elif pools.users > check_parity.MOST_USERS:
        raise Rejected(f"backgrounds of at most {check_parity.MOST_USERS} users are enumerated")
    else:
        root = Fraction(isqrt(int(exp_eps * 4**GUARD)), 2**GUARD)
        found = check_parity.every_pair_upper(pools, k, exp_eps, root, claim.delta)
    if found is not None:
        raise Rejected(f"delta is not seen to be at most the claimed one in the background {found}")


def noise_of(claim: Claim) -> Noise:
    """The noise of every protocol but P_DE."""
    half = (Fraction(1, 2), Fraction(1, 2))
    if "k" in PROTOCOLS[claim.protocol].letters:
        claim.count("k", 2)
    if claim.protocol == "binomial":
        return binomial(claim.count("l"), claim.number("p"))
    if claim.protocol in ("pan-sum", "pan-histogram"):
        return binomial(claim.count("lam"), half)
    if claim.protocol in ("binary-sum", "shuffle-histogram"):
        return binomial(claim.users(), claim.number("p"))
    return poisson(claim.number("gamma", "1"), claim.number("lam"), claim.bits + GUARD)


def replay_sum(claim: Claim) -> None:
    """The protocols whose view is one noisy count."""
    replay_shift(claim, noise_of(claim))


def replay_histogram(claim: Claim) -> None:
    """The protocols whose view is one noisy count for each element."""
    (replay_shift if claim.view == "pool" else replay_product)(claim, noise_of(claim))


def replay_uniformity(claim: Claim) -> None:
    """P_UT."""
    (replay_product if claim.view == "pool" else replay_poisson_pair)(claim, noise_of(claim))


@dataclass(frozen=True)
class Protocol:
    """What a claim on a protocol may contain, and how it is replayed."""

    letters: tuple[str, ...]
    views: tuple[str, ...]
    replay: Callable[[Claim], None]
    directions: tuple[str, ...] = ()


PROTOCOLS = {
    "binomial": Protocol(("l", "p"), ("whole",), replay_sum, ("whole",)),
    "binary-sum": Protocol(("n", "gamma", "p"), ("whole",), replay_sum, ("whole",)),
    "pan-sum": Protocol(("lam",), ("whole",), replay_sum, ("whole",)),
    "pan-histogram": Protocol(("k", "lam"), ("pool", "pair"), replay_histogram, ("pool",)),
    "shuffle-histogram": Protocol(("k", "n", "gamma", "p"), ("pool", "pair"), replay_histogram, ("pool",)),
    "uniformity": Protocol(("k", "lam", "gamma"), ("pool", "pair"), replay_uniformity),
    "distinct-elements": Protocol(
        ("k", "n", "gamma", "m", "q", "eps", "exp-eps"), ("pool", "pair"), replay_distinct, ("pool",)
    ),
}
