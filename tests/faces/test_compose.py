"""Compositions of different mechanisms: tuples in Fractions, adaptive choices, clones by enumeration, sweeps."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import comb

import pytest
from flint import arb, arb_poly, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.curves.composition import (
    MOST_GROUPS,
    Used,
    curve_points,
    dominating_pair,
    floor_laws,
    grouped,
    mixed_curve,
    mixed_delta,
    sampled_points,
)
from panshuffle.exact.curves.curve import worse
from panshuffle.exact.curves.law_pair import LawPair, exact_mass, pair_curve
from panshuffle.exact.curves.mean_gain import total_gain
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.law import rational_law
from panshuffle.exact.randomizers.shuffled_view import clones_curve, response_laws
from panshuffle.exact.real import Real, log, real

import panshuffle
from panshuffle.main import main
from tests.brute_force.histograms import clones
from tests.conftest import FULL
from tests.every import every

FACTORS = (Fraction(1), Fraction(6, 5), Fraction(2), Fraction(5), Fraction(40))
EVERY = (Fraction(0), Fraction(1, 9), Fraction(1, 2), Fraction(9, 10), *FACTORS)


def dominating(points, uses):
    """The pair of these points, with its number of uses."""
    return Used(*dominating_pair(points), uses)


def gain(rows, e):
    """delta of a list of (p, q)."""
    return sum((max(p - e * q, Fraction(0)) for p, q in rows), Fraction(0))


def merged(rows):
    """The rows with equal ratios added."""
    found = {}
    for p, q in rows:
        key = (p / q) if q else None
        above, below = found.get(key, (0, 0))
        found[key] = (above + p, below + q)
    return list(found.values())


def times(left, right):
    """All pairs of rows, multiplied."""
    return merged([(a * p, b * q) for (a, b), (p, q) in product(left, right)])


def power(rows, uses):
    found = [(Fraction(1), Fraction(1))]
    for _ in range(uses):
        found = times(found, rows)
    return found


def laws(rows):
    return tuple(rational_law({i: row[side] for i, row in enumerate(rows) if row[side]}) for side in (0, 1))


def rows_of(*weights):
    """Rows whose masses are in proportion to these."""
    totals = [sum(row[side] for row in weights) for side in (0, 1)]
    return [(Fraction(p, totals[0]), Fraction(q, totals[1])) for p, q in weights]


def table(rows):
    return LawPair(
        tuple(str(i) for i in range(len(rows))),
        tuple(exact_mass(p) for p, _ in rows),
        tuple(exact_mass(q) for _, q in rows),
    )


def both(rows):
    """The curve of a pair in the worse order."""
    pair = table(rows)
    return worse(pair_curve(pair), pair_curve(pair.swapped()))


def swapped(rows):
    return [(q, p) for p, q in rows]


COIN, DICE, GAP = (
    rows_of((3, 1), (1, 3)),
    rows_of((1, 2), (2, 2), (4, 1), (1, 3)),
    rows_of((1, 0), (5, 2), (1, 4), (0, 1)),
)


@pytest.mark.parametrize("uses", [(1, 1, 1), (2, 1, 0), (0, 2, 2), (3, 2, 1)])
def test_different_mechanisms_are_tuples_in_fractions(uses):
    kinds = [(rows, k) for rows, k in zip((COIN, DICE, GAP), uses, strict=True) if k]
    whole = [(Fraction(1), Fraction(1))]
    for rows, k in kinds:
        whole = times(whole, power(rows, k))
    parts = [Used(*laws(rows), k) for rows, k in kinds]
    curve = mixed_curve(parts)
    for e in FACTORS:
        truth = gain(whole, e)
        assert curve.delta(Real(e)).exact == truth
        ball = mixed_delta(parts, Real(e), Fraction(1, 10**9))
        with ctx.workprec(600):
            assert ball.contains(arb(fmpq(truth.numerator, truth.denominator)))
            assert ball.rad() <= 1e-9 * ball.upper()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=4), st.integers(1, 4))
def test_different_losses_on_the_lattice(weights, k):
    """Frequencies alone, whatever the number of types, against tuples."""
    rows, e = rows_of(*weights), Fraction(3, 2)
    truth = gain(times(power(rows, k), power(COIN, 2)), e)
    with ctx.workprec(200):
        share = arb(fmpq(3, 2)).log() / (k + 2)
        kinds = [
            ([ball(p) for p, _ in one], [(ball(p) / ball(q)).log() - share for p, q in one], uses)
            for one, uses in ((rows, k), (COIN, 2))
        ]
        assert total_gain(kinds, 1e-3).contains(ball(truth))


def ball(value):
    return arb(fmpq(value.numerator, value.denominator))


def at(rows, e):
    """delta at any e >= 0."""
    return gain(rows, e)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=5),
    st.lists(st.fractions(1, 50, max_denominator=40), min_size=1, max_size=6),
)
def test_chords_dominate_at_every_point_in_both_orders(weights, nodes):
    if not all(any(row[side] for row in weights) for side in (0, 1)):
        return
    rows = rows_of(*weights)
    upper, lower = dominating_pair(curve_points(both(rows), nodes))
    pair = [(upper.mass(x), lower.mass(x)) for x in {*upper.exact, *lower.exact}]
    for e in EVERY:
        assert at(pair, e) >= max(at(rows, e), at(swapped(rows), e))
        assert at(pair, e) == at(swapped(pair), e)


def test_the_kinks_of_a_symmetric_pair_give_the_pair_itself():
    for rows in (COIN, times(COIN, COIN), rows_of((1, 0), (4, 2), (2, 4), (0, 1))):
        ratios = [max(p / q, q / p) for p, q in rows if p and q]
        found = dominating(curve_points(both(rows), ratios), 3)
        for e in FACTORS:
            assert mixed_curve([found]).delta(Real(e)).exact == gain(power(rows, 3), e)


def test_mechanisms_that_are_chosen_after_outputs_are_covered():
    """The second mechanism is one of three, in one of both orders, the worst for each output of the first."""
    choices = [one for rows in (COIN, DICE, GAP) for one in (rows, swapped(rows))]
    curve = worse(*(both(rows) for rows in (COIN, DICE, GAP)))
    nodes = [max(p / q, q / p) for rows in (COIN, DICE, GAP) for p, q in rows if p and q]
    upper = mixed_curve([dominating(curve_points(curve, nodes), 1), dominating(curve_points(both(DICE)), 1)])
    for e in FACTORS:
        for first in (DICE, swapped(DICE)):
            worst = sum(max(sum(max(p * a - e * q * b, 0) for a, b in second) for second in choices) for p, q in first)
            assert upper.delta(Real(e)).exact is None or upper.delta(Real(e)).exact >= worst
            assert ball(worst) <= upper.delta(Real(e)).ball(128).upper()


@pytest.mark.parametrize("users", [3, 4, 5, 6] if FULL else [3, 4])
@pytest.mark.parametrize("uses", [2, 3])
def test_composed_clones_by_enumeration(users, uses):
    """All tuples of outcomes of the clones at e^eps0 = 3: never above the bound, and close below it."""
    upper, lower = clones(Fraction(3), users)
    truth = power(merged([(mass, lower[x]) for x, mass in upper.items()]), uses)
    found = mixed_curve([dominating(curve_points(clones_curve(log(real(3)), users)), uses)])
    for e in (Fraction(1), Fraction(3, 2), Fraction(3), Fraction(5)):
        exact, bound = gain(truth, e), Fraction(found.delta(Real(e)).enclosure(12)[1])
        assert exact <= bound <= exact * Fraction(101, 100)


def test_the_floor_of_local_is_binary_response():
    with ctx.workprec(200):
        p = real(1).ball(200).exp()
        for users in (1, 4, 30):
            others = arb_poly([p, 1]) ** (users - 1)
            views = [(others * own).coeffs() for own in (arb_poly([1, p]), arb_poly([p, 1]))]
            for law, masses in zip(response_laws(real(1), users), views, strict=True):
                found = law.enclose(160).listed
                assert len(found) == users + 1
                assert sum(found.values(), arb(0)).overlaps(arb(1))
                for mass, value in zip(found.values(), masses, strict=True):
                    assert mass.overlaps(value / (p + 1) ** users)


def test_merging_keeps_masses_and_lowers_delta():
    size = 3 * MOST_GROUPS
    rows = rows_of(*((comb(40, i % 40) + i, comb(40, (i + 3) % 40)) for i in range(size)), (5, 0))
    found = grouped(rows)
    assert MOST_GROUPS / 2 < len(found) <= MOST_GROUPS + 3
    assert sum(p for p, _ in found) == sum(q for _, q in found) == 1
    for e in FACTORS:
        assert gain(rows, e) * Fraction(9, 10) <= gain(found, e) <= gain(rows, e)


def test_sampled_mechanisms_are_covered(sweep_factor):
    """Random mechanisms with three inputs: all mixtures with what stands in for a row, twice, in either order."""
    source = random.Random(5)
    for _ in range(20 * sweep_factor):
        inputs = [[Fraction(source.randint(0, 6)) + Fraction(1, 9) for _ in range(3)] for _ in range(3)]
        inputs = [[mass / sum(law) for mass in law] for law in inputs]
        q = Fraction(source.randint(1, 9), 10)
        changes = [list(zip(p, o, strict=True)) for p, o in product(inputs, repeat=2) if p != o]
        curve = worse(*(both(rows) for rows in changes))
        points = sampled_points(curve_points(curve, [a / b for rows in changes for a, b in rows if a > b]), Real(q))
        bound = mixed_curve([dominating(points, 1)]), mixed_curve([dominating(points, 2)])
        for r, p, o in product(inputs, repeat=3):
            rows = [(q * a + (1 - q) * c, q * b + (1 - q) * c) for a, b, c in zip(p, o, r, strict=True)]
            for e in FACTORS:
                for uses in (1, 2):
                    value = bound[uses - 1].delta(Real(e)).enclosure(30)[1]
                    assert gain(power(rows, uses), e) <= Fraction(value)


def ends(*words):
    """The ends of an answer of the command line."""
    answer = panshuffle.compose(" ".join(words), at_delta="1e-6")
    return Fraction(answer.lower), Fraction(answer.upper)


SWEEPS = [
    [f"local --eps0 1 --n 2000 --uses {uses}" for uses in (1, 2, 30)],
    [f"local --eps0 1 --n {n} --uses 4" for n in (10**5, 10**4, 100)],
    [f"local --eps0 {eps0} --n 2000 --uses 4" for eps0 in ("1/4", "1", "2")],
    [f"local --eps0 1 --n 4000 --gamma {gamma} --uses 4" for gamma in ("1", "1/2")],
    [f"local --eps0 1 --n 2000 --uses 9 --sampled {q}" for q in ("1/100", "1/2", "1")],
    [f"binomial --l {l} --uses 3" for l in (300, 100)],
    [f"binomial --l {l} --uses 100" for l in (10**9, 10**8)],
]
SHORT_SWEEPS = [
    [f"local --eps0 1 --n {n} --uses 2" for n in (60, 30)],
    [f"local --eps0 1 --n 30 --uses {uses} --sampled 1/2" for uses in (1, 2)],
]
SWEEPS = SWEEPS if FULL else SHORT_SWEEPS  # each point reads hundreds of points of a curve


@pytest.mark.parametrize("lines", SWEEPS, ids=[lines[0] for lines in SWEEPS])
def test_what_is_monotone(lines):
    for (low, high), (later_low, later_high) in pairwise([ends(line) for line in lines]):
        assert low <= high
        assert low <= later_low * Fraction(1001, 1000)
        assert high <= later_high * Fraction(1001, 1000)


@pytest.mark.long
def test_delta_falls_along_the_curve(capsys):
    rows = run(capsys, "curve", "local", "--eps0", "1", "--n", "9", "--uses", "3", "--points", "5").splitlines()[1:]
    for one, other in pairwise([row.split(",") for row in rows]):
        assert Fraction(other[1]) <= Fraction(one[1]) <= Fraction(one[2])
        assert Fraction(other[2]) <= Fraction(one[2])


def run(capsys, *words):
    with pytest.raises(SystemExit) as stop:
        main(list(words))
    assert stop.value.code == 0
    return capsys.readouterr().out


def test_one_use_is_the_mechanism(capsys):
    for line in ("binomial --l 100", "pan-histogram --lam 20", "distinct-elements --n 4 --eps 1 --m 3 --k 3"):
        once = json.loads(run(capsys, "privacy", *line.split(), "--at-eps", "1/2", "--json"))
        same = json.loads(run(capsys, "compose", line, "--at-eps", "1/2", "--json"))
        assert (
            Fraction(same["lower"]) <= Fraction(once["upper"]) <= Fraction(same["upper"]) * Fraction(10**9 + 1, 10**9)
        )
        assert Fraction(same["upper"]) <= Fraction(once["upper"]) * Fraction(101, 100)


@pytest.mark.long
def test_fair_coins_many_times_have_two_narrow_ends(capsys):
    """8.01253e-7 is what `test_composition` has for 1000 coins, 256 times, at eps = 5."""
    found = json.loads(run(capsys, "privacy", "binomial", "--l", "1000", "--uses", "256", "--at-eps", "5", "--json"))
    low, high = float(found["lower"]), float(found["upper"])
    assert low <= high <= low * 1.0001
    assert high == pytest.approx(8.01253e-7, rel=1e-5)
    assert (found["kind"], found["scope"], found["parameters"]) == (
        "two-sided",
        "all neighbours",
        {"l": "1000", "uses": "256"},
    )


def test_the_command_and_python_agree(capsys, tmp_path):
    path = tmp_path / "pair.csv"
    path.write_text("outcome,upper,lower\nyes,3/4,1/4\nno,1/4,3/4\n")
    words = [f"pmf --file {path} --uses 2", "binomial --l 2"]
    found = json.loads(run(capsys, "compose", *words, "--at-exp-eps", "2", "--json"))
    truth = times(power(COIN, 2), rows_of((1, 0), (2, 1), (1, 2), (0, 1)))
    assert Fraction(found["exact"]) == gain(truth, Fraction(2))
    assert (found["scope"], found["kind"]) == ("this pair", "exact")
    coins = panshuffle.protocol("binomial", l=2)
    for parts in (words, [words[0], coins], [words[0], coins.privacy(at_eps=3)]):
        assert panshuffle.compose(*parts, at_exp_eps=2).exact == found["exact"]
    line = panshuffle.compose(*words, at_exp_eps=2).line
    assert line.startswith("panshuffle compose 'pmf --file ")
    assert "exact" in str(panshuffle.compose(*words, at_exp_eps=2))


def test_a_part_without_two_known_neighbours_is_an_upper_bound(capsys):
    alone = json.loads(run(capsys, "compose", "binomial --l 50", "--at-eps", "1/2", "--json"))
    more = "randomizer --named k-ary --k 3 --eps0 1 --n 6"
    found = json.loads(run(capsys, "compose", "binomial --l 50", more, "--at-eps", "1/2", "--json"))
    assert found["kind"] == "upper bound"
    assert Fraction(found["lower"]) == Fraction(alone["lower"])
    assert Fraction(found["upper"]) > Fraction(alone["upper"])


BAD = [
    (["compose", "binomial --l 3"], "one point is needed"),
    (["compose", "binomial --l", "--at-eps", "1"], "an option has no value"),
    (["compose", "binomial --l '3", "--at-eps", "1"], "a quotation no end"),
    (["compose", "binomial --l 3 --at-eps 1", "--at-eps", "1"], "--at-eps belongs to the whole composition"),
    (["compose", "binomial --l 3 --direction gain", "--at-eps", "1"], "--direction has no meaning in a composition"),
    (["compose", "distinct-elements --n 3 --eps 1 --m 3 --holders 0,1", "--at-eps", "1"], "covers all backgrounds"),
    (["compose", "nothing --l 3", "--at-eps", "1"], "protocol = nothing is not known"),
    (["compose", "binomial --l 3 --uses 0", "--at-eps", "1"], "uses = 0 is not allowed"),
    (["compose", "binomial --l 3 --uses 1000001", "--at-eps", "1"], "a whole number from 1 to 1000000"),
    (["compose", "binomial --l 3 --sampled 2", "--at-eps", "1"], "sampled = 2 is not allowed"),
    (["compose", "binomial --l 3 --sampled log(2)", "--at-eps", "1"], "a rational number, above 0 and at most 1"),
    (["compose", "binomial --l 3 --foo 2", "--at-eps", "1"], "privacy has no option foo"),
    (["compose", "pmf", "--at-eps", "1"], "pmf needs --file"),
    (["compose", *["binomial --l 3"] * 21, "--at-eps", "1"], "21 parts are given, and at most 20"),
    (["privacy", "binomial", "--l", "9", "--uses", "2", "--at-eps", "1", "--certificate", "c.json"], "no certificate"),
]


@every(("words", "sentence"), BAD)
def test_what_is_wrong_is_said_in_one_sentence(capsys, words, sentence):
    with pytest.raises(SystemExit) as stop:
        main(words)
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_what_python_refuses():
    with pytest.raises(InputError, match="a question about privacy"):
        panshuffle.compose(panshuffle.protocol("binomial", l=9).accuracy(beta="1/10"), at_eps=1)
    with pytest.raises(InputError):
        dominating_pair([])
    with pytest.raises(ParameterError):
        sampled_points([], real(0))


def test_long_tables_are_exact_only_where_they_are_short():
    assert floor_laws(table(COIN))[0].exact is not None
    counts = Counter({i: Fraction(1, 3000) for i in range(3000)})
    rows = [(mass, mass) for mass in counts.values()]
    assert len(floor_laws(table(rows))[0].exact) <= MOST_GROUPS
