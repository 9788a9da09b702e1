"""Bounds that are not in the paper: amplification by shuffling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from panshuffle.proofs.finite import Law, binomial, image, independent, law_of, neighbours, stick, total
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import computed, exhaustive, kernel
from panshuffle.symbolic.exhaustive import check_all

DeltaBound = Callable[[int, int, int, Fraction], Fraction]


def shuffled_reports(table: Sequence[Sequence[Fraction]], data: Sequence[int]) -> Law:
    """The shuffled reports of these users, as a sorted tuple."""
    laws: list[Law] = [dict(enumerate(table[x])) for x in data]
    return image(independent(*laws), lambda seen: tuple(sorted(seen)))


AMPLIFICATION_RATIOS = (Fraction(1), Fraction(5, 4), Fraction(7, 4), Fraction(5, 2))


def within_bound(says: str, table: Sequence[Sequence[Fraction]], most: int, bound: DeltaBound) -> Step:
    """Up to `most` users of a randomizer, all neighbours by brute force: delta is at most bound(x, x', N, e^eps)."""
    seen, most_of = cache(lambda data: shuffled_reports(table, data)), cache(bound)
    cases = [
        (x, y, exp_eps)
        for users in range(1, most + 1)
        for x, y in neighbours(range(len(table)), users)
        for exp_eps in AMPLIFICATION_RATIOS
    ]

    def sides(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> tuple[Fraction, Fraction]:
        x, y, exp_eps = case
        a, b = next((a, b) for a, b in zip(x, y, strict=True) if a != b)
        return stick(seen(x), seen(y), exp_eps), most_of(a, b, len(x), exp_eps)

    return exhaustive(
        says,
        lambda case: sides(case)[0] <= sides(case)[1],
        cases,
        lambda case: "data {}, changed to {}, e^eps = {}: delta is {}, the bound {}".format(*case, *sides(case)),
    )


THREE_VALUES = [[Fraction(1, 2) if x == y else Fraction(1, 4) for y in range(3)] for x in range(3)]
"""Three values: the own one with probability 1/2, each of the others with 1/4."""

Letters = Sequence[tuple[Fraction, Fraction, Fraction]]


def amplified_delta(letters: Letters, users: int, exp_eps: Fraction) -> Fraction:
    """E[(W_1 + ... + W_N)_+]/N, W = (a - e^eps b)/w with probability w for each letter (a, b, w), and 0 with the rest."""
    spare = (Fraction(0), 1 - sum((w for _, _, w in letters), Fraction(0)))
    law = law_of([spare, *(((a - exp_eps * b) / w, w) for a, b, w in letters if w)])
    parts = (value * mass for value, mass in total([law] * users).items() if isinstance(value, Fraction) and value > 0)
    return sum(parts, Fraction(0)) / users


def least_mass_bound(table: Sequence[Sequence[Fraction]], more: int = 0, times: Fraction = Fraction(1)) -> DeltaBound:
    """The bound whose letters are the messages, with their least masses times `times`, for `more` further users."""
    weights = [times * min(column) for column in zip(*table, strict=True)]

    def bound(x: int, other: int, users: int, exp_eps: Fraction) -> Fraction:
        return amplified_delta(list(zip(table[x], table[other], weights, strict=True)), users + more, exp_eps)

    return bound


LEANING_VALUES = [[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]]

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
    steps=(
        within_bound(
            "three values, up to 3 users: delta is at most the bound", THREE_VALUES, 3, least_mass_bound(THREE_VALUES)
        ),
        within_bound(
            "three messages for two inputs, up to 4 users: delta is at most the bound",
            LEANING_VALUES,
            4,
            least_mass_bound(LEANING_VALUES),
        ),
    ),
    kernel=(kernel("amplification-by-shuffling"),),
    near_misses=(
        within_bound("three values: with N + 1 in place of N", THREE_VALUES, 3, least_mass_bound(THREE_VALUES, more=1)),
        within_bound(
            "three values: with weights that are 1.1 times a common part",
            THREE_VALUES,
            3,
            least_mass_bound(THREE_VALUES, times=Fraction(11, 10)),
        ),
    ),
)


def clones_bound(p: Fraction, weight: Fraction, more: int = 0) -> DeltaBound:
    """The bound for e^eps0 = p, with two letters of this weight, for `more` further users."""
    often, seldom = p / (p + 1), 1 / (p + 1)
    letters = [(often, seldom, weight), (seldom, often, weight)]
    return lambda _x, _other, users, exp_eps: amplified_delta(letters, users + more, exp_eps)


BINARY_RESPONSE = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]

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
    steps=(
        within_bound(
            "three values with e^eps0 = 2, up to 3 users: delta is at most the bound",
            THREE_VALUES,
            3,
            clones_bound(Fraction(2), Fraction(1, 4)),
        ),
        within_bound(
            "binary response with e^eps0 = 3, up to 4 users: delta is at most the bound",
            BINARY_RESPONSE,
            4,
            clones_bound(Fraction(3), Fraction(1, 6)),
        ),
    ),
    kernel=(kernel("clones"), kernel("clones-as-counts")),
    near_misses=(
        within_bound(
            "binary response with e^eps0 = 3: with N + 1 in place of N",
            BINARY_RESPONSE,
            3,
            clones_bound(Fraction(3), Fraction(1, 6), 1),
        ),
        within_bound(
            "binary response with e^eps0 = 3: with probability 1/p in place of 1/(2p)",
            BINARY_RESPONSE,
            3,
            clones_bound(Fraction(3), Fraction(1, 3)),
        ),
    ),
)


