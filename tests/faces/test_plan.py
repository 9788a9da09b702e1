"""`panshuffle plan`: every claim of a plan is checked by the commands that it prints."""

import json
import re
import shlex
from dataclasses import replace
from fractions import Fraction
from math import exp, isqrt, log, sqrt
from xml.etree import ElementTree

import pytest
from panshuffle.exact.real import real

from panshuffle.answers import privacy
from panshuffle.answers.plan import Target, task_of
from panshuffle.main import main
from panshuffle.question import Question
from panshuffle.tasks.sum import noise_bits
from tests.conftest import FULL
from tests.every import every

pytestmark = pytest.mark.xdist_group("plan")  # several tests ask for one plan
KNOWN: dict = {}


def output(capsys, line):
    """Status and answer of a command; of one that writes no file they are kept."""
    if line not in KNOWN:
        with pytest.raises(SystemExit) as end:
            main(shlex.split(line))
        captured = capsys.readouterr()
        assert captured.err == ""
        if "--figure" in line:
            return end.value.code, json.loads(captured.out)
        KNOWN[line] = end.value.code, captured.out
    code, text = KNOWN[line]
    return code, json.loads(text)


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
    "plan distinct-elements --n 200 --k 20 --at-eps 1 --at-delta 1e-6 --gamma 1/2": "distinct-elements",
    "plan distinct-elements --n 8 --k 100 --at-eps 1 --at-delta 1e-6 --alpha 30": "hashed-distinct-elements",
    "plan histogram --k 10000 --at-eps 1 --at-delta 1e-6": "pan-histogram",
    "plan histogram --k 100 --n 4000 --at-eps 1 --at-delta 1e-6 --beta 1/20": "shuffle-histogram",
    "plan uniformity --k 6 --alpha 1/4 --at-eps 2 --at-delta 1e-3": "uniformity",
    "plan sum --n 12 --at-eps 1 --at-delta 1e-3": "poisson-binomial",
    "plan frequency --n 8 --k 3 --at-eps 1 --at-delta 1e-2 --gamma 1/2": "k-ary",
}
if FULL:  # four minutes
    PLANS["plan uniformity --k 6 --alpha 1/4 --at-eps 2 --at-delta 1e-3 --n 600"] = "uniformity"
    PLANS["plan uniformity --k 24 --alpha 1/4 --at-eps 1 --at-delta 1e-6 --gamma 1/2"] = "compressed-uniformity"
    PLANS["plan frequency --n 40 --k 3 --at-eps 1 --at-delta 1e-3 --gamma 1/2"] = "k-ary"
    PLANS["plan distinct-elements --n 100000 --k 1000 --at-eps 1 --at-delta 1e-6 --gamma 1/2"] = "distinct-elements"
    PLANS["plan frequency --n 1000 --k 4 --at-eps 1 --at-delta 1e-6"] = "shuffle-histogram"
    PLANS["plan sum --n 1600 --at-eps 1 --at-delta 1e-4 --gamma 1/2 --beta 1/20"] = "poisson-binomial"
    PLANS["plan uniformity --k 100 --alpha 1/4 --at-eps 1 --at-delta 1e-6 --gamma 1/2"] = "compressed-uniformity"


@pytest.mark.parametrize("line", PLANS)
def test_the_claims_of_a_plan(capsys, line):
    status, found = output(capsys, f"{line} --json")
    assert (status, found["choice"]) == (0, PLANS[line])
    delta = float(found["target"]["at-delta"])
    for plan in found["plans"]:
        check(capsys, plan, delta)


@pytest.mark.long
def test_of_two_testers_the_one_with_fewer_users_is_chosen(capsys):
    """k = 2 has no groups; with n given both have n users, and the one with fewer pools is chosen."""
    _, alone = output(capsys, "plan uniformity --k 2 --alpha 1/4 --at-eps 2 --at-delta 1e-3 --json")
    assert [plan["protocol"] for plan in alone["plans"]] == ["uniformity"]
    for more in ("", " --n 600"):
        _, found = output(capsys, f"plan uniformity --k 6 --alpha 1/4 --at-eps 2 --at-delta 1e-3{more} --json")
        assert [plan["protocol"] for plan in found["plans"]] == ["uniformity", "compressed-uniformity"]
        cost = {}
        for plan in found["plans"]:
            letters = plan["parameters"]
            pools = int(letters.get("copies", 1)) * int(letters.get("k-hat", letters["k"]))
            cost[plan["protocol"]] = (plan["error"]["users"], pools)
        assert found["choice"] == min(cost, key=cost.get)


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


