"""The public API: exact numbers in, answers out, the same as the command line's."""

import json
import pydoc
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from panshuffle.exact.check import main as check
from panshuffle.exact.errors import InputError

import panshuffle
from panshuffle.answers import answer
from panshuffle.main import main
from panshuffle.question import Question
from tests.every import every

LINES = (
    "privacy binomial --l 20 --at-exp-eps 2",
    "privacy distinct-elements --n 4 --k 3 --eps 1 --m 3 --at-delta 1e-3 --pool --gamma 1/2",
    "privacy modular-sum --n 4 --m 3 --tv",
    "calibrate uniformity --k 100 --at-eps 1 --at-delta 1e-6",
    "calibrate modular-sum --n 10 --sigma 10",
    "accuracy distinct-elements --k 16 --exp-eps 2 --beta 1/10",
    "accuracy uniformity --k 4 --m 10 --lam 2 --tau -1/2 --uniform",
    "curve pan-sum --lam 20 --points 3",
    "attack binomial --l 20 --at-eps 1/2 --runs 10 --seed 1",
    "plan histogram --k 8 --at-eps 1 --at-delta 1e-6",
)


@pytest.mark.parametrize("line", LINES)
def test_an_answer_is_what_the_command_prints_and_its_line_gives_it_again(line, capsys):
    kind, subject, *words = line.replace("--tau -1/2", "--tau=-1/2").split()
    with pytest.raises(SystemExit):
        main([kind, subject, *words, "--json"])
    printed = json.loads(capsys.readouterr().out)
    found = answer(Question.read(line))
    assert json.loads(json.dumps(found.as_dict())) == printed
    with pytest.raises(SystemExit):
        main([*found.line.replace("'", "").split()[1:], "--json"])
    assert json.loads(capsys.readouterr().out) == printed


def test_numbers_are_exact_however_they_are_written():
    coins = panshuffle.protocol("binomial", l=np.int64(20))
    values = [coins.privacy(at_eps=eps).upper for eps in ("0.5", "1/2", Fraction(1, 2), Decimal("0.5"))]
    assert len(set(values)) == 1
    with pytest.raises(InputError, match=r'at-eps = 0\.1 is a float, which is not exact: write at-eps="0\.1"'):
        coins.privacy(at_eps=0.1)
    with pytest.raises(InputError, match=r"write at-eps"):
        coins.privacy(at_eps=np.float64(0.5))
    with pytest.raises(InputError, match=r"at-eps = \{\} is not allowed: at-eps must be an int, a Fraction"):
        coins.privacy(at_eps={})
    with pytest.raises(InputError, match=r"0\.5 is a float"):
        panshuffle.randomizer({"0": {"0": 0.5, "1": 0.5}}, n=2)


def test_equal_questions_are_equal_and_hash_alike():
    one = Question.of("privacy", "binomial", {"l": 20, "at-eps": "0.50"})
    other = Question.of("privacy", "binomial", {"at-eps": Fraction(1, 2), "l": "20"})
    assert one == other and hash(one) == hash(other)
    assert one != Question.of("privacy", "binomial", {"l": 20, "at-exp-eps": "0.50"})
    assert {one: 1}[other] == 1
    with pytest.raises(AttributeError):
        one.kind = "calibrate"


@every(
    ("wrong", "sentence"),
    [
        (lambda: panshuffle.protocol("binomal"), "protocol = binomal is not known"),
        (lambda: panshuffle.protocol("binomial", l=20).privacy(at_esp=1), "did you mean at-eps?"),
        (lambda: panshuffle.protocol("binomial", l=20).privacy(at_eps=1, pool="yes"), "pool must be True or False"),
        (lambda: panshuffle.protocol("binomial", l=20).privacy(at_eps=1, direction="up"), "gain or lose"),
        (lambda: panshuffle.protocol("binomial", l=20).privacy(), "one point is needed"),
        (lambda: panshuffle.protocol("modular-sum", n=2, m=2).accuracy(), "one of --alpha and --beta"),
        (lambda: panshuffle.protocol("binomial", l=True).privacy(at_eps=1), "an exact number or a text"),
        (lambda: panshuffle.verify("no-such-statement"), "is not in the ledger"),
        (lambda: panshuffle.plan("nothing", k=8), "task = nothing is not known"),
        (lambda: panshuffle.protocol("pan-sum", n=4, lam=2).sample(), "one source of data is needed"),
        (lambda: panshuffle.protocol("pan-sum", n=4, lam=2).crosscheck([{}], ones=2), "run 1: the run shows nothing"),
        (lambda: panshuffle.protocol("two-bit-sum", n=2, p="1/2").privacy(at_eps=1).certificate(), "no certificate"),
    ],
)
def test_bad_input_is_one_sentence(wrong, sentence):
    with pytest.raises(InputError, match=sentence.replace("?", r"\?")) as problem:
        wrong()
    assert "\n" not in str(problem.value)


