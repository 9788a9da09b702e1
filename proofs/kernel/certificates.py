"""Certificates as theorems: a claim of a file that `exact.check` reads becomes a theorem for Coq to prove.

The theorem says of the real protocol, as the kernel defines it, that its view is (eps, delta)-private; the computation
that decides it was proved sound in Coq and runs there.  What is found here are only the sizes that make that computation
short: Coq alone says whether it accepts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count
from math import comb

from panshuffle.exact.check import Claim, Data, Rejected, exp_bounds, rational, record
from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel.replay import THEOREM, Theorem
from panshuffle.proofs.kernel.sources import LIBRARY

# What a certificate claims, in the rational numbers that Coq computes with, and why Coq believes them.

PRECISIONS = ((64, 48), (128, 80), (192, 128), (320, 256), (512, 512))
"""Bits of the largest mass, and of the rational below e^eps, from short to long."""
Fields = dict[str, object]
"""What stands in a Coq file."""
MOST_TERMS, LARGEST_EPS = 400, 50
Row = list[tuple[int, int]]
"""Masses, each between two whole numbers."""


@dataclass(frozen=True)
class Target:
    """What is claimed: delta at an eps, or at an e^eps."""

    delta: Fraction
    eps: Fraction | None
    exp_eps: Fraction | None


def target_of(claim: Claim, entry: Data) -> Target:
    """What is claimed, in rational numbers.  Raises: InputError."""
    ((name, text),) = record(entry["at"], "'at'", {"eps", "exp_eps"}).items()
    place = fraction(text, "eps" if name == "eps" else "e^eps")
    if name == "eps" and place > LARGEST_EPS:
        raise InputError(f"the kernel replays eps of at most {LARGEST_EPS}")
    return Target(claim.delta, place if name == "eps" else None, place if name != "eps" else None)


def fraction(text: object, letter: str) -> Fraction:
    """A parameter that is written as a rational number.  Raises: InputError."""
    try:
        return rational(text)
    except Rejected:
        raise InputError(f"the kernel replays rational numbers, and {letter} is not written as one") from None


def nonneg(target: Target) -> str:
    """Why Coq believes that eps is not negative."""
    return "apply ln_nonneg; lra" if target.eps is None else "lra"


def below_of(target: Target, places: int) -> tuple[Fraction, str, str]:
    """A rational at most e^eps, why Coq believes that, and eps in Coq's language."""
    if target.eps is None:
        ratio = target.exp_eps or Fraction(1)
        text = f"({ratio.numerator} / {ratio.denominator})"
        return ratio, "right; rewrite exp_ln; lra", f"(ln {text})"
    p, q = target.eps.numerator, target.eps.denominator
    ratio = Fraction(int(exp_bounds(target.eps, places + 8)[0] * 2**places), 2**places)
    terms = next(n for n, value in enumerate(taylor(target.eps)) if n == MOST_TERMS or value >= ratio)
    below = f"apply (below_exp_sound {terms} {p} {q}); vm_cast_no_check (eq_refl true)"
    return ratio, below, f"({p} / {q})"


def shortest(tries: Iterable[tuple[bool, Fields]]) -> Fields:
    """The first try that is accepted; where none is, the first of all, for Coq to refuse.

    >>> shortest([(False, {"bits": 64}), (True, {"bits": 128}), (True, {"bits": 192})])
    {'bits': 128}
    """
    first: Fields | None = None
    for accepted, found in tries:
        if accepted:
            return found
        first = first or found
    return first or {}


def taylor(x: Fraction) -> Iterator[Fraction]:
    """The sums of x^k/k! for k = 0, ..., n, one n after the other.

    >>> from itertools import islice
    >>> [str(value) for value in islice(taylor(Fraction(1)), 4)]
    ['1', '2', '5/2', '8/3']
    """
    term = total = Fraction(1)
    for k in count(1):
        yield total
        term *= x / k
        total += term


# The certificates of P_UT as theorems for Coq: a pool, or all that is seen, with true Poisson noise.
#
# The computations were proved sound in `PoissonCertificate.v` and `PoissonPairCertificate.v`.  What is found here are the
# sizes that make them short.

