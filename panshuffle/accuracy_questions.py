"""From the letters on the command line to a protocol's error."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from exact.accuracy import binary_sum, distinct_elements, hashed
from exact.accuracy.affine_error import AffineError, check_beta
from exact.accuracy.worst_input import Case, worst_alpha, worst_chance
from exact.errors import InputError, ParameterError
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real
from exact.parameters import check_open_unit, honest_users
from panshuffle.parameters import Parameters
from panshuffle.questions import fraction_taking_part
from panshuffle.reading import number
from panshuffle.recipes import delta, epsilon, noise_bit, noise_coins, noise_count

ALL, THIS = "all inputs", "this input"
RANDOM_FUNCTION = (
    "For a uniformly random hash function, whose collisions follow the exact occupancy law; a 2-universal family has "
    "as many collisions in the mean at most, but not this law."
)
PAPER = "paper"
MOST_HASHED, MOST_SEARCHED = 400, 20_000


@dataclass(frozen=True)
class Answer:
    """What was found: a quantity, what it covers, the paper's bound beside it, and why.

    `ends` are the two ends where only they are known.
    """

    quantity: str
    value: Certified
    scope: str
    why: str
    paper: Real | None = None
    slug: str = ""
    alpha: Real | None = None
    ends: tuple[Real, Real] | None = None
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Goal:
    """An alpha at which the probability is asked for, or a beta for which the least alpha is."""

    alpha: Real | None
    beta: Real | None
    printed_at: Real | None = None

    @property
    def quantity(self) -> str:
        """What is asked for."""
        return "alpha" if self.alpha is None else "beta"

    def bound(self, alpha_of: Callable[[Real], Real], beta_of: Callable[[Real], Real | None]) -> Real | None:
        """The paper's bound on what is asked for; None where it says nothing."""
        if self.alpha is not None:
            bound = beta_of(self.alpha) if self.printed_at is None else self.printed_at
            return None if bound is not None and bound >= 1 else bound
        return None if self.beta is None or not (self.beta > 0 and self.beta < 1) else alpha_of(self.beta)


def goal_of(args: argparse.Namespace, printed: Callable[[Real], Real] | None) -> Goal:
    """The alpha or the beta that was given; `--alpha paper` is the printed alpha at --beta."""
    beta = None if args.beta is None else number("beta", args.beta)
    if beta is not None:
        check_beta(beta)
    if args.alpha == PAPER:
        if printed is None:
            raise InputError(f"--alpha paper has no meaning for {args.protocol}: the paper has no alpha for it")
        if beta is None:
            raise InputError("--alpha paper needs --beta")
        check_open_unit("beta", beta)
        return Goal(printed(beta), None, beta)
    if (args.alpha is None) == (beta is None):
        raise InputError(f"{args.protocol} needs one of --alpha and --beta (or --alpha paper and --beta)")
    if beta is not None:
        return Goal(None, beta)
    alpha = number("alpha", args.alpha)
    if alpha < 0:
        raise ParameterError("alpha", args.alpha, "at least 0")
    return Goal(alpha, None)


def distinct_of(args: argparse.Namespace, most: int) -> int | None:
    """The number of distinct elements that was given."""
    if args.distinct is None:
        return None
    found = Parameters("", {"distinct": args.distinct}).count("distinct", 0)
    if not 0 <= found <= most:
        raise ParameterError("distinct", args.distinct, f"a whole number from 0 to {most}")
    return found


def counts_of(chosen: int | None, most: int) -> Sequence[int]:
    """The numbers of distinct elements to look at.  *Raises* `ParameterError` for too many."""
    if chosen is not None:
        return [chosen]
    if most > MOST_SEARCHED:
        raise ParameterError("distinct", "absent", f"given where there may be more than {MOST_SEARCHED} elements")
    return range(1, most + 1)


def ignore_messages(given: Parameters) -> None:
    """m and delta of P_DE, which have no influence on the estimate: checked, and left aside."""
    if given.has("delta"):
        delta(given)
    if given.has("m") and given.text("m") != PAPER:
        given.count("m")


