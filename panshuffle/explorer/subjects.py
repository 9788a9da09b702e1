"""What can be explored, as `explored.toml` says: the protocols, their parameters, and the steps of the sliders."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from panshuffle.exact.real import Certified, Real, fraction_text, real

TABLE = tomllib.loads(Path(__file__).with_name("explored.toml").read_text(encoding="utf-8"))
STEPS = {parameter: slider["steps"].split() for parameter, slider in TABLE["sliders"].items()}
DEFAULTS = {parameter: slider["default"] for parameter, slider in TABLE["sliders"].items()}
MEANINGS = {parameter: slider["meaning"] for parameter, slider in TABLE["sliders"].items()}
EXPRESSION, NAME = re.compile(r"\{(.+?)\}"), re.compile(r"[a-z]+")


@dataclass(frozen=True)
class Explored:
    """How a protocol is explored: its words in the list, and the ways to give its parameters.

    `messages` says how many messages a user sends, with expressions in braces that `needs` lists the parameters of;
    `error` is what the error is asked with, if there is one; the rest is where its sliders differ from others'.
    """

    words: str
    ways: Sequence[Mapping[str, object]]
    messages: str
    needs: tuple[str, ...] = ()
    error: str = "beta"
    curve: bool = True
    steps: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def params(self) -> set[str]:
        """Every parameter that some way takes."""
        return {parameter for way in self.ways for parameter in parameters_of(way)}

    @property
    def reads(self) -> tuple[str, ...]:
        """What can be asked for: delta at an eps and eps at a delta, or a total variation."""
        return ("at-eps", "at-delta") if self.curve else ("tv",)

    def messages_with(self, params: Mapping[str, str]) -> str:
        """The messages of one user who takes part; a question mark and what is missing where a parameter is."""
        missing = [parameter for parameter in self.needs if parameter not in params]
        if missing:
            return f"? (it needs {' and '.join(missing)})"
        return EXPRESSION.sub(
            lambda found: short(NAME.sub(lambda name: f"({params[name[0]]})", found[1])), self.messages
        )

    def description(self) -> dict[str, object]:
        """All of it as the page's script reads it."""
        return {
            "words": self.words,
            "ways": self.ways,
            "error": self.error or None,
            "reads": self.reads,
            "steps": {parameter: steps.split() for parameter, steps in self.steps.items()},
            "defaults": self.defaults,
            "meanings": self.meanings,
        }


def parameters_of(way: Mapping[str, object]) -> list[str]:
    """The parameters that a way takes."""
    found = way["parameters"]
    assert isinstance(found, list)
    return found


def short(expression: str) -> str:
    """A short rational number, or the upper end of an enclosure.

    >>> short("(23)*(10)"), short("(1)/(5)")
    ('230', '1/5')
    """
    value: Real = real(expression)
    exact = value.fraction
    text = None if exact is None else fraction_text(exact)
    return text if text is not None and len(text) < 16 else f"at most {Certified.of(value).enclosure(6)[1]}"


EXPLORED = {name: Explored(**row) for name, row in TABLE["protocols"].items()}
"""How each protocol is explored, in the order of the list; those that are not listed are not."""
