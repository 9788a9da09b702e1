"""`panshuffle plan`: every claim of a plan is checked by the commands that it prints."""

import json
import shlex

import pytest

from panshuffle.main import main


def output(capsys, line):
    with pytest.raises(SystemExit) as end:
        main(shlex.split(line))
    captured = capsys.readouterr()
    assert captured.err == ""
    return end.value.code, json.loads(captured.out)


def check(capsys, plan, delta):
    """Runs the plan's own commands and compares."""
    for line in plan["verify"]:
        name, command, *rest = shlex.split(line)
        assert name == "panshuffle"
        _, found = output(capsys, f"{line.removeprefix('panshuffle ')} --json")
        if command == "privacy":
            assert float(found["upper"]) <= delta
            assert found["scope"] == "all neighbours"
        elif found["quantity"] == "alpha":
            assert (found["lower"], found["upper"]) == (plan["error"]["lower"], plan["error"]["upper"])
        elif "--uniform" in rest:
            assert float(found["upper"]) <= 1 / 3
        else:
            assert float(found["lower"]) >= 2 / 3


PLANS = {
    "plan distinct-elements --n 100000 --k 1000 --at-eps 1 --at-delta 1e-6 --gamma 1/2": "distinct-elements",
    "plan uniformity --k 100 --alpha 1/4 --at-eps 1 --at-delta 1e-6 --gamma 1/2": "uniformity",
    "plan distinct-elements --n 600 --k 40 --at-eps 1 --at-delta 1e-6 --gamma 1/2": "distinct-elements",
    "plan distinct-elements --n 8 --k 100 --at-eps 1 --at-delta 1e-6 --alpha 30": "hashed-distinct-elements",
    "plan histogram --k 10000 --at-eps 1 --at-delta 1e-6": "pan-histogram",
    "plan histogram --k 100 --n 4000 --at-eps 1 --at-delta 1e-6 --beta 1/20": "shuffle-histogram",
    "plan uniformity --k 6 --alpha 1/4 --at-eps 2 --at-delta 1e-3": "uniformity",
    "plan uniformity --k 6 --alpha 1/4 --at-eps 2 --at-delta 1e-3 --n 600": "uniformity",
}


@pytest.mark.parametrize("line", PLANS)
def test_the_claims_of_a_plan(capsys, line):
    status, found = output(capsys, f"{line} --json")
    assert (status, found["choice"]) == (0, PLANS[line])
    delta = float(found["target"]["at-delta"])
    for plan in found["plans"]:
        check(capsys, plan, delta)


def test_a_target_that_nothing_meets(capsys):
    status, found = output(capsys, "plan histogram --k 100 --at-eps 1 --at-delta 1e-6 --alpha 2 --json")
    assert (status, found["choice"]) == (1, None)
    assert not any(plan["meets"] for plan in found["plans"])


def test_for_a_person(capsys):
    with pytest.raises(SystemExit):
        main(["plan", "histogram", "--k", "10000", "--at-eps", "1", "--at-delta", "1e-6"])
    text = capsys.readouterr().out
    assert text.startswith("choice: pan-histogram\n")
    assert "paper       lam = 5069, alpha = 10138" in text


REFUSED = {
    "not known": "plan nonsense --k 4 --at-eps 1 --at-delta 1e-6",
    "needs --k": "plan histogram --at-eps 1 --at-delta 1e-6",
    "needs --at-delta": "plan histogram --k 4 --at-eps 1",
    "at-eps = 0": "plan histogram --k 4 --at-eps 0 --at-delta 1e-6",
    "at-delta = 1": "plan histogram --k 4 --at-eps 1 --at-delta 1",
    "gamma = 2": "plan histogram --k 4 --at-eps 1 --at-delta 1e-6 --gamma 2",
    "beta = 0": "plan histogram --k 4 --at-eps 1 --at-delta 1e-6 --beta 0",
    "needs --n": "plan distinct-elements --k 4 --at-eps 1 --at-delta 1e-6",
    "alpha = absent": "plan uniformity --k 4 --at-eps 1 --at-delta 1e-6",
    "alpha = 3/4": "plan uniformity --k 4 --alpha 3/4 --at-eps 1 --at-delta 1e-6",
    "k = 5": "plan uniformity --k 5 --alpha 1/4 --at-eps 1 --at-delta 1e-6",
    "--beta has no meaning": "plan uniformity --k 4 --alpha 1/4 --at-eps 1 --at-delta 1e-6 --beta 1/2",
    "gamma*n": "plan distinct-elements --n 5 --k 4 --at-eps 1 --at-delta 1e-6 --gamma 1/2",
}


@pytest.mark.parametrize("part", REFUSED)
def test_bad_input_gets_one_sentence(capsys, part):
    with pytest.raises(SystemExit) as end:
        main(shlex.split(REFUSED[part]))
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert part in captured.err
    assert captured.err.count("\n") == 1
