"""The rulings that are kept: their truth side is tried again without the accountants; what each rests on is said."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from panshuffle.crosscheck.court.accountant import known
from panshuffle.crosscheck.court.battery import BATTERY
from panshuffle.crosscheck.court.family import case_from_json
from panshuffle.crosscheck.court.ruling import HARMFUL, judged
from panshuffle.crosscheck.court.truth import Truth

from tests.conftest import FULL

RECORD = json.loads((Path(__file__).parents[2] / "crosscheck/court/record.json").read_text(encoding="utf-8"))
QUICK = {problem.case.name for problem in BATTERY if FULL or (problem.quick and problem.case.k <= 256)}
ASKED = [question for question in RECORD["questions"] if question["name"] in QUICK]
BY_HAND = [one for one in RECORD["reproductions"] if one["truth_program"]]


def test_the_record_has_every_question_of_the_battery():
    assert [question["name"] for question in RECORD["questions"]] == [problem.case.name for problem in BATTERY]
    assert {one["name"] for one in RECORD["accountants"]} == set(known())


@pytest.mark.parametrize("question", ASKED, ids=lambda question: question["name"])
def test_every_kept_ruling_comes_out_again(question):
    truth = Truth(case_from_json(question["question"]))
    assert truth.text == (question["truth"]["lower"], question["truth"]["upper"]) and truth.agreed
    for ruling in question["rulings"]:
        if ruling["claim"] is not None:
            promise = known()[ruling["accountant"]].promise
            again = judged(truth, ruling["accountant"], ruling["side"], ruling["claim"], promise=promise)
            assert (again.verdict, again.times, again.identifier) == (ruling["verdict"], ruling["times"], ruling["id"])


def test_nobody_is_called_unsound_without_a_promise():
    documented = {one["name"]: one["documented"] for one in RECORD["accountants"]}
    unsound = {r["accountant"] for q in RECORD["questions"] for r in q["rulings"] if r["verdict"] == "unsound"}
    assert unsound and all(documented[name] for name in unsound)


def test_the_refuted_formula_is_among_the_rulings():
    rulings = {r["id"]: r for q in RECORD["questions"] for r in q["rulings"]}
    found = rulings["shuffled-response:values=3:n=2:eps0=0.693147:delta@0.559616/variation-ratio/upper"]
    assert (found["verdict"], found["claim"], found["times"]) == ("unsound", "0.015625", "2")


def test_harm_is_known_wherever_somebody_is_wrong():
    for question in RECORD["questions"]:
        for ruling in question["rulings"]:
            assert (ruling["verdict"] in HARMFUL) <= (ruling["claim"] is not None)


@pytest.mark.parametrize("kept", BY_HAND, ids=lambda kept: kept["name"])
def test_the_truth_by_hand_needs_fractions_alone(kept):
    program = kept["truth_program"]
    assert len(program.splitlines()) <= 30
    assert {line.split()[1] for line in program.splitlines() if line.startswith(("from", "import"))} <= {
        "fractions",
        "math",
    }
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True, timeout=60)
    target = float(kept["claim"]) if kept["question"]["quantity"] == "delta" else kept["question"]["at"]
    assert float(done.stdout) > target
