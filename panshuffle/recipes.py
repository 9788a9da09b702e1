"""From the letters on the command line to the record of a protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from exact import parameters as formulas
from exact.accuracy.repeated import check_copies, votes_needed
from exact.errors import InputError, ParameterError
from exact.numbers.real import HALF, Real, log, real
from exact.parameters import check_open_unit, check_positive
from panshuffle.parameters import Parameters
from protocols.binary_sum import BinarySum
from protocols.binomial import Binomial
from protocols.compressed_uniformity import CompressedUniformity
from protocols.distinct_elements import DistinctElements
from protocols.geometric_distinct_elements import GeometricDistinctElements
from protocols.hashed_distinct_elements import HashedDistinctElements
from protocols.model.repeated_uniformity import RepeatedUniformity
from protocols.modular_sum import ModularSum
from protocols.pan_distinct_elements import PanDistinctElements
from protocols.pan_histogram import PanHistogram
from protocols.pan_sum import PanSum
from protocols.pan_uniformity import PanUniformity
from protocols.randomized_or import RandomizedOr
from protocols.shuffle_histogram import ShuffleHistogram
from protocols.two_bit_sum import TwoBitSum
from protocols.uniformity import Uniformity

Number = TypeVar("Number")

OR_LAM = " (or --lam)"
OR_EPS = " (or --exp-eps)"
OR_PRINTED = ", or --eps and --delta for the printed formula"


def record_of(parameters: Parameters) -> Any:
    """The record that the letters denote.  *Raises* `InputError` for a letter too many or too few."""
    record = RECIPES[parameters.protocol](parameters)
    parameters.has("gamma")
    parameters.finish()
    return record


def epsilon(given: Parameters, n: int | None = None) -> Real:
    """The exact epsilon from --eps, --exp-eps or, for P_DE, --q."""
    ways = [way for way in ("eps", "exp-eps", *(("q",) if n else ())) if given.has(way)]
    if len(ways) > 1:
        raise InputError(f"--{ways[0]} and --{ways[1]} say the same thing: give one of them")
    if ways == ["exp-eps"]:
        value = given.real("exp-eps")
        if not value > 1:
            raise ParameterError("exp-eps", given.text("exp-eps"), "a finite number above 1")
        return log(value)
    if ways == ["q"] and n:
        value = given.real("q")
        check_open_unit("q", value)
        return -log(1 - value**n)  # exact: P_DE takes the n-th root again
    eps = given.real("eps", OR_EPS)
    check_positive("eps", eps)
    return eps


def delta(given: Parameters, otherwise: str = "") -> Real:
    """The exact delta, strictly between 0 and 1."""
    value = given.real("delta", otherwise)
    check_open_unit("delta", value)
    return value


def shares(given: Parameters, n: int, eps: Real) -> int:
    """m of P_DE: as given, the paper's comment, or what delta needs."""
    if not given.has("m"):
        return formulas.messages(eps, delta(given, " (or --m)"))
    if given.text("m") == "paper":
        return formulas.messages_in_comment(n, eps, delta(given, " for --m paper"))
    if given.has("delta"):
        delta(given)
    return given.count("m")


def given_or_printed(
    given: Parameters, letter: str, read: Callable[[str], Number], formula: Callable[[Real, Real], Number]
) -> Number:
    """The letter as given, or the printed formula for --eps and --delta; not both."""
    if given.has(letter):
        for other in ("eps", "exp-eps", "delta"):
            if other in given.given and other not in given.used:
                reason = f"the printed {letter} follows from eps and delta"
                raise InputError(f"--{letter} and --{other} exclude each other: {reason}")
        return read(letter)
    if not (given.has("eps") or given.has("exp-eps")):
        given.text(letter, OR_PRINTED)
    return formula(epsilon(given), delta(given))


def distinct_elements(given: Parameters) -> DistinctElements:
    """P_DE."""
    n, k = given.count("n"), given.count("k")
    eps = epsilon(given, n)
    return DistinctElements(n, k, eps, shares(given, n, eps))


def hashed_distinct_elements(given: Parameters) -> HashedDistinctElements:
    """P_HDE."""
    n, k = given.count("n"), given.count("k")
    eps = epsilon(given, n)
    c = given.real("c") if given.has("c") else real(1)
    return HashedDistinctElements(n, k, eps, shares(given, n, eps), c)


def sample_size(given: Parameters, n: int) -> Real:
    """m of the testers: as given, or n."""
    return given.real("m") if given.has("m") else real(n)


def tester_noise(given: Parameters, k: int) -> Real:
    """lam of the testers."""
    return given_or_printed(given, "lam", given.real, lambda eps, delta: real(formulas.lam_uniformity(k, eps, delta)))