LARGEST_MEAN, LARGEST_OF_PAIR = 1000, 100
"""Of the noise among the ones of a pool, where one is seen and where all are; a computation for more takes minutes."""
PAIR_PRECISIONS = ((32, 48), (48, 48), *PRECISIONS)
"""As many bits of a weight are twice as many of the product of two."""
POISSON_POOL_MODULES = "Countable ExpBound PoissonPools PoissonCertificate Paper"
POISSON_POOL_SOURCE = """From Coq Require Import Reals ZArith Lra List.
From {library} Require Import {modules}.
Open Scope R_scope.

(* {words} *)
Theorem {theorem} : forall (X : Type) (U : universe X) (n honest : nat) (j : X),
  (0 < honest <= n)%nat -> INR honest = {gamma} * INR n ->
  private_on honest {eps} ({c} / {d})
    (fun x => bind (concatenated (map (fun i => PoissonPools.labelled U {lam} n i j) x)) shuffle).
Proof.
  assert (hides : hides_in_pool (2 * ({u} / {w})) {eps} ({c} / {d})).
  {{ apply (pool_sound {one} {u} {w} {rows} {a} {b} {c} {d}).
    - vm_cast_no_check (eq_refl true).
    - {below}.
    - {nonneg}. }}
  intros X U n honest j users share.
  apply (pool_private X U {lam} {eps} ({c} / {d}) {gamma} n honest j); [lra | {nonneg} | lra | exact users | exact share |].
  replace ({gamma} * {lam}) with (2 * ({u} / {w})) by field. exact hides.
Qed.
"""
POISSON_PAIR_MODULES = "Countable ExpBound PoissonPairCertificate Paper"
POISSON_PAIR_SOURCE = """From Coq Require Import Reals ZArith Lra Lia List.
From {library} Require Import {modules}.
Open Scope R_scope.

(* {words} *)
Theorem {theorem} : forall (X : Type) (U : universe X) (n honest : nat),
  (2 <= length (elements U))%nat -> (0 < honest <= n)%nat -> INR honest = {gamma} * INR n ->
  private_on honest {eps} ({c} / {d}) (view (R_UT U {lam} n)).
Proof.
  assert (accepted : accepts_poisson_pair {one} {shift} {u} {w} {rows} {a} {b} {c} {d} = true) by (vm_cast_no_check (eq_refl true)).
  intros X U n honest elements users share.
  assert (INR n <> 0) by (apply not_0_INR; lia).
  apply (poisson_pair_private {one} {shift} {u} {w} {rows} {a} {b} {c} {d} {eps}).
  - exact accepted.
  - {below}.
  - {nonneg}.
  - lra.
  - lia.
  - lia.
  - exact elements.
  - rewrite share. field. assumption.
Qed.
"""


def poisson_pool_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that a pool of P_UT with gamma n users is private.  Raises: InputError."""
    fields = poisson_fields(claim, target, LARGEST_MEAN)
    found = shortest(poisson_pool_sizes(target, mean_of(claim)))
    source = POISSON_POOL_SOURCE.format(
        library=LIBRARY, modules=POISSON_POOL_MODULES, theorem=THEOREM, words=words, **fields, **found
    )
    return Theorem(source, tuple(POISSON_POOL_MODULES.split()))


def poisson_pair_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that what the shuffler shows of P_UT with gamma n users is private.  Raises: InputError."""
    fields = poisson_fields(claim, target, LARGEST_OF_PAIR)
    found = shortest(poisson_pair_sizes(target, mean_of(claim)))
    source = POISSON_PAIR_SOURCE.format(
        library=LIBRARY, modules=POISSON_PAIR_MODULES, theorem=THEOREM, words=words, **fields, **found
    )
    return Theorem(source, tuple(POISSON_PAIR_MODULES.split()))


def mean_of(claim: Claim) -> Fraction:
    """The mean of the noise among the ones of a pool.  Raises: InputError."""
    return fraction(claim.parameters["lam"], "lam") * fraction(claim.parameters["gamma"], "gamma") / 2


def poisson_fields(claim: Claim, target: Target, largest: int) -> Fields:
    """The numbers of a claim as they stand in the Coq file.  Raises: InputError."""
    mean = mean_of(claim)
    if not 0 < mean <= largest:
        raise InputError(f"the kernel replays a mean gamma lam/2 above 0 and of at most {largest}")
    lam, gamma = fraction(claim.parameters["lam"], "lam"), fraction(claim.parameters["gamma"], "gamma")
    return {
        "u": mean.numerator,
        "w": mean.denominator,
        "c": target.delta.numerator,
        "d": target.delta.denominator,
        "lam": f"({lam.numerator} / {lam.denominator})",
        "gamma": f"({gamma.numerator} / {gamma.denominator})",
        "nonneg": nonneg(target),
    }


