"""The benchmark of accountants: its truths against enumeration at 60 digits, its grades, and its command."""

import json
import runpy
import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import comb, log
from pathlib import Path

import mpmath
import pytest
from panshuffle.crosscheck import export
from panshuffle.crosscheck.accountants import adapters
from panshuffle.crosscheck.accountants.adapters import ACCOUNTANTS, accountant_named
from panshuffle.crosscheck.accountants.grades import Truth
from panshuffle.crosscheck.accountants.questions import DELTA, EPSILON, MECHANISMS, QUESTIONS, ask, chosen
from panshuffle.crosscheck.accountants.session import Session, text_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import law_of_bernoulli, law_of_poisson, shift
from panshuffle.exact.real import real

from panshuffle.main import main
from tests.conftest import FULL
from tests.every import every

PROGRAM = Path(sys.executable).parent / "panshuffle"
EXAMPLES = Path(__file__).parents[2] / "examples" / "accountants"
# The truth of this question is (3/4)^2 - e (1/4)^2 = 0.39260...
RESPONSE = ask("randomized-response", DELTA, 1.0, k=2, p=0.25)


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


def seen(data, report):
    """The law of the sorted reports of all users, from that of the report of somebody who holds a value."""
    law = {(): mpmath.mpf(1)}
    for held in data:
        longer = {}
        for (before, mass), (word, chance) in product(law.items(), report(held).items()):
            key = tuple(sorted((*before, word)))
            longer[key] = longer.get(key, mpmath.mpf(0)) + mass * chance
        law = longer
    return law


def largest_delta(backgrounds, values, report, factor):
    """The largest divergence over these backgrounds and all pairs of values."""
    found = mpmath.mpf(0)
    for others, a, b in product(backgrounds, range(values), range(values)):
        upper, lower = seen((a, *others), report), seen((b, *others), report)
        found = max(found, mpmath.fsum(max(upper[key] - factor * lower[key], 0) for key in upper))
    return found


def one_report(true, lie, values):
    """k-ary response."""
    return lambda held: {value: true if value == held else lie for value in range(values)}


def own_bit(own, other, values):
    """A bit for each value, with the probabilities that the own bit and another one are set."""

    def report(held):
        chances = [own if value == held else other for value in range(values)]
        return {
            bits: mpmath.fprod(chance if bit else 1 - chance for bit, chance in zip(bits, chances, strict=True))
            for bits in product((0, 1), repeat=values)
        }

    return report


def small_cases():
    """Questions and their deltas by enumeration."""
    half = mpmath.mpf(1) / 2
    yield ask("binomial-noise", "delta", 0.75, l=7), enumerated(*coins(7), 1, 0.75)
    yield ask("binomial-noise", "delta", 0.75, k=2, l=7), enumerated(*coins(7), 2, 0.75)
    yield ask("binomial-noise", "delta", 2.0, k=4, l=5), enumerated(*coins(5), 4, 2.0)
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
    factor, p = mpmath.exp(mpmath.mpf(0.25)), mpmath.exp(mpmath.mpf(1.5))
    for values, n in ((2, 4), (3, 3), *([(4, 3)] if FULL else [])):
        report = one_report(p / (p + values - 1), 1 / (p + values - 1), values)
        delta = largest_delta(product(range(values), repeat=n - 1), values, report, factor)
        yield ask("shuffled-response", DELTA, 0.25, values=values, n=n, eps0=1.5), delta
    own, other = mpmath.sqrt(p) / (1 + mpmath.sqrt(p)), 1 / (1 + mpmath.sqrt(p))
    delta = largest_delta(product(range(3), repeat=1), 3, own_bit(own, other, 3), factor)
    yield ask("symmetric-unary", DELTA, 0.25, values=3, n=2, eps0=1.5), delta
    delta = largest_delta([(None, None)], 2, own_bit(mpmath.mpf(0.875), mpmath.mpf(0.125), 2), factor)
    yield ask("flipped-bits", DELTA, 0.25, n=3, f=0.125), delta


def test_the_truth_is_what_enumeration_gives():
    with mpmath.workdps(60):
        cases = list(small_cases())
        assert {question.mechanism for question, _ in cases} == set(MECHANISMS)
        for question, expected in cases:
            lower, upper = (mpmath.mpf(end.numerator) / end.denominator for end in Truth(question).ends)
            slack = mpmath.mpf(10) ** -20
            assert lower <= expected + slack, question
            assert upper >= expected - slack, question
            assert upper - lower <= 2e-6 * expected, question


