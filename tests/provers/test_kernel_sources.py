"""The proof kernel without Coq: the record is of these sources, and every way of cheating in a text is noticed."""

import json

import pytest
from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel import checker, replay
from panshuffle.proofs.kernel.checker import RECORD, State, names_in, read_record, recorded_states
from panshuffle.proofs.kernel.coq import assumptions, summary_faults
from panshuffle.proofs.kernel.pins import HERE, claims, read_claims
from panshuffle.proofs.kernel.sources import digests, read_order, source_faults, uncommented
from panshuffle.proofs.root import said
from panshuffle.proofs.verdict import KERNEL, RECORDED
from panshuffle.symbolic.decision import Status

from tests.conftest import copied_kernel as copied
from tests.every import every

PAPER_NAMES = {"distinct-gamma", "distinct-ber", "distinct-privacy", "total-variation-privacy", "post-processing"}


def test_without_coq_everything_is_recorded():
    states = recorded_states()
    assert len(states) >= 25
    assert states.keys() >= PAPER_NAMES
    assert {found.state for found in states.values()} == {State.RECORDED}


def test_the_record_is_of_these_sources():
    record = read_record(HERE)
    assert record.sources == digests(HERE)
    assert record.claims.keys() == claims().keys()
    assert {name for rests in record.claims.values() for name in rests} == record.definitions.keys()


@pytest.mark.parametrize("name", ["Moments.v", "pins.toml", "_CoqProject"])
def test_a_changed_file_is_not_recorded(tmp_path, name):
    folder = copied(tmp_path / "kernel")
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert {(found.state, found.reason) for found in recorded_states(folder).values()} == {
        (State.FAILED, said(f"proofs/kernel/{name}"))
    }


def test_without_a_record_nothing_is_recorded(tmp_path):
    folder = copied(tmp_path / "kernel")
    (folder / RECORD).unlink()
    assert {found.state for found in recorded_states(folder).values()} == {State.FAILED}


def test_a_claim_that_the_record_lacks_is_not_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(checker, "root_faults", lambda folder: [])
    folder = copied(tmp_path / "kernel")
    record = json.loads((folder / RECORD).read_text())
    del record["claims"]["distinct-gamma"]
    (folder / RECORD).write_text(json.dumps(record))
    failed = {name for name, found in recorded_states(folder).items() if found.state is State.FAILED}
    assert failed == {"distinct-gamma"}


def test_asked_to_run_without_coq_nothing_is_checked(monkeypatch):
    monkeypatch.setattr(checker, "installed", lambda: False)
    with pytest.raises(InputError, match="needs Coq"):
        checker.check_now()


def test_the_ledger_is_answered_at_the_tier_of_the_evidence(monkeypatch):
    monkeypatch.setattr(checker, "RUNS", [])
    answer = checker.answer("distinct-gamma")
    assert (answer.status, answer.tier) == (Status.PROVED, RECORDED)
    run = checker.Run(checker.fingerprint(), {"paper-thm-ikos": "a reason"})
    checker.adopt(run)
    assert checker.answer("distinct-gamma").tier == KERNEL
    assert (checker.answer("paper-thm-ikos").status, checker.answer("paper-thm-ikos").witness) == (
        Status.UNDECIDED,
        "a reason",
    )
    checker.adopt(checker.Run("other", run.failed))
    assert checker.answer("paper-thm-ikos").tier == RECORDED
    with pytest.raises(ValueError, match="no-such-claim"):
        checker.answer("no-such-claim")


def test_the_ledger_cannot_ask_for_a_run_without_coq(monkeypatch):
    monkeypatch.setattr(checker, "installed", lambda: False)
    with pytest.raises(ValueError, match="not on this machine"):
        checker.check_now()


def test_pins_say_what_they_assume():
    modules = read_order(HERE)
    for claim in claims().values():
        assert claim.constant.split(".")[0] in modules
        assert claim.statement
        assert not claim.statement.endswith(".")
    assert claims()["ratio-inequality"].statement.startswith("forall eps_prime : R, 0 < eps_prime")


def test_two_claims_of_one_name_are_refused(tmp_path):
    pins = (HERE / "pins.toml").read_text()
    (tmp_path / "pins.toml").write_text(pins + pins)
    with pytest.raises(ValueError, match="two claims"):
        read_claims(tmp_path)


def test_our_sources_use_only_the_allowed_commands():
    for module in read_order(HERE):
        assert source_faults(module, (HERE / f"{module}.v").read_text()) == []


OUTSIDE = "is not one of the allowed commands"


