"""Any locally private randomizer behind a shuffler: the clones by their definition, and what they have to cover."""

import json
import random
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import arb
from panshuffle.exact.check import verdict
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.randomizers.shuffled_view import clones_curve, local_view
from panshuffle.exact.real import Real, ball_of, log, real

from panshuffle.main import main
from tests.brute_force.histograms import clones_by_definition, worst_by_force
from tests.conftest import FULL
from tests.every import every


@every("adaptive", [True, False])
@every("users", [1, 2, 3, 7, 20])
@every("p", [Fraction(11, 10), Fraction(3), Fraction(50)])
def test_the_clones_are_their_definition(p, users, adaptive):
    for share in (Fraction(0), Fraction(1, 9), Fraction(1, 2), Fraction(9, 10)):
        factor = 1 + share * (p - 1)
        truth = ball_of(clones_by_definition(p, users, factor, adaptive), 300)
        found = clones_curve(log(real(p)), users, adaptive).ball(Real(factor), 64)
        assert truth.lower() <= found <= truth * (1 + arb("0.001")) + arb("1e-60")
    assert clones_curve(log(real(p)), users, adaptive).delta(real(p)).exact == 0


def test_many_clones_in_high_precision():
    """300 (quick: 100) users at e^eps0 = e: the definition in mpmath."""
    users = 300 if FULL else 100
    with mpmath.workdps(40):
        truth = arb(mpmath.nstr(clones_by_definition(mpmath.e, users, mpmath.exp(mpmath.mpf(1) / 5)), 30))
    found = clones_curve(real(1), users).ball(real("exp(1/5)"), 64)
    assert truth <= found <= truth * (1 + arb("0.001"))


def test_every_private_randomizer_is_between(sweep_factor):
    """Random randomizers with e^eps0 = 3, by brute force over all neighbours: none is above the clones."""
    source, p = random.Random(31), 3
    for _ in range(40 * sweep_factor):
        inputs, messages, users = source.randint(2, 3), source.randint(2, 4), source.randint(1, 4)
        columns = [[source.choice([1, 1, 2, p]) for _ in range(inputs)] for _ in range(messages)]
        rows = [[Fraction(column[x]) for column in columns] for x in range(inputs)]
        most = max(map(sum, rows))
        rows = [[*row, most - sum(row) + most] for row in rows]
        rows = [[value / sum(row) for value in row] for row in rows]
        if any(max(column) > p * min(column) for column in zip(*rows, strict=True)):
            continue
        for factor in (Fraction(1), Fraction(5, 4), Fraction(2)):
            weak, strong = (clones_curve(log(real(p)), users, way).ball(Real(factor), 64) for way in (True, False))
            assert ball_of(worst_by_force(rows, users, factor), 300).lower() <= strong <= weak * (1 + arb("0.001"))


def test_binary_response_is_the_floor():
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    for users in (1, 2, 5, 9):
        for factor in (Fraction(1), Fraction(3, 2), Fraction(2)):
            truth = worst_by_force(rows, users, factor)
            low, high = (
                Fraction(end) for end in local_view(log(real(3)), users).curve.delta(Real(factor)).enclosure(9)
            )
            assert low <= truth <= high
            assert low >= truth * Fraction(999, 1000)


def ends(eps0, users, delta="1e-6"):
    return [Fraction(end) for end in local_view(real(eps0), users).curve.epsilon(real(delta)).enclosure(7)]


@pytest.mark.long
def test_what_is_monotone():
    skip = 1 if FULL else 2
    rows = [[ends(1, users) for users in (1, 3, 30, 1000, 10**5, 10**7)[::skip]]]
    rows.append([ends(eps0, 5000) for eps0 in (8, 4, 2, 1, "1/10")[::skip]])
    rows.append([ends(2, 5000, delta) for delta in ("1e-12", "1e-6", "1e-3")])
    for row in rows:
        for (low, high), (later_low, later_high) in pairwise(row):
            assert later_low <= low <= high
            assert later_low <= later_high <= high


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert stop.value.code == 0
    return capsys.readouterr().out