@pytest.mark.parametrize(
    ("question", "published"),
    [
        (ask("randomized-response", "delta", 90.0, k=200, p=0.3775406687981454), "6.107e-29"),
        (ask("gaussian", "delta", 7.437799, k=10**4, sigma=100.0), "2.43e-13"),
        *([(ask("binomial-noise", "delta", 10.0, k=4096, l=10**4), "5.4e-14")] if FULL else []),
        (ask("binomial-noise", "delta", 0.2, k=2, l=10**4), "3.38e-15"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "2.9216"),
        (ask("shuffled-response", DELTA, log(1.75), values=3, n=2, eps0=log(2)), "0.03125"),
    ],
    ids=str,
)
def test_truths_that_others_have_measured(question, published):
    digits = len(published.partition("e")[0].replace(".", "").lstrip("0"))
    assert float(f"{float(Truth(question).text[0]):.{digits - 1}e}") == float(published)


def test_the_questions_have_names_of_their_own_and_each_mechanism_has_one():
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS)
    assert {question.mechanism for question in QUESTIONS} == set(MECHANISMS)
    assert set(chosen(["noise"])) | set(chosen(["shuffle"])) == set(QUESTIONS) == set(chosen(None))
    assert all(chosen([question.name]) == (question,) for question in QUESTIONS)


@every(
    ("side", "claim", "verdict"),
    [
        ("upper", "0.3927", "sound"),
        ("upper", "1/1", "loose"),
        ("upper", "inf", "loose"),
        ("upper", "0.3926", "unsound"),
        ("upper", "0.0", "unsound"),
        ("upper", "-1e-15", "unsound"),
        ("upper", "-inf", "unsound"),
        ("upper", "nan", "failed"),
        ("lower", "0.3926", "sound"),
        ("lower", "-1.0", "loose"),
        ("lower", "0.3927", "unsound"),
        ("lower", "inf", "unsound"),
    ],
)
def test_grades_of_a_delta(side, claim, verdict):
    exact = 9 / 16 - 2.718281828459045 / 16
    assert 0.3926 < exact < 0.3927
    assert Truth(RESPONSE).grade(side, claim).verdict == verdict


@pytest.mark.parametrize("parts", [1e-7, 1e-9, 1e-12])
def test_what_rounding_may_explain_is_not_unsound(parts):
    with mpmath.workdps(40):
        exact = mpmath.mpf(9) / 16 - mpmath.e / 16
        below, above = repr(float(exact * (1 - parts))), repr(float(exact * (1 + parts)))
    truth = Truth(RESPONSE)
    assert [truth.grade("upper", text).verdict for text in (below, above)] == ["rounding", "sound"]
    assert [truth.grade("lower", text).verdict for text in (below, above)] == ["sound", "rounding"]


@every(
    ("question", "side", "claim", "verdict"),
    [
        # eps at delta = 0 of 20 fair lies with p = 1/4 is 20 ln 3 = 21.97224577336219...
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.972245773362", "rounding"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.9722457734", "sound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "21.972", "unsound"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "upper", "inf", "loose"),
        (ask("randomized-response", "epsilon", 0.0, k=20, p=0.25), "lower", "21.9", "sound"),
        # one lie has the ratio 3 or 1/3, so that delta is 0 from ln 3 = 1.0986... on
        (ask("randomized-response", "epsilon", 1e-6, p=0.25), "lower", "3.0", "unsound"),
        (ask("geometric", "epsilon", 1e-6, k=2, a=0.5), "lower", "40.0", "unsound"),
        # no eps has delta = 0: the outcome l + 1 is missed by one law
        (ask("binomial-noise", "epsilon", 0.0, l=20), "upper", "50.0", "unsound"),
        (ask("binomial-noise", "epsilon", 0.0, l=20), "upper", "inf", "sound"),
        (ask("binomial-noise", "epsilon", 0.0, l=20), "lower", "50.0", "sound"),
        # 2^-20 = 9.5e-7 is the mass of that outcome
        (ask("binomial-noise", "epsilon", 9e-7, l=20), "upper", "50.0", "unsound"),
        (ask("binomial-noise", "epsilon", 1e-6, l=20), "upper", "50.0", "loose"),
        # sigma = 5, ten times, delta = 1e-6: eps = 2.92160...
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "2.9217", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "2.9215", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "-0.0048", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "2.9215", "sound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "2.9217", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "1e300", "loose"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "upper", "-inf", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "inf", "unsound"),
        (ask("gaussian", "epsilon", 1e-6, k=10, sigma=5.0), "lower", "-inf", "loose"),
    ],
)
def test_grades_of_an_epsilon(question, side, claim, verdict):
    assert Truth(question).grade(side, claim).verdict == verdict


