"""Theorem ut-upper-bound-prelim: the accuracy of P_UT."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import exhaustive, inequality, smt
from proofs.uniformity.uniformity_randomizer_keeps_messages import messages


def hidden(overwrite: bool) -> bool:
    """Whether R_UT sends the same for x = 1 and x = 2 out of k = 3, when no noise is drawn."""
    return messages(1, 3, (0, 0, 0), overwrite) == messages(2, 3, (0, 0, 0), overwrite)


STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, Theorem ut-upper-bound-prelim, sample complexity, for the protocol as printed",
    kind="theorem",
    printed=(
        "For eps = O(1), delta = o(1) there are lambda and tau such that P_UT solves alpha-uniformity testing with m = "
        "O(k^(3/4)/(alpha eps) ln^(1/2)(k/delta) + k^(2/3)/(alpha^(4/3) eps^(2/3)) ln^(1/3)(k/delta) + k^(1/2)/alpha^2) samples."
    ),
    covers=("thm:ut-upper-bound-prelim", "display-17"),
    rests_on=("uniformity-privacy",),
    steps=(
        exhaustive(
            "R_UT as printed sends different messages for x = 1 and x = 2, k = 3, so that D = (2/3, 0, 1/3) is seen to be far from uniform",
            lambda overwrite: not hidden(overwrite),
            [True],
            lambda overwrite: (
                "k = 3: the messages for x = 1 and x = 2 are the same, so U and (2/3, 0, 1/3) give one law, for every tau"
            ),
        ),
    ),
    why="The randomizer overwrites its vector, so only whether x = k reaches the analyzer; and the printed tau fails for large k, too.",
    repair=Repair(
        "With the message appended and the threshold of uniformity-tester-theorem: m = O(k^(3/4)/(alpha eps) ln^(1/2)(k/delta) + k^(1/2)/alpha^2), "
        "without the middle term; with lambda of uniformity-noise also without k in the logarithm.",
        (
            exhaustive(
                "with the message appended, x = 1 and x = 2 differ", lambda overwrite: not hidden(overwrite), [False]
            ),
            inequality("((exp(e) + 1)/(exp(e) - 1))^2 <= 5/e^2", says="c^2 <= 5/eps^2 for eps <= 1", e="(0, 1]"),
            smt(
                "2.65*c2*L + 1 <= 14.8*L/e^2",
                ("c2*e^2 <= 5", "L >= 0.69"),
                says="lambda = 2.65 c^2 ln(2/delta), rounded up, is at most 14.8 ln(2/delta)/eps^2: sqrt(lambda) = O(ln^(1/2)(1/delta)/eps)",
                c2="[1, inf)",
                L="(0, inf)",
                e="(0, 1]",
            ),
        ),
        ("uniformity-tester-theorem", "uniformity-noise"),
    ),
    survives="The theorem survives for the repaired protocol.",
    twins=(
        exhaustive(
            "as printed, x = 1 and x = 2 differ for k = 4",
            lambda k: messages(1, k, (0,) * k, True) != messages(2, k, (0,) * k, True),
            [4],
        ),
        inequality("((exp(e) + 1)/(exp(e) - 1))^2 <= 4/e^2", says="c^2 <= 4/eps^2", e="(0, 1]"),
    ),
)
