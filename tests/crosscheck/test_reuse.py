"""Randomness that is used again, and orders that are not random: each found by a question of its own, and named."""

from functools import cmp_to_key
from random import Random

import pytest
from panshuffle.crosscheck.examination import examine
from panshuffle.crosscheck.reference.areas import ORDER, POOLS, RUNS
from panshuffle.crosscheck.runs import Run, run_of
from panshuffle.exact.real import real
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from panshuffle.card import reference_of
from tests.conftest import FULL
from tests.crosscheck.test_zoo import reference
from tests.crosscheck.zoo import SCENES


def verdict_on(name, lines):
    return examine(reference(name), (run_of(line, "run") for line in lines))


def again_after(distance, chance):
    """Runs that are, with some chance, those of so many runs before."""

    def lines(scene, rng, runs):
        made = []
        for number in range(runs):
            copied = number >= distance and rng.random() < chance
            made.append(made[number - distance] if copied else scene.run(rng, ""))
            yield made[-1]

    return lines


def seeded(number):
    """Runs whose generator is seeded with one of so many numbers."""
    return lambda scene, rng, runs: (scene.run(Random(rng.randrange(number)), "") for _ in range(runs))


def in_turn(period):
    """A generator that begins again after so many runs."""
    return lambda scene, rng, runs: (scene.run(Random(number % period), "") for number in range(runs))


@pytest.mark.parametrize(
    ("name", "lines", "runs"),
    [
        ("binomial", again_after(10, 0.3), 1024),
        ("randomized-or", again_after(7, 0.5), 2048),
        ("pan-sum", again_after(12, 0.3), 1024),
        ("distinct-elements", again_after(200, 0.1), 1024),
        ("uniformity", again_after(1, 0.05), 1024),
        ("binomial", in_turn(700), 2048),
        ("modular-sum", in_turn(150), 1024),
        ("distinct-elements", seeded(2000), 1024),
        ("binary-sum", seeded(500), 512),
    ],
)
def test_runs_that_come_again_are_found_and_named(name, lines, runs):
    verdict = verdict_on(name, lines(SCENES[name], Random(5), runs))
    assert not verdict.consistent
    assert verdict.diagnosis.area == RUNS, verdict.diagnosis


def binomials(draw, runs):
    """Runs of the binomial mechanism whose 40 coins are drawn by a function of the number of the run."""
    return (Run(output=1 + sum(draw(number))) for number in range(runs))


def test_antithetic_runs_are_found():
    rng, kept = Random(1), []

    def draw(number):
        if number % 2 == 0:
            kept[:] = [rng.getrandbits(1) for _ in range(40)]
            return kept
        return [1 - bit for bit in kept]

    verdict = examine(reference_of(Binomial(1, 40, real("1/2")), [1]), binomials(draw, 1024))
    assert not verdict.consistent
    assert verdict.diagnosis.area == RUNS


def noise_of(rng):
    return sum(rng.random() < 0.25 for _ in range(12))


HISTOGRAM = ShuffleHistogram(12, 6, real("1/4"))


def histogram_runs(noise, runs):
    """Runs where nobody holds an element of the first pools, and the noise of all is given."""
    for number in range(runs):
        ones = noise(number)
        yield Run({j: (24 - one - 12 * (j == 6), one + 12 * (j == 6)) for j, one in enumerate(ones, start=1)})


def moved(rng):
    """The noise of a run is that of the run before, one place on."""
    last = [noise_of(rng) for _ in range(6)]

    def noise(number):
        last[:] = [noise_of(rng), *last[:5]]
        return list(last)

    return noise


def far(rng):
    """The noise of the last pool is that of the first, every other time."""

    def noise(number):
        ones = [noise_of(rng) for _ in range(6)]
        return [*ones[:5], ones[0] if number % 2 else ones[5]]

    return noise


def complements(rng):
    """The last pool's parity makes that of the first, third and sixth even."""

    def noise(number):
        ones = [noise_of(rng) for _ in range(6)]
        while (ones[0] + ones[2] + ones[5]) % 2:
            ones[5] = noise_of(rng)
        return ones

    return noise


@pytest.mark.parametrize(("bug", "area"), [(moved, RUNS), (far, POOLS), (complements, POOLS)])
def test_noise_of_other_places_is_found_and_named(bug, area):
    verdict = examine(reference_of(HISTOGRAM, [6] * 12), histogram_runs(bug(Random(3)), 2048))
    assert not verdict.consistent
    assert verdict.diagnosis.area == area, verdict.diagnosis


def users_whole(width):
    def shuffled(messages, rng):
        users = [messages[i : i + width] for i in range(0, len(messages), width)]
        rng.shuffle(users)
        return [message for user in users for message in user]

    return shuffled


def sattolo(messages, rng):
    for i in range(len(messages) - 1, 0, -1):
        j = rng.randrange(i)
        messages[i], messages[j] = messages[j], messages[i]
    return messages


def one_stays(messages, rng):
    rest = messages[:40] + messages[41:]
    rng.shuffle(rest)
    return [*rest[:40], messages[40], *rest[40:]]


def random_comparator(messages, rng):
    return sorted(messages, key=cmp_to_key(lambda a, b: rng.choice((-1, 1))))


def one_of_sixteen(messages, rng):
    Random(rng.randrange(16)).shuffle(messages)
    return messages


QUICK = [("modular-sum", users_whole(3), 256), ("distinct-elements", users_whole(20), 64)]
LONG = [
    ("distinct-elements", sattolo, 4096),
    ("distinct-elements", one_stays, 2048),
    ("binary-sum", random_comparator, 8192),
    ("two-bit-sum", one_of_sixteen, 1024),
]


@pytest.mark.parametrize(("name", "shuffle", "runs"), QUICK + (LONG if FULL else LONG[3:]))
def test_orders_that_are_not_random_are_found_and_named(name, shuffle, runs):
    rng = Random(2)

    def lines():
        for _ in range(runs):
            line = SCENES[name].run(rng, "unshuffled")
            yield line | {"messages": shuffle(list(line["messages"]), rng)}

    verdict = verdict_on(name, lines())
    assert not verdict.consistent
    few = {ORDER, RUNS} if shuffle is one_of_sixteen else {ORDER}  # few permutations are also few seeds
    assert verdict.diagnosis.area in few, verdict.diagnosis
