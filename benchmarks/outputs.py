"""Whether two checkouts print the same: every command of the documents, and a corpus of options and refusals.

    python benchmarks/outputs.py OLD NEW

Each checkout answers in a process of its own, by its own `.venv` where it has one, in a folder of its own, with the
commands of a document in their order.
Standard output, standard error, the status and every file that was written are compared byte by byte; seconds are not.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

LETTERS = {
    "binomial": "--l 80",
    "binary-sum": "--n 20 --p 1/3",
    "modular-sum": "--n 6 --m 5",
    "distinct-elements": "--n 10 --k 5 --eps 1 --m 3",
    "hashed-distinct-elements": "--n 6 --k 100 --eps 1 --m 3",
    "uniformity": "--k 10 --lam 60",
    "compressed-uniformity": "--k 12 --k-hat 4 --lam 60",
    "pan-sum": "--lam 40",
    "pan-histogram": "--k 6 --lam 40",
    "shuffle-histogram": "--n 20 --k 5 --p 1/3",
    "pan-distinct-elements": "--n 12 --k 5 --eps 1 --m 3",
    "pan-uniformity": "--n 12 --k 6 --lam 60",
    "randomized-or": "--eps 1",
    "two-bit-sum": "--n 6 --p 1/4",
    "geometric-distinct-elements": "--n 10 --k 5 --eps 1",
}
"""Parameters with which every protocol answers at once."""
PRINTED = "--eps 1 --delta 1e-6"
POINTS = ("--at-eps 1", "--at-exp-eps 2 --json", "--at-delta 1e-6", "--at-delta 0 --digits 20 --json", "")
PARTS = (
    "", "--pool", "--pair", "--pool --direction gain", "--direction lose", "--holders 1,1", "--pool --holders 1",
    "--t 2", "--gamma 1/2", "--gamma 2", "--tv", "--tau 1", "--copies 3",
)  # fmt: skip
SEARCHES = ("--at-eps 1 --at-delta 1e-6", "--at-eps 1 --at-delta 1e-6 --json --pool", "--at-eps 1", "--sigma 10")
MORE = ("", "--gamma 1/2", "--real", "--n 10 --k 4 --m 3", "--n 10 --eps 1", "--n 10", "--p 1/4 --n 4")
ERRORS = ("--beta 1/10", "--alpha 3 --json", "--alpha paper --beta 1/10", "--uniform", "--paired 1/4 --json", "")
DATA = ("--ones 2", "--distinct 2", "--uniform", "--paired 1/4", "--ones 2 --t 2", "--distinct 2 --messages", "")
USERS = {
    "binomial": "--n 6 --l 8", "pan-sum": "--n 6 --lam 4", "pan-histogram": "--n 6 --k 6 --lam 4",
    "uniformity": "--n 6 --k 4 --lam 6", "compressed-uniformity": "--n 6 --k 4 --k-hat 2 --lam 6",
    "randomized-or": "--n 6 --eps 1",
}  # fmt: skip
"""The same where a number of users is needed to run the protocol."""


def corpus() -> Iterator[str]:
    """Command lines: every protocol with every kind of option, whether it has a meaning or not."""
    for name, letters in LETTERS.items():
        users = USERS.get(name, letters)
        yield from (f"privacy {name} {letters} {point} {part}" for point, part in product(POINTS, PARTS))
        yield from (f"privacy {name} {size} {PRINTED} --at-delta 1e-6" for size in ("--n 20 --k 4", "--k 4", ""))
        yield from (f"calibrate {name} {search} {more}" for search, more in product(SEARCHES, MORE))
        yield from (f"accuracy {name} {users} {error} {raw}" for error, raw in product(ERRORS, ("", "--raw")))
        yield from (f"curve {name} {letters} --points 3 {part}" for part in ("", "--json", "--pool", "--gamma 1/2"))
        yield from (f"export {name} {letters} {part}" for part in ("", "--json --pool", "--holders 1,1 --digits 8"))
        yield from (f"attack {name} {letters} --at-eps 1/2 --seed 3 --runs 20 {part}" for part in PARTS[:6])
        yield from (f"sample {name} {users} --seed 5 --runs 2 {data}" for data in DATA)
        yield from (f"sample {name} {users} --seed 5 --approximate {data}" for data in DATA[:2])
        yield f"sample {name} {users} --seed 5 --runs 300 --ones 2 -o {name}.ones.jsonl"
        yield f"sample {name} {users} --seed 5 --runs 300 --distinct 2 -o {name}.distinct.jsonl"
        yield f"crosscheck {name} {users} --ones 2 --samples {name}.ones.jsonl"
        yield f"crosscheck {name} {users} --distinct 2 --samples {name}.distinct.jsonl --json"
        yield f"crosscheck {name} {users} --distinct 3 --samples {name}.distinct.jsonl"
        yield f"analyze {name} {users} --input {name}.distinct.jsonl"
        yield f"privacy {name} {letters} --at-eps 1/2 --certificate {name}.json"
        yield f"calibrate {name} --at-eps 1 --at-delta 1e-6 --certificate {name}.calibrate.json"
    yield from ("plan histogram --k 8 --at-eps 1 --at-delta 1e-6 --json", "plan histogram --k 8", "plan none --k 8")
    yield "plan distinct-elements --n 20 --k 8 --at-eps 2 --at-delta 1e-4 --gamma 1/2"
    yield "plan uniformity --k 4 --at-eps 2 --at-delta 1e-3 --alpha 1/4"
    yield from ("privacy nobody --at-eps 1", "privacy", "nothing", "privacy binomial --l 1 --l 2", "accuracy binomial")
    yield from ("verify --list", "verify hash-collisions --json", "verify --search tester", "completion bash")


def documents(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Each document with its commands, without the program's name, in their order."""
    for path in (root / "README.md", *sorted((root / "docs").glob("*.md"))):
        blocks = re.findall(r"```console\n(.*?)```", path.read_text(), re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()]
        yield path.name, [line.removeprefix("$ panshuffle ") for line in lines if line.startswith("$ panshuffle ")]


