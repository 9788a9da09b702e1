"""Third zoo: the ways to plant its bugs, and the evidence of pools that depend on each other."""

from __future__ import annotations

import math

from tests.blind_second_laws import (
    central_noise,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    NOISE,
    Bug,
    bug,
    run_by_run,
)
from tests.blind_zoo_draws import (
    Law,
)

Joint = dict[tuple[int, ...], float]
THIRD = 1 / 3


def slip(name: str, scene: str, area: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"third-{name}", scene, area, cause, runs, evidence, **changes)


def central(name: str, scene: str, cause: str, runs: int, law: Law, area: str = NOISE) -> Bug:
    return central_noise(f"third-{name}", scene, cause, runs, law, area)


def one_by_one(name: str, scene: str, area: str, cause: str, runs: int, one, evidence=None, **changes) -> Bug:
    return run_by_run(f"third-{name}", scene, area, cause, runs, one, evidence, **changes)


def joint_evidence(parts: list[Joint], rights: list[Law], runs: int) -> float:
    """runs * KL of a sum of independent vectors against a product of laws; CERTAIN where five runs are impossible."""
    total: Joint = {(0,) * len(rights): 1.0}
    for part in parts:
        longer: Joint = {}
        for a, p in total.items():
            for b, q in part.items():
                key = tuple(x + y for x, y in zip(a, b, strict=True))
                longer[key] = longer.get(key, 0.0) + p * q
        total = longer
    return vector_evidence(total, rights, runs)


def vector_evidence(total: Joint, rights: list[Law], runs: int) -> float:
    right = {key: math.prod(law.get(v, 0.0) for law, v in zip(rights, key, strict=True)) for key in total}
    if runs * sum(p for key, p in total.items() if right[key] == 0) > 5:
        return CERTAIN
    allowed = {key: p for key, p in total.items() if p > 0 and right[key] > 0}
    share = sum(allowed.values())
    return runs * sum(p / share * math.log(p / share / right[key]) for key, p in allowed.items())


def shuffled_run(self, vectors, rng):
    """What a shuffle protocol shows of these vectors."""
    messages = self.order(vectors, rng)
    pools = self.count(messages)
    return {"pools": self.named(pools), "messages": self.written(messages), "output": self.analyze(pools)}
