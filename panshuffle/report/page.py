"""The page, put together: one file without anything from elsewhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

from panshuffle.ledger_text import form_of
from panshuffle.report import ledger, numbers
from panshuffle.report.markup import Markup, joined, prose, table, tag
from panshuffle.report.style import SCRIPT, STYLE
from proofs.classes import CLASSES, CONVENTION, class_of, classified
from proofs.statement import SEVERITIES
from proofs.verdict import COVERAGES, TIERS, VERDICTS

if TYPE_CHECKING:
    from proofs.statement import Statement
    from proofs.verdict import Verdict

TITLE = "Connecting Robust Shuffle Privacy and Pan-Privacy: what holds"
PARTS = (
    ("summary", "In one minute"),
    ("numbers", "The paper's bounds against the truth"),
    ("errata", "Errata"),
    ("statements", "The ledger"),
    ("graph", "What rests on what"),
    ("court", "The accountants' court"),
    ("again", "Do it again"),
)
LIBRARIES = ("panshuffle", "python-flint", "sympy", "z3-solver", "cvc5", "numpy", "matplotlib")
QUESTIONS = (
    ("Is a statement of the paper right?", "panshuffle verify hash-collisions --explain"),
    ("How private is it, exactly?", "panshuffle privacy uniformity --lam 400 --at-delta 1e-6"),
    ("What is the least noise?", "panshuffle calibrate uniformity --at-eps 1 --at-delta 1e-6 --gamma 1/2"),
    ("Is my implementation right?", "panshuffle crosscheck binary-sum --n 6 --p 1/3 --ones 2 --samples runs.jsonl"),
)


def page(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict], advance: Callable[[str], None]) -> str:
    """The whole page; `advance` is called with the name of each part before it is made."""
    made = {}
    makers: dict[str, Callable[[], Markup]] = {
        "summary": lambda: summary(known, verdicts),
        "numbers": lambda: numbers_part(advance),
        "errata": lambda: ledger.errata(known, verdicts),
        "statements": lambda: statements(known, verdicts),
        "graph": lambda: graph(known, verdicts),
        "court": court,
        "again": again,
    }
    for slug, title in PARTS:
        advance(title)
        heading = tag("h2", title, id=f"{slug}-title")
        made[slug] = tag("section", heading, makers[slug](), id=slug, aria_labelledby=f"{slug}-title")
    links = [tag("li", tag("a", title, href=f"#{slug}")) for slug, title in PARTS]
    top = [
        tag("a", "to the content", href="#summary", class_="skip"),
        tag("header", tag("h1", TITLE), tag("nav", tag("ul", joined(links)), aria_label="parts of this page")),
    ]
    body = tag("body", *top, tag("main", joined(list(made.values()))), tag("script", Markup(SCRIPT)))
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<link rel="icon" href="data:,">'),
        tag("title", TITLE),
        tag("style", Markup(STYLE)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def summary(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The counts by class, worst first, and the questions that one can ask."""
    found = classified(known, verdicts)
    cards = [
        tag("li", tag("b", f"{len(found[name])}"), f"{name}: {SEVERITIES[name]}" if name in SEVERITIES else name)
        for name in CLASSES
        if name in found
    ]
    asked = [tag("li", question, " ", tag("code", command)) for question, command in QUESTIONS]
    errors = sum(len(found.get(name, [])) for name in SEVERITIES if name != CONVENTION)
    words = (
        f"{len(verdicts)} statements of the paper and around it were checked when this page was made, each by provers"
        f" that also had to refute its false twins. {errors} are errors of the paper; what is a mere convention is not"
        " counted among them. “Repaired” means: not true as printed, with a witness; what is proved instead stands"
        " beside it."
    )
    return joined([tag("p", words), tag("ul", *cards, class_="cards"), tag("ul", *asked)])


def numbers_part(advance: Callable[[str], None]) -> Markup:
    """The table, the figures and Figure 1 with numbers."""
    parts = [numbers.tight_table()]
    for figure in numbers.figures():
        advance(figure.title)
        parts.append(numbers.drawn(figure))
    return joined([*parts, numbers.figure_1()])


