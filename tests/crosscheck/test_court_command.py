"""`panshuffle court`: what an accountant may do, the pages and reproductions, one sentence for bad input."""

import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import mpmath
import pytest
from panshuffle.crosscheck.court import reproduction as reproduction_module
from panshuffle.crosscheck.court.accountant import accountant_from, accountant_of, metadata
from panshuffle.crosscheck.court.battery import chosen
from panshuffle.crosscheck.court.isolation import IsolatedAccountant
from panshuffle.crosscheck.court.judgment import judgment
from panshuffle.crosscheck.court.page import as_csv, as_html, as_markdown, as_text
from panshuffle.crosscheck.court.ruling import rulings_of
from panshuffle.crosscheck.court.truth import Truth
from panshuffle.crosscheck.court.worker import number_text
from panshuffle.exact.errors import InputError

from panshuffle.main import main
from tests.crosscheck.court_questions import RESPONSE, ask

PROGRAM = Path(sys.executable).parent / "panshuffle"


FAKES = """
import os, sys, time

def sound(question):
    return 1.0

def unsound(question):
    return 0.0

def negative(question):
    print("garbage", flush=True)
    os.write(1, b"more garbage\\n")
    sys.stderr.write("and more")
    return -1e-20

def both(question):
    return {"upper": 1, "lower": 0}

def raises(question):
    return 1 // 0

def dies(question):
    os._exit(3)

def killed(question):
    os.kill(os.getpid(), 11)

def hangs(question):
    while True:
        time.sleep(1)

def hoards(question):
    return float(len(bytearray(1 << 34)))

def refuses(question):
    raise ValueError("not for me")

def silent(question):
    return None

def nan(question):
    return float("nan")

def text(question):
    return "0.5"

def infinite(question):
    return float("inf")

def limited(question):
    return 0.0 if question.letters["l"] >= 37 else 1.0
"""


VERDICTS = {
    "sound": "sound",
    "unsound": "unsound",
    "negative": "unsound",
    "raises": "crashed",
    "dies": "crashed",
    "killed": "crashed",
    "hangs": "timed out",
    "hoards": "crashed",
    "refuses": "refused",
    "silent": "refused",
    "nan": "no number",
    "text": "no number",
    "infinite": "sound",
    "missing": "crashed",
}


