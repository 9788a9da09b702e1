r"""What the paper prints, as a list of keys: every theorem-like environment, algorithm, display and label.

`proofs/paper.json` holds the list, so that the ledger can be held against it without the paper's source at hand.
`python -m proofs.paper FILE.tex` makes it anew from the LaTeX source; comments and `\iffalse` parts are not printed.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

LIST = Path(__file__).with_name("paper.json")
ENVIRONMENTS = ("theorem", "lemma", "fact", "corollary", "claim", "definition", "algorithm")
DISPLAYS = ("align", "align*", "equation", "gather")
TOKEN = re.compile(
    r"\\begin\{(?P<begin>[a-z*]+)\}|\\end\{(?P<end>[a-z*]+)\}|(?P<dollars>\$\$)|(?P<open>\\\[)(?!\d)|(?P<close>\\\])"
    r"|\\label\{(?P<label>[^}]*)\}|\\(?:sub)*section\*?\{(?P<section>[^}]*)\}"
)


@dataclass(frozen=True)
class Item:
    """Something printed: its key, what it is, the section, and a fingerprint of its source."""

    key: str
    kind: str
    section: str
    begins: str
    fingerprint: str


def items() -> list[Item]:
    """The recorded list."""
    return [Item(**row) for row in json.loads(LIST.read_text(encoding="utf-8"))]


def uncovered(covered: Iterable[str]) -> list[str]:
    """What the paper prints, sections apart, and no statement covers."""
    known = set(covered)
    return [
        f"{item.key} ({item.kind}) is in the paper, but not in the ledger"
        for item in items()
        if item.kind != "section" and item.key not in known
    ]


def printed(source: str) -> str:
    r"""The source without comments and without what `\iffalse` hides.

    >>> printed("a % b" + chr(10) + r"\iffalse c \fi d").split()
    ['a', 'd']
    """
    body = source.rsplit(r"\begin{document}", maxsplit=1)[-1].split(r"\end{document}", maxsplit=1)[0]
    lines = [re.sub(r"(?<!\\)%.*", "", line) for line in body.splitlines()]
    return re.sub(r"\\iffalse.*?\\fi", "", "\n".join(lines), flags=re.DOTALL)


def read(source: str) -> list[Item]:
    """The list that a LaTeX source gives, in the order of print."""
    return Reader(printed(source)).items


class Reader:
    """One pass over the source, with the stack of what is open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items: list[Item] = []
        self.section = "abstract"
        self.open: list[tuple[str, int, list[str]]] = []
        self.counts: dict[str, int] = {}
        for match in TOKEN.finditer(text):
            self.meet(match)

    def meet(self, match: re.Match[str]) -> None:
        """Opens, closes or names something."""
        if match["section"]:
            self.section = match["section"]
        elif match["label"]:
            self.name(match["label"])
        elif match["begin"] or match["open"]:
            self.open.append((match["begin"] or "display", match.start(), []))
        elif match["end"] or match["close"]:
            self.close(match.end())
        elif match["dollars"]:
            if self.open and self.open[-1][0] == "$$":
                self.close(match.end())
            else:
                self.open.append(("$$", match.start(), []))

    def name(self, label: str) -> None:
        """Gives a label to the innermost environment or display, or to the section or figure."""
        for kind, _, labels in reversed(self.open):
            if kind in (*ENVIRONMENTS, *DISPLAYS):
                labels.append(label)
                return
        kind = "figure" if any(name.startswith("figure") for name, _, _ in self.open) else "section"
        self.items.append(self.item(label, kind, label))

    def close(self, end: int) -> None:
        """Ends the innermost thing and lists it if it is of a kind that is listed."""
        kind, start, labels = self.open.pop()
        if kind in ENVIRONMENTS:
            self.add(kind, labels, self.text[start:end])
        elif kind in (*DISPLAYS, "$$", "display"):
            self.add("display", labels, self.text[start:end])

    def add(self, kind: str, labels: list[str], source: str) -> None:
        """Lists one thing, under each of its labels or under its kind and number."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        for key in labels or [f"{kind}-{self.counts[kind]}"]:
            self.items.append(self.item(key, kind, source))

    def item(self, key: str, kind: str, source: str) -> Item:
        """An item with its beginning and fingerprint."""
        plain = " ".join(source.split())
        return Item(key, kind, self.section, plain[:90], hashlib.sha256(plain.encode()).hexdigest()[:16])


def main() -> None:
    """Writes the list for a LaTeX source."""
    found = read(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rows = ",\n".join(json.dumps(asdict(item), ensure_ascii=False) for item in found)
    LIST.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
