"""Section 4.2: lower bounds for uniformity testing."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.finite import binomial
from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, family, identity, inequality, refutation, scope, smt, theorems
from panshuffle.proofs.worst_neighbours import BATCHES_LARGE_ENOUGH, BATCHES_TOO_LARGE
from panshuffle.symbolic.exhaustive import line

transformation_approximate = Statement(
    where="section 4.2, the last paragraph",
    kind="prose",
    printed=r"Lemma ut-transformation would also apply to an approximate pan-private lower bound: with a lower bound for $(\varepsilon, \delta)$-pan-private "
    r"testers it gives one for $(\varepsilon, \delta, 1/3)$-robustly shuffle private ones.",
    steps=smt(
        "n >= 3*F/80",
        ("80*n/3 >= F",),
        says=r"a lower bound $F$ for pan-private testers is one of $3F/80$ for $n$",
        for_all="n in [3, inf); F in [0, inf)",
    ),
    argument=(
        r"$Q_{P}$ is $(\varepsilon, \delta)$-pan-private by uniformity-transformation-privacy, with the $\delta$ of $P$, and errs with at most $1/3$ and $1/2$. 80 copies "
        r"on consecutive parts of a stream, with a threshold for their votes, err with at most $1/3$ (amplification), and an element changes one copy only, so that "
        r"they are as private. They use $80 n/3$ samples, for which the lower bound holds."
    ),
    rests_on=("uniformity-transformation-privacy", "uniformity-transformation-accuracy:repaired", "amplification"),
    kernel=theorems("paper-lemma-ut-transformation"),
    near_misses=BATCHES_TOO_LARGE,
)


UPDATE = line("I_i <- S(I_{i-1}, R(x_i)) if i <= n', S(I_{i-1}, R(U)) otherwise", uses="I x_i n' i R k")


uniformity_transformation_state = Statement(
    where="section 4.2, Algorithm $Q_{P}$ for uniformity testing, its state",
    printed="The internal state is the shuffled messages $I_{i}$, and the update is a function of it and $x_{i}$.",
    covers=("alg:ut-transformation",),
    severity="convention",
    steps=scope("the update uses the state I and x_i only", "I x_i R k n", (UPDATE,)),
    why="The update compares $i$ with $n'$, and neither is in the state.",
    repair=Repair(
        "The state also holds how many of the coming elements are still used, $n'$ at the start.",
        scope(
            "the update uses the state (I, left) and x_i only",
            "I left x_i R k n",
            (
                line("I_i <- S(I_{i-1}, R(x_i)) if left > 0, S(I_{i-1}, R(U)) otherwise", "I x_i left R k", "I"),
                line("left <- max(0, left - 1)", uses="left", defines="left"),
            ),
        ),
    ),
    survives="Lemma ut-transformation: what is added to the state does not depend on the data.",
    near_misses=scope("The update uses the state (I, n') and x_i only.", "I n' x_i R k n", (UPDATE,)),
)


uniformity_transformation_privacy = Statement(
    where="section 4.2, Lemma ut-transformation, privacy",
    printed=r"If $P$ is $(\varepsilon, \delta, 1/3)$-robustly shuffle private, $Q_{P}$ is $(\varepsilon, \delta)$-pan-private on streams of length $n/3$.",
    reading=r"$n$ is a multiple of 3, $n \ge 3$, and the state also holds how many of the coming elements are still used, which the algorithm needs.",
    covers=("lemma:ut-transformation",),
    steps=BATCHES_LARGE_ENOUGH,
    argument=(
        r"Fix $n'$ and the dummies' data, which do not depend on the stream; a mixture over them is as private. A change at a place above $n'$ changes nothing. One at a "
        r"place up to $t$ is in the first batch, which is the state: $n/3$ dummies and $t$ elements, by the first step more than $n/3$ executions of $R$, so it is "
        r"$(\varepsilon, \delta)$-private by robustness; the output is a function of the state and of independent messages, and post-processing applies. One after $t$ is "
        r"in the last batch, by the second step more than $n/3$ executions, too; the state is independent of it, and given the state the output is a function of that "
        "batch."
    ),
    rests_on=("post-processing",),
    kernel=theorems("paper-lemma-ut-transformation"),
    near_misses=BATCHES_TOO_LARGE,
)


ONE_SIXTH = Fraction(1, 6)


def drawn_above(n: int, most: int) -> Fraction:
    """P[Bin(n, 2/9) > most]."""
    return Fraction(sum(comb(n, x) * 2**x * 7 ** (n - x) for x in range(most + 1, n + 1)), 9**n)


def above_a_third(n: int) -> Fraction:
    """P[Bin(n, 2/9) > n/3]."""
    return drawn_above(n, n // 3)


CHERNOFF, AT_SEVEN_QUARTERS = "0.9682^n", "the exponential bound for the binomial generating function at E = 7/4"

CHERNOFF_BASE = inequality(
    "(7/9 + 2/9*(7/4))/(7/4)^(1/3) <= 0.9682",
    says=r"Chernoff's bound: $P[\mathrm{Bin}(n, 2/9) \ge n/3] \le E[E^{X - n/3}]$ at $E = 7/4$, for each of the $n$ bits",
)


def above_a_third_below(says: str, start: int, limit: Fraction = ONE_SIXTH, step: int = 1) -> tuple[Step, ...]:
    """P[Bin(n, 2/9) > n/3] < limit for every n >= start (every multiple of `step`); beyond 90 by Chernoff's bound."""
    return family(
        says,
        above_a_third,
        limit,
        start,
        90,
        CHERNOFF,
        AT_SEVEN_QUARTERS,
        lambda n: f"n = {n}: the probability is {float(above_a_third(n)):.4f}, not below {limit}",
        step,
    )


