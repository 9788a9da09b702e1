"""Any randomizer behind a shuffler: against brute force over messages, closed forms, and the paper's own protocols."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.integer_law import law_of_masses
from panshuffle.exact.randomizers.enumeration import Shuffled, cells, cost
from panshuffle.exact.randomizers.randomizer import Randomizer, randomizer_of_text
from panshuffle.exact.randomizers.shuffled_view import (
    CUT,
    MASS_BITS,
    Case,
    LowerBound,
    blanket_cases,
    bounded_view,
    fewer_users,
    shuffled_view,
    upper_ball,
)
from panshuffle.exact.real import Real, ball_of, real

from panshuffle.main import main
from tests.every import every

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "randomizers").glob("*.json"))
EXAMPLE_NAMES = ["balcer_cheu_zsum", "cheu_et_al", "k_ary", "randomized_response"]
FACTORS = [Fraction(1), Fraction(5, 4), Fraction(2), Fraction(7, 2)]


def randomizer(laws):
    """The randomizer of a table input -> {tuple of messages: probability}."""
    rows = {x: [[str(p), [str(y) for y in sent]] for sent, p in law.items()] for x, law in laws.items()}
    return randomizer_of_text(json.dumps({"inputs": rows}))


def histogram(laws, data):
    """The law of the multiset of all messages, by brute force over what each user may send."""
    found = Counter()
    for sent in product(*(laws[x].items() for x in data)):
        mass = Fraction(1)
        for _, p in sent:
            mass *= p
        found[tuple(sorted(message for messages, _ in sent for message in messages))] += mass
    return found


def gain(upper, lower, factor):
    return sum(max(mass - factor * lower[x], Fraction(0)) for x, mass in upper.items())


def brute_delta(laws, users, factor):
    """The largest hockey-stick divergence over all ordered neighbours and backgrounds."""
    best = Fraction(0)
    for others in combinations_with_replacement(laws, users - 1):
        views = {x: histogram(laws, (*others, x)) for x in laws}
        best = max(best, *(gain(views[x], views[y], factor) for x, y in permutations(laws, 2)))
    return best


@st.composite
def tables(draw, multi=False, inputs=3, messages=3):
    """Small random randomizers, some of whose probabilities are 0."""
    letters = [(y,) for y in range(messages)]
    if multi:
        letters = [(), (0,), (0, 1), (1, 1), (2,)][: draw(st.integers(2, 5))]
    table = {}
    for x in range(draw(st.integers(2, inputs))):
        weights = draw(st.lists(st.integers(0, 6), min_size=len(letters), max_size=len(letters)).filter(any))
        table[f"x{x}"] = {y: Fraction(w, sum(weights)) for y, w in zip(letters, weights, strict=True) if w}
    return table


@pytest.mark.parametrize("multi", [False, True])
def test_enumeration_is_brute_force(multi, sweep_factor):
    @settings(max_examples=30 * sweep_factor, deadline=None, derandomize=True)
    @given(tables(multi=multi), st.integers(1, 3), st.sampled_from(FACTORS))
    def check(table, users, factor):
        view = shuffled_view(randomizer(table), users)
        assert view.is_exact
        assert view.view.curve.delta(Real(factor)).exact == brute_delta(table, users, factor)

    check()


def test_the_worst_pair_is_one(sweep_factor):
    @settings(max_examples=20 * sweep_factor, deadline=None, derandomize=True)
    @given(tables(), st.integers(1, 3), st.sampled_from(FACTORS))
    def check(table, users, factor):
        view = shuffled_view(randomizer(table), users)
        worst, names = view.worst_at(Real(factor)), view.randomizer.inputs
        if worst is None:
            assert len({frozenset(law.items()) for law in table.values()}) == 1
            return
        others = [names[i] for i, count in enumerate(worst.background) for _ in range(count)]
        upper, lower = (histogram(table, (*others, names[i])) for i in (worst.upper, worst.lower))
        assert gain(upper, lower, factor) == brute_delta(table, users, factor)

    check()


@pytest.mark.parametrize("multi", [False, True])
def test_bounds_hold_on_both_sides(multi, sweep_factor):
    @settings(max_examples=25 * sweep_factor, deadline=None, derandomize=True)
    @given(tables(multi=multi), st.integers(1, 5), st.sampled_from(FACTORS))
    def check(table, users, factor):
        merged = randomizer(table).merged()
        if len(merged.inputs) < 2:
            return
        exact = Shuffled(merged, users).exact(factor)
        above = upper_ball(merged, users)(Real(factor), 64)
        value, worst = LowerBound(merged, users).best(Real(factor))
        assert value <= exact
        assert sum(worst.background) == users - 1
        assert above >= real(exact).ball(300).lower()

    check()


def test_the_blanket_is_its_formula():
    """E[(W_1 + ... + W_N)_+]/N by brute force over sequences of letters; the lattice only rounds it up a little."""
    table = {"a": {(0,): Fraction(1, 2), (1,): Fraction(1, 4), (2,): Fraction(1, 4)}}
    table |= {"b": {(0,): Fraction(1, 8), (1,): Fraction(3, 8), (2,): Fraction(1, 2)}}
    least = {y: min(table["a"][y], table["b"][y]) for y in table["a"]}
    users, factor = 4, Fraction(6, 5)
    steps = [((table["a"][y] - factor * table["b"][y]) / w, w) for y, w in least.items()]
    steps.append((Fraction(0), 1 - sum(least.values())))
    mean = Fraction(0)
    for sequence in product(steps, repeat=users):
        mass = Fraction(1)
        for _, p in sequence:
            mass *= p
        mean += mass * max(sum((w for w, _ in sequence), Fraction(0)), Fraction(0)) / users
    case = Case.of(((real(table["a"][y]), real(table["b"][y]), real(w)) for y, w in least.items()), complete=False)
    bound = case.delta(users, ball_of(factor, 200))
    assert bound.contains(ball_of(mean, 400).mid()) or bound.overlaps(ball_of(mean, 400))
    assert bound.rel_accuracy_bits() > 100
    assert case in blanket_cases(randomizer(table))


def test_clones_dominate_by_brute_force():
    """Two users of ternary response: the view with the clones revealed is computed letter by letter."""
    p, q = Fraction(1, 2), Fraction(1, 4)
    table = {x: {(y,): p if x == y else q for y in range(3)} for x in range(3)}
    exact = brute_delta({str(x): law for x, law in table.items()}, 2, Fraction(3, 2))
    (case,) = blanket_cases(randomizer(table))
    bound = case.delta(2, ball_of(Fraction(3, 2), 200))
    one = {y: table[0][y] - Fraction(3, 2) * table[1][y] for y in table[0]}
    alone = sum(max(value, Fraction(0)) for value in one.values())
    pairs = Counter()
    for y, z in product(range(3), repeat=2):
        pairs[tuple(sorted((y, z)))] += one[(y,)] / 3
    clones = sum(max(value, Fraction(0)) for value in pairs.values())
    revealed = Fraction(1, 4) * alone + Fraction(3, 4) * clones
    assert exact <= revealed
    assert bound.overlaps(ball_of(revealed, 400))
    assert bound.rel_accuracy_bits() > 100


def test_powers_of_a_lattice_law():
    step = {-1: Fraction(1, 5), 0: Fraction(1, 2), 3: Fraction(3, 10)}
    law = {0: Fraction(1)}
    for _ in range(9):
        longer = Counter()
        for (x, a), (y, b) in product(law.items(), step.items()):
            longer[x + y] += a * b
        law = longer
    unit = 1 << MASS_BITS
    row = law_of_masses({x: (m * unit).__floor__() for x, m in step.items()}, MASS_BITS).times(9, CUT)
    for x, mass in row.items():
        true = law.get(x, Fraction(0)) * unit
        assert true - 200 <= int(mass) <= true


def response(p):
    return {"0": {(0,): 1 - p, (1,): p}, "1": {(0,): p, (1,): 1 - p}}


@every("users", [1, 2, 7, 25])
@every("factor", FACTORS)
def test_randomized_response_is_a_sum_of_two_binomials(users, factor):
    p = Fraction(1, 3)

    def binomial(n, q):
        return [comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(n + 1)]

    def ones(count):
        first, second = binomial(count, 1 - p), binomial(users - count, p)
        law = Counter()
        for (i, a), (j, b) in product(enumerate(first), enumerate(second)):
            law[i + j] += a * b
        return law

    laws = [ones(count) for count in range(users + 1)]
    pairs = [(laws[c], laws[c + 1]) for c in range(users)]
    expected = max(max(gain(a, b, factor), gain(b, a, factor)) for a, b in pairs)
    view = shuffled_view(randomizer(response(p)), users)
    assert view.view.curve.delta(Real(factor)).exact == expected


def test_irrational_probabilities_against_mpmath():
    text = json.dumps(
        {
            "0": {"0": "exp(1)/(1+exp(1))", "1": "1/(1+exp(1))"},
            "1": {"0": "1/(1+exp(1))", "1": "exp(1)/(1+exp(1))"},
        }
    )
    users = 6
    with mpmath.workdps(60):
        p, factor, best = 1 / (1 + mpmath.e), mpmath.exp(mpmath.mpf(1) / 3), mpmath.mpf(0)

        def ones(count):
            law = [mpmath.mpf(1)]
            for q in [1 - p] * count + [p] * (users - count):
                law = [a * (1 - q) + b * q for a, b in zip([*law, 0], [0, *law], strict=True)]
            return law

        for count in range(users):
            low, high = ones(count), ones(count + 1)
            for a, b in ((low, high), (high, low)):
                best = max(best, mpmath.fsum(max(x - factor * y, 0) for x, y in zip(a, b, strict=True)))
        expected = mpmath.nstr(best, 40)
    curve = shuffled_view(randomizer_of_text(text), users).view.curve
    lower, upper = curve.delta(real("exp(1/3)")).enclosure(25)
    assert Fraction(lower) <= Fraction(expected) <= Fraction(upper)
    assert Fraction(upper) - Fraction(lower) <= Fraction(2, 10**25)
    low, high = (Fraction(end) for end in curve.epsilon(real(0)).enclosure(6))
    assert low <= 1 <= high <= low + Fraction(2, 10**5)  # one message: the pure eps is that of one user alone


def test_symmetries_change_nothing(monkeypatch):
    table = {x: {(y,): Fraction(1, 2) if x == y else Fraction(1, 4) for y in range(3)} for x in range(3)}
    with_symmetries = Shuffled(randomizer(table), 6)
    reduced = [with_symmetries.exact(factor) for factor in FACTORS]
    assert len(randomizer(table).symmetries()) == 6
    monkeypatch.setattr(Randomizer, "symmetries", lambda self: [(0, 1, 2)])
    without = Shuffled(randomizer(table), 6)
    assert len(without.edges) == 3 * comb(7, 2) > len(with_symmetries.edges)
    assert [without.exact(factor) for factor in FACTORS] == reduced


def test_bounds_of_a_larger_size_enclose_the_exact_curve():
    found = randomizer(response(Fraction(1, 3)))
    exact = shuffled_view(found, 60).view.curve
    bounded = bounded_view(found, 60, cost(found, 60)).view.curve
    for factor in FACTORS[:3]:
        low, high = (Fraction(end) for end in bounded.delta(Real(factor)).enclosure(12))
        assert low <= exact.delta(Real(factor)).exact <= high < 4 * low + Fraction(1, 10**6)
    low, high = (Fraction(end) for end in bounded.epsilon(real("1e-4")).enclosure(6))
    inner = [Fraction(end) for end in exact.epsilon(real("1e-4")).enclosure(8)]
    assert low <= inner[0] <= inner[1] <= high < 2 * low
    assert bounded.epsilon(real(0)).enclosure(6) == exact.epsilon(real(0)).enclosure(6) == ("0.693147", "0.693148")


def test_the_cost_is_known_before():
    found = randomizer(response(Fraction(1, 3)))
    assert cells(found, 60) == 61
    assert cost(found, 60) >= 2 * len(Shuffled(found, 60).edges) * 61
    assert shuffled_view(found, 60).is_exact
    view = shuffled_view(found, 20_000)
    assert not view.is_exact
    assert "all of the 20000 backgrounds are covered" in view.view.why
    ternary = {x: {(y,): Fraction(1, 2) if x == y else Fraction(1, 4) for y in range(3)} for x in range(3)}
    assert "Enumeration would compare about" in shuffled_view(randomizer(ternary), 20_000).view.why
    assert 1 <= fewer_users(found, 20_000) < 20_000


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    return out


def answer(capsys, *arguments):
    return json.loads(run(capsys, "privacy", *arguments, "--json"))


def written(tmp_path, table):
    path = tmp_path / "randomizer.json"
    rows = {x: [[str(p), [str(y) for y in sent]] for sent, p in law.items()] for x, law in table.items()}
    path.write_text(json.dumps({"inputs": rows}))
    return str(path)


def two_bits(p):
    keep = {True: 1 - p, False: p}
    return {
        f"{a}{b}": {(f"1{c}", f"2{d}"): keep[a == c] * keep[b == d] for c, d in product((0, 1), repeat=2)}
        for a, b in product((0, 1), repeat=2)
    }


def shares(m, q):
    """A user of P_DE in one pool: m uniform bits, or m bits of an even sum with probability (1+q)/2."""
    bits = list(product((0, 1), repeat=m))
    held, free = Counter(), Counter()
    for sent in bits:
        key = tuple(sorted(sent))
        held[key] += Fraction(1, 2**m)
        free[key] += (1 - q if sum(sent) % 2 else 1 + q) / 2**m
    return {"held": held, "free": free}


SUM = {str(x): {tuple(sorted((x, z))): p for z, p in ((0, Fraction(1, 4)), (1, Fraction(3, 4)))} for x in (0, 1)}
EQUAL = [
    ("binary-sum --n 9 --p 3/4", SUM, 9),
    ("two-bit-sum --n 4 --p 1/4", two_bits(Fraction(1, 4)), 4),
    ("two-bit-sum --n 12 --p 1/4 --pool", response(Fraction(1, 4)), 12),
    ("distinct-elements --n 5 --q 1/2 --m 2 --pool", shares(2, Fraction(1, 2)), 5),
    ("distinct-elements --n 4 --q 2/3 --m 3 --pool", shares(3, Fraction(2, 3)), 4),
]


@pytest.mark.parametrize(("question", "table", "n"), EQUAL, ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.parametrize("point", ["--at-exp-eps 5/4", "--at-exp-eps 2", "--at-eps 1/2"])
def test_protocols_of_the_paper_as_randomizers(capsys, tmp_path, question, table, n, point):
    expected = answer(capsys, *question.split(), *point.split())
    found = answer(capsys, "randomizer", "--file", written(tmp_path, table), "--n", str(n), *point.split())
    assert [found[key] for key in ("exact", "lower", "upper")] == [expected[key] for key in ("exact", "lower", "upper")]
    assert (found["kind"], found["scope"]) == ("exact", "all neighbours")
    assert sum(found["background"].values()) == n - 1


def test_dropouts(capsys, tmp_path):
    path = written(tmp_path, SUM)
    third = answer(capsys, "randomizer", "--file", path, "--n", "12", "--gamma", "1/3", "--at-exp-eps", "2")
    four = answer(capsys, "randomizer", "--file", path, "--n", "4", "--at-exp-eps", "2")
    assert third["exact"] == four["exact"]


def test_the_examples_are_read(capsys):
    assert [path.stem for path in EXAMPLES] == EXAMPLE_NAMES
    for path in EXAMPLES:
        found = answer(capsys, "randomizer", "--file", str(path), "--n", "5", "--at-eps", "1/4")
        assert 0 < float(found["lower"]) <= float(found["upper"]) < 1
        assert len(found["neighbours"]) == 2


def test_an_enclosure_says_where_its_lower_end_is(capsys):
    path = next(path for path in EXAMPLES if path.stem == "k_ary")
    found = answer(capsys, "randomizer", "--file", str(path), "--n", "50", "--at-eps", "1/2")
    assert found["kind"] == "two-sided"
    assert 0 < float(found["lower"]) < float(found["upper"]) < 2 * float(found["lower"])
    assert sum(found["background"].values()) == 49
    text = run(capsys, "privacy", "randomizer", "--file", str(path), "--n", "50", "--at-eps", "1/2")
    assert "lower end from: " in text


def test_a_curve_of_a_randomizer(capsys, tmp_path):
    path = written(tmp_path, response(Fraction(1, 3)))
    rows = run(capsys, "curve", "randomizer", "--file", path, "--n", "3", "--points", "3", "--to", "1").splitlines()
    assert rows[0] == "eps,lower,upper,paper"
    expected = brute_delta(response(Fraction(1, 3)), 3, Fraction(1))
    lower, upper = (Fraction(end) for end in rows[1].split(",")[1:3])
    assert lower <= expected <= upper
    assert rows[3].split(",")[1:3] == ["0", "0"]
    run(capsys, "curve", "randomizer", "--file", path, "--n", "3", "--points", "3", "-o", str(tmp_path / "c.svg"))
    assert "<svg" in (tmp_path / "c.svg").read_text()


@pytest.mark.long
def test_many_kinds_of_pairs():
    """Twelve inputs without a symmetry: each pair is its own kind, and the bound still holds."""
    table = {f"x{x}": {(y,): Fraction(1 + (x + 1) * (y + 1) % 13, 1) for y in range(4)} for x in range(12)}
    table = {x: {y: w / sum(law.values()) for y, w in law.items()} for x, law in table.items()}
    found = randomizer(table)
    assert len(blanket_cases(found)) == 132
    users, factor = 3, Fraction(5, 4)
    value, _ = LowerBound(found, users).best(Real(factor))
    exact = Shuffled(found, users).exact(factor)
    above = upper_ball(found, users)(Real(factor), 64)
    assert 0 < value <= exact
    assert real(exact).ball(300).lower() <= above <= real(2 * exact).ball(300)


def test_inputs_with_one_law_are_one_input():
    table = {"a": {(0,): Fraction(1)}, "b": {(0,): Fraction(1)}}
    view = shuffled_view(randomizer(table), 5)
    assert view.view.curve.delta(real(1)).exact == 0
    assert view.worst_at(real(1)) is None


BAD = [
    ("[1]", "is not an object"),
    ("{", "line 1: the text is truncated"),
    ('{"inputs": {}}', "at least one input"),
    ('{"inputs": {"a": {"x": "1"}}, "extra": 1}', "'extra' is unknown"),
    ('{"format": "other", "inputs": {"a": {"x": "1"}}}', "the format is not"),
    ('{"a": {"x": "1/2", "y": "1/3"}}', "sum to [0.833333333333, 0.833333333334], and must sum to exactly 1"),
    ('{"a": {"x": "-1", "y": "2"}}', "input 'a', entry 1: -1 is negative"),
    ('{"a": {"x": "one"}}', "'one' is unknown"),
    ('{"a": {"x": "1"}, "a": {"x": "1"}}', "the key 'a' is there twice"),
    ('{"a": []}', "0 entries"),
    ('{"a": [["1", "x"]]}', "an entry is [probability, [message, ...]]"),
    ('{"a": [["1", [["x"]]]]}', "a message is text or a whole number"),
    ('{"messages": ["y"], "inputs": {"a": {"x": "1"}}}', "the message 'x' is sent but not listed"),
    ('{"messages": ["y", "y"], "inputs": {"a": {"y": "1"}}}', "listed twice"),
    ('{"messages": "y", "inputs": {"a": {"y": "1"}}}', "'messages' is not a list"),
    ('{"a": {"x": "sqrt(2)*sqrt(3) - sqrt(6)", "y": 1}}', "the sign of"),
    ('{"a": 3}', "neither an object nor a list"),
]


@every(("text", "sentence"), BAD)
def test_what_is_wrong_is_said(text, sentence):
    with pytest.raises(InputError) as problem:
        randomizer_of_text(text)
    assert sentence in str(problem.value)


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    return err


def test_options_without_a_meaning(capsys, tmp_path):
    path = written(tmp_path, SUM)
    point = ["--at-eps", "1"]
    assert "needs --n" in refused(capsys, "privacy", "randomizer", "--file", path, *point)
    assert "needs --file" in refused(capsys, "privacy", "randomizer", "--n", "3", *point)
    for option in (["--k", "3"], ["--pool"], ["--holders", "1,2"], ["--direction", "gain"], ["--certificate", "c"]):
        sentence = refused(capsys, "privacy", "randomizer", "--file", path, "--n", "3", *option, *point)
        assert f"{option[0]} has no meaning for randomizer" in sentence
    gamma = refused(capsys, "privacy", "randomizer", "--file", path, "--n", "3", "--gamma", "1/2", *point)
    assert "gamma*n is a whole number" in gamma
    assert "one point is needed" in refused(capsys, "privacy", "randomizer", "--file", path, "--n", "3")
    assert "has no meaning for binomial" in refused(capsys, "privacy", "binomial", "--l", "3", "--file", path, *point)
    many = refused(capsys, "privacy", "randomizer", "--file", path, "--n", "100000000", *point)
    assert "n = 100000000 is not allowed" in many


@pytest.mark.parametrize(("users", "law", "limit"), [(7, ["1/2", "1/2"], "0.5"), (5000, ["3/4", "1/8", "1/8"], "0.25")])
def test_what_only_one_input_sends_is_said(tmp_path, capsys, users, law, limit):
    """The other input never sends what is not the first message: all others like it, any other message tells."""
    path = tmp_path / "randomizer.json"
    path.write_text(json.dumps({"a": {"0": "1"}, "b": dict(zip("012", law, strict=False))}), encoding="utf-8")
    line = ["privacy", "randomizer", "--file", str(path), "--n", str(users), "--at-delta", "1e-6"]
    for more, said in (([], f"delta is at least {limit} at every eps"), (["--json"], f'"limit": "{limit}"')):
        with pytest.raises(SystemExit) as ended:
            main([*line, *more])
        out = capsys.readouterr().out
        assert ended.value.code == 0 and "inf" in out and said in out
