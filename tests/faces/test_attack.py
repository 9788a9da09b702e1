"""`panshuffle attack`: the event by enumeration, its probabilities, and samples that agree with them."""

import json
from fractions import Fraction
from itertools import product
from math import comb, exp, factorial, log

import pytest
from panshuffle.exact.certificates.witness import Place, Subject, certify, event_of, listed
from panshuffle.exact.check import main as check_main

from panshuffle.answers import attack
from panshuffle.main import main
from tests.conftest import FULL
from tests.every import every

SAMPLED = [
    "binomial --l 20 --p 1/3 --at-exp-eps 2",
    "binomial --l 20 --p 2/3 --n 4 --at-eps 1/2 --direction gain",
    "binary-sum --n 8 --gamma 1/2 --p 2/3 --at-eps 1/2",
    "pan-sum --lam 20 --at-eps 1/2 --direction gain",
    "pan-histogram --lam 20 --at-eps 1/2",
    "pan-histogram --lam 20 --at-eps 1/2 --pool --k 2 --n 5",
    "shuffle-histogram --n 6 --k 2 --p 0.4 --at-eps 1/2",
    "uniformity --lam 4 --at-eps 1/2 --pool",
    "uniformity --lam 4 --at-eps 1/2 --k 2 --n 3",
    "uniformity --lam 60 --at-eps 1/2",
    "distinct-elements --n 4 --eps 1 --m 3 --at-exp-eps 2",
    "distinct-elements --n 3 --eps 1 --m 2 --at-exp-eps 3/2 --pool --direction lose",
    "distinct-elements --n 3 --eps 1 --m 3 --at-exp-eps 2 --k 2",
    "distinct-elements --n 4 --eps 1 --m 3 --at-exp-eps 3/2 --holders 1,1",
    "two-bit-sum --n 4 --p 1/4 --at-exp-eps 2",
    "two-bit-sum --n 6 --gamma 1/2 --p 1/3 --at-eps 1/2 --pool",
    "poisson-binomial --n 4 --m 2 --p 1/4 --at-exp-eps 3/2",
    "modular-sum --n 4 --m 3 --at-eps 1/2",
    "randomized-or --eps 1 --at-exp-eps 3/2",
    "randomized-or --eps 2 --n 5 --at-eps 1/2 --direction lose",
    "geometric-distinct-elements --eps 1 --at-eps 1/2",
    "geometric-distinct-elements --eps 1 --n 5 --k 2 --at-eps 1/2",
    "hashed-distinct-elements --n 4 --k 9 --m 2 --eps 1 --at-exp-eps 3/2",
    "hashed-distinct-elements --n 3 --k 50 --m 3 --eps 1 --at-eps 1/2 --holders 1,0",
    "compressed-uniformity --n 4 --k 6 --k-hat 3 --lam 6 --at-eps 1/2",
    "compressed-uniformity --n 4 --k 6 --k-hat 2 --lam 6 --at-eps 1/2 --pool",
    "pan-distinct-elements --n 9 --k 4 --eps 1 --m 2 --at-eps 1/2",
    "pan-distinct-elements --n 9 --k 2 --eps 1 --m 3 --at-exp-eps 3/2",
    "pan-distinct-elements --n 7 --k 3 --eps 1 --m 2 --at-eps 1/2",
]
RUNS = 600 if FULL else 300


def answer(capsys, arguments, status=0):
    with pytest.raises(SystemExit) as stop:
        main(["attack", *arguments.split(), "--json"])
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (status, "")
    return json.loads(out)


@pytest.mark.parametrize("arguments", SAMPLED)
def test_samples_agree_with_the_exact_probabilities(arguments, capsys, tmp_path):
    """Seeded runs; each has a false-alarm probability of at most 1e-9, whatever the number of runs."""
    path = tmp_path / "attack.json"
    found = answer(capsys, f"{arguments} --runs {RUNS} --seed 7 --certificate {path}")
    assert found["consistent"] is True
    assert (found["runs"], found["alarm"]) == (RUNS, "1/1000000000")
    exact, sampled = float(found["advantage"]["lower"]), found["sampled_advantage"]
    factor = float(Fraction(*found["at"].values())) if "exp_eps" in found["at"] else exp(0.5)
    p, q = (Fraction(found[law]["upper"]) for law in "PQ")
    assert exact == pytest.approx(float(p) - factor * float(q), rel=1e-6)
    assert (
        abs(sampled - exact)
        <= 6.7 * (float(p) ** 0.5 + factor * float(q) ** 0.5) / RUNS**0.5 + 22 * (1 + factor) / RUNS
    )
    assert Fraction(found["advantage"]["upper"]) <= Fraction(found["delta"]["upper"])
    assert Fraction(found["advantage"]["lower"]) >= Fraction(found["delta"]["lower"]) * Fraction(99, 100)
    assert check_main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("accepted: delta >= ")


def test_samples_that_do_not_agree_are_seen(capsys, monkeypatch):
    """A sampler that always shows the same count."""
    monkeypatch.setattr(attack, "read", lambda *about: [3])
    found = answer(capsys, "binomial --l 20 --at-exp-eps 2 --runs 200", status=1)
    assert found["consistent"] is False


