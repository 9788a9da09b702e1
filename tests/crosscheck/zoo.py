"""Small implementations of every protocol on the standard library's random numbers, and broken copies of them.

They share no code with `protocols` or `crosscheck`.  `Animal.run(rng)` gives one run as `panshuffle sample` writes it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from panshuffle.crosscheck.reference.areas import (
    ANALYZER,
    DATA,
    DROPOUTS,
    LABELS,
    MESSAGES,
    NOISE,
    ORDER,
    PARAMETERS,
    POOLS,
    RUNS,
    STATE,
)
from panshuffle.exact.real import log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.protocols.uniformity import Uniformity


@dataclass(frozen=True)
class Scene:
    """A protocol at some parameters, its data, and an implementation: `run(rng, bug)`."""

    record: Any
    data: list
    run: Callable[[Random, str], dict]
    t: int | None = None


@dataclass(frozen=True)
class Animal:
    """A bug of a scene's implementation, the area that must be named, and the most runs that it may take."""

    scene: str
    bug: str
    area: str
    runs: int = 4096


def coin(rng: Random, p: float) -> int:
    return int(rng.random() < p)


def poisson(rng: Random, mean: float) -> int:
    limit, product, count = math.exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count


def geometric(rng: Random, ratio: float) -> int:
    count = 0
    while rng.random() < ratio:
        count += 1
    return count


def coins(rng: Random, count: int, p: float = 0.5) -> int:
    return sum(coin(rng, p) for _ in range(count))


def shuffled(rng: Random, messages: list, bug: str) -> list:
    if bug == "unshuffled":
        return messages
    if bug == "sorted":
        return sorted(messages)
    if bug == "rotated":
        cut = rng.randrange(min(3, len(messages)))
        return messages[cut:] + messages[:cut]
    if bug == "users only":
        return messages
    messages = list(messages)
    rng.shuffle(messages)
    return messages


def counted(messages: list) -> dict:
    pools: dict = {}
    for j, b in messages:
        pools.setdefault(j, [0, 0])[b] += 1
    return pools


def labelled(messages: list, rng: Random, bug: str, output: Callable[[dict], Any], show: bool = True) -> dict:
    pools = counted(messages)
    line: dict = {"pools": {str(j): pool for j, pool in pools.items()}, "output": output(pools)}
    if show:
        line["messages"] = [list(message) for message in shuffled(rng, messages, bug)]
    return line


def shares(rng: Random, u: int, m: int, bug: str) -> list[int]:
    bits = [rng.getrandbits(1) for _ in range(m - 1)]
    if bug == "free shares":
        return [*bits, rng.getrandbits(1)]
    if bug == "plain share":
        return [*bits, u]
    if bug == "copies":
        return [u] * m
    return [*bits, u ^ (sum(bits) & 1)]


# P_MOD -------------------------------------------------------------------------------------------------------------


def modular_sum(rng: Random, bug: str) -> dict:
    data, m = MODULAR.data, 3
    m += {"one share less": -1, "one share more": 1}.get(bug, 0)
    data = [1 - x for x in data] if bug == "inverted" else data[:-1] if bug == "user missing" else data
    seed = rng.getrandbits(32)
    messages = []
    for x in data:
        source = Random(seed) if bug == "same coins" else rng
        messages += [(1, bit) for bit in shares(source, x, m, bug)]
    ones = sum(bit for _, bit in messages)
    answer = {"zeros": len(messages) - ones, "no parity": ones}.get(bug, ones) % (10**9 if bug == "no parity" else 2)
    return labelled(messages, rng, bug, lambda _: answer)


MODULAR = Scene(ModularSum(5, 3), [1, 0, 1, 1, 0], modular_sum)


# P_DE --------------------------------------------------------------------------------------------------------------


