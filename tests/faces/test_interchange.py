"""Pairs of laws in files: what is exported is read back to the same curve, and what is wrong is said."""

import csv
import json
from fractions import Fraction
from io import StringIO
from itertools import product
from math import prod

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.curves.law_pair import LawPair, csv_of_pair, exact_mass, json_of_pair, pair_curve, pair_of_text
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real, is_zero_by_algebra, real, sums_to_one

from panshuffle.answers import from_file
from panshuffle.arguments import PROTOCOLS
from panshuffle.main import main
from tests.every import every

FACTORS = [Fraction(1), Fraction(5, 4), Fraction(2), Fraction(9)]


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    return out


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    return err


def privacy(capsys, *arguments):
    return json.loads(run(capsys, "privacy", *arguments, "--json"))


def gain(upper, lower, factor):
    return sum((max(u - factor * v, Fraction(0)) for u, v in zip(upper, lower, strict=True)), Fraction(0))


def laws(size):
    weights = st.lists(st.integers(0, 20), min_size=size, max_size=size).filter(any)
    return weights.map(lambda found: [Fraction(w, sum(found)) for w in found])


pairs = st.integers(1, 6).flatmap(lambda size: st.tuples(laws(size), laws(size)))


def table(upper, lower):
    names = tuple(f"o{i}" for i in range(len(upper)))
    return LawPair(names, tuple(map(exact_mass, upper)), tuple(map(exact_mass, lower)))


EXPORTED = [
    ("binomial", "--l 6 --p 1/3", "", True),
    ("binomial", "--l 5 --p exp(-1)", "", False),
    ("binary-sum", "--n 6 --p 3/4 --gamma 1/2", "", True),
    ("modular-sum", "--n 6 --m 3", "", True),
    ("distinct-elements", "--n 6 --q 1/2 --m 2", "--pool --holders 2", True),
    ("distinct-elements", "--n 4 --eps 1 --m 3 --gamma 1/2", "--pool --holders 1", False),
    ("hashed-distinct-elements", "--n 6 --k 90 --eps 1 --m 2", "--pool --holders 0", False),
    ("uniformity", "--lam 3", "--pool", False),
    ("uniformity", "--lam 1/4", "", False),
    ("compressed-uniformity", "--k 6 --k-hat 3 --lam 3 --gamma 1/3", "--pool", False),
    ("pan-sum", "--lam 6", "", True),
    ("pan-histogram", "--lam 6", "", True),
    ("pan-histogram", "--lam 6", "--pool", True),
    ("shuffle-histogram", "--n 6 --p 3/4", "", True),
    ("shuffle-histogram", "--n 6 --p 3/4 --gamma 1/3", "--pool", True),
    ("randomized-or", "--exp-eps 3", "", True),
    ("randomized-or", "--eps 1", "", False),
    ("geometric-distinct-elements", "--k 4 --exp-eps 3", "", True),
    ("geometric-distinct-elements", "--k 4 --eps 1", "", False),
]


@pytest.mark.parametrize(
    ("protocol", "letters", "part", "exact"), EXPORTED, ids=[f"{p} {a} {b}" for p, a, b, _ in EXPORTED]
)
def test_export_and_import_give_the_same_curve(capsys, tmp_path, protocol, letters, part, exact):
    """The curve of `privacy` comes from tails, cuts and closed forms, not from tables."""
    for ending in ("json", "csv"):
        path = str(tmp_path / f"pair.{ending}")
        digits = ["--digits", "6"] if letters == "--lam 1/4" else []
        run(capsys, "export", protocol, *letters.split(), *part.split(), *digits, "-o", path)
        for point in (["--at-exp-eps", "2"], ["--at-eps", "1/4"]):
            expected = privacy(capsys, protocol, *letters.split(), *part.split(), *point)
            found = privacy(capsys, "pmf", "--file", path, *point)
            assert not exact or found["exact"] == expected["exact"]
            low, high = (Fraction(found[end]) for end in ("lower", "upper"))
            inner = [Fraction(expected[end]) for end in ("lower", "upper")]
            assert low <= inner[1] and inner[0] <= high and high - low < Fraction(1, 10**5)
            assert found["kind"] == "exact" or (low <= inner[0] and inner[1] <= high)


