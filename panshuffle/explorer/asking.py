"""From what the page sends to questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exact.errors import InputError, shortened
from panshuffle.card import cards
from panshuffle.explorer.subjects import Explored
from panshuffle.question import Question

Sent = Mapping[str, object]
"""What the page sends."""

LONGEST_TEXT = 200
POINTS = (7, 31)


def subjects() -> dict[str, Explored]:
    """The protocols that are explored, in the order of the list."""
    found = [(card.explored, card.name) for card in cards() if card.explored is not None]
    return {name: explored for explored, name in sorted(found, key=lambda pair: pair[0].place)}


@dataclass(frozen=True)
class Asked:
    """A question, and what its answer is about, in words."""

    question: Question
    words: str = ""

    @property
    def command(self) -> str:
        """What a person types for the same answer; that of a curve as the object that the page reads."""
        line = self.question.line
        return f"{line} --json" if self.question.kind == "curve" else line


def subject_of(sent: Sent) -> tuple[str, Explored]:
    """The protocol that is asked about.  *Raises* `InputError` for one that is not explored."""
    name, known = sent.get("protocol"), subjects()
    if not isinstance(name, str) or name not in known:
        allowed = ", ".join(known)
        raise InputError(f"protocol = {shortened(str(name))} is not allowed: protocol must be one of {allowed}")
    return name, known[name]


def text_of(sent: Sent, name: str) -> str:
    """A text that the page sends.  *Raises* `InputError` for anything else."""
    text = sent.get(name, "")
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise InputError(f"{name} is not allowed: it must be a text of at most {LONGEST_TEXT} letters")
    return text.strip()


def letters_of(sent: Sent, subject: Explored) -> tuple[tuple[str, str], ...]:
    """The letters that were given; an empty field is a letter that was not."""
    given = sent.get("letters", {})
    if not isinstance(given, dict):
        raise InputError("letters is not allowed: it must be an object with a text for each letter")
    for letter in given:
        if letter not in subject.letters:
            raise InputError(f"--{shortened(str(letter))} is not explored for this protocol")
    found = ((letter, text_of(given, letter)) for letter in given)
    return tuple((letter, text) for letter, text in found if text)


def privacy_questions(sent: Sent) -> list[Asked]:
    """The command for the number: delta at an eps, eps at a delta, or a total variation."""
    name, subject = subject_of(sent)
    read = sent.get("read")
    if read not in subject.reads:
        raise InputError(f"read is not allowed: for {name} it must be one of {', '.join(subject.reads)}")
    place: tuple[tuple[str, str | bool], ...] = ((read, text_of(sent, "at")),) if read != "tv" else (("tv", True),)
    return [Asked(Question("privacy", name, (*letters_of(sent, subject), *place)))]


def curve_questions(sent: Sent) -> list[Asked]:
    """The command for the points of the curve."""
    name, subject = subject_of(sent)
    points = sent.get("points")
    if not subject.curve:
        raise InputError(f"{name} has no curve: its messages are no private view, only a total variation is asked for")
    if points not in POINTS:
        raise InputError(f"points is not allowed: it must be one of {', '.join(map(str, POINTS))}")
    grid = (("to", text_of(sent, "to")), ("points", str(points)))
    return [Asked(Question("curve", name, (*letters_of(sent, subject), *grid)))]


def error_questions(sent: Sent) -> list[Asked]:
    """The commands for the error: the least alpha at a beta, or how often the tester is wrong."""
    name, subject = subject_of(sent)
    letters = letters_of(sent, subject)
    if subject.error == "beta":
        beta = text_of(sent, "error")
        words = f"is exceeded by the error with probability at most {beta}"
        return [Asked(Question("accuracy", name, (*letters, ("beta", beta))), words)]
    if subject.error == "alpha":
        far, everyone = text_of(sent, "error"), tuple(pair for pair in letters if pair[0] != "gamma")
        who = "" if everyone == letters or ("gamma", "1") in letters else ", with all users taking part"
        uniform = f"is the probability of “not uniform” on uniform samples{who}"
        paired = f"is that at distance {far}, with masses above and below the mean in turn{who}"
        return [
            Asked(Question("accuracy", name, (*everyone, ("uniform", True))), uniform),
            Asked(Question("accuracy", name, (*everyone, ("paired", far))), paired),
        ]
    raise InputError(f"{name} has no error here: the sum is exact")


QUESTIONS = {"privacy": privacy_questions, "curve": curve_questions, "error": error_questions}