def poisson_pool_sizes(target: Target, mean: Fraction) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts."""
    for bits, places in PRECISIONS:
        ratio, below, eps = below_of(target, places)
        row = poisson_weights(bits, mean)
        found = {"one": f"(2 ^ {bits})", "rows": len(row) - 2, "a": ratio.numerator, "b": ratio.denominator}
        yield accepts_poisson_pool(row, ratio, target.delta), {**found, "below": below, "eps": eps}


def poisson_weights(bits: int, mean: Fraction) -> Row:
    """mean^i/i! times 2^bits, rounded down and up, until they are below one half and fall by half each.

    >>> poisson_weights(3, Fraction(1))
    [(8, 8), (8, 8), (4, 4), (1, 2), (0, 1)]
    """
    u, w = mean.numerator, mean.denominator
    row = [(1 << bits, 1 << bits)]
    while row[-1][1] > 1 or 2 * u > w * len(row):
        low, high = row[-1]
        bottom = w * len(row)
        row.append((low * u // bottom, -(-high * u // bottom)))
    return row


def accepts_poisson_pool(row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `PoissonCertificate.accepts_pool` comes to; it only serves to choose the sizes.

    >>> row = poisson_weights(96, Fraction(5))
    >>> accepts_poisson_pool(row, Fraction(2718, 1000), Fraction(4, 100)), accepts_poisson_pool(row, Fraction(2718, 1000), Fraction(3, 100))
    (True, False)
    """
    a, b, rest = ratio.numerator, ratio.denominator, 2 * row[-1][1]
    lows, highs = [0] * (len(row) + 1), [0] * (len(row) + 1)
    for i in reversed(range(len(row))):
        lows[i], highs[i] = row[i][0] + lows[i + 1], row[i][1] + highs[i + 1]
    total = b * row[0][1] * (highs[0] + rest) + b * rest * (highs[0] + rest)
    for y in range(1, len(row) - 1):
        x = a * y // b
        high = highs[x] if x < len(highs) else 0
        low = lows[x + 1] if x + 1 < len(lows) else 0
        total += b * row[y][1] * (high + rest) - a * row[y - 1][0] * low
    return total * delta.denominator <= delta.numerator * b * lows[0] * lows[0]


def poisson_pair_sizes(target: Target, mean: Fraction) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts; a weight has at most that many bits."""
    for bits, places in PAIR_PRECISIONS:
        ratio, below, eps = below_of(target, places)
        scale = max(0, bits - int(mean * 3 / 2))
        row = poisson_weights(scale, mean)
        shift = max(0, max(high for _, high in row).bit_length() - bits)
        least = max(2, int(2 * mean) + 1, sum(high >> shift > 0 for _, high in row))
        row = row[: least + 1]
        found = {
            "one": f"(2 ^ {scale})",
            "shift": shift,
            "rows": len(row) - 2,
            "a": ratio.numerator,
            "b": ratio.denominator,
        }
        yield accepts_poisson_pair(row, shift, ratio, target.delta, mean), {**found, "below": below, "eps": eps}


def accepts_poisson_pair(row: Row, shift: int, ratio: Fraction, delta: Fraction, mean: Fraction) -> bool:
    """What the computation of `PoissonPairCertificate.accepts_poisson_pair` comes to; it only serves to choose the sizes.

    >>> row = poisson_weights(64, Fraction(5))
    >>> ratio, mean = Fraction(2718281828, 10**9), Fraction(5)
    >>> [accepts_poisson_pair(row, 8, ratio, Fraction(delta, 10**6), mean) for delta in (111045, 111044)]
    [True, False]
    """
    a, b, u, w = ratio.numerator, ratio.denominator, mean.numerator, mean.denominator
    rest, all_low = row[-2][1] + 3 * row[-1][1], sum(low for low, _ in row)
    products: Counter[int] = Counter()
    few = [(high >> shift) + 1 for _, high in row[:-1]]
    for x, first in enumerate(few):
        for y, second in enumerate(few):
            products[x * y] += first * second
    table = sorted(products.items())
    excess, place = 0, 0
    mass, moment = sum(m for _, m in table), sum(x * m for x, m in table)
    for y, n in table:
        while place < len(table) and b * table[place][0] <= a * y:
            mass -= table[place][1]
            moment -= table[place][0] * table[place][1]
            place += 1
        excess += n * (b * moment - a * y * mass)
    total = w * w * (excess << 4 * shift) + 4 * u * u * b * rest * all_low**3
    return total * delta.denominator <= delta.numerator * u * u * b * all_low**4


# The certificates of P_DE as theorems for Coq: a pool, or the pair that a changed user touches, with real messages.
#
# The computation was proved sound in `DistinctCertificate.v`.  What is found here are the sizes that make it short.

MOST_WORK = 500_000
"""Products of masses over all backgrounds: twelve users with three messages, 200,000, take Coq fifteen seconds."""
DISTINCT_MODULES = "Law Closeness Shuffle ShuffleModel Shares Distinct ExpBound EvenMessages DistinctCertificate"
DISTINCT_SOURCE = """From Coq Require Import Reals ZArith Lra Lia List.
From {library} Require PoissonCertificate.
From {library} Require Import {modules}.
Open Scope R_scope.

