"""The process that computes: it reads one question a line and writes one answer."""

from __future__ import annotations

import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from panshuffle.answer import Json
    from panshuffle.question import Question

READY = {"ready": True}


def answer_to(sent: list[Json]) -> dict[str, Json]:
    """The answer to a question, as an object, or the sentence with which it is refused."""
    from exact.errors import InputError, Undecided
    from panshuffle.answers import answer

    question = question_of(sent)
    try:
        found = answer(question).as_dict()
    except (InputError, Undecided) as problem:
        return {"problem": str(problem)}
    except Exception as problem:
        return {"problem": f"the command failed ({type(problem).__name__}: {problem})"}
    return {"answer": found} | ({"messages": messages_of(question, found)} if question.kind == "privacy" else {})


def question_of(sent: list[Json]) -> Question:
    """The question that was sent: its kind, its protocol and its options."""
    from panshuffle.question import Question

    kind, subject, options = sent
    assert isinstance(options, dict)
    return Question.of(str(kind), str(subject), options)


def messages_of(question: Question, found: dict[str, Json]) -> str:
    """How many messages a user sends."""
    from panshuffle.card import card

    explored, letters = card(question.subject).explored, found["parameters"]
    assert isinstance(letters, dict)
    return "?" if explored is None else explored.messages_with({name: str(text) for name, text in letters.items()})


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
    from panshuffle.answers import accuracy, curve, privacy  # loaded before the first question, not by it

    stream = own_output()
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=listen, args=(waiting,), daemon=True).start()
    print(json.dumps(READY | {"loaded": [m.__name__ for m in (accuracy, curve, privacy)]}), file=stream)
    stream.flush()
    while True:
        print(json.dumps(answer_to(json.loads(waiting.get()))), file=stream)
        stream.flush()


if __name__ == "__main__":
    main()
