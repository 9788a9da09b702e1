"""Section 4.1.2: 'a constant number of repetitions' - and robustness."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt


def worst_group(users: int, groups: int, honest: int) -> Fraction:
    """The least honest fraction of a group that has an honest user, when the users are split into equal groups."""
    size = users // groups
    return Fraction(max(1, honest - (users - size)), size)


def split(says: str, groups: int, gamma: Fraction) -> Step:
    """With gamma n honest users, every group with an honest user has an honest fraction of at least gamma."""
    cases = [groups * size for size in (10, 100, 1000)]
    return exhaustive(
        says,
        lambda n: worst_group(n, groups, int(gamma * n)) >= gamma,
        cases,
        lambda n: (
            f"n = {n}, {groups} groups, gamma = {gamma}: a group may have the honest fraction {worst_group(n, groups, int(gamma * n))}"
        ),
    )


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, proof of Theorem ut-app-upper-bound: '(with a constant number of repetitions)'",
    kind="step",
    printed="We apply Theorem ut-upper-bound-prelim (with a constant number of repetitions).",
    reading="The paper does not say how to repeat; the obvious way, each repetition on users of its own, needs an honest fraction of at least gamma in each of them.",
    severity="unproved step",
    steps=(split("gamma = 1/2, three groups", 3, Fraction(1, 2)),),
    why=(
        "The dropouts may all be in one group: its last honest user then stands alone, with noise Pois(lambda/n) in place of Pois(gamma lambda). "
        "Repeating on the same users instead multiplies eps and delta."
    ),
    repair=Repair(
        "There are r copies of the pools; each user adds Pois(lambda/n) noise messages to every pool of every copy and the data messages to one copy only. "
        "A changed user touches two pools of one copy, and each has noise from all gamma n honest users.",
        (
            identity(
                "(g*n)*(lam/n) = g*lam",
                says="every pool of every copy has noise Pois(gamma lambda)",
                g="(0, 1]",
                n="[1, inf)",
                lam="(0, inf)",
            ),
        ),
        ("repeated-uniformity-privacy",),
        argument=(
            "This is the protocol of repeated-uniformity-privacy: every pool of every copy has noise from all gamma n honest users, and a changed user touches two pools of one copy, so the privacy is that of one P_UT."
        ),
    ),
    survives="The theorem survives with the other way to repeat.",
    above=("compressed-tester",),
    twins=(
        split("gamma = 99/100, ten groups", 10, Fraction(99, 100)),
        smt(
            "(g*n/r)*(lam/n) >= g*lam",
            says="only the users of one group add noise",
            g="(0, 1]",
            n="[1, inf)",
            lam="(0, inf)",
            r="[2, inf)",
        ),
    ),
)
