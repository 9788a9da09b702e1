"""One door to the provers: a lemma is proved, refuted with an exact point, or undecided with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import chain, count, islice, product
from math import prod
from time import monotonic
from typing import NoReturn

import sympy
from panshuffle.symbolic.algebra import FAILURES, from_sympy, to_sympy
from panshuffle.symbolic.ball import SEARCH_UNITS, check_inequality, gap_of
from panshuffle.symbolic.claim import NEGATED, Claim, Domain, Relation, sides
from panshuffle.symbolic.counted import KNOWN, at, closed_form, following, multiples, quotient, step
from panshuffle.symbolic.decision import Budget, Decision, Disagreement, Status
from panshuffle.symbolic.exhaustive import check_all
from panshuffle.symbolic.identity import check_identity as check_equation
from panshuffle.symbolic.lemma import PI, Lemma, is_enclosed_pi, lemma_of
from panshuffle.symbolic.monotone import (
    FEW_SIGNS,
    MORE_UNITS,
    MOST_SIGNS,
    Line,
    prove_by_monotonicity,
    shown,
    shown_domain,
    shown_relation,
)
from panshuffle.symbolic.point import admits, failure, holds_at, in_domain, points
from panshuffle.symbolic.ranges import parametrized, range_of, whole_ends
from panshuffle.symbolic.smt import LIMITS, TIER, check_smt, decide, texts_of
from panshuffle.symbolic.smt_text import goals, is_opaque
from panshuffle.symbolic.term import (
    ONE,
    ZERO,
    Apply,
    Number,
    Symbol,
    Term,
    TermError,
    constant,
    parts,
    plus,
    substitute,
    symbols,
    times,
)

UNITS = 150_000
MOST_ENUMERATED = 2_000
MOST_TRIED = 400
SMT_SHARE, HARD_SHARE = 4, 20
"""The solvers do a fourth of what they do for the ledger; a twentieth where there are roots or free symbols."""
PLANE, FEWER, FIRST_SHARE = 2, 20, 10
"""Balls are for at most two real variables; with more, they do a twentieth of the work.  They do a tenth at first."""
MONOTONICITY, EVALUATION, ENUMERATION = "monotonicity", "exact evaluation", "enumeration"
IMPOSSIBLE = Relation(ONE, "<=", ZERO)
PLACE = re.compile(r"(\w+) = (-?\d+(?:/\d+)?)")
INDUCTION, FACTORIALS, PARAMETER, FIRST_CASES = "induction", "quotients of factorials", "another variable", 64
SHARES = (Fraction(1), Fraction(1, 2), Fraction(1, 4))
THOROUGH, FEWEST = 8, 4
"""How many first cases are tried at twenty points, and at how many the others are."""
NO_INDUCTION = (
    "an inequality about one factorial, central binomial coefficient or sum is proved where that stands alone on one "
    "side and the other side keeps up with its steps; an equality where the closed form of the sum is found"
)
NO_POINT = "no point is known that lies in the domains and fulfils the hypotheses"
WHOLE_POWER = (
    "a power with a variable exponent is read where its base is positive, and with a positive exponent also where its "
    "base is 0 at an end of a domain; elsewhere the provers have no rule for it"
)


@dataclass(frozen=True)
class Step:
    """What one prover did with one relation, or a step of its proof, nested to a depth."""

    depth: int
    says: str
    by: str
    status: str


@dataclass(frozen=True)
class Proof:
    """The answer on a claim: its status is proved, refuted or undecided, and it has no truth value.

    `provers` are those that prove the whole claim (or refute it), `steps` what was done, `witness` an exact point where
    a refuted claim fails, and `reason` says how it fails there, or why nothing was decided.
    """

    claim: str
    domains: Mapping[str, str]
    given: tuple[str, ...]
    status: str
    provers: tuple[str, ...]
    steps: tuple[Step, ...]
    witness: Mapping[str, Fraction] | None
    reason: str
    seconds: float = field(compare=False)

    def __bool__(self) -> NoReturn:
        raise TypeError("a proof has no truth value: compare its status with 'proved'")

    def __str__(self) -> str:
        where = [f"{name} in {domain}" for name, domain in self.domains.items()] + list(self.given)
        lines = [f"{self.status}: {self.claim}" + (f"  for  {', '.join(where)}" if where else "")]
        lines += [f"  by {'; '.join(self.provers)}"] if self.provers else []
        lines += [f"  {self.reason}"] if self.reason else []
        return "\n".join(lines)

    def explanation(self) -> str:
        """The steps, one a line."""
        return "\n".join(f"{'  ' * (step.depth + 1)}{step.says}  [{step.by}{step.status}]" for step in self.steps)

    def jsonable(self) -> dict[str, object]:
        """The answer as JSON has it."""
        steps = [{"depth": s.depth, "says": s.says, "by": s.by, "status": s.status.strip(": ")} for s in self.steps]
        return {
            "claim": self.claim,
            "domains": dict(self.domains),
            "given": list(self.given),
            "status": self.status,
            "provers": list(self.provers),
            "steps": steps,
            "witness": None if self.witness is None else {name: str(value) for name, value in self.witness.items()},
            "reason": self.reason,
            "seconds": round(self.seconds, 3),
        }


def prove(claim: object, *given: object, **domains: object) -> Proof:
    """Proved, refuted with an exact point, or undecided with a reason: a text, a sympy relation or a z3 formula.

    Hypotheses are further relations; a domain is a text such as "(0, 1]", "> 0", "real" or "1, 2, ...".

    >>> print(prove("2^g/(2^g - 1) <= 2/g", g="(0, 1]"))
    proved: 2^g/(2^g - 1) <= 2/g  for  g in (0, 1]
      by one SMT solver; ball computation; monotonicity
    >>> print(prove("exp(x) <= 1 + 2*x", x="[0, 3/2]"))
    refuted: exp(x) <= 1 + 2*x  for  x in [0, 3/2]
      by exact evaluation
      at x = 3/2: 4.4816890... <= 4 is false
    """
    return proof_of(lemma_of(claim, given, {name: str(text) for name, text in domains.items()}))


def proof_of(lemma: Lemma) -> Proof:
    """The answer on a lemma, by all provers that can read it.  *Raises* `Disagreement`."""
    started = monotonic()
    found = attempts(lemma)
    status, provers, witness, reason = verdict(found)
    return Proof(
        lemma.text,
        {name: shown_domain(one) for name, one in lemma.domains.items() if not is_enclosed_pi({name: one})},
        (*map(shown_relation, lemma.given), *(f"{name} = exp(1)" for name in lemma.constants)),
        status,
        provers,
        tuple(step for one in found for step in one.steps),
        witness,
        reason,
        monotonic() - started,
    )


def attempts(lemma: Lemma) -> list[Attempt]:
    """What the provers say of each case of a lemma; in place of something counted they get what is known of it."""
    if any(name in KNOWN for one in (*lemma.given, *lemma.conclusion) for name in one.symbols):
        return counting(lemma)
    found = plain_attempts(lemma)
    if all(one.status is not Status.UNDECIDED for one in found):
        return found
    if any(one.reason == WHOLE_POWER for one in found):
        return next((split for name in lemma.domains if (split := first_apart(lemma, name))), found)
    other = freed(lemma)
    return other if is_proved(other) else found


def freed(lemma: Lemma) -> list[Attempt]:
    """What they say with a hypothesis that bounds a variable by others as a part of what the variable is."""
    for bound in lemma.given:
        for one in parametrized(bound, lemma.domains):
            given = (*one.given, *(other for other in lemma.given if other != bound))
            domains = {**lemma.domains, one.new: one.domain}
            found = attempts(placed(replace(lemma, domains=domains, given=given, is_step=True), {one.name: one.value}))
            if is_proved(found):
                return after((Step(0, f"{one.name} = {shown(one.value)}", PARAMETER, ": proved"),), found)
    return []


def plain_attempts(lemma: Lemma) -> list[Attempt]:
    """What the provers say of each case of a lemma."""
    return [
        attempt(part, lemma.is_step) for case in lemma.cases() if not is_contradictory(case) for part in parts_of(case)
    ]


def first_apart(lemma: Lemma, name: str) -> list[Attempt]:
    """What they say of the first of the whole numbers, at which a base or an exponent is 0, and of those after it."""
    domain = lemma.domains[name]
    low = whole_ends(domain)[0] if domain.integer else None
    if low is None:
        return []
    first, after = {name: Number(Fraction(low))}, Number(Fraction(low + 1))
    later = replace(domain, lower=after, lower_open=False)
    found = [with_values(one, first) for one in plain_attempts(placed(lemma, first))]
    found += plain_attempts(replace(lemma, domains={**lemma.domains, name: later}))
    return [] if any(one.status is Status.UNDECIDED for one in found) else found


def is_contradictory(case: Claim) -> bool:
    """Whether balls show that a hypothesis of a case fails everywhere, or the solvers that no point fulfils all."""
    negations = [Relation(one.left, NEGATED[one.relation], one.right) for one in case.given]
    claims = [replace(case, given=(), conclusion=(one,)) for one in negations]
    if any(proved_by_balls(claim) for claim in claims):
        return True
    found = decide(replace(case, conclusion=(IMPOSSIBLE,))) if case.given else 0
    return isinstance(found, int) and found > 0


def proved_by_balls(claim: Claim) -> bool:
    """Whether balls prove a claim with little work."""
    return check_inequality(claim, UNITS // FEWER, SEARCH_UNITS // FEWER).status is Status.PROVED


@dataclass(frozen=True)
class Attempt:
    """What the provers say of one relation in one case."""

    status: Status
    provers: tuple[str, ...]
    steps: tuple[Step, ...]
    witness: Mapping[str, Fraction] | None = None
    reason: str = ""


def verdict(found: list[Attempt]) -> tuple[str, tuple[str, ...], Mapping[str, Fraction] | None, str]:
    """Status, provers, witness and reason of a lemma from its parts."""
    refuted = next((one for one in found if one.status is Status.REFUTED), None)
    if refuted is not None:
        return Status.REFUTED.value, refuted.provers, refuted.witness, refuted.reason
    opened = next((one for one in found if one.status is Status.UNDECIDED), None)
    if opened is not None or not found:
        return Status.UNDECIDED.value, (), None, NO_POINT if opened is None else opened.reason
    names = list(dict.fromkeys(name for one in found for name in one.provers))
    whole = [name for name in names if all(name in one.provers for one in found)]
    return Status.PROVED.value, tuple(whole or [f"{name} (a part)" for name in names]), None, ""


def parts_of(case: Claim) -> Iterator[Claim]:
    """A claim for each relation, about the variables that occur in it or in what is given."""
    for relation in case.conclusion:
        used = relation.symbols.union(*(one.symbols for one in case.given))
        yield Claim({name: one for name, one in case.variables.items() if name in used}, case.given, (relation,))


def attempt(claim: Claim, first: bool = False) -> Attempt:
    """What all provers that can read a claim with one relation say, in a fixed order, or those up to the first proof.

    A counterexample ends the work, once it is evaluated again in other terms.  *Raises* `Disagreement`.
    """
    says = case_text(claim)
    steps: list[Step] = []
    provers: list[str] = []
    for decision, note, lines in answers(claim):
        confirmed = confirm(claim, decision.witness) if decision.status is Status.REFUTED else None
        status = Status.UNDECIDED if decision.status is Status.REFUTED and confirmed is None else decision.status
        steps.append(Step(0, says, decision.tier + note, f": {status.value}"))
        steps += [Step(1 + line.depth, line.says, line.by, "") for line in lines]
        if confirmed is not None:
            if provers:
                raise Disagreement(f"{says} is proved by {provers[0]} and refuted by {decision.tier}")
            point, reason = confirmed
            return Attempt(Status.REFUTED, (EVALUATION,), tuple(steps), point, reason)
        if status is Status.PROVED:
            provers.append(decision.tier)
            if first:
                break
    if provers:
        return Attempt(Status.PROVED, tuple(dict.fromkeys(provers)), tuple(steps))
    return Attempt(Status.UNDECIDED, (), tuple(steps), None, why(claim))


def answers(claim: Claim) -> Iterator[tuple[Decision, str, list[Line]]]:
    """The provers' decisions, each with how much it did and the steps that it can show."""
    (relation,) = claim.conclusion
    listed = enumerated(claim)
    if is_odd(claim):
        sampled = check_all(lambda point: holds_case(claim, point), islice(points(claim), MOST_TRIED), point_text)
        if sampled.status is Status.REFUTED:  # points that hold prove nothing
            yield sampled, "", []
    if listed is not None:
        tier, where = (ENUMERATION, f" of {len(listed)} cases") if claim.variables else (EVALUATION, "")
        found = check_all(lambda point: holds_case(claim, point), listed, point_text)
        yield replace(found, tier=tier), where, []
    if relation.relation == "=":
        equal = check_equation(claim)
        yield equal, "", []
    hard = any(is_opaque(part) or is_root(part) for side in sides(claim.conclusion) for part in parts(side))
    solved = check_smt(
        claim, {solver: limit // (HARD_SHARE if hard else SMT_SHARE) for solver, limit in LIMITS.items()}, alone=True
    )
    is_settled = solved.status is Status.PROVED
    yield solved, f" ({', '.join(LIMITS)})" * (solved.tier == TIER), []
    is_done = equal.status is not Status.UNDECIDED if relation.relation == "=" else is_settled and reals(claim) > PLANE
    if not is_done:  # balls prove no equality, and little with many variables
        yield from by_balls_and_monotonicity(claim, is_settled)


def by_balls_and_monotonicity(claim: Claim, is_settled: bool) -> Iterator[tuple[Decision, str, list[Line]]]:
    """Balls and monotonicity with little work, and with more work where the claim is still open."""
    share = 1 if reals(claim) <= PLANE else FEWER
    first = by_balls(claim, FIRST_SHARE * share)
    if first[0].status is not Status.UNDECIDED:
        yield first
    is_settled = is_settled or first[0].status is not Status.UNDECIDED
    refuted = first[0].status is Status.REFUTED
    lines = [] if refuted else prove_by_monotonicity(claim, signs=FEW_SIGNS if is_settled else MOST_SIGNS)
    if not lines and not is_settled:
        yield by_balls(claim, share)
        lines = prove_by_monotonicity(claim, MORE_UNITS) if reals(claim) > PLANE else []
    if lines:
        yield Decision(Status.PROVED, MONOTONICITY), "", lines


def by_balls(claim: Claim, share: int) -> tuple[Decision, str, list[Line]]:
    """What balls say with a share of their work, and how much it was."""
    budget = Budget(UNITS // share)
    found = check_inequality(claim, search_units=SEARCH_UNITS // share, spent=budget)
    return found, f" ({min(budget.used, budget.units)} of {budget.units} units of work)", []


def case_text(claim: Claim) -> str:
    """A claim in words, with its domains and hypotheses."""
    where = [
        f"{name} in {shown_domain(one)}" for name, one in claim.variables.items() if not is_enclosed_pi({name: one})
    ]
    where += list(map(shown_relation, claim.given))
    return shown_relation(claim.conclusion[0]) + (f"  for  {', '.join(where)}" if where else "")


# Factorials, binomial coefficients and sums of variables.


def counting(lemma: Lemma) -> list[Attempt]:
    """A lemma about something counted: refuted at a first case, or proved by its cases, closed forms or induction."""
    names = sorted({name for one in (*lemma.given, *lemma.conclusion) for name in one.symbols if name in KNOWN})
    running = sorted(frozenset[str]().union(*(KNOWN[name].free for name in names)) & lemma.domains.keys())
    running = [name for name in running if lemma.domains[name].integer]
    cases = list(first_cases(lemma, running))
    tried = [(values, there, FEWER if number < THOROUGH else FEWEST) for number, (values, there) in enumerate(cases)]
    refuted = next((found for case in tried for found in failing(*case)), None)
    if refuted is not None:
        return [refuted]
    if is_finite(lemma, running):
        return [found for _, there in cases for found in attempts(there)]
    bounded = [name for name in running if is_finite(lemma, [name])]
    if bounded and is_finite(lemma, bounded):
        split = first_cases(lemma, bounded)
        return [with_values(one, values) for values, there in split for one in attempts(there)]
    others: dict[str, list[Term]] = {name: [] for name in names}
    for name, _, term in (reading for one in lemma.conclusion for reading in one.readings()):
        others.setdefault(name, []).append(term)
    forms = {name: closed_form(name, lemma.domains, others[name]) for name in names}
    known = {name: form for name, form in forms.items() if form is not None}
    if known:
        steps = tuple(Step(0, f"{name} = {shown(form)}", why, ": proved") for name, (form, why) in known.items())
        return after(steps, attempts(placed(lemma, {name: form for name, (form, _) in known.items()})))
    ways = chain((as_multiples(lemma, names),), (by_induction(lemma, names, n) for n in running), (freed(lemma),))
    answered: list[list[Attempt]] = []
    for found in ways:
        if is_proved(found):
            return found
        answered.append(found)
    return [open_attempt(NO_INDUCTION, answered)]


def is_proved(found: list[Attempt]) -> bool:
    """Whether there are attempts and all of them are proofs."""
    return bool(found) and all(one.status is Status.PROVED for one in found)


def after(steps: tuple[Step, ...], found: list[Attempt]) -> list[Attempt]:
    """Attempts with steps before the first."""
    return [replace(one, steps=(*steps * (place == 0), *one.steps)) for place, one in enumerate(found)]


def open_attempt(reason: str, tried: list[list[Attempt]]) -> Attempt:
    """What is left undecided, with the steps of what was tried."""
    steps = tuple(step for found in tried for one in found for step in one.steps)
    return Attempt(Status.UNDECIDED, (), steps, None, reason)


def as_multiples(lemma: Lemma, names: list[str]) -> list[Attempt]:
    """A lemma on factorials and binomial coefficients with numbers in their place of which they are multiples.

    That is one number where one is enough, and else the factorials in them.  All of these are at least 1, and
    binomial(n, k) is at most 2^n.
    """
    found = multiples(names, lemma.domains)
    if len(found) < len(names):
        return []
    free = (name for name in (f"c_{number}" for number in count(1)) if name not in lemma.domains)
    common = {powers for _, powers in found.values()} - {()}
    bases = {powers: {powers: 1} for powers in common} if len(common) == 1 else {p: dict(p) for p in common}
    keys = sorted({key for one in bases.values() for key in one}, key=str)
    fresh = dict(zip(keys, map(Symbol, free), strict=False))
    values, bounds = dict[str, Term](), list[Relation]()
    for name, (factor, powers) in found.items():
        values[name] = power_product({fresh[key].name: power for key, power in bases.get(powers, {}).items()}, factor)
        if powers:
            bounds.append(Relation(values[name], ">=", ONE))
        if powers and KNOWN[name].kind == "binomial":
            bounds.append(Relation(values[name], "<=", Apply("^", (Number(Fraction(2)), KNOWN[name].arguments[0]))))
    positive = {one.name: Domain(ZERO, None, True) for one in fresh.values()}
    steps = tuple(Step(0, f"{name} = {shown(value)}", FACTORIALS, ": proved") for name, value in values.items())
    plain = placed(lemma, values)
    domains = {**plain.domains, **positive}
    return after(steps, attempts(replace(plain, domains=domains, given=(*plain.given, *bounds), is_step=True)))


def first_cases(lemma: Lemma, running: list[str]) -> Iterator[tuple[dict[str, Term], Lemma]]:
    """The lemma at the first values of some whole variables."""
    choices = []
    for name in running:
        low, high = whole_ends(lemma.domains[name])
        start = 0 if low is None else low
        last = start + FIRST_CASES - 1
        choices.append(range(start, 1 + (last if high is None else min(last, high))))
    for numbers in sorted(product(*choices), key=sum)[:FIRST_CASES]:
        values: dict[str, Term] = {name: Number(Fraction(n)) for name, n in zip(running, numbers, strict=True)}
        with suppress(TermError):  # a sum with too many terms to be written out
            yield values, placed(lemma, values)


def placed(lemma: Lemma, values: Mapping[str, Term]) -> Lemma:
    """The lemma with terms in place of variables."""
    given, conclusion = (
        tuple(Relation(at(one.left, values), one.relation, at(one.right, values)) for one in part)
        for part in (lemma.given, lemma.conclusion)
    )
    domains = {name: domain for name, domain in lemma.domains.items() if name not in values}
    return replace(lemma, domains=domains, given=given, conclusion=conclusion)


def failing(values: Mapping[str, Term], there: Lemma, trials: int) -> Iterator[Attempt]:
    """The refutation at one of some simple points of a case where something counted is a number."""
    if any(name in KNOWN for one in (*there.given, *there.conclusion) for name in one.symbols):
        return
    numbers = {name: constant(value) or Fraction(0) for name, value in values.items()}
    for part in (part for case in there.cases() for part in parts_of(case)):
        for point in islice(points(part), trials):
            fails = holds_case(part, point, by_form=False) is False
            found = confirm(part, point_text(point)) if fails else None
            if found is not None:
                place = {**numbers, **found[0]}
                reason = f"{point_text(place)}{found[1].partition(': ')[2]}"
                yield Attempt(Status.REFUTED, (EVALUATION,), (), place, reason)


def with_values(one: Attempt, values: Mapping[str, Term]) -> Attempt:
    """An attempt at a case, its witness with the values of the case."""
    if one.witness is None:
        return one
    numbers = {name: constant(value) or Fraction(0) for name, value in values.items()}
    return replace(one, witness={**numbers, **one.witness}, reason=f"{point_text(numbers)}{one.reason}")


def is_finite(lemma: Lemma, running: list[str]) -> bool:
    """Whether the first cases are all that there are."""
    sizes = []
    for low, high in (whole_ends(lemma.domains[name]) for name in running):
        if low is None or high is None:
            return False
        sizes.append(high - low + 1)
    return prod(sizes) <= FIRST_CASES


def by_induction(lemma: Lemma, names: list[str], n: str) -> list[Attempt]:
    """A bound of something counted, or of a product of such: its first case, and the bound's step for all n."""
    domain = lemma.domains[n]
    lowest, found = whole_ends(domain)[0], bounded(lemma, names)
    if found is None or lowest is None or domain.upper is not None:
        return []
    powers, sign, limit, positive = found
    start = Number(Fraction(lowest))
    whole = replace(lemma, domains={**lemma.domains, n: replace(domain, lower=start, lower_open=False)})
    moves = {name: step(KNOWN[name], n, whole.domains) for name in powers if n in KNOWN[name].free}
    known = {name: move for name, move in moves.items() if move is not None}
    if not known or len(known) < len(moves):
        return []
    more = ZERO if len(powers) > 1 else next(iter(known.values()))[1]
    factors: list[Term] = [Apply("^", (move, Number(Fraction(powers[name])))) for name, (move, _) in known.items()]
    factor = quotient(reduce(times, factors), ONE)
    weak = sign if sign in ("<=", ">=") else sign + "="
    growth = rise(limit, n, whole) if more == ZERO else None
    rises = Relation(plus(times(factor, limit), more), weak, substitute(limit, following(n)))
    slower = (rises,) if growth is None else (Relation(limit, ">", ZERO), Relation(factor, weak, growth))
    first = attempts(placed(replace(lemma, is_step=True), {n: start}))
    steps = replace(whole, conclusion=(Relation(factor, ">", ZERO), *slower, *positive), is_step=True)
    rest = attempts(steps) if is_proved(first) else []
    if not is_proved(rest):
        stronger = sharpened(lemma, names[0], sign, limit, n) if more != ZERO and n not in symbols(limit) else []
        return stronger or [open_attempt(NO_INDUCTION, [first, rest])]
    value = power_product(powers)
    says = f"induction on {n}: {shown(value)} at {n} + 1 is {shown(plus(times(factor, value), more))}"
    head = Step(0, says, INDUCTION, ": proved")
    return [Attempt(Status.PROVED, (INDUCTION,), (head, *(step for one in (*first, *rest) for step in one.steps)))]


def sharpened(lemma: Lemma, name: str, sign: str, limit: Term, n: str) -> list[Attempt]:
    """A bound that does not grow, by a sharper one that does: with c/n less, or more where it is from below."""
    for share in SHARES if range_of(Symbol(n), lemma.domains).positive else ():
        gain = Apply("/", (Number(share), Symbol(n)))
        sharper = Relation(Symbol(name), sign, Apply("-" if sign in ("<=", "<") else "+", (limit, gain)))
        found = by_induction(replace(lemma, conclusion=(sharper,)), [name], n)
        if is_proved(found):
            return after((Step(0, f"it is enough that {shown_relation(sharper)}", INDUCTION, ": proved"),), found)
    return []


def bounded(lemma: Lemma, names: list[str]) -> tuple[dict[str, int], str, Term, tuple[Relation, ...]] | None:
    """(powers, sign, limit, positive): a lemma as a product of powers <sign> limit, where something is positive."""
    if lemma.given or len(lemma.conclusion) != 1 or lemma.conclusion[0].relation in ("=", "!="):
        return None
    (relation,) = lemma.conclusion
    lone = [({name: 1}, sign, term, ()) for name, sign, term in relation.readings() if [name] == names]
    split = [as_product(side) for side in (relation.left, relation.right)]
    if lone or None in split or len(multiples(names, lemma.domains)) < len(names):
        return lone[0] if lone else None
    (left, left_powers), (right, right_powers) = (part for part in split if part is not None)
    powers = {name: left_powers.get(name, 0) - right_powers.get(name, 0) for name in names}
    return powers, relation.relation, Apply("/", (right, left)), (Relation(left, ">", ZERO),)


def as_product(term: Term) -> tuple[Term, dict[str, int]] | None:
    """A term as something that counts nothing times powers of what is counted; None if it is no such product."""
    names = symbols(term) & KNOWN.keys()
    if not names:
        return term, {}
    if isinstance(term, Symbol):
        return ONE, {term.name: 1}
    if not isinstance(term, Apply) or term.operator not in ("*", "/"):
        return None
    parts_of_term = [as_product(argument) for argument in term.arguments]
    if None in parts_of_term:
        return None
    (one, powers), (other, others) = (part for part in parts_of_term if part is not None)
    sign = 1 if term.operator == "*" else -1
    together = {name: powers.get(name, 0) + sign * others.get(name, 0) for name in names}
    return Apply(term.operator, (one, other)), together


def power_product(powers: Mapping[str, int], factor: Term = ONE) -> Term:
    """A factor times powers of variables."""
    for name, power in powers.items():
        base = Symbol(name)
        factor = times(factor, base if power == 1 else Apply("^", (base, Number(Fraction(power)))))
    return factor


def rise(limit: Term, n: str, lemma: Lemma) -> Term | None:
    """What a term at n + 1 is times that at n, where powers cancel; None where that is not proved."""
    try:
        later, now = to_sympy(substitute(limit, following(n))), to_sympy(limit)
        quotient = from_sympy(sympy.powsimp(sympy.expand_power_exp(later / now)))
    except FAILURES:
        return None
    product = Apply("*", (limit, quotient))
    same = check_equation(Claim(lemma.domains, (), (Relation(substitute(limit, following(n)), "=", product),)))
    powers = any(
        part.operator in ("^", "exp") and n in symbols(part.arguments[-1])
        for part in parts(quotient)
        if isinstance(part, Apply)
    )
    return quotient if same.status is Status.PROVED and not powers else None


# Enumeration: a claim about finitely many whole numbers.


def enumerated(claim: Claim) -> list[dict[str, Fraction]] | None:
    """The points that a claim is about, where its domains are few whole numbers, else None."""
    choices: list[range] = []
    size = 1
    for domain in claim.variables.values():
        low, high = whole_ends(domain)
        if not domain.integer or low is None or high is None:
            return None
        choices.append(range(low, high + 1))
        size *= len(choices[-1])
        if size > MOST_ENUMERATED:
            return None
    listed = (dict(zip(claim.variables, map(Fraction, values), strict=True)) for values in product(*choices))
    return [point for point in listed if not is_excluded(claim, point)]


def is_excluded(claim: Claim, point: Mapping[str, Fraction]) -> bool:
    """Whether a point is surely outside the domains, or hypotheses that are defined there surely fail."""
    if any(in_domain(point[name], domain) is False for name, domain in claim.variables.items()):
        return True
    values = {name: Number(value) for name, value in point.items()}
    given = [relation.at(values) for relation in claim.given]
    defined = [holds_at(Relation(side, "=", side), {}) is True for side in sides(given)]
    return all(defined) and any(holds_at(relation, {}) is False for relation in given)


def holds_case(claim: Claim, point: Mapping[str, Fraction], by_form: bool = True) -> bool | None:
    """Whether a claim holds at a point that is not excluded, with numbers in place of its variables."""
    values = {name: Number(value) for name, value in point.items()}
    inside = all(in_domain(point[name], domain) is True for name, domain in claim.variables.items())
    if not inside or not all(holds_at(relation.at(values), {}) is True for relation in claim.given):
        return None
    return holds_at(claim.conclusion[0].at(values), {}, by_form)


def point_text(point: Mapping[str, Fraction]) -> str:
    """A point as the provers write it in a witness."""
    return f"at {', '.join(f'{name} = {value}' for name, value in point.items()) or 'the constants'}: "


# Counterexamples, evaluated again.


def confirm(claim: Claim, witness: str | None) -> tuple[dict[str, Fraction], str] | None:
    """The point of a witness and how the claim fails there, where that is certain with numbers in place of variables.

    There a power with a whole exponent is defined as such, whatever a prover said of a variable exponent.
    """
    place = (witness or "").partition(":")[0]
    point = {name: Fraction(value) for name, value in PLACE.findall(place)}
    if set(point) != set(claim.variables):
        return None
    shown = {name: value for name, value in point.items() if not is_enclosed_pi({name: claim.variables[name]})}
    values = {name: Number(value) for name, value in shown.items()}
    relations = [relation.at(values) for relation in claim.given]
    failing = claim.conclusion[0].at(values)
    if any(in_domain(value, claim.variables[name]) is not True for name, value in shown.items()):
        return None
    where = point_text(shown)
    if len(shown) < len(point):
        rest = {PI: claim.variables[PI]}
        surely = all(holds_in(one, rest) is True for one in relations) and holds_in(failing, rest) is False
        return (shown, f"{where}{shown_relation(claim.conclusion[0])} is false") if surely else None
    if all(holds_at(one, {}) is True for one in relations) and holds_at(failing, {}) is False:
        return shown, f"{where}{failure(failing, {})}"
    return None


def holds_in(relation: Relation, domains: Mapping[str, Domain]) -> bool | None:
    """Whether a relation between defined terms holds on all of the domains, or nowhere there."""
    gap = range_of(Apply("-", (relation.left, relation.right)), domains)
    sign = gap.sign()
    if sign:
        return sign in {"<=": (-1,), "<": (-1,), ">=": (1,), ">": (1,), "!=": (-1, 1)}.get(relation.relation, ())
    return None


# Reasons.


def why(claim: Claim) -> str:
    """Why nothing was decided, and what would help."""
    (relation,) = claim.conclusion
    tried = list(islice(points(claim), MOST_TRIED))
    if not any(admits(claim, point) for point in tried):
        return NO_POINT
    if is_odd(claim):
        return WHOLE_POWER
    reasons = []
    if any(is_opaque(part) for side in (relation.left, relation.right) for part in parts(side)):
        reasons.append(f"the SMT solvers ({', '.join(LIMITS)}) know how exp and log rise and their tangents, no more")
    else:
        reasons.append(f"the SMT solvers ({', '.join(LIMITS)}) find no proof within their limits of work")
    if reals(claim) > PLANE:
        reasons.append("balls decide at most two real variables")
    elif relation.relation == "=":
        reasons.append("the two algebra systems find different normal forms, and no point where the sides differ")
    else:
        reasons.append(f"balls do not decide it within {UNITS} units of work" + nearest(claim, tried))
    if claim.given:
        reasons.append("balls and monotonicity do without hypotheses that are no bounds of one variable")
    help_text = "a smaller domain, a variable fixed or a lemma for a part of it may be decided"
    return f"{'; '.join(reasons)}; {help_text}"


def is_root(term: Term) -> bool:
    """Whether a term is a square root or a power that is not whole."""
    if not isinstance(term, Apply) or term.operator not in ("sqrt", "^"):
        return False
    power = constant(term.arguments[1]) if term.operator == "^" else None
    return power is None or power.denominator != 1


def reals(claim: Claim) -> int:
    """How many variables are real."""
    return sum(1 for domain in claim.variables.values() if not domain.integer)


def is_odd(claim: Claim) -> bool:
    """Whether a base of a power with a variable exponent is not plainly positive."""
    powers = [part for side in sides(claim.relations) for part in parts(side) if isinstance(part, Apply)]
    bases = [part.arguments[0] for part in powers if part.operator == "^" and is_opaque(part)]
    return not all(range_of(base, claim.variables).positive for base in bases)


def nearest(claim: Claim, tried: list[dict[str, Fraction]]) -> str:
    """Where, among the points tried, the sides of an inequality are nearest to each other."""
    gap = gap_of(claim.conclusion[0])
    scored = sorted(((abs(gap(point)), number) for number, point in enumerate(tried)), key=lambda pair: pair[0])
    if not scored or scored[0][0] == float("inf"):
        return ""
    place = ", ".join(f"{name} = {value}" for name, value in tried[scored[0][1]].items())
    return f" (the sides are nearest to each other around {place})"


# Other texts of a lemma.


def smt_texts(lemma: Lemma) -> str:
    """The SMT-LIB texts as the solvers get them, one for each goal: each is unsatisfiable where the goal holds."""
    texts = []
    for case in lemma.cases():
        for part in parts_of(case):
            for goal in goals(part):
                texts += [text for text, _ in texts_of(part, goal)] or [
                    f"; {goal.relation}\n; has no text within the limits\n"
                ]
    return "(reset)\n".join(texts)


def sympy_texts(lemma: Lemma) -> str:
    """The relations as sympy has them, one a line, in each case."""
    names = {"<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt", "=": "Eq", "!=": "Ne"}
    try:
        lines = [
            f"{names[one.relation]}({to_sympy(one.left)}, {to_sympy(one.right)})\n"
            for case in lemma.cases()
            for one in case.conclusion
        ]
    except FAILURES:
        raise TermError("sympy does not take this claim: a number in it is too large") from None
    return "".join(lines)
