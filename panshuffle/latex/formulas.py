"""Formulas as native MathML: latex2mathml converts them, and what browsers would show badly is repaired."""

from __future__ import annotations

import re
from html import escape, unescape
from xml.etree.ElementTree import Element, tostring

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element
from markupsafe import Markup

REFUSALS: list[type[Exception]] = [
    kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)
]
PROBLEMS: tuple[type[Exception], ...] = (*REFUSALS, RuntimeError)
"""What the converter raises for damaged LaTeX; the last where a part of it ends too early."""
WIDE = 20
"""Signs of a formula that may be as wide as a line of an algorithm on a phone."""
BREAKS = ("=", ":=", "≤", "≥", "<", ">", "≠", "∼", "≈", "∈", "←", "→")
FIRST_FILLED = 0xE000
"""The first of the letters, of no alphabet, that stand for what is filled in afterwards."""
UNIT = re.compile(r"(\d)\s*(?=(?:in|mm|cm|pt|em|ex|pc|bp|dd|cc|sp|mu))")
FONT = re.compile(r"\\(mathbf|mathsf|mathrm|operatorname|mathit|mathtt|boldsymbol)\s*\{([A-Za-z]+)\}")
FUNCTIONS = ("ln", "log", "exp", "min", "max", "sin", "cos")
PRIMED = re.compile(r"(\^\{(?:[^{}]|\{[^{}]*\})*)\}('+)")
"""A prime after a power, which the converter takes for a second power."""
GROUPED = re.compile(r"\d{1,3}(?:\{,\}\d{3})+")
CLOSING = (")", "]", "}", "|", "‖", "′", "…")
"""What a minus sign may follow and still join two terms."""
ACCENTS = ("→", "^", "~", "¯", "˙")
SIGNS = {":": "∶", "~": "∼", "*": "∗", ";": ";", "±": "±"}
SPACES = {"negativethinmathspace": "-0.167em", "1em": "0.3em", "0.333em": "0.3em"}
TIGHT = {"lspace": "0", "rspace": "0"}