def test_every_protocol_is_exported_or_refused(capsys):
    covered = {protocol for protocol, *_ in EXPORTED} | {"two-bit-sum"}
    for protocol, letters in (("pan-distinct-elements", "--n 6 --q 1/2 --m 2"), ("pan-uniformity", "--n 6 --lam 3")):
        assert "is a bound, not" in refused(capsys, "export", protocol, *letters.split())
        covered.add(protocol)
    letters = ["--n", "6", "--m", "2", "--p", "1/3"]
    assert "is the worst of many pairs" in refused(capsys, "export", "poisson-binomial", *letters)
    assert covered | {"poisson-binomial"} == {*PROTOCOLS}


def test_a_pair_of_pools_in_both_directions(capsys, tmp_path):
    """Exchanging the elements exchanges the directions of P_DE, so the background (CB, CA) is the other direction."""
    path, letters = str(tmp_path / "pair.json"), ["distinct-elements", "--n", "5", "--q", "3/4", "--m", "3"]
    run(capsys, "export", *letters, "--holders", "1,2", "-o", path)
    values = {}
    for direction in ("gain", "lose"):
        values[direction] = privacy(capsys, "pmf", "--file", path, "--direction", direction, "--at-exp-eps", "3")
    expected = {}
    for holders in ("1,2", "2,1"):
        expected[holders] = privacy(capsys, *letters, "--holders", holders, "--at-exp-eps", "3")["exact"]
    found = {value["exact"] for value in values.values()}
    assert found == {*expected.values()}
    assert "0" not in found
    worst = privacy(capsys, "pmf", "--file", path, "--at-exp-eps", "3")["exact"]
    assert Fraction(worst) == max(map(Fraction, found))


def test_the_two_bit_sum_is_the_largest_of_its_backgrounds(capsys, tmp_path):
    path, best = str(tmp_path / "pair.csv"), Fraction(0)
    for a in range(3):
        for b in range(3):
            run(capsys, "export", "two-bit-sum", "--n", "3", "--p", "1/4", "--holders", f"{a},{b}", "-o", path)
            best = max(best, Fraction(privacy(capsys, "pmf", "--file", path, "--at-exp-eps", "2")["exact"]))
    assert str(best) == privacy(capsys, "two-bit-sum", "--n", "3", "--p", "1/4", "--at-exp-eps", "2")["exact"]


def test_directions_of_an_export(capsys):
    gain_rows = run(capsys, "export", "binomial", "--l", "2").splitlines()
    lose_rows = run(capsys, "export", "binomial", "--l", "2", "--direction", "lose").splitlines()
    assert gain_rows == ["outcome,upper,lower", "0,0,0.25", "1,0.25,0.5", "2,0.5,0.25", "3,0.25,0"]
    assert [row.split(",")[1:] for row in lose_rows[1:]] == [row.split(",")[:0:-1] for row in gain_rows[1:]]


def test_exact_pairs_against_fractions(sweep_factor):
    @settings(max_examples=60 * sweep_factor, deadline=None, derandomize=True)
    @given(pairs, st.sampled_from(FACTORS))
    def check(pair, factor):
        upper, lower = pair
        for text in (json_of_pair(table(upper, lower), {}), csv_of_pair(table(upper, lower))):
            found = pair_of_text(text)
            assert found == table(upper, lower)
            assert pair_curve(found).delta(Real(factor)).exact == gain(upper, lower, factor)
            ball = pair_curve(found).ball(Real(factor), 64)
            assert ball.contains(real(gain(upper, lower, factor)).ball(200))

    check()


