"""The exact error of a protocol, or the probability of a tester's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from panshuffle.answer import LONGEST_EXACT, NumberAnswer, PaperValue, digits_of, shown
from panshuffle.card import PAPER, ErrorFound, ErrorQuestion, card, names_with
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Certified, Real
from panshuffle.question import Json, Question

OPTIONS = ("distinct", "corrected", "raw", "uniform", "paired", "beta", "fixed")
ECHOED = ("beta", "distinct", "paired", "fixed", "corrected", "raw", "uniform")


@dataclass(frozen=True, kw_only=True, repr=False)
class AccuracyAnswer(NumberAnswer):
    """An error, or the probability of a tester's answer; `more` has what only some protocols have."""

    alpha: Real | None
    more: Mapping[str, Json]

    @property
    def printed_alpha(self) -> dict[str, Json]:
        """The alpha of `--alpha paper`, as numbers."""
        if self.alpha is None or self.question.get("alpha") != PAPER:
            return {}
        return {"alpha": shown(Certified.of(self.alpha), self.digits)}

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        found = {**self.named_numbers(), "scope": self.scope, **self.more, **self.printed_alpha}
        return {**found, "paper": self.paper_dict()}

    def __str__(self) -> str:
        searched = "distinct" in self.more and not self.question.has("distinct")
        where = f", worst at D = {self.more['distinct']}" if searched else ""
        lines = [f"{self.heading()}: {self.short_value()}", f"covers {self.scope}{where}"]
        bias = self.more.get("bias")
        if isinstance(bias, dict):
            lines.append(f"bias: [{bias['lower']}, {bias['upper']}]")
        if "tau" in self.more:
            lines.append(f"threshold: {self.more['tau']}...")
        paper = self.paper
        bound = "no bound at this point" if paper is None else f"{paper.value} ({paper.slug}: {paper.verdict})"
        return "\n".join([*lines, f"paper: {bound}", f"why: {self.why}"])

    def short_value(self) -> str:
        """The number for a person; an exact one that is its own decimal stands alone."""
        alone = self.exact == self.lower and len(self.lower) < LONGEST_EXACT
        return self.lower if alone else super().short_value()

    def heading(self) -> str:
        """What the number is."""
        if self.quantity == "beta":
            place, printed = self.question.get("alpha"), self.printed_alpha.get("alpha")
            place = f"{place} = {printed['lower']}..." if isinstance(printed, dict) else place
            return f"P[|error| > alpha] at alpha = {place}"
        return f"least alpha at beta = {self.question.get('beta')}" if self.quantity == "alpha" else self.quantity


def resolve(question: Question) -> Callable[[], AccuracyAnswer]:
    """The question, checked."""
    found, digits = card(question.subject), digits_of(question)
    accuracy = found.accuracy
    if accuracy is None:
        raise InputError(f"{found.name} has no error law here: accuracy knows {names_with(lambda one: one.accuracy)}")
    question.refuse(option for option in OPTIONS if option not in accuracy.options)
    law = accuracy.law(ErrorQuestion(question.params, found.gamma(question.params), question=question))
    question.params.check_known((*found.params, *accuracy.params))
    return lambda: answer_of(question, law(), digits)


def answer_of(question: Question, finding: ErrorFound, digits: int) -> AccuracyAnswer:
    """The answer."""
    paper = None
    if finding.paper is not None and finding.slug:
        paper = PaperValue(Certified.of(finding.paper).enclosure(6)[1], finding.slug)
    kind = str(finding.more.get("kind", "exact"))
    about = (finding.quantity, finding.value, digits, echoed(question), finding.scope, kind, finding.why)
    return AccuracyAnswer(question, *about, paper=paper, ends=finding.ends, alpha=finding.alpha, more=finding.more)


def echoed(question: Question) -> dict[str, Json]:
    """What was given: parameters and numbers as texts, flags as true."""
    given: dict[str, Json] = {name: text or True for name, text in question.params.given.items()}
    options = dict(question.options)
    return {**given, **{name: options[name] for name in ECHOED if name in options}}
