"""The search for the least noise that meets a target (eps, delta)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from panshuffle.exact.curves.calibration import Calibration, boundary, first_integer, least_integer
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real, real
from panshuffle.question import Setting

MOST_MESSAGES = 400
"""Messages a user sends to a pool: far more than any target needs that a double could hold."""
LARGEST_EPS = 1 << 12
"""An eps beyond which no promise is left."""
MORE_NOISE = "The least value: more of this noise is post-processing, so every larger value meets the target too."
TRIED = "The least value that is certified to meet the target: every smaller one was tried."
CROSSING = "Both ends of the enclosure are witnesses; that the curve is monotone between other values is not claimed."
NO_NEIGHBOURS = "every value meets this target: no two neighbours differ"


@dataclass(frozen=True)
class CalibrationProblem:
    """What is looked for: its parameter, the search, what is claimed of the result; `bound`: of an upper bound only."""

    parameter: str
    find: Callable[[], Calibration]
    note: str
    bound: bool = False


@dataclass(frozen=True, kw_only=True)
class Calibrator(Setting):
    """A target (eps, delta) and what the search has to know of the question."""

    exp_eps: Real
    delta: Real
    digits: int
    real: bool = False
    sigma: Real | None = None

    @property
    def pool(self) -> bool:
        """Whether one pool is calibrated."""
        return self.selection.pool

    def check_neighbours(self, *sizes: int) -> None:
        """*Raises* `InputError` where one of these sizes is 1, so that no two neighbours differ."""
        if 1 in sizes:
            raise InputError(NO_NEIGHBOURS)

    def least(self, parameter: str, curve_at: Callable[[int], Curve], start: int = 1) -> CalibrationProblem:
        """The least whole amount of a noise of which more does no harm."""

        def find() -> Calibration:
            return least_integer(curve_at, self.exp_eps, self.delta, start)

        return CalibrationProblem(parameter, find, MORE_NOISE)

    def least_real(self, parameter: str, curve_at: Callable[[Real], Curve]) -> CalibrationProblem:
        """The same for Poisson noise, whole or real."""

        def find() -> Calibration:
            whole = self.least(parameter, lambda amount: curve_at(real(amount))).find()
            if not self.real:
                return whole
            good = whole.value.exact or Fraction(1)
            found = self.crossing(curve_at, good, good - 1 if good > 1 else Fraction(1, 10**30))
            if found.fails is None:
                raise InputError(f"every {parameter} from 10^-30 on meets this target")
            return found

        return CalibrationProblem(parameter, find, MORE_NOISE)

    def largest_p(self, curve_at: Callable[[Real], Curve]) -> CalibrationProblem:
        """The largest p, from 1/2 up."""
        return CalibrationProblem("p", lambda: self.crossing(curve_at, Fraction(1, 2), Fraction(1)), CROSSING)

    def least_p(
        self, curve_at: Callable[[Real], Curve], good: Fraction, bad: Fraction, note: str
    ) -> CalibrationProblem:
        """The least p, between one that meets every target and one that meets none."""
        return CalibrationProblem("p", lambda: self.crossing(curve_at, good, bad), note)

    def first_m(self, curve_at: Callable[[int], Curve]) -> CalibrationProblem:
        """The first m."""
        search = partial(first_integer, curve_at, self.exp_eps, self.delta, 1, MOST_MESSAGES)
        return CalibrationProblem("m", search, TRIED)

    def largest_eps(self, curve_at: Callable[[Real], Curve]) -> CalibrationProblem:
        """The largest eps."""
        return CalibrationProblem("eps", lambda: self.largest_epsilon(curve_at), CROSSING)

    def crossing(self, curve_at: Callable[[Real], Curve], good: Fraction, bad: Fraction) -> Calibration:
        """The real value where the target stops being met."""
        return boundary(curve_at, self.exp_eps, self.delta, good, bad, self.digits)

    def largest_epsilon(self, curve_at: Callable[[Real], Curve]) -> Calibration:
        """The largest eps that meets the target."""

        def compare(eps: Fraction) -> int:
            return curve_at(Real(eps)).compare_at(self.exp_eps, self.delta)

        good, undecided = Fraction(1), False
        while (sign := compare(good)) != -1:
            good, undecided = good / 2, undecided or sign == 0
            if good < Fraction(1, 2**60):
                raise InputError(f"no eps above 2^-60 {'is certified to meet' if undecided else 'meets'} this target")
        bad = 2 * good
        while (sign := compare(bad)) != 1:
            good, bad = bad if sign == -1 else good, 2 * bad
            if bad > LARGEST_EPS:
                words = "meets" if good == bad / 2 else "may meet"
                raise InputError(f"every eps up to {LARGEST_EPS} {words} this target")
        return self.crossing(curve_at, good, bad)
