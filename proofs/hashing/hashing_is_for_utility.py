"""Appendix A.2: hashing adds no privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from panshuffle.proofs.finite import stick
from panshuffle.proofs.neighbours.distinct_elements_worst_neighbour import pools
from panshuffle.proofs.neighbours.hashed_distinct_elements_worst_neighbour import stays_neighbouring
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def as_before(says: str, functions: list[tuple[int, ...]]) -> Step:
    """delta of hashed neighbours is that of the neighbours themselves: two users, elements 0 and 1 of three."""
    m, q, exp_eps = 2, Fraction(1, 2), Fraction(5, 4)
    pair = (0, 2), (1, 2)

    def delta(h: tuple[int, ...]) -> Fraction:
        laws = [pools(tuple(h[x] for x in data), 3, m, q) for data in pair]
        return stick(laws[0], laws[1], exp_eps)

    return exhaustive(
        says,
        lambda h: delta(h) == delta((0, 1, 2)),
        functions,
        lambda h: f"h = {h}: {delta(h)} against {delta((0, 1, 2))}",
    )


STATEMENT = Statement(
    where="Appendix A.2, first paragraph",
    kind="prose",
    printed="Hashing is strictly for utility and is not used to add privacy.",
    reading="The privacy of P_HDE is that of P_DE on the smaller domain for every fixed h, so the randomness of h is not needed for it, and some h leave the loss as it is.",
    steps=(
        kernel("hashing-preserves-privacy"),
        as_before(
            "with an injective h neighbours have the same delta as without: all permutations of three elements",
            list(permutations(range(3))),
        ),
    ),
    argument=(
        "The kernel's theorem: for every function h, a protocol composed with h has the privacy of the protocol itself. It is no better in general: if h is one to one, as it may be for k = k', the pools of h(x) are those of x under other names, and a bijection of the "
        "messages changes no divergence; and for any h, data that h takes to given neighbours of [k'] have their loss. The second step is a check for k = k' = 3."
    ),
    twins=(
        as_before("with every h", [(0, 1, 2), (0, 0, 1)]),
        stays_neighbouring("hashing always hides the changed row", 0),
    ),
)
