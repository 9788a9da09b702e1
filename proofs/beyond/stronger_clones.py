"""Every locally private randomizer, shuffled: the stronger clones, whose first proof was withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from panshuffle.proofs.beyond.amplification_by_shuffling import RATIOS, THREE, amplified, private_with, reports
from panshuffle.proofs.beyond.clones_of_local_randomizers import BINARY, clones
from panshuffle.proofs.finite import Law, binomial, law_of, stick
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import computed, exhaustive, kernel
from panshuffle.symbolic.exhaustive import check_all

Table = list[list[Fraction]]
P = Fraction(3)
"""e^eps0 of binary response."""


def solution(columns: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """The weights with which the columns sum to all ones, by elimination; None if there is not exactly one solution."""
    rows = [[*row, Fraction(1)] for row in zip(*columns, strict=True)]
    for place in range(len(columns)):
        pivot = next((row for row in rows[place:] if row[place]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        pivot = [entry / pivot[place] for entry in pivot]
        rows = [[a - row[place] * b for a, b in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(place, pivot)
    return [row[-1] for row in rows]


def extremal(p: Fraction, inputs: int) -> Iterator[Table]:
    """Every randomizer whose masses of a message are 1 and p times its weight, with as many messages as inputs.

    The message of each e^eps0 = p private randomizer is a function of that of one with such masses and more messages.
    """
    columns = [column for column in product((Fraction(1), p), repeat=inputs) if min(column) == 1]
    for chosen in combinations(columns, inputs):
        weights = solution(chosen)
        if weights is not None and min(weights) >= 0:
            yield [[w * column[z] for w, column in zip(weights, chosen, strict=True)] for z in range(inputs)]


def extremal_within(says: str, p: Fraction, users: int, weight: Fraction) -> Step:
    """User 1 changes from input 0 to input 1 and user i holds input i: delta is at most the bound, at two e^eps.

    For up to three users that is enough for every e^eps from 1 to p: between 1, (2p+1)/(p+2) and p the bound is linear
    in e^eps and delta convex, and at p both are 0.
    """
    bound, others = cache(clones(p, weight)), range(2, users + 1)

    def worst(table: Table) -> tuple[Fraction, Fraction, Fraction]:
        first, second = (reports(table, (own, *others)) for own in (0, 1))
        sides = ((stick(first, second, e), bound(0, 1, users, e), e) for e in (Fraction(1), (2 * p + 1) / (p + 2)))
        return max(sides, key=lambda side: side[0] - side[1])

    def describe(table: Table) -> str:
        masses = [[str(mass) for mass in row] for row in table]
        return "masses {}: delta is {}, the bound {} at e^eps = {}".format(masses, *worst(table))

    def holds(table: Table) -> bool:
        delta, most, _ = worst(table)
        return delta <= most

    return computed(
        says,
        lambda: check_all(holds, extremal(p, users + 1), describe),
        second="none is needed: all messages of all users, in rationals",
    )


def counts(users: int, p: Fraction, own: Fraction) -> Law:
    """(A + D, C - A + 1 - D), C ~ Bin(N-1, 2/(p+1)), A ~ Bin(C, 1/2), D ~ Ber(own)."""
    return law_of(
        ((a + d, c - a + 1 - d), often * half * (own if d else 1 - own))
        for c, often in enumerate(binomial(users - 1, 2 / (p + 1)).values())
        for a, half in enumerate(binomial(c, Fraction(1, 2)).values())
        for d in (0, 1)
    )


def counts_are(says: str) -> Step:
    """The divergence of the two laws of the counts is the mean, for up to 5 users."""
    cases = [(users, p, e) for users in range(1, 6) for p in (Fraction(3, 2), P, Fraction(7)) for e in RATIOS if e <= p]

    def sides(case: tuple[int, Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        users, p, e = case
        often, seldom = p / (p + 1), 1 / (p + 1)
        mean = amplified([(often, seldom, seldom), (seldom, often, seldom)], users, e)
        return stick(counts(users, p, often), counts(users, p, seldom), e), mean

    return exhaustive(says, lambda case: sides(case)[0] == sides(case)[1], cases)


def reached(says: str) -> Step:
    """Two users of binary response, the other one at x': delta at eps = 0 is the bound itself."""
    cases = [(p, [[p / (p + 1), 1 / (p + 1)], [1 / (p + 1), p / (p + 1)]]) for p in (Fraction(3, 2), P, Fraction(7))]
    return exhaustive(
        says,
        lambda case: (
            stick(reports(case[1], (0, 1)), reports(case[1], (1, 1)), Fraction(1))
            == clones(case[0], 1 / (case[0] + 1))(0, 1, 2, Fraction(1))
        ),
        cases,
    )