def bias(error: AffineError) -> dict[str, Any]:
    """The exact bias of an estimate, where it has one."""
    mean = error.mean()
    if mean.fraction == 0 or abs(float(mean)) < 1e-30:
        return {}
    lower, upper = Certified.of(mean).enclosure(10)
    return {"bias": {"lower": lower, "upper": upper}}


def distinct(args: argparse.Namespace, given: Parameters) -> Answer:
    """P_DE."""
    n = given.count("n") if given.has("n") else None
    k, eps, gamma = given.count("k"), epsilon(given, n), fraction_taking_part(given)
    ignore_messages(given)
    users = k if n is None else honest_users(n, gamma)
    goal = goal_of(args, lambda beta: distinct_elements.paper_alpha(k, eps, beta))
    chosen = distinct_of(args, min(k, users))
    counts = counts_of(chosen, min(k, users))
    cases = distinct_elements.distinct_cases(k, counts, eps, gamma, args.corrected)
    honest = gamma.fraction == 1
    paper = goal.bound(
        lambda beta: distinct_elements.paper_alpha(k, eps, beta),
        lambda alpha: distinct_elements.paper_beta(k, eps, alpha),
    )
    why = (
        "The exact law: C is a sum of D fair bits and k - D bits that are 1 with probability (1 - (1-e^-eps)^gamma)/2."
    )
    return over_cases(goal, cases, chosen, paper if honest else None, "distinct-accuracy", why)


def over_cases(goal: Goal, cases: list[Case], chosen: int | None, paper: Real | None, slug: str, why: str) -> Answer:
    """The worst of the cases."""
    if goal.alpha is not None:
        value, where = worst_chance(cases, goal.alpha)
    elif goal.beta is not None:
        alpha, where = worst_alpha(cases, goal.beta)
        value = Certified.of(alpha)
    error = next(case.error for case in cases if case.distinct == where)
    more = {"distinct": where} | bias(error)
    return Answer(goal.quantity, value, ALL if chosen is None else THIS, why, paper, slug, goal.alpha, more=more)


def transformed(args: argparse.Namespace, given: Parameters) -> Answer:
    """The pan-private counter."""
    n, k = given.count("n"), given.count("k")
    eps, length = epsilon(given, n), n // 3
    ignore_messages(given)
    if length < 1:
        raise ParameterError("n", n, "at least 3, so that the stream has an element")
    goal = goal_of(args, lambda beta: distinct_elements.paper_alpha(k, eps, beta))
    chosen = distinct_of(args, min(k, length))
    counts = counts_of(chosen, min(k, length))
    cases = distinct_elements.transformed_cases(k, counts, eps)
    why = "The dummies hold the element 1: the worse of the streams with and without a 1 of their own is covered."
    return over_cases(goal, cases, chosen, None, "", why)


def hashed_distinct(args: argparse.Namespace, given: Parameters) -> Answer:
    """P_HDE."""
    from exact.parameters import hashed_size

    n, k = given.count("n"), given.count("k")
    eps, gamma = epsilon(given, n), fraction_taking_part(given)
    ignore_messages(given)
    c = given.real("c") if given.has("c") else real(1)
    if not c >= 1:
        raise ParameterError("c", given.text("c"), "a finite number, at least 1")
    users, pools = honest_users(n, gamma), hashed_size(n, c)
    goal = goal_of(args, lambda beta: hashed.paper_alpha(n, c, eps, beta))
    chosen = distinct_of(args, min(k, users))
    most = min(k, users)
    if chosen is None and most > MOST_HASHED:
        raise ParameterError("distinct", "absent", f"given where there may be more than {MOST_HASHED} elements")
    counts = [chosen] if chosen is not None else range(1, most + 1)
    cases = [Case(d, hashed.hashed_error(n, pools, d, eps, gamma)) for d in counts]
    fits = gamma.fraction == 1 and k >= pools
    paper = goal.bound(lambda beta: hashed.paper_alpha(n, c, eps, beta), lambda alpha: None) if fits else None
    return over_cases(goal, cases, chosen, paper, "hashed-distinct-accuracy", RANDOM_FUNCTION)