def element_messages(rng: Random, x: int, n: int, k: int, eps: float, m: int, bug: str) -> list:
    p = (1 - (1 - math.exp(-eps)) ** (1 / n)) / 2
    p = {
        "no root": math.exp(-eps) / 2,
        "no noise": 0.0,
        "2 p'": 2 * p,
        "base 2": (1 - (1 - 2**-eps) ** (1 / n)) / 2,
        "root of honest users": (1 - (1 - math.exp(-eps)) ** (1 / 6)) / 2,
        "no half": 2 * p,
        "float bias": math.floor(p * 16) / 16,
    }.get(bug, p)
    messages = []
    for j in range(1, k + 1):
        holds = x == j
        if bug == "labels from 0":
            holds = x == j + 1 or (x == 1 and j == k)
        chance = {"holders sure": 1.0, "data left out": p}.get(bug, 0.5) if holds else p
        if bug == "exchanged":
            chance = p if holds else 0.5
        new = [(j, bit) for bit in shares(rng, coin(rng, chance), m, bug)]
        messages = new if bug == "overwritten" else messages + new
    return messages


def distinct(rng: Random, bug: str) -> dict:
    n, k, eps, m = 8, 4, math.log(2), 5
    m = {"one share less": 4, "natural log": 4, "one share more": 6}.get(bug, m)
    data = [*DISTINCT.data, 4, 4] if bug == "dropouts missing" else DISTINCT.data
    messages, seed = [], rng.getrandbits(32)
    for x in data:
        messages += element_messages(Random(seed) if bug == "same coins" else rng, x, n, k, eps, m, bug)
    if bug == "correlated pools":
        ones = counted(messages)[1][1]
        noise = [(1, i < ones) for i in range(len(data) * m)]
        messages = [(j, int(b)) for j in range(1, k + 1) for _, b in noise]
    messages = [(j - 1, b) for j, b in messages] if bug == "zero-based labels" else messages

    def output(pools: dict) -> Any:
        odd = sum(pool[1] % 2 for pool in pools.values())
        e = math.exp(eps)
        if bug == "raw output":
            return odd
        if bug == "plus one":
            return (2 * odd * e - k) / (e + 1)
        if bug == "never negative":
            return max(0.0, (2 * odd * e - k) / (e - 1))
        return (2 * odd * e - k) / (e - 1)

    return labelled(messages, rng, bug, output)


DISTINCT = Scene(DistinctElements(8, 4, log(real(2)), 5), [1, 1, 2, 3, 2, 2], distinct)


def many_shares(rng: Random, bug: str) -> dict:
    """eps = 1, delta = 1e-6: sigma = log2((e + 1)/1e-6) = 21.83, so m = 23; with the natural log 15.13, so m = 17."""
    m = 17 if bug == "natural log" else 23
    messages = [message for x in (1, 2) for message in element_messages(rng, x, 2, 2, 1.0, m, bug)]
    return labelled(messages, rng, bug, lambda pools: None)


MANY = Scene(DistinctElements(2, 2, real(1), 23), [1, 2], many_shares)


def hashed(rng: Random, bug: str) -> dict:
    """k' = ceil(3^(4/3)) = 5 and the prime is 7."""
    a, b, pools = 1 + rng.randrange(6), rng.randrange(7), 5
    messages = []
    for x in HASHED.data:
        if bug == "private hash":
            a, b = 1 + rng.randrange(6), rng.randrange(7)
        y = 1 + (a * (x - 1) + b) % 7 % pools
        y = {"no hash": 1 + (x - 1) % pools, "constant": 1, "no offset": 1 + a * (x - 1) % 7 % pools}.get(bug, y)
        messages += element_messages(rng, y, 3, pools, math.log(2), 3 if bug == "one share less" else 4, bug)
    return labelled(messages, rng, bug, lambda pools: 4 * sum(pool[1] % 2 for pool in pools.values()) - 5)


HASHED = Scene(HashedDistinctElements(3, 7, log(real(2)), 4, real(1)), [1, 1, 5], hashed)


# P_UT --------------------------------------------------------------------------------------------------------------


