"""k-fold composition against tuples in Fractions, closed forms, other modules, and integer convolution."""

from fractions import Fraction
from itertools import product
from math import comb, cos, exp, floor, log, pi, prod, sin

import pytest
from flint import arb, ctx, fmpq, fmpz, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.curves.composition import Used, composed_delta, mixed_curve
from panshuffle.exact.curves.mean_gain import Total, circle_of, enclosure, node_sums, tilt_of, total_gain
from panshuffle.exact.errors import InputError, ParameterError, Undecided
from panshuffle.exact.laws.law import (
    Masses,
    enclosed_law,
    law_of_bernoulli,
    law_of_binomial,
    law_of_poisson,
    rational_law,
)
from panshuffle.exact.pairs.divergence import hockey_stick
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta
from panshuffle.exact.real import real

from tests.every import every

BITS = 160
FINE = Fraction(1, 10**12)


def shifted(law, by=1):
    return rational_law({x + by: mass for x, mass in law.exact.items()})


def contains(ball, value):
    """Whether the ball holds the rational."""
    with ctx.workprec(4000):
        return bool(ball.contains(arb(fmpq(value.numerator, value.denominator))))


def brute_force(upper, lower, k, e):
    """The sum over all k-tuples, in Fractions."""
    outcomes = [(p, lower.exact.get(x, Fraction(0))) for x, p in upper.exact.items()]
    tuples = product(outcomes, repeat=k)
    return sum(max(prod(p for p, _ in t) - e * prod(q for _, q in t), Fraction(0)) for t in tuples)


def response(k, ratio, e):
    """Randomized response with odds `ratio`, k times: a binomial sum, in Fractions."""
    terms = (comb(k, x) * (ratio**x - e * ratio ** (k - x)) for x in range(k + 1))
    return sum(term for term in terms if term > 0) / (1 + ratio) ** k


def lattice_delta(upper, lower, k, e, width, missed=Fraction(0)):
    """The enclosure by frequencies alone, whatever the number of types."""
    with ctx.workprec(BITS):
        share = arb(fmpq(e.numerator, e.denominator)).log() / k
        pairs = [(p, lower.exact[x]) for x, p in upper.exact.items() if x in lower.exact]
        masses = [arb(fmpq(p.numerator, p.denominator)) for p, _ in pairs]
        losses = [arb(fmpq((p / q).numerator, (p / q).denominator)).log() - share for p, q in pairs]
        rest = 1 - (1 - missed) ** k
        return total_gain([(masses, losses, k)], width) + arb(fmpq(rest.numerator, rest.denominator))


def relative_width(ball):
    return float(2 * ball.rad() / ball.lower())


LAWS = {
    "bernoulli": (law_of_bernoulli(real("2/3")), law_of_bernoulli(real("1/4"))),
    "shift": (law_of_binomial(5, real("1/3")), shifted(law_of_binomial(5, real("1/3")))),
    "dice": (
        rational_law({x: Fraction(x, 21) for x in range(1, 7)}),
        rational_law({x: Fraction(1, 6) for x in range(1, 7)}),
    ),
    "unequal": (
        rational_law({0: Fraction(1, 10), 1: Fraction(2, 5), 2: Fraction(1, 2)}),
        rational_law({1: Fraction(1, 7), 2: Fraction(3, 7), 3: Fraction(3, 7)}),
    ),
}


@every("name", LAWS)
@every("k", [1, 2, 3, 4])
def test_tuples_in_fractions(name, k):
    upper, lower = LAWS[name]
    missed = sum((p for x, p in upper.exact.items() if x not in lower.exact), Fraction(0))
    curve = mixed_curve([Used(upper, lower, k)])
    for e in (Fraction(1), Fraction(7, 5), Fraction(3), Fraction(20), Fraction(10**4)):
        truth = brute_force(upper, lower, k, e)
        ball = composed_delta(upper, lower, k, real(e), FINE)
        assert contains(ball, truth)
        assert ball.rad() <= 1e-12 * ball.upper()
        assert contains(lattice_delta(upper, lower, k, e, 1e-3, missed), truth)
        assert curve.delta(real(e)).exact == truth


