"""Claims and their witnesses, found with the checker's own arithmetic and accepted by it before they are written."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from math import asinh, log, log2, sinh, sqrt
from math import exp as float_exp
from typing import Any

from exact import check
from exact.check import GUARD, PROTOCOLS, Bounds, Claim, Interval, Noise, Rejected, rational, share
from exact.errors import InputError
from exact.numbers.certified import decimal_ends
from exact.numbers.real import Real, fraction_text

LONGEST_EXACT = 60

Entry = dict[str, Any]
"""A claim, a witness or an event as JSON has it."""

NODE_BITS = 32
FEWEST_NODES, MOST_NODES, MOST_RATIOS = 64, 1024, 3000
REACH = 14
GRID_DIGITS, CLOSE = 4, Fraction(1, 500)


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
        """Rationals around e^eps: what a checker with so many bits finds, rounded outward."""
        own = check.enclose(self.text, bits + GUARD)
        own = check.exp(own, bits + GUARD) if self.name == "eps" else own
        return check.cut_off(own[0], bits, up=False), check.cut_off(own[1], bits, up=True)


class CertificateError(InputError):
    """No certificate can be written."""


def number_text(value: Real) -> str:
    """An exact number as text that the checker reads.  *Raises* `CertificateError` for a long one."""
    text = str(value)
    if len(text) > check.LONGEST_TEXT:
        raise CertificateError("no certificate: a parameter has too many digits to be written down")
    return text


def bits_for(delta: Fraction, exp_eps: float, digits: int) -> int:
    """Bits that give so many digits of delta, in steps of 32.

    >>> bits_for(Fraction(1, 10**6), 2.7, 10)
    96
    """
    small = log2(delta.denominator) - log2(delta.numerator) if delta > 0 else 0.0
    needed = int(3.33 * digits + max(0.0, small) + log2(max(exp_eps, 1.0))) + 32
    bits = -(-needed // 32) * 32
    if bits > check.MOST_BITS:
        raise CertificateError(f"no certificate: it would need more than {check.MOST_BITS} bits")
    return bits


def draft(subject: Subject, kind: str, place: Place, bits: int) -> Claim:
    """The claim as the checker sees it, with a delta and a witness still to be found."""
    delta = Fraction(1) if kind == "upper" else Fraction(0)
    return Claim(kind=kind, **vars(subject), exp_eps=place.enclosure(bits), delta=delta, bits=bits, witness={})


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
    return rational(event["P"]) - claim.exp_eps[0 if claim.upper else 1] * rational(event["Q"])


def claimed(value: Fraction, wanted: str, upper: bool, fixed: bool, digits: int) -> str:
    """The delta to claim: as wanted if the value shows it, else the value rounded; that only if it is not fixed."""
    target = rational(wanted)
    if (value <= target) if upper else (value >= target):
        return wanted
    if fixed:
        relation = "at most" if upper else "at least"
        raise CertificateError(f"no certificate: the replay does not show that delta is {relation} {wanted}")
    bounded = min(max(value, Fraction(0)), Fraction(1))
    return decimal_ends(bounded, digits)[upper]


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

    `background` is where a lower bound on P_DE, or on any local randomizer, is taken.
    *Raises* `CertificateError` where no witness is found.
    """
    if subject.protocol not in PROTOCOLS:
        names = ", ".join(PROTOCOLS)
        raise CertificateError(f"no certificate: they are written for {names}")
    try:
        factor = float(place.enclosure(64)[1])
        claim = draft(subject, kind, place, bits_for(rational(wanted), factor, digits))
        views = PROTOCOLS[subject.protocol].views
        if check.replay_distinct in views.values():
            delta, witness = distinct_witness(claim, wanted, digits, fixed, background)
        elif check.replay_released in views.values():
            delta, witness = released_witness(claim, wanted, digits, fixed)
        elif subject.protocol in check.CLONES:
            delta, witness = local_witness(claim, wanted, digits, fixed, background)
        else:
            delta, witness = noise_witness(claim, wanted, digits, fixed)
        return entry_of(subject, claim, place, delta, witness)
    except (Rejected, OverflowError) as reason:
        raise CertificateError(f"no certificate: {reason}") from None


