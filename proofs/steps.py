"""The steps of a proof, each naming its prover; provers are imported when a step is checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar

from panshuffle.proofs.statement import Step, declared
from panshuffle.symbolic.decision import Decision, Status

if TYPE_CHECKING:
    from panshuffle.symbolic.exhaustive import Line

Case = TypeVar("Case")
P = ParamSpec("P")
BEYOND, FAR = 40, (120, 240, 360, 720)
"""Where a bound is compared with the values that it bounds: at the next places, and at some far ones."""


def claim_text(conclusion: str, given: tuple[str, ...], domains: dict[str, str]) -> str:
    """A claim with its domains and hypotheses, as one text."""
    where = [f"{name} in {domain}" for name, domain in domains.items()] + list(given)
    return conclusion + (f"  for  {', '.join(where)}" if where else "")


def quantified(kind: Callable[P, Step]) -> Callable[P, Step]:
    """A kind of step whose letters are declared by name, in one text `for_all`, or else by its statement."""
    with_domains: Callable[..., Step] = kind

    @wraps(kind)
    def step(*parts: P.args, **options: P.kwargs) -> Step:
        own: dict[str, Any] = declared(str(options.pop("for_all", "")), {}) | options
        texts = [*parts, *(text for name, text in options.items() if name not in ("says", "each"))]

        def over(letters: Mapping[str, str]) -> Step:
            missing = {name: letters[name] for name in letters if name not in own and mentions(texts, name)}
            return with_domains(*parts, **own, **missing)

        return replace(over({}), over=over)

    return step


def mentions(texts: Any, name: str) -> bool:
    """Whether a letter occurs in a text, or in any of some texts."""
    if isinstance(texts, str):
        return re.search(rf"\b{name}\b", texts) is not None
    if isinstance(texts, Mapping):
        return mentions(tuple(texts.values()), name) or mentions(tuple(texts), name)
    return isinstance(texts, (tuple, list)) and any(mentions(text, name) for text in texts)


def summed(text: str, each: str) -> str:
    """The text of a claim about sums over an index, whose terms are given."""
    return f"{text}; for the terms of sums over {each}" if each else text


def asked(place: str, /, *parts: Any, **options: Any) -> Callable[[], Decision]:
    """The question to a prover of `symbolic/`, such as `smt.check_smt`, which is imported when it is asked."""
    module, _, name = place.rpartition(".")

    def check() -> Decision:
        found: Decision = getattr(import_module(f"panshuffle.symbolic.{module}"), name)(*parts, **options)
        return found

    return check


class ClaimStep(Protocol):
    """A kind of step that is one claim: what is concluded of what is given."""

    def __call__(
        self, conclusion: str, given: tuple[str, ...] = (), /, says: str = "", each: str = "", **domains: str
    ) -> Step:
        """The step; with an index `each` it is about two sums over that index, decided term by term."""


def decided_by(prover: str, place: str) -> ClaimStep:
    """A kind of step that is one claim, decided by a function of `symbolic/`."""

    def step(conclusion: str, given: tuple[str, ...] = (), /, says: str = "", each: str = "", **domains: str) -> Step:
        def check() -> Decision:
            from panshuffle.symbolic.claim import claim

            return asked(place, claim(conclusion, given, **domains))()

        text = summed(claim_text(conclusion, given, domains), each)
        return Step(says or text, prover, text, check, domains={} if given else domains)

    return quantified(step)


inequality = decided_by("ball", "ball.check_inequality")
"""An inequality of real variables, decided by ball computation."""
identity = decided_by("identity", "identity.check_identity")
"""An equality of terms, decided by the normal forms of two algebra systems."""
smt = decided_by("smt", "smt.check_smt")
"""A claim of polynomial arithmetic over the reals, decided by two SMT solvers."""


@quantified
def derivative(of: str, by: str, equals: str, /, says: str = "", **domains: str) -> Step:
    """The derivative of a term that is defined on the whole domain, decided in two algebra systems."""
    text = claim_text(f"d/d{by} {of} = {equals}", (), domains)
    return Step(says or text, "identity", text, asked("derivative.check_derivative", of, by, equals, **domains))


def induction(closed: str, first: str, step: str, start: int, says: str, **domains: str) -> Step:
    """A closed form in n of a sequence with a first value and a step, decided by induction in two algebra systems."""
    text = f"f(n) = {closed} where f({start}) = {first}, f(n + 1) = {step} with previous = f(n)"
    check = asked("sequence.check_induction", closed, first, step, start, **domains)
    return Step(says, "identity", claim_text(text, (), domains), check)


@quantified
def series(closed: str, first: str, ratio: str, rate: str, trials: str = "", says: str = "", **domains: str) -> Step:
    """A sum over x = 0, 1, 2, ... by its first term and the ratio of the next, as in `check_series`."""
    text = f"the sum of t(0), t(1), ... is {closed} where t(0) = {first}, t(x + 1) = t(x)*{ratio}"
    check = asked("sequence.check_series", closed, first, ratio, rate, trials, **domains)
    return Step(says, "identity", claim_text(text, (), domains), check)


@quantified
def moment(
    printed: str,
    laws: dict[str, str],
    /,
    mean_of: str = "",
    variance_of: str = "",
    says: str = "",
    each: str = "",
    **domains: str,
) -> Step:
    """A formula for the mean or the variance of a polynomial in random variables: `value` is what was computed.

    The laws are texts such as "Bin(L, 1/2)" and "Pois(lam)"; a law may depend on later random variables.  With an index
    `each` it is the mean or the variance of a sum over that index, the terms of which are given: means add up, and so
    do the variances of terms that are uncorrelated (caller).
    """

    def check() -> Decision:
        from panshuffle.symbolic.moments import check_moment, parse_law

        read = {name: parse_law(text) for name, text in laws.items()}
        return check_moment(printed, read, mean_of=mean_of, variance_of=variance_of, **domains)

    of = f"E[{mean_of}]" if mean_of else f"Var[{variance_of}]"
    where = {**{name: "~ " + law for name, law in laws.items()}, **{name: "in " + d for name, d in domains.items()}}
    text = f"value = {of}: {printed}  for  " + ", ".join(f"{name} {what}" for name, what in where.items())
    text = summed(text, f"{each}, uncorrelated" if each and variance_of else each)
    return Step(says or text, "moments", text, check)


@quantified
def average(
    conclusion: str,
    pointwise: str,
    given: tuple[str, ...] = (),
    /,
    *,
    outcome: dict[str, str],
    means: dict[str, str],
    says: str = "",
    **domains: str,
) -> Step:
    """A bound on means that follows from an inequality for every outcome, both decided by two SMT solvers.

    `outcome` has the random variables with their domains, and `means` the names of the means of their monomials.
    """
    named = ", ".join(f"E[{power}] = {mean}" for power, mean in means.items())
    text = f"{conclusion}  from the mean of  {claim_text(pointwise, given, {**outcome, **domains})};  {named}"
    check = asked("average.check_average", conclusion, pointwise, given, outcome=outcome, means=means, **domains)
    return Step(says or text, "smt", text, check)


def family(
    says: str,
    value: Callable[[int], Fraction],
    limit: Fraction,
    start: int,
    last: int,
    bound: str,
    by: str,
    describe: Callable[[int], str] = "n = {}".format,
    step: int = 1,
) -> tuple[Step, Step, Step]:
    """Steps of value(n) < limit for all n >= start (multiples of `step`): exact up to `last`, beyond by a bound in n.

    The bound is below the limit, by balls, and at the next places it is at least the value.  That it is so at all of
    them is what `by` names, and is a part of the statement's argument.
    """
    from panshuffle.symbolic.claim import Relation
    from panshuffle.symbolic.point import holds_at
    from panshuffle.symbolic.term import Number, parse_term

    def is_bounded(n: int) -> bool | None:
        return holds_at(Relation(Number(value(n)), "<=", parse_term(bound)), {"n": Fraction(n)})

    near = [n for n in (*range(start, last + 1), *range(last + 1, last + BEYOND), *FAR) if n % step == 0]
    until, beyond = [n for n in near if n <= last], [n for n in near if n > last]
    return (
        exhaustive(
            f"{says}: exactly for n = {until[0]}, ..., {until[-1]}", lambda n: value(n) < limit, until, describe
        ),
        exhaustive(f"the bound {bound} ({by}) at n = {beyond[0]}, ..., {beyond[-1]}", is_bounded, beyond),
        inequality(f"{bound} < {limit}", says=f"the bound beyond {last} ({by})", for_all=f"n in [{last + 1}, inf)"),
    )


def no_constant(says: str, violation: Step, constant: str, toward: str = "inf") -> Step:
    """A claim "there is a constant", refuted by a proof that each constant is violated, at every point of the rest.

    `violation` is a claim without hypotheses about `constant`, which goes to infinity, or with `toward="0"` to 0: its
    domain is a product, so that there are points of it for every constant.
    """
    if toward not in ("inf", "0"):
        raise ValueError(f"toward = {toward} is not inf or 0")
    if not re.search(rf"\b{re.escape(constant)}\b", violation.text.partition("  for  ")[0]):
        raise ValueError(f"{says!r}: the violation says nothing of {constant}")
    if constant not in violation.domains or not reaches(violation.domains[constant], toward):
        raise ValueError(f"{says!r}: the violation is not a claim without hypotheses about {constant}, toward {toward}")

    def check() -> Decision:
        inner = violation.check()
        if inner.status is Status.PROVED:
            return Decision(
                Status.REFUTED, inner.tier, f"{violation.says}; for instance {instance(violation, constant, toward)}"
            )
        return Decision(Status.UNDECIDED, inner.tier)

    conclusion = violation.text.partition("  for  ")[0]
    others = [f"{name} in {domain}" for name, domain in violation.domains.items() if name != constant]
    size = "however large" if toward == "inf" else "however small"
    text = f"there is a {constant} in {violation.domains[constant]}, {size}, with not ({conclusion})"
    text += f" for all {', '.join(others)}" if others else ""
    return Step(says, violation.prover, text, check)


def instance(violation: Step, constant: str, toward: str) -> str:
    """What a violation comes to at one far value of its constant, computed."""
    from panshuffle.symbolic.claim import claim
    from panshuffle.symbolic.point import points, value_text

    read = claim(violation.text.partition("  for  ")[0], (), **violation.domains)
    far = Fraction(1000) if toward == "inf" else Fraction(1, 1000)
    point = next(found for found in points(read, {constant: [far]}) if found[constant] == far)
    relation = read.conclusion[0]
    left, right = (value_text(side, point, 8) for side in (relation.left, relation.right))
    return f"at {', '.join(f'{name} = {value}' for name, value in point.items())}: {left} {relation.relation} {right}"


def reaches(text: str, toward: str) -> bool:
    """Whether a domain is an interval of reals that goes to infinity, or to 0 from above."""
    from panshuffle.symbolic.claim import parse_domain
    from panshuffle.symbolic.term import Number

    domain = parse_domain(text)
    to_zero = domain.lower == Number(Fraction(0)) and domain.lower_open
    return not domain.integer and {"inf": domain.upper is None, "0": to_zero}[toward]


def exhaustive(
    says: str,
    holds: Callable[[Case], bool | None],
    family: Iterable[Case],
    describe: Callable[[Case], str] = str,
    whole: bool = False,
) -> Step:
    """A claim about every case of a finite family, decided exactly case by case; `says` names the family.

    `whole` means that the claim is about no other cases than these: a given point, or a finite object.
    """
    cases = family if isinstance(family, (list, tuple, range)) else list(family)
    check = asked("exhaustive.check_all", holds, cases, describe)
    return Step(says, "exhaustive", says, check, finite=not whole)


def computed(
    says: str, check: Callable[[], Decision], prover: str = "exhaustive", second: str = "", whole: bool = False
) -> Step:
    """A step whose answer a function of the statement's own file computes with a prover.

    `second` names the independent second way by which that function was tested.  `whole` is as for `exhaustive`.
    """
    text = f"{says}; second way: {second}" if second else says
    return Step(says, prover, text, check, finite=not whole)


def scope(says: str, inputs: str, body: Sequence[Line]) -> Step:
    """Every name in the text of a program is among its inputs, or defined before its use."""
    return Step(says, "scope", says, asked("exhaustive.check_scope", inputs, body))


def kernel(name: str) -> Step:
    """A theorem that the proof kernel has checked, under its name in the kernel's pins, with its premises in words."""
    from panshuffle.proofs.kernel.pins import claim

    pin = claim(name)

    def check() -> Decision:
        from panshuffle.proofs.kernel.checker import answer

        return answer(name)

    premises = f" Premises: {'; '.join(pin.premises)}." if pin.premises else ""
    differs = f" Differs from print: {pin.differs}." if pin.differs else ""
    return Step(f"kernel theorem {name} ({pin.constant})", "kernel", f"{pin.statement}{premises}{differs}", check)


