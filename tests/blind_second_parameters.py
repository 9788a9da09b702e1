"""Second zoo: parameters that are off by one, misread, or derived by a formula that is a little wrong."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_second_laws import binomial_law, central_noise, moved, negative_binomial_law, poisson_law
from tests.blind_zoo_bug import CERTAIN, PARAMETERS, Bug, bug
from tests.blind_zoo_draws import Law, divergence
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import exponential


def formula_coins(constant: float, log_of: float) -> int:
    """ceil(constant * c^2 * ln(log_of) * 2), the binomial mechanism's number of coins at p = 1/2."""
    return math.ceil(2 * constant * machine("binomial-formula").c_squared * math.log(log_of))


def share_of(eps_scale: Fraction, scene: str) -> float:
    """p' for an eps that is multiplied by a number."""
    right = machine(scene)
    return (1 - (1 - float(right.exp_eps) ** -float(eps_scale)) ** (1 / right.n)) / 2


def elements_left(share: float) -> Law:
    """The law of the elements still to be used after t of them, in the scene pan-uniformity."""
    right = machine("pan-uniformity")
    return moved(binomial_law(right.n, share), lambda used: max(0, min(used, right.n // 3) - right.t))


def wrong(name: str, scene: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    return bug(f"second-{name}", scene, PARAMETERS, cause, runs, evidence, **changes)


BUGS: tuple[Bug, ...] = (
    wrong("coins-l-less-1", "binomial", "one coin too few: l - 1", 1500, l=39),
    wrong("coins-l-plus-1", "binomial-uneven", "one coin too many: l + 1", 3000, l=31),
    wrong("coins-p-28", "binomial-uneven", "p is 0.28 instead of 0.3", 1000, p=Fraction(28, 100)),
    wrong("coins-p-complement", "binomial-uneven", "noise has parameter 1 - p instead of p", 64, p=Fraction(7, 10)),
    wrong(
        "coins-log-1-over-delta",
        "binomial-formula",
        "ln(1/delta) instead of ln(2/delta)",
        400,
        l=formula_coins(10, 100),
    ),
    wrong(
        "coins-log2",
        "binomial-formula",
        "binary logarithm in the formula of l",
        64,
        l=math.ceil(20 * machine("binomial-formula").c_squared * math.log2(200)),
    ),
    wrong("coins-floor", "binomial-formula", "l rounded down instead of up", 20000, l=formula_coins(10, 200) - 1),
    wrong("failures-l-plus-1", "negative-binomial", "waits for l + 1 successes", 300, l=6),
    wrong("failures-p-at-3-10", "negative-binomial", "p read as 0.3 instead of 1/3", 1500, flip=0.3),
    wrong("failures-p-at-0-33", "negative-binomial", "p read as 0.33 instead of 1/3", 20000, flip=0.33),
    central_noise(
        "second-failures-p-11",
        "negative-binomial-rare",
        "p is 0.11 instead of 0.1",
        3000,
        negative_binomial_law(2, 0.11),
        PARAMETERS,
    ),
    wrong("skellam-lam-9", "skellam", "lam is 9 instead of 10", 6000, mean=Fraction(9, 2)),
    wrong(
        "skellam-ignores-gamma",
        "skellam-dropouts",
        "noise for all n users although half of them take part",
        1000,
        mean=Fraction(3),
    ),
    wrong("geometric-eps-halved", "geometric", "eps/2 instead of eps", 200, exp_eps=exponential("1/2")),
    wrong("geometric-e-as-3", "geometric", "e^eps taken as 3", 3000, exp_eps=Fraction(3)),
    wrong("geometric-eps-is-exp", "geometric-wide", "exp-eps read as eps", 64, exp_eps=exponential("5/4")),
    wrong("or-eps-doubled", "randomized-or", "2 eps instead of eps", 400, low=Fraction(1, 18)),
    wrong("or-low-15", "randomized-or", "chance of a false 1 is 0.15 instead of 1/6", 20000, low=Fraction(15, 100)),
    wrong("or-high-52", "randomized-or-some", "the coin of a true OR is 0.52", 20000, high=Fraction(52, 100)),
    wrong("zsum-p-at-0-3", "binary-sum", "p truncated to one digit", 1500, p=Fraction(3, 10)),
    wrong("zsum-p-half", "binary-sum-large", "p is 1/2 instead of 3/4", 64, p=Fraction(1, 2)),
    wrong("zsum-p-at-74", "binary-sum-large", "p is 0.74 instead of 3/4", 1500, p=Fraction(74, 100)),
    wrong(
        "zsum-formula-n-less-1",
        "binary-sum-formula",
        "the formula of p divides by n - 1",
        20000,
        p=1 - (1 - machine("binary-sum-formula").p) * 130 / 129,
    ),
    wrong(
        "zsum-formula-delta",
        "binary-sum-formula",
        "ln(1/delta) instead of ln(2/delta) in p",
        200,
        p=1 - 10 * machine("binary-sum-formula").c_squared * math.log(100) / 130,
    ),
    wrong("modular-m-plus-1", "modular", "m + 1 shares", 64, CERTAIN, m=5),
    wrong("modular-m-less-1", "modular-dropouts", "m - 1 shares", 64, CERTAIN, m=2),
    wrong("distinct-n-users-less-1", "distinct", "p' for n - 1 users", 5000, p_prime=(1 - (1 - 1 / 2) ** (1 / 5)) / 2),
    wrong("distinct-p-not-halved", "distinct", "p' lacks the factor 1/2", 400, p_prime=1 - (1 / 2) ** (1 / 6)),
    wrong(
        "distinct-eps-doubled",
        "distinct-few-messages",
        "p' for 2 eps",
        2000,
        p_prime=share_of(Fraction(2), "distinct-few-messages"),
    ),
    wrong(
        "distinct-p-close",
        "distinct-few-messages",
        "p' for 1.1 eps",
        20000,
        p_prime=share_of(Fraction(11, 10), "distinct-few-messages"),
    ),
    wrong("distinct-k-plus-1", "distinct", "a pool for the element k + 1", 64, CERTAIN, labels=5),
    wrong("histogram-p-at-55", "histogram", "p is 0.55 instead of 1/2", 500, p=Fraction(55, 100)),
    wrong("histogram-p-at-2-3", "histogram-uneven", "p is 2/3 instead of 3/4", 150, p=Fraction(2, 3)),
    wrong("copies-p-over-2", "poisson-binomial", "flips with p/2", 200, p=Fraction(1, 8)),
    wrong("copies-m-4", "poisson-binomial", "m + 1 copies of each bit", 64, CERTAIN, m=4),
    wrong("two-bit-p-at-24", "two-bit-sum", "p is 0.24 instead of 1/4", 8000, p=Fraction(24, 100)),
    wrong("uniformity-lam-21", "uniformity", "lam is 21 instead of 20", 400, lam=Fraction(21)),
    wrong(
        "uniformity-mean-integer", "uniformity-dropouts", "lam/n for the users who take part", 100, mean=Fraction(12, 8)
    ),
    wrong(
        "uniformity-formula-k-missing",
        "uniformity-formula",
        "ln(2/delta) instead of ln(2k/delta) in lam",
        64,
        mean=Fraction(math.ceil(40 * machine("uniformity-formula").c_squared * math.log(20)), 6),
    ),
    wrong("pan-sum-lam-25", "pan-sum", "lam + 1 coins each time", 2000, lam=25),
    wrong(
        "pan-sum-formula-half",
        "pan-sum-formula",
        "10 instead of 20 in the formula of lam",
        64,
        lam=math.ceil(10 * machine("pan-sum-formula").c_squared * math.log(100)),
    ),
    wrong("pan-sum-coin-51", "pan-sum-end", "a coin of 0.51", 4000, chance=0.51),
    wrong("pan-histogram-lam-split", "pan-histogram", "lam divided among the pools", 64, lam=7),
    wrong(
        "pan-distinct-stream-users",
        "pan-distinct",
        "p' for the n/3 users of the stream",
        400,
        p_prime=(1 - (1 / 2) ** (1 / 4)) / 2,
    ),
    wrong(
        "compressed-lam-18",
        "compressed",
        "lam is 18 instead of 15",
        200,
        200 * 3 * divergence(poisson_law(18), poisson_law(15)),
        lam=Fraction(18),
    ),
    wrong(
        "pan-uniformity-share-1-3",
        "pan-uniformity",
        "n' is Bin(n, 1/3) instead of Bin(n, 2/9)",
        300,
        300 * divergence(elements_left(1 / 3), elements_left(2 / 9)),
        share=Fraction(1, 3),
    ),
    wrong("hashed-c-2", "hashed", "twice as many hash values as asked", 64, CERTAIN, c=Fraction(2)),
)
