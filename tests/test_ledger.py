"""The ledger and the provers: verdicts follow from evidence, and false twins are refuted."""

import json
import subprocess
import sys

import pytest

from proofs.distinct import distinct_randomizer_runs
from proofs.ledger import statements
from proofs.preliminaries import two_bit_sum_separates
from proofs.statement import Statement, check_statement
from proofs.uniformity import uniformity_randomizer_keeps_messages, uniformity_transformation_state
from symbolic.answer import Answer, Status
from symbolic.exhaustive import check_all
from symbolic.scope import check_scope, line

VERDICTS = {
    "distinct-randomizer-runs": "repaired",
    "distinct-transformation-range": "refuted",
    "pan-sum-range": "refuted",
    "two-bit-sum-separates": "refuted",
    "uniformity-randomizer-keeps-messages": "refuted",
    "uniformity-transformation-state": "repaired",
}


def test_the_ledger_is_complete():
    assert statements().keys() == VERDICTS.keys()


@pytest.mark.parametrize("slug", VERDICTS)
def test_verdict(slug):
    verdict = check_statement(slug, statements()[slug])
    assert verdict.verdict == VERDICTS[slug]
    assert verdict.witness


@pytest.mark.parametrize(
    "twin",
    [
        lambda: distinct_randomizer_runs.check(m_is_a_parameter=True),
        lambda: two_bit_sum_separates.check(labelled=True),
        lambda: uniformity_randomizer_keeps_messages.check(overwrite=False),
        lambda: uniformity_transformation_state.check_repaired(state="I left"),
    ],
)
def test_what_is_done_instead_passes_the_same_checker(twin):
    assert twin().status is Status.PROVED


@pytest.mark.parametrize("state", ["I", "I n'", "I i", "n' i"])
def test_the_state_needs_all_its_parts(state):
    assert uniformity_transformation_state.check(state).status is Status.REFUTED


@pytest.mark.parametrize("state", ["I", "left", "I n'"])
def test_the_repaired_state_needs_all_its_parts(state):
    assert uniformity_transformation_state.check_repaired(state).status is Status.REFUTED


def test_nothing_is_proved_by_no_evidence():
    assert check_all(lambda case: True, []).status is Status.UNDECIDED
    assert check_scope(["x"], []).status is Status.UNDECIDED
    with pytest.raises(TypeError):
        bool(Status.PROVED)


def test_provers_refute_false_claims():
    assert check_all(lambda n: n < 9, range(10)).witness == "9"
    assert check_scope([], [line("y", uses="y", defines="y")]).status is Status.REFUTED
    assert check_scope([], [line("a", defines="a"), line("b", uses="a")]).status is Status.PROVED


def test_verdicts_follow_from_answers():
    def verdict(printed, repair=None):
        check_repair = None if repair is None else (lambda: Answer(repair, "test"))
        claim = Statement(None, "", "", lambda: Answer(printed, "test"), check_repair=check_repair)
        return check_statement("x", claim).verdict

    assert verdict(Status.PROVED) == "proved"
    assert verdict(Status.REFUTED) == "refuted"
    assert verdict(Status.UNDECIDED) == "open"
    assert verdict(Status.REFUTED, Status.PROVED) == "repaired"
    assert verdict(Status.REFUTED, Status.UNDECIDED) == "open"
    assert verdict(Status.REFUTED, Status.REFUTED) == "open"


def test_verify_json():
    command = [sys.executable, "-m", "panshuffle", "verify", "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert {row["slug"]: row["verdict"] for row in answer} == VERDICTS
    keys = {"slug", "label", "where", "printed", "verdict", "tier", "rests_on", "witness", "repair", "seconds"}
    assert all(row.keys() == keys for row in answer)