def theorems(*names: str) -> tuple[Step, ...]:
    """Theorems that the proof kernel has checked, each as in `kernel`."""
    return tuple(kernel(name) for name in names)


def is_negation(statement: str) -> bool:
    """Whether a statement of the kernel is ~ (...), the parentheses around all of the rest, or ~ and a single name.

    >>> is_negation("~ (1 = 2)"), is_negation("~ Paper.chernoff_step"), is_negation("~ (1 = 1) -> 2 = (2)")
    (True, True, False)
    """
    from panshuffle.proofs.kernel.pins import is_one_term

    inside = re.fullmatch(r"~ \((.*)\)", statement, re.DOTALL)
    return is_one_term(inside[1]) if inside else re.fullmatch(r"~ [\w.']+", statement) is not None


def kernel_refutation(name: str, witness: str) -> Step:
    """A claim that the proof kernel has refuted: the pinned theorem is its negation, and `witness` says where it fails.

    *Raises* `ValueError`, where the pinned theorem is not a negation.
    """
    from panshuffle.proofs.kernel.pins import claim

    proof = kernel(name)
    if not is_negation(claim(name).statement):
        raise ValueError(f"the kernel's {name} is not a negation")

    def check() -> Decision:
        inner = proof.check()
        if inner.status is Status.PROVED:
            return Decision(Status.REFUTED, inner.tier, witness)
        return Decision(Status.UNDECIDED, inner.tier, inner.witness)

    return Step(f"the claim whose negation is {proof.says}", proof.prover, proof.text, check)


def refutation(name: str, witness: str, *others: str) -> tuple[Step, ...]:
    """A claim that the proof kernel has refuted, as in `kernel_refutation`, and further theorems."""
    return (kernel_refutation(name, witness), *theorems(*others))