def test_the_commands(capsys):
    line = ["privacy", "local", "--eps0", "1", "--n", "2000", "--gamma", "1/2", "--at-delta", "1e-6", "--json"]
    found = json.loads(run(capsys, *line))
    assert found["kind"] == "two-sided"
    assert sum(found["background"].values()) == 999
    assert Fraction(found["lower"]) < Fraction(found["upper"]) < 1
    whole = json.loads(run(capsys, "privacy", "local", "--eps0", "1", "--n", "1000", "--at-delta", "1e-6", "--json"))
    assert (whole["lower"], whole["upper"]) == (found["lower"], found["upper"])
    rows = run(capsys, "curve", "local", "--eps0", "1", "--n", "9", "--points", "3", "--to", "1").splitlines()
    assert rows[3].split(",")[1:3] == ["0", "0"]
    target = ["--at-eps", "1/4", "--at-delta", "1e-6", "--json"]
    least = json.loads(run(capsys, "calibrate", "local", "--eps0", "1", *target))
    n = int(least["exact"])
    assert least["quantity"] == "n"
    assert least["kind"] == "upper bound"
    meets = [clones_curve(real(1), users).delta(real("exp(1/4)")).decide(real("1e-6")) for users in (n - 1, n)]
    assert meets == [1, -1]
    largest = json.loads(run(capsys, "calibrate", "local", "--n", str(n), *target))
    assert largest["quantity"] == "eps0"
    assert Fraction(largest["lower"]) >= 1


def test_chosen_beforehand_fewer_users_are_enough(capsys, tmp_path):
    """The stronger clones: the same lower end, a lower upper one, a certificate, and fewer users."""
    point = ["--eps0", "1", "--n", "500", "--at-eps", "1/4", "--json"]
    both = [json.loads(run(capsys, "privacy", name, *point)) for name in ("local", "local-nonadaptive")]
    assert both[0]["lower"] == both[1]["lower"]
    assert Fraction(both[1]["upper"]) < Fraction(both[0]["upper"]) / 5
    target = ["--eps0", "1", "--at-eps", "1/4", "--at-delta", "1e-6", "--json"]
    sizes = [json.loads(run(capsys, "calibrate", name, *target))["exact"] for name in ("local", "local-nonadaptive")]
    assert int(sizes[1]) < int(sizes[0])
    path = tmp_path / "c.json"
    run(capsys, "privacy", "local-nonadaptive", *point, "--certificate", str(path))
    text = path.read_bytes()
    assert verdict(text)[0]
    assert not verdict(text.replace(b"local-nonadaptive", b"local"))[0]  # what is true of one is not of the other


BAD = [
    (["--eps0", "0", "--n", "3"], "eps0 = 0 is not allowed: eps0 must be above 0 and at most 64"),
    (["--eps0", "inf", "--n", "3"], "'inf' is not a number"),
    (["--eps0", "65", "--n", "3"], "at most 64"),
    (["--eps0", "1", "--n", "0"], "n = 0 is not allowed"),
    (["--eps0", "1", "--n", "2000000000"], "at most 1000000000 users"),
    (["--eps0", "1"], "local needs --n"),
    (["--n", "3"], "local needs --eps0"),
    (["--eps0", "1", "--n", "3", "--k", "3"], "--k has no meaning for local"),
    (["--eps0", "1", "--n", "3", "--file", "x"], "--file has no meaning for local"),
    (["--eps0", "1", "--n", "3", "--gamma", "1/2"], "gamma*n is a whole number"),
]


