"""Plans: a protocol with exact parameters, and what is certified of it; the parts that all tasks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from panshuffle.answers import accuracy, calibrate, privacy
from panshuffle.card import AnyCard, Model, viewed
from panshuffle.exact.accuracy.figure1 import FIGURE_1
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.randomizers.shuffled_view import blanket_epsilon, clones_epsilon
from panshuffle.exact.real import Certified, Real, exp, real
from panshuffle.output import shows_progress, with_progress
from panshuffle.question import Json, Question, ViewSelection

DIGITS = 6
REFERENCE_MESSAGES, MOST_MESSAGES = 40, 64
"""This many messages are as good as the ideal modular sum; a plan looks for the fewest that come near."""
LEAST_SHARE = Fraction(999, 1000)
LARGE_POOL = 2000
"""Messages of a pool beyond which its laws are not enumerated, and an answer takes seconds."""
MOST_POINTS = 200
DRAWN_EPS0 = real(1)
"""Of a figure over n: the published forms need many users for a larger one, and often say nothing at that of a plan."""
ALL_USERS = "if all n users take part, the error is at most {alpha} with the same probability"
Given = dict[str, str]
Rows = Callable[[int], tuple[str, ...]]


@dataclass(frozen=True)
class Target:
    """What is asked for: the users and elements, the privacy as it was typed, the accuracy as numbers."""

    n: int | None
    k: int
    eps: str
    delta: str
    gamma: str
    alpha: Real | None
    beta: Real
    task: str = ""

    @property
    def at_eps(self) -> Real:
        """eps as a number."""
        return real(self.eps)

    @property
    def at_delta(self) -> Real:
        """delta as a number."""
        return real(self.delta)

    def gamma_for(self, card: AnyCard) -> Given:
        """gamma as a parameter, where the protocol has dropouts and there are any."""
        return {} if self.gamma == "1" or not card.model.has_dropouts else {"gamma": self.gamma}


@dataclass(frozen=True)
class Plan:
    """A protocol with its parameters, what it costs, what is certified of it, and the commands that show it."""

    protocol: str
    model: str
    parameters: Given
    messages: str
    privacy: dict[str, Json]
    error: dict[str, Json]
    meets: bool
    paper: Given
    verify: list[str]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Drawn:
    """What a figure shows over k or n: its name, its columns, the labels of its lines, and what stands at a value.

    The columns are the parameter, the two ends of the exact value, and two bounds; `step` is what every value is a
    multiple of.
    """

    what: str
    columns: tuple[str, str, str, str, str]
    labels: tuple[str, str, str]
    at: Rows
    largest: int
    step: int = 1

    def rows(self, points: int) -> list[tuple[int | str, ...]]:
        """The rows for up to this many values from 4 to the largest."""
        found = with_progress(sizes(self.largest, points, self.step, self.columns[0]), "figure")
        return [(size, *self.at(size)) for size in found]


def line(kind: str, card: AnyCard, params: Given, **options: str | bool) -> str:
    """A command line."""
    given = {**params, **{name.replace("_", "-"): value for name, value in options.items()}}
    texts = {name: f'"{value}"' if set(str(value)) & set("()*^ ") else value for name, value in given.items()}
    words = [f"--{name}" if text is True else f"--{name} {text}" for name, text in texts.items()]
    return " ".join(["panshuffle", kind, card.name, *words])


def calibrated(card: AnyCard, params: Given, target: Target, least: bool = False) -> str:
    """The calibrated unknown as a decimal on the side that meets the target: above the `least` one, as for lam."""
    given = {**params, **target.gamma_for(card), "at-eps": target.eps, "at-delta": target.delta, "digits": DIGITS}
    found = calibrate.resolve(Question.of("calibrate", card.name, given))()
    if found.value.exact is not None:
        return str(found.value.exact)
    return found.upper if least or found.quantity == "lam" else found.lower


def possible(rows: Iterable[tuple[str, Callable[[], Plan]]], baseline: Plan) -> list[Plan]:
    """The plans that can be made, and a baseline, which notes those that can't."""
    found = []
    for name, make in rows:
        try:
            found.append(make())
        except InputError as problem:
            baseline.notes.append(f"{name} is left out: {problem}")
    return [*found, baseline]


