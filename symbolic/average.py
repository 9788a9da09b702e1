"""Means: a bound on expectations from an inequality that holds for every outcome."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from panshuffle.symbolic.claim import Claim, Relation, claim, named, parse_domain, parse_relations
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.moments import expanded, powered, product, total
from panshuffle.symbolic.smt import check_smt
from panshuffle.symbolic.term import ZERO, Apply, Number, Term, TermError, parse_term, symbols

Monomial = tuple[tuple[str, Fraction], ...]


def check_average(
    conclusion: str,
    pointwise: str,
    given: tuple[str, ...] = (),
    /,
    *,
    outcome: Mapping[str, str],
    means: Mapping[str, str],
    **domains: str,
) -> Decision:
    """Proved if a conclusion about means follows from an inequality between polynomials in random variables.

    The inequality `pointwise` is decided for all values of the random variables, with their domains in `outcome`, that
    fulfil what is `given`.  Its mean is taken monomial by monomial, and `means` says what the mean of each monomial is
    called; from that alone the conclusion is decided.  It is never refuted: the means are those of some law (caller).

    >>> square = {"x": "mu", "x^2": "v + mu^2"}
    >>> check_average("v >= 0", "(x - mu)^2 >= 0", outcome={"x": "(-inf, inf)"}, means=square, mu="[0, inf)").status
    <Status.PROVED: 'proved'>
    """
    inner = claim(pointwise, given, **outcome, **domains)
    averaged = tuple(mean_of(relation, outcome, means) for relation in inner.conclusion)
    printed = parse_relations(conclusion)
    variables = {named(name): parse_domain(text) for name, text in domains.items()}
    for name in sorted(frozenset().union(*(relation.symbols for relation in (*averaged, *printed)))):
        if name in outcome:
            raise TermError(f"{name} is a random variable, and has no place among means")
        variables.setdefault(name, parse_domain("(-inf, inf)"))
    answers = [check_smt(inner), check_smt(Claim(variables, averaged, printed))]
    tier = max((answer.tier for answer in answers), key=lambda name: name.startswith("one"))
    if all(answer.status is Status.PROVED for answer in answers):
        return Decision(Status.PROVED, tier)
    return Decision(Status.UNDECIDED, tier)


def mean_of(relation: Relation, outcome: Mapping[str, str], means: Mapping[str, str]) -> Relation:
    """The inequality between the means of both sides, as one that says what is at least 0."""
    if relation.relation not in ("<=", "<", ">=", ">"):
        raise TermError(f"{relation} is no inequality, whose mean could be taken")
    less, more = (relation.left, relation.right) if "<" in relation.relation else (relation.right, relation.left)
    named_means = {monomial(text): parse_term(text_of_mean) for text, text_of_mean in means.items()}
    pieces: list[Term] = [ZERO]
    for powers, coefficient in expanded(Apply("-", (more, less))):
        random = tuple(sorted((name, power) for name, power in powers.items() if name in outcome))
        others = [powered(name, power) for name, power in sorted(powers.items()) if name not in outcome]
        if random and random not in named_means:
            raise TermError(f"the mean of {' '.join(f'{name}^{power}' for name, power in random)} has no name")
        mean = [named_means[random]] if random else []
        pieces.append(product([Number(coefficient), *others, *mean]))
    return Relation(total(pieces), ">=", ZERO)


def monomial(text: str) -> Monomial:
    """The powers of random variables that a text such as "x^2" denotes.  *Raises* `TermError`."""
    pieces = expanded(parse_term(text))
    if len(pieces) != 1 or pieces[0][1] != 1 or not symbols(parse_term(text)):
        raise TermError(f"{text!r} is not a product of powers of random variables")
    return tuple(sorted(pieces[0][0].items()))
