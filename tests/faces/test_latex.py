"""The reader of LaTeX: macros, formulas, environments, damage; expected values are written by hand."""

import re

import pytest
from panshuffle.exact.errors import InputError
from panshuffle.proofs import paper

from panshuffle.latex.blocks import Blocks
from panshuffle.latex.document import inside, is_macro, keys, plain, read
from tests.every import every


def shown(source, notes=lambda keys: ""):
    """The page of a source, and what writes it."""
    tree = read(source)
    writer = Blocks(tree.body, {item.key: item.number for item in paper.read(source)}, notes)
    return str(writer.blocks(tree.body)), writer


def text_of(page):
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


@every(
    ("source", "expected"),
    [
        (r"\newcommand{\x}{yes}\begin{document}say \x{}!\end{document}", "say yes!"),
        (r"\newcommand{\x}[2]{#2 #1}\x{one}{two}", "two one"),
        (r"\newcommand{\x}[2][no]{#1 #2}\x{a} \x[so]{b}", "no a so b"),
        (r"\def\x#1{<#1>}\x{q}", "<q>"),
        (r"\newcommand{\y}{\x}\newcommand{\x}{late}\y", "late"),
        (r"\providecommand{\emph}[1]{wrong}\emph{right}", "right"),
        (r"\newcommand{\c}{0 }\newcommand{\n}[1]{\ifnum\c=1 [#1]\else out\fi}a\n{draft}b", "aoutb"),
        (r"\newcommand{\z}[1]{\ifx&#1&empty\else full\fi}\z{} \z{1}", "empty full"),
        (r"\iffalse hidden \ifnum1=1 deep\fi \else seen\fi", "seen"),
        (r"\iftrue seen\else hidden\fi", "seen"),
        ("one % a comment\ntwo", "one two"),
        ("50\\% of it", "50% of it"),
    ],
)
def test_macros_and_conditions(source, expected):
    """What TeX makes of each, by its rules."""
    assert re.sub(r"</?em>", "", shown(source)[0]) == f"<p>{expected.replace('<', '&lt;').replace('>', '&gt;')}</p>"


