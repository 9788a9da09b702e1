"""The harness behind `panshuffle crosscheck`: its evidence, its laws, and the command."""

import ast
import json
import math
import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from pathlib import Path
from random import Random

import pytest
from flint import arb, ctx, fmpq

from crosscheck.audit import audit, lower_probability, upper_probability
from crosscheck.bets import Columns, parity_bet, repeat_bets, transition_bet
from crosscheck.diagnosis import period_of
from crosscheck.e_values import against, mixed, split, spread, tilted
from crosscheck.examination import Examination, examine
from crosscheck.mass_tables import (
    MassTable,
    binomial,
    ideal_pool,
    image,
    listed,
    mixture,
    normal,
    parity_pool,
    poisson,
    symmetric_geometric,
)
from crosscheck.order_bets import PLACES, even_chance
from crosscheck.reference.model import Bug, Reference
from crosscheck.runs import Run, run_of, runs_of_csv
from exact.errors import InputError
from exact.numbers.real import exp, log, real
from panshuffle.card import card_of
from panshuffle.catalogue import PROTOCOLS
from panshuffle.main import main
from panshuffle.output import jsonable
from panshuffle.references import reference_of
from panshuffle.testing import assert_law
from protocols.binary_sum import BinarySum
from protocols.binomial import Binomial
from protocols.compressed_uniformity import CompressedUniformity
from protocols.distinct_elements import DistinctElements
from protocols.hashed_distinct_elements import HashedDistinctElements
from protocols.modular_sum import ModularSum
from protocols.pan_distinct_elements import PanDistinctElements
from protocols.pan_histogram import PanHistogram
from protocols.pan_sum import PanSum
from protocols.shuffle_histogram import ShuffleHistogram
from protocols.two_bit_sum import TwoBitSum
from tests import laws
from tests.enumeration import law_of

ROOT = Path(__file__).parent.parent
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def masses(table, first, last):
    return [float(table.mass(x).mid()) for x in range(first, last + 1)]


def contains(ball, value):
    with ctx.workprec(400):
        return ball.overlaps(arb(fmpq(value.numerator, value.denominator)))


# Tables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "p"), [(1, THIRD), (7, Fraction(1, 10)), (30, HALF)])
def test_binomial_tables_enclose_the_exact_masses(n, p):
    table = binomial(n, real(p))
    assert all(contains(table.mass(x), mass) for x, mass in laws.binomial(n, p).items())
    assert not table.possible(-1)
    assert not table.possible(n + 1)


