"""A pair of laws that covers all neighbours of a mechanism, as privacy losses that other accountants read."""

from __future__ import annotations

from collections.abc import Callable

from panshuffle.answer import Exported, Json
from panshuffle.answers.compose import finder
from panshuffle.exact.curves.composition import dominating_pair
from panshuffle.exact.curves.losses import Losses, check_interval, json_of_losses, losses_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Certified
from panshuffle.question import Question, number

WHY = (
    "The certified curve covers all neighbours in either order; chords between points of it are the curve of a pair of "
    "laws, whose losses are divided between places of the lattice, and all masses are rounded up."
)


def resolve_losses(question: Question) -> Callable[[], Exported]:
    """The question for the losses of a mechanism, checked."""
    text = question.text("pld")
    interval = float(number("pld", text))
    check_interval(interval)
    if question.has("digits"):
        raise InputError("--digits has no meaning for --pld: the masses are doubles, rounded up")
    given = {name: value for name, value in question.options if name != "pld"}
    find = finder(Question.of("privacy", question.subject, given))

    def found() -> Exported:
        part, parameters = find(), question.params.given
        losses = losses_of(*dominating_pair(part.points), interval)
        count, kind = len(losses.masses), "upper bound"
        about: dict[str, Json] = {"protocol": question.subject, "parameters": dict(parameters)}
        about |= {"scope": part.scope, "kind": kind}
        return Exported(
            question,
            *("pld", Certified.of(count), 10, parameters, part.scope, kind, WHY),
            about=about,
            size={"losses": count, "interval": interval},
            summary=f"{count} privacy losses, multiples of {interval!r}, rounded up",
            csv_text=lambda: csv_of_losses(losses),
            json_text=lambda: json_of_losses(losses, None, about),
            losses=losses,
        )

    return found


def csv_of_losses(losses: Losses) -> str:
    """The losses and their masses, a row each."""
    rows = [f"{j * losses.interval!r},{mass!r}" for j, mass in losses.masses.items()]
    return "\n".join(["loss,mass", *rows, f"inf,{losses.infinite!r}", ""])


def losses_in(question: Question, interval: float) -> Losses:
    """The losses of one use of a mechanism.  *Raises* `InputError` for several uses, which belong to the accountant."""
    if question.has("uses"):
        raise InputError("--uses has no meaning here: the losses are those of one use, which the accountant composes")
    return losses_of(*dominating_pair(finder(question)().points), interval)
