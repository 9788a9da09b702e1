"""Which protocol meets a privacy and an accuracy target, with which exact parameters; and what all tasks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Protocol

from panshuffle.answer import Answer
from panshuffle.answers import accuracy, calibrate, privacy
from panshuffle.arguments import TASKS
from panshuffle.card import AnyCard, Model, viewed
from panshuffle.exact.accuracy.figure1 import FIGURE_1
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import check_open_unit, check_positive
from panshuffle.exact.randomizers.shuffled_view import blanket_epsilon, clones_epsilon
from panshuffle.exact.real import Certified, Real, exp, real
from panshuffle.output import shows_progress, with_progress
from panshuffle.question import Json, Params, Question, ViewSelection

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
Measured = tuple[dict[str, Json], bool]
"""An error, and whether it is as small as it is asked to be."""


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

    def users(self, who: str = "this task", what: str = ", the number of users") -> int:
        """n.  *Raises* `InputError` where it is not given."""
        if self.n is None:
            raise InputError(f"{who} needs --n{what}")
        return self.n

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


def error_of(card: AnyCard, params: Given, target: Target, **options: bool) -> Measured:
    """The least alpha at beta and, where an alpha is asked for, whether it fails with probability beta at most."""
    found = accuracy.resolve(Question.of("accuracy", card.name, {**params, **options, "beta": str(target.beta)}))()
    who = {"gamma": params["gamma"]} if "gamma" in params else {}
    result: dict[str, Json] = {"quantity": "alpha", "beta": str(target.beta), **found.numbers, "scope": found.scope}
    return result | who, target.alpha is None or found.value.decide(target.alpha) <= 0


def with_dropouts(left: Callable[[], Measured], everyone: Callable[[], Measured] | None) -> tuple[Measured, list[str]]:
    """The error of those who are left; where users drop out, that of all must meet the target, too, and is noted."""
    error, is_accurate = left()
    if everyone is None:
        return (error, is_accurate), []
    more, also = everyone()
    return (error, is_accurate and also), [ALL_USERS.format(alpha=more["upper"])]


def plan_of(
    card: AnyCard, params: Given, measured: Given, messages: str, target: Target, paper: Given, *notes: str
) -> Plan:
    """The plan with an error at beta, which depends on the measured parameters, and the commands that verify it.

    Where users drop out, the estimate is corrected where the protocol has such an estimate.
    """
    found, is_private_enough = privacy_of(card, params, target)
    gamma = target.gamma_for(card)
    corrects = card.accuracy is not None and "corrected" in card.accuracy.options
    options = {"corrected": True} if gamma and corrects else {}
    everyone = partial(error_of, card, measured, target) if gamma else None
    (error, is_accurate), said = with_dropouts(lambda: error_of(card, measured | gamma, target, **options), everyone)
    verify = [
        line("privacy", card, {**params, **gamma}, at_eps=target.eps, digits=str(DIGITS)),
        line("accuracy", card, measured | gamma, **options, beta=str(target.beta)),
    ]
    meets = is_private_enough and is_accurate
    return Plan(card.name, card.model.value, params, messages, found, error, meets, paper, verify, [*notes, *said])


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


class Task(Protocol):
    """A module of `panshuffle.tasks`; `IS_TEST` says that its answer is a yes or a no, `HAS_ELEMENTS` that it has k."""

    IS_TEST: bool
    HAS_ELEMENTS: bool

    def plans(self, target: Target) -> list[Plan]:
        """The plans for a target."""

    def values(self, target: Target) -> Drawn:
        """What a figure over k, or over n, shows."""


def task_of(name: str) -> Task:
    """The module of a task.  *Raises* `InputError` for an unknown one."""
    if name not in TASKS:
        raise InputError(f"task = {name} is not known: it must be one of {', '.join(TASKS)}")
    found: Task = import_module(f"panshuffle.tasks.{name.replace('-', '_')}")
    return found


@dataclass(frozen=True, kw_only=True, repr=False)
class PlanAnswer(Answer):
    """The plans of a task, and the place of the one of choice; None where none meets the target."""

    plans: tuple[Plan, ...]
    chosen: int | None

    @property
    def choice(self) -> str | None:
        """The protocol of choice."""
        return None if self.chosen is None else self.plans[self.chosen].protocol

    def as_dict(self) -> dict[str, Json]:
        """The plans as one JSON object."""
        result: dict[str, Json] = {"task": self.question.subject, "target": dict(self.question.options)}
        result |= {"choice": self.choice, "chosen": self.chosen}
        return result | {"plans": [asdict(plan) for plan in self.plans]}

    def __str__(self) -> str:
        head = "choice: no protocol meets the target" if self.choice is None else f"choice: {self.choice}"
        return "\n\n".join([head, *map(plan_text, self.plans)])


def resolve(question: Question) -> Callable[[], PlanAnswer]:
    """The question, checked."""
    task = task_of(question.subject)
    target = target_of(question, task)

    def find() -> PlanAnswer:
        plans = task.plans(target)
        return PlanAnswer(question=question, plans=tuple(plans), chosen=choice_among(plans))

    return find


def target_of(question: Question, task: Task) -> Target:
    """The target that the options denote."""
    params = Params(question.subject, {name: str(value) for name, value in question.options})
    if params.has("beta") and task.IS_TEST:
        raise InputError(f"--beta has no meaning for {params.subject}: both errors are to be at most 1/3")
    check_positive("at-eps", params.real("at-eps"))
    check_open_unit("at-delta", params.real("at-delta"))
    gamma = params.real_or("gamma", real(1))
    if gamma.fraction is None or not (gamma > 0 and gamma <= 1):
        raise ParameterError("gamma", params.text("gamma"), "a rational above 0 and at most 1")
    beta = params.real_or("beta", real("1/10"))
    check_open_unit("beta", beta)
    alpha = params.real("alpha") if params.has("alpha") else None
    if alpha is not None and not alpha > 0:
        raise ParameterError("alpha", params.text("alpha"), "a finite number above 0")
    n = params.count("n") if params.has("n") else None
    if params.has("k") and not task.HAS_ELEMENTS:
        raise InputError(f"--k has no meaning for {params.subject}: its data are bits")
    k = params.count("k") if task.HAS_ELEMENTS else 2
    return Target(n, k, params.text("at-eps"), params.text("at-delta"), str(gamma), alpha, beta, params.subject)


def plan_text(plan: Plan) -> str:
    """A plan for a person."""
    lines = [f"{plan.protocol} ({plan.model}): {'meets the target' if plan.meets else 'does not meet the target'}"]
    lines.append(f"  parameters  {', '.join(f'{name} = {value}' for name, value in plan.parameters.items())}")
    lines.append(f"  messages    {plan.messages}")
    lines.append(f"  privacy     delta in [{plan.privacy['lower']}, {plan.privacy['upper']}]")
    lines.append(f"  error       {error_text(plan.error)}")
    if plan.paper:
        lines.append(f"  paper       {', '.join(f'{name} = {value}' for name, value in plan.paper.items())}")
    lines += [f"  note        {note}" for note in plan.notes]
    return "\n".join([*lines, *(f"  verify      {line}" for line in plan.verify)])


def error_text(error: dict[str, Json]) -> str:
    """The error of a plan in words."""
    if error["quantity"] == "alpha":
        value = error["lower"] if error["lower"] == error["upper"] else f"[{error['lower']}, {error['upper']}]"
        spread = f", variance {error['variance']}" if "variance" in error else ""
        left = f", gamma = {error['gamma']}" if "gamma" in error else ""
        chance = 1 - real(str(error["beta"]))
        return f"with probability {chance} at most {value} ({error['scope']}{left}){spread}"
    word = "are" if error["certified"] else "are not"
    return f"both errors {word} at most {error['at most']} at m = {error['m']} ({error['scope']})"