(* {words} *)
Theorem {theorem} : forall (Element : Type) (same : forall a b : Element, {{a = b}} + {{a <> b}}) {statement}.
Proof.
  assert (accepted : {accepts} {m} {B} {ql} {qh} {users} {a} {b} {c} {d} = true) by (vm_cast_no_check (eq_refl true)).
  assert (positive : 0 < {own}) by ({positive}).
  assert (low : {a1} / {b1} <= exp {own}) by ({low}).
  assert (high : exp {own} <= {a2} / {b2}) by ({high}).
  assert (users : (0 < {n})%nat) by lia.
  assert (messages : (0 < {m})%nat) by lia.
  assert (checked : share_between {n} {B} {ql} {qh} {a1} {b1} {a2} {b2} = true) by (vm_cast_no_check (eq_refl true)).
  pose proof (share_between_sound {n} {B} {ql} {qh} {a1} {b1} {a2} {b2} {own} users positive checked (conj low high)) as share.
  assert (ratio : {a} / {b} <= exp {eps}) by ({below}).
  assert (nonneg : 0 <= {eps}) by ({nonneg}).
  intros Element same.
  exact ({sound} Element same {n} users {own} positive {m} messages {B} {ql} {qh} {a} {b} {c} {d} {users} {eps}
    accepted share ratio nonneg).
Qed.
"""


MessageRows = tuple[list[int], list[int], list[int]]
"""The masses of a holder's messages, and of another user's from below and from above."""


@dataclass(frozen=True)
class Seen:
    """What of P_DE is seen: the statement, the computation in Coq and its soundness, the same here, and its cost."""

    statement: str
    accepts: str
    sound: str
    holds: Callable[[MessageRows, Fraction, Fraction, int], bool]
    work: Callable[[int, int], int]


def theorem_of_view(seen: Seen, claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that what is seen of gamma n users is private, whatever they hold.  Raises: InputError."""
    users, n, m = claim.users(), claim.count("n"), claim.count("m")
    if claim.holders is not None:
        raise InputError("the kernel replays P_DE for all backgrounds")
    if seen.work(users, m) > MOST_WORK:
        raise InputError(f"the kernel replays small pools of P_DE: {users} users with {m} messages are too many")
    fields: Fields = {"users": users, "n": n, "m": m, "c": target.delta.numerator, "d": target.delta.denominator}
    fields |= shortest(distinct_sizes(seen, target, own_eps(claim), users, n, m))
    source = DISTINCT_SOURCE.format(
        library=LIBRARY,
        modules=DISTINCT_MODULES,
        theorem=THEOREM,
        words=words,
        nonneg=nonneg(target),
        statement=seen.statement.format(**fields),
        accepts=seen.accepts,
        sound=seen.sound,
        **fields,
    )
    return Theorem(source, ("PoissonCertificate", *DISTINCT_MODULES.split()))


def distinct_pair_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem about all messages.  Raises: InputError."""
    if claim.count("k", 2) == 2:
        raise InputError("the kernel replays all messages of P_DE for three elements or more")
    return theorem_of_view(DISTINCT_PAIR, claim, target, words)


def distinct_pool_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem about the messages of one label.  Raises: InputError."""
    return theorem_of_view(DISTINCT_POOL, claim, target, words)


def own_eps(claim: Claim) -> Target:
    """The eps or e^eps by which P_DE flips its bits.  Raises: InputError."""
    if "eps" in claim.parameters:
        return Target(Fraction(0), fraction(claim.parameters["eps"], "eps"), None)
    if "exp-eps" in claim.parameters:
        return Target(Fraction(0), None, fraction(claim.parameters["exp-eps"], "exp-eps"))
    raise InputError("the kernel replays P_DE that is given by its eps or e^eps")


