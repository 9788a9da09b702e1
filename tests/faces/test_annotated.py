"""The annotated paper and the errata sheet, on a small text of our own that has some of the paper's labels."""

import json
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace

import pytest
from panshuffle.exact.errors import InputError
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.paper import items
from panshuffle.proofs.pins import pins
from panshuffle.proofs.statement import SEVERITIES
from panshuffle.proofs.verdict import WRONG, Verdict

from panshuffle.annotated.matching import lost, matched, source_words
from panshuffle.annotated.page import ABSTRACT, BESIDE, annotated, copy_of, key_of, spoken_of
from panshuffle.errata import as_json, as_latex, as_markdown, errata
from panshuffle.latex.sentences import prose
from panshuffle.main import main
from panshuffle.report import numbers

SMALL = r"""
\documentclass{article}
\newcommand{\eps}{\varepsilon}
\title{A small text} \author{Nobody\thanks{Nowhere at all}}
\begin{document}
\begin{abstract} Some words on privacy. \end{abstract}
\section{Introduction} \label{sec:intro} Opening words, with a \weird{strange} command.
\section{Preliminaries} \label{sec:prelims}
\subsection{Differential Privacy} \label{sec:prelims_dp}
\begin{fact}\label{fact:post} Whatever is computed from private output is private. \end{fact}
\begin{lemma}\label{lem:b_noise} Coins hide a count if $\ell$ is large. \end{lemma}
\begin{proof} By counting: $\eps > 0$. % a remark that nobody sees
\iffalse never printed \fi \end{proof}
\begin{theorem}\label{thm:de_upper} The count is nearly right. $$ x = 1 $$ \end{theorem}
\begin{lemma}\label{lem:nobody-knows} A lemma of our own. \end{lemma}
\begin{align} a &< b \label{eq:z'-lower} \end{align}
\end{document}
"""


@pytest.fixture(scope="module")
def ledger():
    """All statements, with verdicts as they are pinned and made-up witnesses."""
    known = statements()
    verdicts = {}
    for slug, pin in pins().items():
        witness = f"the witness of {slug}" if pin["verdict"] in WRONG else None
        verdicts[slug] = Verdict(slug, pin["verdict"], pin["here"], pin["provers"], pin["kernel"], witness)
    return known, verdicts


@pytest.fixture(scope="module")
def found(ledger):
    """The page, with the numbers beside one lemma alone: all of them take seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "ROWS", [row for row in numbers.ROWS if row.command.startswith("calibrate binomial")])
        return annotated(copy_of(SMALL), *ledger)


def test_what_is_matched_and_what_is_not(found):
    """The five labels that are the paper's, found; the lemma and the display of our own, listed; the rest, missing."""
    assert found.matches.environments == 4
    assert [item.key for item in found.matches.unknown] == ["display-1", "lem:nobody-knows"]
    there = {item.key for item in items() if item.kind != "section"}
    assert {item.key for item in found.matches.missing} == there - {
        "fact:post",
        "lem:b_noise",
        "thm:de_upper",
        "eq:z'-lower",
    }
    assert found.said["unknown_commands"] == ["weird"]
    for text in ("lem:nobody-knows", r"\weird", "thm:ikos"):
        assert text in found.page


def test_the_errata_stand_in_place_with_witness_and_repair(found, ledger):
    known, _ = ledger
    place = found.page.index('id="at-eq:z&#x27;-lower"')
    note = found.page.index('id="lower-bound-direction"')
    assert 0 < place - note < 20_000
    assert "the witness of lower-bound-direction" in found.page
    assert prose(known["lower-bound-direction"].repair.says) in found.page


def test_every_statement_stands_on_the_page_once(found, ledger):
    ids = Counter(re.findall(r'<details class="note [^"]*" id="([^"]*)"', found.page))
    assert ids == Counter(list(ledger[0]))
    placed = {slug for slug, one in ledger[0].items() if key_of(one) in {*found.matches.keys.values(), ABSTRACT}}
    assert set(found.said["unplaced"]) == {slug for slug, one in ledger[0].items() if key_of(one) != BESIDE} - placed


def test_exact_numbers_stand_beside_the_bound(found):
    """80 coins where the paper's bound asks for 1,359: both are in the tables of the README, too."""
    lemma = found.page[found.page.index('id="at-lem:b_noise"') :][:30_000]
    assert "exactly <b>80</b>" in lemma and "1359" in lemma


def test_no_word_is_lost(found):
    words = source_words(SMALL)
    assert words["strange"] == words["nearly"] == 1 and words["remark"] == words["never"] == 0
    assert found.said["lost"] == []
    assert lost(SMALL, "<p>Opening words</p>")["strange"] == 1


def test_a_page_asks_nothing_of_elsewhere(found):
    assert not re.search(r'(src|href)="(?!#|data:)', found.page)


