"""To and from dp-accounting (extra `accountants`): privacy losses that are certified upper bounds, as its objects."""

from __future__ import annotations

from typing import Any

from panshuffle.answers.export import losses_in
from panshuffle.crosscheck.export import dp_accounting
from panshuffle.exact.curves.losses import Losses, json_of_losses
from panshuffle.exact.errors import InputError
from panshuffle.output import destination
from panshuffle.question import Question


def to_dp_accounting(question: Question, interval: float) -> Any:
    """The losses of one use as a PrivacyLossDistribution of dp-accounting: the same in either order, pessimistic."""
    losses, library = losses_in(question, interval), dp_accounting()
    return library.PrivacyLossDistribution.create_from_rounded_probability(
        dict(losses.masses), losses.infinite, losses.interval, pessimistic_estimate=True
    )


def from_dp_accounting(found: Any, path: str) -> str:
    """Writes the losses of a PrivacyLossDistribution to a file, and gives the part that a composition takes.

    *Raises* `InputError` for an optimistic one, which bounds nothing from above.
    """
    remove, add = losses_from(found._pmf_remove), losses_from(found._pmf_add)
    with destination(path) as stream:
        stream.write(json_of_losses(remove, None if add == remove else add, {"from": "dp-accounting"}))
    return f"pld --file {path}"


def losses_from(pmf: Any) -> Losses:
    """The losses of one order; the library has no public name for them."""
    if not pmf._pessimistic_estimate:
        raise InputError("these losses are optimistic: they bound nothing from above")
    dense = pmf.to_dense_pmf()
    masses = {dense._lower_loss + i: max(float(mass), 0.0) for i, mass in enumerate(dense._probs) if mass > 0}
    return Losses(float(dense._discretization), masses, max(float(dense._infinity_mass), 0.0))
