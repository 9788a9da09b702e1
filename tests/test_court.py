"""The court: its truths against enumeration at 60 digits, its rulings, its isolation, its reproductions, its pages."""

import ast
import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import mpmath
import pytest
from flint import arb

from crosscheck import export
from crosscheck.court import reproduction as reproduction_module
from crosscheck.court.accountant import accountant_from, accountant_of, known, metadata
from crosscheck.court.battery import BATTERY, chosen
from crosscheck.court.family import Bounds, case_from_json, check_case, exp_of, family_named, modules
from crosscheck.court.isolation import IsolatedAccountant
from crosscheck.court.judgment import judgment
from crosscheck.court.page import as_csv, as_html, as_markdown, as_text
from crosscheck.court.ruling import judged, rulings_of
from crosscheck.court.truth import Truth
from crosscheck.court.worker import number_text
from exact.errors import InputError
from exact.laws.families import law_of_bernoulli, law_of_poisson
from exact.laws.law import shift
from exact.numbers.real import real

PROGRAM = Path(sys.executable).parent / "panshuffle"


def ask(family, quantity, at, k=1, **letters):
    return family_named(family).case(quantity, at, k, **letters)


def enumerated(upper, lower, k, eps):
    """The sum over all k-tuples of the positive parts, at 60 digits."""
    factor, total = mpmath.exp(mpmath.mpf(eps)), mpmath.mpf(0)
    for outcomes in product(upper, repeat=k):
        gain = mpmath.fprod(upper[x] for x in outcomes)
        gain -= factor * mpmath.fprod(lower.get(x, mpmath.mpf(0)) for x in outcomes)
        total += max(gain, mpmath.mpf(0))
    return total


def coins(l):
    masses = {x: mpmath.mpf(comb(l, x)) / 2**l for x in range(l + 1)}
    return masses, {x + 1: mass for x, mass in masses.items()}


def poisson_pool(mu, size):
    b = [mpmath.exp(-mu) * mpmath.mpf(mu) ** x / mpmath.factorial(x) for x in range(size)]
    cells = list(product(range(size), repeat=2))
    return {(x + 1, y): b[x] * b[y] for x, y in cells}, {(x, y + 1): b[x] * b[y] for x, y in cells}


def noise(weight, reach):
    """Noise with this weight on the integers, and the same moved by 1."""
    weights = {v: weight(v) for v in range(-reach, reach + 1)}
    total = mpmath.fsum(weights.values())
    return {v: w / total for v, w in weights.items()}, {v + 1: w / total for v, w in weights.items()}


def parity_pool(users, holders, m, q):
    """The law of the number of ones, over all messages of all users."""
    masses = {}
    for bits in product((0, 1), repeat=users * m):
        chance = mpmath.mpf(1)
        for user in range(users):
            odd = sum(bits[user * m : (user + 1) * m]) % 2
            share = mpmath.mpf(1) / 2 if user < holders else (1 - q) / 2
            chance *= (share if odd else 1 - share) / 2 ** (m - 1)
        masses[sum(bits)] = masses.get(sum(bits), mpmath.mpf(0)) + chance
    return masses


def small_cases():
    """(question, its delta by enumeration, what is left out of the enumeration)."""
    half = mpmath.mpf(1) / 2
    yield ask("binomial", "delta", 0.75, l=7), enumerated(*coins(7), 1, 0.75)
    yield ask("binomial", "delta", 0.75, k=2, l=7), enumerated(*coins(7), 2, 0.75)
    yield ask("binomial", "delta", 2.0, k=4, l=5), enumerated(*coins(5), 4, 2.0)
    yield ask("poisson-pool", "delta", 0.75, mu=2.0), enumerated(*poisson_pool(2, 50), 1, 0.75)
    yield ask("poisson-pair", "delta", 1.5, mu=0.125), enumerated(*poisson_pool(mpmath.mpf(1) / 8, 14), 2, 1.5)
    q = mpmath.mpf(0.9)
    pair = parity_pool(3, 2, 2, q), parity_pool(3, 1, 2, q)
    yield ask("parity-pool", "delta", 0.25, users=3, holders=1, m=2, q=0.9), enumerated(*pair, 1, 0.25)
    lie = mpmath.mpf(0.3)
    answers = {0: 1 - lie, 1: lie}, {0: lie, 1: 1 - lie}
    yield ask("randomized-response", "delta", 1.0, k=6, p=0.3), enumerated(*answers, 6, 1.0)
    yield (
        ask("geometric", "delta", 2.0, k=2, a=1.5),
        enumerated(*noise(lambda v: mpmath.exp(-1.5 * abs(v)), 45), 2, 2.0),
    )
    bell = noise(lambda v: mpmath.exp(-half * v * v / mpmath.mpf(0.7) ** 2), 12)
    yield ask("discrete-gaussian", "delta", 3.0, k=2, sigma=0.7), enumerated(*bell, 2, 3.0)
    mu, eps = mpmath.sqrt(3) / 2, mpmath.mpf(4)
    normal = mpmath.ncdf(mu / 2 - eps / mu) - mpmath.exp(eps) * mpmath.ncdf(-mu / 2 - eps / mu)
    yield ask("gaussian", "delta", 4.0, k=3, sigma=2.0), normal