def test_what_cannot_meet_the_target_is_noted(capsys):
    _, found = output(capsys, "plan sum --n 12 --at-eps 1 --at-delta 1e-3 --json")
    assert "binary-sum" not in {plan["protocol"] for plan in found["plans"]}
    assert any(note.startswith("binary-sum is left out") for note in found["plans"][-1]["notes"])
    status, found = output(capsys, "plan sum --n 12 --at-eps 1 --at-delta 1e-3 --alpha 3 --json")
    assert (status, found["choice"]) == (0, "geometric-distinct-elements")


@pytest.mark.long
def test_variances_of_a_plan_are_those_of_its_letters(capsys):
    """By the formulas of the noise; the choice has the least one in the strongest model."""
    _, found = output(capsys, "plan sum --n 60 --at-eps 1 --at-delta 1e-3 --json")
    for plan in found["plans"]:
        letters = {name: float(text) for name, text in plan["parameters"].items()}
        p, m, lam = (letters.get(name, 0) for name in ("p", "m", "lam"))
        expected = {
            "binary-sum": 60 * p * (1 - p),
            "poisson-binomial": 60 * p * (1 - p) / (m * (1 - 2 * p) ** 2) if m else 0,
            "pan-sum": lam / 2,
            "geometric-distinct-elements": 2 * exp(-1) / (1 - exp(-1)) ** 2,
        }[plan["protocol"]]
        assert float(plan["error"]["variance"]) == pytest.approx(expected, rel=1e-5)
    shuffled = [plan for plan in found["plans"] if plan["model"] == "robust shuffle"]
    assert found["choice"] == min(shuffled, key=lambda plan: float(plan["error"]["variance"]))["protocol"]


@pytest.mark.long
def test_the_figure_over_n_as_a_table(capsys, tmp_path):
    target = tmp_path / "figure.csv"
    n, delta = (3000, "1e-6") if FULL else (300, "1e-3")
    line = f"plan frequency --n {n} --k 2 --at-eps 1 --at-delta {delta} --figure {target} --points 3"
    _, found = output(capsys, f"{line} --json")
    head, *lines = target.read_text(encoding="utf-8").splitlines()
    assert head == "n,lower,upper,clones,blanket"
    assert [dict(zip(head.split(","), row.split(","), strict=True)) for row in lines] == [
        {name: str(value) for name, value in row.items()} for row in found["figure"]["rows"]
    ]


@pytest.mark.parametrize(("task", "k"), [pytest.param("sum", 2, marks=pytest.mark.long), ("frequency", 3)])
def test_certified_ends_are_below_published_forms(task, k):
    """Each row of a figure over n against `privacy` of the randomizer with eps0 = 1."""
    target = Target(3000, k, "1", "1e-6", "1", None, real("1/10"))
    drawn = task_of(task).values(target)
    rows = [dict(zip(drawn.columns, row, strict=True)) for row in drawn.rows(3)]
    assert [row["n"] for row in rows] == [4, 110, 3000]
    for row in rows:
        letters = {"named": "k-ary", "k": str(k), "eps0": "1", "n": str(row["n"]), "at-delta": "1e-6", "digits": 6}
        exact = privacy.resolve(Question.of("privacy", "randomizer", letters))()
        assert float(row["lower"]) <= float(exact.upper) and float(exact.lower) <= float(row["upper"])
        assert all(float(row["upper"]) < float(peer) for peer in (row["clones"], row["blanket"]) if peer)
    assert rows[-1]["clones"] and not rows[0]["clones"]


FIGURES = [
    "plan distinct-elements --n 100 --k 16 --at-eps 1 --at-delta 1e-6",
    "plan histogram --k 1024 --at-eps 1 --at-delta 1e-6",
]


