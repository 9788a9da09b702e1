"""Both ends of the curve of a shuffled randomizer: brute force, closed forms, and what is monotone."""

import json
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import mpmath
import pytest
from flint import arb
from panshuffle.exact.curves.mean_gain import chernoff, mean_positive
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.randomizers.enumeration import CHANGED, OTHER, OWN, Crowd, Response, response_of
from panshuffle.exact.randomizers.randomizer import randomizer_of_text
from panshuffle.exact.randomizers.shuffled_view import (
    Case,
    LowerBound,
    bounded_view,
    shuffled_view,
    two_message_view,
    upper_ball,
)
from panshuffle.exact.randomizers.two_messages import Coins
from panshuffle.exact.real import Real, ball_of, exp, real

from tests.brute_force.histograms import convolved, worst_by_force
from tests.conftest import FULL

FACTORS = [Fraction(1), Fraction(9, 8), Fraction(3, 2), Fraction(2), Fraction(4)]


def k_ary(k, eps0):
    """k-ary response, with irrational probabilities."""
    high, low = f"exp({eps0})/(exp({eps0})+{k - 1})", f"1/(exp({eps0})+{k - 1})"
    return randomizer_of_text(
        json.dumps({str(x): {str(y): high if x == y else low for y in range(k)} for x in range(k)})
    )


def table_of(source, inputs, messages):
    """A random table of probabilities, some of them 0."""
    rows = []
    for _ in range(inputs):
        weights = [source.choice([0, 1, 1, 2, 3, 5, 9]) for _ in range(messages)]
        weights[source.randrange(messages)] += 1
        rows.append([Fraction(w, sum(weights)) for w in weights])
    return rows


def randomizer_of(rows):
    law = {str(x): {str(y): str(p) for y, p in enumerate(row) if p} for x, row in enumerate(rows)}
    return randomizer_of_text(json.dumps(law))


def test_random_small_randomizers_by_brute_force():
    """Whatever the engine, the truth is between its ends; 50 randomizers, or 2,000."""
    source = random.Random(20)
    for _ in range(2000 if FULL else 50):
        inputs, messages = source.randint(2, 4), source.randint(2, 5)
        users = source.randint(1, {2: 8, 3: 5, 4: 4}[inputs] - (messages > 3))
        rows, factor = table_of(source, inputs, messages), source.choice(FACTORS)
        truth, found = worst_by_force(rows, users, factor), randomizer_of(rows).merged()
        if len(found.inputs) < 2:
            assert truth == 0
            continue
        target = ball_of(truth, 300)
        views = [bounded_view(found, users, 0), two_message_view(found, users)]
        for view in (view for view in views if view is not None):
            low, high = (Fraction(end) for end in view.view.curve.delta(Real(factor)).enclosure(8))
            assert low <= truth <= high
        assert upper_ball(found, users)(Real(factor), 64) >= target.lower()
        assert LowerBound(found, users).best(Real(factor))[0] <= truth


def positive_mean(masses, values, k):
    """E[(W_1 + ... + W_k)_+] by the law of the sum."""
    law = {Fraction(0): Fraction(1)}
    for _ in range(k):
        longer = Counter()
        for (x, a), (y, b) in product(law.items(), zip(values, masses, strict=True)):
            longer[x + y] += a * b
        law = longer
    return sum((mass * x for x, mass in law.items() if x > 0), Fraction(0))


def test_the_mean_of_the_positive_part(sweep_factor):
    source = random.Random(21)
    for _ in range(60 * sweep_factor):
        weights = [source.randint(1, 9) for _ in range(source.randint(2, 4))]
        masses = [Fraction(w, sum(weights)) for w in weights]
        values = [Fraction(source.randint(-12, 6), 12) for _ in masses]
        k = source.randint(1, 12)
        truth = ball_of(positive_mean(masses, values, k), 300)
        balls = [[ball_of(x, 200) for x in row] for row in (masses, values)]
        for width in (1e-1, 1e-3):
            found = mean_positive(*balls, k, width)
            assert found.lower() <= truth.upper()
            assert truth.lower() <= found.upper()
        assert chernoff(*balls, k) >= truth.lower()


