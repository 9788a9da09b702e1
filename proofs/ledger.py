"""All statements, found by folder: each is a variable `some_slug = Statement(...)` of a module of `proofs/`.

A module is a section of the paper, or what stands beside the paper, and has its statements in the order of print.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path

from panshuffle.proofs.statement import Statement

HERE = Path(__file__).parent
ENTRY = re.compile(r"^([a-z]\w*) = Statement\(", re.MULTILINE)
"""The first line of a statement: the variable's name is the slug, with underscores."""
PARTS = ("section", "appendix")
"""The paper's parts, in its order; what is beside the paper comes after them."""


def rank(name: str) -> tuple[int, str]:
    """Where a module of statements stands among the others."""
    part = name.partition("_")[0]
    return (PARTS.index(part) if part in PARTS else len(PARTS), name)


def slugs_of(text: str) -> list[str]:
    """The slugs of the statements in the text of a module.

    >>> slugs_of("ratio_inequality = Statement(")
    ['ratio-inequality']
    """
    return [name.replace("_", "-") for name in ENTRY.findall(text)]


@cache
def modules() -> dict[str, str]:
    """The name of each statement's module by slug, in the order of the paper; no module of statements is imported."""
    found: dict[str, str] = {}
    for path in sorted(HERE.glob("*.py"), key=lambda path: rank(path.stem)):
        for slug in slugs_of(path.read_text(encoding="utf-8")):
            if slug in found:
                raise ValueError(f"two statements are called {slug}: one in {found[slug]} and one in {path.stem}")
            found[slug] = path.stem
    return found


def statement(slug: str) -> Statement:
    """The statement of a slug."""
    module = import_module(f"panshuffle.proofs.{modules()[slug]}")
    found: Statement = getattr(module, slug.replace("-", "_"))
    return found


def statements() -> dict[str, Statement]:
    """The statements by slug."""
    return {slug: statement(slug) for slug in modules()}
