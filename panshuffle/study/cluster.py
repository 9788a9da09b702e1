"""The workers of a Dask cluster: the same questions, the same answers."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from time import monotonic
from typing import Any

from panshuffle.exact.errors import InputError
from panshuffle.study.answering import answer_text
from panshuffle.study.workers import Result

CONNECT_SECONDS = 10
REFRESH_SECONDS = 2.0
ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")
LOGS = ("client", "nanny", "scheduler", "worker", "worker.state_machine", "core", "batched", "utils")
AHEAD = 2
"""Questions to hand out for each thread of the cluster, so that none waits for the way back and forth."""


def distributed() -> Any:
    """The module `distributed`, which keeps its log to itself: what goes wrong is one sentence of ours.

    *Raises* `InputError` where it is missing.
    """
    try:
        import dask
        import distributed as module
    except ImportError:
        raise InputError("a cluster needs dask.distributed: install the extra panshuffle[cluster]") from None
    dask.config.set({"logging.distributed": "critical"})
    for name in LOGS:
        logging.getLogger(f"distributed.{name}").setLevel(logging.CRITICAL)
    return module


class Cluster:
    """A client of a scheduler.  Workers that die are the scheduler's affair until it gives a question up."""

    def __init__(self, client: Any, address: str, code: str) -> None:
        self.client = client
        self.address = address
        self.code = code
        self.results: Queue[Any] = Queue()
        self.questions: dict[str, tuple[Any, str]] = {}
        self.asked_at = -REFRESH_SECONDS
        self.threads = 1

    @property
    def capacity(self) -> int:
        """How many questions to hand out at a time, for the workers that there are now."""
        if monotonic() - self.asked_at > REFRESH_SECONDS:
            self.threads, self.asked_at = max(sum(self.client.nthreads().values()), 1), monotonic()
        return AHEAD * self.threads

    def give(self, text: str) -> None:
        """Submits a question."""
        future = self.client.submit(answer_text, text, self.code, pure=False)
        self.questions[future.key] = future, text
        future.add_done_callback(self.results.put)

    def take(self, seconds: float) -> list[Result]:
        """The results that came in.  *Raises* `InputError` when the scheduler is gone."""
        try:
            future = self.results.get(timeout=seconds)
        except Empty:
            if self.client.status not in ("running", "connecting"):
                raise self.gone() from None
            return []
        _, text = self.questions.pop(future.key)
        if future.status == "finished":
            return [(text, future.result())]
        if future.status == "error":
            problem = future.exception()
            if isinstance(problem, distributed().KilledWorker):
                return [(text, None)]
            raise InputError(f"scheduler = {self.address}: a worker can't answer: {type(problem).__name__}: {problem}")
        raise self.gone()

    def gone(self) -> InputError:
        """The sentence on a scheduler that does not answer any more."""
        return InputError(
            f"scheduler = {self.address}: the scheduler is gone; what is stored is safe, run the same command again"
        )


@contextmanager
def cluster_at(address: str, code: str) -> Iterator[Cluster]:
    """The cluster of a scheduler.  *Raises* `InputError` where there is none at that address."""
    module = distributed()
    if not ADDRESS.fullmatch(address):
        raise InputError(
            f"scheduler = {address} is not allowed: scheduler must be an address such as tcp://10.0.0.1:8786"
        )
    try:
        client = module.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as problem:
        reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise InputError(f"scheduler = {address}: no scheduler answers there ({reason})") from None
    try:
        yield Cluster(client, address, code)
    finally:
        client.close(timeout=2)


@contextmanager
def cluster_of(count: int, code: str) -> Iterator[Cluster]:
    """A cluster of so many workers on this machine, ended with the block."""
    module = distributed()
    with (
        module.LocalCluster(n_workers=count, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as local,
        cluster_at(local.scheduler_address, code) as found,
    ):
        yield found
