"""Extreme but valid command lines: an answer or a sentence, in little memory, and none for long in silence."""

import re
import subprocess
import sys

import pytest

from tests.conftest import FULL
from tests.faces.extremes import extreme_line

SEEDS = range(1000) if FULL else (3, 5, 9, 21, 31, 173, 204, 210, 799, 862)
PATIENCE = 45
"""Seconds; by then a long command has said twice that it goes on."""
LIMITED = ["sh", "-c", 'ulimit -d 1048576; exec "$@"', "sh"]
"""A gigabyte of memory, and no more."""


@pytest.mark.parametrize("seed", SEEDS)
def test_an_answer_or_a_sentence(seed):
    command = [*LIMITED, sys.executable, "-m", "panshuffle", *extreme_line(seed).split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        assert "still computing after 20 s" in process.communicate()[1]
        return
    assert "Traceback" not in err
    assert process.returncode in (0, 1, 2), err
    said = [line for line in err.splitlines() if "still computing" not in line]
    assert len(said) == (process.returncode == 2), err
    assert "memory" not in err
    assert bool(out) == (process.returncode != 2)
    assert not re.search(r"\bnan\b", out)
