"""The judgment as text, as a Markdown or HTML page, and as CSV."""

from __future__ import annotations

import csv
import io
import platform
from collections import Counter
from dataclasses import dataclass

from panshuffle.crosscheck.court.accountant import Accountant
from panshuffle.crosscheck.court.family import DELTA
from panshuffle.crosscheck.court.isolation import MEGABYTES
from panshuffle.crosscheck.court.judgment import Judgment
from panshuffle.crosscheck.court.reproduction import Reproduction
from panshuffle.crosscheck.court.ruling import HARMFUL, NO_BOUND, NOT_ASKED, SOUND, UNSOUND, Ruling
from panshuffle.crosscheck.court.truth import Truth
from panshuffle.crosscheck.template import filled, kept

COLUMNS = ("id", "question", "truth_lower", "truth_upper", "accountant", "version", "promise")
RULED = ("side", "verdict", "claim", "times", "said", "seconds")
LEGEND = {
    "sound": "the claim is on the right side of the certified truth; beside it, how loose it is",
    "within rounding": "it is on the wrong side by less than rounding the question's masses to doubles may explain: "
    "one part in a million of delta, or in a billion of eps, or the least positive double",
    "unsound": "its documentation promises a bound, it is on the wrong side by more than that, and a second exact "
    "method confirms it",
    "not a bound": "the same, of somebody who promises an estimate: nobody is accused, but it can't be used as a bound",
    "undecided": "the truth is not known well enough, or the two exact methods do not both say so",
    "refused": "it raised a ValueError or NotImplementedError, or gave no answer",
    "crashed": "it raised another error, ran out of the memory that it is given, or its process ended",
    "timed out": "it was stopped at the time limit",
    "no number": "what it gave is not a number",
    "not asked": "it can't express the question",
}
NOTE = "Every number in a question is the double that is written."
APPEAL = (
    "An appeal: whoever maintains an accountant can send the identifier of a ruling with another call that its "
    "documentation asks for, a place in the documentation that takes the promise back for these inputs, or a mistake "
    "in one of the two exact methods; the ruling is then tried again, and what is withdrawn is listed with its reason."
)


def truth_text(truth: Truth) -> str:
    """The truth, as an interval or as one number."""
    lower, upper = truth.text
    return lower if lower == upper else f"[{lower}, {upper}]"


def how_far(ruling: Ruling) -> str:
    """How far the claim is from the truth, in words."""
    if ruling.times is None:
        return ruling.said
    delta = ruling.question.quantity == DELTA
    if ruling.verdict == SOUND:
        return f"{ruling.times} times the truth" if delta else f"{ruling.times} from the truth"
    factor = f"the truth is {ruling.times} times that" if delta else f"that is {ruling.times} times the target"
    return f"{ruling.said}; {factor}" if ruling.said else factor


def summary(judgment: Judgment, accountant: Accountant) -> str:
    """How often each verdict was reached."""
    counts = Counter(one.verdict for one in judgment.rulings if one.accountant == accountant.name)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in LEGEND if counts[verdict])


def as_text(judgment: Judgment) -> str:
    """The rulings for a terminal, question by question, and a summary."""
    lines = list[str]()
    for truth in judgment.truths:
        agree = "two exact methods agree" if truth.agreed else "the two exact methods DISAGREE"
        lines += [str(truth.question), f"  truth: {truth_text(truth)} ({agree})"]
        lines += [f"  {ruling_text(one)}" for one in judgment.of(truth.question) if one.verdict != NOT_ASKED]
    lines += [f"{one.name} {one.version} ({one.promise}): {summary(judgment, one)}" for one in judgment.accountants]
    return "\n".join(lines + ([judgment.how_to_install] if judgment.how_to_install else [])) + "\n"


def ruling_text(ruling: Ruling) -> str:
    """One ruling on one line; times below a second are not shown."""
    slow = f" ({ruling.seconds:.0f} s)" if ruling.seconds is not None and ruling.seconds >= 1 else ""
    claim = "" if ruling.claim is None else f" {ruling.side} {ruling.claim}"
    far = how_far(ruling)
    return f"{ruling.accountant}: {ruling.verdict},{claim}{'; ' if claim and far else ' '}{far}".rstrip(" ,") + slow