STATEMENT = Statement(
    where="not in the paper: stronger clones (Feldman, McMillan and Talwar 2022, before the errata to their proof)",
    kind="theorem",
    printed=(
        "Let every user send one of finitely many messages by the same eps0-locally private randomizer, p = e^eps0, and -eps0 <= eps <= eps0.  The shuffled "
        "messages of N users are (eps, delta)-private with delta = E[(W_1 + ... + W_N)_+]/N, where the W_i are independent, p - e^eps and 1 - p e^eps with "
        "probability 1/(p+1) each, and 0 with the rest.  They are (eps, delta)-private, too, if the laws of (A + D, C - A + 1 - D) and of (A + 1 - D, C - A + D) "
        "are (eps, delta)-close, where C ~ Bin(N-1, 2/(p+1)), A ~ Bin(C, 1/2), and D ~ Ber(p/(p+1)) is independent of them."
    ),
    hypotheses=(
        "eps0 > 0; the law R(z) is (eps0, 0)-close to R(z') for all inputs z and z', which may be any set",
        "R does not depend on the messages of others: for randomizers that are chosen with the messages so far in hand, nothing is claimed",
    ),
    reading=(
        "The errata of arXiv 2208.04591 withdraw this bound for all locally private randomizers, because a lemma of its proof fails, and keep it for some of them.  "
        "The proof here has no such lemma: every law is at least the larger, message by message, of U and V, where R(x) = pU + V and R(x') = U + pV; that is a "
        "privacy blanket, and its noise is less spread out than that of a U and a V with no message in common."
    ),
    steps=(kernel("stronger-clones"), kernel("stronger-clones-as-counts")),
    also=(
        private_with(
            "three values with e^eps0 = 2, up to 3 users: delta is at most the bound",
            THREE,
            3,
            clones(Fraction(2), Fraction(1, 3)),
        ),
        private_with(
            "binary response with e^eps0 = 3, up to 4 users: delta is at most the bound",
            BINARY,
            4,
            clones(P, Fraction(1, 4)),
        ),
        extremal_within(
            "three extremal messages and two users, e^eps0 = 3: delta is at most the bound", P, 2, Fraction(1, 4)
        ),
        extremal_within(
            "four extremal messages and three users, e^eps0 = 3: delta is at most the bound", P, 3, Fraction(1, 4)
        ),
        counts_are("the divergence of the counts is the mean, up to 5 users"),
        reached("two users of binary response reach it at eps = 0"),
    ),
    constants=(Constant("1", twin="binary response with e^eps0 = 3: with probability 1.04/(p+1)", by="1.04"),),
    twins=(
        private_with(
            "binary response with e^eps0 = 3: with probability 1.04/(p+1)",
            BINARY,
            3,
            clones(P, Fraction(26, 100)),
        ),
        private_with(
            "binary response with e^eps0 = 3: with N + 1 in place of N", BINARY, 3, clones(P, Fraction(1, 4), 1)
        ),
        extremal_within(
            "three extremal messages and two users, e^eps0 = 3: with probability 1/p", P, 2, Fraction(1, 3)
        ),
    ),
)