def test_the_pure_eps_and_the_limit(sweep_factor):
    @settings(max_examples=40 * sweep_factor, deadline=None, derandomize=True)
    @given(pairs)
    def check(pair):
        upper, lower = pair
        pure = pair_curve(table(upper, lower)).epsilon(real(0))
        if any(u and not v for u, v in zip(upper, lower, strict=True)):
            assert pure.infinite
            return
        largest = max(u / v for u, v in zip(upper, lower, strict=True) if v)
        low, high = (Fraction(end) for end in pure.enclosure(8))
        with mpmath.workdps(30):
            true = Fraction(mpmath.nstr(mpmath.log(mpmath.mpf(largest.numerator) / largest.denominator), 20))
        assert low - Fraction(1, 10**15) <= true <= high + Fraction(1, 10**15)

    check()


def test_enclosures_enclose(sweep_factor):
    """Masses are widened, and the last outcomes become the remainder: the truth stays between the ends."""

    @settings(max_examples=60 * sweep_factor, deadline=None, derandomize=True)
    @given(pairs, st.integers(0, 3), st.integers(1, 50), st.sampled_from(FACTORS))
    def check(pair, hidden, slack, factor):
        upper, lower = pair
        kept = max(1, len(upper) - hidden)
        widened = []
        for law in (upper, lower):
            listed = [[str(max(m - Fraction(slack, 1000), Fraction(0))), str(m + Fraction(slack, 1000))] for m in law]
            rest = sum(law[kept:], Fraction(0))
            widened.append((listed[:kept], [str(rest), str(rest + Fraction(slack, 1000))]))
        value = {"format": "panshuffle-pair-1", "outcomes": list(range(kept))}
        value |= {"upper": widened[0][0], "lower": widened[1][0]}
        value["remainder"] = {"upper": widened[0][1], "lower": widened[1][1]}
        found = pair_of_text(json.dumps(value))
        assert not found.is_exact
        curve, truth = pair_curve(found), gain(upper, lower, factor)
        low, high = (Fraction(end) for end in curve.delta(Real(factor)).enclosure(15))
        assert low <= truth <= high
        assert pair_of_text(csv_of_pair(found)) == found
        inverse = curve.epsilon(Real(truth), 4).enclosure(6) if 0 < truth < 1 else ("0", "inf")
        with mpmath.workdps(30):
            eps = mpmath.log(mpmath.mpf(factor.numerator) / factor.denominator)
        assert mpmath.mpf(inverse[0]) <= eps + mpmath.mpf("1e-12")

    check()


def test_expressions_against_mpmath(tmp_path, capsys):
    path = tmp_path / "pair.csv"
    path.write_text("outcome,upper,lower\na,exp(1)/(1+exp(1)),1/(1+exp(1))\nb,1/(1+exp(1)),exp(1)/(1+exp(1))\n")
    found = privacy(capsys, "pmf", "--file", str(path), "--at-eps", "1/3", "--digits", "20")
    with mpmath.workdps(40):
        p = mpmath.e / (1 + mpmath.e)
        expected = Fraction(mpmath.nstr(p - mpmath.exp(mpmath.mpf(1) / 3) * (1 - p), 30))
    assert Fraction(found["lower"]) <= expected <= Fraction(found["upper"])
    assert found["kind"] == "exact"
    pure = privacy(capsys, "pmf", "--file", str(path), "--at-delta", "0")
    assert float(pure["lower"]) == pytest.approx(1) == float(pure["upper"])


def test_a_curve_of_a_pair(tmp_path, capsys):
    path = tmp_path / "pair.csv"
    path.write_text("outcome,upper,lower\na,3/4,1/4\nb,1/4,3/4\n")
    rows = list(csv.reader(StringIO(run(capsys, "curve", "pmf", "--file", str(path), "--points", "3", "--to", "2"))))
    assert rows[0] == ["eps", "lower", "upper", "paper"]
    assert rows[1] == ["0", "0.5", "0.5", ""]
    assert rows[3] == ["2", "0", "0", ""]
    run(capsys, "curve", "pmf", "--file", str(path), "--points", "3", "-o", str(tmp_path / "out.svg"))
    assert "<svg" in (tmp_path / "out.svg").read_text()


