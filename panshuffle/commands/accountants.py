"""`panshuffle accountants`: what privacy accountants say to questions whose exact answers are computed here."""

from __future__ import annotations

import argparse
import json
import platform
from collections import Counter
from collections.abc import Iterator, Sequence

from panshuffle.crosscheck.accountants.adapters import ACCOUNTANTS, ESTIMATE, Accountant, accountant_named
from panshuffle.crosscheck.accountants.grades import LEGEND, UNSOUND, Grade, Truth
from panshuffle.crosscheck.accountants.questions import MECHANISMS, QUESTIONS, chosen
from panshuffle.crosscheck.accountants.session import MEGABYTES, Reply, Session
from panshuffle.exact.errors import ParameterError
from panshuffle.output import with_progress
from panshuffle.question import number

MOST_SECONDS = 3600
Row = dict[str, object]
Few = Sequence[Accountant]
Answers = dict[str, list[list[Row]]]


def run(args: argparse.Namespace) -> int:
    """Runs the command; the status is 0 whatever the accountants say, which is no error of ours."""
    seconds = number("seconds", args.seconds)
    if not (seconds > 0 and seconds <= MOST_SECONDS):
        raise ParameterError("seconds", args.seconds, f"above 0 and at most {MOST_SECONDS}")
    wanted = [accountant_named(name) for name in args.accountant or ACCOUNTANTS]
    truths = [Truth(question) for question in chosen(args.question)]
    here = [one for one in wanted if one.is_here]
    missing = [one for one in wanted if not one.is_here]
    if args.list:
        return print_list(here, missing, args.json)
    answers = {one.name: asked(one, truths, float(seconds)) for one in with_progress(here, "asking the accountants")}
    if args.json:
        print(json.dumps(as_json(truths, here, missing, answers, float(seconds))))
    else:
        print("\n".join(as_text(truths, here, missing, answers)))
    return 0


def asked(accountant: Accountant, truths: Sequence[Truth], seconds: float) -> list[list[Row]]:
    """What it says to each question, graded: a row for each end that it gives."""
    with Session(accountant, seconds) as session:
        return [graded(truth, accountant, session.ask(truth.question)) for truth in truths]


def graded(truth: Truth, accountant: Accountant, reply: Reply) -> list[Row]:
    """The rows of one reply; none where the accountant can't express the question."""
    if "ends" not in reply:
        found = [("upper", "", Grade(reply["verdict"], reply["says"]))]
    else:
        found = [(side, end, truth.grade(side, end)) for side, end in reply["ends"].items()]
    about: Row = {"accountant": accountant.name, "seconds": reply.get("seconds")}
    return [about | {"side": side, "answer": end} | vars(grade) for side, end, grade in found]


def as_json(truths: Sequence[Truth], here: Few, missing: Few, answers: Answers, seconds: float) -> dict[str, object]:
    """Everything, with the limits it was found under."""
    return {
        "python": platform.python_version(),
        "limits": {"seconds": seconds, "megabytes": MEGABYTES},
        "accountants": [{"name": one.name, "version": one.version, "promise": one.promise} for one in here],
        "missing": [{"name": one.name, "get": one.how_to_get} for one in missing],
        "questions": [
            {"name": truth.question.name, **vars(truth.question)}
            | {"truth": dict(zip(("lower", "upper"), truth.text, strict=True))}
            | {"answers": [row for one in here for row in answers[one.name][i]]}
            for i, truth in enumerate(truths)
        ],
    }


def as_text(truths: Sequence[Truth], here: Few, missing: Few, answers: Answers) -> Iterator[str]:
    """A table of the answers, question by question, and one line for each accountant."""
    for i, truth in enumerate(truths):
        lower, upper = truth.text
        yield str(truth.question)
        rows = [("the truth", lower if lower == upper else f"[{lower}, {upper}]", "", "")]
        rows += [cells(row) for one in here for row in answers[one.name][i]]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for row in rows:
            yield (
                "  "
                + "  ".join((*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3])).rstrip()
            )
    for one in here:
        counts = Counter(str(row["verdict"]) for rows in answers[one.name] for row in rows)
        promise = ", an estimate that promises no bound" if one.promise == ESTIMATE and counts[UNSOUND] else ""
        says = ", ".join(f"{counts[verdict]} {verdict}" for verdict in LEGEND if counts[verdict]) or "not asked"
        yield f"{one.name} {one.version}: {says}{promise}"
    if missing:
        yield not_here(missing)


def cells(row: Row) -> tuple[str, str, str, str]:
    """Who, what it says, the verdict, and the harm or the distance."""
    says = f"{row['side']} {row['answer']}" if row["answer"] else "-"
    slow = f" ({row['seconds']:.0f} s)" if isinstance(row["seconds"], float) and row["seconds"] >= 1 else ""
    return str(row["accountant"]), says, str(row["verdict"]), f"{row['says']}{slow}".strip()


def not_here(missing: Few) -> str:
    """One sentence on what is not installed and how to get it."""
    ways: dict[str, list[str]] = {}
    for one in missing:
        ways.setdefault(one.how_to_get, []).append(one.name)
    return "not here: " + "; ".join(f"{', '.join(names)} ({way})" for way, names in ways.items())


def print_list(here: Few, missing: Few, as_json: bool) -> int:
    """The accountants with their versions, and the questions by name."""
    versions: dict[str, str | None] = {one.name: one.version for one in here} | {one.name: None for one in missing}
    if as_json:
        print(json.dumps({"accountants": versions, "questions": [question.name for question in QUESTIONS]}))
        return 0
    for one in here:
        print(f"{one.name} {one.version}")
    if missing:
        print(not_here(missing))
    for name, mechanism in MECHANISMS.items():
        print(f"{name}: {mechanism.says}")
        print("\n".join(f"  {question.name}" for question in QUESTIONS if question.mechanism == name))
    return 0
