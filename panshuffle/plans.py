"""Which protocol meets a privacy and an accuracy target, with which exact parameters."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from exact import parameters as formulas
from exact.accuracy import distinct_elements as distinct_accuracy
from exact.accuracy.tester import is_at_most, least_samples, paired_law, repaired, sufficient_samples, uniform_law
from exact.accuracy.uniformity import Statistic
from exact.errors import InputError, ParameterError
from exact.numbers.certified import Certified
from exact.numbers.real import Real, exp, log, real
from exact.parameters import THIRD
from panshuffle.accuracy_questions import QUESTIONS
from panshuffle.output import shows_progress
from panshuffle.parameters import Parameters
from panshuffle.questions import Choice, view_of
from panshuffle.reading import shown
from panshuffle.unknowns import solve

DIGITS = 6
REFERENCE_MESSAGES, MOST_MESSAGES = 40, 64
LEAST_SHARE = Fraction(999, 1000)
LARGEST_SEARCHED, MOST_HASHED = 200, 100
ALL_USERS = "the error is that of all n users; with dropouts the estimate is biased (accuracy --gamma, --corrected)"
ROBUST, PAN, CENTRAL = "robust shuffle", "pan-private", "central"


@dataclass(frozen=True)
class Target:
    """What is asked for: the privacy as it was typed, the accuracy as numbers."""

    eps: str
    delta: str
    gamma: str
    alpha: Real | None
    beta: Real

    @property
    def at_eps(self) -> Real:
        """eps as a number."""
        return real(self.eps)

    @property
    def at_delta(self) -> Real:
        """delta as a number."""
        return real(self.delta)


@dataclass(frozen=True)
class Plan:
    """A protocol with its parameters, what it costs, what is certified of it, and the commands that show it."""

    protocol: str
    model: str
    parameters: dict[str, str]
    messages: str
    privacy: dict[str, Any]
    error: dict[str, Any]
    meets: bool
    paper: dict[str, str]
    verify: list[str]
    notes: list[str] = field(default_factory=list)


def command(name: str, protocol: str, letters: dict[str, str], *rest: str) -> str:
    """A command line."""
    options = [f"--{letter} {quoted(text)}" for letter, text in letters.items()]
    return " ".join(["panshuffle", name, protocol, *options, *rest])


def quoted(text: str) -> str:
    """A value for the shell."""
    return f'"{text}"' if set(text) & set("()*^ ") else text


def calibrated(protocol: str, letters: dict[str, str], target: Target) -> str:
    """The calibrated unknown as a decimal on the side that meets the target."""
    args = argparse.Namespace(protocol=protocol, at_eps=target.eps, at_exp_eps=None, at_delta=target.delta)
    args.pool = args.pair = args.real = False
    args.sigma = None
    unknown, found, _ = solve(args, Parameters(protocol, dict(letters)), DIGITS)
    if found.value.exact is not None:
        return str(found.value.exact)
    lower, upper = found.value.enclosure(DIGITS)
    return upper if unknown == "lam" else lower


def privacy_of(protocol: str, letters: dict[str, str], target: Target) -> tuple[dict[str, Any], bool]:
    """The certified delta of the chosen parameters, and whether it meets the target."""
    curve = view_of(Parameters(protocol, dict(letters)), Choice()).curve
    exp_eps = exp(target.at_eps)
    return shown(curve.delta(exp_eps), DIGITS), curve.compare_at(exp_eps, target.at_delta) == -1


def private(letters: dict[str, str], gamma: str) -> dict[str, str]:
    """The letters with gamma, where that is not 1."""
    return letters if gamma == "1" else letters | {"gamma": gamma}


def error_of(protocol: str, letters: dict[str, str], target: Target, raw: bool = False) -> tuple[dict[str, Any], bool]:
    """The least alpha at beta and, where an alpha is asked for, whether it fails with probability beta at most."""
    options = {"alpha": None, "beta": str(target.beta), "distinct": letters.get("distinct"), "corrected": False}
    args = argparse.Namespace(protocol=protocol, raw=raw, **options)
    given = {letter: text for letter, text in letters.items() if letter != "distinct"}
    answer = QUESTIONS[protocol](args, Parameters(protocol, given))
    result = {"quantity": "alpha", "beta": str(target.beta), **shown(answer.value, 10), "scope": answer.scope}
    return result, target.alpha is None or answer.value.decide(target.alpha) <= 0


def messages_for(protocol: str, letters: dict[str, str], gamma: str, target: Target) -> tuple[int, str]:
    """The least m whose largest epsilon is within a thousandth of that of many messages, and that epsilon."""
    best = Fraction(calibrated(protocol, private(letters | {"m": str(REFERENCE_MESSAGES)}, gamma), target))
    enough = Certified.of(LEAST_SHARE * best).enclosure(DIGITS)[0]
    for m in range(2, MOST_MESSAGES + 1):
        chosen = private(letters | {"m": str(m)}, gamma)
        if privacy_of(protocol, chosen | {"eps": enough}, target)[1]:
            return m, calibrated(protocol, chosen, target)
    raise InputError(f"no m up to {MOST_MESSAGES} comes near the limit for this target")


def distinct_plan(protocol: str, model: str, n: int, k: int, target: Target) -> Plan:
    """P_DE, hashed or transformed."""
    gamma = target.gamma if model == ROBUST else "1"
    size = {"n": str(3 * n if model == PAN else n), "k": str(k)}
    m, eps = messages_for(protocol, size, gamma, target)
    letters = size | {"eps": eps, "m": str(m)}
    measured = measured_letters(protocol, n, k, letters)
    privacy, private_enough = privacy_of(protocol, private(letters, gamma), target)
    error, accurate = error_of(protocol, measured, target)
    pools = formulas.hashed_size(n, real(1)) if protocol == "hashed-distinct-elements" else k
    verify = [
        command("privacy", protocol, private(letters, gamma), f"--at-eps {quoted(target.eps)}", f"--digits {DIGITS}"),
        command("accuracy", protocol, measured, f"--beta {target.beta}"),
    ]
    paper = paper_distinct(n, k, real(gamma), target) if protocol == "distinct-elements" else {}
    sends = f"{m * pools} ({m} to each of {pools} pools)"
    notes = [] if gamma == "1" else [ALL_USERS]
    return Plan(protocol, model, letters, sends, privacy, error, private_enough and accurate, paper, verify, notes)


def measured_letters(protocol: str, n: int, k: int, letters: dict[str, str]) -> dict[str, str]:
    """The letters that the error depends on; where every number of distinct elements is too many, the largest one."""
    found = {letter: text for letter, text in letters.items() if letter != "m"}
    if (protocol == "hashed-distinct-elements" and min(n, k) > MOST_HASHED) or k * min(n, k) > 2 * 10**7:
        found |= {"distinct": str(min(n, k))}
    return found


def paper_distinct(n: int, k: int, gamma: Real, target: Target) -> dict[str, str]:
    """The largest epsilon that Theorem de_upper allows for the target, and the alpha and m that follow."""
    first = target.at_eps / 2 - log(1 / gamma)
    second = (gamma * target.at_eps / 4) ** (1 / gamma)
    allowed = [eps for eps in (first, second if second <= log(2) else real(0)) if eps > 0]
    if not allowed:
        return {}
    eps = allowed[0] if len(allowed) == 1 or allowed[0] >= allowed[1] else allowed[1]
    found = {"eps": Certified.of(eps).enclosure(DIGITS)[0]}
    found["alpha"] = Certified.of(distinct_accuracy.paper_alpha(k, eps, target.beta)).enclosure(DIGITS)[1]
    if n > 1:
        m = formulas.messages_in_comment(n, eps, target.at_delta * gamma / 4)
        found["messages"] = f"{m * k} ({m} to each of {k} pools)"
    return found


def geometric_plan(n: int, k: int, target: Target) -> Plan:
    """The central baseline, which needs no delta."""
    protocol, letters = "geometric-distinct-elements", {"n": str(n), "k": str(k), "eps": target.eps}
    privacy, private_enough = privacy_of(protocol, letters, target)
    error, accurate = error_of(protocol, letters, target)
    verify = [
        command("privacy", protocol, letters, f"--at-eps {quoted(target.eps)}", f"--digits {DIGITS}"),
        command("accuracy", protocol, letters, f"--beta {target.beta}"),
    ]
    meets = (private_enough or privacy["upper"] == "0") and accurate
    return Plan(protocol, CENTRAL, letters, "the data itself", privacy, error, meets, {}, verify)


def distinct_plans(n: int | None, k: int, target: Target) -> list[Plan]:
    """The counters of distinct elements."""
    if n is None:
        raise InputError("distinct-elements needs --n")
    plans = [distinct_plan("distinct-elements", ROBUST, n, k, target)]
    if k > formulas.hashed_size(n, real(1)):
        plans.append(distinct_plan("hashed-distinct-elements", ROBUST, n, k, target))
    plans.append(distinct_plan("pan-distinct-elements", PAN, n, k, target))
    return [*plans, geometric_plan(n, k, target)]


def histogram_plans(n: int | None, k: int, target: Target) -> list[Plan]:
    """The histograms: the pan-private one and, where n is given, that of the shuffle model."""
    plans = [noisy_plan("pan-histogram", PAN, {"k": str(k)}, "lam", "1", target)]
    if n is not None:
        size = {"n": str(n), "k": str(k)}
        plans.insert(0, noisy_plan("shuffle-histogram", ROBUST, size, "p", target.gamma, target))
    return plans


def noisy_plan(protocol: str, model: str, size: dict[str, str], unknown: str, gamma: str, target: Target) -> Plan:
    """A histogram with calibrated noise, de-biased."""
    letters = size | {unknown: calibrated(protocol, private(size, gamma), target)}
    privacy, private_enough = privacy_of(protocol, private(letters, gamma), target)
    error, accurate = error_of(protocol, letters, target)
    verify = [
        command("privacy", protocol, private(letters, gamma), f"--at-eps {quoted(target.eps)}", f"--digits {DIGITS}"),
        command("accuracy", protocol, letters, f"--beta {target.beta}"),
    ]
    paper: dict[str, str] = {}
    if protocol == "pan-histogram":
        lam = formulas.lam_pan(target.at_eps / 2, target.at_delta / 2)
        paper = {"lam": str(lam), "alpha": str(2 * lam)}
    sends = "none: one online algorithm" if model == PAN else f"{2 * int(size['k'])} (two bits to each pool)"
    return Plan(protocol, model, letters, sends, privacy, error, private_enough and accurate, paper, verify)


def distance_of(target: Target, k: int) -> Fraction:
    """The distance of the paired alternative.  *Raises* `ParameterError` where there is no such alternative."""
    alpha = None if target.alpha is None else target.alpha.fraction
    if alpha is None or not 0 < alpha <= Fraction(1, 2):
        raise ParameterError("alpha", target.alpha if target.alpha is not None else "absent", "a rational in (0, 1/2]")
    if k % 2:
        raise ParameterError("k", k, "even, for the paired alternative")
    return alpha


def uniformity_plans(n: int | None, k: int, target: Target) -> list[Plan]:
    """The tester with the repaired threshold, on the elements and on groups of them."""
    alpha = distance_of(target, k)
    first = tester_plan(n, k, alpha, target)
    second = compressed_plan(n, k, alpha, target, first)
    if second is None:
        first.notes.append("no compressed tester is listed: no k-hat has an exact law that is small enough here")
        return [first]
    return [first, second]


def tester_plan(n: int | None, k: int, alpha: Fraction, target: Target) -> Plan:
    """P_UT."""
    protocol, size = "uniformity", {"k": str(k)}
    lam = calibrated(protocol, private(size, target.gamma), target)
    letters = size | {"lam": lam}
    privacy, private_enough = privacy_of(protocol, private(letters, target.gamma), target)
    every = sufficient_samples(k, real(lam), real(alpha)) if Fraction(lam) >= 1 else None
    m, users, notes = samples_for(n, k, real(lam), alpha, every)
    far, flat = (Statistic(real(m), real(lam), law) for law in (paired_law(k, alpha), uniform_law(k)))
    tau = formulas.threshold(k, real(lam), real(m))
    works = is_at_most(far, tau, THIRD, False) and is_at_most(flat, tau, THIRD, True)
    error = tester_error(m, users, works, alpha)
    measured = size | {"m": str(m), "lam": lam}
    verify = tester_commands(protocol, letters, measured, alpha, target)
    if every is not None:
        notes.append(f"m = {every} is enough for every distribution at distance {alpha} (uniformity-tester-theorem)")
    paper = paper_uniformity(k, alpha, target)
    sends = f"{k} and Pois({lam}/n) fair bits to each of {k} pools"
    return Plan(protocol, ROBUST, measured, sends, privacy, error, private_enough and works, paper, verify, notes)


def tester_error(m: int, users: int, works: bool, alpha: Fraction) -> dict[str, Any]:
    """What is known of a tester's errors, and how many users are enough."""
    known = {"quantity": "both errors", "m": str(m), "users": users, "at most": "1/3", "certified": works}
    return known | {"scope": f"paired {alpha}"}