def table(path):
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    assert head == "k,lower,upper,paper,figure_1"
    return [dict(zip(head.split(","), line.split(","), strict=True)) for line in lines]


@pytest.mark.parametrize("line", FIGURES)
def test_the_figure_has_the_values_of_accuracy(capsys, tmp_path, line):
    """Every row against `accuracy` at its k, the paper's bound against its formula, the figure's against its cell."""
    target = tmp_path / "figure.csv"
    _, found = output(capsys, f"{line} --figure {target} --points 3 --json")
    rows = table(target)
    assert [{name: str(value) for name, value in row.items()} for row in found["figure"]["rows"]] == rows
    k = found["plans"][0]["parameters"]["k"]
    assert [int(row["k"]) for row in rows] == [4, isqrt(4 * int(k)), int(k)]
    accuracy = found["plans"][0]["verify"][1]
    for row in rows:
        _, exact = output(
            capsys, accuracy.removeprefix("panshuffle ").replace(f"--k {k}", f"--k {row['k']}") + " --json"
        )
        assert (exact["lower"], exact["upper"]) == (row["lower"], row["upper"])
        assert float(row["upper"]) < float(row["paper"])
        size = int(row["k"])
        bound = sqrt(size) if "distinct" in line else log(min(size, 10**6))
        assert float(row["figure_1"]) == pytest.approx(bound, rel=1e-5)
    assert found["figure"]["rows"][-1]["paper"] == found["plans"][0]["paper"]["alpha"]


@pytest.mark.long
def test_the_figure_of_the_tester(capsys, tmp_path):
    """m works and m - 1 does not, by `accuracy`; the lower bound of the figure with constant 1 at eps = 2."""
    target = tmp_path / "figure.csv"
    line = "plan uniformity --k 6 --alpha 1/4 --at-eps 2 --at-delta 1e-3"
    _, found = output(capsys, f"{line} --figure {target} --points 2 --json")
    lam = found["plans"][0]["parameters"]["lam"]
    for row in table(target):
        for m, fails in ((int(row["upper"]), False), (int(row["upper"]) - 1, True)):
            command = f"accuracy uniformity --k {row['k']} --m {m} --lam {lam}"
            first = float(output(capsys, f"{command} --uniform --json")[1]["upper"])
            second = 1 - float(output(capsys, f"{command} --paired 1/4 --json")[1]["lower"])
            assert (max(first, second) > 1 / 3) == fails
        size = int(row["k"])
        main_term = size ** (2 / 3) / (0.25 ** (4 / 3) * 2 ** (2 / 3)) + sqrt(size) / 0.25**2
        assert float(row["figure_1"]) == pytest.approx(main_term + 1 / (0.25 * 2), rel=1e-5)


def test_a_picture_over_n_is_drawn(capsys, tmp_path):
    line = "plan sum --n 12 --at-eps 1 --at-delta 1e-3 --points 2 --json --figure"
    output(capsys, f"{line} {tmp_path / 'a.svg'}")
    assert ElementTree.fromstring((tmp_path / "a.svg").read_bytes()).tag.endswith("svg")


def test_pictures_are_drawn_the_same_way_every_time(capsys, tmp_path):
    line = "plan histogram --k 100 --at-eps 1 --at-delta 1e-6 --points 4 --json --figure"
    for name in ("a.svg", "b.svg", "c.png"):
        output(capsys, f"{line} {tmp_path / name}")
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    root = ElementTree.fromstring(first)
    assert root.tag.endswith("svg")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svg", "b.svg", "c.png"]


