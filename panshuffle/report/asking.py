"""Numbers of the page: each is what a command line prints, and stands beside that command line."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import redirect_stdout
from functools import cache
from typing import Any


@cache
def ask(command: str) -> dict[str, Any]:
    """The JSON object that `panshuffle COMMAND --json` prints.

    >>> ask("calibrate binomial --at-eps 1 --at-delta 1e-6")["exact"]
    '80'
    """
    from panshuffle.main import main

    stream = io.StringIO()
    try:
        with redirect_stdout(stream):
            main([*shlex.split(command), "--json"])
    except SystemExit as end:
        if end.code not in (0, None):
            raise RuntimeError(f"panshuffle {command} ended with status {end.code}") from None
    answer: dict[str, Any] = json.loads(stream.getvalue())
    return answer


def value_of(answer: dict[str, Any]) -> str:
    """The value for a table: exact if it is short, else its enclosure's digits."""
    exact = answer["exact"]
    if exact is not None and len(exact) < 24:
        return str(exact)
    lower, upper = answer["lower"], answer["upper"]
    return lower if lower == upper else f"[{lower}, {upper}]"
