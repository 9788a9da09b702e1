"""Online algorithms that start, keep or end their state wrongly."""

from __future__ import annotations

from tests.blind_zoo_bug import CERTAIN, STATE, Bug, bug, evidence_of, run_by_run
from tests.blind_zoo_draws import Law, as_law, binomial, binomial_masses, convolved, entropy, poisson_masses, shifted
from tests.blind_zoo_online import PanSum, machine


def counters_initialized_once(wrong, rng, i):
    if i == 0:
        wrong.start = [binomial(rng, wrong.lam, wrong.chance) for _ in range(wrong.k)]
    return wrong.run(rng)


def start_of_the_process(self, rng):
    return list(self.start)


def start_of_the_process_evidence(scene, runs):
    right = machine(scene)
    return (runs - 1) * right.k * entropy(as_law(binomial_masses(right.lam, 0.5)))


def noise_kept_for_the_end(self, rng):
    self.kept = binomial(rng, self.lam, self.chance)
    return self.kept


def kept_noise_added_again(self, state, rng):
    return state + self.kept


def kept_noise_evidence(scene, runs):
    return runs * entropy(as_law(binomial_masses(machine(scene).lam, 0.5)))


def decremented_below_zero(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left - 1


def counted_in_place(self, state, x, rng):
    state[x - 1] += 1
    return state


def counted_in_place_evidence(scene, runs):
    right = machine(scene)
    law = as_law(binomial_masses(right.lam, 0.5))
    wrong = [part for j in range(1, right.k + 1) for part in (shifted(law, right.people.count(j)), law)]
    return evidence_of(wrong, right.coordinates(), runs)


def every_dummy_is_one(self, rng):
    return 1


def mixture(parts: list[tuple[float, Law]]) -> Law:
    total: Law = {}
    for weight, law in parts:
        for v, mass in law.items():
            total[v] = total.get(v, 0.0) + weight * mass
    return total


def ones_of_the_first_pool(self, chance):
    """The law of the ones under label 1 in the state, where a dummy is 1 with this chance and the stream is 1s."""
    real, parts = binomial_masses(self.n, float(self.share)), []
    for used, weight in enumerate(real):
        dummies = self.before + max(0, self.t - used)
        parts.append((weight, shifted(as_law(binomial_masses(dummies, chance)), min(used, self.t))))
    noise = as_law(poisson_masses(float(self.mean) * (self.before + self.t) / 2))
    return convolved(mixture(parts), noise)


def every_dummy_is_one_evidence(scene, runs):
    right = machine(scene)
    return evidence_of([ones_of_the_first_pool(right, 1.0)], [ones_of_the_first_pool(right, 1 / right.k)], runs)


def element_after_checkpoint_replayed(self, rng):
    state = seen = self.initial(rng)
    for time, x in enumerate(self.people, start=1):
        state = self.update(state, x, rng)
        if time == self.t:
            seen = state
        if time == self.t + 1:
            state = self.update(state, x, rng)
    return {"state": seen, "output": PanSum.output(self, state, rng)}


def replayed_evidence(scene, runs):
    right = machine(scene)
    before, after = right.coordinates()
    return evidence_of([before, shifted(after, right.people[right.t])], [before, after], runs)


BUGS: tuple[Bug, ...] = (
    run_by_run(
        "tenth-counters-initialized-once",
        "pan-histogram",
        STATE,
        "The noise that the counters start with is drawn when the process starts, and used again for each stream.",
        300,
        counters_initialized_once,
        evidence=start_of_the_process_evidence("pan-histogram", 300),
        initial=start_of_the_process,
    ),
    bug(
        "tenth-first-noise-added-again",
        "pan-sum-formula",
        STATE,
        "The noise of the start is kept in the object and added again at the end instead of drawing a new one.",
        300,
        evidence=kept_noise_evidence("pan-sum-formula", 300),
        initial=noise_kept_for_the_end,
        output=kept_noise_added_again,
    ),
    bug(
        "tenth-dummies-rounded-down",
        "pan-distinct-odd",
        STATE,
        "Both thirds of dummies are rounded down like the stream's third, so two of the n users are never simulated.",
        300,
        evidence=CERTAIN,
        before=4,
        after=4,
    ),
    bug(
        "tenth-elements-left-below-zero",
        "pan-uniformity-late",
        STATE,
        "The number of elements left is decremented also at zero, and below zero the stream's elements are used again.",
        300,
        evidence=CERTAIN,
        update=decremented_below_zero,
    ),
    bug(
        "tenth-snapshot-is-an-alias",
        "pan-histogram-start",
        STATE,
        "The snapshot at time t is a reference to the list of counters, which later updates change in place.",
        500,
        evidence=counted_in_place_evidence("pan-histogram-start", 500),
        update=counted_in_place,
    ),
    bug(
        "tenth-every-dummy-is-one",
        "pan-uniformity",
        STATE,
        "The dummies are all the element 1, as for distinct elements, instead of uniform elements.",
        500,
        evidence=every_dummy_is_one_evidence("pan-uniformity", 500),
        dummy=every_dummy_is_one,
    ),
    bug(
        "tenth-element-replayed-after-checkpoint",
        "pan-sum",
        STATE,
        "The checkpoint at time t stores the offset too early, so the next element is counted twice after the restart.",
        1500,
        evidence=replayed_evidence("pan-sum", 1500),
        run=element_after_checkpoint_replayed,
    ),
)
