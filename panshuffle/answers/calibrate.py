"""The least noise that meets a target, with both witnesses, and what the paper would have asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from panshuffle.answer import NumberAnswer, PaperValue, delta_of, digits_of, exp_eps_of, shown
from panshuffle.card import FILES, LOCAL, OWN, AnyCard, CalibrationProblem, Calibrator, card, names_with, selection_of
from panshuffle.exact.curves.calibration import Calibration
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, UPPER_BOUND
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import MOST_DIGITS, Real, log, real
from panshuffle.question import Json, Question, number

BOUND = "The least value whose upper bound meets the target: a smaller one may meet it too."
UNDECIDED = (
    "This value is certified to meet the target; of a smaller one it is not decided, so this need not be the least."
)
LEAST_USERS = (
    "The least n whose upper bound, the clones, meets the target: more users are post-processing; a smaller n may meet "
    "it for one's own randomizer, which `privacy randomizer` tells."
)
LARGEST_LOCAL = (
    "The largest eps0 whose upper bound, the clones, meets the target; one's own randomizer may be allowed more, which "
    "`privacy randomizer` tells.  That the bound is monotone between other values is not claimed."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class CalibrateAnswer(NumberAnswer):
    """The value that was looked for; `meets` and `fails` are the certified deltas at it and at the next one."""

    found: Calibration

    @property
    def meets(self) -> dict[str, Json]:
        """delta at the value."""
        return shown(self.found.meets, self.more_digits)

    @property
    def fails(self) -> dict[str, Json] | None:
        """delta at the next value; None where no value fails."""
        return None if self.found.fails is None else shown(self.found.fails, self.more_digits)

    @property
    def more_digits(self) -> int:
        """Digits of a witness, which has to be told from a target that it may be near to."""
        return self.digits if self.value.exact is not None else min(self.digits + 8, MOST_DIGITS)

    def certificate(self) -> str:
        """The certificate of both witnesses.  *Raises* `InputError` where no target was met."""
        from panshuffle.answers.certificate import certificate_of_calibrated

        if self.question.has("sigma"):
            return super().certificate()
        target = target_of(self.question)
        return certificate_of_calibrated(self.question, self.quantity, self.found, *target, self.digits)

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        found = {**self.named_numbers(), "meets": self.meets, "fails": self.fails, "scope": self.scope}
        return {**found, "kind": self.kind, "paper": self.paper_dict(), "note": self.why}

    def __str__(self) -> str:
        lines = [f"{self.quantity} = {self.exact or f'[{self.lower}, {self.upper}]'}"]
        lines.append(f"meets: delta in [{self.meets['lower']}, {self.meets['upper']}]")
        if self.fails:
            bound = self.kind == UPPER_BOUND and self.found.kind != UPPER_BOUND
            what = "the bound at the next value is above the target" if bound else "the next value fails"
            lines.append(f"{what}: delta in [{self.fails['lower']}, {self.fails['upper']}]")
        if self.paper is not None:
            lines.append(f"paper: {self.quantity} = {self.paper.value}")
        return "\n".join([*lines, self.why])


def resolve(question: Question) -> Callable[[], CalibrateAnswer]:
    """The question, checked."""
    if question.subject in OWN:
        return resolve_own(question)
    found = card(question.subject)
    part, digits = selection_of(question), digits_of(question)
    sigma = sigma_of(question, found)
    if found.calibration is None:
        raise InputError(
            f"{found.name} has nothing to calibrate: calibrate knows {names_with(lambda one: one.calibration)}"
        )
    if question.has("real") and not found.calibration.poisson:
        raise InputError("--real has a meaning where the noise is Poisson only")
    exp_eps, delta = target_of(question) if sigma is None else (real(1), real(0))
    asked, any_real = found.setting(question.params, part), question.has("real")
    calibrator = Calibrator(
        asked.params, asked.gamma, part, exp_eps=exp_eps, delta=delta, digits=digits, real=any_real, sigma=sigma
    )
    problem = found.calibration.problem(calibrator)
    question.params.check_known(found.calibration.params)
    return lambda: calibrated(question, calibrator, problem)


def resolve_own(question: Question) -> Callable[[], CalibrateAnswer]:
    """The question about any locally private randomizer.  *Raises* `InputError` for what is in a file."""
    if question.subject in FILES:
        raise InputError(f"{question.subject} has nothing to calibrate: its numbers are in the file")
    (exp_eps, delta), params = target_of(question), question.params
    question.refuse(("pool", "pair", "real", "sigma"))
    params.check_known(("eps0", "n", "gamma"))
    gamma, part, digits = params.real_or("gamma", real(1)), selection_of(question), digits_of(question)
    calibrator = Calibrator(params, gamma, part, exp_eps=exp_eps, delta=delta, digits=digits)
    problem = problem_of(calibrator, question.subject)
    return lambda: calibrated(question, calibrator, problem)


def problem_of(calibrator: Calibrator, subject: str) -> CalibrationProblem:
    """The least n where eps0 is given, the largest eps0 where n is."""
    from panshuffle.exact.randomizers.shuffled_view import clones_curve

    params, adaptive = calibrator.params, subject == LOCAL
    if params.has("eps0") == params.has("n"):
        raise InputError(f"{subject} needs --eps0, to look for the least n, or --n, to look for the largest eps0")
    if params.has("n"):
        users = calibrator.users()

        def find() -> Calibration:
            return calibrator.largest_epsilon(lambda eps0: clones_curve(eps0, users, adaptive))

        return CalibrationProblem("eps0", find, LARGEST_LOCAL, True)
    if params.has("gamma"):
        raise InputError("--gamma needs --n: without it, the users who take part are looked for")
    eps0 = params.real("eps0")
    clones_curve(eps0, 1)
    least = calibrator.least("n", lambda n: clones_curve(eps0, n, adaptive))
    return replace(least, note=LEAST_USERS, bound=True)


def sigma_of(question: Question, found: AnyCard) -> Real | None:
    """sigma, which takes the place of a target where only a distance is asked for."""
    text = question.get("sigma")
    if found.calibration is None or not found.calibration.sigma:
        if text is not None:
            who = names_with(lambda one: one.calibration and one.calibration.sigma)
            raise InputError(f"--sigma has a meaning for {who} only")
        return None
    if any(question.has(name) for name in ("at-eps", "at-exp-eps", "at-delta")):
        raise InputError(f"{found.name} has no target (eps, delta): give --sigma only")
    if text is None:
        raise InputError(f"{found.name} needs --sigma: the least m with total variation below 2^-sigma is looked for")
    return number("sigma", text)


def target_of(question: Question) -> tuple[Real, Real]:
    """(e^eps, delta)."""
    exp_eps, delta = exp_eps_of(question), delta_of(question)
    if exp_eps is None or delta is None:
        raise InputError("a target is needed: --at-eps (or --at-exp-eps) and --at-delta")
    return exp_eps, delta


def calibrated(question: Question, calibrator: Calibrator, problem: CalibrationProblem) -> CalibrateAnswer:
    """The answer."""
    found = problem.find()
    own = question.subject in OWN
    kind, why = (found.kind, UNDECIDED if found.kind == UPPER_BOUND else problem.note)
    if problem.bound:
        kind, why = (UPPER_BOUND, problem.note if own else BOUND)
    about = (problem.parameter, found.value, calibrator.digits, question.params.given, ALL_NEIGHBOURS, kind, why)
    return CalibrateAnswer(question, *about, paper=printed(question, calibrator), found=found)


def printed(question: Question, calibrator: Calibrator) -> PaperValue | None:
    """The value that the printed statement asks for at the same target; None where it says nothing."""
    calibration = None if question.subject in OWN else card(question.subject).calibration
    delta, exp_eps = calibrator.delta, calibrator.exp_eps
    if calibration is None or not calibration.slug or not (delta > 0 and delta < 1) or not exp_eps > 1:
        return None
    try:
        value = calibration.printed(calibrator, log(exp_eps), delta)
    except InputError:
        return None
    return None if value is None else PaperValue(value, calibration.slug)
