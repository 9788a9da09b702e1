"""Right implementations that differ in what the paper leaves open: hash families, partitions, rounding, analyzers."""

import json
import math
from random import Random

import numpy as np
import pytest
from panshuffle.crosscheck.examination import examine
from panshuffle.crosscheck.mass_tables import binomial, point
from panshuffle.crosscheck.reference.public_randomness import either
from panshuffle.crosscheck.runs import run_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from panshuffle.answers.crosscheck import OWN, read_as
from panshuffle.card import reference_of
from tests.conftest import FULL
from tests.crosscheck import zoo
from tests.crosscheck.test_command import BITS, bit_lines, call
from tests.crosscheck.zoo import coin, counted, element_messages

HASHED = HashedDistinctElements(4, 11, log(real(2)), 3, real(1))  # k' = 7
HASHED_DATA = [1, 1, 5, 9]
GROUPED = CompressedUniformity.repaired(6, 8, 4, real(9), real(6))
GROUPED_DATA = [1, 2, 2, 3, 8, 8]


def affine(rng):
    a, b = 1 + rng.randrange(10), rng.randrange(11)
    return lambda x: 1 + (a * (x - 1) + b) % 11 % 7


def table(rng):
    values = [1 + rng.randrange(7) for _ in range(11)]
    return lambda x: values[x - 1]


def exclusive(rng):
    """The exclusive or of random words at the bits of x, modulo k'."""
    words = [rng.getrandbits(16) for _ in range(4)]
    return lambda x: 1 + xor_of(words, x) % 7


def xor_of(words, x):
    value = 0
    for i, word in enumerate(words):
        value ^= word * (x >> i & 1)
    return value


def kept(rng):
    """Drawn once: the same function for every run."""
    return lambda x: 1 + (3 * x + 2) % 7


FAMILIES = {"affine": affine, "table": table, "exclusive or": exclusive, "kept": kept}


def hashed_runs(family, seed, runs, shown, p=None):
    rng = Random(seed)
    for _ in range(runs):
        h = FAMILIES[family](rng)
        values = [h(x) for x in HASHED_DATA]
        bug = "" if p is None else p
        messages = [m for y in values for m in element_messages(rng, y, 4, 7, math.log(2), 3, bug)]
        rng.shuffle(messages)
        pools = counted(messages)
        line = {"messages": [list(m) for m in messages], "output": 4 * sum(pool[1] % 2 for pool in pools.values()) - 7}
        yield run_of(line | ({"hash": values} if shown else {}), "run")


def shuffled_labels(rng):
    labels = [g for g in (1, 2, 3, 4) for _ in range(2)]
    rng.shuffle(labels)
    return labels