def is_private(card: AnyCard, params: Given, target: Target) -> bool:
    """Whether the parameters are certified to meet the target."""
    question = Question.of("privacy", card.name, {**params, **target.gamma_for(card)})
    return viewed(question, ViewSelection()).view.curve.compare_at(exp(target.at_eps), target.at_delta) == -1


def privacy_of(card: AnyCard, params: Given, target: Target) -> tuple[dict[str, Json], bool]:
    """The certified delta of the chosen parameters, and whether it meets the target, as 0 always does."""
    given = {**params, **target.gamma_for(card), "at-eps": target.eps, "digits": DIGITS}
    found = privacy.resolve(Question.of("privacy", card.name, given))()
    return found.numbers, found.upper == "0" or is_private(card, params, target)


def error_of(card: AnyCard, params: Given, target: Target, **options: bool) -> tuple[dict[str, Json], bool]:
    """The least alpha at beta and, where an alpha is asked for, whether it fails with probability beta at most."""
    found = accuracy.resolve(Question.of("accuracy", card.name, {**params, **options, "beta": str(target.beta)}))()
    who = {"gamma": params["gamma"]} if "gamma" in params else {}
    result: dict[str, Json] = {"quantity": "alpha", "beta": str(target.beta), **found.numbers, "scope": found.scope}
    return result | who, target.alpha is None or found.value.decide(target.alpha) <= 0


def plan_of(
    card: AnyCard, params: Given, measured: Given, messages: str, target: Target, paper: Given, *notes: str
) -> Plan:
    """The plan with an error at beta, which depends on the measured parameters, and the commands that verify it.

    Where users drop out, the error is that of those who are left, with the estimate corrected where the protocol has
    such an estimate; that of all users must meet the target, too, and is noted.
    """
    found, is_private_enough = privacy_of(card, params, target)
    gamma = target.gamma_for(card)
    corrects = card.accuracy is not None and "corrected" in card.accuracy.options
    options = {"corrected": True} if gamma and corrects else {}
    error, is_accurate = error_of(card, measured | gamma, target, **options)
    said = list(notes)
    if gamma:
        everyone, also = error_of(card, measured, target)
        is_accurate = is_accurate and also
        said.append(ALL_USERS.format(alpha=everyone["upper"]))
    verify = [
        line("privacy", card, {**params, **gamma}, at_eps=target.eps, digits=str(DIGITS)),
        line("accuracy", card, measured | gamma, **options, beta=str(target.beta)),
    ]
    meets = is_private_enough and is_accurate
    return Plan(card.name, card.model.value, params, messages, found, error, meets, paper, verify, said)


def sent(each: int, pools: int) -> str:
    """The messages of a user to some pools, and their bits: the name of the pool and one more.

    >>> sent(3, 100)
    '300 (3 to each of 100 pools), 2400 bits'
    """
    messages = each * pools
    return f"{messages} ({each} to each of {pools} pools), {messages * (1 + (pools - 1).bit_length())} bits"


def messages_for(card: AnyCard, params: Given, target: Target) -> tuple[int, str]:
    """The least m whose largest epsilon is within a thousandth of that of many messages, and that epsilon.

    Where pools are large, an epsilon within that thousandth is taken as it is: each one tried takes a second.
    """
    best = Fraction(calibrated(card, params | {"m": str(REFERENCE_MESSAGES)}, target))
    enough = Certified.of(LEAST_SHARE * best).enclosure(DIGITS)[0]
    for m in range(2, MOST_MESSAGES + 1):
        chosen = params | {"m": str(m)}
        if is_private(card, chosen | {"eps": enough}, target):
            return m, enough if m * int(params["n"]) > LARGE_POOL else calibrated(card, chosen, target)
    raise InputError(f"no m up to {MOST_MESSAGES} comes near the limit for this target")