@every(
    ("text", "reason"),
    [
        ("Lemma a : 1 = 2.\nProof. Admitted.", "2: Admitted is not allowed"),
        ("Lemma a : 1 = 2.\nProof. admit. Qed.", "2: admit is not allowed"),
        ("Axiom a : 1 = 2.", "1: Axiom is not allowed"),
        ("Parameter a : 1 = 2.", "1: Parameter is not allowed"),
        ("Variable a : 1 = 2.", "1: Variable is not allowed outside of a section"),
        ("Section S.\nEnd S.\nHypothesis a : 1 = 2.", "3: Hypothesis is not allowed outside of a section"),
        ("Context (a : 1 = 2).", "1: Context is not allowed outside of a section"),
        ("Unset Guard Checking.", "1: Unset is not allowed"),
        ("#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.", "1: bypass_check is not allowed"),
        ("Set Universe Polymorphism.", f"1: Set {OUTSIDE}"),
        ("Set Printing All.", f"1: Set {OUTSIDE}"),
        ('Notation "a <= b" := True.', "1: Notation is not in the form that is allowed"),
        ("Notation a := (1 = 2).", "1: Notation is not in the form that is allowed"),
        ("Notation a := Law.b (only parsing).", "1: Notation is not in the form that is allowed"),
        ('Infix "<=" := lt.', "1: Infix is not allowed"),
        ("Coercion f : A >-> B.", "1: Coercion is not allowed"),
        ("Record r := { f :> nat }.", "1: :> is not allowed"),
        ("Lemma a : 1 = 1.\nProof.\n  Set Foo.\n  auto.\nQed.", "3: Set is not allowed inside a proof"),
        # an instance with a body, after which a scanner may believe that it is in a proof
        (
            "#[local] Instance a : T := b.\nHypothesis bad : False.",
            "2: what is announced has to be followed by Proof and a proof",
        ),
        ("#[global] Hypothesis bad : False.", "1: an attribute that is not #[local] is not allowed"),
        ("#[local] #[export] Definition a := 1.", "1: an attribute that is not #[local] is not allowed"),
        ("#[local, program] Definition a := 1.", "1: an attribute that is not #[local] is not allowed"),
        ("#[ local ] Definition a := 1.", "1: an attribute that is not #[local] is not allowed"),
        (
            "Lemma a : T.\nProof.\n2: { Hypothesis bad : False. }\nQed.",
            "3: Hypothesis is not allowed inside a proof",
        ),
        ("Lemma a : T.\nProof.\n- { Hypothesis bad : False. }\nQed.", "3: Hypothesis is not allowed inside a proof"),
        ("Lemma a : T.\nProof.\nall: Print a.\n!: { Check a. }\nQed.", "4: Check is not allowed inside a proof"),
        ("Lemma a : T.\nProof using.\nQed.", "2: what is announced has to be followed by Proof and a proof"),
        ("Lemma a : T := b.\nHypothesis bad : False.", "2: what is announced has to be followed by Proof and a proof"),
        ("Definition a : T.\nHypothesis bad : False.", "2: what is announced has to be followed by Proof and a proof"),
        ("Definition a : let b := c in T.\nProof. auto. Qed.", f"2: Proof {OUTSIDE}"),
        (
            "Definition a : T.\nProof. A.b; auto.\nHypothesis bad : False. Qed.",
            "3: Hypothesis is not allowed inside a proof",
        ),
        ("Time Hypothesis bad : False.", f"1: Time {OUTSIDE}"),
        ("Local Hypothesis bad : False.", "1: Local is not allowed"),
        ("Module M.\nEnd M.", "1: Module is not allowed"),
        ("Module Type M.\nParameter a : 1 = 2.\nEnd M.", "2: Parameter is not allowed"),
        ("Include M.", "1: Include is not allowed"),
        ("Load Foo.", "1: Load is not allowed"),
        ('Declare ML Module "evil".', "1: Declare is not allowed"),
        ('Redirect "out" Print nat.', "1: Redirect is not allowed"),
        ("Extraction nat.", "1: Extraction is not allowed"),
        ("Primitive int := #int63_type.", "1: Primitive is not allowed"),
        ("Register nat as foo.", "1: Register is not allowed"),
        ("Require Import Reals.", f"1: Require {OUTSIDE}"),
        ("From Flocq Require Import Core.", "1: From is not in the form that is allowed"),
        ("From Coq Require Export Reals.", "1: Export is not allowed"),
        ("Ltac solve := admit.", "1: admit is not allowed"),
        ("Ltac2 solve () := ().", "1: Ltac2 is not allowed"),
        ("Hint Resolve a : core.", "1: Hint is not allowed"),
        ("Fixpoint f (n : nat) := n\nwhere g := 1.", "2: where is not allowed"),
        ('Definition a := "text".', '1: " is not allowed'),
        ("Definition a\u00a0:= 1.", r"1: the character '\xa0' is not allowed"),
        ("(* \u202e *) Definition a := 1.", r"1: the character '\u202e' is not allowed"),
        ("Definition a := 1.\rAxiom b : False.", r"1: the character '\r' is not allowed"),
        ("Section S.\nDefinition a := 1.", "2: the file ends within a sentence, a proof or a section"),
        ("Lemma a : T.\nProof.\nauto.", "3: the file ends within a sentence, a proof or a section"),
        ("Definition a := 1", "1: the file ends within a sentence, a proof or a section"),
        ("Unknown command.", f"1: Unknown {OUTSIDE}"),
        (". Definition a := 1.", f"1: an empty sentence {OUTSIDE}"),
    ],
)
def test_forbidden_commands(text, reason):
    assert f"A.v, line {reason}" in source_faults("A", text)


