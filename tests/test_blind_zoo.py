"""The blind zoo itself: its interface, and that its right implementations are right, shown by the references.

Numbers of a run that both sides draw from one law are compared by their means.  There are a few thousand of them,
each six standard errors wide, so a false alarm has a probability of about a hundred-thousandth; the seeds are fixed.
"""

import json
import math
from fractions import Fraction
from random import Random

import pytest

from panshuffle.catalogue import PROTOCOLS
from panshuffle.main import main
from tests.blind_zoo import AREAS, BUGS, RIGHT, SCENES
from tests.blind_zoo_bug import CERTAIN
from tests.blind_zoo_draws import divergence
from tests.blind_zoo_online import machine
from tests.every import every

RUNS = 120
SIGMAS = 6
ROUNDING = 1e-9
"""What sums of doubles may be off by."""


def command(key):
    """The command line that asks the reference for runs of a scene, without its data, runs and seed."""
    scene = SCENES[key]
    words = [scene.protocol, *(word for name, text in scene.parameters.items() for word in (f"--{name}", text))]
    if scene.t is not None:
        words += ["--t", str(scene.t)]
    return words + (["--messages"] if "messages" in next(iter(RIGHT[key](Random(1), 1))) else [])


def reference_runs(key, directory):
    data, written = directory / "data.json", directory / "runs.jsonl"
    data.write_text(json.dumps(SCENES[key].data))
    words = ["sample", *command(key), "--input", str(data), "--runs", str(RUNS), "--seed", "1", "-o", str(written)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    return [json.loads(line) for line in written.read_text().splitlines()]


def numbers(value, path=""):
    """Every number that a run shows, by its place; texts count as their being "uniform"; the order is left out."""
    if isinstance(value, dict):
        return {
            k: v
            for name, part in value.items()
            if name != "messages"
            for k, v in numbers(part, f"{path}/{name}").items()
        }
    if isinstance(value, list):
        return {k: v for i, part in enumerate(value) for k, v in numbers(part, f"{path}/{i}").items()}
    return {path: float(value == "uniform") if isinstance(value, str) else float(value)}


def moments(values):
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / len(values)


def shape(value):
    """The keys and kinds of a run as JSON; lists by their kinds only, as the number of messages may be random."""
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    if isinstance(value, list):
        return ["list", *sorted({json.dumps(shape(part)) for part in value})]
    return "number" if isinstance(value, (int, float)) else "text"


def test_there_are_many_bugs_of_every_kind_in_every_protocol_and_scene():
    assert len(BUGS) >= 150
    assert len({bug.name for bug in BUGS}) == len(BUGS)
    assert {bug.area for bug in BUGS} == set(AREAS)
    assert {bug.scene for bug in BUGS} == set(SCENES) == set(RIGHT)
    assert {scene.protocol for scene in SCENES.values()} == set(PROTOCOLS)
    assert all(64 <= bug.runs <= 20000 and len(bug.cause) > 3 for bug in BUGS)
    assert all(bug.evidence is None or bug.evidence > 0 for bug in BUGS)


@pytest.mark.parametrize("key", SCENES)
def test_the_right_implementation_agrees_with_the_reference(key, tmp_path):
    theirs, ours = reference_runs(key, tmp_path), list(RIGHT[key](Random(key), RUNS))
    assert [list(run) for run in ours] == [list(run) for run in theirs]
    assert shape(json.loads(json.dumps(ours[0]))) == shape(theirs[0])
    assert all(machine(key).analyze(list(run["pools"].values())) == run["output"] for run in theirs if "pools" in run)
    rows = [[numbers(run) for run in runs] for runs in (ours, theirs)]
    assert {place for run in rows[0] for place in run} == {place for run in rows[1] for place in run}
    for place in rows[0][0]:
        (mean, variance), (expected, spread) = (moments([run[place] for run in runs]) for runs in rows)
        assert abs(mean - expected) <= SIGMAS * math.sqrt((variance + spread) / RUNS) + ROUNDING, place


@every("key", [key for key in SCENES if machine(key).coordinates() is not None])
def test_the_laws_behind_the_evidence_are_laws_with_the_means_of_the_runs(key):
    laws = machine(key).coordinates()
    assert all(math.isclose(sum(law.values()), 1, rel_tol=1e-9) for law in laws)
    assert all(divergence(law, law) < ROUNDING for law in laws)
    means = sum(value * mass for law in laws for value, mass in law.items())
    variance = sum(value**2 * mass for law in laws for value, mass in law.items())
    variance -= sum(sum(value * mass for value, mass in law.items()) ** 2 for law in laws)
    seen = [total_of(run, len(laws)) for run in RIGHT[key](Random(key), RUNS)]
    assert abs(sum(seen) / RUNS - means) <= SIGMAS * math.sqrt(variance / RUNS) + ROUNDING


def total_of(run, laws):
    """The sum of the quantities that `coordinates` describes, read from a run."""
    shown = run["pools"] if "pools" in run else run.get("state", run["output"])
    if isinstance(shown, dict):
        pools = shown.get("pools", shown).values()
        return sum(sum(pool) if laws == 2 * len(pools) else pool[1] for pool in pools)
    output = run["output"]
    return sum(output) if isinstance(output, list) else output


@every("key", SCENES)
def test_a_bug_makes_runs_that_can_be_written_and_made_again(key):
    keys, count = list(next(iter(RIGHT[key](Random(1), 1)))), 3
    for bug in (bug for bug in BUGS if bug.scene == key):
        runs = list(bug.make(Random(bug.name), count))
        assert [list(run) for run in runs] == [keys] * count, bug.name
        assert json.dumps(runs) == json.dumps(list(bug.make(Random(bug.name), count))), bug.name


def differs(bug):
    """Whether one of the bug's runs is another than that of the right implementation from the same seed."""
    pairs = zip(bug.make(Random(3), bug.runs), RIGHT[bug.scene](Random(3), bug.runs), strict=True)
    return any(wrong != right for wrong, right in pairs)


def test_evidence_is_that_of_a_case_computed_by_hand():
    (bug,) = (bug for bug in BUGS if bug.name == "central-or-half-forgotten")
    by_hand = 300 * (math.log((1 / 3) / (1 / 6)) / 3 + 2 * math.log((2 / 3) / (5 / 6)) / 3)
    assert math.isclose(bug.evidence, by_hand, rel_tol=1e-9)
    (bug,) = (bug for bug in BUGS if bug.name == "zsum-complement")
    assert math.isclose(bug.evidence, 200 * 10 * math.log(2) * float(Fraction(1, 3)), rel_tol=1e-9)


def test_what_is_called_certain_is_not_what_the_right_implementation_does():
    for bug in BUGS:
        if bug.evidence == CERTAIN:
            assert differs(bug), bug.name