def test_runs_are_reproducible(capsys):
    first, second, other = (
        answer(capsys, f"binomial --l 20 --at-exp-eps 2 --runs 500 --seed {seed}")["hits"] for seed in (5, 5, 6)
    )
    assert first == second != other


def lower_event(protocol, parameters, view, exp_eps, wanted="0", background=None, direction=None):
    subject = Subject(protocol, parameters, view, direction)
    return event_of(certify(subject, "lower", Place("exp_eps", exp_eps), wanted, 10, background=background))


def compare(event, cells, ratio):
    """The event's masses and its worth against all cells {outcome: (P, Q)}."""
    p = sum(upper for outcome, (upper, _) in cells.items() if event.contains(outcome))
    q = sum(lower for outcome, (_, lower) in cells.items() if event.contains(outcome))
    best = sum(max(upper - ratio * lower, 0) for upper, lower in cells.values())
    bounds = event.bounds
    assert float(bounds.p_low) == pytest.approx(float(p), rel=1e-9)
    assert float(bounds.q_high) == pytest.approx(float(q), rel=1e-9)
    assert float(p - ratio * q) == pytest.approx(float(best), rel=1e-9)


def binomial_law(l, p):
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)] + [Fraction(0)]


@pytest.mark.parametrize("direction", ["gain", "lose"])
def test_the_event_of_a_shift_by_enumeration(direction):
    b, ratio = binomial_law(7, Fraction(1, 3)), Fraction(3, 2)
    laws = [(b[x - 1] if x else Fraction(0), b[x]) for x in range(9)]
    cells = {(x,): pair if direction == "gain" else pair[::-1] for x, pair in enumerate(laws)}
    event = lower_event("binomial", {"l": "7", "p": "1/3"}, "whole", "3/2", direction=direction)
    assert event.direction == direction
    compare(event, cells, ratio)


def flipped_law(ones, zeros, p):
    """The number of ones of so many bits of either kind, each flipped with probability p."""
    law = [Fraction(0)] * (ones + zeros + 1)
    for kept, flipped in product(range(ones + 1), range(zeros + 1)):
        mass = comb(ones, kept) * (1 - p) ** kept * p ** (ones - kept)
        law[kept + flipped] += mass * comb(zeros, flipped) * p**flipped * (1 - p) ** (zeros - flipped)
    return law


def test_the_event_of_flipped_bits_by_enumeration():
    p, users = Fraction(1, 4), 4
    laws = [flipped_law(ones, users - ones, p) for ones in range(users + 1)]
    event = lower_event("two-bit-sum", {"n": "4", "p": "1/4"}, "pair", "2", wanted="10935/65536")
    a, b = event.holders
    cells = {(x, y): (laws[a + 1][x] * laws[b][y], laws[a][x] * laws[b + 1][y]) for x in range(5) for y in range(5)}
    compare(event, cells, Fraction(2))
    copies = [flipped_law(2 * ones, 2 * (users - ones), p) for ones in range(users + 1)]
    event = lower_event("poisson-binomial", {"n": "4", "m": "2", "p": "1/4"}, "whole", "2", wanted="1/10")
    (h,) = event.holders
    more, fewer = (copies[h + 1], copies[h]) if event.direction == "gain" else (copies[h], copies[h + 1])
    compare(event, {(x,): (more[x], fewer[x]) for x in range(9)}, Fraction(2))


def two_counts(b, size):
    """P and Q of (X+1, Y) and (X, Y+1)."""

    def mass(x):
        return b[x] if 0 <= x < len(b) else 0

    return {(x, y): (mass(x - 1) * mass(y), mass(x) * mass(y - 1)) for x in range(size) for y in range(size) if x or y}


def test_the_event_of_a_histogram_by_enumeration():
    cells = two_counts(binomial_law(6, Fraction(1, 2)), 8)
    compare(lower_event("pan-histogram", {"k": "3", "lam": "6"}, "pair", "3/2"), cells, Fraction(3, 2))
    cells = two_counts(binomial_law(5, Fraction(1, 4)), 7)
    event = lower_event("shuffle-histogram", {"k": "2", "n": "5", "p": "1/4"}, "pair", "2")
    compare(event, cells, Fraction(2))


def test_the_event_of_poisson_pools_by_enumeration():
    mean = 0.75
    pool = two_counts([exp(-mean) * mean**x / factorial(x) for x in range(16)], 17)
    compare(lower_event("uniformity", {"k": "3", "lam": "3/2"}, "pool", "2"), pool, 2)
    pool = {cell: pair for cell, pair in pool.items() if max(pair) > 1e-13}
    pair = {(*a, *b): (pool[a][0] * pool[b][0], pool[a][1] * pool[b][1]) for a, b in product(pool, pool)}
    event = lower_event("uniformity", {"k": "3", "lam": "3/2"}, "pair", "2", wanted="1/100")
    p = sum(upper for outcome, (upper, _) in pair.items() if event.contains(outcome))
    q = sum(lower for outcome, (_, lower) in pair.items() if event.contains(outcome))
    best = sum(max(upper - 2 * lower, 0) for upper, lower in pair.values())
    assert float(event.bounds.p_low) == pytest.approx(p, rel=1e-8)
    assert float(event.bounds.q_high) == pytest.approx(q, rel=1e-8)
    assert p - 2 * q == pytest.approx(best, rel=1e-8)


