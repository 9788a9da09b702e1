"""Our times against dp-accounting, scipy and mpmath in one run: `python benchmarks/run.py [--json] [--rounds N]`.

Peers are optional: `pip install dp-accounting==0.6.0 scipy mpmath`.  Imports are not timed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MEMORY_TARGET = 300.0
FLAT_TARGET = 3.0
COLUMNS = ("question", "peer", "ours", "peer's", "ratio", "peer off by", "target", "reached")


def record(question: str, ours: float | None = None, **more: Any) -> dict[str, Any]:
    """One line of the table; what is not given is not known."""
    keys = ("question", "peer", "ours", "theirs", "ratio", "off", "target", "reached")
    return dict.fromkeys(keys) | {"question": question, "ours": ours} | more


def peer_lines(row: Any, rounds: int) -> Iterator[dict[str, Any]]:
    """A line for every peer of a row, and one for our own time where that has a limit."""
    from benchmarks.peers import installed
    from benchmarks.timing import medians

    present = {name: make() for name, make in row.peers.items() if installed(name)}
    times = medians({"ours": row.ours, **present}, rounds)
    truth = row.ours(0)
    if row.most_seconds is not None:
        reached = times["ours"] < row.most_seconds
        yield record(row.name, times["ours"], target=f"< {row.most_seconds * 1e3:g} ms", reached=reached)
    for name in row.peers:
        asked = row.targets.get(name)
        target = None if asked is None else f">= {asked:g}x" if asked > 1 else f"<= {1 / asked:g}x its time"
        if name not in present:
            yield record(row.name, times["ours"], peer=f"{name}: not installed", target=target)
            continue
        ratio = times[name] / times["ours"]
        off = None if name.startswith("ours") else abs(float(present[name](0)) / float(truth.mid()) - 1)
        measured = {"theirs": times[name], "ratio": ratio, "off": off}
        yield record(
            row.name,
            times["ours"],
            peer=name,
            **measured,
            target=target,
            reached=None if asked is None else ratio >= asked,
        )


def flat_lines(rounds: int) -> Iterator[dict[str, Any]]:
    """Our time for every l, and how far the slowest is from the fastest."""
    from benchmarks.rows import flat_rows
    from benchmarks.timing import medians

    times = medians({f"{l:.0e}": answer for l, answer in flat_rows().items()}, rounds)
    for name, seconds in times.items():
        yield record(f"binomial l={name}, 30 digits", seconds)
    ratio = max(times.values()) / min(times.values())
    yield record("slowest over fastest", ratio=ratio, target=f"flat (<= {FLAT_TARGET:g})", reached=ratio <= FLAT_TARGET)


def memory_line() -> dict[str, Any]:
    """The peak memory of a process of its own that answers every question once, without peers.

    A child's peak starts from its parent's size, so this has to come before any peer is loaded.
    """
    command = [sys.executable, str(Path(__file__).resolve()), "--memory"]
    peak = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    target = f"< {MEMORY_TARGET:g} MB"
    return record(f"peak memory of all of ours: {peak:.0f} MB", target=target, reached=peak < MEMORY_TARGET)


def peak_memory() -> float:
    """Megabytes at the peak, after every question of ours (Linux counts in KiB, macOS in bytes)."""
    from benchmarks.rows import all_rows, flat_rows

    for answer in (*(row.ours for row in all_rows()), *flat_rows().values()):
        answer(0)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def lines(rounds: int) -> Iterator[dict[str, Any]]:
    """Every line of the table."""
    from benchmarks.rows import all_rows, command_rows

    yield memory_line()
    for row in all_rows():
        yield from peer_lines(row, rounds)
    yield from flat_lines(rounds)
    for row in command_rows():
        yield from peer_lines(row, rounds)


def seconds_text(seconds: float | None) -> str:
    """Milliseconds, or seconds where there are many, to three digits."""
    if seconds is None:
        return ""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def table_text(line: dict[str, Any]) -> str:
    """One line of the table, in columns."""
    ratio = "" if line["ratio"] is None else f"{line['ratio']:.{0 if line['ratio'] > 99 else 2}f}x"
    off = "" if line["off"] is None else f"{line['off']:.1e}"
    reached = {None: "", True: "yes", False: "missed"}[line["reached"]]
    times = (seconds_text(line["ours"]), seconds_text(line["theirs"]))
    return columns((line["question"], line["peer"] or "", *times, ratio, off, line["target"] or "", reached))


def columns(cells: tuple[str, ...]) -> str:
    """The cells, padded."""
    return "  ".join(
        cell.ljust(width) for cell, width in zip(cells, (36, 38, 8, 8, 7, 11, 14, 7), strict=True)
    ).rstrip()


def main() -> None:
    """Parse, measure, print."""
    sys.path.insert(0, str(ROOT))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one array of objects, times in seconds")
    parser.add_argument("--rounds", type=int, default=5, help="medians over the given number of rounds, at least 5")
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory:
        sys.stdout.write(f"{peak_memory()}\n")
        return
    rounds = max(5, arguments.rounds)
    if arguments.json:
        sys.stdout.write(json.dumps(list(lines(rounds)), indent=1) + "\n")
        return
    sys.stdout.write(columns(COLUMNS) + "\n")
    for line in lines(rounds):
        sys.stdout.write(table_text(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
