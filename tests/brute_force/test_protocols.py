"""Every protocol: its exact law by enumeration, its samples against the law, and broken copies found out.

The false-alarm probability of each sampled test is at most 1e-9, whatever the number of runs.
"""

from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from panshuffle.protocols.randomness.coins import Coins

from panshuffle.arguments import PROTOCOLS
from tests.brute_force.counts import check_counts
from tests.brute_force.enumeration import law_of
from tests.conftest import FULL
from tests.every import every

FOLDER = Path(__file__).parent / "cases"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
CASES = {
    f"{name}: {case}": value
    for name in NAMES
    for case, value in import_module(f"tests.brute_force.cases.{name}").CASES.items()
}
BROKEN = {f"{case}: {bug}": (CASES[case], sample) for case in CASES for bug, sample in CASES[case].broken.items()}


def counts(sample, runs):
    coins = Coins()
    return Counter(sample(coins) for _ in range(runs))


def test_every_protocol_has_cases():
    assert [name.replace("_", "-") for name in NAMES] == sorted(PROTOCOLS)
    assert all(case.broken for case in CASES.values())


@every("name", CASES)
def test_law_sums_to_one(name):
    assert abs(1 - sum(CASES[name].law.values())) < 1e-6


@every("name", [name for name, case in CASES.items() if case.enumerable])
def test_enumeration_of_all_coins_gives_the_law(name):
    law = {outcome: mass for outcome, mass in CASES[name].law.items() if mass}
    assert law_of(CASES[name].sample) == law


@pytest.mark.parametrize("name", CASES)
def test_samples_are_consistent_with_the_law(name, sweep_factor):
    """Where all coins are enumerated too, which is exact, a short sweep shows only that real coins do the same."""
    case = CASES[name]
    short = 1 if FULL else 80 if case.enumerable else 16
    answer = check_counts(case.law, counts(case.sample, case.runs * sweep_factor // short))
    assert answer.consistent, answer


@pytest.mark.parametrize("name", [*BROKEN][:: 1 if FULL else 3])
def test_a_broken_copy_is_found_out(name):
    case, sample = BROKEN[name]
    seen, runs = Counter(), 1000
    while seen.total() < case.runs and check_counts(case.law, seen := seen + counts(sample, runs)).consistent:
        runs = min(2 * runs, case.runs - seen.total())
    assert not check_counts(case.law, seen).consistent