def shares_law(users, holders, m, q):
    """The number of ones, over every bit of every user: a holder's are uniform, another's have parity Ber((1-q)/2)."""
    law = [Fraction(0)] * (users * m + 1)
    for bits in product((0, 1), repeat=users * m):
        mass = Fraction(1)
        for user in range(users):
            odd = sum(bits[user * m : user * m + m]) % 2
            parity = Fraction(1, 2) if user < holders else (1 - q) / 2 if odd else (1 + q) / 2
            mass *= parity / 2 ** (m - 1)
        law[sum(bits)] += mass
    return law


def test_the_event_of_distinct_elements_by_enumeration():
    users, m, q = 3, 2, Fraction(2, 3)
    laws = [shares_law(users, holders, m, q) for holders in range(users + 1)]
    parameters = {"n": "3", "k": "3", "m": "2", "q": "2/3"}
    for a, b in ((0, 0), (1, 0), (0, 1), (1, 1)):
        cells = {(x, y): (laws[a + 1][x] * laws[b][y], laws[a][x] * laws[b + 1][y]) for x in range(7) for y in range(7)}
        event = lower_event("distinct-elements", parameters, "pair", "5/4", background=(a, b))
        assert event.holders == (a, b)
        compare(event, cells, Fraction(5, 4))
    cells = {(x,): (laws[1][x], laws[0][x]) for x in range(7)}
    event = lower_event("distinct-elements", parameters, "pool", "5/4", background=(0,), direction="gain")
    compare(event, cells, Fraction(5, 4))


def test_the_parities_of_large_pools():
    """With n users the parities are those of one fair bit and one Ber(1/(2e^eps))."""
    parameters = {"n": "100000", "k": "3", "m": "20", "eps": "1"}
    event = lower_event("distinct-elements", parameters, "pair", "2")
    assert float(event.bounds.p_low) == pytest.approx((1 + 1 - exp(-1)) / 4)
    assert float(event.bounds.q_low) == pytest.approx(exp(-1) / 4)
    assert event.contains([3, 4])
    assert not any(event.contains(cell) for cell in ([2, 4], [3, 3], [2, 3]))


def test_no_event_where_delta_is_zero(capsys):
    found = answer(capsys, "distinct-elements --n 6 --q 1/2 --m 2 --at-exp-eps 2")
    assert (found["event"], found["runs"], found["delta"]["exact"]) == (None, 0, "0")


def test_no_runs(capsys):
    found = answer(capsys, "binomial --l 1000000 --at-eps 0.01 --runs 0")
    assert found["runs"] == 0
    assert found["event"]["data"]["at_most"] < 500_000
    assert float(found["advantage"]["lower"]) > 0
    assert log(float(found["P"]["lower"]) / float(found["Q"]["lower"])) > 0.01


def test_the_text_for_a_person(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["attack", "binomial", "--l", "20", "--at-exp-eps", "2", "--runs", "100", "--seed", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert stop.value.code == 0
    assert lines[0] == "event: the count is at most 7"
    assert "false-alarm probability at most 1/1000000000" in lines[-1]


@every(
    ("arguments", "reason"),
    [
        ("binomial --l 20", "--at-eps or --at-exp-eps"),
        ("binomial --l 20 --at-eps -1", "at-eps = -1"),
        ("binomial --l 20 --at-eps 1 --runs x", "runs = x"),
        ("binomial --l 20 --at-eps 1 --runs -3", "runs = -3"),
        ("binomial --l 20 --at-eps 1 --alarm 2", "alarm = 2"),
        ("binomial --l 20 --at-eps 1 --alarm 0", "alarm = 0"),
        ("binomial --l 20 --at-eps 1 --seed -1", "seed = -1"),
        ("binomial --l 20 --at-eps 1 --pool", "--pool has no meaning"),
        ("pan-sum --lam 20 --at-eps 1 --t 1", "--t has no meaning"),
        ("pan-uniformity --n 18 --k 3 --lam 18 --at-eps 1/2", "has no attack: binary-sum, "),
        ("compressed-uniformity --n 6 --k 7 --k-hat 3 --lam 20 --at-eps 1/2", "does not divide it"),
        ("two-bit-sum --n 300 --p 1/4 --at-eps 1", "300 users take part"),
        ("pan-histogram --k 1 --lam 4 --at-eps 1", "no two neighbours differ"),
        ("distinct-elements --n 1000 --m 20 --eps 1 --at-eps 1 --runs 100000", "runs = 100000"),
        ("nonsense --at-eps 1", "protocol = nonsense"),
        ("distinct-elements --n 6 --q 1/2 --m 2 --at-exp-eps 2 --certificate c.json", "delta is 0"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["attack", *arguments.split()])
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_lists_are_short():
    assert listed([]) == "none"
    assert listed(list(range(0, 60, 3))).endswith("...")
