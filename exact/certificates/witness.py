"""Claims as they are written: whom they speak of, where, how their numbers are rounded, and the file."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import asinh, log, log2, sinh, sqrt
from math import exp as float_exp
from typing import Any

from panshuffle.exact import check
from panshuffle.exact.check import (
    CLONES,
    GUARD,
    PROTOCOLS,
    Bounds,
    Claim,
    Data,
    Interval,
    Noise,
    Pools,
    Rejected,
    claim_of,
    crowd_of,
    flipped,
    noise_of,
    rational,
    replay_distinct,
    replay_flipped,
    replay_shares,
    share,
    thresholds,
)
from panshuffle.exact.curves.calibration import Calibration
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import CertificateError
from panshuffle.exact.real import Certified, Real, decimal_ends, exp, fraction_text

LONGEST_EXACT = 60
TOO_SMALL = f"no certificate: it would need more than {check.MOST_BITS} bits"

Entry = dict[str, Any]
"""A claim, a witness or an event as JSON has it."""
Found = tuple[str, Entry]
"""The delta that is claimed, and its witness."""


@dataclass(frozen=True)
class Subject:
    """What a claim speaks of: a protocol, its parameters as texts, and a part of its view."""

    protocol: str
    parameters: dict[str, str]
    view: str
    direction: str | None = None
    holders: tuple[int, ...] | None = None

    @property
    def scope(self) -> str:
        """Whom the claim covers."""
        return "all neighbours" if self.direction is None and self.holders is None else "this pair"


@dataclass(frozen=True)
class Place:
    """Where the curve is read: {"eps": text} or {"exp_eps": text}."""

    name: str
    text: str

    @classmethod
    def of(cls, exp_eps: Real, eps_text: str | None) -> Place:
        """e^eps itself where it is rational, or the text of eps, or of e^eps."""
        if exp_eps.fraction is not None:
            return cls("exp_eps", number_text(exp_eps))
        return cls("exp_eps", number_text(exp_eps)) if eps_text is None else cls("eps", eps_text)

    def enclosure(self, bits: int) -> Interval:
        """Rationals around e^eps: what a checker with the given number of bits finds, rounded outward."""
        own = check.enclose(self.text, bits + GUARD)
        own = check.exp(own, bits + GUARD) if self.name == "eps" else own
        return check.cut_off(own[0], bits, up=False), check.cut_off(own[1], bits, up=True)


def number_text(value: Real) -> str:
    """An exact number as text that the checker reads.  *Raises* `CertificateError` for a long one."""
    text = str(value)
    if len(text) > check.LONGEST_TEXT:
        raise CertificateError("no certificate: a parameter has too many digits to be written down")
    return text


def bits_for(delta: Fraction, exp_eps: float, digits: int) -> int:
    """Bits that give the given number of digits of delta, in steps of 32.

    >>> bits_for(Fraction(1, 10**6), 2.7, 10)
    96
    """
    small = log2(delta.denominator) - log2(delta.numerator) if delta > 0 else 0.0
    needed = int(3.33 * digits + max(0.0, small) + log2(max(exp_eps, 1.0))) + 32
    bits = -(-needed // 32) * 32
    if bits > check.MOST_BITS:
        raise CertificateError(TOO_SMALL)
    return bits


def readable(wanted: str) -> Fraction:
    """The delta of a claim.  *Raises* `CertificateError` for one that the checker does not read."""
    if int(wanted.lower().partition("e-")[2] or 0) > check.LARGEST_EXPONENT:
        raise CertificateError(TOO_SMALL)
    return rational(wanted)


def masses(bounds: Bounds, upper: bool, bits: int) -> dict[str, str]:
    """P and Q of an event as texts, rounded in the direction that the kind of the claim needs."""
    digits = bits * 3 // 10 + 2
    p, q = (bounds.p_high, bounds.q_low) if upper else (bounds.p_low, bounds.q_high)
    return {"P": end_text(p, upper, digits), "Q": end_text(q, not upper, digits)}


def end_text(value: Fraction, up: bool, digits: int) -> str:
    """A short rational as it is, another one rounded up or down."""
    text = fraction_text(value)
    return text if len(text) <= LONGEST_EXACT else decimal_ends(value, digits)[up]


def advantage(claim: Claim, event: Entry) -> Fraction:
    """P - E Q for the masses as they were written."""
    return rational(event["P"]) - claim.factor * rational(event["Q"])


@dataclass(frozen=True)
class Goal:
    """The delta that a claim is to have, or come close to if it is not `fixed`, and how many digits it has then.

    `background` is where a lower bound on P_DE, or on any local randomizer, is taken.
    """

    delta: str
    digits: int
    fixed: bool = False
    background: tuple[int, ...] | None = None

    def claimed(self, value: Fraction, upper: bool, digits: int | None = None) -> str:
        """The delta to claim: as wanted if the value shows it, else the value rounded; that only if it is not fixed."""
        target = rational(self.delta)
        if (value <= target) if upper else (value >= target):
            return self.delta
        if self.fixed:
            relation = "at most" if upper else "at least"
            raise CertificateError(f"no certificate: the replay does not show that delta is {relation} {self.delta}")
        return rounded(value, upper, digits or self.digits)

    def by_events(self, claim: Claim, events: list[Entry]) -> Found:
        """The claim by events: the largest advantage of any of them, and all that an upper bound needs or the best."""
        best = max(events, key=lambda event: advantage(claim, event))
        return self.claimed(advantage(claim, best), claim.upper), {"events": events if claim.upper else [best]}


def rounded(value: Fraction, up: bool, digits: int) -> str:
    """A probability, rounded up or down."""
    return decimal_ends(min(max(value, Fraction(0)), Fraction(1)), digits)[up]


def entry_of(subject: Subject, claim: Claim, place: Place, delta: str, witness: Entry) -> Entry:
    """The claim as it is written."""
    entry: Entry = {"kind": claim.kind, "protocol": subject.protocol, "parameters": subject.parameters}
    entry |= {"view": subject.view, "direction": subject.direction}
    entry |= {"holders": None if subject.holders is None else [*subject.holders], "scope": subject.scope}
    entry |= {"at": {place.name: place.text}, "delta": delta}
    ends = [fraction_text(end) for end in claim.exp_eps]
    return entry | {"witness": {"bits": claim.bits, "exp_eps": ends, **witness}}


def certificate_text(entries: list[Entry]) -> str:
    """The file.  *Raises* `CertificateError` where the checker does not accept it."""
    text = json.dumps({"format": check.FORMAT, "version": check.VERSION, "claims": entries}, indent=1) + "\n"
    if len(text) > check.LARGEST_FILE:
        raise CertificateError("no certificate: the file would be too long")
    accepted, lines = check.verdict(text.encode())
    if not accepted:
        raise CertificateError(f"no certificate: the checker says '{lines[0]}'")
    return text


# Claims and their witnesses, found with the checker's own arithmetic and accepted by it before they are written.


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
        bits = bits_for(readable(wanted), float(place.enclosure(64)[1]), digits)
        open_delta = Fraction(1) if kind == "upper" else Fraction(0)  # until it is found, with its witness
        claim = Claim(
            kind=kind, **vars(subject), exp_eps=place.enclosure(bits), delta=open_delta, bits=bits, witness={}
        )
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


# Witnesses for pools of the users' bits: every background is enumerated, or P_DE is compared with an ideal sum.


NEARLY = Fraction(1, 10**20)
"""A background whose delta is that much smaller, by rounding, is good enough; relative."""


def distinct_witness(claim: Claim, goal: Goal) -> Found:
    """The witness for P_DE: nothing where the checker enumerates, an event for a lower bound."""
    crowd, m = check.crowd_of(claim), claim.count("m")
    users = crowd.users
    large = users * m > check.MOST_MESSAGES or users > check.MOST_ENUMERATED
    if large and claim.view == "pair" and claim.holders is None:
        return ideal_witness(claim, crowd, m, goal)
    if claim.upper:
        return enumerated(claim, goal)
    return pool_event(claim, Pools(users, m, share(claim), claim.bits), claim.holders or goal.background, goal)


def flipped_witness(claim: Claim, goal: Goal) -> Found:
    """The witness for sums of flipped bits, in the same way; an unknown background is looked for."""
    if claim.users() > check.MOST_ENUMERATED:
        few = f"every background of at most {check.MOST_ENUMERATED} users is enumerated"
        raise CertificateError(f"no certificate: {claim.users()} users take part, and {few}")
    if claim.upper:
        return enumerated(claim, goal)
    if goal.background is None:
        holders = background_above(claim, check.flipped(claim), rational(goal.delta) * (1 - NEARLY))
    else:
        holders = checked_background(claim, claim.users(), goal.background)
    return pool_event(claim, check.flipped(claim), holders, goal)


def checked_background(claim: Claim, users: int, background: tuple[int, ...]) -> tuple[int, ...]:
    """The other holders where the changed user goes from (1, 0) to (0, 1), from those where it is (1, 1) to (0, 0)."""
    if claim.view != "pair":
        return background[:1]
    first, second = background
    return (first, users - 1 - second) if first <= second else (second, users - 1 - first)


def background_above(claim: Claim, pools: Pools, delta: Fraction) -> tuple[int, ...] | None:
    """A background with a larger delta."""
    exp_eps = claim.exp_eps[1]
    if claim.view == "pair":
        return check.every_pair_upper(pools, check.Crowd(pools.users, 3), exp_eps, delta)
    found = (h for h in range(pools.users) if check.pool_upper(pools.gain(h), exp_eps, pools.total) > delta)
    return next(((h,) for h in found), None)


def enumerated(claim: Claim, goal: Goal) -> Found:
    """An upper bound for which the checker needs no witness."""
    for loosened in (goal.delta,) if goal.fixed else (goal.delta, looser(goal.delta, goal.digits)):
        try:
            PROTOCOLS[claim.protocol].views[claim.view](replace(claim, delta=rational(loosened)))
        except Rejected as reason:
            problem = reason
        else:
            return loosened, {}
    raise problem


def looser(wanted: str, digits: int) -> str:
    """A slightly larger bound."""
    value = rational(wanted) * (1 + Fraction(1, 10**digits)) if rational(wanted) else Fraction(1, 10**digits)
    return decimal_ends(min(value, Fraction(1)), digits)[1]


def pool_event(claim: Claim, pools: Pools, holders: tuple[int, ...] | None, goal: Goal) -> Found:
    """The event {P > E Q} in one background; the pools are new, as laws round by the way in which they are found."""
    if holders is None:
        raise CertificateError("no certificate: a lower bound needs a background")
    ratio, events = claim.exp_eps[1], list[Entry]()
    about = {"holders": [*holders], "ratio_above": str(ratio)}
    if claim.view == "pair":
        bounds = check.pair_event(*check.sorted_pair(pools, *holders), ratio, pools.total)
        events.append(about | masses(bounds, False, claim.bits))
    else:
        for direction, step in (("gain", pools.gain(holders[0])), ("lose", pools.lose(holders[0]))):
            if claim.direction in (None, direction):
                bounds = check.pool_event(step, ratio, pools.total)
                events.append(about | {"direction": direction} | masses(bounds, False, claim.bits))
    return goal.by_events(claim, events)


def ideal_witness(claim: Claim, crowd: check.Crowd, m: int, goal: Goal) -> Found:
    """Large pools: the parities of both, and the distance from the ideal sum."""
    q, bits, (users, k, _) = share(claim), claim.bits + GUARD, crowd
    if claim.upper:
        value = check.ideal_upper(users, k, m, q, claim.exp_eps[0], bits)
        return goal.claimed(value, True), {"form": "ideal"}
    delta, witness = goal.by_events(claim, [masses(check.parity_event(users, k, q, bits), False, claim.bits)])
    return delta, {"form": "ideal", **witness}


# The event of a lower bound as a person and a program can use it: in words, and as a test of an outcome.
#
# An outcome is what the view shows less what the other users put there: the count of a shift; (x, y) of two counts
# with opposite shifts; (x1, y1, x2, y2) of two Poisson pools; the ones of one or two pools of bits, and of all users
# of binary response.


Counts = Sequence[int]
Test = Callable[[Counts], bool]

LONGEST_LIST = 12
DISTINCT = "geometric-distinct-elements"
"""Where the others can't be so that they count for nothing."""


