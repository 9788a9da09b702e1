"""What `calibrate` looks for in each protocol, and what the paper would have asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from exact import parameters as formulas
from exact.curves.calibration import Calibration, boundary, first_integer, least_integer
from exact.curves.curve import Curve
from exact.errors import InputError
from exact.numbers.certified import MOST_DIGITS, Certified
from exact.numbers.real import HALF, Real, log, real
from exact.pairs.share_distance import least_messages
from exact.parameters import check_open_unit, honest_users
from exact.views import (
    binary_sum,
    binomial,
    distinct_elements,
    geometric_distinct_elements,
    pan_distinct_elements,
    pan_histogram,
    pan_sum,
    pan_uniformity,
    randomized_or,
    shuffle_histogram,
    two_bit_sum,
    uniformity,
)
from panshuffle.ledger import verdict_of
from panshuffle.parameters import Parameters
from panshuffle.questions import WITH_K, WITHOUT_N, Choice, check_choice, fraction_taking_part, subject_of, view_of
from panshuffle.reading import delta_of, exp_eps_of, number
from panshuffle.recipes import epsilon

MOST_MESSAGES = 400
LARGEST_EPS = 1 << 12
MORE_NOISE = "The least value: more of this noise is post-processing, so every larger value meets the target too."
TRIED = "The least value that is certified to meet the target: every smaller one was tried."
CROSSING = "Both ends of the enclosure are witnesses; that the curve is monotone between other values is not claimed."
FLIPS = "The least value: flipping more often is post-processing, so every larger value meets the target too."

BOUND = "The least value whose upper bound meets the target: a smaller one may meet it too."
NO_NEIGHBOURS = "every value meets this target: no two neighbours differ"

Answer = tuple[str, Calibration, str]


class Target:
    """(eps, delta), given on the command line."""

    def __init__(self, args: argparse.Namespace) -> None:
        exp_eps, delta = exp_eps_of(args), delta_of(args)
        if exp_eps is None or delta is None:
            raise InputError("a target is needed: --at-eps (or --at-exp-eps) and --at-delta")
        self.exp_eps: Real = exp_eps
        self.delta: Real = delta

    def integer(self, curve_at: Callable[[int], Curve], start: int = 1) -> Calibration:
        """The least integer that meets the target."""
        return least_integer(curve_at, self.exp_eps, self.delta, start)

    def first(self, curve_at: Callable[[int], Curve]) -> Calibration:
        """The first integer that meets the target."""
        return first_integer(curve_at, self.exp_eps, self.delta, 1, MOST_MESSAGES)

    def crossing(self, curve_at: Callable[[Real], Curve], good: Fraction, bad: Fraction, digits: int) -> Calibration:
        """The real value where the target stops being met."""
        return boundary(curve_at, self.exp_eps, self.delta, good, bad, digits)


def solve(args: argparse.Namespace, given: Parameters, digits: int) -> Answer:
    """(name of the unknown, its calibration, what is claimed of it)."""
    if given.protocol == "modular-sum":
        return modular_sum(args, given)
    if args.sigma is not None:
        raise InputError("--sigma has a meaning for modular-sum only")
    if args.real and given.protocol not in ("uniformity", "compressed-uniformity", "pan-uniformity"):
        raise InputError("--real has a meaning where the noise is Poisson only")
    check_choice(given.protocol, Choice(args.pool, args.pair))
    fraction_taking_part(given)
    if given.protocol in WITHOUT_N:
        given.has("n")
    if given.protocol in WITH_K:
        given.has("k")
    name, found, note = SOLVERS[given.protocol](args, given, Target(args), digits)
    given.finish()
    return name, found, BOUND if is_bound(args, given) else note


def is_bound(args: argparse.Namespace, given: Parameters) -> bool:
    """Whether the curve that is calibrated is an upper bound only."""
    if given.protocol == "two-bit-sum":
        users = honest_users(given.count("n"), fraction_taking_part(given))
        return users > (two_bit_sum.LARGEST_POOL if args.pool else two_bit_sum.LARGEST_PAIR)
    if given.protocol == "compressed-uniformity":
        return not ("k" in given.given and "k-hat" in given.given and given.count("k") % given.count("k-hat") == 0)
    if given.protocol == "hashed-distinct-elements":
        return given.given.get("k") == "2"
    return given.protocol in ("pan-distinct-elements", "pan-uniformity")


def modular_sum(args: argparse.Namespace, given: Parameters) -> Answer:
    """The least m of P_MOD."""
    if (args.at_eps, args.at_exp_eps, args.at_delta) != (None, None, None):
        raise InputError("modular-sum has no target (eps, delta): give --sigma only")
    if args.sigma is None:
        raise InputError("modular-sum needs --sigma: the least m with total variation below 2^-sigma is looked for")
    gamma = fraction_taking_part(given)
    users = honest_users(given.count("n"), gamma)
    given.finish()
    found = least_messages(users, number("sigma", args.sigma))
    fails = None if found.fails is None else fixed(found.fails)
    return "m", Calibration(Certified.of(found.m), fixed(found.meets), fails), TRIED


def fixed(ball: arb) -> Certified:
    """A number that is known to one precision only."""
    return Certified(lambda precision: ball, nonnegative=True)


def solve_binomial(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least l."""
    p = given.real("p") if given.has("p") else HALF
    check_open_unit("p", p)
    return "l", target.integer(lambda l: binomial.view(l, p).curve, 0), MORE_NOISE