def test_a_certificate_is_replayed(tmp_path, capsys):
    for name, found in (
        ("point", panshuffle.protocol("binomial", l=20).privacy(at_eps=1)),
        ("least", panshuffle.protocol("pan-sum").calibrate(at_eps=1, at_delta="1e-3")),
    ):
        path = tmp_path / f"{name}.json"
        path.write_text(found.certificate(), encoding="utf-8")
        assert check([str(path)]) == 0
        assert capsys.readouterr().out.startswith("accepted")


def test_runs_go_from_sample_to_crosscheck():
    for name, letters, data in (
        ("binary-sum", {"p": "1/3"}, [1, 0, 1, 0]),
        ("two-bit-sum", {"p": "1/4"}, [(0, 1), (1, 1)]),
        ("pan-histogram", {"k": 3, "lam": 4}, [1, 2, 2]),
        ("randomized-or", {"eps": 1}, np.array([0, 0, 1])),
    ):
        one = panshuffle.protocol(name, **letters)
        runs = one.sample(data, runs=300, seed=7)
        assert one.crosscheck(runs, data).consistent, name
        assert runs == one.sample(data, runs=300, seed=7)
    with_messages = panshuffle.protocol("modular-sum", n=3, m=4).sample(ones=1, messages=True)
    assert len(with_messages[0]["messages"]) == 12
    assert "state" in panshuffle.protocol("pan-sum", n=3, lam=4).sample(ones=1, t=2)[0]


def test_an_answer_shows_itself():
    found = panshuffle.protocol("binomial", l=20).privacy(at_eps=1)
    assert str(found).startswith("delta at eps = 1: [")
    html = found._repr_html_()
    assert html.startswith("<pre>delta at eps") and "<svg" in html and "<script" not in html
    assert "&lt;" not in html.split("</pre>")[1]
    shown = panshuffle.verify("hash-collisions")._repr_html_()
    assert shown.startswith("<pre>Lemma A.3 (hash-collisions): not true word for word")


def test_help_names_the_three_jobs():
    text = pydoc.plain(pydoc.render_doc(panshuffle))
    assert all(word in text for word in ("privacy", "calibrate", "verify", "crosscheck", "accuracy", "randomizer"))


def test_importing_is_cheap_and_loads_nothing_of_ours():
    code = "import sys, panshuffle; print(*(name for name in sys.modules if name.split('.')[0] in ('exact', 'flint')))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == ""


@every(
    ("wrong", "sentence"),
    [
        (lambda: panshuffle.randomizer({0: {"a": 1}, "0": {"b": 1}}, n=2), "a key is there twice"),
        (
            lambda: panshuffle.protocol("binary-sum", n=6, p="1/3", gamma=False).privacy(at_eps=1),
            "gamma = False is not",
        ),
        (lambda: BITS.crosscheck([], ones=2, alarm=0.0625), "alarm = 0.0625 is a float"),
        (lambda: BITS.crosscheck(5, ones=2), "runs is not allowed"),
        (lambda: BITS.crosscheck([5], ones=2), "run 1: a run is a JSON object"),
        (lambda: BITS.sample(ones=1.0), "ones = 1.0 is a float"),
        (lambda: BITS.sample(ones=True), "ones = True is not allowed"),
        (lambda: BITS.sample(ones=1, runs=0), "runs = 0 is not allowed"),
        (lambda: BITS.sample(ones=1, runs=10**400), "runs = 1000"),
        (lambda: BITS.sample([1.0] * 6), "data, row 1: 1.0 is not a whole number"),
        (lambda: BITS.sample("110000"), "data is not allowed"),
        (lambda: panshuffle.protocol("binomial", l=10**5000).privacy(at_eps=1), "write it as a text"),
        (lambda: panshuffle.protocol("binomial", l=20).curve(to=""), "to =  is not allowed"),
        (lambda: panshuffle.protocol([]), "is not known"),
        (lambda: panshuffle.verify(None), "is not in the ledger"),
        (lambda: FLIP.privacy(at_eps=1, file="x"), "file has no meaning here"),
    ],
)
def test_what_a_stranger_tried_is_one_sentence(wrong, sentence):
    with pytest.raises(InputError) as problem:
        wrong()
    assert sentence in str(problem.value) and "\n" not in str(problem.value)


BITS = panshuffle.protocol("binary-sum", n=6, p="1/3")
FLIP = panshuffle.randomizer({"0": {"0": "2/3", "1": "1/3"}, "1": {"0": "1/3", "1": "2/3"}}, n=2)


def test_no_ones_are_a_number_and_runs_are_json():
    runs = BITS.sample(ones=0, runs=300, seed=np.int64(3))
    assert BITS.crosscheck(runs, ones=0, alarm=Decimal("1e-6")).consistent
    json.dumps(panshuffle.protocol("distinct-elements", k=2, eps=1, m=3).sample([1, 1, 2], runs=2, seed=1))
    with_numpy = [{"pools": {1: np.array(run["pools"]["1"]).tolist()}} for run in runs]
    assert BITS.crosscheck(with_numpy, ones=0).consistent