def test_an_answer_between_the_ends_is_undecided():
    truth = Truth(ask("shuffled-response", EPSILON, 1e-6, values=4, n=1000, eps0=1.0))
    lower, upper = map(float, truth.text)
    assert lower < 0.11775 < upper
    assert truth.grade("upper", "0.11775").verdict == "undecided"
    assert truth.grade("lower", "0.11775").verdict == "undecided"


def test_more_digits_than_are_shown_are_decided():
    """eps at delta = 1e-6 is 21.97193038677..., of which seven digits are shown."""
    truth = Truth(ask("randomized-response", EPSILON, 1e-6, k=20, p=0.25))
    p, q = Fraction(3, 4) ** 20, Fraction(1, 4) ** 20
    with mpmath.workdps(30):
        exact = mpmath.log((mpmath.mpf(p.numerator) / p.denominator - mpmath.mpf(1e-6)) * q.denominator / q.numerator)
        texts = [repr(float(exact * (1 + by))) for by in (-1e-8, 1e-8)]
    assert [truth.grade("upper", text).verdict for text in texts] == ["unsound", "sound"]
    assert [truth.grade("lower", text).verdict for text in texts] == ["sound", "unsound"]


def test_a_bound_far_from_the_truth_is_loose():
    truth = Truth(RESPONSE)
    assert [truth.grade("upper", text).verdict for text in ("0.4", "0.44", "1", "inf")] == ["sound"] + ["loose"] * 3
    assert [truth.grade("lower", text).verdict for text in ("0.39", "0.3", "0")] == ["sound", "loose", "loose"]


def test_the_harm_is_said():
    normal = Truth(ask("gaussian", EPSILON, 1e-13, k=10**4, sigma=100.0))
    assert normal.grade("upper", "7.437799").says.endswith(", 2.43 times the target")
    assert normal.grade("upper", "-1").says.startswith("the true delta at eps = 0 is 0.382924")
    assert Truth(RESPONSE).grade("upper", "0.1").says == "the truth is 3.926 times that"
    assert Truth(RESPONSE).grade("upper", "-1e-15").says == "the truth is above 0"
    assert Truth(RESPONSE).grade("lower", "0.5").says == "1.274 times the truth"


FAKES = """
import os, sys, time

def loose(question):
    return 1.0

def unsound(question):
    return 0.0

def negative(question):
    print("garbage", flush=True)
    os.write(1, b"more garbage\\n")
    sys.stderr.write("and more")
    return -1e-20

def both(question):
    return {"upper": 0.4, "lower": 0.39}

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
"""
VERDICTS = {
    "loose": ["loose"],
    "unsound": ["unsound"],
    "negative": ["unsound"],
    "both": ["sound", "sound"],
    "raises": ["failed"],
    "dies": ["failed"],
    "killed": ["failed"],
    "hangs": ["failed"],
    "hoards": ["failed"],
    "refuses": ["refused"],
    "silent": [],
    "nan": ["failed"],
    "text": ["failed"],
}


