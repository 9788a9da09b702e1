"""Bounds that are not in the paper: amplification by shuffling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from panshuffle.proofs.finite import Law, binomial, image, independent, law_of, neighbours, stick
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt, theorems


def shuffled_reports(table: Sequence[Sequence[Fraction]], data: Sequence[int]) -> Law:
    """The shuffled reports of these users, as a sorted tuple."""
    laws: list[Law] = [dict(enumerate(table[x])) for x in data]
    return image(independent(*laws), lambda seen: tuple(sorted(seen)))


THREE_VALUES = [[Fraction(1, 2) if x == y else Fraction(1, 4) for y in range(3)] for x in range(3)]
"""Three values: the own one with probability 1/2, each of the others with 1/4."""


amplification_by_shuffling = Statement(
    where="not in the paper: amplification by shuffling",
    kind="theorem",
    printed=(
        r"Let finitely many letters $l$ have weights $w_{l} \ge 0$ and messages of laws $K_{l}$, such that every user's law $R(z)$ is at least the sum of the "
        r"$w_{l} K_{l}$. If $R(x)$ is at most $e^{\varepsilon} R(x')$ plus the sum of the $w_{l} c_{l} K_{l}$ plus an extra $\delta$, for all tests with values "
        r"in [0, 1], then the shuffled messages of $N$ users, one of whom changes from $x$ to $x'$, are $(\varepsilon, \delta)$-close with $\delta$ = E[($W_{1} "
        r"+ \dots + W_{N}$)_+]/$N$ plus the extra $\delta$, where the $W_{i}$ are independent, $c_{l}$ with probability $w_{l}$ and 0 with the rest."
    ),
    hypotheses=(
        "$R(z)$ is any law on lists of messages, with countably many outcomes, for each of the inputs $z$; $c_{l}$ is any real number",
        "$K_{l}$ is a law, or $g P - h Q$ for two laws $P$ and $Q$ with $g - h = 1$ that is not negative",
    ),
    for_all="f in [0, 1]; t in (-inf, inf); y in [0, inf); B in (0, inf); w, v in (0, 1); N, j in integer [1, inf)",
    steps=(
        smt("t*f <= y", ("y >= 0", "y >= t"), says=r"for a test's value $f$ in $[0, 1]$: $t f \le \max(t, 0)$"),
        identity(
            "B*w^(j - 1)*v^(N - j)*(w/j) = 1/N*(B*N/j)*w^j*v^(N - j)",
            says=r"$C(N-1, j-1) w^{j-1} (1-w)^{N-j} \frac{w}{j} = \frac{1}{N} C(N, j) w^{j} (1-w)^{N-j}$, $B = C(N-1, j-1)$, $v = 1 - w$",
        ),
    ),
    argument=(
        r"Let $w$ be the sum of the weights. Each of the other users draws a letter, $l$ with probability $w_{l}$, and sends a message of law $K_{l}$, or with probability "
        r"$1 - w$ draws none and sends from what is left of the own law; that gives the user's law. For a test $f$ of the shuffled messages the hypothesis, used for the "
        r"test that $f$ is of the changed user's messages given all others, bounds the gain by the sum over $l$ of $w_{l} c_{l} E[f]$, the changed user sending from "
        r"$K_{l}$, plus the extra $\delta$. If $j - 1$ others have letters, these are independent with probabilities $w_{l}/w$, and which users have them does not depend "
        r"on the letters; so $E[f]$ is the mean of a function $\phi_{j}$ in $[0, 1]$ of the multiset of $j$ letters, the changed user's included, and the sum is $w E[c_{Y_1} "
        r"\phi_{j}(Y_1, \dots, Y_{j})]$ for independent letters $Y_{i}$. By symmetry that is $\frac{w}{j} E[(c_{Y_1} + \dots + c_{Y_{j}}) \phi_{j}]$, at most $\frac{w}{j}$ "
        r"E[($c_{Y_1} + \dots + c_{Y_{j}}$)_+] by the first step. The sum over $j$ with the weights $C(N-1, j-1) w^{j-1} (1-w)^{N-j}$ is, by the second, $1/N$ times the "
        r"mean over $j \sim \mathrm{Bin}(N, w)$, and $c_{Y_1} + \dots + c_{Y_{j}}$ is then the sum of the $W_{i}$. (For $w = 0$ and $w = 1$ the sum has one term.)"
    ),
    kernel=theorems("amplification-by-shuffling"),
    near_misses=identity(
        "B*w^(j - 1)*v^(N - j)*(w/j) = 1/(N + 1)*(B*N/j)*w^j*v^(N - j)",
        says="The bound holds with $N + 1$ in place of $N$.",
    ),
)


clones_of_local_randomizers = Statement(
    where="not in the paper: clones (Feldman, McMillan and Talwar 2021)",
    kind="theorem",
    printed=(
        r"Let $R$ be $\varepsilon_0$-locally private, with any number of messages, and $p = e^{\varepsilon_0}$.  The shuffled messages of $N$ users are "
        r"$(\varepsilon, \delta)$-private with $\delta$ = E[($W_{1} + \dots + W_{N}$)_+]/$N$, where the $W_{i}$ are independent, $\frac{2p(p - "
        r"e^{\varepsilon})}{p+1}$ and $\frac{2p(1 - p e^{\varepsilon})}{p+1}$ with probability $1/(2p)$ each, and 0 with the rest.  They are $(\varepsilon, "
        r"\delta)$-private, too, if the laws of $(A + D, C - A + 1 - D)$ and of $(A + 1 - D, C - A + D)$ are $(\varepsilon, \delta)$-close, where $C \sim "
        r"\mathrm{Bin}(N-1, 1/p)$, $A \sim \mathrm{Bin}(C, 1/2)$, and $D \sim \mathrm{Ber}\left(\frac{p}{p+1}\right)$ is independent of them."
    ),
    hypotheses=(
        r"$\varepsilon_0 > 0$; the law $R(z)$ is $(\varepsilon_0, 0)$-close to $R(z')$ for all inputs $z$ and $z'$, and has countably many outcomes",
        "all users have the same $R$, which does not depend on the messages of others",
    ),
    for_all="p in (1, inf); a, b, r in [0, 1]; E in (0, inf); s, t in [0, inf)",
    steps=(
        identity(
            "(p*((p*a - b)/(p - 1)) + (p*b - a)/(p - 1))/(p + 1) = a",
            says=r"$R(x) = \frac{p K_1 + K_2}{p+1}$ with $K_1 = \frac{p R(x) - R(x')}{p-1}$ and $K_2 = \frac{p R(x') - R(x)}{p-1}$, and $R(x')$ in the same way",
        ),
        smt("(p*a - b)/(p - 1) >= 0", ("b <= p*a",), says=r"both are laws: not negative, of mass 1"),
        identity("(p*a - b)/(p - 1) + (p*b - a)/(p - 1) = a + b", says="$K_1 + K_2 = R(x) + R(x')$"),
        smt(
            "r >= 1/(2*p)*(a + b)",
            ("p*r >= a", "p*r >= b"),
            says=r"every $R(z)$ is at least $\frac{1}{2p} (K_1 + K_2)$",
        ),
        identity(
            "(p*s + t)/(p + 1) - E*(s + p*t)/(p + 1) = 1/(2*p)*(2*p*(p - E)/(p + 1)*s + 2*p*(1 - p*E)/(p + 1)*t)",
            says=r"$R(x) - e^{\varepsilon} R(x')$ is the sum of $w_{l} c_{l} K_{l}$ with the printed $c_{l}$ and $w_{l} = \frac{1}{2p}$",
        ),
    ),
    argument=(
        r"The steps are the hypotheses of amplification-by-shuffling with two letters, for any $x$ and $x'$, event by event, and no extra $\delta$: the first claim. For the "
        r"second, the changed user has the letter 1 with probability $\frac{p}{p+1}$ for $x$ and $\frac{1}{p+1}$ for $x'$, by the first step. Given the numbers of the "
        r"letters 1 and 2 among all users, the changed one included, the rest of the view has one law for $x$ and $x'$, because which other users have letters does not "
        r"depend on the letters. So the shuffled messages are a function of the two numbers and of independent coins, and no further apart."
    ),
    rests_on=("amplification-by-shuffling",),
    kernel=theorems("clones", "clones-as-counts"),
    near_misses=smt(
        "r >= 1.02/(2*p)*(a + b)",
        ("p*r >= a", "p*r >= b"),
        says=r"The bound holds with probability $1.02/(2p)$: every $R(z)$ is at least $\frac{1.02}{2p} (K_1 + K_2)$.",
    ),
)


privacy_blanket = Statement(
    where="not in the paper: the privacy blanket (Balle, Bell, Gascon and Nissim 2019)",
    kind="theorem",
    printed=(
        r"Let every user send one of finitely many messages, $y$ with probability $P_{z}(y)$ for the input $z$, and let $0 \le w(y) \le P_{z}(y)$ for all $z$ "
        r"and $y$. The shuffled messages of $N$ users are $(\varepsilon, \delta)$-private if, for all inputs $x$ and $x'$, $\delta$ is at least E[($W_{1} + "
        r"\dots + W_{N}$)_+]/$N$ plus the sum of ($P_{x}(y) - e^{\varepsilon} P_{x'}(y)$)_+ over the $y$ with $w(y) = 0$, where the $W_{i}$ are independent, "
        r"$\frac{P_{x}(y) - e^{\varepsilon} P_{x'}(y)}{w(y)}$ with probability $w(y)$ and 0 with the rest."
    ),
    hypotheses=(
        "x_+ is $x$ if $x > 0$, and 0 otherwise",
        r"$\varepsilon$ is any real number, and the inputs may be any set",
    ),
    for_all="a, b, f in [0, 1]; E in (0, inf); w in (0, 1]; y in [0, inf)",
    steps=(
        smt(
            "a - E*b = w*((a - E*b)/w)",
            ("w > 0",),
            says=r"a message with weight: $P_{x}(y) - e^{\varepsilon} P_{x'}(y) = w(y) c_{y}$",
        ),
        smt(
            "f*(a - E*b) <= y",
            ("y >= 0", "y >= a - E*b"),
            says=r"one without: a test gains at most $\max(P_{x}(y) - e^{\varepsilon} P_{x'}(y), 0)$ from it",
        ),
    ),
    argument=(
        r"This is amplification-by-shuffling with a letter for each message $y$ with $w(y) > 0$, whose law $K_{y}$ is always $y$: every $P_{z}$ is at least the sum of $w(y) "
        r"K_{y}$, and by the steps $P_{x}$ is at most $e^{\varepsilon} P_{x'}$ plus the sum of $w(y) c_{y} K_{y}$ plus the messages without weight as the extra $\delta$."
    ),
    rests_on=("amplification-by-shuffling",),
    kernel=theorems("blanket"),
    near_misses=smt("f*(a - E*b) <= 0", says="The bound holds without the messages of weight 0."),
)


stronger_clones = Statement(
    where="not in the paper: stronger clones (Feldman, McMillan and Talwar 2022, before the errata to their proof)",
    kind="theorem",
    printed=(
        r"Let every user send one of finitely many messages by the same $\varepsilon_0$-locally private randomizer, $p = e^{\varepsilon_0}$, and "
        r"$-\varepsilon_0 \le \varepsilon \le \varepsilon_0$.  The shuffled messages of $N$ users are $(\varepsilon, \delta)$-private with $\delta$ = E[($W_{1} "
        r"+ \dots + W_{N}$)_+]/$N$, where the $W_{i}$ are independent, $p - e^{\varepsilon}$ and $1 - p e^{\varepsilon}$ with probability $\frac{1}{p+1}$ each, "
        r"and 0 with the rest.  They are $(\varepsilon, \delta)$-private, too, if the laws of $(A + D, C - A + 1 - D)$ and of $(A + 1 - D, C - A + D)$ are "
        r"$(\varepsilon, \delta)$-close, where $C \sim \mathrm{Bin}\left(N-1, \frac{2}{p+1}\right)$, $A \sim \mathrm{Bin}(C, 1/2)$, and $D \sim "
        r"\mathrm{Ber}\left(\frac{p}{p+1}\right)$ is independent of them."
    ),
    hypotheses=(
        r"$\varepsilon_0 > 0$; the law $R(z)$ is $(\varepsilon_0, 0)$-close to $R(z')$ for all inputs $z$ and $z'$, which may be any set",
        "$R$ does not depend on the messages of others: for randomizers that are chosen with the messages so far in hand, nothing is claimed",
    ),
    reading=(
        "The errata of arXiv 2208.04591 withdraw this bound for all locally private randomizers, because a lemma of its proof fails, and keep it for some of "
        "them.  The proof here has no such lemma: every law is at least the larger, message by message, of $U$ and $V$, where $R(x)$ = pU + $V$ and $R(x') = "
        "U$ + pV; that is a privacy blanket, and its noise is less spread out than that of a $U$ and a $V$ with no message in common."
    ),
    for_all="p in (1, inf); a in [0, inf); b in (-inf, 0]; r, u, v in [0, 1]; E in (0, inf); f, g, x, y in (-inf, inf)",
    steps=(
        identity(
            "p*((p*a - b)/(p^2 - 1)) + (p*b - a)/(p^2 - 1) = a",
            says=r"$P_{x} = p U + V$ with $U = \frac{p P_{x} - P_{x'}}{p^{2} - 1} \ge 0$ and $V = \frac{p P_{x'} - P_{x}}{p^{2} - 1} \ge 0$, and $P_{x'} = U + p V$",
            for_all="a, b in [0, 1]",
        ),
        smt(
            "r >= u",
            ("p*r >= p*u + v",),
            says=r"every mass is at least $P_{x}/p \ge U$, and in the same way at least $P_{x'}/p \ge V$",
        ),
        identity(
            "(p*u + v) - E*(u + p*v) = (p - E)*u + (1 - p*E)*v",
            says=r"$P_{x} - e^{\varepsilon} P_{x'} = a U + b V$, $a = p - e^{\varepsilon}$, $b = 1 - p e^{\varepsilon}$",
        ),
        smt("p - E >= 0", ("E <= p",), says=r"$a \ge 0$ for $\varepsilon \le \varepsilon_0$"),
        smt("1 - p*E <= 0", ("p*E >= 1",), says=r"$b \le 0$ for $\varepsilon \ge -\varepsilon_0$"),
        smt(
            "b <= a + r*b <= a",
            ("a >= 0", "b <= 0"),
            says=r"for $r = V/U \le 1$ the value $a + r b$ is between $b$ and $a$; so is $b + r a$ for $r = U/V$",
        ),
        smt(
            "f + r*g <= x + r*y",
            ("(a - b)*f <= (a + r*b - b)*x + (a - a - r*b)*y", "(a - b)*g <= (0 - b)*x + (a - 0)*y", "a > b"),
            says=(
                r"for a convex function with the values $x$ at $a$, $y$ at $b$, $f$ at $a + r b$ and $g$ at 0, of which the last two are below the chord: one $a + r b$ "
                r"and $r$ zeros give no more than one $a$ and $r$ times $b$"
            ),
        ),
    ),
    argument=(
        r"By the first two steps $w = \max(U, V)$, message by message, is a blanket, and privacy-blanket gives $\delta$ = E[($W_{1} + \dots + W_{N}$)_+]/$N$ with $W_{i} = a + b "
        r"V/U$ with probability $U$ where $U \ge V$, and $b + a U/V$ with probability $V$ elsewhere, and 0 with the rest; no extra $\delta$, as $w = 0$ only where $P_{x} = "
        r"P_{x'} = 0$. The printed $W_{i}$ are $a$ and $b$ with probability $\frac{1}{p+1}$ each, the total masses of $U$ and of $V$. By the last step, with $r = V/U$ (and "
        r"with $a$ and $b$ exchanged where $V > U$), message by message and times its mass, the mean of every convex function of one $W_{i}$ is at most that of the printed "
        r"one; ($t + W_{i}$)_+ is convex in $W_{i}$, so replacing one $W_{i}$ after the other does not lower the mean. If $a = b$, both are 0. For the second claim give "
        r"each of $N$ users the letter 1 or 2 with probability $\frac{1}{p+1}$ each: in amplification-by-shuffling with messages that show the letters, the test that the "
        r"sum is positive makes the bound an equality, so that the divergence of the two laws of the counts is just the printed mean, and closeness of the counts at "
        r"$(\varepsilon, \delta)$ says that it is at most $\delta$."
    ),
    rests_on=("privacy-blanket", "amplification-by-shuffling"),
    kernel=theorems("stronger-clones", "stronger-clones-as-counts"),
    constants=(Constant("1", by="1.04"),),
    near_misses=smt(
        "(p - 1)*p/(p + 1)^2 <= (p - 1)/(p + 1)*(1 - 1.04/(p + 1))",
        says=r"The bound holds with probability $\frac{1.04}{p+1}$: for two users of binary response at $\varepsilon = 0$, whose $\delta$ is "
        r"$\frac{p(p-1)}{(p+1)^{2}}$ if the other one holds $x'$, it is $\frac{p-1}{p+1} (1 - q)$ with probability $q$, which is $\delta$ at $q = \frac{1}{p+1}$.",
    ),
)


def accountant_pair(users: int, p: Fraction, beta: Fraction, own: int) -> Law:
    """The counts (A + D1, C - A + D2), C ~ Bin(n-1, 2r) and A ~ Bin(C, 1/2), with alpha = beta/(p-1) and r = alpha."""
    alpha = beta / (p - 1)
    first, second = (p * alpha, alpha) if own else (alpha, p * alpha)
    changed = {(1, 0): first, (0, 1): second, (0, 0): 1 - alpha - p * alpha}
    return law_of(
        ((a + d1, c - a + d2), often * half * mass)
        for c, often in enumerate(binomial(users - 1, 2 * alpha).values())
        for a, half in enumerate(binomial(c, Fraction(1, 2)).values())
        for (d1, d2), mass in changed.items()
    )


VARIATION_EXP_EPS = Fraction(7, 4)


@cache
def least_deltas() -> tuple[Fraction, ...]:
    """p and beta of the three values, the least delta of the pair, both ways, and that of the reports, at e^eps = 7/4."""
    laws: list[Law] = [dict(enumerate(row)) for row in THREE_VALUES]
    rows = list(product(laws, repeat=2))
    first, second = (accountant_pair(2, Fraction(2), Fraction(1, 4), side) for side in (1, 0))
    reports = [[shuffled_reports(THREE_VALUES, x) for x in both] for both in neighbours(range(3), 2)]
    return (
        max(x[message] / y[message] for x, y in rows for message in range(3)),
        max(stick(x, y, Fraction(1)) for x, y in rows),
        stick(first, second, VARIATION_EXP_EPS),
        stick(second, first, VARIATION_EXP_EPS),
        max(stick(x, y, VARIATION_EXP_EPS) for x, y in reports),
    )


def deltas_are(says: str, holds: Callable[[tuple[Fraction, ...]], bool]) -> Step:
    """A claim about `least_deltas`."""
    return exhaustive(says, lambda _: holds(least_deltas()), [0], lambda _: str(least_deltas()), whole=True)


variation_ratio_bound = Statement(
    where="not in the paper: the variation-ratio bound (Wang and others 2024), as their public code computes it",
    kind="theorem",
    printed=(
        r"The variation-ratio bound is none.  It says: if $R$ is $\varepsilon_0$-locally private, $p = e^{\varepsilon_0}$, and $\beta$ is the largest total "
        r"variation of two laws $R(x)$ and $R(x')$, then the shuffled messages of $n$ users are $(\varepsilon, \delta)$-private as soon as the laws of $(A + "
        r"D_1, C - A + D_2)$ and of $(A + D_2, C - A + D_1)$ are $(\varepsilon, \delta)$-close, both ways, where $\alpha = \frac{\beta}{p-1}$, $C \sim "
        r"\mathrm{Bin}(n-1, 2 \alpha)$, $A \sim \mathrm{Bin}(C, 1/2)$, and $(D_1, D_2)$ is (1, 0) with probability $p \alpha$, (0, 1) with $\alpha$ and (0, 0) "
        r"with the rest.  Against it: report the own one of three values with probability $1/2$ and each of the others with $1/4$, so that $p = 2$ and $\beta = "
        r"1/4$; $n = 2$; $e^{\varepsilon} = 7/4$.  The least $\delta$ of the pair is $1/64$, both ways, and that of the shuffled reports is $1/32$."
    ),
    hypotheses=(
        r"the code is called with $q = p$, as its table says for randomized response, so that its $r$ is $\alpha$",
    ),
    steps=deltas_are(
        r"$p = 2$, $\beta = 1/4$; the least $\delta$ of the pair is $1/64$ in both directions, and that of the reports $1/32$",
        lambda found: found == (Fraction(2), Fraction(1, 4), Fraction(1, 64), Fraction(1, 64), Fraction(1, 32)),
    ),
    kernel=theorems("variation-ratio-refuted", "variation-ratio-pair", "three-response", "three-response-parameters"),
    constants=(Constant("1/64", by="0.0155"), Constant("1/32", by="0.031", near_miss=1)),
    near_misses=(
        deltas_are("The pair has delta at most 0.0155.", lambda found: found[2] <= Fraction("0.0155")),
        deltas_are("The shuffled reports have delta at most 0.031.", lambda found: found[4] <= Fraction("0.031")),
    ),
)