@pytest.mark.parametrize(
    ("k", "e"), [(10, Fraction(5, 2)), (50, Fraction(100)), (200, Fraction(1)), (200, Fraction(10**20))]
)
def test_randomized_response(k, e):
    ratio = Fraction(5, 3)
    upper, lower = law_of_bernoulli(real("5/8")), law_of_bernoulli(real("3/8"))
    truth = response(k, ratio, e)
    ball = composed_delta(upper, lower, k, real(e), FINE)
    assert contains(ball, truth)
    assert relative_width(ball) <= FINE
    assert contains(lattice_delta(upper, lower, k, e, 1e-2), truth)


def test_the_delta_that_floats_report_as_negative():
    """k = 200, eps_0 = 1/2, eps = 90: 6.107e-29 among the accountants' questions; here by a sum in balls of its own."""
    with ctx.workprec(400):
        odds, e = arb("0.5").exp(), arb(90).exp()
        terms = [arb(comb(200, x)) * (odds**x - e * odds ** (200 - x)) for x in range(191, 201)]
        truth = sum(terms, arb(0)) / (1 + odds) ** 200

    def enclose(plus):
        def masses(precision):
            with ctx.workprec(precision):
                yes = 1 / (1 + (-arb(0.5)).exp())
                return Masses({1: yes if plus else 1 - yes, 0: 1 - yes if plus else yes}, arb(0))

        return enclosed_law(masses)

    ball = composed_delta(enclose(True), enclose(False), 200, real("exp(90)"), FINE)
    assert ball.overlaps(truth)
    assert relative_width(ball) <= FINE
    assert ball.str(4, radius=False) == "6.107e-29"


@pytest.mark.parametrize("e", [Fraction(1), Fraction(3, 2), Fraction(4)])
def test_one_run_is_the_hockey_stick(e):
    upper = law_of_binomial(1200, real("2/5"))
    for pair in ((upper, shifted(upper)), (shifted(upper), upper)):
        assert contains(composed_delta(*pair, 1, real(e), FINE), hockey_stick(*pair, real(e)).exact)


@pytest.mark.parametrize(("l", "width"), [(40, Fraction(1, 10**20)), (400, Fraction(1, 10**4))])
def test_two_runs_with_fair_coins_are_the_pair_of_pools(l, width):
    """1 + Bin(l, 1/2) is the mirror image of Bin(l, 1/2), so the pools that go up and down are one mechanism twice."""
    law = law_of_binomial(l, real("1/2"))
    for e in ("11/10", "3/2", "2"):
        ball = composed_delta(law, shifted(law), 2, real(e), width)
        assert ball.overlaps(binomial_pair_delta(l, real("1/2"), real(e), 100))
        assert relative_width(ball) <= width


@pytest.mark.parametrize(
    ("weights", "k", "e", "width"), [((3, 5, 9), 100, Fraction(50), 1e-3), ((2, 3, 5, 7), 40, Fraction(9), 1e-3)]
)
def test_types_and_frequencies_agree(weights, k, e, width):
    """Every type enumerated in balls here, from the multinomial law, against the lattice."""
    upper = rational_law({i: Fraction(w, sum(weights)) for i, w in enumerate(weights)})
    lower = rational_law({i: Fraction(w, sum(weights)) for i, w in enumerate(reversed(weights))})
    few = composed_delta(upper, lower, k, real(e), FINE)
    many = lattice_delta(upper, lower, k, e, width)
    assert many.contains(few)
    assert relative_width(many) <= 20 * width


