"""Which protocol meets a privacy and an accuracy target, with which exact parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Protocol

from panshuffle.answer import Answer
from panshuffle.arguments import TASKS
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import check_open_unit, check_positive
from panshuffle.exact.real import real
from panshuffle.planning import Drawn, Plan, Target, choice_among
from panshuffle.question import Json, Params, Question


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
