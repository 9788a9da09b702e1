"""Runs of a protocol on data: what the command line writes as lines, and Python gets as a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from panshuffle.arguments import Option
from panshuffle.card import card
from panshuffle.dataset import Datum, Source
from panshuffle.exact.errors import InputError
from panshuffle.output import jsonable
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Params, Question, value_text, whole
from panshuffle.running import Line, Runner, check_messages

MOST_RUNS = 10**7
"""More runs than that do not fit the memory of one list."""


@dataclass(frozen=True)
class Sampler:
    """A protocol that is to be run: its parameters, who runs it, how many rows take part, the data of the next run."""

    question: Question
    params: Params
    record: object
    runner: Runner
    taking_part: int
    draw: Callable[[Coins], Sequence[Datum]]

    @classmethod
    def of(cls, question: Question, source: Source) -> Sampler:
        """The protocol of a question on the data of a source.  *Raises* `InputError`."""
        found = card(question.subject)
        params = found.with_rows(question.params, source)
        record = found.record_of(params)
        runner = found.runner(record)
        taking_part = found.taking_part(params, runner.rows)
        draw = source.rows(found.universe(record), runner.rows, taking_part)
        return cls(question, params, record, runner, taking_part, draw)

    def time(self) -> int | None:
        """The time at which the state is shown, if it is.  *Raises* `InputError` for what is not shown."""
        return self.runner.time_in(self.question.subject, self.question.has("messages"), self.question.get("t"))

    def shown(self, coins: Coins, approximate: bool = False) -> Callable[[], Line]:
        """The function that runs the protocol once and gives what is shown of it.  *Raises* `InputError`."""
        runner, messages, t = self.runner, self.question.has("messages"), self.time()
        if approximate:
            if messages:
                raise InputError("--approximate draws counts, not messages: leave out --messages")
            simulate = runner.approximate(coins, t)
            return lambda: simulate(self.draw(coins))
        check_messages(runner.messages)
        return lambda: runner.once(self.draw(coins), coins, messages, t)


def sample(question: Question, source: Source, runs: object, seed: object) -> list[dict[str, object]]:
    """The runs, each as the object that the command line writes.  *Raises* `InputError`."""
    count = whole("runs", str(value_text(Option("runs", "", "R"), runs)), 1, MOST_RUNS)
    text = value_text(Option("seed", "", "S"), seed)
    show = Sampler.of(question, source).shown(Coins(None if text is None else whole("seed", str(text), 0)))
    return [{key: jsonable(value) for key, value in show().items()} for _ in range(count)]