def copies_of(given: Parameters) -> tuple[int, int]:
    """How many copies of a tester there are, and how many of them have to say "not uniform".

    *Raises* `ParameterError` for more votes than copies.
    """
    copies = given.count("copies") if given.has("copies") else 1
    check_copies(copies)
    votes = given.count("votes") if given.has("votes") else votes_needed(copies)
    if votes > copies:
        raise ParameterError("votes", given.text("votes"), f"a whole number from 1 to {copies}, the number of copies")
    return copies, votes


def repeated(
    given: Parameters, tester: Callable[[Parameters, int], Uniformity | CompressedUniformity]
) -> Uniformity | CompressedUniformity | RepeatedUniformity:
    """The tester, or copies of it that vote."""
    copies, votes = copies_of(given)
    one = tester(given, copies)
    return one if copies == 1 else RepeatedUniformity(one, copies, votes)


def uniformity(given: Parameters, copies: int = 1) -> Uniformity:
    """P_UT, as one of so many copies."""
    n, k = given.count("n"), given.count("k")
    lam, m = tester_noise(given, k), sample_size(given, n) / copies
    if threshold_is_printed(given):
        return Uniformity.as_printed(n, k, lam, m, given.real("alpha"))
    return Uniformity(n, k, lam, m, given.real("tau")) if given.has("tau") else Uniformity.repaired(n, k, lam, m)


def threshold_is_printed(given: Parameters) -> bool:
    """Whether --as-printed was given; --alpha may be, and is checked, in any case."""
    if given.has("alpha"):
        check_open_unit("alpha", given.real("alpha"))
    if given.has("as-printed") and given.has("tau"):
        raise InputError("--as-printed and --tau exclude each other")
    return given.has("as-printed")


def compressed_uniformity(given: Parameters, copies: int = 1) -> CompressedUniformity:
    """P_UT after domain compression, as one of so many copies."""
    n, k = given.count("n"), given.count("k")
    m = sample_size(given, n) / copies
    if given.has("k-hat"):
        k_hat = given.count("k-hat")
        lam = tester_noise(given, k_hat)
    else:
        eps = epsilon(given)
        k_hat = formulas.compressed_size(k, eps, given.real("alpha", " (or --k-hat)"))
        lam = given.real("lam") if given.has("lam") else real(formulas.lam_uniformity(k_hat, eps, delta(given, OR_LAM)))
    if threshold_is_printed(given):
        return CompressedUniformity.as_printed(n, k, k_hat, lam, m, given.real("alpha"))
    if given.has("tau"):
        return CompressedUniformity(n, k, k_hat, lam, m, given.real("tau"))
    return CompressedUniformity.repaired(n, k, k_hat, lam, m)


def noise_bit(given: Parameters, n: int) -> Real:
    """p of P^zsum."""
    return given_or_printed(given, "p", given.real, lambda eps, delta: formulas.zsum_probability(n, eps, delta))


def binary_sum(given: Parameters) -> BinarySum:
    """P^zsum."""
    n = given.count("n")
    return BinarySum(n, noise_bit(given, n))


def shuffle_histogram(given: Parameters) -> ShuffleHistogram:
    """The histogram on P^zsum."""
    n, k = given.count("n"), given.count("k")
    return ShuffleHistogram(n, k, noise_bit(given, n))


def noise_coins(given: Parameters) -> tuple[int, Real]:
    """l and p of the binomial mechanism."""
    p = given.real("p") if given.has("p") else HALF
    coins = given_or_printed(
        given, "l", lambda letter: given.count(letter, 0), lambda eps, delta: formulas.binomial_coins(p, eps, delta)
    )
    return coins, p


def binomial(given: Parameters) -> Binomial:
    """The binomial mechanism."""
    return Binomial(given.count("n"), *noise_coins(given))


def noise_count(given: Parameters) -> int:
    """lam of the pan-private sums, a whole number."""
    return given_or_printed(given, "lam", given.count, formulas.lam_pan)


RECIPES: dict[str, Callable[[Parameters], Any]] = {
    "binomial": binomial,
    "binary-sum": binary_sum,
    "modular-sum": lambda given: ModularSum(given.count("n"), given.count("m")),
    "distinct-elements": distinct_elements,
    "hashed-distinct-elements": hashed_distinct_elements,
    "uniformity": lambda given: repeated(given, uniformity),
    "compressed-uniformity": lambda given: repeated(given, compressed_uniformity),
    "pan-sum": lambda given: PanSum(given.count("n"), noise_count(given)),
    "pan-histogram": lambda given: PanHistogram(given.count("n"), given.count("k"), noise_count(given)),
    "shuffle-histogram": shuffle_histogram,
    "pan-distinct-elements": lambda given: PanDistinctElements(distinct_elements(given)),
    "pan-uniformity": lambda given: PanUniformity(uniformity(given)),
    "randomized-or": lambda given: RandomizedOr(given.count("n"), epsilon(given)),
    "two-bit-sum": lambda given: TwoBitSum(given.count("n"), given.real("p")),
    "geometric-distinct-elements": lambda given: GeometricDistinctElements(
        given.count("n"), given.count("k"), epsilon(given)
    ),
}
