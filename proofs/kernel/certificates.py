"""Certificates as theorems: a claim of a file that `exact.check` reads becomes a theorem for Coq to prove.

The theorem says of the real protocol, as the kernel defines it, that its view is (eps, delta)-private; the computation
that decides it was proved sound in `BinomialCertificate.v` and runs inside Coq.  What is found here are only the sizes
that make that computation short: Coq alone says whether it accepts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from exact.check import Claim, Data, Rejected, exp_bounds, rational, record
from exact.errors import InputError
from proofs.kernel.replay import THEOREM
from proofs.kernel.sources import LIBRARY

LARGEST_L = 5000
PRECISIONS = ((64, 48), (128, 80), (192, 128), (320, 256), (640, 512))
"""Bits of the largest mass, and of the rational below e^eps, from short to long."""
MOST_TERMS, LARGEST_EPS = 400, 50
SOURCE = """From Coq Require Import Reals ZArith Lra List.
From {library} Require Import {modules}.
Open Scope R_scope.

(* {words} *)
Theorem {theorem} : {statement}.
Proof.
  assert (hides : hides_one {l} ({u} / {whole}) {eps} ({c} / {d})).
  {{ apply (certificate_sound {K} {m} {rest} {u} {v} {a} {b} {c} {d}).
    - vm_cast_no_check (eq_refl true).
    - {below}. }}
  {by}.
Qed.
"""


@dataclass(frozen=True)
class Form:
    """How a protocol's claim is stated and proved: what is required, the statement, and the step from hidden ones to it."""

    modules: str
    statement: str
    by: str


COMMON = "Closeness BinomialMechanism ExpBound BinomialCertificate"
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
}


@dataclass(frozen=True)
class Theorem:
    """A generated Coq file, and the modules that it needs."""

    source: str
    modules: tuple[str, ...]


@dataclass(frozen=True)
class Numbers:
    """l coins of probability u/(u+v), delta = c/d, and how eps is written in Coq."""

    l: int
    p: Fraction
    delta: Fraction
    eps: Fraction | None
    exp_eps: Fraction | None


def theorem_of(claim: Claim, entry: Data, words: str) -> Theorem:
    """The theorem that a claim's upper bound is.

    Raises: InputError, where the kernel has no theorem of this kind.
    """
    form = FORMS.get((claim.protocol, claim.view))
    if form is None:
        seen = "" if claim.view == "whole" else f", view of a {claim.view},"
        raise InputError(f"the certificate of {claim.protocol}{seen} is not replayed in the kernel yet")
    if claim.direction is not None:
        raise InputError("the kernel's theorem is about all neighbours, and the certificate about one direction")
    return stated(form, numbers_of(claim, entry), words)


def stated(form: Form, numbers: Numbers, words: str) -> Theorem:
    """The theorem of a form about some numbers."""
    fields = fields_of(numbers)
    filled = {**fields, "statement": form.statement.format(**fields), "by": form.by.format(**fields)}
    source = SOURCE.format(library=LIBRARY, modules=form.modules, theorem=THEOREM, words=words, **filled)
    return Theorem(source, tuple(form.modules.split()))


def numbers_of(claim: Claim, entry: Data) -> Numbers:
    """The numbers of a claim, all of them rational.  Raises: InputError."""
    ((name, text),) = record(entry["at"], "'at'", {"eps", "exp_eps"}).items()
    if claim.protocol == "pan-sum":
        l, p = claim.count("lam"), Fraction(1, 2)
    else:
        l, p = claim.count("l") if claim.protocol == "binomial" else claim.users(), fraction(claim.parameters["p"], "p")
    if l > LARGEST_L:
        raise InputError(f"the kernel replays at most {LARGEST_L} coins, and there are {l}")
    if not 0 < p < 1:
        raise InputError("the kernel replays p strictly between 0 and 1")
    place = fraction(text, "eps" if name == "eps" else "e^eps")
    if name == "eps" and place > LARGEST_EPS:
        raise InputError(f"the kernel replays eps of at most {LARGEST_EPS}")
    return Numbers(l, p, claim.delta, place if name == "eps" else None, place if name != "eps" else None)


