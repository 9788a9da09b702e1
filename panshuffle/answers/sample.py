"""Runs of a protocol on data: what the command line writes as lines, and Python gets as a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exact.errors import InputError
from panshuffle.card import card
from panshuffle.dataset import Datum, Source
from panshuffle.question import Question
from panshuffle.running import Line, Runner, check_messages
from protocols.randomness.coins import Coins


@dataclass(frozen=True)
class Sampler:
    """A protocol that is to be run: who runs it, how many rows take part, and the data of the next run."""

    question: Question
    runner: Runner
    taking_part: int
    draw: Callable[[Coins], Sequence[Datum]]

    @classmethod
    def of(cls, question: Question, source: Source) -> Sampler:
        """The protocol of a question on the data of a source.  *Raises* `InputError`."""
        found = card(question.subject)
        letters = found.with_rows(question.letters, source)
        record = found.record_of(letters)
        runner = found.runner(record)
        taking_part = found.taking_part(letters, runner.rows)
        return cls(question, runner, taking_part, source.rows(found.universe(record), runner.rows, taking_part))

    def shown(self, coins: Coins, approximate: bool = False) -> Callable[[], Line]:
        """The function that runs the protocol once and gives what is shown of it.  *Raises* `InputError`."""
        runner, messages = self.runner, self.question.has("messages")
        t = runner.time_in(self.question.subject, messages, self.question.get("t"))
        if approximate:
            if messages:
                raise InputError("--approximate draws counts, not messages: leave out --messages")
            simulate = runner.approximate(coins, t)
            return lambda: simulate(self.draw(coins))
        check_messages(runner.messages)
        return lambda: runner.once(self.draw(coins), coins, messages, t)


def sample(question: Question, source: Source, runs: int, seed: int | None) -> list[dict[str, object]]:
    """So many runs, each as the object that the command line writes.  *Raises* `InputError`."""
    show = Sampler.of(question, source).shown(Coins(seed))
    return [show() for _ in range(runs)]