PROGRAM = r"""
import io, json, os, shlex, sys
from contextlib import redirect_stderr, redirect_stdout
from panshuffle.main import main
for line in sys.stdin:
    out, err, status = io.StringIO(), io.StringIO(), 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main(shlex.split(json.loads(line)))
    except SystemExit as end:
        status = end.code or 0
    except Exception as problem:
        status = repr(problem)
    os.write(1, (json.dumps([out.getvalue(), err.getvalue(), status]) + "\n").encode())
"""


def answers(root: Path, folder: Path, lines: list[str]) -> list[list[object]]:
    """What a checkout prints for the lines, and its status, one after the other in one folder."""
    (folder / "examples").symlink_to(root / "examples")
    own = root / ".venv" / "bin" / "python"
    found = subprocess.run(
        [str(own) if own.exists() else sys.executable, "-c", PROGRAM],
        input="".join(json.dumps(line) + "\n" for line in lines),
        env=os.environ | {"PYTHONPATH": str(root), "COLUMNS": "180"},
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [json.loads(line) for line in found.stdout.splitlines()]


def files(folder: Path) -> dict[str, str]:
    """The files that were written, with what is in them; seconds are left out."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(".times.json"))
    return {str(path.relative_to(folder)): timeless(path.read_text(errors="replace")) for path in paths}


def timeless(text: str) -> str:
    """A text without seconds and versions of the code, which differ."""
    text = re.sub(r"\d+\.\d+ s\b", "? s", text)
    text = re.sub(r'("seconds": )[\d.e-]+', r"\1?", text)
    return re.sub(r"\b[0-9a-f]{16}\b,?[\d,]*,[\d.]+$", "?", text, flags=re.MULTILINE)


def differences(name: str, old: Path, new: Path, lines: list[str]) -> int:
    """Prints where two checkouts differ, and says how often they do."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        left, right = answers(old, Path(first), lines), answers(new, Path(second), lines)
        count = 0
        for line, one, other in zip(lines, left, right, strict=True):
            if [timeless(str(part)) for part in one] != [timeless(str(part)) for part in other]:
                count += 1
                print(f"{name}: panshuffle {line}\n  - {one}\n  + {other}")
        for path, text in files(Path(first)).items():
            if files(Path(second)).get(path) != text:
                count += 1
                print(f"{name}: the file {path} differs")
    return count


def main() -> None:
    """Compares two checkouts; status 1 where they differ."""
    old, new = (Path(argument).resolve() for argument in sys.argv[1:3])
    total = 0
    for name, lines in (*documents(old), ("the corpus", list(corpus()))):
        found = differences(name, old, new, lines)
        total += found
        print(f"{name}: {len(lines)} commands, {found} differences", flush=True)
    raise SystemExit(int(total > 0))


if __name__ == "__main__":
    main()
