"""The verdict on one statement of the paper and on all that it rests on, checked in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from panshuffle.answer import Answer
from panshuffle.exact.errors import InputError
from panshuffle.ledger_text import explanation, verdict_dict
from panshuffle.proofs.check import check_slug, closure
from panshuffle.proofs.ledger import modules, named, statement
from panshuffle.proofs.pins import differences
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.verdict import Verdict, resting
from panshuffle.question import Json, Question


@dataclass(frozen=True, kw_only=True, repr=False)
class VerifyAnswer(Answer):
    """A statement of the paper, and the verdict on it."""

    statement: Statement
    found: Verdict

    @property
    def verdict(self) -> str:
        """proved, repaired, refuted, checked, cited, definition or open."""
        return self.found.verdict

    @property
    def witness(self) -> str | None:
        """What refutes the statement as printed, where it is refuted."""
        return self.found.witness

    def as_dict(self) -> dict[str, Json]:
        """The verdict as one JSON object."""
        return verdict_dict(self.statement, self.found)

    def __str__(self) -> str:
        return explanation(self.statement, self.found)


def resolve(question: Question) -> Callable[[], VerifyAnswer]:
    """The statement of that slug, label or number.

    *Raises* `InputError` for an unknown one, for several, and where a verdict is not what is pinned.
    """
    slug = question.subject
    if slug not in modules():
        found = named(slug)
        if len(found) > 1:
            raise InputError(f"{slug} names several statements: {', '.join(found)}")
        slug = found[0]

    def find() -> VerifyAnswer:
        known = {name: statement(name) for name in closure([slug])}
        verdicts = resting({name: check_slug(name) for name in known}, known)
        problems = differences(known, verdicts)
        problems += [f"{name}: {plain(found.problem)}" for name, found in verdicts.items() if found.problem]
        if problems:
            raise InputError("; ".join(problems))
        return VerifyAnswer(question=question, statement=known[slug], found=verdicts[slug])

    return find
