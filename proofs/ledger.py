"""All statements, found by folder: each is a variable `some_slug = Statement(...)` of a module of `proofs/`.

A module is a section of the paper, or what stands beside the paper, and has its statements in the order of print.
They are found by slug, by a label of the paper, by a printed number, by section and by words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from panshuffle.exact.errors import InputError
from panshuffle.proofs.classes import in_paper_order, place
from panshuffle.proofs.paper import ENVIRONMENTS, items, numbered, section_number
from panshuffle.proofs.sentences import plain
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


# Statements by slug, by a label of the paper, by a printed number, by section and by words.


def named(text: str) -> list[str]:
    """The statements that a slug, a label of the paper (with or without its prefix) or a printed number names.

    A slug is found without reading any statement.  *Raises* `InputError` for a text that names none.

    >>> named("Theorem 3.2") == named("thm:ikos")
    True
    """
    if text in modules():
        return [text]
    if not text.strip():
        raise InputError("slug = '' names no statement: `panshuffle verify --list` lists all")
    keys = {item.key for item in items() if text in (item.key, item.key.partition(":")[2])} | set(numbered(text))
    known = statements()
    found = [slug for slug, statement in known.items() if keys & {statement.label, *statement.covers}]
    for item in items():
        if item.key in keys and item.kind == "section":
            found += in_section(item.number.removeprefix("Section "), known)
        if item.key in keys and item.kind == "figure":
            found += [slug for slug, statement in known.items() if statement.where.startswith(item.number)]
    if keys and not found:
        raise InputError(f"slug = {text} is in the paper, but says nothing that a statement is about")
    if not found:
        raise InputError(f"slug = {text} is not in the ledger: `panshuffle verify --list` lists all{hint(text, known)}")
    return in_paper_order(known, dict.fromkeys(found))


def hint(text: str, known: Mapping[str, Statement]) -> str:
    """What may have been meant, in words."""
    names = [*known, *(item.key for item in items() if item.kind != "display"), *(item.number for item in items())]
    near = get_close_matches(text, list(dict.fromkeys(filter(None, names))), 1)
    return f"; did you mean {near[0]}?" if near else ""


def in_section(number: str, known: Mapping[str, Statement] | None = None) -> list[str]:
    """The statements of a section of the paper, such as 4, 4.1 or A.2, its subsections included, in paper order.

    *Raises* `InputError` for a section that the paper does not have.
    """
    known = statements() if known is None else known
    sections = [item.number.removeprefix("Section ") for item in items() if item.kind == "section"]
    wanted = number.strip().rstrip(".").upper()
    if wanted not in sections:
        raise InputError(f"section = {number} is not in the paper: it has {', '.join(dict.fromkeys(sections))}")
    inside = [slug for slug, statement in known.items() if f"{section_of(statement)}.".startswith(f"{wanted}.")]
    return in_paper_order(known, inside)


def section_of(statement: Statement) -> str:
    """The number of the section that a statement is in, "0" for what is beside the paper."""
    return section_number(place(statement))


NUMBERED = (*ENVIRONMENTS, "figure")
"""The kinds of statements that are called by the number of their label."""


def number_of(statement: Statement) -> str:
    """What the paper calls a statement: the number of what it covers, or of its label, or else its section and kind."""
    numbers = {item.key: item.number for item in items()}
    named = [*statement.covers, *([statement.label] if statement.label and statement.kind in NUMBERED else [])]
    named = ["fig:results"] if statement.kind == "figure" else named
    section = section_of(statement)
    beside = f"{section}, {statement.kind}" if section != "0" else f"abstract, {statement.kind}"
    beside = beside if place(statement) < len(items()) else f"beside it, {statement.kind}"
    return next((numbers[key] for key in named if numbers.get(key)), beside)


def search(words: str) -> list[str]:
    """The statements whose texts have all these words, those with a word in their slug first, in paper order.

    *Raises* `InputError` where there is none, or no word.
    """
    wanted = words.lower().split()
    if not wanted:
        raise InputError(f"search = {words!r} has no words: give some, such as tester")
    known = statements()
    found = [slug for slug, statement in known.items() if all(word in words_of(slug, statement) for word in wanted)]
    if not found:
        raise InputError(f"search = {words}: no statement has these words")
    return sorted(found, key=lambda slug: (not all(word in slug for word in wanted), place(known[slug]), slug))


def words_of(slug: str, statement: Statement) -> str:
    """Everything that a statement says, in small letters."""
    texts = [slug, statement.label or "", statement.where, statement.kind, statement.printed, statement.reading]
    texts += [*statement.covers, *statement.hypotheses, statement.argument, statement.why, statement.survives]
    texts += [statement.severity, statement.cited or "", statement.repair.says if statement.repair else ""]
    return re.sub(r"\s+", " ", plain(" ".join(texts))).lower()