class Filled:
    """What latex2mathml is not to see: it gets a letter in the place of each, which is filled in afterwards."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    def mark(self, markup: str) -> str:
        """LaTeX that stands for some MathML."""
        self.kept.append(markup)
        return rf"\text{{{chr(FIRST_FILLED + len(self.kept) - 1)}}}"

    def fill(self, text: str) -> str:
        """MathML with everything in its place."""
        for number, markup in enumerate(self.kept):
            text = text.replace(f"<mtext>{chr(FIRST_FILLED + number)}</mtext>", markup)
        return text


def formula(latex: str, filled: Filled | None = None, block: bool = False, large: bool = False) -> Markup:
    r"""A formula; a long one in a line may break before a relation, and scrolls where it is too wide.

    `block` sets it on a line of its own, `large` sets the fractions in a line as if it were.

    >>> print(formula(r"e^{\varepsilon_0} \le 2"))
    <math><mrow><msup><mi>e</mi><mrow><msub><mi>ε</mi><mn>0</mn></msub></mrow></msup><mo>≤</mo><mn>2</mn></mrow></math>
    """
    filled = filled or Filled()
    marked = GROUPED.sub(lambda match: filled.mark(f"<mn>{match[0].replace('{,}', ',')}</mn>"), latex)
    marked = FONT.sub(lambda match: filled.mark(f'<mi class="{match[1]}" mathvariant="normal">{match[2]}</mi>'), marked)
    marked = PRIMED.sub(r"\1\2}", marked)
    try:
        row = convert_to_element(UNIT.sub(r"\1{}", marked).strip() or "{}", display="block" if block else "inline")[0]
    except PROBLEMS:
        return Markup(f'<code class="unknown">{escape(latex)}</code>')
    repair(row)
    if block:
        return Markup(filled.fill(f'<math display="block">{markup(row)}</math>'))
    pieces = [row] if signs(row) <= WIDE else broken(row)
    style = ' displaystyle="true"' if large and row.find(".//mfrac") is not None else ""
    return Markup("<wbr>".join(filled.fill(piece(one, style)) for one in pieces))


def piece(row: Element, style: str) -> str:
    """A part of a formula that does not break; a long one is marked, so that it can scroll on a narrow screen."""
    text = f"<math{style}>{markup(row)}</math>"
    return f'<span class="wide">{text}</span>' if signs(row) > WIDE else text


def markup(element: Element) -> str:
    """An element as text."""
    return tostring(element, encoding="unicode", short_empty_elements=False)


def signs(row: Element) -> int:
    """How many letters, numbers and signs a formula has."""
    return sum(len(element) == 0 for element in row.iter())


def broken(row: Element) -> list[Element]:
    """The parts of a formula, each from one relation to the next."""
    pieces = [Element("mrow")]
    for child in row:
        if child.tag == "mo" and child.text in BREAKS and len(pieces[-1]):
            pieces.append(Element("mrow"))
        pieces[-1].append(child)
    return pieces


def repair(row: Element) -> None:
    """Repairs what the converter writes otherwise than browsers show it best."""
    elements = list(row.iter())
    for element in elements:
        element.text = unescape(element.text or "")
    for parent in elements:
        children = list(parent)
        for place, child in enumerate(children):
            if not (parent.tag == "mover" and place):
                one(child)
        for before, child in zip([None, *children], children, strict=False):
            near = [] if before is None else [before, child]
            if any(map(is_function, near)) and not any(one.tag in ("mo", "mspace", "mtext") for one in near):
                parent.insert(list(parent).index(child), Element("mspace", width="0.167em"))
            if child.text == "−" and before is not None and before.tag == "mo" and before.text not in CLOSING:
                child.set("form", "prefix")
            if child.text == "=" and before is not None and before.text == "∶":
                parent.remove(before)
                child.text = ":="
            if child.tag == "mo" and not child.text:
                parent.remove(child)  # the delimiter that a full stop stands for
            if child.tag in ("msup", "msubsup"):
                if before is not None and is_empty(child[0]):
                    parent.remove(before)  # a prime after braces
                    child[0] = before
                prime(child)


def is_function(element: Element) -> bool:
    """Whether an element is the name of a function, with what is attached to it."""
    return element.text in FUNCTIONS or (element.tag in ("msub", "msup", "msubsup") and is_function(element[0]))


def prime(child: Element) -> None:
    """Puts a prime beside what it belongs to: as a power it stands too high in the fonts of browsers."""
    power = "".join(child[-1].itertext())
    if not power or power.strip("′″‴"):
        return
    base, sign = Element("mrow"), Element("mo", TIGHT)
    sign.text = power.replace("″", "′′").replace("‴", "′′′")
    base.extend([child[0], sign])
    child.remove(child[-1])
    child[0] = base
    child.tag = "msub" if len(child) > 1 else "mrow"


def is_empty(element: Element) -> bool:
    """Whether an element shows nothing."""
    return not element.text and all(is_empty(child) for child in element)


def one(child: Element) -> None:
    """Repairs one element."""
    text = child.text or ""
    if child.tag == "mo" and text.isalpha() and text.isascii() and len(text) > 1:
        child.tag = "mi"  # an operator that is a name has no spaces around it
        child.attrib.pop("movablelimits", None)
    if child.tag == "mi" and text in ("⌈", "⌉", "⌊", "⌋", "⟨", "⟩"):
        child.tag, child.attrib["stretchy"] = "mo", "false"
    if child.tag == "mo" and text in ("∞", "∅", "∂", "∇", "⊤", "⊥"):
        child.tag = "mi"
    if text in SIGNS and child.tag in ("mi", "mo"):
        child.tag, child.text = "mo", SIGNS[text]
    if child.tag == "mo" and text in ("/", "|", "‖") and "fence" not in child.attrib | {"minsize": ""}:
        child.attrib |= {"stretchy": "false"} | TIGHT
    if child.tag == "mover" and len(child) == 2 and child[1].tag == "mo" and child[1].text in ACCENTS:
        child.set("accent", "true")
        child[1].set("stretchy", "false")
    if child.tag == "mspace":
        child.set("width", SPACES.get(child.get("width", ""), child.get("width", "")))
