"""The sixty questions of deployers: each within ten seconds of processor time, 500 megabytes and one per cent.

Each is asked in a process of its own, whose time and memory the system counts; how busy the machine is does not matter.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from panshuffle.arguments import PROTOCOLS
from panshuffle.study.study_file import read_study
from tests.conftest import FULL

EXAMPLE = Path(__file__).parents[2] / "examples" / "deployers.toml"
QUESTIONS = read_study(str(EXAMPLE)).questions
MOST_SECONDS, MOST_KILOBYTES, WIDEST = 10, 500_000, 0.01
SAMPLE = range(len(QUESTIONS)) if FULL else (1, 16, 18, 31, 36, 42, 50, 54, 59)
"""Of each kind some that take no time, or all."""
ANSWER = """
import json, resource, sys
from panshuffle.question import Question
from panshuffle.study.engine import outcome
from panshuffle.study.study_file import Entry
from panshuffle.study.table import row_of
entry = Entry(Question.of_json(sys.stdin.read()))
row = row_of(entry, outcome(entry.question), [])
used = resource.getrusage(resource.RUSAGE_SELF)
with open("/proc/self/status") as status:  # ru_maxrss has in it the memory of the process that this one was forked from
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(json.dumps([row, used.ru_utime + used.ru_stime, peak]))
"""


@pytest.mark.parametrize("number", SAMPLE)
def test_a_deployer_is_answered(number):
    """Ten seconds are of processor time, with the start of the program."""
    entry = QUESTIONS[number]
    limit = (resource.RLIMIT_CPU, (3 * MOST_SECONDS, 3 * MOST_SECONDS))
    process = subprocess.run(
        [sys.executable, "-c", ANSWER],
        input=entry.text,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(*limit),
    )
    row, seconds, kilobytes = json.loads(process.stdout)
    assert row["error"] is None
    assert seconds <= MOST_SECONDS
    assert kilobytes <= MOST_KILOBYTES
    lower, upper = float(row["lower"]), float(row["upper"])
    assert row["kind"] != "upper bound"
    assert 0 <= upper - lower <= WIDEST * upper


def test_the_sixty_questions_are_about_every_protocol_and_every_quantity():
    asked = [entry.question for entry in QUESTIONS]
    assert len(asked) == 60
    assert {question.kind for question in asked} == {"privacy", "calibrate", "accuracy", "plan"}
    assert {question.subject for question in asked if question.kind != "plan"} == set(PROTOCOLS)