def statements(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The ledger with its filters."""
    present = {v.tier.removesuffix(" (recorded)") for v in verdicts.values()}
    sections = dict.fromkeys(ledger.section_of(known[slug]) for slug in verdicts)
    forms = dict.fromkeys(form_of(known[slug], verdict) for slug, verdict in verdicts.items())
    classes = {class_of(verdict.verdict, known[slug].severity) for slug, verdict in verdicts.items()}
    choices = (
        ("verdict", "verdict", [name for name in VERDICTS if any(v.verdict == name for v in verdicts.values())]),
        ("severity", "severity", [name for name in SEVERITIES if name in classes]),
        ("coverage", "covers", [name for name in COVERAGES if any(v.coverage == name for v in verdicts.values())]),
        ("form", "form", list(forms)),
        ("tier", "weakest evidence beneath", [tier for tier in TIERS if tier in present]),
        ("section", "section", list(sections)),
    )
    filters = [
        tag("label", words, tag("select", *options(values), data_filter=name, id=f"filter-{name}"))
        for name, words, values in choices
    ]
    box = Markup('<input id="search" type="search">')
    filters += [tag("label", "words", box), tag("button", "show all", id="reset", type="button")]
    state = tag("p", "", id="count", role="status")
    return joined([tag("div", *filters, class_="filters"), state, ledger.entries(known, verdicts)])


def options(values: list[str]) -> list[Markup]:
    """The options of a filter."""
    return [tag("option", "all", value=""), *(tag("option", value, value=value) for value in values)]


def graph(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The graph and its legend."""
    letters = ", ".join(f"{letter} {tier}" for tier, letter in ledger.LETTERS.items())
    words = (
        "What a statement rests on is below it. Solid green: it and everything beneath it is proved. Dashed: repaired,"
        " it holds in another form than printed. Dash and dot: proved, but on something cited. Dotted: cited from"
        f" elsewhere. The letter is the weakest evidence beneath: {letters}, D definition."
    )
    box = tag("div", ledger.graph(known, verdicts), id="graph-box", tabindex="0", role="region", aria_label="graph")
    return joined([tag("p", words), box])


def court() -> Markup:
    """The rulings that are kept with the distribution, with the versions that they are on."""
    kept = json.loads(files("crosscheck").joinpath("court/record.json").read_text(encoding="utf-8"))
    names = {entry["name"]: f"{entry['name']} {entry['version']}" for entry in kept["accountants"]}
    counts = Counter((ruling["accountant"], ruling["verdict"]) for q in kept["questions"] for ruling in q["rulings"])
    found = sorted({verdict for _, verdict in counts}, key=lambda verdict: (verdict != "sound", verdict))
    summary = [[name, *(f"{counts[key, verdict] or ''}" for verdict in found)] for key, name in names.items()]
    rows = [
        [q["name"], truth_of(q["truth"]), names[r["accountant"]], f"{r['side']} {r['claim']}"]
        for q in kept["questions"]
        for r in q["rulings"]
        if r["verdict"] == "unsound"
    ]
    programs = [
        tag("details", tag("summary", entry["name"]), tag("pre", tag("code", entry["program"])))
        for entry in kept["reproductions"]
    ]
    words = (
        f"{len(kept['questions'])} questions with certified answers, put to the accountants below (Python"
        f" {kept['python']}), each ruling confirmed by a second exact method; an accountant that promises an estimate"
        " promises no bound. Again: "
    )
    return joined(
        [
            tag("p", words, tag("code", "panshuffle court -o court.html --reproductions found")),
            table(["accountant", *found], summary, "Rulings"),
            table(["question", "certified truth", "accountant", "it says"], rows, "Unsound answers"),
            tag("p", "Minimal programs for bug reports:"),
            *programs,
        ]
    )


def truth_of(truth: dict[str, str]) -> str:
    """The certified truth of a question."""
    lower, upper = truth["lower"], truth["upper"]
    return lower if lower == upper else f"[{lower}, {upper}]"


def again() -> Markup:
    """Versions, precision and commands."""
    rows = [[name, version(name)] for name in LIBRARIES]
    words = (
        "Every number above is printed by the command beside it; digits are certified, enclosures are rounded outward,"
        " and the precision is raised until all digits shown are settled. The page itself:"
    )
    return joined(
        [
            tag("p", prose(words)),
            tag("p", tag("code", "panshuffle report -o report.html")),
            table(["library", "version"], rows, "Versions"),
        ]
    )
