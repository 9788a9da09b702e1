"""One run of a study: what is stored is read, the rest is answered, the longest questions first."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import sleep

from panshuffle.exact.errors import InputError
from panshuffle.output import shows_progress
from panshuffle.study.answering import StudyOutcome
from panshuffle.study.cluster import Cluster
from panshuffle.study.cost import cost
from panshuffle.study.store import Store
from panshuffle.study.study_file import Entry
from panshuffle.study.workers import Result, Workers

MOST_DEATHS = 3
PATIENCE = 0.2
"""Seconds between two looks at a question that another study is computing."""
DIED = f"the worker died {MOST_DEATHS} times over this question: it was killed, or the memory was used up"

Advance = Callable[[Entry], None]
Crew = Workers | Cluster
"""Whoever answers questions: processes of this machine, or a cluster."""


@dataclass
class Session:
    """The outcomes so far, by the questions' lines, and where they came from."""

    store: Store
    outcomes: dict[str, StudyOutcome] = field(default_factory=dict)
    computed: int = 0
    deaths: Counter[str] = field(default_factory=Counter)

    def read(self, questions: Sequence[Entry]) -> list[Entry]:
        """Reads what is stored, and gives the questions that are left, the longest first."""
        left = [question for question in questions if not self.found(question)]
        return sorted(left, key=lambda entry: cost(entry.question), reverse=True)

    def found(self, question: Entry) -> bool:
        """Whether the answer is stored; if so, it is read."""
        outcome = self.store.get(question)
        if outcome is not None:
            self.outcomes[question.text] = outcome
        return outcome is not None

    def answer(self, left: list[Entry], crew: Crew, advance: Advance) -> None:
        """Answers the questions, but for those that another study answers in the meantime.

        *Raises* `InputError` where the store can't be written or a worker has other code.
        """
        asked = {question.text: question for question in left}
        waiting, flying = deque(left), set[str]()
        results: list[Result] = []
        while waiting or flying or results:
            self.hand_out(waiting, flying, crew, advance)
            for text, outcome in results:  # after the workers have got new questions: the disk is slower than they are
                self.keep(asked[text], outcome, waiting, advance)
            results = crew.take(PATIENCE) if flying else []
            flying -= {text for text, _ in results}

    def hand_out(self, waiting: deque[Entry], flying: set[str], crew: Crew, advance: Advance) -> None:
        """Gives the crew as many questions as it takes."""
        busy: list[Entry] = []
        while waiting and len(flying) < crew.capacity:
            question = waiting.popleft()
            if not self.store.claim(question):
                busy.append(question)
            elif self.found(question):
                self.store.release(question)
                advance(question)
            else:
                crew.give(question.text)
                flying.add(question.text)
        self.look_again(busy, waiting, advance, idle=not flying)

    def look_again(self, busy: list[Entry], waiting: deque[Entry], advance: Advance, idle: bool) -> None:
        """Puts back what another study is computing, unless it is done by now."""
        if busy and idle:
            sleep(PATIENCE)
        for question in busy:
            if self.found(question):
                advance(question)
            else:
                waiting.append(question)

    def keep(self, question: Entry, outcome: StudyOutcome | None, waiting: deque[Entry], advance: Advance) -> None:
        """Stores what came of a question, or puts it back where its worker died."""
        if outcome is None:
            self.deaths[question.text] += 1
            if self.deaths[question.text] < MOST_DEATHS:
                self.store.release(question)
                waiting.appendleft(question)
                return
            outcome = StudyOutcome(answer=None, error=DIED, seconds=0.0, lasting=False, stop=None)
        if outcome["stop"]:
            raise InputError(outcome["stop"])
        if outcome["lasting"]:
            self.store.put(question, outcome)
        self.store.release(question)
        self.outcomes[question.text] = outcome
        self.computed += 1
        advance(question)


@contextmanager
def progress(left: Sequence[Entry]) -> Iterator[Advance]:
    """A bar with the time left on the terminal, if there is one; long questions count for more."""
    if len(left) < 2 or not shows_progress():
        yield lambda question: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.fields[done]} of {task.fields[all]} questions"),
        BarColumn(),
        TimeRemainingColumn(True),
    )
    total = sum(cost(entry.question) for entry in left)
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=600) as bar:
        task = bar.add_task("", total=total, done=0, all=len(left))
        done = 0

        def advance(question: Entry) -> None:
            nonlocal done
            done += 1
            bar.update(task, advance=cost(question.question), done=done)

        yield advance