@pytest.fixture(scope="module")
def fakes(tmp_path_factory):
    path = tmp_path_factory.mktemp("fakes") / "fakes.py"
    path.write_text(FAKES, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", VERDICTS)
def test_what_an_accountant_may_do(fakes, name):
    """It is asked twice: nothing is broken by its first answer."""
    with Session(accountant_named(f"{fakes}:{name}"), 1.0) as session:
        replies = [session.ask(RESPONSE) for _ in range(1 if name == "hangs" else 2)]
    for reply in replies:
        found = [Truth(RESPONSE).grade(side, end).verdict for side, end in reply.get("ends", {}).items()]
        assert (found if "ends" in reply else [reply["verdict"]]) == VERDICTS[name]
        assert "ends" in reply or reply["says"]


def test_an_accountant_that_can_not_be_loaded_fails_at_each_question(fakes):
    broken = fakes.with_name("broken.py")
    broken.write_text("def answer(question):\n    return 1\n", encoding="utf-8")
    one = accountant_named(f"{broken}:answer")
    broken.unlink()
    with Session(one, 1.0) as session:
        assert [session.ask(RESPONSE)["verdict"] for _ in range(2)] == ["failed", "failed"]


def test_numbers_are_kept_exactly():
    assert text_of(Fraction(1, 3)) == "1/3"
    assert text_of(10**30) == str(10**30)
    assert float(text_of(0.1)) == 0.1
    assert [text_of(value) for value in (True, "1", None, [1, 2], 1j)] == [None] * 5


@pytest.mark.parametrize("command", ["accountants", "court"])
def test_the_command_says_what_was_found(fakes, command):
    who = [*("--accountant", f"{fakes}:unsound"), *("--accountant", f"{fakes}:loose"), "--question", "parity-pool"]

    def said(*more):
        result = subprocess.run(
            [PROGRAM, command, *who, *more], capture_output=True, text=True, timeout=120, check=True
        )
        assert result.stderr == ""
        return result.stdout

    (question,) = json.loads(said("--json"))["questions"]
    assert [one["verdict"] for one in question["answers"]] == ["unsound", "loose"]
    assert float(question["truth"]["lower"]) == pytest.approx(0.00030573, rel=1e-4)
    text = said()
    assert "unsound  the truth is above 0" in text and "the truth  " in text
    assert text.endswith("fakes:loose yours: 1 loose\n")


def test_what_is_not_installed_is_said_in_one_sentence(capsys, monkeypatch):
    monkeypatch.setattr(adapters, "find_spec", lambda name: None)
    with pytest.raises(SystemExit) as end:
        main(["accountants", "--question", "parity-pool"])
    out, err = capsys.readouterr()
    assert (end.value.code, err) == (0, "")
    last = out.splitlines()[-1]
    assert last.startswith("not here: dp-accounting, ") and "(pip install 'panshuffle[accountants]')" in last
    assert all(name in last for name in ACCOUNTANTS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--accountant", "nobody"], "accountant = nobody"),
        (["--accountant", "absent.py:f"], "absent.py:f"),
        (["--question", "nothing"], "question = nothing"),
        (["--seconds", "0"], "seconds = 0"),
        (["--seconds", "x"], "seconds = x"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, words, capsys):
    with pytest.raises(SystemExit) as end:
        main(["accountants", *arguments])
    out, err = capsys.readouterr()
    assert (end.value.code, out, err.count("\n")) == (2, "", 1)
    assert words in err and "Traceback" not in err


def example(name):
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


@pytest.mark.parametrize("eps", [7.437799, 7.5, 8.0])
def test_the_program_on_gaussian_noise_knows_the_truth(eps):
    _, upper = Truth(ask("gaussian", DELTA, eps, k=10**4, sigma=100.0)).ends
    assert upper * (1 - Fraction(1, 10**9)) <= example("dp_accounting_gaussian")["least_delta"](Fraction(eps)) <= upper


@pytest.mark.parametrize("eps", [70.8516, 90.0])
def test_the_program_on_randomized_response_knows_the_truth(eps):
    _, upper = Truth(ask("randomized-response", DELTA, eps, k=200, p=0.3775406687981454)).ends
    found = example("dp_accounting_randomized_response")["least_delta"](Fraction(eps))
    assert upper * (1 - Fraction(1, 10**9)) <= found <= upper


@pytest.mark.parametrize("eps", [1.05e-6, 0.125])
def test_the_program_on_clones_knows_the_truth(eps):
    """Against all backgrounds of 100 users, at the double next to ln 3; all others alike is the worst at small eps."""
    lower, upper = Truth(ask("shuffled-response", DELTA, eps, values=2, n=100, eps0=log(3))).ends
    found = example("apple_clones")["least_delta"](Fraction(eps))
    assert Fraction(9, 10) * lower <= found <= upper * (1 + Fraction(1, 10**9))


def test_the_program_on_three_values_knows_the_truth():
    assert example("variation_ratio")["true_delta"]() == Fraction(1, 32)


@every("path", sorted(EXAMPLES.glob("*.py")))
def test_the_programs_need_nothing_of_ours(path):
    text = path.read_text(encoding="utf-8")
    assert "panshuffle" not in text and "from fractions import Fraction" in text


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