@pytest.mark.parametrize("k", [10**3, 10**5, 10**7])
def test_a_sum_of_two_values_is_binomial(k):
    """For -1 and 1 the mean is that of a binomial: j C(k, j) (1/2)^k with j = floor(k/2) + 1, by telescoping."""
    with mpmath.workdps(40):
        j = k // 2 + 1
        logs = mpmath.loggamma(k + 1) - mpmath.loggamma(j + 1) - mpmath.loggamma(k - j + 1) - k * mpmath.log(2)
        truth = arb(mpmath.nstr(j * mpmath.exp(logs), 30))
    found = mean_positive([arb(0.5), arb(0.5)], [arb(-1), arb(1)], k, 1e-3)
    assert found.lower() <= truth <= found.upper()
    assert found.rel_accuracy_bits() >= 6


def test_two_messages_at_fixed_backgrounds(sweep_factor):
    """The best tail is the whole divergence, by the law of the number of ones in Fractions."""
    source = random.Random(22)
    for _ in range(60 * sweep_factor):
        low, high = (Fraction(q, 40) for q in sorted(source.sample(range(40), 2)))
        rows = {True: [1 - high, high], False: [1 - low, low]}
        ones, zeros = source.randint(0, 15), source.randint(0, 15)
        factor = 1 + source.choice([0, Fraction(1, 50), Fraction(1, 3), 1, Fraction(9, 8)]) * (
            high / low - 1 if low else Fraction(3)
        )
        law = Counter({(0, 0): Fraction(1)})
        for is_one in [True] * ones + [False] * zeros:
            law = convolved(law, rows[is_one])
        upper, lower = convolved(law, rows[True]), convolved(law, rows[False])
        truth = sum((max(p - factor * lower[y], Fraction(0)) for y, p in upper.items()), Fraction(0))
        found = Coins(real(high), real(low)).delta(ones, zeros, ball_of(factor, 200))
        assert found.overlaps(ball_of(truth, 300))
        assert found.rad() < 1e-20


def binomial_float(n, q):
    """The masses of Bin(n, q) near its mean, at high precision, as floats' logarithms would lose digits."""
    spread = 14 * mpmath.sqrt(n * q * (1 - q)) + 40
    first, last = max(0, int(n * q - spread)), min(n, int(n * q + spread))
    mass = (
        mpmath.exp(mpmath.loggamma(n + 1) - mpmath.loggamma(first + 1) - mpmath.loggamma(n - first + 1))
        * q**first
        * (1 - q) ** (n - first)
    )
    masses = []
    for i in range(first, last + 1):
        masses.append(mass)
        mass = mass * (n - i) / (i + 1) * q / (1 - q)
    return masses


def test_many_users_of_binary_response_at_a_fixed_background():
    """10^5 users, all others hold 1: the number of others' ones is binomial, and the divergence is summed in mpmath."""
    users, eps = 10**5, "1/100"
    with mpmath.workdps(30):
        q = mpmath.e / (1 + mpmath.e)
        masses = binomial_float(users - 1, q)
        factor = mpmath.exp(mpmath.mpf(1) / 100)
        above = [a * (1 - q) + b * q for a, b in zip([*masses, 0], [0, *masses], strict=True)]
        below = [a * q + b * (1 - q) for a, b in zip([*masses, 0], [0, *masses], strict=True)]
        truth = mpmath.nstr(mpmath.fsum(max(a - factor * b, 0) for a, b in zip(above, below, strict=True)), 20)
    view = shuffled_view(k_ary(2, 1), users)
    low, high = (Fraction(end) for end in view.view.curve.delta(exp(real(eps))).enclosure(12))
    assert low <= high <= low * (1 + Fraction(1, 20))
    assert Fraction(truth) <= high  # a background is no more than the worst one
    assert Fraction(truth) >= low * (1 - Fraction(1, 10**4))
    coins = Coins(k_ary(2, 1).mass(0, (1, 0)), k_ary(2, 1).mass(1, (1, 0)))
    found = coins.delta(users - 1, 0, exp(real(eps)).ball(200))
    assert abs(found - arb(truth)) < arb(truth) * arb("1e-15")


