"""A second, cruder way from the source to its words, to find out whether the page has lost any."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from panshuffle.proofs.paper import printed

FORMULA = re.compile(r"\$\$.*?\$\$|\$.*?\$|\\\[(?!\d).*?\\\]", re.DOTALL)
DISPLAY = re.compile(r"\\begin\{(align|equation|gather|multline)(\*?)\}.*?\\end\{\1\2\}", re.DOTALL)
NAMES = re.compile(
    r"\\(?:label|ref|eqref|cite\w*|begin|end|bibliography|bibliographystyle|providecommand|renewcommand\*?|newcommand|urlstyle|"
    r"vphantom|stepcounter|bibitem)\s*(?:\[[^\]]*\])*\s*\{[^{}]*\}(?:\[[^\]]*\])*"
)
DROPPED = re.compile(r"\\newcommand\{\\(\w+)\}\[\d\]\{\\ifnum")
"""A macro that shows its argument in a draft alone."""
ACCENT = re.compile(r"\{\\['`^\"~=.]\s*\{?\\?([A-Za-z])\}?\}|\\['`^\"~=.]\s*\{?\\?([A-Za-z])\}?")
DEFINING = re.compile(r".*\\(?:providecommand|csname).*")
WORD = re.compile(r"[A-Za-z]{2,}")


def source_words(source: str) -> Counter[str]:
    r"""The words of a source outside of formulas, in small letters.

    >>> source_words(r"Let $x$ be \emph{any} number \label{eq:one}.") == Counter(["let", "be", "any", "number"])
    True
    """
    text = DEFINING.sub("", printed(source))
    for name in DROPPED.findall(source):
        text = re.sub(rf"\\{name}\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}}", " ", text)
    text = DISPLAY.sub(" ", text)
    text = FORMULA.sub(" ", text)
    text = NAMES.sub(" ", re.sub(r"\{\\natexlab\{\w\}\}", " ", text))
    text = re.sub(r"\\[A-Za-z]+\*?|\\.", " ", ACCENT.sub(r"\1\2", text))
    return Counter(word.lower() for word in WORD.findall(text))


def page_words(page: str) -> Counter[str]:
    """The words of a page outside of formulas and of the margin, accents taken off."""
    text = re.sub(r"<(aside|math|style|script)\b.*?</\1>|<code class=.unknown.>.*?</code>", " ", page, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", "", re.sub(r"<(p|li|td|tr|h\d|br|div|section)\b[^>]*>", " ", text))
    bare = (letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return Counter(word.lower() for word in WORD.findall("".join(bare)))


def lost(source: str, page: str) -> Counter[str]:
    """The words of the source that the page does not have as often."""
    return source_words(source) - page_words(page)
