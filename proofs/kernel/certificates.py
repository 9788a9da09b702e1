"""Certificates as theorems: a claim of a file that `exact.check` reads becomes a theorem for Coq to prove.

The theorem says of the real protocol, as the kernel defines it, that its view is (eps, delta)-private; the computation
that decides it was proved sound in `BinomialCertificate.v` or `PairCertificate.v` and runs inside Coq.  What is found here are only the sizes
that make that computation short: Coq alone says whether it accepts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb

from panshuffle.exact.check import Claim, Data
from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel import distinct_certificates, poisson_certificates
from panshuffle.proofs.kernel.replay import THEOREM, Theorem
from panshuffle.proofs.kernel.sources import LIBRARY
from panshuffle.proofs.kernel.targets import (
    PRECISIONS,
    Fields,
    Row,
    Target,
    below_of,
    fraction,
    nonneg,
    shortest,
    target_of,
)

LARGEST_L, EXACT = 5000, 1000
"""Of the coins that are replayed, and the bits of numbers that are computed without rounding."""
SOURCE = """From Coq Require Import Reals ZArith Lra List.
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
    ("uniformity", "pool"): poisson_certificates.pool_theorem,
    ("uniformity", "pair"): poisson_certificates.pair_theorem,
    ("distinct-elements", "pool"): distinct_certificates.pool_theorem,
    ("distinct-elements", "pair"): distinct_certificates.pair_theorem,
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
    fields = fields_of(numbers, form.pair)
    filled = {**fields, "statement": form.statement.format(**fields), "by": form.by.format(**fields)}
    source = SOURCE.format(library=LIBRARY, modules=form.modules, theorem=THEOREM, words=words, **filled)
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


def fields_of(numbers: Numbers, pair: bool) -> Fields:
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
        **shortest(settings(numbers, m, pair)),
    }


def settings(numbers: Numbers, m: int, pair: bool) -> Iterator[tuple[bool, Fields]]:
    """Precisions, the shortest first, and whether the computation accepts."""
    for one, text, places in precisions(numbers, m):
        ratio, below, eps = below_of(numbers.target, places)
        row = rounded_row(one, numbers.l, m, numbers.p)
        holds = (accepts_pair if pair else accepts)(row, ratio, numbers.target.delta)
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


def accepts(row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `BinomialCertificate.accepts` comes to; it only serves to choose the sizes.

    >>> row = rounded_row(2**64, 20, 10, Fraction(1, 2))
    >>> accepts(row, Fraction(2), Fraction(1, 50)), accepts(row, Fraction(2), Fraction(1, 100))
    (True, False)
    """
    lows, highs = [0, *(low for low, _ in row), 0], [0, *(high for _, high in row), 0]
    a, b = ratio.numerator, ratio.denominator
    gain = sum(max(0, b * highs[i] - a * lows[i + 1]) for i in range(len(row) + 1))
    lose = sum(max(0, b * highs[i + 1] - a * lows[i]) for i in range(len(row)))
    return max(gain, lose) * delta.denominator <= delta.numerator * b * sum(lows)


def accepts_pair(row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `PairCertificate.accepts_pair` comes to; it only serves to choose the sizes.

    >>> row = rounded_row(2**64, 20, 10, Fraction(1, 2))
    >>> accepts_pair(row, Fraction(2), Fraction(1, 10)), accepts_pair(row, Fraction(2), Fraction(1, 50))
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