def test_a_large_binomial_table_agrees_with_integers():
    n, x = 100_000, 50_100
    exact = Fraction(comb(n, x), 2**n)
    assert binomial(n, real(HALF)).mass(x).overlaps(arb(comb(n, x)) / arb(2) ** n)
    assert abs(float(binomial(n, real(HALF)).up_to(n // 2).mid()) - 0.5 - comb(n, n // 2) / 2**n / 2) < 1e-12
    assert float(exact) > 0


def test_poisson_and_geometric_tables_sum_to_one_and_agree_with_closed_forms():
    table = poisson(real("7/2"))
    assert all(abs(float(table.mass(x).mid()) - math.exp(-3.5) * 3.5**x / factorial(x)) < 1e-15 for x in range(30))
    assert abs(sum(masses(table, 0, 200)) - 1) < 1e-12
    two_sided = symmetric_geometric(real(THIRD))
    assert all(abs(float(two_sided.mass(x).mid()) - 0.5 * 3.0 ** -abs(x)) < 1e-15 for x in range(-20, 20))


@pytest.mark.parametrize(("users", "holders", "m"), [(1, 0, 1), (2, 1, 3), (3, 3, 2), (4, 2, 3)])
def test_parity_pools_agree_with_listing_all_vectors(users, holders, m):
    table = parity_pool(users, holders, m, real(THIRD), real(0))
    flips = [HALF] * holders + [THIRD] * (users - holders)
    exact = laws.parity_pool(flips, m)
    assert all(contains(table.mass(x), exact.get(x, Fraction(0))) for x in range(users * m + 1))


@pytest.mark.parametrize(("users", "m", "q"), [(6, 5, HALF), (9, 4, Fraction(9, 10)), (5, 7, Fraction(-1))])
def test_large_parity_pools_enclose_what_the_polynomial_gives(users, m, q):
    exact = parity_pool(users, 1, m, real(q), real(0))
    rough = ideal_pool(users, m, [(users - 1, real(q).ball(160)), (1, arb(0))])
    assert all(rough.mass(x).overlaps(exact.mass(x)) for x in range(users * m + 1))
    assert all(rough.mass(x).upper() >= exact.mass(x).lower() for x in range(users * m + 1))


def test_sums_mixtures_and_images_enclose_those_of_fractions():
    first, second = laws.binomial(3, THIRD), laws.binomial(4, HALF)
    exact = laws.image(laws.independent(first, second), sum)
    table = binomial(3, real(THIRD)).plus(binomial(4, real(HALF)))
    assert all(contains(table.mass(x), mass) for x, mass in exact.items())
    both = mixture([(THIRD, binomial(3, real(THIRD))), (1 - THIRD, binomial(4, real(HALF)))])
    assert all(contains(both.mass(x), THIRD * first.get(x, 0) + (1 - THIRD) * second.get(x, 0)) for x in range(5))
    parity = image(table, lambda x: x % 2)
    assert contains(parity.mass(0), sum(mass for x, mass in exact.items() if x % 2 == 0))
    poisson_even = image(poisson(real(2)), lambda x: x % 2).mass(0)
    assert poisson_even.overlaps(((-arb(4)).exp() + 1) / 2)


def test_alternatives_sum_to_at_most_one():
    assert sum(masses(normal(3.0, 2.0), -40, 40)) <= 1


# Evidence --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("runs", "p"), [(1, HALF), (5, THIRD), (8, Fraction(1, 7))])
def test_the_mean_of_a_split_under_the_law_is_one(runs, p):
    total = sum(
        float(split(k, runs, arb(p.numerator) / p.denominator).exp().mid())
        * float(comb(runs, k) * p**k * (1 - p) ** (runs - k))
        for k in range(runs + 1)
    )
    assert abs(total - 1) < 1e-12


def test_a_split_is_the_rational_number_that_it_says():
    exact = 1 / ((10 + 1) * comb(10, 7) * THIRD**7 * (1 - THIRD) ** 3)
    third = binomial(1, real(THIRD)).mass(1)
    with ctx.workprec(160):
        assert contains(split(7, 10, third).exp(), exact)


def test_the_mean_of_a_spread_under_the_law_is_one():
    p = (HALF, THIRD, Fraction(1, 6))
    balls = [arb(x.numerator) / x.denominator for x in p]
    total = 0.0
    for word in product(range(3), repeat=5):
        counts = [word.count(i) for i in range(3)]
        total += float(spread(counts, balls).exp().mid()) * float(prod(p[i] for i in word))
    assert abs(total - 1) < 1e-12


def test_the_mean_of_a_likelihood_ratio_is_at_most_one():
    law, other = listed({0: 0.5, 1: 0.25, 2: 0.25}), listed({0: 0.125, 1: 0.75, 2: 0.125})
    total = 0.0
    for word in product(range(3), repeat=4):
        mass = prod(float(law.mass(x).mid()) for x in word)
        total += mass * float(against(Counter(word), law, other).exp().mid())
    assert abs(total - 1) < 1e-12


def test_the_mean_of_a_tilted_bet_is_one():
    chances = [HALF, THIRD, Fraction(9, 10)]
    total = 0.0
    for word in product((True, False), repeat=3):
        mass = prod(p if happened else 1 - p for happened, p in zip(word, chances, strict=True))
        total += float(mass) * float(tilted(list(zip(word, chances, strict=True)), Fraction(4)).exp().mid())
    assert abs(total - 1) < 1e-12


def tiny():
    law = listed({0: 0.5, 1: 0.375, 2: 0.125})
    return Reference(("x",), (law,), lambda run: (run.output,))


def mean_over_words(length, value):
    reference, total = tiny(), 0.0
    for word in product(range(3), repeat=length):
        columns = Columns(reference, [(x,) for x in word])
        mass = prod((0.5, 0.375, 0.125)[x] for x in word)
        total += mass * value(columns)
    return total


def test_the_mean_of_bets_on_repeats_is_at_most_one():
    for i in (0, 1):
        mean = mean_over_words(5, lambda columns, i=i: float(list(repeat_bets(columns))[i].log_e.exp().mid()))
        assert abs(mean - 1) < 1e-12


@pytest.mark.parametrize("lag", [1, 2])
def test_the_mean_of_transitions_is_one(lag):
    mean = mean_over_words(6, lambda columns: float(transition_bet(columns, 0, lag).log_e.exp().mid()))
    assert abs(mean - 1) < 1e-12


def test_the_evidence_as_a_whole_has_mean_at_most_one():
    """Over all sequences of five runs, with every question that is asked of one coordinate."""
    total = 0.0
    for word in product(range(3), repeat=5):
        examination = Examination(tiny())
        for x in word:
            examination.add(Run(output=x))
        groups = examination.bets()
        parts = [(Fraction(1, len(groups) * len(group)), q.log_e) for group in groups for q in group]
        total += prod((0.5, 0.375, 0.125)[x] for x in word) * float(mixed(parts).exp().mid())
    assert 0.5 < total <= 1 + 1e-12


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.words)
def test_chances_of_places_are_those_of_all_permutations(place):
    messages = [(1, 0), (1, 1), (2, 1), (3, 0), (2, 1)]
    counts = Counter(messages)
    from itertools import permutations

    outcomes = [place.observe(order, counts) for order in permutations(messages)]
    assert {p for _, p in outcomes} == {Fraction(sum(happened for happened, _ in outcomes), len(outcomes))}


def test_even_blocks_by_listing():
    from itertools import combinations

    bits = [1, 1, 1, 0, 0, 0, 0]
    chosen = list(combinations(bits, 3))
    assert even_chance(3, 7, 3) == Fraction(sum(sum(part) % 2 == 0 for part in chosen), len(chosen))


# References ------------------------------------------------------------------------------------------------------

QUARTER = real("1/4")
TINY = {
    "binomial": (Binomial(2, 3, real("1/3")), [1, 0], None),
    "binary-sum with a dropout": (BinarySum(3, QUARTER), [1, 0], None),
    "modular-sum": (ModularSum(2, 3), [1, 0], None),
    "distinct-elements": (DistinctElements(2, 2, log(real("4/3")), 2), [1, 1], None),
    "distinct-elements with a dropout": (DistinctElements(2, 3, log(real("4/3")), 2), [3], None),
    "hashed-distinct-elements": (HashedDistinctElements(2, 3, log(real("4/3")), 1, real(1)), [1, 2], None),
    "shuffle-histogram": (ShuffleHistogram(2, 2, QUARTER), [1, 1], None),
    "two-bit-sum": (TwoBitSum(2, QUARTER), [(0, 1), (1, 1)], None),
    "pan-sum": (PanSum(2, 3), [1, 1], 1),
    "pan-sum without a state": (PanSum(2, 3), [1, 0], None),
    "pan-histogram": (PanHistogram(2, 2, 2), [1, 2], 1),
    "pan-distinct-elements": (PanDistinctElements(DistinctElements(3, 2, log(real("8/7")), 1)), [2], 1),
}


def line_of(record, data, t, coins):
    line = card_of(record).runner(record).once(data, coins, t=t)
    return json.loads(json.dumps({key: jsonable(value) for key, value in line.items()}))


@pytest.mark.parametrize("name", TINY)
def test_references_are_the_laws_of_the_protocols_under_all_coins(name):
    """Every coordinate's marginal; and the joint law of those that are said to be independent is their product."""
    record, data, t = TINY[name]
    reference = reference_of(record, data, t)
    joint = law_of(lambda coins: reference.read(run_of(line_of(record, data, t, coins), "run")))
    for i, law in enumerate(reference.laws):
        marginal = laws.image(joint, lambda outcome, i=i: outcome[i])
        assert all(contains(law.mass(x), mass) for x, mass in marginal.items())
        assert abs(sum(float(law.mass(x).mid()) for x in marginal) - 1) < 1e-12
    together = [i for i in range(len(reference.laws)) if i not in reference.dependent]
    for outcome, mass in laws.image(joint, lambda outcome: tuple(outcome[i] for i in together)).items():
        expected = prod(float(reference.laws[i].mass(x).mid()) for i, x in zip(together, outcome, strict=True))
        assert abs(float(mass) - expected) < 1e-12


def test_the_groups_of_a_compressed_domain_by_listing_all_partitions():
    """k = 5 elements, padded to 6, in groups of two: every order of the labels, every spot of every user."""
    from itertools import permutations

    data, k, groups = (1, 1, 4), 5, 3
    labels = [g for g in range(groups) for _ in range(2)]
    law: Counter = Counter()
    orders = set(permutations(labels))
    for order in orders:
        for spots in product(range(6), repeat=len(data)):
            landed = sum(order[spot if spot >= k else x - 1] == 0 for x, spot in zip(data, spots, strict=True))
            law[landed] += Fraction(1, len(orders) * 6 ** len(data))
    from crosscheck.reference.encoded import landed_in_group

    table = landed_in_group(k, groups, data)
    assert all(contains(table.mass(x), mass) for x, mass in law.items())
    record = CompressedUniformity.repaired(3, 5, 3, real(2), real(3))
    assert reference_of(record, list(data)).dependent == {2, 4, 6}


# Looking again and again -------------------------------------------------------------------------------------------


def test_peeking_does_not_raise_false_alarms(sweep_factor):
    """At alarm 1/20 the runs are looked at after each of 60: at most 1/20 of the sequences may ever alarm (Ville)."""
    reference = reference_of(Binomial(1, 4, real(HALF)), [1])
    sequences, alarms = 60 * sweep_factor, 0
    for seed in range(sequences):
        rng, examination = Random(seed), Examination(reference, Fraction(1, 20))
        for _ in range(60):
            examination.add(Run(output=1 + sum(rng.getrandbits(1) for _ in range(4))))
            if len(examination.vectors) % 5 == 0 and not examination.conclusion().consistent:
                alarms += 1
                break
    assert alarms <= sequences / 20 + 4 * math.sqrt(sequences / 20)


def test_more_runs_show_smaller_deviations():
    reference = reference_of(Binomial(1, 4, real(HALF)), [1])

    def least(runs):
        rng, examination = Random(1), Examination(reference)
        for _ in range(runs):
            examination.add(Run(output=1 + sum(rng.getrandbits(1) for _ in range(4))))
        return float(examination.conclusion().resolution.split(" by ")[1].split()[0])

    assert least(4000) < least(400) / 2


# Privacy of samples -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "runs"), [(0, 10), (3, 10), (10, 10), (40, 100)])
def test_clopper_and_pearson_by_sums_of_fractions(hits, runs):
    error = Fraction(1, 1000)

    def at_least(p):
        return sum(comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(hits, runs + 1))

    def at_most(p):
        return sum(comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(hits + 1))

    low, high = lower_probability(hits, runs, error), upper_probability(hits, runs, error)
    assert low <= Fraction(hits, runs) <= high
    assert hits == 0 or at_least(low) <= error < at_least(low + Fraction(1, 10**9))
    assert hits == runs or at_most(high) <= error < at_most(high - Fraction(1, 10**9))


def sampled_bits(data, p, seed, runs):
    rng = Random(seed)
    for _ in range(runs):
        ones = sum(data) + sum(rng.random() < p for _ in data)
        yield Run(pools={1: (2 * len(data) - ones, ones)})


def test_samples_prove_a_lower_bound_that_the_exact_curve_allows():
    record, data, other = BinarySum(6, real(HALF)), [1, 0, 0, 0, 0, 0], [0] * 6
    references = (reference_of(record, data), reference_of(record, other))
    bound = audit(
        references,
        (sampled_bits(data, 0.5, 1, 20_000), sampled_bits(other, 0.5, 2, 20_000)),
        real("1/100"),
        Fraction(1, 10**9),
    )
    truth = max(
        math.log((float(up) - 0.01) / float(down))
        for cut in range(7)
        for up, down in [
            (
                sum(Fraction(comb(6, x - 1), 64) for x in range(max(1, cut), 8)),
                sum(Fraction(comb(6, x), 64) for x in range(cut, 7)),
            ),
            (
                sum(Fraction(comb(6, x), 64) for x in range(cut + 1)),
                sum(Fraction(comb(6, x - 1), 64) for x in range(1, cut + 1)),
            ),
        ]
        if down and up > Fraction(1, 100)
    )
    assert 0.3 < float(bound.eps) <= truth


def test_samples_without_noise_prove_that_privacy_is_violated():
    record, data, other = BinarySum(6, real(HALF)), [1, 0, 0, 0, 0, 0], [0] * 6
    references = (reference_of(record, data), reference_of(record, other))
    bound = audit(
        references,
        (sampled_bits(data, 0.0, 1, 2000), sampled_bits(other, 0.0, 2, 2000)),
        real("1/100"),
        Fraction(1, 10**9),
    )
    assert float(bound.eps) > 3


def test_no_protocol_has_its_name_in_the_package():
    """What is a protocol's own stands with its name in the application, not here."""
    for path in (ROOT / "crosscheck").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and node.value in tuple(PROTOCOLS)), (path, node.lineno)


# The command ------------------------------------------------------------------------------------------------------


def call(capsys, *words):
    with pytest.raises(SystemExit) as end:
        main(["crosscheck", *map(str, words)])
    out = capsys.readouterr()
    return end.value.code, out.out, out.err


BITS = ("binary-sum", "--n", 6, "--p", "1/3", "--ones", 2)


def bit_lines(p, runs, seed=3):
    rng = Random(seed)
    lines = []
    for _ in range(runs):
        messages = [1, 1, 0, 0, 0, 0] + [int(rng.random() < p) for _ in range(6)]
        rng.shuffle(messages)
        lines.append(json.dumps({"messages": messages, "output": max(0, sum(messages) - 6)}))
    return lines


def test_samples_of_a_right_and_of_a_wrong_implementation(tmp_path, capsys):
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(bit_lines(1 / 3, 1000)))
    bad.write_text("\n".join(bit_lines(1 / 6, 1000)))
    status, out, _ = call(capsys, *BITS, "--samples", good, "--json")
    assert (status, json.loads(out)["verdict"], json.loads(out)["runs"]) == (0, "consistent", 1000)
    status, out, _ = call(capsys, *BITS, "--samples", bad, "--json")
    answer = json.loads(out)
    assert (status, answer["verdict"]) == (1, "inconsistent")
    assert "p/2" in answer["diagnosis"]["cause"]
    assert answer["findings"][0]["where"] and answer["findings"][0]["expected"]


