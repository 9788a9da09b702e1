"""The pytest plugin: fixtures with the assertions of `panshuffle.testing`, and options for all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from panshuffle.testing import Options


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("panshuffle", "cross-checks of samplers and protocols")
    group.addoption("--crosscheck-alarm", default="1e-9", help="false-alarm probability of each assertion (1e-9)")
    group.addoption("--crosscheck-runs", default="4096", help="most runs of each assertion (4096)")


def chosen(request: pytest.FixtureRequest) -> Options:
    """The alarm and the runs of the command line.

    What is ours is imported here and in the fixtures, not above: this plugin is part of every run of pytest, also in
    projects that do not use it and have modules with the names of our packages.
    """
    from panshuffle.testing import options

    try:
        return options(*(request.config.getoption(f"--crosscheck-{option}") for option in ("alarm", "runs")))
    except ValueError as problem:
        raise pytest.UsageError(str(problem)) from None


def fixture(name: str, has_options: bool = True) -> Callable[..., object]:
    """A fixture with an assertion of `panshuffle.testing`, with the options of the command line if it has them."""

    @pytest.fixture(name=name)
    def found(request: pytest.FixtureRequest) -> Callable[..., None]:
        from panshuffle import testing

        assertion: Callable[..., None] = getattr(testing, name)
        return partial(assertion, **chosen(request)) if has_options else assertion

    found.__doc__ = f"`panshuffle.testing.{name}`."
    return found


assert_law, assert_independent, assert_protocol = map(fixture, ("assert_law", "assert_independent", "assert_protocol"))
assert_proved = fixture("assert_proved", has_options=False)
