"""The results of the studies that we keep are those of their questions, and true."""

import csv
from fractions import Fraction

import pytest

from panshuffle.study.engine import outcome
from panshuffle.study.study_file import SUBJECTS, read_study
from panshuffle.study.table import row_of
from tests.conftest import FULL
from tests.faces.small_studies import EXAMPLES, ROOT, binomial_delta, found, kept


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_kept_results_are_those_of_the_study(path):
    questions, rows = read_study(str(path)).questions, kept(path)
    names = [name for name in rows[0] if name not in ("quantity", "protocol")]
    assert len(rows) == len(questions)
    for question, row in zip(questions, rows, strict=True):
        asked = row_of(question, found(answer=None), names)
        subject = SUBJECTS[question.question.kind]
        assert all(
            asked[name] == row[name]
            for name in ("quantity", subject, *dict(question.question.options))
            if name != "digits"
        )
    quick = [number for number, row in enumerate(rows) if row["seconds"] < 0.5]
    for number in quick[:: max(1, len(quick) // (100 if FULL else 5))]:
        again = row_of(questions[number], outcome(questions[number].question), names)
        assert {name: again[name] for name in COMPARED} == {name: rows[number][name] for name in COMPARED}


COMPARED = ("answer", "lower", "upper", "exact", "kind", "scope", "paper", "paper_slug", "error")


def test_kept_calibrations_of_the_binomial_mechanism_by_fractions():
    """delta(l) = sum of max(0, P - e^eps Q) over both directions, from the masses, with e^eps to 60 digits."""
    checked = 0
    for row in kept(ROOT / "examples" / "paper_against_truth.toml"):
        small = row["protocol"] == "binomial" and int(row["upper"]) < 200
        if small:
            p, eps, delta = (Fraction(row[name]) for name in ("p", "at-eps", "at-delta"))
            least = int(row["exact"])
            assert binomial_delta(least, p, eps) <= delta < binomial_delta(least - 1, p, eps)
            checked += 1
    assert checked > 20


def test_the_kept_results_are_small_and_say_how_they_were_made():
    text = (ROOT / "examples" / "results" / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES:
        assert f"panshuffle study examples/{path.stem}.toml -o examples/results/{path.stem}.csv" in text
        result = ROOT / "examples" / "results" / f"{path.stem}.csv"
        assert result.stat().st_size < 200_000
        with result.open(encoding="utf-8") as stream:
            assert len({len(row) for row in csv.reader(stream)}) == 1
