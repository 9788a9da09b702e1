"""Domain compression in the norm that the tester uses: mean and variance over random partitions.

d_i = p_i - 1/K sum to 0; p2 and p4 are the sums of d_i^2 and d_i^4.  A uniformly random partition of [K] into h groups of
s elements, N = K = hs, gives Y_j, the sum of d_i over group j, and X = sum of Y_j^2.  That a + b named elements lie in
two named groups, a in one and b in the other, has the probability s(s-1)...(s-a+1) s(s-1)...(s-b+1)/(N(N-1)...(N-a-b+1)).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt

SIZES = {"s": "[2, inf)", "h": "[2, inf)"}
VECTORS: list[tuple[int, ...]] = [
    (1, -1, 0, 0),
    (3, -1, -1, -1),
    (1, 1, -1, -1),
    (5, -2, -4, 1),
    (1, 1, 1, -1, -1, -1),
    (5, -1, -1, -1, -1, -1),
    (4, 0, -3, 2, -2, -1),
]
FOURTH = (
    "h*(p4*s*(N - 1)*(N - 2)*(N - 3) + (3*(p2^2 - p4) - 4*p4)*s*(s - 1)*(N - 2)*(N - 3)"
    " + 6*(2*p4 - p2^2)*s*(s - 1)*(s - 2)*(N - 3) + (3*p2^2 - 6*p4)*s*(s - 1)*(s - 2)*(s - 3))"
    " + h*(h - 1)*((p2^2 - p4)*s^2*(N - 2)*(N - 3) + 2*(2*p4 - p2^2)*s^2*(s - 1)*(N - 3) + (3*p2^2 - 6*p4)*s^2*(s - 1)^2)"
)
SQUARE = "h*s*s*(h - 1)*((N^2 + N*s - 6*N + 6)*p2^2 - 2*N*(s - 1)*p4)"


def balanced(k: int, groups: int) -> list[tuple[int, ...]]:
    """All ways to put k elements into groups of equal size."""
    size = k // groups
    return [g for g in product(range(groups), repeat=k) if all(g.count(i) == size for i in range(groups))]


def moments(d: tuple[int, ...], groups: int) -> tuple[Fraction, Fraction]:
    """E[X] and E[X^2] over all partitions into groups of equal size."""
    partitions = balanced(len(d), groups)
    values = [sum(sum(x for x, i in zip(d, g, strict=True) if i == j) ** 2 for j in range(groups)) for g in partitions]
    return Fraction(sum(values), len(values)), Fraction(sum(x * x for x in values), len(values))


def claimed(d: tuple[int, ...], groups: int, sign: int) -> tuple[Fraction, Fraction]:
    """The formulas for both."""
    n = len(d)
    s, p2, p4 = n // groups, sum(x**2 for x in d), sum(x**4 for x in d)
    mean = Fraction(p2 * s * (groups - 1), n - 1)
    top = s * (groups - 1) * ((n * n + n * s - 6 * n + 6) * p2**2 - sign * 2 * n * (s - 1) * p4)
    return mean, Fraction(top, (n - 1) * (n - 2) * (n - 3))


def as_claimed(says: str, sign: int) -> Step:
    """Both moments of some vectors, over all partitions, are those of the formulas."""
    cases = [(d, groups) for d in VECTORS for groups in (2, 3) if len(d) % groups == 0]
    return exhaustive(
        says,
        lambda case: moments(*case) == claimed(*case, sign),
        cases,
        lambda case: f"d = {case[0]}, {case[1]} groups: E[X^2] = {moments(*case)[1]}, not {claimed(*case, sign)[1]}",
    )


def spread(says: str, factor: str) -> Step:
    """Var[X] <= factor E[X]^2, given the identity for E[X^2] at p4 = p2^2/N, the least p4; all divided by s(h - 1)p2^2."""
    return smt(
        f"(N - 1)*(N^2 + N*s - 6*N + 6 - 2*(s - 1)) <= (1 + {factor})*(h - 1)*s*(N - 2)*(N - 3)",
        ("N = h*s",),
        says=says,
        N="[4, inf)",
        **SIZES,
    )


STATEMENT = Statement(
    label="lem:partition",
    where="beside Lemma partition (Domain Compression)",
    kind="sharper",
    printed=(
        "Let h >= 2 groups of equal size s >= 2 be drawn uniformly at random, K = hs, and let the total variation of D and U be at least alpha. "
        "X, the sum over the groups of (D_G(j) - 1/h)^2, has mean s(h-1)/(K-1) times the sum of (p_i - 1/K)^2 and a variance of at most "
        "2 E[X]^2/(h-1), whatever D is. With probability at least 9(h-1)/(9(h-1) + 32) it is above alpha^2 (h-1)/(hK), that is 4 alpha^^2/h for "
        "alpha^ = alpha sqrt((h-1)/(4K))."
    ),
    hypotheses=("h >= 2, s >= 2 whole numbers, K = hs", "groups of equal size"),
    rests_on=("cantelli", "statistic-mean-far"),
    steps=(
        identity(
            "(p4 - p2^2) + p4 = 2*p4 - p2^2",
            says=(
                "the d_i sum to 0, so over distinct indices: the sum of d_i^3 d_l is -p4, that of d_i^2 d_l^2 is p2^2 - p4, and that of "
                "d_i^2 d_l d_a is the sum of d_i^2 (d_i^2 - (p2 - d_i^2)) = 2 p4 - p2^2"
            ),
            p2="[0, inf)",
            p4="[0, inf)",
        ),
        identity(
            "(-3)*(2*p4 - p2^2) = 3*p2^2 - 6*p4",
            says="four distinct: the last sums to less the other three, so -3 times that",
            p2="[0, inf)",
            p4="[0, inf)",
        ),
        identity(
            f"{FOURTH} = {SQUARE}".replace("N", "(h*s)"),
            says="h E[Y_1^4] + h(h-1) E[Y_1^2 Y_2^2], times N(N-1)(N-2)(N-3)",
            p2="[0, inf)",
            p4="[0, inf)",
            **SIZES,
        ),
        as_claimed("E[X] and E[X^2] for seven vectors on [4] and [6] and all partitions into 2 and 3 groups", 1),
        smt(
            "N*x^2 - 2*x*t + t^2/N >= 0",
            says="p4 >= p2^2/N: the sum over i of (sqrt(N) x_i - t/sqrt(N))^2 is not negative, x_i = d_i^2, t = p2",
            x="[0, inf)",
            t="[0, inf)",
            N="[4, inf)",
        ),
        identity(
            "(N + s)*(N - 2)*(N - 3) - (N - 1)*(N^2 + N*s - 6*N + 6 - 2*(s - 1)) = 2*(N - 2)*(N - 2 - s)",
            says="at p4 = p2^2/N: what is left for E[X^2] <= (1 + 2/(h-1)) E[X]^2",
            N="[4, inf)",
            s="[2, inf)",
        ),
        smt("N - 2 - s >= 0", ("N = h*s",), says="is not negative", N="[4, inf)", **SIZES),
        smt("s*(h - 1)/(s*h - 1) >= (h - 1)/h", says="E[X] >= (h-1)/h p2, and p2 >= 4 alpha^2/K", **SIZES),
        smt(
            "v/(v + t^2) <= 32/(9*(h - 1) + 32)",
            ("v*(h - 1) <= 2*e^2", "4*t = 3*e"),
            says="Cantelli: X <= E[X]/4, t = (3/4) E[X] below the mean, has at most this probability",
            v="(0, inf)",
            t="(0, inf)",
            e="(0, inf)",
            h="[2, inf)",
        ),
        identity(
            "(1/4)*(4*a^2/K)*((h - 1)/h) = 4*(a^2*(h - 1)/(4*K))/h",
            says="a quarter of the least mean is 4 alpha^^2/h",
            a="(0, 1)",
            K="[4, inf)",
            h="[2, inf)",
        ),
    ),
    argument=(
        "Y_j is the sum of d_i over group j, and X the sum of Y_j^2. Expand E[Y_1^2], E[Y_1^4] and E[Y_1^2 Y_2^2] over tuples of indices, sorted by which of them are equal; the chance that named elements lie in named groups is in the head of this file, and the sums over distinct indices follow from sum d_i = 0 as in the first two steps. "
        "E[X] = h E[Y_1^2] = h(p2 s/N - p2 s(s-1)/(N(N-1))) = s(h-1) p2/(N-1). The third step collects h E[Y_1^4] + h(h-1) E[Y_1^2 Y_2^2]; the fourth compares both formulas with all partitions of small sets. E[X^2] falls with p4, and p4 >= p2^2/N by the fifth step, summed over i; at that p4 the sixth and seventh say E[X^2] <= (1 + 2/(h-1)) E[X]^2. "
        "The eighth and Cauchy-Schwarz (p2 >= (2 alpha)^2/K, as for the mean of the statistic) bound E[X] from below, and Cantelli's inequality for -X at t = (3/4) E[X] gives the probability; the last step writes a quarter of the least mean as 4 alpha^^2/h. If X has no variance, it is its mean."
    ),
    constants=(
        Constant("2", twin="Var[X] <= 1.95 E[X]^2/(h-1)", by="1.95"),
        Constant("32", twin="with 31", by="31"),
    ),
    twins=(
        as_claimed("with + p4 in E[X^2]", -1),
        spread("Var[X] <= 1.95 E[X]^2/(h-1)", "1.95/(h - 1)"),
        smt(
            "v/(v + t^2) <= 31/(9*(h - 1) + 31)",
            ("v*(h - 1) <= 2*e^2", "4*t = 3*e"),
            says="with 31",
            v="(0, inf)",
            t="(0, inf)",
            e="(0, inf)",
            h="[2, inf)",
        ),
    ),
)