def tester_messages(rng: Random, x: int, k: int, mean: float, bug: str) -> list:
    messages: list = []
    seed = rng.getrandbits(32)
    for j in range(1, k + 1):
        source = Random(seed) if bug == "reused coins in pools" else rng
        bit = int(x == j)
        bit = 1 - bit if bug == "inverted" else 0 if bug == "data left out" else bit
        count = poisson(source, mean)
        count = {"bernoulli": coin(source, min(1, mean)), "constant": round(mean), "no noise": 0}.get(bug, count)
        count = {"plus one": count + 1, "three coins": coins(source, 3)}.get(bug, count)
        chance = {"all ones": 1.0, "unfair": 0.25}.get(bug, 0.5)
        data = [] if bug == "only ones" and not bit else [(j, bit)]
        new = data + [(j, coin(source, chance)) for _ in range(count)]
        messages = new if bug == "overwritten" else messages + new
    return messages


def decision(pools: dict, n: int, k: int, m: float, tau: float, bug: str) -> str:
    counts = []
    for j in range(1, k + 1):
        zeros, ones = pools.get(j, [0, 0])
        half = (zeros + ones - n) / 2
        counts.append(ones - (math.floor(half) if bug == "rounded" else 0 if bug == "noise kept" else half))
    squares = sum((c - m / k) ** 2 - (0 if bug == "counts kept" else c) for c in counts)
    yes = k / m * squares > tau
    return "not uniform" if yes != (bug == "answers exchanged") else "uniform"


def uniformity(rng: Random, bug: str) -> dict:
    record, n, k, lam = UNIFORM.record, 8, 3, 12.0
    mean = {"not divided": lam, "divided by honest users": lam / 6, "half": lam / n / 2, "double": 2 * lam / n}.get(
        bug, lam / n
    )
    data = [*UNIFORM.data, 3, 3] if bug == "dropouts missing" else UNIFORM.data
    messages, seed = [], rng.getrandbits(32)
    for x in data:
        messages += tester_messages(Random(seed) if bug == "same coins" else rng, x, k, mean, bug)
    tau = float(record.tau)
    return labelled(messages, rng, bug, lambda pools: decision(pools, n, k, 8.0, tau, bug))


UNIFORM = Scene(Uniformity.repaired(8, 3, real(12), real(8)), [1, 2, 2, 3, 1, 1], uniformity)


def compressed(rng: Random, bug: str) -> dict:
    n, k, groups, lam, data = 6, 7, 3, 9.0, COMPRESSED.data
    labels = [g for g in range(1, groups + 1) for _ in range(3)]
    if bug != "fixed partition":
        rng.shuffle(labels)
    if bug == "unequal groups":
        labels = [1 + rng.randrange(groups) for _ in labels]
    messages = []
    for x in data:
        if bug == "private partition":
            rng.shuffle(labels)
        spot = rng.randrange(9)
        group = labels[spot] if spot >= k and bug != "no padding" else labels[x - 1]
        messages += tester_messages(rng, group, groups, lam if bug == "not divided" else lam / n, bug)
    tau = float(COMPRESSED.record.tau)
    return labelled(messages, rng, bug, lambda pools: decision(pools, n, groups, 6.0, tau, bug))


COMPRESSED = Scene(CompressedUniformity.repaired(6, 7, 3, real(9), real(6)), [1, 2, 2, 3, 7, 7], compressed)


# Sums and histograms -----------------------------------------------------------------------------------------------


def binomial(rng: Random, bug: str) -> dict:
    l, total = 40, 3
    l += {"l - 1": -1, "l + 1": 1, "half l": -20, "double l": 40}.get(bug, 0)
    noise = 0 if bug == "no noise" else round(rng.gauss(20, math.sqrt(10))) if bug == "gaussian" else coins(rng, l)
    noise = -noise if bug == "subtracted" else noise - 20 if bug == "de-biased" else noise
    noise = noise - noise % 2 if bug == "even" else max(15, noise) if bug == "clipped" else noise
    noise = poisson(rng, 20.0) if bug == "poisson" else noise
    total = {"data left out": 0, "zeros": 2, "off by one": 4}.get(bug, total)
    return {"output": total + noise}


BINOMIAL = Scene(Binomial(5, 40, real("1/2")), [1, 0, 1, 1, 0], binomial)


