"""Fourth zoo: noise and parameters."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, NOISE, PARAMETERS, bug, evidence_of
from tests.blind_zoo_draws import (
    as_law,
    binomial,
    binomial_masses,
    bits,
    geometric,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine


def against(scene, laws, runs):
    """The evidence where the wrong laws of all the quantities are given."""
    return evidence_of(laws, machine(scene).coordinates(), runs)


def known(scene, runs, **changes):
    """The evidence where the coordinates of the changed machine follow the change."""
    return against(scene, machine(scene, **changes).coordinates(), runs)


# --- the noise ---------------------------------------------------------------------------------------------------


def signs(self, rng):
    return sum(2 * coin - 1 for coin in bits(rng, self.l))


def floored_once(self, rng):
    rate = -math.log(1 - self.flip)
    return int(sum(-math.log(1 - rng.random()) for _ in range(self.l)) / rate)


def floored_once_law():
    def above(g):
        x = g * math.log(1.5)
        return math.exp(-x) * sum(x**i / math.factorial(i) for i in range(5))

    return {4 + g: above(g) - above(g + 1) for g in range(300)}


def zigzag(g):
    return (g >> 1) ^ -(g & 1)


def zigzagged(self, rng):
    return zigzag(geometric(rng, float(1 / self.exp_eps)))


def mean_overwritten(self, rng):
    mean = poisson(rng, self.mean)
    return mean - poisson(rng, mean)


def mean_overwritten_law():
    law = {}
    for x, p in as_law(poisson_masses(5.0)).items():
        if p > 1e-15:
            for y, q in as_law(poisson_masses(float(x))).items():
                law[4 + x - y] = law.get(4 + x - y, 0.0) + p * q
    return law


def top_bit_set(self, state, rng):
    return state + 1 + binomial(rng, self.lam - 1, self.chance)


def waits_without_the_one(self, rng):
    """Ones among l coins by jumping from one to the next, where a jump leaves out the one itself."""
    place, ones = geometric(rng, 1 - self.flip), 0
    while place <= self.l - 1:
        ones += 1
        place += geometric(rng, 1 - self.flip)
    return ones


def waits_law():
    """Ones before the 30th zero."""
    return {
        4 + g: math.exp(
            math.lgamma(g + 30) - math.lgamma(g + 1) - math.lgamma(30) + g * math.log(0.3) + 30 * math.log(0.7)
        )
        for g in range(200)
    }


TOP = shifted(as_law(binomial_masses(23, 0.5)), 1)

NOISES = (
    bug("fourth-binomial-signs", "binomial", NOISE, "each coin adds +1 or -1, not 1 or 0", 200, CERTAIN, noise=signs),
    bug(
        "fourth-negbin-gamma-swapped",
        "negative-binomial",
        NOISE,
        "shape and scale are swapped in the gamma-Poisson mixture",
        800,
        l=2,
        flip=1 / 6,
    ),
    bug(
        "fourth-negbin-floor-once",
        "negative-binomial",
        NOISE,
        "exponential waits are summed, then rounded down once, not each",
        1500,
        against("negative-binomial", [floored_once_law()], 1500),
        noise=floored_once,
    ),
    bug(
        "fourth-geometric-zigzag",
        "geometric-wide",
        NOISE,
        "one geometric draw is zigzag-decoded into a signed number",
        500,
        against("geometric-wide", [{3 + zigzag(g): 0.2 * 0.8**g for g in range(2000)}], 500),
        noise=zigzagged,
    ),
    bug(
        "fourth-skellam-mean-overwritten",
        "skellam",
        NOISE,
        "the first Poisson draw overwrites the mean of the second",
        800,
        against("skellam", [mean_overwritten_law()], 800),
        noise=mean_overwritten,
    ),
    bug(
        "fourth-binary-signed-byte",
        "binary-sum-large",
        NOISE,
        "random bytes are signed, so all lie below 256 p",
        200,
        flip=1.0,
    ),
    bug(
        "fourth-binary-coin-or-coin",
        "binary-sum",
        NOISE,
        "coin() or coin(): a noise bit 0 is thrown again",
        400,
        flip=5 / 9,
    ),
    bug(
        "fourth-uniformity-exp-fixed-point",
        "uniformity-formula",
        NOISE,
        "exp(-lam/n) underflows to 2^-16 in Knuth's Poisson loop",
        200,
        mean=math.log(65536),
    ),
    bug(
        "fourth-pan-sum-top-bit",
        "pan-sum",
        NOISE,
        "random words have their top bit set: one coin is always 1",
        3000,
        against("pan-sum", [shifted(TOP, 3), shifted(TOP, 2)], 3000),
        initial=lambda self, rng: top_bit_set(self, 0, rng),
        output=top_bit_set,
    ),
    bug(
        "fourth-geometric-library-p",
        "geometric",
        NOISE,
        "the library's geometric takes a success probability, but gets e^-eps",
        400,
        exp_eps=1 / (1 - math.exp(-1)),
    ),
    bug(
        "fourth-or-fall-through",
        "randomized-or-some",
        NOISE,
        "missing else: the coin 1/(2e^eps) overwrites the fair one",
        400,
        high=1 / (2 * math.e),
    ),
    bug(
        "fourth-binomial-waits",
        "binomial-uneven",
        NOISE,
        "jumps from one to one leave out the one's own place",
        400,
        against("binomial-uneven", [waits_law()], 400),
        noise=waits_without_the_one,
    ),
)

# --- the parameters ----------------------------------------------------------------------------------------------

C1 = (math.e + 1) / (math.e - 1)
C2 = (math.exp(2) + 1) / (math.exp(2) - 1)
C4 = (math.exp(4) + 1) / (math.exp(4) - 1)
LAM = math.ceil(40 * C4**2 * math.log(2) * 2 / 0.1)
VARIANCE = (2 / 6) ** 2 * 2 * (2 * (6 / 2 + LAM / 4) ** 2 + 5 * LAM / 16)

PARAMETER_BUGS = (
    bug(
        "fourth-pan-sum-unsquared",
        "pan-sum-formula",
        PARAMETERS,
        "(e^eps+1)/(e^eps-1) is not squared in lam",
        200,
        lam=math.ceil(20 * C2 * math.log(100)),
    ),
    bug(
        "fourth-binomial-coth-eps",
        "binomial-formula",
        PARAMETERS,
        "l has (e^2eps+1)/(e^2eps-1): coth(eps) for coth(eps/2)",
        200,
        l=math.ceil(10 * C2**2 * math.log(200) / 0.5),
    ),
    bug(
        "fourth-binary-original-p",
        "binary-sum-formula",
        PARAMETERS,
        "p is Balcer and Cheu's original 1 - 50 ln(2/delta)/(eps^2 n)",
        200,
        flip=1 - 50 / 64 / 130 * math.log(200),
    ),
    bug(
        "fourth-distinct-sigma-precedence",
        "distinct-formula",
        PARAMETERS,
        "m uses log(e^eps + 1/delta) for log((e^eps+1)/delta)",
        200,
        CERTAIN,
        m=math.floor(math.log2(math.e + 100)) + 2,
    ),
    bug(
        "fourth-distinct-power-precedence",
        "distinct-few-messages",
        PARAMETERS,
        "x ** 1/n in p' is (x ** 1)/n, not the root",
        200,
        p_prime=(1 - (1 - math.exp(-1)) / 5) / 2,
    ),
    bug(
        "fourth-geometric-log10",
        "geometric-wide",
        PARAMETERS,
        "eps is log10(e^eps), not the natural logarithm",
        300,
        exp_eps=math.exp(math.log10(1.25)),
    ),
    bug(
        "fourth-hashed-c-in-power",
        "hashed-wide",
        PARAMETERS,
        "c stands inside the power: (c n)^(4/3) hash values",
        200,
        CERTAIN,
        labels=math.ceil(6 ** (4 / 3)),
    ),
    bug(
        "fourth-uniformity-log-of-2",
        "uniformity-formula",
        PARAMETERS,
        "lam has ln(2) * k/delta for ln(2k/delta)",
        200,
        lam=LAM,
        mean=Fraction(LAM, 6),
        tau=4 * LAM / 24 + math.sqrt(2 * VARIANCE),
    ),
    bug(
        "fourth-pan-uniformity-third",
        "pan-uniformity",
        PARAMETERS,
        "n' is Bin(n/3, 2/9): the stream's length for n",
        300,
        used=lambda self, rng: binomial(rng, self.n // 3, self.share),
    ),
    bug(
        "fourth-two-bit-keeps",
        "two-bit-sum-dropouts",
        PARAMETERS,
        "p is taken for the probability to keep a bit",
        200,
        flip=0.9,
    ),
    bug(
        "fourth-pan-histogram-doubled",
        "pan-histogram",
        PARAMETERS,
        "lam is doubled, as a changed element touches two bins",
        200,
        lam=60,
    ),
    bug(
        "fourth-negbin-swapped",
        "negative-binomial-rare",
        PARAMETERS,
        "l and 1/p are swapped: ten successes of probability 1/2",
        300,
        l=10,
        flip=0.5,
    ),
)


BUGS = NOISES + PARAMETER_BUGS
