"""Calibration against exhaustive scans, with deltas computed from the definition; both witnesses on their sides."""

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.curves.calibration import boundary, first_integer, least_integer, meets_target
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.real import real, span
from panshuffle.exact.views.binomial import binomial_view
from panshuffle.exact.views.distinct_elements import modular_sum_view

from panshuffle.main import main
from tests.every import every
from tests.unit.laws import parity_pool, shares


def mp(value):
    value = Fraction(value)
    return mpmath.mpf(value.numerator) / value.denominator


def fraction_of(value):
    """An mpmath number, exactly."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def known(delta):
    """The curve that has one delta at every e^eps."""
    return Curve(lambda exp_eps, precision: real(delta).ball(precision), lambda e: delta)


def positive_parts(pairs, factor):
    return sum((a - factor * b for a, b in pairs if a > factor * b), factor * 0)


@cache
def binomial_masses(l, p):
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]


def shift_delta(l, p, factor, number=lambda value: value):
    """The worse direction of a shift, by the definition."""
    law = [number(mass) for mass in binomial_masses(l, p)]
    pairs = list(zip([*law, number(Fraction(0))], [number(Fraction(0)), *law], strict=True))
    return max(positive_parts(pairs, factor), positive_parts([(b, a) for a, b in pairs], factor))


def pair_delta(l, p, factor):
    """One pool up and one down, by the definition."""
    law = [Fraction(0), *binomial_masses(l, p), Fraction(0)]
    cells = product(range(l + 2), repeat=2)
    return positive_parts([(law[x] * law[y + 1], law[x + 1] * law[y]) for x, y in cells], factor)


def poisson_pool(mu, factor, most=60):
    """One Poisson pool, by a double sum in mpmath."""
    w = [mpmath.mpf(0), *(mpmath.exp(-mp(mu)) * mp(mu) ** i / mpmath.factorial(i) for i in range(most))]
    cells = product(range(most), repeat=2)
    return positive_parts([(w[x] * w[y + 1], w[x + 1] * w[y]) for x, y in cells], factor)


def poisson_pair(mu, factor, most=13):
    """Two Poisson pools by a fourfold sum; (lower, upper)."""
    w = [mpmath.mpf(0), *(mpmath.exp(-mp(mu)) * mp(mu) ** i / mpmath.factorial(i) for i in range(most))]
    one = [(float(w[x] * w[y + 1]), float(w[x + 1] * w[y])) for x, y in product(range(most), repeat=2)]
    value = sum(max(a * q - float(factor) * b * p, 0.0) for (a, b), (p, q) in product(one, repeat=2))
    tail = 8 * mp(mu) ** (most - 1) / mpmath.factorial(most - 1)
    return value * (1 - 1e-9), value * (1 + 1e-9) + float(tail)


def parity_pools(users, holders, m, q):
    law = parity_pool([Fraction(1, 2)] * holders + [(1 - q) / 2] * (users - holders), m)
    return [law.get(x, Fraction(0)) for x in range(users * m + 1)]


def distinct_delta(users, k, m, q, factor):
    """The worst background of P_DE, by the definition."""
    laws = [parity_pools(users, c, m, q) for c in range(users + 1)]
    cells = list(product(range(users * m + 1), repeat=2))
    values = []
    for a, b in product(range(users), repeat=2):
        if a + b == users - 1 or (k > 2 and a + b < users):
            pairs = [(laws[a + 1][x] * laws[b][y], laws[a][x] * laws[b + 1][y]) for x, y in cells]
            values.append(positive_parts(pairs, factor))
    return max(values)


def two_bit_delta(users, p, factor):
    """All backgrounds, both pools."""

    def ones(bits):
        law = {0: Fraction(1)}
        for bit in bits:
            step = {}
            for x, mass in law.items():
                for y, chance in ((bit, 1 - p), (1 - bit, p)):
                    step[x + y] = step.get(x + y, 0) + mass * chance
            law = step
        return [law.get(x, Fraction(0)) for x in range(len(bits) + 1)]

    pools = []
    for held in range(users):
        others = [1] * held + [0] * (users - 1 - held)
        pools.append(list(zip(ones([*others, 1]), ones([*others, 0]), strict=True)))
    return max(
        positive_parts([(a * c, b * d) for (a, b), (c, d) in product(one, two)], factor)
        for one, two in product(pools, repeat=2)
    )


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12), st.integers(0, 20), st.integers(0, 3))
@settings(deadline=None)
def test_least_integer_is_what_a_scan_finds(drops, target, start):
    """Deltas that fall by whole steps, and by 0 in places; beyond the list they are 0."""
    total = sum(drops) or 1
    deltas = [1 - Fraction(sum(drops[:i]), total) for i in range(len(drops))]
    goal = Fraction(target, 20)

    def delta_at(value):
        return deltas[value] if value < len(deltas) else Fraction(0)

    found = least_integer(lambda value: known(delta_at(value)), real(2), real(goal), start) if goal else None
    if found is None:
        return
    expected = next(value for value in range(start, 50) if delta_at(value) <= goal)
    assert found.value.exact == expected
    assert found.meets.exact == delta_at(expected) <= goal
    if expected == start:
        assert found.fails is None
    else:
        assert found.fails.exact == delta_at(expected - 1) > goal


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12), st.integers(1, 20))
@settings(deadline=None)
def test_first_integer_is_what_a_scan_finds(values, target):
    """Deltas in any order."""
    goal, deltas = Fraction(target, 20), {i: Fraction(value, 20) for i, value in enumerate(values, start=1)}
    expected = next((i for i, delta in deltas.items() if delta <= goal), None)
    if expected is None:
        with pytest.raises(InputError, match=f"from 1 to {len(values)}"):
            first_integer(lambda i: known(deltas[i]), real(2), real(goal), 1, len(values))
        return
    found = first_integer(lambda i: known(deltas[i]), real(2), real(goal), 1, len(values))
    assert found.value.exact == expected
    assert found.meets.exact == deltas[expected]
    assert found.fails is None if expected == 1 else found.fails.exact == deltas[expected - 1] > goal


@given(st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=200), st.integers(1, 15), st.booleans())
@settings(deadline=None)
def test_boundary_is_where_a_curve_crosses(target, digits, rising):
    """delta(x) = x^2, met below sqrt(target); and 1 - x^2, met above sqrt(1 - target)."""
    good, bad = (Fraction(0), Fraction(1)) if rising else (Fraction(1), Fraction(0))

    def curve_at(x):
        square = x.fraction**2
        return known(square if rising else 1 - square)

    found = boundary(curve_at, real(2), real(target), good, bad, digits)
    with mpmath.workdps(60):
        root = fraction_of(mpmath.sqrt(mp(target if rising else 1 - target)))
    lower, upper = map(Fraction, found.value.enclosure(digits))
    assert lower <= root + Fraction(1, 10**50)
    assert root - Fraction(1, 10**50) <= upper
    assert upper - lower <= 3 * root / 10 ** (digits - 1)
    assert found.meets.exact <= target < found.fails.exact


def test_boundary_where_every_value_meets_the_target():
    found = boundary(lambda x: known(Fraction(1, 4)), real(2), real("1/2"), Fraction(1), Fraction(0), 5)
    assert (found.value.exact, found.meets.exact, found.fails) == (0, Fraction(1, 4), None)


def either(low, high):
    """A curve of which only this is known, at every e^eps."""
    return Curve(lambda exp_eps, precision: span(low, high, precision))


def test_a_value_after_an_undecided_one_is_not_called_the_least():
    unclear, small, large = either(Fraction(0), Fraction(1)), known(Fraction(1, 10)), known(Fraction(9, 10))
    for curves, value, fails, kind in (
        ((large, large, small), 3, Fraction(9, 10), "exact"),
        ((large, unclear, small), 3, None, "upper bound"),
        ((unclear, large, small), 3, Fraction(9, 10), "upper bound"),
        ((small, unclear), 1, None, "exact"),
    ):
        found = first_integer(lambda i, curves=curves: curves[i - 1], real(2), real("1/2"), 1, len(curves))
        assert (found.value.exact, found.fails and found.fails.exact, found.kind) == (value, fails, kind)
    with pytest.raises(Undecided, match="some may"):
        first_integer(lambda i: (unclear, large)[i - 1], real(2), real("1/2"), 1, 2)


@pytest.mark.parametrize(("width", "kind"), [(Fraction(1, 100), "two-sided"), (Fraction(1, 10**40), "exact")])
def test_a_boundary_that_more_digits_do_not_narrow_is_two_sided(width, kind):
    target = Fraction(1, 3)
    found = boundary(
        lambda x: either(x.fraction, x.fraction + width), real(2), real(target), Fraction(0), Fraction(1), 5
    )
    assert found.kind == kind
    low, high = map(Fraction, found.value.enclosure(8))
    assert low <= target - width
    assert target <= high


def test_impossible_targets_are_refused():
    with pytest.raises(InputError, match="no value"):
        least_integer(lambda value: known(Fraction(1, 2)), real(2), real("1/3"))
    with pytest.raises(InputError, match="no value"):
        boundary(lambda x: known(Fraction(1, 2)), real(2), real("1/3"), Fraction(1), Fraction(0), 5)
    with pytest.raises(InputError, match="no value"):
        least_integer(lambda value: binomial_view(value, real("1/2")).curve, real(2), real(0))
    assert not meets_target(modular_sum_view().curve, real(10**9), real("0.999"))
    assert meets_target(modular_sum_view().curve, real(1), real(1))


@every("p", [Fraction(1, 2), Fraction(1, 4), Fraction(7, 9)])
@every(("factor", "target"), [(Fraction(2), Fraction(1, 10)), (Fraction(6), Fraction(1, 200))])
def test_least_coins_by_a_scan(p, factor, target):
    found = least_integer(lambda l: binomial_view(l, real(p)).curve, real(factor), real(target), 0)
    expected = next(l for l in range(200) if shift_delta(l, p, factor) <= target)
    assert found.value.exact == expected
    assert found.meets.exact == shift_delta(expected, p, factor)
    assert found.fails.exact == shift_delta(expected - 1, p, factor)


def calibrate(capsys, arguments):
    """The JSON object of `panshuffle calibrate`."""
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", *arguments.split(), "--json"])
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    answer = json.loads(out)
    assert {"protocol", "parameters", "quantity", "lower", "upper", "exact", "scope", "paper", "meets", "fails"} <= {
        *answer
    }
    assert answer["protocol"] == arguments.split()[0]
    return answer


def sides(answer, target):
    """meets is certainly at most the target, fails certainly above."""
    assert Fraction(answer["meets"]["upper"]) <= target < Fraction(answer["fails"]["lower"])


def close_sides(answer, target):
    """The same for witnesses as close to the target as the digits tell apart: exactly, where they are exact."""
    meets, fails = answer["meets"], answer["fails"]
    assert Fraction(meets["exact"] or meets["lower"]) <= target < Fraction(fails["exact"] or fails["upper"])


def shows(part, value):
    """Whether lower and upper enclose a value."""
    value = value if isinstance(value, Fraction) else fraction_of(value)
    slack = abs(value) / 10**30
    return Fraction(part["lower"]) <= value + slack and value - slack <= Fraction(part["upper"])


def test_eighty_coins(capsys):
    """(1, 1e-6) needs Bin(80, 1/2): 79 fails and 80 meets it."""
    answer = calibrate(capsys, "binomial --p 1/2 --at-eps 1 --at-delta 1e-6")
    assert (answer["quantity"], answer["exact"], answer["lower"], answer["upper"]) == ("l", "80", "80", "80")
    with mpmath.workdps(60):
        meets, fails = (shift_delta(l, Fraction(1, 2), mpmath.e, mp) for l in (80, 79))
        assert meets <= mpmath.mpf(10) ** -6 < fails
        assert shows(answer["meets"], meets)
        assert shows(answer["fails"], fails)
        scale = 10 * ((mpmath.e + 1) / (mpmath.e - 1)) ** 2 * mpmath.log(2 * mpmath.mpf(10) ** 6)
        assert answer["paper"]["value"] == str(int(mpmath.ceil(2 * scale)))
    sides(answer, Fraction(1, 10**6))


@pytest.mark.parametrize("protocol", ["binomial --p 1/3", "binomial", "pan-sum"])
def test_shifts(capsys, protocol):
    p = Fraction(1, 3) if "/" in protocol else Fraction(1, 2)
    answer = calibrate(capsys, f"{protocol} --at-exp-eps 3 --at-delta 1/100")
    expected = next(l for l in range(1, 200) if shift_delta(l, p, Fraction(3)) <= Fraction(1, 100))
    assert answer["exact"] == str(expected)
    assert answer["meets"]["exact"] == str(shift_delta(expected, p, Fraction(3)))
    assert answer["fails"]["exact"] == str(shift_delta(expected - 1, p, Fraction(3)))


def test_pan_histogram(capsys):
    half = Fraction(1, 2)
    answer = calibrate(capsys, "pan-histogram --k 4 --at-exp-eps 3 --at-delta 1/20")
    expected = next(lam for lam in range(1, 60) if pair_delta(lam, half, Fraction(3)) <= Fraction(1, 20))
    assert (answer["quantity"], answer["exact"]) == ("lam", str(expected))
    assert answer["meets"]["exact"] == str(pair_delta(expected, half, Fraction(3)))
    sides(answer, Fraction(1, 20))
    one = calibrate(capsys, "pan-histogram --k 4 --pool --at-exp-eps 3 --at-delta 1/20")
    assert one["exact"] == str(
        next(lam for lam in range(1, 60) if shift_delta(lam, half, Fraction(3)) <= Fraction(1, 20))
    )


@pytest.mark.parametrize(
    ("gamma", "protocol"), [("1", "uniformity"), ("1/2", "uniformity"), ("1", "compressed-uniformity --k-hat 3")]
)
def test_poisson_pool(capsys, gamma, protocol):
    share, target = Fraction(gamma), Fraction(1, 20)
    answer = calibrate(capsys, f"{protocol} --pool --gamma {gamma} --at-exp-eps 3 --at-delta 1/20")
    with mpmath.workdps(60):
        deltas = {lam: poisson_pool(share * lam / 2, mpmath.mpf(3)) for lam in range(1, 25)}
        expected = next(lam for lam, delta in deltas.items() if delta <= mp(target))
        assert (answer["quantity"], answer["exact"]) == ("lam", str(expected))
        assert shows(answer["meets"], deltas[expected])
        assert shows(answer["fails"], deltas[expected - 1])
    sides(answer, target)


def test_real_lam(capsys):
    answer = calibrate(capsys, "uniformity --pool --real --digits 8 --at-exp-eps 3 --at-delta 1/20")
    assert answer["exact"] is None
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    assert 0 < upper - lower <= upper / 10**6
    with mpmath.workdps(60):
        assert poisson_pool(lower / 2, mpmath.mpf(3)) > mp(Fraction(1, 20)) > poisson_pool(upper / 2, mpmath.mpf(3))
    close_sides(answer, Fraction(1, 20))


@pytest.mark.parametrize(
    ("arguments", "share"), [("uniformity --k 2", Fraction(1)), ("pan-uniformity --n 3", Fraction(2, 3))]
)
def test_poisson_pair(capsys, arguments, share):
    """n = 3: the batch with the element has two of the three executions, so mu = lam/3."""
    answer = calibrate(capsys, f"{arguments} --at-exp-eps 4 --at-delta 3/10")
    bounds = {lam: poisson_pair(share * lam / 2, 4) for lam in range(1, 8)}
    expected = next(lam for lam, (_, upper) in bounds.items() if upper <= 0.3)
    assert all(lower > 0.3 for lam, (lower, _) in bounds.items() if lam < expected)
    assert answer["exact"] == str(expected)
    sides(answer, Fraction(3, 10))


@pytest.mark.parametrize(
    ("arguments", "delta_at", "target"),
    [
        ("binary-sum --n 20", lambda p: shift_delta(20, p, Fraction(3)), Fraction(1, 100)),
        ("binary-sum --n 40 --gamma 1/2", lambda p: shift_delta(20, p, Fraction(3)), Fraction(1, 20)),
        ("shuffle-histogram --n 8 --k 2", lambda p: pair_delta(8, p, Fraction(3)), Fraction(1, 5)),
        ("shuffle-histogram --n 8 --k 2 --pool", lambda p: shift_delta(8, p, Fraction(3)), Fraction(1, 5)),
    ],
)
def test_largest_p(capsys, arguments, delta_at, target):
    """Both ends of the enclosure by the definition, and a grid beyond it on which no p meets the target."""
    answer = calibrate(capsys, f"{arguments} --digits 8 --at-exp-eps 3 --at-delta {target}")
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    assert answer["quantity"] == "p"
    assert Fraction(1, 2) < lower < upper <= 1
    assert upper - lower <= Fraction(1, 10**6)
    assert delta_at(lower) <= target < delta_at(upper)
    assert all(delta_at(upper + (1 - upper) * i / 40) > target for i in range(41))
    close_sides(answer, target)


@pytest.mark.parametrize(("arguments", "users"), [("--n 3", 3), ("--n 6 --gamma 1/3", 2), ("--n 1", 1)])
def test_least_p(capsys, arguments, users):
    target = Fraction(1, 10)
    answer = calibrate(capsys, f"two-bit-sum {arguments} --digits 8 --at-exp-eps 3 --at-delta 1/10")
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    assert two_bit_delta(users, lower, Fraction(3)) > target >= two_bit_delta(users, upper, Fraction(3))
    assert all(two_bit_delta(users, lower * i / 20, Fraction(3)) > target for i in range(20))
    close_sides(answer, target)


@pytest.mark.parametrize(
    ("arguments", "users", "k"),
    [
        ("distinct-elements --n 3 --q 1/2", 3, 3),
        ("distinct-elements --n 3 --k 2 --q 1/2", 3, 2),
        ("distinct-elements --n 4 --gamma 1/2 --q 1/2", 2, 3),
        ("hashed-distinct-elements --n 2 --k 3 --q 1/2", 2, 3),
        ("pan-distinct-elements --n 3 --k 2 --q 1/2", 2, 2),
    ],
)
def test_least_m(capsys, arguments, users, k):
    """The first m that meets the target, at a target between the deltas of one m and the next that are smaller."""
    q, factor = Fraction(1, 2), Fraction(3, 2)
    deltas = {m: distinct_delta(users, k, m, q, factor) for m in range(1, 5)}
    target = sum(sorted(deltas.values())[:2]) / 2
    expected = next(m for m, delta in deltas.items() if delta <= target)
    answer = calibrate(capsys, f"{arguments} --at-exp-eps 3/2 --at-delta {target}")
    assert (answer["quantity"], answer["exact"]) == ("m", str(expected))
    assert answer["meets"]["exact"] == str(deltas[expected])
    assert answer["fails"] is None if expected == 1 else answer["fails"]["exact"] == str(deltas[expected - 1])


@pytest.mark.parametrize("m", [2, 3])
def test_largest_eps_of_distinct_elements(capsys, m):
    """q = (1 - e^-eps)^(1/2) at both ends, in mpmath rounded to rationals; delta is compared beyond that rounding."""
    answer = calibrate(capsys, f"distinct-elements --n 2 --m {m} --digits 8 --at-exp-eps 3/2 --at-delta 1/20")
    deltas = []
    for end in ("lower", "upper"):
        with mpmath.workdps(40):
            q = fraction_of(mpmath.sqrt(1 - mpmath.exp(-mp(Fraction(answer[end])))))
        deltas.append(distinct_delta(2, 3, m, q, Fraction(3, 2)))
    assert answer["quantity"] == "eps"
    assert deltas[0] <= Fraction(1, 20) < deltas[1]
    close_sides(answer, Fraction(1, 20))


@pytest.mark.parametrize(
    ("protocol", "ratio"), [("randomized-or", Fraction(5, 2)), ("geometric-distinct-elements", Fraction(7, 3))]
)
def test_largest_eps_of_the_central_mechanisms(capsys, protocol, ratio):
    """With s = e^-eps: (1 - 2s)/2 = 1/10 at s = 2/5, and (1 - 2s)/(1 + s) = 1/10 at s = 3/7."""
    answer = calibrate(capsys, f"{protocol} --at-exp-eps 2 --at-delta 1/10")
    with mpmath.workdps(60):
        assert shows(answer, mpmath.log(mp(ratio)))
    assert Fraction(answer["upper"]) - Fraction(answer["lower"]) < Fraction(1, 10**8)
    close_sides(answer, Fraction(1, 10))


@pytest.mark.parametrize(("n", "users", "sigma"), [("4", 4, "3"), ("6 --gamma 1/2", 3, "4.5"), ("1", 1, "20")])
def test_least_messages_of_the_modular_sum(capsys, n, users, sigma):
    """The least m with total variation below 2^-sigma for every input, strictly."""
    answer = calibrate(capsys, f"modular-sum --n {n} --sigma {sigma}")

    def tv(m):
        return max(distance(users, ones, m) for ones in range(users + 1))

    with mpmath.workdps(40):
        limit = fraction_of(mpmath.mpf(2) ** -mp(Fraction(sigma)))
    expected = next(m for m in range(1, 9) if tv(m) < limit)
    assert (answer["quantity"], answer["exact"]) == ("m", str(expected))
    assert shows(answer["meets"], tv(expected))
    assert answer["fails"] is None if expected == 1 else shows(answer["fails"], tv(expected - 1))


@cache
def distance(users, ones, m):
    """Half the l1 distance between the pools of two inputs with the same parity."""
    laws = []
    for data in ([1] * ones + [0] * (users - ones), [ones % 2] + [0] * (users - 1)):
        law = {0: Fraction(1)}
        for bit in data:
            step = {}
            for (x, a), (y, b) in product(law.items(), shares(bit, m).items()):
                step[x + y] = step.get(x + y, 0) + a * b
            law = step
        laws.append(law)
    return sum(abs(laws[0].get(x, 0) - laws[1].get(x, 0)) for x in range(users * m + 1)) / 2


@every(
    "arguments",
    [
        "binomial --p 1/2 --at-eps 1",
        "binomial --p 1/2 --at-delta 1e-6",
        "binomial --p 1/2 --at-eps 1 --at-exp-eps 3 --at-delta 1e-6",
        "binomial --p 1/2 --at-eps 1 --at-delta 0",
        "binomial --p 1/2 --at-eps 1 --at-delta 2",
        "binomial --p 1/2 --at-eps -1 --at-delta 1/2",
        "binomial --p 0 --at-eps 1 --at-delta 1/2",
        "binomial --p 3/2 --at-eps 1 --at-delta 1/2",
        "binomial --m 3 --at-eps 1 --at-delta 1/2",
        "binomial --p 1/2 --at-eps 1 --at-delta 1/2 --digits 0",
        "binomial --p 1/2 --real --at-eps 1 --at-delta 1/2",
        "binomial --p 1/2 --sigma 3 --at-eps 1 --at-delta 1/2",
        "binary-sum --n 4 --at-eps 1 --at-delta 1e-9",
        "binary-sum --n 5 --gamma 1/2 --at-eps 1 --at-delta 1/2",
        "binary-sum --at-eps 1 --at-delta 1/2",
        "uniformity --at-eps 1 --at-delta 0",
        "modular-sum --n 4 --at-eps 1 --at-delta 1/2",
        "modular-sum --n 4 --sigma x",
        "modular-sum --n 4 --sigma 0",
        "distinct-elements --q 1/2 --at-eps 1 --at-delta 1/2",
        "nothing --at-eps 1 --at-delta 1/2",
    ],
)
def test_refusals(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", *arguments.split()])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert err.startswith("panshuffle: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_the_answer_for_a_person(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", "pan-sum", "--at-exp-eps", "3", "--at-delta", "1/100"])
    out = capsys.readouterr().out
    expected = next(l for l in range(1, 200) if shift_delta(l, Fraction(1, 2), Fraction(3)) <= Fraction(1, 100))
    assert stop.value.code == 0
    assert out.startswith(f"lam = {expected}\nmeets: delta in [")
    assert "the next value fails: delta in [" in out