def solve_pan_sum(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least lam of Q_ZSUM."""
    return "lam", target.integer(lambda lam: pan_sum.view(lam).curve), MORE_NOISE


def solve_pan_histogram(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least lam of the pan-private histogram."""
    k = given.count("k") if given.has("k") else 2
    return "lam", target.integer(lambda lam: pan_histogram.view(k, lam, args.pool).curve), MORE_NOISE


def solve_poisson(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least lam of P_UT, compressed or not."""
    gamma = fraction_taking_part(given)
    size = "k-hat" if given.protocol == "compressed-uniformity" else "k"
    k = given.count(size) if given.has(size) else 2
    return poisson_answer(args, target, digits, lambda lam: uniformity.view(lam, gamma, k, args.pool).curve)


def solve_pan_uniformity(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least lam of the transformed tester."""
    n, k = given.count("n"), given.count("k") if given.has("k") else 2
    return poisson_answer(args, target, digits, lambda lam: pan_uniformity.view(n, k, lam).curve)


def poisson_answer(args: argparse.Namespace, target: Target, digits: int, curve_at: Callable[[Real], Curve]) -> Answer:
    """The least whole or real lam."""
    whole = target.integer(lambda lam: curve_at(real(lam)))
    if not args.real:
        return "lam", whole, MORE_NOISE
    good = whole.value.exact or Fraction(1)
    bad = good - 1 if good > 1 else Fraction(1, 10**30)
    found = target.crossing(curve_at, good, bad, digits)
    if found.fails is None:
        raise InputError("every lam from 10^-30 on meets this target")
    return "lam", found, MORE_NOISE


def solve_zsum(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The largest p of P^zsum or of the histogram on it, from 1/2 up."""
    users = honest_users(given.count("n"), fraction_taking_part(given))
    k = given.count("k") if given.has("k") else 2

    def curve_at(p: Real) -> Curve:
        if given.protocol == "binary-sum":
            return binary_sum.view(users, p).curve
        return shuffle_histogram.view(k, users, p, args.pool).curve

    return "p", target.crossing(curve_at, Fraction(1, 2), Fraction(1), digits), CROSSING


def solve_two_bit_sum(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least p."""
    users = honest_users(given.count("n"), fraction_taking_part(given))
    found = target.crossing(lambda p: two_bit_sum.view(users, p, args.pool).curve, Fraction(1, 2), Fraction(0), digits)
    return "p", found, FLIPS if users <= two_bit_sum.LARGEST_PAIR else CROSSING


def solve_distinct(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The least m at a given eps, or the largest eps at a given m."""
    n = given.count("n")
    users = honest_users(n, fraction_taking_part(given))
    k = given.count("k") if given.has("k") else 3
    if k == 1:
        raise InputError(NO_NEIGHBOURS)
    if given.protocol == "hashed-distinct-elements":
        k = formulas.hashed_size(n, given.real("c") if given.has("c") else real(1))
    online = given.protocol == "pan-distinct-elements"

    def curve_at(eps: Real, m: int) -> Curve:
        if online:
            return pan_distinct_elements.view(n, k, eps, m).curve
        return distinct_elements.view(n, users, k, eps, m, args.pool).curve

    if given.has("m"):
        m = given.count("m")
        return largest_epsilon(target, lambda eps: curve_at(eps, m), digits)
    eps = epsilon(given, n)
    return "m", target.first(lambda m: curve_at(eps, m)), TRIED


def solve_epsilon(args: argparse.Namespace, given: Parameters, target: Target, digits: int) -> Answer:
    """The largest eps of a central mechanism."""
    if given.protocol == "randomized-or":
        return largest_epsilon(target, lambda eps: randomized_or.view(eps).curve, digits)
    n, k = (given.count(letter) if given.has(letter) else 2 for letter in ("n", "k"))
    if 1 in (n, k):
        raise InputError(NO_NEIGHBOURS)
    return largest_epsilon(target, lambda eps: geometric_distinct_elements.view(n, k, eps).curve, digits)


def largest_epsilon(target: Target, curve_at: Callable[[Real], Curve], digits: int) -> Answer:
    """The largest eps that meets the target."""

    def meets(eps: Fraction) -> bool:
        return curve_at(Real(eps)).compare_at(target.exp_eps, target.delta) == -1

    good = Fraction(1)
    while not meets(good):
        good /= 2
        if good < Fraction(1, 2**60):
            raise InputError("no eps above 2^-60 meets this target")
    bad = 2 * good
    while meets(bad):
        good, bad = bad, 2 * bad
        if bad > LARGEST_EPS:
            raise InputError(f"every eps up to {LARGEST_EPS} meets this target")
    return "eps", target.crossing(curve_at, good, bad, digits), CROSSING


SOLVERS: dict[str, Callable[[argparse.Namespace, Parameters, Target, int], Answer]] = {
    "binomial": solve_binomial,
    "binary-sum": solve_zsum,
    "distinct-elements": solve_distinct,
    "hashed-distinct-elements": solve_distinct,
    "uniformity": solve_poisson,
    "compressed-uniformity": solve_poisson,
    "pan-sum": solve_pan_sum,
    "pan-histogram": solve_pan_histogram,
    "shuffle-histogram": solve_zsum,
    "pan-distinct-elements": solve_distinct,
    "pan-uniformity": solve_pan_uniformity,
    "randomized-or": solve_epsilon,
    "two-bit-sum": solve_two_bit_sum,
    "geometric-distinct-elements": solve_epsilon,
}


def certificate(args: argparse.Namespace, given: dict[str, str], unknown: str, found: Calibration, digits: int) -> str:
    """The certificate of both witnesses: the value that was found and the next one, or the ends of its enclosure."""
    from exact.certificates.answers import certificate_of_calibration
    from exact.certificates.writer import Place

    if found.value.exact is not None:
        good, bad = str(found.value.exact), str(found.value.exact - 1)
    else:
        good, bad = found.value.enclosure(digits) if unknown != "lam" else reversed(found.value.enclosure(digits))
    target, choice = Target(args), Choice(args.pool, args.pair)
    meeting = Parameters(args.protocol, given | {unknown: good})
    view_of(meeting, choice)
    subject, failing, background = subject_of(meeting, choice), None, None
    if found.fails is not None:
        next_one = Parameters(args.protocol, given | {unknown: bad})
        background = view_of(next_one, choice).background_at(target.exp_eps)
        failing = subject_of(next_one, choice)
    place = Place.of(target.exp_eps, args.at_eps)
    digits = digits if found.value.exact is not None else min(digits + 8, MOST_DIGITS)
    return certificate_of_calibration((subject, failing), background, found, target.delta, place, digits)


def paper(args: argparse.Namespace, unknown: str, given: Parameters) -> dict[str, Any] | None:
    """The value that the printed statement asks for at the same target; None where it says nothing."""
    exp_eps, delta = exp_eps_of(args), delta_of(args)
    if exp_eps is None or delta is None or not (delta > 0 and delta < 1) or not exp_eps > 1:
        return None
    try:
        value = printed(args, given, log(exp_eps), delta)
    except InputError:
        return None
    if value is None:
        return None
    slug = SLUGS[given.protocol]
    return {"value": value, "slug": slug, "verdict": verdict_of(slug)}


SLUGS = {
    "binomial": "binomial-mechanism",
    "pan-sum": "pan-sum",
    "pan-histogram": "pan-histogram",
    "uniformity": "uniformity-privacy",
    "binary-sum": "robust-binary-sum",
}


def printed(args: argparse.Namespace, given: Parameters, eps: Real, delta: Real) -> str | None:
    """The printed formula, solved for the unknown."""
    if given.protocol == "binomial":
        return str(formulas.binomial_coins(given.real("p") if given.has("p") else HALF, eps, delta))
    if given.protocol == "pan-sum" or (given.protocol == "pan-histogram" and args.pool):
        return str(formulas.lam_pan(eps, delta))
    if given.protocol == "pan-histogram":
        return str(formulas.lam_pan(eps / 2, delta / 2))
    if given.protocol == "uniformity" and given.has("k"):
        factor, share = (4, 1) if args.pool else (8, 2)
        inner = (delta / factor) ** (1 / fraction_taking_part(given))
        return str(formulas.lam_uniformity(given.count("k"), eps / share, inner))
    if given.protocol == "binary-sum":
        users = honest_users(given.count("n"), fraction_taking_part(given))
        return Certified.of(formulas.zsum_probability(users, eps, delta)).enclosure(6)[0]
    return None
