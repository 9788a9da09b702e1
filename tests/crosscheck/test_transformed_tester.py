"""The answer of the transformed tester given its state: its law by plain sums, and mistakes that are named."""

from fractions import Fraction
from itertools import product
from math import exp, factorial, prod
from random import Random

import numpy as np
import pytest
from flint import arb
from panshuffle.crosscheck.examination import examine
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.pool_bets import Slopes
from panshuffle.crosscheck.reference.transformed_tester import Ending
from panshuffle.crosscheck.runs import run_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.uniformity import Uniformity

from panshuffle.card import reference_of


def skellam(mean, most):
    """The difference of two Poisson draws of this mean, as doubles."""
    masses = [exp(-mean) * mean**i / factorial(i) for i in range(most)]
    law = {}
    for a, p in enumerate(masses):
        for b, q in enumerate(masses):
            law[a - b] = law.get(a - b, 0.0) + p * q
    return law


def by_plain_sums(doubled, used, dummies, n, k, m, tau, mean, executions, most=40):
    """Over all elements that the dummies may hold, and all noise of each pool."""
    noise, total = skellam(float(mean) * executions / 2, most), 0.0
    for words in product(range(k), repeat=dummies):
        held = [used.count(j + 1) + words.count(j) for j in range(k)]
        for extra in product(noise.items(), repeat=k):
            counts = [
                Fraction(w + 2 * h - executions + x + n, 2) for w, h, (x, _) in zip(doubled, held, extra, strict=True)
            ]
            z = sum((c - Fraction(m, k)) ** 2 - c for c in counts) * k / m
            total += (z > tau) * prod(p for _, p in extra) / k**dummies
    return total


CASES = [
    ((0, 1), 1, (1, 2), 1, 6, 2, 6, 3, Fraction(1, 4)),
    ((-3, 2), 0, (2,), 1, 5, 2, 3, Fraction(1, 2), Fraction(1, 3)),
    ((4, 4), 2, (1, 1), 0, 7, 2, Fraction(9, 2), 1, Fraction(1, 2)),
    ((1,), 0, (1,), 2, 4, 1, 2, 1, Fraction(1, 2)),
    ((2, -2), 5, (), 2, 6, 2, 4, -1, Fraction(1, 5)),
]


@pytest.mark.parametrize(("doubled", "left", "stream", "last", "n", "k", "m", "tau", "mean"), CASES)
def test_the_chance_by_plain_sums(doubled, left, stream, last, n, k, m, tau, mean):
    ending = Ending(n, k, real(m), real(tau), real(mean), stream, last)
    chance = ending.chance((*doubled, left))
    used = stream[:left]
    executions = len(stream) + last
    expected = by_plain_sums(doubled, used, executions - len(used), n, k, m, tau, mean, executions)
    assert float(chance.rad()) < 1e-9
    assert abs(float(chance.mid()) - expected) < 1e-9
    assert 0 < expected < 1


def test_three_pools_and_more_noise():
    ending = Ending(6, 3, real(6), real(4), real("1/6"), (2,), 1)
    expected = by_plain_sums((0, 2, -1), (2,), 1, 6, 3, 6, 4, Fraction(1, 6), 2, most=11)
    assert abs(float(ending.chance((0, 2, -1, 3)).mid()) - expected) < 1e-9


def test_a_tester_that_always_or_never_rejects():
    """Where tau is below the least value of the statistic, or so large that no likely count reaches it."""
    always = Ending(5, 2, real(4), real(-100), real(1), (1,), 2)
    never = Ending(5, 2, real(4), real(10**3), real(1), (1,), 2)
    assert always.chance((0, 0, 1)) == 1
    assert never.chance((0, 0, 1)).contains(0) and never.chance((0, 0, 1)).upper() < 1e-9