def as_csv(judgment: Judgment) -> str:
    """One line for each ruling."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(COLUMNS + RULED)
    people = {one.name: one for one in judgment.accountants}
    for truth in judgment.truths:
        for one in judgment.of(truth.question):
            who = people[one.accountant]
            first = (one.identifier, truth.question.name, *truth.text, who.name, who.version, who.promise)
            table.writerow((*first, *(getattr(one, name) for name in RULED)))
    return stream.getvalue()


@dataclass(frozen=True)
class Row:
    """One ruling in the table of its family."""

    ruling: Ruling
    truth: Truth
    accountant: Accountant

    @property
    def harm(self) -> str:
        """How large the harm is: the true delta over what was claimed or asked for; a dash where there is none."""
        one = self.ruling
        if one.verdict not in HARMFUL:
            return "-"
        return "without limit" if one.times is None else f"{one.times} times" if one.side == "upper" else "too high"

    @property
    def cells(self) -> tuple[str, ...]:
        """What the table shows."""
        one = self.ruling
        seconds = "" if one.seconds is None else f" ({one.seconds:.2g} s)"
        claim = "" if one.claim is None else f"{one.side} {one.claim}"
        who = f"{self.accountant.name} {self.accountant.version}"
        ruled = f"{one.verdict} {how_far(one)}{seconds}"
        return self.harm, str(one.question), truth_text(self.truth), who, claim, ruled

    @property
    def colour(self) -> str:
        """The class of the row."""
        known = {UNSOUND: "unsound", NO_BOUND: "estimate", SOUND: "sound", "within rounding": "rounding"}
        return known.get(self.ruling.verdict, "other")


HEADS = ("harm", "question", "truth", "accountant", "it says", "ruling")


def tables(judgment: Judgment) -> dict[str, list[Row]]:
    """The rulings of each family, the most harmful first."""
    people = {one.name: one for one in judgment.accountants}
    found: dict[str, list[Row]] = {}
    for truth in judgment.truths:
        rows = found.setdefault(truth.family.name, [])
        asked = (one for one in judgment.of(truth.question) if one.verdict != NOT_ASKED)
        rows += [Row(one, truth, people[one.accountant]) for one in asked]
    return {name: sorted(rows, key=weight, reverse=True) for name, rows in found.items()}


def weight(row: Row) -> tuple[int, float]:
    """What puts one row before another."""
    one = row.ruling
    order = {UNSOUND: 2, NO_BOUND: 1}.get(one.verdict, 0)
    return order, float("inf" if one.times is None else one.times) if order else 0.0


def as_markdown(judgment: Judgment) -> str:
    """The page in Markdown."""
    lines = ["# Accountants against certified truth", "", f"{limits(judgment)} {NOTE}"]
    lines += ["", "| accountant | promises | where that is documented | rulings |", "|---|---|---|---|"]
    lines += [
        f"| {one.name} {one.version} | {one.promise} | {one.documented} {one.note} | {summary(judgment, one)} |"
        for one in judgment.accountants
    ]
    lines += ["", *([judgment.how_to_install, ""] if judgment.how_to_install else [])]
    for name, rows in tables(judgment).items():
        lines += [f"## {name}", "", f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row.cells) + " |" for row in rows] + [""]
    lines += [*(f"- *{verdict}*: {meaning}." for verdict, meaning in LEGEND.items()), "", APPEAL]
    for one in judgment.reproductions:
        lines += ["", f"## {title(one)}", "", "```", one.program.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def title(reproduction: Reproduction) -> str:
    """The heading of a reproduction."""
    one = reproduction.ruling
    return f"{one.accountant}: {one.question}"


def limits(judgment: Judgment) -> str:
    """What an accountant is given for each question."""
    version = platform.python_version()
    return f"Python {version}. An accountant has {judgment.seconds:g} seconds and {MEGABYTES} MB for each question."


def as_html(judgment: Judgment) -> str:
    """The page in HTML, with nothing from elsewhere."""
    return filled(
        "panshuffle.crosscheck.court",
        "court.html",
        style=kept("panshuffle.crosscheck.court", "static/court.css"),
        judgment=judgment,
        limits=limits(judgment),
        note=NOTE,
        legend=LEGEND,
        appeal=APPEAL,
        heads=HEADS,
        tables=tables(judgment),
        **{function.__name__: function for function in (summary, title)},
    )
