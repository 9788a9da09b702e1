"""`panshuffle study`: a file of many exact questions, answered on all cores or on a cluster, resumable."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from panshuffle.study.study_file import Study
    from panshuffle.study.table import Row
    from panshuffle.study.workers import Crew

MOST_WORKERS = 1024
PICTURES = (".svg", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("study", metavar="STUDY", help="STUDY.toml; or the table of a study, to draw it")
    parser.add_argument("-o", "--output", metavar="OUT", help="the table: OUT.parquet, OUT.csv or OUT.jsonl")
    parser.add_argument("--store", metavar="DIR", help="where answers are kept as they arrive (default OUT.store)")
    where = parser.add_argument_group("where it runs (the table is the same)")
    where.add_argument("--workers", metavar="N", help="processes on this machine (default: one a core)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="an existing Dask cluster, such as tcp://10.0.0.1:8786")
    where.add_argument("--local-cluster", metavar="N", help="a Dask cluster of N workers on this machine")
    picture = parser.add_argument_group("a picture of the table")
    picture.add_argument("--figure", metavar="FILE", help="FILE.svg or FILE.png")
    picture.add_argument("--draw", choices=("lines", "heat"), help="how (default: by the number of parameters)")
    parser.add_argument("--json", action="store_true", help="print one JSON object on what was done")


def run(args: argparse.Namespace) -> int:
    """Runs the study, or draws its table."""
    from exact.errors import InputError
    from panshuffle.study.table import ENDINGS, check_ending, check_place, read_table

    check_figure(args)
    if not args.study.endswith(".toml"):
        if args.output is not None or args.figure is None or not args.study.endswith(ENDINGS):
            table = "a table of a study (.parquet, .csv or .jsonl), which needs --figure and no --output"
            raise InputError(f"study = {args.study} is not allowed: study must be a .toml file, or {table}")
        rows = read_table(args.study)
        return draw(args, rows, "")
    if args.output is None:
        raise InputError("a study needs --output: a table that ends in .parquet, .csv or .jsonl")
    check_ending(args.output)
    check_place(args.output)
    return answer(args)


def check_figure(args: argparse.Namespace) -> None:
    """*Raises* `InputError` for a picture that could not be drawn in the end."""
    from exact.errors import InputError

    if args.figure is None:
        if args.draw is not None:
            raise InputError("--draw needs --figure")
        return
    from panshuffle.figure import pyplot
    from panshuffle.study.table import check_place

    if not args.figure.endswith(PICTURES):
        raise InputError(f"figure = {args.figure} is not allowed: figure must end in .svg or .png")
    pyplot()
    check_place(args.figure)


def draw(args: argparse.Namespace, rows: list[Row], title: str) -> int:
    """Draws the table."""
    from panshuffle.study.figure import draw_table

    draw_table(args.figure, title, rows, args.draw)
    return 0


def answer(args: argparse.Namespace) -> int:
    """Answers what is not answered yet and writes the table."""
    from panshuffle.study.checks import check_questions
    from panshuffle.study.session import Session, progress
    from panshuffle.study.sources import code_version
    from panshuffle.study.store import Store
    from panshuffle.study.study_file import read_study
    from panshuffle.study.table import rows_of, write_table

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
    rows = rows_of(study.questions, session.outcomes, code)
    write_table(args.output, rows)
    report(args, study, session.computed, len(store.damaged), sum(row["error"] is not None for row in rows))
    return draw(args, rows, study.title) if args.figure is not None else 0


def check_workers(args: argparse.Namespace) -> None:
    """*Raises* `InputError` for two places to run at, or a number of workers that is not allowed."""
    from exact.errors import InputError

    ways = [name for name in ("workers", "scheduler", "local_cluster") if getattr(args, name) is not None]
    if len(ways) > 1:
        first, second = (name.replace("_", "-") for name in ways[:2])
        raise InputError(f"--{first} and --{second} exclude each other")
    for name in ("workers", "local_cluster"):
        if getattr(args, name) is not None:
            count_of(args, name)


def count_of(args: argparse.Namespace, name: str) -> int:
    """A number of workers.  *Raises* `ParameterError` unless it is from 1 to 1024."""
    from panshuffle.question import whole

    letter, text = name.replace("_", "-"), getattr(args, name)
    return whole(letter, text, 1, MOST_WORKERS)


def crew_of(args: argparse.Namespace, code: str, questions: int) -> AbstractContextManager[Crew]:
    """Whoever is to answer the questions."""
    if args.scheduler is not None or args.local_cluster is not None:
        from panshuffle.study.cluster import cluster_at, cluster_of

        if args.scheduler is not None:
            return cluster_at(args.scheduler, code)
        return cluster_of(count_of(args, "local_cluster"), code)
    from panshuffle.study.workers import cores, local_workers

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
