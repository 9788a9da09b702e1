"""The questions: a mechanism, how often it runs, and delta at an eps or eps at a delta, with the exact answer.

Every number of a question that is not whole is a double and means exactly that double, so that nobody is blamed for
rounding it: eps = 0.2 is 0.200000000000000011102230246251565404236316680908203125.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, log, sqrt
from typing import Any

from flint import arb, ctx
from panshuffle.exact.curves.composition import composed_delta
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import Law, Masses, enclosed_law, law_of_bernoulli, law_of_binomial, shift
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta
from panshuffle.exact.pairs.parity_pair import Change
from panshuffle.exact.randomizers.randomizer import named_randomizer
from panshuffle.exact.randomizers.shuffled_view import BALL_BITS, shuffled_view
from panshuffle.exact.randomizers.shuffled_view import Case as HiddenUser
from panshuffle.exact.real import HALF, Real, exp, real
from panshuffle.exact.real import log as log_of
from panshuffle.exact.views import distinct_elements, uniformity
from panshuffle.exact.views.binomial import shift_curve

DELTA, EPSILON = "delta", "epsilon"
NOISE, SHUFFLE = "noise", "shuffle"


@dataclass(frozen=True)
class Question:
    """delta at eps = `at`, or eps at delta = `at`, of k independent runs of a mechanism.

    >>> print(Question("gaussian", {"sigma": 2.0}, DELTA, 0.5, k=3))
    gaussian, sigma = 2.0, 3 times: delta at eps = 0.5
    """

    mechanism: str
    parameters: Mapping[str, float]
    quantity: str
    at: float
    k: int = 1

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter: a whole number or a double."""
        return self.parameters[name]

    def __hash__(self) -> int:
        return hash(str(self))

    def exact(self, name: str) -> Real:
        """The value of a parameter, as the exact number that it is."""
        return Real(Fraction(self[name]))

    @property
    def name(self) -> str:
        """A name that is unique among the questions and has no spaces."""
        runs = [f"k={self.k}"] if self.k > 1 else []
        given = [f"{name}={value:g}" for name, value in self.parameters.items()]
        return ":".join([self.mechanism, *given, *runs, f"{self.quantity}@{self.at:g}"])

    def __str__(self) -> str:
        given = ", ".join(f"{name} = {value!r}" for name, value in self.parameters.items())
        runs, place = f", {self.k} times" if self.k > 1 else "", "eps" if self.quantity == DELTA else "delta"
        return f"{self.mechanism}, {given}{runs}: {self.quantity} at {place} = {self.at!r}"

    @property
    def curve(self) -> Curve:
        """The exact curve of the k runs."""
        return curve_of(self)


@lru_cache(maxsize=64)
def curve_of(question: Question) -> Curve:
    """The curve of a question, built once."""
    return MECHANISMS[question.mechanism].curve(question)


@dataclass(frozen=True)
class Mechanism:
    """What is asked about: its curve from a question, in words, and the group that it is selected with."""

    curve: Callable[[Question], Curve]
    says: str
    group: str = NOISE


def composed(upper: Law, lower: Law, k: int, pure: Real | None = None, limit: Real | None = None) -> Curve:
    """The curve of k runs of a pair of laws."""

    @lru_cache(maxsize=64)
    def ball(exp_eps: Real, narrow: bool) -> arb:
        return composed_delta(upper, lower, k, exp_eps, Fraction(1, 10**8 if narrow else 10**6))

    return Curve(lambda e, precision: ball(e, precision >= 96), None, pure, limit=real(0) if limit is None else limit)


def binomial(question: Question) -> Curve:
    """Bin(l, 1/2) against 1 + Bin(l, 1/2); two runs are also the pair of pools of a changed user."""
    l, k = question["l"], question.k
    if k == 1:
        return shift_curve(l, HALF)
    limit = 1 - exp(k * log_of(1 - real(2) ** -l))  # a run shows 0, which the other law never does
    if k == 2:
        return Curve(lambda exp_eps, precision: binomial_pair_delta(l, HALF, exp_eps, precision), limit=limit)
    upper = law_of_binomial(l, HALF, enclosed=True)
    return composed(upper, shift(upper, 1), k, limit=limit)


def two_outcomes(lie: Real, question: Question) -> Curve:
    """k outcomes, each less likely than the other one by the factor lie/(1 - lie), in either direction."""
    k = question.k
    upper, lower = law_of_bernoulli(1 - lie), law_of_bernoulli(lie)
    return Curve(
        lambda exp_eps, precision: composed_delta(upper, lower, k, exp_eps, Fraction(1, 1 << precision)),
        None,
        ((1 - lie) / lie) ** k,
    )