def test_csv_and_json_lines_give_the_same_answer(tmp_path, capsys):
    runs = [json.loads(line) for line in bit_lines(1 / 3, 300)]
    pools = [(12 - sum(run["messages"]), sum(run["messages"]), run["output"]) for run in runs]
    (tmp_path / "a.csv").write_text("zeros_1,ones_1,output\n" + "".join(f"{z},{o},{y}\n" for z, o, y in pools))
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps({"pools": {"1": [z, o]}, "output": y}) + "\n" for z, o, y in pools)
    )
    answers = [call(capsys, *BITS, "--samples", tmp_path / name, "--json") for name in ("a.csv", "a.jsonl")]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"pools": {"1": [3', "line 2: the text is truncated"),
        (
            "a.jsonl",
            '{"pools": {"1": [3, 9]}, "output": 3}\n{"pools": {"1": [3]}}',
            "line 2: pool 1 is [3], not [zeros",
        ),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n[1]', "line 2: a run is a JSON object"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"pool": 3}', "line 2: the key 'pool' is not known"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"output": 3}', "neither pools nor messages"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"pools": {"1": [3, -9]}}', "line 2: pool 1 is [3, -9]"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}, "output": 3}\n{"messages": [0, 2]}', "the message 2 is neither"),
        (
            "a.jsonl",
            '{"pools": {"1": [3, 9]}}\n{"pools": {"1": [1, 1]}, "messages": [0, 0]}',
            "pool 1 is [1, 1], but its messages",
        ),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"output": NaN}', "not a finite number"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"output": 1%s}' % ("0" * 400), "a number of more than 300 digits"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"pools": {"\u00b2": [3, 9]}}', "label '\u00b2' is not a whole number"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"pools": {"--1": [3, 9]}}', "label '--1' is not a whole number"),
        ("a.jsonl", '{"pools": {"1": [3, 9]}}\n{"pools": {"1": [3, 9], "01": [0, 0]}}', "pool 1 is given twice"),
        ("a.csv", "zeros_1,ones_1\n3,9\n3,%s\n" % ("9" * 200_000), "line 3: the text is not CSV"),
        ("a.csv", "zeros_1,ones_1\n3,9\n3\n", "line 3: 1 columns where the header has 2"),
        ("a.csv", "zeros_1,ones_1\n3,9\n3,x9\n", "line 3: 'x9' is not a number"),
    ],
)
def test_bad_lines_end_the_reading_with_one_sentence_and_keep_what_was_read(tmp_path, capsys, name, text, sentence):
    (tmp_path / name).write_text(text)
    status, out, err = call(capsys, *BITS, "--samples", tmp_path / name, "--json")
    assert status == 2
    assert sentence in err
    assert "Traceback" not in err
    assert json.loads(out)["runs"] == 1
    assert sentence in json.loads(out)["stopped"]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", "", "no run was read"),
        ("a.csv", "zeros,ones\n1,2\n", "the column 'zeros' is not known"),
        ("a.csv", "output,output\n1,2\n", "name each column once"),
        ("a.csv", "zeros_1,zeros_01\n1,2\n", "name each column once"),
        ("a.csv", "zeros_\u00b2\n1\n", "the column 'zeros_\u00b2' is not known"),
        ("a.csv", "ones_1\n9\n", "zeros_1 and ones_1 are needed together"),
        ("a.csv", "state,n_left\n3,9\n", "state excludes n_left"),
        ("a.csv", "output_1,output_3\n3,9\n", "output_1, output_2, and so on"),
        ("a.jsonl", "\xff", "not JSON"),
        ("missing.jsonl", None, "the file can't be read"),
    ],
)
def test_nothing_to_read_is_one_sentence(tmp_path, capsys, name, text, sentence):
    if text is not None:
        (tmp_path / name).write_text(text)
    status, out, err = call(capsys, *BITS, "--samples", tmp_path / name)
    assert (status, out) == (2, "")
    assert sentence in err


