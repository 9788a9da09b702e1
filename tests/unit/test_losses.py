"""Privacy losses on a lattice: never below the pair that they are made of, in mpmath, alone and multiplied."""

import json
from fractions import Fraction
from importlib.util import find_spec

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.curves.losses import Losses, json_of_losses, losses_of, losses_of_text
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import rational_law
from panshuffle.exact.real import Real

import panshuffle
from panshuffle.main import main

FACTORS = [Fraction(1, 3), Fraction(1), Fraction(101, 100), Fraction(3, 2), Fraction(4), Fraction(200)]
weights = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5)


def rows_of(pairs):
    totals = [sum(row[side] for row in pairs) for side in (0, 1)]
    return [(Fraction(p, totals[0]), Fraction(q, totals[1])) for p, q in pairs]


def laws(rows):
    return tuple(rational_law({i: row[side] for i, row in enumerate(rows) if row[side]}) for side in (0, 1))


def gain(rows, e):
    return sum((max(p - e * q, Fraction(0)) for p, q in rows), Fraction(0))


def lattice_gain(losses, e, masses=float):
    """The definition, summed in mpmath with the masses as doubles or as the decimals that are written."""
    with mpmath.workdps(60):
        step, factor = mpmath.mpf(losses.interval), mpmath.mpf(e.numerator) / e.denominator
        found = mpmath.mpf(masses(losses.infinite))
        for j, mass in losses.masses.items():
            found += mpmath.mpf(masses(mass)) * max(1 - factor * mpmath.exp(-j * step), 0)
        return found


@settings(max_examples=60, deadline=None)
@given(weights, st.sampled_from([1.0, 0.1, 0.003, 1e-4]))
def test_losses_are_never_below_their_pair(pairs, interval):
    if not all(any(row[side] for row in pairs) for side in (0, 1)):
        return
    rows = rows_of(pairs)
    losses = losses_of(*laws(rows), interval)
    for e in FACTORS:
        truth = gain(rows, e)
        for masses in (float, lambda mass: mpmath.mpf(repr(mass))):
            found = lattice_gain(losses, e, masses)
            assert found * truth.denominator >= truth.numerator
            assert found <= float(truth) + interval / 2 + 1e-12  # at a kink, a quarter of the interval
        if e >= 1:
            ball = losses.curve().ball(Real(e), 128)
            assert (
                ball.contains(min(float(lattice_gain(losses, e)), 1.0))
                or abs(float(ball.mid()) - min(float(lattice_gain(losses, e)), 1.0)) < 1e-14
            )


def test_products_of_losses_are_never_below_products_of_pairs():
    first, second = rows_of([(3, 1), (2, 2), (1, 3)]), rows_of([(5, 1), (1, 1), (0, 4), (1, 0)])
    whole = [(p * a, q * b) for p, q in first for a, b in second]
    left, right = (losses_of(*laws(rows), 0.01) for rows in (first, second))
    for e in FACTORS:
        with mpmath.workdps(60):
            step, factor = mpmath.mpf(0.01), mpmath.mpf(e.numerator) / e.denominator
            total = left.infinite + right.infinite - left.infinite * right.infinite
            for i, p in left.masses.items():
                for j, q in right.masses.items():
                    total += mpmath.mpf(p) * mpmath.mpf(q) * max(1 - factor * mpmath.exp(-(i + j) * step), 0)
            truth = gain(whole, e)
            assert truth.numerator <= total * truth.denominator
            assert float(total) <= float(truth) + 1e-3


def test_text_and_back():
    losses = losses_of(*laws(rows_of([(3, 1), (1, 3), (1, 0)])), 0.1)
    other = Losses(0.1, {0: 0.5, -3: 0.25}, 0.25)
    for reverse in (None, other):
        assert losses_of_text(json_of_losses(losses, reverse, {})) == (losses, reverse)


