"""`panshuffle calibrate`: what it finds, bounds only, or refuses."""

import json
from fractions import Fraction

import pytest

from panshuffle.main import main
from tests.faces.privacy_answers import outcome


@pytest.mark.parametrize(
    "arguments", ["pan-sum --gamma 1/2", "binomial --k 5", "binomial --pool", "pan-histogram --pool --pair"]
)
def test_calibrate_refuses_what_has_no_meaning(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(["calibrate", *arguments.split(), "--at-eps", "1", "--at-delta", "1e-3"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out, captured.err.count("\n")) == (2, "", 1)


def test_calibrate_takes_n_where_it_does_not_matter(capsys):
    for arguments in ("uniformity --n 10", "pan-sum --n 10"):
        with pytest.raises(SystemExit) as end:
            main(["calibrate", *arguments.split(), "--at-eps", "1", "--at-delta", "1e-3", "--json"])
        assert end.value.code == 0
        answer = json.loads(capsys.readouterr().out)
        assert Fraction(answer["meets"]["upper"]) <= Fraction(1, 1000) < Fraction(answer["fails"]["lower"])


def test_calibrate_says_where_it_only_bounds(capsys):
    for arguments in ("pan-uniformity --n 9",):
        main_arguments = ["calibrate", *arguments.split(), "--at-exp-eps", "2", "--at-delta", "1e-2", "--digits", "3"]
        with pytest.raises(SystemExit) as end:
            main([*main_arguments, "--json"])
        assert end.value.code == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["kind"] == "upper bound"
        assert "may meet" in answer["note"]


@pytest.mark.parametrize(
    "arguments",
    [
        "geometric-distinct-elements --n 1 --at-delta 1/10",
        "hashed-distinct-elements --n 4 --k 1 --m 3 --at-delta 1/10",
        "uniformity --k 3 --at-delta 1 --real",
        "pan-distinct-elements --n 2 --m 3 --at-delta 1/20",
    ],
)
def test_calibrate_says_where_every_value_meets(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(["calibrate", *arguments.split(), "--at-exp-eps", "2"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert "every" in captured.err


@pytest.mark.long
def test_calibration_with_two_messages_and_many_users(capsys):
    """What a bound by the ideal sum does not decide is decided by the laws; every smaller m fails."""
    line = "calibrate distinct-elements --n 1000 --k 10 --eps 1 --at-eps 1.5 --at-delta 1e-9 --json"
    found = json.loads(outcome(capsys, line)[1])
    assert (found["exact"], found["kind"], found["fails"]["lower"][:4]) == ("2", "exact", "0.11")
    line = "calibrate distinct-elements --n 1100 --k 10 --m 2 --at-eps 1 --at-delta 1e-6 --digits 3 --json"
    found = json.loads(outcome(capsys, line)[1])
    assert Fraction("0.5") < Fraction(found["lower"]) <= Fraction(found["upper"]) < Fraction("0.65")


@pytest.mark.long
def test_a_calibration_that_is_not_decided_claims_no_least_value(capsys, monkeypatch):
    """Without the laws only the ideal sum is left: m = 2 is undecided, and the answer says so."""
    monkeypatch.setattr("panshuffle.exact.pairs.parity_pair.CROPPED_BITS", 0)
    monkeypatch.setattr("panshuffle.exact.pairs.parity_pair.ENUMERATED_USERS", 0)
    line = "calibrate distinct-elements --n 1000 --k 10 --eps 1 --at-eps 1.5 --at-delta 1e-9"
    found = json.loads(outcome(capsys, f"{line} --json")[1])
    assert found["kind"] == "upper bound"
    assert int(found["exact"]) > 2
    assert "need not be the least" in found["note"]
    assert "The least value" not in outcome(capsys, line)[1]
    status, _, complaint = outcome(
        capsys, "calibrate distinct-elements --n 201 --k 10 --m 2 --at-eps 1 --at-delta 1e-6"
    )
    assert status == 2
    assert "is certified to meet" in complaint
