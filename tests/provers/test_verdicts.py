"""A verdict follows from its steps, and a statement is no stronger than what it rests on."""

from dataclasses import replace

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.verdict import (
    INSTANCES,
    KERNEL,
    NONE,
    ON_RECORD,
    RECORDED,
    STEPS,
    WHOLE,
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
IN_RUN, ON_FILE = step(Status.PROVED, KERNEL), step(Status.PROVED, RECORDED)


@every(
    ("steps", "more", "verdict", "here"),
    [
        ((PROVED,), {}, "proved", WHOLE),
        ((PROVED,), {"argument": "words"}, "proved", STEPS),
        ((PROVED, FEW), {"argument": "words"}, "proved", STEPS),
        ((PROVED, FEW), {}, "checked", INSTANCES),
        ((FEW,), {"argument": "words"}, "checked", INSTANCES),
        ((PROVED,), {"checked": "n <= 4"}, "checked", INSTANCES),
        ((REFUTED,), {"repair": Repair("r", (PROVED, FEW), argument="words")}, "repaired", STEPS),
        ((REFUTED,), {"repair": Repair("r", (FEW,))}, "refuted", INSTANCES),
        ((REFUTED,), {"repair": Repair("r", (PROVED,), checked="n <= 4")}, "refuted", INSTANCES),
    ],
)
def test_a_finite_check_is_not_a_proof(steps, more, verdict, here):
    found = check_statement("x", Statement("", "lemma", "", steps=steps, **more))
    assert (found.verdict, found.here, found.kernel) == (verdict, here, NONE)


@every(
    ("statement", "verdict", "here", "kernel", "tier"),
    [
        (lemma(kernel=(IN_RUN,)), "proved", NONE, KERNEL, "proof kernel"),
        (lemma(kernel=(ON_FILE,)), "proved", NONE, RECORDED, ON_RECORD),
        (lemma(kernel=(IN_RUN, ON_FILE)), "proved", NONE, RECORDED, ON_RECORD),
        (lemma(FEW, kernel=(ON_FILE,)), "proved", INSTANCES, RECORDED, ON_RECORD),
        (lemma(PROVED, kernel=(ON_FILE,)), "proved", WHOLE, RECORDED, "exact rational computation"),
        (lemma(PROVED, argument="w", kernel=(IN_RUN,)), "proved", STEPS, KERNEL, "proof kernel"),
        (lemma(kernel=(REFUTED,), repair=Repair("r", kernel=(ON_FILE,))), "repaired", NONE, "none", ON_RECORD),
        (lemma(REFUTED, repair=Repair("r", kernel=(ON_FILE,))), "repaired", INSTANCES, RECORDED, ON_RECORD),
        (lemma(REFUTED, repair=Repair("r", (PROVED,))), "repaired", WHOLE, NONE, "exact rational computation"),
        (lemma(kernel=(REFUTED,), repair=Repair("r", (PROVED,))), "repaired", INSTANCES, "none", ON_RECORD),
        (lemma(kernel=(UNDECIDED,)), "open", NONE, "none", "none"),
    ],
)
def test_the_two_columns_are_kept_apart(statement, verdict, here, kernel, tier):
    found = check_statement("x", statement)
    assert (found.verdict, found.here, found.kernel, found.tier) == (verdict, here, kernel, tier)
    assert found.on_record == (tier == ON_RECORD)


def test_steps_and_kernel_that_disagree_are_a_problem():
    assert check_statement("x", lemma(PROVED, kernel=(REFUTED,))).problem == "the steps and the kernel disagree"
    assert check_statement("x", lemma(REFUTED, kernel=(ON_FILE,))).problem == "the steps and the kernel disagree"


def test_a_step_that_is_undecided_is_a_problem_beside_a_theorem_that_holds():
    found = check_statement("x", lemma(UNDECIDED, kernel=(ON_FILE,)))
    assert (found.verdict, found.here) == ("proved", NONE)
    assert found.problem == "the step 'says' came back undecided"


def test_each_column_is_as_weak_as_what_is_beneath_it():
    found = settled(
        few=lemma(FEW, kernel=(ON_FILE,)), noted=lemma(kernel=(ON_FILE,)), words=lemma(PROVED, argument="words"),
        a=lemma(PROVED, rests_on=("few",)), b=lemma(PROVED, rests_on=("noted",)), c=lemma(PROVED, rests_on=("words",)),
        d=lemma(PROVED, kernel=(IN_RUN,), rests_on=("noted",)), e=lemma(kernel=(IN_RUN,), kernel_rests_on=("noted",)),
        f=lemma(PROVED, rests_on=("b",)),
    )  # fmt: skip
    assert [found[slug].verdict for slug in "abcdef"] == ["proved"] * 6
    assert [found[slug].here for slug in "abcdef"] == [INSTANCES, NONE, STEPS, NONE, NONE, NONE]
    assert [found[slug].on_record for slug in "abcdef"] == [True, True, False, False, True, True]
    assert found["e"].kernel == RECORDED


def test_cited_premises_are_named_in_the_column_that_needs_them():
    cited = Statement("", "fact", "", cited="somebody")
    found = settled(
        cited=cited, a=lemma(PROVED, rests_on=("cited",)), b=lemma(kernel=(IN_RUN,), kernel_rests_on=("cited",)),
        c=lemma(PROVED, kernel=(IN_RUN,), rests_on=("cited",)), d=lemma(PROVED, rests_on=("a",)),
    )  # fmt: skip
    assert [found[slug].premises for slug in "abcd"] == [("cited",), ("cited",), (), ("cited",)]
    assert [found[slug].tier for slug in "abcd"] == ["cited", "cited", "proof kernel", "cited"]


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
