"""For each protocol: which neighbouring pair is the worst, and why."""

from __future__ import annotations

from panshuffle.proofs.section_5 import LATER_NOISE
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import identity, smt, theorems

binomial_worst_neighbour = Statement(
    where="the view of the binomial mechanism (section 2.1)",
    kind="worst neighbour",
    printed=(
        r"The binomial mechanism with $\mathrm{Bin}(l, p)$, a finite law, is $(\varepsilon, \delta)$-private for every 1-sensitive $f$, every universe and "
        r"every $n$, if and only if $\mathrm{Bin}(l, p)$ and $\mathrm{Bin}(l, p) + 1$ are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$0 \le p \le 1$", r"$\varepsilon$, $\delta \ge 0$"),
    for_all="d in integer (-inf, inf)",
    steps=smt("d*(d - 1)*(d + 1) = 0", ("-1 <= d", "d <= 1"), says="$d = f(x) - f(x')$ is $-1$, 0 or 1"),
    argument=(
        r"The outputs for $x$ and $x'$ are $X + d$ and $X$, $X \sim \mathrm{Bin}(l, p)$, both shifted by $f(x')$, which changes no divergence. For $d = 0$ they have "
        r"one law, and $d = 1$ and $d = -1$ are the two directions of the pair. The universe $\{0, 1\}$ with $n = 1$ and $f(x) = x$ has both."
    ),
    kernel=theorems("binomial-worst-neighbour", "binomial-mechanism-pairs"),
    near_misses=smt(
        "d*(d - 1)*(d + 1) = 0", ("-1 <= d", "d <= 2"), says=r"Outputs that differ by at most 2 differ by $-1$, 0 or 1."
    ),
)


two_bit_sum_worst_neighbour = Statement(
    where="the view of the labelled two-bit sum (section 2.3)",
    kind="worst neighbour",
    printed=(
        r"The view is $(\varepsilon, \delta)$-private if and only if, for all numbers $h_1$ and $h_2$ of other users who hold 1, in $\{0, \dots, N-1\}^{2}$, "
        r"and all directions in which both of a user's bits change, the two pools before and after are $(\varepsilon, \delta)$-close: pairs in which one bit "
        "changes are no worse."
    ),
    hypotheses=(r"$0 \le p \le 1$", r"$\varepsilon$, $\delta \ge 0$"),
    steps=identity(
        "(1 - p + p*E)^(N - 1 - h)*(p + (1 - p)*E)^h*(p + (1 - p)*E) = (1 - p + p*E)^(N - (h + 1))*(p + (1 - p)*E)^(h + 1)",
        says=r"the ones of a pool: a user who holds 1 beside $h$ others who do makes it the pool of $h + 1$, whoever they are",
        for_all="p in (0, 1); E in (0, inf); N in integer [1, inf); h in integer [0, inf)",
    ),
    argument=(
        r"Bits and users are independent, so a pool's number of ones has the product of the users' generating functions, $1 - p + pE$ for a 0 and $p + (1-p)E$ for a "
        r"1 (which the step counts; for $p = 0$ and $p = 1$ the number is fixed by the counts), and the pools are independent. $h_{1}$ and $h_{2}$ take all "
        r"values from 0 to $N - 1$ independently. If one bit changes, the other pool is a common factor, and the pair of pools is a function of a pair in which "
        "the user's other bit changes, too: of its first pool alone. By post-processing it is no worse."
    ),
    rests_on=("common-factor", "post-processing"),
    kernel=theorems("two-bit-sum-worst-neighbour"),
    near_misses=identity(
        "(1 - p + p*E)^(N - 1 - h)*(p + (1 - p)*E)^h*(p + (1 - p)*E) = (1 - p + p*E)^(N - h)*(p + (1 - p)*E)^h",
        says="A user who holds 1 beside $h$ others who do leaves it the pool of $h$.",
        for_all="p in (0, 1); E in (0, inf); N in integer [1, inf); h in integer [0, inf)",
    ),
)