def geometric(args: argparse.Namespace, given: Parameters) -> Answer:
    """The central baseline."""
    given.has("n")
    given.has("k")
    eps, goal = epsilon(given), goal_of(args, None)
    if goal.alpha is not None:
        value = distinct_elements.geometric_chance(eps, goal.alpha)
    else:
        value = Certified.of(distinct_elements.geometric_alpha(eps, goal.beta or real(0)))
    return Answer(goal.quantity, value, ALL, "Two-sided geometric noise, whatever the data are.", alpha=goal.alpha)


def summed(goal: Goal, error: AffineError, bins: int, paper: Callable[[Goal], Real | None], what: str) -> Answer:
    """Additive noise in every bin."""
    if goal.alpha is not None:
        value = binary_sum.largest_of(error, bins, goal.alpha)
    else:
        value = Certified.of(binary_sum.least_alpha_of(error, bins, goal.beta or real(0)))
    bound = paper(goal)
    slug = "pan-sum-error" if bound is not None else ""
    return Answer(goal.quantity, value, ALL, what, bound, slug, goal.alpha, more=bias(error))


def pan_noise(args: argparse.Namespace, given: Parameters) -> Answer:
    """Q_ZSUM and the histogram on it."""
    given.has("n")
    bins = given.count("k") if given.protocol == "pan-histogram" else 1
    lam = noise_count(given)
    goal = goal_of(args, lambda beta: real(2 * lam))

    def paper(goal: Goal) -> Real | None:
        if not args.raw:
            return None
        if goal.alpha is None:
            return real(2 * lam)
        return real(0) if goal.alpha >= 2 * lam else None

    what = "The raw output: the error is Bin(2 lam, 1/2)" if args.raw else "The output less lam, which is unbiased"
    where = f", independently in each of {bins} bins." if bins > 1 else "."
    return summed(goal, binary_sum.pan_sum_error(lam, not args.raw), bins, paper, what + where)


def central_noise(args: argparse.Namespace, given: Parameters) -> Answer:
    """The binomial mechanism."""
    given.has("n")
    coins, p = noise_coins(given)
    if not (p >= 0 and p <= 1):
        raise ParameterError("p", given.text("p"), "between 0 and 1")
    what = "The raw output: the error is Bin(l, p)." if args.raw else "The output less l p, which is unbiased."
    return summed(goal_of(args, None), binary_sum.noise_error(coins, p, not args.raw), 1, lambda goal: None, what)


def shuffle_noise(args: argparse.Namespace, given: Parameters) -> Answer:
    """P^zsum and the histogram on it."""
    n, gamma = given.count("n"), fraction_taking_part(given)
    bins = given.count("k") if given.protocol == "shuffle-histogram" else 1
    p, users, goal = noise_bit(given, n), honest_users(n, gamma), goal_of(args, None)
    if not (p >= 0 and p <= 1):
        raise ParameterError("p", given.text("p"), "between 0 and 1")
    if not args.raw:
        what = "The ones less Np, N the number of users that the messages show: unbiased, and not cut off at 0."
        return summed(goal, binary_sum.noise_error(users, p, True), bins, lambda goal: None, what)
    clipped = binary_sum.ClippedSum(n, users, p, bins)
    value = clipped.chance(goal.alpha) if goal.alpha is not None else None
    value = Certified.of(clipped.least_alpha(goal.beta or real(0))) if value is None else value
    what = "The raw output max(0, ones - n), for the worst data: a bin that holds S ones is never off by more than S."
    return Answer(goal.quantity, value, ALL, what, alpha=goal.alpha)


QUESTIONS: dict[str, Callable[[argparse.Namespace, Parameters], Answer]] = {
    "distinct-elements": distinct,
    "hashed-distinct-elements": hashed_distinct,
    "pan-distinct-elements": transformed,
    "geometric-distinct-elements": geometric,
    "binomial": central_noise,
    "binary-sum": shuffle_noise,
    "shuffle-histogram": shuffle_noise,
    "pan-sum": pan_noise,
    "pan-histogram": pan_noise,
}
