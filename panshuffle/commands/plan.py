"""`panshuffle plan`: which protocol meets a target, and with which exact parameters."""

from __future__ import annotations

import argparse
import json

from panshuffle.answers.plan import resolve, target_of, task_of
from panshuffle.exact.errors import InputError
from panshuffle.output import destination
from panshuffle.plotting import draw_rows
from panshuffle.question import Json, Question, whole


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0 where a protocol meets the target, 1 where none does."""
    for name, text in (("eps", args.eps), ("delta", args.delta)):
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
    points = whole("points", args.points or "8", 2)
    task = task_of(question.subject)
    target = target_of(question, task)
    values = task.values(target)
    title = f"{question.subject} at eps = {target.eps}, delta = {target.delta}, gamma = {target.gamma}"
    rows, columns = values.rows(points), values.columns
    if args.figure.endswith(".csv"):
        with destination(args.figure) as stream:
            stream.writelines(",".join(map(str, row)) + "\n" for row in (columns, *rows))
    else:
        draw_rows(args.figure, title, values.what, columns[0], values.labels, rows)
    return {"figure": {"value": values.what, "rows": [dict(zip(columns, row, strict=True)) for row in rows]}}