def test_an_eps_may_be_open_on_one_side(tmp_path, capsys):
    path = tmp_path / "pair.csv"
    path.write_text('outcome,upper,lower\na,"[0.6, 0.7]","[0.2, 0.3]"\n(remainder),"[0.3, 0.4]","[0.7, 0.8]"\n')
    found = privacy(capsys, "pmf", "--file", str(path), "--direction", "gain", "--at-delta", "1/10")
    assert (found["upper"], found["exact"]) == ("inf", None)
    assert float(found["lower"]) > 0
    two = privacy(capsys, "pmf", "--file", str(path), "--direction", "gain", "--at-exp-eps", "1")
    assert float(two["lower"]) == pytest.approx(0.6 - 0.3)
    assert float(two["upper"]) == pytest.approx(0.7 - 0.2 + 0.4)


def test_algebra_shows_what_balls_cannot():
    assert is_zero_by_algebra(real("exp(2)/(1+exp(1)) + exp(1)/(1+exp(1)) - exp(1)"))
    assert is_zero_by_algebra(real("(sqrt(2)+1)*(sqrt(2)-1) - 1"))
    assert is_zero_by_algebra(real("2^(2/3)*(2^(1/3)+1) - 2 - 2^(2/3)"))
    assert not is_zero_by_algebra(real("exp(1)/(1+exp(1)) + exp(-1)/(1+exp(1)) - 1"))
    assert not is_zero_by_algebra(real("log(2) + log(3) - log(5)"))
    assert sums_to_one([real("log(2)"), real("1-log(2)")]) is True
    assert sums_to_one([real("log(2)"), real("1-log(3)")]) is False
    assert sums_to_one([real("log(2)+log(3)-log(6)"), real(1)]) is None  # true, but algebra does not see it


HEADER = "outcome,upper,lower\n"


def as_json(**changes):
    value = {"format": "panshuffle-pair-1", "outcomes": ["a", "b"], "upper": ["1/2", "1/2"], "lower": ["1/3", "2/3"]}
    return json.dumps({key: entry for key, entry in (value | changes).items() if entry is not None})


BAD = [
    (HEADER, "no outcome is listed"),
    ("outcome,lower,upper\na,1,1\n", "line 1: the header must be outcome,upper,lower, not outcome,lower,upper"),
    (HEADER + "a,1/2,1/2\nb,1/2\n", "line 3: 2 columns where 3 are expected"),
    (HEADER + "a,1/2,1/2\na,1/2,1/2\n", "line 3: the outcome 'a' is there already (line 2)"),
    (HEADER + "a,-1/2,1\nb,3/2,0\n", "line 2, upper: -1/2 is negative"),
    (HEADER + "a,1/2,1\nb,1/3,0\n", "the masses of upper sum to [0.833333333333, 0.833333333334]"),
    (HEADER + "a,1,0.5\nb,0,0.625\n", "the masses of lower sum to 1.125: they must sum to exactly 1"),
    (HEADER + "a,x,1\n", "line 2, upper: 'x' is not a number"),
    (HEADER + 'a,"[1/2, 1/3]",1\n', "line 2, upper: the enclosure [1/2,  1/3] is empty"),
    (HEADER + 'a,"[1/2",1\n', "line 2, upper: the enclosure [1/2 is not closed"),
    (HEADER + 'a,"[1]",1\n', "two numbers, not 1"),
    (HEADER + 'a,"[0, 1/2]",1\n', "sum to something in [0, 0.5]: 1 must be in it"),
    (HEADER + 'a,"1,1\n', "line 2: the text is truncated or is not CSV"),
    (HEADER + "a,1,1\n(remainder),0.1,0\n(remainder),0.1,0\n", "line 4: the remainder is there twice"),
    (HEADER + "a,log(2)+log(3)-log(6)+1,1\n", "can't be told from the expressions"),
    (HEADER + "a,1/0,1\n", "division by zero"),
    ('{"format": "panshuffle-pair-1"', "line 1: the text is truncated or is not JSON"),
    ("[]", 'is not an object with "format": "panshuffle-pair-1"'),
    (as_json(format="other"), "is not an object with"),
    (as_json(outcomes=None), "'outcomes' is missing or is not a list"),
    (as_json(upper=["1"]), "there are 2 outcomes, 1 masses of upper and 2 of lower"),
    (as_json(outcomes=["a", "a"]), "outcome 2: the outcome 'a' is there already (outcome 1)"),
    (as_json(upper=["1/2", None]), "upper, mass 2: null is not a number"),
    (as_json(upper=["1/2", "nan"]), "'nan' is unknown"),
    (as_json(remainder=[1]), "'remainder' is not an object"),
    (as_json(extra=1), "the key 'extra' is unknown"),
    ('{"format": "panshuffle-pair-1", "upper": [], "upper": []}', "the key 'upper' is there twice"),
]


