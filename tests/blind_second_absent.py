"""Second zoo: users who drop out otherwise than they should, or are counted twice."""

from __future__ import annotations

from math import comb

from tests.blind_second_laws import binomial_law, central_noise, mixed, poisson_law, pool_evidence
from tests.blind_second_pools import sums
from tests.blind_zoo_bug import CERTAIN, DROPOUTS, Bug, bug
from tests.blind_zoo_draws import Law, bernoulli, convolved
from tests.blind_zoo_online import machine


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, DROPOUTS, cause, runs, evidence, **changes)


def everybody(scene: str) -> list:
    return list(machine(scene).scene.data)


def last_users(scene: str) -> list:
    right = machine(scene)
    return everybody(scene)[-right.users :]


def random_users(self, rng):
    """As many users as should take part, but not the ones who do."""
    chosen = sorted(rng.sample(range(self.n), self.users))
    return [self.user(self.scene.data[i], rng) for i in chosen]


def each_by_a_coin(self, rng):
    share = self.users / self.n
    return [self.user(x, rng) for x in self.scene.data if bernoulli(rng, share)] or [self.user(self.people[0], rng)]


def absent_send_zeros(self, rng):
    """Users who drop out send their messages, for the datum 0."""
    return [self.user(x, rng) for x in self.people] + [self.user(0, rng) for _ in range(self.n - self.users)]


def absent_send_noise(self, rng):
    """Users who drop out send their noise message only."""
    return [self.user(x, rng) for x in self.people] + [[(1, self.noise(rng))] for _ in range(self.n - self.users)]


def one_more_leaves(self, rng):
    """Once in fifty runs a user leaves after the others have begun."""
    present = self.people[:-1] if bernoulli(rng, 0.02) else self.people
    return [self.user(x, rng) for x in present]


def holders_leave(self, rng):
    """Where two users may be exchanged, the one with the datum 0 stays: one in five times for user 1."""
    people = [0 if i == 0 and bernoulli(rng, 0.2) else x for i, x in enumerate(self.people)]
    return [self.user(x, rng) for x in people]


def last_half_message(self, rng):
    """The last user leaves before the last message is sent."""
    vectors = [self.user(x, rng) for x in self.people]
    return [*vectors[:-1], vectors[-1][:-1]]


def last_vector_stale(self, rng):
    """The last user sends the messages of the first once more: the retry of a lost packet goes to the wrong user."""
    vectors = [self.user(x, rng) for x in self.people]
    return [*vectors[:-1], vectors[0]]


def drawn_users(n: int, ones: int, users: int) -> Law:
    """The ones among so many users, drawn from n of whom so many hold a 1."""
    return {
        h: comb(ones, h) * comb(n - ones, users - h) / comb(n, users)
        for h in range(max(0, users + ones - n), min(ones, users) + 1)
    }


def replaced(scene: str, place: int, by: int) -> list:
    """One user is missing and another counted twice."""
    people = list(machine(scene).people)
    people[place] = people[by]
    return people


