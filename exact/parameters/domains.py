"""Parameter domains, checked in one place, so that every refusal reads the same."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exact.errors import InputError, ParameterError
from exact.numbers.real import Real


def check_count(name: str, value: object, least: int = 1) -> None:
    """*Raises* `ParameterError` unless the value is a whole number, at least `least`.

    >>> check_count("k", 0)
    Traceback (most recent call last):
    exact.errors.ParameterError: k = 0 is not allowed: k must be a whole number, at least 1
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(name, value, f"a whole number, at least {least}")


def check_real(name: str, value: object) -> Real:
    """The value, if it is a `Real`."""
    if not isinstance(value, Real):
        raise ParameterError(name, value, 'an exact number (write real("0.1"))')
    return value


def check_positive(name: str, value: object) -> None:
    """*Raises* `ParameterError` unless the value is positive."""
    if not check_real(name, value) > 0:
        raise ParameterError(name, value, "a finite number above 0")


def check_open_unit(name: str, value: object) -> None:
    """*Raises* `ParameterError` unless 0 < value < 1."""
    number = check_real(name, value)
    if not (number > 0 and number < 1):
        raise ParameterError(name, value, "strictly between 0 and 1")


def check_between(name: str, value: object, least: Fraction, most: Fraction) -> None:
    """*Raises* `ParameterError` unless least <= value <= most."""
    number = check_real(name, value)
    if not (number >= least and number <= most):
        raise ParameterError(name, value, f"between {least} and {most}")


def honest_users(n: int, gamma: Real) -> int:
    """N = gamma * n, the number of users who take part.

    >>> from exact.numbers.real import real
    >>> honest_users(6, real("1/3"))
    2
    >>> honest_users(6, real("0.3"))
    Traceback (most recent call last):
    exact.errors.ParameterError: gamma = 3/10 is not allowed: gamma must be such that gamma*n is a whole number (n = 6)
    """
    check_count("n", n)
    if not (check_real("gamma", gamma) > 0 and gamma <= 1):
        raise ParameterError("gamma", gamma, "above 0 and at most 1")
    honest = (gamma * n).fraction
    if honest is None or honest.denominator != 1:
        raise ParameterError("gamma", gamma, f"such that gamma*n is a whole number (n = {n})")
    return honest.numerator


def check_element(value: object, k: int) -> None:
    """*Raises* `ParameterError` unless the value is in [k] = {1, ..., k}."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= k:
        raise ParameterError("x", value, f"an element of [k] = {{1, ..., {k}}}")


def check_bit(value: object, name: str = "x") -> None:
    """*Raises* `ParameterError` unless the value is 0 or 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in (0, 1):
        raise ParameterError(name, value, "0 or 1")


def check_pair(value: object) -> None:
    """*Raises* `ParameterError` unless the value is a pair of bits."""
    if not isinstance(value, tuple) or len(value) != 2 or not all(bit in (0, 1) for bit in value):
        raise ParameterError("x", value, "a pair of bits")


def check_rows(data: Sequence[object], least: int, most: int) -> None:
    """*Raises* `InputError` unless the data has an allowed number of rows."""
    if not least <= len(data) <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise InputError(f"the data has {len(data)} rows where {allowed} are allowed")