def test_both_exact_methods_enclose_what_enumeration_gives():
    with mpmath.workdps(60):
        cases = list(small_cases())
        noise_families = {name for name, module in modules().items() if module.FAMILY.group == "noise"}
        assert {question.family.name for question, _ in cases} == noise_families  # the others: test_court_shuffle.py
        for question, expected in cases:
            truth = Truth(question)
            slack = mpmath.mpf(10) ** -20
            for bounds in (truth.value, truth.other):
                assert mpmath.mpf(bounds.lower.str(40, radius=False)) <= expected + slack, question
                assert mpmath.mpf(bounds.upper.str(40, radius=False)) >= expected - slack, question
            width = float(truth.value.upper - truth.value.lower)
            assert width <= 2e-6 * float(expected), question
            assert float(truth.other.lower) >= 0.99 * float(expected), question
            assert float(truth.other.upper) <= 1.03 * float(expected), question
            assert truth.agreed


@pytest.mark.parametrize(
    ("question", "published"),
    [
        (ask("randomized-response", "delta", 90.0, k=200, p=0.3775406687981454), "6.107e-29"),
        (ask("gaussian", "delta", 7.437799, k=10**4, sigma=100.0), "2.43e-13"),
        (ask("binomial", "delta", 10.0, k=4096, l=10**4), "5.4e-14"),
        (ask("binomial", "delta", 0.2, k=2, l=10**4), "3.38e-15"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "2.9216"),
    ],
    ids=str,
)
def test_truths_that_others_have_measured(question, published):
    digits = len(published.partition("e")[0].replace(".", ""))
    assert float(f"{float(Truth(question).text[0]):.{digits - 1}e}") == float(published)


@pytest.mark.parametrize("problem", BATTERY, ids=lambda problem: problem.case.name)
def test_the_battery_is_valid_and_has_a_program_that_compiles(problem):
    question = problem.case
    check_case(question)
    assert case_from_json(json.loads(json.dumps(question.as_json()))) == question
    programs = [one.script(question) for one in known().values()]
    assert any(programs) or question.family is family_named("binomial")
    for text in filter(None, programs):
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert names & {"upper", "lower"}
        assert "crosscheck" not in text and "panshuffle" not in text


def test_the_battery_names_are_unique_and_cover_every_family():
    names = [problem.case.name for problem in BATTERY]
    assert len(set(names)) == len(names)
    assert {problem.case.family.name for problem in BATTERY} == set(modules())
    assert {question.family.name for question in chosen(None, True)} == set(modules())
    assert [module.FAMILY.place for module in modules().values()] == list(range(len(modules())))


@pytest.mark.parametrize(
    "question",
    [
        ask("binomial", "delta", 1.0, n=1),
        ask("binomial", "delta", 1.0, l=0),
        ask("binomial", "delta", 1.0, l=1.5),
        ask("binomial", "delta", -1.0, l=1),
        ask("binomial", "delta", float("nan"), l=1),
        ask("binomial", "epsilon", 2.0, l=1),
        ask("binomial", "risk", 1.0, l=1),
        ask("binomial", "delta", 1.0, k=0, l=1),
        ask("binomial", "delta", 1.0, k=3, l=10**6),
        ask("poisson-pair", "delta", 1.0, mu=1e3),
        ask("randomized-response", "delta", 1.0, p=0.5),
        ask("gaussian", "delta", 1.0, sigma=float("inf")),
        ask("discrete-gaussian", "delta", 1.0, sigma=1e6),
        ask("parity-pool", "delta", 1.0, users=2, holders=2, m=1, q=0.5),
        ask("parity-pool", "delta", 1.0, k=2, users=2, holders=1, m=1, q=0.5),
    ],
    ids=str,
)
def test_a_question_that_is_not_allowed_is_refused(question):
    with pytest.raises(InputError):
        check_case(question)


def test_a_family_that_is_not_known_is_refused():
    with pytest.raises(InputError, match="family = unknown is not known: it must be one of binomial, poisson-pool"):
        ask("unknown", "delta", 1.0, l=1)


# The truth of this question is (3/4)^2 - e (1/4)^2 = 0.39260...
RESPONSE = ask("randomized-response", "delta", 1.0, k=2, p=0.25)


@pytest.mark.parametrize(
    ("side", "claim", "verdict"),
    [
        ("upper", "0.3927", "sound"),
        ("upper", "1/1", "sound"),
        ("upper", "inf", "sound"),
        ("upper", "0.3926", "unsound"),
        ("upper", "0.0", "unsound"),
        ("upper", "-1e-15", "unsound"),
        ("upper", "-inf", "unsound"),
        ("upper", "nan", "no number"),
        ("lower", "0.3926", "sound"),
        ("lower", "-1.0", "sound"),
        ("lower", "0.3927", "unsound"),
        ("lower", "inf", "unsound"),
    ],
)
def test_rulings_on_a_delta(side, claim, verdict):
    exact = 9 / 16 - 2.718281828459045 / 16
    assert 0.3926 < exact < 0.3927
    assert judged(Truth(RESPONSE), "x", side, claim).verdict == verdict


