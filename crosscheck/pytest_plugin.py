"""The pytest plugin: fixtures with the assertions of `crosscheck.testing`, and options for all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("panshuffle", "cross-checks of samplers and protocols")
    group.addoption("--crosscheck-alarm", default="1e-9", help="false-alarm probability of each assertion (1e-9)")
    group.addoption("--crosscheck-runs", default="4096", help="most runs of each assertion (4096)")


def configured(request: pytest.FixtureRequest, name: str) -> Callable[..., None]:
    """An assertion with the alarm and the runs of the command line."""
    from crosscheck import testing
    from exact.errors import InputError
    from exact.numbers.real import real

    try:
        alarm = real(request.config.getoption("--crosscheck-alarm")).constant
        runs = real(request.config.getoption("--crosscheck-runs")).constant
    except InputError as problem:
        raise pytest.UsageError(str(problem)) from None
    if not 0 < alarm < 1 or runs.denominator != 1 or runs < 1:
        raise pytest.UsageError("--crosscheck-alarm must lie between 0 and 1, --crosscheck-runs be a whole number")
    assertion: Any = getattr(testing, name)
    return partial(assertion, alarm=alarm, runs=runs.numerator)


@pytest.fixture
def assert_law(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`crosscheck.testing.assert_law`."""
    return configured(request, "assert_law")


@pytest.fixture
def assert_independent(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`crosscheck.testing.assert_independent`."""
    return configured(request, "assert_independent")


@pytest.fixture
def assert_protocol(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`crosscheck.testing.assert_protocol`."""
    return configured(request, "assert_protocol")