def geometric(question: Question) -> Curve:
    """Noise with mass in proportion to e^(-a|v|): the ratio is e^a up to 0 and e^-a from 1 on."""
    return two_outcomes(1 / (1 + exp(question.exact("a"))), question)


def gaussian(question: Question) -> Curve:
    """N(0, sigma^2) against N(1, sigma^2): with mu = sqrt(k)/sigma the two normal tails of the closed form."""

    def tail(x: arb) -> arb:
        return (x / arb(2).sqrt()).erfc() / 2

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(2 * precision + 64):
            mu, eps = arb(question.k).sqrt() / question.exact("sigma").ball_here(), log_of(exp_eps).ball_here()
            return tail(eps / mu - mu / 2) - exp_eps.ball_here() * tail(eps / mu + mu / 2)

    return Curve(ball)


def discrete_gaussian(question: Question) -> Curve:
    """V against V + 1, with masses in proportion to e^(-v^2/(2 sigma^2)) on the integers."""
    sigma = question.exact("sigma")

    def enclose(precision: int) -> Masses:
        with ctx.workprec(precision + 32):
            scale = 1 / (2 * sigma.ball_here() ** 2)
            count = ceil(float(sigma) * sqrt(1.4 * (precision + 16))) + 2
            weights = [(-scale * (v * v)).exp() for v in range(count + 2)]
            rest = (2 * weights[count] / (1 - weights[count + 1] / weights[count])).upper()  # as ratios decrease
            total = weights[0] + 2 * sum(weights[1:count], arb(0)) + arb(0).union(rest)
            return Masses({v: weights[abs(v)] / total for v in range(1 - count, count)}, rest)

    upper = enclosed_law(enclose)
    return composed(upper, shift(upper, 1), question.k)


def shuffled(name: str) -> Callable[[Question], Curve]:
    """A named randomizer of n users behind a shuffler, over all neighbours."""

    def curve(question: Question) -> Curve:
        randomizer = named_randomizer(name, question["values"], exp(question.exact("eps0")))
        return shuffled_view(randomizer, question["n"]).view.curve

    return curve


def flipped_bits(question: Question) -> Curve:
    """Cheu and Zhilyaev (2022): a vector with a single 1 among n - 1 zero vectors, every bit flipped."""
    n, f = question["n"], question.exact("f")
    first, last = (1 - f, f), (f, 1 - f)
    rows = zip(*(bit_pairs(*pair) for pair in (first, last, (f, f))), strict=True)
    hidden = HiddenUser.of(rows, complete=True)
    return Curve(lambda exp_eps, _: hidden.delta(n, exp_eps.ball(BALL_BITS)), None, ((1 - f) / f) ** 2)


def bit_pairs(first: Real, last: Real) -> list[Real]:
    """The probabilities of 10, 01, 00 and 11, from those that the two bits are set."""
    return [first * (1 - last), (1 - first) * last, (1 - first) * (1 - last), first * last]


def parity_pool(question: Question) -> Curve:
    """The pool of the distinct elements protocol."""
    users, holders, m = (question[name] for name in ("users", "holders", "m"))
    gained = Change(users, m, question.exact("q"), ways=(True,))
    return distinct_elements.given_view(gained, (holders,)).curve


MECHANISMS = {
    "binomial-noise": Mechanism(binomial, "a count with Bin(l, 1/2) added, sensitivity 1"),
    "poisson-pool": Mechanism(
        lambda question: uniformity.pool_curve(question.exact("mu")),
        "two Poisson counts of mean mu, one more in the first or one more in the second",
    ),
    "poisson-pair": Mechanism(
        lambda question: uniformity.pair_curve(question.exact("mu")), "two such pools, one changed in each direction"
    ),
    "parity-pool": Mechanism(
        parity_pool,
        "the ones among m messages of each user; holders send uniform bits, the others bits whose parity is 1 with "
        "probability (1-q)/2; one more user becomes a holder",
    ),
    "randomized-response": Mechanism(
        lambda question: two_outcomes(question.exact("p"), question),
        "a bit that is reported wrongly with probability p",
    ),
    "geometric": Mechanism(geometric, "noise with mass in proportion to e^(-a|v|) on the integers, sensitivity 1"),
    "gaussian": Mechanism(gaussian, "noise N(0, sigma^2), sensitivity 1"),
    "discrete-gaussian": Mechanism(
        discrete_gaussian, "noise with mass in proportion to e^(-v^2/(2 sigma^2)) on the integers, sensitivity 1"
    ),
    "shuffled-response": Mechanism(
        shuffled("k-ary"),
        "one of `values` values, reported with odds e^eps0 against each other one, by n users behind a shuffler",
        SHUFFLE,
    ),
    "symmetric-unary": Mechanism(
        shuffled("unary-symmetric"),
        "RAPPOR: a bit for each of `values` values, set for the own one, each flipped with probability "
        "1/(1 + e^(eps0/2)); n users behind a shuffler",
        SHUFFLE,
    ),
    "flipped-bits": Mechanism(
        flipped_bits,
        "a vector of bits with a single 1, among n - 1 vectors of zeros, every bit flipped with probability f",
        SHUFFLE,
    ),
}

