"""`panshuffle check`: a certificate is replayed, and what the kernel has no theorem for is said in one sentence."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from panshuffle.exact.check import claim_of, in_words
from panshuffle.proofs.kernel import certificates, replay
from panshuffle.proofs.kernel.certificates import FORMS, PRECISIONS, Coins, theorem_of
from panshuffle.symbolic.decision import Decision, Status

from panshuffle.main import main
from tests.every import every

CERTIFICATES = Path(__file__).parents[2] / "examples" / "certificates"
DISTINCT = {"k": "3", "n": "4", "gamma": "1", "m": "3", "eps": "1"}
NAMES = sorted(path.stem for path in CERTIFICATES.glob("*.json"))


def asked(capsys, *line):
    with pytest.raises(SystemExit) as end:
        main(["check", *map(str, line)])
    return end.value.code, *capsys.readouterr()


def changed(tmp_path, name, **change):
    """A fixed certificate whose first claim is changed."""
    text = json.loads((CERTIFICATES / f"{name}.json").read_text(encoding="utf-8"))
    text["claims"] = [text["claims"][0] | change]
    path = tmp_path / "c.json"
    path.write_text(json.dumps(text), encoding="utf-8")
    return path


NO_THEOREM = {
    "local": "any local randomizer: the kernel has no reduction to the clones",
    "local-nonadaptive": "the same",
    "compressed-uniformity": "P_UT on the groups, which has one",
    "pan-uniformity": "a batch of P_UT",
    "hashed-distinct-elements": "P_DE on the hashed elements, which has one",
    "pan-distinct-elements": "a batch of P_DE",
    "geometric-distinct-elements": "a closed form",
    "randomized-or": "a coin",
    "two-bit-sum": "two pools of flipped bits, in every background",
    "poisson-binomial": "one such pool",
    "modular-sum": "no privacy: the ledger has that as a theorem",
}
"""What the checker replays and the kernel does not, and what it comes to."""


def test_there_is_one_of_every_protocol_with_certificates():
    from panshuffle.exact.check import PROTOCOLS

    assert set(NAMES) == PROTOCOLS.keys() - NO_THEOREM.keys()
    assert {protocol for protocol, _ in FORMS} == PROTOCOLS.keys() - NO_THEOREM.keys()


@pytest.mark.parametrize("name", NAMES)
def test_the_fixed_certificates_are_accepted(capsys, name):
    status, out, _ = asked(capsys, CERTIFICATES / f"{name}.json")
    assert status == 0
    assert out.startswith("accepted: delta <= ")
    assert f" for {name} (" in out
    status, out, _ = asked(capsys, CERTIFICATES / f"{name}.json", "--json")
    assert json.loads(out)["accepted"] is True


def test_a_false_one_is_rejected(capsys, tmp_path):
    status, out, _ = asked(capsys, changed(tmp_path, "pan-sum", delta="9.8e-7"))
    assert (status, out) == (1, "rejected: the stated probabilities do not give the claimed delta\n")


def test_what_the_kernel_does_not_replay_yet_is_said_in_one_sentence(capsys, tmp_path, monkeypatch):
    monkeypatch.delitem(certificates.FORMS, ("uniformity", "pair"))
    status, out, err = asked(capsys, "--kernel", changed(tmp_path, "uniformity", view="pair"))
    assert (status, out) == (2, "")
    assert err == "panshuffle: the certificate of uniformity, view of a pair, is not replayed in the kernel yet\n"


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("binomial", {"direction": "lose", "scope": "this pair"}, "and the certificate about one direction"),
        ("binomial", {"parameters": {"l": "2000", "p": "1/sqrt(2)"}}, "and p is not written as one"),
        ("binomial", {"parameters": {"l": "6000", "p": "1/2"}}, "at most 5000 coins, and there are 6000"),
        ("binomial", {"at": {"exp_eps": "exp(1/2)"}}, "and e^eps is not written as one"),
        ("uniformity", {"parameters": {"k": "4", "lam": "sqrt(5)", "gamma": "1"}}, "and lam is not written as one"),
        ("uniformity", {"parameters": {"k": "4", "lam": "9000", "gamma": "1"}}, "and of at most 1000"),
        ("uniformity", {"view": "pair", "parameters": {"k": "4", "lam": "900", "gamma": "1"}}, "and of at most 100"),
        ("distinct-elements", {"parameters": DISTINCT | {"k": "2"}}, "for three elements or more"),
        ("distinct-elements", {"parameters": DISTINCT | {"n": "40"}}, "40 users with 3 messages are too many"),
        ("distinct-elements", {"parameters": DISTINCT | {"eps": "sqrt(2)"}}, "and eps is not written as one"),
    ],
)
def test_what_is_outside_of_the_kernels_theorems_is_said(capsys, tmp_path, name, change, said):
    status, _, err = asked(capsys, "--kernel", changed(tmp_path, name, **change))
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


def test_nothing_of_the_file_reaches_coq_but_numbers():
    entry = json.loads((CERTIFICATES / "pan-histogram.json").read_text(encoding="utf-8"))["claims"][0]
    clean = theorem_of(claim_of(entry), entry, "words").source
    evil = '3 *) Notation "a / b" := (1%R). (* "'
    entry["parameters"]["k"] = evil
    claim = claim_of(entry)
    source = theorem_of(claim, entry, in_words(claim, entry)).source
    comment = re.search(r"\(\* (.*?) \*\)", source)[1]
    assert "Notation" in comment
    assert source.replace(comment, "words") == clean


@pytest.mark.parametrize("flags", [(), ("--kernel",)])
def test_what_is_no_certificate_is_refused(capsys, tmp_path, flags):
    path = tmp_path / "c.json"
    path.write_text("[]", encoding="utf-8")
    status, out, _ = asked(capsys, *flags, path)
    assert (status, out) == (1, "rejected: the file is not an object\n")
    status, _, err = asked(capsys, *flags, tmp_path / "none.json")
    assert status == 2
    assert "can't be read" in err


@pytest.mark.parametrize(("answer", "state", "code"), [("", "proved in Coq", 0), ("a reason", "refused", 1)])
def test_the_answer_of_coq_is_told(capsys, monkeypatch, answer, state, code):
    found = replay.refused(answer) if answer else Decision(Status.PROVED, "proof kernel")
    monkeypatch.setattr(replay, "proved", lambda theorems: [found for _ in theorems])
    status, out, _ = asked(capsys, "--kernel", CERTIFICATES / "pan-sum.json")
    first, second = out.splitlines()
    assert status == code
    assert first.startswith(f"{state}: delta <= 9.833613001e-7 at eps = 1 for pan-sum (lam = 80); all neighbours")
    assert first.endswith(" (a reason)") == bool(answer)
    assert second.startswith("not replayed: delta >= ")
    status, out, _ = asked(capsys, "--kernel", CERTIFICATES / "pan-sum.json", "--json")
    rows = json.loads(out)["claims"]
    assert [row["state"] for row in rows] == [state, "not replayed"]
    assert "Theorem replayed : forall n : nat, pan_private n (1 / 1)" in rows[0]["theorem"]


@every("name", sorted({protocol for protocol, _ in FORMS}))
def test_a_short_precision_is_found_for_what_is_true(name):
    for entry in json.loads((CERTIFICATES / f"{name}.json").read_text(encoding="utf-8"))["claims"]:
        if entry["kind"] == "upper":
            assert f"(2 ^ {PRECISIONS[-1][0]})" not in theorem_of(claim_of(entry), entry, name).source


def test_the_last_precision_rounds_nothing_where_that_is_short():
    last = [*Coins(4, Fraction(1, 3)).precisions()][-1]
    assert last == (4 * 1 * 2**3, "32", PRECISIONS[-1][1])
    row = certificates.rounded_row(32, 4, 1, Fraction(1, 3))
    assert row == [(16, 16), (32, 32), (24, 24), (8, 8), (1, 1)]
