"""The certificates of P_UT as theorems for Coq: a pool, or all that is seen, with true Poisson noise.

The computations were proved sound in `PoissonCertificate.v` and `PoissonPairCertificate.v`.  What is found here are the
sizes that make them short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from panshuffle.exact.check import Claim
from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel.replay import THEOREM, Theorem
from panshuffle.proofs.kernel.sources import LIBRARY
from panshuffle.proofs.kernel.targets import PRECISIONS, Fields, Row, Target, below_of, fraction, nonneg, shortest

LARGEST_MEAN, LARGEST_OF_PAIR = 1000, 100
"""Of the noise among the ones of a pool, where one is seen and where all are; a computation for more takes minutes."""
PAIR_PRECISIONS = ((32, 48), (48, 48), *PRECISIONS)
"""As many bits of a weight are twice as many of the product of two."""
MODULES = "Countable ExpBound PoissonPools PoissonCertificate Paper"
SOURCE = """From Coq Require Import Reals ZArith Lra List.
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
PAIR_MODULES = "Countable ExpBound PoissonPairCertificate Paper"
PAIR_SOURCE = """From Coq Require Import Reals ZArith Lra Lia List.
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


def pool_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that a pool of P_UT with gamma n users is private.  Raises: InputError."""
    fields = fields_of(claim, target, LARGEST_MEAN)
    found = shortest(sizes(target, mean_of(claim)))
    source = SOURCE.format(library=LIBRARY, modules=MODULES, theorem=THEOREM, words=words, **fields, **found)
    return Theorem(source, tuple(MODULES.split()))


def pair_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that what the shuffler shows of P_UT with gamma n users is private.  Raises: InputError."""
    fields = fields_of(claim, target, LARGEST_OF_PAIR)
    found = shortest(pair_sizes(target, mean_of(claim)))
    source = PAIR_SOURCE.format(library=LIBRARY, modules=PAIR_MODULES, theorem=THEOREM, words=words, **fields, **found)
    return Theorem(source, tuple(PAIR_MODULES.split()))


def mean_of(claim: Claim) -> Fraction:
    """The mean of the noise among the ones of a pool.  Raises: InputError."""
    return fraction(claim.parameters["lam"], "lam") * fraction(claim.parameters["gamma"], "gamma") / 2


def fields_of(claim: Claim, target: Target, largest: int) -> Fields:
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


def sizes(target: Target, mean: Fraction) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts."""
    for bits, places in PRECISIONS:
        ratio, below, eps = below_of(target, places)
        row = weights(bits, mean)
        found = {"one": f"(2 ^ {bits})", "rows": len(row) - 2, "a": ratio.numerator, "b": ratio.denominator}
        yield accepts(row, ratio, target.delta), {**found, "below": below, "eps": eps}


def weights(bits: int, mean: Fraction) -> Row:
    """mean^i/i! times 2^bits, rounded down and up, until they are below one half and fall by half each.

    >>> weights(3, Fraction(1))
    [(8, 8), (8, 8), (4, 4), (1, 2), (0, 1)]
    """
    u, w = mean.numerator, mean.denominator
    row = [(1 << bits, 1 << bits)]
    while row[-1][1] > 1 or 2 * u > w * len(row):
        low, high = row[-1]
        bottom = w * len(row)
        row.append((low * u // bottom, -(-high * u // bottom)))
    return row


def accepts(row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `PoissonCertificate.accepts_pool` comes to; it only serves to choose the sizes.

    >>> row = weights(96, Fraction(5))
    >>> accepts(row, Fraction(2718, 1000), Fraction(4, 100)), accepts(row, Fraction(2718, 1000), Fraction(3, 100))
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


def pair_sizes(target: Target, mean: Fraction) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts; a weight has at most that many bits."""
    for bits, places in PAIR_PRECISIONS:
        ratio, below, eps = below_of(target, places)
        scale = max(0, bits - int(mean * 3 / 2))
        row = weights(scale, mean)
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
        yield accepts_pair(row, shift, ratio, target.delta, mean), {**found, "below": below, "eps": eps}


def accepts_pair(row: Row, shift: int, ratio: Fraction, delta: Fraction, mean: Fraction) -> bool:
    """What the computation of `PoissonPairCertificate.accepts_poisson_pair` comes to; it only serves to choose the sizes.

    >>> row = weights(64, Fraction(5))
    >>> ratio, mean = Fraction(2718281828, 10**9), Fraction(5)
    >>> [accepts_pair(row, 8, ratio, Fraction(delta, 10**6), mean) for delta in (111045, 111044)]
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