class SecondTester:
    """The transformed tester once more, written without looking at the reference implementation."""

    def __init__(self, n, k, lam, tau, stream, t):
        self.n, self.k, self.mean, self.tau, self.stream, self.t = n, k, lam / n, tau, stream, t

    def dummies(self, count, rng):
        return sum(self.user(rng.randrange(self.k), rng) for _ in range(count))

    def user(self, x, rng):
        """What one user adds to (zeros, ones) of every pool: its own bit, and Poisson many uniform ones."""
        added = np.zeros((self.k, 2), dtype=int)
        for j in range(self.k):
            bits = [int(x == j)] + [rng.randrange(2) for _ in range(self.poisson(rng))]
            added[j] += len(bits) - sum(bits), sum(bits)
        return added

    def poisson(self, rng):
        count, product = 0, rng.random()
        while product > exp(-self.mean):
            count, product = count + 1, product * rng.random()
        return count

    def statistic(self, pools):
        """The statistic of Z' with m = n samples."""
        counts = [ones - (zeros + ones - self.n) / 2 for zeros, ones in pools]
        return sum((c - self.n / self.k) ** 2 - c for c in counts) * self.k / self.n

    def analyze(self, pools):
        return "not uniform" if self.statistic(pools) > self.tau else "uniform"

    def output(self, state, rng):
        after = (self.n - self.n // 3) // 2
        return self.analyze(state + self.dummies(after, rng))

    def run(self, rng):
        third = self.n // 3
        state = self.dummies((self.n - third + 1) // 2, rng)
        left = min(sum(rng.randrange(9) < 2 for _ in range(self.n)), third)
        for time, x in enumerate(self.stream, start=1):
            state = state + self.user(x - 1 if left else rng.randrange(self.k), rng)
            left = max(0, left - 1)
            if time == self.t:
                seen = {
                    "pools": {str(j): list(map(int, pool)) for j, pool in enumerate(state, start=1)},
                    "n_left": left,
                }
        return {"state": seen, "output": self.output(state, rng)}


SCENES = {
    "pan-uniformity": (18, 3, 18, 8, (1, 1, 1, 1, 2, 1), 2),
    "pan-uniformity-late": (20, 4, 10, 11, (1,) * 6, 6),
}


def batch(scene, runs, **changes):
    tester = type("Wrong", (SecondTester,), changes)(*SCENES[scene])
    rng = Random(f"{scene} {sorted(changes)}")
    return [run_of(tester.run(rng), f"run {number}") for number in range(1, runs + 1)]


def scene_reference(key):
    n, k, lam, tau, stream, t = SCENES[key]
    return reference_of(PanUniformity(Uniformity(n, k, real(lam), real(n), real(tau))), list(stream), t)


def other_answer(self, pools):
    return "uniform" if self.statistic(pools) > self.tau else "not uniform"


def nothing_after(self, state, rng):
    return self.analyze(state)


def some_answer(self, state, rng):
    return rng.choice(["uniform", "not uniform"])


def twice_tau(self, pools):
    return "not uniform" if self.statistic(pools) > 2 * self.tau else "uniform"


@pytest.mark.parametrize(
    ("runs", "changes"),
    [
        (64, {"analyze": other_answer}),
        (1200, {"output": nothing_after}),
        (64, {"output": some_answer}),
        (600, {"analyze": twice_tau}),
    ],
    ids=["exchanged", "no dummies", "at random", "tau"],
)
def test_a_wrong_end_is_found_and_named(runs, changes):
    verdict = examine(scene_reference("pan-uniformity"), batch("pan-uniformity", runs, **changes))
    assert not verdict.consistent
    assert {"the analyzer", "the state and its dummies"} <= set(verdict.diagnosis.areas)


@pytest.mark.parametrize("key", ["pan-uniformity", "pan-uniformity-late"])
def test_right_runs_are_consistent_and_nothing_of_the_output_is_left_out(key):
    verdict = examine(scene_reference(key), batch(key, 300))
    assert verdict.consistent
    assert not any("output" in words for words in verdict.not_examined)


def test_outputs_alone_are_tested_where_the_law_is_computed():
    record = PanUniformity(Uniformity(18, 3, real(18), real(18), real(8)))
    reference = reference_of(record, [1, 1, 1, 1, 2, 1], None)
    right = [run_of({"output": run.output}, "run") for run in batch("pan-uniformity", 400)]
    found = examine(reference, right)
    assert found.consistent
    assert {power.name for power in found.powers} == {"lam"}
    wrong = [run_of({"output": run.output}, "run") for run in batch("pan-uniformity", 400, analyze=other_answer)]
    verdict = examine(reference, wrong)
    assert not verdict.consistent and "exchanged" in verdict.diagnosis.cause
    with pytest.raises(InputError, match="--t"):
        reference_of(PanUniformity(Uniformity(900, 40, real(900), real(900), real(90))), [1] * 300, None)


@pytest.mark.parametrize("p", [0.0, 1e-13, 1e-3, 0.4, 1 - 1e-13, 1.0])
def test_bets_on_other_odds_are_fair_at_every_chance(p):
    """Two answers in a row: the mean of each bet is at most 1, also where a chance is near 0 or 1."""
    masses = arb(1) - arb(p), arb(p)
    law = MassTable(0, masses, arb(0), 0, 1)
    total = 0.0
    for answers in product((0, 1), repeat=2):
        slopes = Slopes()
        slopes.add(law, sum(answers), 2)
        chance = prod(p if answer else 1 - p for answer in answers)
        logs = np.array([log_e for _, log_e in slopes.logs()])
        assert np.isfinite(logs).all()
        total = total + chance * np.exp(logs)
    assert (total <= 1 + 1e-9).all()