distinct_elements_worst_neighbour = Statement(
    where=r"the view of $P_{\mathrm{DE}}$ (section 3.1)",
    kind="worst neighbour",
    printed=(
        r"If a user goes from a to $b$, the views are $(\varepsilon, \delta)$-close if and only if the pools of a and $b$ are, whose laws depend on the numbers "
        r"CA and CB of other honest holders only. The view is $(\varepsilon, \delta)$-private if and only if these pairs are $(\varepsilon, \delta)$-close for "
        r"all CA + CB $\le$ $N - 1$ (= $N - 1$ for $k = 2$)."
    ),
    hypotheses=(
        r"$k \ge 2$ ($k = 1$ has one dataset only)",
        r"$\varepsilon_0 > 0$",
        r"$m \ge 1$",
        r"$\varepsilon$, $\delta \ge 0$",
    ),
    for_all="q in [0, 1]; z in (0, 1); m in integer [1, inf); CA, CB, others in [0, inf); N in [1, inf)",
    steps=(
        identity(
            "(1 + q)/2*(((1 + z)^m + (1 - z)^m)/2^m) + (1 - q)/2*(((1 + z)^m - (1 - z)^m)/2^m) = ((1 + z)^m + q*(1 - z)^m)/2^m",
            says=r"the ones that a user sends to a pool, with a bit that is 1 with probability $\frac{1-q}{2}$; a holder has $q = 0$",
        ),
        smt(
            "CA + CB <= N - 1",
            ("CA + CB + others = N - 1",),
            says=r"the other holders of a and of $b$ are different people among $N - 1$",
        ),
    ),
    argument=(
        r"Given the data the users' shares and the pools are independent, so a pool with $C$ holders has the generating function of the first step to the power $N - "
        r"C$, times that with $q = 0$ to the power $C$: it depends on $C$ alone. A user who goes from a to $b$ changes the pools of a and $b$, from $(CA + 1, CB)$ "
        r"holders to $(CA, CB + 1)$; all others are a common factor. CA and CB take all values with CA + CB $\le$ $N - 1$ if there is a third element for the other "
        r"users to hold, and those with CA + CB = $N - 1$ if $k = 2$. The laws do not depend on which elements a and $b$ are, and exchanging them is the other "
        "direction."
    ),
    rests_on=("common-factor",),
    kernel=theorems(
        "distinct-elements-worst-neighbour",
        "distinct-elements-every-pair",
        "distinct-certificate",
        "distinct-pool-certificate",
    ),
    near_misses=smt("CA + CB <= N - 2", ("CA + CB + others = N - 1",), says=r"CA + CB is at most $N - 2$."),
)


randomized_or_worst_neighbour = Statement(
    where="the view of the central OR (section 3.1)",
    kind="worst neighbour",
    printed=(
        r"The central OR with $\varepsilon_0$ is $(\varepsilon, \delta)$-private if and only if $\mathrm{Ber}(1/2)$ and $\mathrm{Ber}(1/(2e^{\varepsilon_0}))$ "
        r"are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$\varepsilon_0 > 0$", r"$\varepsilon$, $\delta \ge 0$", r"$n \ge 1$"),
    steps=smt(
        "o*(1 - o) = 0",
        ("o = 1 - (1 - a)*(1 - x)", "a*(1 - a) = 0", "x*(1 - x) = 0"),
        says="the OR of the bits so far, a, and one bit more, $x$, is a bit",
        for_all="o in (-inf, inf); a, x in [0, 1]",
    ),
    argument=(
        r"The output depends on the data through the OR, which is 0 or 1, so the views of a neighbouring pair have one law or are the two Bernoulli laws in one of "
        r"the two orders. For every $n \ge 1$ the datasets $(0, \dots, 0)$ and $(1, 0, \dots, 0)$ are neighbours with both."
    ),
    kernel=theorems("randomized-or-worst-neighbour"),
    near_misses=smt(
        "o*(1 - o) = 0",
        ("o = a + x", "a*(1 - a) = 0", "x*(1 - x) = 0"),
        says="The sum of the bits, in place of the OR, has two values.",
        for_all="o in (-inf, inf); a, x in [0, 1]",
    ),
)


