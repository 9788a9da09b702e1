"""The pytest plugin: fixtures with the assertions of `panshuffle.testing`, and options for all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("panshuffle", "cross-checks of samplers and protocols")
    group.addoption("--crosscheck-alarm", default="1e-9", help="false-alarm probability of each assertion (1e-9)")
    group.addoption("--crosscheck-runs", default="4096", help="most runs of each assertion (4096)")


def configured(request: pytest.FixtureRequest, name: str) -> Callable[..., None]:
    """An assertion with the alarm and the runs of the command line.

    Imported here, not above: this plugin is part of every run of pytest, also in projects that do not use it and have
    modules with the names of our packages.
    """
    from panshuffle import testing

    given = (request.config.getoption(f"--crosscheck-{option}") for option in ("alarm", "runs"))
    try:
        chosen = testing.options(*given)
    except ValueError as problem:
        raise pytest.UsageError(str(problem)) from None
    assertion: Callable[..., None] = getattr(testing, name)
    return partial(assertion, **chosen)


@pytest.fixture
def assert_law(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`panshuffle.testing.assert_law`."""
    return configured(request, "assert_law")


@pytest.fixture
def assert_independent(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`panshuffle.testing.assert_independent`."""
    return configured(request, "assert_independent")


@pytest.fixture
def assert_protocol(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`panshuffle.testing.assert_protocol`."""
    return configured(request, "assert_protocol")
