"""The audit of the file of statements: whatever is undecided, decided twice, unproved or hidden is noticed."""

from pathlib import Path

import pytest
from panshuffle.proofs.kernel.pins import HERE, PINS
from panshuffle.proofs.kernel.sources import MOST_LINES, audit

from tests.conftest import copied_kernel

LEMMA = "Definition lem_distinct_gamma : Prop :="
PIN = 'statement = "Paper.lem_distinct_gamma"'


def reasons(folder: Path) -> list[str]:
    return list(audit(folder).faults)


@pytest.fixture
def folder(tmp_path):
    return copied_kernel(tmp_path / "kernel")


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_every_statement_of_the_paper_is_decided():
    found = audit(HERE)
    assert found.faults == ()
    assert found.cited == ("lem_de_lower_bound_pan", "lem_partition", "lem_ut_lower_bound_pan")
    assert set(found.open) <= {"tester_as_printed", "thm_ut_app_upper_bound"}
    assert f"{len(found.proved)} proved, {len(found.refuted)} refuted and repaired, 3 cited" in found.summary()
    assert all(name in found.summary() for name in found.open)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (LEMMA, f"Definition another : Prop := False.\n{LEMMA}", "Paper.another is decided 0 times"),
        (LEMMA, f"Definition hidden := forall x : R, x = x.\n{LEMMA}", "Paper.hidden is neither a statement nor used"),
        (LEMMA, f"Theorem easy : True. Proof. exact I. Qed.\n{LEMMA}", "Paper.v has statements only, no Theorem"),
        (LEMMA, f"From PanshuffleKernel Require Import Law.\n{LEMMA}", "Paper.v requires Law"),
        (LEMMA, "\n" * MOST_LINES + LEMMA, f"more than {MOST_LINES}"),
        (LEMMA, f"{LEMMA} True.\n{LEMMA}", "Paper.v defines lem_distinct_gamma twice"),
        (LEMMA, "Definition lem_distinct_gamma (n : nat) : Prop :=", "which is not a statement of Paper.v"),
    ],
)
def test_a_changed_file_of_statements_is_noticed(folder, old, new, reason):
    replaced(folder / "Paper.v", old, new)
    assert any(reason in found for found in reasons(folder))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (PIN, 'statement = "True -> Paper.lem_distinct_gamma"', "Paper.lem_distinct_gamma is decided 0 times"),
        (PIN, 'statement = "Paper.lem_distinct_ber"', "Paper.lem_distinct_ber is decided by two pins"),
        (PIN, 'statement = "~ Paper.lem_distinct_gamma"', "lem_distinct_gamma_repaired is not proved in its place"),
        ("open = [", 'open = ["Paper.lem_distinct_gamma", ', "Paper.lem_distinct_gamma is decided 2 times"),
        ('repair = "Paper.fact_comp"', 'repair = "Paper.lem_partition"', "lem_partition is not proved in its place"),
        ('statement = "Paper.chernoff_step_repaired"', 'statement = "True"', "chernoff_step_repaired is not proved"),
    ],
)
def test_a_changed_pin_is_noticed(folder, old, new, reason):
    replaced(folder / PINS, old, new)
    assert any(reason in found for found in reasons(folder))


def test_a_citation_says_what_is_taken(folder):
    replaced(folder / PINS, 'source = "Amin, Joseph and Mao 2019, Theorem 3"', 'source = ""')
    with pytest.raises(ValueError, match="cited without what is taken"):
        audit(folder)
