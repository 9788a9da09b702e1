"""The proof kernel with Coq: every way of cheating is noticed by Coq, and by the checker of its compiled files."""

import json
import os
import shutil
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from math import comb
from pathlib import Path

import pytest
from panshuffle.exact.check import claim_of
from panshuffle.exact.laws.pool_law import Ones, Shares
from panshuffle.exact.real import real
from panshuffle.proofs.kernel import checker, coq, replay
from panshuffle.proofs.kernel.certificates import FORMS, Coins, Target, stated, theorem_of
from panshuffle.proofs.kernel.checker import State, examine_in
from panshuffle.proofs.kernel.coq import (
    KEPT,
    checker_faults,
    compile_sources,
    coqc,
    foreign_axioms,
    installed,
    path_faults,
)
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.kernel.sources import read_order
from panshuffle.proofs.verdict import KERNEL
from panshuffle.symbolic.decision import Status

from tests.conftest import FULL, copied_kernel

CERTIFICATES = Path(__file__).parents[2] / "examples" / "certificates"
REPLAYED = tuple(sorted(path.stem for path in CERTIFICATES.glob("*.json")))
Z_LOWER = ("z-lower-constant-refuted", "z-lower-step-refuted")
TIGHT = ("pair-tight-below-composition", "pair-tight-attained")
LEAVES = ("geometric-worst-neighbour", "two-bit-sum-worst-neighbour")
"""Theorems of files that no other one requires, so that little is compiled again where one of them is changed."""
MOMENTS = ("binomial-moments", "binomial-square-variance")


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def less(delta: str) -> str:
    """A decimal, one unit less in its last digit."""
    digits, mark, exponent = delta.partition("e")
    return f"{Decimal(digits) - Decimal((0, (1,), Decimal(digits).as_tuple().exponent))}{mark}{exponent}"


def theorems(name: str, change: Callable[[str], str] = str) -> list[replay.Theorem]:
    """The theorems of a fixed certificate's upper bounds, each delta changed."""
    entries = json.loads((CERTIFICATES / f"{name}.json").read_text(encoding="utf-8"))["claims"]
    upper = [entry | {"delta": change(entry["delta"])} for entry in entries if entry["kind"] == "upper"]
    return [theorem_of(claim_of(entry), entry, name) for entry in upper]


def binomial_replayed(l, exp_eps, delta, p, build, folder=HERE):
    """Whether Coq proves that f(x) + Bin(l, p) is (ln exp_eps, delta)-private for every 1-sensitive f."""
    theorem = stated(FORMS["binomial", "whole"], Coins(l, p), Target(delta, None, exp_eps), "noise of coins")
    return replay.proved([theorem], build, folder)[0]


def share_row(bits, m):
    """The masses of 0, 1, ..., Nm ones in the pool, times 2^((m-1)N), by the laws of the Python code."""
    shares = [Ones(0, ((Shares(real(1 - 2 * bit), m), 1),)) for bit in bits]
    masses = reduce(Ones.plus, shares).exact()
    scaled = [mass * 2 ** ((m - 1) * len(bits)) for mass in masses]
    assert all(mass.denominator == 1 for mass in scaled)
    return [int(mass) for mass in scaled]


def compared_share_laws(users, messages, build, row=share_row):
    """What Coq, and coqchk in the full sweep, say of the laws of all inputs of so few users and messages."""
    text = "From Coq Require Import ZArith List.\nFrom PanshuffleKernel Require Import ShareLaw.\n"
    text += "Import ListNotations.\nOpen Scope Z_scope.\n"
    cases = [
        (bits, m) for n in range(1, users + 1) for bits in product((0, 1), repeat=n) for m in range(1, messages + 1)
    ]
    for number, (bits, m) in enumerate(cases):
        held, masses = "; ".join("true" if bit else "false" for bit in bits), "; ".join(map(str, row(bits, m)))
        text += f"Theorem case_{number} : trimmed (pool_row {m} [{held}]) = trimmed [{masses}].\n"
        text += "Proof. vm_compute. reflexivity. Qed.\n"
    (build / "Compare.v").write_text(text, encoding="utf-8")
    status, errors = coqc("Compare.v", build)
    return [errors] if status else checker_faults(["Compare"], build) if FULL else []  # half a minute, for no axiom


