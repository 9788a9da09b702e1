"""Section 3.2: lower bounds for distinct elements, by transformation to pan-privacy."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import (
    exhaustive,
    identity,
    induction,
    inequality,
    no_constant,
    refutation,
    smt,
    theorems,
)
from panshuffle.proofs.worst_neighbours import BATCHES_TOO_LARGE

geometric_distinct_elements = Statement(
    where="section 3.2, the last paragraph, and section 1.1",
    kind="prose",
    printed=r"The trivial $\varepsilon$-centrally private solution of computing the number of distinct elements and adding geometric noise achieves error "
    r"$O(1/\varepsilon)$ for any $\varepsilon$ and $n$.",
    reading=r"The geometric noise is the symmetric one: P[noise = $v$] = $\frac{1-s}{1+s} s^{|v|}$ for whole $v$, $s = e^{-\varepsilon}$; $\varepsilon > 0$.",
    rests_on=("geometric-worst-neighbour", "markov"),
    for_all="s in (0, 1); v in [0, inf); e in (0, inf)",
    steps=(
        identity(
            "(1 - s)/(1 + s)*s^v/((1 - s)/(1 + s)*s^(v + 1)) = 1/s",
            says=r"neighbouring masses have the ratio $e^{\varepsilon}$",
        ),
        identity(
            "2*(1 - s)/(1 + s)*(s/(1 - s)^2) = 2*s/(1 - s^2)",
            says=r"$E$|noise| = 2 $\frac{1-s}{1+s}$ sum of $v s^{v} = \frac{2s}{1-s^{2}}$",
        ),
        inequality("2*exp(-e)/(1 - exp(-2*e)) <= 1/e", says=r"which is at most $1/\varepsilon$"),
    ),
    argument=(
        r"By geometric-worst-neighbour the law of the output moves by at most 1, and neighbouring masses $s^{|v|}$ have the ratio $1/s = e^{\varepsilon}$ or "
        r"$s$, the first step: $\varepsilon$-private. $E$|noise| = 2 $\frac{1-s}{1+s}$ sum of $v s^{v}$ with sum of $v s^{v} = \frac{s}{(1-s)^{2}}$ is "
        r"$\frac{2s}{1-s^{2}}$, at most $1/\varepsilon$; by markov the error is at most $3/\varepsilon$ with probability $2/3$."
    ),
    constants=(Constant("1", by="0.99"),),
    near_misses=inequality(
        "2*exp(-e)/(1 - exp(-2*e)) <= 0.99/e", says=r"The mean error is at most $0.99/\varepsilon$."
    ),
)


not_a_multiple_of_three = Statement(
    where="section 3.2, the remark after the transformation",
    kind="prose",
    printed="This construction assumes $n$ is a multiple of 3, but this constraint can be removed by using $n/3$ rounded up and down where appropriate.",
    reading=r"$n/3$ rounded up twice, $n \ge 2$ ($n/3$ rounded up), and a stream of what is left: shorter than $n/3$, where $n$ is not a multiple of 3. Rounded "
    "down both times the stream is longer, and the changed element itself makes up for the rounding (the other theorem, for finite laws).",
    rests_on=("distinct-transformation-privacy", "distinct-transformation-accuracy"),
    for_all="n in integer [2, inf); u in integer [1, inf); t in integer [0, inf)",
    steps=(
        smt(
            "0 <= n - 2*u",
            ("3*u >= n", "3*u <= n + 2"),
            says=r"$u = \lceil n/3 \rceil$ twice leaves a stream of at least 0 elements for $n \ge 2$",
        ),
        smt(
            "3*(u + t) >= n",
            ("3*u >= n",),
            says=r"rounded up, each batch has at least $\lceil n/3 \rceil \ge n/3$ executions, $t$ being the elements of the stream in it",
        ),
        smt(
            "3*(u + t) >= n",
            ("3*u >= n - 2", "t >= 1"),
            says="rounded down, the batch of the changed element has that element, too",
            for_all="u in integer [0, inf); t in integer [1, inf)",
        ),
    ),
    argument=r"The proof of distinct-transformation-privacy uses of the sizes only that the batch of the changed element, the state or what comes after it, has at least $n/3$ executions of $R$: the second step, or the third if $n/3$ is "
    r"rounded down. distinct-transformation-accuracy uses that the dummies are copies of one element and that the length of all is $n$: the stream has $n - 2u$ elements, the first step.",
    kernel=theorems("paper-lem-de-transformation-any-n", "distinct-transformation-floor"),
    near_misses=smt(
        "0 <= n - 2*u",
        ("3*u >= n", "3*u <= n + 2"),
        says="Rounded up both times there is a stream for every $n$.",
        n="integer [1, inf)",
    ),
)


distinct_transformation_range = Statement(
    where="section 3.2, Algorithm $Q_{P}$ for distinct elements, its output",
    printed="$Q_{P}$ outputs an integer in $[k]$.",
    reading=r"With $P = P_{\mathrm{DE}}$, the protocol that the paper has for the problem.",
    covers=("alg:de-transformation",),
    steps=exhaustive(
        "the output is a whole number from 1 to k, for k <= 3, e^eps in {2, 3} and every C in 0, ..., k",
        lambda case: case[3].denominator == 1 and 1 <= case[3] <= case[0],
        [(k, e, c, Fraction(2 * c * e - k, e - 1)) for k in range(1, 4) for e in (2, 3) for c in range(k + 1)],
        "k = {0[0]}, e^eps = {0[1]}, C = {0[2]}: the output is {0[3]}".format,
    ),
    kernel=refutation(
        "estimate-range-refuted", r"$k = 1$, $C = 0$, $\varepsilon = 1$: the output is $-\frac{1}{e - 1}$"
    ),
    severity="convention",
    why=r"$A_{\mathrm{DE}}$ de-biases a count, so its output is a real number that may be negative or above $k$.",
    repair=Repair(
        r"The output is a real number between $-\frac{k}{e^{\varepsilon} - 1}$ and $\frac{k(2e^{\varepsilon} - 1)}{e^{\varepsilon} - 1}$.",
        smt(
            "-k/(E - 1) <= (2*C*E - k)/(E - 1) <= k*(2*E - 1)/(E - 1)",
            ("C <= k",),
            says=r"$z = \frac{2C e^{\varepsilon} - k}{e^{\varepsilon} - 1}$ for $0 \le C \le k$",
            for_all="E in (1, inf); k in [1, inf); C in [0, inf)",
        ),
        kernel=theorems("estimate-range"),
    ),
    survives="Lemma de-transformation does not use the range.",
    near_misses=smt(
        "(2*C*E - k)/(E - 1) <= k",
        ("C <= k",),
        says="The output is at most $k$.",
        for_all="E in (1, inf); k in [1, inf); C in [0, inf)",
    ),
)


distinct_transformation_privacy = Statement(
    where="section 3.2, Lemma de-transformation, privacy",
    printed=r"If $P$ is $(\varepsilon, \delta, 1/3)$-robustly shuffle private, $Q_{P}$ is $(\varepsilon, \delta)$-pan-private on streams of length $n/3$.",
    hypotheses=("$n$ is a multiple of 3, as the paper says",),
    covers=("lem:de-transformation", "display-16"),
    rests_on=("common-factor", "post-processing", "shuffler-forgets-order", "robust-shuffle-privacy"),
    for_all="n in [3, inf); t in [0, inf)",
    steps=(
        smt("n/3 + t >= n/3", says="the state at $t$ has the dummies and $t$ elements"),
        smt(
            "(n/3 - t) + n/3 >= n/3",
            ("t <= n/3",),
            says=r"what comes after it has $2n/3 - t$ executions: each batch has at least a third of $n$, so $\gamma' \ge 1/3$",
        ),
    ),
    argument=(
        r"Let the streams differ at $j$, and the intrusion be at $t$. The messages are drawn independently, so the state $I_{t}$ and the batch $I_{>t}$ of what comes after it are independent, and each is the shuffled messages of its own executions of $R$ (shuffler-forgets-order). If $j \le t$ the law of "
        r"$I_{>t}$ is the same for both streams, and $I_{t}$ is $S \circ R^{\gamma' n}$ of neighbouring data; if $j > t$ it is the other way round. By the steps $\gamma' \ge 1/3$, so robust privacy makes the batch that differs $(\varepsilon, \delta)$-private, common-factor the pair $(I_{t}, I_{>t})$, and "
        r"the state with the output, $A$ of both batches shuffled together, is a random function of that pair: post-processing."
    ),
    kernel=theorems("paper-lem-de-transformation"),
    near_misses=BATCHES_TOO_LARGE,
)


ERRORS_ADD_UP = ("-a <= z - w", "z - w <= a", "0 <= w - d", "w - d <= 1")

distinct_transformation_accuracy = Statement(
    label="lem:de-transformation",
    where="section 3.2, Lemma de-transformation, accuracy",
    kind="lemma",
    printed=r"If $P$ solves the $(\alpha, \beta)$-distinct elements problem on length $n$, $Q_{P}$ solves the $(\alpha+1, \beta)$-problem on length $n/3$.",
    hypotheses=("$n$ is a multiple of 3, as the paper says",),
    rests_on=("shuffler-forgets-order",),
    for_all="z in (-inf, inf); d, w, a in [0, inf)",
    steps=smt(
        "-(a + 1) <= z - d <= a + 1",
        ERRORS_ADD_UP,
        says=r"$|z - D(w)| \le \alpha$ and $0 \le D(w) - D(x) \le 1$ give $|z - D(x)| \le \alpha + 1$",
    ),
    argument=r"The final messages of $Q_{P}$ are those of $P$ on $w = (1, \dots, 1, x, 1, \dots, 1)$, up to the order, which the last shuffle makes uniform (shuffler-forgets-order): $Q_{P}(x)$ has the law of $P(w)$. The dummies are copies of one element, so "
    r"$D(w) - D(x)$ is 0 or 1. By the step the event that $P(w)$ is within $\alpha$ of $D(w)$, of probability at least $1 - \beta$, is within the one that $Q_{P}(x)$ is within $\alpha + 1$ of $D(x)$.",
    kernel=theorems("paper-lem-de-transformation"),
    constants=(Constant("1", slack="not tight: 1/2 suffices if the output is moved by 1/2"),),
    near_misses=smt("z - d <= a", ERRORS_ADD_UP, says=r"$Q_{P}$ solves the $(\alpha, \beta)$-problem."),
)


distinct_transformation_accuracy_sharper = Statement(
    label="lem:de-transformation",
    where="beside Lemma de-transformation, section 3.2",
    kind="sharper",
    printed=r"If $P$ solves the $(\alpha, \beta)$-distinct elements problem on length $n$, $Q_{P}$ with $1/2$ taken off its output solves the $(\alpha + 1/2, "
    r"\beta)$-problem on length $n/3$, with the same privacy.",
    hypotheses=("$n/3$ is rounded down where $n$ is not a multiple of 3", "the laws of $P$ are finite"),
    rests_on=(
        "distinct-transformation-accuracy",
        "distinct-transformation-privacy",
        "not-a-multiple-of-three",
        "post-processing",
    ),
    for_all="z in (-inf, inf); d, a in [0, inf)",
    steps=smt(
        "-(a + 1/2) <= z - 1/2 - d <= a + 1/2",
        ERRORS_ADD_UP,
        says=r"$|z - D(w)| \le \alpha$ and $0 \le D(w) - D(x) \le 1$ give $|z - 1/2 - D(x)| \le \alpha + 1/2$",
        w="[0, inf)",
    ),
    argument=r"As for distinct-transformation-accuracy, with this step in place of its first; taking $1/2$ off the output is post-processing. Where $n$ is not a multiple of 3, not-a-multiple-of-three.",
    kernel=theorems("distinct-transformation-half"),
    near_misses=smt(
        "z - 1/2 - d <= a + 0.49",
        ERRORS_ADD_UP,
        says=r"$Q_{P}$ solves the $(\alpha + 0.49, \beta)$-problem.",
        w="[0, inf)",
    ),
    constants=(Constant("1/2", by="0.49"),),
)


distinct_transformation_strict = Statement(
    label="lem:de-transformation",
    where="section 3.2, proof of Lemma de-transformation, accuracy",
    kind="step",
    printed=r"'By the accuracy guarantee of $P$, $P[|P(w) - D(w)| > \alpha] < \beta$', where the definition gives $P[|P(w) - D(w)| \le \alpha] \ge 1 - \beta$.",
    for_all="bad, good in [0, 1]; b in (0, 1)",
    steps=smt(
        "bad < b",
        ("bad + good = 1", "good >= 1 - b"),
        says=r"an error of probability below $\beta$, from a success probability of at least $1 - \beta$",
    ),
    kernel=refutation(
        "error-strict-refuted",
        r"a fair coin of error 0 or 1 at $\alpha = 0$ and $\beta = 1/2$: P[> $\alpha$] = $\beta$",
    ),
    severity="convention",
    why=r"The definition allows equality: an algorithm that errs with probability exactly $\beta$ solves the problem.",
    repair=Repair(
        r"$P[|P(w) - D(w)| > \alpha] \le \beta$, which is all that the lemma needs.",
        smt("bad <= b", ("bad + good = 1", "good >= 1 - b"), says=r"an error of probability at most $\beta$"),
        kernel=theorems("error-not-strict"),
    ),
    survives="Lemma de-transformation survives.",
    near_misses=smt(
        "bad <= 0.99*b", ("bad + good = 1", "good >= 1 - b"), says=r"The error probability is at most $0.99 \beta$."
    ),
)


transformation_index = Statement(
    label="lem:de-transformation",
    where=r"section 3.2, proof of Lemma de-transformation, privacy: '$(x_{t+1}, \dots, x_{n}, 1, \dots, 1)$'",
    kind="step",
    printed=r"$(x_{t+1}, \dots, x_{n}, 1, \dots, 1)$ with $n/3$ ones are the $2n/3 - t$ inputs after time $t$: $(n - t) + n/3 = 2n/3 - t$.",
    for_all="n in [3, inf); t in [0, inf)",
    steps=identity("(n - t) + n/3 = 2*n/3 - t", says="the number of entries as printed"),
    kernel=refutation("transformation-index-refuted", "$n = 3$, $t = 0$: 4 inputs, not 2"),
    severity="convention",
    why="The stream has $n/3$ elements, not $n$; the same in the line for $x'$.",
    repair=Repair(
        r"$(x_{t+1}, \dots, x_{n/3}, 1, \dots, 1)$.",
        identity("(n/3 - t) + n/3 = 2*n/3 - t", says="with the $n/3$ elements of the stream"),
        kernel=theorems("transformation-index"),
    ),
    survives="A misprint: the lemma is not touched.",
    near_misses=identity("(n/3 - t) + n/3 = 2*n/3 - t + 1", says="The repair has one entry more."),
)


distinct_lower_bound_pan = Statement(
    where="section 3.2, Lemma de-lower-bound-pan",
    printed=(
        r"If an $(\varepsilon, \delta)$-pan-private $Q$ solves the $(\alpha, \beta)$-distinct elements problem on length $n$ for $\alpha = "
        r"o\left(\sqrt{k}\right)$, $\beta < 0.1$ and $n \ge k$, then $\varepsilon = \omega(1)$ or $\delta = \omega(1/n)$."
    ),
    covers=("lem:de-lower-bound-pan",),
    cited="implicit in Corollary 3 of Mir, Muthukrishnan, Nikolov, Wright 2011, as the paper cites it; not re-proved here",
)


CONSTANT_ANSWER = smt(
    "-(k - 1)/2 <= (k + 1)/2 - d <= (k - 1)/2",
    ("1 <= d", "d <= k"),
    says=r"$1 \le D \le k$: the constant answer $\frac{k+1}{2}$ errs by at most $\frac{k-1}{2}$",
    for_all="k, d in [1, inf)",
)


def constant_answer_refutes(says: str) -> Step:
    """No constant c > 0 has alpha >= c sqrt(k/eps) for every eps <= 1, however large k is.

    The constant answer (k+1)/2 is (0, 0)-private, whatever n is, and errs by at most (k-1)/2.
    """
    return no_constant(
        says,
        smt(
            "(k - 1)^2/4 < c^2*k/(c^2/k)",
            says=r"any $k \ge 2$, $\varepsilon = c^{2}/k$, any $n$, $\delta = 0$: the constant answer $\frac{k+1}{2}$ errs by at most $\frac{k-1}{2}$, less than $c "
            r"\sqrt{k/\varepsilon}$, however small $c$ and however large $k$ is",
            for_all="c in (0, 1]; k in [2, inf)",
        ),
        "c",
        toward="0",
    )


STRONGER_CONDITIONS = (
    smt(
        "n >= c*k",
        ("n >= c*k/e",),
        says=r"$n \ge c k/\varepsilon$, $c = 1$ or 3, is more than distinct-lower-bound-hypotheses asks for",
        for_all="n, c, k in [1, inf); e in (0, 1]",
    ),
    smt(
        "d <= c/n",
        ("d <= c*e/n",),
        says=r"and so is $\delta = O(\varepsilon/n)$",
        for_all="d in [0, 1]; c in (0, inf); n in [1, inf); e in (0, 1]",
    ),
)


SMALL_DOMAIN = (
    r"One may object that the bound is false for $k \varepsilon < 1$, which nothing excludes in print, and call it an error; but the proof works on the domain $[k \varepsilon]$ and ignores ceilings and floors, so $k \varepsilon$ is evidently meant to be "
    r"at least 1, and above a constant like every size in an $\Omega$."
)


distinct_lower_bound_pan_2 = Statement(
    where="section 3.2, Lemma de-lower-bound-pan-2",
    printed=r"Let $\varepsilon \le 1$, $\delta = O(\varepsilon/n)$, $\beta < 0.1$. If an $(\varepsilon, \delta)$-pan-private $Q$ solves the $(\alpha, "
    r"\beta)$-distinct elements problem on length $n \ge k/\varepsilon$, then $\alpha = \Omega\left(\sqrt{k/\varepsilon}\right)$.",
    covers=("lem:de-lower-bound-pan-2",),
    severity="convention",
    referee=SMALL_DOMAIN,
    kernel_rests_on=("distinct-lower-bound-pan",),
    steps=(
        CONSTANT_ANSWER,
        constant_answer_refutes(
            r"some constant $c > 0$ has $\alpha \ge c \sqrt{k/\varepsilon}$ for every pan-private algorithm, $\varepsilon \le 1$ and $n \ge k/\varepsilon$"
        ),
    ),
    kernel=refutation(
        "paper-lem-de-lower-bound-pan-2",
        r"an algorithm that keeps nothing and answers $\frac{k+1}{2}$ errs by less than $k/2$, which is below $a \sqrt{k/\varepsilon}$ for small $\varepsilon$",
    ),
    why=r"$D(x)$ is between 1 and $k$, so the constant answer $\frac{k+1}{2}$ errs by less than $k/2$, and with $\varepsilon$ below $1/k$ that is less than "
    r"$\sqrt{k/\varepsilon}$. The reduction works on the domain $[k \varepsilon]$, which must be large.",
    repair=Repair(
        r"If Lemma de-lower-bound-pan, which the paper cites, holds: the same for $k \varepsilon$ above a constant.",
        STRONGER_CONDITIONS,
        ("distinct-lower-bound-hypotheses",),
        argument=r"distinct-lower-bound-hypotheses has the same conclusion from weaker conditions, by the two steps.",
        kernel=theorems("paper-lem-de-lower-bound-pan-2-repaired"),
    ),
    survives="Theorem de-lower-bound inherits the missing hypothesis; so does Figure 1.",
    near_misses=smt("n >= k", ("n >= 0.98*k",), says=r"$n \ge 0.98k$ is enough.", for_all="n, k in [1, inf)"),
)


distinct_lower_bound_hypotheses = Statement(
    label="lem:de-lower-bound-pan-2",
    where="beside Lemma de-lower-bound-pan-2 and Theorem de-lower-bound, section 3.2",
    kind="sharper",
    printed=(
        r"$\alpha = \Omega\left(\sqrt{k/\varepsilon}\right)$ holds for $k \varepsilon$ above a constant already with $n \ge k$ ($n \ge 3k$ for the theorem) and "
        r"$\delta = O(1/n)$, in place of $n \ge k/\varepsilon$ and $\delta = O(\varepsilon/n)$, all roundings included."
    ),
    hypotheses=(
        r"$\varepsilon \le 1$, $\beta < 0.1$, $k \varepsilon$ above a constant",
        "$n$ is a multiple of 3 for the theorem, as in the transformation",
    ),
    rests_on=(
        "distinct-lower-bound-pan",
        "group-privacy-step:repaired",
        "distinct-transformation-privacy",
        "distinct-transformation-accuracy",
    ),
    for_all="q, k in [1, inf); e in (0, 1]; m, K, a in [0, inf); n, c, s, r, x in (0, inf); g in (0, 2]; d in [0, 1]",
    steps=(
        smt(
            "1/2 <= q*e <= 1",
            ("q <= 1/e", "1/e < q + 1"),
            says=r"$q = \lfloor 1/\varepsilon \rfloor$ copies: $q \varepsilon$ is from $1/2$ to 1",
            q="integer [1, inf)",
        ),
        smt(
            "K < m + 1",
            ("K*q <= k", "n < (m + 1)*q", "n >= k"),
            says=r"$Q'$ has the domain $[K]$, $K = \lfloor k/q \rfloor$, and length $m = \lfloor n/q \rfloor \ge K$, both whole",
            n="[1, inf)",
        ),
        smt(
            "K >= k/(2*q)",
            ("k < (K + 1)*q", "K >= 1"),
            says=r"$K \ge \frac{k}{2q}$ once $K \ge 1$, that is $k \ge q$",
            k="(0, inf)",
        ),
        inequality(
            "(exp(1) - 1)/(exp(e) - 1) <= (exp(1) - 1)/e",
            says=r"its $\delta'$ is at most $\frac{(e-1) \delta}{\varepsilon}$",
        ),
        smt(
            "g*d/e <= 2*g*c/m",
            ("d <= c/n", "m*q <= n", "q*e >= 1/2"),
            says=r"which is $O(1/m)$ if $\delta \le c/n$, $g = e - 1$",
            m="(0, inf)",
        ),
        smt(
            "a + 1 >= c/2*r",
            ("a + 1 >= c*q*s", "s^2 >= k/(2*q)", "r^2 = k/e", "q*e >= 1/2"),
            says=r"$(\alpha + 1)/q \ge c \sqrt{K}$ gives $\alpha + 1 \ge (c/2) \sqrt{k/\varepsilon}$",
            for_all="c in (0, 1]; k in (0, inf)",
        ),
        smt(
            "a >= x/2",
            ("a + 2 >= x", "x >= 4"),
            says=r"and $\alpha + 2 \ge x$ gives $\alpha \ge x/2$ for $x = (c/2) \sqrt{k/\varepsilon} \ge 4$",
        ),
        smt("n/3 >= k", ("n >= 3*k",), says=r"and $Q_{P}$ has length $n/3 \ge k$"),
    ),
    argument=(
        r"As in the lemma's proof, with the roundings: let $q = \lfloor 1/\varepsilon \rfloor$, $K = \lfloor k/q \rfloor$ and $m = \lfloor n/q \rfloor$. $Q'$ on the domain $[K]$ and length $m$ names $K q$ of the $k$ elements of $Q$ as pairs, hands $Q$ the $q$ elements $(j, 1), \dots, (j, q)$ "
        r"for each $j$ that comes, in the end $n - m q$ copies of one element, and answers $Q$'s answer divided by $q$. $Q$'s stream has $q D$ or, by the copies in the end, $q D + 1$ distinct elements, so $Q'$ errs by at most $(\alpha + 1)/q$ with probability $1 - \beta$. A changed element of its stream is "
        r"$q$ changed elements of $Q$'s, between two views of $Q$'s state, so by group-privacy-step, $q \varepsilon \le 1$, $Q'$ is $(1, \delta')$-pan-private with $\delta' \le \frac{(e-1) \delta}{\varepsilon}$, which is $O(1/m)$ by the fifth step. Its length is at least $K$ by the second. So the cited lemma, in "
        r"the form that for a constant loss and $\delta' = O(1/m)$ the error is at least $c \sqrt{K}$ for $K$ above a constant, applies: $(\alpha + 1)/q \ge c \sqrt{K}$. The third and the sixth step make that $\alpha + 1 \ge (c/2) \sqrt{k/\varepsilon}$, and as $k/\varepsilon \ge k \varepsilon$ is above a constant, the seventh gives "
        r"$\alpha = \Omega\left(\sqrt{k/\varepsilon}\right)$; $K \ge k \varepsilon - 1$ is above a constant, too. For the theorem apply this to $Q_{P}$, which is pan-private, has length $n/3 \ge k$ and error $\alpha + 1$ (hence $\alpha + 2$ in the seventh step)."
    ),
    near_misses=smt(
        "K < m + 1",
        ("K*q <= k", "n < (m + 1)*q", "n >= 0.99*k"),
        says=r"With $n \ge 0.99k$ the stream of $Q'$ is at least as long as its domain is large.",
        n="[1, inf)",
    ),
)


# Three datasets x0, x1, x2, each a neighbour of the next; P0, P1, P2 are the probabilities of one event.
TWO_PRIVACY_STEPS = ("p1 <= E*p2 + d", "p0 <= E*p1 + d")


group_privacy_step = Statement(
    label="lem:de-lower-bound-pan-2",
    where=r"section 3.2, proof of Lemma de-lower-bound-pan-2: 'by composition across the $1/\varepsilon$ copies $\dots (1, \delta/\varepsilon)$'",
    kind="step",
    printed=r"If $Q$ is $(\varepsilon, \delta)$-pan-private, $1/\varepsilon$ a whole number, changing $1/\varepsilon$ elements at once is $(1, "
    r"\delta/\varepsilon)$-pan-private, 'by composition'.",
    severity="constant",
    for_all="s in (0, inf); E in (1, inf); d, p, q, r, p0, p2 in [0, 1]; c in [0, inf); F in [1, inf); e in (0, 1]",
    steps=(
        inequality(
            "9/10 <= exp(1/2)*((9 - exp(1/2))/10) <= exp(1)*(9/10)",
            says=r"the laws of the state on $(A, B, E)$ after no, one and two special elements are $\left(\frac{9}{10}, \frac{1}{10}, 0\right)$, $\left(\frac{9-s}{10}, \frac{s}{10}, \frac{1}{10}\right)$ and "
            r"$\left(\frac{(9-s)^{2}}{90}, \frac{s(9-s)}{90}, \frac{1+s}{10}\right)$, $s = e^{1/2}$; the masses of $A$ after none and one have ratios within $e^{\pm 1/2}$",
        ),
        inequality(
            "(9 - exp(1/2))/10 <= exp(1/2)*((9 - exp(1/2))^2/90) <= exp(1)*((9 - exp(1/2))/10)",
            says="so have those after one and two",
        ),
        inequality("1/10 <= exp(1/2)*(exp(1/2)/10) <= exp(1)*(1/10)", says="and those of $B$ after none and one"),
        inequality(
            "exp(1/2)/10 <= exp(1/2)*(exp(1/2)*(9 - exp(1/2))/90) <= exp(1)*(exp(1/2)/10)", says="and after one and two"
        ),
        identity(
            "(1 + s)/10 = s*(1/10) + 1/10",
            says=r"$E$ has the mass $\delta = 1/10$ after one, and after two $e^{1/2}$ times that and $\delta$: each neighbouring pair is $(1/2, 1/10)$-close",
        ),
        inequality(
            "(1 + exp(1/2))/10 <= exp(1)*0 + 2*(1/10)",
            says=r"after two $E$ has at most $e$ times its mass after none plus $\delta/\varepsilon = 2 \delta$",
        ),
    ),
    kernel=refutation(
        "paper-group-privacy-step",
        r"$\varepsilon = 1/2$, $\delta = 1/10$, streams of two elements: the state is $E$ with probability $\frac{1 + e^{1/2}}{10} = 0.2648$... after two special elements, with 0 after none, and $e \cdot 0 + 2 \delta = 0.2$",
    ),
    why=r"This is group privacy, not composition: the copies are changes of one input, and $\delta$ grows with powers of $e^{\varepsilon}$, $\delta(1 + "
    r"e^{\varepsilon})$ at two changes. The counterexample has $\varepsilon = 1/2$ and $\delta = 1/10$: the state is $A$ with probability $9/10$, else $B$; a special element moves $A$ to $B$ "
    r"with probability $e^{1/2}/9$ and $B$ to $E$; the output is constant.",
    repair=Repair(
        r"$\left(k \varepsilon, \frac{\delta (e^{{k \varepsilon}}-1)}{e^{\varepsilon}-1}\right)$ for $k$ changes: $\left(1, \frac{\delta "
        r"(e-1)}{e^{\varepsilon}-1}\right)$ for $1/\varepsilon$ of them, $\delta/\varepsilon$ up to a constant.",
        (
            induction(
                "d*(E^n - 1)/(E - 1)",
                first="0",
                step="E*previous + d",
                start=0,
                says=r"one change more: $\delta_{n+1} = e^{\varepsilon} \delta_{n} + \delta$",
                E="(1, inf)",
                d="[0, 1]",
            ),
            smt(
                "p <= E*F*r + (E*c + d)",
                ("p <= E*q + d", "q <= F*r + c"),
                says=r"because $p \le e^{\varepsilon} q + \delta$ and $q \le e^{n \varepsilon} r + \delta_{n}$",
                E="[1, inf)",
            ),
            inequality(
                "(exp(1) - 1)/(exp(e) - 1) <= (exp(1) - 1)/e",
                says=r"at $n \varepsilon = 1$ it is at most $(e-1) \delta/\varepsilon$",
            ),
        ),
        argument=r"Go from one stream to the other through streams that differ from the next in one element. Every event has probabilities $p$, $q$, $r$ under the first, the second and the last of them, and the second step with the first, by induction on the number of changes, is the "
        r"claim; the third is its value for $1/\varepsilon$ changes.",
        kernel=theorems("paper-group-privacy-step-repaired"),
    ),
    survives=r"The lemma survives this step: $\delta/\varepsilon$ enters only up to constants.",
    constants=(Constant("1", by="0.99"), Constant("exp(1) - 1", by="(exp(1) - 1)*0.97", near_miss=1)),
    near_misses=(
        smt(
            "p0 <= E^2*p2 + 0.99*d*(1 + E)",
            TWO_PRIVACY_STEPS,
            says=r"Two changes have $0.99 \delta(1 + e^{\varepsilon})$.",
            for_all="p1 in [0, 1]; d in (0, 1)",
        ),
        inequality(
            "(exp(1) - 1)/(exp(e) - 1) <= 0.97*(exp(1) - 1)/e",
            says=r"The repair has at most $0.97(e-1) \delta/\varepsilon$ for $1/\varepsilon$ changes.",
        ),
    ),
)

lower_bound_length = Statement(
    label="lem:de-lower-bound-pan-2",
    where="section 3.2, proof of Lemma de-lower-bound-pan-2: 'The stream passed to Q has length n'/eps >= k'",
    kind="step",
    printed=r"$Q'$ has any length $n' \ge k \varepsilon$, so the stream passed to $Q$ has length $n'/\varepsilon \ge k$, and $Q$, which solves the problem on length $n \ge k/\varepsilon$, is accurate on it.",
    severity="unproved step",
    for_all="l, k, n in [1, inf); e in (0, 1]",
    steps=smt(
        "l/e >= k/e",
        ("l >= k*e",),
        says=r"a length of $n'/\varepsilon$, $l = n' \ge k \varepsilon$, is at least $k/\varepsilon$",
    ),
    why=r"$Q$ is assumed to be accurate on one length $n \ge k/\varepsilon$, and $n'/\varepsilon$ may be as small as $k$.",
    repair=Repair(
        r"$Q'$ has the one length $n' = n \varepsilon$, for which $Q$ gets a stream of length $n$, and $n' \ge k$.",
        (
            smt("n*e/e = n", says=r"the length of $Q$'s stream"),
            smt(
                "n*e >= k >= k*e",
                ("n >= k/e",),
                says=r"$n' \ge k \ge k \varepsilon$, as the cited lemma needs for the domain $[k \varepsilon]$",
            ),
        ),
    ),
    survives="Lemma de-lower-bound-pan-2 survives this step; distinct-lower-bound-hypotheses has the proof with all roundings.",
    above=("distinct-lower-bound-hypotheses",),
    near_misses=smt("n*e >= 1.02*k", ("n >= k/e",), says=r"The repaired length is at least $1.02 k$."),
)


distinct_lower_bound = Statement(
    where="section 3.2, Theorem de-lower-bound",
    printed=r"Let $\varepsilon \le 1$, $\delta = O(\varepsilon/n)$, $\beta < 0.1$. If $P$ is $(\varepsilon, \delta, 1/3)$-robustly shuffle private and solves the "
    r"$(\alpha, \beta)$-distinct elements problem on length $n \ge 3k/\varepsilon$, then $\alpha = \Omega\left(\sqrt{k/\varepsilon}\right)$.",
    covers=("thm:de-lower-bound",),
    severity="convention",
    referee=SMALL_DOMAIN,
    kernel_rests_on=("distinct-lower-bound-pan",),
    steps=(
        CONSTANT_ANSWER,
        constant_answer_refutes(
            r"some constant $c > 0$ has $\alpha \ge c \sqrt{k/\varepsilon}$ for every robustly shuffle private algorithm, $\varepsilon \le 1$ and $n \ge 3k/\varepsilon$"
        ),
    ),
    kernel=refutation(
        "paper-thm-de-lower-bound",
        r"a protocol that sends nothing and answers $\frac{k+1}{2}$ errs by less than $k/2$, which is below $a \sqrt{k/\varepsilon}$ for small $\varepsilon$",
    ),
    why=r"As for the pan-private lemma: for $\varepsilon$ below $1/k$ the constant answer $\frac{k+1}{2}$ errs by less than $\sqrt{k/\varepsilon}$.",
    repair=Repair(
        r"If Lemma de-lower-bound-pan, which the paper cites, holds: the same for $k \varepsilon$ above a constant.",
        STRONGER_CONDITIONS,
        ("distinct-lower-bound-hypotheses",),
        argument=r"distinct-lower-bound-hypotheses has the same conclusion from weaker conditions, by the two steps.",
        kernel=theorems("paper-thm-de-lower-bound-repaired"),
    ),
    survives="The lower bound is meant for large $k$; with the hypothesis it stands, on the cited lemma.",
    constants=(Constant("2", by="1.9"),),
    near_misses=smt(
        "a >= x/2",
        ("a + 1 >= x", "x >= 1.9"),
        says=r"An error $\alpha + 1 \ge x$ of $Q_{P}$ is one of $x/2$ for $P$ as soon as $x \ge 1.9$.",
        for_all="a in [0, inf); x in (0, inf)",
    ),
)
