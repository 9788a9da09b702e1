"""Fourth zoo: outputs and states."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_fourth_noise import against, known
from tests.blind_zoo_bug import (
    CERTAIN,
    OUTPUT,
    STATE,
    bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    as_law,
    binomial,
    binomial_masses,
    shifted,
)
from tests.blind_zoo_protocols import shown


def flat(vectors):
    return [message for vector in vectors for message in vector]


# --- the output --------------------------------------------------------------------------------------------------


def signed_bytes(self, pools):
    return {str(j): [(c + 128) % 256 - 128 for c in pool] for j, pool in enumerate(pools, start=1)}


def unsigned(self, ones):
    return (ones - self.n) % (1 << 32)


def zeros_for_ones(self, pools):
    zeros, ones = pools[0]
    return shown((zeros - (zeros + ones) * self.p) / (self.m * (1 - 2 * self.p)))


def half_precedence(self, pools):
    centre = Fraction(self.m, self.labels)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 for c in counts) / centre - sum(counts)


def users_for_k(self, count):
    return shown((2 * count * self.exp_eps - self.n) / (self.exp_eps - 1))


def less_dummy(self, state, rng):
    return self.analyze(self.added(state, self.dummies(self.after, rng))) - 1


OUTPUTS = (
    bug(
        "fourth-output-signed-byte",
        "binary-sum-formula",
        OUTPUT,
        "pool counts are signed bytes: counts above 127 become negative",
        200,
        CERTAIN,
        named=signed_bytes,
    ),
    bug(
        "fourth-output-unsigned",
        "histogram",
        OUTPUT,
        "ones - n is unsigned and wraps to about 2^32 below 0",
        200,
        CERTAIN,
        above=unsigned,
    ),
    bug(
        "fourth-output-zeros",
        "poisson-binomial-dropouts",
        OUTPUT,
        "the estimate is computed from the zeros, not the ones",
        200,
        CERTAIN,
        analyze=zeros_for_ones,
    ),
    bug(
        "fourth-output-whole-factor",
        "uniformity",
        OUTPUT,
        "k / m is integer division: the statistic is always 0",
        400,
        CERTAIN,
        statistic=lambda self, pools: 0,
    ),
    bug(
        "fourth-output-precedence",
        "compressed-padded",
        OUTPUT,
        "k/m multiplies only the squares, not the counts subtracted",
        400,
        CERTAIN,
        statistic=half_precedence,
    ),
    bug(
        "fourth-output-mod-m",
        "modular-dropouts",
        OUTPUT,
        "the analyzer takes the sum modulo m, not modulo 2",
        200,
        CERTAIN,
        analyze=lambda self, pools: pools[0][1] % self.m,
    ),
    bug(
        "fourth-output-swapped-counts",
        "uniformity-default",
        OUTPUT,
        "pools are written as ones first, then zeros",
        200,
        CERTAIN,
        named=lambda self, pools: {str(j): pool[::-1] for j, pool in enumerate(pools, start=1)},
    ),
    bug(
        "fourth-output-less-dummy",
        "pan-distinct",
        OUTPUT,
        "1 is subtracted from the estimate for the dummies' element",
        200,
        CERTAIN,
        output=less_dummy,
    ),
    bug(
        "fourth-output-min",
        "binary-sum-large",
        OUTPUT,
        "min(0, ones - n) for max(0, ones - n)",
        200,
        CERTAIN,
        above=lambda self, ones: min(0, ones - self.n),
    ),
    bug(
        "fourth-output-users",
        "distinct-few-messages",
        OUTPUT,
        "n is subtracted in the estimate where k belongs",
        200,
        CERTAIN,
        estimate=users_for_k,
    ),
)

# --- the state ---------------------------------------------------------------------------------------------------


def forgetful_start(self, rng):
    self.last = None
    return binomial(rng, self.lam, self.chance)


def without_repeats(self, state, x, rng):
    repeated, self.last = x == self.last, x
    return state if repeated else state + x


def noised_when_shown(self, rng):
    state = binomial(rng, self.lam, self.chance)
    for time, x in enumerate(self.people, start=1):
        state += x
        if time == self.t:
            seen = state + binomial(rng, self.lam, self.chance)
    return {"state": seen, "output": state + binomial(rng, self.lam, self.chance)}


def counted_start(self, rng):
    return self.dummies(self.before, rng), self.used(rng), len(self.people)


def last_ones(self, state, x, rng):
    pools, left, ahead = state
    use = ahead <= left
    return self.fed(pools, x if use else self.dummy(rng), rng), left - use, ahead - 1


def lazy_start(self, rng):
    return [None] * self.k


def lazy_update(self, state, x, rng):
    if state[x - 1] is None:
        state[x - 1] = binomial(rng, self.lam, self.chance)
    return [count if count is None else count + (x == j) for j, count in enumerate(state, start=1)]


def lazy_output(self, state, rng):
    return [(count or 0) + binomial(rng, self.lam, self.chance) for count in state]


def fed_again(self, rng):
    state = self.initial(rng)
    for time, x in enumerate(self.people, start=1):
        state = self.update(state, x, rng)
        if time == self.t:
            seen = list(state)
            state = self.update(state, x, rng)
    return {"state": seen, "output": self.output(state, rng)}


def noised_twice(self, state, rng):
    for _ in range(2):
        state += binomial(rng, self.lam, self.chance)
    return state


COINS = as_law(binomial_masses(30, 0.5))

STATES = (
    bug(
        "fourth-state-repeats",
        "pan-sum",
        STATE,
        "an element equal to the one before is dropped as repeated",
        1500,
        known("pan-sum", 1500, people=[1, 0, 1, 0, 0, 1, 0, 1]),
        initial=forgetful_start,
        update=without_repeats,
    ),
    bug(
        "fourth-state-noised-copy",
        "pan-sum-formula",
        STATE,
        "the copy of the state gets noise again when shown",
        200,
        run=noised_when_shown,
    ),
    bug(
        "fourth-state-dummies-first",
        "pan-distinct-odd",
        STATE,
        "all dummies come before the stream, none after",
        200,
        CERTAIN,
        before=10,
        after=0,
    ),
    bug(
        "fourth-state-max",
        "pan-uniformity",
        STATE,
        "n' is max(n', n/3), not the minimum",
        200,
        CERTAIN,
        used=lambda self, rng: max(binomial(rng, self.n, self.share), self.n // 3),
    ),
    bug(
        "fourth-state-last",
        "pan-uniformity",
        STATE,
        "the last n' elements are used, not the first",
        300,
        initial=counted_start,
        update=last_ones,
    ),
    bug(
        "fourth-state-digit-dummies",
        "pan-uniformity-late",
        STATE,
        "dummies are a random digit mod k, not uniform",
        3000,
        dummy=lambda self, rng: 1 + rng.randrange(10) % self.k,
    ),
    bug(
        "fourth-state-lazy",
        "pan-histogram-start",
        STATE,
        "a counter gets its initial noise at its first element",
        200,
        initial=lazy_start,
        update=lazy_update,
        output=lazy_output,
        display=lambda self, state: [count or 0 for count in state],
    ),
    bug(
        "fourth-state-again",
        "pan-histogram",
        STATE,
        "the element read before the intrusion is counted again after it",
        1500,
        evidence_of([shifted(COINS, 1)], [COINS], 1500),
        run=fed_again,
    ),
    bug(
        "fourth-state-output-twice",
        "pan-sum-end",
        STATE,
        "the final step runs twice, each adding new noise",
        200,
        against("pan-sum-end", [shifted(as_law(binomial_masses(36, 0.5)), 3)], 200),
        output=noised_twice,
    ),
)

BUGS = OUTPUTS + STATES
