"""LaTeX source as tokens, each with its place in the file; comments are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*)?)|\\(?P<command>[A-Za-z]+|.|\n)"
    r"|(?P<par>[ \t]*\n[ \t]*(?:\n[ \t]*)+)|(?P<space>[ \t\n]+)"
    r"|(?P<dollars>\$\$?)|(?P<open>\{)|(?P<close>\})|(?P<char>.)",
    re.DOTALL,
)


class Token(NamedTuple):
    """One token: its kind, its text, and where it starts and ends in the file; -1 for one that a macro made."""

    kind: str
    text: str
    start: int = -1
    end: int = -1


def tokens(source: str) -> Iterator[Token]:
    r"""The tokens of a source; the spaces after a command in letters belong to it.

    >>> [token.text for token in tokens(r"\eps  x % no")]
    ['eps', 'x', ' ']
    """
    after_word = False
    for match in TOKEN.finditer(source.replace("\r\n", "\n")):
        kind = match.lastgroup or "char"
        if kind == "comment" or (kind == "space" and after_word):
            continue
        text = " " if kind == "space" else match[kind]
        after_word = kind == "command" and text.isalpha()
        yield Token(kind, text, match.start(), match.end())