@pytest.mark.parametrize("parts", [1e-7, 1e-9, 1e-12])
def test_what_rounding_may_explain_is_no_accusation(parts):
    with mpmath.workdps(40):
        exact = mpmath.mpf(9) / 16 - mpmath.e / 16
        below, above = repr(float(exact * (1 - parts))), repr(float(exact * (1 + parts)))
    truth = Truth(RESPONSE)
    assert [judged(truth, "x", "upper", text).verdict for text in (below, above)] == ["within rounding", "sound"]
    assert [judged(truth, "x", "lower", text).verdict for text in (below, above)] == ["sound", "within rounding"]


@pytest.mark.parametrize(
    ("question", "side", "claim", "verdict"),
    [
        # eps at delta = 0 of 20 fair lies with p = 1/4 is 20 ln 3 = 21.97224577336219...
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.972245773362", "within rounding"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.9722457734", "sound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.972", "unsound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "inf", "sound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "lower", "21.9", "sound"),
        # one lie has the ratio 3 or 1/3, so that delta is 0 from ln 3 = 1.0986... on
        (ask("randomized-response", "epsilon", 1e-6, p=0.25), "lower", "3.0", "unsound"),
        (ask("geometric", "epsilon", 1e-6, k=2, a=0.5), "lower", "40.0", "unsound"),
        # no eps has delta = 0: the outcome l + 1 is missed by one law
        (ask("binomial", "epsilon", 0.0, l=20), "upper", "50.0", "unsound"),
        (ask("binomial", "epsilon", 0.0, l=20), "upper", "inf", "sound"),
        (ask("binomial", "epsilon", 0.0, l=20), "lower", "50.0", "sound"),
        # 2^-20 = 9.5e-7 is the mass of that outcome
        (ask("binomial", "epsilon", 9e-7, l=20), "upper", "50.0", "unsound"),
        (ask("binomial", "epsilon", 1e-6, l=20), "upper", "50.0", "sound"),
        # sigma = 5, ten times, delta = 1e-6: eps = 2.92160...
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "2.9217", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "2.9215", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "-0.0048", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "2.9215", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "2.9217", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "1e300", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "-inf", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "inf", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "-inf", "sound"),
    ],
)
def test_rulings_on_an_epsilon(question, side, claim, verdict):
    assert judged(Truth(question), "x", side, claim).verdict == verdict


@pytest.mark.parametrize("lower", ["0.2", "0.39260"])
def test_nobody_is_accused_where_the_second_method_does_not_agree(lower):
    def second(case, exp_eps):
        return Bounds(arb(lower), arb(lower) + arb("0.0000005"))

    other = replace(RESPONSE, family=replace(RESPONSE.family, second=second))
    ruling = judged(Truth(other), "x", "upper", "0.392600001")
    assert ruling.verdict == "undecided"
    assert judged(Truth(other), "x", "upper", "0.5").verdict == "undecided"


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
        [sys.executable, "-c", reproduction.program], capture_output=True, text=True, check=True, cwd="/"
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
    assert one.name == "test_court:bound_of_one"
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
    return subprocess.run([PROGRAM, "court", *arguments], capture_output=True, text=True, check=False, cwd=cwd)


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
def test_bad_input_gets_one_sentence(arguments, words, tmp_path):
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert words in result.stderr and result.stderr.count("\n") == 1 and "Traceback" not in result.stderr


def test_exported_masses_are_rounded_to_the_side_that_was_asked_for():
    upper, lower = law_of_poisson(real(3)), shift(law_of_poisson(real(3)), 1)
    with mpmath.workdps(60):
        for pessimistic in (True, False):
            above, below = export.log_masses(upper, lower, pessimistic)
            for x in range(20):
                exact = x * mpmath.log(3) - 3 - mpmath.log(mpmath.factorial(x))
                for found, up in ((above[x], pessimistic), (below[x + 1], not pessimistic)):
                    assert (mpmath.mpf(found) >= exact) if up else (mpmath.mpf(found) <= exact)
                    assert abs(mpmath.mpf(found) - exact) < 1e-14
            assert (export.REST in above) == pessimistic
            assert (0 in below) != pessimistic  # an outcome that the list of the lower law misses is not infinite loss


def test_the_export_says_that_dp_accounting_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    law = law_of_bernoulli(real("1/2"))
    with pytest.raises(InputError, match="not installed"):
        export.to_dp_accounting(law, law)


def test_the_place_of_a_question_is_the_double_itself():
    assert exp_of(0.5) == exp_of(float(Fraction(1, 2)))
    assert exp_of(0.1) != exp_of(float(Fraction(1, 10)) + 2**-56)