@contextmanager
def searching() -> Iterator[Callable[[str], None]]:
    """A function that shows where a search is, on a terminal."""
    if not shows_progress():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("searching for the least m") as status:
        yield lambda text: status.update(f"searching for the least m: {text}")


def choice_among(plans: list[Plan]) -> int | None:
    """Which plan meets the target in the strongest model, robust shuffle first, with the least error there.

    Of two testers it is the one with fewer users and, where they tie, with fewer pools to send messages to.
    """
    for model in Model:
        meeting = [i for i, plan in enumerate(plans) if plan.meets and plan.model == model.value]
        if meeting:
            return min(meeting, key=lambda i: cost(plans[i]))
    return None


def cost(plan: Plan) -> tuple[float, float, int, int]:
    """What is compared: the variance of the error, its size, the number of users, the number of pools."""
    params, error = plan.parameters, plan.error
    pools = int(params.get("copies", "1")) * int(params.get("k-hat", params.get("k", "1")))
    variance, upper = (float(str(error.get(name, 0))) for name in ("variance", "upper"))
    return variance, upper, int(str(error.get("users", 0))), pools


def over_k(
    what: str, at: Rows, paper: str, cell: tuple[str, str], target: Target, step: int = 1, alpha: Real | None = None
) -> Drawn:
    """A figure over k: an exact value, the paper's bound, and the lower bound of a cell of Figure 1 with constant 1.

    A cell has a model and a kind.
    """
    found = next(one for one in FIGURE_1 if (one.task, one.model, one.kind) == (target.task, *cell))

    def row(k: int) -> tuple[str, ...]:
        return *at(k), Certified.of(found.value(k, target.at_eps, target.at_delta, alpha or real(1))).enclosure(6)[0]

    labels = ("exact (certified)", paper, "Figure 1, constant 1")
    return Drawn(what, ("k", "lower", "upper", "paper", "figure_1"), labels, row, target.k, step)


def over_n(what: str, k: int, curve: Callable[[int], Curve], target: Target) -> Drawn:
    """A figure over n: eps at delta of a randomizer with eps0 = 1 and that many inputs, and what is published."""
    delta = target.at_delta

    def row(users: int) -> tuple[str, ...]:
        ends = curve(users).epsilon(delta, DIGITS).enclosure(DIGITS)
        published = (clones_epsilon(DRAWN_EPS0, users, delta), blanket_epsilon(DRAWN_EPS0, k, users, delta))
        return *ends, *("" if eps is None else decimal_above(eps) for eps in published)

    labels = ("certified, both ends", "Feldman et al. (2021), Thm 3.1", "Balle et al. (2019), Thm 3.1")
    return Drawn(what, ("n", "lower", "upper", "clones", "blanket"), labels, row, target.n or 0)


def decimal_above(value: Real) -> str:
    """A number as a decimal, rounded up."""
    return Certified.of(value).enclosure(DIGITS)[1]


def sizes(k: int, points: int, step: int = 1, parameter: str = "k") -> list[int]:
    """Up to this many multiples of the step from 4 to k, each about the same factor from the next.

    >>> sizes(64, 5), sizes(6, 9, 2)
    ([4, 8, 16, 32, 64], [4, 6])
    """
    if k < 5:
        raise ParameterError(parameter, k, "at least 5, for a figure")
    if not 2 <= points <= MOST_POINTS:
        raise ParameterError("points", points, f"a whole number from 2 to {MOST_POINTS}")
    found = {4 * (k / 4) ** (i / (points - 1)) for i in range(points)}
    return sorted({min(k, step * round(x / step)) for x in found} | {k})
