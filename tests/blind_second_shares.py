"""Second zoo: wrong shares of the modular sum, and wrong coins of the distinct elements that it carries."""

from __future__ import annotations

from tests.blind_second_laws import binomial_law, moved, pool_evidence
from tests.blind_second_pools import sums
from tests.blind_zoo_bug import CERTAIN, ENCODING, NOISE, Bug, bug
from tests.blind_zoo_draws import Law, bernoulli, bits, shifted
from tests.blind_zoo_online import machine


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, ENCODING, cause, runs, evidence, **changes)


def shares_tilted(chance):
    def shares(self, u, rng):
        free = [bernoulli(rng, chance) for _ in range(self.m - 1)]
        return [*free, (u + sum(free)) % 2]

    return shares


def tilted_share_law(m: int, chance: float, u: int) -> Law:
    """The law of the ones of a user who shares u."""
    return moved(binomial_law(m - 1, chance), lambda s: s + (u + s) % 2)


def modular_evidence(scene: str, chance: float, runs: int) -> float | None:
    right = machine(scene)
    return pool_evidence(scene, {0: sums(*(tilted_share_law(right.m, chance, u) for u in right.people))}, runs)


def last_share_plain(self, u, rng):
    return [*bits(rng, self.m - 1), u]


def one_share_unmasked(self, u, rng):
    """The last share leaves out the first free one, so the parity is off where that is 1."""
    free = bits(rng, self.m - 1)
    return [*free, (u + sum(free[1:])) % 2]


def share_of_or(self, u, rng):
    free = bits(rng, self.m - 1)
    return [*free, u ^ int(any(free))]


def all_in_first(self, u, rng):
    """u and an even number of ones, made of equal pairs."""
    word = bits(rng, self.m // 2)
    return [u, *word, *word][: self.m]


def holder_sends_one(self, x, j, rng):
    return 1 if x == j else bernoulli(rng, self.p_prime)


def holder_sends_noise(self, x, j, rng):
    return 1 - bernoulli(rng, self.p_prime) if x == j else bernoulli(rng, self.p_prime)


def holder_is_flipped(self, x, j, rng):
    return bernoulli(rng, self.p_prime) if x == j else rng.getrandbits(1)


def last_element_ignored(self, x, j, rng):
    return rng.getrandbits(1) if x == j and j < self.labels else bernoulli(rng, self.p_prime)


def coin_two_thirds(self, x, j, rng):
    return bernoulli(rng, 0.6 if x == j else self.p_prime)


def parities(scene: str, chances) -> dict[int, Law]:
    """The laws of pools whose user i shares a bit that is 1 with probability chances(x, j)."""
    right = machine(scene)
    return {j - 1: right.pool_law([chances(right, x, j) for x in right.people]) for j in range(1, right.labels + 1)}


def of_coins(name: str, scene: str, cause: str, runs: int, coin, chances) -> Bug:
    return wrong(name, scene, cause, runs, pool_evidence(scene, parities(scene, chances), runs), coin=coin)


def tied(m: int, u: int) -> Law:
    """The ones of u and of pairs of equal bits."""
    return shifted(moved(binomial_law(m // 2, 0.5), lambda v: 2 * v), u)


BUGS: tuple[Bug, ...] = (
    bug(
        "second-modular-shares-tilted",
        "modular",
        NOISE,
        "the free shares are 1 with probability 0.45",
        1000,
        modular_evidence("modular", 0.45, 1000),
        shares=shares_tilted(0.45),
    ),
    bug(
        "second-modular-shares-zero",
        "modular-short",
        NOISE,
        "the free share is always 0",
        64,
        modular_evidence("modular-short", 0.0, 64),
        shares=shares_tilted(0.0),
    ),
    bug(
        "second-modular-random-parity",
        "modular",
        NOISE,
        "all shares are free, so the parity is lost",
        64,
        CERTAIN,
        shares=lambda self, u, rng: bits(rng, self.m),
    ),
    bug(
        "second-hashed-shares-tilted",
        "hashed",
        NOISE,
        "the free share is 1 with probability 0.4",
        600,
        None,
        shares=shares_tilted(0.4),
    ),
    wrong("modular-last-plain", "modular", "the last share is the bit itself", 64, CERTAIN, shares=last_share_plain),
    wrong(
        "modular-one-unmasked",
        "modular-dropouts",
        "the last share leaves out a free one",
        64,
        CERTAIN,
        shares=one_share_unmasked,
    ),
    wrong(
        "modular-or-for-xor",
        "modular",
        "the last share uses OR instead of the sum mod 2",
        64,
        CERTAIN,
        shares=share_of_or,
    ),
    wrong(
        "modular-paired-shares",
        "modular-dropouts",
        "the free shares come in equal pairs",
        150,
        pool_evidence("modular-dropouts", {0: sums(*(tied(3, u) for u in machine("modular-dropouts").people))}, 150),
        shares=all_in_first,
    ),
    of_coins(
        "distinct-holder-certain",
        "distinct-few-messages",
        "a holder shares 1, not a fair bit",
        500,
        holder_sends_one,
        lambda right, x, j: 1.0 if x == j else right.p_prime,
    ),
    of_coins(
        "distinct-holder-opposite",
        "distinct",
        "a holder shares a bit with parameter 1 - p'",
        3000,
        holder_sends_noise,
        lambda right, x, j: 1 - right.p_prime if x == j else right.p_prime,
    ),
    of_coins(
        "distinct-roles-swapped",
        "distinct",
        "non-holders share a fair bit, holders Ber(p')",
        3000,
        holder_is_flipped,
        lambda right, x, j: right.p_prime if x == j else 0.5,
    ),
    of_coins(
        "distinct-last-ignored",
        "distinct",
        "the holders of k are treated as others",
        2000,
        last_element_ignored,
        lambda right, x, j: 0.5 if x == j and j < 4 else right.p_prime,
    ),
    of_coins(
        "distinct-coin-60",
        "distinct-dropouts",
        "a holder's coin is 0.6 instead of 1/2",
        20000,
        coin_two_thirds,
        lambda right, x, j: 0.6 if x == j else right.p_prime,
    ),
    wrong(
        "hashed-holder-certain", "hashed-wide", "a holder shares 1, not a fair bit", 1000, None, coin=holder_sends_one
    ),
)
