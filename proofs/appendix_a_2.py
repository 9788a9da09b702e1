"""Appendix A.2: distinct elements with hashing, the protocol P_HDE."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

from panshuffle.proofs.section_3_1 import TWO_POOLS, no_order_at_one
from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import computed, exhaustive, identity, inequality, refutation, smt, theorems
from panshuffle.symbolic.decision import Decision, Status

hashed_communication = Statement(
    where=r"Appendix A.2, Corollary on $P_{\mathrm{HDE}}$, Part III; section 3.1, the small-n setting",
    kind="corollary",
    printed=r"$P_{\mathrm{HDE}}$ requires each user to communicate at most $O\left(n^{4/3} \log\left(\frac{n(e^{\varepsilon}+1)}{\delta}\right)\right)$ messages of "
    r"length $O(\log n)$.",
    reading=r"$c \ge 1$ is a constant, as the corollary says.",
    severity="convention",
    rests_on=("ikos",),
    for_all="c, x, k, m, L, n, l in [1, inf); b in [0, inf)",
    steps=no_order_at_one("n"),
    why=r"With one user $\log n = 0$, and a message still carries its bit.",
    repair=Repair(
        r"For $n \ge 2$ and a constant $c \ge 1$ at most $9c n^{4/3} \log_2\left(\frac{n(e^{\varepsilon}+1)}{\delta}\right)$ messages of at most $(13/3 + \log_2 c) \log_2 n$ bits.",
        (
            smt("c*x + 1 <= 2*c*x", says=r"$k' \le c n^{4/3} + 1 \le 2c n^{4/3}$, $x = n^{4/3}$"),
            smt(
                "k*m <= 9*c*x*L",
                ("k <= 2*c*x", "m < L + 5/2 + 1"),
                says=r"$k'$ labels and $m < L + 7/2$ messages a label, $L = \log_2\left(\frac{n(e^{\varepsilon}+1)}{\delta}\right) \ge 1$",
            ),
            identity(
                "log(2*c*n^(4/3))/log(2) = 1 + log(c)/log(2) + 4/3*log(n)/log(2)",
                says=r"$\log_2 k' \le 1 + \log_2 c + (4/3) \log_2 n$",
            ),
            smt(
                "1 + b + 4/3*l + 2 <= (13/3 + b)*l",
                ("l >= 1",),
                says=r"and $1 + b + (4/3) l + 2 \le (13/3 + b) l$ for $l = \log_2 n \ge 1$, $b = \log_2 c$",
            ),
        ),
        argument=r"The protocol is $P_{\mathrm{DE}}$ on $k' = \lceil c n^{4/3} \rceil$ elements, with the messages of ikos: the first two steps count them. A message is a label of at most $\lceil \log_2 k' \rceil$ bits and one bit more: the last two.",
        kernel=theorems("paper-cor-hde-iii", "hashed-message-bits"),
    ),
    survives="Nothing is touched: an order is about large $n$.",
    near_misses=smt("c*x + 1 <= 1.99*c*x", says=r"$k' \le 1.99c n^{4/3}$."),
)


hashed_privacy_follows = Statement(
    where="Appendix A.2, proof of Part I: 'privacy follows from Theorem de_upper Part $I'$",
    kind="step",
    printed=r"$h(x)$ and $h(x')$ are neighbouring datasets, and $(2 \varepsilon + 2 \ln(1/\gamma), 2 \delta/\gamma, \gamma)$-robust privacy follows from Theorem "
    r"de_upper Part I, which has $4 \delta/\gamma$.",
    for_all="d in (0, 1); g in (0, 1]",
    steps=smt(
        "4*d/g <= 2*d/g",
        says=r"a $(2 \varepsilon(\gamma), 4 \delta/\gamma)$ guarantee is a $(2 \varepsilon(\gamma), 2 \delta/\gamma)$ one",
    ),
    severity="unproved step",
    why=r"The theorem is printed with $4 \delta/\gamma$, the corollary with half of it.",
    repair=Repair(
        r"The theorem holds with $2 \delta/\gamma$, and the corollary follows from that.",
        TWO_POOLS,
        ("distinct-elements-privacy-sharper",),
        argument=r"For every fixed $h$ a row of $h(x)$ depends on the same row of $x$ alone, so $h(x)$ and $h(x')$ are neighbouring or equal, and distinct-elements-privacy-sharper is Part I with $2 \delta/\gamma$ for $P_{\mathrm{DE}}$ on the smaller domain.",
        kernel=theorems("distinct-privacy-half-delta", "hashing-preserves-privacy"),
    ),
    survives="The corollary's Part I is true.",
    near_misses=smt("4*d/g <= 3.99*d/g", says=r"A $4 \delta/\gamma$ is at most $3.99 \delta/\gamma$."),
)


hashing_is_for_utility = Statement(
    where="Appendix A.2, first paragraph",
    kind="prose",
    printed="Hashing is strictly for utility and is not used to add privacy.",
    reading=r"The privacy of $P_{\mathrm{HDE}}$ is that of $P_{\mathrm{DE}}$ on the smaller domain for every fixed $h$, so the randomness of $h$ is not needed for "
    "it, and some $h$ leave the loss as it is.",
    rests_on=("post-processing",),
    steps=smt(
        "p <= E*q + d",
        ("p <= a", "a <= E*b + d", "b <= q"),
        says=r"a guarantee for $h(x)$ and $h(x')$, with $P[R(h(x)) \in T] = a$ and $b$, is one for $x$ and $x'$, whose probabilities they are",
        for_all="p, q, a, b, d in [0, 1]; E in [1, inf)",
    ),
    kernel=theorems("hashing-preserves-privacy"),
    argument=(
        "For every fixed function $h$ the shuffled messages on $x$ are those of the protocol on $h(x)$, and $h(x)$ and $h(x')$ are neighbouring or equal if $x$ and $x'$ are neighbouring: the guarantee of the protocol is one for the hashed protocol, the step, and no property of $h$ is used. It is no better in general: if $h$ "
        "is one to one, as it may be for $k = k'$, the pools of $h(x)$ are those of $x$ under other names, and a bijection of the messages changes no "
        "divergence (post-processing by it and by its inverse); and for any $h$, data that $h$ takes to given neighbours of $[k']$ have their loss."
    ),
    near_misses=smt(
        "p <= 0.98*E*q + d",
        ("p <= a", "a <= E*b + d", "b <= q"),
        says=r"Hashing adds privacy: $x$ and $x'$ have a guarantee at $0.98 e^{\varepsilon}$.",
        for_all="p, q, a, b, d in [0, 1]; E in [1, inf)",
    ),
)


large_universe = Statement(
    where="Appendix A.2, first paragraph",
    kind="prose",
    printed=r"When $k \ge n^{2}$, the distinct elements protocol $P_{\mathrm{DE}}$ does not provide a meaningful notion of accuracy.",
    reading=r"The $\alpha$ of Theorem de_upper, Part II, is larger than $n$ for every $\varepsilon > 0$ and $\beta \in (0,1)$, while $1 \le D(x) \le n$: any "
    r"constant in $[1, n]$ as the answer errs by less. The sentence is about that guarantee: for $e^{\varepsilon}$ of the order of $k$ the protocol itself "
    "errs by far less than $n$.",
    for_all="b in (0, 1); e in (0, inf); r, f, h in [0, inf); k, n, c, d in [1, inf)",
    steps=(
        inequality("sqrt(2*log(2/b)) > 1", says=r"$\sqrt{2 \ln(2/\beta)} > 1$"),
        inequality("exp(e)/(exp(e) - 1) > 1", says=r"$\frac{e^{\varepsilon}}{e^{\varepsilon}-1} > 1$"),
        smt(
            "f*h*r > n",
            ("r^2 = k", "k >= n^2", "f > 1", "h > 1"),
            says=r"so $\alpha = \frac{e^{\varepsilon}}{e^{\varepsilon}-1} \sqrt{2 \ln(2/\beta)} \sqrt{k} > n$ for $k \ge n^{2}$",
        ),
        smt(
            "-n < c - d < n",
            ("1 <= c", "c <= n", "1 <= d", "d <= n"),
            says=r"and a constant $c \in [1, n]$ as the answer errs by less than $n$",
        ),
    ),
    kernel=theorems("large-universe"),
    constants=(Constant("1", by="0.98"),),
    near_misses=smt(
        "r*f > n",
        ("r^2 = k", "k >= 0.98*n^2", "f > 1"),
        says=r"$\alpha > n$ for $k \ge 0.98 n^{2}$, whatever $\varepsilon$ and $\beta$ are.",
    ),
)


def chance_of_loss(s: tuple[int, ...], k: int, k1: int, beta: Fraction) -> Fraction:
    """P[|S| - |S'| >= |S|^2/(beta k')] over all functions from [k] to [k'], a 2-universal family."""
    functions = list(product(range(k1), repeat=k))
    bad = sum(len(s) - len({h[x] for x in s}) >= len(s) ** 2 / (beta * k1) for h in functions)
    return Fraction(bad, len(functions))


hash_collisions = Statement(
    where="Appendix A.2, Lemma distinct-hash",
    printed=r"Let $k \ge k' \in N$, let $h$ be sampled uniformly from a 2-universal hash family mapping $[k]$ to $[k']$, let $S$ be a subset of $[k]$ and $S' = "
    r"h(S)$. Then for all $\beta \in (0,1)$: $P\left[|S| - |S'| \ge \frac{|S|^{2}}{\beta k'}\right] \le \beta$.",
    covers=("lem:distinct-hash", "display-45"),
    for_all="s, k1 in [1, inf); b in (0, 1)",
    steps=exhaustive(
        "for S = {}, k = k' = 2 and beta = 1/2, for all functions from [2] to [2], the probability is at most beta",
        lambda beta: chance_of_loss((), 2, 2, beta) <= beta,
        [Fraction(1, 2)],
        lambda beta: (
            f"S = {{}}: |S| - |S'| = 0 >= 0 = |S|^2/(beta k') always, so the probability is {chance_of_loss((), 2, 2, beta)}, above beta = {beta}"
        ),
        whole=True,
    ),
    kernel=refutation(
        "paper-lem-distinct-hash",
        r"$S = \{\}$: $|S| - |S'| = 0 \ge 0 = \frac{|S|^{2}}{\beta k'}$, so the probability is 1, above $\beta$",
    ),
    why=r"For the empty $S$ both sides of the inequality inside are 0, and $P[0 \ge 0] = 1$: '$\ge$' would have to be '>' there.",
    severity="convention",
    repair=Repair(
        "The lemma for nonempty $S$.",
        (
            smt(
                "(s^2/k1)/(s^2/(b*k1)) = b",
                says=r"$\frac{E[X]}{|S|^{2}/(\beta k')} \le \frac{|S|^{2}/k'}{|S|^{2}/(\beta k')} = \beta$",
            ),
            smt("s^2/(b*k1) > 0", says="the threshold is positive for a nonempty $S$"),
        ),
        ("markov", "hash-collision-mean"),
        argument=r"$|S| - |S'| \le X$ and $E[X] \le |S|^{2}/k'$ by hash-collision-mean; $X \ge 0$, and the threshold is positive, so markov bounds $P[X \ge \frac{|S|^{2}}{\beta k'}]$ by the quotient of the first step.",
        kernel=theorems("paper-lem-distinct-hash-repaired"),
    ),
    survives=r"Datasets have $n \ge 1$ rows, so the corollary only needs nonempty $S$.",
    near_misses=smt(
        "1/k1 <= b",
        ("4/(6*b*k1) <= 1",),
        says=r"For $|S| = 2$, with one collision with probability $1/k'$, the lemma holds with $\frac{|S|^{2}}{6 \beta k'}$.",
        k1="integer [1, inf)",
    ),
    constants=(
        Constant("1", slack="|S|^2/(2 beta k') suffices by the same proof; a sixth does not, as a near miss says"),
    ),
)


hash_collision_mean = Statement(
    where="Appendix A.2, proof of Lemma distinct-hash",
    kind="step",
    printed=r"$|S| - |S'| \le X$, the number of collisions, and $E[X] \le \frac{|S|^{2}}{k'}$.",
    reading=r"2-universal: $P[h(s) = h(s')] \le 1/k'$ for $s \ne s'$.",
    for_all="b in integer [1, inf); s in [0, inf); k1 in [1, inf)",
    steps=(
        smt(
            "b - 1 <= b*(b - 1)/2",
            says=r"a value of $h$ that $b \ge 1$ elements of $S$ have: $b - 1$ of them are lost, and $b(b-1)/2$ pairs collide",
        ),
        smt(
            "s*(s - 1)/2*(1/k1) <= s^2/k1",
            says=r"$\frac{|S|(|S|-1)}{2}$ pairs, each of which collides with probability at most $1/k'$",
        ),
    ),
    argument=r"$S$ falls into the sets of its elements with one value of $h$; $|S| - |S'|$ is the sum over the values of $b - 1$ and $X$ that of $b(b-1)/2$: the first step, summed. $E[X]$ is the sum over the pairs of the probability that they "
    r"collide, by linearity: the second step.",
    kernel=theorems("hash-losses", "hash-collisions-mean"),
    constants=(
        Constant(
            "1", slack="E[X] <= |S|^2/(2k') holds too, and 0.49 in place of 1/2 does not, as the first near miss says"
        ),
    ),
    near_misses=(
        smt("s*(s - 1)/2*(1/k1) <= 0.49*s^2/k1", says=r"$E[X] \le \frac{0.49 |S|^{2}}{k'}$."),
        smt("b - 1 <= 0.99*b*(b - 1)/2", says=r"$|S| - |S'| \le 0.99 X$."),
    ),
)


def one_user_is_accurate() -> Decision:
    """Whether alpha = 2/(c beta) + 2 sqrt(2(1 + 1) ln(4/beta)) fails with probability at most beta, at the point of `text`.

    A single element never collides, so one user has k' = c pools, and z is off D = 1 by the noise of the bits alone.
    """
    from panshuffle.exact.real import parse

    c, exp_eps, beta = 32, 2, Fraction(1, 2)
    alpha, p, bad = parse(f"2/({c}*{beta}) + 2*sqrt(2*(1 + 1)*log(4/({beta})))"), Fraction(1, 2 * exp_eps), Fraction(0)
    for own, x in product((0, 1), range(c)):
        off = Fraction(2 * (own + x) * exp_eps - c, exp_eps - 1) - 1
        if (alpha - abs(off)).ball(64) < 0:
            bad += Fraction(1, 2) * comb(c - 1, x) * p**x * (1 - p) ** (c - 1 - x)
    text = f"n = 1, c = {c}, e^eps = 2, beta = 1/2: P[|z - D| > alpha] is {float(bad):.3f}, above 1/2"
    status = Status.REFUTED if bad > beta else Status.PROVED
    return Decision(status, "exact rational computation", text if bad > beta else None)


hashed_distinct_accuracy = Statement(
    where=r"Appendix A.2, Corollary on $P_{\mathrm{HDE}}$, Part II, and its proof",
    kind="corollary",
    printed=r"For a constant $c \ge 1$, $n$, $k$ with $k \ge c n^{4/3}$ rounded up, and a 2-universal family to [$c n^{4/3}$ rounded up], $P_{\mathrm{HDE}}$ solves "
    r"the $(\alpha, \beta)$-distinct elements problem for $\alpha = 2n^{2/3}/(c \beta) + \frac{e^{\varepsilon}}{e^{\varepsilon}-1} \sqrt{2(n^{4/3}+1) "
    r"\ln(4/\beta)}$.",
    hypotheses=(r"$\varepsilon > 0$, $\delta \in (0,1)$, $\beta \in (0,1)$",),
    reading=r"$P_{\mathrm{MOD}}$ is the protocol of Theorem ikos, as for $P_{\mathrm{DE}}$.",
    covers=("display-46", "display-47"),
    for_all="r, n, c, k1 in [1, inf); b in (0, 1); L in [0, inf)",
    steps=computed(
        r"the corollary for one user, $c = 32$, $e^{\varepsilon} = 2$ and $\beta = 1/2$",
        one_user_is_accurate,
        second="none is needed: all outcomes, in rationals",
        whole=True,
    ),
    kernel=refutation(
        "paper-cor-hde-ii", r"$n = 1$, $c = 32$, $e^{\varepsilon} = 2$, $\beta = 1/2$, 32 pools, $h$ the identity"
    ),
    severity="constant",
    why=r"$P_{\mathrm{DE}}$ runs on $k' \ge c n^{4/3}$ pools, but the noise term has $n^{4/3}+1$ in place of $c n^{4/3}+1$: the constant $c$ is lost.",
    repair=Repair(
        r"$\alpha = 2n^{2/3}/(c \beta) + \frac{e^{\varepsilon}}{e^{\varepsilon}-1} \sqrt{2(c n^{4/3}+1) \ln(4/\beta)}$; at $c = 1$ nothing changes.",
        (
            smt(
                "n^2/(b/2*k1) <= 2*r^2/(c*b)",
                ("k1 >= c*r^4", "n = r^3"),
                says=r"$r = n^{1/3}$, $k' \ge c n^{4/3}$, $|S| \le n$: the collisions cost at most $\frac{|S|^{2}}{(\beta/2) k'} \le \frac{2n^{2/3}}{c \beta}$ but with probability $\beta/2$",
            ),
            smt(
                "2*k1*L <= 2*(c*r^4 + 1)*L",
                ("k1 <= c*r^4 + 1",),
                says=r"and the noise at most $\frac{e^{\varepsilon}}{e^{\varepsilon}-1} \sqrt{2 k' \ln\left(\frac{2}{\beta/2}\right)}$ but with probability $\beta/2$, $L = \ln(4/\beta)$, $k' \le c n^{4/3} + 1$",
            ),
        ),
        ("hash-collisions:repaired",),
        argument=r"$S$ is the set of the elements that occur, nonempty with at most $n$ elements, and $D(h(x)) = |h(S)|$. hash-collisions at $\beta/2$ bounds $D(x) - D(h(x))$ and distinct-accuracy at $\beta/2$, for every fixed $h$, the error of $P_{\mathrm{DE}}$ on $[k']$; by the union bound both hold but with probability $\beta$, and by the steps their sum is at most $\alpha$.",
        kernel=theorems("paper-cor-hde-ii-repaired"),
    ),
    survives=r"The $O(n^{2/3})$ for constant $c$, $\beta$ and $\varepsilon$ survives: $c n^{4/3} + 1 \le 2c n^{4/3}$.",
    constants=(
        Constant(
            "2",
            slack="the collision term uses E[X] <= |S|^2/k', of which half suffices; the noise term is that of distinct-accuracy, not claimed to be tight",
        ),
        Constant("4", slack="ln(4/beta) is the union bound's, not claimed to be tight"),
    ),
    near_misses=smt("2*k1*L <= 2*(c*r^4)*L", ("k1 <= c*r^4 + 1",), says="The repair holds without the + 1."),
    rests_on=("distinct-accuracy",),
)


hashed_distinct_elements_privacy = Statement(
    where=r"Appendix A.2, Corollary on $P_{\mathrm{HDE}}$, Part I",
    printed=r"$P_{\mathrm{HDE}}$ is $(2 \varepsilon + 2 \ln(1/\gamma), 2 \delta/\gamma, \gamma)$-robustly shuffle private.",
    hypotheses=(r"$\varepsilon > 0$, $\delta \in (0,1)$, $\gamma \in (0,1]$",),
    reading=r"As for $P_{\mathrm{DE}}$, $P_{\mathrm{MOD}}$ sends $m(n)$ uniform one-bit shares a label with $4 n$ $2^{-m(n)} \le 2^{-\sigma}$, and $\sigma$ is to "
    r"base 2, so that $2^{-\sigma} = \frac{\delta}{e^{\varepsilon}+1}$ (second kernel theorem). The guarantee is for every fixed $h$, which is public.",
    covers=("corollary-1",),
    rests_on=("hashed-privacy-follows:repaired", "eps-prime-case-1"),
    for_all="E in (1, inf); g in (0, 1]; d in (0, 1); e in (0, 5]",
    steps=(
        TWO_POOLS,
        identity(
            "log((E/g)^2) = 2*log(E) + 2*log(1/g)",
            says=r"and $e^{2 \varepsilon'} \le (e^{\varepsilon}/\gamma)^{2}$ is $2 \varepsilon + 2 \ln(1/\gamma)$",
        ),
    ),
    argument=r"For every fixed $h$ hashed-privacy-follows, as repaired, is the guarantee $(2 \varepsilon', 2 \delta/\gamma)$ with $\varepsilon' \le \varepsilon + \ln(1/\gamma)$ by eps-prime-case-1.",
    kernel=theorems("paper-cor-hde-i", "hashed-distinct-privacy", "binary-sigma"),
    constants=(
        Constant(
            "2",
            slack="one pool's delta' <= delta/gamma is tight to 3 per cent, as a near miss says; that two pools need twice as much is not claimed",
        ),
    ),
    near_misses=(
        smt("4*d/g <= 2*d/g", says=r"Part I follows from Theorem de_upper as printed, with $4 \delta/\gamma$."),
        inequality(
            "(exp(log(1/(1 - (1 - exp(-e))^g))) + 1)/(exp(e) + 1) <= 0.97/g",
            says=r"One pool has $\delta' \le 0.97 \delta/\gamma$.",
        ),
    ),
)
