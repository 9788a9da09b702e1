"""Which of the things that a source prints the ledger knows, and which of its words the page has lost."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from panshuffle.exact.errors import InputError
from panshuffle.proofs.paper import ENVIRONMENTS, Item, items, printed

ALIKE = 0.8
"""How alike the beginnings of two environments without a label must be to count as the same one."""
FEWEST, SHARE = 3, 5
"""At least so many environments, and one in so many of those in the file, must be known for it to be the paper."""
LABEL = re.compile(r"\\label\{[^}]*\}?")
COUNTED = (*ENVIRONMENTS, "display", "figure")


@dataclass(frozen=True)
class Matches:
    """The ledger's key of each thing that was found, what of the paper was not found, and what is not in the ledger."""

    keys: dict[str, str]
    missing: tuple[Item, ...]
    unknown: tuple[Item, ...]

    @property
    def environments(self) -> int:
        """How many environments and displays of the ledger's list were found."""
        return len(set(self.keys.values()) & {item.key for item in items() if item.kind in COUNTED})


def labelled(item: Item) -> bool:
    """Whether a key is the paper's own label, not one that was made for it."""
    return not item.key.removeprefix(f"{item.kind}-").isdigit() and not item.key.startswith("section-")


def matched(found: list[Item]) -> Matches:
    """What of a source the ledger knows: by the same label, else the same text, else the beginning most like it."""
    known = {item.key: item for item in items()}
    keys = {item.key: item.key for item in found if labelled(item) and item.key in known}
    for likeness in (same_text, same_beginning):
        left = [item for item in items() if item.key not in keys.values()]
        for item in found:
            scores = [likeness(item, other) for other in left] if item.key not in keys else []
            if scores and max(scores) >= ALIKE:
                keys[item.key] = left.pop(scores.index(max(scores))).key
    missing = tuple(item for item in items() if item.key not in keys.values() and item.kind != "section")
    return Matches(keys, missing, tuple(item for item in found if item.key not in keys and item.kind in COUNTED))


def same_text(one: Item, other: Item) -> float:
    """1 for two things that are the same, spaces apart, else 0."""
    return float(one.kind == other.kind and one.fingerprint == other.fingerprint)


def same_beginning(one: Item, other: Item) -> float:
    """How alike two things of one kind begin, from 0 to 1, their labels left out; figures are told by their numbers."""
    if one.kind != other.kind or one.kind == "section":
        return 0.0
    if one.kind == "figure":
        return float(one.number == other.number)
    first, second = (LABEL.sub("", item.begins).replace(" ", "") for item in (one, other))
    length = min(len(first), len(second))
    return SequenceMatcher(None, first[:length], second[:length], autojunk=False).ratio()


def check_paper(found: Iterable[Item], matches: Matches) -> None:
    """*Raises* `InputError` for a source that is not this paper's."""
    there = sum(item.kind in COUNTED for item in found)
    if matches.environments < FEWEST or matches.environments * SHARE < there:
        known = sum(item.kind in COUNTED for item in items())
        raise InputError(
            f"this is not the source of the paper: of its {there} environments and displays, "
            f"{matches.environments} are among the {known} that the ledger knows"
        )


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
