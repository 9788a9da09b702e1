"""Plans to count distinct elements."""

from __future__ import annotations

from dataclasses import replace

from panshuffle.answers import plan as planning
from panshuffle.answers.plan import DIGITS, Drawn, Given, Plan, Target
from panshuffle.card import AnyCard, Model
from panshuffle.catalogue.distinct_elements import CARD as SHUFFLED
from panshuffle.catalogue.geometric_distinct_elements import CARD as CENTRAL
from panshuffle.catalogue.hashed_distinct_elements import CARD as HASHED
from panshuffle.catalogue.pan_distinct_elements import CARD as PAN
from panshuffle.exact import parameters as formulas
from panshuffle.exact.accuracy import estimates as accuracy
from panshuffle.exact.real import Certified, Real, log, real
from panshuffle.output import with_progress

HURTS = "{name} is left out: hashing only hurts here, its {pools} pools are not fewer than the {k} elements"
ONE_INPUT = (
    "the error is that of the largest number of distinct elements; for all of them at most alpha = {bound} is "
    "certified (distinct-accuracy)"
)
ONE_HASHED = "the error is that of the largest number of distinct elements; the others were not looked at"
MOST_HASHED, MOST_WORK = 100, 5 * 10**7
"""Beyond this many numbers, or masses in all, which take ten seconds, the worst number is not searched for."""
IS_TEST = False
HAS_ELEMENTS = True


def plans(target: Target) -> list[Plan]:
    """The counters: shuffled, hashed where that saves pools, pan-private, and the central baseline."""
    n = target.users(SHUFFLED.name, "")
    pools = formulas.hashed_size(n, real(1))
    helps = target.k > pools
    cards: list[AnyCard] = [SHUFFLED, *([HASHED] if helps else []), PAN]
    counters = [counter(card, n, target) for card in with_progress(cards, "plan")]
    if not helps:
        counters[0].notes.append(HURTS.format(name=HASHED.name, pools=pools, k=target.k))
    params = {"n": str(n), "k": str(target.k), "eps": target.eps}
    return [*counters, planning.plan_of(CENTRAL, params, params, "the data itself", target, {})]


def counter(card: AnyCard, n: int, target: Target) -> Plan:
    """P_DE, hashed or transformed."""
    size = {"n": str(3 * n if card is PAN else n), "k": str(target.k)}
    m, eps = planning.messages_for(card, size, target)
    params = size | {"eps": eps, "m": str(m)}
    pools = formulas.hashed_size(n, real(1)) if card is HASHED else target.k
    gamma = target.gamma_for(card)
    paper = printed(n, target.k, real(gamma.get("gamma", 1)), target) if card is SHUFFLED else {}
    measured = measured_params(card, n, target.k, params)
    plan = planning.plan_of(card, params, measured, planning.sent(m, pools), target, paper)
    return for_all_inputs(plan, card, target) if "distinct" in measured else plan


def for_all_inputs(plan: Plan, card: AnyCard, target: Target) -> Plan:
    """A plan whose error was computed for one input: it meets a target alpha only by the bound for all of them."""
    known = card is SHUFFLED and target.gamma == "1"  # the theorem is about all users
    bound = accuracy.paper_alpha(target.k, real(plan.parameters["eps"]), target.beta) if known else None
    says = ONE_HASHED if bound is None else ONE_INPUT.format(bound=planning.decimal_above(bound))
    is_met = target.alpha is None or (bound is not None and bound <= target.alpha)
    return replace(plan, meets=plan.meets and is_met, notes=[*plan.notes, says])


def measured_params(card: AnyCard, n: int, k: int, params: Given) -> Given:
    """The parameters that the error depends on; where all numbers of distinct elements are too many, the largest."""
    found = {parameter: text for parameter, text in params.items() if parameter != "m"}
    cases = (2 if card is PAN else 1) * min(n, k)
    if (card is HASHED and min(n, k) > MOST_HASHED) or k * cases > MOST_WORK:
        found |= {"distinct": str(min(n, k))}
    return found


def printed(n: int, k: int, gamma: Real, target: Target) -> Given:
    """The largest epsilon that Theorem de_upper allows for the target, and the alpha and m that follow."""
    first = target.at_eps / 2 - log(1 / gamma)
    second = (gamma * target.at_eps / 4) ** (1 / gamma)
    allowed = [eps for eps in (first, second if second <= log(2) else real(0)) if eps > 0]
    if not allowed:
        return {}
    eps = allowed[0] if len(allowed) == 1 or allowed[0] >= allowed[1] else allowed[1]
    found = {"eps": Certified.of(eps).enclosure(DIGITS)[0]}
    found["alpha"] = planning.decimal_above(accuracy.paper_alpha(k, eps, target.beta))
    if n > 1:
        m = formulas.messages_in_comment(n, eps, target.at_delta * gamma / 4)
        found["messages"] = planning.sent(m, k)
    return found


def values(target: Target) -> Drawn:
    """The least alpha of P_DE at the largest eps that the target allows, which does not depend on k."""
    n = target.users(SHUFFLED.name, "")
    m, eps = planning.messages_for(SHUFFLED, {"n": str(n), "k": str(target.k)}, target)

    def at(size: int) -> tuple[str, str, str]:
        params = measured_params(SHUFFLED, n, size, {"n": str(n), "k": str(size), "eps": eps})
        error, _ = planning.error_of(SHUFFLED, params, target)
        paper = printed(n, size, real(target.gamma), target).get("alpha", "")
        return str(error["lower"]), str(error["upper"]), paper

    what = f"alpha of {SHUFFLED.name}, n = {n}, eps = {eps}, m = {m}"
    return planning.over_k(what, at, "paper's upper bound", (Model.SHUFFLE.value, "lower"), target)
