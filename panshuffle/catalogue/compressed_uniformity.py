"""P_UT after domain compression: a test of uniformity over random groups of equal size, shuffled."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from panshuffle import card, running
from panshuffle.catalogue import uniformity
from panshuffle.catalogue.hashed_distinct_elements import PUBLIC
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import check_positive
from panshuffle.exact.real import Real, real, sqrt
from panshuffle.exact.views.uniformity import compressed_uniformity_view
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.repeated_uniformity import RepeatedUniformity
from panshuffle.question import Json, Params, Seen, Setting

PARTITION = "Over the samples, the noise and the public partition into groups of equal size (the domain is padded)."

Tester = CompressedUniformity | RepeatedUniformity


def groups_and_noise(params: Params, k: int) -> tuple[int, Real]:
    """k_hat and lam: as given, or as printed for eps, alpha and delta."""
    if params.has("k-hat"):
        k_hat = params.count("k-hat")
        return k_hat, uniformity.noise(params, k_hat)
    eps = params.epsilon()
    k_hat = formulas.compressed_size(k, eps, params.real("alpha", " (or --k-hat)"))
    if params.has("lam"):
        return k_hat, params.real("lam")
    return k_hat, real(formulas.lam_uniformity(k_hat, eps, params.delta(" (or --lam)")))


def tester(params: Params, copies: int) -> CompressedUniformity:
    """One of the given number of copies."""
    n, k = params.count("n"), params.count("k")
    m = params.real_or("m", real(n)) / copies
    k_hat, lam = groups_and_noise(params, k)
    if uniformity.threshold_is_printed(params):
        return CompressedUniformity.as_printed(n, k, k_hat, lam, m, params.real("alpha"))
    if params.has("tau"):
        return CompressedUniformity(n, k, k_hat, lam, m, params.real("tau"))
    return CompressedUniformity.repaired(n, k, k_hat, lam, m)


def runner(record: Tester) -> running.Runner:
    """The tester for a public partition, or copies of it."""
    messages = record.n * record.k_hat + record.k
    if isinstance(record, RepeatedUniformity):
        return running.shuffled(
            record, messages + record.pools * record.lam.ceil(), record.publish, uniformity.NO_SIMULATOR
        )
    return running.shuffled(record.protocol, messages + record.k_hat * record.lam.ceil(), record.publish)


def view(record: Tester, setting: Setting) -> View:
    """The pools of the two groups."""
    found = compressed_uniformity_view(record.lam, setting.gamma, record.k, record.k_hat, setting.selection.pool)
    why = f"{PUBLIC}  {found.why}"
    return replace(found, why=f"{uniformity.COPIES}  {why}" if isinstance(record, RepeatedUniformity) else why)


def inner(record: Tester) -> tuple[running.Runner, int, str]:
    """P_UT on the groups of a partition; the certificate asks for one tester and groups of equal size."""
    assert isinstance(record, CompressedUniformity)
    return running.shuffled(record.protocol, record.n * record.k_hat), record.k_hat, "sample in the group"


def derived(record: Tester) -> dict[str, Real | int]:
    """m and lam of a tester, lam of copies."""
    return {"lam": record.lam} if isinstance(record, RepeatedUniformity) else {"m": record.m, "lam": record.lam}


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least lam, a bound unless the groups have equal sizes."""
    params = calibrator.params
    divides = params.has("k") and params.has("k-hat") and params.count("k") % params.count("k-hat") == 0
    return replace(uniformity.least_noise(calibrator, params.count_or("k-hat", 2)), bound=not divides)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """P["not uniform"], over the public partition, too."""
    from panshuffle.exact.accuracy.tester import compressed_chance, compressed_fixed

    params = asked.params
    copies = uniformity.copies_of(params)
    k, m = params.count("k"), uniformity.expected_samples(params) / copies[0]
    k_hat, lam = groups_and_noise(params, k)
    if k_hat > k:
        raise ParameterError("k-hat", k_hat, f"at most k = {k}")
    check_positive("lam", lam)
    tau = uniformity.threshold_of(params, k_hat, lam, m, lambda alpha: alpha * sqrt(k_hat) / (477 * sqrt(10 * k)))
    law, fixed = uniformity.distribution(asked, k), asked.question.get("fixed")

    def find() -> card.ErrorFound:
        more: dict[str, Json] = {"k-hat": k_hat} | uniformity.threshold(tau)
        if fixed is not None:
            one = partial(compressed_fixed, m, lam, k_hat, law, tau)
            return uniformity.by_shares(fixed, copies, one, f"{uniformity.FIXED} {PARTITION}", more)
        value, ends = compressed_chance(m, lam, k_hat, law, tau)
        kind = "exact" if ends is None else "moment bounds"
        return uniformity.voted(copies, value, PARTITION, ends, more | {"kind": kind})

    return find


def repaired(n: int, groups: tuple[int, int], lam: Real) -> CompressedUniformity:
    """The tester for n samples, with the repaired threshold."""
    return CompressedUniformity.repaired(n, *groups, lam, real(n))


CARD: card.Card[Tester] = card.Card(
    name="compressed-uniformity",
    model=card.Model.SHUFFLE,
    params=(*uniformity.UT_PARAMS, "k-hat", "copies", "votes", "gamma"),
    records=(CompressedUniformity,),
    record=lambda params: uniformity.voting(params, tester),
    universe=lambda record: elements(record.k),
    runner=runner,
    view=view,
    reference="grouped.compressed_uniformity",
    derived=derived,
    seen=Seen(pools=True, symmetric=True),
    certificate=uniformity.certificate,
    n_is_open=True,
    calibration=card.Calibrated(("n", "k", "k-hat", "gamma"), problem, poisson=True),
    accuracy=card.Accuracy(error, ("uniform", "paired", "fixed"), ("p",)),
    export=uniformity.export(lambda record: {"k": min(record.k, record.k_hat)}),
    attack=card.Attack(
        "ones and zeros", lambda record, rows: record.k_hat * (rows * 2 + record.lam.ceil()), inner=inner
    ),
    seconds=0.4,
)
