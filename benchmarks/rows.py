"""The rows of the table: what we compute, who else does, and the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from benchmarks import peers
from exact.accuracy.tester import uniform_law
from exact.accuracy.uniformity import Statistic, total_law
from exact.curves.composition import composed_delta
from exact.laws.families import law_of_binomial
from exact.laws.law import Law, rational_law
from exact.numbers.real import Real, real
from exact.pairs.opposite_shifts import binomial_pair_delta, poisson_pool_delta
from exact.pairs.parity_pair import distinct_delta
from exact.pairs.shift import shift_cut, shift_delta
from exact.parameters import threshold

HALF = real("1/2")
NUDGE = real("1e-12")
TESTER_SIZES = {10: 0.5, 100: 2.0, 1000: 10.0}
Answer = Callable[[int], object]


@dataclass(frozen=True)
class Row:
    """One question.  `ours` and the peers take a number that changes the question a little, so that no cache helps.

    `least_ratio` is the peer's time over ours that is asked for, against the peer `against`; `most_seconds` is a limit
    on our own time.
    """

    name: str
    ours: Answer
    peers: Mapping[str, Callable[[], Answer]] = field(default_factory=dict)
    against: str = ""
    least_ratio: float | None = None
    most_seconds: float | None = None


def near(exp_eps: str) -> Callable[[int], Real]:
    """e^eps, moved by i * 1e-12."""
    base = real(exp_eps)
    return lambda i: base + NUDGE * i


def binomial_laws(l: int) -> tuple[Law, Law]:
    """Bin(l, 1/2) and 1 + Bin(l, 1/2)."""
    law = law_of_binomial(l, HALF)
    return law, rational_law({x + 1: law.mass(x) for x in law.support()})


def shift_row(l: int = 10**6, exp_eps: str = "1.01") -> Row:
    """One binomial pool, five standard deviations out."""
    cut = shift_cut(l, HALF, real(exp_eps))
    others = {
        "dp-accounting, whole": lambda: peers.accounted_binomial(l, float(exp_eps), 1, False),
        "dp-accounting, window": lambda: peers.accounted_binomial(l, float(exp_eps), 1, True),
        "scipy": lambda: peers.scipy_shift(l, float(exp_eps), cut),
        "mpmath": lambda: peers.mpmath_shift(l, exp_eps, cut),
    }
    at = near(exp_eps)
    return Row(
        "binomial l=1e6, 5 sd, 30 digits",
        lambda i: shift_delta(l, HALF, at(i), 100),
        others,
        "dp-accounting, whole",
        3000,
    )


def pool_row(mu: int = 5000, exp_eps: str = "1.1") -> Row:
    """One pool of the uniformity tester."""
    others = {
        "dp-accounting, whole": lambda: peers.accounted_joint(mu, float(exp_eps)),
        "dp-accounting, composed": lambda: peers.accounted_counts(mu, float(exp_eps)),
        "scipy": lambda: peers.scipy_pool(mu, float(exp_eps)),
    }
    at = near(exp_eps)
    return Row(
        "Poisson pool mu=5000, 10 digits",
        lambda i: poisson_pool_delta(real(mu), at(i), 34),
        others,
        "dp-accounting, whole",
        500,
    )


def pair_row(digits: int, l: int = 10**6, exp_eps: str = "1.015") -> Row:
    """Two binomial pools."""
    others = {
        "dp-accounting, whole": lambda: peers.accounted_binomial(l, float(exp_eps), 2, False),
        "dp-accounting, window": lambda: peers.accounted_binomial(l, float(exp_eps), 2, True),
        "scipy": lambda: peers.scipy_pair(l, float(exp_eps)),
    }
    at, bits = near(exp_eps), digits * 10 // 3 + 1
    ratio = 30 if digits == 10 else None
    return Row(
        f"binomial pair l=1e6, {digits} digits",
        lambda i: binomial_pair_delta(l, HALF, at(i), bits),
        others,
        "dp-accounting, whole",
        ratio,
    )


def parity_row(users: int = 10**6) -> Row:
    """The pools of the distinct elements protocol, over every background."""
    at, share = near("2"), real(f"(1-exp(-1))^(1/{users})")
    return Row(
        "parity pools n=1e6, 10 digits", lambda i: distinct_delta(users, 3, 20, share, at(i), 34)[0], most_seconds=1e-3
    )


def composition_row(l: int = 1000, k: int = 256, exp_eps: str = "148.4131591025766") -> Row:
    """A long composition at relative width 1e-6."""
    others = {"dp-accounting, whole": lambda: peers.accounted_binomial(l, float(exp_eps), k, False)}
    at, width = near(exp_eps), Fraction(1, 10**6)
    return Row(
        "256-fold binomial l=1000, 6 digits",
        lambda i: composed_delta(*binomial_laws(l), k, at(i), width),
        others,
        "dp-accounting, whole",
        1,
    )


def flat_rows() -> dict[int, Answer]:
    """One binomial pool five standard deviations out, for l from 1e4 to 1e12."""

    def answer(d: int) -> Answer:
        base, step = 1 + Fraction(10, 10 ** (d // 2)), Fraction(1, 10**18)
        return lambda i: shift_delta(10**d, HALF, real(base + step * i), 100)

    return {10**d: answer(d) for d in (4, 6, 8, 10, 12)}


def tester_row(k: int, seconds: float) -> Row:
    """The exact law of the uniformity tester's statistic at lam = 300, ten samples an element: growth with k."""
    of = Statistic(real(10 * k), real(300), uniform_law(k))
    tau = threshold(k, real(300), real(10 * k))

    def answer(i: int) -> object:
        total_law.cache_clear()
        return of.chance_above(tau + NUDGE * i).ball(48)

    return Row(f"tester's law k={k}, 8 digits", answer, most_seconds=seconds)


def all_rows() -> list[Row]:
    """Every row with a peer or a limit."""
    compared = [shift_row(), pool_row(), pair_row(10), pair_row(25), parity_row(), composition_row()]
    return compared + [tester_row(k, limit) for k, limit in TESTER_SIZES.items()]
