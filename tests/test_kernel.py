"""The proof kernel: the record is of these sources, and with Coq every way of cheating is noticed."""

import json
import shutil
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest

from proofs.kernel import bridge, checker, state
from proofs.kernel.checker import State, examine_in, kernel_state, recorded_states
from proofs.kernel.coq import AXIOMS, assumptions, compile_sources, installed, summary_faults
from proofs.kernel.definitions import names_in
from proofs.kernel.pins import HERE, claims, pinned, read_claims
from proofs.kernel.record import RECORD, read_record
from proofs.kernel.sources import digests, read_order, source_faults, uncommented
from symbolic.decision import Status
from tests.conftest import FULL

pytestmark = pytest.mark.xdist_group("coq")  # one worker, so that the sources are compiled once

Z_LOWER = ("z-lower-constant-refuted", "z-lower-step-refuted")
TIGHT = ("pair-tight-below-composition", "pair-tight-attained")
MOMENTS = ("binomial-moments", "binomial-square-variance")
PAPER_NAMES = {"distinct-gamma", "distinct-ber", "distinct-privacy", "total-variation-privacy", "post-processing"}


def copied(folder: Path) -> Path:
    """A copy of the kernel's sources, pins and record."""
    folder.mkdir()
    for path in HERE.iterdir():
        if path.suffix in {".v", ".toml", ".json"} or path.name == "_CoqProject":
            shutil.copy(path, folder)
    return folder


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


# Without Coq


def test_without_coq_everything_is_recorded():
    states = kernel_state()
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
        (State.FAILED, f"{name} is not as recorded")
    }


def test_without_a_record_nothing_is_recorded(tmp_path):
    folder = copied(tmp_path / "kernel")
    (folder / RECORD).unlink()
    assert {found.state for found in recorded_states(folder).values()} == {State.FAILED}


def test_a_claim_that_the_record_lacks_is_not_recorded(tmp_path):
    folder = copied(tmp_path / "kernel")
    record = json.loads((folder / RECORD).read_text())
    del record["claims"]["distinct-gamma"]
    (folder / RECORD).write_text(json.dumps(record))
    failed = {name for name, found in recorded_states(folder).items() if found.state is State.FAILED}
    assert failed == {"distinct-gamma"}


def test_asked_to_run_without_coq_nothing_is_checked(monkeypatch):
    monkeypatch.setattr(checker, "installed", lambda: False)
    assert {found.state for found in kernel_state(run=True).values()} == {State.RECORDED}


def test_the_ledger_is_answered_at_the_tier_of_the_evidence(monkeypatch):
    monkeypatch.setattr(state, "RUNS", [])
    answer = state.answer("distinct-gamma")
    assert (answer.status, answer.tier) == (Status.PROVED, "proof kernel (recorded)")
    run = state.Run(state.fingerprint(), {"ikos": "a reason"})
    state.adopt(run)
    assert state.answer("distinct-gamma").tier == "proof kernel"
    assert (state.answer("ikos").status, state.answer("ikos").witness) == (Status.UNDECIDED, "a reason")
    state.adopt(state.Run("other", run.failed))
    assert state.answer("ikos").tier == "proof kernel (recorded)"
    with pytest.raises(ValueError, match="no-such-claim"):
        state.answer("no-such-claim")


def test_the_ledger_cannot_ask_for_a_run_without_coq(monkeypatch):
    monkeypatch.setattr(state, "installed", lambda: False)
    with pytest.raises(ValueError, match="not on this machine"):
        state.check_now()


def test_pins_say_what_they_assume():
    modules = read_order(HERE)
    for claim in claims().values():
        assert claim.constant.split(".")[0] in modules
        assert claim.statement
        assert not claim.statement.endswith(".")
    assert pinned("ratio-inequality").startswith("forall eps_prime : R, 0 < eps_prime")


def test_two_claims_of_one_name_are_refused(tmp_path):
    pins = (HERE / "pins.toml").read_text()
    (tmp_path / "pins.toml").write_text(pins + pins)
    with pytest.raises(ValueError, match="two claims"):
        read_claims(tmp_path)


