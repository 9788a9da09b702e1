"""Counting one value with a named randomizer: supports by enumeration; published closed forms by their formulas."""

from fractions import Fraction
from itertools import permutations, product
from math import comb, exp, log

import mpmath
import pytest
from panshuffle.exact.errors import InputError
from panshuffle.exact.randomizers.randomizer import ORACLES, named_randomizer, supports_of
from panshuffle.exact.randomizers.shuffled_view import (
    blanket_epsilon,
    clones_curve,
    clones_epsilon,
    local_view,
    shuffled_view,
)
from panshuffle.exact.real import real

from tests.conftest import FULL


def supports(name, message, value, k, p):
    """Which messages support a value, from their names."""
    if name.startswith("unary"):
        return message[value] == "1"
    if name.startswith("hashing"):
        function, y = message.split(":")
        g = len({other.split(":")[1] for other in named_randomizer(name, k, p).messages})
        digits, rest = [], value
        for _ in function.split("+"):
            digits.append(rest % g)
            rest //= g
        return sum(int(a) * x for a, x in zip(function.split("+"), digits, strict=True)) % g == int(y)
    if name == "hadamard":
        return bin((value + 1) & int(message)).count("1") % 2 == 0
    return str(value) in message.split("+")


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize(("k", "p"), [(2, "4"), (3, "9"), (4, "16"), (5, "9/4")])
def test_supports_are_those_of_the_messages(name, k, p):
    found = named_randomizer(name, k, real(p))
    for value, other in permutations(range(k), 2):
        shares = []
        for law in (found.laws[value], found.laws[other]):
            sent = {found.messages[letter.index(1)]: mass.fraction for letter, mass in law.items()}
            shares.append(sum(sent[message] for message in sent if supports(name, message, value, k, real(p))))
        counted = supports_of(name, k, real(p), value, other)
        assert [counted.held.fraction, counted.other.fraction] == shares


@pytest.mark.parametrize(("k", "p", "users"), [(2, "4", 3), (3, "2", 2)])
def test_the_estimate_by_all_messages_of_all_users(k, p, users):
    """k-ary response, every data set: unbiased, the largest variance, and the law for a value that nobody holds."""
    chance, variances = Fraction(p), []
    rows = [[(chance if x == y else 1) / (chance + k - 1) for y in range(k)] for x in range(k)]
    counted = supports_of("k-ary", k, real(p))
    held, other = counted.held.fraction, counted.other.fraction
    for data in product(range(k), repeat=users):
        law = {}
        for sent in product(range(k), repeat=users):
            mass = Fraction(1)
            for x, y in zip(data, sent, strict=True):
                mass *= rows[x][y]
            estimate = (sent.count(0) - users * other) / (held - other)
            law[estimate] = law.get(estimate, 0) + mass
        assert sum(value * mass for value, mass in law.items()) == data.count(0)
        variances.append(sum((value - data.count(0)) ** 2 * mass for value, mass in law.items()))
        if data.count(0) == 0:
            for alpha in (Fraction(1, 2), Fraction(1), Fraction(2)):
                truth = sum(mass for value, mass in law.items() if abs(value) > alpha)
                assert counted.error(users).chance(real(alpha)).exact == truth
    low, high = counted.variance(users).enclosure(12)
    assert Fraction(low) <= max(variances) <= Fraction(high)


def test_what_counts_no_values_is_refused():
    for name in ("clipped-laplace", "truncated-gaussian", "nonsense"):
        with pytest.raises(InputError, match="does not count values"):
            supports_of(name, 3, real(2))


def spread(p, users, delta):
    return 8 * mpmath.sqrt(p * mpmath.log(4 / delta) / users) + 8 * p / users


@pytest.mark.parametrize(("eps0", "users"), [("1", 10**4), ("1/2", 10**6), ("3", 10**8)])
def test_published_forms_are_their_formulas(eps0, users):
    with mpmath.workdps(40):
        delta, p = mpmath.mpf("1e-6"), mpmath.exp(mpmath.mpf(Fraction(eps0).numerator) / Fraction(eps0).denominator)
        found = mpmath.mpf(clones_epsilon(real(eps0), users, real("1e-6")).ball(128).mid().str(38, radius=False))
        assert mpmath.almosteq(found, mpmath.log(1 + (p - 1) / (p + 1) * spread(p, users, delta)), 1e-30)
        gamma = 5 / (p + 4)
        terms = [mpmath.sqrt(14 * 5 * mpmath.log(2 / delta) / ((users - 1) * gamma)), 27 * 5 / ((users - 1) * gamma)]
        other = blanket_epsilon(real(eps0), 5, users, real("1e-6"))
        assert (other is None) == (max(terms) > 1)
        if other is not None:
            assert mpmath.almosteq(mpmath.mpf(other.ball(128).mid().str(38, radius=False)), max(terms), 1e-30)


@pytest.mark.parametrize(
    ("eps0", "users", "delta", "printed"),
    [
        ("1", 10**4, "1e-6", "0.2332655961237434"),
        ("1/2", 10**6, "1e-6", "0.009907981245890558"),
        ("3", 10**8, "1e-6", "0.01258339093362082"),
        ("1", 10**3, "1e-3", "0.5087976890172154"),
        ("4", 10**5, "1e-6", "0.5378040242374512"),
    ],
)
def test_the_authors_program_is_never_below_their_theorem(eps0, users, delta, printed):
    """closedformanalysis of apple/ml-shuffling-amplification at 993d285 printed these: to 12 digits this form."""
    p, asked = mpmath.exp(mpmath.mpf(Fraction(eps0).numerator) / Fraction(eps0).denominator), mpmath.mpf(delta)
    s = spread(p, users, asked)
    assert mpmath.almosteq(mpmath.log(1 + (p - 1) / (p + 1 / (1 + s)) * s), mpmath.mpf(printed), 1e-12)
    theorem = float(clones_epsilon(real(eps0), users, real(delta)))
    certified = clones_curve(real(eps0), users).epsilon(real(delta), 4).enclosure(4)
    assert float(certified[1]) <= theorem <= float(printed)


