"""How many runs it takes to find a parameter that is off, and what was not looked at."""

import json
import re
from math import log
from random import Random

import pytest
from panshuffle.crosscheck.examination import Examination, examine, power_sentence, powers
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.distinct_elements import DistinctElements

from panshuffle.card import reference_of
from tests.crosscheck.test_command import BITS, bit_lines, call


def draws(p, runs, seed):
    rng = Random(seed)
    return (Run(output=3 + sum(rng.random() < p for _ in range(40))) for _ in range(runs))


def test_a_parameter_is_found_in_about_as_many_runs_as_computed():
    """Half of ten batches with p 10 % too large are found by then, and all of them in three times as many runs."""
    reference = reference_of(Binomial(5, 40, real("1/2")), [1, 1, 1, 0, 0])
    batch = Examination(reference)
    batch.add(Run(output=20))
    (needed,) = (one.runs for one in batch.conclusion().powers if (one.name, one.percent) == ("p", 10))
    found = [not examine(reference, draws(0.55, needed, seed), look=False).consistent for seed in range(10)]
    assert 2 <= sum(found) <= 9
    assert all(not examine(reference, draws(0.55, 3 * needed, seed), look=False).consistent for seed in range(10))


def test_the_runs_needed_are_those_of_the_divergence():
    """For Bin(10, 1/2) with p = 0.55 in its place: 10 (p ln(p/q) + ...) nats a run."""
    reference = reference_of(Binomial(1, 10, real("1/2")), [0])
    divergence = 10 * (0.55 * log(0.55 / 0.5) + 0.45 * log(0.45 / 0.5))
    (one,) = (one for one in powers(reference, 30.0) if (one.name, one.percent) == ("p", 10))
    assert abs(one.runs - 30 / divergence) < 0.02 * one.runs


def test_what_no_number_of_runs_shows_is_said():
    """Where every pool has a holder, its parity is fair, and p' shows in nothing else."""
    reference = reference_of(DistinctElements(2, 2, real(1), 23), [1, 2])
    assert "p' off by 10 % in no number of runs" in power_sentence(powers(reference, 30.0))


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (Run({1: (2, 2)}), "the order of the messages (no run shows messages); the analyzer (no run shows an output)"),
        (Run({1: (2, 2)}, ((1, 0), (1, 1), (1, 0), (1, 1))), "the analyzer (no run shows an output)"),
        (Run({1: (2, 2)}, ((1, 0), (1, 1), (1, 0), (1, 1)), output=0), ""),
    ],
)
def test_what_was_not_examined_is_a_line_of_the_verdict(run, sentence):
    examination = Examination(reference_of(BinarySum(2, real("1/2")), [1, 0]))
    examination.add(run)
    assert "; ".join(examination.conclusion().not_examined) == sentence


def test_too_few_runs_are_not_consistent(tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text("\n".join(bit_lines(1 / 3, 50)))
    words = (*BITS, "--samples", tmp_path / "a.jsonl", "--at-least")
    status, out, _ = call(capsys, *words, 50)
    assert status == 3
    assert out.startswith("TOO FEW TO SAY (50 runs")
    assert "in all are needed to see a change of 10 %" in out
    (tmp_path / "a.jsonl").write_text("\n".join(bit_lines(1 / 3, 2000)))
    assert call(capsys, *words, 2000)[0] == 0
    status, out, _ = call(capsys, *words, 2001, "--json")
    assert (status, json.loads(out)["verdict"]) == (3, "too few to say")
    (tmp_path / "a.jsonl").write_text("\n".join(bit_lines(1, 50)))
    assert call(capsys, *words, 51)[0] == 1


def test_a_suspicion_says_how_many_more_runs_decide(tmp_path, capsys):
    """ln e between 10 and 20.7 is no alarm, and is not called consistent."""
    (tmp_path / "a.jsonl").write_text("\n".join(bit_lines(0.36, 2000)))
    status, out, _ = call(capsys, *BITS, "--samples", tmp_path / "a.jsonl")
    assert status == 0
    assert out.startswith("SUSPICIOUS (2,000 runs")
    assert "proved: ln e = 1" in out
    more = int(re.search(r"about ([0-9,]+) more decide", out)[1].replace(",", ""))
    (tmp_path / "a.jsonl").write_text("\n".join(bit_lines(0.36, 2000 + 3 * more)))
    assert call(capsys, *BITS, "--samples", tmp_path / "a.jsonl")[0] == 1
