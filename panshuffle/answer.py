"""An answer: a certified number with what it covers and why, and how to get it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TypeAlias

from exact.numbers.certified import Certified
from exact.numbers.real import Real, fraction_text

from exact.errors import InputError
from panshuffle.question import Question

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
LONGEST_EXACT = 40
"""An exact value with more characters is left out of a line for a person; the enclosure says it shorter."""


@dataclass(frozen=True)
class PaperValue:
    """What the printed statement gives at the same point: its value, its slug, and the ledger's verdict on it."""

    value: str
    slug: str

    @property
    def verdict(self) -> str:
        """The pinned verdict, which `panshuffle verify` checks anew."""
        from proofs.pins import pins

        return pins()[self.slug]["verdict"]

    def as_dict(self) -> dict[str, Json]:
        """The value as JSON."""
        return {"value": self.value, "slug": self.slug, "verdict": self.verdict}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What was found, with the question that it answers."""

    question: Question

    @property
    def line(self) -> str:
        """The command line that gives the answer again."""
        return self.question.line

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        raise NotImplementedError

    def certificate(self) -> str:
        """The text that `python -m exact.check` replays.  *Raises* `InputError` where there is none."""
        raise InputError(f"no certificate: {self.question.kind} has none for {self.question.subject}")

    def show(self, as_json: bool, certificate: str | None = None) -> None:
        """Writes the certificate, if a file is named, and prints the answer."""
        if certificate is not None:
            from panshuffle.output import destination

            text = self.certificate()
            with destination(certificate) as stream:
                stream.write(text)
        print(json.dumps(self.as_dict()) if as_json else self)

    def picture(self) -> str:
        """A picture of the answer as SVG, where a picture says more; empty elsewhere, and without matplotlib."""
        return ""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>{self.picture()}"


@dataclass(frozen=True, kw_only=True)
class NumberAnswer(Answer):
    """A certified number with what it covers and why, and the paper's value beside it.

    `kind` is "exact" where the enclosure shrinks with the digits, and says otherwise where it does not; `ends` are the
    two ends where only they are known.
    """

    quantity: str
    value: Certified
    digits: int
    parameters: Mapping[str, Json]
    scope: str
    kind: str
    why: str
    paper: PaperValue | None = None
    ends: tuple[Real, Real] | None = None
    write_certificate: Callable[[], str] | None = field(default=None, repr=False)

    @cached_property
    def numbers(self) -> dict[str, Json]:
        """lower, upper and exact."""
        if self.ends is None:
            return shown(self.value, self.digits)
        low, high = (Certified.of(end).enclosure(self.digits) for end in self.ends)
        return {"lower": low[0], "upper": high[1], "exact": None}

    @property
    def lower(self) -> str:
        """The lower end of the enclosure, a decimal that is rounded down."""
        return str(self.numbers["lower"])

    @property
    def upper(self) -> str:
        """The upper end of the enclosure, a decimal that is rounded up."""
        return str(self.numbers["upper"])

    @property
    def exact(self) -> str | None:
        """The value as a rational p/q or "inf", where it is one; None elsewhere."""
        found = self.numbers["exact"]
        return None if found is None else str(found)

    def short_value(self) -> str:
        """The number for a person."""
        ends = f"[{self.lower}, {self.upper}]"
        exact = self.exact if self.exact is not None and len(self.exact) < LONGEST_EXACT else None
        return f"{exact} = {ends}" if exact not in (None, "inf") else exact or ends

    def head(self) -> dict[str, Json]:
        """What an answer's JSON object begins with."""
        return {"protocol": self.question.subject, "parameters": dict(self.parameters), "quantity": self.quantity}

    def paper_dict(self) -> Json:
        """The paper's value as JSON."""
        return None if self.paper is None else self.paper.as_dict()

    def certificate(self) -> str:
        """The text that `python -m exact.check` replays.  *Raises* `InputError` where there is none."""
        return super().certificate() if self.write_certificate is None else self.write_certificate()


def shown(value: Certified, digits: int) -> dict[str, Json]:
    """lower, upper and exact of a certified number."""
    lower, upper = value.enclosure(digits)
    exact = "inf" if value.infinite else None if value.exact is None else fraction_text(value.exact)
    exact = "0" if lower == upper == "0" else exact
    return {"lower": lower, "upper": upper, "exact": exact}
