"""What can be explored, as `explored.toml` says, and from what the page sends to questions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from panshuffle.arguments import TASKS, options_of
from panshuffle.card import card
from panshuffle.exact.errors import InputError, shortened
from panshuffle.exact.real import Certified, Real, fraction_text, real
from panshuffle.question import Question

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
    ways: Sequence[Mapping[str, Sequence[str]]]
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
        return {parameter for way in self.ways for parameter in way["parameters"]}

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


Sent = Mapping[str, object]
"""What the page sends."""

LONGEST_TEXT = 200
PARAM_NAMES = ("n", "k", "m", "l", "lam", "p", "eps", "delta", "c")
"""The parameters that belong to a protocol, not to what is asked of it."""
POINTS = (7, 31)


@dataclass(frozen=True)
class Asked:
    """A question, and what its answer is about, in words."""

    question: Question
    words: str = ""
    lead: str = ""

    @property
    def command(self) -> str:
        """What a person types for the same answer; that of a curve as the object that the page reads."""
        line = self.question.line
        return f"{line} --json" if self.question.kind == "curve" else line

    @property
    def python(self) -> str:
        """The same question from Python; empty for a kind of question that has no such call."""
        if self.question.kind not in ("privacy", "calibrate", "accuracy"):
            return ""
        given = {name.replace("-", "_"): value for name, value in self.question.options}
        own = {name: value for name, value in given.items() if name in PARAM_NAMES}
        asked = {name: value for name, value in given.items() if name not in PARAM_NAMES}
        head = ", ".join([repr(self.question.subject), *(f"{name}={written(value)}" for name, value in own.items())])
        call = ", ".join(f"{name}={written(value)}" for name, value in asked.items())
        return f"panshuffle.protocol({head}).{self.question.kind}({call})"


def written(value: str | bool) -> str:
    """A value as Python writes it: a whole number as one, anything else exactly, as a text.

    >>> written("20"), written("1/3"), written(True)
    ('20', "'1/3'", 'True')
    """
    return value if isinstance(value, str) and value.isdigit() else repr(value)


def calibrated_params(name: str) -> tuple[str, ...] | None:
    """The parameters that are given where the least noise of a protocol is asked for; None where it can't be."""
    calibration, explored = card(name).calibration, EXPLORED.get(name)
    if calibration is None or explored is None or not explored.curve:
        return None
    taken = [parameter for parameter in explored.ways[0]["parameters"] if parameter in calibration.params]
    return tuple(parameter for parameter in taken if parameter != "eps" or "m" not in taken)


def text_of(sent: Sent, name: str) -> str:
    """A text that the page sends.  *Raises* `InputError` for anything else."""
    text = sent.get(name, "")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise InputError(f"{name} is not allowed: it must be a text of at most {LONGEST_TEXT} characters")
    return text.strip()


def protocol_in(sent: Sent) -> tuple[str, Explored, tuple[tuple[str, str], ...]]:
    """The protocol that is asked about, and the parameters that were given; an empty field is one that was not.

    *Raises* `InputError` for what is not explored.
    """
    name, given = sent.get("protocol"), sent.get("parameters", {})
    if not isinstance(name, str) or name not in EXPLORED:
        allowed = ", ".join(EXPLORED)
        raise InputError(f"protocol = {shortened(str(name))} is not allowed: protocol must be one of {allowed}")
    if not isinstance(given, dict):
        raise InputError("parameters is not allowed: it must be an object with a text for each parameter")
    for parameter in given:
        if parameter not in EXPLORED[name].params:
            raise InputError(f"--{shortened(str(parameter))} is not explored for this protocol")
    found = ((parameter, text_of(given, parameter)) for parameter in given)
    return name, EXPLORED[name], tuple((parameter, text) for parameter, text in found if text)


def privacy_questions(sent: Sent) -> list[Asked]:
    """The command for the number: delta at an eps, eps at a delta, or a total variation."""
    name, subject, params = protocol_in(sent)
    read, wanted = sent.get("read"), calibrated_params(name)
    if read == "calibrate" and wanted is not None:
        kept = tuple((parameter, text) for parameter, text in params if parameter in wanted)
        goal = (("at-eps", text_of(sent, "at")), ("at-delta", text_of(sent, "delta")))
        return [Asked(Question("calibrate", name, (*kept, *goal)))]
    if read not in subject.reads:
        raise InputError(f"read is not allowed: for {name} it must be one of {', '.join(subject.reads)}")
    place: tuple[tuple[str, str | bool], ...] = ((read, text_of(sent, "at")),) if read != "tv" else (("tv", True),)
    return [Asked(Question("privacy", name, (*params, *place)))]


def curve_questions(sent: Sent) -> list[Asked]:
    """The command for the points of the curve."""
    name, subject, params = protocol_in(sent)
    points = sent.get("points")
    if not subject.curve:
        raise InputError(f"{name} has no curve: its messages are no private view, only a total variation is asked for")
    if points not in POINTS:
        raise InputError(f"points is not allowed: it must be one of {', '.join(map(str, POINTS))}")
    grid = (("to", text_of(sent, "to")), ("points", str(points)))
    return [Asked(Question("curve", name, (*params, *grid)))]


def error_questions(sent: Sent) -> list[Asked]:
    """The commands for the error: the least alpha at a beta, or how often the tester is wrong."""
    name, subject, params = protocol_in(sent)
    if subject.error == "beta":
        beta = text_of(sent, "error")
        lead = f"With probability {1 - real(beta)} the error is at most"
        return [Asked(Question("accuracy", name, (*params, ("beta", beta))), lead=lead)]
    if subject.error == "alpha":
        far, everyone = text_of(sent, "error"), tuple(pair for pair in params if pair[0] != "gamma")
        who = "" if everyone == params or ("gamma", "1") in params else ", with all users taking part"
        uniform = f"is the probability of “not uniform” on uniform samples{who}"
        paired = f"is that at distance {far}, with masses above and below the mean in turn{who}"
        return [
            Asked(Question("accuracy", name, (*everyone, ("uniform", True))), uniform),
            Asked(Question("accuracy", name, (*everyone, ("paired", far))), paired),
        ]
    raise InputError(f"{name} has no error here: the sum is exact")


def plan_questions(sent: Sent) -> list[Asked]:
    """The command for a plan."""
    task = text_of(sent, "task")
    if task not in TASKS:
        raise InputError(f"task is not allowed: it must be one of {', '.join(TASKS)}")
    given = {name: text_of(sent, name) for name in options_of("plan")}
    return [Asked(Question.of("plan", task, {name: text for name, text in given.items() if text}))]


QUESTIONS = {
    "privacy": privacy_questions,
    "curve": curve_questions,
    "error": error_questions,
    "plan": plan_questions,
}
