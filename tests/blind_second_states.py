"""Second zoo: online algorithms whose state is wrong, shown at the wrong time, or does not fit the output."""

from __future__ import annotations

from tests.blind_second_laws import binomial_law, drawn, kept, moved, normal_law, pool_evidence
from tests.blind_zoo_bug import CERTAIN, NOISE, STATE, Bug, bug, passed_on
from tests.blind_zoo_draws import Law, binomial, convolved, divergence, entropy, shifted
from tests.blind_zoo_online import machine


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, STATE, cause, runs, evidence, **changes)


def noisy(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, NOISE, cause, runs, evidence, **changes)


def start(law: Law):
    """An initial counter with noise of this law."""
    draw = drawn(law)
    return lambda self, rng: draw(rng)


def end(law: Law):
    draw = drawn(law)
    return lambda self, state, rng: state + draw(rng)


def in_each_step(self, state, x, rng):
    """An eighth of the coins is tossed at every update, none before."""
    return state + x + binomial(rng, self.lam // 8, self.chance)


def ones_only_twice(self, state, x, rng):
    return state + (2 * x if state % 2 else x)


def last_noise_again(self, rng):
    """The generator is rewound after the start, so the end has the same noise."""
    self.kept = binomial(rng, self.lam, self.chance)
    return self.kept


def same_end(self, state, rng):
    return state + self.kept


def mirrored_end(self, state, rng):
    return state + self.lam - self.kept


def shown_at(moment):
    """A run that shows the state after moment(t) elements, of t asked for."""

    def run(self, rng):
        state, seen = self.initial(rng), None
        states = [state]
        for x in self.people:
            state = self.update(state, x, rng)
            states.append(state)
        seen = self.display(states[moment(self.t)])
        return {"state": seen, "output": self.output(state, rng)}

    return run


def forgets(self, rng):
    """The stream is counted anew after the intrusion."""
    state = self.initial(rng)
    for x in self.people[: self.t]:
        state = self.update(state, x, rng)
    seen = self.display(state)
    fresh = self.initial(rng)
    for x in self.people[self.t :]:
        fresh = self.update(fresh, x, rng)
    return {"state": seen, "output": self.output(fresh, rng)}


def late_states(runs, rng, total):
    """Each state is that of the run before."""
    last = None
    for run in runs:
        yield run if last is None else {**run, "state": last}
        last = run["state"]


def shown_reversed(self, state):
    return state[::-1]


def shown_as_seen(self, state):
    return [max(0, count - self.lam // 2) for count in state]


def wrapped(self, state):
    return state % 16


COIN_24, COIN_30, COIN_9, COIN_12 = (binomial_law(l, 0.5) for l in (24, 30, 9, 12))
HALF_AWAY: Law = moved(COIN_24, lambda v: 2 * (v // 2))
FORMULA = binomial_law(machine("pan-sum-formula").lam, 0.5)
ENTROPY = entropy(COIN_24)


def other_state(scene: str, lost: int) -> float:
    """KL for one counter that starts anew and so loses this count, or whose state shown is that of another counter."""
    noise = binomial_law(machine(scene).lam, 0.5)
    total = shifted(convolved(noise, noise), -lost)
    return sum(p * divergence(shifted(total, -s), noise) for s, p in noise.items())


def pan_sum_parts(scene: str, state: Law | None, rest: Law | None, runs: int) -> float | None:
    """The evidence where the noise before the intrusion, or that after the stream, has another law."""
    right = machine(scene)
    seen, unseen = sum(right.people[: right.t]), sum(right.people[right.t :])
    laws = {} if state is None else {0: shifted(state, seen)}
    return pool_evidence(scene, laws | ({} if rest is None else {1: shifted(rest, unseen)}), runs)


BUGS: tuple[Bug, ...] = (
    noisy(
        "pan-sum-no-start",
        "pan-sum",
        "the initial noise is forgotten",
        64,
        pan_sum_parts("pan-sum", {0: 1.0}, None, 64),
        initial=lambda self, rng: 0,
    ),
    noisy(
        "pan-sum-no-end",
        "pan-sum",
        "the final noise is forgotten",
        64,
        pan_sum_parts("pan-sum", None, {0: 1.0}, 64),
        output=lambda self, state, rng: state,
    ),
    noisy(
        "pan-sum-end-twice",
        "pan-sum",
        "the final noise is added twice",
        64,
        CERTAIN,
        output=lambda self, state, rng: state + 2 * binomial(rng, self.lam, self.chance),
    ),
    noisy(
        "pan-sum-start-even",
        "pan-sum",
        "the initial noise is rounded down to an even number",
        150,
        pan_sum_parts("pan-sum", HALF_AWAY, None, 150),
        initial=start(HALF_AWAY),
    ),
    noisy(
        "pan-sum-start-normal",
        "pan-sum-formula",
        "the initial noise is a normal number, rounded down",
        8000,
        pan_sum_parts(
            "pan-sum-formula",
            normal_law(machine("pan-sum-formula").lam / 2, machine("pan-sum-formula").lam / 4, 1.0),
            None,
            8000,
        ),
        initial=start(normal_law(machine("pan-sum-formula").lam / 2, machine("pan-sum-formula").lam / 4, 1.0)),
    ),
    noisy(
        "pan-sum-end-cut",
        "pan-sum",
        "the final noise beyond two deviations is drawn again",
        1000,
        pan_sum_parts("pan-sum", None, kept(COIN_24, lambda v: abs(v - 12) <= 5), 1000),
        output=end(kept(COIN_24, lambda v: abs(v - 12) <= 5)),
    ),
    noisy(
        "pan-sum-one-coin-less",
        "pan-sum-formula",
        "one coin too few at the end",
        10000,
        pan_sum_parts("pan-sum-formula", None, binomial_law(machine("pan-sum-formula").lam - 1, 0.5), 10000),
        output=end(binomial_law(machine("pan-sum-formula").lam - 1, 0.5)),
    ),
    noisy(
        "pan-sum-once-only",
        "pan-sum-end",
        "noise is added once only",
        64,
        pool_evidence("pan-sum-end", {0: shifted(COIN_12, 3)}, 64),
        output=lambda self, state, rng: state,
    ),
    noisy(
        "pan-sum-end-of-state",
        "pan-sum-end",
        "initial and final noise are the same",
        200,
        pool_evidence("pan-sum-end", {0: shifted(moved(COIN_12, lambda v: 2 * v), 3)}, 200),
        initial=last_noise_again,
        output=same_end,
    ),
    noisy(
        "pan-histogram-start-missing",
        "pan-histogram-start",
        "no noise before the stream",
        64,
        pool_evidence("pan-histogram-start", {place: {0: 1.0} for place in range(0, 12, 2)}, 64),
        initial=lambda self, rng: [0] * self.k,
    ),
    wrong(
        "pan-sum-noise-in-steps",
        "pan-sum",
        "the noise comes with the updates, not at the start",
        64,
        pan_sum_parts("pan-sum", binomial_law(15, 0.5), convolved(COIN_24, binomial_law(9, 0.5)), 64),
        initial=lambda self, rng: 0,
        update=in_each_step,
    ),
    wrong(
        "pan-sum-same-noise",
        "pan-sum",
        "the final noise is the initial noise again",
        64,
        64 * ENTROPY,
        initial=last_noise_again,
        output=same_end,
    ),
    wrong(
        "pan-sum-mirrored-noise",
        "pan-sum",
        "the final noise is lam less the initial noise",
        64,
        64 * ENTROPY,
        initial=last_noise_again,
        output=mirrored_end,
    ),
    wrong(
        "pan-sum-shown-early",
        "pan-sum",
        "shows the state after t - 2 elements",
        400,
        pan_sum_parts("pan-sum", shifted(COIN_24, -1), shifted(COIN_24, 1), 400),
        run=shown_at(lambda t: t - 2),
    ),
    wrong(
        "pan-sum-shown-late",
        "pan-sum",
        "shows the state after t + 1 elements",
        200,
        pan_sum_parts("pan-sum", shifted(COIN_24, 1), shifted(COIN_24, -1), 200),
        run=shown_at(lambda t: t + 1),
    ),
    wrong(
        "pan-sum-shown-at-end",
        "pan-sum-formula",
        "shows the state at the end of the stream",
        250,
        pan_sum_parts("pan-sum-formula", shifted(FORMULA, 2), shifted(FORMULA, -2), 250),
        run=shown_at(lambda t: -1),
    ),
    wrong(
        "pan-sum-forgets",
        "pan-sum",
        "counts anew after the intrusion",
        64,
        64 * other_state("pan-sum", 3),
        run=forgets,
    ),
    wrong(
        "pan-sum-counter-wraps", "pan-sum", "the counter has four bits where it is shown", 64, CERTAIN, display=wrapped
    ),
    wrong("pan-sum-doubles", "pan-sum", "an odd counter counts twice", 64, None, update=ones_only_twice),
    wrong(
        "pan-sum-zeros-counted",
        "pan-sum-formula",
        "counts the elements, not the ones",
        1000,
        pan_sum_parts("pan-sum-formula", shifted(FORMULA, 1), shifted(FORMULA, 1), 1000),
        update=lambda self, state, x, rng: state + 1,
    ),
    passed_on(
        "second-pan-sum-late-state",
        "pan-sum",
        STATE,
        "each state is that of the run before",
        64,
        late_states,
        64 * other_state("pan-sum", 0),
    ),
    passed_on(
        "second-pan-histogram-late-state",
        "pan-histogram",
        STATE,
        "each state is that of the run before",
        64,
        late_states,
        64 * 4 * other_state("pan-histogram", 0),
    ),
    wrong(
        "pan-histogram-reversed",
        "pan-histogram",
        "the state is shown from the last counter",
        64,
        64 * 2 * other_state("pan-histogram", 0),
        display=shown_reversed,
    ),
    wrong(
        "pan-histogram-shown-centred",
        "pan-histogram",
        "the state is shown without the mean of its noise",
        64,
        CERTAIN,
        display=shown_as_seen,
    ),
    wrong(
        "pan-histogram-shown-late",
        "pan-histogram-start",
        "shows the state after the first element",
        200,
        pool_evidence("pan-histogram-start", {0: shifted(COIN_9, 1), 1: COIN_9}, 200),
        run=shown_at(lambda t: 1),
    ),
    wrong(
        "pan-histogram-off-by-one",
        "pan-histogram",
        "the counter before the element's is raised",
        64,
        people=[4, 4, 1, 4, 3, 3],
    ),
)
