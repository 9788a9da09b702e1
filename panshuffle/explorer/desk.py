"""Where questions wait for the process that computes, and what happens to those that take too long."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable
from typing import Any

from panshuffle.question import Question

LIMIT = 10.0
PATIENCE = 0.4
TURN = 0.1
STARTING = 60.0
LONGEST_LINE = 2**26
WORKER = (sys.executable, "-P", "-m", "panshuffle.explorer.worker")
DROPPED = {"problem": "nobody waits for this answer any more"}


class Desk:
    """One process that answers, one question at a time; it is ended and started again where an answer takes too long.

    `limit` is in seconds.  A question whose asker has gone away is dropped.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self.limit = limit
        self.turn = asyncio.Lock()
        self.process: Process | None = None

    async def ask(self, question: Question, gone: Callable[[], Awaitable[bool]]) -> dict[str, Any]:
        """The worker's answer, or a sentence that says why there is none."""
        async with self.turn:
            if await gone():
                return DROPPED
            process = await self.started()
            if process is None:
                return {"problem": "the process that computes could not be started"}
            reading = asyncio.ensure_future(self.exchange(process, question))
            try:
                problem = await self.wait(reading, gone)
                return reading.result() if problem is None else problem
            finally:
                if not reading.done() or reading.exception() is not None or "ended" in reading.result():
                    reading.cancel()
                    await self.stop()

    async def wait(self, reading: asyncio.Future[Any], gone: Callable[[], Awaitable[bool]]) -> dict[str, Any] | None:
        """None when the answer is there; a sentence when the time is over or nobody waits any more."""
        clock = asyncio.get_running_loop().time
        start = clock()
        while not reading.done():
            await asyncio.wait({reading}, timeout=min(TURN, self.limit))
            past = clock() - start
            if not reading.done() and past >= self.limit:
                return {
                    "problem": f"no answer within {self.limit:g} seconds: the command below has no such limit",
                    "late": True,
                }
            if not reading.done() and past >= PATIENCE and await gone():
                return DROPPED
        return None

    async def exchange(self, process: Process, question: Question) -> dict[str, Any]:
        """One line to the worker and one back."""
        there, back = process.stdin, process.stdout
        if there is None or back is None:
            return {"problem": "the process that computes has no pipes", "ended": True}
        try:
            there.write(json.dumps([question.kind, question.subject, dict(question.options)]).encode() + b"\n")
            await there.drain()
            line = await back.readline()
        except (OSError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            return {"problem": "the process that computes ended before it answered", "ended": True}
        found: dict[str, Any] = json.loads(line)
        return found

    async def started(self) -> Process | None:
        """The worker, ready; None where it does not start."""
        if self.process is not None and self.process.returncode is None:
            return self.process
        try:
            self.process = await asyncio.create_subprocess_exec(
                *WORKER, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_LINE, start_new_session=True
            )
            stream = self.process.stdout
            line = b"" if stream is None else await asyncio.wait_for(stream.readline(), STARTING)
        except (OSError, TimeoutError):
            line = b""
        if line:
            return self.process
        await self.stop()
        return None

    async def stop(self) -> None:
        """Ends the worker."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()
