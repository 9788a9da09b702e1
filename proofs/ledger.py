"""All statements, found by folder: `proofs/<section>/<slug>.py`, a slug being the file's name with hyphens."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from panshuffle.proofs.statement import Statement

from panshuffle import proofs

NOT_SECTIONS = ("kernel",)


@cache
def modules() -> dict[str, str]:
    """The modules of the statements by slug, in the order of the sections' folders; none is imported."""
    found: dict[str, str] = {}
    for section in pkgutil.iter_modules(proofs.__path__):
        if section.ispkg and section.name not in NOT_SECTIONS:
            package = import_module(f"panshuffle.proofs.{section.name}")
            for module in pkgutil.iter_modules(package.__path__):
                slug = module.name.replace("_", "-")
                if slug in found:
                    raise ValueError(f"two statements are called {slug}: {found[slug]} and one in {section.name}")
                found[slug] = f"panshuffle.proofs.{section.name}.{module.name}"
    return found


def statement(slug: str) -> Statement:
    """The statement of a slug."""
    found: Statement = import_module(modules()[slug]).STATEMENT
    return found


def statements() -> dict[str, Statement]:
    """The statements by slug."""
    return {slug: import_module(module).STATEMENT for slug, module in modules().items()}
