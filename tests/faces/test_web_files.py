"""Scripts, style sheets and templates: read without a browser, so that a slip in them is found by `make test`."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from panshuffle.line_plot import THEMED
from panshuffle.proofs.ledger import statements as ledger_statements
from panshuffle.proofs.pins import pins
from panshuffle.proofs.statement import SEVERITIES, Repair, Statement
from panshuffle.proofs.verdict import VERDICTS, StepResult, Verdict

from panshuffle.annotated.page import annotated, copy_of
from panshuffle.explorer.page import page as explorer_page
from panshuffle.prose.mathml import prose
from panshuffle.report import numbers
from panshuffle.report.ledger import errata, graph, statements
from panshuffle.report.markup import table, tag
from panshuffle.report.page import PARTS
from panshuffle.report.reported import TightRow
from tests.every import every

ROOT = Path(__file__).parents[2]
FILES = {
    suffix: sorted(path for package in ("crosscheck", "panshuffle") for path in (ROOT / package).rglob(f"*.{suffix}"))
    for suffix in ("js", "css", "html", "svg")
}
LONGEST_LINE = 160  # of a script or a style sheet; a sentence of a template stays on one line
QUOTED = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
FORBIDDEN = {
    r"\beval\b|\bnew Function\b": "code from text",
    r"\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write": "markup from text",
    r"\.on[a-z]+\s*=": "a handler that another may replace",
    r"\bset(Timeout|Interval)\(\s*[\"'`]": "code from text",
    r"\bvar\b": "a name without a block",
    r"(?<![=!<>])==(?!=)|!=(?!=)": "a comparison that converts",
    r"\balert\(|\bconsole\.|\bdebugger\b": "what is left from a search for a mistake",
    r"https?://(?!www\.w3\.org/2000/svg)": "an address elsewhere",
    r"@import|url\(": "a file elsewhere",
}


def text_of(path):
    return path.read_text(encoding="utf-8")


def code_of(text):
    """A script without its comments and what is quoted; what a template inserts stays, its words go.

    The literals are read letter by letter, because those in backquotes nest.
    """
    bare = QUOTED.sub('""', COMMENT.sub("", text))
    kept, inside, depth = [], [], 0
    for position, letter in enumerate(bare):
        words = bool(inside) and inside[-1] == depth
        if letter == "`":
            inside.pop() if words else inside.append(depth)
        elif words and letter == "{" and bare[position - 1] == "$":
            depth += 1
            kept.append(letter)
        elif not words:
            depth += (letter == "{") - (letter == "}")
            kept.append(letter)
    assert not inside, "a literal in backquotes is not closed"
    return "".join(kept)


def unbalanced(code):
    """The first bracket without its partner, or None."""
    partners, waiting = {")": "(", "]": "[", "}": "{"}, []
    for letter in code:
        if letter in partners.values():
            waiting.append(letter)
        elif letter in partners and (not waiting or waiting.pop() != partners[letter]):
            return letter
    return waiting[-1] if waiting else None


def reported():
    """The parts of the report that its script and its style sheet speak of, with a statement of every kind."""
    step = StepResult("says", "smt", "x > 1", "refuted", "tier", "seen")
    known, verdicts = {}, {}
    for verdict in VERDICTS:
        for tier in ("ball computation", "cited", "none"):
            for severity in ("", *SEVERITIES):
                slug = f"{verdict}-{tier}-{severity}".replace(" ", "-")
                kind = "claim" if severity else "step"
                known[slug] = Statement("section 1", kind, "x > 0", severity=severity, repair=Repair("so"))
                verdicts[slug] = Verdict(slug, verdict, tier, "finite", "x = 0", (step,), (), (step,), 0.0)
    rest = "".join(text_of(ROOT / f"panshuffle/report/templates/{name}.html") for name in ("report", "summary"))
    rest += "".join(str(tag("section", id=slug)) for slug, _ in PARTS)
    drawings = tag("div", tag("p", "", class_="seen"), class_="drawings")
    shown = (rest, statements(known, verdicts), errata(known, verdicts), graph(known, verdicts), table([], [], ""))
    return "".join((*shown, drawings, prose("sqrt(a+b+c+d+e)+" * 9 + "a")))


def annotated_page():
    """A page of a small text that has one of everything, with the whole ledger in its margin."""
    known = ledger_statements()
    verdicts = {
        slug: Verdict(slug, pin["verdict"], pin["tier"], pin["coverage"], "x", (), (), (), 0.0)
        for slug, pin in pins().items()
    }
    source = r"""\title{T}\author{A}\begin{document}\begin{abstract}a\footnote{b}\end{abstract}\section{S}\subsection{S}
      \subsubsection{S} \unheard $\mathbf{B}\mathsf{S}\mathtt{t}"""
    source += r"+\frac{a}{b}" * 20 + r"""$ \begin{align} \begin{cases} a & b \end{cases} \end{align} \cite{K}"""
    for kind, label in (
        ("theorem", "thm:ikos"),
        ("lemma", "lem:b_noise"),
        ("claim", "claim:moments"),
        ("fact", "fact:post"),
    ):
        source += rf"\begin{{{kind}}}\label{{{label}}} x \end{{{kind}}}"
    source += r"""\begin{corollary} x \end{corollary}
      \begin{algorithm}\label{alg:ut-r}\KwIn{x} \For{x}{y} \end{algorithm}
      \begin{proof} x \end{proof} \begin{figure}\begin{tabular}{c} a \end{tabular}\caption{c}\end{figure}
      \begin{thebibliography}{9}\bibitem{K} k\end{thebibliography}\end{document}"""
    row = (TightRow(1, "coins", "calibrate {} --at-eps 1 --at-delta 1e-6"), "binomial")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "reported", lambda kind: [row])
        return annotated(copy_of(source), known, verdicts).page


def script_and_style(name):
    files = [ROOT / f"panshuffle/{name}/static/{name}.{suffix}" for suffix in ("js", "css")]
    script, style = map(text_of, files)
    return script, style


PAGES = {"explorer": explorer_page, "report": reported, "annotated": annotated_page}


def test_there_is_something_to_read():
    assert {suffix: len(paths) for suffix, paths in FILES.items()} == {"js": 3, "css": 5, "html": 12, "svg": 0}
    parts = {path.stem for path in FILES["html"]} - {"explorer", "ledger", "annotated", "note"}
    assert parts == {"report", *(slug for slug, _ in PARTS)} - {"numbers"}


def test_files_are_clean_text():
    for suffix, paths in FILES.items():
        for path in paths:
            text = text_of(path)
            assert text.endswith("\n") and not text.endswith("\n\n"), path
            assert not re.search(r"[\t\r\x00-\x08]|[ ]+$|<<<<<<<|>>>>>>>", text, re.MULTILINE), path
            if suffix in ("js", "css"):
                assert max(map(len, text.splitlines())) <= LONGEST_LINE, path
                assert "</" not in text, path  # it stands inside a page


def test_scripts_are_strict_balanced_and_make_no_code_of_text():
    for path in FILES["js"]:
        text = text_of(path)
        assert text.startswith('"use strict";\n'), path
        assert unbalanced(code_of(text)) is None, path
        for pattern, why in FORBIDDEN.items():
            assert not re.search(pattern, COMMENT.sub("", text)), (path, why)


@every(
    ("text", "found"),
    [
        ("f(`${a[0]} ) }`)", None),
        ('g("(")', None),
        ("// (\n[]", None),
        ("`a${`b${c}`}`", None),
        ("{ f( }", "}"),
        ("`${ [ }`", "}"),
        ("((a)", "("),
        ("a]", "]"),
    ],
)
def test_the_reader_of_scripts_sees_what_is_open(text, found):
    assert unbalanced(code_of(text)) == found


def test_scripts_parse_where_there_is_a_parser():
    """Node is not asked for: the browser's tests load both pages anyway, and find the same."""
    node = shutil.which("node")
    for path in FILES["js"] if node else ():
        assert subprocess.run([node, "--check", path], capture_output=True, check=False).stderr == b""


