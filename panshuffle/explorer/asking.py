"""From what the page sends to command lines: the answers are those of the commands, and of nothing else."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from exact.errors import InputError, shortened
from panshuffle.explorer.subjects import SUBJECTS, Subject

LONGEST_TEXT = 200
POINTS = (7, 31)


@dataclass(frozen=True)
class Line:
    """A command line: its name, the protocol, and its options with their values; None for an option without one."""

    name: str
    protocol: str
    options: tuple[tuple[str, str | None], ...]
    words: str = ""

    @property
    def argv(self) -> list[str]:
        """What the command gets; a value is never taken for an option."""
        given = [f"--{option}" if text is None else f"--{option}={text}" for option, text in self.options]
        return [self.name, self.protocol, *given, "--json"]

    @property
    def text(self) -> str:
        """What a person types for the same answer.

        >>> Line("privacy", "binomial", (("l", "80"), ("at-eps", "log(2)"))).text
        "panshuffle privacy binomial --l 80 --at-eps 'log(2)'"
        """
        parts = ["panshuffle", self.name, self.protocol]
        for option, text in self.options:
            if text is None:
                parts.append(f"--{option}")
            else:
                parts += [f"--{option}={text}"] if text.startswith("-") else [f"--{option}", text]
        return shlex.join([*parts, "--json"] if self.name == "curve" else parts)


def subject_of(question: dict[str, Any]) -> tuple[str, Subject]:
    """The protocol that is asked about.  *Raises* `InputError` for one that is not explored."""
    name = question.get("protocol")
    if not isinstance(name, str) or name not in SUBJECTS:
        allowed = ", ".join(SUBJECTS)
        raise InputError(f"protocol = {shortened(str(name))} is not allowed: protocol must be one of {allowed}")
    return name, SUBJECTS[name]


def text_of(question: dict[str, Any], name: str) -> str:
    """A text that the page sends.  *Raises* `InputError` for anything else."""
    text = question.get(name, "")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise InputError(f"{name} is not allowed: it must be a text of at most {LONGEST_TEXT} letters")
    return text.strip()


def letters_of(question: dict[str, Any], subject: Subject) -> tuple[tuple[str, str], ...]:
    """The letters that were given; an empty field is a letter that was not."""
    given = question.get("letters", {})
    if not isinstance(given, dict):
        raise InputError("letters is not allowed: it must be an object with a text for each letter")
    for letter in given:
        if letter not in subject.letters:
            raise InputError(f"--{shortened(str(letter))} is not explored for this protocol")
    found = ((letter, text_of(given, letter)) for letter in given)
    return tuple((letter, text) for letter, text in found if text)


def privacy_lines(question: dict[str, Any]) -> list[Line]:
    """The command for the number: delta at an eps, eps at a delta, or a total variation."""
    name, subject = subject_of(question)
    read = question.get("read")
    if read not in subject.reads:
        raise InputError(f"read is not allowed: for {name} it must be one of {', '.join(subject.reads)}")
    place = (("tv", None),) if read == "tv" else ((read, text_of(question, "at")),)
    return [Line("privacy", name, (*letters_of(question, subject), *place))]


def curve_lines(question: dict[str, Any]) -> list[Line]:
    """The command for the points of the curve."""
    name, subject = subject_of(question)
    points = question.get("points")
    if not subject.curve:
        raise InputError(f"{name} has no curve: its messages are no private view, only a total variation is asked for")
    if points not in POINTS:
        raise InputError(f"points is not allowed: it must be one of {', '.join(map(str, POINTS))}")
    grid = (("to", text_of(question, "to")), ("points", str(points)))
    return [Line("curve", name, (*letters_of(question, subject), *grid))]


def error_lines(question: dict[str, Any]) -> list[Line]:
    """The commands for the error: the least alpha at a beta, or how often the tester is wrong."""
    name, subject = subject_of(question)
    letters = letters_of(question, subject)
    if subject.error == "beta":
        beta = text_of(question, "error")
        words = f"is exceeded by the error with probability at most {beta}"
        return [Line("accuracy", name, (*letters, ("beta", beta)), words)]
    if subject.error == "alpha":
        far, everyone = text_of(question, "error"), tuple(pair for pair in letters if pair[0] != "gamma")
        who = "" if everyone == letters or ("gamma", "1") in letters else ", with all users taking part"
        uniform = f"is the probability of “not uniform” on uniform samples{who}"
        paired = f"is that at distance {far}, with masses above and below the mean in turn{who}"
        asked = ((("uniform", None), uniform), (("paired", far), paired))
        return [Line("accuracy", name, (*everyone, option), words) for option, words in asked]
    raise InputError(f"{name} has no error here: the sum is exact")


LINES = {"privacy": privacy_lines, "curve": curve_lines, "error": error_lines}
