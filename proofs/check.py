"""The whole ledger, or part of it with what it rests on, checked on the cores there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from proofs.kernel.state import adopt, last_run
from proofs.ledger import modules, statement
from proofs.pins import fingerprint, pinned_verdict, pins
from proofs.statement import Statement, supports
from proofs.verdict import Verdict, check_statement, resting


def check_ledger(slugs: Iterable[str], advance: Callable[[], None] = lambda: None) -> dict[str, Verdict]:
    """The verdicts of some statements, each checked anew, in the light of all that they rest on.

    What they rest on and is not among them is taken as it is pinned.  `advance` is called after each statement.
    """
    wanted = list(slugs)
    own: dict[str, Verdict] = {}
    workers = min(os.cpu_count() or 1, len(wanted))
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=adopt, initargs=(last_run(),)) as pool:
        for task in as_completed([pool.submit(check_slug, slug) for slug in wanted]):
            own[task.result().slug] = task.result()
            advance()
    beneath = [slug for slug in closure(wanted) if slug not in own]
    known = {slug: statement(slug) for slug in wanted}
    return resting({slug: own[slug] for slug in wanted}, known, {slug: pinned_verdict(slug) for slug in beneath})


def unsettled(slugs: Iterable[str], known: Mapping[str, Statement]) -> list[str]:
    """The statements that are asked for, and those beneath them that are no longer as they were pinned."""
    asked, pinned = set(slugs), pins()
    changed = {slug for slug in known if fingerprint(slug, known[slug]) != pinned.get(slug, {}).get("fingerprint")}
    return [slug for slug in known if slug in asked | changed]


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