@dataclass(frozen=True)
class Around:
    """The eps of P_DE in Coq's language, rational numbers around e^eps, and why Coq believes them."""

    own: str
    positive: str
    low: Fraction
    why_low: str
    high: Fraction
    why_high: str


def distinct_sizes(
    seen: Seen, target: Target, own: Target, users: int, n: int, m: int
) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts."""
    for bits, places in PRECISIONS:
        ratio, below, eps = below_of(target, places)
        around = around_exp(own, bits)
        ql, qh = share_bounds(1 << bits, n, around.low, around.high)
        a, b = ratio.numerator, ratio.denominator
        found = {"B": f"(2 ^ {bits})", "ql": ql, "qh": qh, "a": a, "b": b, "below": below, "eps": eps}
        yield (
            seen.holds(message_rows(m, 1 << bits, ql, qh), ratio, target.delta, users),
            {**found, **exp_fields(around)},
        )


def exp_fields(around: Around) -> Fields:
    """The numbers around e^eps as they stand in the Coq file."""
    return {
        "own": around.own,
        "positive": around.positive,
        "low": around.why_low,
        "high": around.why_high,
        "a1": around.low.numerator,
        "b1": around.low.denominator,
        "a2": around.high.numerator,
        "b2": around.high.denominator,
    }


def around_exp(own: Target, bits: int) -> Around:
    """Rational numbers around e^eps; the same number twice where it is rational."""
    low, why, text = below_of(own, bits)
    if own.eps is None:
        return Around(text, "rewrite <- ln_1; apply ln_increasing; lra", low, why, low, why)
    row = poisson_weights(bits, own.eps)
    high = Fraction(sum(high for _, high in row) + 2 * row[-1][1], 1 << bits)
    sound = f"(2 ^ {bits}) {own.eps.numerator} {own.eps.denominator} {len(row) - 2}"
    above = f"apply (PoissonCertificate.above_exp_sound {sound}); vm_cast_no_check (eq_refl true)"
    return Around(text, "lra", low, why, high, above)


def share_bounds(scale: int, n: int, low: Fraction, high: Fraction) -> tuple[int, int]:
    """Whole numbers below and above scale (1 - 1/e)^(1/n), for e between low and high.

    >>> share_bounds(1000, 2, Fraction(4, 3), Fraction(4, 3))
    (500, 500)
    """
    below, above = scale**n * (1 - 1 / low), scale**n * (1 - 1 / high)
    ql, qh = root(below.numerator // below.denominator, n), root(-(-above.numerator // above.denominator), n)
    return max(ql, 1), qh + (qh**n < above)


def root(number: int, n: int) -> int:
    """The whole part of an n-th root.

    >>> root(26, 3), root(27, 3)
    (2, 3)
    """
    low, high = 0, 1 << (number.bit_length() // n + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**n <= number else (low, middle)
    return low


def message_rows(m: int, scale: int, ql: int, qh: int) -> MessageRows:
    """The masses of a holder's number of ones, and those of another user from below and above, times 2^m scale."""
    signs = [1 if i % 2 == 0 else -1 for i in range(m + 1)]
    holder = [comb(m, i) * scale for i in range(m + 1)]
    low = [comb(m, i) * (scale + (ql if sign > 0 else -qh)) for i, sign in enumerate(signs)]
    high = [comb(m, i) * (scale + (qh if sign > 0 else -ql)) for i, sign in enumerate(signs)]
    return holder, low, high


def convolved(left: list[int], right: list[int]) -> list[int]:
    """The law of a sum of two independent numbers.

    >>> convolved([1, 1], [1, 2])
    [1, 3, 2]
    """
    result = [0] * (len(left) + len(right) - 1)
    for i, x in enumerate(left):
        for j, y in enumerate(right):
            result[i + j] += x * y
    return result


