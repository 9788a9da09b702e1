r"""What the paper prints, as a list of keys: every theorem-like environment, algorithm, display, section and label.

`proofs/paper.json` holds the list, so that the ledger can be held against it without the paper's source at hand.
`python -m panshuffle.proofs.paper FILE.tex` makes it from the LaTeX source; comments and `\iffalse` parts are left out.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

LIST = Path(__file__).with_name("paper.json")
ENVIRONMENTS = ("theorem", "lemma", "fact", "corollary", "claim", "definition", "algorithm")
DISPLAYS = ("align", "align*", "equation", "gather")
NUMBERED = ("align", "equation", "gather")
TOKEN = re.compile(
    r"\\begin\{(?P<begin>[a-z*]+)\}|\\end\{(?P<end>[a-z*]+)\}|(?P<dollars>\$\$)|(?P<open>\\\[)(?!\d)|(?P<close>\\\])"
    r"|\\label\{(?P<label>[^}]*)\}|\\(?P<depth>(?:sub)*)section(?P<star>\*?)\{(?P<section>[^}]*)\}|(?P<appendix>\\appendix)"
)
SECTION = re.compile(r"(?:[Ss]ection|[Aa]ppendix) (\d[\d.]*\d|\d|[A-Z](?:\.\d)*)")


@dataclass(frozen=True)
class Item:
    """Something printed: its key, what it is, the number that it has in print, the section, and a fingerprint."""

    key: str
    kind: str
    number: str
    section: str
    begins: str
    fingerprint: str


@cache
def items() -> tuple[Item, ...]:
    """The recorded list."""
    return tuple(Item(**row) for row in json.loads(LIST.read_text(encoding="utf-8")))


def uncovered(covered: Iterable[str]) -> list[str]:
    """What the paper prints, sections apart, and no statement covers."""
    known = set(covered)
    return [
        f"{item.key} ({item.kind}) is in the paper, but not in the ledger"
        for item in items()
        if item.kind != "section" and item.key not in known
    ]


def numbered(text: str) -> list[str]:
    """The keys of what a printed number names, such as "Theorem 3.2", "eq. (4)" or "Figure 1".

    >>> numbered("theorem 3.2")
    ['thm:ikos']
    """
    plain = re.sub(r"[().]*\s*$", "", re.sub(r"^eq\S*", "equation", text.strip().lower())).replace("(", "")
    return [item.key for item in items() if plain and item.number.lower() == " ".join(plain.split())]


def position(keys: Iterable[str], where: str, label: str | None = None) -> float:
    """Where in the paper something is: at the first of its keys, else beside what it names, else at its label."""
    order = {item.key: place for place, item in enumerate(items())}
    places = [order[key] for key in keys if key in order]
    if places:
        return float(min(places))
    if "abstract" in where.partition(",")[0]:
        return -1.0
    numbers = {item.number.lower(): place for place, item in enumerate(items()) if item.kind in ("section", "figure")}
    found = [f"section {match[1].lower()}" for match in SECTION.finditer(where)]
    found = ["figure 1", *found] if where.startswith("Figure 1") else found
    start = next((numbers[name] for name in found if name in numbers), None)
    names = {key.partition(":")[2]: place for key, place in order.items() if ":" in key and not key.startswith("sec")}
    named = [names[word] for word in re.findall(r"[a-z][a-z_0-9'-]+", where) if word in names]
    named = [place for place in named if start is None or start <= place < next_section(start)]
    if named or start is not None:
        return named[0] + 0.5 if named else (start or 0) + 0.25
    return float(order.get(label or "", len(order)))


def next_section(start: int) -> int:
    """The place of the section after the one at a place."""
    number = items()[start].number
    later = (place for place, item in enumerate(items()) if place > start and item.kind == "section")
    return next((place for place in later if items()[place].number != number), len(items()))


def section_number(place: float) -> str:
    """The number of the section that a position is in, "0" for what is before or beside all of them."""
    before = [item for number, item in enumerate(items()) if number <= place and item.kind == "section"]
    return before[-1].number.removeprefix("Section ") if before and place < len(items()) else "0"


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
        self.levels = [0, 0, 0]
        self.appendix = False
        self.open: list[tuple[str, int, list[str], str]] = []
        self.counts: dict[str, int] = {}
        self.numbers = dict.fromkeys(("theorem", "algorithm", "figure", "equation"), 0)
        for match in TOKEN.finditer(text):
            self.meet(match)

    def meet(self, match: re.Match[str]) -> None:
        """Opens, closes or names something."""
        if match["section"]:
            self.enter(match["section"], len(match["depth"]) // len("sub"), bool(match["star"]))
        elif match["appendix"]:
            self.appendix, self.levels = True, [0, 0, 0]
        elif match["label"]:
            self.name(match["label"])
        elif match["begin"] or match["open"]:
            kind = match["begin"] or "display"
            self.open.append((kind, match.start(), [], self.number_of(kind)))
        elif match["end"] or match["close"]:
            self.close(match.end())
        elif match["dollars"]:
            if self.open and self.open[-1][0] == "$$":
                self.close(match.end())
            else:
                self.open.append(("$$", match.start(), [], ""))

    def enter(self, title: str, depth: int, starred: bool) -> None:
        """Begins a section, which is listed under its number."""
        self.section = title
        if not starred:
            self.levels[depth:] = [self.levels[depth] + 1, 0, 0][: 3 - depth]
            if depth == 0:
                self.numbers["theorem"] = 0
            self.items.append(self.item("section-" + self.section_number(), "section", title, self.here()))

    def section_number(self) -> str:
        """The number of the current section."""
        levels = [f"{level}" for level in self.levels if level]
        return ".".join([chr(ord("A") + self.levels[0] - 1), *levels[1:]] if self.appendix else levels)

    def here(self) -> str:
        """The current section as it is printed."""
        return f"Section {self.section_number()}"

    def number_of(self, kind: str) -> str:
        """The number of an environment that begins; displays get theirs line by line."""
        if kind.startswith("figure") or kind == "algorithm":
            name = "figure" if kind.startswith("figure") else kind
            self.numbers[name] += 1
            return f"{name.capitalize()} {self.numbers[name]}"
        if kind not in ENVIRONMENTS:
            return ""
        self.numbers["theorem"] += 1
        return f"{kind.capitalize()} {self.section_number().partition('.')[0]}.{self.numbers['theorem']}"

    def equations(self, kind: str, source: str) -> dict[str, str]:
        """The numbers of the lines of a display by label, the first number under an empty label."""
        found: dict[str, str] = {}
        for line in re.split(r"\\\\(?!\[)", source):
            stepped = r"\stepcounter{equation}" in line
            if stepped or (kind in NUMBERED and not re.search(r"\\nonumber|\\notag|\\tag", line)):
                self.numbers["equation"] += 1
                number = f"Equation {self.numbers['equation']}"
                found.setdefault("", number)
                found.update(dict.fromkeys(re.findall(r"\\label\{([^}]*)\}", line), number))
        return found

    def name(self, label: str) -> None:
        """Gives a label to the innermost environment or display, or to the section or figure."""
        for kind, _, labels, number in reversed(self.open):
            if kind in (*ENVIRONMENTS, *DISPLAYS):
                labels.append(label)
                return
            if kind.startswith("figure"):
                self.items.append(self.item(label, "figure", label, number))
                return
        self.items.append(self.item(label, "section", label, self.here()))

    def close(self, end: int) -> None:
        """Ends the innermost thing and lists it if it is of a kind that is listed."""
        kind, start, labels, number = self.open.pop()
        source = self.text[start:end]
        if kind in ENVIRONMENTS:
            self.add(kind, labels, source, {"": number})
        elif kind in (*DISPLAYS, "$$", "display"):
            self.add("display", labels, source, self.equations(kind, source))

    def add(self, kind: str, labels: list[str], source: str, numbers: dict[str, str]) -> None:
        """Lists one thing, under each of its labels or under its kind and count, with the numbers of its labels."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        for key in labels or [f"{kind}-{self.counts[kind]}"]:
            self.items.append(self.item(key, kind, source, numbers.get(key, numbers.get("", ""))))

    def item(self, key: str, kind: str, source: str, number: str) -> Item:
        """An item with its beginning and fingerprint."""
        plain = " ".join(source.split())
        return Item(key, kind, number, self.section, plain[:90], hashlib.sha256(plain.encode()).hexdigest()[:16])


def main() -> None:
    """Writes the list for a LaTeX source."""
    found = read(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rows = ",\n".join(json.dumps(asdict(item), ensure_ascii=False) for item in found)
    LIST.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