def test_style_sheets_are_balanced_and_every_name_of_a_colour_is_given_and_used():
    names = {"own": (set(), set()), "shared": (set(), set())}  # of the sheets that share one, all together
    for path in FILES["css"]:
        text = COMMENT.sub("", text_of(path))
        assert unbalanced(text) is None, path
        assert not re.search(r"@import|url\(|expression\(|;;|[^\s;{}]\s*}\s*}\s*}", text), path
        for body in re.findall(r"\{([^{}]*)\}", text):
            assert all(re.fullmatch(r"[a-z-]+:.+", rule.strip(), re.DOTALL) for rule in body.split(";") if rule.strip())
        given, used = names["shared" if path.parts[-3] in ("report", "annotated") else "own"]
        given |= {
            f"{path.parts[-3]} {name}" if given is names["own"][0] else name
            for name in re.findall(r"(--[a-z-]+):", text)
        }
        used |= {
            f"{path.parts[-3]} {name}" if used is names["own"][1] else name
            for name in re.findall(r"var\((--[a-z-]+)", text)
        }
    drawn = {name.removeprefix("var(").removesuffix(")") for name in THEMED.values() if name.startswith("var")}
    assert names["own"][0] == names["own"][1]
    assert names["shared"][0] == names["shared"][1] | drawn