def tester_commands(
    protocol: str, letters: dict[str, str], measured: dict[str, str], alpha: Fraction, target: Target, *rest: str
) -> list[str]:
    """The commands that verify a tester's plan."""
    return [
        command("privacy", protocol, private(letters, target.gamma), f"--at-eps {quoted(target.eps)}"),
        command("accuracy", protocol, measured, "--uniform", *rest),
        command("accuracy", protocol, measured, f"--paired {alpha}", *rest),
    ]


def compressed_plan(n: int | None, k: int, alpha: Fraction, target: Target, first: Plan) -> Plan | None:
    """P_UT on groups, with one copy or three, at the same noise; None where no number of groups is looked at."""
    from exact.accuracy.compressed_size import cheapest

    lam, far = first.parameters["lam"], paired_law(k, alpha)
    if k > LARGEST_SEARCHED or not first.error["certified"]:
        return None
    with searching() as progress:
        found = cheapest(k, real(lam), first.error["users"], far, progress)
    if found is None:
        return None
    tester, m = found
    protocol, size = "compressed-uniformity", {"k": str(k), "k-hat": str(tester.k_hat)}
    copies = {} if tester.copies == 1 else {"copies": str(tester.copies), "votes": str(tester.votes)}
    letters = size | {"lam": lam}
    privacy, private_enough = privacy_of(protocol, private(letters | copies, target.gamma), target)
    works = n is None or m <= n
    measured = size | {"m": str(m), "lam": lam} | copies
    verify = tester_commands(protocol, letters | copies, measured, alpha, target, "--digits 4")
    sends = f"{tester.k_hat} and Pois({lam}/n) fair bits to each of {tester.copies * tester.k_hat} pools"
    notes = ["m is certified by the exact law over all partitions; it was found among a few k-hat and copies"]
    notes += [] if works else [f"n = {n} is less than m"]
    error = tester_error(m, m if n is None else n, works, alpha)
    return Plan(protocol, ROBUST, measured, sends, privacy, error, private_enough and works, {}, verify, notes)


