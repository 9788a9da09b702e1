"""`panshuffle analyze`: a protocol's analyzer on messages from elsewhere."""

from __future__ import annotations

import argparse
import json
import sys

from panshuffle.card import card
from panshuffle.dataset import parse_json
from panshuffle.exact.errors import InputError
from panshuffle.output import destination, jsonable, read_text
from panshuffle.protocols.model.repeated_uniformity import RepeatedUniformity
from panshuffle.question import Question
from panshuffle.running import AnyShuffle, Runner, check_messages, labelled


def run(args: argparse.Namespace) -> int:
    """Runs the command: every line is checked before the first is written."""
    found, params = card(args.protocol), Question.parsed("analyze", args).params
    if params.has("gamma"):
        raise InputError("--gamma has no meaning for analyze: the analyzer does not know who took part")
    runner = found.runner(found.record_of(params))
    protocol = analyzed(runner, args.protocol)
    outputs = []
    check_messages(runner.messages)
    text = sys.stdin.read() if args.input == "-" else read_text(args.input)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{args.input}, line {number}"
        try:
            outputs.append(protocol.analyze_pools(pools_on(protocol, parse_json(where, line), where)))
        except InputError as problem:
            sentence = str(problem)
            raise InputError(sentence if sentence.startswith(where) else f"{where}: {sentence}") from None
    with destination(args.output) as stream:
        for output in outputs:
            stream.write(json.dumps({"output": jsonable(output)}) + "\n")
    return 0


def analyzed(runner: Runner, name: str) -> AnyShuffle | RepeatedUniformity:
    """The protocol whose analyzer is run: of a transformed one it gets what is there after the last dummies."""
    if runner.protocol is not None:
        return runner.protocol
    if runner.has_state:
        raise InputError(f"{name} has no analyzer: its output is the final state and fresh noise")
    raise InputError(f"{name} is not a shuffle protocol, so it has no analyzer of messages")


def pools_on(protocol: AnyShuffle | RepeatedUniformity, line: object, where: str) -> list[list[int]]:
    """The pools of one line, counted from its messages or as given."""
    match line:
        case {"messages": list(messages)}:
            counted = protocol.count_pools([tuple(m) if isinstance(m, list) else m for m in messages])
            if isinstance(line, dict) and line.get("pools", labelled(counted)) != labelled(counted):
                raise InputError(f'{where}: "pools" is not the count of "messages"')
            return counted
        case {"pools": dict(given)}:
            labels = [str(j) for j in range(1, len(protocol.count_pools([])) + 1)]
            for label, pool in given.items():
                check_pool(label, pool, labels)
            for label in labels:
                if label not in given:
                    raise InputError(f"{where}: the pool {label} is missing")
            return [given[label] for label in labels]
    raise InputError(f'{where}: the line has neither "messages" nor "pools"')


def check_pool(label: str, pool: object, labels: list[str]) -> None:
    """*Raises* `InputError` for an unknown label or counts that are not two whole numbers."""
    if label not in labels:
        raise InputError(f"the pool {label} is not allowed: labels are 1..{len(labels)}")
    match pool:
        case [int(zeros), int(ones)] if zeros >= 0 and ones >= 0 and not {type(zeros), type(ones)} & {bool}:
            return
    raise InputError(f"the pool {label} = {json.dumps(pool)[:40]} is not allowed: a pool is [zeros, ones]")
