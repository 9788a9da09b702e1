"""`panshuffle plan`: which protocol meets a target, and with which exact parameters."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence

from exact.errors import InputError
from panshuffle.answer import Json
from panshuffle.answers.plan import resolve, target_of, task_of
from panshuffle.figure import BoundRow, PeerRow, draw_amplification, draw_bounds
from panshuffle.output import check_ending, destination
from panshuffle.planning import Amplified, amplified_rows, rows_of
from panshuffle.question import Question, whole


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0 where a protocol meets the target, 1 where none does."""
    for name, text in (("eps", args.own_eps), ("delta", args.own_delta)):
        if text is not None:
            raise InputError(
                f"--{name} is a protocol's own parameter, which a plan finds: say --at-{name} {text} for the target"
            )
    question = Question.parsed("plan", args)
    find = resolve(question)
    figure = figure_of(args, question)
    found = find()
    print(json.dumps(found.as_dict() | figure) if args.json else found)
    return 0 if found.choice is not None else 1


def figure_of(args: argparse.Namespace, question: Question) -> dict[str, Json]:
    """The rows of the figure, which is written; nothing where none is asked for."""
    if args.figure is None:
        if args.points is not None:
            raise InputError("--points has no meaning without --figure")
        return {}
    check_ending("figure", args.figure, (".csv", ".svg", ".png"))
    points = whole("points", args.points or "8", 2)
    task = task_of(question.subject)
    target = target_of(question, task)
    values = task.values(target)
    title = f"{question.subject} at eps = {target.eps}, delta = {target.delta}, gamma = {target.gamma}"
    if isinstance(values, Amplified):
        peers = amplified_rows(values, target, points)
        if not is_table(args.figure, PeerRow._fields, peers):
            draw_amplification(args.figure, title, values.what, peers)
        return {"figure": {"value": values.what, "rows": [row._asdict() for row in peers]}}
    rows = rows_of(question.subject, values, target, points)
    if not is_table(args.figure, BoundRow._fields, rows):
        draw_bounds(args.figure, title, values.what, values.paper, rows)
    return {"figure": {"value": values.what, "rows": [row._asdict() for row in rows]}}


def is_table(path: str, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> bool:
    """Whether the figure is a CSV file, which is written then."""
    if not path.endswith(".csv"):
        return False
    with destination(path) as stream:
        stream.writelines(",".join(map(str, row)) + "\n" for row in (columns, *rows))
    return True
