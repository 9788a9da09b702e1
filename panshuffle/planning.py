"""Plans: a protocol with exact parameters, and what is certified of it; the parts that all tasks share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from exact.curves.curve import Curve
from exact.errors import InputError
from exact.numbers.certified import Certified
from exact.numbers.real import Real, exp, real
from panshuffle.answer import Json, NumberAnswer
from panshuffle.answers import accuracy, calibrate, privacy
from panshuffle.card import AnyCard, Model, viewed
from panshuffle.output import shows_progress
from panshuffle.question import Question
from panshuffle.setting import Part

DIGITS = 6
REFERENCE_MESSAGES, MOST_MESSAGES = 40, 64
"""So many messages are as good as the ideal modular sum; a plan looks for the fewest that come near."""
LEAST_SHARE = Fraction(999, 1000)
Given = dict[str, str]


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

    def gamma_for(self, card: AnyCard) -> Given:
        """gamma as a letter, where the protocol has dropouts and there are any."""
        return {} if self.gamma == "1" or card.model is not Model.SHUFFLE else {"gamma": self.gamma}


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
class Values:
    """What a figure shows over k: its name, the enclosure and the paper's value at a k, and the figure's lower bound.

    `model` and `kind` name the cell of Figure 1; `step` is what every k is a multiple of.
    """

    what: str
    at: Callable[[int], tuple[str, str, str]]
    paper: str
    model: str
    kind: str
    step: int = 1
    alpha: Real | None = None


def line(kind: str, card: AnyCard, letters: Given, **options: str | bool) -> str:
    """A command line."""
    given = {**letters, **{name.replace("_", "-"): value for name, value in options.items()}}
    words = [f"--{name}" if value is True else f"--{name} {quoted(str(value))}" for name, value in given.items()]
    return " ".join(["panshuffle", kind, card.name, *words])


def quoted(text: str) -> str:
    """A value for the shell."""
    return f'"{text}"' if set(text) & set("()*^ ") else text


def calibrated(card: AnyCard, letters: Given, target: Target) -> str:
    """The calibrated unknown as a decimal on the side that meets the target."""
    given = {**letters, **target.gamma_for(card), "at-eps": target.eps, "at-delta": target.delta, "digits": DIGITS}
    found = calibrate.resolve(Question.of("calibrate", card.name, given))()
    if found.value.exact is not None:
        return str(found.value.exact)
    return found.upper if found.quantity == "lam" else found.lower


def curve_of(card: AnyCard, letters: Given, target: Target) -> Curve:
    """The privacy curve of a protocol with the letters."""
    question = Question.of("privacy", card.name, {**letters, **target.gamma_for(card)})
    return viewed(question, Part()).view.curve


def is_private(card: AnyCard, letters: Given, target: Target) -> bool:
    """Whether the letters are certified to meet the target."""
    return curve_of(card, letters, target).compare_at(exp(target.at_eps), target.at_delta) == -1


def privacy_of(card: AnyCard, letters: Given, target: Target) -> tuple[dict[str, Json], bool]:
    """The certified delta of the chosen parameters, and whether it meets the target."""
    given = {**letters, **target.gamma_for(card), "at-eps": target.eps, "digits": DIGITS}
    found = privacy.resolve(Question.of("privacy", card.name, given))()
    assert isinstance(found, NumberAnswer)
    return found.numbers, is_private(card, letters, target)


def error_of(card: AnyCard, letters: Given, target: Target) -> tuple[dict[str, Json], bool]:
    """The least alpha at beta and, where an alpha is asked for, whether it fails with probability beta at most."""
    found = accuracy.resolve(Question.of("accuracy", card.name, {**letters, "beta": str(target.beta)}))()
    result: dict[str, Json] = {"quantity": "alpha", "beta": str(target.beta), **found.numbers, "scope": found.scope}
    return result, target.alpha is None or found.value.decide(target.alpha) <= 0


def verified(card: AnyCard, letters: Given, measured: Given, target: Target) -> list[str]:
    """The commands that verify a plan with an error at beta."""
    return [
        line("privacy", card, {**letters, **target.gamma_for(card)}, at_eps=target.eps, digits=str(DIGITS)),
        line("accuracy", card, measured, beta=str(target.beta)),
    ]


def messages_for(card: AnyCard, letters: Given, target: Target) -> tuple[int, str]:
    """The least m whose largest epsilon is within a thousandth of that of many messages, and that epsilon."""
    best = Fraction(calibrated(card, letters | {"m": str(REFERENCE_MESSAGES)}, target))
    enough = Certified.of(LEAST_SHARE * best).enclosure(DIGITS)[0]
    for m in range(2, MOST_MESSAGES + 1):
        chosen = letters | {"m": str(m)}
        if is_private(card, chosen | {"eps": enough}, target):
            return m, calibrated(card, chosen, target)
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


def choice_among(plans: list[Plan]) -> str | None:
    """The protocol that meets the target in the strongest model, robust shuffle first, with the least error there.

    Of two testers it is the one with fewer users and, where they tie, with fewer pools to send messages to.
    """
    for model in Model:
        meeting = [plan for plan in plans if plan.meets and plan.model == model.value]
        if meeting:
            return min(meeting, key=cost).protocol
    return None


def cost(plan: Plan) -> tuple[float, int, int]:
    """What is compared: the error, the number of users, the number of pools."""
    letters = plan.parameters
    pools = int(letters.get("copies", "1")) * int(letters.get("k-hat", letters["k"]))
    return float(str(plan.error.get("upper", 0))), int(str(plan.error.get("users", 0))), pools
