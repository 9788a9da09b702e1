"""A verdict follows from its steps, and a statement is no stronger than what it rests on."""

from dataclasses import replace

import pytest
from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.verdict import (
    ALL,
    FINITE,
    KERNEL,
    KERNEL_AND_WORDS,
    RECORDED,
    RECORDED_AND_WORDS,
    TIERS,
    WORDS,
    check_statement,
    resting,
)
from panshuffle.symbolic.decision import Status, TooSlow

from tests.every import every
from tests.provers.small_ledgers import lemma, step

PROVED, REFUTED, UNDECIDED = step(Status.PROVED), step(Status.REFUTED), step(Status.UNDECIDED)


@every(
    ("steps", "repair", "verdict"),
    [
        ((PROVED,), None, "proved"),
        ((PROVED, PROVED), None, "proved"),
        ((PROVED, UNDECIDED), None, "open"),
        ((PROVED, REFUTED), None, "refuted"),
        ((UNDECIDED, REFUTED), None, "refuted"),
        ((REFUTED,), Repair("words only"), "refuted"),
        ((REFUTED,), Repair("checked", (PROVED,)), "repaired"),
        ((REFUTED,), Repair("undecided", (PROVED, UNDECIDED)), "refuted"),
        ((REFUTED,), Repair("wrong", (REFUTED,)), "refuted"),
        ((), None, "open"),
    ],
)
def test_verdicts_follow_from_steps(steps, repair, verdict):
    found = check_statement("x", Statement("", "lemma", "", steps=steps, repair=repair))
    assert found.verdict == verdict
    assert (found.witness == "here") == (verdict in ("refuted", "repaired"))


FEW = replace(PROVED, finite=True)


@every(
    ("steps", "more", "verdict", "coverage"),
    [
        ((PROVED,), {}, "proved", ALL),
        ((PROVED,), {"argument": "words"}, "proved", WORDS),
        ((PROVED, FEW), {"argument": "words"}, "proved", WORDS),
        ((PROVED, FEW), {}, "checked", FINITE),
        ((FEW,), {"argument": "words"}, "checked", FINITE),
        ((PROVED,), {"checked": "n <= 4"}, "checked", FINITE),
        ((REFUTED,), {"repair": Repair("r", (PROVED, FEW), argument="words")}, "repaired", WORDS),
        ((REFUTED,), {"repair": Repair("r", (FEW,))}, "refuted", ""),
        ((REFUTED,), {"repair": Repair("r", (PROVED,), checked="n <= 4")}, "refuted", ""),
    ],
)
def test_a_finite_check_is_not_a_proof(steps, more, verdict, coverage):
    found = check_statement("x", Statement("", "lemma", "", steps=steps, **more))
    assert (found.verdict, found.coverage) == (verdict, coverage)


@pytest.mark.parametrize("tier", [KERNEL, RECORDED])
def test_the_kernels_tier_is_for_its_theorems_alone(tier):
    kernel, words = (
        step(Status.PROVED, tier),
        tier.replace("kernel", "kernel and words").replace("ed,", "ed and words,"),
    )
    assert check_statement("x", lemma(kernel)).tier == tier
    assert check_statement("x", lemma(kernel, argument="words")).tier == words
    found = settled(a=lemma(kernel, rests_on=("b",)), b=lemma(kernel, argument="words"))
    assert found["a"].tier == words


def test_a_recorded_theorem_beneath_takes_the_kernels_tier_away():
    assert TIERS.index(KERNEL_AND_WORDS) < TIERS.index(RECORDED)
    checked, recorded = step(Status.PROVED, KERNEL), step(Status.PROVED, RECORDED)
    assert check_statement("x", lemma(checked, recorded)).tier == RECORDED
    found = settled(
        a=lemma(checked, rests_on=("b",)), b=lemma(recorded), c=lemma(checked, argument="words", rests_on=("b",))
    )
    assert (found["a"].tier, found["c"].tier) == (RECORDED, RECORDED_AND_WORDS)


def test_what_rests_on_a_finite_check_is_no_more_than_that():
    wrong = lemma(REFUTED, repair=Repair("r", (PROVED,), ("few",)))
    found = settled(few=lemma(FEW), a=lemma(PROVED, rests_on=("few",)), b=lemma(PROVED, rests_on=("a",)), c=wrong)
    assert [found[slug].verdict for slug in "abc"] == ["checked", "checked", "refuted"]


def test_a_statement_says_which_form_it_needs():
    wrong = lemma(REFUTED, repair=Repair("r", (PROVED,)))
    found = settled(
        wrong=wrong, a=lemma(PROVED, rests_on=("wrong",)), b=lemma(PROVED, rests_on=("wrong:repaired",)),
        right=lemma(PROVED), c=lemma(PROVED, rests_on=("right:repaired",)),
    )  # fmt: skip
    assert [found[slug].verdict for slug in "abc"] == ["open", "proved", "open"]
    assert found["a"].problem == "it rests on wrong, which is repaired"


def test_a_prover_that_fails_leaves_the_statement_open():
    def explode():
        raise ZeroDivisionError("no")

    found = check_statement("x", Statement("", "lemma", "", steps=(Step("", "test", "", explode),)))
    assert found.verdict == "open"


def test_a_prover_without_an_answer_is_a_problem_and_no_evidence():
    def slow():
        raise TooSlow

    late = Step("a step", "test", "", slow)
    for steps, near_misses, verdict in (
        ((late,), (), "open"),
        ((PROVED,), (late,), "proved"),
        ((late, REFUTED), (), "refuted"),
    ):
        found = check_statement("x", Statement("", "lemma", "", steps=steps, near_misses=near_misses))
        assert found.verdict == verdict
        assert found.problem.startswith("'a step' has no answer: the machine was too slow")


def test_a_prover_without_memory_has_no_answer():
    def large():
        raise MemoryError

    found = check_statement("x", Statement("", "lemma", "", steps=(Step("a step", "test", "", large),)))
    assert (found.verdict, found.problem) == ("open", "'a step' has no answer: no memory is left")


def test_a_near_miss_that_is_not_refuted_is_a_problem():
    for wrong in (PROVED, UNDECIDED):
        assert check_statement("x", Statement("", "lemma", "", steps=(PROVED,), near_misses=(REFUTED, wrong))).problem
    assert not check_statement("x", Statement("", "lemma", "", steps=(PROVED,), near_misses=(REFUTED,))).problem


def settled(**ledger):
    own = {slug: check_statement(slug, statement) for slug, statement in ledger.items()}
    return resting(own, ledger)


def test_a_statement_is_as_strong_as_what_it_rests_on():
    found = settled(
        a=lemma(PROVED, rests_on=("b",)),
        b=lemma(step(Status.PROVED, "ball computation"), rests_on=("c",)),
        c=Statement("", "fact", "", cited="somebody"),
        d=lemma(PROVED, rests_on=("e",)),
        e=lemma(UNDECIDED),
        f=lemma(PROVED, rests_on=("g",)),
        g=lemma(REFUTED),
        h=lemma(PROVED, rests_on=("h2",)),
        h2=lemma(PROVED, rests_on=("h",)),
        i=lemma(PROVED, rests_on=("nothing",)),
    )
    assert {slug: verdict.verdict for slug, verdict in found.items()} == {
        "a": "proved", "b": "proved", "c": "cited", "d": "open", "e": "open",
        "f": "open", "g": "refuted", "h": "open", "h2": "open", "i": "open",
    }  # fmt: skip
    assert found["a"].tier == found["b"].tier == "cited"
