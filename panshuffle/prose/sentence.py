"""A sentence cut into words and formulas."""

from __future__ import annotations

from functools import cache

from panshuffle.prose import expression as tree
from panshuffle.prose.parsing import NoFormula, Parser
from panshuffle.prose.tokens import ARTICLES, FUNCTIONS

Part = str | tree.Expression
LONGEST_NUMBER = 24
"""A number with more digits stays text, which a line may break."""


@cache
def parts(text: str) -> tuple[Part, ...]:
    """The words and the formulas of a sentence, one after the other; nothing is left out.

    >>> parts("it is e^eps at most")
    ('it is ', Scripted(base=Name(text='e'), primes=0, below=None, above=Name(text='ε')), ' at most')
    """
    parser = Parser(text)
    found: list[Part] = []
    written = 0
    while parser.place < len(parser.tokens):
        start = parser.place
        token = parser.peek()
        if token.text == "'" and not token.glued:
            parser.quoted = True
        try:
            formula = parser.formula()
            if not worth_setting(formula, parser, start):
                raise NoFormula
        except NoFormula:
            parser.place, parser.depth = start + 1, 0
            if token.text == "'" and token.glued:
                parser.quoted = False
            continue
        found += [text[written : token.start], formula]
        written = parser.peek(-1).end
    return tuple(part for part in (*found, text[written:]) if part != "")


def worth_setting(formula: tree.Expression, parser: Parser, start: int) -> bool:
    """Whether what was read is a formula for a reader, not a word, a number or a list of words in brackets."""
    token, before, after = parser.tokens[start], parser.peek(start - 1 - parser.place), parser.peek()
    follows = token.glued and (before.kind == "name" or (before.text in "-_." and start > 0))
    goes_on = after.glued and (after.kind == "name" or after.text == "_")
    if follows or goes_on or isinstance(formula, tree.Number):
        return False
    if isinstance(formula, tree.Name):
        dotted = (after.text == "." and parser.peek(1).glued) or (token.glued and before.text == ".")
        hyphenated = after.glued and after.text == "-" and len(formula.text) == 1 and formula.text.isascii()
        return formula.text not in ARTICLES and not hyphenated and not dotted
    within = tree.inside(formula)
    if any(isinstance(part, tree.Number) and len(part.text) > LONGEST_NUMBER for part in within):
        return False
    return any(telling(part) for part in within)


def telling(part: tree.Expression) -> bool:
    """Whether a part makes its formula one: a letter, a fraction, a root, a relation."""
    if isinstance(part, tree.Word):
        return part.text in FUNCTIONS
    if isinstance(part, tree.Sign):
        return part.text not in ("", ",", "…", ";")
    return isinstance(part, tree.Name | tree.Fraction | tree.Root | tree.Scripted)