def flipped_copies(rng: Random, bug: str) -> dict:
    """Four bits of each of five users, each flipped by a coin of its own."""
    m, p = {"m - 1": 3, "m + 1": 5}.get(bug, 4), {"p/2": 0.1, "1 - p": 0.8, "no noise": 0.0}.get(bug, 0.2)
    sent = []
    for bit in (1, 0, 1, 1, 0):
        flips = [coin(rng, p) for _ in range(m)]
        sent += [bit | flip if bug == "only zeros" else bit ^ flip for flip in flips]
    ones = sum(sent)
    output = (ones - len(sent) * 0.2) / (0.6 * 4)
    output = {"raw": ones, "no m": 4 * output}.get(bug, output)
    return {"pools": {"1": [len(sent) - ones, ones]}, "output": output}


COPIES = Scene(PoissonBinomial(5, 4, real("1/5")), [1, 0, 1, 1, 0], flipped_copies)


def bits(rng: Random, bit: int, p: float, bug: str) -> list[int]:
    p = {"1 - p": 1 - p, "p/2": p / 2, "no noise": 0.0, "p = 1/2": 0.5, "float bias": math.floor(p * 8) / 8}.get(bug, p)
    bit = 1 - bit if bug == "inverted" else bit
    noise = coin(rng, p)
    if bug == "holders add none" and bit:
        noise = 0
    if bug == "one message":
        return [bit ^ noise]
    if bug == "bit missing":
        return [noise]
    if bug == "two noise bits":
        return [bit, noise, coin(rng, p)]
    if bug == "xor":
        return [bit ^ coin(rng, p), noise]
    return [bit, noise]


def binary_sum(rng: Random, bug: str) -> dict:
    data = BINARY.data + ([0, 0] if bug == "dropouts missing" else [])
    noise_seed = rng.getrandbits(32)
    messages = []
    for x in data:
        messages += [(1, b) for b in bits(Random(noise_seed) if bug == "same coins" else rng, x, 1 / 3, bug)]
    ones = sum(b for _, b in messages)
    answer = {"raw output": ones, "negative": ones - 10, "honest users": max(0, ones - 8)}.get(bug, max(0, ones - 10))
    return labelled(messages, rng, bug, lambda _: answer)


BINARY = Scene(BinarySum(10, real("1/3")), [1, 0, 1, 1, 0, 0, 0, 0], binary_sum)


def shuffle_histogram(rng: Random, bug: str) -> dict:
    messages, seed = [], rng.getrandbits(32)
    for user, x in enumerate(HISTOGRAM.data):
        for j in range(1, 4):
            source = Random(seed + user) if bug == "correlated pools" else rng
            held = x == j + 1 or (x == 1 and j == 3) if bug == "labels shifted" else x == j
            messages += [(j, b) for b in bits(source, int(held), 0.25, bug)]
    return labelled(messages, rng, bug, lambda pools: [max(0, pools[j][1] - 6) for j in (1, 2, 3)])


HISTOGRAM = Scene(ShuffleHistogram(6, 3, real("1/4")), [1, 2, 2, 3, 1, 1], shuffle_histogram)


def two_bit_sum(rng: Random, bug: str) -> dict:
    p = {"1 - p": 0.8, "p/2": 0.1, "no noise": 0.0}.get(bug, 0.2)
    messages = []
    for pair in TWO_BITS.data:
        flip = coin(rng, p)
        for j, x in enumerate(pair, start=1):
            bit = x ^ (flip if bug == "one coin for both" else coin(rng, p))
            bit = x | coin(rng, p) if bug == "only zeros flipped" else bit
            messages.append((3 - j if bug == "labels swapped" else j, bit))

    def output(pools: dict) -> list:
        sums = [pools[j][1] for j in (1, 2)]
        return sums if bug == "raw output" else [(ones - 1.2) / (0.8 if bug == "1 - p below" else 0.6) for ones in sums]

    return labelled(messages, rng, bug, output)


TWO_BITS = Scene(TwoBitSum(6, real("1/5")), [(0, 1), (1, 1), (0, 0), (0, 1), (0, 0), (0, 1)], two_bit_sum)


# Online algorithms -------------------------------------------------------------------------------------------------


