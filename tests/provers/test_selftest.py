"""A prover that says *proved* of everything is noticed, whichever it is."""

import pytest
from panshuffle.proofs import steps
from panshuffle.proofs.kernel import checker
from panshuffle.proofs.kernel.pins import HERE, Claim, read_claims
from panshuffle.proofs.selftest import FALSE, faults
from panshuffle.proofs.statement import Step
from panshuffle.symbolic import algebra, ball, derivative, exhaustive, identity, moments, sequence, smt
from panshuffle.symbolic.decision import Decision, Status


def believes(*arguments, **options):
    return Decision(Status.PROVED, "belief")


def believed(*arguments, **options):
    return Step("", "belief", "", believes)


def recorded(folder=HERE):
    return {name: checker.ClaimState(claim, checker.State.RECORDED) for name, claim in read_claims(folder).items()}


GULLIBLE = [
    ("identity", identity, "check_identity", believes),
    ("identity", identity, "proved_by", lambda goal, units, own: ["forms", "sympy"]),
    ("algebra", algebra, "proves", lambda goal: True),
    ("ball", ball, "check_inequality", believes),
    ("smt", smt, "check_smt", believes),
    ("smt", smt, "ask", lambda text, limits: (smt.Reply("unsat", {}) for _ in limits)),
    ("exhaustive", exhaustive, "check_all", believes),
    ("moment", moments, "check_moment", believes),
    ("derivative", derivative, "check_derivative", believes),
    ("derivative", derivative, "check_identity", believes),
    ("induction", sequence, "check_induction", believes),
    ("sum", sequence, "check_sum", believes),
    ("scope", exhaustive, "check_scope", believes),
    ("no_constant", smt, "check_smt", believes),
    ("kernel", checker, "answer", believes),
    ("kernel record", checker, "recorded_states", recorded),
    *((name, steps, "family", lambda *arguments: (believed(),) * 3) for name in ("family", "family, beyond")),
    *(
        (name, steps, constructor, believed)
        for name, constructor in (
            ("identity", "identity"),
            ("ball", "inequality"),
            ("smt", "smt"),
            ("exhaustive", "exhaustive"),
            ("moment", "moment"),
            ("derivative", "derivative"),
            ("computed", "computed"),
            ("no_constant", "no_constant"),
        )
    ),
]


def test_every_prover_answers_its_false_claim_rightly():
    assert faults() == []


def test_no_entry_is_without_its_gullible_prover():
    assert {name for name, *_ in GULLIBLE} == FALSE.keys()


@pytest.mark.parametrize(("name", "module", "function", "gullible"), GULLIBLE)
def test_a_prover_that_believes_everything_is_noticed(monkeypatch, name, module, function, gullible):
    monkeypatch.setattr(module, function, gullible)
    assert any(fault.startswith(f"the self-test of {name} came back") for fault in faults())


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((0, ""), ["Coq accepts Law.truth at the statement 1 = 2"]),
        (
            (1, 'File "FalsePin.v", line 4, characters 0-9:\nError: no Law'),
            ["the false pin does not compile: Error: no Law"],
        ),
        ((1, 'File "FalsePin.v", line 5, characters 0-9:\nError: 1 = 2'), []),
    ],
)
def test_a_coq_that_believes_everything_is_noticed(monkeypatch, tmp_path, answer, reason):
    monkeypatch.setattr(checker, "coqc", lambda name, build: answer)
    claims = {"truth": Claim("truth", "Law.truth", "True", (), (), "")}
    found = checker.false_pin_faults(claims, ["Law"], tmp_path)
    assert found == reason
    assert "Definition false_pin : 1 = 2 := @Law.truth." in (tmp_path / "FalsePin.v").read_text()