def rotated_labels(rng):
    by = rng.randrange(8)
    return [1 + (i + by) % 8 // 2 for i in range(8)]


PARTITIONS = {"shuffled": shuffled_labels, "rotated": rotated_labels}


def grouped_runs(rule, seed, runs, shown, mean=9 / 6):
    rng = Random(seed)
    for _ in range(runs):
        labels = PARTITIONS[rule](rng)
        values = [labels[x - 1] for x in GROUPED_DATA]
        messages = [m for y in values for m in zoo.tester_messages(rng, y, 4, mean, "")]
        rng.shuffle(messages)
        line = {"pools": [counted(messages).get(j, [0, 0]) for j in (1, 2, 3, 4)]}
        yield run_of(line | ({"hash": values} if shown else {}), "run")


REFERENCES = {
    "hash": read_as(reference_of(HASHED, HASHED_DATA)),
    "partition": read_as(reference_of(GROUPED, GROUPED_DATA)),
}


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_no_family_of_hash_functions_is_accused(family, shown):
    """Each batch would be accused with probability 1e-9 at the most."""
    for seed in range(40 if FULL else 1):
        verdict = examine(REFERENCES["hash"], hashed_runs(family, seed, 4000 if FULL else 150, shown))
        assert verdict.consistent, verdict
        assert any("public randomness" in words for words in verdict.not_examined) == (not shown)


@pytest.mark.parametrize("shown", [True, False])
@pytest.mark.parametrize("rule", PARTITIONS)
def test_no_balanced_partition_is_accused(rule, shown):
    for seed in range(40 if FULL else 1):
        verdict = examine(REFERENCES["partition"], grouped_runs(rule, seed, 4000 if FULL else 150, shown))
        assert verdict.consistent, verdict


def test_other_families_are_accused_where_ours_is_asked_for():
    own = read_as(reference_of(HASHED, HASHED_DATA), OWN)
    assert not examine(own, hashed_runs("kept", 1, 4000, shown=False)).consistent


@pytest.mark.parametrize("family", FAMILIES if FULL else ["table"])
def test_noise_is_tested_given_the_values(family):
    verdict = examine(REFERENCES["hash"], hashed_runs(family, 1, 2000, shown=True, p="no root"), look=False)
    assert not verdict.consistent
    assert "p'" in verdict.diagnosis.cause


def test_noise_beside_a_partition_is_tested_given_the_values_and_without():
    for shown in (True, False):
        verdict = examine(REFERENCES["partition"], grouped_runs("shuffled", 1, 2000, shown, mean=0.75))
        assert not verdict.consistent


def test_values_that_can_not_be_are_refused():
    line = {"pools": {"1": [1, 1]}, "hash": [1, 2, 3]}
    with pytest.raises(InputError, match="a list of 4 values from 1 to 7"):
        examine(REFERENCES["hash"], [run_of(line, "run 1")])
    with pytest.raises(InputError, match="the hash is a list"):
        run_of({"output": 1, "hash": "x"}, "run 1")


def test_enclosures_for_either_law_hold_for_every_mixture():
    laws = [binomial(3, real("1/3")), binomial(5, real("1/2")), point(2)]
    found = either(laws)
    for weights in ((1, 0, 0), (0.25, 0.5, 0.25), (0, 0.5, 0.5)):
        for x in range(6):
            mass = sum(w * float(law.mass(x).mid()) for w, law in zip(weights, laws, strict=True))
            below = sum(w * float(law.up_to(x).mid()) for w, law in zip(weights, laws, strict=True))
            assert float(found.mass(x).lower()) - 1e-12 <= mass <= float(found.mass(x).upper()) + 1e-12
            assert float(found.up_to(x).lower()) - 1e-12 <= below <= float(found.up_to(x).upper()) + 1e-12
            assert found.moved(3).up_to(x + 3).overlaps(found.up_to(x))


def test_six_digits_of_an_output_are_right_and_five_are_not(tmp_path, capsys):
    rng, path = Random(4), tmp_path / "runs.jsonl"
    words = ("two-bit-sum", "--n", 7, "--p", "1/11", "--input", tmp_path / "data.json", "--samples", path)
    (tmp_path / "data.json").write_text(json.dumps([[1, 0]] * 4 + [[0, 1]] * 3))

    def write(digits):
        lines = []
        for _ in range(40):
            ones = [sum(bit ^ coin(rng, 1 / 11) for bit in bits) for bits in ([1] * 4 + [0] * 3, [0] * 4 + [1] * 3)]
            output = [float(f"%.{digits}g" % ((one - 7 / 11) / (1 - 2 / 11))) for one in ones]
            lines.append(json.dumps({"pools": [[7 - one, one] for one in ones], "output": output}))
        path.write_text("\n".join(lines))

    write(6)
    assert call(capsys, *words)[0] == 3
    assert call(capsys, *words, "--tolerance", "1e-9")[0] == 1
    write(4)
    assert call(capsys, *words)[0] == 1
    assert call(capsys, *words, "--tolerance", "1e-3")[0] == 3
    assert call(capsys, *words, "--tolerance", "2")[0] == 2


def test_a_sum_may_be_put_out_as_a_frequency(tmp_path, capsys):
    path = tmp_path / "runs.jsonl"
    lines = [json.loads(line) for line in bit_lines(1 / 3, 60)]
    path.write_text("\n".join(json.dumps(line | {"output": line["output"] / 6}) for line in lines))
    assert call(capsys, *BITS, "--samples", path)[0] == 1
    assert call(capsys, *BITS, "--samples", path, "--analyzer", "bc20")[0] == 3
    status, _, err = call(capsys, *BITS, "--samples", path, "--analyzer", "other")
    assert (status, "it may be bc20" in err) == (2, True)
    histogram = reference_of(ShuffleHistogram(2, 2, real("1/2")), [1, 2]).analyzers["bc20"]
    assert histogram(run_of({"pools": {"1": [1, 3], "2": [4, 0]}}, "run")) == [real("1/2").fraction, 0]


def test_what_is_not_known_in_a_run_is_kept_and_said(tmp_path, capsys):
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(json.dumps(json.loads(line) | {"seed": 3}) for line in bit_lines(1 / 3, 60)))
    status, out, _ = call(capsys, *BITS, "--samples", path)
    assert status == 3
    assert "not examined: what the runs show as seed (not known)" in out


def test_an_array_gives_the_same_verdict_as_lines(tmp_path, capsys):
    rng = Random(8)
    ones = [2 + sum(coin(rng, 1 / 3) for _ in range(6)) for _ in range(500)]
    np.save(tmp_path / "runs.npy", np.array([[12 - one, one] for one in ones]))
    (tmp_path / "runs.csv").write_text("zeros,ones\n" + "".join(f"{12 - one},{one}\n" for one in ones))
    answers = [call(capsys, *BITS, "--samples", tmp_path / f"runs.{ending}", "--json") for ending in ("npy", "csv")]
    assert answers[0] == answers[1]
    assert json.loads(answers[0][1])["runs"] == 500
    np.save(tmp_path / "wide.npy", np.zeros((5, 3), dtype=int))
    np.save(tmp_path / "reals.npy", np.zeros((5, 2)))
    (tmp_path / "text.npy").write_text("no array")
    for name, sentence in (("wide", "has 2 columns here"), ("reals", "whole numbers"), ("text", "not an array")):
        status, _, err = call(capsys, *BITS, "--samples", tmp_path / f"{name}.npy")
        assert (status, sentence in err) == (2, True), err


def test_values_of_numpy_are_numbers():
    from panshuffle.output import jsonable

    line = {"pools": {1: np.array([5, 7])}, "output": np.int64(1), "state": np.float64(0.5)}
    assert jsonable(line) == {"pools": {"1": [5, 7]}, "output": 1, "state": 0.5}
    assert examine(
        reference_of(BinarySum(6, real("1/3")), [1, 1, 0, 0, 0, 0]), [run_of(jsonable(line), "run")]
    ).consistent