def test_our_sources_use_only_the_allowed_commands():
    for module in read_order(HERE):
        assert source_faults(module, (HERE / f"{module}.v").read_text()) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Lemma a : 1 = 2.\nProof. Admitted.", "A.v, line 2: Admitted is not allowed"),
        ("Lemma a : 1 = 2.\nProof. admit. Qed.", "A.v, line 2: admit is not allowed"),
        ("Axiom a : 1 = 2.", "A.v, line 1: Axiom is not allowed"),
        ("Parameter a : 1 = 2.", "A.v, line 1: Parameter is not allowed"),
        ("Variable a : 1 = 2.", "A.v, line 1: Variable is not allowed outside of a section"),
        ("Section S.\nEnd S.\nHypothesis a : 1 = 2.", "A.v, line 3: Hypothesis is not allowed outside of a section"),
        ("Unset Guard Checking.", "A.v, line 1: Unset is not allowed"),
        ("#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.", "A.v, line 1: bypass_check is not allowed"),
        ("Set Universe Polymorphism.", "A.v, line 1: Set is not one of the allowed commands"),
        ('Notation "a <= b" := True.', "A.v, line 1: Notation is not allowed"),
        ('Infix "<=" := lt.', "A.v, line 1: Infix is not allowed"),
        ("Coercion f : A >-> B.", "A.v, line 1: Coercion is not allowed"),
        ("Lemma a : 1 = 1.\nProof.\n  Set Foo.\n  auto.\nQed.", "A.v, line 3: Set is not allowed inside a proof"),
        ("Context (a : 1 = 2).", "A.v, line 1: Context is not one of the allowed commands"),
    ],
)
def test_forbidden_commands(text, reason):
    assert reason in [fault.reason for fault in source_faults("A", text)]


def test_comments_and_strings_are_not_commands():
    assert uncommented('a (* Axiom (* nested *) "*)" *) b "Axiom" c').split() == ["a", "b", "c"]
    assert source_faults("A", "(* Axiom, Admitted. *)\nDefinition a := 1.") == []


def test_the_assumptions_are_read():
    assert assumptions("Closed under the global context\n") == set()
    assert assumptions("Axioms:\nClassical_Prop.classic\n  : forall P : Prop, P \\/ ~ P\nA.b : 1 = 2\n") == {
        "Classical_Prop.classic",
        "A.b",
    }
    assert assumptions("") - AXIOMS
    assert assumptions("Section Variables:\na : 1 = 2\n") - AXIOMS
    assert assumptions("Axioms:\nA.f is assumed to be guarded.\n") - AXIOMS


def test_the_summary_of_the_independent_checker_is_read():
    good = (
        "* Theory: Set is predicative\n  \n* Axioms:\n    Coq.Logic.Classical_Prop.classic\n  \n* Inductives: <none>\n"
    )
    assert summary_faults(good) == []
    assert summary_faults(good.replace("Coq.Logic.Classical_Prop", "Ours.Classical_Prop"))
    assert summary_faults(good.replace("<none>", "A.f"))
    assert summary_faults(good.replace("predicative", "impredicative"))
    assert summary_faults("")


def test_names_of_ours_are_found_in_what_coq_prints():
    printed = "fun x => @Law.bind A (PanshuffleKernel.Law.point x) Other.Law.scale Rplus Law.E'"
    assert names_in(printed, ["Law", "Parity"]) == {"Law.bind", "Law.point", "Law.E'"}


def hockey_stick(l, exp_eps, p):
    """The larger divergence of Bin(l, p) and 1 + Bin(l, p), by the definition."""
    masses = [Fraction(0), *(comb(l, i) * p**i * (1 - p) ** (l - i) for i in range(l + 1)), Fraction(0)]
    up, down = masses[:-1], masses[1:]
    one = sum(max(Fraction(0), a - exp_eps * b) for a, b in zip(up, down, strict=True))
    other = sum(max(Fraction(0), b - exp_eps * a) for a, b in zip(up, down, strict=True))
    return max(one, other)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [((0, 2, 1), "l"), ((201, 2, 1), "l"), ((5, Fraction(1, 2), 1), "exp_eps"), ((5, 2, -1), "delta")],
)
def test_a_replay_of_what_is_no_certificate_is_refused(parameters, named):
    with pytest.raises(ValueError, match=f"^{named} = "):
        bridge.certificate_source(*(value if i == 0 else Fraction(value) for i, value in enumerate(parameters)))


def test_a_replay_needs_coq(monkeypatch):
    monkeypatch.setattr(bridge, "installed", lambda: False)
    with pytest.raises(ValueError, match="not on this machine"):
        bridge.replay(1, Fraction(2), Fraction(1))


