"""Third zoo: data that is compared, labelled or sent wrongly."""

from __future__ import annotations

from tests.blind_second_laws import (
    binomial_law,
    poisson_law,
)
from tests.blind_second_pools import one_bit, sums
from tests.blind_third_slips import (
    slip,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    ENCODING,
    Bug,
    evidence_of,
)
from tests.blind_zoo_draws import (
    bernoulli,
    bits,
    poisson,
    shifted,
)
from tests.blind_zoo_online import machine


def as_a_set(self, x, rng):
    return sorted({(1, x), (1, self.noise(rng))})


def runs_collapsed(self, vectors, rng):
    """Equal messages in a row are taken for one that was sent again."""
    messages = [message for vector in vectors for message in vector]
    rng.shuffle(messages)
    return [message for i, message in enumerate(messages) if not i or message != messages[i - 1]]


def falsy_filtered(self, vectors, rng):
    messages = [message for vector in vectors for message in vector if message[1]]
    rng.shuffle(messages)
    return messages


def never_equal(self, x, rng):
    return [pair for j in range(1, self.labels + 1) for pair in ((j, int(str(x) == j)), (j, self.noise(rng)))]


def label_of_user(self, rng):
    """The label counts users, not positions."""
    return [[(1 + i % 2, bit ^ bernoulli(rng, self.flip)) for bit in x] for i, x in enumerate(self.people)]


def label_of_user_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    laws = [
        sums(*(one_bit(1 - right.flip if bit else right.flip) for x in right.people[start::2] for bit in x))
        for start in (0, 1)
    ]
    return evidence_of(laws, right.coordinates(), runs)


def parity_kept(self, rng):
    """The running parity is not set back between users."""
    parity, vectors = 0, []
    for x in self.people:
        free = bits(rng, self.m - 1)
        parity = (parity + x + sum(free)) % 2
        vectors.append([(1, bit) for bit in (*free, parity)])
    return vectors


def seen_labels_only(self, x, rng):
    seen = sorted(set(self.people))
    return [pair for j in seen for pair in ((j, int(x == j)), (j, self.noise(rng)))]


def loop_variable(self, rng):
    """for m in range(m): the number of copies is overwritten by the loop."""
    m, vectors = self.m, []
    for x in self.people:
        vector = []
        for m in range(m):  # noqa: B007, B020 (that the loop takes the name of its bound is the bug)
            vector.append((1, x ^ bernoulli(rng, self.flip)))
        vectors.append(vector)
    return vectors


def bitwise_held(self, x, j, rng):
    return rng.getrandbits(1) if x & j else bernoulli(rng, self.p_prime)


def bitwise_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    laws = [right.pool_law([0.5 if x & j else right.p_prime for x in right.people]) for j in range(1, right.labels + 1)]
    return evidence_of(laws, right.coordinates(), runs)


def quotient_is_one(self, x, rng):
    return [
        (j, bit) for j in range(1, self.labels + 1) for bit in (int(x // j == 1), *bits(rng, poisson(rng, self.mean)))
    ]


def quotient_evidence(scene: str, runs: int) -> float | None:
    right = machine(scene)
    law, laws, n = poisson_law(float(right.mean) * len(right.people) / 2), [], len(right.people)
    for j in range(1, right.labels + 1):
        h = sum(x // j == 1 for x in right.people)
        laws += [shifted(law, n - h), shifted(law, h)]
    return evidence_of(laws, right.coordinates(), runs)


HISTOGRAM = machine("histogram")
BUGS: tuple[Bug, ...] = (
    slip(
        "zsum-set-of-messages",
        "binary-sum",
        ENCODING,
        "a user's messages are a set, so equal bits are sent once",
        64,
        CERTAIN,
        user=as_a_set,
    ),
    slip(
        "zsum-runs-collapsed",
        "binary-sum-large",
        ENCODING,
        "equal messages in a row are taken for a repeated one and dropped",
        64,
        CERTAIN,
        order=runs_collapsed,
    ),
    slip(
        "modular-falsy-filtered",
        "modular",
        ENCODING,
        "zeros are filtered out as empty messages",
        64,
        CERTAIN,
        order=falsy_filtered,
    ),
    slip(
        "histogram-text-and-number",
        "histogram",
        ENCODING,
        "a text is compared with a number, so nobody holds anything",
        64,
        evidence_of([binomial_law(8, 0.5)] * 5, HISTOGRAM.coordinates(), 64),
        user=never_equal,
    ),
    slip(
        "two-bit-label-of-user",
        "two-bit-sum",
        ENCODING,
        "the label of both bits is the parity of the user's number, not the position",
        400,
        label_of_user_evidence("two-bit-sum", 400),
        vectors=label_of_user,
    ),
    slip(
        "modular-parity-kept",
        "modular",
        ENCODING,
        "the running parity is not set back to 0 between users",
        64,
        CERTAIN,
        vectors=parity_kept,
    ),
    slip(
        "histogram-seen-labels",
        "histogram",
        ENCODING,
        "users send to the pools of elements that occur in the data only",
        64,
        CERTAIN,
        user=seen_labels_only,
    ),
    slip(
        "copies-loop-variable",
        "poisson-binomial",
        ENCODING,
        "the loop variable shadows m, so each user sends one copy less than the one before",
        64,
        CERTAIN,
        vectors=loop_variable,
    ),
    slip(
        "distinct-bitwise-and",
        "distinct",
        ENCODING,
        "x & j instead of x == j: the holders of 1 and 2 also count as holders of 3",
        400,
        bitwise_evidence("distinct", 400),
        coin=bitwise_held,
    ),
    slip(
        "uniformity-quotient",
        "uniformity",
        ENCODING,
        "x // j == 1 instead of x == j: the holder of 3 also counts for 2",
        500,
        quotient_evidence("uniformity", 500),
        user=quotient_is_one,
    ),
    slip(
        "geometric-unique",
        "geometric",
        ENCODING,
        "counts the elements that occur exactly once",
        64,
        people=[2, 9],
    ),
)