PROGRAM = """
import json, random, sys
for line in sys.stdin:
    request = json.loads(line)
    noise = [int(random.random() < {p}) for _ in request["data"]]
    messages = request["data"] + noise
    random.shuffle(messages)
    print(json.dumps({{"messages": messages, "output": max(0, sum(messages) - 6)}}), flush=True)
    {more}
"""


def program(tmp_path, p="1/3", more="pass"):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(p=p, more=more))
    return f"{sys.executable} {path}"


def test_a_program_is_spoken_to_and_its_answers_are_kept(tmp_path, capsys):
    kept = tmp_path / "kept.jsonl"
    status, out, _ = call(capsys, *BITS, "--command", program(tmp_path), "--runs", 500, "--keep", kept, "--json")
    assert (status, json.loads(out)["runs"]) == (0, 500)
    assert len(kept.read_text().splitlines()) == 500
    assert call(capsys, *BITS, "--samples", kept)[0] == 0


def test_a_program_with_a_bug_is_stopped_early(tmp_path, capsys):
    status, out, _ = call(capsys, *BITS, "--command", program(tmp_path, p="2/3"), "--runs", 100_000, "--json")
    assert status == 1
    assert json.loads(out)["runs"] < 2000
    assert "1 - p" in json.loads(out)["diagnosis"]["cause"]


