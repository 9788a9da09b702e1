"""Claims of certificates, and parts of them."""

from fractions import Fraction
from functools import partial
from pathlib import Path

from flint import arb, arb_poly, ctx
from panshuffle.exact.check import (
    CLONES,
)
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import exp, log, real
from panshuffle.exact.views.binomial import (
    binary_sum_view,
    binomial_view,
    pan_histogram_view,
    pan_sum_view,
    shuffle_histogram_view,
)
from panshuffle.exact.views.distinct_elements import (
    distinct_elements_view,
    modular_sum_view,
    pan_distinct_elements_view,
)
from panshuffle.exact.views.flipped_bits import poisson_binomial_view, two_bit_sum_view
from panshuffle.exact.views.released import geometric_distinct_elements_view, randomized_or_view
from panshuffle.exact.views.uniformity import compressed_uniformity_view, uniformity_view, upper_curve

from tests.brute_force.histograms import clones_by_definition

ROOT = Path(__file__).parents[2]


def exact_clones(eps0, users, adaptive):
    """The clones by their definition, in balls: the claims are as sharp as that."""
    by_definition = partial(clones_by_definition, adaptive=adaptive)
    return Curve(lambda e, bits: in_balls(by_definition, bits, exp(eps0), users, e), pure=exp(eps0))


def response(eps0, users):
    """Binary response by the law of the number of ones, in balls, at every background."""
    return Curve(lambda e, bits: in_balls(response_by_definition, bits, exp(eps0), users, e), pure=exp(eps0))


def in_balls(function, bits, p, users, e):
    with ctx.workprec(bits + 64):
        return function(p.ball(bits + 64), users, e.ball(bits + 64))


def response_by_definition(p, users, factor):
    """The largest delta of the number of ones over all backgrounds, one message being the mirror of the other."""
    found = arb(0)
    for ones in range(users):
        right = arb_poly([1, p]) ** ones * arb_poly([p, 1]) ** (users - 1 - ones)
        gain = (right * arb_poly([1, p]) - factor * right * arb_poly([p, 1])).coeffs()
        found = found.max(sum((value.nonnegative_part() for value in gain), arb(0)) / (p + 1) ** users)
    return found


def curve_of(entry):
    """The exact curve that a claim speaks of, from the views and not from the checker."""
    given = {letter: real(text) for letter, text in entry["parameters"].items()}

    def count(letter, default=None):
        value = given.get(letter, default if default is None else real(default)).fraction
        if value.denominator != 1:
            raise InputError(letter)
        return value.numerator

    name, pool, direction = entry["protocol"], entry["view"] == "pool", entry.get("direction")
    gamma, half = given.get("gamma", real(1)), real("1/2")
    if name == "binomial":
        return binomial_view(count("l"), given.get("p", half), direction).curve
    if name == "pan-sum":
        return pan_sum_view(count("lam"), direction).curve
    if name == "pan-histogram":
        return pan_histogram_view(count("k"), count("lam"), pool, direction).curve
    if name == "uniformity":
        return uniformity_view(given["lam"], gamma, count("k", 3), pool).curve
    if name == "compressed-uniformity":
        return compressed_uniformity_view(given["lam"], gamma, count("k"), count("k-hat"), pool).curve
    if name == "pan-uniformity":
        return upper_curve(count("n"), given["lam"])
    if name in ("geometric-distinct-elements", "randomized-or"):
        eps = given["eps"] if "eps" in given else log(given["exp-eps"])
        if name == "randomized-or":
            return randomized_or_view(eps, direction).curve
        return geometric_distinct_elements_view(count("n"), count("k"), eps).curve
    users = honest_users(count("n"), gamma)
    if name in CLONES:
        way = name == "local"
        return exact_clones(given["eps0"], users, way) if entry["kind"] == "upper" else response(given["eps0"], users)
    if name == "two-bit-sum":
        return two_bit_sum_view(users, given["p"], pool).curve
    if name == "poisson-binomial":
        return poisson_binomial_view(users, count("m"), given["p"]).curve
    if name == "modular-sum":
        return modular_sum_view().curve
    if name == "binary-sum":
        return binary_sum_view(users, given["p"], direction).curve
    if name == "shuffle-histogram":
        return shuffle_histogram_view(count("k", 3), users, given["p"], pool, direction).curve
    n, holders = count("n"), entry.get("holders")
    eps = -log(1 - given["q"] ** n) if "q" in given else given["eps"] if "eps" in given else log(given["exp-eps"])
    where = None if holders is None else tuple(holders)
    if name == "pan-distinct-elements":
        return pan_distinct_elements_view(n, count("k"), eps, count("m")).curve
    return distinct_elements_view(n, users, count("k", 3), eps, count("m"), pool, direction, where).curve


def is_true(entry):
    """Whether a claim holds, by the exact curves; None where it has no meaning or is too close to call."""
    try:
        ((name, text),) = entry["at"].items()
        exp_eps = real(text) if name == "exp_eps" else exp(real(text))
        sign = curve_of(entry).delta(exp_eps).decide(Fraction(entry["delta"]))
        return {"upper": sign <= 0, "lower": sign >= 0}[entry["kind"]]
    except (InputError, Undecided, KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError, IndexError):
        return None


def at(value, path):
    for step in path:
        value = value[step]
    return value


def put(value, path, item):
    at(value, path[:-1])[path[-1]] = item


def certificate(*claims):
    return {"format": "panshuffle certificate", "version": 1, "claims": [*claims]}