transformation_tail = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, proof of Lemma ut-transformation, accuracy",
    kind="step",
    printed=r"By a binomial Chernoff bound, for $n > \sqrt{\ln 12} = 1.576$...: $P[\mathrm{Bin}(n, 2/9) > n/3] < 1/6$.",
    severity="constant",
    steps=exhaustive(
        "for n = 2, which is above the root of ln 12: P[Bin(n, 2/9) > n/3] < 1/6",
        lambda n: above_a_third(n) < ONE_SIXTH,
        [2],
        lambda n: f"n = {n}: P[Bin({n}, 2/9) > {n}/3] = {above_a_third(n)}, which is above 1/6",
    ),
    kernel=refutation("paper-chernoff-step", r"$n = 2$, which is above $\sqrt{\ln 12}$: $1 - (7/9)^{2} = 32/81 > 1/6$"),
    why=(
        r"$\sqrt{\ln 12}$ does not come from the bound that is named: Chernoff's bound at its best point is $0.9681^{n}$, which is below $1/6$ from $n = 56$ on only. The "
        r"claim fails at $n = 2$, 4, 5, 7, 8, 11 and 14."
    ),
    repair=Repair(
        r"For every multiple of 3, as the algorithm's $n$ is, and for every $n \ge 15$; between 2 and 14 it fails exactly at 2, 4, 5, 7, 8, 11 and 14.",
        (
            *above_a_third_below("for every multiple of 3", 3, step=3),
            *above_a_third_below(r"for every $n \ge 15$", 15),
            exhaustive(
                "between 2 and 14 it fails exactly at 2, 4, 5, 7, 8, 11 and 14",
                lambda n: (above_a_third(n) >= ONE_SIXTH) == (n in (2, 4, 5, 7, 8, 11, 14)),
                range(2, 15),
                whole=True,
            ),
            CHERNOFF_BASE,
            inequality("0.9682^n < 1/6", says="the bound that is named is below $1/6$ from $n = 56$ on", n="[56, inf)"),
        ),
        ("exponential-markov", "binomial-generating-function"),
        argument=(
            r"Up to $n = 90$ the probabilities are computed. Beyond, exponential-markov with the generating function of $\mathrm{Bin}(n, 2/9)$ gives "
            r"$P[\mathrm{Bin}(n, 2/9) \ge n/3] \le (7/9 + 2E/9)^{n} E^{-n/3}$, at $E = 7/4$ at most $0.9682^{n}$, which is below $1/6$."
        ),
        kernel=theorems("paper-chernoff-step-repaired"),
    ),
    survives="Lemma ut-transformation survives: its $n$ is a multiple of 3, and larger than some constant.",
    constants=(
        Constant(
            "1/6",
            slack="the largest value at a multiple of 3 is 0.12804... at n = 6, so 0.1281 holds and 0.128 does not (the near miss)",
        ),
    ),
    near_misses=(
        above_a_third_below(r"It holds for every $n \ge 14$", 14)[0],
        above_a_third_below("It is below 0.128 for every multiple of 3", 3, Fraction(128, 1000), step=3)[0],
    ),
)


