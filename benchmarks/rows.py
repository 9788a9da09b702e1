"""The rows of the table: what we compute, who else does, and the target."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from os import environ
from pathlib import Path
from subprocess import DEVNULL, run
from tempfile import TemporaryDirectory

from panshuffle.exact.accuracy.tester import Statistic, total_law, uniform_law
from panshuffle.exact.curves.composition import composed_delta
from panshuffle.exact.laws.law import law_of_binomial, shift
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta, poisson_pool_delta
from panshuffle.exact.pairs.parity_pair import Change, LargePools
from panshuffle.exact.parameters import threshold
from panshuffle.exact.real import Real, real
from panshuffle.exact.views.binomial import shift_cut, shift_delta

from benchmarks import peers

ROOT = Path(__file__).resolve().parent.parent
HALF = real("1/2")
NUDGE = real("1e-12")
TESTER_SIZES = {10: 0.5, 100: 0.5, 1000: 0.3}
Answer = Callable[[int], object]


@dataclass(frozen=True)
class Row:
    """One question.  `ours` and the peers take a number that changes the question a little, so that no cache helps.

    `targets` has the peer's time over ours that is asked for, by peer; `most_seconds` is a limit on our own time.
    """

    name: str
    ours: Answer
    peers: Mapping[str, Callable[[], Answer]] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    most_seconds: float | None = None


def near(exp_eps: str) -> Callable[[int], Real]:
    """e^eps, moved by i * 1e-12."""
    base = real(exp_eps)
    return lambda i: base + NUDGE * i


def shift_row(l: int = 10**6, exp_eps: str = "1.01") -> Row:
    """One binomial pool, five standard deviations out."""
    cut, _ = shift_cut(l, HALF, real(exp_eps))
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
        {"dp-accounting, whole": 8000, "scipy": 1},
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
        {"dp-accounting, whole": 500, "scipy": 1},
    )


def pair_row(digits: int, l: int = 10**6, exp_eps: str = "1.015") -> Row:
    """Two binomial pools."""
    others = {
        "dp-accounting, whole": lambda: peers.accounted_binomial(l, float(exp_eps), 2, False),
        "dp-accounting, window": lambda: peers.accounted_binomial(l, float(exp_eps), 2, True),
        "scipy": lambda: peers.scipy_pair(l, float(exp_eps)),
    }
    at, bits = near(exp_eps), digits * 10 // 3 + 1
    targets = {"dp-accounting, whole": 30, "dp-accounting, window": 2, "scipy": 1} if digits == 10 else {}
    return Row(
        f"binomial pair l=1e6, {digits} digits",
        lambda i: binomial_pair_delta(l, HALF, at(i), bits),
        others,
        targets,
    )


def parity_row(users: int = 10**6) -> Row:
    """The pools of the distinct elements protocol, over every background."""
    at, share = near("2"), real(f"(1-exp(-1))^(1/{users})")
    pools = LargePools(Change(users, 20, share))
    return Row("parity pools n=1e6, 10 digits", lambda i: pools.worst(at(i), 34)[0], most_seconds=1e-3)


def composed_binomial(k: int, exp_eps: str) -> Answer:
    """k uses of Bin(1000, 1/2) against 1 + Bin(1000, 1/2), at a width below a thousandth of dp-accounting's error.

    It is off by 0.059 for 256 uses.  The masses are balls, computed from the parameters each time.
    """
    at, width = near(exp_eps), Fraction(1, 20_000)

    def answer(i: int) -> object:
        law = law_of_binomial(1000, HALF, enclosed=True)
        return composed_delta(law, shift(law, 1), k, at(i), width)

    return answer


def composition_rows(exp_eps: str = "148.4131591025766") -> list[Row]:
    """Long compositions."""
    few, many = composed_binomial(256, exp_eps), composed_binomial(10**4, exp_eps)
    whole = {"dp-accounting, whole": lambda: peers.accounted_binomial(1000, float(exp_eps), 256, False)}
    return [
        Row("256-fold binomial l=1000, 4 digits", few, whole, {"dp-accounting, whole": 10}),
        Row("10^4-fold binomial l=1000, 4 digits", many, {"ours, 256-fold": lambda: few}, {"ours, 256-fold": 0.1}),
    ]


def command_rows() -> list[Row]:
    """What a command line takes, against starting the program, and a curve against its points one by one."""
    calibrate = command("calibrate", "binomial", "--at-eps", "1/10", "--at-delta", "{}e-12")
    curve = ("--from", "0", "--to", "1/5", "--points", "200")
    rows = [
        Row(
            "calibrate binomial, command line",
            calibrate,
            {"ours, --version": lambda: command("--version")},
            {"ours, --version": 0.5},
        )
    ]
    for name, letters in {"binomial": ("--l", "10{}"), "uniformity": ("--lam", "1.{}e3")}.items():
        one = command("privacy", name, *letters, "--at-eps", "1/10")
        five: Callable[[], Answer] = partial(repeated, one, 5)
        peer = "ours, 5 points one by one"  # so the target, the time of 20, is 4 times theirs
        rows.append(
            Row(f"curve of {name}, 200 points", command("curve", name, *letters, *curve), {peer: five}, {peer: 1 / 4})
        )
    return rows


def command(*words: str) -> Answer:
    """A process that runs our command line, {} in the words being a number from 1000 on; modules are compiled once."""
    folder = TemporaryDirectory()
    environment = {**environ, "PYTHONPYCACHEPREFIX": folder.name, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def answer(i: int, kept: TemporaryDirectory[str] = folder) -> None:
        line = [sys.executable, "-m", "panshuffle", *(word.format(1000 + i) for word in words)]
        run(line, check=True, stdout=DEVNULL, env=environment)

    return answer


def repeated(answer: Answer, count: int) -> Answer:
    """Several answers, one after the other."""
    return lambda i: [answer(count * i + j) for j in range(count)]


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
    compared = [shift_row(), pool_row(), pair_row(10), pair_row(25), parity_row(), *composition_rows()]
    return [*compared, *(tester_row(k, limit) for k, limit in TESTER_SIZES.items())]
