"""The process that computes: it reads one command a line, runs it as the command line does, and writes one answer."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from contextlib import redirect_stderr, redirect_stdout
from queue import SimpleQueue
from typing import Any, TextIO

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


def own_output() -> TextIO:
    """A stream to whoever started this process; whatever else writes to the standard output writes to nowhere."""
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return stream


def listen(waiting: SimpleQueue[str]) -> None:
    """Passes the lines on; ends the process when there will be no more, even in the middle of a computation."""
    for line in sys.stdin:
        waiting.put(line)
    os._exit(0)


def main() -> None:
    """Answers until the input ends."""
    from panshuffle import accuracy_questions, questions, reading  # loaded before the first question, not by it

    stream = own_output()
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=listen, args=(waiting,), daemon=True).start()
    print(json.dumps(READY | {"loaded": [m.__name__ for m in (accuracy_questions, questions, reading)]}), file=stream)
    stream.flush()
    while True:
        print(json.dumps(answer_to(json.loads(waiting.get()))), file=stream)
        stream.flush()


if __name__ == "__main__":
    main()