@dataclass(frozen=True)
class Event:
    """An event S: its words, its data, P[S] and Q[S], and the test whether an outcome belongs to it."""

    words: str
    data: Entry
    bounds: Bounds
    holders: tuple[int, ...] | None
    direction: str | None
    contains: Test


class Probe(Claim):
    """A claim that keeps what the replay finds of its event."""

    def settle(self, event: Data, bounds: Bounds) -> None:
        """Keeps the bounds, and checks as ever."""
        object.__setattr__(self, "found", bounds)
        super().settle(event, bounds)


def event_of(entry: Entry) -> Event:
    """The event of a claim of the kind "lower"."""
    claim = claim_of(entry)
    probe = Probe(**vars(claim))
    PROTOCOLS[claim.protocol].views[claim.view](probe)
    (data,) = entry["witness"]["events"]
    words, contains = described(claim, entry["witness"], data)
    holders = tuple(data["holders"]) if "holders" in data else None
    return Event(words, data, vars(probe)["found"], holders, data.get("direction"), contains)


def described(claim: Claim, witness: Entry, data: Entry) -> tuple[str, Test]:
    """The words and the test of an event."""
    replay = PROTOCOLS[claim.protocol].views[claim.view]
    what = "the count less that of the others" if claim.protocol == DISTINCT else "the count"
    if "at_most" in data:
        return f"{what} is at most {data['at_most']}", lambda outcome: outcome[0] <= data["at_most"]
    if claim.protocol in CLONES:
        return f"at least {data['at_least']} users say first", lambda outcome: outcome[0] >= data["at_least"]
    if "at_least" in data:
        return f"the count is at least {data['at_least']}", lambda outcome: outcome[0] >= data["at_least"]
    if replay is replay_shares:
        return "the number of ones is odd", lambda outcome: outcome[0] % 2 == 1
    if replay is replay_flipped:
        return described_pools(flipped(claim), data, "x ones of the first bits and y of the second")
    if replay is replay_distinct:
        return described_parity(claim, witness, data)
    if "cuts" in data:
        return described_steps(data)
    return described_product(claim, rational(data["ratio_above"]))


