"""Third zoo: states that are kept or shown wrongly."""

from __future__ import annotations

from tests.blind_second_laws import (
    binomial_law,
)
from tests.blind_third_slips import (
    slip,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    STATE,
    Bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    binomial,
    convolved,
    divergence,
    shifted,
)
from tests.blind_zoo_online import machine


def shown_by_reference(self, rng):
    """The state is a list that goes on being changed after it was shown."""
    state = self.initial(rng)
    seen = state
    for x in self.people:
        state[x - 1] += 1
    output = self.output(state, rng)
    return {"state": list(seen), "output": output}


def at_end_evidence(scene: str, runs: int) -> float | None:
    """A histogram's state shown after the whole stream."""
    right = machine(scene)
    law, laws = binomial_law(right.lam, 0.5), []
    for j in range(1, right.k + 1):
        laws += [shifted(law, right.people.count(j)), law]
    return evidence_of(laws, right.coordinates(), runs)


def noise_of_state_evidence(scene: str, runs: int) -> float:
    """The final noise has as many coins as the state at the end."""
    right = machine(scene)
    first, usual = binomial_law(right.lam, 0.5), binomial_law(right.lam, 0.5)
    total = sum(right.people)
    wrong = [(mass, binomial_law(v + total, 0.5)) for v, mass in first.items()]
    if runs * sum(mass * sum(law.get(v, 0.0) for v in range(right.lam + 1, 60)) for mass, law in wrong) > 5:
        return CERTAIN
    return runs * sum(mass * divergence(law, usual) for mass, law in wrong)


def time_with_dummies(self, rng):
    """Time counts the dummies, too, so that the state is shown before the stream begins."""
    state, seen = self.dummies(0, rng), None
    for time, x in enumerate([1] * self.before + self.people, start=1):
        state = self.update(state, x, rng)
        if time == self.t:
            seen = self.display(state)
    return {"state": seen, "output": self.output(state, rng)}


def below_zero(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left - 1


def zero_is_no_time(self, rng):
    """t or n: the time 0 is falsy."""
    state, seen = self.initial(rng), None
    for time, x in enumerate(self.people, start=1):
        state = self.update(state, x, rng)
        if time == (self.t or len(self.people)):
            seen = self.display(state)
    return {"state": seen, "output": self.output(state, rng)}


def updates_lost(self, state, x, rng):
    return [count + (x == j and rng.random() >= 0.15) for j, count in enumerate(state, start=1)]


def lost_evidence(scene: str, share: float, runs: int) -> float | None:
    right = machine(scene)
    law, laws = binomial_law(right.lam, 0.5), []
    for j in range(1, right.k + 1):
        laws += [
            convolved(law, binomial_law(part.count(j), 1 - share))
            for part in (right.people[: right.t], right.people[right.t :])
        ]
    return evidence_of(laws, right.coordinates(), runs)


def noise_in_other_order(self, rng):
    """The final noise is the list of the initial noise, shuffled."""
    noise = self.initial(rng)
    state, seen = list(noise), list(noise)
    for time, x in enumerate(self.people, start=1):
        state = self.update(state, x, rng)
        if time == self.t:
            seen = list(state)
    rng.shuffle(noise)
    return {"state": seen, "output": [a + b for a, b in zip(state, noise, strict=True)]}


def left_for_element(self, state, x, rng):
    """left or dummy, where x if left else dummy is meant."""
    pools, left = state
    return self.fed(pools, left or self.dummy(rng), rng), max(0, left - 1)


def same_dummies_run(self, rng):
    pools = self.dummies(self.before, rng)
    state, seen = pools, self.display(pools)
    for time, x in enumerate(self.people, start=1):
        state = self.update(state, x, rng)
        if time == self.t:
            seen = self.display(state)
    return {"state": seen, "output": self.analyze(self.added(state, pools))}


BUGS: tuple[Bug, ...] = (
    slip(
        "pan-histogram-by-reference",
        "pan-histogram",
        STATE,
        "the state is shown by reference and goes on counting",
        100,
        at_end_evidence("pan-histogram", 100),
        run=shown_by_reference,
    ),
    slip(
        "pan-sum-zero-resets",
        "pan-sum",
        STATE,
        "state + x if x else 0: a 0 sets the counter back to 0",
        64,
        CERTAIN,
        update=lambda self, state, x, rng: state + x if x else 0,
    ),
    slip(
        "pan-sum-coins-of-state",
        "pan-sum",
        STATE,
        "the final noise has as many coins as the state, not lam",
        64,
        noise_of_state_evidence("pan-sum", 64),
        output=lambda self, state, rng: state + binomial(rng, state, self.chance),
    ),
    slip(
        "pan-distinct-time-of-dummies",
        "pan-distinct",
        STATE,
        "time counts the dummies, too, so the state is shown among them",
        64,
        CERTAIN,
        run=time_with_dummies,
    ),
    slip(
        "pan-uniformity-below-zero",
        "pan-uniformity",
        STATE,
        "n_left is counted down below 0, where it is true again",
        300,
        CERTAIN,
        update=below_zero,
    ),
    slip(
        "pan-histogram-no-time",
        "pan-histogram-start",
        STATE,
        "t or n: the time 0 is falsy, and the state at the end is shown",
        64,
        at_end_evidence("pan-histogram-start", 64),
        run=zero_is_no_time,
    ),
    slip(
        "pan-distinct-same-dummies",
        "pan-distinct",
        STATE,
        "the dummies' messages are made once and added before and after the stream",
        500,
        run=same_dummies_run,
    ),
    slip(
        "pan-histogram-updates-lost",
        "pan-histogram",
        STATE,
        "counters without a lock: 15 % of the updates are lost",
        3000,
        lost_evidence("pan-histogram", 0.15, 3000),
        update=updates_lost,
    ),
    slip(
        "pan-histogram-noise-permuted",
        "pan-histogram",
        STATE,
        "the final noise is the list of the initial noise in another order",
        64,
        run=noise_in_other_order,
    ),
    slip(
        "pan-uniformity-left-for-element",
        "pan-uniformity-late",
        STATE,
        "`left or dummy`: n_left itself is taken for the element",
        200,
        update=left_for_element,
    ),
)
