"""`panshuffle study`: a file of many exact questions, answered on all cores or on a cluster, resumable."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from panshuffle.exact.errors import InputError
from panshuffle.output import check_place, progress
from panshuffle.plotting import pyplot
from panshuffle.question import whole
from panshuffle.study import table
from panshuffle.study.engine import check_questions, code_version, cores, cost, outcomes, workers_at, workers_here
from panshuffle.study.pictures import draw_table
from panshuffle.study.store import Store
from panshuffle.study.study_file import Study, read_study

if TYPE_CHECKING:
    from distributed import Client

MOST_WORKERS = 1024


def run(args: argparse.Namespace) -> int:
    """Runs the study, or draws its table."""
    if args.figure is not None:  # a picture that could not be drawn in the end is refused now
        pyplot()
        check_place(args.figure)
    elif args.draw is not None:
        raise InputError("--draw needs --figure")
    if not args.study.endswith(".toml"):
        if args.output is not None or args.figure is None or not args.study.endswith(table.ENDINGS):
            other = "a table of a study (.parquet, .csv or .jsonl), which needs --figure and no --output"
            raise InputError(f"study = {args.study} is not allowed: study must be a .toml file, or {other}")
        draw_table(args.figure, "", table.read_table(args.study), args.draw)
        return 0
    if args.output is None:
        raise InputError("a study needs --output: a table that ends in .parquet, .csv or .jsonl")
    table.check_ending(args.output)
    check_place(args.output)
    return answer(args)


def answer(args: argparse.Namespace) -> int:
    """Answers what is not answered yet and writes the table."""
    workers_for, code = who_answers(args), code_version()
    study = read_study(args.study)
    with Store(args.store if args.store is not None else f"{args.output}.store", code) as store:
        left = [entry for entry in study.questions if entry.text not in store.outcomes]
        left.sort(key=lambda entry: cost(entry.question), reverse=True)
        check_questions(args.study, left)
        found = dict(store.outcomes)
        if left:
            with workers_for(len(left)) as client, progress("questions", len(left)) as (_, advance):
                for text, outcome in outcomes(client, [entry.text for entry in left], code):
                    if outcome["lasting"]:
                        store.put(text, outcome)
                    found[text] = outcome
                    advance()
    rows = table.rows_of(study.questions, found, code)
    table.write_table(args.output, rows)
    report(args, study, len(left), store.damaged, sum(row["error"] is not None for row in rows))
    if args.figure is not None:
        draw_table(args.figure, study.title, rows, args.draw)
    return 0


def who_answers(args: argparse.Namespace) -> Callable[[int], AbstractContextManager[Client]]:
    """The workers for a number of questions.

    *Raises* `InputError` for two places to run at, or a number of workers that is not from 1 to 1024.
    """
    number = None if args.workers is None else whole("workers", args.workers, 1, MOST_WORKERS)
    if args.scheduler is None:
        return lambda questions: workers_here(min(number or cores(), questions))
    if number is not None:
        raise InputError("--workers and --scheduler exclude each other")
    return lambda questions: workers_at(args.scheduler)


def report(args: argparse.Namespace, study: Study, computed: int, corrupt: int, refused: int) -> None:
    """Says what was done."""
    total = len(study.questions)
    done = {"questions": total, "computed": computed, "stored": total - computed, "errors": refused, "corrupt": corrupt}
    if args.json:
        print(json.dumps({"title": study.title, **done, "output": args.output}))
        return
    questions = "1 question" if total == 1 else f"{total} questions"
    print(f"{questions}: {computed} computed, {total - computed} from the store, {refused} with an error")
    if corrupt:
        print(f"{corrupt} of the stored answers {'were' if corrupt > 1 else 'was'} damaged and left out")
