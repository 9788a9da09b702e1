"""One false claim for each prover and each wrapper, asked before the ledger: one that is not refuted is a fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from panshuffle.proofs import steps
from panshuffle.proofs.kernel import checker
from panshuffle.proofs.kernel.pins import HERE, PINS
from panshuffle.proofs.statement import Step
from panshuffle.proofs.verdict import RECORDED, result
from panshuffle.symbolic import exhaustive, sequence
from panshuffle.symbolic.claim import claim
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.identity import ONE_SYSTEM

REFUTED, UNDECIDED = "refuted", "undecided"


def faults() -> list[str]:
    """Which provers do not come to the one answer that is right for their false claim, a sentence each."""
    came = {name: answer_to(false_step) for name, (false_step, _) in FALSE.items()}
    return [
        f"the self-test of {name} came back {came[name]}, not {right}: its answers can't be trusted"
        for name, (_, right) in FALSE.items()
        if came[name] != right
    ]


def answer_to(false_step: Callable[[], Step]) -> str:
    """What a false step comes to; one that cannot be made is undecided."""
    return result(by("self-test", lambda: false_step().check())).status


def by(prover: str, check: Callable[[], Decision]) -> Step:
    """A step of a prover that has no constructor of its own."""
    return Step(f"false, for {prover}", prover, "", check)


def altered_pins() -> Decision:
    """What the record says of the kernel's claims after the first statement was replaced by a false one."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "kernel"
        shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        head, _, rest = (folder / PINS).read_text(encoding="utf-8").partition('statement = """')
        (folder / PINS).write_text(f'{head}statement = """1 = 2{rest[rest.index(chr(34) * 3) :]}', encoding="utf-8")
        states = checker.recorded_states(folder).values()
    believed = any(found.state is not checker.State.FAILED for found in states)
    return Decision(Status.PROVED if believed else Status.UNDECIDED, RECORDED)


def second_system() -> Decision:
    """What the second algebra system says of a false identity when nobody contradicts it."""
    from panshuffle.symbolic.algebra import proves

    goal = claim("sqrt(x^2) = x", x="[-1, 1]")
    return Decision(Status.PROVED if proves(goal) else Status.UNDECIDED, ONE_SYSTEM)


FALSE: dict[str, tuple[Callable[[], Step], str]] = {
    "identity": (lambda: steps.identity("(x + 1)^2 = x^2 + 1", x="[0, 1]"), REFUTED),
    "algebra": (lambda: by("algebra", second_system), UNDECIDED),
    "ball": (lambda: steps.inequality("exp(x) <= 2.71", x="[0, 1]"), REFUTED),
    "smt": (lambda: steps.smt("n != 1234567", n="integer [0, inf)"), REFUTED),
    "exhaustive": (lambda: steps.exhaustive("n^2 > n", lambda n: n * n > n, range(4)), REFUTED),
    "family": (
        lambda: steps.family("1/2^n", lambda n: Fraction(1, 2**n), Fraction(1, 4), 1, 9, "1/n", "nothing")[0],
        REFUTED,
    ),
    "family, beyond": (
        lambda: steps.family("n/1000", lambda n: Fraction(n, 1000), Fraction(1, 4), 1, 9, "1/n", "nothing")[1],
        REFUTED,
    ),
    "moment": (lambda: steps.moment("value = m", {"X": "Pois(m)"}, mean_of="X^2", m="[1, 2]"), REFUTED),
    "derivative": (lambda: steps.derivative("x^2", "x", "x", x="[1, 2]"), REFUTED),
    "induction": (lambda: by("induction", lambda: sequence.check_induction("n^2", "0", "previous + n")), REFUTED),
    "sum": (lambda: by("induction", lambda: sequence.check_sum("n^2", "n")), REFUTED),
    "scope": (lambda: by("scope", lambda: exhaustive.check_scope([], [exhaustive.line("y <- x", uses="x")])), REFUTED),
    "computed": (lambda: steps.computed("false", lambda: Decision(Status.REFUTED, "", "here")), REFUTED),
    "no_constant": (
        lambda: steps.no_constant("some constant is at least 1/C", steps.smt("1/C > 1", C="[1, inf)"), "C"),
        UNDECIDED,
    ),
    "kernel": (lambda: by("kernel", lambda: checker.answer("one-is-two")), UNDECIDED),
    "kernel record": (lambda: by("kernel", altered_pins), UNDECIDED),
}
"""By prover or wrapper: a step that is false, made when it is asked for, and the answer that is right."""
