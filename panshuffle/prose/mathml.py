"""Formulas of sentences as MathML."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

from panshuffle.prose import expression as tree
from panshuffle.prose.references import in_print
from panshuffle.prose.sentence import parts
from panshuffle.prose.tokens import GREEK, RELATIONS

WORD = re.compile(r"[A-Za-z]+|<=|>=|!=|->")
SIGNS = {sign: shown for sign, shown in RELATIONS.items() if len(sign) == 2}
BREAKS = ("=", "≤", "≥", "<", ">", "≠", "∼")
WIDE = 24
"""Parts of a formula that are about as wide as a phone's screen."""
INVISIBLE = "\u2062"
HAT = re.compile(r"([kα])\^(?![A-Za-z0-9(|])")


def prose(text: str) -> Markup:
    """A sentence of the ledger with its formulas typeset.

    >>> print(prose("at most e^eps"))
    at most <math><msup><mi>e</mi><mi>ε</mi></msup></math>
    """
    return Markup("".join(words(part) if isinstance(part, str) else formula(part) for part in parts(in_print(text))))


def formula(found: tree.Expression) -> str:
    """A formula in a line, which may break before a relation where it is long."""
    if len(tree.inside(found)) <= WIDE:
        return piece(found)
    pieces: list[list[tree.Expression]] = [[]]
    for part in found.parts if isinstance(found, tree.Row) else (found,):
        if isinstance(part, tree.Sign) and part.text in BREAKS:
            pieces.append([])
        pieces[-1].append(part)
    return "<wbr>".join(piece(tree.Row(tuple(parts)) if len(parts) > 1 else parts[0]) for parts in pieces if parts)


def piece(found: tree.Expression) -> str:
    """A part of a formula that does not break; a long one is marked, so that it can scroll on a narrow screen."""
    within = tree.inside(found)
    large = ' displaystyle="true"' if any(isinstance(part, tree.Fraction) for part in within) else ""
    text = f"<math{large}>{shown(found)}</math>"
    letters = sum(len(part.text) for part in within if isinstance(part, tree.Leaf))
    return f'<span class="wide">{text}</span>' if max(len(within), letters) > WIDE else text


def words(text: str) -> str:
    """Words outside of formulas: Greek letters by their signs."""
    found = WORD.sub(lambda match: GREEK.get(match.group(), SIGNS.get(match.group(), match.group())), text)
    return HAT.sub("\\1\u0302", escape(found, quote=False))


def shown(found: tree.Expression) -> str:
    """A formula as MathML."""
    if isinstance(found, tree.Number):
        return f"<mn>{found.text}</mn>"
    if isinstance(found, tree.Name):
        return f"<mi>{escape(found.text)}</mi>"
    if isinstance(found, tree.Word):
        return f'<mi mathvariant="normal">{escape(found.text)}</mi>'
    if found == tree.THIN:
        return '<mspace width="0.17em"></mspace>'
    if isinstance(found, tree.Sign) and found.text == "/":
        return '<mo lspace="0" rspace="0">/</mo>'
    if isinstance(found, tree.Sign):
        return f"<mo>{escape(found.text) or INVISIBLE}</mo>"
    if isinstance(found, tree.Row):
        return f"<mrow>{''.join(map(shown, found.parts))}</mrow>"
    if isinstance(found, tree.Fraction):
        return f"<mfrac>{shown(found.above)}{shown(found.below)}</mfrac>"
    if isinstance(found, tree.Root):
        return f"<msqrt>{shown(found.inner)}</msqrt>"
    if isinstance(found, tree.Hatted):
        return f'<mover accent="true">{shown(found.inner)}<mo stretchy="false">^</mo></mover>'
    if isinstance(found, tree.Fenced):
        tall = any(isinstance(part, tree.Fraction | tree.Root) for part in tree.inside(found.inner))
        tight = ' lspace="0" rspace="0"' if found.left == "|" else "" if tall else ' stretchy="false"'
        left, right = (f"<mo{tight}>{escape(sign)}</mo>" for sign in (found.left, found.right))
        return f"<mrow>{left}{shown(found.inner)}{right}</mrow>"
    return scripted(found)


def scripted(found: tree.Scripted) -> str:
    """A base with its index, power and primes."""
    base = shown(found.base)
    if found.primes:
        base = f'<mrow>{base}<mo lspace="0" rspace="0">{"′" * found.primes}</mo></mrow>'
    below = shown(found.below) if found.below is not None else ""
    above = shown(found.above) if found.above is not None else ""
    kind = f"{'sub' * bool(below)}{'sup' * bool(above)}"
    return f"<m{kind}>{base}{below}{above}</m{kind}>" if kind else base
