"""Section 3.2: n need not be a multiple of 3."""

from __future__ import annotations

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, smt


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
    reading="Where appropriate: rounded down after the stream, and down or up before it; the stream has what is left. Rounded up both times, the stream may be too short (a twin).",
    rests_on=("distinct-transformation-privacy",),
    steps=(
        smt(
            "3*(r + t) >= 3*r + 2",
            ("t >= 1",),
            says="n = 3r + 1 or 3r + 2, before: r dummies and t >= 1 elements, the changed one among them",
            r="integer [0, inf)",
            t="integer [1, inf)",
        ),
        smt(
            "3*(s + r) >= 3*r + 2",
            ("s >= 1",),
            says="after: s >= 1 elements and r dummies",
            r="integer [0, inf)",
            s="integer [1, inf)",
        ),
        enough(
            "with n/3 rounded down before and after the stream, the changed element itself makes up for the rounding",
            False,
            False,
        ),
        enough("with n/3 rounded up before and down after", True, False),
    ),
    argument=(
        "Let r = floor(n/3), n = 3r + 1 or 3r + 2, with r dummies before and r after the stream of n - 2r elements. At an intrusion time t the changed element is among the t >= 1 elements before it, with r dummies, or among the s >= 1 elements after it, with r dummies: at least "
        "r + 1 executions, and 3(r + 1) >= 3r + 2 >= n, the first two steps, so at least n/3 honest users, which is what distinct-transformation-privacy needs of a batch. With one more dummy before the stream the first batch only grows. The dummies are copies of one element, so accuracy is as before. The other "
        "steps are checks."
    ),
    twins=(
        enough("rounded up both times", True, True),
        enough("rounded down both times, with one execution to spare", False, False, 0),
    ),
)
