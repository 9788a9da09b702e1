"""The certificate of a Poisson pool as a theorem for Coq: a pool of P_UT, with true Poisson noise.

The computation was proved sound in `PoissonCertificate.v`.  What is found here are the sizes that make it short.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exact.check import Claim
from exact.errors import InputError
from proofs.kernel.replay import THEOREM, Theorem
from proofs.kernel.sources import LIBRARY
from proofs.kernel.targets import PRECISIONS, Fields, Row, Target, below_of, fraction, nonneg, shortest

LARGEST_MEAN = 1000
"""Of the noise among the ones of a pool; a computation for more takes minutes."""
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


def pool_theorem(claim: Claim, target: Target, words: str) -> Theorem:
    """The theorem that a pool of P_UT with gamma n users is private.  Raises: InputError."""
    lam, gamma = fraction(claim.parameters["lam"], "lam"), fraction(claim.parameters["gamma"], "gamma")
    mean = lam * gamma / 2
    if not 0 < mean <= LARGEST_MEAN:
        raise InputError(f"the kernel replays a mean gamma lam/2 above 0 and of at most {LARGEST_MEAN}")
    fields = {
        "u": mean.numerator,
        "w": mean.denominator,
        "c": target.delta.numerator,
        "d": target.delta.denominator,
        "lam": f"({lam.numerator} / {lam.denominator})",
        "gamma": f"({gamma.numerator} / {gamma.denominator})",
        "nonneg": nonneg(target),
        **shortest(sizes(target, mean)),
    }
    source = SOURCE.format(library=LIBRARY, modules=MODULES, theorem=THEOREM, words=words, **fields)
    return Theorem(source, tuple(MODULES.split()))


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
