"""r copies of a tester with the noise of all users: the privacy is that of one copy, whoever drops out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.finite import Law, binomial, image, independent, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt

Users = tuple[int, ...]
USERS, COPIES = 3, 2
RATIOS = (Fraction(1), Fraction(3, 2), Fraction(5, 2))


def view(data: Users, copy_of: Users, honest: Users, shared: bool) -> Law:
    """(ones, zeros) of both pools of both copies, when each honest user adds one fair bit to a pool.

    They add it to every pool of every copy or, where the noise is not shared, to those of their own copy.
    """
    pools = []
    for copy, element in product(range(COPIES), (1, 2)):
        own = [user for user in honest if copy_of[user] == copy]
        count = sum(data[user] == element for user in own)
        noise = len(honest) if shared else len(own)
        zeros = len(own) - count + noise
        pools.append(image(binomial(noise, Fraction(1, 2)), lambda x, c=count, z=zeros: (c + x, z - x)))
    return independent(*pools)


def one_copy(noise: int, exp_eps: Fraction) -> Fraction:
    """delta of one copy of P_UT with so many noise bits in each pool."""
    bits = binomial(noise, Fraction(1, 2))
    moved = image(bits, lambda x: x + 1)
    return stick(independent(moved, bits), independent(bits, moved), exp_eps)


def same_as_one_copy(says: str, shared: bool) -> Step:
    """For every assignment, all data of the others and every set of dropouts, delta is that of one copy."""
    cases = [
        (copy_of, others, honest)
        for copy_of in product(range(COPIES), repeat=USERS)
        for others in product((1, 2), repeat=USERS - 1)
        for honest in ((0,), (0, 1), (0, 2), (0, 1, 2))
    ]

    def holds(case: tuple[Users, Users, Users]) -> bool:
        copy_of, others, honest = case
        upper, lower = (view((x, *others), copy_of, honest, shared) for x in (1, 2))
        return all(stick(upper, lower, e) == one_copy(len(honest), e) for e in RATIOS)

    return exhaustive(
        says,
        holds,
        cases,
        lambda case: f"copies {case[0]}, the others hold {case[1]}, users {case[2]} take part",
    )


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="beside Theorem ut-app-upper-bound: the repetitions as a protocol",
    kind="sharper",
    printed=(
        "There are r copies of the pools of P_UT, or of P_UT on groups. Each user sends the data messages to the pools of one copy, which public randomness assigns to them; or chooses a copy by a coin of their own, sends the data messages to its pools and (j, 0) to the others, so that all run one randomizer. Everybody adds "
        "Pois(lambda/n) fair bits to every pool of every copy. For every assignment, every partition and every set of gamma n users who take part, each neighbouring pair is that of P_UT at the same lambda and gamma: a shift up in one pool and down in another, "
        "each with noise Pois(gamma lambda), or with coins of their own a mixture of such pairs. So for every r the protocol is at least as private, and as robustly so, as P_UT."
    ),
    hypotheses=("gamma n >= 1 is a whole number", "the assignment and the partitions do not depend on the data"),
    rests_on=("uniformity-worst-neighbour", "compressed-uniformity-worst-neighbour", "common-factor", "poisson-sums"),
    steps=(
        identity(
            "(g*n)*(lam/n) = g*lam",
            says="every pool of every copy has noise Pois(gamma lambda), whichever gamma n users take part",
            g="(0, 1]",
            n="[1, inf)",
            lam="(0, inf)",
        ),
        same_as_one_copy(
            "three users, two copies, one noise bit a user and pool: all assignments, data and dropouts give the delta of one copy",
            True,
        ),
    ),
    argument=(
        "Fix the assignment, the partitions and who takes part. A user's data go to the pools of one copy, so changing the user's element from a to b changes the counts of the pools of a and b (or of their groups) in that copy only: one falls by 1, one rises by 1, or nothing changes if they are in one group. The pools are independent, and all others are a common factor. "
        "By the identity each of the two pools has noise Pois(gamma lambda) from all gamma n users who take part, of whatever copy, and shows its number; the number of its data messages is known. So the pair is that of P_UT, given the numbers of noise messages a shift of Bin(L, 1/2) up in one pool and down in the other. If the changed user's copy is a coin of their own, the view is a mixture of such pairs, "
        "one for each value of the coin with the same weights before and after, and delta of a mixture is at most the mean of the deltas."
    ),
    twins=(
        same_as_one_copy("only the users of a copy add noise to it", False),
        smt(
            "(x/n)*lam >= g*lam",
            ("x >= 1", "x <= n/r", "g*n >= x"),
            says="split noise: x honest users of a copy are enough for gamma lambda",
            x="[1, inf)",
            n="[1, inf)",
            r="[2, inf)",
            g="(0, 1]",
            lam="(0, inf)",
        ),
    ),
)
