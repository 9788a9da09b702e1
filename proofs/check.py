"""The whole ledger, or part of it with what it rests on, checked on the cores there are."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context

from proofs.kernel.state import Run, adopt, last_run
from proofs.ledger import modules, statement
from proofs.pins import fingerprint, machinery_differences, pinned_verdict, pins
from proofs.statement import Statement, supports
from proofs.verdict import Verdict, check_statement, resting
from symbolic.parent import end_with_parent


def check_ledger(slugs: Iterable[str], advance: Callable[[], None] = lambda: None) -> dict[str, Verdict]:
    """The verdicts of some statements, each checked anew, in the light of all that they rest on.

    What they rest on and is not among them is taken as it is pinned.  `advance` is called after each statement.
    """
    wanted = list(slugs)
    own: dict[str, Verdict] = {}
    with pool_of(min(os.cpu_count() or 1, len(wanted))) as pool:
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
def pool_of(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that check statements; all of them end at once if they are no longer waited for."""
    others = active_children()
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=begin, initargs=(os.getpid(), last_run()))
    try:
        yield pool
    except BaseException:
        for process in active_children():
            if process not in others:
                process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def begin(parent: int, run: Run | None) -> None:
    """Prepares a worker process: it ends with its parent, which alone hears an interrupt, and knows its run of Coq."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    adopt(run)


def check_slug(slug: str) -> Verdict:
    """The verdict of one statement by itself."""
    return check_statement(slug, statement(slug))


def closure(slugs: Iterable[str]) -> list[str]:
    """The statements and all that they rest on, in the order of the ledger."""
    known = modules()
    wanted: set[str] = set()
    waiting = list(slugs)
    while waiting:
        slug = waiting.pop()
        if slug not in wanted and slug in known:
            wanted.add(slug)
            waiting += supports(statement(slug))
    return [slug for slug in known if slug in wanted]
