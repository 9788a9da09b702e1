"""Copies of a tester that vote: their law by enumeration and by runs, their privacy, and a broken way to repeat."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import pytest
from panshuffle.exact.accuracy.tester import (
    Statistic,
    chance_bounds,
    compressed_chance,
    exact_tail,
    fixed_chance,
    grouped,
    interval,
    paired_law,
    partitions,
    repeated_chance,
    shares,
    statistic,
    uniform_law,
    votes_needed,
)
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import threshold
from panshuffle.exact.real import Certified, exp, real, sqrt
from panshuffle.exact.views.uniformity import pair_curve, uniformity_view
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.repeated_uniformity import Copies, RepeatedUniformity
from panshuffle.protocols.model.shuffle import execute
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.uniformity import NOT_UNIFORM, Uniformity

from panshuffle.main import main
from tests.brute_force.counts import check_counts
from tests.every import every

RUNS = 1000
FAR = [Fraction(3, 4), Fraction(1, 4)]


def drawn(law, count, coins):
    bottom = max(p.denominator for p in law)
    urn = [j for j, p in enumerate(law, start=1) for _ in range(int(p * bottom))]
    return [urn[coins.below(bottom)] for _ in range(count)]


def agrees(chance, outcomes):
    """A false alarm has probability 1e-9 at most."""
    mass = chance.exact if chance.exact is not None else Fraction(chance.enclosure(15)[0])
    assert Fraction(1, 50) < mass < Fraction(49, 50)
    return check_counts({True: mass, False: 1 - mass}, Counter(outcomes)).consistent


@pytest.mark.parametrize("votes", [1, 2, 3, 4, 5])
def test_votes_by_enumeration(votes):
    """Two copies with 1/3, three with 1/5: every outcome of five votes."""
    chances = [Fraction(1, 3)] * 2 + [Fraction(1, 5)] * 3
    total = Fraction(0)
    for said in product((0, 1), repeat=5):
        mass = Fraction(1)
        for p, vote in zip(chances, said, strict=True):
            mass *= p if vote else 1 - p
        total += mass if sum(said) >= votes else 0
    parts = [(Certified.of(Fraction(1, 3)), 2), (Certified.of(Fraction(1, 5)), 3)]
    assert repeated_chance(parts, votes).exact == total
    balls = [(Certified(chance.ball, probability=True), count) for chance, count in parts]
    low, high = repeated_chance(balls, votes).enclosure(15)
    assert Fraction(low) <= total <= Fraction(high)


def test_an_interval_of_chances_gives_an_interval():
    one = interval(real("1/4"), real("1/3"))
    ball = repeated_chance([(one, 5)], 3).ball(64)
    assert float(ball.lower()) == pytest.approx(float(exact_tail([(Fraction(1, 4), 5)], 3)), rel=1e-6)
    assert float(ball.upper()) == pytest.approx(float(exact_tail([(Fraction(1, 3), 5)], 3)), rel=1e-6)


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(1, 21), Fraction(2, 5)])
def test_the_fewest_votes(p):
    for copies in range(1, 30):
        tails = [sum(comb(copies, i) * p**i * (1 - p) ** (copies - i) for i in range(t, copies + 1)) for t in range(32)]
        assert votes_needed(copies, p) == next(t for t in range(1, 32) if tails[t] <= Fraction(1, 3)) or tails[1] == 0


def test_fixed_shares_end_to_end(sweep_factor):
    """Eleven users, three copies of 4, 4 and 3."""
    coins, m, lam, tau = Coins(), real(4), real(1), real("1/2")
    record = RepeatedUniformity(Uniformity(11, 2, lam, m, tau), 3, 2)
    of = statistic(m, lam, FAR)
    parts = [(fixed_chance(of, size, of.least_rejected(tau)), count) for size, count in shares(11, 3)]
    runs = RUNS * sweep_factor
    outcomes = (execute(record.publish(coins), drawn(FAR, 11, coins), coins).output == NOT_UNIFORM for _ in range(runs))
    assert agrees(repeated_chance(parts, 2), outcomes)


def decision(tester_for, copies, votes, law, m, coins):
    """Pois(m) users, each assigned to a copy independently; for none at all, the analyzer adds the noise."""
    n = coins.poisson(m)
    if n >= copies:
        record = RepeatedUniformity(tester_for(n), copies, votes)
        published = record.publish_with([coins.below(copies) for _ in range(n)], coins)
        return execute(published, drawn(law, n, coins), coins).output == NOT_UNIFORM
    record = RepeatedUniformity(tester_for(copies), copies, votes)
    published = record.publish(coins)
    pools, sizes = [[0, 0] for _ in range(record.pools)], [0] * copies
    for x in drawn(law, n, coins):
        copy = coins.below(copies)
        sizes[copy] += 1
        group = published.groups[copy](x, coins)
        for j in range(record.k_hat):
            pools[copy * record.k_hat + j][int(group == j + 1)] += 1
    for pool in pools:
        for bit in coins.bit_list(coins.poisson(record.lam)):
            pool[bit] += 1
    return record.decide(pools, sizes) == NOT_UNIFORM


def test_a_poisson_number_of_users_end_to_end(sweep_factor):
    coins, m, lam, tau = Coins(), real(9), real(1), real("1/2")
    chance = repeated_chance([(statistic(m / 3, lam, FAR).chance_above(tau), 3)], 2)
    runs = (
        decision(lambda n: Uniformity(n, 2, lam, m / 3, tau), 3, 2, FAR, m, coins) for _ in range(RUNS * sweep_factor)
    )
    assert agrees(chance, runs)


def test_compressed_copies_end_to_end(sweep_factor):
    """Four elements in two groups, a partition of its own for each of two copies."""
    coins, m, lam, tau = Coins(), real(16), real(1), real(1)
    law = [Fraction(3, 8), Fraction(3, 8), Fraction(1, 8), Fraction(1, 8)]
    one, ends = compressed_chance(m / 2, lam, 2, paired_law(4, Fraction(1, 4)), tau)
    assert ends is None
    runs = RUNS * sweep_factor
    said = (
        decision(lambda n: CompressedUniformity(n, 4, 2, lam, m / 2, tau), 2, 1, law, m, coins) for _ in range(runs)
    )
    assert agrees(repeated_chance([(one, 2)], 1), said)


class SplitNoise(Copies):
    """The broken way: a user's noise goes to their own copy only, as if each copy were a protocol of its own users."""

    def randomize_in(self, copy, x, coins):
        size = self.record.k_hat
        alone = Uniformity(self.assignment.count(copy), size, self.record.lam, self.record.tester.m, real(0))
        return [(copy * size + j, bit) for j, bit in alone.randomize(x, coins)]