SKELLAM_4 = convolved(poisson_law(1.5), {-v: mass for v, mass in poisson_law(1.5).items()})
BUGS: tuple[Bug, ...] = (
    wrong(
        "absent-last-users",
        "binary-sum-dropouts",
        "the last users take part, not the first",
        100,
        people=last_users("binary-sum-dropouts"),
    ),
    wrong(
        "absent-last-users-distinct",
        "distinct-dropouts",
        "the last users take part, not the first",
        2000,
        people=last_users("distinct-dropouts"),
    ),
    wrong(
        "absent-last-users-uniformity",
        "uniformity-dropouts",
        "the last users take part, not the first",
        64,
        people=last_users("uniformity-dropouts"),
    ),
    wrong(
        "absent-nobody",
        "poisson-binomial-dropouts",
        "nobody drops out",
        64,
        CERTAIN,
        people=everybody("poisson-binomial-dropouts"),
    ),
    wrong(
        "absent-nobody-skellam",
        "skellam-dropouts",
        "nobody drops out",
        64,
        people=everybody("skellam-dropouts"),
        mean=machine("skellam-dropouts").lam / 2,
    ),
    wrong(
        "absent-at-random",
        "binary-sum-dropouts",
        "who takes part is drawn at random",
        1500,
        pool_evidence("binary-sum-dropouts", {0: convolved(drawn_users(12, 8, 8), binomial_law(8, 0.5))}, 1500),
        vectors=random_users,
    ),
    wrong(
        "absent-at-random-histogram",
        "histogram-dropouts",
        "who takes part is drawn at random",
        500,
        pool_evidence(
            "histogram-dropouts",
            {
                0: convolved(drawn_users(8, 5, 6), binomial_law(6, 2 / 3)),
                1: convolved(drawn_users(8, 1, 6), binomial_law(6, 2 / 3)),
                2: convolved(drawn_users(8, 2, 6), binomial_law(6, 2 / 3)),
            },
            500,
        ),
        vectors=random_users,
    ),
    wrong(
        "absent-at-random-uniformity",
        "uniformity-dropouts",
        "who takes part is drawn at random",
        600,
        CERTAIN,
        vectors=random_users,
    ),
    wrong(
        "absent-by-coins",
        "modular-dropouts",
        "each user takes part with probability gamma",
        64,
        CERTAIN,
        vectors=each_by_a_coin,
    ),
    wrong(
        "absent-by-coins-two-bit",
        "two-bit-sum-dropouts",
        "each user takes part with probability gamma",
        64,
        CERTAIN,
        vectors=each_by_a_coin,
    ),
    wrong(
        "absent-send-zeros", "modular-dropouts", "users who drop out share 0", 64, CERTAIN, vectors=absent_send_zeros
    ),
    wrong(
        "absent-send-zeros-copies",
        "poisson-binomial-dropouts",
        "users who drop out send 0, flipped",
        64,
        CERTAIN,
        vectors=absent_send_zeros,
    ),
    wrong(
        "absent-send-noise",
        "binary-sum-dropouts",
        "users who drop out send noise all the same",
        64,
        CERTAIN,
        vectors=absent_send_noise,
    ),
    wrong(
        "absent-one-more",
        "histogram-dropouts",
        "one user too many drops out",
        64,
        CERTAIN,
        people=machine("histogram-dropouts").people[:-1],
    ),
    wrong(
        "absent-one-more-rarely",
        "binary-sum",
        "a user is lost once in fifty runs",
        600,
        CERTAIN,
        vectors=one_more_leaves,
    ),
    wrong(
        "absent-one-more-rarely-distinct",
        "distinct-dropouts",
        "a user is lost once in fifty runs",
        600,
        CERTAIN,
        vectors=one_more_leaves,
    ),
    wrong(
        "absent-one-fewer",
        "uniformity-dropouts",
        "one user too few drops out",
        64,
        people=everybody("uniformity-dropouts")[:9],
    ),
    wrong(
        "absent-ones-leave",
        "binary-sum-dropouts",
        "a user with the bit 1 is replaced by one with 0 now and then",
        1500,
        pool_evidence("binary-sum-dropouts", {0: sums(binomial_law(8, 0.5), {3: 0.2, 4: 0.8})}, 1500),
        vectors=holders_leave,
    ),
    wrong(
        "absent-last-message",
        "two-bit-sum",
        "the last user's last message is lost",
        64,
        CERTAIN,
        vectors=last_half_message,
    ),
    wrong(
        "absent-last-message-compressed",
        "compressed",
        "the last user's last message is lost",
        64,
        None,
        vectors=last_half_message,
    ),
    wrong(
        "absent-stale-vector",
        "histogram-uneven",
        "the last user's messages are those of the first",
        300,
        CERTAIN,
        vectors=last_vector_stale,
    ),
    wrong(
        "twice-first-for-last",
        "two-bit-sum",
        "the first user is counted twice, the fifth not at all",
        1000,
        people=replaced("two-bit-sum", 4, 0),
    ),
    wrong(
        "twice-for-copies",
        "poisson-binomial",
        "the first user is counted twice, the last not at all",
        300,
        people=replaced("poisson-binomial", 7, 0),
    ),
    wrong(
        "twice-distinct",
        "distinct",
        "the first user is counted twice, the fifth not at all",
        300,
        people=replaced("distinct", 4, 0),
    ),
    wrong("twice-in-sum", "binary-sum-large", "a user is counted twice", 64, CERTAIN, people=[1] * 19 + [0] * 42),
    wrong("missing-in-sum", "binomial-uneven", "the loop over the users stops two early", 300, people=[1, 1, 1, 0]),
    wrong("missing-in-central-sum", "skellam", "the first user is not counted", 1500, people=[1, 0, 1, 1, 0]),
    wrong(
        "twice-in-failures", "negative-binomial-rare", "the first user is counted twice", 6000, people=[1, 1, 0, 1, 1]
    ),
    central_noise(
        "second-absent-noise-of-nobody",
        "skellam-dropouts",
        "three runs in ten have the noise of three users",
        20000,
        mixed(SKELLAM_4, convolved(poisson_law(9 / 8), {-v: p for v, p in poisson_law(9 / 8).items()}), 0.3),
        DROPOUTS,
    ),
)