modular_sum_worst_neighbour = Statement(
    where=r"the view of $P_{\mathrm{MOD}}$ (section 3.1, Theorem ikos)",
    kind="worst neighbour",
    printed=(
        r"The view of $P_{\mathrm{MOD}}$ depends on the dataset as a multiset of bits, its number of ones, only; for every neighbouring pair that differs it is "
        r"$(\varepsilon, \delta)$-close only if $\delta \ge 1$, so the view is $(\varepsilon, \delta)$-private if and only if $\delta \ge 1$."
    ),
    hypotheses=(r"$m \ge 1$ messages a user", r"$N \ge 1$ users"),
    steps=smt(
        "2*a + h != 2*b + h + 1",
        says="a pool with $h$ ones in the data and one with $h + 1$ never have the same number of ones",
        for_all="a, b in integer (-inf, inf); h in integer [0, inf)",
    ),
    argument=(
        r"The users' shares are independent, so the law of the pool's number of ones, which is all that shuffled bits show, is the convolution of one law for each "
        r"bit: it depends on how many bits are 1. A user's shares have the parity of the bit, so the number of ones of the pool is $h$ plus an even number, $h$ the "
        r"ones of the data. Neighbours that differ as multisets have $h$ and $h + 1$ ones, by the step they share no view, and the event of one parity has "
        r"probability 1 and 0: $1 \le e^{\varepsilon} \cdot 0 + \delta$. With $\delta \ge 1$ everything is private."
    ),
    kernel=theorems(
        "modular-sum-worst-neighbour",
        "modular-sum-every-pair",
        "data-order-forgotten",
        "modular-sum-correct",
        "share-pool-law",
    ),
    near_misses=smt(
        "2*a + h != 2*b + h + 2",
        says="A pool with $h$ ones in the data and one with $h + 2$ never have the same number of ones.",
        for_all="a, b in integer (-inf, inf); h in integer [0, inf)",
    ),
)


geometric_worst_neighbour = Statement(
    where="the view of the central baseline (section 3.2)",
    kind="worst neighbour",
    printed=(
        r"The number of distinct elements plus symmetric geometric noise is $(\varepsilon, \delta)$-private if and only if the noise plus 1 and the noise are "
        r"$(\varepsilon, \delta)$-close."
    ),
    hypotheses=(
        r"$0 < s < 1$, the mass at $v$ being $\frac{1-s}{1+s} s^{|v|}$",
        r"$k \ge 2$ and $n \ge 2$ (otherwise the number never changes)",
        r"$\varepsilon$, $\delta \ge 0$",
    ),
    for_all="s, d, f in integer [0, inf)",
    steps=smt(
        "-1 <= d - f <= 1",
        ("s <= d <= s + 1", "s <= f <= s + 1"),
        says="without the changed row there are $s$ distinct elements, with it, before and after, $s$ or $s + 1$",
        for_all="s, d, f in [0, inf)",
    ),
    argument=(
        r"The outputs of a neighbouring pair are the noise shifted by $d$ and by $f$, whole numbers that differ by at most 1: one law, or the pair in one of two "
        r"directions. The mass at $v$ is that at $-v$, so turning the sign of the noise plus 1 and of the noise, and adding 1, exchanges the two directions. For $k "
        r"\ge 2$ and $n \ge 2$ the datasets $(1, 1, \dots, 1)$ and $(2, 1, \dots, 1)$ have 1 and 2 distinct elements."
    ),
    kernel=theorems("geometric-worst-neighbour"),
    near_misses=smt(
        "d = f",
        ("s <= d <= s + 1", "s <= f <= s + 1"),
        says="The number of distinct elements does not move when a row changes.",
    ),
)


BATCH_RANGES = {"r": "integer [1, inf)", "t": "integer [0, inf)", "place": "integer [1, inf)"}


def early_batch(says: str, least: str) -> Step:
    """With n = 3r, the batch up to t, which holds the changed element if its place is at most t, has at least `least` executions."""
    return smt(f"r + t >= {least}", ("place <= t", "t <= r"), says=says, **BATCH_RANGES)


def late_batch(says: str, least: str) -> Step:
    """The batch after t, which holds the changed element if its place is above t, has at least `least` executions."""
    return smt(f"(r - t) + r >= {least}", ("place >= t + 1", "place <= r", "t <= r"), says=says, **BATCH_RANGES)


BATCHES_LARGE_ENOUGH = (
    early_batch(
        "$n = 3r$, the change is at a place up to $t$: $n/3$ dummies and $t$ elements, at least $n/3 + 1$ executions",
        "r + 1",
    ),
    late_batch("the change is after $t$: $n/3 - t$ elements and $n/3$ dummies, at least $n/3 + 1$ executions", "r + 1"),
)

