"""A pair of laws that covers all neighbours of a mechanism, as privacy losses that other accountants read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exact.curves.dominating_pair import dominating_pair
from exact.curves.losses import Losses, check_interval, json_of_losses, losses_of
from exact.errors import InputError
from exact.numbers.certified import Certified
from panshuffle.answer import Exported, Json
from panshuffle.answers.compose import finder
from panshuffle.question import Question, number

WHY = (
    "The certified curve covers all neighbours in either order; chords between points of it are the curve of a pair of "
    "laws, whose losses are divided between places of the lattice, and all masses are rounded up."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class LossesAnswer(Exported):
    """Privacy losses on a lattice."""

    losses: Losses

    def about(self) -> dict[str, Json]:
        """Where the losses come from."""
        return self.head() | {"scope": self.scope, "kind": self.kind}

    def size(self) -> dict[str, Json]:
        """How many losses there are, and how far apart."""
        return {"losses": len(self.losses.masses), "interval": self.losses.interval}

    def json_text(self) -> str:
        """The losses as JSON."""
        return json_of_losses(self.losses, None, self.about())

    def summary(self) -> str:
        """How many losses there are."""
        return f"{len(self.losses.masses)} privacy losses, multiples of {self.losses.interval!r}, rounded up"

    def __str__(self) -> str:
        rows = [f"{j * self.losses.interval!r},{mass!r}" for j, mass in self.losses.masses.items()]
        return "\n".join(["loss,mass", *rows, f"inf,{self.losses.infinite!r}", ""])


def resolve_losses(question: Question) -> Callable[[], LossesAnswer]:
    """The question for the losses of a mechanism, checked."""
    text = question.text("pld")
    interval = float(number("pld", text))
    check_interval(interval)
    if question.has("digits"):
        raise InputError("--digits has no meaning for --pld: the masses are doubles, rounded up")
    given = {name: value for name, value in question.options if name != "pld"}
    find = finder(Question.of("privacy", question.subject, given))

    def found() -> LossesAnswer:
        part = find()
        losses = losses_of(*dominating_pair(part.points), interval)
        about = ("pld", Certified.of(len(losses.masses)), 10, question.letters.given, part.scope, "upper bound", WHY)
        return LossesAnswer(question, *about, losses=losses)

    return found


def losses_in(question: Question, interval: float) -> Losses:
    """The losses of one use of a mechanism.  *Raises* `InputError` for several uses, which belong to the accountant."""
    if question.has("uses"):
        raise InputError("--uses has no meaning here: the losses are those of one use, which the accountant composes")
    return losses_of(*dominating_pair(finder(question)().points), interval)