def pan_sum(rng: Random, bug: str) -> dict:
    lam, data, t = 20, PAN_SUM.data, 3
    lam += {"lam - 1": -1, "half lam": -10}.get(bug, 0)
    first = 0 if bug == "no first noise" else coins(rng, lam)
    second = first if bug == "reused noise" else 0 if bug == "no second noise" else coins(rng, lam)
    time = t + {"too late": 1, "too early": -1}.get(bug, 0)
    state = first + (0 if bug == "data left out" else sum(data[:time]))
    final = state + sum(data[time:]) + second - (lam if bug == "de-biased" else 0)
    return {"state": state, "output": final}


PAN_SUM = Scene(PanSum(6, 20), [1, 0, 1, 1, 0, 1], pan_sum, 3)


def pan_histogram(rng: Random, bug: str) -> dict:
    data, k, t = PAN_HISTOGRAM.data, 3, 2
    shared = coins(rng, 10)
    state = [shared if bug == "correlated bins" else coins(rng, 10) for _ in range(k)]
    for x in data[:t]:
        state[(x if bug == "labels shifted" else x - 1) % k] += 1
    final = list(state)
    for x in data[t:]:
        final[(x if bug == "labels shifted" else x - 1) % k] += 1
    if bug != "no second noise":
        final = [value + coins(rng, 10) for value in final]
    return {"state": state, "output": final}


PAN_HISTOGRAM = Scene(PanHistogram(5, 3, 10), [1, 2, 3, 3, 1], pan_histogram, 2)


def pan_distinct(rng: Random, bug: str) -> dict:
    n, k, eps, m, t = 9, 4, math.log(2), 4, 2
    dummy = 2 if bug == "other dummy" else 1

    def send(x: int) -> list:
        return element_messages(rng, x, n, k, eps, m, bug)

    first = {"no first dummies": 0, "one dummy more": 4}.get(bug, 3)
    before = [b for _ in range(first) for b in send(dummy)]
    seen = before + [b for x in PAN_DISTINCT.data[:t] for b in send(x)]
    final = seen + [b for x in PAN_DISTINCT.data[t:] for b in send(x)]
    final += [] if bug == "no last dummies" else [b for _ in range(3) for b in send(dummy)]
    odd = sum(pool[1] % 2 for pool in counted(final).values())
    state = {str(j): pool for j, pool in counted(final if bug == "final state" else seen).items()}
    return {"state": {"pools": state}, "output": 4 * odd - 4}


PAN_DISTINCT = Scene(PanDistinctElements(DistinctElements(9, 4, log(real(2)), 4)), [3, 2, 2], pan_distinct, 2)


def pan_uniformity(rng: Random, bug: str) -> dict:
    n, k, lam, t, data = 9, 3, 9.0, 2, PAN_UNIFORMITY.data
    mean = lam if bug == "not divided" else lam / n
    used = min(3, coins(rng, n, {"1/3": 1 / 3}.get(bug, 2 / 9)))
    used = {"all used": 3, "not capped": coins(rng, n, 2 / 9)}.get(bug, used)

    def dummy() -> int:
        return 1 if bug == "dummy ones" else 1 + rng.randrange(k)

    messages = [] if bug == "no dummies" else [b for _ in range(3) for b in tester_messages(rng, dummy(), k, mean, bug)]
    for i in range(t):
        messages += tester_messages(rng, data[i] if i < used else dummy(), k, mean, bug)
    state = {"pools": {str(j): pool for j, pool in counted(messages).items()}, "n_left": max(0, used - t)}
    if bug == "always uniform":
        return {"state": state, "output": "uniform"}
    for x in [data[2] if used > t else dummy(), *([] if bug == "no last dummies" else [dummy() for _ in range(3)])]:
        messages += tester_messages(rng, x, k, mean, bug)
    tau = float(PAN_UNIFORMITY.record.protocol.tau)
    return {"state": state, "output": decision(counted(messages), n, k, 9.0, tau, bug)}


PAN_UNIFORMITY = Scene(PanUniformity(Uniformity.repaired(9, 3, real(9), real(9))), [1, 2, 2], pan_uniformity, 2)


# Central mechanisms ------------------------------------------------------------------------------------------------


def randomized_or(rng: Random, bug: str) -> dict:
    chance = {"no half": 1 / 3, "fair": 0.5, "response": 1 / 4, "2 eps": 1 / 18}.get(bug, 1 / 6)
    return {"output": coin(rng, chance)}