@every(("text", "sentence"), BAD)
def test_what_is_wrong_is_said(text, sentence):
    with pytest.raises(InputError) as problem:
        pair_of_text(text)
    assert sentence in str(problem.value)


def test_decimals_of_a_json_file_are_exact():
    text = '{"format": "panshuffle-pair-1", "outcomes": [1, 2], "upper": [0.1, 0.9], "lower": [1, 0]}'
    assert pair_of_text(text).upper[0] == exact_mass(Fraction(1, 10))
    long = f"{3**600}/{3**601}"
    assert pair_of_text(HEADER + f"a,{long},1\nb,2/3,0\n").upper[0] == exact_mass(Fraction(1, 3))


def test_files_that_cannot_be_read(capsys, tmp_path, monkeypatch):
    def sentence(path):
        return refused(capsys, "privacy", "pmf", "--file", str(path), "--at-eps", "1")

    assert "No such file" in sentence(tmp_path / "missing.csv")
    assert "Is a directory" in sentence(tmp_path)
    empty, wrong = tmp_path / "empty.csv", tmp_path / "wrong.csv"
    empty.write_text("\n")
    assert "the file is empty" in sentence(empty)
    wrong.write_bytes(b"outcome,upper,lower\n\xff,1,1\n")
    assert "not UTF-8" in sentence(wrong)
    monkeypatch.setattr(from_file, "MOST_BYTES", 10)
    assert "bytes, more than 10" in sentence(wrong)


def test_options_without_a_meaning(capsys, tmp_path):
    path = tmp_path / "pair.csv"
    path.write_text(HEADER + "a,1,1\n")
    for option in (["--n", "3"], ["--eps", "1"], ["--pool"], ["--t", "1"], ["--tv"], ["--as-printed"]):
        sentence = refused(capsys, "privacy", "pmf", "--file", str(path), *option, "--at-eps", "1")
        assert f"{option[0]} has no meaning for pmf" in sentence
    assert "pmf needs --file" in refused(capsys, "privacy", "pmf", "--at-eps", "1")


REFUSED = [
    ("binomial --l 3 -o pair.txt", "must end in .json or .csv"),
    ("binomial --l 3 --pool", "--pool has no meaning for binomial"),
    ("binomial --l 3 --holders 1,1", "--holders has no meaning for binomial"),
    ("distinct-elements --n 4 --q 1/2 --m 2", "needs --holders"),
    ("distinct-elements --n 4 --q 1/2 --m 2 --holders 2,2", "holders = 2,2 is not allowed"),
    ("distinct-elements --n 4 --k 2 --q 1/2 --m 2 --holders 1,1", "sum 3 (k = 2)"),
    ("distinct-elements --n 4 --k 1 --q 1/2 --m 2 --holders 1,1", "no two neighbours differ"),
    ("two-bit-sum --n 4 --p 1/4 --holders 4,0", "whole numbers from 0 to 3"),
    ("uniformity --lam 300", "outcomes, more than 200000"),
    ("uniformity --lam 1e9 --pool", "outcomes, more than 200000"),
    ("binomial --l 50000", "--digits D writes enclosures"),
    ("geometric-distinct-elements --n 1 --k 3 --eps 1", "with n = 1"),
    ("binomial --l 3 -o /no/such/folder/pair.csv", "can't be written"),
]


