"""The exact pair of laws behind an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exact.curves.curve import THIS_PAIR
from exact.curves.law_pair import LawPair
from exact.curves.pair_text import csv_of_pair, json_of_pair
from exact.errors import InputError
from exact.numbers.certified import Certified
from panshuffle.answer import Exported, Json, digits_of
from panshuffle.card import AnyCard, card, part_of
from panshuffle.question import Question
from panshuffle.setting import Part, Setting

WHY = "The masses of both laws, outcome by outcome."


@dataclass(frozen=True, kw_only=True, repr=False)
class ExportAnswer(Exported):
    """A pair of laws, and what its outcomes are."""

    pair: LawPair
    outcome: str
    part: Part

    def about(self) -> dict[str, Json]:
        """Where the pair comes from."""
        about = self.head() | {"outcome": self.outcome, "direction": self.part.direction or "gain"}
        return about | ({} if self.part.holders is None else {"background": list(self.part.holders)})

    def summary(self) -> str:
        """How many outcomes there are, of which kind."""
        return f"{len(self.pair.outcomes)} outcomes ({self.outcome}), {self.kind} masses"

    def size(self) -> dict[str, Json]:
        """How many outcomes there are, and whether their masses are exact."""
        return {"outcomes": len(self.pair.outcomes), "kind": self.kind}

    def json_text(self) -> str:
        """The pair as JSON."""
        return json_of_pair(self.pair, self.about())

    def __str__(self) -> str:
        return csv_of_pair(self.pair)


def resolve(question: Question) -> Callable[[], Exported]:
    """The question, checked."""
    if question.has("pld"):
        from panshuffle.answers.losses import resolve_losses

        return resolve_losses(question)
    found, part = card(question.subject), part_of(question)
    digits = digits_of(question) if question.has("digits") else None
    export = found.export
    if export is None:
        about = f"the answer for {found.name} is"
        if found.exported_instead:
            raise InputError(f"{about} a bound, not one pair of laws: export {found.exported_instead} instead")
        raise InputError(f"{about} the worst of many pairs of laws, one for each background, not one of them")
    check_part(found, part, export.holders)
    setting = Setting(question.letters, found.gamma(question.letters), part)
    record = found.record_of(found.assumed(question.letters, part))
    for letter, size in export.sizes(record).items():
        if size == 1:
            raise InputError(f"with {letter} = 1 no two neighbours differ: there is no pair to export")

    def find() -> ExportAnswer:
        pair, outcome = export.pair(record, setting, digits)
        pair = pair.swapped() if part.direction == "lose" else pair
        size, kind = Certified.of(len(pair.outcomes)), "exact" if pair.is_exact else "enclosure"
        about = ("pair", size, digits or 10, question.letters.given, THIS_PAIR, kind, WHY)
        return ExportAnswer(question, *about, pair=pair, outcome=outcome, part=part)

    return find


def check_part(found: AnyCard, part: Part, holders: bool) -> None:
    """*Raises* `InputError` for a part of a view that the protocol does not have, or a pair that is not one."""
    if (part.pool or part.pair) and not found.seen.pools:
        option = "pool" if part.pool else "pair"
        raise InputError(f"--{option} has no meaning for {found.name}, whose view has no pools")
    if part.holders is None and holders:
        raise InputError(f"{found.name} needs --holders: a pair of laws has one background")
    if part.holders is not None and not holders:
        raise InputError(f"--holders has no meaning for {found.name}")
