"""Powers of many complex numbers of modulus 1 in double precision, with bounds of their errors, and sums over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from flint import arb
from panshuffle.exact.laws.double_law import UNIT, Doubles

Complexes = npt.NDArray[np.complex128]
Numbers = TypeVar("Numbers", Doubles, Complexes)

(DEPTH, SIDE) = (32, 45)
"""The sides of a tile: about 2^16 products, few enough that no library takes threads: on a busy machine they wait."""


def tiled_product(left: Complexes, right: Complexes) -> Complexes:
    """The sum over i of left[i, a] right[i, b] for all a and b, in tiles."""
    (count, rows), columns = left.shape, right.shape[1]
    turned, result = np.ascontiguousarray(left.T), np.zeros((rows, columns), dtype=np.complex128)
    for i in range(0, count, DEPTH):
        for a in range(0, rows, SIDE):
            part = turned[a : a + SIDE, i : i + DEPTH]
            for b in range(0, columns, SIDE):
                result[a : a + SIDE, b : b + SIDE] += part @ right[i : i + DEPTH, b : b + SIDE]
    return result


def powers(angles: Sequence[arb], count: int) -> tuple[Complexes, float]:
    """e^(i angle) to the powers 0, ..., count - 1, a row for every angle, and a bound on error/power."""
    sines, cosines = zip(*(angle.sin_cos() for angle in angles), strict=True)
    doubt = max(float(ball.rad()) for balls in (sines, cosines) for ball in balls)
    units = np.array([complex(float(x.mid()), float(y.mid())) for x, y in zip(cosines, sines, strict=True)])
    table = np.ones((len(units), count), dtype=np.complex128)
    done, top = 1, units
    while done < count:
        more = min(done, count - done)
        np.multiply(table[:, :more], top[:, None], out=table[:, done : done + more])
        done, top = done + more, top * top
    return table, 1.01 * (2 * doubt + 5 * UNIT)


def power(values: Numbers, k: int) -> Numbers:
    """values^k by repeated squaring: of real numbers within about 2 k u of itself."""
    result = None
    while True:
        if k & 1:
            result = values if result is None else result * values
        k >>= 1
        if not k:
            return values if result is None else result
        values = values * values
