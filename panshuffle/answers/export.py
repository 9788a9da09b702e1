"""The exact pair of laws behind an answer, or one that covers all neighbours, as losses that accountants read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from panshuffle.answer import Answer, digits_of, write
from panshuffle.answers.compose import finder
from panshuffle.card import card, selection_of
from panshuffle.exact.curves.composition import dominating_pair
from panshuffle.exact.curves.law_pair import LawPair, csv_of_pair, json_of_pair
from panshuffle.exact.curves.losses import Losses, check_interval, json_of_losses, losses_of
from panshuffle.exact.errors import InputError
from panshuffle.question import Json, Question, Setting, ViewSelection, number


@dataclass(frozen=True, kw_only=True, repr=False)
class Exported(Answer):
    """What can be written to a file: a pair of laws or privacy losses, where it comes from, and how long it is."""

    about: dict[str, Json]
    size: dict[str, Json]
    summary: str
    pair: LawPair | None = None
    losses: Losses | None = None

    def as_dict(self) -> dict[str, Json]:
        """What was exported, without the masses."""
        return self.about | self.size

    def as_json(self) -> str:
        """The masses as JSON."""
        if self.pair is not None:
            return json_of_pair(self.pair, self.about)
        assert self.losses is not None
        return json_of_losses(self.losses, None, self.about)

    def __str__(self) -> str:
        if self.pair is not None:
            return csv_of_pair(self.pair)
        assert self.losses is not None
        rows = [f"{j * self.losses.interval!r},{mass!r}" for j, mass in self.losses.masses.items()]
        return "\n".join(["loss,mass", *rows, f"inf,{self.losses.infinite!r}", ""])

    def show(self, as_json: bool, certificate: str | None, output: str | None) -> int:
        """Writes the masses, and says what was written into a file."""
        is_json = as_json if output is None else output.endswith(".json")
        write(output, self.as_json() if is_json else str(self))
        if output is not None:
            written = json.dumps(self.about | {"output": output, **self.size})
            print(written if as_json else f"{output}: {self.summary}")
        return 0


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
    found.setting(question.params, ViewSelection(part.pool, part.pair))
    if part.holders is None and export.holders:
        raise InputError(f"{found.name} needs --holders: a pair of laws has one background")
    if part.holders is not None and not export.holders:
        raise InputError(f"--holders has no meaning for {found.name}")
    setting = Setting(question.params, found.gamma(question.params), part)
    record = found.record_of(found.assumed(question.params, part))
    for parameter, size in export.sizes(record).items():
        if size == 1:
            raise InputError(f"with {parameter} = 1 no two neighbours differ: there is no pair to export")

    def find() -> Exported:
        pair, outcome = export.pair(record, setting, digits), export.outcome(part)
        pair = pair.swapped() if part.direction == "lose" else pair
        count, kind = len(pair.outcomes), "exact" if pair.is_exact else "enclosure"
        about: dict[str, Json] = {"protocol": question.subject, "parameters": dict(question.params.given)}
        about |= {"outcome": outcome, "direction": part.direction or "gain"}
        about |= {} if part.holders is None else {"background": list(part.holders)}
        size: dict[str, Json] = {"outcomes": count, "kind": kind}
        summary = f"{count} outcomes ({outcome}), {kind} masses"
        return Exported(question=question, about=about, size=size, summary=summary, pair=pair)

    return find


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
        part = find()
        losses = losses_of(*dominating_pair(part.points), interval)
        about: dict[str, Json] = {"protocol": question.subject, "parameters": dict(question.params.given)}
        about |= {"scope": part.scope, "kind": "upper bound"}
        size: dict[str, Json] = {"losses": len(losses.masses), "interval": interval}
        summary = f"{len(losses.masses)} privacy losses, multiples of {interval!r}, rounded up"
        return Exported(question=question, about=about, size=size, summary=summary, losses=losses)

    return found


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
