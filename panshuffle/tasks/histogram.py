"""Plans for histograms."""

from __future__ import annotations

from panshuffle.answers.plan import Drawn, Given, Plan, Target, calibrated, error_of, over_k, plan_of, sent
from panshuffle.card import AnyCard, Model
from panshuffle.catalogue.pan_histogram import CARD as PAN
from panshuffle.catalogue.shuffle_histogram import CARD as SHUFFLED
from panshuffle.exact import parameters as formulas

IS_TEST = False
HAS_ELEMENTS = True


def plans(target: Target) -> list[Plan]:
    """The pan-private histogram and, where n is given, that of the shuffle model before it."""
    found = [noisy(PAN, {"k": str(target.k)}, "lam", target)]
    if target.n is None:
        found[0].notes.append(f"{SHUFFLED.name} is left out: it needs --n, the number of users")
        return found
    return [noisy(SHUFFLED, {"n": str(target.n), "k": str(target.k)}, "p", target), *found]


def noisy(card: AnyCard, size: Given, unknown: str, target: Target) -> Plan:
    """A histogram with calibrated noise, de-biased."""
    params = size | {unknown: calibrated(card, size, target)}
    sends = "none: one online algorithm" if card is PAN else sent(2, target.k)
    return plan_of(card, params, params, sends, target, printed(target) if card is PAN else {})


def printed(target: Target) -> Given:
    """The printed lam, and the error that follows."""
    lam = formulas.lam_pan(target.at_eps / 2, target.at_delta / 2)
    return {"lam": str(lam), "alpha": str(2 * lam)}


def values(target: Target) -> Drawn:
    """The least alpha of the pan-private histogram or, where n is given, of the shuffle model's."""
    card, unknown = (PAN, "lam") if target.n is None else (SHUFFLED, "p")
    size_of = {} if target.n is None else {"n": str(target.n)}
    noise = calibrated(card, size_of | {"k": str(target.k)}, target)
    paper = printed(target)["alpha"] if target.n is None else ""

    def at(size: int) -> tuple[str, str, str]:
        error, _ = error_of(card, size_of | {"k": str(size), unknown: noise}, target)
        return str(error["lower"]), str(error["upper"]), paper

    what = f"alpha of {card.name}, {unknown} = {noise}"
    return over_k(what, at, "paper's upper bound", (Model.CENTRAL.value, "both"), target)
