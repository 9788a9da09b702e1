"""`panshuffle study`: a file of many exact questions, answered on all cores or on a cluster, resumable."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import AbstractContextManager

from panshuffle.exact.errors import InputError
from panshuffle.figure import pyplot
from panshuffle.output import check_ending, check_place
from panshuffle.question import whole
from panshuffle.study import table
from panshuffle.study.answering import check_questions
from panshuffle.study.cluster import cluster_at, cluster_of
from panshuffle.study.figure import draw_table
from panshuffle.study.session import Crew, Session, progress
from panshuffle.study.sources import code_version
from panshuffle.study.store import Store
from panshuffle.study.study_file import Study, read_study
from panshuffle.study.workers import cores, local_workers

MOST_WORKERS = 1024


def run(args: argparse.Namespace) -> int:
    """Runs the study, or draws its table."""
    check_figure(args)
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


def check_figure(args: argparse.Namespace) -> None:
    """*Raises* `InputError` for a picture that could not be drawn in the end."""
    if args.figure is None:
        if args.draw is not None:
            raise InputError("--draw needs --figure")
        return
    check_ending("figure", args.figure, (".svg", ".png"))
    pyplot()
    check_place(args.figure)


def answer(args: argparse.Namespace) -> int:
    """Answers what is not answered yet and writes the table."""
    code = code_version()
    study = read_study(args.study)
    crew_for = crew_of(args, code)
    store = Store(args.store if args.store is not None else f"{args.output}.store", code)
    session = Session(store)
    left = session.read(study.questions)
    check_questions(args.study, left)
    if left:
        with store.opened(), crew_for(len(left)) as crew, progress(left) as advance:
            session.answer(left, crew, advance)
    rows = table.rows_of(study.questions, session.outcomes, code)
    table.write_table(args.output, rows)
    report(args, study, session.computed, len(store.damaged), sum(row["error"] is not None for row in rows))
    if args.figure is not None:
        draw_table(args.figure, study.title, rows, args.draw)
    return 0


def crew_of(args: argparse.Namespace, code: str) -> Callable[[int], AbstractContextManager[Crew]]:
    """Whoever is to answer so many questions.

    *Raises* `InputError` for two places to run at, or a number of workers that is not from 1 to 1024.
    """
    given = {name: getattr(args, name.replace("-", "_")) for name in ("workers", "scheduler", "local-cluster")}
    given = {name: text for name, text in given.items() if text is not None}
    if len(given) > 1:
        first, second = list(given)[:2]
        raise InputError(f"--{first} and --{second} exclude each other")
    if "scheduler" in given:
        return lambda questions: cluster_at(args.scheduler, code)
    counts = {name: whole(name, text, 1, MOST_WORKERS) for name, text in given.items()}
    if "local-cluster" in counts:
        return lambda questions: cluster_of(counts["local-cluster"], code)
    return lambda questions: local_workers(min(counts.get("workers") or cores(), questions), code)


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
        print(f"{corrupt} of the stored answers {'were' if corrupt > 1 else 'was'} damaged and computed again")
