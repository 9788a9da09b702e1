"""The ledger as text: the table by class, one statement in full, and the list of what there is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from shutil import get_terminal_size
from textwrap import shorten

from panshuffle.answer import Json
from panshuffle.proofs.classes import HEADS, classified, counts, in_paper_order
from panshuffle.proofs.ledger import section_of
from panshuffle.proofs.root import LIST, root_digest
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.verdict import ALL, FINITE, KERNEL, RECORDED, TIERS, WORDS, StepResult, Verdict

COLOURS = {
    "fatal": "1;31", "false": "31", "constant": "33", "unproved step": "33", "convention": "36",
    "open": "1;35", "checked": "33", "proved": "32", "cited": "34", "definition": "2",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
SHORT = {ALL: "all", WORDS: "words", FINITE: "finite", "": ""}
NARROWEST = 40
EVIDENCE = max(len(tier) for tier in TIERS)


def coloured(text: str, name: str) -> str:
    """A text in the colour of a class, on a terminal that wants colours."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{COLOURS[name]}m{text}\x1b[0m"


def print_table(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> None:
    """The statements by class, and a line for each class at the end."""
    width = max(len(slug) for slug in verdicts)
    head = (
        f"{'statement':<{width}}  {'section':<7}  {'verdict':<10}  {'covers':<6}  {'evidence':<{EVIDENCE}}  {'time':>8}"
    )
    rest = max(get_terminal_size((180, 24)).columns - len(head) - 2, NARROWEST)
    print(head)
    found = classified(known, verdicts)
    for name, slugs in found.items():
        print(coloured(HEADS[name], name))
        for slug in slugs:
            verdict = verdicts[slug]
            cells = f"{slug:<{width}}  {section_of(known[slug]):<7}  {coloured(f'{verdict.verdict:<10}', name)}"
            cells += f"  {SHORT[verdict.coverage]:<6}  {verdict.tier:<{EVIDENCE}}  {verdict.seconds:6.2f} s"
            note = verdict.witness or known[slug].cited or ""
            print(f"{cells}  {shorten(plain(note), rest, placeholder='…')}".rstrip())
    print_counts(known, verdicts)


def print_counts(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> None:
    """How many there are of each class."""
    print(f"{len(verdicts)} statement{'s' if len(verdicts) != 1 else ''}:")
    rows = [(v.verdict, known[slug].severity, v.coverage) for slug, v in verdicts.items()]
    for (verdict, severity, coverage), number in counts(rows).items():
        print(f"{number:5}  " + ", ".join(filter(None, [verdict, severity, coverage])))
    tiers = [verdict.tier for verdict in verdicts.values()]
    print(f"{tiers.count(KERNEL):5}  checked by the proof kernel in this run, with nothing weaker beneath")
    print(f"{tiers.count(RECORDED):5}  {RECORDED}, with nothing weaker beneath: `make kernel` repeats it, with Coq")
    print(f"root of trust: {root_digest()}  proofs/{LIST}")


def print_list(known: Mapping[str, Statement], pinned: Mapping[str, Mapping[str, str]]) -> None:
    """The statements in paper order, as pinned: section, slug, what it came to, and what is printed."""
    width = max(len(slug) for slug in known)
    rest = max(get_terminal_size((180, 24)).columns - width - 45, NARROWEST)
    print(f"{'section':<7}  {'statement':<{width}}  {'as pinned':<24}  printed")
    for slug in in_paper_order(known, known):
        pin = pinned.get(slug, {})
        state = ", ".join(filter(None, [pin.get("verdict", "not pinned"), pin.get("severity", "")]))
        text = shorten(plain(known[slug].printed), rest, placeholder="…")
        print(f"{section_of(known[slug]):<7}  {slug:<{width}}  {state:<24}  {text}")


def explanation(statement: Statement, verdict: Verdict) -> str:
    """The verdict in full."""
    head = ", ".join(filter(None, [verdict.verdict, statement.severity]))
    return "\n".join([f"{verdict.slug}: {head}", *(f"  {name:<10} {text}" for name, text in parts(statement, verdict))])


def parts(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What there is to say of a statement, each part with its name."""
    repair = statement.repair
    texts: list[tuple[str, str | None]] = [("where", statement.where)]
    texts += [("given", hypothesis) for hypothesis in statement.hypotheses]
    texts += [("printed", statement.printed), ("reading", statement.reading)]
    texts += [("evidence", verdict.tier), ("covers", verdict.coverage), ("checked", statement.checked)]
    texts += [("step", line) for line in step_lines(verdict.steps)]
    texts += [("also", line) for line in step_lines(verdict.corroboration)]
    texts += [("argument", statement.argument), ("witness", verdict.witness), ("why", statement.why)]
    if repair:
        texts += [("repair", repair.says), *(("repaired", line) for line in step_lines(verdict.repair_steps))]
        texts += [("argument", repair.argument), ("checked", repair.checked)]
    texts += [("above it", statement.survives), ("concerns", ", ".join(statement.above))]
    texts += [("objection", statement.referee), ("cited", statement.cited), ("defined in", statement.implementation)]
    texts += [("rests on", ", ".join(statement.rests_on + (repair.rests_on if repair else ())))]
    for constant in statement.constants:
        near = f"the near miss '{constant.near_miss}' has {constant.by}" if constant.near_miss else constant.slack
        texts.append(("constant", f"{constant.printed}: {near}"))
    texts += [("near miss", line) for line in step_lines(verdict.near_misses, witness=True)]
    return ((name, plain(text)) for name, text in texts if text)


def step_lines(steps: tuple[StepResult, ...], witness: bool = False) -> list[str]:
    """Steps in words: what is decided, by whom, and what came of it."""
    return [
        f"{step.says} [{step.prover}: {step.status}]"
        + (f" ({step.text})" if step.text != step.says else "")
        + (f": {step.witness}" if witness and step.witness else "")
        for step in steps
    ]


def form_of(statement: Statement, verdict: Verdict) -> str:
    """Which form of the statement the verdict is on: the printed one, its repair, or one that is not in the paper."""
    if statement.kind == "sharper":
        return "sharper"
    if statement.kind == "worst neighbour" or (statement.kind == "fact" and not statement.covers):
        return "not printed"
    return "repaired" if verdict.verdict == "repaired" else "as printed"


def constant_dict(constant: Constant) -> dict[str, Json]:
    """A constant as one JSON object."""
    return {"printed": constant.printed, "twin": constant.near_miss, "by": constant.by, "slack": constant.slack}


def verdict_dict(statement: Statement, verdict: Verdict) -> dict[str, Json]:
    """The verdict as one JSON object."""
    repair = statement.repair
    found: dict[str, Json] = {
        "slug": verdict.slug,
        "label": statement.label,
        "kind": statement.kind,
        "where": statement.where,
        "section": section_of(statement),
        "printed": statement.printed,
        "hypotheses": list(statement.hypotheses),
        "reading": statement.reading or None,
        "verdict": verdict.verdict,
        "severity": statement.severity or None,
        "coverage": verdict.coverage or None,
        "checked": statement.checked or None,
        "form": form_of(statement, verdict),
        "tier": verdict.tier,
        "argument": statement.argument or None,
        "rests_on": list(statement.rests_on),
        "above": list(statement.above),
        "witness": verdict.witness,
        "why": statement.why or None,
        "repair": repair.says if repair else None,
        "repair_argument": (repair.argument or None) if repair else None,
        "repair_rests_on": list(repair.rests_on) if repair else [],
        "survives": statement.survives or None,
        "referee": statement.referee or None,
        "constants": [constant_dict(constant) for constant in statement.constants],
        "cited": statement.cited,
        "steps": [asdict(step) for step in verdict.steps],
        "repair_steps": [asdict(step) for step in verdict.repair_steps],
        "twins": [asdict(step) for step in verdict.near_misses],
        "also": [asdict(step) for step in verdict.corroboration],
        "covers": list(statement.covers),
        "seconds": round(verdict.seconds, 6),
    }
    return {name: typed(value) for name, value in found.items()}


def typed(value: Json) -> Json:
    """A value of JSON whose sentences have their formulas as one types them."""
    if isinstance(value, list):
        return [typed(one) for one in value]
    if isinstance(value, dict):
        return {name: typed(one) for name, one in value.items()}
    return plain(value) if isinstance(value, str) else value
