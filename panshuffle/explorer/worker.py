"""The process that computes: it reads one command a line, runs it as the command line does, and writes one answer."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from exact.child import own_pipes

READY = {"ready": True}


def answer_to(argv: list[str]) -> dict[str, Any]:
    """What `panshuffle ARGV` prints, as an object, or the sentence that it refuses with.

    >>> answer_to(["calibrate", "binomial", "--at-eps=1", "--at-delta=1e-6", "--json"])["answer"]["exact"]
    '80'
    >>> answer_to(["privacy", "binomial", "--l=0.5", "--at-eps=1", "--json"])["problem"]
    'l = 0.5 is not allowed: l must be a whole number, at least 0'
    """
    from panshuffle.main import main

    printed, refused = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(refused):
            main(argv)
    except SystemExit as end:
        if end.code not in (0, None):
            return {"problem": refused.getvalue().strip().removeprefix("panshuffle: ")}
    except Exception as problem:
        return {"problem": f"the command failed ({type(problem).__name__}: {problem})"}
    return with_messages(argv, json.loads(printed.getvalue()))


def with_messages(argv: list[str], answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, and beside that of `privacy` the messages of a user."""
    if argv[0] != "privacy":
        return {"answer": answer}
    from panshuffle.explorer.messages import NEEDED, messages_of

    known = argv[1] in NEEDED or argv[1] == "binomial" or argv[1].startswith("pan-")
    return {"answer": answer, "messages": messages_of(argv[1], answer["parameters"]) if known else "?"}


def main(parent: str) -> None:
    """Answers until the input ends."""
    from panshuffle import accuracy_questions, questions, reading  # loaded before the first question, not by it

    requests, replies = own_pipes(parent)
    loaded = [module.__name__ for module in (accuracy_questions, questions, reading)]
    print(json.dumps(READY | {"loaded": loaded}), file=replies)
    for line in requests:
        print(json.dumps(answer_to(json.loads(line))), file=replies)


if __name__ == "__main__":
    main(*sys.argv[1:])