@contextmanager
def searching() -> Iterator[Callable[[str], None]]:
    """A function that shows where a search is, on a terminal."""
    if not shows_progress():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("searching for the least m") as status:
        yield lambda text: status.update(f"searching for the least m: {text}")


def samples_for(n: int | None, k: int, lam: Real, alpha: Fraction, every: int | None) -> tuple[int, int, list[str]]:
    """m and how many users are enough: n where it is given, else the least m, and that as a multiple of k."""
    if n is not None:
        return n, n, []
    if k > LARGEST_SEARCHED and every is not None:
        return -(-every // k) * k, every, [f"the least m is not searched for above k = {LARGEST_SEARCHED}"]
    with searching() as progress:
        found = least_samples(repaired(k, lam), paired_law(k, alpha), progress=progress)
    note = f"m = {found.m} is enough against the paired alternative, and {found.m - 1} is not, by the exact law; "
    return -(-found.m // k) * k, found.m, [note + "rounded up to a multiple of k, where the law is quick to compute"]


def paper_uniformity(k: int, alpha: Fraction, target: Target) -> dict[str, str]:
    """The printed lam for the target; with it, what the theorem on the repaired tester asks for."""
    inner = (target.at_delta / 8) ** (1 / real(target.gamma))
    lam = formulas.lam_uniformity(k, target.at_eps / 2, inner)
    m = sufficient_samples(k, real(lam), real(alpha))
    return {"lam": str(lam), "m": f"no constant is printed; with this lam the repaired tester has {m}"}


TASKS: dict[str, Callable[[int | None, int, Target], list[Plan]]] = {
    "distinct-elements": distinct_plans,
    "uniformity": uniformity_plans,
    "histogram": histogram_plans,
}


def choice_among(plans: list[Plan]) -> str | None:
    """The protocol that meets the target in the strongest model, robust shuffle first, with the least error there.

    Of two testers it is the one with fewer users and, where they tie, with fewer pools to send messages to.
    """
    for model in (ROBUST, PAN, CENTRAL):
        meeting = [plan for plan in plans if plan.meets and plan.model == model]
        if meeting:
            return min(meeting, key=cost).protocol
    return None


def cost(plan: Plan) -> tuple[float, int, int]:
    """What is compared: the error, the number of users, the number of pools."""
    letters = plan.parameters
    pools = int(letters.get("copies", "1")) * int(letters.get("k-hat", letters["k"]))
    return float(plan.error.get("upper", 0)), int(plan.error.get("users", 0)), pools
