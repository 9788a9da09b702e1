"""The zoo's own implementations of the protocols: small, on Python's generator, and open to every mistake.

Each is a machine whose steps are methods and whose numbers are attributes: a bug is a step or a number replaced.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

from tests.blind_zoo_draws import (
    Law,
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    convolved,
    geometric,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_scenes import Scene

Message = tuple[int, int]
DIGITS = 60
"""Of e^eps: more than enough to round an estimate to the right double."""


def shown(value):
    """A number as a run shows it: whole numbers as such, others as the nearest double."""
    value = Fraction(value)
    return int(value) if value.denominator == 1 else float(value)


def exponential(text):
    with localcontext() as context:
        context.prec = DIGITS
        part = Fraction(text)
        return Fraction((Decimal(part.numerator) / Decimal(part.denominator)).exp())


class Machine:
    """What all protocols share: the numbers of a scene, then the changes that a bug makes to them."""

    def __init__(self, scene: Scene, changes: dict):
        self.scene, self.t, texts = scene, scene.t, scene.parameters
        for name in ("n", "k", "m", "l", "k-hat"):
            if name in texts:
                setattr(self, name.replace("-", "_"), int(texts[name]))
        for name in ("p", "lam", "tau", "c", "delta"):
            if name in texts:
                setattr(self, name, Fraction(texts[name]))
        if "eps" in texts:
            self.exp_eps = exponential(texts["eps"])
        if "exp-eps" in texts:
            self.exp_eps = Fraction(texts["exp-eps"])
        if "q" in texts:
            self.exp_eps = 1 / (1 - Fraction(texts["q"]) ** self.n)
        self.users = int(Fraction(texts.get("gamma", "1")) * self.n)
        self.people = list(scene.data[: self.users])
        self.__dict__.update(changes)
        self.derive(texts)
        self.__dict__.update(changes)
        self.flip = changes.get("flip", float(getattr(self, "p", 0)))

    def derive(self, texts):
        """Numbers that follow from the others."""

    @property
    def c_squared(self):
        return float((self.exp_eps + 1) / (self.exp_eps - 1)) ** 2

    def runs(self, rng: Random, count: int) -> Iterator[dict]:
        for _ in range(count):
            yield self.run(rng)

    def coordinates(self) -> list[Law] | None:
        """Laws of independent quantities that a run shows; None where they are not known in closed form."""
        return None


class Central(Machine):
    """f(data) plus noise."""

    def run(self, rng):
        return {"output": self.value() + self.noise(rng)}

    def value(self):
        return sum(self.people)


class Binomial(Central):
    def derive(self, texts):
        self.p = Fraction(texts.get("p", "1/2"))
        if "l" not in texts:
            self.l = math.ceil(10 * self.c_squared * math.log(2 / self.delta) / min(self.p, 1 - self.p))

    def noise(self, rng):
        return binomial(rng, self.l, self.flip)

    def coordinates(self):
        return [shifted(as_law(binomial_masses(self.l, self.flip)), self.value())]


class NegativeBinomial(Central):
    def noise(self, rng):
        return sum(geometric(rng, 1 - self.flip) for _ in range(self.l))

    def coordinates(self):
        p, most = self.flip, int(60 * self.l / self.flip)
        masses = (
            math.exp(math.lgamma(g + self.l) - math.lgamma(g + 1) - math.lgamma(self.l) + g * math.log1p(-p))
            * p**self.l
            for g in range(most)
        )
        return [shifted(as_law(tuple(masses)), self.value())]


class Skellam(Central):
    def derive(self, texts):
        self.mean = self.lam * self.users / self.n / 2

    def noise(self, rng):
        return poisson(rng, self.mean) - poisson(rng, self.mean)

    def coordinates(self):
        law = as_law(poisson_masses(float(self.mean)))
        return [shifted(convolved(law, {-v: mass for v, mass in law.items()}), self.value())]


class GeometricDistinctElements(Central):
    def value(self):
        return len(set(self.people))

    def noise(self, rng):
        r = float(1 / self.exp_eps)
        return geometric(rng, r) - geometric(rng, r)

    def coordinates(self):
        r = float(1 / self.exp_eps)
        most = math.ceil(600 / math.log(1 / r))
        return [{self.value() + v: (1 - r) / (1 + r) * r ** abs(v) for v in range(-most, most + 1)}]


class RandomizedOr(Central):
    def derive(self, texts):
        self.low, self.high = 1 / (2 * self.exp_eps), Fraction(1, 2)

    def run(self, rng):
        return {"output": bernoulli(rng, self.chance())}

    def chance(self):
        return self.high if any(self.people) else self.low

    def coordinates(self):
        return [{1: float(self.chance()), 0: 1 - float(self.chance())}]


class Shuffled(Machine):
    """A shuffle protocol; its messages are (label, bit) inside, and bits alone are shown where there is one pool."""

    labels = 1
    labelled = False

    def run(self, rng):
        messages = self.order(self.vectors(rng), rng)
        pools = self.count(messages)
        return {"pools": self.named(pools), "messages": self.written(messages), "output": self.analyze(pools)}

    def vectors(self, rng):
        self.publish(rng)
        return [self.user(self.encoded(x, rng), rng) for x in self.people]

    def publish(self, rng):
        """Public randomness."""

    def encoded(self, x, rng):
        return x

    def order(self, vectors, rng):
        messages = [message for vector in vectors for message in vector]
        rng.shuffle(messages)
        return messages

    def count(self, messages):
        tally = Counter(messages)
        return [[tally[j, 0], tally[j, 1]] for j in range(1, self.labels + 1)]

    def written(self, messages):
        return [list(message) for message in messages] if self.labelled else [bit for _, bit in messages]

    def named(self, pools):
        return {str(j): pool for j, pool in enumerate(pools, start=1)}


class ModularSum(Shuffled):
    def user(self, x, rng):
        return [(1, bit) for bit in self.shares(x, rng)]

    def shares(self, u, rng):
        free = bits(rng, self.m - 1)
        return [*free, (u + sum(free)) % 2]

    def analyze(self, pools):
        return pools[0][1] % 2

    def coordinates(self):
        return [self.pool_law([float(x) for x in self.people])]

    def pool_law(self, chances):
        """The law of the ones of a pool whose users share bits that are 1 with these probabilities."""
        total: Law = {0: 1.0}
        for p in chances:
            share = {s: math.comb(self.m, s) / 2 ** (self.m - 1) * (p if s % 2 else 1 - p) for s in range(self.m + 1)}
            total = convolved(total, share)
        return total


class DistinctElements(ModularSum):
    labelled = True

    def derive(self, texts):
        self.labels = self.k
        self.p_prime = (1 - float(1 - 1 / self.exp_eps) ** (1 / self.n)) / 2
        if "delta" in texts:
            self.m = max(3, math.floor(math.log2(float((self.exp_eps + 1) / self.delta))) + 2)

    def user(self, x, rng):
        return [(j, bit) for j in range(1, self.labels + 1) for bit in self.shares(self.coin(x, j, rng), rng)]

    def coin(self, x, j, rng):
        return rng.getrandbits(1) if x == j else bernoulli(rng, self.p_prime)

    def analyze(self, pools):
        return self.estimate(sum(ones % 2 for _, ones in pools))

    def estimate(self, count):
        return shown((2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1))

    def coordinates(self):
        return [self.law_of_pool(j, self.people) for j in range(1, self.labels + 1)]

    def law_of_pool(self, j, people):
        return self.pool_law([0.5 if x == j else self.p_prime for x in people])


class HashedDistinctElements(DistinctElements):
    c = Fraction(1)

    def derive(self, texts):
        super().derive(texts)
        self.labels = math.ceil(float(self.c) * self.n ** (4 / 3) - 1e-9)
        self.q = next(q for q in range(self.k, 2 * self.k) if all(q % d for d in range(2, math.isqrt(q) + 1)))

    def publish(self, rng):
        self.a, self.b = rng.randrange(1, self.q), rng.randrange(self.q)

    def encoded(self, x, rng):
        return 1 + (self.a * (x - 1) + self.b) % self.q % self.labels

    def coordinates(self):
        return None


class BinarySum(Shuffled):
    def derive(self, texts):
        if "p" not in texts:
            self.p = 1 - 10 * self.c_squared * math.log(2 / self.delta) / self.n

    def user(self, x, rng):
        return [(1, x), (1, self.noise(rng))]

    def noise(self, rng):
        return bernoulli(rng, self.flip)

    def analyze(self, pools):
        return self.above(pools[0][1])

    def above(self, ones):
        return max(0, ones - self.n)

    def coordinates(self):
        return [shifted(as_law(binomial_masses(len(self.people), self.flip)), sum(self.people))]


class ShuffleHistogram(BinarySum):
    labelled = True

    def derive(self, texts):
        self.labels = self.k

    def user(self, x, rng):
        return [pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, self.noise(rng)))]

    def analyze(self, pools):
        return [self.above(ones) for _, ones in pools]

    def coordinates(self):
        law = as_law(binomial_masses(len(self.people), self.flip))
        return [shifted(law, self.people.count(j)) for j in range(1, self.labels + 1)]


class PoissonBinomial(Shuffled):
    def user(self, x, rng):
        return [(1, x ^ bernoulli(rng, self.flip)) for _ in range(self.m)]

    def analyze(self, pools):
        zeros, ones = pools[0]
        return shown((ones - (zeros + ones) * self.p) / (self.m * (1 - 2 * self.p)))

    def coordinates(self):
        h = sum(self.people)
        low = as_law(binomial_masses((len(self.people) - h) * self.m, self.flip))
        return [convolved(low, as_law(binomial_masses(h * self.m, 1 - self.flip)))]


class TwoBitSum(Shuffled):
    labelled, labels = True, 2

    def user(self, x, rng):
        return [(j, bit ^ bernoulli(rng, self.flip)) for j, bit in enumerate(x, start=1)]

    def analyze(self, pools):
        return [shown((ones - self.n * self.p) / (1 - 2 * self.p)) for _, ones in pools]

    def coordinates(self):
        laws = []
        for column in zip(*self.people, strict=True):
            h = sum(column)
            low = as_law(binomial_masses(len(column) - h, self.flip))
            laws.append(convolved(low, as_law(binomial_masses(h, 1 - self.flip))))
        return laws


class Uniformity(Shuffled):
    labelled = True

    def derive(self, texts):
        self.labels = getattr(self, "k_hat", self.k)
        if "lam" not in texts:
            self.lam = math.ceil(40 * self.c_squared * math.log(2 * self.labels / self.delta))
        self.m = int(texts.get("m", self.n))
        self.mean = Fraction(self.lam) / self.n
        if "tau" not in texts:
            k, m, lam = self.labels, self.m, float(self.lam)
            variance = (k / m) ** 2 * k * (2 * (m / k + lam / 4) ** 2 + 5 * lam / 16)
            self.tau = k**2 * lam / (4 * m) + math.sqrt(2 * variance)

    def user(self, x, rng):
        return [
            (j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, poisson(rng, self.mean)))
        ]

    def statistic(self, pools):
        centre = Fraction(self.m, self.labels)
        counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
        return sum((c - centre) ** 2 - c for c in counts) / centre

    def analyze(self, pools):
        return "not uniform" if self.statistic(pools) > self.tau else "uniform"

    def coordinates(self):
        law, laws = as_law(poisson_masses(float(self.mean) * len(self.people) / 2)), []
        for j in range(1, self.labels + 1):
            h = self.people.count(j)
            laws += [shifted(law, len(self.people) - h), shifted(law, h)]
        return laws


class CompressedUniformity(Uniformity):
    def publish(self, rng):
        size = -(-self.k // self.k_hat)
        self.groups = [j for j in range(1, self.k_hat + 1) for _ in range(size)]
        rng.shuffle(self.groups)

    def encoded(self, x, rng):
        place = rng.randrange(len(self.groups))
        return self.groups[place if place >= self.k else x - 1]

    def coordinates(self):
        return None
