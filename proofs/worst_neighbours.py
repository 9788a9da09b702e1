"""For each protocol: which neighbouring pair is the worst, and why."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.finite import Law, binomial, image, independent, law_of, mixture, shares, stick, total, worst_is
from panshuffle.proofs.section_5 import LATER_NOISE, pan_sum_view
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt, theorems

BINOMIAL_NOISES = [(1, Fraction(1, 3)), (3, Fraction(1, 2)), (4, Fraction(1, 5))]


def worst_binomial(l: int, p: Fraction, sensitivity: int = 1, shown: str = "") -> Step:
    """All f(x) in 0, 1 times the sensitivity, against the curve of exact.views.binomial."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.binomial import binomial_view as view

    curve = view(l, real(p)).curve
    return worst_is(
        shown or f"l = {l}, p = {p}: the largest delta over f(x), f(x') that differ by 1 is the curve's",
        (0, sensitivity),
        1,
        lambda x: image(binomial(l, p), lambda noise: x[0] + noise),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


binomial_worst_neighbour = Statement(
    where="the view of the binomial mechanism (section 2.1)",
    kind="worst neighbour",
    printed=(
        r"The binomial mechanism with $\mathrm{Bin}(l, p)$, a finite law, is $(\varepsilon, \delta)$-private for every 1-sensitive $f$, every universe and "
        r"every $n$, if and only if $\mathrm{Bin}(l, p)$ and $\mathrm{Bin}(l, p) + 1$ are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$0 \le p \le 1$", r"$\varepsilon$, $\delta \ge 0$"),
    for_all="d in integer (-inf, inf)",
    steps=(
        smt("d*(d - 1)*(d + 1) = 0", ("-1 <= d", "d <= 1"), says="$d = f(x) - f(x')$ is $-1$, 0 or 1"),
        *(worst_binomial(l, p) for l, p in BINOMIAL_NOISES),
    ),
    argument=(
        r"The outputs for $x$ and $x'$ are $X + d$ and $X$, $X \sim \mathrm{Bin}(l, p)$, both shifted by $f(x')$, which changes no divergence. For $d = 0$ they have "
        r"one law, and $d = 1$ and $d = -1$ are the two directions of the pair. The universe $\{0, 1\}$ with $n = 1$ and $f(x) = x$ has both."
    ),
    kernel=theorems("binomial-worst-neighbour", "binomial-mechanism-pairs"),
    near_misses=(
        smt(
            "d*(d - 1)*(d + 1) = 0",
            ("-1 <= d", "d <= 2"),
            says=r"Outputs that differ by at most 2 differ by $-1$, 0 or 1.",
        ),
    ),
)


def two_bit_pools(data: tuple[tuple[int, int], ...], p: Fraction) -> Law:
    """The number of ones in each of the two pools, every bit flipped with probability p."""

    def pool(position: int) -> Law:
        return total([{row[position]: 1 - p, 1 - row[position]: p} for row in data])

    return image(independent(pool(0), pool(1)), lambda parts: parts)


def worst_two_bit_sum(users: int, p: Fraction, curve_p: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the curve of exact.views.two_bit_sum."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.flipped_bits import two_bit_sum_view as view

    curve = view(users, real(curve_p)).curve
    return worst_is(
        says or f"N = {users}, p = {p}: the largest delta over all neighbouring datasets is the curve's",
        [(0, 0), (0, 1), (1, 0), (1, 1)],
        users,
        lambda data: two_bit_pools(data, p),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
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
    steps=(
        identity(
            "(1 - p + p*E)^(N - 1 - h)*(p + (1 - p)*E)^h*(p + (1 - p)*E) = (1 - p + p*E)^(N - (h + 1))*(p + (1 - p)*E)^(h + 1)",
            says=r"the ones of a pool: a user who holds 1 beside $h$ others who do makes it the pool of $h + 1$, whoever they are",
            for_all="p in (0, 1); E in (0, inf); N in integer [1, inf); h in integer [0, inf)",
        ),
        worst_two_bit_sum(1, Fraction(1, 4), Fraction(1, 4)),
        worst_two_bit_sum(2, Fraction(1, 5), Fraction(1, 5)),
        worst_two_bit_sum(3, Fraction(1, 3), Fraction(1, 3)),
    ),
    argument=(
        r"Bits and users are independent, so a pool's number of ones has the product of the users' generating functions, $1 - p + pE$ for a 0 and $p + (1-p)E$ for a "
        r"1 (which the first step counts; for $p = 0$ and $p = 1$ the number is fixed by the counts), and the pools are independent. $h_{1}$ and $h_{2}$ take all "
        r"values from 0 to $N - 1$ independently. If one bit changes, the other pool is a common factor, and the pair of pools is a function of a pair in which "
        "the user's other bit changes, too: of its first pool alone. By post-processing it is no worse."
    ),
    rests_on=("common-factor", "post-processing"),
    kernel=theorems("two-bit-sum-worst-neighbour"),
    near_misses=(
        worst_two_bit_sum(
            2,
            Fraction(1, 5),
            Fraction(21, 100),
            "The largest delta at p = 1/5 is that of the pair at p = 21/100, N = 2.",
        ),
    ),
)


def distinct_pools(data: tuple[int, ...], k: int, m: int, q: Fraction) -> Law:
    """The number of ones in each pool; a user who holds j has a fair bit for j, others a bit that is 1 w.p. (1-q)/2."""

    def user(holds: bool) -> Law:
        p = Fraction(1, 2) if holds else (1 - q) / 2
        return mixture([(shares(0, m), 1 - p), (shares(1, m), p)])

    return image(independent(*(total([user(x == j) for x in data]) for j in range(k))), lambda parts: parts)


def third_pool_is_common(says: str, exp_eps: Fraction) -> Step:
    """Only the pools of the old and the new element matter: a third pool is a common factor."""
    q, m = Fraction(1, 2), 2

    def holds(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        full = stick(distinct_pools(pair[0], 3, m, q), distinct_pools(pair[1], 3, m, q), exp_eps)
        kept = [image(distinct_pools(x, 3, m, q), lambda parts: parts[:2]) for x in pair]
        return full == stick(kept[0], kept[1], exp_eps)

    return exhaustive(says, holds, [((0, 2), (1, 2)), ((1, 1), (0, 1)), ((0, 1), (1, 1))], str)


def worst_distinct_elements(k: int, users: int, m: int, q: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the worst background of exact.pairs.parity_pair."""
    from panshuffle.exact.pairs.parity_pair import worst_background_exact

    return worst_is(
        says
        or f"k = {k}, N = {users}, m = {m}, q = {q}: the largest delta over all neighbours is that of the worst background",
        range(k),
        users,
        lambda data: distinct_pools(data, k, m, q),
        lambda exp_eps: worst_background_exact(users, k, m, q, exp_eps)[0],
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
        third_pool_is_common("N = 2, k = 3, m = 2: a third pool changes nothing", Fraction(3, 2)),
        worst_distinct_elements(2, 1, 3, Fraction(1, 2)),
        worst_distinct_elements(2, 2, 2, Fraction(1, 2)),
        worst_distinct_elements(2, 2, 3, Fraction(2, 3)),
        worst_distinct_elements(3, 2, 2, Fraction(1, 3)),
        worst_distinct_elements(2, 3, 2, Fraction(1, 2)),
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
    near_misses=(smt("CA + CB <= N - 2", ("CA + CB + others = N - 1",), says=r"CA + CB is at most $N - 2$."),),
)


def randomized_or_output(data: tuple[int, ...], exp_eps: Fraction) -> Law:
    """Ber(1/2) if the OR is 1, Ber(1/(2e^eps)) otherwise."""
    p = Fraction(1, 2) if any(data) else 1 / (2 * exp_eps)
    return {0: 1 - p, 1: p}


def worst_randomized_or(n: int, exp_eps: Fraction, curve_exp_eps: Fraction, says: str = "") -> Step:
    """All neighbouring datasets of n bits against the curve of exact.views.randomized_or."""
    from panshuffle.exact.real import log, real
    from panshuffle.exact.views.released import randomized_or_view as view

    curve = view(log(real(curve_exp_eps))).curve

    def claimed(at: Fraction) -> Fraction:
        return curve.exact(at) if curve.exact else max(direct(at), Fraction(0))

    def direct(at: Fraction) -> Fraction:
        half, p = Fraction(1, 2), 1 / (2 * curve_exp_eps)
        return max(half - at * p, (1 - p) - at * half)

    return worst_is(
        says or f"n = {n}, e^eps = {exp_eps}: the largest delta over all neighbouring datasets is the curve's",
        (0, 1),
        n,
        lambda data: randomized_or_output(data, exp_eps),
        claimed,
    )


randomized_or_worst_neighbour = Statement(
    where="the view of the central OR (section 3.1)",
    kind="worst neighbour",
    printed=(
        r"The central OR with $\varepsilon_0$ is $(\varepsilon, \delta)$-private if and only if $\mathrm{Ber}(1/2)$ and $\mathrm{Ber}(1/(2e^{\varepsilon_0}))$ "
        r"are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$\varepsilon_0 > 0$", r"$\varepsilon$, $\delta \ge 0$", r"$n \ge 1$"),
    steps=(
        smt(
            "o*(1 - o) = 0",
            ("o = 1 - (1 - a)*(1 - x)", "a*(1 - a) = 0", "x*(1 - x) = 0"),
            says="the OR of the bits so far, a, and one bit more, $x$, is a bit",
            for_all="o in (-inf, inf); a, x in [0, 1]",
        ),
        worst_randomized_or(1, Fraction(3), Fraction(3)),
        worst_randomized_or(2, Fraction(2), Fraction(2)),
        worst_randomized_or(3, Fraction(3, 2), Fraction(3, 2)),
    ),
    argument=(
        r"The output depends on the data through the OR, which is 0 or 1, so the views of a neighbouring pair have one law or are the two Bernoulli laws in one of "
        r"the two orders. For every $n \ge 1$ the datasets $(0, \dots, 0)$ and $(1, 0, \dots, 0)$ are neighbours with both."
    ),
    kernel=theorems("randomized-or-worst-neighbour"),
    near_misses=(
        worst_randomized_or(
            2, Fraction(2), Fraction(21, 10), "The largest delta at e^eps = 2 is that of the pair at 21/10."
        ),
    ),
)


def share_pool(bits: tuple[int, ...], m: int) -> Law:
    """The number of ones among all shares."""
    return total([shares(bit, m) for bit in bits])


def shares_depend_on_ones(says: str, m: int, extra: int = 0) -> Step:
    """The law of the pool depends on the number of ones of the input only (extra = 1 changes a bit)."""
    inputs = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    return exhaustive(
        says,
        lambda x: share_pool(x, m) == share_pool(tuple(sorted((x[0] ^ extra, *x[1:]))), m),
        inputs,
        lambda x: f"m = {m}, input {x}",
    )


def largest_share_distance(says: str, users: int, m: int, factor: Fraction = Fraction(1)) -> Step:
    """The largest total variation from (parity, 0, ..., 0) over all inputs is what exact.pairs.share_distance says."""
    from panshuffle.exact.pairs.share_distance import worst_share_tv

    def brute() -> Fraction:
        found = [
            stick(
                share_pool((1,) * ones + (0,) * (users - ones), m),
                share_pool((ones % 2,) + (0,) * (users - 1), m),
                Fraction(1),
            )
            for ones in range(users + 1)
        ]
        return max(found)

    return exhaustive(
        says, lambda _: brute() == factor * worst_share_tv(users, m)[0], [0], lambda _: f"by brute force {brute()}"
    )


modular_sum_worst_neighbour = Statement(
    where=r"the view of $P_{\mathrm{MOD}}$ (section 3.1, Theorem ikos)",
    kind="worst neighbour",
    printed=(
        r"The view of $P_{\mathrm{MOD}}$ depends on the dataset as a multiset of bits, its number of ones, only; for every neighbouring pair that differs it is "
        r"$(\varepsilon, \delta)$-close only if $\delta \ge 1$, so the view is $(\varepsilon, \delta)$-private if and only if $\delta \ge 1$."
    ),
    hypotheses=(r"$m \ge 1$ messages a user", r"$N \ge 1$ users"),
    steps=(
        smt(
            "2*a + h != 2*b + h + 1",
            says="a pool with $h$ ones in the data and one with $h + 1$ never have the same number of ones",
            for_all="a, b in integer (-inf, inf); h in integer [0, inf)",
        ),
        shares_depend_on_ones("three users, m = 2: the law depends on the number of ones only", 2),
        shares_depend_on_ones("three users, m = 3: the law depends on the number of ones only", 3),
        worst_is(
            "N = 2, m = 3: delta = 1 for neighbouring inputs",
            (0, 1),
            2,
            lambda bits: share_pool(bits, 3),
            lambda e: Fraction(1),
        ),
        largest_share_distance("N = 3, m = 3: the largest total variation", 3, 3),
        largest_share_distance("N = 4, m = 3: the largest total variation", 4, 3),
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
    near_misses=(shares_depend_on_ones("The law of the pool does not depend on the first bit, m = 3.", 3, 1),),
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
    steps=(
        smt(
            "-1 <= d - f <= 1",
            ("s <= d <= s + 1", "s <= f <= s + 1"),
            says="without the changed row there are $s$ distinct elements, with it, before and after, $s$ or $s + 1$",
            for_all="s, d, f in [0, inf)",
        ),
    ),
    argument=(
        r"The outputs of a neighbouring pair are the noise shifted by $d$ and by $f$, whole numbers that differ by at most 1: one law, or the pair in one of two "
        r"directions. The mass at $v$ is that at $-v$, so turning the sign of the noise plus 1 and of the noise, and adding 1, exchanges the two directions. For $k "
        r"\ge 2$ and $n \ge 2$ the datasets $(1, 1, \dots, 1)$ and $(2, 1, \dots, 1)$ have 1 and 2 distinct elements."
    ),
    kernel=theorems("geometric-worst-neighbour"),
    near_misses=(
        smt(
            "d = f",
            ("s <= d <= s + 1", "s <= f <= s + 1"),
            says="The number of distinct elements does not move when a row changes.",
        ),
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


def uniformity_pool(count: int, users: int, noise: int) -> Law:
    """(ones, zeros) of a pool given the number of noise messages."""
    return image(binomial(noise, Fraction(1, 2)), lambda x: (count + x, users - count + noise - x))


def uniformity_is_two_shifts(says: str, with_two: bool) -> Step:
    """Whatever the other users hold, a changed user is one shift of Bin(L, 1/2) in each of two pools."""
    users = 3

    def delta(a: int, b: int, first: int, second: int, exp_eps: Fraction) -> Fraction:
        upper = independent(uniformity_pool(a + 1, users, first), uniformity_pool(b, users, second))
        lower = independent(
            uniformity_pool(a, users, first), uniformity_pool(b + (1 if with_two else 0), users, second)
        )
        return stick(upper, lower, exp_eps)

    cases = [
        (a, b, first, second, Fraction(e, 2))
        for a in range(users)
        for b in range(users - a)
        for first in (0, 1, 3)
        for second in (0, 2)
        for e in (2, 3, 5)
    ]

    def claimed(first: int, second: int, exp_eps: Fraction) -> Fraction:
        up, down = binomial(first, Fraction(1, 2)), binomial(second, Fraction(1, 2))
        moved = independent(image(up, lambda x: x + 1), down)
        return stick(moved, independent(up, image(down, lambda x: x + 1)), exp_eps)

    return exhaustive(
        says,
        lambda case: delta(*case) == claimed(*case[2:]),
        cases,
        lambda case: f"others hold a and b {case[:2]} times, noise messages {case[2:4]}, e^eps = {case[4]}",
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
    steps=(
        identity(
            "(N - c) + (L - X) = N + L - (c + X)",
            says=r"a pool of $N$ users, $c$ holders, $L$ noise bits and $X$ ones among these: its zeros are its size less its ones",
        ),
        uniformity_is_two_shifts(
            "three users: delta is the same for all numbers of other holders, L in {0, 1, 3} and {0, 2}", True
        ),
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
    near_misses=(
        identity(
            "z - (N - (c + 1)) = (z - 1) - (N - c)",
            says="The zeros of a pool rise when its ones do.",
            for_all="N, c in (-inf, inf)",
        ),
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
    steps=(UNCHANGED_ROWS_STAY,),
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
    near_misses=(
        smt(
            "x <= y",
            ROW,
            says="A row that changes ($x = 1$) is always in another group afterwards ($y = 1$), whatever the groups are.",
        ),
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


def pan_sum_equal_noise_view(stream: tuple[int, ...], t: int, lam: int) -> Law:
    """The law of (I_t, output)."""
    return pan_sum_view(stream, t, lam, lam)


def pan_histogram_view(stream: tuple[int, ...], t: int, lam: int, k: int) -> Law:
    """The law of (I_t, output) of k independent bins."""
    bins = [pan_sum_equal_noise_view(tuple(int(x == j) for x in stream), t, lam) for j in range(k)]
    return image(independent(*bins), lambda parts: parts)


def worst_pan_histogram(k: int, n: int, t: int, lam: int, coins: int, says: str = "") -> Step:
    """All neighbouring streams at time t against the curve of exact.views.pan_histogram."""
    from panshuffle.exact.views.binomial import pan_histogram_view as view

    curve = view(k, coins).curve
    return worst_is(
        says
        or f"k = {k}, n = {n}, t = {t}, lam = {lam}: the largest delta over all neighbouring streams is the curve's",
        range(k),
        n,
        lambda stream: pan_histogram_view(stream, t, lam, k),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
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
    steps=(
        LATER_NOISE,
        worst_pan_histogram(2, 1, 0, 1, 1),
        worst_pan_histogram(2, 1, 1, 2, 2),
        worst_pan_histogram(2, 2, 1, 1, 1),
        worst_pan_histogram(3, 1, 1, 1, 1),
    ),
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
    near_misses=(worst_pan_histogram(2, 1, 1, 2, 3, "The largest delta is that of the pair with one coin more."),),
)


def worst_pan_sum(n: int, t: int, lam: int, coins: int, says: str = "") -> Step:
    """All neighbouring streams of n bits at time t against the curve of exact.views.pan_sum."""
    from panshuffle.exact.views.binomial import pan_sum_view as exact_view

    curve = exact_view(coins).curve
    return worst_is(
        says or f"n = {n}, t = {t}, lam = {lam}: the largest delta over all neighbouring streams is the curve's",
        (0, 1),
        n,
        lambda stream: pan_sum_equal_noise_view(stream, t, lam),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


pan_sum_worst_neighbour = Statement(
    where=r"the view of $Q_{\mathrm{ZSUM}}$ (section 5)",
    kind="worst neighbour",
    printed=(
        r"$Q_{\mathrm{ZSUM}}$ is $(\varepsilon, \delta)$-pan-private, and its ($I_{t}$, output) is $(\varepsilon, \delta)$-private at any one time $t$, if and "
        r"only if $\mathrm{Bin}(\lambda, 1/2)$ and $\mathrm{Bin}(\lambda, 1/2) + 1$ are $(\varepsilon, \delta)$-close in both directions."
    ),
    hypotheses=(r"$\varepsilon$, $\delta \ge 0$", r"$n \ge 1$"),
    steps=(LATER_NOISE, *(worst_pan_sum(2, t, lam, lam) for t in (0, 1, 2) for lam in (1, 3))),
    argument=(
        r"A changed bit at a place up to $t$ moves the state, $\mathrm{Bin}(\lambda, 1/2)$ plus a known count, by 1, and the output is a function of the state, the "
        r"later bits and independent noise. For one after $t$ the state does not depend on it, and the step says that the view shows the state and, independent of it, "
        r"the later count plus $\mathrm{Bin}(\lambda, 1/2)$. So by post-processing both are the pair, in the direction of the change. Changing the first bit, from 0 to "
        r"1 and from 1 to 0, gives it at every $t$ in both directions."
    ),
    rests_on=("post-processing",),
    kernel=theorems("pan-sum-worst-neighbour", "pan-sum-worst-neighbour-at"),
    near_misses=(
        worst_pan_sum(2, 1, 3, 6, "It is as private as one shift of Bin(2 lam, 1/2), the noise of the output alone."),
    ),
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
    steps=(UNCHANGED_ROWS_STAY,),
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
    near_misses=(
        smt(
            "CA + CB = N - 1",
            ("CA + CB + others = N - 1",),
            says=r"The others hold the two elements, CA + CB = $N - 1$, also where $h$ takes a third value.",
            for_all="CA, CB, others in integer [0, inf); N in integer [1, inf)",
        ),
    ),
)


def binary_sum_view(data: tuple[int, ...], p: Fraction) -> Law:
    """The multiset of the 2N bits, by going through all noise bits."""
    weighted = []
    for noise in product((0, 1), repeat=len(data)):
        mass = Fraction(1)
        for bit in noise:
            mass *= p if bit else 1 - p
        weighted.append((tuple(sorted((*data, *noise))), mass))
    return law_of(weighted)


def worst_binary_sum(users: int, p: Fraction, curve_users: int, says: str = "") -> Step:
    """All neighbouring datasets of N bits against the curve of exact.views.binary_sum."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.binomial import binary_sum_view as view

    curve = view(curve_users, real(p)).curve
    return worst_is(
        says or f"N = {users}, p = {p}: the largest delta over all neighbouring datasets is the curve's",
        (0, 1),
        users,
        lambda data: binary_sum_view(data, p),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


ONES_AND_ZEROS = identity(
    "2*N - (s + x) = (N - s) + (N - x)",
    says="of $2N$ bits, with $s$ ones in the data and $x$ in the noise, the rest are zeros",
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
    steps=(
        ONES_AND_ZEROS,
        worst_binary_sum(1, Fraction(1, 2), 1),
        worst_binary_sum(2, Fraction(3, 4), 2),
        worst_binary_sum(3, Fraction(2, 3), 3),
    ),
    argument=(
        r"Shuffled bits show their number and that of their ones, $s + X$, $s$ the sum of the data and $X \sim \mathrm{Bin}(N, p)$; by the step that is all. $s$ is "
        r"1-sensitive, so by binomial-worst-neighbour the view is private if the pair is close in both directions, and $(0, \dots, 0)$ and $(1, 0, \dots, 0)$ are "
        "neighbours that have it, in both orders."
    ),
    rests_on=("binomial-worst-neighbour",),
    kernel=theorems("binary-sum-worst-neighbour"),
    near_misses=(
        worst_binary_sum(
            3, Fraction(2, 3), 2, "The largest delta is that of the pair with the noise of one user fewer, N = 3."
        ),
    ),
)


def shuffle_histogram_pools(data: tuple[int, ...], k: int, p: Fraction) -> Law:
    """The number of ones in each of the k pools; every pool holds 2N bits."""
    counts = [sum(x == j for x in data) for j in range(k)]
    noise = independent(*[binomial(len(data), p)] * k)
    return image(noise, lambda draws: tuple(c + x for c, x in zip(counts, draws, strict=True)))


def worst_shuffle_histogram(k: int, users: int, p: Fraction, curve_p: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the curve of exact.views.shuffle_histogram."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.binomial import shuffle_histogram_view as view

    curve = view(k, users, real(curve_p)).curve
    return worst_is(
        says or f"k = {k}, N = {users}, p = {p}: the largest delta over all neighbouring datasets is the curve's",
        range(k),
        users,
        lambda data: shuffle_histogram_pools(data, k, p),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
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
    steps=(
        ONES_AND_ZEROS,
        worst_shuffle_histogram(2, 1, Fraction(1, 2), Fraction(1, 2)),
        worst_shuffle_histogram(2, 3, Fraction(3, 4), Fraction(3, 4)),
        worst_shuffle_histogram(3, 2, Fraction(2, 3), Fraction(2, 3)),
    ),
    argument=(
        r"Shuffled labelled bits show for each bin the number of its ones, $c + \mathrm{Bin}(N, p)$, by the step nothing else, and the bins are independent. A user who "
        r"goes from a to $b$ moves the ones of these two bins by 1, one down and one up; the others' counts are a known shift, and the other bins a common factor. What "
        r"is left is $(X + 1, Y)$ against $(X, Y + 1)$, and exchanging the bins exchanges the two. With $k \ge 2$ there is such a change."
    ),
    rests_on=("common-factor",),
    kernel=theorems("shuffle-histogram-worst-neighbour", "shuffle-histogram-pair", "shuffle-histogram-pool"),
    near_misses=(
        worst_shuffle_histogram(
            2, 3, Fraction(3, 4), Fraction(4, 5), "The largest delta at p = 3/4 is that of the pair at p = 4/5."
        ),
    ),
)