# With Coq


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The sources, compiled once."""
    build = tmp_path_factory.mktemp("compiled")
    assert compile_sources(HERE, build, lambda line: None) == []
    return build


@pytest.fixture
def sabotage(compiled, tmp_path):
    """A folder to change, and the function that examines it; what did not change is not compiled again."""
    folder = copied(tmp_path / "kernel")
    build = tmp_path / "build"
    shutil.copytree(compiled, build)

    def reasons(*only):
        states = examine_in(build, folder, independent=False, only=only).states
        return {name: found.reason for name, found in states.items() if found.state is State.FAILED}

    return folder, reasons


if installed():

    def test_the_source_tree_stays_clean(compiled):
        assert not [path for path in HERE.iterdir() if path.suffix in {".vo", ".vok", ".vos", ".glob", ".aux"}]

    def test_an_admitted_proof_fails(sabotage):
        folder, reasons = sabotage
        replaced(folder / "UniformityRefuted.v", "apply sqrt_pos. lra.\nQed.", "apply sqrt_pos. lra.\nAdmitted.")
        (reason,) = set(reasons(*Z_LOWER).values())
        assert reason.startswith("UniformityRefuted.v, line ")
        assert reason.endswith(": Admitted is not allowed")

    def test_an_admitted_proof_is_seen_by_coq_too(sabotage, monkeypatch):
        folder, reasons = sabotage
        monkeypatch.setattr(checker, "source_faults", lambda module, text: [])
        replaced(folder / "UniformityRefuted.v", "apply sqrt_pos. lra.\nQed.", "apply sqrt_pos. lra.\nAdmitted.")
        assert reasons(*Z_LOWER) == {
            "z-lower-constant-refuted": "UniformityRefuted.z_lower_29_false rests on "
            "UniformityRefuted.z_lower_29_false, which is not one of the four axioms"
        }

    def test_an_added_axiom_fails(sabotage, monkeypatch):
        folder, reasons = sabotage
        replaced(folder / "UniformityRefuted.v", "Definition after_step", "Axiom easy : False.\nDefinition after_step")
        replaced(folder / "UniformityRefuted.v", "apply sqrt_pos. lra.\nQed.", "apply sqrt_pos. destruct easy.\nQed.")
        (reason,) = set(reasons(*Z_LOWER).values())
        assert reason.endswith("Axiom is not allowed")
        monkeypatch.setattr(checker, "source_faults", lambda module, text: [])
        assert reasons(*Z_LOWER) == {
            "z-lower-constant-refuted": "UniformityRefuted.z_lower_29_false rests on UniformityRefuted.easy, "
            "which is not one of the four axioms"
        }

    def test_a_weakened_statement_fails(sabotage):
        folder, reasons = sabotage
        replaced(folder / "TightPair.v", "ln (2 * exp e - 1) < 2 * e.", "1 < 2 -> ln (2 * exp e - 1) < 2 * e.")
        replaced(
            folder / "TightPair.v",
            "intros e He. assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).\n  rewrite <- (ln_exp",
            "intros e He _. assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto)."
            "\n  rewrite <- (ln_exp",
        )
        failed = reasons(*TIGHT)
        assert failed.keys() == {"pair-tight-below-composition"}
        assert "Coq does not accept TightPair.tight_lt_2e at the pinned statement" in failed.popitem()[1]

    def test_a_changed_definition_fails(sabotage):
        folder, reasons = sabotage
        replaced(folder / "BinarySum.v", "(fun b => point [x; b])", "(fun b => point ([x; b] ++ []))")
        changed = "the definition BinarySum.R_zsum is not as recorded"
        assert reasons("robust-binary-sum", *MOMENTS) == {"robust-binary-sum": changed}

    def test_a_notation_cannot_change_a_pin(sabotage, monkeypatch):
        folder, reasons = sabotage
        monkeypatch.setattr(checker, "source_faults", lambda module, text: [])
        with (folder / "TightPair.v").open("a", encoding="utf-8") as file:
            file.write("Theorem trivial : forall e : R, 0 < e -> True.\nProof. auto. Qed.\n")
            file.write('Notation "a < b" := True (at level 70, only parsing) : R_scope.\n')
        replaced(folder / "pins.toml", '"TightPair.tight_lt_2e"', '"TightPair.trivial"')
        assert reasons(*TIGHT).keys() == {"pair-tight-below-composition"}

    def test_a_certificate_is_replayed_exactly_where_it_is_true(compiled):
        l, exp_eps, p = 200, Fraction(3), Fraction(1, 3)
        delta = hockey_stick(l, exp_eps, p)
        assert bridge.replay(l, exp_eps, delta, p, compiled).status is Status.PROVED
        below = bridge.replay(l, exp_eps, delta * Fraction(10**9 - 1, 10**9), p, compiled)
        assert (below.status, below.witness) == (
            Status.UNDECIDED,
            'Coq says Error: Unable to unify "true" with "false".',
        )

    def test_coq_and_python_have_the_same_law_of_shares(compiled):
        assert bridge.compare_share_law(3, 5, compiled).status is Status.PROVED

    def test_another_law_of_shares_is_noticed(compiled, monkeypatch):
        monkeypatch.setattr(bridge, "share_row", lambda bits, m: [1] + [0] * (m * len(bits)))
        assert bridge.compare_share_law(1, 2, compiled).status is Status.UNDECIDED

    if FULL:  # two minutes, which `make kernel` takes every time

        def test_the_independent_checker_agrees(compiled):
            states = examine_in(compiled, HERE).states
            assert {found.state for found in states.values()} == {State.CHECKED}
