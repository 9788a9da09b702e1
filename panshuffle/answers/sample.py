"""Runs of a protocol, for a caller in Python."""

from __future__ import annotations

from panshuffle.card import card
from panshuffle.dataset import Source
from panshuffle.question import Question
from panshuffle.running import check_messages, time_in
from protocols.randomness.coins import Coins


def sample(question: Question, source: Source, runs: int, seed: int | None) -> list[dict[str, object]]:
    """So many runs, each as the object that the command line writes.  *Raises* `InputError`."""
    found = card(question.subject)
    letters = found.with_rows(question.letters, source)
    record = found.record_of(letters)
    runner, messages = found.runner(record), question.has("messages")
    draw = source.rows(found.universe(record), runner.rows, found.taking_part(letters, runner.rows))
    t = time_in(runner, found.name, messages, question.get("t"))
    check_messages(runner.messages)
    coins = Coins(seed)
    return [runner.once(draw(coins), coins, messages, t) for _ in range(runs)]