BATCHES_TOO_LARGE = (
    early_batch("The batch up to $t$ always has at least $n/3 + 2$ executions.", "r + 2"),
    late_batch("The batch after $t$ always has at least $n/3 + 2$ executions.", "r + 2"),
    early_batch("The batch up to $t$ always has at least $2n/3$ executions.", "2*r"),
)

pan_distinct_elements_worst_neighbour = Statement(
    where="the view of $Q_{P}$ for distinct elements (section 3.2)",
    kind="worst neighbour",
    printed=(
        r"$Q_{P}$ is $(\varepsilon, \delta)$-pan-private if and only if the pairs of $P_{\mathrm{DE}}$ (made for $n$ users) with $n/3 + 1$ honest users are "
        r"$(\varepsilon, \delta)$-close where the $n/3$ others hold one element, which is a, or $b$, or, for $k \ge 3$, neither: the state after the first "
        "element."
    ),
    hypotheses=(
        r"$n$ is a multiple of 3, $n \ge 3$",
        r"$k \ge 2$",
        r"$\varepsilon_0 > 0$",
        r"$m \ge 1$",
        r"$\varepsilon$, $\delta \ge 0$",
    ),
    steps=(*BATCHES_LARGE_ENOUGH,),
    argument=(
        r"A change at a place up to $t$ is in the first batch, the $n/3$ dummies and $t$ elements, which is the state, and the output is a function of the state and "
        r"of independent messages. A change after $t$ is in the last batch, the elements after $t$ and $n/3$ dummies, and the state is independent of it. By the steps "
        r"either batch has the $n/3$ dummies, the changed element and perhaps more; the further users' messages are independent of the change and may be added "
        r"afterwards. So by post-processing the view is private if the $n/3 + 1$ users alone are: the changed one, and $n/3$ who hold the element 1, which is a, $b$ or, "
        r"if $k \ge 3$, neither. And it is not if they are not: after the first element the state is just the messages of these users, and a and $b$ may be any two "
        "elements."
    ),
    rests_on=("post-processing",),
    kernel=theorems("pan-distinct-elements-worst-neighbour", "distinct-transformation-privacy"),
    near_misses=BATCHES_TOO_LARGE,
)


uniformity_worst_neighbour = Statement(
    where=r"the view of $P_{\mathrm{UT}}$ (section 4.1)",
    kind="worst neighbour",
    printed=(
        r"For every neighbouring pair that differs, whatever the other users hold, the views are $(\varepsilon, \delta)$-close if and only if $(L, X + 1, L', "
        r"Y)$ and $(L, X, L', Y + 1)$ are, with $L$, $L'$ independent, both $\mathrm{Pois}(\gamma \lambda)$, and $X$, $Y$ independent given them, "
        r"$\mathrm{Bin}(L, 1/2)$ and $\mathrm{Bin}(L', 1/2)$; so privacy is the closeness of this pair."
    ),
    hypotheses=(
        r"$k \ge 2$",
        r"$\gamma = N/n$, $N \ge 1$ honest users",
        r"$\lambda \ge 0$",
        r"$\varepsilon$, $\delta \ge 0$",
    ),
    for_all="N in [1, inf); c, L, X in [0, inf); z in (-inf, inf)",
    steps=identity(
        "(N - c) + (L - X) = N + L - (c + X)",
        says=r"a pool of $N$ users, $c$ holders, $L$ noise bits and $X$ ones among these: its zeros are its size less its ones",
    ),
    argument=(
        r"The shuffled messages show for every pool its size $N + L$, so $L$, and its ones $c + X$; by the step that is all. $L$ is the sum of the honest users' "
        r"$\mathrm{Pois}(\lambda/n)$, which is $\mathrm{Pois}(\gamma \lambda)$, and pools are independent. A user who goes from a to $b$ lowers the count of a by 1 and "
        r"raises that of $b$; the other pools are a common factor, and the other users' counts a known shift. What is left is $(L, X + 1, L', Y)$ against $(L, X, L', "
        r"Y + 1)$, whatever the others hold, and exchanging the pools exchanges the two."
    ),
    rests_on=("common-factor", "poisson-sums"),
    kernel=theorems(
        "uniformity-worst-neighbour",
        "uniformity-every-pair",
        "poisson-pool-certificate",
        "poisson-pool-privacy",
        "poisson-pair-certificate",
    ),
    near_misses=identity(
        "z - (N - (c + 1)) = (z - 1) - (N - c)",
        says="The zeros of a pool rise when its ones do.",
        for_all="N, c in (-inf, inf)",
    ),
)