def test_a_long_composition_lies_between_two_integer_convolutions():
    """Losses rounded to a lattice of step h, masses down to 2^-80: t is within k*h of its rounded value."""
    (l, k, step, bits) = (20, 16, 400, 80)
    law = law_of_binomial(l, real("1/2"))
    cells = {x: floor(log((l + 1 - x) / x) * step) for x in range(1, l + 1)}
    least = min(cells.values())
    coefficients = [0] * (max(cells.values()) - least + 1)
    for x, cell in cells.items():
        coefficients[cell - least] += (comb(l, x) << bits) >> l
    composed = fmpz_poly(coefficients) ** k
    (eps, missed) = (8.0, float(1 - (1 - Fraction(1, 2**l)) ** k))
    low = high = 0.0
    for i, mass in enumerate(composed.coeffs()):
        t = (i + k * least) / step - eps
        share = float(Fraction(int(mass), 1 << (bits * k)))
        low += share * -(exp(-(t - k / step)) - 1) if t > k / step else 0.0
        high += share * -(exp(-(t + k / step)) - 1) if t > -k / step else 0.0
    ball = composed_delta(law, shifted(law), k, real("exp(8)"), Fraction(1, 10**6))
    assert 1e-5 < low - 1e-12 < float(ball.lower())
    assert float(ball.upper()) < high + missed + 1e-12
    assert high < 1.6 * low
    assert relative_width(ball) <= 1e-6


def test_the_target_case_reaches_its_width():
    law = law_of_binomial(1000, real("1/2"))
    wide, narrow = (composed_delta(law, shifted(law), 256, real("exp(5)"), Fraction(1, 10**d)) for d in (6, 7))
    assert relative_width(wide) <= 1e-6
    assert relative_width(narrow) <= 1e-7
    assert wide.overlaps(narrow)
    assert narrow.str(6, radius=False) == "8.01253e-7"


def test_poisson_tails_count():
    """Enclosed laws: Pois(3) against 1 + Pois(3), three times, over tuples of floats (rounding below 1e-12)."""
    law = law_of_poisson(real(3))

    def enclose(precision):
        masses = law.enclose(precision)
        return Masses({x + 1: mass for x, mass in masses.listed.items()}, masses.tail)

    masses = [exp(-3.0)]
    for x in range(1, 40):
        masses.append(masses[-1] * 3 / x)
    pairs = list(zip(masses, [0.0, *masses], strict=False))
    twice = [(p * a, q * b) for p, q in pairs for a, b in pairs]
    for e in (2.0, 5.0):
        truth = sum(max(p * a - e * q * b, 0) for p, q in twice for a, b in pairs)
        ball = composed_delta(law, enclosed_law(enclose), 3, real(int(e)), Fraction(1, 10**3))
        assert abs(float(ball.mid()) - truth) <= float(ball.rad()) + 1e-12
        assert relative_width(ball) <= 1e-3


def test_the_delta_that_a_float_transform_reports_as_negative():
    """l = 10^4, k = 4096, eps = 10: 5.4e-14 among the accountants' questions, where dp-accounting says -1.27e-13."""
    (l, first, last) = (10**4, 3500, 6500)

    def enclose(by):
        def masses(precision):
            with ctx.workprec(precision):
                listed, mass = {}, arb(comb(l, first)) / arb(2) ** l
                for x in range(first, last + 1):
                    listed[x + by] = mass
                    mass = mass * (l - x) / (x + 1)
                return Masses(listed, arb(2) ** -600)  # Hoeffding: 2 exp(-2 * 1501^2 / 10^4) < 2^-600

        return enclosed_law(masses)

    ball = composed_delta(enclose(0), enclose(1), 4096, real("exp(10)"), Fraction(1, 10**6))
    assert relative_width(ball) <= 1e-6
    assert ball.str(2, radius=False) == "5.4e-14"


