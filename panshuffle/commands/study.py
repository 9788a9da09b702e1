"""`panshuffle study`: a file of many exact questions, answered on all cores or on a cluster, resumable."""

from __future__ import annotations

import argparse
import json
from contextlib import AbstractContextManager

from exact.errors import InputError
from panshuffle.figure import pyplot
from panshuffle.output import check_ending, check_place
from panshuffle.question import whole
from panshuffle.study import table
from panshuffle.study.answering import check_questions
from panshuffle.study.cluster import cluster_at, cluster_of
from panshuffle.study.figure import draw_table
from panshuffle.study.session import Session, progress
from panshuffle.study.sources import code_version
from panshuffle.study.store import Store
from panshuffle.study.study_file import Study, read_study
from panshuffle.study.workers import Crew, cores, local_workers

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
    check_workers(args)
    store = Store(args.store if args.store is not None else f"{args.output}.store", code)
    session = Session(store)
    left = session.read(study.questions)
    check_questions(args.study, left)
    if left:
        with store.opened(), crew_of(args, code, len(left)) as crew, progress(left) as advance:
            session.answer(left, crew, advance)
    rows = table.rows_of(study.questions, session.outcomes, code)
    table.write_table(args.output, rows)
    report(args, study, session.computed, len(store.damaged), sum(row["error"] is not None for row in rows))
    if args.figure is not None:
        draw_table(args.figure, study.title, rows, args.draw)
    return 0


def check_workers(args: argparse.Namespace) -> None:
    """*Raises* `InputError` for two places to run at, or a number of workers that is not allowed."""
    ways = [name for name in ("workers", "scheduler", "local_cluster") if getattr(args, name) is not None]
    if len(ways) > 1:
        first, second = (name.replace("_", "-") for name in ways[:2])
        raise InputError(f"--{first} and --{second} exclude each other")
    for name in ("workers", "local_cluster"):
        if getattr(args, name) is not None:
            count_of(args, name)


def count_of(args: argparse.Namespace, name: str) -> int:
    """A number of workers.  *Raises* `ParameterError` unless it is from 1 to 1024."""
    return whole(name.replace("_", "-"), getattr(args, name), 1, MOST_WORKERS)


def crew_of(args: argparse.Namespace, code: str, questions: int) -> AbstractContextManager[Crew]:
    """Whoever is to answer the questions."""
    if args.scheduler is not None:
        return cluster_at(args.scheduler, code)
    if args.local_cluster is not None:
        return cluster_of(count_of(args, "local_cluster"), code)
    count = cores() if args.workers is None else count_of(args, "workers")
    return local_workers(min(count, questions), code)


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
