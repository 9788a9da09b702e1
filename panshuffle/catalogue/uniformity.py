"""P_UT: a test of uniformity from k counts with Poisson-many noise bits, shuffled; and what all three testers share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from panshuffle import card, running
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.accuracy.tester import check_copies, repeated_chance, shares, votes_needed
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import CertificateError, InputError, ParameterError, shortened
from panshuffle.exact.parameters import check_open_unit, check_positive
from panshuffle.exact.real import Certified, Real, real
from panshuffle.exact.views.uniformity import uniformity_view
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.repeated_uniformity import RepeatedUniformity
from panshuffle.protocols.uniformity import Uniformity
from panshuffle.question import Json, Params, Seen, Setting, number, whole

if TYPE_CHECKING:
    from panshuffle.exact.accuracy.tester import Statistic
    from panshuffle.exact.curves.law_pair import LawPair
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
) -> card.ErrorFound:
    """The answer of the given number of copies, for Pois(m) samples that go to them independently."""
    if copies[0] == 1:
        return card.ErrorFound(NOT_UNIFORM, one, card.THIS, why, ends=ends, more=more)
    return together(copies, [(one, copies[0])], f"{why} {VOTES}", more)


def by_shares(
    text: str, copies: Copies, one: Callable[[int], Certified], why: str, more: dict[str, Json]
) -> card.ErrorFound:
    """The answer for exactly --fixed samples, in equal shares for the copies."""
    n, more = whole("fixed", text, 0), more | {"kind": "exact"}
    if copies[0] == 1:
        return card.ErrorFound(NOT_UNIFORM, one(n), card.THIS, why, more=more)
    return together(copies, [(one(size), count) for size, count in shares(n, copies[0])], f"{why} {SHARES}", more)


def together(copies: Copies, parts: list[tuple[Certified, int]], why: str, more: dict[str, Json]) -> card.ErrorFound:
    """The answer of copies that vote, from the chance of each."""
    votes = {"copies": copies[0], "votes": copies[1]}
    return card.ErrorFound(NOT_UNIFORM, repeated_chance(parts, copies[1]), card.THIS, why, more=more | votes)


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


def distribution(asked: card.ErrorQuestion, k: int) -> Distribution:
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


UT_PARAMS = ("n", "k", "lam", "m", "eps", "exp-eps", "delta", "alpha", "tau", "as-printed")
COPIES = (
    "Every user adds noise to every pool of every copy and data to one copy, so a changed user touches two pools of "
    "one copy, and whoever drops out, each has the noise Pois(gamma*lam): the pair is that of one copy."
)
NO_SIMULATOR = "--approximate has no meaning with --copies: there is no simulator for copies that vote"
WHY_EXACT = "The exact law of Z' for Pois(m) samples, as a convolution on a lattice."
WHY_MOMENTS = (
    "By the exact mean and variance of Z' and Cantelli's inequality: the lattice of the exact law is too large."
)

Tester = Uniformity | RepeatedUniformity
One = TypeVar("One", Uniformity, CompressedUniformity)
Exported = TypeVar("Exported", Tester, CompressedUniformity | RepeatedUniformity)


def noise(params: Params, k: int) -> Real:
    """lam."""
    return params.given_or_printed("lam", params.real, lambda eps, delta: real(formulas.lam_uniformity(k, eps, delta)))


def tester(params: Params, copies: int = 1) -> Uniformity:
    """P_UT, as one of the given number of copies."""
    n, k = params.count("n"), params.count("k")
    lam, m = noise(params, k), params.real_or("m", real(n)) / copies
    if threshold_is_printed(params):
        return Uniformity.as_printed(n, k, lam, m, params.real("alpha"))
    return Uniformity(n, k, lam, m, params.real("tau")) if params.has("tau") else Uniformity.repaired(n, k, lam, m)


def voting(params: Params, tester: Callable[[Params, int], One]) -> One | RepeatedUniformity:
    """One tester, or copies of it that vote."""
    copies, votes = copies_of(params)
    one = tester(params, copies)
    return one if copies == 1 else RepeatedUniformity(one, copies, votes)


def messages(record: Uniformity) -> int:
    """About how many there are in a run."""
    return record.n * record.k + record.k * record.lam.ceil()


def runner(record: Tester) -> running.Runner:
    """One tester, or copies of it with their public assignment."""
    if isinstance(record, Uniformity):
        return running.shuffled(record, messages(record))
    many = record.n * record.k_hat + record.pools * record.lam.ceil() + record.k
    return running.shuffled(record, many, record.publish, NO_SIMULATOR)


def view(record: Tester, setting: Setting) -> View:
    """The pools of the two elements; the printed bound needs a k that was given."""
    found = uniformity_view(record.lam, setting.gamma, record.k, setting.selection.pool)
    if isinstance(record, RepeatedUniformity):
        found = replace(found, why=f"{COPIES}  {found.why}")
    return found if setting.params.has("k") else replace(found, paper=None)


def certificate(record: Tester | CompressedUniformity, setting: Setting) -> dict[str, Real | int]:
    """The parameters of one tester."""
    if isinstance(record, RepeatedUniformity):
        raise CertificateError("no certificate with --copies: the curve is that of one copy, which has one")
    groups = {"k-hat": record.k_hat} if isinstance(record, CompressedUniformity) else {}
    return {"k": record.k, **groups, "lam": record.lam, "gamma": setting.gamma}


def least_noise(calibrator: card.Calibrator, pools: int) -> card.CalibrationProblem:
    """The least lam for this many pools."""
    gamma = calibrator.gamma
    return calibrator.least_real("lam", lambda lam: uniformity_view(lam, gamma, pools, calibrator.pool).curve)


def printed(calibrator: card.Calibrator, eps: Real, delta: Real) -> str | None:
    """The printed lam, for one pool or for two."""
    if not calibrator.params.has("k"):
        return None
    factor, share = (4, 1) if calibrator.pool else (8, 2)
    inner = (delta / factor) ** (1 / calibrator.gamma)
    return shortened(formulas.lam_uniformity(calibrator.params.count("k"), eps / share, inner))


def statistic(asked: card.ErrorQuestion, copies: int = 1) -> tuple[Statistic, Real]:
    """The statistic of one of the given number of copies for the samples that are asked about, and its threshold."""
    from panshuffle.exact.accuracy.tester import Statistic

    params = asked.params
    k, m = params.count("k"), expected_samples(params) / copies
    lam = noise(params, k)
    check_positive("lam", lam)
    tau = threshold_of(params, k, lam, m, lambda alpha: alpha)
    return Statistic(m, lam, distribution(asked, k)), tau


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """P["not uniform"]."""
    from panshuffle.exact.accuracy.tester import chance_bounds, fixed_chance, interval

    copies, fixed = copies_of(asked.params), asked.question.get("fixed")
    of, tau = statistic(asked, copies[0])

    def find() -> card.ErrorFound:
        more = threshold(tau)
        if fixed is not None:
            least = of.least_rejected(tau)
            return by_shares(fixed, copies, lambda n: fixed_chance(of, n, least), FIXED, more)
        if of.is_small():
            return voted(copies, of.chance_above(tau), WHY_EXACT, None, more | {"kind": "exact"})
        ends = chance_bounds(of, tau)
        return voted(copies, interval(*ends), WHY_MOMENTS, ends, more | {"kind": "moment bounds"})

    return find


def export(sizes: Callable[[Exported], dict[str, int]]) -> card.Export[Exported]:
    """The Poisson pools of one element or of two."""
    counts = "ones and zeros less the others'"
    return card.Export(
        pair,
        lambda part: counts if part.pool else f"{counts}, in either pool",
        sizes=sizes,
    )


def repaired(n: int, k: int, lam: Real) -> Uniformity:
    """The tester for n samples, with the repaired threshold."""
    return Uniformity.repaired(n, k, lam, real(n))


def pair(record: Exported, setting: Setting, digits: int | None) -> LawPair:
    """The pair of laws, as a table."""
    from panshuffle.exact.views.pair_tables import poisson_pair

    return poisson_pair(setting.gamma * record.lam / 2, setting.selection.pool, digits)


CARD: card.Card[Tester] = card.Card(
    name="uniformity",
    model=card.Model.SHUFFLE,
    params=(*UT_PARAMS, "copies", "votes", "gamma"),
    records=(Uniformity,),
    record=lambda params: voting(params, tester),
    universe=lambda record: elements(record.k),
    runner=runner,
    view=view,
    reference="poisson_pools.uniformity",
    derived=lambda record: {"lam": record.lam},
    seen=Seen(pools=True, symmetric=True),
    n_is_open=True,
    k_is_open=lambda params: params.has("lam"),
    calibration=card.Calibrated(
        ("n", "k", "gamma"),
        lambda calibrator: least_noise(calibrator, calibrator.params.count_or("k", 2)),
        "uniformity-privacy",
        printed,
        poisson=True,
    ),
    accuracy=card.Accuracy(error, ("uniform", "paired", "fixed"), ("p",)),
    certificate=certificate,
    export=export(lambda record: {"k": record.k}),
    attack=card.Attack("ones and zeros", lambda record, rows: record.k * (rows * 2 + record.lam.ceil())),
    examples=(
        "privacy {} --lam 400 --at-delta 1e-6",
        "calibrate {} --at-eps 1 --at-delta 1e-6 --gamma 1/2",
    ),
    seconds=0.5,
)
