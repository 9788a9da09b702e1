"""`panshuffle accuracy` as its user sees it."""

import json
from fractions import Fraction

import pytest

from panshuffle.main import main
from tests.every import every

FIELDS = {"protocol", "parameters", "quantity", "lower", "upper", "exact", "scope", "paper"}


def answer(capsys, line):
    with pytest.raises(SystemExit) as end:
        main(["accuracy", *line.split(), "--json"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.err) == (0, "")
    found = json.loads(captured.out)
    assert set(found) >= FIELDS
    assert float(found["lower"]) <= float(found["upper"])
    return found


def refusal(capsys, line):
    with pytest.raises(SystemExit) as end:
        main(["accuracy", *line.split()])
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert captured.err.startswith("panshuffle: ")
    assert captured.err.count("\n") == 1
    return captured.err


EXACT = {
    "distinct-elements --k 16 --distinct 16 --exp-eps 2 --alpha paper --beta 1/10": ("beta", "697/32768"),
    "distinct-elements --k 16 --distinct 10 --exp-eps 2 --beta 1/10": ("alpha", "14"),
    "distinct-elements --k 1 --n 5 --exp-eps 2 --alpha 0": ("beta", "1"),
    "geometric-distinct-elements --exp-eps 2 --alpha 3": ("beta", "1/12"),
    "geometric-distinct-elements --exp-eps 2 --beta 1/12 --n 3 --k 5": ("alpha", "3"),
    "binomial --l 10 --alpha 4": ("beta", "1/512"),
    "binomial --l 2 --p 1/3 --alpha 1 --raw": ("beta", "1/9"),
    "pan-sum --lam 5 --alpha 9 --raw": ("beta", "1/1024"),
    "pan-sum --lam 5 --alpha 10 --raw": ("beta", "0"),
    "pan-sum --lam 1 --alpha 0": ("beta", "1/2"),
    "pan-histogram --lam 1 --k 2 --alpha 0": ("beta", "3/4"),
    "binary-sum --n 2 --p 1/2 --alpha 0 --raw": ("beta", "3/4"),
    "binary-sum --n 2 --p 1/2 --alpha 0": ("beta", "1/2"),
    "shuffle-histogram --n 2 --k 2 --p 1/2 --alpha 0": ("beta", "3/4"),
    "binary-sum --n 4 --p 1/2 --beta 0 --raw --gamma 1/2": ("alpha", "2"),
}
"""Each by hand: 2^-10 is the chance of ten heads; two fair coins agree half of the time; and so on."""


@every("line", EXACT)
def test_exact_answers(capsys, line):
    found = answer(capsys, line)
    assert (found["quantity"], found["exact"]) == EXACT[line]
    assert Fraction(found["lower"]) <= Fraction(found["exact"]) <= Fraction(found["upper"])


def test_the_paper_stands_beside_the_answer(capsys):
    found = answer(capsys, "distinct-elements --k 16 --distinct 10 --exp-eps 2 --beta 1/10")
    assert found["paper"] == {"value": "19.582", "slug": "distinct-accuracy", "verdict": "proved"}
    assert answer(capsys, "pan-sum --lam 5 --beta 1/10 --raw")["paper"]["value"] == "10"
    assert answer(capsys, "distinct-elements --k 16 --n 4 --gamma 1/2 --exp-eps 2 --beta 1/10")["paper"] is None


def test_dropouts_and_the_corrected_estimate(capsys):
    line = "distinct-elements --k 8 --n 4 --gamma 1/2 --exp-eps 4/3 --distinct 2 --alpha 6"
    assert float(answer(capsys, line)["bias"]["lower"]) != 0
    assert "bias" not in answer(capsys, f"{line} --corrected")


def test_the_worst_input_is_named(capsys):
    worst = answer(capsys, "distinct-elements --k 6 --exp-eps 2 --alpha 5")
    each = [
        answer(capsys, f"distinct-elements --k 6 --exp-eps 2 --alpha 5 --distinct {d}")["exact"] for d in range(1, 7)
    ]
    assert Fraction(worst["exact"]) == max(map(Fraction, each))
    assert worst["scope"] == "all inputs"
    assert Fraction(each[worst["distinct"] - 1]) == Fraction(worst["exact"])
    pan = answer(capsys, "pan-distinct-elements --n 9 --k 5 --exp-eps 2 --m 3 --beta 1/10")
    assert 1 <= pan["distinct"] <= 3


def test_the_testers(capsys):
    found = answer(capsys, "uniformity --k 2 --m 16 --lam 10 --tau 21/8 --uniform --digits 31")
    assert (found["lower"], found["quantity"]) == ("0.1672153722759993324654261783477", 'P["not uniform"]')
    listed = answer(capsys, "uniformity --k 2 --m 16 --lam 10 --p 3/4,1/4")
    assert listed["lower"] == answer(capsys, "uniformity --k 2 --n 16 --lam 10 --paired 1/4")["lower"]
    point = "uniformity --k 10000000 --m 350000000 --eps 1 --delta 1e-6 --paired 26/100"
    assert float(answer(capsys, f"{point} --alpha 1/4 --as-printed")["upper"]) < 1e-6
    assert float(answer(capsys, point)["lower"]) > 0.99999
    packed = answer(capsys, "compressed-uniformity --k 6 --k-hat 3 --m 20 --lam 4 --paired 1/4")
    flat = answer(capsys, "compressed-uniformity --k 6 --k-hat 3 --m 20 --lam 4 --uniform")
    assert float(flat["upper"]) < float(packed["lower"])
    assert flat["lower"] == answer(capsys, "uniformity --k 3 --m 20 --lam 4 --uniform")["lower"]


def test_hashed_elements(capsys):
    found = answer(capsys, "hashed-distinct-elements --n 8 --k 1000 --exp-eps 2 --distinct 8 --beta 1/10")
    assert found["paper"]["slug"] == "hashed-distinct-accuracy"
    worst = answer(capsys, "hashed-distinct-elements --n 4 --k 1000 --exp-eps 2 --alpha 3")
    assert 1 <= worst["distinct"] <= 4


def test_for_a_person(capsys):
    with pytest.raises(SystemExit):
        main(["accuracy", "pan-sum", "--lam", "100", "--beta", "1/10", "--raw"])
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "least alpha at beta = 1/10: 109"
    assert [line.split(":")[0].split()[0] for line in rest] == ["covers", "bias", "paper", "why"]


REFUSED = {
    "one of --alpha and --beta": "distinct-elements --k 4 --eps 1",
    "alpha = -1": "distinct-elements --k 4 --eps 1 --alpha -1",
    "beta = 2": "distinct-elements --k 4 --eps 1 --beta 2",
    "needs --beta": "distinct-elements --k 4 --eps 1 --alpha paper",
    "distinct = 5": "distinct-elements --k 4 --eps 1 --distinct 5 --alpha 1",
    "--exp-eps": "distinct-elements --k 4 --eps 1 --exp-eps 2 --alpha 1",
    "needs --k": "distinct-elements --eps 1 --alpha 1",
    "--lam has no meaning": "distinct-elements --k 4 --eps 1 --alpha 1 --lam 3",
    "--gamma has no meaning": "pan-sum --lam 4 --alpha 1 --gamma 1/2",
    "no alpha for it": "binary-sum --n 4 --p 1/2 --alpha paper --beta 1/2",
    "--raw has no meaning": "distinct-elements --k 4 --eps 1 --alpha 1 --raw",
    "--beta has no meaning": "uniformity --k 4 --m 3 --lam 1 --uniform --beta 1/2",
    "one distribution": "uniformity --k 4 --m 3 --lam 1",
    "k = 3": "uniformity --k 3 --m 3 --lam 1 --paired 1/4",
    "sum to 1": "uniformity --k 2 --m 3 --lam 1 --p 1/2,1/4",
    "a list of k = 3": "uniformity --k 3 --m 3 --lam 1 --p 1/2,1/2",
    "exclude each other": "uniformity --k 2 --m 3 --lam 1 --uniform --tau 1 --as-printed --alpha 1/4",
    "--as-printed": "uniformity --k 2 --m 3 --lam 1 --uniform --as-printed",
    "lam = 0": "uniformity --k 2 --m 3 --lam 0 --uniform",
    "m = 0": "uniformity --k 2 --m 0 --lam 1 --uniform",
    "k-hat = 5": "compressed-uniformity --k 4 --k-hat 5 --m 3 --lam 1 --uniform",
    "too many": "compressed-uniformity --k 400 --k-hat 50 --m 3 --lam 1 --paired 1/4",
    "modular-sum needs --m": "modular-sum --n 3 --alpha 1",
    "not known": "nonsense --alpha 1",
    "p = 2": "binary-sum --n 4 --p 2 --alpha 1",
    "p = 3": "binomial --l 4 --p 3 --alpha 1",
    "n^4 k": "pan-uniformity --n 900 --k 2 --lam 1 --p 1,0",
    "n = 2": "pan-uniformity --n 2 --k 2 --lam 1 --p 1,0",
    "given where": "hashed-distinct-elements --n 1000 --k 1000000 --eps 1 --beta 1/10",
    "n^2 k": "uniformity --k 4 --m 3 --lam 1 --uniform --fixed 1000",
    "digits": "pan-sum --lam 4 --alpha 1 --digits 0",
    "c = 1/2": "hashed-distinct-elements --n 4 --k 100 --eps 1 --c 1/2 --beta 1/10",
    "at least 3": "pan-distinct-elements --n 2 --k 4 --eps 1 --beta 1/10",
}


@pytest.mark.parametrize("part", REFUSED)
def test_bad_input_gets_one_sentence(capsys, part):
    assert part in refusal(capsys, REFUSED[part])