ASSIGNMENT = [0, 0, 0, 1, 1, 1]
TAKING_PART = (2, 3, 4)
"""Half of the users: the dropouts leave one user in copy 0."""


def noise_law(mean):
    mpmath.mp.dps = 30
    return {x: Fraction(str(mpmath.exp(-mean) * mpmath.mpf(mean) ** x / mpmath.factorial(x))) for x in range(15)}


def noise_counts(published, runs, coins):
    """How many noise bits pool 1 has, which is in copy 0."""
    found = Counter()
    for _ in range(runs):
        messages = [y for user in TAKING_PART for y in published.randomize_in(ASSIGNMENT[user], 2, coins)]
        found[sum(label == 1 for label, _ in messages) - 1] += 1
    return found


def test_every_pool_has_the_noise_of_all_who_take_part(sweep_factor):
    coins, record = Coins(), RepeatedUniformity.repaired(Uniformity(6, 2, real(6), real(3), real(0)), 2)
    runs = 2000 * sweep_factor
    shared = record.publish_with(ASSIGNMENT, coins)
    split = SplitNoise(record, tuple(ASSIGNMENT), shared.groups)
    assert check_counts(noise_law(3), noise_counts(shared, runs, coins)).consistent
    assert check_counts(noise_law(2), noise_counts(split, runs, coins)).consistent
    assert not check_counts(noise_law(3), noise_counts(split, runs, coins)).consistent


