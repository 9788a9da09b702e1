"""Bugs in the generator: weak sources of randomness."""

from __future__ import annotations

from tests.blind_zoo_bug import BETWEEN, Bug, drawn_from
from tests.blind_zoo_draws import Biased, Coarse, LowBits, Randu, ShortPeriod, SmallState, Sticky


def weak(name: str, scene: str, runs: int, cause: str, source, **changes) -> Bug:
    return drawn_from(name, scene, BETWEEN, cause, runs, source, **changes)


def source_of(kind):
    return lambda rng: kind(rng.getrandbits(32))


BUGS: tuple[Bug, ...] = (
    weak(
        "coarse-fractions",
        "binary-sum",
        20000,
        "uniform fractions have four bits",
        source_of(type("C", (Coarse,), {"width": 4})),
    ),
    weak(
        "coarse-fractions-five",
        "histogram-dropouts",
        2000,
        "uniform fractions have five bits",
        source_of(type("C", (Coarse,), {"width": 5})),
    ),
    weak("low-bits", "modular", 1000, "shares are low bits of a linear congruential generator", source_of(LowBits)),
    weak(
        "low-bits-binomial",
        "binomial",
        1000,
        "coins are low bits of a linear congruential generator",
        source_of(LowBits),
    ),
    weak("randu", "skellam", 20000, "the generator is RANDU", source_of(Randu)),
    weak("short-period", "two-bit-sum", 20000, "a shift register of 16 bits", source_of(ShortPeriod)),
    weak(
        "short-period-binomial",
        "pan-sum-end",
        5000,
        "a linear congruential generator of 12 bits",
        source_of(SmallState),
    ),
    weak("sticky", "skellam", 2000, "one uniform fraction in eight is handed out twice", source_of(Sticky)),
    weak("biased-bits", "pan-histogram", 2000, "hardware bits that are 1 with probability 0.51", source_of(Biased)),
    weak("biased-shares", "modular-short", 20000, "hardware bits that are 1 with probability 0.51", source_of(Biased)),
)