def test_comments_and_strings_are_not_commands():
    assert uncommented('a (* Axiom (* nested *) "*)" *) b').split() == ["a", "b"]
    assert uncommented('a "(* Axiom" b').split() == ["a", '"', '"', "b"]
    assert source_faults("A", '(* " *) Axiom a : False. (* " *) Definition b := 1.') == []  # as Coq reads it
    assert source_faults("A", "(* Axiom, Admitted. *)\nDefinition a := 1.") == []
    assert source_faults("A", '(* a "string *) in it" *)\nDefinition a := 1.') == []


def test_a_definition_by_a_proof_and_a_tactic_are_allowed():
    assert source_faults("A", "Definition a : T.\nProof. A.b. Defined.\nLtac c := intros; lra.") == []


def test_another_name_for_one_of_ours_is_allowed():
    assert source_faults("A", "From PanshuffleKernel Require Law.\nNotation law := Law.law.") == []


def test_the_assumptions_are_read():
    assert assumptions("Closed under the global context\n") == set()
    assert assumptions("Axioms:\nClassical_Prop.classic\n  : forall P : Prop, P \\/ ~ P\nA.b : 1 = 2\n") == {
        "Classical_Prop.classic",
        "A.b",
    }
    assert assumptions("") == {"no answer from Print Assumptions"}
    assert "a : 1 = 2" in assumptions("Section Variables:\na : 1 = 2\n")
    assert assumptions("Axioms:\nA.f is assumed to be guarded.\n") == {"A.f is assumed to be guarded."}


def test_the_summary_of_the_independent_checker_is_read():
    good = (
        "* Theory: Set is predicative\n  \n* Axioms:\n    Coq.Logic.Classical_Prop.classic\n  \n* Inductives: <none>\n"
    )
    assert summary_faults(good) == []
    assert summary_faults(good.replace("Coq.Logic.Classical_Prop", "PanshuffleKernel.Classical_Prop"))
    assert summary_faults(good.replace("Coq.Logic.Classical_Prop", "Coq.Evil.Classical_Prop"))
    assert summary_faults(good.replace("<none>", "A.f"))
    assert summary_faults(good.replace("predicative", "impredicative"))
    assert summary_faults("")


def test_names_of_ours_are_found_in_what_coq_prints():
    printed = "fun x => @Law.bind A (PanshuffleKernel.Law.point x) Other.Law.scale Rplus Law.E'"
    assert names_in(printed, ["Law", "Parity"]) == {"Law.bind", "Law.point", "Law.E'"}


@pytest.mark.parametrize(
    "statement",
    ["True. Axiom bad : False", "True) := (I", "True := I with b : (1 = 1", "(* True", 'a "b"', "1 \u2264 2", "(1 = 1"],
)
def test_a_statement_that_is_not_one_term_is_refused(tmp_path, statement):
    row = f"name = 'a'\nconstant = 'A.a'\nlabels = []\npremises = []\nstatement = '{statement}'"
    (tmp_path / "pins.toml").write_text(f"[[claim]]\n{row}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not one term"):
        read_claims(tmp_path)


def test_a_replay_needs_coq(monkeypatch):
    monkeypatch.setattr(replay, "installed", lambda: False)
    with pytest.raises(ValueError, match="not on this machine"):
        replay.proved([replay.Theorem("", ("ExpBound",))])