LIE = 0.3775406687981454  # the double next to 1/(1 + e^0.5): eps0 = 0.5 but for rounding


def ask(mechanism: str, quantity: str, at: float, k: int = 1, **parameters: float) -> Question:
    """A question."""
    return Question(mechanism, parameters, quantity, at, k)


QUESTIONS = (
    ask("binomial-noise", DELTA, 0.2, l=1000),
    ask("binomial-noise", DELTA, 1.0, l=1000),
    ask("binomial-noise", EPSILON, 1e-6, l=1000),
    ask("binomial-noise", EPSILON, 0.0, l=2000),
    ask("binomial-noise", DELTA, 0.01, l=10**6),
    ask("binomial-noise", DELTA, 0.001, l=10**8),
    ask("binomial-noise", DELTA, 3.1e-7, l=10**15),
    ask("binomial-noise", DELTA, 0.2, k=2, l=10**4),
    ask("binomial-noise", EPSILON, 1e-6, k=256, l=1000),
    ask("binomial-noise", DELTA, 10.0, k=4096, l=10**4),
    ask("binomial-noise", EPSILON, 1e-12, k=4096, l=10**4),
    ask("poisson-pool", DELTA, 0.5, mu=100.0),
    ask("poisson-pool", EPSILON, 1e-6, mu=100.0),
    ask("poisson-pair", DELTA, 1.0, mu=10.0),
    ask("parity-pool", DELTA, 0.5, users=10, holders=1, m=3, q=0.9),
    ask("randomized-response", DELTA, 10.0, k=20, p=0.25),
    ask("randomized-response", EPSILON, 1e-6, k=20, p=0.25),
    ask("randomized-response", DELTA, 90.0, k=200, p=LIE),
    ask("randomized-response", EPSILON, 1e-13, k=200, p=LIE),
    ask("geometric", EPSILON, 1e-6, k=30, a=0.5),
    ask("gaussian", DELTA, 2.9, k=10, sigma=5.0),
    ask("gaussian", EPSILON, 1e-6, k=10, sigma=5.0),
    ask("gaussian", EPSILON, 1e-13, k=10**4, sigma=100.0),
    ask("gaussian", EPSILON, 1e-18, k=100, sigma=20.0),
    ask("discrete-gaussian", DELTA, 0.5, sigma=10.0),
    ask("discrete-gaussian", EPSILON, 1e-6, k=64, sigma=10.0),
    ask("shuffled-response", DELTA, log(1.75), values=3, n=2, eps0=log(2)),
    ask("shuffled-response", EPSILON, 1e-6, values=3, n=100, eps0=3.0),
    ask("shuffled-response", EPSILON, 1e-6, values=2, n=100, eps0=1.0),
    ask("shuffled-response", EPSILON, 1e-6, values=4, n=1000, eps0=1.0),
    ask("shuffled-response", EPSILON, 1e-6, values=2, n=10**4, eps0=4.0),
    ask("symmetric-unary", DELTA, 0.5, values=3, n=2, eps0=log(4)),
    ask("flipped-bits", DELTA, 1.0, n=2, f=0.25),
    ask("flipped-bits", EPSILON, 1e-6, n=100, f=0.25),
)
"""Mechanism by mechanism; those that everybody gets right are as welcome as the others."""


def chosen(names: Iterable[str] | None) -> tuple[Question, ...]:
    """The questions of these groups or mechanisms or with these names; all where nothing is named.

    *Raises* `InputError` for a name that matches nothing.
    """
    wanted = list(names or ())
    keys = {
        question: (MECHANISMS[question.mechanism].group, question.mechanism, question.name) for question in QUESTIONS
    }
    for name in wanted:
        if not any(name in known for known in keys.values()):
            groups = ", ".join((NOISE, SHUFFLE, *MECHANISMS))
            raise InputError(f"question = {name} is not known: it must be the name of one (see --list) or of {groups}")
    return tuple(question for question in QUESTIONS if not wanted or set(wanted) & set(keys[question]))
