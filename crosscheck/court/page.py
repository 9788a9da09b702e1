"""The judgment as text, as a Markdown or HTML page, and as CSV."""

from __future__ import annotations

import csv
import io
import platform
from collections import Counter

from crosscheck.court.accountant import Accountant
from crosscheck.court.family import DELTA
from crosscheck.court.isolation import MEGABYTES
from crosscheck.court.judgment import Judgment
from crosscheck.court.reproduction import Reproduction
from crosscheck.court.ruling import NOT_ASKED, SOUND, UNSOUND, Ruling
from crosscheck.court.truth import Truth
from crosscheck.template import filled, kept

COLUMNS = ("question", "truth_lower", "truth_upper", "accountant", "version", "promise", "side", "verdict", "claim")
MORE_COLUMNS = ("times", "said", "seconds")
LEGEND = {
    "sound": "the claim is on the right side of the certified truth; beside it, how loose it is",
    "within rounding": "it is on the wrong side by less than rounding the question's masses to doubles may explain: "
    "one part in a million of delta, or in a billion of eps",
    "unsound": "it is on the wrong side by more, and a second exact method confirms that",
    "undecided": "the truth is not known well enough, or the two exact methods do not both say so",
    "refused": "it raised a ValueError or NotImplementedError, or gave no answer",
    "crashed": "it raised another error, ran out of the memory that it is given, or its process ended",
    "timed out": "it was stopped at the time limit",
    "no number": "what it gave is not a number",
    "not asked": "it can't express the question",
}
NOTE = (
    "Every number in a question is the double that is written. An accountant that promises an estimate promises no "
    "bound: unsound then says that its answer can't be used as one."
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
        for accountant in judgment.accountants:
            for one in judgment.of(truth.question, accountant.name):
                if one.verdict != NOT_ASKED:
                    lines.append("  " + ruling_text(one))
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
    table.writerow(COLUMNS + MORE_COLUMNS)
    people = {one.name: one for one in judgment.accountants}
    for truth in judgment.truths:
        for one in judgment.rulings:
            if one.question == truth.question:
                who = people[one.accountant]
                first = (truth.question.name, *truth.text, who.name, who.version, who.promise)
                table.writerow((*first, one.side, one.verdict, one.claim, one.times, one.said, one.seconds))
    return stream.getvalue()


def cell_of(judgment: Judgment, truth: Truth, accountant: Accountant) -> list[tuple[str, str]]:
    """(verdict, text) of each ruling in a cell of the table."""
    return [(one.verdict, cell_text(one)) for one in judgment.of(truth.question, accountant.name)]


def cell_text(ruling: Ruling) -> str:
    """One ruling in a cell of the table, with all of its times."""
    if ruling.verdict == NOT_ASKED:
        return "-"
    seconds = "" if ruling.seconds is None else f" ({ruling.seconds:.2g} s)"
    claim = "" if ruling.claim is None else f" {ruling.side} {ruling.claim}"
    return f"{ruling.verdict}:{claim} {how_far(ruling)}{seconds}"


def as_markdown(judgment: Judgment) -> str:
    """The page in Markdown."""
    head = ["question", "truth", *(f"{one.name} {one.version}" for one in judgment.accountants)]
    lines = [
        "# Accountants against certified truth",
        "",
        f"{limits(judgment)} {NOTE}",
    ]
    lines += ["", "| accountant | promises | rulings |", "|---|---|---|"]
    lines += [
        f"| {one.name} {one.version} | {one.promise} | {summary(judgment, one)} |" for one in judgment.accountants
    ]
    lines += ["", *([judgment.how_to_install, ""] if judgment.how_to_install else [])]
    lines += [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for truth in judgment.truths:
        cells = ["<br>".join(text for _, text in cell_of(judgment, truth, one)) for one in judgment.accountants]
        row = [str(truth.question), truth_text(truth), *cells]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    lines += ["", *(f"- *{verdict}*: {meaning}." for verdict, meaning in LEGEND.items())]
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
        "crosscheck.court",
        "court.html",
        style=kept("crosscheck.court", "static/court.css"),
        judgment=judgment,
        limits=limits(judgment),
        note=NOTE,
        legend=LEGEND,
        **{function.__name__: function for function in (summary, truth_text, cell_of, colour, title)},
    )


def colour(cell: list[tuple[str, str]]) -> str:
    """The class of a cell: that of its worst verdict."""
    verdicts = [verdict for verdict, _ in cell]
    if UNSOUND in verdicts:
        return "unsound"
    if set(verdicts) <= {SOUND}:
        return "sound"
    if verdicts == [NOT_ASKED]:
        return "asked"
    return "rounding" if set(verdicts) <= {SOUND, "within rounding"} else "other"
