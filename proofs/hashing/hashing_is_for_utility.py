"""Appendix A.2: hashing adds no privacy."""

from __future__ import annotations

from proofs.neighbours.hashed_distinct_elements_worst_neighbour import stays_neighbouring
from proofs.statement import Statement
from proofs.steps import exhaustive

STATEMENT = Statement(
    where="Appendix A.2, first paragraph",
    kind="prose",
    printed="Hashing is strictly for utility and is not used to add privacy.",
    rests_on=("hashed-distinct-elements-privacy",),
    steps=(
        exhaustive(
            "with an injective h the dataset is only renamed, so nothing is gained: all injective h from [3] to [3]",
            lambda h: all((h[a] == h[b]) == (a == b) for a in range(3) for b in range(3)),
            [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)],
        ),
    ),
    twins=(
        stays_neighbouring("hashing always hides the changed row", 0),
        exhaustive("every h only renames", lambda h: len(set(h)) == 3, [(0, 0, 1), (0, 1, 2)]),
    ),
)