def test_ternary_response_with_all_others_alike():
    """The formula with w = P_z against the whole histogram of 40 users, in mpmath: trinomials."""
    users, factor = 40, Fraction(5, 4)
    rows = [[Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]]
    others = [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    law = Counter({(0, 0, 0): Fraction(1)})
    for _ in range(users - 1):
        law = convolved(law, others)
    upper, lower = (convolved(law, row) for row in rows)
    truth = sum(max(p - factor * lower[y], Fraction(0)) for y, p in upper.items())
    case = Case.of((tuple(real(row[y]) for row in (*rows, others)) for y in range(3)), complete=True)
    found = case.delta(users, ball_of(factor, 200))
    assert found.overlaps(ball_of(truth, 300))
    assert found.rel_accuracy_bits() >= 9


@pytest.mark.parametrize(
    ("k", "widest", "users"),
    [
        (k, widest, users)
        for k, widest in ((2, "0.001"), (4, "0.01"), (16, "0.01"))
        for users in (1000, 10**6, 10**7)
        if FULL or users == 1000 or (k, users) in ((2, 10**6), (4, 10**6))
    ],
)
def test_both_ends_are_close(k, widest, users):
    low, high = (
        Fraction(end) for end in shuffled_view(k_ary(k, 1), users).view.curve.epsilon(real("1e-6")).enclosure(8)
    )
    assert 0 < low < high <= low * (1 + Fraction(widest))


@cache
def ends(k, eps0, users, delta):
    view = shuffled_view(k_ary(k, eps0), users).view
    return [Fraction(end) for end in view.curve.epsilon(real(delta)).enclosure(8)]


@pytest.mark.long
@pytest.mark.parametrize("k", [2, 3] if FULL else [2])
def test_what_is_monotone(k):
    """More users, a larger delta and less local eps: no lower end may be above a later upper end."""
    skip = 1 if FULL else 2
    by_users = [ends(k, 1, users, "1e-6") for users in (3, 30, 300, 1000, 3000, 10**5)[::skip]]
    by_delta = [ends(k, 1, 3000, delta) for delta in ("1e-12", "1e-9", "1e-6", "1e-3", "1/2")[::skip]]
    by_local = [ends(k, eps0, 3000, "1e-6") for eps0 in (4, 2, 1, "1/2", "1/10")[::skip]]
    for row in (by_users, by_delta, by_local):
        for (low, high), (later_low, later_high) in pairwise(row):
            assert later_low <= high
            assert later_low <= low + Fraction(1, 10**6)
            assert later_high <= high + Fraction(1, 10**6)
    assert by_delta[-1] == [0, 0]


def test_unequal_supports_have_a_limit():
    rows = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)]]
    curve = shuffled_view(randomizer_of(rows), 5000).view.curve
    assert curve.epsilon(real("1/4")).infinite
    assert curve.epsilon(real(0)).infinite
    low, high = (Fraction(end) for end in curve.delta(real(1000)).enclosure(8))
    assert low <= Fraction(1, 2) <= high <= Fraction(51, 100)


@pytest.mark.long
def test_as_many_users_as_there_may_be():
    low, high = ends(2, 2, 10**9, "1e-6")
    assert 0 < low < high < low * Fraction(1001, 1000)
    with pytest.raises(ParameterError, match="at most 1000000000 users"):
        shuffled_view(k_ary(2, 2), 10**9 + 1)


@pytest.mark.parametrize(("users", "share"), [(3000, "0.9999"), (3000, "0.99999999"), (10**6, "0.9999999999")])
def test_near_the_pure_eps_one_letter_counts(users, share):
    """All others hold x, E so near e^eps0 that another letter loses: delta = (p - E) (p w)^(n-1) w, w = 1/(p + 2)."""
    curve = [real("exp(8)"), real(1), real(1)]
    p, total = curve[0], curve[0] + 2
    factor = p * real(share)
    case = Case.of(((a / total, b / total, a / total) for a, b in zip(curve, (1, p, 1), strict=True)), complete=True)
    truth = ((p - factor) / total * (p / total) ** (users - 1)).ball(200)
    found = case.delta(users, factor.ball(224))
    if share != "0.9999":
        assert found.overlaps(truth)
    assert found.lower() >= truth.lower() * arb("0.999")
    assert found.rel_accuracy_bits() >= 9