Found = tuple[str, Entry]


def noise_witness(claim: Claim, wanted: str, digits: int, fixed: bool) -> Found:
    """The witness where the noise is binomial or Poisson."""
    noise = check.noise_of(claim)
    if claim.view == "pair" and noise.l is None:
        return poisson_pair_witness(claim, noise, wanted, fixed)
    if claim.view == "pair" or noise.l is None:
        law = check.weights(noise, claim.bits)
        ratio = claim.exp_eps[0 if claim.upper else 1]
        event = masses(check.product_event(noise, law, ratio), claim.upper, claim.bits)
        events = [event if claim.upper else {"ratio_above": str(ratio), **event}]
    else:
        events = shift_events(claim, noise)
    value = max(advantage(claim, event) for event in events)
    return claimed(value, wanted, claim.upper, fixed, digits), {"events": events}


def released_witness(claim: Claim, wanted: str, digits: int, fixed: bool) -> Found:
    """The witness where one number is released: all directions for an upper bound, the best one for a lower."""
    events: list[Entry] = [
        {"direction": direction, side: cut, **masses(bounds, claim.upper, claim.bits)}
        for direction, (side, cut, bounds) in check.released(claim).items()
        if claim.direction in (None, direction)
    ]
    value = max(advantage(claim, event) for event in events)
    if not claim.upper:
        events = [max(events, key=lambda event: advantage(claim, event))]
    return claimed(value, wanted, claim.upper, fixed, digits), {"events": events}


def shift_events(claim: Claim, noise: Noise) -> list[Entry]:
    """The events of one shift: all that an upper bound needs, or the best one for a lower bound."""
    symmetric = noise.theta == noise.mirrored().theta
    directions = [claim.direction] if claim.direction else ["lose"] if symmetric else ["lose", "gain"]
    events = [shift_event(claim, noise, str(direction)) for direction in directions]
    return events if claim.upper else [max(events, key=lambda event: advantage(claim, event))]


def shift_event(claim: Claim, noise: Noise, direction: str) -> Entry:
    """The best event in one direction."""
    turned, l = noise if direction == "lose" else noise.mirrored(), noise.l or 0
    cut = best_cut(turned, claim.exp_eps[0 if claim.upper else 1])
    bounds = check.shift_event(check.weights(turned, claim.bits), cut)
    where = {"at_most": cut} if direction == "lose" else {"at_least": l + 1 - cut}
    return {"direction": direction, **where, **masses(bounds, claim.upper, claim.bits)}


def best_cut(noise: Noise, exp_eps: Fraction) -> int:
    """The largest x with b(x) >= E b(x-1).

    >>> best_cut(Noise(20, (Fraction(1), Fraction(1))), Fraction(2))
    7
    """
    theta, l = noise.theta[0], noise.l or 0
    return min(l, int(theta * (l + 1) / (theta + exp_eps)))


def poisson_pair_witness(claim: Claim, noise: Noise, wanted: str, fixed: bool) -> Found:
    """Ever finer grids of ratios, until one shows what is wanted: all ratios that matter where there are few."""
    best: tuple[Fraction, Entry] | None = None
    target = rational(wanted)
    for nodes, single in grids(claim, noise):
        pools = check.PoolTwice(noise, claim.bits, nodes)
        if claim.upper:
            value, witness = pools.delta_upper(claim.exp_eps[0]), {"nodes": [str(node) for node in pools.nodes]}
        else:
            value, witness = grid_lower(claim, pools, single)
        if best is None or (value < best[0]) == claim.upper:
            best = (value, witness)
        if (value <= target) if claim.upper else (value >= target):
            return wanted, witness
        if not fixed and abs(value - target) <= CLOSE * target:
            break
    if best is None:
        raise CertificateError("no certificate: the noise is too wide for a grid")
    return claimed(best[0], wanted, claim.upper, fixed, GRID_DIGITS), best[1]


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


