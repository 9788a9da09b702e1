"""The sheet: what is not so as printed, by severity and in the order of the paper, with witness and repair."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
COLUMNS = ("slug", "where", "severity", "verdict")
MEANING = """Each entry is a statement that does not hold exactly as printed, with a witness that this program
computes, or else that of a theorem in Coq. They are sorted by how much they matter, and stand in the order of the
paper within each class. *repaired* means that what holds instead was proved for all its parameters, too; *refuted*
that only the failure was, or the repair for a finite range alone. What is a mere convention is no error, and comes
last."""
SHARPER = """## Looser than need be

Statements that hold, but for which the ledger proves more.
"""
HEAD = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=1in]{geometry}
\setlength{\parindent}{0pt}\setlength{\parskip}{3pt}\emergencystretch=3em
"""
Erratum = dict[str, str | None]
"""How bad it is, where, what is printed and how it is read, what refutes it and why, and what holds instead."""


def errata(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict], conventions: bool = True) -> list[Erratum]:
    """The errata, worst first, each class in the order of the paper."""
    found = classified(known, verdicts)
    wanted = [name for name in SEVERITIES if name != CONVENTION or conventions]
    return [
        {
            "severity": (statement := known[slug]).severity,
            "where": in_print(statement.where),
            "label": statement.label,
            "printed": statement.printed,
            "reading": statement.reading,
            "witness": verdicts[slug].witness or "",
            "why": statement.why,
            "repair": statement.repair.says if statement.repair else "",
            "survives": statement.survives,
            "verdict": verdicts[slug].verdict,
            "slug": slug,
        }
        for severity in wanted
        for slug in found.get(severity, [])
    ]


def as_json(entries: list[Erratum]) -> str:
    """The sheet as one array."""
    rows = [{name: value and plain(value) for name, value in entry.items()} for entry in entries]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"


def as_markdown(entries: list[Erratum]) -> str:
    """The sheet as Markdown: a table, and each entry in full under its slug."""
    rows = [("[{slug}](#{slug})".format(**entry), *(entry[name] for name in COLUMNS[1:])) for entry in entries]
    forms = "## {}: {}\n", "### {slug}\n\n{}.\n", "**{}.** {}\n", "`panshuffle verify {} --explain`\n"
    lines = [f"# {TITLE}\n", f"{MEANING}\n", table(COLUMNS, rows), *sheet(entries, typed, *forms)]
    return "\n".join(lines)


def page(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> str:
    """The sheet of all entries as Markdown, and a table of what is proved that is sharper than the paper's."""
    proved = [(slug, known[slug]) for slug in classified(known, verdicts).get("proved", [])]
    rows = [(slug, one.where, one.printed) for slug, one in proved if one.kind == "sharper"]
    return "\n".join([as_markdown(errata(known, verdicts)), SHARPER, table(("statement", "where", "what holds"), rows)])


def table(names: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    """A table in Markdown, with its head."""
    cells = [[typed(text or "").replace("|", "\\|") for text in row] for row in rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in (names, ["---"] * len(names), *cells))


def typed(text: str) -> str:
    """A sentence with the paper's numbers, and its formulas as one types them."""
    return plain(in_print(text))


def as_latex(entries: list[Erratum]) -> str:
    """The sheet as a LaTeX document of its own."""
    lines = [HEAD, rf"\title{{{TITLE}}}", rf"\author{{on the paper of {AUTHORS}}}", r"\date{}"]
    forms = r"\section*{{{}: {}}}", r"\subsection*{{{}}}", "\\textbf{{{}.}} {}\n"
    command = "{{\\small\\texttt{{panshuffle verify {} -{{}}-explain}}}}\n"
    lines += [r"\begin{document}", r"\maketitle", *sheet(entries, latex, *forms, command)]
    return "\n".join([*lines, r"\end{document}", ""])


def sheet(
    entries: list[Erratum], shown: Callable[[str], str], section: str, place: str, part: str, command: str
) -> Iterator[str]:
    """The lines of a sheet, from how a sentence is shown and the forms of what stands in it."""
    groups = [(name, [entry for entry in entries if entry["severity"] == name]) for name in SEVERITIES]
    groups = [(name, group) for name, group in groups if group]
    counts = ", ".join(f"{len(group)} {name}" for name, group in groups)
    again = "Each was checked in a run with these sources; the command under it repeats that."
    yield shown(f"{len(entries)} entries: {counts}. {again}") + "\n"
    for severity, group in groups:
        yield section.format(severity.capitalize(), shown(SEVERITIES[severity]))
        for entry in group:
            where = entry["where"] or ""
            yield place.format(shown(where[:1].upper() + where[1:]), **entry)
            yield from (part.format(title, shown(text)) for name, title in PARTS.items() if (text := entry[name]))
            yield command.format(entry["slug"])


FORMATS = {"latex": as_latex, "md": as_markdown, "json": as_json}


def run(args: argparse.Namespace) -> int:
    """Takes the verdicts of the last run, or checks the ledger, and writes the sheet."""
    known = statements()
    with destination(args.output) as stream, progress("checking the ledger", len(known)) as (_, advance):
        verdicts = verdicts_of(known, advance, args.anew)
        stream.write(FORMATS[args.format](errata(known, verdicts, args.conventions)))
    return 0
