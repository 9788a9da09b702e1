"""Where questions wait for the process that computes, and what happens to those that take too long."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from panshuffle.exact.child import Child, Ended, Late, TooLong
from panshuffle.question import Json, Question

LIMIT = 10.0
PATIENCE = 0.4
TURN = 0.1
STARTING = 60.0
SENDING = 1.0
"""Seconds for a question to be taken, by a process that does nothing but wait for it."""
LONGEST_LINE = 2**26
WORKER = "panshuffle.explorer.worker"
DROPPED: dict[str, Json] = {"problem": "nobody waits for this answer any more"}


class Calculator:
    """One process that answers, one question at a time; it is ended and started again where an answer takes too long.

    `limit` is in seconds.  A question whose asker has gone away is dropped.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self.turn = asyncio.Lock()
        self.child: Child | None = None

    async def ask(self, question: Question, gone: Callable[[], Awaitable[bool]]) -> dict[str, Json]:
        """The worker's answer, or a sentence that says why there is none."""
        async with self.turn:
            if await gone():
                return DROPPED
            child = await self.started()
            if child is None:
                return {"problem": "the process that computes could not be started"}
            answer: dict[str, Json] | None = None
            try:
                child.send(question.json.encode() + b"\n", SENDING)
                answer = await self.answer(child, gone)
                return DROPPED if answer is None else answer
            except Late:
                late = f"no answer within {self.limit:g} seconds: the command below has no such limit"
                return {"problem": late, "late": True}
            except (Ended, TooLong):
                return {"problem": "the process that computes ended before it answered", "ended": True}
            finally:
                if answer is None:
                    await self.stop()

    async def answer(self, child: Child, gone: Callable[[], Awaitable[bool]]) -> dict[str, Json] | None:
        """The worker's answer, or None when nobody waits any more.  *Raises* `Late` when the time is over."""
        clock = asyncio.get_running_loop().time
        start = clock()
        while True:
            try:
                line = await asyncio.to_thread(child.line, min(TURN, self.limit), LONGEST_LINE)
                found: dict[str, Json] = json.loads(line)
                return found
            except Late:
                past = clock() - start
                if past >= self.limit:
                    raise
                if past >= PATIENCE and await gone():
                    return None

    async def started(self) -> Child | None:
        """The worker, ready; None where it does not start."""
        if self.child is not None and self.child.running:
            return self.child
        await self.stop()
        try:
            self.child = Child.of_module(WORKER)
            await asyncio.to_thread(self.child.line, STARTING)
        except (OSError, Late, Ended):
            await self.stop()
        return self.child

    async def stop(self) -> None:
        """Ends the worker."""
        child, self.child = self.child, None
        if child is not None:
            child.end()