def test_templates_have_no_handlers_no_styles_and_trust_nothing():
    for path in FILES["html"] + FILES["svg"]:
        text = text_of(path)
        assert not re.search(r"""\son[a-z]+\s*=|\sstyle\s*=|javascript:|\|\s*safe\b|autoescape""", text), path
        assert not re.search(r"\ssrc\s*=|https?://", text), path
        for name in ("if", "for", "macro"):
            opened = len(re.findall(rf"{{%-?\s*{name}\b", text))
            assert opened == len(re.findall(rf"{{%-?\s*end{name}\b", text)), (path, name)


@pytest.mark.parametrize("name", PAGES)
def test_every_id_that_is_spoken_of_is_on_the_page(name):
    text = PAGES[name]()
    ids = re.findall(r'\sid="([^"{]+)"', text)
    assert [one for one, times in Counter(ids).items() if times > 1] == []
    script, style = script_and_style(name)
    spoken = set(re.findall(r"""(?:\$|getElementById)\("([^"]+)"\)""", script))
    listed = re.findall(r"for \(const id of \[([^\]]+)\]", script)
    spoken |= {one for names in listed for one in re.findall('"([^"]+)"', names)}
    spoken |= set(re.findall(r"#([a-z][a-z-]*)(?=[\s\[.:,{])", re.sub(r":\s*#[0-9a-f]{3,6}\b", "", style)))
    spoken |= set(re.findall(r'(?:aria-labelledby|data-copies|for)="([^"{]+)"', text))
    assert len(spoken) >= 3
    assert spoken <= set(ids), spoken - set(ids)


@pytest.mark.parametrize("name", PAGES)
def test_every_class_of_the_style_sheet_is_given_to_something(name):
    script, style = script_and_style(name)
    given = {one for names in re.findall(r'class="([^"]*)"', PAGES[name]()) for one in names.split()}
    given |= set(re.findall(r'class: "([a-z]+)"', script)) | set(re.findall(r'classList\.\w+\("([a-z]+)"', script))
    styled = {one for head in re.findall(r"([^{}]+)\{", style) for one in re.findall(r"\.([a-z][a-z-]*)", head)}
    assert len(styled) > 5
    assert styled <= given, styled - given