ROW = ("x*(1 - x) = 0", "y*(1 - y) = 0", "y*(1 - x) = 0")

UNCHANGED_ROWS_STAY = smt(
    "y <= x",
    ROW,
    says="a row whose group or hash value changes ($y = 1$) has changed ($x = 1$)",
    for_all="x, y in [0, 1]",
)

compressed_uniformity_worst_neighbour = Statement(
    where=r"the view of $P_{\mathrm{UT}}$ after domain compression (section 4.1.2)",
    kind="worst neighbour",
    printed=(
        r"For every partition in which two elements are in different groups, the view is $(\varepsilon, \delta)$-private if and only if the pair of "
        r"$P_{\mathrm{UT}}$ is $(\varepsilon, \delta)$-close; two elements in one group give the same view."
    ),
    hypotheses=(r"$\lambda \ge 0$", r"$N \ge 1$ honest users", r"$\varepsilon$, $\delta \ge 0$"),
    for_all="x, y in [0, 1]",
    steps=UNCHANGED_ROWS_STAY,
    argument=(
        r"Given the partition, the users run $P_{\mathrm{UT}}$ on their groups. Neighbouring datasets become datasets of groups that differ in at most as many rows, by "
        r"the step. If the changed user's two elements are in one group nothing changes, and otherwise it is a neighbouring pair of $P_{\mathrm{UT}}$ that differs, "
        r"whose closeness is that of the pair of $P_{\mathrm{UT}}$ whatever the others hold (uniformity-worst-neighbour). Two elements in different groups give such a "
        "pair."
    ),
    rests_on=("uniformity-worst-neighbour",),
    kernel=theorems(
        "compressed-uniformity-worst-neighbour", "compressed-uniformity-same-group", "hashing-preserves-privacy"
    ),
    near_misses=smt(
        "x <= y",
        ROW,
        says="A row that changes ($x = 1$) is always in another group afterwards ($y = 1$), whatever the groups are.",
    ),
)


pan_uniformity_worst_neighbour = Statement(
    where="the view of $Q_{P}$ for uniformity testing (section 4.2)",
    kind="worst neighbour",
    printed=(
        r"If the pair of $P_{\mathrm{UT}}$ with $\gamma = 1/3 + 1/n$ is $(\varepsilon, \delta)$-close, then $Q_{P}$ is $(\varepsilon, \delta)$-pan-private. "
        "This is an upper bound."
    ),
    hypotheses=(
        r"$n$ is a multiple of 3, $n \ge 3$",
        r"$k \ge 2$",
        r"$\lambda \ge 0$",
        r"$\varepsilon$, $\delta \ge 0$",
        "the number $n'$ of elements that are used is part of the state",
    ),
    steps=(*BATCHES_LARGE_ENOUGH,),
    argument=(
        r"Fix $n'$ and the dummies, which do not depend on the data. A change at a place above $n'$ changes nothing. One at a place up to $t$ is in the first batch, "
        r"with $n/3$ dummies, which is the state, and the output is a function of the state and of independent messages; one after $t$ is in the last batch, with $n/3$ "
        r"dummies, and the state is independent of it. By the steps either batch holds at least $n/3 + 1$ users, the changed one included; the further users' messages "
        r"may be added afterwards, so by post-processing $n/3 + 1$ users are the worst, and their pair is that of $P_{\mathrm{UT}}$ with $\gamma n = n/3 + 1$, whatever "
        r"they hold (uniformity-worst-neighbour). A mixture over $n'$ and the dummies, which have the same law before and after, is no worse."
    ),
    rests_on=("post-processing", "uniformity-worst-neighbour"),
    kernel=theorems("pan-uniformity-at-most", "uniformity-transformation-privacy"),
    near_misses=BATCHES_TOO_LARGE,
)


LATER_NOISE_ALONE = identity(
    "(i + s + e) - i = e",
    says="The output less the state is the noise alone.",
    for_all="i, s, e in [0, inf)",
)

