"""Section 3.2: n need not be a multiple of 3."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def enough(says: str, first_up: bool, second_up: bool, changed: int = 1) -> Step:
    """At every t the batch that holds the changed element has at least n/3 executions.

    The dummies before and after the stream are n/3 rounded up or down; the stream has what is left.
    """

    def sizes(n: int) -> tuple[int, int, int]:
        before = -(-n // 3) if first_up else n // 3
        after = -(-n // 3) if second_up else n // 3
        return before, n - before - after, after

    def holds(n: int) -> bool:
        before, stream, after = sizes(n)
        return stream >= 0 and all(
            3 * (before + t if place <= t else stream - t + after) >= n + 3 * (1 - changed)
            for t in range(stream + 1)
            for place in range(1, stream + 1)
        )

    return exhaustive(
        says + ", for 1 <= n <= 60", holds, range(1, 61), lambda n: f"n = {n}: dummies and stream {sizes(n)}"
    )


STATEMENT = Statement(
    where="section 3.2, the remark after the transformation",
    kind="prose",
    printed="This construction assumes n is a multiple of 3, but this constraint can be removed by using n/3 rounded up and down where appropriate.",
    reading="n/3 rounded up twice, n >= 2 (n/3 rounded up), and a stream of what is left: shorter than n/3, where n is not a multiple of 3. Rounded down both times the stream is longer, and the changed element itself makes up for the rounding (the other theorem, for finite laws).",
    steps=(kernel("paper-lem-de-transformation-any-n"),),
    also=(kernel("distinct-transformation-floor"),),
    twins=(
        enough("rounded up both times, for every n", True, True),
        enough("rounded down both times, with one execution to spare", False, False, 0),
    ),
)
