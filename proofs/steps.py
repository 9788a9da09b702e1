"""The steps of a proof, each naming its prover; provers are imported when a step is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from proofs.statement import Step
from symbolic.answer import Answer, Status

Case = TypeVar("Case")


def claim_text(conclusion: str, given: tuple[str, ...], domains: dict[str, str]) -> str:
    """A claim with its domains and hypotheses, as one text."""
    where = [f"{name} in {domain}" for name, domain in domains.items()] + list(given)
    return conclusion + (f"  for  {', '.join(where)}" if where else "")


def inequality(conclusion: str, given: tuple[str, ...] = (), /, says: str = "", **domains: str) -> Step:
    """An inequality of real variables, decided by ball computation."""

    def check() -> Answer:
        from symbolic.ball import check_inequality
        from symbolic.claim import claim

        return check_inequality(claim(conclusion, given, **domains))

    text = claim_text(conclusion, given, domains)
    return Step(says or text, "ball", text, check)


def identity(conclusion: str, given: tuple[str, ...] = (), /, says: str = "", **domains: str) -> Step:
    """An equality of terms, decided by a normal form."""

    def check() -> Answer:
        from symbolic.claim import claim
        from symbolic.identity import check_identity

        return check_identity(claim(conclusion, given, **domains))

    text = claim_text(conclusion, given, domains)
    return Step(says or text, "identity", text, check)


def smt(conclusion: str, given: tuple[str, ...] = (), /, says: str = "", **domains: str) -> Step:
    """A claim of polynomial arithmetic over the reals, decided by two SMT solvers."""

    def check() -> Answer:
        from symbolic.claim import claim
        from symbolic.smt import check_smt

        return check_smt(claim(conclusion, given, **domains))

    text = claim_text(conclusion, given, domains)
    return Step(says or text, "smt", text, check)


def derivative(of: str, by: str, equals: str, /, says: str = "", **domains: str) -> Step:
    """The derivative of a term, decided by differentiation and a normal form."""

    def check() -> Answer:
        from dataclasses import replace

        from symbolic.claim import claim
        from symbolic.derivative import derivative as differentiate
        from symbolic.identity import check_identity
        from symbolic.term import parse_term

        goal = claim(f"{of} = {equals}", **domains)
        relation = replace(goal.conclusion[0], left=differentiate(parse_term(of), by))
        return check_identity(replace(goal, conclusion=(relation,)))

    text = claim_text(f"d/d{by} {of} = {equals}", (), domains)
    return Step(says or text, "identity", text, check)


def moment(
    printed: str, laws: dict[str, str], /, mean_of: str = "", variance_of: str = "", says: str = "", **domains: str
) -> Step:
    """A formula for the mean or the variance of a polynomial in random variables: `value` is what was computed.

    The laws are texts such as "Bin(L, 1/2)" and "Pois(lam)"; a law may depend on later random variables.
    """

    def check() -> Answer:
        from symbolic.moments import Binomial, Poisson, check_moment

        def law(text: str) -> Binomial | Poisson:
            name, _, rest = text.partition("(")
            arguments = [part.strip() for part in rest.removesuffix(")").split(",")]
            return Binomial(*arguments) if name == "Bin" else Poisson(*arguments)

        read = {name: law(text) for name, text in laws.items()}
        return check_moment(printed, read, mean_of=mean_of, variance_of=variance_of, **domains)

    of = f"E[{mean_of}]" if mean_of else f"Var[{variance_of}]"
    where = {**{name: "~ " + law for name, law in laws.items()}, **{name: "in " + d for name, d in domains.items()}}
    text = f"value = {of}: {printed}  for  " + ", ".join(f"{name} {what}" for name, what in where.items())
    return Step(says or text, "moments", text, check)


def family(
    says: str,
    holds: Callable[[int], bool],
    start: int,
    last: int,
    tail: str,
    describe: Callable[[int], str] = "n = {}".format,
) -> Step:
    """A claim for all n from `start` on: exactly up to `last`, and beyond by an inequality in n, decided by balls."""
    beyond = inequality(tail, says="", n=f"[{last + 1}, inf)")

    def check() -> Answer:
        from symbolic.family import check_family

        return check_family(holds, start, last, beyond.check, describe)

    return Step(says, "exhaustive", f"{says}; exactly for n = {start}, ..., {last}, beyond by {beyond.text}", check)


def no_constant(says: str, violation: Step) -> Step:
    """A claim "there is a constant C", refuted by a proof that for every C some point violates it."""

    def check() -> Answer:
        inner = violation.check()
        if inner.status is Status.PROVED:
            return Answer(Status.REFUTED, inner.tier, violation.says)
        return Answer(Status.UNDECIDED, inner.tier)

    return Step(says, violation.prover, f"for every constant: {violation.text}", check)


def exhaustive(
    says: str, holds: Callable[[Case], bool], family: Iterable[Case], describe: Callable[[Case], str] = str
) -> Step:
    """A claim about every case of a finite family, decided exactly case by case; `says` names the family."""
    cases = family if isinstance(family, (list, tuple, range)) else list(family)

    def check() -> Answer:
        from symbolic.exhaustive import check_all

        return check_all(holds, cases, describe)

    return Step(says, "exhaustive", says, check)


def computed(says: str, check: Callable[[], Answer], prover: str = "exhaustive") -> Step:
    """A step whose answer a function of the statement's own file computes with a prover."""
    return Step(says, prover, says, check)


def kernel(name: str) -> Step:
    """A theorem that the proof kernel has checked, under its name in the kernel's pins, with its premises in words."""
    from proofs.kernel.pins import claim

    pin = claim(name)

    def check() -> Answer:
        from proofs.kernel.state import answer

        return answer(name)

    premises = f" Premises: {'; '.join(pin.premises)}." if pin.premises else ""
    differs = f" Differs from print: {pin.differs}." if pin.differs else ""
    return Step(f"kernel theorem {name} ({pin.constant})", "kernel", f"{pin.statement}{premises}{differs}", check)