BAD = {
    "[]": "not an object",
    '{"format": "panshuffle-losses-1", "interval": 0, "losses": []}': "the interval between losses",
    '{"format": "panshuffle-losses-1", "interval": 0.1}': "'losses' is missing",
    '{"format": "panshuffle-losses-1", "interval": 0.1, "losses": [[1, 0.5], [1, 0.5]]}': "there twice",
    '{"format": "panshuffle-losses-1", "interval": 0.1, "losses": [[1.5, 0.5]]}': "not a whole number",
    '{"format": "panshuffle-losses-1", "interval": 0.1, "losses": [[1, -0.5]]}': "negative",
    '{"format": "panshuffle-losses-1", "interval": 0.1, "losses": []}': "no mass",
    '{"format": "panshuffle-losses-1", "interval": 0.1, "losses": [[1, 1]], "more": 1}': "unknown",
    '{"format": "panshuffle-losses-1", "interval": 0.1, "losses": [[1, 1]], "reverse": 1}': "'reverse'",
}


@pytest.mark.parametrize("text", BAD, ids=list(BAD.values()))
def test_what_is_wrong_in_a_file_is_said(text, tmp_path, capsys):
    path = tmp_path / "losses.json"
    path.write_text(text)
    with pytest.raises(SystemExit) as stop:
        main(["privacy", "pld", "--file", str(path), "--at-eps", "1"])
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert BAD[text] in err


def run(capsys, *words):
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    assert stop.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("local --eps0 1 --n 2000", marks=pytest.mark.long),
        "binomial --l 100 --p 1/3",
        pytest.param("distinct-elements --n 4 --eps 1 --m 3 --k 3", marks=pytest.mark.long),
    ],
)
def test_exported_losses_are_above_the_curve_everywhere(line, tmp_path, capsys):
    path = str(tmp_path / "losses.json")
    assert "privacy losses, multiples of 0.001, rounded up" in run(
        capsys, "export", *line.split(), "--pld", "1/1000", "-o", path
    )
    for to in ("0.05", "1", "3"):
        grid = ["--to", to, "--points", "7"]
        ours = run(capsys, "curve", *line.split(), *grid).splitlines()[1:]
        theirs = run(capsys, "curve", "pld", "--file", path, *grid).splitlines()[1:]
        for one, other in zip(ours, theirs, strict=True):
            delta = Fraction(one.split(",")[2])
            assert delta * Fraction(10**9 - 1, 10**9) <= Fraction(other.split(",")[2])
            assert Fraction(other.split(",")[2]) <= delta * Fraction(12, 10) + Fraction(1, 10**4)
    twice = panshuffle.compose(f"pld --file {path} --uses 2", at_eps=1)
    assert Fraction(twice.upper) >= Fraction(panshuffle.compose(f"{line} --uses 2", at_eps=1).upper) * Fraction(
        9999, 10**4
    )
    assert twice.kind == "upper bound"


def test_what_is_refused(capsys):
    for words, sentence in (
        (["export", "binomial", "--l", "3", "--pld", "0"], "the interval between losses, from 1e-9 to 10"),
        (["export", "binomial", "--l", "3", "--pld", "1e-3", "--digits", "3"], "--digits has no meaning for --pld"),
        (["export", "binomial", "--l", "3", "--pld", "1e-3", "--direction", "gain"], "--direction has no meaning"),
        (["export", "binomial", "--l", "300000", "--p", "1/3", "--pld", "1e-8"], "at most 2000000 places"),
        (["privacy", "pld", "--at-eps", "1"], "pld needs --file"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(words)
        out, err = capsys.readouterr()
        assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
        assert sentence in err


def test_printed_losses(capsys):
    rows = run(capsys, "export", "binomial", "--l", "2", "--pld", "1").splitlines()
    assert rows[0] == "loss,mass"
    assert rows[-1].startswith("inf,0.25")
    found = json.loads(run(capsys, "export", "binomial", "--l", "2", "--pld", "1", "--json"))
    assert (found["format"], found["interval"], found["about"]["kind"]) == ("panshuffle-losses-1", 1.0, "upper bound")


def test_dp_accounting_has_to_be_installed():
    if find_spec("dp_accounting") is None:
        with pytest.raises(InputError, match="dp-accounting is not installed"):
            panshuffle.to_dp_accounting("binomial --l 20", interval=0.1)
    with pytest.raises(InputError, match="which the accountant composes"):
        panshuffle.to_dp_accounting("binomial --l 20 --uses 2", interval=0.1)