RANDOMIZED_OR = Scene(RandomizedOr(3, log(real(3))), [0, 0, 0], randomized_or)


def geometric_count(rng: Random, bug: str) -> dict:
    ratio = {"eps/2": math.sqrt(0.5), "2 eps": 0.25}.get(bug, 0.5)
    noise = geometric(rng, ratio) - (0 if bug == "one-sided" else geometric(rng, ratio))
    if bug == "laplace":
        noise = round(rng.expovariate(math.log(2)) * rng.choice((-1, 1)))
    if bug == "signed":
        noise = geometric(rng, ratio) * rng.choice((-1, 1))
    while bug == "truncated" and abs(noise) > 3:
        noise = geometric(rng, ratio) - geometric(rng, ratio)
    value = (5 if bug == "rows" else 4) + noise
    return {"output": min(9, max(0, value)) if bug == "clamped" else value}


GEOMETRIC = Scene(GeometricDistinctElements(5, 9, log(real(2))), [1, 2, 3, 3, 9], geometric_count)


SCENES = {
    "binomial": BINOMIAL,
    "poisson-binomial": COPIES,
    "binary-sum": BINARY,
    "modular-sum": MODULAR,
    "distinct-elements": DISTINCT,
    "distinct-elements with many shares": MANY,
    "hashed-distinct-elements": HASHED,
    "uniformity": UNIFORM,
    "compressed-uniformity": COMPRESSED,
    "pan-sum": PAN_SUM,
    "pan-histogram": PAN_HISTOGRAM,
    "shuffle-histogram": HISTOGRAM,
    "pan-distinct-elements": PAN_DISTINCT,
    "pan-uniformity": PAN_UNIFORMITY,
    "randomized-or": RANDOMIZED_OR,
    "two-bit-sum": TWO_BITS,
    "geometric-distinct-elements": GEOMETRIC,
}
"""Note that the data of `binary-sum`, `distinct-elements` and `uniformity` is that of fewer users than n: dropouts."""

