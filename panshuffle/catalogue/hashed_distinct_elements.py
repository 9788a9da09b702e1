"""P_HDE: distinct elements of a large universe, hashed first, shuffled."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from panshuffle import card, running
from panshuffle.catalogue import distinct_elements
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, View
from panshuffle.exact.errors import CertificateError, ParameterError
from panshuffle.exact.real import Real, real
from panshuffle.exact.views.distinct_elements import distinct_elements_view as distinct_view
from panshuffle.exact.views.distinct_elements import hashed_bound
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.question import Params, Seen, Setting

PUBLIC = "For the worst public randomness, as the definition asks, which takes no privacy from public coins."
RANDOM_FUNCTION = (
    "For a uniformly random hash function, whose collisions follow the exact occupancy law; a 2-universal family has "
    "as many collisions in the mean at most, but not this law."
)
MOST_HASHED = 400
"""More distinct elements than that are not tried one by one: each has an occupancy law of its own."""


def constant(params: Params) -> Real:
    """c."""
    return params.real_or("c", real(1))


def record(params: Params) -> HashedDistinctElements:
    """P_HDE."""
    n, k = params.count("n"), params.count("k")
    eps = params.epsilon(n)
    return HashedDistinctElements(n, k, eps, distinct_elements.shares(params, n, eps), constant(params))


def view(record: HashedDistinctElements, setting: Setting) -> View:
    """For the worst hash function: an upper bound where k is so small that not every background occurs."""
    params, part = setting.params, setting.selection
    paper = None
    if params.has("delta") and not part.pool:
        paper = hashed_bound(record.eps, params.real("delta"), setting.gamma.constant)
    if record.k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one dataset.", paper)
    found = distinct_elements.view(record.protocol, setting)
    return replace(found, upper_bound=record.k == 2, why=f"{PUBLIC}  {found.why}", paper=paper)


def certificate(record: HashedDistinctElements, setting: Setting) -> dict[str, Real | int]:
    """The parameters of P_DE, with the k of the elements.  *Raises* `CertificateError` for two of them."""
    if record.k == 2 or record.n == 1:
        raise CertificateError("no certificate for two elements or one user, where not every background occurs")
    return {**distinct_elements.certificate(record.protocol, setting), "k": record.k}


def inner(record: HashedDistinctElements) -> tuple[running.Runner, int, str]:
    """P_DE on the values of a hash function that keeps the elements apart, as some of the family do."""
    runner = running.shuffled(record.protocol, distinct_elements.messages(record.protocol))
    return runner, record.protocol.k, "element with the hash value"


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The unknown of P_DE, on the hashed domain."""
    params = calibrator.params
    n, users = params.count("n"), calibrator.users()
    calibrator.check_neighbours(params.count_or("k", 3))
    k = formulas.hashed_size(n, constant(params))
    found = distinct_elements.messages_or_epsilon(
        calibrator, n, k, lambda eps, m: distinct_view(n, users, k, eps, m, calibrator.pool).curve
    )
    return replace(found, bound=params.count_or("k", 3) == 2)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The estimate's error over a random hash function."""
    from panshuffle.exact.accuracy.estimates import Case, hashed_error, hashed_paper_alpha, listed

    params, gamma = asked.params, asked.gamma
    n, k = params.count("n"), params.count("k")
    eps = params.epsilon(n)
    distinct_elements.ignore_messages(params)
    c = constant(params)
    if not c >= 1:
        raise ParameterError("c", params.text("c"), "a finite number, at least 1")
    most, pools = min(k, asked.users(n)), formulas.hashed_size(n, c)
    paper_alpha = partial(hashed_paper_alpha, n, c, eps)
    goal = asked.goal(paper_alpha)
    counts = asked.counts(most, MOST_HASHED)
    fits = gamma.fraction == 1 and k >= pools
    paper = goal.bound(paper_alpha, lambda alpha: None) if fits else None

    def find() -> card.ErrorFound:
        cases = listed([Case(d, hashed_error(n, pools, d, eps, gamma)) for d in counts])
        return goal.over_cases(cases, RANDOM_FUNCTION, paper, "hashed-distinct-accuracy")

    return find


CARD = card.Card(
    name="hashed-distinct-elements",
    model=card.Model.SHUFFLE,
    params=(*distinct_elements.DE_PARAMS, "c", "gamma"),
    records=(HashedDistinctElements,),
    record=record,
    universe=lambda record: elements(record.k),
    runner=lambda record: running.shuffled(
        record.protocol, distinct_elements.messages(record.protocol), record.publish
    ),
    view=view,
    reference="hashed.hashed_distinct_elements",
    derived=lambda record: {"m": record.m},
    seen=Seen(pools=True, holders=True),
    certificate=certificate,
    calibration=card.Calibrated(("n", "k", "m", "eps", "exp-eps", "q", "c", "gamma"), problem),
    accuracy=card.Accuracy(error, ("beta", "distinct")),
    export=card.Export(
        lambda record, setting, digits: distinct_elements.exported(record.protocol, setting, digits),
        lambda part: part.ones,
        holders=True,
        sizes=lambda record: {"k": min(record.k, record.protocol.k)},
    ),
    attack=card.Attack("ones", lambda record, rows: record.protocol.k * rows * record.m, inner=inner),
    seconds=1.0,
)
