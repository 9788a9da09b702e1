"""Bugs in the state of an online algorithm."""

from __future__ import annotations

from math import log

from tests.blind_zoo_bug import CERTAIN, STATE, Bug, bug, passed_on, run_by_run
from tests.blind_zoo_draws import binomial


def kept(name: str, scene: str, runs: int, cause: str, evidence: float | None = None, **changes) -> Bug:
    return bug(name, scene, STATE, cause, runs, evidence, **changes)


def previous_output(runs, rng, count):
    """The output of a run stands beside the messages of the next."""
    before = None
    for run in runs:
        yield run if before is None else {**run, "output": before["output"]}
        before = run


def shown_at(offset):
    """The state is copied an element too early or too late."""

    def one(self, rng, i):
        self.t = self.scene.t + offset
        return self.run(rng)

    return one


def same_noise(self, rng):
    noise = binomial(rng, self.lam, 0.5)
    self.again = noise
    return noise


def debiased(self, state):
    return state - self.lam // 2


def before_noise(self, rng):
    """The state is written before the noise is put in: the counter starts at 0 and noise is added in the end."""
    return 0


def both_noises_at_the_end(self, state, rng):
    return state + binomial(rng, 2 * self.lam, 0.5)


def mirrored_noise(self, state, rng):
    return state + self.lam - self.again


def left_by(change):
    """The number of elements left is shown changed."""
    return lambda self, state: {"pools": self.named(state[0]), "n_left": change(self, state[1])}


def always_uses(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x, rng), max(0, left - 1)


def never_counts_down(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left


def by_a_coin(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x if rng.random() < 2 / 3 else self.dummy(rng), rng), max(0, left - 1)


def skips(self, state, x, rng):
    """Nothing at all is added once no element is left."""
    pools, left = state
    return (self.fed(pools, x, rng), left - 1) if left else (pools, 0)


BUGS: tuple[Bug, ...] = (
    kept(
        "state-before-noise",
        "pan-sum",
        64,
        "the counter starts at 0, and both noises are added in the end",
        64 * 24 * log(2),
        initial=before_noise,
        output=both_noises_at_the_end,
    ),
    kept(
        "state-same-noise",
        "pan-sum",
        64,
        "the second noise is the first again",
        initial=same_noise,
        output=lambda self, state, rng: state + self.again,
    ),
    kept(
        "state-mirrored-noise",
        "pan-sum",
        64,
        "the second noise is lam less the first",
        initial=same_noise,
        output=mirrored_noise,
    ),
    kept("state-debiased", "pan-sum", 64, "the state is shown without the mean of its noise", display=debiased),
    passed_on("state-of-next-run", "pan-sum", STATE, "the output belongs to the run before", 500, previous_output),
    passed_on(
        "state-of-next-histogram", "pan-histogram", STATE, "the output belongs to the run before", 300, previous_output
    ),
    run_by_run("state-early", "pan-sum", STATE, "the state is copied two elements too early", 500, shown_at(-2)),
    run_by_run(
        "state-late", "pan-distinct", STATE, "the state is copied an element too late", 64, shown_at(1), CERTAIN
    ),
    kept("state-no-dummies", "pan-distinct", 64, "there are no dummies before the stream", CERTAIN, before=0),
    kept(
        "state-even-blocks",
        "pan-distinct-odd",
        64,
        "there are n/3 dummies before the stream where 3 does not divide n",
        CERTAIN,
        before=4,
        after=6,
    ),
    kept(
        "state-one-update-twice",
        "pan-histogram",
        300,
        "every element is counted twice",
        update=lambda self, state, x, rng: [count + 2 * (x == j) for j, count in enumerate(state, start=1)],
        evidence=None,
    ),
    kept("state-other-dummy", "pan-distinct", 2000, "the dummy is k, not 1", dummy=lambda self, rng: self.k),
    kept(
        "state-random-dummy",
        "pan-distinct",
        2000,
        "dummies are uniform elements",
        dummy=lambda self, rng: 1 + rng.randrange(self.k),
    ),
    kept("state-constant-dummy", "pan-uniformity", 300, "dummies are all 1", dummy=lambda self, rng: 1),
    kept(
        "state-dummy-never-last",
        "pan-uniformity",
        1000,
        "dummies are uniform on 1..k-1",
        dummy=lambda self, rng: 1 + rng.randrange(self.k - 1),
    ),
    kept(
        "left-off-by-one",
        "pan-uniformity",
        500,
        "n' is shown one too large",
        display=left_by(lambda self, left: left + 1),
        evidence=CERTAIN,
    ),
    kept(
        "left-not-capped",
        "pan-uniformity-late",
        2000,
        "n' is not capped at the length of the stream",
        used=lambda self, rng: binomial(rng, self.n, self.share),
        evidence=CERTAIN,
    ),
    kept(
        "left-as-used",
        "pan-uniformity",
        500,
        "the elements used so far are shown",
        display=left_by(lambda self, left: 2 - min(2, left)),
    ),
    kept("left-never-falls", "pan-uniformity", 1000, "n' never counts down", update=never_counts_down),
    kept("left-ignored", "pan-uniformity-late", 1000, "all elements are used, whatever n'", update=always_uses),
    kept("left-not-drawn", "pan-uniformity", 64, "n' is 2n/9 exactly", used=lambda self, rng: 4),
    kept("left-nothing-added", "pan-uniformity-late", 1000, "nothing is added once no element is left", update=skips),
    kept(
        "left-redrawn",
        "pan-uniformity",
        2000,
        "whether an element is used is decided by a coin of 2/3 each time",
        update=by_a_coin,
    ),
)
