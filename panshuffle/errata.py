"""The sheet: what is not so as printed, by severity and in the order of the paper, with witness and repair."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from panshuffle.last_run import verdicts_of
from panshuffle.latex.sentences import in_print, latex
from panshuffle.output import destination, progress
from panshuffle.proofs.classes import CONVENTION, classified
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import Verdict

TITLE = "Connecting Robust Shuffle Privacy and Pan-Privacy: errata"
AUTHORS = "Balcer, Cheu, Joseph, Mao"
PARTS = {
    "printed": "Printed",
    "reading": "Read as",
    "witness": "Witness",
    "why": "Why it fails",
    "repair": "Instead",
    "survives": "Above it",
}
MEANING = """Each entry is a statement that does not hold exactly as printed, with a witness that this program
computes, or else that of a theorem in Coq. They are sorted by how much they matter, and stand in the order of the
paper within each class. *repaired* means that what holds instead was proved for all its parameters, too; *refuted*
that only the failure was, or the repair for a finite range alone. What is a mere convention is no error, and comes
last."""
SHARPER = """## Looser than need be

Statements that hold, but for which the ledger proves more."""
HEAD = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=1in]{geometry}
\setlength{\parindent}{0pt}\setlength{\parskip}{3pt}\emergencystretch=3em
"""


@dataclass(frozen=True)
class Erratum:
    """One erratum: how bad it is, where, what is printed, what refutes it and why, and what holds instead."""

    severity: str
    where: str
    label: str | None
    printed: str
    reading: str
    witness: str
    why: str
    repair: str
    survives: str
    verdict: str
    slug: str

    def texts(self) -> list[tuple[str, str]]:
        """What there is to say, each part under its name."""
        said = asdict(self)
        return [(title, str(said[name])) for name, title in PARTS.items() if said[name]]


def errata(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict], conventions: bool = True) -> list[Erratum]:
    """The errata, worst first, each class in the order of the paper."""
    found = classified(known, verdicts)
    severities = [name for name in SEVERITIES if name != CONVENTION or conventions]
    return [
        Erratum(
            severity=(statement := known[slug]).severity,
            where=in_print(statement.where),
            label=statement.label,
            printed=statement.printed,
            reading=statement.reading,
            witness=verdicts[slug].witness or "",
            why=statement.why,
            repair=statement.repair.says if statement.repair else "",
            survives=statement.survives,
            verdict=verdicts[slug].verdict,
            slug=slug,
        )
        for severity in severities
        for slug in found.get(severity, [])
    ]


def as_json(entries: list[Erratum]) -> str:
    """The sheet as one array."""
    rows = [{name: value and plain(value) for name, value in asdict(entry).items()} for entry in entries]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def as_markdown(entries: list[Erratum]) -> str:
    """The sheet as Markdown: a table, and each entry in full under its slug."""
    lines = [
        f"# {TITLE}",
        "",
        MEANING,
        "",
        count(entries),
        "",
        "| statement | where | severity | verdict |",
        "|---|---|---|---|",
    ]
    lines += [f"| [{e.slug}](#{e.slug}) | {cell(e.where)} | {e.severity} | {e.verdict} |" for e in entries]
    for severity, group in by_severity(entries):
        lines += ["", f"## {severity.capitalize()}: {SEVERITIES[severity]}"]
        for entry in group:
            lines += ["", f"### {entry.slug}", "", plain(capital(entry.where)) + "."]
            lines += [line for name, text in entry.texts() for line in ("", f"**{name}.** {plain(in_print(text))}")]
            lines += ["", f"`panshuffle verify {entry.slug} --explain`"]
    return "\n".join([*lines, ""])


def page(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> str:
    """The sheet of all entries as Markdown, and a table of what is proved that is sharper than the paper's."""
    lines = [as_markdown(errata(known, verdicts)), SHARPER, "", "| statement | where | what holds |", "|---|---|---|"]
    for slug in classified(known, verdicts).get("proved", []):
        if known[slug].kind == "sharper":
            lines.append(f"| {slug} | {cell(known[slug].where)} | {cell(known[slug].printed)} |")
    return "\n".join([*lines, ""])


def cell(text: str) -> str:
    """A sentence that may stand in a table."""
    return plain(in_print(text)).replace("|", "\\|")


def as_latex(entries: list[Erratum]) -> str:
    """The sheet as a LaTeX document of its own."""
    lines = [HEAD, rf"\title{{{TITLE}}}", rf"\author{{on the paper of {AUTHORS}}}", r"\date{}"]
    lines += [r"\begin{document}", r"\maketitle", latex(count(entries)), ""]
    for severity, group in by_severity(entries):
        lines += [rf"\section*{{{severity.capitalize()}: {latex(SEVERITIES[severity])}}}"]
        for entry in group:
            lines += [rf"\subsection*{{{latex(capital(entry.where))}}}"]
            lines += [line for name, text in entry.texts() for line in (rf"\textbf{{{name}.}} {latex(text)}", "")]
            lines += [rf"{{\small\texttt{{panshuffle verify {entry.slug} -{{}}-explain}}}}", ""]
    return "\n".join([*lines, r"\end{document}", ""])


def by_severity(entries: list[Erratum]) -> list[tuple[str, list[Erratum]]]:
    """The entries of each severity that there is."""
    groups = [(name, [entry for entry in entries if entry.severity == name]) for name in SEVERITIES]
    return [(name, group) for name, group in groups if group]


def count(entries: list[Erratum]) -> str:
    """How many there are, in a sentence."""
    numbers = [f"{len(group)} {name}" for name, group in by_severity(entries)]
    again = "Each was checked in a run with these sources; the command under it repeats that."
    return f"{len(entries)} entries: {', '.join(numbers)}. {again}"


def capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


FORMATS = {"latex": as_latex, "md": as_markdown, "json": as_json}


def run(args: argparse.Namespace) -> int:
    """Takes the verdicts of the last run, or checks the ledger, and writes the sheet."""
    known = statements()
    with destination(args.output) as stream, progress("checking the ledger", len(known)) as (_, advance):
        verdicts = verdicts_of(known, advance, args.anew)
        stream.write(FORMATS[args.format](errata(known, verdicts, args.conventions)))
    return 0