BUGS: dict[str, dict[str, str]] = {
    "binomial": {
        "l - 1": NOISE,
        "half l": NOISE,
        "double l": NOISE,
        "no noise": NOISE,
        "subtracted": NOISE,
        "de-biased": ANALYZER,
        "data left out": DATA,
        "off by one": DATA,
        "even": NOISE,
        "clipped": NOISE,
        "poisson": NOISE,
        "same run": RUNS,
    },
    "poisson-binomial": {
        "m - 1": MESSAGES,
        "m + 1": MESSAGES,
        "p/2": NOISE,
        "1 - p": DATA,
        "no noise": NOISE,
        "only zeros": NOISE,
        "raw": ANALYZER,
        "no m": ANALYZER,
    },
    "binary-sum": {
        "1 - p": NOISE,
        "p/2": NOISE,
        "no noise": NOISE,
        "float bias": NOISE,
        "inverted": DATA,
        "one message": MESSAGES,
        "bit missing": MESSAGES,
        "holders add none": NOISE,
        "honest users": ANALYZER,
        "two noise bits": MESSAGES,
        "xor": DATA,
        "dropouts missing": DROPOUTS,
        "same coins": POOLS,
        "unshuffled": ORDER,
        "sorted": ORDER,
        "raw output": ANALYZER,
        "negative": ANALYZER,
        "same run": RUNS,
    },
    "modular-sum": {
        "one share less": MESSAGES,
        "one share more": MESSAGES,
        "free shares": DATA,
        "plain share": DATA,
        "copies": DATA,
        "same coins": POOLS,
        "user missing": DROPOUTS,
        "zeros": ANALYZER,
        "no parity": ANALYZER,
        "unshuffled": ORDER,
    },
    "distinct-elements": {
        "no root": NOISE,
        "no noise": NOISE,
        "2 p'": NOISE,
        "base 2": NOISE,
        "root of honest users": NOISE,
        "float bias": NOISE,
        "holders sure": DATA,
        "data left out": DATA,
        "exchanged": DATA,
        "labels from 0": LABELS,
        "zero-based labels": LABELS,
        "one share less": MESSAGES,
        "free shares": NOISE,
        "plain share": DATA,
        "dropouts missing": DROPOUTS,
        "overwritten": MESSAGES,
        "correlated pools": POOLS,
        "unshuffled": ORDER,
        "raw output": ANALYZER,
        "plus one": ANALYZER,
        "never negative": ANALYZER,
        "same run": RUNS,
    },
    "distinct-elements with many shares": {
        "natural log": MESSAGES,
    },
    "hashed-distinct-elements": {
        "no hash": DATA,
        "constant": DATA,
        "private hash": DATA,
        "no offset": DATA,
        "one share less": MESSAGES,
        "no noise": NOISE,
    },
    "uniformity": {
        "not divided": NOISE,
        "divided by honest users": NOISE,
        "half": NOISE,
        "double": NOISE,
        "no noise": NOISE,
        "bernoulli": NOISE,
        "constant": NOISE,
        "plus one": NOISE,
        "three coins": NOISE,
        "all ones": NOISE,
        "unfair": NOISE,
        "only ones": NOISE,
        "inverted": DATA,
        "data left out": DATA,
        "dropouts missing": DROPOUTS,
        "overwritten": MESSAGES,
        "same coins": POOLS,
        "reused coins in pools": POOLS,
        "unshuffled": ORDER,
        "rounded": ANALYZER,
        "noise kept": ANALYZER,
        "answers exchanged": ANALYZER,
        "same run": RUNS,
    },
    "compressed-uniformity": {
        "fixed partition": DATA,
        "unequal groups": DATA,
        "not divided": NOISE,
        "no noise": NOISE,
    },
    "pan-sum": {
        "lam - 1": NOISE,
        "half lam": NOISE,
        "no first noise": NOISE,
        "no second noise": NOISE,
        "reused noise": POOLS,
        "too late": STATE,
        "too early": STATE,
        "data left out": DATA,
        "de-biased": ANALYZER,
    },
    "pan-histogram": {
        "correlated bins": POOLS,
        "labels shifted": LABELS,
        "no second noise": NOISE,
    },
    "shuffle-histogram": {
        "correlated pools": POOLS,
        "labels shifted": LABELS,
        "1 - p": NOISE,
        "no noise": NOISE,
        "unshuffled": ORDER,
    },
    "pan-distinct-elements": {
        "no first dummies": STATE,
        "no last dummies": STATE,
        "other dummy": STATE,
        "one dummy more": STATE,
        "final state": STATE,
        "no noise": NOISE,
        "no root": NOISE,
    },
    "pan-uniformity": {
        "1/3": PARAMETERS,
        "all used": STATE,
        "not capped": STATE,
        "dummy ones": STATE,
        "no dummies": STATE,
        "not divided": NOISE,
        "always uniform": ANALYZER,
        "answers exchanged": ANALYZER,
        "no last dummies": STATE,
    },
    "randomized-or": {
        "no half": NOISE,
        "fair": DATA,
        "response": NOISE,
        "2 eps": NOISE,
    },
    "two-bit-sum": {
        "1 - p": DATA,
        "p/2": NOISE,
        "no noise": NOISE,
        "one coin for both": POOLS,
        "only zeros flipped": NOISE,
        "labels swapped": LABELS,
        "raw output": ANALYZER,
        "1 - p below": ANALYZER,
    },
    "geometric-distinct-elements": {
        "eps/2": NOISE,
        "2 eps": NOISE,
        "one-sided": NOISE,
        "laplace": NOISE,
        "signed": NOISE,
        "rows": DATA,
        "clamped": ANALYZER,
        "truncated": NOISE,
    },
}
"""The bugs of each scene, and the area that each is in."""

MOST = {
    ("compressed-uniformity", "unequal groups"): 32768,
    ("geometric-distinct-elements", "laplace"): 16384,
    ("pan-distinct-elements", "no last dummies"): 32768,
}

ZOO = [
    Animal(scene, bug, area, MOST.get((scene, bug), 8192)) for scene, bugs in BUGS.items() for bug, area in bugs.items()
]