@every(
    ("source", "expected"),
    [
        ("x", "<mi>x</mi>"),
        ("12.5", "<mn>12.5</mn>"),
        ("1{,}000", "<mn>1,000</mn>"),
        ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
        (r"e^{\varepsilon_0}", "<msup><mi>e</mi><mrow><msub><mi>ε</mi><mn>0</mn></msub></mrow></msup>"),
        ("x'", '<mrow><mi>x</mi><mo lspace="0" rspace="0">′</mo></mrow>'),
        (r"\vec{x}'_i", '<mo lspace="0" rspace="0">′</mo></mrow><mi>i</mi></msub>'),
        (r"\frac12", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"\frac{1}{2}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"\sqrt[3]{n}", "<mroot><mrow><mi>n</mi></mrow><mn>3</mn></mroot>"),
        (r"\sum_{i=1}^n i", "<msubsup><mo>∑</mo>"),
        (r"\mathcal{A}\mathbb{N}", "<mi>𝒜</mi><mi>ℕ</mi>"),
        (r"\mathbf{Ber}_p", '<msub><mi class="mathbf" mathvariant="normal">Ber</mi><mi>p</mi></msub>'),
        (r"\left( a \right.", '<mo stretchy="true" fence="true" form="prefix">(</mo><mi>a</mi></mrow>'),
        (r"a \leq b", "<mi>a</mi><mo>≤</mo><mi>b</mi>"),
        (r"a := b", "<mi>a</mi><mo>:=</mo><mi>b</mi>"),
        (r"a < b", "<mo>&lt;</mo>"),
        (r"2 in", "<mn>2</mn>"),
        (
            r"\tilde x \sim y",
            '<mover accent="true"><mrow><mi>x</mi></mrow><mo stretchy="false">~</mo></mover><mo>∼</mo>',
        ),
        (r"\min(a)", "<mi>min</mi>"),
        (r"\text{if } x", "<mtext>if\u00a0</mtext><mi>x</mi>"),
        (r"\text{as $y_1$ is}", "<mtext>as <math><mrow><msub><mi>y</mi><mn>1</mn></msub></mrow></math> is</mtext>"),
        (r"= -1", '<mo>=</mo><mo form="prefix">−</mo><mn>1</mn>'),
        (r"\unheard{x}", '<mtext class="unknown">\\unheard</mtext><mrow><mi>x</mi></mrow>'),
        (r"x^2^3", '<code class="unknown">x^2^3</code>'),
    ],
)
def test_formulas(source, expected):
    assert expected in shown(f"${source}$")[0]


def test_an_unknown_command_is_shown_by_its_name_and_its_words_are_kept():
    page, writer = shown(r"before \unheard{inner words} after")
    assert text_of(page) == r"before \unheard inner words after"
    assert dict(writer.unknown) == {"unheard": 1}


def test_commands_that_look_like_known_ones_are_no_error():
    page, writer = shown(r"\citeFoo{K} $\citeFoo{K}$ x")
    assert r"\citeFoo" in text_of(page) and writer.unknown["citeFoo"] == 2


def test_text_accents_quotes_and_dashes():
    page = shown(r"""Gasc\'on, Cl\'{e}ment, Cl{\'e}ment, G\"odel: ``so -- it's''.""")[0]
    assert text_of(page) == "Gascón, Clément, Clément, Gödel: “so – it’s”."


PAPER = r"""
\newtheorem{theorem}{Theorem}[section]
\begin{document}
\section{One}\label{sec:one}
\begin{lemma}[Title]\label{lem:first} For $x$: \begin{equation}\label{eq:one} x = 1 \end{equation} \end{lemma}
\begin{theorem} Unnamed, by Lemma~\ref{lem:first} and \eqref{eq:one}. $$ y $$ \end{theorem}
\begin{align} a &= b \\ &= c \label{eq:two} \nonumber \\ &= d \label{eq:three} \end{align}
\begin{figure}\begin{tabular}{|c|c|} \multirow{2}{*}{A} & b \\ & c \\ \hline \end{tabular}
\caption{Words}\label{fig:x}\end{figure}
\appendix
\section{Two} Text\footnote{A note on \emph{this}.} \cite{K1} \citet{K2} \ref{nothing}
\begin{enumerate}[label=\Roman*.] \item first \item second \end{enumerate}
\begin{algorithm}\caption{Do}\label{alg:a} \KwIn{x} \For{$i$}{ go \; on } \If{yes}{a} \Else{b} \Return z \end{algorithm}
\begin{thebibliography}{9} \bibitem[One(2001)]{K1} First.
\bibitem[Two and Three(2002)]{K2} Second. \end{thebibliography}
\end{document}
"""


def test_the_keys_and_numbers_are_those_of_the_ledgers_reader():
    """Two readers of different kinds, one by expressions over the text and one by tokens, agree on every key."""
    tree = read(PAPER)
    found = {key for group in keys(tree.body).values() for key in group}
    assert found == {item.key for item in paper.read(PAPER) if item.kind != "section"}
    page, _ = shown(PAPER)
    assert 'id="at-lem:first"' in page and "Lemma 1.1" in page and "Theorem 1.2" in page
    assert '<a href="#at-lem:first">1.1</a>' in page and '<a href="#at-eq:one">(1)</a>' in page
    assert [int(n) for n in re.findall(r"<span>\((\d)\)</span>", page)] == [1, 2, 3]


def test_sections_lists_tables_sources_and_notes():
    page, writer = shown(PAPER)
    assert writer.headings == [(0, "section-1", "1 One"), (0, "section-A", "A Two")]
    assert '<ol type="I"><li><p>first</p></li><li><p>second</p></li></ol>' in page
    assert '<td rowspan="2">A</td>' in page and page.count("<tr><td>c</td></tr>") == 1
    assert '[<a href="#at-cite.K1">1</a>]' in page and 'Two and Three [<a href="#at-cite.K2">2</a>]' in page
    assert '<span class="unknown">[nothing]</span>' in page
    assert "A note on <em>this</em>." in writer.notes()
    assert "<b>For</b>" in page and "<b>Else:</b>" in page and "<b>Return</b>" in page


def test_the_margin_is_asked_once_for_each_thing_with_its_keys():
    asked = []
    shown(PAPER, lambda named: asked.append(tuple(named)) or "")
    assert [named for named in asked if named and not named[0].startswith("sec")] == [
        ("lem:first",), ("eq:one",), ("theorem-1",), ("display-2",), ("eq:two", "eq:three"), ("fig:x",), ("alg:a",)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("a\n\\begin{lemma} b", r"line 2: \begin{lemma} is never closed"),
        (
            "\\begin{lemma}\n\\end{proof}",
            "line 1: Unexpected mismatching closing environment: 'proof', was expecting 'lemma'",
        ),
        ("a \\end{lemma}", "line 1: Unexpected closing environment: 'lemma'"),
        ("a {b", "line 1: { is never closed"),
        ("a\n\n} b", "line 3: Unexpected mismatching closing brace: '}'"),
        ("x $a\n\nb$", "line 1: a formula is not closed"),
        (r"\newcommand{\x}{\x\x}\x", "line 1: the macros of the file never end"),
        ("{" * 200, "line 1: groups are nested too deeply"),
        (r"\newcommand{\x}[1]{#1}\x", "line 1: the file ends where an argument is missing"),
        (r"\frac{1}", 'line 1: End of input while parsing arguments of macro "frac"'),
    ],
)
def test_damage_is_one_sentence_with_its_line(source, sentence):
    with pytest.raises(InputError) as problem:
        read(source)
    assert str(problem.value) == sentence


def test_what_is_read_keeps_its_parts():
    tree = read(r"\title{A \emph{b}}\author{C}\begin{document}x $y$\end{document} after")
    assert plain(tree.title) == "A b" and plain(tree.author) == "C"
    assert [node.latex_verbatim() for node in tree.body] == ["x ", "$y$"]
    assert [node.macroname for node in inside(read(r"\emph{\textbf{x}}").body) if is_macro(node, "emph", "textbf")] == [
        "emph",
        "textbf",
    ]


def test_nothing_of_a_source_becomes_markup():
    page, _ = shown(r"<script>alert(1)</script> $<b>$ \href{javascript:x}{y} \ref{<i>} \emph{<u>} \<x>")
    assert "<script" not in page and "javascript" not in page and "<i>" not in page and "<u>" not in page