@pytest.fixture(scope="module")
def fakes(tmp_path_factory):
    path = tmp_path_factory.mktemp("fakes") / "fakes.py"
    path.write_text(FAKES, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", VERDICTS)
def test_what_an_accountant_may_do(fakes, name):
    with IsolatedAccountant(accountant_of(f"{fakes}:{name}"), 1.0, 2048) as isolated:
        replies = [isolated.ask(RESPONSE), isolated.ask(RESPONSE)] if name != "hangs" else [isolated.ask(RESPONSE)]
    for reply in replies:  # the second call is answered as the first: nothing of it is broken
        (ruling,) = rulings_of(Truth(RESPONSE), name, reply)
        assert ruling.verdict == VERDICTS[name]
        assert ruling.verdict in ("sound", "unsound") or ruling.said


def test_both_sides_are_judged(fakes):
    with IsolatedAccountant(accountant_of(f"{fakes}:both"), 5.0) as isolated:
        rulings = rulings_of(Truth(RESPONSE), "both", isolated.ask(RESPONSE))
    assert [(one.side, one.verdict) for one in rulings] == [("upper", "sound"), ("lower", "sound")]


def test_numbers_are_kept_exactly():
    assert number_text(Fraction(1, 3)) == "1/3"
    assert number_text(10**30) == str(10**30)
    assert float(number_text(0.1)) == 0.1
    assert [number_text(value) for value in (True, "1", None, [1, 2], 1j)] == [None] * 5


def test_an_unsound_answer_is_shrunk_to_the_least_number(fakes, monkeypatch):
    monkeypatch.setattr(reproduction_module, "MOST_SECONDS", 60.0)
    one = accountant_of(f"{fakes}:limited")
    found = judgment([ask("binomial", "delta", 0.1234, k=2, l=1000)], [one], seconds=5.0)
    (reproduction,) = found.reproductions
    question = reproduction.ruling.question
    assert (question["l"], question.k, question.at) == (37, 1, 0.1)
    result = subprocess.run(
        [sys.executable, "-c", reproduction.program], capture_output=True, text=True, check=True, cwd="/", timeout=120
    )
    assert float(result.stdout) == float(reproduction.ruling.claim) == 0.0
    masses = [Fraction(comb(37, x), 2**37) for x in range(38)]
    with mpmath.workdps(40):
        factor = mpmath.exp(mpmath.mpf(0.1))
        gains = [mpmath.mpf(m.numerator) / m.denominator for m in masses]
        truth = mpmath.fsum(max(gains[x] - factor * (gains[x - 1] if x else 0), 0) for x in range(38))
    (line,) = [line for line in reproduction.program.splitlines() if line.startswith("# The truth")]
    ends = [mpmath.mpf(end) for end in line[line.index("[") + 1 : line.index("]")].split(", ")]
    assert ends[0] <= truth <= ends[1] < ends[0] * 1.000001


def bound_of_one(question):
    return 1


def test_a_function_is_an_accountant():
    one = accountant_from(bound_of_one)
    assert one.name == "test_court_command:bound_of_one"
    assert one.version == "yours"
    with pytest.raises(InputError):
        accountant_from(lambda question: 1)


def test_what_is_missing_is_said(monkeypatch):
    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    found = judgment(chosen(["parity-pool"], False))
    assert found.accountants == []
    assert "opendp" in found.how_to_install and "pip install 'panshuffle[court]'" in found.how_to_install
    assert found.how_to_install in as_text(found)


@pytest.fixture(scope="module")
def session(fakes):
    people = [accountant_of(f"{fakes}:{name}") for name in ("sound", "unsound", "raises")]
    return judgment([*chosen(["parity-pool"], True), ask("gaussian", "epsilon", 1e-6, sigma=1.0)], people, 5.0)


def test_the_pages_say_what_was_ruled(session):
    assert [one.verdict for one in session.rulings] == ["sound"] * 1 + ["unsound"] + ["unsound"] * 2 + ["crashed"] * 2
    page = as_html(session)
    assert page.count('class="unsound"') == 3 and 'class="sound"' in page and 'class="other"' in page
    assert "http" not in page and "<script" not in page
    assert all(one.program.splitlines()[1] in page for one in session.reproductions)
    markdown = as_markdown(session)
    assert "| fakes:unsound yours | upper bound |   | 2 unsound |" in markdown
    assert markdown.index("| without limit |") < markdown.index("| - |")  # the most harmful first
    rows = list(csv.DictReader(io.StringIO(as_csv(session))))
    assert [row["verdict"] for row in rows if row["accountant"] == "fakes:unsound"] == ["unsound", "unsound"]
    found = json.loads(json.dumps(session.as_json()))
    assert [len(question["rulings"]) for question in found["questions"]] == [3, 3]
    assert all(question["truth"]["agreed"] for question in found["questions"])


def run(*arguments, cwd=None):
    command = [PROGRAM, "court", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)


def test_the_command_writes_pages_and_reproductions(fakes, tmp_path):
    result = run(
        "--accountant",
        f"{fakes}:unsound",
        "--problem",
        "parity-pool",
        "--json",
        "-o",
        "court.html",
        "--reproductions",
        "found",
        cwd=tmp_path,
    )
    assert (result.returncode, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert [one["verdict"] for one in found["questions"][0]["rulings"]] == ["unsound"]
    assert (tmp_path / "court.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    program, report = sorted((tmp_path / "found").iterdir(), key=lambda path: path.suffix, reverse=True)
    assert program.read_text(encoding="utf-8") == found["reproductions"][0]["program"]
    assert found["reproductions"][0]["program"].rstrip() in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--accountant", "nobody"], "accountant = nobody"),
        (["--accountant", "absent.py:f"], "absent.py:f"),
        (["--problem", "nothing"], "problem = nothing"),
        (["--seconds", "0"], "seconds = 0"),
        (["--seconds", "x"], "seconds = x"),
        (["-o", "court.txt"], "output = court.txt"),
        (["--problem", "parity-pool", "--accountant", "opendp", "-o", "absent/court.md"], "absent/court.md"),
        (["--no-shrink", "--reproductions", "d"], "--no-shrink"),
        (["--reproductions", "/dev/null"], "reproductions = /dev/null"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["court", *arguments])
    out, err = capsys.readouterr()
    assert (end.value.code, out, err.count("\n")) == (2, "", 1)
    assert words in err and "Traceback" not in err