def fraction(text: object, letter: str) -> Fraction:
    """A parameter that is written as a rational number.  Raises: InputError."""
    try:
        return rational(text)
    except Rejected:
        raise InputError(f"the kernel replays rational numbers, and {letter} is not written as one") from None


def fields_of(numbers: Numbers) -> dict[str, object]:
    """What stands in the Coq file."""
    u, whole = numbers.p.numerator, numbers.p.denominator
    m = min(numbers.l, int((numbers.l + 1) * numbers.p))
    chosen = next(settings(numbers, m))
    return {
        "l": numbers.l,
        "u": u,
        "v": whole - u,
        "whole": whole,
        "c": numbers.delta.numerator,
        "d": numbers.delta.denominator,
        "m": m,
        "rest": numbers.l - m,
        **chosen,
    }


def settings(numbers: Numbers, m: int) -> Iterator[dict[str, object]]:
    """Precisions for which the computation accepts, the shortest first; at last the longest, accepted or not."""
    for bits, places in PRECISIONS:
        ratio, below, eps = below_of(numbers, places)
        found = {"K": bits, "a": ratio.numerator, "b": ratio.denominator, "below": below, "eps": eps}
        if (bits, places) == PRECISIONS[-1] or accepts(bits, numbers.l, m, numbers.p, ratio, numbers.delta):
            yield found


def below_of(numbers: Numbers, places: int) -> tuple[Fraction, str, str]:
    """A rational at most e^eps, why Coq believes that, and eps in Coq's language."""
    if numbers.eps is None:
        ratio = numbers.exp_eps or Fraction(1)
        text = f"({ratio.numerator} / {ratio.denominator})"
        return ratio, "right; rewrite exp_ln; lra", f"(ln {text})"
    p, q = numbers.eps.numerator, numbers.eps.denominator
    ratio = Fraction(int(exp_bounds(numbers.eps, places + 8)[0] * 2**places), 2**places)
    terms = next(n for n, value in enumerate(taylor(numbers.eps)) if n == MOST_TERMS or value >= ratio)
    below = f"apply (below_exp_sound {terms} {p} {q}); vm_cast_no_check (eq_refl true)"
    return ratio, below, f"({p} / {q})"


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


def accepts(bits: int, l: int, m: int, p: Fraction, ratio: Fraction, delta: Fraction) -> bool:
    """What the computation of `BinomialCertificate.accepts` comes to; it only serves to choose the sizes.

    >>> accepts(64, 20, 10, Fraction(1, 2), Fraction(2), Fraction(1, 50))
    True
    >>> accepts(64, 20, 10, Fraction(1, 2), Fraction(2), Fraction(1, 100))
    False
    """
    row = rounded_row(bits, l, m, p)
    lows, highs = [0, *(low for low, _ in row), 0], [0, *(high for _, high in row), 0]
    a, b = ratio.numerator, ratio.denominator
    gain = sum(max(0, b * highs[i] - a * lows[i + 1]) for i in range(l + 2))
    lose = sum(max(0, b * highs[i + 1] - a * lows[i]) for i in range(l + 1))
    return max(gain, lose) * delta.denominator <= delta.numerator * b * sum(lows)


def rounded_row(bits: int, l: int, m: int, p: Fraction) -> list[tuple[int, int]]:
    """The masses of Bin(l, p) from that at m, rounded down and up.

    >>> rounded_row(4, 2, 1, Fraction(1, 2))
    [(8, 8), (16, 16), (8, 8)]
    """
    u, v = p.numerator, p.denominator - p.numerator
    up, down, (low, high) = [], [], (1 << bits, 1 << bits)
    for x in range(m, l):
        top, bottom = (l - x) * u, (x + 1) * v
        low, high = low * top // bottom, -(-high * top // bottom)
        up.append((low, high))
    (low, high) = (1 << bits, 1 << bits)
    for x in range(m, 0, -1):
        top, bottom = x * v, (l - x + 1) * u
        low, high = low * top // bottom, -(-high * top // bottom)
        down.append((low, high))
    return [*reversed(down), (1 << bits, 1 << bits), *up]