def described_product(claim: Claim, ratio: Fraction) -> tuple[str, Test]:
    """{P > ratio Q} for two counts x, y with opposite shifts."""
    l = None
    if noise_of(claim).l is not None:
        l = claim.count("lam") if claim.protocol == "pan-histogram" else claim.users()

    def contains(outcome: Counts) -> bool:
        x, y = outcome
        return (l is None or y <= l) and x > thresholds(l, ratio, range(y, y + 1))[0]

    about = near(ratio)
    if l is None:
        return f"x ones and y zeros (less those of the others) with x > {about} y", contains
    sides = f"x ({l + 1} - y) > {about} y ({l + 1} - x)"
    return f"counts x of the one element and y of the other (less those of the others) with {sides}", contains


def near(ratio: Fraction) -> str:
    """A ratio for a sentence."""
    return str(ratio) if len(str(ratio)) < 12 else f"{float(ratio):.9g}"


def described_steps(data: Entry) -> tuple[str, Test]:
    """Two pools with ratios r1 = x1/y1, r2 = x2/y2: r1 above a cut that depends on the bucket of r2."""
    nodes, cuts = ([rational(item) for item in data[name]] for name in ("nodes", "cuts"))

    def contains(outcome: Counts) -> bool:
        x1, y1, x2, y2 = outcome
        bucket = (bisect_left(nodes, Fraction(x2, y2)) if y2 else len(nodes)) - 1
        return bucket >= 0 and x1 > cuts[bucket] * y1

    what = "x ones and y zeros (less those of the others) in the first pool, zeros and ones in the second"
    product = cuts[len(cuts) // 2] * (nodes[len(cuts) // 2] + nodes[min(len(cuts) // 2 + 1, len(nodes) - 1)]) / 2
    steps = f"in {len(nodes)} steps: the data has them"
    return f"{what}, with (x1/y1) (x2/y2) above about {float(product):.4g} ({steps})", contains


def described_parity(claim: Claim, witness: Entry, data: Entry) -> tuple[str, Test]:
    """Parity pools: the parities alone, or all outcomes with P > ratio Q."""
    users, k, _ = crowd_of(claim)
    if witness.get("form") == "ideal":
        if k == 2 and users > 1:
            return "the pool of a has an odd number of ones", lambda outcome: outcome[0] % 2 == 1
        words = "the pool of a has an odd number of ones and the pool of b an even number"
        return words, lambda outcome: outcome[0] % 2 == 1 and outcome[1] % 2 == 0
    pools = Pools(users, claim.count("m"), share(claim), claim.bits)
    return described_pools(pools, data, "x ones in the pool of a and y in that of b")


def described_pools(pools: Pools, data: Entry, counts: str) -> tuple[str, Test]:
    """All outcomes with P > ratio Q of one pool or two, whose counts are called x and y."""
    ratio, holders = rational(data["ratio_above"]), data["holders"]
    steps = [pools.gain(holders[0])] if data.get("direction") != "lose" else [pools.lose(holders[0])]
    steps += [pools.lose(holders[1])] if len(holders) == 2 else []

    def contains(outcome: Counts) -> bool:
        left, right = ratio.denominator, ratio.numerator
        for step, x in zip(steps, outcome, strict=True):
            left, right = left * step.p.high[x], right * step.q.low[x]
        return left > right

    if len(steps) == 1:
        return f"the number of ones is {listed([x for x in range(len(steps[0].p.low)) if contains([x])])}", contains
    first = [x for x in range(len(steps[0].p.low)) if contains([x, 0])]
    words = f"{counts}, whose likelihood ratio is above {near(ratio)}"
    return f"{words}; for y = 0 these are x = {listed(first)}", contains


def listed(values: Sequence[int]) -> str:
    """Whole numbers as a short list of ranges, those in steps of two included.

    >>> listed([1, 2, 3, 8]), listed([0, 2, 4, 6, 8])
    ('1-3, 8', '0, 2, ..., 8')
    """
    if len(values) > 3 and all(right - left == 2 for left, right in pairwise(values)):
        return f"{values[0]}, {values[1]}, ..., {values[-1]}"
    ranges: list[list[int]] = []
    for value in values:
        if ranges and value == ranges[-1][1] + 1:
            ranges[-1][1] = value
        else:
            ranges.append([value, value])
    texts = [f"{a}" if a == b else f"{a}-{b}" for a, b in ranges]
    return ", ".join(texts[:LONGEST_LIST]) + (", ..." if len(texts) > LONGEST_LIST else "") if texts else "none"


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


# Certificates of answers: of delta at an eps, of eps at a delta, of both witnesses of a calibration.


SPARE_DIGITS = 4
TARGET_DIGITS = 30


def ends_of(answer: Certified, digits: int) -> tuple[str, str]:
    """The answer's ends as texts: twice the rational that it is, where that is short."""
    if answer.exact is not None and len(fraction_text(answer.exact)) <= LONGEST_EXACT:
        return (fraction_text(answer.exact),) * 2
    return answer.enclosure(digits)


def certificate_of_delta(subject: Subject, view: View, exp_eps: Real, place: Place, digits: int) -> str:
    """delta at an eps, from above and from below."""
    answer = view.delta(exp_eps)
    lower, upper = ends_of(answer, digits)
    entries = [certify(subject, "upper", place, upper, digits)]
    if Fraction(lower) > 0:
        background = view.background_at(exp_eps)
        entries += from_below(view, lambda: certify(subject, "lower", place, lower, digits, background=background))
    return certificate_text(entries)


def from_below(view: View, entry: Callable[[], Entry]) -> list[Entry]:
    """The lower end, or nothing where the answer is known from two sides and the checker knows the upper one only."""
    try:
        return [entry()]
    except CertificateError:
        if view.two_sided:
            return []
        raise


def certificate_of_epsilon(subject: Subject, view: View, delta: Real, answer: Certified, digits: int) -> str:
    """eps at a delta: delta is met at the upper end and not met, or just met, at the lower end."""
    if answer.infinite:
        raise CertificateError("no certificate: no finite eps reaches this delta")
    lower, upper = answer.enclosure(digits)
    below, above = ends_of(Certified.of(delta), TARGET_DIGITS)
    entries = [certify(subject, "upper", Place("eps", upper), below, digits + SPARE_DIGITS, fixed=True)]
    if Fraction(lower) > 0 and Fraction(above) > 0:
        background = view.background_at(exp(Real(Fraction(lower))))
        place = Place("eps", lower)
        entries += from_below(
            view, lambda: certify(subject, "lower", place, above, digits + SPARE_DIGITS, True, background)
        )
    return certificate_text(entries)


def certificate_of_calibration(
    subjects: tuple[Subject, Subject | None],
    background: tuple[int, ...] | None,
    found: Calibration,
    delta: Real,
    place: Place,
    digits: int,
) -> str:
    """The value that was found meets the target, and the next one does not."""
    good, bad = subjects
    target = ends_of(Certified.of(delta), TARGET_DIGITS)
    entries: list[Entry] = [certify_met(good, found.meets, target[0], place, digits)]
    if bad is not None and found.fails is not None:
        entries.append(certify_missed(bad, found.fails, target[1], place, digits, background))
    return certificate_text(entries)


def certify_missed(
    subject: Subject,
    fails: Certified,
    target: str,
    place: Place,
    digits: int,
    background: tuple[int, ...] | None,
) -> Entry:
    """delta at the next value: as it was printed, or what the replay shows, but above the target."""
    lower = fails.enclosure(digits)[0]
    entry = certify(subject, "lower", place, lower, digits, background=background)
    if Fraction(entry["delta"]) <= Fraction(target):
        middle = (Fraction(lower) + Fraction(target)) / 2
        if middle <= Fraction(target):
            raise CertificateError("no certificate: the next value is too close to the target")
        wanted = fraction_text(middle)
        entry = certify(subject, "lower", place, wanted, digits + SPARE_DIGITS, True, background)
    return entry


def certify_met(subject: Subject, meets: Certified, target: str, place: Place, digits: int) -> Entry:
    """delta at the value that was found: as it was printed if that is below the target, else the target."""
    upper = meets.enclosure(digits)[1]
    entry = certify(subject, "upper", place, upper if Fraction(upper) <= Fraction(target) else target, digits)
    if Fraction(entry["delta"]) <= Fraction(target):
        return entry
    return certify(subject, "upper", place, target, digits + SPARE_DIGITS, fixed=True)
