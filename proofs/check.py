"""The whole ledger, or part of it with what it rests on, checked on the cores there are."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import active_children, get_context
from pathlib import Path

from panshuffle.exact.child import end_with_parent
from panshuffle.proofs.kernel.checker import Run, adopt, last_run
from panshuffle.proofs.ledger import modules, statement
from panshuffle.proofs.pins import fingerprint, pinned_verdict, pins
from panshuffle.proofs.root import closed, machinery_differences
from panshuffle.proofs.statement import Statement, supports
from panshuffle.proofs.verdict import Verdict, check_statement, resting

TASKS = Path("/proc/self/task")
"""Where Linux lists the threads of a process, those that Python doesn't count among them."""


def check_ledger(
    slugs: Iterable[str], advance: Callable[[], None] = lambda: None, pool: ProcessPoolExecutor | None = None
) -> dict[str, Verdict]:
    """The verdicts of some statements, each checked now, in the light of all that they rest on.

    What they rest on and is not among them is taken as it is pinned.  `advance` is called after each statement.
    """
    if pool is None:
        with workers() as own_pool:
            return check_ledger(slugs, advance, own_pool)
    wanted = list(slugs)
    own: dict[str, Verdict] = {}
    for task in as_completed([pool.submit(check_slug, slug) for slug in wanted]):
        own[task.result().slug] = task.result()
        advance()
    beneath = [slug for slug in closure(wanted) if slug not in own]
    known = {slug: statement(slug) for slug in wanted}
    return resting({slug: own[slug] for slug in wanted}, known, {slug: pinned_verdict(slug) for slug in beneath})


def unsettled(slugs: Iterable[str], known: Mapping[str, Statement]) -> list[str]:
    """The statements that are asked for, and those beneath them that are no longer as they were pinned."""
    asked, pinned = set(slugs), pins()
    if machinery_differences():
        return list(known)
    changed = {slug for slug in known if fingerprint(slug, known[slug]) != pinned.get(slug, {}).get("fingerprint")}
    return [slug for slug in known if slug in asked | changed]


@contextmanager
def workers() -> Iterator[ProcessPoolExecutor]:
    """A process for each core that checks statements; all of them end at once if they are no longer waited for.

    They load the provers while the caller still finds out what there is to check.
    """
    others, cores = active_children(), os.cpu_count() or 1
    context = get_context("fork" if alone() else "spawn")
    pool = ProcessPoolExecutor(cores, context, initializer=begin, initargs=(os.getpid(), last_run()))
    try:
        for _ in range(cores):
            pool.submit(load)
        yield pool
    except BaseException:
        for process in active_children():
            if process not in others:
                process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def alone() -> bool:
    """Whether this process may be copied, which starts faster: it has one thread, by the kernel's own count.

    A copy has the locks of all threads, and none of those that would release them.
    """
    return sys.platform == "linux" and len(list(TASKS.iterdir())) == 1


def begin(parent: int, run: Run | None) -> None:
    """Prepares a worker process: it ends with its parent, which alone hears an interrupt, and knows its run of Coq."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    adopt(run)


def load() -> None:
    """Loads what nearly every statement needs: the solvers, in processes of their own, and the two algebra systems."""
    from panshuffle.symbolic.smt import LIMITS, server

    for solver in LIMITS:
        server(solver)
    import_module("panshuffle.symbolic.algebra")


def check_slug(slug: str) -> Verdict:
    """The verdict of one statement by itself."""
    return check_statement(slug, statement(slug))


def closure(slugs: Iterable[str]) -> list[str]:
    """The statements and all that they rest on, in the order of the ledger."""
    known = modules()
    wanted = closed(slugs, lambda slug: supports(statement(slug)) if slug in known else ())
    return [slug for slug in known if slug in wanted]
