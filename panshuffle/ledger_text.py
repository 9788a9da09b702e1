"""The ledger as text: the table by class, one statement in full, and the list of what there is."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from shutil import get_terminal_size
from textwrap import fill, shorten

from panshuffle.proofs.classes import HEADS, classified, in_paper_order, opening
from panshuffle.proofs.ledger import number_of, section_of, statements
from panshuffle.proofs.root import LIST, root_digest
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement, needs, supports
from panshuffle.proofs.verdict import COLUMN, HERE, NONE, StepResult, Verdict
from panshuffle.question import Json

COLOURS = {
    "fatal": "1;31", "false": "31", "constant": "33", "unproved step": "33", "convention": "36",
    "open": "1;35", "checked": "33", "proved": "32", "cited": "34", "definition": "2",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
NARROWEST = 40
WIDEST = 110
NAMES = 13


def coloured(text: str, name: str) -> str:
    """A text in the colour of a class, on a terminal that wants colours."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{COLOURS[name]}m{text}\x1b[0m"


def print_table(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> None:
    """What the run decided, in the first lines; then the statements by class, by the paper's numbers."""
    print("\n".join(opening(known, verdicts)))
    width, numbers = max(len(slug) for slug in verdicts), {slug: number_of(known[slug]) for slug in verdicts}
    first = max(len(number) for number in numbers.values())
    head = f"{'paper':<{first}}  {'statement':<{width}}  {'verdict':<10}  {'here':<9}  {'kernel':<11}  {'time':>7}"
    rest = max(get_terminal_size((180, 24)).columns - len(head) - 2, NARROWEST)
    print(f"\n{head}")
    for name, slugs in classified(known, verdicts).items():
        print(coloured(HEADS[name], name))
        for slug in slugs:
            verdict = verdicts[slug]
            cells = f"{numbers[slug]:<{first}}  {slug:<{width}}  {coloured(f'{verdict.verdict:<10}', name)}"
            cells += f"  {verdict.here:<9}  {verdict.kernel:<11}  {verdict.seconds:5.2f} s"
            note = verdict.witness or known[slug].cited or ""
            note = "; ".join(filter(None, ["recorded" * verdict.on_record, note]))
            print(f"{cells}  {shorten(plain(note), rest, placeholder='…')}".rstrip())
    print(f"root of trust: {root_digest()}  proofs/{LIST}")


def print_list(known: Mapping[str, Statement], pinned: Mapping[str, Mapping[str, str]]) -> None:
    """The statements in paper order, as pinned: number, slug, what it came to, and what is printed."""
    width = max(len(slug) for slug in known)
    numbers = {slug: number_of(statement) for slug, statement in known.items()}
    first = max(len(number) for number in numbers.values())
    rest = max(get_terminal_size((180, 24)).columns - width - first - 50, NARROWEST)
    print(f"{'paper':<{first}}  {'statement':<{width}}  {'as pinned':<23}  {'here':<9}  {'kernel':<8}  printed")
    for slug in in_paper_order(known, known):
        pin = pinned.get(slug, {})
        state = ", ".join(filter(None, [pin.get("verdict", "not pinned"), pin.get("severity", "")]))
        columns = f"{pin.get('here', ''):<9}  {pin.get('kernel', ''):<8}"
        text = shorten(plain(known[slug].printed), rest, placeholder="…")
        print(f"{numbers[slug]:<{first}}  {slug:<{width}}  {state:<23}  {columns}  {text}")


# One statement in full, for a reader of the paper.


def explanation(statement: Statement, verdict: Verdict, steps: bool = False, coq: bool = False) -> str:
    """The verdict in full: what is said, how it was checked, where it is sharp, or else what holds instead.

    `steps` adds what each prover decided, `coq` the theorems of the kernel.
    """
    width = min(get_terminal_size((100, 24)).columns, WIDEST)
    lines = [f"{number_of(statement)} ({verdict.slug}): {said(statement, verdict)}"]
    for name, text in parts(statement, verdict):
        lines.append(wrapped(name, plain(text), width))
    if steps:
        lines += [wrapped(name, plain(text), width) for name, text in formal(statement, verdict)]
    else:
        decided, near = len(verdict.steps) + len(verdict.repair_steps), len(verdict.near_misses)
        lines.append(f"  {'--steps':<{NAMES}} shows what the provers decided: steps: {decided}, near misses: {near}")
    if coq:
        lines += [text for step in verdict.theorems for text in in_coq(step)]
    elif verdict.theorems:
        lines.append(f"  {'--coq':<{NAMES}} shows {', '.join(theorem_name(step) for step in verdict.theorems)}")
    return "\n".join(lines)


def wrapped(name: str, text: str, width: int) -> str:
    """A part with its name in the margin, its lines as long as the terminal is wide."""
    indent = " " * (NAMES + 3)
    return fill(text, width, initial_indent=f"  {name:<{NAMES}} ", subsequent_indent=indent, break_on_hyphens=False)


def said(statement: Statement, verdict: Verdict) -> str:
    """The verdict in a few words."""
    if verdict.verdict in ("refuted", "repaired"):
        mended = "" if verdict.verdict == "repaired" else ", and no repair is proved"
        if statement.severity == "convention":
            return "not true word for word, but evidently meant otherwise (a convention, no error)" + mended
        meaning = SEVERITIES[statement.severity]
        kind = "" if meaning.startswith(statement.severity) else f"{statement.severity}, "
        return f"NOT TRUE as printed: {kind}{meaning}{mended}"
    words = {
        "as printed": "TRUE as printed",
        "sharper": "TRUE; sharper than what the paper prints",
        "not printed": "TRUE; the paper does not print it",
    }
    return {
        "proved": words.get(form_of(statement, verdict), "TRUE"),
        "checked": f"true for {statement.checked or 'the cases that were enumerated'}; not proved beyond",
        "cited": "taken from elsewhere, not checked",
        "definition": "a definition",
        "open": "OPEN: it is not decided",
    }[verdict.verdict]


def parts(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What there is to say of a statement, each part with its name."""
    repair, wrong = statement.repair, verdict.verdict in ("refuted", "repaired")
    found: list[tuple[str, str | None]] = [("where", statement.where)]
    found += [("given", hypothesis) for hypothesis in statement.hypotheses]
    found += [("printed" if wrong else "says", statement.printed), ("read as", statement.reading)]
    found += [("fails at", (verdict.witness or "").removeprefix("at ")), ("why", statement.why)]
    found += [("read instead", repair.says)] if repair else []
    found += [("consequence", statement.survives), ("concerns", names(statement.above))]
    found += [("checked", line) for line in evidence(verdict)]
    found += [("proof" if not wrong else "argument", statement.argument), ("only for", statement.checked)]
    found += [("its proof", repair.argument), ("only for", repair.checked)] if repair else []
    found += [("sharp", line) for line in sharpness(statement, verdict)]
    found += [
        ("objection", statement.referee),
        ("cited from", statement.cited),
        ("defined in", statement.implementation),
    ]
    found += [("rests on", names(supports(statement))), ("used by", names(users(verdict.slug)))]
    return ((name, text) for name, text in found if text)


def evidence(verdict: Verdict) -> Iterator[str]:
    """The two columns of evidence, in sentences."""
    if verdict.verdict in ("cited", "definition"):
        return
    by = f", by {verdict.provers} at the weakest" if verdict.here != NONE else ""
    yield f"here: {verdict.here} ({HERE[verdict.here]}{by})"
    yield f"kernel: {verdict.kernel} ({COLUMN[verdict.kernel]})"
    if verdict.on_record:
        yield "the verdict stands on the recorded run of Coq, not on this run"
    if verdict.premises:
        yield f"given what is cited: {names(verdict.premises)}"
    if verdict.problem:
        yield f"PROBLEM: {verdict.problem}"


def sharpness(statement: Statement, verdict: Verdict) -> Iterator[str]:
    """How near to each constant the statement becomes false."""
    for constant in statement.constants:
        if constant.by:
            witness = verdict.near_misses[constant.near_miss].witness if verdict.near_misses else None
            yield f"{constant.printed}: with {constant.by} it is false" + (f" ({witness})" if witness else "")
        else:
            yield f"{constant.printed}: {constant.slack}"


def names(slugs: Iterable[str]) -> str:
    """Statements by number and slug."""
    known = statements()
    found = [(number_of(known[slug]), slug) for slug in dict.fromkeys(slugs) if slug in known]
    return "; ".join(f"{number} ({slug})" for number, slug in found)


def users(slug: str) -> list[str]:
    """The statements that rest on one."""
    known = statements()
    return in_paper_order(known, [other for other, statement in known.items() if slug in supports(statement)])


def formal(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, str]]:
    """What each prover decided, and the near misses that it had to refute."""
    groups = (("step", verdict.steps), ("repair step", verdict.repair_steps), ("near miss", verdict.near_misses))
    for name, group in groups:
        for step in group:
            yield name, f"{step.says} [{step.prover}: {step.status}]"
            if step.text != step.says:
                yield "", step.text
            if step.witness:
                yield "", f"witness: {step.witness}"


def theorem_name(step: StepResult) -> str:
    """The name of a theorem of the kernel in its pins."""
    found = re.search(r"kernel theorem ([\w'-]+)", step.says)
    return found[1] if found else step.says


def in_coq(step: StepResult) -> list[str]:
    """A theorem of the kernel, with the definitions that its statement names, as Coq has them."""
    from panshuffle.proofs.kernel.sources import definition

    lines = [f"  {'Coq':<{NAMES}} {step.says}", *(f"    {line}" for line in step.text.splitlines())]
    for name in dict.fromkeys(re.findall(r"\bPaper\.([\w']+)", step.text)):
        lines += [f"    {line}" for line in definition(name).splitlines()]
    return lines


def form_of(statement: Statement, verdict: Verdict) -> str:
    """Which form of the statement the verdict is on: the printed one, its repair, or one that is not in the paper."""
    if statement.kind == "sharper":
        return "sharper"
    if statement.kind == "worst neighbour" or (statement.kind == "fact" and not statement.covers):
        return "not printed"
    return "repaired" if verdict.verdict == "repaired" else "as printed"


KEYS = """
slug number label kind where section printed hypotheses reading verdict severity here provers kernel on_record premises
checked form tier argument rests_on kernel_rests_on above witness why repair repair_argument survives referee constants
cited steps repair_steps theorems near_misses covers seconds
"""
"""The keys of a verdict as JSON, in their order."""


def verdict_dict(statement: Statement, verdict: Verdict) -> dict[str, Json]:
    """The verdict as one JSON object: what the verdict does not say is the statement's."""
    repair = statement.repair
    found: dict[str, object] = {"number": number_of(statement), "section": section_of(statement)}
    found |= {"form": form_of(statement, verdict), "rests_on": needs(statement), "seconds": round(verdict.seconds, 6)}
    found |= {"repair": repair and repair.says, "repair_argument": repair and repair.argument}
    found["constants"] = tuple(
        {
            "printed": constant.printed,
            "near_miss": statement.near_misses[constant.near_miss].says if constant.by else "",
            "by": constant.by,
            "slack": constant.slack,
        }
        for constant in statement.constants
    )
    for name in KEYS.split():
        if name not in found:
            found[name] = getattr(verdict if hasattr(verdict, name) else statement, name)
    return {name: None if found[name] == "" else typed(found[name]) for name in KEYS.split()}


def typed(value: object) -> Json:
    """A value of JSON whose sentences have their formulas as one types them."""
    if isinstance(value, StepResult):
        value = vars(value)
    if isinstance(value, dict):
        return {name: typed(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return [typed(one) for one in value]
    if isinstance(value, str):
        return plain(value)
    assert value is None or isinstance(value, (bool, float))
    return value
