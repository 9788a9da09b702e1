"""The exact pair of laws behind an answer, or one that covers all neighbours, as losses that accountants read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from panshuffle.answer import Exported, digits_of
from panshuffle.answers.compose import finder
from panshuffle.card import AnyCard, card, selection_of
from panshuffle.exact.curves.composition import dominating_pair
from panshuffle.exact.curves.curve import THIS_PAIR
from panshuffle.exact.curves.law_pair import csv_of_pair, json_of_pair
from panshuffle.exact.curves.losses import Losses, check_interval, json_of_losses, losses_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Certified
from panshuffle.question import Json, Question, Setting, ViewSelection, number

WHY = "The masses of both laws, outcome by outcome."
WHY_LOSSES = (
    "The certified curve covers all neighbours in either order; chords between points of it are the curve of a pair of "
    "laws, whose losses are divided between places of the lattice, and all masses are rounded up."
)


def resolve(question: Question) -> Callable[[], Exported]:
    """The question, checked."""
    if question.has("pld"):
        return resolve_losses(question)
    found, part = card(question.subject), selection_of(question)
    digits = digits_of(question) if question.has("digits") else None
    export = found.export
    if export is None:
        about = f"the answer for {found.name} is"
        if found.exported_instead:
            raise InputError(f"{about} a bound, not one pair of laws: export {found.exported_instead} instead")
        raise InputError(f"{about} the worst of many pairs of laws, one for each background, not one of them")
    check_part(found, part, export.holders)
    setting = Setting(question.params, found.gamma(question.params), part)
    record = found.record_of(found.assumed(question.params, part))
    for parameter, size in export.sizes(record).items():
        if size == 1:
            raise InputError(f"with {parameter} = 1 no two neighbours differ: there is no pair to export")

    def find() -> Exported:
        pair, outcome = export.pair(record, setting, digits), export.outcome(part)
        pair = pair.swapped() if part.direction == "lose" else pair
        count, kind = len(pair.outcomes), "exact" if pair.is_exact else "enclosure"
        given = question.params.given
        about: dict[str, Json] = {"protocol": question.subject, "parameters": dict(given), "outcome": outcome}
        about |= {"direction": part.direction or "gain"}
        about |= {} if part.holders is None else {"background": list(part.holders)}
        found = ("pair", Certified.of(count), digits or 10, given, THIS_PAIR, kind, WHY)
        return Exported(
            question,
            *found,
            about=about,
            size={"outcomes": count, "kind": kind},
            summary=f"{count} outcomes ({outcome}), {kind} masses",
            csv_text=lambda: csv_of_pair(pair),
            json_text=lambda: json_of_pair(pair, about),
            pair=pair,
        )

    return find


def check_part(found: AnyCard, part: ViewSelection, holders: bool) -> None:
    """*Raises* `InputError` for a part of a view that the protocol does not have, or a pair that is not one."""
    if (part.pool or part.pair) and not found.seen.pools:
        option = "pool" if part.pool else "pair"
        raise InputError(f"--{option} has no meaning for {found.name}, whose view has no pools")
    if part.holders is None and holders:
        raise InputError(f"{found.name} needs --holders: a pair of laws has one background")
    if part.holders is not None and not holders:
        raise InputError(f"--holders has no meaning for {found.name}")


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
            *("pld", Certified.of(count), 10, parameters, part.scope, kind, WHY_LOSSES),
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


def losses_from(pmf: Any) -> Losses:
    """The losses of one order as dp-accounting has them; the library has no public name for them."""
    if not pmf._pessimistic_estimate:
        raise InputError("these losses are optimistic: they bound nothing from above")
    dense = pmf.to_dense_pmf()
    masses = {dense._lower_loss + i: max(float(mass), 0.0) for i, mass in enumerate(dense._probs) if mass > 0}
    return Losses(float(dense._discretization), masses, max(float(dense._infinity_mass), 0.0))
