"""Section 2.3: the example's p, and the lemma that is said to imply it."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import image, stick, total
from proofs.statement import Repair, Statement, Step
from proofs.steps import exhaustive


def ones(data: tuple[int, ...], p: Fraction) -> dict[object, Fraction]:
    """The number of ones among bits that are each flipped with probability p."""
    return dict(image(total([{bit: 1 - p, 1 - bit: p} for bit in data]), lambda x: x))


def noise_is_common(says: str, p: Fraction, shifted: bool) -> Step:
    """The view of n = 2 bits is the sum plus noise of a law that does not depend on the data."""
    base = ones((0, 0), p)

    def holds(data: tuple[int, ...]) -> bool:
        law = ones(data, p)
        moved = {x - sum(data): mass for x, mass in law.items() if isinstance(x, int)} if shifted else law
        return moved == base

    return exhaustive(
        says, holds, [(0, 0), (0, 1), (1, 1)], lambda data: f"p = {p}, bits {data}: the noise is another one"
    )


def sensitivity(says: str, at_most: int, unlabelled: bool) -> Step:
    """Changing a user changes the sum of all bits (or of one position's bits) by at most so much."""
    rows = [(a, b) for a in (0, 1) for b in (0, 1)]
    return exhaustive(
        says,
        lambda pair: (
            abs(sum(pair[0]) - sum(pair[1])) <= at_most
            if unlabelled
            else max(abs(a - b) for a, b in zip(pair[0], pair[1], strict=True)) <= at_most
        ),
        [(x, y) for x in rows for y in rows],
        lambda pair: f"user {pair[0]} becomes {pair[1]}",
    )


def delta(users: int, p: Fraction, exp_eps: Fraction) -> Fraction:
    """delta of one pool of N randomized bits in which the others hold 0."""
    more, fewer = ones((1,) + (0,) * (users - 1), p), ones((0,) * users, p)
    return max(stick(more, fewer, exp_eps), stick(fewer, more, exp_eps))


STATEMENT = Statement(
    where="section 2.3, the example: 'Lemma b_noise implies that p = log(1/delta)/(eps^2 n) (roughly) guarantees (eps, delta)-shuffle privacy'",
    kind="prose",
    printed="The binomial mechanism lemma applies to the example: the view is a 1-sensitive sum plus binomial noise.",
    steps=(
        sensitivity("unlabelled bits: a changed user changes the sum by at most 1", 1, True),
        noise_is_common("p = 1/4: the noise does not depend on the data", Fraction(1, 4), True),
    ),
    why=(
        "A changed user may change the unlabelled sum by 2, and a flipped bit is not a bit plus independent noise: the law of the noise depends on the "
        "data. The lemma does not apply as it is."
    ),
    repair=Repair(
        "With labels each position's sum is 1-sensitive, and a randomized bit is a fair coin with probability 2p and the true bit otherwise, so a pool "
        "holds at least the fair coins of the other users as binomial noise: exact.views.two_bit_sum bounds it that way.",
        (
            sensitivity("labelled bits: each position's sum changes by at most 1", 1, False),
            exhaustive(
                "a bit flipped with probability p is a fair coin with probability 2p, p in tenths",
                lambda p: all(
                    (1 - p if out == bit else p) == 2 * p * Fraction(1, 2) + (1 - 2 * p) * (out == bit)
                    for bit in (0, 1)
                    for out in (0, 1)
                ),
                [Fraction(x, 10) for x in range(6)],
            ),
        ),
    ),
    survives="Nothing rests on the example.",
    twins=(
        sensitivity("labelled bits: no position's sum changes", 0, False),
        noise_is_common("p = 1/3: the view itself does not depend on the data", Fraction(1, 3), False),
    ),
)