SOMETIMES_TELLING = [
    [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), Fraction(0)],
    [Fraction(1, 4), Fraction(1, 2), Fraction(0), Fraction(1, 4)],
]
"""Two of the four messages tell which input it was."""


def blanket_bound(counted: bool) -> DeltaBound:
    """The bound for SOMETIMES, with or without the messages that have no weight."""
    weights = [min(column) for column in zip(*SOMETIMES_TELLING, strict=True)]

    def bound(x: int, other: int, users: int, exp_eps: Fraction) -> Fraction:
        rows = list(zip(SOMETIMES_TELLING[x], SOMETIMES_TELLING[other], weights, strict=True))
        outside = sum((max(a - exp_eps * b, Fraction(0)) for a, b, w in rows if not w), Fraction(0))
        return amplified_delta(rows, users, exp_eps) + counted * outside

    return bound


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
    steps=(
        within_bound(
            "three values, up to 3 users, w the least masses: delta is at most the bound",
            THREE_VALUES,
            3,
            least_mass_bound(THREE_VALUES),
        ),
        within_bound(
            "with two messages of weight 0, up to 4 users: delta is at most the bound",
            SOMETIMES_TELLING,
            4,
            blanket_bound(True),
        ),
    ),
    kernel=(kernel("blanket"),),
    near_misses=(
        within_bound("without the messages of weight 0", SOMETIMES_TELLING, 4, blanket_bound(False)),
        within_bound("with N + 1 in place of N", LEANING_VALUES, 4, least_mass_bound(LEANING_VALUES, more=1)),
        within_bound(
            "with w above the least masses by a tenth",
            THREE_VALUES,
            3,
            least_mass_bound(THREE_VALUES, times=Fraction(11, 10)),
        ),
    ),
)


EXP_EPS0 = Fraction(3)
"""e^eps0 of binary response."""

Randomizer = list[list[Fraction]]


