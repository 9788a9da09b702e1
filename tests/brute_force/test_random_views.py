"""Random small parameters of every protocol: what is printed encloses a sum over all outcomes, and never rises.

The laws are written down here from the definitions, in fractions; e^eps and the parameters are rational.  Of a law on
infinitely many outcomes some are listed, and what is missing widens what is known.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import factorial
from random import Random

import mpmath
import pytest

from panshuffle import protocol
from panshuffle.arguments import PROTOCOLS
from tests.unit.laws import binomial, image, independent, parity_pool

POINTS = 6
"""For each protocol in the default run; the full one has fifty times as many, and ten times where a sum is long."""
LONG = ("compressed-uniformity", "uniformity")


def gained(upper, lower, e):
    return sum((max(mass - e * lower.get(x, 0), 0) for x, mass in upper.items()), Fraction(0))


def worst(pairs, e):
    """(lower, upper) of delta over pairs of laws, both directions; a missing mass of `lower` costs e times itself."""
    found = max(gained(*pair, e) for a, b in pairs for pair in ((a, b), (b, a)))
    missing = max(1 - sum(law.values()) for pair in pairs for law in pair)
    return found - e * missing, found + missing


def moved(law, by=1):
    return {x + by: mass for x, mass in law.items()}


def some(random, *values):
    return random.choice(values)


def chance(random, most=1):
    size = some(random, 5, 20, 1000)
    return Fraction(random.randint(1, size - 1), size) * most


@cache
def cut_poisson(mean):
    """Pois(mean) rounded down to fractions of 10^50, up to where hardly anything is left."""
    with mpmath.workdps(70):
        top = int(mean) + 60
        masses = [mpmath.exp(-mpmath.mpf(mean.numerator) / mean.denominator) for _ in range(top)]
        scale = [mpmath.mpf(mean.numerator) ** x / mpmath.mpf(mean.denominator) ** x / factorial(x) for x in range(top)]
        return {x: Fraction(int(a * b * 10**50), 10**50) for x, (a, b) in enumerate(zip(masses, scale, strict=True))}


def binomial_noise(random):
    l, p = random.randint(0, 12), chance(random)
    return {"l": l, "p": p}, [(binomial(l, p), moved(binomial(l, p)))]


def fair_noise(random):
    lam = random.randint(1, 12)
    law = binomial(lam, Fraction(1, 2))
    return {"lam": lam, "n": 3}, [(law, moved(law))]


def users_noise(random):
    n, p = random.randint(1, 9), chance(random)
    users = random.randint(1, n)
    law = binomial(users, p)
    return {"n": n, "p": p, "gamma": Fraction(users, n)}, [(law, moved(law))]


def two_bins(law):
    """One bin one up against the other one up."""
    return [(independent(moved(law), law), independent(law, moved(law)))]


def histogram_of_users(random):
    n, p = random.randint(1, 6), chance(random)
    users = random.randint(1, n)
    return {"n": n, "k": random.randint(2, 5), "p": p, "gamma": Fraction(users, n)}, two_bins(binomial(users, p))


def fair_histogram(random):
    lam = random.randint(1, 7)
    return {"n": 4, "k": random.randint(2, 5), "lam": lam}, two_bins(binomial(lam, Fraction(1, 2)))


def responses(users, ones, m, p):
    """The sum where so many of the users hold 1: each sends m bits, which are flipped with probability p."""
    both = independent(binomial(m * ones, 1 - p), binomial(m * (users - ones), p))
    return image(both, sum)


def poisson_binomial(random):
    n, m, p = random.randint(1, 5), random.randint(1, 3), chance(random, Fraction(1, 2))
    laws = [responses(n, ones, m, p) for ones in range(n + 1)]
    return {"n": n, "m": m, "p": p}, list(pairwise(laws))


def two_bits(random):
    n, p = random.randint(1, 4), chance(random, Fraction(1, 2))
    laws = [responses(n, ones, 1, p) for ones in range(n + 1)]
    pairs = []
    for a, b in product(range(n), repeat=2):
        for (a1, a2), (b1, b2) in product(((a, a + 1), (a + 1, a)), ((b, b + 1), (b, b))):
            pairs.append((independent(laws[a1], laws[b1]), independent(laws[a2], laws[b2])))
            pairs.append((independent(laws[a1], laws[b2]), independent(laws[a2], laws[b1])))
    return {"n": n, "p": p}, pairs


def geometric(random):
    s, reach = chance(random), 10
    tails = s ** (reach + 1) / (1 + s)
    law = {x: (1 - s) / (1 + s) * s ** abs(x) for x in range(-reach, reach + 1)}
    # the ratio of the shifted law is the same everywhere beyond: a whole tail is one outcome
    upper = {**law, "left": tails, "right": tails}
    lower = {x: upper[x - 1] for x in range(1 - reach, reach + 1)}
    lower |= {-reach: tails * (1 - s), "left": tails * s, "right": tails / s}
    return {"n": 2, "k": 3, "exp-eps": 1 / s}, [(upper, lower)]


def randomized_or(random):
    e = 1 + 3 * chance(random)
    laws = ({1: Fraction(1, 2), 0: Fraction(1, 2)}, {1: 1 / (2 * e), 0: 1 - 1 / (2 * e)})
    return {"n": 3, "exp-eps": e}, [laws]


def poisson_pools(random, **others):
    """(1 + O, Z) x (O', 1 + Z') against the exchange: the ratios of one pool, those of the other, and their masses."""
    lam = Fraction(random.randint(1, 8), 20)
    noise = {x: mass for x, mass in cut_poisson(lam / 2).items() if x < 7}
    one, zero = independent(moved(noise), noise), independent(noise, moved(noise))
    cells = sorted(one.keys() | zero.keys())
    upper, lower = {}, {}
    for i, j in product(cells, repeat=2):
        upper[i, j] = one.get(i, Fraction(0)) * zero.get(j, Fraction(0))
        lower[i, j] = zero.get(i, Fraction(0)) * one.get(j, Fraction(0))
    return {"k": 4, "lam": lam, **others}, [(upper, lower)]


def parity_pools(random, **others):
    """The pools of the old and the new element, over all backgrounds of the other users."""
    n, k, m = random.randint(1, 3), random.randint(2, 4), random.randint(1, 3)
    users, q = random.randint(1, n), Fraction(random.randint(1, 9), 10)

    def pool(holders):
        return parity_pool([Fraction(1, 2)] * holders + [(1 - q) / 2] * (users - holders), m)

    pairs = []
    for a in range(users):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            pairs.append((independent(pool(a + 1), pool(b)), independent(pool(a), pool(b + 1))))
    return {"n": n, "k": k, "q": q, "m": m, "gamma": Fraction(users, n), **others}, pairs


def one_parity_pool(random):
    letters, _ = parity_pools(random)
    users, m, q = int(letters["n"] * letters["gamma"]), letters["m"], letters["q"]
    laws = [parity_pool([Fraction(1, 2)] * c + [(1 - q) / 2] * (users - c), m) for c in range(users + 1)]
    return {**letters, "pool": True}, list(pairwise(laws))


def one_poisson_pool(random):
    lam = Fraction(random.randint(1, 60), 20)
    noise = cut_poisson(lam / 2)
    return {"k": 4, "lam": lam, "pool": True}, [(independent(moved(noise), noise), independent(noise, moved(noise)))]


def one_bin(random):
    letters, _ = histogram_of_users(random)
    law = binomial(int(letters["n"] * letters["gamma"]), letters["p"])
    return {**letters, "pool": True}, [(law, moved(law))]


SWEEPS = {
    "binary-sum": (users_noise,),
    "binomial": (binomial_noise,),
    "compressed-uniformity": (lambda random: poisson_pools(random, **{"k-hat": 2}),),
    "distinct-elements": (parity_pools, one_parity_pool),
    "geometric-distinct-elements": (geometric,),
    "pan-histogram": (fair_histogram,),
    "pan-sum": (fair_noise,),
    "poisson-binomial": (poisson_binomial,),
    "randomized-or": (randomized_or,),
    "shuffle-histogram": (histogram_of_users, one_bin),
    "two-bit-sum": (two_bits,),
    "uniformity": (poisson_pools, one_poisson_pool),
}
ELSEWHERE = {
    "hashed-distinct-elements": "every hash function, in test_views",
    "modular-sum": "delta is 1; its total variations, in test_modular_sum and test_views",
    "pan-distinct-elements": "every stream and time, in test_views",
    "pan-uniformity": "from both sides, in test_views_poisson",
}
NOISE = {
    "l": {"binomial": {}},
    "lam": {
        "compressed-uniformity": {"k": 1000, "k-hat": 7},
        "pan-histogram": {"n": 9, "k": 4},
        "pan-sum": {"n": 9},
        "pan-uniformity": {"n": 30, "k": 4},
        "uniformity": {"k": 100},
    },
    "gamma": {
        "binary-sum": {"n": 1200, "p": "9/10"},
        "distinct-elements": {"n": 12, "k": 3, "m": 2, "eps": 1},
        "hashed-distinct-elements": {"n": 12, "k": 300, "m": 3, "eps": 2},
        "poisson-binomial": {"n": 24, "m": 2, "p": "1/3"},
        "shuffle-histogram": {"n": 240, "k": 9, "p": "1/2"},
        "two-bit-sum": {"n": 24, "p": "1/5"},
        "uniformity": {"k": 100, "lam": 24},
    },
}
"""More of a letter is more noise, which is post-processing, for these protocols; m is no such letter."""
AMOUNTS = {"l": (1, 400), "lam": (1, 30), "gamma": (1, 12)}


def asked(name, letters, e):
    """The enclosure that is printed, as fractions."""
    given = {letter.replace("-", "_"): value for letter, value in letters.items()}
    flags = {"pool": given.pop("pool", None)}
    found = protocol(name, **given).privacy(at_exp_eps=e, **{flag: True for flag, value in flags.items() if value})
    return Fraction(found.lower), Fraction(found.upper)


def factors(random):
    """A few e^eps, rising."""
    found = {Fraction(1), 1 + chance(random), 1 + 4 * chance(random), Fraction(random.randint(2, 40))}
    return sorted(random.sample(sorted(found), 2))


def test_every_protocol_is_swept_here_or_elsewhere():
    assert SWEEPS.keys() | ELSEWHERE.keys() == set(PROTOCOLS)


@pytest.mark.parametrize("name", SWEEPS)
def test_what_is_printed_encloses_the_sum_over_all_outcomes(name, sweep_factor):
    """Two e^eps at a time, at which the enclosures never contradict that delta falls."""
    random = Random(f"panshuffle views: {name}")
    more = 5 if sweep_factor > 1 and name not in LONG else 1
    for _ in range(POINTS * sweep_factor * more // 2):
        letters, pairs = random.choice(SWEEPS[name])(random)
        before = Fraction(1)
        for e in factors(random):
            (low, high), (least, most) = asked(name, letters, e), worst(pairs, e)
            assert low <= most, (letters, e)
            assert least <= high, (letters, e)
            assert low <= before, (letters, e)
            before = high


@pytest.mark.parametrize(("letter", "name"), [(letter, name) for letter in NOISE for name in NOISE[letter]])
def test_more_noise_and_more_eps_never_contradict_less(letter, name, sweep_factor):
    """Enclosures at larger sizes: none lies above one for less noise, or for a smaller eps."""
    random = Random(f"panshuffle noise: {letter} of {name}")
    for _ in range(sweep_factor):
        amounts = sorted(random.sample(range(AMOUNTS[letter][0], AMOUNTS[letter][1] + 1), 2))
        rising = [Fraction(amount, 12) if letter == "gamma" else amount for amount in amounts]
        factor = factors(random)
        found = {
            (i, j): asked(name, {**NOISE[letter][name], letter: amount}, e)
            for (i, amount), (j, e) in product(enumerate(rising), enumerate(factor))
        }
        for (i, j), (x, y) in product(found, repeat=2):
            if i <= x and j <= y:
                assert found[x, y][0] <= found[i, j][1], (rising, factor)
