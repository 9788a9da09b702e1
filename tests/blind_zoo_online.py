"""The zoo's own online algorithms, and the machine of each scene."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from tests.blind_zoo_draws import as_law, binomial, binomial_masses, shifted
from tests.blind_zoo_protocols import (
    BinarySum,
    Binomial,
    CompressedUniformity,
    DistinctElements,
    GeometricDistinctElements,
    HashedDistinctElements,
    Machine,
    ModularSum,
    NegativeBinomial,
    PoissonBinomial,
    RandomizedOr,
    ShuffleHistogram,
    Skellam,
    TwoBitSum,
    Uniformity,
)
from tests.blind_zoo_scenes import SCENES


class Online(Machine):
    """A stream goes through a state; the state after t elements and the output are shown."""

    def run(self, rng):
        state = self.initial(rng)
        seen = self.display(state)
        for time, x in enumerate(self.people, start=1):
            state = self.update(state, x, rng)
            if time == self.t:
                seen = self.display(state)
        output = self.output(state, rng)
        return {"output": output} if self.t is None else {"state": seen, "output": output}


class PanSum(Online):
    def derive(self, texts):
        self.lam = int(self.lam) if "lam" in texts else ceil(20 * self.c_squared * log(2 / self.delta))
        self.chance = Fraction(1, 2)

    def initial(self, rng):
        return binomial(rng, self.lam, self.chance)

    def update(self, state, x, rng):
        return state + x

    def output(self, state, rng):
        return state + binomial(rng, self.lam, self.chance)

    def display(self, state):
        return state

    def coordinates(self):
        law, t = as_law(binomial_masses(self.lam, float(self.chance))), self.t
        if t is None:
            return [shifted(as_law(binomial_masses(2 * self.lam, float(self.chance))), sum(self.people))]
        return [shifted(law, sum(self.people[:t])), shifted(law, sum(self.people[t:]))]


class PanHistogram(PanSum):
    def initial(self, rng):
        return [binomial(rng, self.lam, self.chance) for _ in range(self.k)]

    def update(self, state, x, rng):
        return [count + (x == j) for j, count in enumerate(state, start=1)]

    def output(self, state, rng):
        return [count + binomial(rng, self.lam, self.chance) for count in state]

    def coordinates(self):
        law, laws = as_law(binomial_masses(self.lam, float(self.chance))), []
        for j in range(1, self.k + 1):
            laws += [shifted(law, part.count(j)) for part in (self.people[: self.t], self.people[self.t :])]
        return laws


class Transformed(Online):
    """A shuffle protocol as an online algorithm: dummies before, the stream, dummies after."""

    def people_of(self):
        stream = self.n // 3
        self.before, self.after = (self.n - stream + 1) // 2, (self.n - stream) // 2
        self.people = list(self.scene.data)

    def derive(self, texts):
        super().derive(texts)
        self.people_of()

    def dummies(self, count, rng):
        return self.count([message for _ in range(count) for message in self.user(self.dummy(rng), rng)])

    def added(self, first, second):
        return [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(first, second, strict=True)]

    def fed(self, pools, x, rng):
        return self.added(pools, self.count(self.user(x, rng)))


class PanDistinctElements(Transformed, DistinctElements):
    def dummy(self, rng):
        return 1

    def initial(self, rng):
        return self.dummies(self.before, rng)

    def update(self, state, x, rng):
        return self.fed(state, x, rng)

    def output(self, state, rng):
        return self.analyze(self.added(state, self.dummies(self.after, rng)))

    def display(self, state):
        return {"pools": self.named(state)}

    def coordinates(self):
        return [self.law_of_pool(j, [1] * self.before + self.people[: self.t]) for j in range(1, self.k + 1)]


class PanUniformity(Transformed, Uniformity):
    share = Fraction(2, 9)

    def dummy(self, rng):
        return rng.randrange(self.k) + 1

    def initial(self, rng):
        return self.dummies(self.before, rng), self.used(rng)

    def used(self, rng):
        return min(binomial(rng, self.n, self.share), self.n // 3)

    def update(self, state, x, rng):
        pools, left = state
        return self.fed(pools, x if left else self.dummy(rng), rng), max(0, left - 1)

    def output(self, state, rng):
        return self.analyze(self.added(state[0], self.dummies(self.after, rng)))

    def display(self, state):
        return {"pools": self.named(state[0]), "n_left": state[1]}

    def coordinates(self):
        return None


MACHINES: dict[str, type[Machine]] = {
    "binary-sum": BinarySum,
    "binomial": Binomial,
    "compressed-uniformity": CompressedUniformity,
    "distinct-elements": DistinctElements,
    "geometric-distinct-elements": GeometricDistinctElements,
    "hashed-distinct-elements": HashedDistinctElements,
    "modular-sum": ModularSum,
    "negative-binomial": NegativeBinomial,
    "pan-distinct-elements": PanDistinctElements,
    "pan-histogram": PanHistogram,
    "pan-sum": PanSum,
    "pan-uniformity": PanUniformity,
    "poisson-binomial": PoissonBinomial,
    "randomized-or": RandomizedOr,
    "shuffle-histogram": ShuffleHistogram,
    "skellam": Skellam,
    "two-bit-sum": TwoBitSum,
    "uniformity": Uniformity,
}


def machine(key: str, **changes) -> Machine:
    """The machine of a scene with steps (functions) and numbers replaced; the right one without any change."""
    scene = SCENES[key]
    steps = {name: change for name, change in changes.items() if callable(change)}
    numbers = {name: change for name, change in changes.items() if not callable(change)}
    return type("Machine", (MACHINES[scene.protocol],), steps)(scene, numbers)
