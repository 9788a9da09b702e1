"""How the command line shows an answer: as text or as JSON, with a certificate in a file if one is asked for."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from panshuffle.answer import Answer
    from panshuffle.question import Question


def add_json(parser: argparse.ArgumentParser, meaning: str = "print one JSON object") -> None:
    """The option that every command has."""
    parser.add_argument("--json", action="store_true", help=meaning)


def add_certificate(parser: argparse.ArgumentParser, meaning: str) -> None:
    """The option for a certificate."""
    parser.add_argument("--certificate", metavar="FILE", help=f"write {meaning} for python -m exact.check")


def asked(kind: str, args: argparse.Namespace) -> Question:
    """The question of a parsed command line."""
    from panshuffle.question import Question

    return Question.parsed(kind, args)


def show(question: Question, as_json: bool, certificate: str | None = None) -> Answer:
    """Answers the question, writes the certificate, and prints the answer."""
    from panshuffle.answers import answer

    found = answer(question)
    if certificate is not None:
        from panshuffle.output import destination

        text = found.certificate()
        with destination(certificate) as stream:
            stream.write(text)
    print(json.dumps(found.as_dict()) if as_json else found)
    return found
