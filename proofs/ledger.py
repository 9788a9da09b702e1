"""All statements, found by folder: `proofs/<section>/<slug>.py`, a slug being the file's name with hyphens."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import proofs
from proofs.statement import Statement


def statements() -> dict[str, Statement]:
    """The statements by slug, in the order of the sections' folders."""
    found: dict[str, Statement] = {}
    for section in pkgutil.iter_modules(proofs.__path__):
        if section.ispkg:
            package = import_module(f"proofs.{section.name}")
            for module in pkgutil.iter_modules(package.__path__):
                slug = module.name.replace("_", "-")
                found[slug] = import_module(f"proofs.{section.name}.{module.name}").STATEMENT
    return found
