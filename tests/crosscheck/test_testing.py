"""The assertions and fixtures for other people's tests, on protocols that hypothesis generates."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from panshuffle.crosscheck.examination import examine
from panshuffle.crosscheck.runs import run_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.two_bit_sum import TwoBitSum

from panshuffle.arguments import PROTOCOLS
from panshuffle.card import Model, card, card_of, reference_of
from panshuffle.output import jsonable
from panshuffle.testing import assert_independent, assert_law, assert_protocol
from tests.conftest import FULL
from tests.crosscheck.strategies import datasets, neighbours, protocols, rows, small

pytest_plugins = ["pytester"]
DIE = {face: Fraction(1, 6) for face in "abcdef"}


def test_a_fair_die_passes_and_a_loaded_one_does_not():
    rng = Random(2)
    assert_law(lambda: rng.choice("abcdef"), DIE)
    with pytest.raises(AssertionError, match=r"inconsistent after .* runs: the outcome"):
        assert_law(lambda: rng.choice("abcdeff"), DIE)


def test_an_outcome_that_the_law_excludes_fails():
    rng = Random(2)
    with pytest.raises(AssertionError, match="gave 'g', which is not an outcome of the law"):
        assert_law(lambda: rng.choice("abcdefg"), DIE, runs=64)


@pytest.mark.parametrize(
    ("draw", "law"),
    [
        (lambda rng: rng.choice([0.9, 1.9]), "Bin(1, 1/2)"),
        (lambda rng: sum(rng.random() < 0.25 for _ in range(10)) + 0.99 * rng.random(), "Bin(10, 1/4)"),
        (lambda rng: rng.choice([-0.9, 1]), "Bin(1, 1/2)"),
        (lambda rng: float("nan"), "Bin(1, 1/2)"),
        (lambda rng: rng.choice("01"), "Bin(1, 1/2)"),
    ],
)
def test_an_outcome_that_is_no_whole_number_is_none_of_a_named_law(draw, law):
    rng = Random(2)
    with pytest.raises(AssertionError, match="whole number"):
        assert_law(lambda: draw(rng), law)
    assert_law(lambda: float(rng.randrange(2)), "Bin(1, 1/2)", runs=64)


def test_independence_is_tested():
    rng, coin = Random(3), {0: "1/2", 1: "1/2"}
    assert_independent(lambda: (rng.randrange(2), rng.randrange(2)), [coin, coin])
    with pytest.raises(AssertionError, match="independence within a run"):
        assert_independent(lambda: (rng.randrange(2),) * 2, [coin, coin])


def test_runs_that_depend_on_earlier_ones_fail():
    state = [0]

    def alternating():
        state[0] = 1 - state[0]
        return state[0]

    with pytest.raises(AssertionError, match="run"):
        assert_law(alternating, {0: "1/2", 1: "1/2"})


def test_a_protocol_is_tested():
    rng = Random(4)

    def run(p):
        ones = 2 + sum(rng.random() < p for _ in range(6))
        return {"pools": {"1": [12 - ones, ones]}}

    assert_protocol(lambda: run(1 / 3), BinarySum(6, real("1/3")), [1, 1, 0, 0, 0, 0], runs=512)
    with pytest.raises(AssertionError, match="p fits 0"):
        assert_protocol(lambda: run(1 / 6), BinarySum(6, real("1/3")), [1, 1, 0, 0, 0, 0])


@pytest.mark.parametrize("law", [{}, {0: "1/2"}, {0: "3/2", 1: "-1/2"}])
def test_laws_that_are_none_are_refused(law):
    with pytest.raises(InputError):
        assert_law(lambda: 0, law)
    with pytest.raises(InputError):
        assert_law(lambda: 0, {0: 1}, runs=0)


def test_the_fixtures_are_there_for_others(pytester):
    pytester.makepyfile(
        """
        import random

        def test_right(assert_law):
            assert_law(lambda: random.randrange(3), {0: "1/3", 1: "1/3", 2: "1/3"})

        def test_wrong(assert_law):
            assert_law(lambda: random.randrange(2), {0: "1/3", 1: "1/3", 2: "1/3"})
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--crosscheck-runs=500")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*inconsistent after * runs: the outcome*"])


