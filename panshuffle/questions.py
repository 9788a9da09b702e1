"""From the letters on the command line to the view of a protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, PaperBound, View
from exact.errors import InputError, ParameterError, shortened
from exact.numbers.real import Real, real
from exact.parameters import honest_users
from exact.views import (
    binary_sum,
    binomial,
    compressed_uniformity,
    distinct_elements,
    geometric_distinct_elements,
    modular_sum,
    pan_distinct_elements,
    pan_histogram,
    pan_sum,
    pan_uniformity,
    randomized_or,
    shuffle_histogram,
    two_bit_sum,
    uniformity,
)
from panshuffle.parameters import Parameters
from panshuffle.recipes import record_of
from panshuffle.views import innermost
from protocols.model.repeated_uniformity import RepeatedUniformity

if TYPE_CHECKING:
    from exact.certificates.writer import Subject

DISTINCT = ("distinct-elements", "hashed-distinct-elements", "pan-distinct-elements")
SHUFFLE = (
    "binary-sum",
    "modular-sum",
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "shuffle-histogram",
    "two-bit-sum",
)
WITHOUT_N = (
    "binomial",
    "pan-sum",
    "pan-histogram",
    "randomized-or",
    "geometric-distinct-elements",
    "uniformity",
    "compressed-uniformity",
)
CERTIFIED = {
    "binomial": ("l", "p"),
    "binary-sum": ("n", "gamma", "p"),
    "pan-sum": ("lam",),
    "pan-histogram": ("k", "lam"),
    "shuffle-histogram": ("k", "n", "gamma", "p"),
    "uniformity": ("k", "lam", "gamma"),
    "distinct-elements": ("k", "n", "gamma", "m"),
}
"""The protocols with certificates, and the letters that these contain."""
PUBLIC = "For the worst public randomness, as the definition asks, which takes no privacy from public coins."
COPIES = (
    "Every user adds noise to every pool of every copy and data to one copy, so a changed user touches two pools of "
    "one copy, and whoever drops out, each has the noise Pois(gamma*lam): the pair is that of one copy."
)
ONE_SHIFT = ("binomial", "binary-sum", "pan-sum", "randomized-or")
WITH_POOLS = (
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "pan-histogram",
    "shuffle-histogram",
    "two-bit-sum",
)


@dataclass(frozen=True)
class Choice:
    """What of the view is asked for: one pool or both, a direction, a background, a time."""

    pool: bool = False
    pair: bool = False
    direction: str | None = None
    holders: tuple[int, ...] | None = None
    t: int | None = None


def view_of(parameters: Parameters, choice: Choice) -> View:
    """The view that the letters and the choice denote.  *Raises* `InputError` for what has no meaning."""
    check_choice(parameters.protocol, choice)
    gamma = fraction_taking_part(parameters)
    k_is_open = "k" not in parameters.given and parameters.protocol in ("uniformity", "pan-uniformity")
    fill_in(parameters, choice)
    record = record_of(parameters)
    parameters.resolved = resolved(parameters, innermost(record))
    if choice.t is not None:
        checked_time(choice.t, record.length)
    view = VIEWS[parameters.protocol](record, gamma, choice)
    if isinstance(record, RepeatedUniformity):
        view = replace(view, why=f"{COPIES}  {view.why}")
    if "delta" in parameters.given and parameters.protocol in DISTINCT:
        view = replace(view, paper=printed_bound(parameters, record, gamma, choice))
    return replace(view, paper=None) if k_is_open else view


def subject_of(parameters: Parameters, choice: Choice) -> Subject:
    """What a certificate speaks of.  *Raises* `InputError` where the checker has no law."""
    from exact.certificates.writer import CertificateError, Subject

    name, record = parameters.protocol, record_of(parameters)
    if name not in CERTIFIED:
        raise CertificateError(f"no certificate: they are written for {', '.join(CERTIFIED)}")
    if isinstance(record, RepeatedUniformity):
        raise CertificateError("no certificate with --copies: the curve is that of one copy, which has one")
    if getattr(record, "k", 2) == 1:
        raise CertificateError("no certificate: with k = 1 no two neighbours differ")
    values = {letter: getattr(record, letter, None) for letter in CERTIFIED[name]}
    values |= {"gamma": fraction_taking_part(parameters)} if "gamma" in CERTIFIED[name] else {}
    texts = {letter: certificate_number(value) for letter, value in values.items() if value is not None}
    if name == "distinct-elements":
        q = 1 - 2 * record.p_prime
        texts |= {"eps": certificate_number(record.eps)} if q.fraction is None else {"q": certificate_number(q)}
    view = "whole" if name in ONE_SHIFT else "pool" if choice.pool else "pair"
    return Subject(name, texts, view, choice.direction, choice.holders)


def certificate_number(value: Real | int) -> str:
    """A parameter as a certificate has it."""
    from exact.certificates.writer import number_text

    return number_text(real(value))


def printed_bound(parameters: Parameters, record: Any, gamma: Real, choice: Choice) -> PaperBound | None:
    """Theorem de_upper, or the corollary on P_HDE, for the delta that the protocol was given: for the pair only."""
    if choice.pool:
        return None
    eps = innermost(record).eps
    if parameters.protocol == "hashed-distinct-elements":
        return distinct_elements.hashed_bound(eps, parameters.real("delta"), gamma.constant)
    share = Fraction(1, 3) if parameters.protocol == "pan-distinct-elements" else gamma.constant
    return distinct_elements.paper_bound(eps, parameters.real("delta"), share)


def fraction_taking_part(parameters: Parameters) -> Real:
    """gamma.  *Raises* `InputError` where only all users, or no users, make sense."""
    if not parameters.has("gamma"):
        return real(1)
    if parameters.protocol not in SHUFFLE:
        raise InputError(f"--gamma has no meaning for {parameters.protocol}: only shuffle protocols have dropouts")
    gamma = parameters.real("gamma")
    if not (gamma > 0 and gamma <= 1):
        raise ParameterError("gamma", parameters.text("gamma"), "above 0 and at most 1")
    if "n" in parameters.given:
        honest_users(parameters.count("n"), gamma)
    return gamma


def resolved(parameters: Parameters, record: Any) -> dict[str, str]:
    """The letters that were not given but follow from others, such as m from delta."""
    letters = ("m", "lam", "p", "l") if parameters.protocol not in ("uniformity", "pan-uniformity") else ("lam",)
    found = {letter: getattr(record, letter) for letter in letters if hasattr(record, letter)}
    return {letter: shortened(value) for letter, value in found.items() if letter not in parameters.given}


def fill_in(parameters: Parameters, choice: Choice) -> None:
    """n and k where the answer does not depend on them: any n, and k = 3, which stands for every larger k."""
    if parameters.protocol in WITHOUT_N and "n" not in parameters.given:
        tester = parameters.protocol in ("uniformity", "compressed-uniformity")
        copies = parameters.count("copies") if tester and "copies" in parameters.given else 1
        parameters.given["n"] = str(max(2, choice.t or 0, copies))
    needs_k = parameters.protocol in ("uniformity", "pan-uniformity") and "lam" not in parameters.given
    if "k" not in parameters.given and parameters.protocol in WITH_K and not needs_k:
        parameters.given["k"] = "3"


WITH_K = (
    "distinct-elements",
    "uniformity",
    "pan-uniformity",
    "pan-distinct-elements",
    "pan-histogram",
    "shuffle-histogram",
    "geometric-distinct-elements",
)


def check_choice(protocol: str, choice: Choice) -> None:
    """*Raises* `InputError` for a part of a view that the protocol does not have."""
    if choice.pool and protocol not in WITH_POOLS:
        raise InputError(f"--pool has no meaning for {protocol}, whose view has no pools")
    if choice.pair and protocol not in WITH_POOLS:
        raise InputError(f"--pair has no meaning for {protocol}, whose view has no pools")
    if choice.direction and protocol not in (*WITH_POOLS, *ONE_SHIFT):
        raise InputError(f"--direction has no meaning for {protocol}")
    if choice.direction and protocol in ("uniformity", "compressed-uniformity", "two-bit-sum"):
        raise InputError(f"--direction has no meaning for {protocol}: both directions of a pool are the same")
    if choice.direction and protocol in WITH_POOLS and not choice.pool:
        raise InputError("--direction needs --pool: the pair of pools contains both directions")
    if choice.holders is not None and protocol not in ("distinct-elements", "hashed-distinct-elements"):
        raise InputError(f"--holders has no meaning for {protocol}")
    if choice.t is not None and not protocol.startswith("pan-"):
        raise InputError(f"--t has no meaning for {protocol}, which has no internal state")


def distinct(record: Any, gamma: Real, choice: Choice) -> View:
    """P_DE."""
    users = honest_users(record.n, gamma)
    return distinct_elements.view(
        record.n, users, record.k, record.eps, record.m, choice.pool, choice.direction, choice.holders
    )


def hashed(record: Any, gamma: Real, choice: Choice) -> View:
    """P_HDE, for the worst hash function: an upper bound where k is so small that not every background occurs."""
    if record.k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one dataset.")
    view = distinct(record.protocol, gamma, choice)
    return replace(view, upper_bound=record.k == 2, why=f"{PUBLIC}  {view.why}")


def compressed(record: Any, gamma: Real, choice: Choice) -> View:
    """P_UT on groups."""
    view = compressed_uniformity.view(record.lam, gamma, record.k, record.k_hat, choice.pool)
    return replace(view, why=f"{PUBLIC}  {view.why}")


def checked_time(t: int | None, length: int) -> int | None:
    """A time within the stream."""
    if t is not None and not 0 <= t <= length:
        raise ParameterError("t", t, f"a whole number from 0 to {length}, the length of the stream")
    return t


VIEWS: dict[str, Callable[[Any, Real, Choice], View]] = {
    "binomial": lambda r, gamma, choice: binomial.view(r.l, r.p, choice.direction),
    "binary-sum": lambda r, gamma, choice: binary_sum.view(honest_users(r.n, gamma), r.p, choice.direction),
    "modular-sum": lambda r, gamma, choice: modular_sum.view(),
    "distinct-elements": distinct,
    "hashed-distinct-elements": hashed,
    "uniformity": lambda r, gamma, choice: uniformity.view(r.lam, gamma, r.k, choice.pool),
    "compressed-uniformity": compressed,
    "pan-sum": lambda r, gamma, choice: pan_sum.view(r.lam, choice.direction),
    "pan-histogram": lambda r, gamma, choice: pan_histogram.view(r.k, r.lam, choice.pool, choice.direction),
    "shuffle-histogram": lambda r, gamma, choice: shuffle_histogram.view(
        r.k, honest_users(r.n, gamma), r.p, choice.pool, choice.direction
    ),
    "pan-distinct-elements": lambda r, gamma, choice: pan_distinct_elements.view(
        r.protocol.n, r.protocol.k, r.protocol.eps, r.protocol.m, choice.t
    ),
    "pan-uniformity": lambda r, gamma, choice: pan_uniformity.view(
        r.protocol.n, r.protocol.k, r.protocol.lam, choice.t
    ),
    "randomized-or": lambda r, gamma, choice: randomized_or.view(r.eps, choice.direction),
    "two-bit-sum": lambda r, gamma, choice: two_bit_sum.view(honest_users(r.n, gamma), r.p, choice.pool),
    "geometric-distinct-elements": lambda r, gamma, choice: geometric_distinct_elements.view(r.n, r.k, r.eps),
}