def test_split_noise_is_not_robust():
    """lam = 60, six users, gamma = 1/2: a lone user in a copy of three has Pois(20), not Pois(30), and with more users
    and copies it goes to Pois(lam/size) while the shared noise stays: both deltas exactly."""
    lam, gamma, at = real(60), real("1/2"), exp(real(1))
    promised = uniformity_view(lam, gamma, 2).curve.delta(at)
    for users, copies in ((6, 2), (60, 2), (600, 6)):
        alone = pair_curve(lam / (users // copies) / 2).delta(at)
        shared = pair_curve(users // 2 * (lam / users) / 2).delta(at)
        assert alone.decide(Fraction(promised.enclosure(20)[1])) > 0
        assert shared.enclosure(12) == promised.enclosure(12)
    assert float(alone.ball(64).mid()) > 0.5


LAWS = [
    (Fraction(1), 1, Fraction(0), 7),
    (Fraction(1, 4), 4, Fraction(0), 4),
    (Fraction(3, 16), 4, Fraction(1, 16), 4),
    (Fraction(9, 16), 1, Fraction(1, 16), 7),
]


@every("law", LAWS)
@every("h", [2, 4])
def test_compression_keeps_a_share_of_the_distance(law, h):
    """compression-moments on [8]: mean, variance and tail over all partitions, by their kinds."""
    p, a, q, b = law
    found = Counter()
    for groups, ways in partitions((a, b), h, 8 // h).items():
        found[sum((p * x + q * y - Fraction(1, h)) ** 2 for x, y in groups)] += ways
    total = sum(found.values())
    mean = sum(x * ways for x, ways in found.items()) / total
    square = sum(x * x * ways for x, ways in found.items()) / total
    norm = a * (p - Fraction(1, 8)) ** 2 + b * (q - Fraction(1, 8)) ** 2
    assert mean == norm * (8 // h) * (h - 1) / 7
    assert square - mean**2 <= 2 * mean**2 / (h - 1)
    alpha = a * abs(p - Fraction(1, 8)) / 2 + b * abs(q - Fraction(1, 8)) / 2
    good = Fraction(sum(ways for x, ways in found.items() if x > alpha**2 * Fraction(h - 1, 8 * h)), total)
    assert good >= Fraction(9 * (h - 1), 9 * (h - 1) + 32)


@pytest.mark.parametrize(("k", "h"), [(4, 2), (40, 20)])
def test_the_theorem_on_the_compressed_tester(k, h):
    """The moments of one copy at the theorem's m: the mean over all partitions of the paired distribution for h = 2,
    and one partition into pairs for h = 20, with six groups above the mean and six below."""
    lam, alpha = real(20), Fraction(1, 4)
    square, root, copies = real(alpha) ** 2 * (h - 1) / (4 * k), sqrt(real(h)), 1 if h >= 10 else 5
    terms = 540 * root / square, 4 * sqrt(real(10)) * root * sqrt(root) * sqrt(lam) / sqrt(square)
    one = real(max(term.ceil() for term in terms))
    tau = threshold(h, lam, one, 10)
    false = chance_bounds(Statistic(one, lam, uniform_law(h)), tau)[1]
    assert false < Fraction(1, 21) + Fraction(1, 10**30)
    if h == 2:
        parts = grouped(one, lam, h, paired_law(k, alpha))
        low = sum((chance_bounds(of, tau)[0] * weight for of, weight in parts), real(0))
        assert (1 - low) ** copies <= Fraction(1, 3)
    else:
        kinds = ((Fraction(1, 40), 6), (Fraction(1, 20), 8), (Fraction(3, 40), 6))
        assert sum(p * count for p, count in kinds) == 1
        assert chance_bounds(Statistic(one, lam, kinds), tau)[0] >= Fraction(20, 21)


def answer(capsys, line):
    with pytest.raises(SystemExit) as end:
        main([*line.split(), "--json"])
    captured = capsys.readouterr()
    assert (end.value.code, captured.err) == (0, "")
    return json.loads(captured.out)


SAME = [
    "accuracy uniformity --k 2 --m 16 --lam 10 --paired 1/4",
    "accuracy compressed-uniformity --k 4 --k-hat 2 --m 16 --lam 10 --paired 1/4",
    "privacy uniformity --lam 40 --at-eps 1 --gamma 1/2",
    "privacy compressed-uniformity --k 4 --k-hat 2 --lam 40 --at-eps 1",
]


@pytest.mark.parametrize("line", SAME)
def test_one_copy_is_the_tester_itself(capsys, line):
    plain, one = answer(capsys, line), answer(capsys, f"{line} --copies 1")
    assert one.pop("parameters").pop("copies") == "1"
    plain.pop("parameters")
    assert one == plain


@pytest.mark.parametrize("line", SAME[2:])
def test_the_privacy_is_that_of_one_copy(capsys, line):
    plain, seven = answer(capsys, line), answer(capsys, f"{line} --copies 7")
    assert (plain["lower"], plain["scope"]) == (seven["lower"], seven["scope"])


def test_the_accuracy_of_copies(capsys):
    one = answer(capsys, "accuracy uniformity --k 2 --m 16 --lam 10 --paired 1/4 --digits 25")
    three = answer(capsys, "accuracy uniformity --k 2 --m 48 --lam 10 --paired 1/4 --copies 3")
    p = Fraction(one["lower"])
    assert (three["copies"], three["votes"]) == (3, 2)
    assert Fraction(three["lower"]) <= 3 * p**2 * (1 - p) + p**3 <= Fraction(three["upper"])
    fixed = answer(capsys, "accuracy uniformity --k 2 --m 48 --lam 10 --uniform --copies 3 --votes 1 --fixed 20")
    assert fixed["votes"] == 1


def test_runs_on_the_command_line(capsys, tmp_path):
    line = "uniformity --n 7 --k 2 --lam 3 --copies 3"
    with pytest.raises(SystemExit):
        main(["sample", *line.split(), "--uniform", "--runs", "20", "--seed", "4"])
    text = capsys.readouterr().out
    rows = [json.loads(row) for row in text.splitlines()]
    assert all(set(row["pools"]) == {str(j) for j in range(1, 7)} for row in rows)
    (tmp_path / "runs").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["analyze", *line.split(), "--input", str(tmp_path / "runs")])
    again = [json.loads(row)["output"] for row in capsys.readouterr().out.splitlines()]
    assert again == [row["output"] for row in rows]


REFUSED = {
    "copies = 0": "accuracy uniformity --k 2 --m 3 --lam 1 --uniform --copies 0",
    "at most 1000": "accuracy uniformity --k 2 --m 3 --lam 1 --uniform --copies 1001",
    "votes = 3": "accuracy uniformity --k 2 --m 3 --lam 1 --uniform --copies 2 --votes 3",
    "--copies has no meaning for pan-sum": "privacy pan-sum --lam 9 --at-eps 1 --copies 2",
    "--copies has no meaning for pan-uniformity": "accuracy pan-uniformity --n 9 --k 2 --lam 1 --uniform --copies 2",
    "so that each copy has a user": "sample uniformity --n 3 --k 2 --lam 3 --copies 4 --uniform",
    "--approximate": "sample uniformity --n 3 --k 2 --lam 3 --copies 2 --uniform --approximate",
    "no certificate with --copies": "privacy uniformity --lam 9 --at-eps 1 --copies 2 --certificate x.json",
}


@every("part", REFUSED)
def test_bad_input_gets_one_sentence(capsys, part):
    with pytest.raises(SystemExit) as end:
        main(REFUSED[part].split())
    captured = capsys.readouterr()
    assert (end.value.code, captured.out) == (2, "")
    assert part in captured.err
    assert captured.err.count("\n") == 1


@every(
    "bad",
    [
        lambda: repeated_chance([(Certified.of(1), 2)], 3),
        lambda: votes_needed(0),
        lambda: RepeatedUniformity(Uniformity(3, 2, real(1), real(1), real(0)), 2, 3),
        lambda: RepeatedUniformity(Uniformity(3, 2, real(1), real(1), real(0)), 2, 1).publish_with([0, 1], Coins()),
    ],
)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(ParameterError):
        bad()
