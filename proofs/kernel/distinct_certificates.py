"""The certificates of P_DE as theorems for Coq: a pool, or the pair that a changed user touches, with real messages.

The computation was proved sound in `DistinctCertificate.v`.  What is found here are the sizes that make it short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from panshuffle.exact.check import Claim
from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel.poisson_certificates import weights
from panshuffle.proofs.kernel.replay import THEOREM, Theorem
from panshuffle.proofs.kernel.sources import LIBRARY
from panshuffle.proofs.kernel.targets import PRECISIONS, Fields, Target, below_of, fraction, nonneg, shortest

MOST_WORK = 500_000
"""Products of masses over all backgrounds: twelve users with three messages, 200,000, take Coq fifteen seconds."""
MODULES = "Law Closeness Shuffle ShuffleModel Shares Distinct ExpBound EvenMessages DistinctCertificate"
SOURCE = """From Coq Require Import Reals ZArith Lra Lia List.
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


Rows = tuple[list[int], list[int], list[int]]
"""The masses of a holder's messages, and of another user's from below and from above."""


@dataclass(frozen=True)
class Seen:
    """What of P_DE is seen: the statement, the computation in Coq and its soundness, the same here, and its cost."""

    statement: str
    accepts: str
    sound: str
    holds: Callable[[Rows, Fraction, Fraction, int], bool]
    work: Callable[[int, int], int]


def theorem_of_view(seen: Seen, claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that what is seen of gamma n users is private, whatever they hold.  Raises: InputError."""
    users, n, m = claim.users(), claim.count("n"), claim.count("m")
    if claim.holders is not None:
        raise InputError("the kernel replays P_DE for all backgrounds")
    if seen.work(users, m) > MOST_WORK:
        raise InputError(f"the kernel replays small pools of P_DE: {users} users with {m} messages are too many")
    fields: Fields = {"users": users, "n": n, "m": m, "c": target.delta.numerator, "d": target.delta.denominator}
    fields |= shortest(sizes(seen, target, own_eps(claim), users, n, m))
    source = SOURCE.format(
        library=LIBRARY,
        modules=MODULES,
        theorem=THEOREM,
        words=words,
        nonneg=nonneg(target),
        statement=seen.statement.format(**fields),
        accepts=seen.accepts,
        sound=seen.sound,
        **fields,
    )
    return Theorem(source, ("PoissonCertificate", *MODULES.split()))


def pair_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem about all messages.  Raises: InputError."""
    if claim.count("k", 2) == 2:
        raise InputError("the kernel replays all messages of P_DE for three elements or more")
    return theorem_of_view(PAIR, claim, target, words)


def pool_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem about the messages of one label.  Raises: InputError."""
    return theorem_of_view(POOL, claim, target, words)


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


def sizes(seen: Seen, target: Target, own: Target, users: int, n: int, m: int) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts."""
    for bits, places in PRECISIONS:
        ratio, below, eps = below_of(target, places)
        around = around_exp(own, bits)
        ql, qh = roots(1 << bits, n, around.low, around.high)
        a, b = ratio.numerator, ratio.denominator
        found = {"B": f"(2 ^ {bits})", "ql": ql, "qh": qh, "a": a, "b": b, "below": below, "eps": eps}
        yield seen.holds(rows(m, 1 << bits, ql, qh), ratio, target.delta, users), {**found, **written(around)}


def written(around: Around) -> Fields:
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
    row = weights(bits, own.eps)
    high = Fraction(sum(high for _, high in row) + 2 * row[-1][1], 1 << bits)
    sound = f"(2 ^ {bits}) {own.eps.numerator} {own.eps.denominator} {len(row) - 2}"
    above = f"apply (PoissonCertificate.above_exp_sound {sound}); vm_cast_no_check (eq_refl true)"
    return Around(text, "lra", low, why, high, above)


def roots(scale: int, n: int, low: Fraction, high: Fraction) -> tuple[int, int]:
    """Whole numbers below and above scale (1 - 1/e)^(1/n), for e between low and high.

    >>> roots(1000, 2, Fraction(4, 3), Fraction(4, 3))
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


def rows(m: int, scale: int, ql: int, qh: int) -> Rows:
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


def pool(parts: list[list[int]], scale: int, up: bool) -> list[int]:
    """The number of ones that users send together, the last user first, rounded down or up after each.

    >>> pool([[1, 1], [1, 1]], 2, up=False), pool([[1, 3], [1, 3]], 4, up=True)
    ([0, 1, 0], [1, 2, 3])
    """
    law = [scale]
    for row in reversed(parts):
        law = [-(-mass // scale) if up else mass // scale for mass in convolved(row, law)]
    return law


def pools(found: Rows, users: int) -> tuple[list[list[int]], list[list[int]]]:
    """The pools with 0, 1, ..., all users holding the element, from below and from above."""
    holder, low, high = found
    scale = sum(holder)
    return (
        [pool([holder] * c + [low] * (users - c), scale, up=False) for c in range(users + 1)],
        [pool([holder] * c + [high] * (users - c), scale, up=True) for c in range(users + 1)],
    )


def accepts_pair(found: Rows, ratio: Fraction, delta: Fraction, users: int) -> bool:
    """What the computation of `DistinctCertificate.accepts_distinct` comes to; it only serves to choose the sizes."""
    lows, highs = pools(found, users)
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


def accepts_pool(found: Rows, ratio: Fraction, delta: Fraction, users: int) -> bool:
    """What the computation of `DistinctCertificate.accepts_pool` comes to; it only serves to choose the sizes."""
    lows, highs = pools(found, users)
    a, b = ratio.numerator, ratio.denominator
    steps = [(c + up, c + 1 - up) for c in range(users) for up in (0, 1)]
    return all(
        sum(max(0, b * p - a * q) for p, q in zip(highs[c], lows[other], strict=True)) <= delta * b * sum(found[0])
        for c, other in steps
    )


PAIR = Seen(
    "(K : list Element),\n  NoDup K -> (forall a : Element, In a K) ->\n"
    "  private_on {users} {eps} ({c} / {d}) (view (R_DE Element same K {n} {own} (R_MOD {m})))",
    "accepts_distinct",
    "distinct_sound",
    accepts_pair,
    lambda users, m: users**2 * (users * m + 1) ** 2,
)
POOL = Seen(
    "(j : Element),\n"
    "  private_on {users} {eps} ({c} / {d}) (fun x => bind (col Element same {n} {own} (R_MOD {m}) j x) shuffle)",
    "accepts_pool",
    "distinct_pool_sound",
    accepts_pool,
    lambda users, m: users**2 * (users * m + 1) * (m + 1),
)