@every(("arguments", "sentence"), BAD)
def test_what_is_wrong_is_said(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as stop:
        main(["privacy", "local", *arguments, "--at-eps", "1/2"])
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_what_has_nothing_to_calibrate(capsys):
    for line, sentence in (
        (["randomizer", "--n", "3"], "its numbers are in the file"),
        (["local", "--n", "3", "--eps0", "1"], "to look for the least n, or --n"),
        (["local", "--eps0", "1", "--gamma", "1/2"], "--gamma needs --n"),
        (["local", "--eps0", "1", "--pool"], "--pool has no meaning for local"),
    ):
        with pytest.raises(SystemExit):
            main(["calibrate", *line, "--at-eps", "1/2", "--at-delta", "1e-6"])
        assert sentence in capsys.readouterr().err


def test_a_curve_that_is_no_bound_has_its_pure_eps():
    curve = local_view(real(2), 10).curve
    assert isinstance(curve, Curve)
    assert curve.epsilon(real(0)).exact == 2
    with pytest.raises(ParameterError):
        clones_curve(real(-1), 5)


CERTIFIED = [
    ("1", "1000", "1/2", 10),
    ("2", "100000", "1/20", 10),
    ("1/10", "50", "1/50", 20),
    ("log(3)", "9", "log(2)", 30),
    ("8", "100", "3", 5),
]


@pytest.mark.parametrize(("eps0", "n", "eps", "digits"), CERTIFIED)
def test_certificates_are_as_sharp_as_their_last_digit(capsys, tmp_path, eps0, n, eps, digits):
    """Accepted as written; refused with one unit less (more, for the lower end), and with any other letter."""
    path = tmp_path / "c.json"
    line = ["privacy", "local", "--eps0", eps0, "--n", n, "--at-eps", eps, "--digits", str(digits)]
    found = json.loads(run(capsys, *line, "--certificate", str(path), "--json"))
    upper, lower = json.loads(path.read_text())["claims"]
    assert run(capsys, "check", str(path)).count("accepted") == 2
    assert Fraction(upper["delta"]) <= Fraction(found["upper"]) <= Fraction(upper["delta"]) * Fraction(1002, 1000)
    assert Fraction(found["lower"]) <= Fraction(lower["delta"]) <= Fraction(found["lower"]) * Fraction(1001, 1000)
    for claim, sign in ((upper, -1), (lower, 1)):
        by = unit(claim["delta"], digits)
        for change in (
            {"delta": str(Fraction(claim["delta"]) + sign * by)},
            {"parameters": claim["parameters"] | {"n": str(int(n) + sign)}},
            {"parameters": claim["parameters"] | {"eps0": f"({eps0}) * {1 - sign * Fraction(1, 10**4)}"}},
            {"parameters": claim["parameters"] | {"gamma": f"{int(n) - 1}/{n}"}} if sign < 0 else {"view": "pair"},
        ):
            text = json.dumps({"format": "panshuffle certificate", "version": 1, "claims": [claim | change]})
            accepted, (reason,) = verdict(text.encode())
            assert not accepted, (change, reason)


def unit(text, digits):
    """One in the last of so many digits of a decimal, more than that for one that was shorter."""
    value, size = Fraction(text), 0
    while value * 10**size < 10 ** (digits - 1):
        size += 1
    return Fraction(1, 10**size)


def test_what_no_certificate_says(capsys, tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(
            ["privacy", "local", "--eps0", "1", "--n", "3", "--at-eps", "2", "--certificate", str(tmp_path / "c.json")]
        )
    assert stop.value.code == 0
    assert run(capsys, "check", str(tmp_path / "c.json")).endswith("for local (eps0 = 1, n = 3); all neighbours\n")


@pytest.mark.parametrize("line", ["--eps0 1 --n 9 --at-eps 1/4", "--eps0 log(3) --n 30 --gamma 1/2 --at-exp-eps 5/4"])
def test_the_attack_is_the_floor(capsys, tmp_path, line):
    """The event's masses by a sum over all messages, and runs that agree with them."""
    path = tmp_path / "c.json"
    words = ["attack", "local", *line.split(), "--runs", "300", "--seed", "4", "--certificate", str(path), "--json"]
    found = json.loads(run(capsys, *words))
    assert found["consistent"] is True
    assert run(capsys, "check", str(path)).startswith("accepted: delta >= ")
    p = float(real(f"exp({line.split()[1]})").ball(64).mid())
    first, second = found["background"]
    for law, held in (("P", (first + 1, second)), ("Q", (first, second + 1))):
        masses = [1.0]
        for right in (p / (p + 1),) * held[0] + (1 / (p + 1),) * held[1]:
            masses = [a * (1 - right) + b * right for a, b in zip([*masses, 0.0], [0.0, *masses], strict=True)]
        truth = sum(masses[found["event"]["data"]["at_least"] :])
        assert float(found[law]["lower"]) == pytest.approx(truth, rel=1e-9)
    assert found["advantage"]["lower"] == found["delta"]["lower"]


def test_what_an_attack_does_not_take(capsys):
    for words, sentence in (
        (["--pool"], "--pool has no meaning for local"),
        (["--holders", "1,1"], "--holders has no meaning for local"),
        (["--k", "3"], "--k has no meaning for local"),
        (["--runs", "10000000"], "so at most"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["attack", "local", "--eps0", "1", "--n", "30", "--at-eps", "1/9", *words])
        out, err = capsys.readouterr()
        assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
        assert sentence in err