def test_published_forms_have_hypotheses():
    """eps0 <= log(n/(16 log(2/delta))), and eps <= 1 with at least two users."""
    delta = real("1e-6")
    least = 16 * log(2e6) * exp(1)
    assert clones_epsilon(real(1), int(least), delta) is None
    assert clones_epsilon(real(1), int(least) + 1, delta) is not None
    assert blanket_epsilon(real(1), 2, 1, delta) is None
    assert blanket_epsilon(real(1), 2, 100, delta) is None
    assert blanket_epsilon(real("1/10"), 2, 27, real("1/2")) is None  # the second term alone is above 1


@pytest.mark.long
def test_certified_ends_are_below_what_is_published():
    """Both are theorems: where the hypotheses hold, the truth for k-ary response lies below either of them."""
    delta = real("1e-6")
    for k, eps0, users in ((2, "1", 632), (2, "1", 2000), (3, "2", 5000), (5, "1", 10**5), (2, "4", 20000)):
        curve = shuffled_view(named_randomizer("k-ary", k, real(f"exp({eps0})")), users).view.curve
        low, _ = curve.epsilon(delta, 4).enclosure(4)
        published = [clones_epsilon(real(eps0), users, delta), blanket_epsilon(real(eps0), k, users, delta)]
        assert all(float(low) <= float(eps) for eps in published if eps is not None)
        assert published[0] is not None
    assert blanket_epsilon(real(1), 5, 10**5, delta) is not None


def ends(curve, factor):
    return tuple(Fraction(end) for end in curve.delta(real(factor)).enclosure(8))


def falls(found):
    """Where the truth never rises along the way, no lower end is above an earlier upper one."""
    return all(low <= high for i, (low, _) in enumerate(found) for _, high in found[:i])


FACTORS = ["1", "1.01", "1.05", "1.2", "1.5", "2", "2.6"]
NAMES = ["k-ary", "subset-selection", "hadamard", "clipped-laplace", "truncated-gaussian", "hashing-binary"]


@pytest.mark.parametrize("name", NAMES)
def test_a_randomizer_is_monotone_in_eps_and_in_users(name):
    """More users are post-processing, whether enumerated or bounded; with gamma = 1/2 of 2N users, N take part."""
    randomizer = named_randomizer(name, 3, real("exp(1)"))
    sizes, factors = ((1, 2, 5, 12, 60, 1000), FACTORS) if FULL else ((1, 5, 12, 1000), FACTORS[::2])
    curves = {users: shuffled_view(randomizer, users).view.curve for users in sizes}
    for curve in curves.values():
        assert falls([ends(curve, factor) for factor in factors])
    for factor in factors:
        assert falls([ends(curve, factor) for curve in curves.values()])


def test_a_randomizer_is_monotone_in_eps0():
    """k-ary and binary response with a smaller eps0 are post-processing of those with a larger one."""
    for users in (4, 30, 700):
        for k in (2, 4):
            found = []
            for eps0 in ("2", "3/2", "1", "1/2", "1/10")[:: 1 if FULL else 2]:
                curve = shuffled_view(named_randomizer("k-ary", k, real(f"exp({eps0})")), users).view.curve
                found.append(ends(curve, "1.05"))
            assert falls(found)


def test_any_local_randomizer_is_monotone_in_eps_users_and_eps0():
    """The truth is the worst of all randomizers with this eps0, and more of them have a larger one."""
    for users in (1, 3, 40, 1500):
        assert falls([ends(local_view(real(1), users).curve, factor) for factor in FACTORS])
    for factor in ("1", "1.05", "1.5"):
        assert falls([ends(local_view(real(1), users).curve, factor) for users in (1, 2, 7, 50, 400, 6000)])
        assert falls([ends(local_view(real(eps0), 100).curve, factor) for eps0 in ("3", "2", "1", "1/2", "1/8")])


def test_randomized_response_by_mpmath():
    """N = 30, half of the others hold 1: the two laws of the number of ones, in floating point of 40 digits."""
    with mpmath.workdps(40):
        p = 1 / (1 + mpmath.exp(mpmath.mpf(3) / 2))

        def law(ones, zeros):
            first = [comb(ones, i) * (1 - p) ** i * p ** (ones - i) for i in range(ones + 1)]
            second = [comb(zeros, i) * p**i * (1 - p) ** (zeros - i) for i in range(zeros + 1)]
            total = [mpmath.mpf(0)] * (ones + zeros + 1)
            for i, a in enumerate(first):
                for j, b in enumerate(second):
                    total[i + j] += a * b
            return total

        worst = mpmath.mpf(0)
        for ones in range(30):
            upper, lower = law(ones + 1, 29 - ones), law(ones, 30 - ones)
            for pair in ((upper, lower), (lower, upper)):
                total = mpmath.fsum(max(a - mpmath.mpf("1.25") * b, 0) for a, b in zip(*pair, strict=True))
                worst = max(worst, total)
        curve = shuffled_view(named_randomizer("k-ary", 2, real("exp(3/2)")), 30).view.curve
        low, high = (mpmath.mpf(end) for end in curve.delta(real("1.25")).enclosure(15))
        assert low * (1 - mpmath.mpf("1e-30")) <= worst <= high * (1 + mpmath.mpf("1e-30"))