def test_the_ledgers_own_list_is_matched_whole():
    """With moved labels, things are found by how they begin; with other labels alone, they are what they were."""
    whole = matched(list(items()))
    assert whole.missing == () and whole.unknown == ()
    moved = [replace(item, key=f"{item.kind}-{900 + n}", fingerprint="changed") for n, item in enumerate(items())]
    found = matched(moved)
    begins = {item.key: item.begins for item in items()}
    assert found.missing == ()
    assert all(begins[found.keys[item.key]] == item.begins for item in moved if item.kind not in ("section", "figure"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "",
            "this is not the source of the paper: of its 0 environments and displays, 0 are among the 105",
        ),
        (r"\begin{lemma}\label{lem:other} x \end{lemma}", "this is not the source of the paper: of its 1 environments"),
        (SMALL.replace(r"\end{lemma}", "", 1), "line 11: Unexpected mismatching closing environment: 'document'"),
        (SMALL[:600], "line"),
    ],
)
def test_a_damaged_or_unrelated_source_is_one_sentence(text, sentence, tmp_path, capsys):
    with pytest.raises(InputError) as problem:
        copy_of(text)
    assert str(problem.value).startswith(sentence) and "\n" not in str(problem.value)


@pytest.mark.parametrize("case", ["absent", "binary", "unrelated"])
def test_the_command_refuses_before_it_checks_anything(case, tmp_path, capsys):
    source = tmp_path / "paper.tex"
    if case != "absent":
        source.write_bytes(b"\xff\xfe\x00" if case == "binary" else b"nothing here")
    with pytest.raises(SystemExit) as status:
        main(["annotate", str(source), "-o", str(tmp_path / "out.html")])
    said = capsys.readouterr().err
    assert status.value.code == 2 and said.count("\n") == 1 and str(source) in said
    assert not (tmp_path / "out.html").exists()


def test_the_sheet_is_by_severity_and_in_the_order_of_the_paper(ledger):
    entries = errata(*ledger, conventions=True)
    ranks = [list(SEVERITIES).index(entry["severity"]) for entry in entries]
    assert ranks == sorted(ranks)
    assert {entry["slug"] for entry in entries} == {
        slug for slug, verdict in ledger[1].items() if verdict.verdict in WRONG
    }
    assert [entry["slug"] for entry in errata(*ledger, conventions=False)] == [
        e["slug"] for e in entries if e["severity"] != "convention"
    ]
    assert json.loads(as_json(entries))[0]["slug"] == entries[0]["slug"] == "tester-as-printed"
    sheet = as_markdown(entries)
    assert re.findall(r"verify (\S+) --explain", sheet) == [entry["slug"] for entry in entries]


def test_the_sheet_is_a_document_that_compiles_where_there_is_tex(ledger, tmp_path):
    """Without TeX its environments, braces and formulas are counted, no more."""
    sheet = as_latex(errata(*ledger, conventions=True))
    bare = sheet.replace(r"\{", "").replace(r"\}", "").replace(r"\$", "")
    assert sheet.count(r"\begin{document}") == sheet.count(r"\end{document}") == 1
    assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
    if shutil.which("pdflatex"):
        (tmp_path / "errata.tex").write_text(sheet, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "errata.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        assert (tmp_path / "errata.pdf").stat().st_size > 10_000


def test_a_sentence_is_found_in_the_paragraph_that_has_its_words(ledger):
    statement = replace(
        ledger[0]["robust-distinct-error"],
        printed="Counting distinct elements obtains additive error 5",
        where="section 1.1",
    )
    section = "section-1.1"
    paragraphs = [
        ("section-1", "Counting distinct elements obtains additive error"),
        (section, "Nothing of <em>interest</em>."),
        (section, "For <math>error</math> counting distinct <em>elements</em> one obtains some additive error."),
        (section, "Counting elements."),
    ]
    assert spoken_of(statement, paragraphs) == 2
    assert spoken_of(statement, paragraphs[:2]) is None
    assert spoken_of(replace(statement, printed="x < 1"), paragraphs) is None


@pytest.mark.long
def test_a_note_on_a_sentence_stands_beside_its_paragraph(ledger):
    """Words of our own with those of the sentence, in a section with the paper's number; the heading has it no more."""
    text = "Many words on counting distinct elements by a protocol that satisfies robust approximate shuffle privacy "
    text += "and obtains an additive error; we construct it."
    source = SMALL.replace(
        r"\section{Preliminaries}", rf"\subsection{{Ours}} An opening.{chr(10) * 2}{text} \section{{Preliminaries}}"
    )
    page = annotated(copy_of(source), *ledger).page
    heading, note, words = (
        page.index(sign) for sign in ('id="at-section-1.1"', 'id="robust-distinct-error"', "Many words on")
    )
    assert heading < page.index("An opening.") < note < words
