"""The same claim has the same answer and the same witness on every run, however names are hashed and cores are used."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from panshuffle.proofs.ledger import statement
from panshuffle.symbolic.ball import check_inequality
from panshuffle.symbolic.claim import claim
from panshuffle.symbolic.decision import Budget, Exhausted

from tests.conftest import FULL

ROOT = Path(__file__).parents[2]
SLUGS = ("cantelli", "statistic-decomposition", "compression-moments")
SLUGS += ("uniformity-privacy", "bounds-difference") if FULL else ()
PROGRAM = f"""
from panshuffle.proofs.ledger import statement
from panshuffle.proofs.verdict import result
for slug in {SLUGS!r}:
    found = statement(slug)
    for step in (*found.steps, *found.near_misses):
        print(result(step))
"""
BUSY = "while True: pass"


def answers(seed):
    """What every step of some statements comes to, with names hashed by a seed."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command, most = [sys.executable, "-c", PROGRAM], 3600 if FULL else 120
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, timeout=most)
    return done.stdout.decode().splitlines()


@contextmanager
def load():
    """More busy processes than cores."""
    cores = os.cpu_count() or 1
    processes = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2 * cores if FULL else cores + 1)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait(120)


def test_answers_and_witnesses_do_not_depend_on_hashes_or_load():
    first = answers(0)
    assert len(first) == sum(len(statement(slug).steps) + len(statement(slug).near_misses) for slug in SLUGS)
    assert sum("status='refuted'" in line for line in first) >= len(SLUGS)
    if FULL:
        assert answers(1) == first
    with load():
        assert answers(20) == first


@pytest.mark.long
def test_a_budget_is_spent_alike_each_time(monkeypatch):
    made = []
    start = Budget.__init__
    monkeypatch.setattr(Budget, "__init__", lambda self, *given: made.append(self) or start(self, *given))
    used = []
    for _ in range(2):
        made.clear()
        check_inequality(claim("q*log(q)^2 <= (1-q)^2", q="(0, 1)"))
        used.append([budget.used for budget in made])
    assert used[0] == used[1]
    assert max(used[0]) > 1000


def test_a_part_of_a_budget_takes_from_the_whole():
    whole = Budget(10)
    part = whole.part(4)
    part.spend(4)
    with pytest.raises(Exhausted) as end:
        part.spend()
    assert end.value.budget is part
    assert whole.used == 5
    late = whole.part(100)
    with pytest.raises(Exhausted) as end:
        late.spend(6)
    assert end.value.budget is whole