def distinct_witness(claim: Claim, wanted: str, digits: int, fixed: bool, background: tuple[int, ...] | None) -> Found:
    """The witness for P_DE: nothing where the checker enumerates, an event for a lower bound."""
    crowd, m = check.crowd_of(claim), claim.count("m")
    users = crowd.users
    large = users * m > check.MOST_MESSAGES or users > check.MOST_ENUMERATED
    if large and claim.view == "pair" and claim.holders is None:
        return ideal_witness(claim, crowd, m, wanted, digits, fixed)
    if not claim.upper:
        return parity_lower(claim, check.Pools(users, m, share(claim), claim.bits), wanted, digits, fixed, background)
    for loosened in (wanted,) if fixed else (wanted, looser(wanted, digits)):
        try:
            check.replay_distinct(replace(claim, delta=rational(loosened)))
        except Rejected as reason:
            problem = reason
        else:
            return loosened, {}
    raise problem


def looser(wanted: str, digits: int) -> str:
    """A slightly larger bound."""
    value = rational(wanted) * (1 + Fraction(1, 10**digits)) if rational(wanted) else Fraction(1, 10**digits)
    return decimal_ends(min(value, Fraction(1)), digits)[1]


def parity_lower(
    claim: Claim,
    pools: check.Pools,
    wanted: str,
    digits: int,
    fixed: bool,
    background: tuple[int, ...] | None,
) -> Found:
    """The event {P > E Q} in one background."""
    holders = claim.holders or background
    if holders is None:
        raise CertificateError("no certificate: a lower bound needs a background")
    ratio, events = claim.exp_eps[1], []
    if claim.view == "pair":
        first = check.by_ratio(pools.gain(holders[0]))
        second = check.by_ratio(pools.lose(holders[1]), falling=False)
        events.append(masses(check.pair_event(first, second, ratio, pools.total), False, claim.bits))
    else:
        for direction, step in (("gain", pools.gain(holders[0])), ("lose", pools.lose(holders[0]))):
            if claim.direction in (None, direction):
                bounds = check.pool_event(step, ratio, pools.total)
                events.append({"direction": direction, **masses(bounds, False, claim.bits)})
    best = max(events, key=lambda event: advantage(claim, event))
    event: Entry = {"holders": [*holders], "ratio_above": str(ratio), **best}
    return claimed(advantage(claim, event), wanted, False, fixed, digits), {"events": [event]}


def ideal_witness(claim: Claim, crowd: check.Crowd, m: int, wanted: str, digits: int, fixed: bool) -> Found:
    """Large pools: the parities of both, and the distance from the ideal sum."""
    q, bits = share(claim), claim.bits + GUARD
    if claim.upper:
        value = check.ideal_upper(crowd.users, crowd.k, m, q, claim.exp_eps[0], bits)
        return claimed(value, wanted, True, fixed, digits), {"form": "ideal"}
    event: Entry = masses(check.parity_event(crowd.users, crowd.k, q, bits), False, claim.bits)
    return claimed(advantage(claim, event), wanted, False, fixed, digits), {"form": "ideal", "events": [event]}


def local_witness(claim: Claim, wanted: str, digits: int, fixed: bool, background: tuple[int, ...] | None) -> Found:
    """Any local randomizer: nothing for the clones, a tail of the ones for binary response; delta as sharp as these."""
    users, p, events = claim.users(), check.odds(claim), list[Entry]()
    if claim.upper:
        value = check.clones_upper(users, p, claim.exp_eps[0], claim.bits, check.CLONES[claim.protocol])
    else:
        events = [response_tail(claim, p, background)]
        value = advantage(claim, events[0])
    sharp = decimal_ends(min(max(value, Fraction(0)), Fraction(1)), digits)[claim.upper]
    return claimed(value, wanted if fixed else sharp, claim.upper, fixed, digits), {"events": events} if events else {}


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
