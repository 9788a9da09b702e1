"""The least number of samples with which a uniformity tester keeps both of its errors: floats search, balls decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from exact.accuracy.tester import THIRD, Tester
from exact.errors import ParameterError
from exact.numbers.real import real

Distribution = tuple[tuple[Fraction, int], ...]

MOST_SAMPLES = 1 << 40
FEW_SAMPLES = 64


@dataclass(frozen=True)
class SampleSize:
    """m meets the target and m - 1 does not, both certified; `smaller_tried` says whether every smaller m was."""

    m: int
    smaller_tried: bool


def least_samples(
    tester: Tester,
    far: Distribution,
    limit: Fraction = THIRD,
    progress: Callable[[str], None] = lambda text: None,
) -> SampleSize:
    """The least m found at which both errors are at most the limit, for Pois(m) samples of the uniform and of `far`.

    Feasibility need not be monotone in m: where 64 samples seem to be enough, every m from 1 on is tried; beyond, the
    boundary is found in floating point by doubling and bisection, and moved until the exact law confirms both sides.
    *Raises* `ParameterError` where no m up to 2^40 will do.
    """
    if not tester.seems_to_work(real(FEW_SAMPLES), far, limit):
        return certified_boundary(tester, far, limit, boundary_float(tester, far, limit), progress)
    for few in range(1, FEW_SAMPLES + 1):
        progress(f"m = {few}")
        if tester.works(real(few), far, limit):
            return SampleSize(few, True)
    return certified_boundary(tester, far, limit, FEW_SAMPLES + 1, progress)


def boundary_float(tester: Tester, far: Distribution, limit: Fraction) -> int:
    """An m that seems to work where m - 1 does not."""
    low, high = FEW_SAMPLES, 2 * FEW_SAMPLES
    while not tester.seems_to_work(real(high), far, limit):
        low, high = high, 2 * high
        if high > MOST_SAMPLES:
            raise ParameterError("m", f"above {MOST_SAMPLES}", "found within the limit: the alternative is too close")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tester.seems_to_work(real(middle), far, limit) else (middle, high)
    return high


def certified_boundary(
    tester: Tester, far: Distribution, limit: Fraction, guess: int, progress: Callable[[str], None]
) -> SampleSize:
    """The boundary next to a guess, both sides of it certified."""
    m = guess

    def works(value: int) -> bool:
        progress(f"m = {value}")
        return tester.works(real(value), far, limit)

    if works(m):
        while m > 1 and works(m - 1):
            m -= 1
        return SampleSize(m, m == 1)
    while not works(m + 1):
        m += 1
    return SampleSize(m + 1, False)
