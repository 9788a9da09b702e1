"""The event of a lower bound as a person and a program can use it: in words, and as a test of an outcome.

An outcome is what the view shows less what the other users put there: the count of a shift; (x, y) of two counts with
opposite shifts; (x1, y1, x2, y2) of two Poisson pools; the ones of one or two pools of bits, and of all users of binary
response.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from panshuffle.exact.certificates.writer import Entry
from panshuffle.exact.check import (
    CLONES,
    PROTOCOLS,
    Bounds,
    Claim,
    Data,
    Pools,
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