def test_the_inequality_behind_the_lattice_holds_at_every_point():
    """|P - periodic sum of psi| <= (a/T) B, with each side summed term by term from its formula."""
    for c, period, count in ((0.7, 9.0, 8), (0.7, 9.0, 40), (4.5, 6.0, 25), (30.0, 2.0, 300)):
        cut = 2 * pi * count / period
        relative = (c + 0.5) / cut
        g0, g2 = 11 / (8 * pi) + 0.67 * relative, 20 / (3 * pi) + 58 * relative
        for i in range(200):
            t = (i - 60) * period / 900 if i < 120 else (i - 119.5) * period / 81
            smooth = kernel = 0.0
            for j in range(-count + 1, count):
                (v, w) = (abs(j) / count, 2 * pi * j / period)
                chi = 1 - v * v * max((4 * v - 1) / 3, 0)
                transform = 1 / ((c + 1j * w) * (c + 1 + 1j * w))
                smooth += chi * (transform * complex(cos(w * t), sin(w * t))).real / period
                kernel += (1 - v) * (1 + cos(pi * v)) * cos(w * t) / count
            points = [t % period + m * period for m in range(80)]
            periodic = sum(exp(-c * s) - exp(-(c + 1) * s) for s in points)
            assert abs(smooth - periodic) <= (g2 + pi * pi * g0) / (4 * cut) * kernel + 1e-12


@pytest.mark.parametrize("loss", ["-0.3", "-0.01", "0.0001", "0.02", "0.7", "3"])
def test_one_atom_at_any_distance_from_the_kink(loss):
    """A second atom far below makes the tilt finite; the gain is p (1 - e^-loss)_+."""
    with ctx.workprec(BITS):
        masses, losses = [arb("0.25"), arb("0.75")], [arb(loss), arb(-1)]
        truth = (arb("0.25") * (1 - (-arb(loss)).exp())).max(arb(0))
        positive = [arb("0.25"), arb("0.5"), arb("0.25")], [arb(loss), arb(-1), arb("0.2")]
        more = truth + arb("0.25") * (1 - (-arb("0.2")).exp())
        assert total_gain([(masses, losses, 1)], 1e-2).contains(truth.mid())
        total = Total.of([(*positive, 1)])
        tilt = tilt_of(total)
        circle = circle_of(total, tilt, 1e-6)
        for nodes in (64, 100, 1000, 20_000, 300_000):
            assert enclosure(total, tilt, circle, nodes, node_sums(total, tilt, circle, nodes)).overlaps(more)


@pytest.mark.parametrize("uses", [(20,), (14, 6), (1, 1, 3)])
def test_the_rounding_bound_holds_for_the_nodes(uses):
    """The means of P and B from floats against the same sums in balls, and the enclosure that they call for."""
    with ctx.workprec(BITS):
        kinds = []
        for size, k in zip((12, 5, 7), uses, strict=False):
            ratios = [arb(size + 1 - x) / x for x in range(1, size + 1)]
            masses = [arb(comb(size, x)) / 2**size for x in range(1, size + 1)]
            kinds.append((masses, [ratio.log() - arb("0.2") for ratio in ratios], k))
        total, nodes = Total.of(kinds), 300
        tilt = tilt_of(total)
        circle = circle_of(total, tilt, 1e-9)
        sums = node_sums(total, tilt, circle, nodes)
        weights = [kind.tilted(tilt.c) for kind in total.kinds]
        (smooth, kernel, c) = (arb(0), arb(0), arb(tilt.c))
        for j in range(nodes):
            w, v = 2 * arb.pi() * j / arb(circle.period), fmpq(j, nodes)
            (re, im) = (arb(1), arb(0))
            for kind, balls in zip(total.kinds, weights, strict=True):
                whole = sum(balls, arb(0))
                x = sum((p * (w * loss).cos() for p, loss in zip(balls, kind.losses, strict=True)), arb(0)) / whole
                y = sum((p * (w * loss).sin() for p, loss in zip(balls, kind.losses, strict=True)), arb(0)) / whole
                for _ in range(kind.uses):
                    (re, im) = (re * x - im * y, re * y + im * x)
            chi = 1 - v * v * max((4 * v - 1) / 3, fmpq(0))
            real_part = (c * (c + 1) - w * w) * re + w * (2 * c + 1) * im
            double = 1 if j == 0 else 2
            smooth += double * arb(chi) * real_part / (arb(circle.period) * (c * c + w * w) * ((c + 1) ** 2 + w * w))
            kernel += double * arb(1 - v) * (1 + (arb.pi() * arb(v)).cos()) * re / nodes
        assert abs(float(smooth - sums.smooth)) < sums.fixed
        assert abs(float(kernel - sums.kernel)) < sums.fixed + sums.farthest
        assert sums.fixed < 1e-11
        cut = 2 * arb.pi() * nodes / arb(circle.period)
        (g0, g2) = (11 / (8 * arb.pi()) + arb("0.67") * (c + 0.5) / cut, 20 / (3 * arb.pi()) + 58 * (c + 0.5) / cut)
        reach = (g2 + arb.pi() ** 2 * g0) / (4 * cut) * kernel
        whole_ball = enclosure(total, tilt, circle, nodes, sums)
        assert all(whole_ball.contains((tilt.constant * (smooth + s * reach)).mid()) for s in (-1, 1))


