"""The table of a study: one row a question, as CSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from panshuffle.exact.errors import InputError
from panshuffle.exact.real import DEFAULT_DIGITS
from panshuffle.output import destination
from panshuffle.question import Json
from panshuffle.study.engine import StudyOutcome
from panshuffle.study.study_file import SUBJECTS, Entry

ENDINGS = (".parquet", ".csv", ".jsonl")
FIRST = ("quantity", "protocol")
ANSWER, PAPER = ("lower", "upper", "exact", "kind", "scope"), ("paper", "paper_slug", "paper_verdict")
LAST = ("answer", *ANSWER, *PAPER, "error", "version", "code", "precision", "seconds")
NUMBERS = {"precision": int, "seconds": float}
Row = dict[str, Any]


def check_ending(path: str) -> str:
    """The ending of a table.  *Raises* `InputError` for another one, or for Parquet without pyarrow."""
    ending = Path(path).suffix
    if ending not in ENDINGS:
        raise InputError(f"output = {path} is not allowed: output must end in {', '.join(ENDINGS)}")
    if ending == ".parquet":
        pyarrow()
    return ending


def pyarrow() -> Any:
    """The module `pyarrow`.  *Raises* `InputError` where it is missing."""
    try:
        import pyarrow as module
        import pyarrow.parquet
    except ImportError:
        raise InputError("a .parquet file needs pyarrow: install the extra panshuffle[study]") from None
    return module


def rows_of(questions: Sequence[Entry], outcomes: Mapping[str, StudyOutcome], code: str) -> list[Row]:
    """The rows, in the order of the questions; every row has every column."""
    used = dict.fromkeys(name for entry in questions for name in given(entry))
    names = [name for name in used if name not in ("protocol", "digits")]
    code_of = {"version": version("panshuffle"), "code": code}
    return [row_of(question, outcomes[question.text], names) | code_of for question in questions]


def given(entry: Entry) -> dict[str, str | bool]:
    """What a question is about, and its options."""
    return {SUBJECTS[entry.question.kind]: entry.question.subject, **dict(entry.question.options)}


def row_of(entry: Entry, outcome: StudyOutcome, names: Sequence[str]) -> Row:
    """One row."""
    question, answer = entry.question, outcome["answer"]
    row: Row = dict.fromkeys((*FIRST, *names, *LAST))
    row |= {"quantity": question.kind, "error": outcome["error"], "seconds": round(outcome["seconds"], 4)}
    row |= {name: "true" if value is True else str(value) for name, value in given(entry).items() if name in row}
    if question.kind == "verify":
        return row | (verdict_cells(answer) if answer is not None else {})
    row["precision"] = int(question.get("digits") or DEFAULT_DIGITS)
    if answer is None:
        return row
    if question.kind == "plan":
        return row | plan_cells(answer)
    paper = answer["paper"] if isinstance(answer["paper"], dict) else {}
    row |= {name: answer.get(name) for name in ANSWER}
    row |= {"answer": answer["quantity"], "paper": paper.get("value")}
    return row | {"paper_slug": paper.get("slug"), "paper_verdict": paper.get("verdict")}


def verdict_cells(answer: Mapping[str, Json]) -> Row:
    """What a row says of a verdict: the evidence is the kind, the form that the verdict is on is the scope."""
    row = {"answer": "verdict", "kind": answer["tier"], "scope": answer["form"]}
    return row | {"paper_slug": answer["slug"], "paper_verdict": answer["verdict"]}


def plan_cells(answer: Mapping[str, Any]) -> Row:
    """What a row says of a plan: the protocol of choice, and its error, or the samples that its tester needs."""
    if answer["chosen"] is None:
        return {"error": "no protocol meets the target"}
    error = answer["plans"][answer["chosen"]]["error"]
    if "m" in error:
        error = {"quantity": "m", "scope": error["scope"], **dict.fromkeys(("lower", "upper", "exact"), error["m"])}
    return {"protocol": answer["choice"], "answer": error["quantity"], **{name: error.get(name) for name in ANSWER}}


def write_table(path: str, rows: Sequence[Row]) -> None:
    """Writes the table in one step.  *Raises* `InputError` where the file can't be written."""
    content = WRITERS[check_ending(path)](rows)
    with destination(path) as stream:
        stream.buffer.write(content)


def as_csv(rows: Sequence[Row]) -> bytes:
    """The table as CSV; what is absent is empty."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


def as_parquet(rows: Sequence[Row]) -> bytes:
    """The table as Parquet: texts, but for the precision and the seconds."""
    arrow = pyarrow()
    types = {"precision": arrow.int64(), "seconds": arrow.float64()}
    schema = arrow.schema([(name, types.get(name, arrow.string())) for name in rows[0]])
    stream = io.BytesIO()
    arrow.parquet.write_table(arrow.Table.from_pylist(list(rows), schema), stream)
    return stream.getvalue()


def as_lines(rows: Sequence[Row]) -> bytes:
    """The table as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


WRITERS = {".csv": as_csv, ".jsonl": as_lines, ".parquet": as_parquet}


def read_table(path: str) -> list[Row]:
    """The rows of a table.  *Raises* `InputError` for what is no table of a study."""
    ending = check_ending(path)
    try:
        content = Path(path).read_bytes()
        rows = READERS[ending](content)
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror or problem})") from None
    except ValueError:
        rows = []
    if not rows or not all(set(FIRST + LAST) <= set(row) for row in rows):
        raise InputError(f"{path}: this is not a table of a study")
    return rows


def from_csv(content: bytes) -> list[Row]:
    """The rows of a CSV file."""
    lines = io.StringIO(content.decode())
    return [
        {name: NUMBERS.get(name, str)(text) if text else None for name, text in row.items() if name}
        for row in csv.DictReader(lines)
    ]


def from_lines(content: bytes) -> list[Row]:
    """The rows of JSON lines."""
    rows = [json.loads(line) for line in content.decode().splitlines()]
    return [row for row in rows if isinstance(row, dict)]


def from_parquet(content: bytes) -> list[Row]:
    """The rows of a Parquet file."""
    rows: list[Row] = pyarrow().parquet.read_table(io.BytesIO(content)).to_pylist()
    return rows


READERS = {".csv": from_csv, ".jsonl": from_lines, ".parquet": from_parquet}
