"""Q_P on P_UT: the robust shuffle tester as an online algorithm with uniform dummies, pan-private."""

from __future__ import annotations

from dataclasses import replace

from panshuffle import card, running
from panshuffle.catalogue import uniformity
from panshuffle.dataset import elements
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import CertificateError
from panshuffle.exact.real import Real
from panshuffle.exact.views.uniformity import pan_uniformity_view, upper_curve
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.question import Json, Seen, Setting

WHY_ERROR = (
    "The exact law of Z' for a stream of floor(n/3) samples, of which the first min(Bin(n, 2/9), floor(n/3)) are used "
    "among uniform dummies, n executions in all."
)


def view(record: PanUniformity, setting: Setting) -> View:
    """The view; the printed bound and the lower end need a k that was given."""
    inner, any_k = record.protocol, not setting.params.has("k")
    found = pan_uniformity_view(inner.n, inner.k, inner.lam, setting.selection.t, any_k)
    return replace(found, paper=None) if any_k else found


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least lam, for the bound."""
    n = calibrator.params.count("n")
    calibrator.params.count_or("k", 2)
    return replace(calibrator.least_real("lam", lambda lam: upper_curve(n, lam)), bound=True)


def certificate(record: PanUniformity, setting: Setting) -> dict[str, Real | int]:
    """The parameters, for the worst time.  *Raises* `CertificateError` for another."""
    if setting.selection.t is not None:
        raise CertificateError("no certificate with --t: the worst time has one")
    return {"k": record.protocol.k, "n": record.protocol.n, "lam": record.protocol.lam}


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """P["not uniform"], for the stream's own number of samples."""
    from panshuffle.exact.accuracy.tester import transformed_chance

    n = asked.params.count("n")
    of, tau = uniformity.statistic(asked)

    def find() -> card.ErrorFound:
        chance = transformed_chance(of, n, of.least_rejected(tau))
        more: dict[str, Json] = uniformity.threshold(tau) | {"stream": n // 3, "kind": "exact"}
        return card.ErrorFound(uniformity.NOT_UNIFORM, chance, card.THIS, WHY_ERROR, more=more)

    return find


def transformed(n: int, k: int, lam: Real) -> PanUniformity:
    """The transformation of P_UT with the repaired threshold."""
    return PanUniformity(uniformity.repaired(n, k, lam))


CARD = card.Card(
    name="pan-uniformity",
    model=card.Model.ONLINE,
    params=uniformity.UT_PARAMS,
    records=(PanUniformity,),
    record=lambda params: PanUniformity(uniformity.tester(params)),
    universe=lambda record: elements(record.protocol.k),
    runner=lambda record: running.transformed(record, uniformity.messages(record.protocol), counts=True),
    view=view,
    reference="transformed_tester.pan_uniformity",
    derived=lambda record: {"lam": record.protocol.lam},
    seen=Seen(time=True),
    certificate=certificate,
    k_is_open=lambda params: params.has("lam"),
    rows_tell_n=False,
    calibration=card.Calibrated(("n", "k"), problem, poisson=True),
    accuracy=card.Accuracy(error, ("uniform", "paired"), ("p",)),
    exported_instead=uniformity.CARD.name,
    seconds=0.6,
)
