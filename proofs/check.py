"""The whole ledger, or part of it with what it rests on, checked on the cores there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from proofs.kernel.state import adopt, last_run
from proofs.ledger import modules, statement
from proofs.statement import supports
from proofs.verdict import Verdict, check_statement, resting


def check_ledger(slugs: Iterable[str], advance: Callable[[], None] = lambda: None) -> dict[str, Verdict]:
    """The verdicts of some statements and of all that they rest on, each checked anew.

    `advance` is called after each statement.
    """
    wanted = closure(slugs)
    own: dict[str, Verdict] = {}
    workers = min(os.cpu_count() or 1, len(wanted))
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=adopt, initargs=(last_run(),)) as pool:
        for task in as_completed([pool.submit(check_slug, slug) for slug in wanted]):
            own[task.result().slug] = task.result()
            advance()
    return resting({slug: own[slug] for slug in wanted}, {slug: statement(slug) for slug in wanted})


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