def told_law(k, p, users, letter, held, own):
    """The law of what is told where `held` others hold a value, in Fractions, user by user; None is no clone."""
    wrong = Fraction(1, p + k - 1)
    clone = dict.fromkeys(range(k), wrong)
    law = {(): Fraction(1)}
    rows = [clone | {y: clone[y] + (p - 1) * wrong} for y in [letter] * held]
    rows += [clone | {None: (p - 1) * wrong}] * (users - 1 - held) + [clone | {own: p * wrong}]
    for row in rows:
        longer = Counter()
        for (seen, mass), (y, chance) in product(law.items(), row.items()):
            longer[tuple(sorted((*seen, y), key=str))] += mass * chance
        law = longer
    return law


@pytest.mark.parametrize(("k", "users"), [(3, 2), (3, 5), (4, 4), (5, 3)])
@pytest.mark.parametrize("factor", [Fraction(1), Fraction(3, 2), Fraction(5, 2)])
def test_a_crowded_letter_is_what_is_told(k, users, factor):
    """The sum over counts against the law of all that is seen; letters 0 and 1 are the changed user's, 2 another."""
    p, found = Fraction(3), Response(k, Real(Fraction(3)), users)
    for letter, held in product((OWN, CHANGED, OTHER), range(users)):
        above, below = (told_law(k, 3, users, letter, held, own) for own in (0, 1))
        truth = float(sum((max(mass - factor * below[seen], Fraction(0)) for seen, mass in above.items()), Fraction(0)))
        assert truth <= Crowd(found, letter, held).bound(ball_of(factor, 200)) <= truth * (1 + 1e-9) + 1e-15
    assert float(worst_by_force(k_ary_rows(k, p), users, factor)) <= found.bound(ball_of(factor, 200))


def k_ary_rows(k, p):
    return [[(p if x == y else 1) / (p + k - 1) for y in range(k)] for x in range(k)]


@pytest.mark.parametrize(("k", "users"), [(3, 40), (4, 100), (16, 60)])
def test_a_letter_that_is_held_by_all_is_exact(k, users):
    """As one user among letters of one law; one that is held by nobody is the privacy blanket."""
    p, factor = Fraction(5), ball_of(Fraction(3, 2), 200)
    found, rows = Response(k, Real(p), users), k_ary_rows(k, p)
    least = [real(rows[0][1])] * k
    for letter, held in product((OWN, CHANGED, OTHER), (0, users - 1)):
        weights = list(map(real, rows[letter])) if held else least
        case = Case.of(zip(map(real, rows[0]), map(real, rows[1]), weights, strict=True), complete=bool(held))
        value, bound = case.delta(users, factor), arb(Crowd(found, letter, held).bound(factor))
        assert value.lower() <= bound <= value.upper() * (1 + arb("1e-9")) + arb("1e-15")


def test_only_k_ary_response_has_crowded_letters():
    assert response_of(k_ary(4, "1"), 100) is not None
    assert response_of(k_ary(4, "1"), 10**6) is None
    assert response_of(k_ary(2, "1"), 100) is None
    assert response_of(randomizer_of([[Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)]] * 2), 9) is None
    assert response_of(randomizer_of([[Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)]] * 3), 9) is None
    shifted = [[Fraction(1 + 3 * ((x + 1) % 3 == y), 6) for y in range(3)] for x in range(3)]
    assert response_of(randomizer_of(shifted), 9) == Response(3, real(4), 9)


@pytest.mark.parametrize(("k", "eps0"), [(4, "1"), (4, "2"), *([(16, "4")] if FULL else [])])
def test_a_hundred_users_are_known_within_one_percent(k, eps0):
    low, high = shuffled_view(k_ary(k, eps0), 100).view.curve.epsilon(real("1e-6"), 5).enclosure(5)
    assert float(high) <= 1.01 * float(low)