REFUSED = {
    "figure = x.pdf": "plan histogram --k 100 --at-eps 1 --at-delta 1e-6 --figure x.pdf",
    "without --figure": "plan histogram --k 100 --at-eps 1 --at-delta 1e-6 --points 4",
    "points = 1": "plan histogram --k 100 --at-eps 1 --at-delta 1e-6 --figure x.csv --points 1",
    "points = 999": "plan histogram --k 100 --at-eps 1 --at-delta 1e-6 --figure x.csv --points 999",
    "k = 4": "plan histogram --k 4 --at-eps 1 --at-delta 1e-6 --figure x.csv",
    "can't be written": "plan histogram --k 9 --at-eps 1 --at-delta 1e-6 --figure /nowhere/x.svg",
    "figure of uniformity": "plan uniformity --n 9 --k 6 --alpha 1/4 --at-eps 1 --at-delta 1e-6 --figure x.csv",
    "not known": "plan nonsense --k 4 --at-eps 1 --at-delta 1e-6",
    "needs --k": "plan histogram --at-eps 1 --at-delta 1e-6",
    "needs --at-delta": "plan histogram --k 4 --at-eps 1",
    "at-eps = 0": "plan histogram --k 4 --at-eps 0 --at-delta 1e-6",
    "at-delta = 1": "plan histogram --k 4 --at-eps 1 --at-delta 1",
    "gamma = 2": "plan histogram --k 4 --at-eps 1 --at-delta 1e-6 --gamma 2",
    "beta = 0": "plan histogram --k 4 --at-eps 1 --at-delta 1e-6 --beta 0",
    "needs --n": "plan distinct-elements --k 4 --at-eps 1 --at-delta 1e-6",
    "this task needs --n": "plan sum --at-eps 1 --at-delta 1e-6",
    "task needs --n": "plan frequency --k 3 --at-eps 1 --at-delta 1e-6",
    "its data are bits": "plan sum --n 9 --k 3 --at-eps 1 --at-delta 1e-6",
    "frequency needs --k": "plan frequency --n 9 --at-eps 1 --at-delta 1e-6",
    "n = 3": "plan sum --n 3 --at-eps 1 --at-delta 1e-3 --figure x.csv",
    "whole number": "plan sum --n 9 --at-eps 1 --at-delta 1e-3 --gamma 1/2",
    "alpha = absent": "plan uniformity --k 4 --at-eps 1 --at-delta 1e-6",
    "alpha = 3/4": "plan uniformity --k 4 --alpha 3/4 --at-eps 1 --at-delta 1e-6",
    "k = 5": "plan uniformity --k 5 --alpha 1/4 --at-eps 1 --at-delta 1e-6",
    "--beta has no meaning": "plan uniformity --k 4 --alpha 1/4 --at-eps 1 --at-delta 1e-6 --beta 1/2",
    "gamma*n": "plan distinct-elements --n 5 --k 4 --at-eps 1 --at-delta 1e-6 --gamma 1/2",
}


@every("part", REFUSED)
def test_bad_input_gets_one_sentence(capsys, part):
    with pytest.raises(SystemExit) as end:
        main(shlex.split(REFUSED[part]))
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert part in captured.err
    assert captured.err.count("\n") == 1


def test_the_error_is_that_of_the_users_who_stay_and_all_must_meet_the_target():
    """The variance of noise bits is that of half of the users; a target between both errors is not met."""
    target = Target(200, 2, "1", "1e-2", "1/2", None, real("1/10"))
    plan = noise_bits(200, target)
    p = Fraction(plan.parameters["p"])
    assert plan.meets and plan.error["gamma"] == "1/2"
    assert float(plan.error["variance"]) == pytest.approx(float(100 * p * (1 - p)), rel=1e-5)
    (note,) = plan.notes
    left, everyone = Fraction(plan.error["upper"]), Fraction(re.search(r"at most (\S+) with", note)[1])
    assert left < everyone
    assert not noise_bits(200, replace(target, alpha=real((left + everyone) / 2))).meets
    assert noise_bits(200, replace(target, alpha=real(everyone))).meets


def test_a_protocol_that_is_left_out_gets_a_sentence(capsys):
    _, found = output(capsys, "plan distinct-elements --n 6 --k 4 --at-eps 2 --at-delta 1e-2 --json")
    notes = [note for plan in found["plans"] for note in plan["notes"]]
    assert any("hashed-distinct-elements is left out: hashing only hurts here, its 11 pools" in note for note in notes)
    assert found["plans"][0]["messages"].endswith(" bits")


@pytest.mark.parametrize("option", ["eps", "delta"])
def test_a_protocols_own_letter_is_answered_with_the_targets(capsys, option):
    with pytest.raises(SystemExit) as end:
        main(shlex.split(f"plan sum --n 12 --{option} 1/2"))
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith(f"say --at-{option} 1/2 for the target\n")
