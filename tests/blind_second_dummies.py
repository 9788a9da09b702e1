"""Second zoo: shuffle protocols as online algorithms, with wrong dummies, and wrong counts of the elements used."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_second_laws import binomial_law, moved, pool_evidence
from tests.blind_second_parameters import elements_left
from tests.blind_second_states import shown_at, wrong
from tests.blind_zoo_bug import CERTAIN, Bug
from tests.blind_zoo_draws import binomial, divergence
from tests.blind_zoo_online import machine


def no_dummies(self, rng):
    return self.dummies(0, rng)


def one_dummy_less(self, rng):
    return self.dummies(self.before - 1, rng)


def without_last_dummies(self, state, rng):
    return self.analyze(state)


def dummy_two(self, rng):
    return 2


def pools_relabelled(self, state):
    return {"pools": self.named(state[1:] + state[:1])}


def left_not_counted(self, state, x, rng):
    """n_left stays as it is, so all of the stream is used where n' > 0."""
    pools, left = state
    return self.fed(pools, x if left else self.dummy(rng), rng), left


def left_late(self, state, x, rng):
    """One element too many is used: n_left may become -1 before dummies are taken."""
    pools, left = state
    return self.fed(pools, x if left >= 0 else self.dummy(rng), rng), max(-1, left - 1)


def left_or_none(self, state):
    return {"pools": self.named(state[0]), "n_left": max(0, state[1])}


def all_used(self, state, x, rng):
    pools, left = state
    return self.fed(pools, x, rng), max(0, left - 1)


def thirds(self, rng):
    return binomial(rng, self.n // 3, Fraction(2, 3))


def left_of_state(self, state):
    return {"pools": self.named(state[0]), "n_left": min(state[1] + 1, self.n // 3 - self.t)}


def dummy_below_k(self, rng):
    """Dummies are never the last element."""
    return rng.randrange(self.k - 1) + 1


def dummy_of_stream(self, rng):
    return self.people[rng.randrange(len(self.people))]


def whole_dummies(self, count, rng):
    """One dummy is drawn for the whole block."""
    dummy = self.dummy(rng)
    return self.count([message for _ in range(count) for message in self.user(dummy, rng)])


NEXT = machine("pan-distinct-odd").coordinates()[1:] + machine("pan-distinct-odd").coordinates()[:1]
BUGS: tuple[Bug, ...] = (
    wrong("pan-distinct-no-dummies", "pan-distinct", "no dummies before the stream", 64, CERTAIN, initial=no_dummies),
    wrong(
        "pan-distinct-dummy-less",
        "pan-distinct-odd",
        "one dummy too few before the stream",
        64,
        CERTAIN,
        initial=one_dummy_less,
    ),
    wrong(
        "pan-distinct-no-last-dummies",
        "pan-distinct",
        "no dummies after the stream",
        3000,
        None,
        output=without_last_dummies,
    ),
    wrong(
        "pan-distinct-dummy-two",
        "pan-distinct",
        "the dummies are 2, not 1",
        400,
        pool_evidence("pan-distinct", {j - 1: machine("pan-distinct").law_of_pool(j, [2] * 6) for j in (1, 2)}, 400),
        dummy=dummy_two,
    ),
    wrong(
        "pan-distinct-relabelled",
        "pan-distinct-odd",
        "the pools of the state are shown with the next label",
        3000,
        pool_evidence("pan-distinct-odd", dict(enumerate(NEXT)), 3000),
        display=pools_relabelled,
    ),
    wrong(
        "pan-distinct-shown-early",
        "pan-distinct-odd",
        "shows the state after t - 1 elements",
        64,
        CERTAIN,
        run=shown_at(lambda t: t - 1),
    ),
    wrong(
        "pan-uniformity-left-stays",
        "pan-uniformity-late",
        "n_left is never counted down",
        64,
        CERTAIN,
        update=left_not_counted,
    ),
    wrong(
        "pan-uniformity-one-too-many",
        "pan-uniformity",
        "one element too many is used",
        3000,
        None,
        update=left_late,
        display=left_or_none,
    ),
    wrong(
        "pan-uniformity-all-used",
        "pan-uniformity-late",
        "all elements are used, whatever n'",
        400,
        None,
        update=all_used,
    ),
    wrong(
        "pan-uniformity-thirds",
        "pan-uniformity",
        "n' is Bin(n/3, 2/3)",
        400,
        400 * divergence(moved(binomial_law(6, 2 / 3), lambda v: max(0, v - 2)), elements_left(2 / 9)),
        used=thirds,
    ),
    wrong(
        "pan-uniformity-uncapped",
        "pan-uniformity",
        "n' is not capped at n/3",
        2000,
        CERTAIN,
        used=lambda self, rng: binomial(rng, self.n, self.share),
    ),
    wrong(
        "pan-uniformity-left-plus-1",
        "pan-uniformity",
        "n_left is shown before it is counted down",
        200,
        200 * divergence(moved(elements_left(2 / 9), lambda v: min(v + 1, 4)), elements_left(2 / 9)),
        display=left_of_state,
    ),
    wrong(
        "pan-uniformity-dummy-below-k",
        "pan-uniformity",
        "dummies are never the last element",
        64,
        None,
        dummy=dummy_below_k,
    ),
    wrong(
        "pan-uniformity-dummy-of-stream",
        "pan-uniformity",
        "dummies are drawn from the stream",
        400,
        None,
        dummy=dummy_of_stream,
    ),
    wrong(
        "pan-uniformity-one-dummy",
        "pan-uniformity-late",
        "one dummy for a whole block",
        64,
        None,
        dummies=whole_dummies,
    ),
    wrong(
        "pan-uniformity-no-last-dummies",
        "pan-uniformity",
        "no dummies after the stream",
        600,
        None,
        output=lambda self, state, rng: self.analyze(state[0]),
    ),
)
