"""P_UT: a test of uniformity from k counts with Poisson-many noise bits, shuffled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from panshuffle import card, testers
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import CertificateError, shortened
from panshuffle.exact.parameters import check_positive
from panshuffle.exact.real import Real, real
from panshuffle.exact.views.uniformity import uniformity_view
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.repeated_uniformity import RepeatedUniformity
from panshuffle.protocols.uniformity import Uniformity
from panshuffle.question import Params, Seen, Setting

if TYPE_CHECKING:
    from panshuffle.exact.accuracy.tester import Statistic
    from panshuffle.exact.curves.law_pair import LawPair
    from panshuffle.running import Shuffled

NAME = "uniformity"


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
    if testers.threshold_is_printed(params):
        return Uniformity.as_printed(n, k, lam, m, params.real("alpha"))
    return Uniformity(n, k, lam, m, params.real("tau")) if params.has("tau") else Uniformity.repaired(n, k, lam, m)


def voting(params: Params, tester: Callable[[Params, int], One]) -> One | RepeatedUniformity:
    """One tester, or copies of it that vote."""
    copies, votes = testers.copies_of(params)
    one = tester(params, copies)
    return one if copies == 1 else RepeatedUniformity(one, copies, votes)


def messages(record: Uniformity) -> int:
    """About how many there are in a run."""
    return record.n * record.k + record.k * record.lam.ceil()


def runner(record: Tester) -> Shuffled:
    """One tester, or copies of it with their public assignment."""
    from panshuffle.running import Shuffled

    if isinstance(record, Uniformity):
        return Shuffled.plain(record, messages(record))
    many = record.n * record.k_hat + record.pools * record.lam.ceil() + record.k
    return Shuffled(record, many, record.publish, NO_SIMULATOR)


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
    k, m = params.count("k"), testers.expected_samples(params) / copies
    lam = noise(params, k)
    check_positive("lam", lam)
    tau = testers.threshold_of(params, k, lam, m, lambda alpha: alpha)
    return Statistic(m, lam, testers.distribution(asked, k)), tau


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """P["not uniform"]."""
    from panshuffle.exact.accuracy.tester import chance_bounds, fixed_chance, interval

    copies, fixed = testers.copies_of(asked.params), asked.question.get("fixed")
    of, tau = statistic(asked, copies[0])

    def find() -> card.ErrorFound:
        more = testers.threshold(tau)
        if fixed is not None:
            least = of.least_rejected(tau)
            return testers.by_shares(fixed, copies, lambda n: fixed_chance(of, n, least), testers.FIXED, more)
        if of.is_small():
            return testers.voted(copies, of.chance_above(tau), WHY_EXACT, None, more | {"kind": "exact"})
        ends = chance_bounds(of, tau)
        return testers.voted(copies, interval(*ends), WHY_MOMENTS, ends, more | {"kind": "moment bounds"})

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
    name=NAME,
    model=card.Model.SHUFFLE,
    params=(*UT_PARAMS, "copies", "votes", "gamma"),
    records=(Uniformity,),
    record=lambda params: voting(params, tester),
    universe=lambda record: elements(record.k),
    runner=runner,
    view=view,
    reference="poisson_pools.uniformity",
    small=card.Small(repaired, "n", "k", "lam"),
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
