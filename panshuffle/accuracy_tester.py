"""From the letters on the command line to the uniformity tester's probability of "not uniform"."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from exact import parameters as formulas
from exact.accuracy.compressed import compressed_chance, compressed_fixed
from exact.accuracy.repeated import repeated_chance, shares
from exact.accuracy.tester import chance_bounds, interval
from exact.accuracy.uniformity import Statistic, fixed_chance, statistic, transformed_chance
from exact.errors import InputError, ParameterError
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real, sqrt
from exact.parameters import check_open_unit, check_positive
from panshuffle.accuracy_questions import THIS, Answer
from panshuffle.parameters import Parameters
from panshuffle.reading import number
from panshuffle.recipes import copies_of, delta, epsilon, tester_noise

MOST_ELEMENTS = 10**12
MOST_LISTED = 10**6
NOT_UNIFORM = 'P["not uniform"]'
EXACT = "The exact law of Z' for Pois(m) samples, as a convolution on a lattice."
FIXED = "The exact law of Z' for a fixed number of samples, whose counts are multinomial."
TRANSFORMED = (
    "The exact law of Z' for a stream of floor(n/3) samples, of which the first min(Bin(n, 2/9), floor(n/3)) are used "
    "among uniform dummies, n executions in all."
)
PARTITION = "Over the samples, the noise and the public partition into groups of equal size (the domain is padded)."
VOTES = "Each of the samples goes to a copy of its own choice, so the copies' votes are independent."
SHARES = "The copies have equal shares of the samples, up to one, and their votes are independent."
MOMENTS = "By the exact mean and variance of Z' and Cantelli's inequality: the lattice of the exact law is too large."

Distribution = tuple[tuple[Fraction, int], ...]


def tester(args: argparse.Namespace, given: Parameters) -> Answer:
    """P_UT."""
    copies = copies_of(given)
    k, m = given.count("k"), expected_samples(given) / copies[0]
    lam = tester_noise(given, k)
    check_positive("lam", lam)
    tau = threshold_of(given, k, lam, m, lambda alpha: alpha)
    of = Statistic(m, lam, distribution(args, given, k))
    more: dict[str, object] = {"tau": Certified.of(tau).enclosure(10)[0]}
    if args.fixed is not None:
        return by_shares(args, copies, lambda n: fixed_chance(of, n, of.least_rejected(tau)), FIXED, more)
    if of.is_small():
        return voted(copies, of.chance_above(tau), EXACT, None, more | {"kind": "exact"})
    ends = chance_bounds(of, tau)
    return voted(copies, interval(*ends), MOMENTS, ends, more | {"kind": "moment bounds"})


def voted(
    copies: tuple[int, int], one: Certified, why: str, ends: tuple[Real, Real] | None, more: dict[str, object]
) -> Answer:
    """The answer of so many copies, for Pois(m) samples that go to them independently."""
    if copies[0] == 1:
        return Answer(NOT_UNIFORM, one, THIS, why, ends=ends, more=more)
    value = repeated_chance([(one, copies[0])], copies[1])
    votes = {"copies": copies[0], "votes": copies[1]}
    return Answer(NOT_UNIFORM, value, THIS, f"{why} {VOTES}", more=more | votes)


def by_shares(
    args: argparse.Namespace,
    copies: tuple[int, int],
    one: Callable[[int], Certified],
    why: str,
    more: dict[str, object],
) -> Answer:
    """The answer for exactly --fixed samples, in equal shares for the copies."""
    n = Parameters("", {"fixed": args.fixed}).count("fixed", 0)
    more = more | {"kind": "exact"}
    if copies[0] == 1:
        return Answer(NOT_UNIFORM, one(n), THIS, why, more=more)
    parts = [(one(size), count) for size, count in shares(n, copies[0])]
    value = repeated_chance(parts, copies[1])
    return Answer(NOT_UNIFORM, value, THIS, f"{why} {SHARES}", more=more | {"copies": copies[0], "votes": copies[1]})


def compressed(args: argparse.Namespace, given: Parameters) -> Answer:
    """P_UT on groups, over the public partition, too."""
    copies = copies_of(given)
    k, m = given.count("k"), expected_samples(given) / copies[0]
    if given.has("k-hat"):
        k_hat = given.count("k-hat")
        lam = tester_noise(given, k_hat)
    else:
        eps = epsilon(given)
        k_hat = formulas.compressed_size(k, eps, given.real("alpha", " (or --k-hat)"))
        noise = given.real("lam") if given.has("lam") else None
        lam = noise if noise is not None else real(formulas.lam_uniformity(k_hat, eps, delta(given)))
    if k_hat > k:
        raise ParameterError("k-hat", k_hat, f"at most k = {k}")
    check_positive("lam", lam)
    tau = threshold_of(given, k_hat, lam, m, lambda alpha: alpha * sqrt(k_hat) / (477 * sqrt(10 * k)))
    more: dict[str, object] = {"k-hat": k_hat, "tau": Certified.of(tau).enclosure(10)[0]}
    law = distribution(args, given, k)
    if args.fixed is not None:
        one = partial(compressed_fixed, m, lam, k_hat, law, tau)
        return by_shares(args, copies, one, f"{FIXED} {PARTITION}", more)
    value, ends = compressed_chance(m, lam, k_hat, law, tau)
    return voted(copies, value, PARTITION, ends, more | {"kind": "exact" if ends is None else "moment bounds"})


def expected_samples(given: Parameters) -> Real:
    """m, which stands for n where that is given alone."""
    if given.has("gamma"):
        raise InputError("--gamma has no meaning here: accuracy is that of all users, as in the paper")
    if given.has("n") and not given.has("m"):
        return real(given.count("n"))
    m = given.real("m", " (or --n)")
    check_positive("m", m)
    if m.fraction is None:
        raise ParameterError("m", given.text("m"), "rational")
    return m


def threshold_of(given: Parameters, k: int, lam: Real, m: Real, scaled: Callable[[Real], Real]) -> Real:
    """tau: as given, as printed, or repaired."""
    if given.has("alpha"):
        check_open_unit("alpha", given.real("alpha"))
    if given.has("as-printed"):
        if given.has("tau"):
            raise InputError("--as-printed and --tau exclude each other")
        return formulas.threshold_as_printed(k, lam, m, scaled(given.real("alpha", " with --as-printed")))
    return given.real("tau") if given.has("tau") else formulas.threshold(k, lam, m)


def distribution(args: argparse.Namespace, given: Parameters, k: int) -> Distribution:
    """The distribution of the samples: uniform, paired at a distance, or given by its probabilities."""
    ways = [name for name in ("uniform", "paired", "p") if getattr(args, name) not in (None, False)]
    if len(ways) != 1:
        raise InputError("one distribution is needed: --uniform, --paired ALPHA or --p P1,P2,...")
    given.has("p")
    if k > MOST_ELEMENTS:
        raise ParameterError("k", k, f"at most {MOST_ELEMENTS}")
    if ways == ["uniform"]:
        return ((Fraction(1, k), k),)
    if ways == ["paired"]:
        return paired_law(args.paired, k)
    return statistic(real(1), real(1), listed(args.p, k)).law


def paired_law(text: str, k: int) -> Distribution:
    """(1 + 2 alpha)/k and (1 - 2 alpha)/k in turn."""
    alpha = number("paired", text).fraction
    if alpha is None or not 0 <= alpha <= Fraction(1, 2):
        raise ParameterError("paired", text, "a rational between 0 and 1/2")
    if k % 2:
        raise ParameterError("k", k, "even, for --paired")
    return ((1 - 2 * alpha) / k, k // 2), ((1 + 2 * alpha) / k, k // 2)


def listed(text: str, k: int) -> list[Fraction]:
    """The probabilities of a list."""
    parts = text.split(",")
    if len(parts) != k or k > MOST_LISTED:
        raise ParameterError("p", text, f"a list of k = {k} probabilities")
    values = [number("p", part).fraction for part in parts]
    found = [value for value in values if value is not None]
    if len(found) < k or min(found) < 0 or sum(found) != 1:
        raise ParameterError("p", text, "rational probabilities that sum to 1")
    return found


def transformed(args: argparse.Namespace, given: Parameters) -> Answer:
    """Q_P on P_UT, for the stream's own number of samples."""
    n, k = given.count("n"), given.count("k")
    lam = tester_noise(given, k)
    check_positive("lam", lam)
    m = expected_samples(given)
    tau = threshold_of(given, k, lam, m, lambda alpha: alpha)
    of = Statistic(m, lam, distribution(args, given, k))
    chance = transformed_chance(of, n, of.least_rejected(tau))
    more = {"tau": Certified.of(tau).enclosure(10)[0], "stream": n // 3, "kind": "exact"}
    return Answer(NOT_UNIFORM, chance, THIS, TRANSFORMED, more=more)


TESTERS: dict[str, Callable[[argparse.Namespace, Parameters], Answer]] = {
    "uniformity": tester,
    "compressed-uniformity": compressed,
    "pan-uniformity": transformed,
}
