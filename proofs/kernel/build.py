"""The sources, compiled in a folder of their own: only what changed, in parallel, by digests and not by the clock."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from panshuffle.proofs.kernel.coq import coqc, first_error, version
from panshuffle.proofs.kernel.sources import Fault, read_order, required
from panshuffle.proofs.root import digest

KEY = ".key"
KEPT = "PANSHUFFLE_KERNEL_BUILD"
"""The variable that names a folder in which compiled files are kept between two runs."""


@contextmanager
def build_folder(given: Path | None = None) -> Iterator[Path]:
    """The folder to compile in: the given one, the one that the environment names, or a new one that is taken away.

    What is found there is believed no more than a new file: coqchk checks all of it.
    """
    chosen = given or (Path(os.environ[KEPT]) if os.environ.get(KEPT) else None)
    if chosen is None:
        with TemporaryDirectory() as place:
            yield Path(place)
        return
    chosen.mkdir(parents=True, exist_ok=True)
    yield chosen.resolve()


def compile_sources(
    folder: Path, build: Path, say: Callable[[str], None], only: Collection[str] | None = None
) -> list[Fault]:
    """Compile the files of a folder in another one, or some and what they require, on the cores there are.

    A file is left alone there if it was compiled by this Coq from this text, on the same texts beneath it, and the
    compiled file is the one that was made then.
    """
    order = read_order(folder)
    texts = {module: (folder / f"{module}.v").read_bytes() for module in order}
    beneath = {module: required(text.decode("utf-8")) for module, text in texts.items()}
    faults = order_faults(order, beneath)
    if faults:
        return faults
    wanted = order if only is None else [module for module in order if module in needed(beneath, only)]
    keys = keys_of(wanted, texts, beneath, version(build))
    clear(build, order)
    waiting = [module for module in wanted if not is_made(build, module, keys[module])]
    if waiting:
        say(f"coqc: {len(waiting)} of {len(wanted)} files")
    return Making(build, texts, beneath, keys, say).all(waiting)


def order_faults(order: list[str], beneath: dict[str, list[str]]) -> list[Fault]:
    """What a file requires that the project does not list before it."""
    return [
        Fault(f"{module}.v requires {other}, which is not listed before it")
        for place, module in enumerate(order)
        for other in beneath[module]
        if other not in order[:place]
    ]


def needed(beneath: dict[str, list[str]], modules: Collection[str]) -> set[str]:
    """The modules and what they require, transitively."""
    found: set[str] = set()
    waiting = set(modules)
    while waiting:
        module = waiting.pop()
        found.add(module)
        waiting |= set(beneath[module]) - found
    return found


def keys_of(order: list[str], texts: dict[str, bytes], beneath: dict[str, list[str]], coq: str) -> dict[str, str]:
    """For each file one digest of all that it is compiled from."""
    keys: dict[str, str] = {}
    for module in order:
        keys[module] = digest("\n".join([coq, digest(texts[module]), *(keys[o] for o in beneath[module])]).encode())
    return keys


def is_made(build: Path, module: str, key: str) -> bool:
    """Whether a file is compiled already, as noted beside it."""
    made, note = build / f"{module}.vo", build / f"{module}{KEY}"
    return (
        made.is_file() and note.is_file() and note.read_text(encoding="utf-8") == f"{key} {digest(made.read_bytes())}"
    )


def clear(build: Path, ours: Collection[str]) -> None:
    """Take away compiled files that nobody here has made a note of, so that none of them can be loaded."""
    for path in build.glob("*.vo*"):
        if path.suffix != ".vo" or not (path.stem in ours and (build / f"{path.stem}{KEY}").is_file()):
            path.unlink()


class Making:
    """Files that are being compiled."""

    def __init__(
        self,
        build: Path,
        texts: dict[str, bytes],
        beneath: dict[str, list[str]],
        keys: dict[str, str],
        say: Callable[[str], None],
    ) -> None:
        self.build, self.texts, self.beneath, self.keys, self.say = build, texts, beneath, keys, say

    def all(self, modules: list[str]) -> list[Fault]:
        """Compile them, each as soon as what it requires is there; the faults, at the first of which nothing begins."""
        waiting, running, faults = list(modules), dict[Future[list[Fault]], str](), list[Fault]()
        done = 0
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            while running or (waiting and not faults):
                held = {*waiting, *running.values()}
                ready = [] if faults else [one for one in waiting if not held.intersection(self.beneath[one])]
                waiting = [one for one in waiting if one not in ready]
                running |= {pool.submit(self.one, module): module for module in ready}
                for task in wait(running, return_when=FIRST_COMPLETED).done:
                    module, done = running.pop(task), done + 1
                    faults += task.result()
                    self.say(f"coqc {done}/{len(modules)} {module}.v")
        return faults

    def one(self, module: str) -> list[Fault]:
        """Compile one file and note what from."""
        copy, note = self.build / f"{module}.v", self.build / f"{module}{KEY}"
        copy.write_bytes(self.texts[module])
        for old in (note, copy.with_suffix(".vo")):
            old.unlink(missing_ok=True)
        status, errors = coqc(copy.name, self.build)
        if status:
            line, said = first_error(errors)
            return [Fault(f"{module}.v, line {line}: coqc says {said}")]
        note.write_text(f"{self.keys[module]} {digest(copy.with_suffix('.vo').read_bytes())}", encoding="utf-8")
        return []
