"""Eighth zoo: online algorithms that lose their way."""

from __future__ import annotations

from tests.blind_zoo_bug import CERTAIN, STATE, bug, evidence_of
from tests.blind_zoo_draws import as_law, binomial, binomial_masses, shifted
from tests.blind_zoo_online import machine
from tests.blind_zoo_scenes import SCENES


def bare_state(self, state, rng):
    return state


def bare_state_evidence(scene, runs):
    right = machine(scene)
    law = as_law(binomial_masses(right.lam, float(right.chance)))
    return evidence_of([shifted(law, sum(right.people))], right.coordinates(), runs)


def not_capped(self, rng):
    return binomial(rng, self.n, self.share)


def rest_skipped(self, state, x, rng):
    pools, left = state
    return (self.fed(pools, x, rng), left - 1) if left else (pools, 0)


def nothing_seen(self, rng):
    self.seen = set()
    return self.dummies(self.before, rng)


def only_if_new(self, state, x, rng):
    if x in self.seen:
        return state
    self.seen.add(x)
    return self.fed(state, x, rng)


BUGS = (
    bug(
        "state-shown-one-later",
        "pan-sum",
        STATE,
        "The state is read after t+1 elements: the time of the intrusion is compared with an index that starts at 0.",
        1000,
        t=6,
    ),
    bug(
        "no-noise-at-the-end",
        "pan-sum-end",
        STATE,
        "The algorithm returns its last state and does not add the second noise draw.",
        100,
        bare_state_evidence("pan-sum-end", 100),
        output=bare_state,
    ),
    bug(
        "first-element-lost",
        "pan-histogram",
        STATE,
        "The first element of the stream is taken off when the state is initialized and is never counted.",
        1500,
        people=list(SCENES["pan-histogram"].data[1:]),
        t=2,
    ),
    bug(
        "number-used-not-capped",
        "pan-uniformity",
        STATE,
        "The number n' of stream elements to use is not cut at n/3 after it is drawn.",
        400,
        CERTAIN,
        used=not_capped,
    ),
    bug(
        "rest-of-the-stream-skipped",
        "pan-uniformity-late",
        STATE,
        "Once n' elements are used the loop does nothing, instead of feeding a uniform sample for each further"
        " element.",
        800,
        CERTAIN,
        update=rest_skipped,
    ),
    bug(
        "elements-seen-are-skipped",
        "pan-distinct-odd",
        STATE,
        "The algorithm keeps the set of elements it has met and does not feed the randomizer with an element again.",
        64,
        CERTAIN,
        initial=nothing_seen,
        update=only_if_new,
    ),
)
