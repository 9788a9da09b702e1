"""Section 2.3: the shuffler's output depends on the messages, not on their order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from panshuffle.proofs.finite import Law, law_of
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def shuffled(messages: tuple[int, ...], uniform: bool) -> Law:
    """The law of the shuffled messages; not uniform means that the first message stays first half of the time."""
    orders = list(permutations(messages))
    weights = [Fraction(1, len(orders))] * len(orders)
    if not uniform:
        weights = [weight / 2 for weight in weights]
        weights[0] += Fraction(1, 2)
    return law_of(zip(orders, weights, strict=True))


def forgets(says: str, uniform: bool, other: tuple[int, ...]) -> Step:
    """Messages (0, 1, 1) in another order give the same law."""
    return exhaustive(says, lambda x: shuffled(x, uniform) == shuffled((0, 1, 1), uniform), [other], str)


STATEMENT = Statement(
    where="section 2.3, Definition (Shuffle Model): what everything uses of the shuffler",
    kind="prose",
    printed="The shuffler applies a uniformly random permutation to the messages.",
    reading="What everything uses of it: the law of the shuffled messages depends on the multiset of messages only.",
    steps=(kernel("shuffler-forgets-order"),),
    twins=(
        forgets("for a shuffler that leaves the messages alone half of the time", False, (1, 0, 1)),
        forgets("for other messages", True, (1, 1, 1)),
    ),
)