def weights_to_ones(columns: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """The weights with which the columns sum to all ones, by elimination; None if there is not exactly one solution."""
    rows = [[*row, Fraction(1)] for row in zip(*columns, strict=True)]
    for place in range(len(columns)):
        pivot = next((row for row in rows[place:] if row[place]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        pivot = [entry / pivot[place] for entry in pivot]
        rows = [[a - row[place] * b for a, b in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(place, pivot)
    return [row[-1] for row in rows]


def extremal_randomizers(p: Fraction, inputs: int) -> Iterator[Randomizer]:
    """Every randomizer whose masses of a message are 1 and p times its weight, with as many messages as inputs.

    The message of each e^eps0 = p private randomizer is a function of that of one with such masses and more messages.
    """
    columns = [column for column in product((Fraction(1), p), repeat=inputs) if min(column) == 1]
    for chosen in combinations(columns, inputs):
        weights = weights_to_ones(chosen)
        if weights is not None and min(weights) >= 0:
            yield [[w * column[z] for w, column in zip(weights, chosen, strict=True)] for z in range(inputs)]


def extremal_within(says: str, p: Fraction, users: int, weight: Fraction) -> Step:
    """User 1 changes from input 0 to input 1 and user i holds input i: delta is at most the bound, at two e^eps.

    For up to three users that is enough for every e^eps from 1 to p: between 1, (2p+1)/(p+2) and p the bound is linear
    in e^eps and delta convex, and at p both are 0.
    """
    bound, others = cache(clones_bound(p, weight)), range(2, users + 1)

    def worst(table: Randomizer) -> tuple[Fraction, Fraction, Fraction]:
        first, second = (shuffled_reports(table, (own, *others)) for own in (0, 1))
        sides = ((stick(first, second, e), bound(0, 1, users, e), e) for e in (Fraction(1), (2 * p + 1) / (p + 2)))
        return max(sides, key=lambda side: side[0] - side[1])

    def describe(table: Randomizer) -> str:
        masses = [[str(mass) for mass in row] for row in table]
        return "masses {}: delta is {}, the bound {} at e^eps = {}".format(masses, *worst(table))

    def holds(table: Randomizer) -> bool:
        delta, most, _ = worst(table)
        return delta <= most

    return computed(
        says,
        lambda: check_all(holds, extremal_randomizers(p, users + 1), describe),
        second="none is needed: all messages of all users, in rationals",
    )


def clone_counts(users: int, p: Fraction, own: Fraction) -> Law:
    """(A + D, C - A + 1 - D), C ~ Bin(N-1, 2/(p+1)), A ~ Bin(C, 1/2), D ~ Ber(own)."""
    return law_of(
        ((a + d, c - a + 1 - d), often * half * (own if d else 1 - own))
        for c, often in enumerate(binomial(users - 1, 2 / (p + 1)).values())
        for a, half in enumerate(binomial(c, Fraction(1, 2)).values())
        for d in (0, 1)
    )


def clone_counts_divergence(says: str) -> Step:
    """The divergence of the two laws of the counts is the mean, for up to 5 users."""
    cases = [
        (users, p, e)
        for users in range(1, 6)
        for p in (Fraction(3, 2), EXP_EPS0, Fraction(7))
        for e in AMPLIFICATION_RATIOS
        if e <= p
    ]

    def sides(case: tuple[int, Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        users, p, e = case
        often, seldom = p / (p + 1), 1 / (p + 1)
        mean = amplified_delta([(often, seldom, seldom), (seldom, often, seldom)], users, e)
        return stick(clone_counts(users, p, often), clone_counts(users, p, seldom), e), mean

    return exhaustive(says, lambda case: sides(case)[0] == sides(case)[1], cases)


def bound_is_reached(says: str) -> Step:
    """Two users of binary response, the other one at x': delta at eps = 0 is the bound itself."""
    cases = [
        (p, [[p / (p + 1), 1 / (p + 1)], [1 / (p + 1), p / (p + 1)]]) for p in (Fraction(3, 2), EXP_EPS0, Fraction(7))
    ]
    return exhaustive(
        says,
        lambda case: (
            stick(shuffled_reports(case[1], (0, 1)), shuffled_reports(case[1], (1, 1)), Fraction(1))
            == clones_bound(case[0], 1 / (case[0] + 1))(0, 1, 2, Fraction(1))
        ),
        cases,
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
    steps=(
        within_bound(
            "three values with e^eps0 = 2, up to 3 users: delta is at most the bound",
            THREE_VALUES,
            3,
            clones_bound(Fraction(2), Fraction(1, 3)),
        ),
        within_bound(
            "binary response with e^eps0 = 3, up to 4 users: delta is at most the bound",
            BINARY_RESPONSE,
            4,
            clones_bound(EXP_EPS0, Fraction(1, 4)),
        ),
        extremal_within(
            r"three extremal messages and two users, $e^{\varepsilon_0} = 3$: $\delta$ is at most the bound",
            EXP_EPS0,
            2,
            Fraction(1, 4),
        ),
        extremal_within(
            r"four extremal messages and three users, $e^{\varepsilon_0} = 3$: $\delta$ is at most the bound",
            EXP_EPS0,
            3,
            Fraction(1, 4),
        ),
        clone_counts_divergence("the divergence of the counts is the mean, up to 5 users"),
        bound_is_reached("two users of binary response reach it at eps = 0"),
    ),
    kernel=(kernel("stronger-clones"), kernel("stronger-clones-as-counts")),
    constants=(Constant("1", near_miss="binary response with e^eps0 = 3: with probability 1.04/(p+1)", by="1.04"),),
    near_misses=(
        within_bound(
            "binary response with e^eps0 = 3: with probability 1.04/(p+1)",
            BINARY_RESPONSE,
            3,
            clones_bound(EXP_EPS0, Fraction(26, 100)),
        ),
        within_bound(
            "binary response with e^eps0 = 3: with N + 1 in place of N",
            BINARY_RESPONSE,
            3,
            clones_bound(EXP_EPS0, Fraction(1, 4), 1),
        ),
        extremal_within(
            r"three extremal messages and two users, $e^{\varepsilon_0} = 3$: with probability $1/p$",
            EXP_EPS0,
            2,
            Fraction(1, 3),
        ),
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

BOTH_DIRECTIONS = ((1, 0), (0, 1))
"""Both directions."""


def accountant_pair_within(says: str, delta: Fraction) -> Step:
    """The code's pair has at most this delta at e^eps = 7/4, in both directions."""

    def found(own: tuple[int, int]) -> Fraction:
        upper, lower = (accountant_pair(2, Fraction(2), Fraction(1, 4), side) for side in own)
        return stick(upper, lower, VARIATION_EXP_EPS)

    return exhaustive(
        says, lambda own: found(own) <= delta, BOTH_DIRECTIONS, lambda own: f"delta is {found(own)}", whole=True
    )


def three_value_reports_within(says: str, delta: Fraction) -> Step:
    """The shuffled reports of two users have at most this delta at e^eps = 7/4, for all neighbours."""

    def found(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> Fraction:
        return stick(
            shuffled_reports(THREE_VALUES, pair[0]), shuffled_reports(THREE_VALUES, pair[1]), VARIATION_EXP_EPS
        )

    return exhaustive(
        says,
        lambda pair: found(pair) <= delta,
        neighbours(range(3), 2),
        lambda pair: f"data {pair[0]}, changed to {pair[1]}: delta is {found(pair)}",
        whole=True,
    )


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
    steps=(
        accountant_pair_within("the pair has delta at most 1/64", Fraction(1, 64)),
        three_value_reports_within("the shuffled reports have delta at most 1/32", Fraction(1, 32)),
    ),
    kernel=(
        kernel("variation-ratio-refuted"),
        kernel("variation-ratio-pair"),
        kernel("three-response"),
        kernel("three-response-parameters"),
    ),
    constants=(
        Constant("1/64", near_miss="the pair has delta at most 0.0155", by="0.0155"),
        Constant("1/32", near_miss="the shuffled reports have delta at most 0.031", by="0.031"),
    ),
    near_misses=(
        accountant_pair_within("the pair has delta at most 0.0155", Fraction("0.0155")),
        three_value_reports_within("the shuffled reports have delta at most 0.031", Fraction("0.031")),
        three_value_reports_within("the shuffled reports have the pair's delta, 1/64", Fraction(1, 64)),
    ),
)
