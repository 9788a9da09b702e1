"""Broken implementations are found out, and where they are broken; right ones are not accused."""

from random import Random

import pytest
from panshuffle.crosscheck.examination import examine
from panshuffle.crosscheck.runs import run_of

from panshuffle.arguments import PROTOCOLS
from panshuffle.card import reference_of
from tests.conftest import FULL
from tests.crosscheck.zoo import SCENES, ZOO

pytestmark = pytest.mark.xdist_group("zoo")  # a reference is made once
REFERENCES: dict = {}
WEAK = {
    ("distinct-elements", "root of honest users"),
    ("distinct-elements", "base 2"),
    ("hashed-distinct-elements", "private hash"),
}
"""Found after thousands of runs, seconds each; others of their kind are found sooner."""


def reference(name):
    if name not in REFERENCES:
        scene = SCENES[name]
        REFERENCES[name] = reference_of(scene.record, scene.data, scene.t)
    return REFERENCES[name]


def runs(scene, bug, seed, most):
    rng = Random(seed)
    for number in range(most):
        source = Random(seed + number % 3) if bug == "same run" else rng
        yield run_of(scene.run(source, bug), f"run {number + 1}")


def test_the_zoo_covers_every_protocol():
    assert {name.split(" with ")[0] for name in SCENES} == set(PROTOCOLS)
    assert {animal.scene for animal in ZOO} == set(SCENES)
    assert len(ZOO) >= 100


USUAL = [one for one in ZOO if one.runs <= 8192 and (one.scene, one.bug) not in WEAK]
"""Of these one of each scene, and some more, are tried in the quick sweep."""


@pytest.mark.parametrize(
    "animal",
    ZOO if FULL else [*dict.fromkeys([*{one.scene: one for one in USUAL}.values(), *USUAL[2::14]])],
    ids=lambda animal: f"{animal.scene}: {animal.bug}",
)
def test_a_broken_implementation_is_found_and_its_area_is_named(animal):
    scene = SCENES[animal.scene]
    verdict = examine(reference(animal.scene), runs(scene, animal.bug, 11, animal.runs))
    assert not verdict.consistent, verdict
    assert animal.area in verdict.diagnosis.areas, verdict.diagnosis


@pytest.mark.parametrize("name", SCENES)
def test_a_right_implementation_is_never_accused(name, sweep_factor):
    """3 seeds for each of 19 scenes; in the full sweep 63, 1,197 sequences, each ten times as long.

    With those of somebody else and those of other hash families, more than 2,000 batches.  Each would be accused with
    probability 1e-9 at the most, so that all of them are to be right in either.
    """
    for seed in range(63 if FULL else 3):
        verdict = examine(reference(name), runs(SCENES[name], "", seed, 64 * sweep_factor))
        assert verdict.consistent, verdict