def hockey_stick(l, exp_eps, p):
    """The larger divergence of Bin(l, p) and 1 + Bin(l, p), by the definition."""
    masses = [Fraction(0), *(comb(l, i) * p**i * (1 - p) ** (l - i) for i in range(l + 1)), Fraction(0)]
    up, down = masses[:-1], masses[1:]
    one = sum(max(Fraction(0), a - exp_eps * b) for a, b in zip(up, down, strict=True))
    other = sum(max(Fraction(0), b - exp_eps * a) for a, b in zip(up, down, strict=True))
    return max(one, other)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The sources, compiled once; what `make kernel` has compiled already is taken over."""
    build = tmp_path_factory.mktemp("compiled")
    if KEPT in os.environ:
        shutil.copytree(os.environ[KEPT], build, dirs_exist_ok=True)
    assert compile_sources(HERE, build, lambda line: None) == []
    return build


@pytest.fixture
def sabotage(compiled, tmp_path, monkeypatch):
    """A folder to change, and the function that examines it as if the root of trust had been forged, too.

    What did not change is not compiled again.
    """
    monkeypatch.setattr(checker, "root_faults", lambda folder: [])
    folder = copied_kernel(tmp_path / "kernel")
    build = tmp_path / "build"
    shutil.copytree(compiled, build)

    def reasons(*only):
        states = examine_in(build, folder, independent=False, only=only).states
        return {name: found.reason for name, found in states.items() if found.state is State.FAILED}

    return folder, reasons


LONG = pytest.mark.skipif(not FULL, reason="half a minute of Coq, in make test-full")

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
            "PanshuffleKernel.UniformityRefuted.z_lower_29_false, which is not one of the four axioms"
        }

    @LONG
    def test_an_added_axiom_fails(sabotage, monkeypatch):
        folder, reasons = sabotage
        replaced(folder / "UniformityRefuted.v", "Definition after_step", "Axiom easy : False.\nDefinition after_step")
        replaced(folder / "UniformityRefuted.v", "apply sqrt_pos. lra.\nQed.", "apply sqrt_pos. destruct easy.\nQed.")
        (reason,) = set(reasons(*Z_LOWER).values())
        assert reason.endswith("Axiom is not allowed")
        monkeypatch.setattr(checker, "source_faults", lambda module, text: [])
        assert reasons(*Z_LOWER) == {
            "z-lower-constant-refuted": "UniformityRefuted.z_lower_29_false rests on "
            "PanshuffleKernel.UniformityRefuted.easy, which is not one of the four axioms"
        }

    def test_a_weakened_statement_fails(sabotage):
        folder, reasons = sabotage
        path = folder / "NeighboursGeometric.v"
        replaced(path, "0 <= eps -> 0 <= delta -> (2 <= n)%nat", "1 < 2 -> 0 <= eps -> 0 <= delta -> (2 <= n)%nat")
        replaced(path, "intros n eps delta He Hd Hn Hk.", "intros n eps delta _ He Hd Hn Hk.")
        failed = reasons(*LEAVES)
        assert failed.keys() == {LEAVES[0]}
        refused = "Coq does not accept NeighboursGeometric.geometric_worst_neighbour at the pinned statement"
        assert refused in failed.popitem()[1]

    def test_a_changed_definition_fails(sabotage):
        folder, reasons = sabotage
        replaced(
            folder / "NeighboursGeometric.v", ": law Z := shifted (D x).", ": law Z := (fun y => shifted (D y)) x."
        )
        changed = "the definition NeighboursGeometric.geometric_distinct is not as recorded"
        assert reasons(*LEAVES) == {LEAVES[0]: changed}

    @LONG
    def test_a_notation_cannot_change_a_pin(sabotage, monkeypatch):
        folder, reasons = sabotage
        monkeypatch.setattr(checker, "source_faults", lambda module, text: [])
        with (folder / "EpsPrimeWide.v").open("a", encoding="utf-8") as file:
            file.write("Theorem trivial : forall e g : R, 0 < e <= 1.45 -> 0 < g <= 1 -> True.\nProof. auto. Qed.\n")
            file.write('Notation "a <= b" := True (at level 70, only parsing) : R_scope.\n')
        replaced(folder / "pins.toml", '"EpsPrimeWide.eps_prime_factor_wide"', '"EpsPrimeWide.trivial"')
        assert reasons("eps-prime-factor", *TIGHT).keys() == {"eps-prime-factor"}

    def test_without_a_forged_root_the_same_fails_at_once(tmp_path):
        folder = copied_kernel(tmp_path / "kernel")
        for name in ("TightPair.v", "pins.toml"):
            replaced(folder / name, "ln (2 * exp e - 1) < 2 * e", "1 < 2 -> ln (2 * exp e - 1) < 2 * e")
        (reason,) = {found.reason for found in examine_in(tmp_path, folder).states.values()}
        assert reason.startswith("proofs/kernel/TightPair.v is not as proofs/root.sha256 has it")

    @LONG
    def test_an_axiom_in_a_file_of_ours_with_a_name_of_the_library_fails(sabotage, monkeypatch):
        folder, reasons = sabotage
        monkeypatch.setattr(checker, "source_faults", lambda module, text: [])
        (folder / "Classical_Prop.v").write_text("Axiom classic : False.\n", encoding="utf-8")
        replaced(folder / "_CoqProject", "Closeness.v\n", "Closeness.v\nClassical_Prop.v\n")
        path = folder / "NeighboursGeometric.v"
        head, lemma, rest = path.read_text(encoding="utf-8").partition("Theorem geometric_worst_neighbour")
        said, _, after = rest.partition("Proof.")
        shown = "pose proof s_range. destruct PanshuffleKernel.Classical_Prop.classic."
        forged = f"{lemma}{said}Proof. {shown} Qed.{after.partition('Qed.')[2]}"
        path.write_text(f"From PanshuffleKernel Require Classical_Prop.\n{head}{forged}", encoding="utf-8")
        (reason,) = set(reasons(LEAVES[0]).values())
        assert reason == "Classical_Prop.v has the name of a file of Coq's library"
        monkeypatch.setattr(checker, "namesakes", lambda modules, build: [])
        (reason,) = set(reasons(LEAVES[0]).values())
        assert reason.endswith("rests on PanshuffleKernel.Classical_Prop.classic, which is not one of the four axioms")

    def test_a_file_that_is_required_has_to_be_listed_before(sabotage):
        folder, reasons = sabotage
        replaced(folder / "Moments.v", "Require Import Law", "Require Import Unlisted Law")
        assert set(reasons(*MOMENTS).values()) == {"Moments.v requires Unlisted, which is not listed before it"}

    # What is compiled

    def test_only_what_changed_is_compiled_again(compiled, tmp_path):
        folder, build, lines = copied_kernel(tmp_path / "kernel"), tmp_path / "build", []
        shutil.copytree(compiled, build)
        assert compile_sources(folder, build, lines.append) == []
        assert lines == []
        with (folder / "OddMessages.v").open("a", encoding="utf-8") as file:
            file.write("(* more *)\n")
        (folder / "Hash.v").touch()
        assert compile_sources(folder, build, lines.append) == []
        assert lines == [f"coqc: 1 of {len(read_order(HERE))} files", "coqc 1/1 OddMessages.v"]

    def test_a_planted_compiled_file_is_not_used(compiled, tmp_path):
        build, lines = tmp_path / "build", []
        shutil.copytree(compiled, build)
        shutil.copy(build / "Law.vo", build / "Robustness.vo")
        shutil.copy(build / "Law.vo", build / "Planted.vo")
        assert compile_sources(HERE, build, lines.append) == []
        assert lines == [f"coqc: 1 of {len(read_order(HERE))} files", "coqc 1/1 Robustness.v"]
        assert not (build / "Planted.vo").exists()

    def test_a_failing_file_is_named(compiled, tmp_path):
        folder, build = copied_kernel(tmp_path / "kernel"), tmp_path / "build"
        shutil.copytree(compiled, build)
        with (folder / "Robustness.v").open("a", encoding="utf-8") as file:
            file.write("Lemma no : 1 = 2.\nProof. reflexivity. Qed.\n")
        (fault,) = compile_sources(folder, build, lambda line: None)
        assert fault.startswith("Robustness.v, line ")
        assert not (build / "Robustness.vo").exists()

    # The environment

    def test_nothing_of_the_environment_reaches_coq(tmp_path, monkeypatch):
        evil, home = tmp_path / "evil", tmp_path / "home"
        for folder in (evil, home / ".local" / "share" / "coq", evil / "coq"):
            folder.mkdir(parents=True)
            (folder / "Planted.v").write_text("Definition a := 1.\n", encoding="utf-8")
            assert coqc("Planted.v", folder)[0] == 0
        (home / ".coqrc").write_text("Fail.", encoding="utf-8")
        for name in ("COQPATH", "OCAMLPATH", "XDG_DATA_DIRS", "XDG_DATA_HOME", "COQLIB", "COQCORELIB"):
            monkeypatch.setenv(name, str(evil))
        monkeypatch.setenv("HOME", str(home))
        build = tmp_path / "build"
        build.mkdir()
        assert path_faults(build) == []
        (build / "Use.v").write_text("Require Import Planted.\n", encoding="utf-8")
        assert coqc("Use.v", build)[0] != 0

    def test_a_path_to_other_libraries_would_be_noticed(tmp_path, monkeypatch):
        (tmp_path / "evil").mkdir()
        (tmp_path / "build").mkdir()
        bare = coq.environment
        monkeypatch.setattr(coq, "environment", lambda build: bare(build) | {"COQPATH": str(tmp_path / "evil")})
        (fault,) = path_faults(tmp_path / "build")
        assert fault == f"Coq looks for libraries in {tmp_path / 'evil'}, too"

    def test_a_program_of_the_project_is_not_run(tmp_path, monkeypatch):
        monkeypatch.setattr(coq, "PROJECT_FOLDER", tmp_path)
        for name in ("coqc", "coqchk"):
            (tmp_path / name).write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
            (tmp_path / name).chmod(0o755)
        real = coq.program("coqc")
        monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), ".", "", os.environ["PATH"]]))
        monkeypatch.chdir(tmp_path)
        assert coq.program("coqc") == real
        monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), "."]))
        assert not installed()

    # Axioms, by full name and by file

    def test_an_axiom_is_known_by_its_full_name(tmp_path):
        (tmp_path / "Classical_Prop.v").write_text("Axiom classic : False.\n", encoding="utf-8")
        assert coqc("Classical_Prop.v", tmp_path)[0] == 0
        ours = "From PanshuffleKernel Require Classical_Prop.\n"
        theirs = "From Coq Require Classical_Prop.\n"
        name = {"Classical_Prop.classic"}
        assert foreign_axioms(name, theirs, tmp_path) == []
        assert foreign_axioms(name, theirs + ours, tmp_path) == ["PanshuffleKernel.Classical_Prop.classic"]
        assert foreign_axioms({"a line: that is no name"}, theirs, tmp_path) == ["a line: that is no name"]

    def test_coqchk_sees_an_axiom_and_a_switched_off_check(tmp_path):
        (tmp_path / "A.v").write_text("Axiom a : False.\n", encoding="utf-8")
        (tmp_path / "B.v").write_text("Unset Guard Checking.\nFixpoint f (n : nat) : False := f n.\n", encoding="utf-8")
        for name in ("A", "B"):
            assert coqc(f"{name}.v", tmp_path)[0] == 0
        assert checker_faults(["A"], tmp_path) == ["coqchk lists PanshuffleKernel.A.a under Axioms"]
        assert "unsafe (co)fixpoints" in checker_faults(["B"], tmp_path)[0]

    # Replays

    def test_a_sabotaged_certificate_is_not_replayed(compiled, tmp_path, monkeypatch):
        folder, build = copied_kernel(tmp_path / "kernel"), tmp_path / "build"
        shutil.copytree(compiled, build)
        path = folder / "BinomialCertificate.v"
        trivial = "Definition private_on {X} (n : nat) (eps delta : R) (a : X) : Prop := True.\n"
        path.write_text(
            "From Coq Require Import Reals ZArith List.\nFrom PanshuffleKernel Require Import BinomialMechanism.\n"
            f"Open Scope R_scope.\n{trivial}"
            "Definition hides_one (l : nat) (p eps delta : R) := True.\n"
            "Definition accepts (one : Z) (m rest : nat) (u v a b c d : Z) := true.\n"
            "Theorem certificate_sound : forall one m rest u v a b c d eps, accepts one m rest u v a b c d = true ->\n"
            "  IZR a / IZR b <= exp eps -> hides_one (m + rest) (IZR u / IZR (u + v)) eps (IZR c / IZR d).\n"
            "Proof. intros. exact I. Qed.\n"
            "Theorem hides_one_iff : forall l p eps delta, hides_one l p eps delta <->\n"
            "  (forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->\n"
            "   private_on n eps delta (binomial_mechanism l p f)).\n"
            "Proof. intros. split; intros; exact I. Qed.\n",
            encoding="utf-8",
        )
        asked = (2, Fraction(2), Fraction(0), Fraction(1, 2), build, folder)
        with pytest.raises(ValueError, match=r"BinomialCertificate\.v is not as proofs/root\.sha256"):
            binomial_replayed(*asked)
        monkeypatch.setattr(checker, "root_faults", lambda folder: [])
        assert binomial_replayed(*asked).witness == "the definition BinomialCertificate.private_on is not as recorded"

    @LONG
    def test_a_certificate_is_replayed_exactly_where_it_is_true(compiled, monkeypatch):
        monkeypatch.setattr(replay, "checker_faults", lambda modules, build: [])  # it sees the fixed files below
        l, exp_eps, p = 60, Fraction(3), Fraction(1, 3)
        delta = hockey_stick(l, exp_eps, p)  # nothing is rounded here, so that the number itself is accepted
        assert binomial_replayed(l, exp_eps, delta, p, compiled).status is Status.PROVED
        below = binomial_replayed(l, exp_eps, delta * Fraction(10**9 - 1, 10**9), p, compiled)
        assert below.status is Status.UNDECIDED
        assert below.witness.startswith('Coq says Error: The term "eq_refl" has type "true = true"')

    def test_the_fixed_certificates_are_theorems_that_coqchk_accepts(compiled, monkeypatch):
        if not FULL:  # what they need was checked by `make kernel` just before, and the rest takes minutes
            first = partial(checker_faults, alone=True)
            monkeypatch.setattr(replay, "checker_faults", lambda modules, build: first(modules[-1:], build))
        wanted = [theorem for name in REPLAYED for theorem in theorems(name)]
        answers = replay.proved(wanted, compiled)
        assert [(answer.status, answer.tier) for answer in answers] == [(Status.PROVED, KERNEL)] * len(wanted)
        assert len(wanted) > len(REPLAYED) == 7

    def test_one_unit_less_in_the_last_digit_is_refused(compiled):
        answers = replay.proved([theorem for name in REPLAYED for theorem in theorems(name, less)], compiled)
        assert {answer.status for answer in answers} == {Status.UNDECIDED}
        false = 'Coq says Error: The term "eq_refl" has type "true = true" while it is expected to have type "accepts'
        assert [answer.witness[: len(false)] for answer in answers] == [false] * len(answers)  # and for no other reason

    def test_a_theorem_about_nothing_is_refused(compiled):
        true = replay.Theorem("Theorem replayed : True.\nProof. exact I. Qed.\n", ("ExpBound",))
        (answer,) = replay.proved([true], compiled)
        assert (answer.status, answer.witness) == (Status.UNDECIDED, "it says nothing about a protocol")

    def test_coq_and_python_have_the_same_law_of_shares(compiled):
        assert share_row((1, 1), 2) == [0, 0, 4, 0, 0]
        assert compared_share_laws(3, 5, compiled) == []

    def test_another_law_of_shares_is_noticed(compiled):
        (said,) = compared_share_laws(1, 2, compiled, lambda bits, m: [1] + [0] * (m * len(bits)))
        assert "Error" in said

    if FULL:  # two minutes, which `make kernel` takes every time

        def test_the_independent_checker_agrees(compiled):
            states = examine_in(compiled, HERE).states
            assert {found.state for found in states.values()} == {State.CHECKED}
