"""The process that computes: it reads one question a line and writes one answer."""

from __future__ import annotations

import json
import sys

from panshuffle.answers import accuracy, answer, calibrate, privacy  # loaded before the first question
from panshuffle.exact.child import own_pipes
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.explorer.asking import EXPLORED
from panshuffle.question import Json, Question

READY = {"ready": True}


def answer_to(question: Question) -> dict[str, Json]:
    """The answer to a question, as an object, or the sentence with which it is refused."""
    try:
        found = answer(question).as_dict()
    except (InputError, Undecided) as problem:
        return {"problem": str(problem)}
    except Exception as problem:
        return {"problem": f"the command failed ({type(problem).__name__}: {problem})"}
    return {"answer": found} | ({"messages": messages_of(question, found)} if question.kind == "privacy" else {})


def messages_of(question: Question, found: dict[str, Json]) -> str:
    """How many messages a user sends."""
    explored, params = EXPLORED.get(question.subject), found["parameters"]
    assert isinstance(params, dict)
    return "?" if explored is None else explored.messages_with({name: str(text) for name, text in params.items()})


def main(parent: str) -> None:
    """Answers until the input ends."""
    requests, replies = own_pipes(parent)
    loaded = [module.__name__ for module in (accuracy, calibrate, privacy)]
    print(json.dumps(READY | {"loaded": loaded}), file=replies)
    for line in requests:
        print(json.dumps(answer_to(Question.of_json(line))), file=replies)


if __name__ == "__main__":
    main(*sys.argv[1:])