@every(("arguments", "sentence"), REFUSED)
def test_exports_that_are_refused(capsys, arguments, sentence):
    assert sentence in refused(capsys, "export", *arguments.split())


def test_what_was_written(capsys, tmp_path):
    path = str(tmp_path / "pair.json")
    told = json.loads(run(capsys, "export", "binomial", "--l", "3", "-o", path, "--json"))
    assert (told["outcomes"], told["kind"], told["protocol"]) == (5, "exact", "binomial")
    assert json.loads((tmp_path / "pair.json").read_text())["about"]["parameters"] == {"l": "3"}
    assert json.loads(run(capsys, "export", "binomial", "--l", "3", "--json"))["outcomes"] == ["0", "1", "2", "3", "4"]
    run(capsys, "export", "binomial", "--l", "3000", "--digits", "12", "-o", path)
    expected = privacy(capsys, "binomial", "--l", "3000", "--at-eps", "1/20")
    found = privacy(capsys, "pmf", "--file", path, "--at-eps", "1/20")
    assert Fraction(found["lower"]) <= Fraction(expected["lower"]) <= Fraction(expected["upper"])
    assert (
        Fraction(expected["upper"]) <= Fraction(found["upper"]) <= Fraction(found["lower"]) * (1 + Fraction(1, 10**6))
    )


def test_several_uses_and_a_random_part(capsys, tmp_path):
    """Two and three uses, and a subsampled pair, by products of masses in Fractions."""
    path = tmp_path / "pair.csv"
    path.write_text("outcome,upper,lower\na,1/2,1/8\nb,1/3,3/8\nc,1/6,1/2\n", encoding="utf-8")
    upper, lower = ([Fraction(m) for m in row] for row in (("1/2", "1/3", "1/6"), ("1/8", "3/8", "1/2")))
    factor, q = Fraction(3, 2), Fraction(1, 5)

    def delta(above, below, uses):
        tuples = list(product(range(3), repeat=uses))
        masses = ((prod(above[i] for i in t), prod(below[i] for i in t)) for t in tuples)
        return sum(max(a - factor * b, Fraction(0)) for a, b in masses)

    mixed = [q * a + (1 - q) * b for a, b in zip(upper, lower, strict=True)]
    for uses in (1, 2, 3):
        for sampled, above in ((None, upper), ("1/5", mixed)):
            more = ["--uses", str(uses), *(["--sampled", sampled] if sampled else [])]
            line = ["privacy", "pmf", "--file", str(path), "--at-exp-eps", "3/2", "--json", *more]
            with pytest.raises(SystemExit):
                main(line)
            found = json.loads(capsys.readouterr().out)
            assert Fraction(found["exact"]) == max(delta(above, lower, uses), delta(lower, above, uses))
            assert found["parameters"]["uses"] == str(uses)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pmf", "--uses", "0"], "uses must be a whole number, at least 1"),
        (["pmf", "--uses", "1000001"], "uses must be at most 1000000"),
        (["pmf", "--sampled", "0"], "sampled must be above 0 and at most 1"),
        (["randomizer", "--n", "3", "--uses", "x"], "'x' is not a number"),
        (["binomial", "--l", "3", "--uses", "1/2"], "uses must be a whole number, at least 1"),
    ],
)
def test_uses_that_are_refused(capsys, tmp_path, arguments, sentence):
    path = tmp_path / "pair.csv"
    path.write_text("outcome,upper,lower\na,1/2,1/8\nb,1/2,7/8\n", encoding="utf-8")
    file = [] if arguments[0] == "binomial" else ["--file", str(path)]
    with pytest.raises(SystemExit) as stop:
        main(["privacy", *arguments, *file, "--at-eps", "1/2"])
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


def test_several_uses_need_rational_masses(capsys, tmp_path):
    path = tmp_path / "pair.csv"
    path.write_text("outcome,upper,lower\na,exp(-1),1/8\nb,1-exp(-1),7/8\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["privacy", "pmf", "--file", str(path), "--uses", "2", "--at-eps", "1/2"])
    assert "--uses needs exact rational masses" in capsys.readouterr().err
