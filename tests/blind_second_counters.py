"""Second zoo: counters of the online histogram whose noise ought to be independent and is not."""

from __future__ import annotations

from tests.blind_second_laws import binomial_law, common_part
from tests.blind_second_shared import wrong
from tests.blind_zoo_bug import Bug
from tests.blind_zoo_draws import binomial, entropy


def one_initial_noise(self, rng):
    return [binomial(rng, self.lam, self.chance)] * self.k


def one_final_noise(self, state, rng):
    noise = binomial(rng, self.lam, self.chance)
    return [count + noise for count in state]


def neighbours_share(self, rng):
    """Pools 1 and 2 have a third of their initial coins in common."""
    common = binomial(rng, 10, self.chance)
    linked = [common + binomial(rng, 20, self.chance) for _ in range(2)]
    return linked + [binomial(rng, self.lam, self.chance) for _ in range(self.k - 2)]


def few_coins_shared(self, rng):
    """All pools have one of their nine initial coins in common."""
    common = rng.getrandbits(1)
    return [common + binomial(rng, self.lam - 1, self.chance) for _ in range(self.k)]


def word_of_noise(self, rng):
    """The noise words of the pools overlap: each is the last one, moved by four bits."""
    word = rng.getrandbits(self.lam + 4 * (self.k - 1))
    return [(word >> 4 * j & (1 << self.lam) - 1).bit_count() for j in range(self.k)]


BUGS: tuple[Bug, ...] = (
    wrong(
        "pan-histogram-one-start",
        "pan-histogram",
        "one initial noise for all pools",
        64,
        64 * 3 * entropy(binomial_law(30, 0.5)),
        initial=one_initial_noise,
    ),
    wrong(
        "pan-histogram-one-end",
        "pan-histogram-start",
        "one final noise for all pools",
        64,
        64 * 5 * entropy(binomial_law(9, 0.5)),
        output=one_final_noise,
    ),
    wrong(
        "pan-histogram-neighbours",
        "pan-histogram",
        "pools 1 and 2 share a third of their coins",
        400,
        400 * common_part(binomial_law(10, 0.5), binomial_law(20, 0.5)),
        initial=neighbours_share,
    ),
    wrong(
        "pan-histogram-one-coin-shared",
        "pan-histogram-start",
        "all pools share one coin of nine",
        1500,
        1500 * 3 * common_part({0: 0.5, 1: 0.5}, binomial_law(8, 0.5)),
        initial=few_coins_shared,
    ),
    wrong(
        "pan-histogram-words-overlap",
        "pan-histogram",
        "the noise words of the pools overlap",
        64,
        64 * 2 * common_part(binomial_law(26, 0.5), binomial_law(4, 0.5)),
        initial=word_of_noise,
    ),
)