@pytest.mark.parametrize(
    ("more", "sentence", "runs"),
    [
        ("import time; time.sleep(60 if request['run'] == 5 else 0)", "no answer to request 6 within 1 seconds", 5),
        (
            "request['run'] < 5 or sys.exit('no more coins')",
            "request 6 (exit status 1, its last words: no more coins",
            5,
        ),
        ("request['run'] < 5 or print('{', flush=True)", "answer 6: the text is truncated or is not JSON: {", 5),
        ("request['run'] < 5 or print('[' * 9, end='', flush=True)", "is not JSON: [[[[", 5),
    ],
)
def test_programs_that_misbehave(tmp_path, capsys, more, sentence, runs):
    status, out, err = call(capsys, *BITS, "--command", program(tmp_path, more=more), "--seconds", 1, "--json")
    assert status == 2
    assert sentence in err
    assert json.loads(out)["runs"] == runs


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--command", "/no/such/program"), "can't be started"),
        (("--command", ""), "command = '' is not allowed"),
        (("--command", "yes"), "is not JSON: y"),
        (("--command", "true"), "ended before it answered request 1"),
        (("--command", "cat /dev/zero"), "no end of line"),
        ((), "one of --samples FILE and --command CMD is needed"),
        (("--samples", "a", "--command", "b"), "one of --samples FILE and --command CMD is needed"),
        (("--samples", "a", "--t", "1"), "--t has no meaning"),
        (("--samples", "a", "--alarm", "2"), "alarm"),
        (("--samples", "a", "--runs", "3"), "--runs has a meaning with --command only"),
        (("--command", "yes", "--runs", "0"), "runs = 0"),
        (("--command", "yes", "--seconds", "0"), "seconds = 0"),
        (("--samples", "a", "--at-delta", "1/2"), "are needed together"),
    ],
)
def test_bad_requests_are_one_sentence(capsys, words, sentence):
    status, out, err = call(capsys, *BITS, *words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_privacy_of_samples_on_the_command_line(tmp_path, capsys):
    (tmp_path / "x").write_text("1 1 0 0 0 0")
    (tmp_path / "y").write_text("1 0 0 0 0 0")
    rng = Random(5)

    def write(name, data):
        rows = [sum(data) + sum(rng.random() < 1 / 3 for _ in data) for _ in range(3000)]
        (tmp_path / name).write_text("\n".join(json.dumps({"pools": {"1": [12 - ones, ones]}}) for ones in rows))

    write("a", [1, 1, 0, 0, 0, 0])
    write("b", [1, 0, 0, 0, 0, 0])
    words = ("--samples", tmp_path / "a", "--input", tmp_path / "x")
    words += ("--neighbour-samples", tmp_path / "b", "--neighbour-input", tmp_path / "y", "--at-delta", "1/10")
    status, out, _ = call(capsys, "binary-sum", "--p", "1/3", *words, "--json")
    answer = json.loads(out)
    assert status == 0
    assert 0 < float(answer["privacy"]["eps_at_least"]) < float(answer["privacy"]["exact_eps"])
    (tmp_path / "y").write_text("0 0 0 0 0 0")
    status, _, err = call(capsys, "binary-sum", "--p", "1/3", *words)
    assert status == 2
    assert "neighbours differ in one row, these differ in 2" in err


def test_the_reference_protocols_run_as_a_separate_process(tmp_path, capsys):
    """`examples/crosscheck/reference.py` speaks the protocol for every name; a planted bug in it is found."""
    command = f"{sys.executable} examples/crosscheck/reference.py"
    words = ("distinct-elements", "--n", 4, "--k", 3, "--exp-eps", 2, "--m", 3, "--distinct", 2)
    status, out, err = call(capsys, *words, "--command", command, "--runs", 256, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["verdict"] == "consistent"
    status, out, _ = call(capsys, *words, "--command", f"{command} --bug", "--runs", 4096, "--json")
    assert status == 1


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_example_in_c(tmp_path, capsys):
    binary = tmp_path / "bits"
    subprocess.run(["cc", "-O1", "-o", binary, "examples/crosscheck/binary_sum.c"], check=True)
    words = ("binary-sum", "--n", 6, "--p", "1/4", "--ones", 2)
    assert call(capsys, *words, "--command", str(binary), "--runs", 2000)[0] == 0
    status, out, _ = call(capsys, *words, "--command", f"{binary} bug", "--runs", 4000)
    assert status == 1
    assert "likely cause" in out


def test_a_bad_alarm_and_no_runs_are_refused():
    with pytest.raises(InputError):
        Examination(tiny(), Fraction(2))
    with pytest.raises(InputError):
        examine(tiny(), [])


def test_tables_refuse_what_is_too_large():
    with pytest.raises(InputError):
        binomial(10**14, real(HALF))
    assert isinstance(binomial(10**6, real(HALF)), MassTable)


# Corners ----------------------------------------------------------------------------------------------------------


def test_columns_of_csv_are_told_by_their_numbers():
    lines = ["output_2,n_left,state_ones_1,output_1,state_zeros_1", "5,3,7,4,6"]
    (run,) = runs_of_csv(lines, "a.csv")
    assert (run.output, run.state) == ([4, 5], {"pools": {1: (6, 7)}, "n_left": 3})


@pytest.mark.parametrize("eps", ["1e-12", "1", "40", "800"])
def test_outputs_stand_for_odd_pools_at_every_eps(eps):
    """The estimate (2e^eps c - k)/(e^eps - 1), rounded to a double, is read as c, and any other number is not."""
    record = PanDistinctElements(DistinctElements(9, 40, real(eps), 2))
    read = reference_of(record, [1, 2, 3], None).read
    for odd in (0, 7, 20, 40):
        estimate = float((2 * odd - 40 * exp(-real(eps))) / (1 - exp(-real(eps))))
        assert read(Run(output=estimate)) == (odd,)
    assert read(Run(output=1e299)) == (-1,)


@pytest.mark.parametrize(("users", "m"), [(6500, 1), (7000, 1), (2200, 3)])
def test_many_users_with_few_shares(users, m):
    """With one share the pool is what the users hold; with three the law is that of fair bits but for a parity."""
    examination = Examination(reference_of(ModularSum(users, m), [1] * 3 + [0] * (users - 3)))
    law = examination.reference.laws[2]
    rng = Random(2)
    for _ in range(40):
        ones = 3 if m == 1 else sum(rng.getrandbits(1) for _ in range(users * m - 1))
        ones += (ones + 1) % 2
        examination.add(Run(pools={1: (users * m - ones, ones)}))
    assert examination.conclusion().consistent
    assert float(law.up_to(users * m // 2).rad()) < 1e-9
    if m == 3:
        bits = comb(users * m, 3301) / Fraction(2 ** (users * m - 1))
        assert abs(float(law.mass(3301).mid()) / float(bits) - 1) < 1e-2


def test_a_law_too_rough_for_evidence_is_said_to_be():
    examination = Examination(reference_of(ModularSum(30_000, 1), [1] * 3 + [0] * 29_997))
    examination.add(Run(pools={1: (29_997, 3)}))
    assert "too rough at this size" in examination.conclusion().resolution


def test_the_weights_do_not_depend_on_what_later_runs_show():
    """Runs that begin to show messages, or cease to, leave the number of questions as it was."""
    reference = reference_of(BinarySum(2, real(HALF)), [1, 0])
    shown, hidden = Run({1: (2, 2)}, ((1, 0), (1, 1), (1, 0), (1, 1))), Run({1: (2, 2)})
    for first, later in ((shown, hidden), (hidden, shown)):
        examination = Examination(reference)
        examination.add(first)
        before = [len(group) for group in examination.bets()]
        examination.add(later)
        assert [len(group) for group in examination.bets()] == before


def test_impossible_runs_that_repeat_leave_the_evidence_a_number():
    examination = Examination(tiny())
    for _ in range(8):
        examination.add(Run(output=7))
    verdict = examination.conclusion()
    assert not verdict.consistent
    assert verdict.evidence == verdict.evidence


def test_periods_agree_with_comparing_all_shifts():
    rng = Random(4)
    for _ in range(200):
        word = [(rng.getrandbits(1),) for _ in range(rng.randrange(1, 4))] * rng.randrange(1, 5)
        word += [(rng.getrandbits(1),) for _ in range(rng.randrange(3))]
        assert period_of(word) == min(p for p in range(1, len(word) + 1) if word[p:] == word[: len(word) - p])


def test_a_mistake_whose_law_is_too_large_is_left_out():
    def refuse():
        raise InputError("too many")

    law = listed({0: 0.5, 1: 0.5})
    reference = Reference(("x",), (law,), lambda run: (run.output,), (Bug("large", "the noise", refuse),))
    assert reference.bug_laws == ((law,),)
    examination = Examination(reference)
    examination.add(Run(output=1))
    assert examination.conclusion().consistent


def test_outcomes_that_lie_far_apart_are_coded():
    rng = Random(3)
    assert_law(lambda: rng.choice((0, 10**12)), {0: "1/2", 10**12: "1/2"}, runs=256)
    with pytest.raises(AssertionError):
        assert_law(lambda: 10**12, {0: "1/2", 10**12: "1/2"}, runs=256)


def test_the_mean_of_the_parity_of_a_pair_is_one():
    """Over all sequences of three runs of two independent coordinates."""
    law = listed({0: 0.5, 1: 0.375, 2: 0.125})
    reference = Reference(("x", "y"), (law, law), lambda run: run.output)
    chances, total = (0.5, 0.375, 0.125), 0.0
    for word in product(product(range(3), repeat=2), repeat=3):
        mass = prod(chances[x] * chances[y] for x, y in word)
        total += mass * float(parity_bet(Columns(reference, list(word)), 0, 1, "both").log_e.exp().mid())
    assert abs(total - 1) < 1e-12


def test_a_coin_that_the_pools_of_a_user_share_is_found():
    """Pools that share a user's coin agree in parity more often; nothing else shows it."""
    rng, record = Random(6), DistinctElements(2, 2, log(real("4/3")), 4)

    def lines():
        for _ in range(4096):
            pools = {1: [0, 0], 2: [0, 0]}
            for _ in range(2):
                coin = rng.random() < float(record.p_prime)
                for j in (1, 2):
                    bits = [rng.getrandbits(1) for _ in range(3)]
                    for bit in (*bits, (sum(bits) + coin) % 2):
                        pools[j][bit] += 1
            yield Run({j: (zeros, ones) for j, (zeros, ones) in pools.items()})

    reference = reference_of(record, [0, 0])
    verdict = examine(reference, lines())
    assert not verdict.consistent
    assert "both even or both odd" in verdict.diagnosis.cause


def test_standard_input_is_not_read_twice(tmp_path, capsys):
    (tmp_path / "x").write_text("1 0")
    words = (
        "--samples",
        "-",
        "--input",
        tmp_path / "x",
        "--neighbour-samples",
        "b",
        "--neighbour-input",
        tmp_path / "x",
    )
    status, _, err = call(capsys, "binary-sum", "--p", "1/3", *words, "--at-delta", "1/10")
    assert status == 2
    assert "read once" in err