def test_bad_options_are_usage_errors(pytester):
    pytester.makepyfile("def test_it(assert_law):\n    assert_law(lambda: 0, {0: 1})")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--crosscheck-alarm=3")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*--crosscheck-alarm must lie between 0 and 1*"])


NAMESAKES = {
    "exact.py": "ANSWER = 42\n",
    "crosscheck/__init__.py": "from crosscheck.runs import ANSWER\n",
    "crosscheck/runs.py": "from exact import ANSWER\n",
    "crosscheck/export.py": "ANSWER = 43\n",
}
OWN = "import crosscheck, exact\nassert crosscheck.ANSWER == exact.ANSWER == 42\n"
LATER = "    import exact\n    from crosscheck.export import ANSWER\n    assert (ANSWER, exact.ANSWER) == (43, 42)\n"
FAIR = "import random\ndef test_coin(assert_law):\n    assert_law(lambda: random.randrange(2), {0: '1/2', 1: '1/2'})\n"
LOADED = "import sys\nassert not {'exact', 'protocols', 'crosscheck'} & {*sys.modules}\n"


@pytest.mark.parametrize(
    "test",
    [
        LOADED + OWN + "def test_it():\n" + LATER,
        OWN + FAIR + LATER,
        FAIR + LATER,
        "from panshuffle.testing import assert_law\n" + FAIR.replace("(assert_law)", "()") + LATER + OWN,
    ],
    ids=["plugin-not-used", "theirs-first", "ours-first", "imported"],
)
def test_a_project_with_modules_of_our_names_is_not_disturbed(tmp_path, test):
    for name, text in {**NAMESAKES, "test_own.py": test}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    environment = dict(os.environ, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    command = [sys.executable, "-m", "pytest", "-p", "panshuffle.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_strategies_know_every_protocol():
    once = settings(max_examples=1, phases=[Phase.generate], database=None)
    for name in PROTOCOLS:
        assert isinstance(find(small(card(name)), lambda record: True, settings=once), card(name).records)


@given(st.data())
@settings(max_examples=60 if FULL else 12, deadline=None)
def test_generated_protocols_and_datasets_have_references(data):
    record = data.draw(protocols())
    first, second = data.draw(neighbours(record))
    assert len(first) == len(second) == rows(record)
    assert sum(a != b for a, b in zip(first, second, strict=True)) <= 1
    t = data.draw(st.integers(0, record.length)) if hasattr(record, "initial") else None
    reference = reference_of(record, data.draw(datasets(record)), t)
    totals = [sum(float(mass.mid()) for mass in law.masses) for law in reference.laws]
    assert all(abs(total - 1) < 1e-9 for total in totals)
    for laws in map(reference.listed_laws, reference.bugs):
        assert len(laws) == len(reference.laws)
        assert all(sum(float(mass.mid()) for mass in law.masses) <= 1 + 1e-9 for law in laws)


@given(st.data())
@settings(max_examples=40 if FULL else 10, deadline=None)
def test_runs_of_generated_protocols_are_possible(data):
    """No run of a reference protocol has an outcome that its reference excludes, or another output."""
    record = data.draw(protocols())
    rows_ = data.draw(datasets(record))
    runner = card_of(record).runner(record)
    t = runner.rows if card_of(record).model is Model.ONLINE else None
    reference, coins = reference_of(record, rows_, t), Coins(data.draw(st.integers(0, 2**32)))
    for _ in range(3):
        if isinstance(record, TwoBitSum) and record.p.fraction == Fraction(1, 2):
            return
        line = runner.once(rows_, coins, messages=card_of(record).model is Model.SHUFFLE, t=t)
        run = run_of(json.loads(json.dumps({key: jsonable(value) for key, value in line.items()})), "run")
        assert all(law.possible(x) for law, x in zip(reference.laws, reference.read(run), strict=True))
        if reference.output is not None:
            from panshuffle.crosscheck.reference.model import same

            assert same(reference.output(run), run.output)


@given(st.data())
@settings(max_examples=250 if FULL else 8, deadline=None)
def test_wrong_runs_of_generated_protocols_are_examined(data):
    """Runs on other data, one run again and again, or two in turn: whatever is said of them, it is said."""
    record = data.draw(protocols())
    rows_, other = data.draw(datasets(record)), data.draw(datasets(record))
    runner = card_of(record).runner(record)
    t = runner.rows if card_of(record).model is Model.ONLINE else None
    if isinstance(record, TwoBitSum) and record.p.fraction == Fraction(1, 2):
        return
    coins = Coins(data.draw(st.integers(0, 2**32)))

    def once(rows):
        line = runner.once(rows, coins, messages=card_of(record).model is Model.SHUFFLE, t=t)
        return run_of(json.loads(json.dumps({key: jsonable(value) for key, value in line.items()})), "run")

    again = data.draw(st.booleans())
    runs = [once(rows_), once(other)] * 30 if again else [once(other) for _ in range(60)]
    assert str(examine(reference_of(record, rows_, t), runs))


@pytest.mark.parametrize(
    "record", [HashedDistinctElements(1, 1, real(1), 1, real(1)), Binomial(1, 0, real(0))], ids=repr
)
def test_the_smallest_protocols_have_references(record):
    """k = 1, for which there is no factor modulo k; l = 0, of which nothing is so many percent."""
    reference = reference_of(record, [card_of(record).universe(record).value(0)], None)
    found = [*map(reference.listed_laws, reference.bugs), *(near.laws for near in reference.near)]
    assert found and all(len(laws) == len(reference.laws) for laws in found)


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("Ber(1/3)", lambda rng: rng.random() < 1 / 3),
        ("Bin(10, 1/3)", lambda rng: sum(rng.random() < 1 / 3 for _ in range(10))),
        ("Geo(1/2)", lambda rng: next(i for i in range(10**6) if rng.random() < 0.5)),
        ("NB(2, 1/2)", lambda rng: sum(next(i for i in range(10**6) if rng.random() < 0.5) for _ in range(2))),
        ("Unif(1, 6)", lambda rng: rng.randrange(1, 7)),
        ("DLap(1/2)", lambda rng: geometric_draw(rng) - geometric_draw(rng)),
        ("Pois(log(2))", lambda rng: poisson_draw(rng, 0.5)),
    ],
)
def test_laws_have_names(name, draw):
    rng = Random(1)
    assert_law(lambda: int(draw(rng)), name, runs=2000)
    with pytest.raises(AssertionError):
        assert_law(lambda: int(draw(rng)) + 1, name, runs=2000)


def geometric_draw(rng):
    return next(i for i in range(10**6) if rng.random() < 0.5)


def poisson_draw(rng, limit):
    """How many uniform numbers it takes until their product is below e^-mean."""
    product, count = rng.random(), 0
    while product > limit:
        product, count = product * rng.random(), count + 1
    return count


def test_the_skellam_law_is_the_difference_of_two_poisson_draws():
    rng = Random(2)
    assert_law(lambda: poisson_draw(rng, 0.5) - poisson_draw(rng, 0.5), "Skellam(2*log(2))", runs=2000)


@pytest.mark.parametrize("name", ["Cauchy(1)", "Pois", "Bin(3)", "Unif(3, 1)", "Bin(1/2, 1/2)"])
def test_names_of_laws_that_are_not_known_are_one_sentence(name):
    with pytest.raises(InputError):
        assert_law(lambda: 0, name)