pan_histogram_worst_neighbour = Statement(
    where="the view of the pan-private histogram (section 5)",
    kind="worst neighbour",
    printed=(
        r"The pan-private histogram is $(\varepsilon, \delta)$-pan-private, and its ($I_{t}$, output) is $(\varepsilon, \delta)$-private at any one time $t$, "
        r"if and only if $(X + 1, Y)$ and $(X, Y + 1)$ are $(\varepsilon, \delta)$-close, $X$ and $Y$ independent, both $\mathrm{Bin}(\lambda, 1/2)$."
    ),
    hypotheses=(
        r"$k \ge 2$ bins ($k = 1$ has one stream of each length only)",
        r"$\varepsilon$, $\delta \ge 0$",
        r"$n \ge 1$",
    ),
    steps=LATER_NOISE,
    argument=(
        r"The bins are independent. A change from a to $b$ at a place up to $t$ moves the states of these two bins by 1, one up and one down: with the counts of the "
        r"others known they are $(X + 1, Y)$ and $(X, Y + 1)$, the other bins are a common factor, and the output is a function of the state, the later elements and "
        r"independent noise. For a change after $t$ the state does not depend on it, and the step says that the view shows the state and, for each bin, the later count "
        r"plus noise: the same pair. Changing the first element gives this pair at every $t$. Exchanging the bins exchanges the two directions."
    ),
    rests_on=("common-factor", "post-processing"),
    kernel=theorems(
        "pan-histogram-worst-neighbour",
        "pan-histogram-worst-neighbour-at",
        "pan-histogram-pair",
        "pan-histogram-bin",
        "pair-certificate",
    ),
    near_misses=LATER_NOISE_ALONE,
)


pan_sum_worst_neighbour = Statement(
    where=r"the view of $Q_{\mathrm{ZSUM}}$ (section 5)",
    kind="worst neighbour",
    printed=(
        r"$Q_{\mathrm{ZSUM}}$ is $(\varepsilon, \delta)$-pan-private, and its ($I_{t}$, output) is $(\varepsilon, \delta)$-private at any one time $t$, if and "
        r"only if $\mathrm{Bin}(\lambda, 1/2)$ and $\mathrm{Bin}(\lambda, 1/2) + 1$ are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$\varepsilon$, $\delta \ge 0$", r"$n \ge 1$"),
    steps=LATER_NOISE,
    argument=(
        r"A changed bit at a place up to $t$ moves the state, $\mathrm{Bin}(\lambda, 1/2)$ plus a known count, by 1, and the output is a function of the state, the "
        r"later bits and independent noise. For one after $t$ the state does not depend on it, and the step says that the view shows the state and, independent of it, "
        r"the later count plus $\mathrm{Bin}(\lambda, 1/2)$. So by post-processing both are the pair, in the direction of the change. Changing the first bit, from 0 to "
        r"1 and from 1 to 0, gives it at every $t$ in both directions."
    ),
    rests_on=("post-processing",),
    kernel=theorems("pan-sum-worst-neighbour", "pan-sum-worst-neighbour-at"),
    near_misses=LATER_NOISE_ALONE,
)


hashed_distinct_elements_worst_neighbour = Statement(
    where=r"the view of $P_{\mathrm{HDE}}$ (Appendix A.2)",
    kind="worst neighbour",
    printed=(
        r"For every hash function $h$ from $[k]$ to $[k']$, the view of $P_{\mathrm{HDE}}$ given $h$ is $(\varepsilon, \delta)$-private if the pairs of "
        r"$P_{\mathrm{DE}}$ on $[k']$ are $(\varepsilon, \delta)$-close for all backgrounds; and only if, where $h$ takes at least three values, or $k' = 2$ "
        "and $h$ takes both."
    ),
    hypotheses=(r"$k' \ge 2$", r"$\varepsilon_0 > 0$", r"$m \ge 1$", r"$\varepsilon$, $\delta \ge 0$"),
    steps=UNCHANGED_ROWS_STAY,
    argument=(
        r"Given $h$ the users run $P_{\mathrm{DE}}$ on $[k']$ with the data $h(x)$, and by the step neighbouring datasets become neighbouring or equal ones: private if "
        r"all pairs of $P_{\mathrm{DE}}$ on $[k']$ are close. If $h$ takes three values, two of them are those of the changed user, and the others may hold these and "
        r"the third: all numbers CA and CB with CA + CB $\le$ $N - 1$ occur, and the closeness of these pairs is all that distinct-elements-worst-neighbour asks for, as "
        r"their laws do not depend on the labels. If $k' = 2$ and $h$ takes both values, CA + CB = $N - 1$ occurs, which is all there is."
    ),
    rests_on=("distinct-elements-worst-neighbour",),
    kernel=theorems(
        "hashed-distinct-elements-at-most", "hashed-distinct-elements-worst-neighbour", "hashing-preserves-privacy"
    ),
    near_misses=smt(
        "CA + CB = N - 1",
        ("CA + CB + others = N - 1",),
        says=r"The others hold the two elements, CA + CB = $N - 1$, also where $h$ takes a third value.",
        for_all="CA, CB, others in integer [0, inf); N in integer [1, inf)",
    ),
)