def law_of_pool(parts: list[list[int]], scale: int, up: bool) -> list[int]:
    """The number of ones that users send together, the last user first, rounded down or up after each.

    >>> law_of_pool([[1, 1], [1, 1]], 2, up=False), law_of_pool([[1, 3], [1, 3]], 4, up=True)
    ([0, 1, 0], [1, 2, 3])
    """
    law = [scale]
    for row in reversed(parts):
        law = [-(-mass // scale) if up else mass // scale for mass in convolved(row, law)]
    return law


def laws_of_pools(found: MessageRows, users: int) -> tuple[list[list[int]], list[list[int]]]:
    """The pools with 0, 1, ..., all users holding the element, from below and from above."""
    holder, low, high = found
    scale = sum(holder)
    return (
        [law_of_pool([holder] * c + [low] * (users - c), scale, up=False) for c in range(users + 1)],
        [law_of_pool([holder] * c + [high] * (users - c), scale, up=True) for c in range(users + 1)],
    )


def accepts_distinct(found: MessageRows, ratio: Fraction, delta: Fraction, users: int) -> bool:
    """What the computation of `DistinctCertificate.accepts_distinct` comes to; it only serves to choose the sizes."""
    lows, highs = laws_of_pools(found, users)
    a, b = ratio.numerator, ratio.denominator
    most = delta * b * sum(found[0]) ** 2
    return all(
        sum(
            max(0, b * p * p2 - a * q * q2)
            for p, q in zip(highs[ca + 1], lows[ca], strict=True)
            for p2, q2 in zip(highs[cb], lows[cb + 1], strict=True)
        )
        <= most
        for ca in range(users)
        for cb in range(users - ca)
    )


def accepts_distinct_pool(found: MessageRows, ratio: Fraction, delta: Fraction, users: int) -> bool:
    """What the computation of `DistinctCertificate.accepts_pool` comes to; it only serves to choose the sizes."""
    lows, highs = laws_of_pools(found, users)
    a, b = ratio.numerator, ratio.denominator
    steps = [(c + up, c + 1 - up) for c in range(users) for up in (0, 1)]
    return all(
        sum(max(0, b * p - a * q) for p, q in zip(highs[c], lows[other], strict=True)) <= delta * b * sum(found[0])
        for c, other in steps
    )


DISTINCT_PAIR = Seen(
    "(K : list Element),\n  NoDup K -> (forall a : Element, In a K) ->\n"
    "  private_on {users} {eps} ({c} / {d}) (view (R_DE Element same K {n} {own} (R_MOD {m})))",
    "accepts_distinct",
    "distinct_sound",
    accepts_distinct,
    lambda users, m: users**2 * (users * m + 1) ** 2,
)
DISTINCT_POOL = Seen(
    "(j : Element),\n"
    "  private_on {users} {eps} ({c} / {d}) (fun x => bind (col Element same {n} {own} (R_MOD {m}) j x) shuffle)",
    "accepts_pool",
    "distinct_pool_sound",
    accepts_distinct_pool,
    lambda users, m: users**2 * (users * m + 1) * (m + 1),
)

# The certificates of fair and other coins: one shift, or two opposite ones.

LARGEST_L, EXACT = 5000, 1000
"""Of the coins that are replayed, and the bits of numbers that are computed without rounding."""
COIN_SOURCE = """From Coq Require Import Reals ZArith Lra List.
From {library} Require Import {modules}.
Open Scope R_scope.

(* {words} *)
Theorem {theorem} : {statement}.
Proof.
  assert (hides : {hides} {l} ({u} / {whole}) {eps} ({c} / {d})).
  {{ apply ({sound} {one} {m} {rest} {u} {v} {a} {b} {c} {d}).
    - vm_cast_no_check (eq_refl true).
    - {below}. }}
  {by}.
Qed.
"""
STRANGE = re.compile(r"[^A-Za-z0-9 .,;:=<>^/()+-]")
VALUES = "forall (Element : Type) (same : forall a b : Element, {{a = b}} + {{a <> b}})"


@dataclass(frozen=True)
class Form:
    """How a protocol's claim is stated and proved: what is required, the statement, and the step from what is hidden to it.

    `pair` says that two opposite shifts are hidden, and not one.
    """

    modules: str
    statement: str
    by: str
    pair: bool = False


COMMON = "Closeness BinomialMechanism ExpBound BinomialCertificate"
HISTOGRAM = f"{COMMON} PairCertificate PanHistogram HistogramPair"
FORMS = {
    ("binomial", "whole"): Form(
        COMMON,
        "forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->\n"
        "  private_on n {eps} ({c} / {d}) (binomial_mechanism {l} ({u} / {whole}) f)",
        "exact (proj1 (hides_one_iff {l} ({u} / {whole}) {eps} ({c} / {d})) hides)",
    ),
    ("binary-sum", "whole"): Form(
        f"{COMMON} ShuffleModel BinarySum",
        "private_on {l} {eps} ({c} / {d}) (view (R_zsum ({u} / {whole})))",
        "exact (zsum_private_given ({u} / {whole}) {eps} ({c} / {d}) {l} hides)",
    ),
    ("pan-sum", "whole"): Form(
        f"{COMMON} Online PanSum",
        "forall n : nat, pan_private n {eps} ({c} / {d}) (zsum_initial {l}) zsum_update (zsum_output {l})",
        "exact (fun n => zsum_private {l} {eps} ({c} / {d}) n hides)",
    ),
    ("pan-histogram", "pool"): Form(
        HISTOGRAM,
        VALUES + " (n t : nat) (j : Element),\n"
        "  private_on n {eps} ({c} / {d}) (fun x => bin_view Element same {l} t x j)",
        "intros; apply bin_private; exact hides",
    ),
    ("pan-histogram", "pair"): Form(
        f"{HISTOGRAM} Online",
        VALUES + " (K : list Element) (n : nat), NoDup K ->\n"
        "  pan_private n {eps} ({c} / {d}) (hist_initial Element K {l}) (hist_update Element same K) (hist_output {l})",
        "intros; apply histogram_private_pair; [assumption | {nonneg} | lra | exact hides]",
        pair=True,
    ),
    ("shuffle-histogram", "pool"): Form(
        HISTOGRAM,
        VALUES + " (j : Element),\n"
        "  private_on {l} {eps} ({c} / {d}) (fun x => pool_view Element same ({u} / {whole}) x j)",
        "intros; apply pool_private; exact hides",
    ),
    ("shuffle-histogram", "pair"): Form(
        HISTOGRAM,
        VALUES + " (K : list Element), NoDup K ->\n"
        "  private_on {l} {eps} ({c} / {d}) (histogram_view Element same K ({u} / {whole}))",
        "intros; apply histogram_shuffle_private; [assumption | lra | {nonneg} | lra | exact hides]",
        pair=True,
    ),
}
BUILDERS = {
    ("uniformity", "pool"): poisson_pool_theorem,
    ("uniformity", "pair"): poisson_pair_theorem,
    ("distinct-elements", "pool"): distinct_pool_theorem,
    ("distinct-elements", "pair"): distinct_pair_theorem,
}
"""Those whose noise is not coins: each has a computation of its own."""
SUPPORTED = (*FORMS, *BUILDERS)
"""The protocols and views that are replayed."""
HALF_COINS = ("pan-sum", "pan-histogram")
"""The protocols whose noise is lam fair coins."""


@dataclass(frozen=True)
class Numbers:
    """l coins of probability p, and what is claimed of them."""

    l: int
    p: Fraction
    target: Target


def theorem_of(claim: Claim, entry: Data, words: str) -> Theorem:
    """The theorem that a claim's upper bound is.

    Raises: InputError, where the kernel has no theorem of this kind.
    """
    if claim.direction is not None:
        raise InputError("the kernel's theorem is about all neighbours, and the certificate about one direction")
    place = (claim.protocol, claim.view)
    if place in BUILDERS:
        return BUILDERS[place](claim, target_of(claim, entry), plain(words))
    form = FORMS.get(place)
    if form is None:
        seen = "" if claim.view == "whole" else f", view of a {claim.view},"
        raise InputError(f"the certificate of {claim.protocol}{seen} is not replayed in the kernel yet")
    return stated(form, numbers_of(claim, entry), plain(words))


def plain(words: str) -> str:
    """Words that come from a file, of which nothing can end the comment they stand in."""
    return STRANGE.sub(" ", words)


def stated(form: Form, numbers: Numbers, words: str) -> Theorem:
    """The theorem of a form about some numbers."""
    fields = coin_fields(numbers, form.pair)
    filled = {**fields, "statement": form.statement.format(**fields), "by": form.by.format(**fields)}
    source = COIN_SOURCE.format(library=LIBRARY, modules=form.modules, theorem=THEOREM, words=words, **filled)
    return Theorem(source, tuple(form.modules.split()))


def numbers_of(claim: Claim, entry: Data) -> Numbers:
    """The numbers of a claim, all of them rational.  Raises: InputError."""
    if claim.protocol in HALF_COINS:
        l, p = claim.count("lam"), Fraction(1, 2)
    else:
        l, p = claim.count("l") if claim.protocol == "binomial" else claim.users(), fraction(claim.parameters["p"], "p")
    if l > LARGEST_L:
        raise InputError(f"the kernel replays at most {LARGEST_L} coins, and there are {l}")
    if not 0 < p < 1:
        raise InputError("the kernel replays p strictly between 0 and 1")
    return Numbers(l, p, target_of(claim, entry))


def coin_fields(numbers: Numbers, pair: bool) -> Fields:
    """What stands in the Coq file."""
    u, whole = numbers.p.numerator, numbers.p.denominator
    m = min(numbers.l, int((numbers.l + 1) * numbers.p))
    return {
        "l": numbers.l,
        "u": u,
        "v": whole - u,
        "whole": whole,
        "c": numbers.target.delta.numerator,
        "d": numbers.target.delta.denominator,
        "m": m,
        "rest": numbers.l - m,
        "hides": "hides_pair" if pair else "hides_one",
        "sound": "pair_sound" if pair else "certificate_sound",
        "nonneg": nonneg(numbers.target),
        **shortest(coin_sizes(numbers, m, pair)),
    }


def coin_sizes(numbers: Numbers, m: int, pair: bool) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts."""
    for one, text, places in precisions(numbers, m):
        ratio, below, eps = below_of(numbers.target, places)
        row = rounded_row(one, numbers.l, m, numbers.p)
        holds = (accepts_coin_pair if pair else accepts_coins)(row, ratio, numbers.target.delta)
        yield holds, {"one": text, "a": ratio.numerator, "b": ratio.denominator, "below": below, "eps": eps}


def precisions(numbers: Numbers, m: int) -> Iterator[tuple[int, str, int]]:
    """The mass in the middle, as a number and as a text, and the bits of the rational below e^eps.

    The last one makes all masses whole, so that nothing is rounded, where that is not too long.
    """
    for bits, places in PRECISIONS:
        yield 1 << bits, f"(2 ^ {bits})", places
    u, v = numbers.p.numerator, numbers.p.denominator - numbers.p.numerator
    if numbers.l * numbers.p.denominator.bit_length() <= EXACT:
        one = comb(numbers.l, m) * u**m * v ** (numbers.l - m)
        yield one, str(one), PRECISIONS[-1][1]


def accepts_coins(row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `BinomialCertificate.accepts` comes to; it only serves to choose the sizes.

    >>> row = rounded_row(2**64, 20, 10, Fraction(1, 2))
    >>> accepts_coins(row, Fraction(2), Fraction(1, 50)), accepts_coins(row, Fraction(2), Fraction(1, 100))
    (True, False)
    """
    lows, highs = [0, *(low for low, _ in row), 0], [0, *(high for _, high in row), 0]
    a, b = ratio.numerator, ratio.denominator
    gain = sum(max(0, b * highs[i] - a * lows[i + 1]) for i in range(len(row) + 1))
    lose = sum(max(0, b * highs[i + 1] - a * lows[i]) for i in range(len(row)))
    return max(gain, lose) * delta.denominator <= delta.numerator * b * sum(lows)


def accepts_coin_pair(row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `PairCertificate.accepts_pair` comes to; it only serves to choose the sizes.

    >>> row = rounded_row(2**64, 20, 10, Fraction(1, 2))
    >>> accepts_coin_pair(row, Fraction(2), Fraction(1, 10)), accepts_coin_pair(row, Fraction(2), Fraction(1, 50))
    (True, False)
    """
    a, b, l = ratio.numerator, ratio.denominator, len(row) - 1
    lows = [*accumulate((low for low, _ in reversed(row)), initial=0)][::-1]
    highs = [*accumulate((high for _, high in reversed(row)), initial=0)][::-1]
    excess, before = 0, 0
    for y, (low, high) in enumerate(row):
        x = a * y * (l + 1) // (b * (l + 1 - y) + a * y)
        excess += b * high * highs[x] - a * before * lows[x + 1]
        before = low
    return excess * delta.denominator <= delta.numerator * b * lows[0] * lows[0]


def rounded_row(one: int, l: int, m: int, p: Fraction) -> Row:
    """The masses of Bin(l, p) from that at m, rounded down and up.

    >>> rounded_row(16, 2, 1, Fraction(1, 2))
    [(8, 8), (16, 16), (8, 8)]
    """
    u, v = p.numerator, p.denominator - p.numerator
    up, down, (low, high) = [], [], (one, one)
    for x in range(m, l):
        top, bottom = (l - x) * u, (x + 1) * v
        low, high = low * top // bottom, -(-high * top // bottom)
        up.append((low, high))
    (low, high) = (one, one)
    for x in range(m, 0, -1):
        top, bottom = x * v, (l - x + 1) * u
        low, high = low * top // bottom, -(-high * top // bottom)
        down.append((low, high))
    return [*reversed(down), (one, one), *up]