def accepting_probability(law: list[Fraction], test: list[Fraction]) -> Fraction:
    """The probability of 'uniform'."""
    return sum((p * a for p, a in zip(law, test, strict=True)), Fraction(0))


KEPT = Fraction(9, 10)
"""A user sends the own bit with this probability, and else a fair bit: e^eps = 19, for one user alone."""


def ones_sent(n: int, one: Fraction) -> list[Fraction]:
    """The law of the number of ones that n users send whose samples are 1 with this probability."""
    return list(binomial(n, KEPT * one + (1 - KEPT) / 2).values())


def mixed_ones(n: int, cap: int) -> list[Fraction]:
    """The law of the number of ones sent when min(Bin(n, 2/9), cap) samples are 1 and the others fair bits."""
    law = [Fraction(0)] * (n + 1)
    for drawn in range(cap + 1):
        weight = drawn_above(n, drawn - 1) - (drawn_above(n, drawn) if drawn < cap else 0)
        for own, p in enumerate(ones_sent(drawn, Fraction(1))):
            for x, q in enumerate(ones_sent(n - drawn, Fraction(1, 2))):
                law[own + x] += weight * p * q
    return law


CALIBRATED_ALPHA = Fraction(1, 9) - Fraction(1, 10**9)


def calibrated_test(n: int) -> list[Fraction]:
    """The test for k = 2 that says 'uniform' near n/2, with probability exactly 1/3 at total variation alpha.

    It is an alpha-uniformity tester: further from uniform it says 'uniform' more rarely, and on U it errs with at most
    1/3, which `transformation_error` checks.
    """
    law, test, left = ones_sent(n, Fraction(1, 2) + CALIBRATED_ALPHA), [Fraction(0)] * (n + 1), Fraction(1, 3)
    for distance in range(n % 2, n + 1, 2):
        pair = {(n - distance) // 2, (n + distance) // 2}
        mass = sum((law[x] for x in pair), Fraction(0))
        for x in pair:
            test[x] = min(Fraction(1), left / mass)
        left -= min(mass, left)
    return test


def transformation_error(n: int) -> Fraction:
    """The error of Q_P on the stream of ones, P being the calibrated test on randomized bits, if that is a tester.

    It is one if it errs with at most 1/3 on U and at alpha, on either side.
    """
    test, third = calibrated_test(n), Fraction(1, 3)
    on_uniform, *far = (
        accepting_probability(ones_sent(n, Fraction(1, 2) + off), test)
        for off in (0, CALIBRATED_ALPHA, -CALIBRATED_ALPHA)
    )
    if on_uniform < 2 * third or max(far) > third:
        raise ValueError("the calibrated test is no tester")
    return accepting_probability(mixed_ones(n, n // 3), test)


uniformity_transformation_accuracy = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, Lemma ut-transformation, accuracy",
    kind="lemma",
    printed=r"If $P$ is an $(\varepsilon, \delta, 1/3)$-robustly shuffle private $\alpha$-uniformity tester with sample complexity $n$, and $n$ is larger than some "
    r"absolute constant, $Q_{P}$ solves $9 \alpha/2$-uniformity testing with sample complexity $n/3$.",
    reading="$n$ is a multiple of 3.",
    severity="convention",
    for_all="p, x, t in [0, 1]; a in (0, 1)",
    steps=exhaustive(
        "Q_P errs with at most 1/3 on far streams, for a private P that errs with at most 1/3, n = 90",
        lambda n: transformation_error(n) <= Fraction(1, 3),
        [90],
        lambda n: (
            f"k = 2, n = {n}, alpha = 1/9 - 10^-9, D = (1, 0), at total variation 1/2 > 9 alpha/2: P is a tester and ln 19-private "
            f"for each user alone, and Q_P says 'uniform' with probability 1/3 + {float(transformation_error(n) - Fraction(1, 3)):.1e}"
        ),
    ),
    why=(
        r"The definition of a tester asks for errors of at most $1/3$, and $Q_{P}$ may err a little more than $P$ on far streams, because it uses at most $n/3$ elements: "
        r"for every $n$ a $P$ whose error is just $1/3$ is lost. Evidently 'solves' is up to a constant separation, as section 4 says ('we generally focus on achieving "
        "any such constant separation') and the proof again."
    ),
    repair=Repair(
        r"The errors are at most $1/3$ on uniform and below $1/2$ on far streams; a constant number of repetitions makes both at most $1/3$.",
        (
            smt(
                "p + x < 1/2",
                ("p <= 1/3", "x < 1/6"),
                says="the error of $P$ on the mixture, and the distance of $Q_{P}$ from it",
            ),
            smt("80 >= 22/10/(1/6)^2", says=r"80 repetitions are enough for a separation of $2/3 - 1/2 = 1/6$"),
        ),
        ("transformation-dilution", "transformation-tail:repaired", "amplification"),
        argument=(
            r"On uniform streams $Q_{P}$ is $P$ on $n$ uniform samples. On far ones the mixture $(2/9)D + (7/9)U$ is at total variation above $\alpha$, so $P$ errs on it "
            r"with at most $1/3$, and $Q_{P}$ is within $P[\mathrm{Bin}(n, 2/9) > n/3] < 1/6$ of that (transformation-dilution, transformation-tail)."
        ),
        kernel=theorems("paper-lemma-ut-transformation"),
    ),
    survives="The lower bound survives: repetitions cost a constant factor.",
    constants=(Constant("1/2", by="0.49"),),
    near_misses=smt(
        "p + x < 0.49", ("p <= 1/3", "x < 1/6"), says="The error on far streams is below 0.49 by the same bound."
    ),
)


transformation_dilution = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, proof of Lemma ut-transformation, accuracy, and its displays",
    kind="step",
    printed=r"If the total variation of $D$ and $U$ is above $9 \alpha/2$, that of $(2/9)D + (7/9)U$ and $U$ is above $\alpha$; on uniform streams $Q_{P}$ is $P$ "
    r"on uniform samples; and among $n$ samples from the mixture $\mathrm{Bin}(n, 2/9)$ are from $D$, so with $n' = \min(\mathrm{Bin}(n, 2/9), n/3)$ of "
    r"them the laws differ by less than $1/6$ if $P[\mathrm{Bin}(n, 2/9) > n/3] < 1/6$, and $1/3 + 1/6 = 1/2$.",
    covers=("display-36", "display-37", "display-38"),
    for_all="d, u, t, p, x in [0, 1]; a in (0, 1)",
    steps=(
        identity(
            "(2/9*d + 7/9*u) - u = 2/9*(d - u)",
            says=r"a mass of the mixture less that of $U$ is $2/9$ of that of $D$ less that of $U$",
        ),
        smt("2/9*t > a", ("t > 9/2*a",), says=r"so the total variation is above $\alpha$"),
        identity("1/3 + 1/6 = 1/2", says="$1/3 + 1/6 = 1/2$"),
    ),
    argument=(
        r"The total variation is half the sum of the absolute differences of the masses, which the first step scales. On uniform streams all $n$ executions of $R$ are on "
        r"uniform samples. A sample of the mixture is one of $D$ with probability $2/9$, independently, so $\mathrm{Bin}(n, 2/9)$ of $n$ are, the others are uniform, and "
        r"the shuffler forgets which. $Q_{P}$ with the same number of samples of $D$, cut off at $n/3$, agrees unless it is above $n/3$."
    ),
    kernel=theorems("dilution", "diluted-samples", "transformed-samples", "paper-lemma-ut-transformation"),
    constants=(Constant("9/2", by="4.4"),),
    near_misses=smt("2/9*t > a", ("t > 4.4*a",), says=r"A distance above $4.4 \alpha$ is enough."),
)


uniformity_lower_bound_pan = Statement(
    where="section 4.2, Lemma ut-lower-bound-pan",
    printed=r"For $\varepsilon = O(1)$ and $\alpha < 1/2$, any $\varepsilon$-pan-private $\alpha$-uniformity tester has sample complexity "
    r"$\Omega\left(k^{2/3}/(\alpha^{4/3} \varepsilon^{2/3}) + \sqrt{k}/\alpha^{2} + 1/(\alpha \varepsilon)\right)$.",
    reading=r"$k \ge 2$: for $k = 1$ there is only the uniform distribution, and nothing to test.",
    covers=("lem:ut-lower-bound-pan", "display-39"),
    cited="Theorem 3 of Amin, Joseph, Mao 2019, as the paper cites it; not re-proved here",
)


uniformity_lower_bound = Statement(
    where="section 4.2, Theorem ut-pure-lower-bound",
    printed=r"For $\varepsilon = O(1)$ and $\alpha < 1/9$, any $(\varepsilon, 0, 1/3)$-robustly shuffle private $\alpha$-uniformity tester has sample complexity "
    r"$\Omega\left(k^{2/3}/(\alpha^{4/3} \varepsilon^{2/3}) + \sqrt{k}/\alpha^{2} + 1/(\alpha \varepsilon)\right)$.",
    reading=r"Given Lemma ut-lower-bound-pan, which the paper cites; $k \ge 2$, as for that lemma. (The kernel's theorem is for multiples of 3, and its premise is that "
    "lemma for testers of every constant separation, which repetitions give.)",
    covers=("thm:ut-pure-lower-bound", "display-40"),
    for_all="r in integer [0, inf); n in integer [1, inf); a in (0, 1)",
    steps=(
        smt(
            "r + 1 >= n/3",
            ("3*r <= n", "n <= 3*r + 2"),
            says=r"with $r$ dummies at either end, $r = n/3$ rounded down, a batch with the changed element has at least $n/3$ executions",
        ),
        CHERNOFF_BASE,
        *family(
            r"$P[\mathrm{Bin}(n, 2/9) > n - 2r] < 1/6$ for every $n \ge 1$",
            lambda n: drawn_above(n, n - 2 * (n // 3)),
            ONE_SIXTH,
            1,
            90,
            CHERNOFF,
            AT_SEVEN_QUARTERS,
        ),
        smt("80 >= 22/10/(1/6)^2", says=r"80 repetitions amplify the separation $2/3 - 1/2 = 1/6$"),
        smt("9*a/2 < 1/2", ("a < 1/9",), says=r"$9 \alpha/2$ is in the range of Lemma ut-lower-bound-pan"),
        identity("(9*a/2)^(-4/3) = (9/2)^(-4/3)*a^(-4/3)", says="the first term, up to a constant"),
        identity("(9*a/2)^(-2) = (9/2)^(-2)*a^(-2)", says="the second"),
        identity("(9*a/2)^(-1) = (9/2)^(-1)*a^(-1)", says="the third"),
    ),
    argument=(
        r"Let $P$ be such a tester for $n$ users, $r = n/3$ rounded down, and run $Q_{P}$ with $r$ dummies at either end on a stream of $n - 2r$ elements, of which the "
        r"first $\min(\mathrm{Bin}(n, 2/9), n - 2r)$ are used. It is $\varepsilon$-pan-private as in uniformity-transformation-privacy, by the first step, and by the "
        r"third it errs with at most $1/3$ on uniform and $1/3 + 1/6$ on streams further than $9 \alpha/2$ from uniform (transformation-dilution). Run 80 copies on "
        r"consecutive parts of a stream and compare the votes with a threshold: by amplification both errors are at most $1/3$. An element changes one copy only, and "
        r"the state is the running copy's and the votes so far, so this is $\varepsilon$-pan-private by post-processing. So Lemma ut-lower-bound-pan, with $9 \alpha/2$ "
        r"for $\alpha$, bounds $80(n - 2r) \le 80 n$ from below, and the last three steps put $\alpha$ back."
    ),
    rests_on=(
        "uniformity-lower-bound-pan",
        "uniformity-transformation-privacy",
        "transformation-dilution",
        "amplification",
        "exponential-markov",
        "binomial-generating-function",
        "post-processing",
    ),
    kernel=theorems("paper-thm-ut-pure-lower-bound"),
    kernel_rests_on=("uniformity-lower-bound-pan",),
    constants=(Constant("1/9", by="0.112"),),
    near_misses=smt("9*a/2 < 1/2", ("a < 0.112",), says=r"The cited lemma applies for $\alpha < 0.112$."),
)
