"""Formulas of LaTeX as native MathML."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from markupsafe import Markup

from panshuffle.latex import symbols
from panshuffle.latex.nodes import INLINE, Command, Environment, Group, Node, Nodes, Paragraph, Text, inside

Atom = str | Node
"""A letter, or a node that is more than letters."""
DELIMITER = {"\\{": "{", "\\}": "}", "\\|": "‖", "\\lbrace": "{", "\\rbrace": "}"}
FENCES = {"pmatrix": "()", "bmatrix": "[]", "vmatrix": "||", "cases": "{"}
BREAKS = ("le", "leq", "ge", "geq", "neq", "ne", "sim", "approx", "in", "gets", "to", "rightarrow")
WIDE = 250
"""Letters of MathML, some ten a sign, that may be as wide as a line of an algorithm on a phone."""
MOD = '<mi mathvariant="normal">mod</mi><mspace width="0.3em"></mspace>'
HARD_SPACE = "\u00a0"
MINUS = "<mo>−</mo>"
UNMARKED = ["ensuremath", "underline", "mathbf", "mathsf", "operatorname", "textcolor", "smash", "boxed", "boldsymbol"]
CLOSING = tuple(f"{sign}</mo>" for sign in ")]}|′…")
"""What a minus sign may follow and still join two terms."""
WIDER = '<mo stretchy="true">{}</mo>'


def atoms(nodes: Nodes) -> list[Atom]:
    """The letters and nodes of a formula, spaces apart."""
    found: list[Atom] = []
    for node in nodes:
        if isinstance(node, Text):
            found += re.findall(r"\d+(?:\.\d+)?|'+|:=|\S", node.text)
        elif not isinstance(node, Paragraph):
            found.append(node)
    return found


class Formula:
    """One formula; commands that nothing is known of are told to `unknown` and shown by their name."""

    def __init__(self, unknown: Callable[[str], None], words: Callable[[Nodes], str]) -> None:
        self.unknown = unknown
        self.words = words

    def inline(self, nodes: Nodes) -> Markup:
        """A formula in a line of text; a long one may break before a relation, and scrolls where it is too wide."""
        pieces: list[list[Atom]] = [[]]
        depth = 0
        for part in atoms(nodes):
            depth += {"left": 1, "right": -1}.get(part.name, 0) if isinstance(part, Command) else 0
            if depth == 0 and (part in ("=", ":=", "<", ">") or (isinstance(part, Command) and part.name in BREAKS)):
                pieces.append([])
            pieces[-1].append(part)
        whole = f"<math>{self.row([part for piece in pieces for part in piece])}</math>"
        shown = [f"<math>{self.row(piece)}</math>" for piece in pieces if piece] if len(whole) > WIDE else [whole]
        return Markup("<wbr>".join(f'<span class="wide">{one}</span>' if len(one) > WIDE else one for one in shown))

    def display(self, row: Nodes) -> list[Markup]:
        """The cells of a line of a display."""
        return [Markup(f'<math display="block">{self.row(cell)}</math>') for cell in cells(atoms(row))]

    def row(self, parts: list[Atom]) -> str:
        """Atoms one after the other, as one element."""
        place, found = 0, list[str]()
        while place < len(parts):
            shown, place = self.scripted(parts, place)
            after_sign = bool(found) and found[-1].endswith("</mo>") and not found[-1].endswith(CLOSING)
            found.append(shown.replace("<mo>", '<mo form="prefix">', 1) if shown == MINUS and after_sign else shown)
        return f"<mrow>{''.join(found)}</mrow>"

    def scripted(self, parts: list[Atom], place: int) -> tuple[str, int]:
        """An atom with its primes, its index and its power, and the place after it."""
        below, above, primes, wide = "", "", "", False
        if parts[place] in ("^", "_"):
            base = "<mrow></mrow>"
        else:
            wide = limits(parts[place])
            base, place = self.atom(parts, place)
        while place < len(parts):
            part = parts[place]
            if isinstance(part, str) and part.startswith("'"):
                primes += "′" * len(part)
                place += 1
            elif part in ("^", "_") and place + 1 < len(parts):
                shown, place = self.atom(parts, place + 1)
                above, below = (above + shown, below) if part == "^" else (above, below + shown)
            else:
                break
        base = f'<mrow>{base}<mo lspace="0" rspace="0">{primes}</mo></mrow>' if primes else base
        return attached(base, below and f"<mrow>{below}</mrow>", above and f"<mrow>{above}</mrow>", wide), place

    def atom(self, parts: list[Atom], place: int) -> tuple[str, int]:
        """One atom without what is attached to it, and the place after it."""
        part = parts[place]
        if isinstance(part, Command) and part.name == "left":
            return self.fenced(parts, place)
        if isinstance(part, Command) and part.name in symbols.SIZES and place + 1 < len(parts):
            return sized(parts[place + 1]), place + 2
        if isinstance(part, str):
            return letter(part), place + 1
        if isinstance(part, Group):
            return self.row(atoms(part.nodes)), place + 1
        if isinstance(part, Environment):
            return self.environment(part), place + 1
        return self.command(part) if isinstance(part, Command) else "", place + 1

    def fenced(self, parts: list[Atom], start: int) -> tuple[str, int]:
        """What stands between a left and its right delimiter, which grow with it."""
        depth, place = 1, start + 1
        while place < len(parts):
            part = parts[place]
            depth += {"left": 1, "right": -1}.get(part.name, 0) if isinstance(part, Command) else 0
            if depth == 0:
                break
            place += 1
        left = fence(parts[start])
        right = fence(parts[place]) if place < len(parts) else ""
        return f"<mrow>{left}{self.row(parts[start + 1 : place])}{right}</mrow>", place + 1

    def environment(self, node: Environment) -> str:
        """A table inside a formula, with its bracket."""
        if node.name == INLINE:
            return self.row(atoms(node.nodes))
        fences = FENCES.get(node.name, "")
        lines = [cells(atoms(line)) for line in rows(node.nodes)]
        body = "".join(f"<mtr>{''.join(f'<mtd>{self.row(cell)}</mtd>' for cell in line)}</mtr>" for line in lines)
        ends = [WIDER.format(sign) for sign in fences]
        kind = ' class="cases"' if node.name == "cases" else ""
        return f"<mrow>{''.join(ends[:1])}<mtable{kind}>{body}</mtable>{''.join(ends[1:])}</mrow>"

    def command(self, node: Command) -> str:
        """A command of a formula."""
        name = node.name
        if name in symbols.LETTERS:
            return f"<mi>{symbols.LETTERS[name]}</mi>"
        if name in symbols.OPERATORS:
            fixed = ' stretchy="false"' if symbols.OPERATORS[name] in "{}|‖⌈⌉⌊⌋⟨⟩" else ""
            return f"<mo{fixed}>{escape(symbols.OPERATORS[name])}</mo>"
        if name in symbols.LARGE:
            return f"<mo>{symbols.LARGE[name]}</mo>"
        if name in symbols.NAMES or name in symbols.LIMIT_NAMES:
            return f'<mi mathvariant="normal">{name}</mi>'
        if name in symbols.SPACES:
            return f'<mspace width="{symbols.SPACES[name]}"></mspace>'
        if node.arguments:
            return self.applied(node)
        if name in ("mod", "bmod"):
            return f'<mspace width="0.3em"></mspace>{MOD}'
        if name in symbols.SILENT or name in ("right", "middle", "textbf", "theequation"):
            return ""
        self.unknown(name)
        return f'<mtext class="unknown">\\{escape(name)}</mtext>'

    def applied(self, node: Command) -> str:
        """A command with arguments."""
        name, first = node.name, atoms(node.arguments[0])
        last = atoms(node.arguments[-1])
        if name in ("frac", "tfrac", "dfrac"):
            small = {"tfrac": ' displaystyle="false"', "dfrac": ' displaystyle="true"'}.get(name, "")
            return f"<mfrac{small}>{self.row(first)}{self.row(last)}</mfrac>"
        if name in ("binom", "tbinom"):
            return (
                f'<mrow><mo>(</mo><mfrac linethickness="0">{self.row(first)}{self.row(last)}</mfrac><mo>)</mo></mrow>'
            )
        if name == "sqrt":
            index = node.options[0] if node.options else None
            inner = self.row(first)
            return f"<mroot>{inner}{self.row(atoms(index))}</mroot>" if index else f"<msqrt>{inner}</msqrt>"
        if name in symbols.ACCENTS:
            return f'<mover accent="true">{self.row(first)}<mo stretchy="false">{symbols.ACCENTS[name]}</mo></mover>'
        if name in ("underbrace", "overbrace"):
            kind, sign = ("munder", "⏟") if name == "underbrace" else ("mover", "⏞")
            return f"<{kind}>{self.row(first)}{WIDER.format(sign)}</{kind}>"
        if name in ("underset", "overset", "stackrel"):
            kind = "munder" if name == "underset" else "mover"
            return f"<{kind}>{self.row(last)}{self.row(first)}</{kind}>"
        return self.styled(node)

    def styled(self, node: Command) -> str:
        """A command that sets its argument in another style, as words, or as a remark."""
        name, first = node.name, atoms(node.arguments[0])
        if name in ("mathcal", "mathbb"):
            alphabet = symbols.SCRIPT if name == "mathcal" else symbols.DOUBLE
            return "".join(
                f'<mi mathvariant="normal">{escape(symbols.in_alphabet(one, alphabet))}</mi>'
                for one in first
                if isinstance(one, str)
            )
        if name in ("mathbf", "mathsf", "mathrm", "operatorname", "mathit", "mathtt", "boldsymbol") and name_of(first):
            return f'<mi class="{name}" mathvariant="normal">{escape(name_of(first))}</mi>'
        if name in ("text", "textrm", "textbf", "textit", "emph", "texttt", "mbox", "mathrm", "textsf", "textsc"):
            return f"<mtext>{spaced(self.words(node.arguments[0]))}</mtext>"
        if name in ("vphantom", "hphantom", "phantom", "label", "stepcounter", "hspace", "vspace", "tag"):
            return ""
        if name in ("eqref", "ref", "cite", "citet"):
            return f"<mtext>{self.words((node,))}</mtext>"
        if name == "pmod":
            return f"<mrow><mo>(</mo>{MOD}{self.row(first)}<mo>)</mo></mrow>"
        if name not in UNMARKED:
            self.unknown(name)
        return self.row(atoms(node.arguments[-1]))


def spaced(words: str) -> str:
    """Words whose outer spaces are kept."""
    left, right = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return HARD_SPACE * bool(left) + words.strip() + HARD_SPACE * bool(right)


def name_of(parts: list[Atom]) -> str:
    """The letters of a name, empty where there is more than letters."""
    letters = [part for part in parts if isinstance(part, str)]
    return "".join(letters) if len(letters) == len(parts) else ""


def limits(part: Atom) -> bool:
    """Whether what is attached to an atom stands under and over it."""
    wide = (*symbols.LARGE, *symbols.LIMIT_NAMES, "underbrace", "overbrace", "underset")
    return isinstance(part, Command) and part.name in wide


def attached(base: str, below: str, above: str, wide: bool) -> str:
    """A base with its index and power, or with what is under and over it."""
    if not below and not above:
        return base
    kinds = ("munder", "mover", "munderover") if wide else ("msub", "msup", "msubsup")
    kind = kinds[2] if below and above else kinds[0] if below else kinds[1]
    return f"<{kind}>{base}{below}{above}</{kind}>"


def letter(text: str) -> str:
    """A letter, a number or a sign."""
    if text[0].isdigit():
        return f"<mn>{text}</mn>"
    if text.isalpha():
        return f"<mi>{escape(text)}</mi>"
    if text in "()[]":
        return f'<mo stretchy="false">{text}</mo>'
    if text in "/|":
        return f'<mo stretchy="false" lspace="0" rspace="0">{text}</mo>'
    if text == "~":
        return '<mspace width="0.33em"></mspace>'
    if text == "&":
        return ""
    return f"<mo>{escape({'-': '−', '*': '∗', ':': '∶'}.get(text, text))}</mo>"


def fence(part: Atom) -> str:
    """A delimiter that grows; a full stop is none."""
    text = part.arguments[0][0] if isinstance(part, Command) and part.arguments else Text(".")
    sign = text.text if isinstance(text, Text) else "."
    sign = DELIMITER.get(sign, symbols.OPERATORS.get(sign.removeprefix("\\"), sign))
    return "" if sign == "." else f'<mo fence="true" stretchy="true">{escape(sign)}</mo>'


def sized(part: Atom) -> str:
    """A delimiter that is a little larger."""
    sign = symbols.OPERATORS.get(part.name, "") if isinstance(part, Command) else part if isinstance(part, str) else ""
    return f'<mo stretchy="true" minsize="1.3em" maxsize="1.3em">{escape(sign)}</mo>' if sign else ""


def rows(nodes: Nodes) -> list[Nodes]:
    """The lines of a table or display."""
    found: list[list[Node]] = [[]]
    for node in nodes:
        if isinstance(node, Command) and node.name == "\\":
            found.append([])
        else:
            found[-1].append(node)
    return [tuple(line) for line in found if any(not isinstance(n, Text) or n.text.strip() for n in line)]


def cells(parts: list[Atom]) -> list[list[Atom]]:
    """The cells of a line."""
    found: list[list[Atom]] = [[]]
    for part in parts:
        if part == "&":
            found.append([])
        else:
            found[-1].append(part)
    return found


def remarks(line: Nodes) -> tuple[list[Nodes], list[str], bool, bool]:
    """What stands beside a line of a display: tags and labels, whether it has no number, whether it gets one."""
    commands = [node for node in inside(line) if isinstance(node, Command)]
    steps = any(node.name == "stepcounter" for node in commands)
    tags = [node.arguments[0] for node in commands if node.name == "tag" and not steps]
    labels = [node.arguments[0] for node in commands if node.name == "label"]
    names = ["".join(part.text for part in label if isinstance(part, Text)).strip() for label in labels]
    silent = any(node.name in ("nonumber", "notag", "tag") for node in commands)
    return tags, names, silent, steps
