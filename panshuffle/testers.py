"""What the three uniformity testers share: copies that vote, thresholds, and the probability of "not uniform"."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from panshuffle.card import THIS, ErrorFound, ErrorQuestion
from panshuffle.exact import parameters as formulas
from panshuffle.exact.accuracy.tester import check_copies, repeated_chance, shares, votes_needed
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import check_open_unit, check_positive
from panshuffle.exact.real import Certified, Real, real
from panshuffle.question import Json, Params, number, whole

MOST_ELEMENTS = 10**12
"""Beyond that no exact law and no moment bound is of use."""
MOST_LISTED = 10**6
"""A longer list of probabilities does not fit a command line."""
NOT_UNIFORM = 'P["not uniform"]'
FIXED = "The exact law of Z' for a fixed number of samples, whose counts are multinomial."
VOTES = "Each of the samples goes to a copy of its own choice, so the copies' votes are independent."
SHARES = "The copies have equal shares of the samples, up to one, and their votes are independent."

Distribution = tuple[tuple[Fraction, int], ...]


Copies = tuple[int, int]
"""How many copies there are, and how many of them have to say "not uniform"."""


def voted(
    copies: Copies, one: Certified, why: str, ends: tuple[Real, Real] | None, more: dict[str, Json]
) -> ErrorFound:
    """The answer of the given number of copies, for Pois(m) samples that go to them independently."""
    if copies[0] == 1:
        return ErrorFound(NOT_UNIFORM, one, THIS, why, ends=ends, more=more)
    return together(copies, [(one, copies[0])], f"{why} {VOTES}", more)


def by_shares(
    text: str, copies: Copies, one: Callable[[int], Certified], why: str, more: dict[str, Json]
) -> ErrorFound:
    """The answer for exactly --fixed samples, in equal shares for the copies."""
    n, more = whole("fixed", text, 0), more | {"kind": "exact"}
    if copies[0] == 1:
        return ErrorFound(NOT_UNIFORM, one(n), THIS, why, more=more)
    return together(copies, [(one(size), count) for size, count in shares(n, copies[0])], f"{why} {SHARES}", more)


def together(copies: Copies, parts: list[tuple[Certified, int]], why: str, more: dict[str, Json]) -> ErrorFound:
    """The answer of copies that vote, from the chance of each."""
    votes = {"copies": copies[0], "votes": copies[1]}
    return ErrorFound(NOT_UNIFORM, repeated_chance(parts, copies[1]), THIS, why, more=more | votes)


def threshold(tau: Real) -> dict[str, Json]:
    """The threshold as it is shown beside an answer."""
    return {"tau": Certified.of(tau).enclosure(10)[0]}


def copies_of(params: Params) -> Copies:
    """How many copies of a tester there are, and how many of them have to say "not uniform".

    *Raises* `ParameterError` for more votes than copies.
    """
    copies = params.count_or("copies", 1)
    check_copies(copies)
    votes = params.count("votes") if params.has("votes") else votes_needed(copies)
    if votes > copies:
        raise ParameterError("votes", params.text("votes"), f"a whole number from 1 to {copies}, the number of copies")
    return copies, votes


def threshold_is_printed(params: Params) -> bool:
    """Whether --as-printed was given; --alpha may be, and is checked, in any case."""
    if params.has("alpha"):
        check_open_unit("alpha", params.real("alpha"))
    if params.has("as-printed") and params.has("tau"):
        raise InputError("--as-printed and --tau exclude each other")
    return params.has("as-printed")


def expected_samples(params: Params) -> Real:
    """m, which stands for n where that is given alone."""
    if params.has("gamma"):
        raise InputError("--gamma has no meaning here: accuracy is that of all users, as in the paper")
    if params.has("n") and not params.has("m"):
        return real(params.count("n"))
    m = params.real("m", " (or --n)")
    check_positive("m", m)
    if m.fraction is None:
        raise ParameterError("m", params.text("m"), "rational")
    return m


def threshold_of(params: Params, k: int, lam: Real, m: Real, scaled: Callable[[Real], Real]) -> Real:
    """tau: as given, as printed, or repaired."""
    if threshold_is_printed(params):
        return formulas.threshold_as_printed(k, lam, m, scaled(params.real("alpha", " with --as-printed")))
    return params.real("tau") if params.has("tau") else formulas.threshold(k, lam, m)


def distribution(asked: ErrorQuestion, k: int) -> Distribution:
    """The distribution of the samples: uniform, paired at a distance, or given by its probabilities."""
    ways = [name for name in ("uniform", "paired", "p") if asked.question.has(name)]
    if len(ways) != 1:
        raise InputError("one distribution is needed: --uniform, --paired ALPHA or --p P1,P2,...")
    if k > MOST_ELEMENTS:
        raise ParameterError("k", k, f"at most {MOST_ELEMENTS}")
    if ways == ["uniform"]:
        return ((Fraction(1, k), k),)
    if ways == ["paired"]:
        return paired_law(asked.question.text("paired"), k)
    from panshuffle.exact.accuracy.tester import statistic

    return statistic(real(1), real(1), listed(asked.question.text("p"), k)).law


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