ONES_AND_ZEROS = identity(
    "2*N - (s + x) = (N - s) + (N - x)",
    says="of $2N$ bits, with $s$ ones in the data and $x$ in the noise, the rest are zeros",
    for_all="N in [1, inf); s, x in [0, inf)",
)

NOISE_OF_ONE_FEWER = identity(
    "2*N - (s + x) = (N - s) + (N - 1 - x)",
    says="The zeros are those of the data and of the noise of one user fewer.",
    for_all="N in [1, inf); s, x in [0, inf)",
)

binary_sum_worst_neighbour = Statement(
    where=r"the view of $P^{\mathrm{zsum}}$ (Appendix A.4)",
    kind="worst neighbour",
    printed=(
        r"The view of $N$ honest users of $P^{\mathrm{zsum}}$ is $(\varepsilon, \delta)$-private if and only if $\mathrm{Bin}(N, p)$ and $\mathrm{Bin}(N, p) + "
        r"1$ are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$0 \le p \le 1$", r"$\varepsilon$, $\delta \ge 0$", r"$N \ge 1$"),
    steps=ONES_AND_ZEROS,
    argument=(
        r"Shuffled bits show their number and that of their ones, $s + X$, $s$ the sum of the data and $X \sim \mathrm{Bin}(N, p)$; by the step that is all. $s$ is "
        r"1-sensitive, so by binomial-worst-neighbour the view is private if the pair is close in both directions, and $(0, \dots, 0)$ and $(1, 0, \dots, 0)$ are "
        "neighbours that have it, in both orders."
    ),
    rests_on=("binomial-worst-neighbour",),
    kernel=theorems("binary-sum-worst-neighbour"),
    near_misses=NOISE_OF_ONE_FEWER,
)


shuffle_histogram_worst_neighbour = Statement(
    where="the view of the shuffle histogram (Appendix A.4, for every bin)",
    kind="worst neighbour",
    printed=(
        r"The shuffled labelled messages of $N$ honest users ($P^{\mathrm{zsum}}$ in each of $k$ bins) are $(\varepsilon, \delta)$-private if and only if $(X + "
        r"1, Y)$ and $(X, Y + 1)$ are $(\varepsilon, \delta)$-close, $X$ and $Y$ independent, both $\mathrm{Bin}(N, p)$."
    ),
    hypotheses=(
        r"$k \ge 2$ bins ($k = 1$ has one dataset only)",
        r"$0 \le p \le 1$",
        r"$\varepsilon$, $\delta \ge 0$",
        r"$N \ge 1$",
    ),
    steps=ONES_AND_ZEROS,
    argument=(
        r"Shuffled labelled bits show for each bin the number of its ones, $c + \mathrm{Bin}(N, p)$, by the step nothing else, and the bins are independent. A user who "
        r"goes from a to $b$ moves the ones of these two bins by 1, one down and one up; the others' counts are a known shift, and the other bins a common factor. What "
        r"is left is $(X + 1, Y)$ against $(X, Y + 1)$, and exchanging the bins exchanges the two. With $k \ge 2$ there is such a change."
    ),
    rests_on=("common-factor",),
    kernel=theorems("shuffle-histogram-worst-neighbour", "shuffle-histogram-pair", "shuffle-histogram-pool"),
    near_misses=NOISE_OF_ONE_FEWER,
)