@st.composite
def pairs_of_laws(draw):
    size = draw(st.integers(2, 4))
    weights = [draw(st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)) for _ in range(2)]
    return tuple(rational_law({i: Fraction(w, sum(ws)) for i, w in enumerate(ws)}) for ws in weights)


@settings(max_examples=60, deadline=None)
@given(pairs_of_laws(), st.integers(1, 4), st.fractions(1, 40, max_denominator=50))
def test_any_small_laws(pair, k, e):
    upper, lower = pair
    truth = brute_force(upper, lower, k, e)
    missed = sum((p for x, p in upper.exact.items() if x not in lower.exact), Fraction(0))
    assert contains(composed_delta(upper, lower, k, real(e), FINE), truth)
    assert contains(lattice_delta(upper, lower, k, e, 1e-2, missed), truth)
    assert mixed_curve([Used(upper, lower, k)]).delta(real(e)).exact == truth


def test_the_curve_inverts():
    law = law_of_binomial(60, real("1/2"))
    assert mixed_curve([Used(law, law, 2)]).epsilon(real("1/10")).exact == 0
    upper, lower = LAWS["dice"]
    curve = mixed_curve([Used(upper, lower, 12)])
    low, high = (real(end) for end in curve.epsilon(real("1e-3"), 4).enclosure(4))
    assert composed_delta(upper, lower, 12, real(f"exp({low})"), FINE) > 0.001
    assert composed_delta(upper, lower, 12, real(f"exp({high})"), FINE) < 0.001
    assert curve.delta(real(Fraction(12, 7)) ** 12).exact == 0
    assert mixed_curve([Used(*LAWS["shift"], 3)]).epsilon(real(0)).infinite
    response_curve = mixed_curve([Used(*LAWS["bernoulli"], 10**5)])
    assert response_curve.epsilon(real(0)).enclosure(5) == ("98082", "98083")


def test_what_is_refused():
    upper, lower = LAWS["dice"]
    for arguments in ((0, real(2), FINE), (2, real("1/2"), FINE), (2, real(2), Fraction(1)), (2, real(2), Fraction(0))):
        with pytest.raises(ParameterError):
            composed_delta(upper, lower, *arguments)
    with pytest.raises(InputError):
        mixed_curve([Used(law_of_poisson(real(1)), law_of_poisson(real(2)), 2)])
    with pytest.raises(Undecided):
        composed_delta(upper, lower, 10**13, real(2), FINE)
    assert fmpz(composed_delta(upper, upper, 9, real(2), FINE).is_zero()) == 1
