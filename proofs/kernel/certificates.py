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
from typing import Protocol

from flint import fmpz, fmpz_poly
from panshuffle.exact.check import Claim, Data, Rejected, exp_bounds, rational, record
from panshuffle.exact.errors import InputError
from panshuffle.proofs.kernel.replay import THEOREM, Theorem
from panshuffle.proofs.kernel.sources import LIBRARY

PRECISIONS = ((64, 48), (128, 80), (192, 128), (320, 256), (512, 512))
"""Bits of the largest mass, and of the rational below e^eps, from short to long."""
Fields = dict[str, object]
"""What stands in a Coq file."""
Tries = Iterator[tuple[bool, Fields]]
"""Sizes, the shortest first, each with what Coq's computation comes to there."""
MOST_TERMS, LARGEST_EPS = 400, 50
Row = list[tuple[int, int]]
"""Masses, each between two whole numbers."""
STRANGE = re.compile(r"[^A-Za-z0-9 .,;:=<>^/()+-]")
SOURCE = """From Coq Require Import Reals ZArith Lra Lia List.
{requires}Open Scope R_scope.

(* {words} *)
Theorem {theorem} : {statement}.
Proof.
{proof}Qed.
"""


@dataclass(frozen=True)
class Target:
    """What is claimed: delta at an eps, or at an e^eps."""

    delta: Fraction
    eps: Fraction | None
    exp_eps: Fraction | None

    @property
    def nonneg(self) -> str:
        """Why Coq believes that eps is not negative."""
        return "apply ln_nonneg; lra" if self.eps is None else "lra"

    @property
    def text(self) -> str:
        """The eps in Coq's language."""
        return quotient(self.eps) if self.eps is not None else f"(ln {quotient(self.exp_eps or Fraction(1))})"

    def below(self, places: int) -> tuple[Fraction, str]:
        """A rational at most e^eps, and why Coq believes that."""
        if self.eps is None:
            return self.exp_eps or Fraction(1), "right; rewrite exp_ln; lra"
        ratio = Fraction(int(exp_bounds(self.eps, places + 8)[0] * 2**places), 2**places)
        terms = next(n for n, value in enumerate(taylor(self.eps)) if n == MOST_TERMS or value >= ratio)
        sound = f"below_exp_sound {terms} {self.eps.numerator} {self.eps.denominator}"
        return ratio, f"apply ({sound}); vm_cast_no_check (eq_refl true)"

    def read(self, places: int) -> tuple[Fraction, Fields]:
        """A rational at most e^eps, and what stands in a Coq file of it."""
        ratio, below = self.below(places)
        return ratio, {"a": ratio.numerator, "b": ratio.denominator, "below": below}


def quotient(number: Fraction) -> str:
    """A rational number in Coq's language."""
    return f"({number.numerator} / {number.denominator})"


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


class Noise(Protocol):
    """What hides a user: its numbers, and the sizes with which Coq may compute what it hides."""

    def fields(self) -> Fields:
        """The numbers as they stand in the Coq file."""

    def tries(self, target: Target) -> Tries:
        """Sizes to try."""


@dataclass(frozen=True)
class Form:
    """How a protocol's claim is stated and proved: what is required, statement, proof, and what is read of a claim.

    `read` raises InputError.  A module in `named` is required without being imported.
    """

    modules: str
    statement: str
    proof: str
    read: Callable[[Claim], Noise]
    named: str = ""


def theorem_of(claim: Claim, entry: Data, words: str) -> Theorem:
    """The theorem that a claim's upper bound is.

    Raises: InputError, where the kernel has no theorem of this kind.
    """
    if claim.direction is not None:
        raise InputError("the kernel's theorem is about all neighbours, and the certificate about one direction")
    form = FORMS.get((claim.protocol, claim.view))
    if form is None:
        seen = "" if claim.view == "whole" else f", view of a {claim.view},"
        raise InputError(f"the certificate of {claim.protocol}{seen} is not replayed in the kernel yet")
    target = target_of(claim, entry)
    return stated(form, form.read(claim), target, words)


def stated(form: Form, noise: Noise, target: Target, words: str) -> Theorem:
    """The theorem of a form; nothing in the words can end the comment that they stand in."""
    fields = {"c": target.delta.numerator, "d": target.delta.denominator, "eps": target.text, "nonneg": target.nonneg}
    fields |= noise.fields() | shortest(noise.tries(target))
    requires = f"From {LIBRARY} Require {form.named}.\n" if form.named else ""
    source = SOURCE.format(
        requires=requires + f"From {LIBRARY} Require Import {form.modules}.\n",
        words=STRANGE.sub(" ", words),
        theorem=THEOREM,
        statement=form.statement.format(**fields),
        proof=form.proof.format(**fields),
    )
    return Theorem(source, tuple(f"{form.named} {form.modules}".split()))


# Fair and other coins: one shift, or two opposite ones.

LARGEST_L, EXACT = 5000, 1000
"""Of the coins that are replayed, and the bits of numbers that are computed without rounding."""
HALF_COINS = ("pan-sum", "pan-histogram")
"""The protocols whose noise is lam fair coins."""


@dataclass(frozen=True)
class Coins:
    """l coins of probability p, which hide one shift, or two opposite ones."""

    l: int
    p: Fraction
    pair: bool = False

    @property
    def middle(self) -> int:
        """Where the largest mass is."""
        return min(self.l, int((self.l + 1) * self.p))

    def fields(self) -> Fields:
        """The numbers as they stand in the Coq file."""
        u, whole = self.p.numerator, self.p.denominator
        found: Fields = {"l": self.l, "u": u, "v": whole - u, "whole": whole}
        return found | {"m": self.middle, "rest": self.l - self.middle}

    def tries(self, target: Target) -> Tries:
        """Sizes to try."""
        accepts = accepts_coin_pair if self.pair else accepts_coins
        for one, text, places in self.precisions():
            ratio, read = target.read(places)
            row = rounded_row(one, self.l, self.middle, self.p)
            yield accepts(row, ratio, target.delta), {"one": text, **read}

    def precisions(self) -> Iterator[tuple[int, str, int]]:
        """The mass in the middle, as a number and as a text, and the bits of the rational below e^eps.

        The last one makes all masses whole, so that nothing is rounded, where that is not too long.
        """
        for bits, places in PRECISIONS:
            yield 1 << bits, f"(2 ^ {bits})", places
        u, v = self.p.numerator, self.p.denominator - self.p.numerator
        if self.l * self.p.denominator.bit_length() <= EXACT:
            one = comb(self.l, self.middle) * u**self.middle * v ** (self.l - self.middle)
            yield one, str(one), PRECISIONS[-1][1]


def coins_of(claim: Claim) -> Coins:
    """The coins of a claim.  Raises: InputError."""
    if claim.protocol in HALF_COINS:
        l, p = claim.count("lam"), Fraction(1, 2)
    else:
        l, p = claim.count("l") if claim.protocol == "binomial" else claim.users(), fraction(claim.parameters["p"], "p")
    if l > LARGEST_L:
        raise InputError(f"the kernel replays at most {LARGEST_L} coins, and there are {l}")
    if not 0 < p < 1:
        raise InputError("the kernel replays p strictly between 0 and 1")
    return Coins(l, p, claim.view == "pair")


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
    lows, highs = tails(row)
    excess, before = 0, 0
    for y, (low, high) in enumerate(row):
        x = a * y * (l + 1) // (b * (l + 1 - y) + a * y)
        excess += b * high * highs[x] - a * before * lows[x + 1]
        before = low
    return excess * delta.denominator <= delta.numerator * b * lows[0] * lows[0]


def tails(row: Row) -> tuple[list[int], list[int]]:
    """The sums of the masses from each place on, from below and from above.

    >>> tails([(1, 2), (3, 3)])
    ([4, 3, 0], [5, 3, 0])
    """
    lows, highs = (accumulate(side, initial=0) for side in zip(*reversed(row), strict=True))
    return [*lows][::-1], [*highs][::-1]


def rounded_row(one: int, l: int, m: int, p: Fraction) -> Row:
    """The masses of Bin(l, p) from that at m, rounded down and up.

    >>> rounded_row(16, 2, 1, Fraction(1, 2))
    [(8, 8), (16, 16), (8, 8)]
    """
    u, v = p.numerator, p.denominator - p.numerator
    up = rounded_steps(one, [((l - x) * u, (x + 1) * v) for x in range(m, l)])
    down = rounded_steps(one, [(x * v, (l - x + 1) * u) for x in range(m, 0, -1)])
    return [*reversed(down), *up[1:]]


def rounded_steps(one: int, ratios: Iterable[tuple[int, int]]) -> Row:
    """A mass and those after it, each the one before times a ratio, rounded down and up."""
    row = [(one, one)]
    for top, bottom in ratios:
        row.append((row[-1][0] * top // bottom, -(-row[-1][1] * top // bottom)))
    return row


HIDDEN = """  assert (hides : hides_one {l} ({u} / {whole}) {eps} ({c} / {d})).
  {{ apply (certificate_sound {one} {m} {rest} {u} {v} {a} {b} {c} {d}).
    - vm_cast_no_check (eq_refl true).
    - {below}. }}
"""
HIDDEN_PAIR = HIDDEN.replace("hides_one", "hides_pair").replace("certificate_sound", "pair_sound")


# P_UT: a pool, or all that is seen, with true Poisson noise.
#
# The computations were proved sound in `PoissonCertificate.v` and `PoissonPairCertificate.v`.

LARGEST_MEAN, LARGEST_OF_PAIR = 1000, 100
"""Of the noise among the ones of a pool, where one is seen and where all are; a computation for more takes minutes."""
PAIR_PRECISIONS = ((32, 48), (48, 48), *PRECISIONS)
"""As many bits of a weight are twice as many of the product of two."""
POOL_PROOF = """  assert (hides : hides_in_pool (2 * ({u} / {w})) {eps} ({c} / {d})).
  {{ apply (pool_sound {one} {u} {w} {rows} {a} {b} {c} {d}).
    - vm_cast_no_check (eq_refl true).
    - {below}.
    - {nonneg}. }}
  intros X U n honest j users share.
  apply (pool_private X U {lam} {eps} ({c} / {d}) {gamma} n honest j); [lra | {nonneg} | lra | exact users | exact share |].
  replace ({gamma} * {lam}) with (2 * ({u} / {w})) by field. exact hides.
"""
PAIR_PROOF = """  assert (accepted : accepts_poisson_pair {one} {shift} {u} {w} {rows} {a} {b} {c} {d} = true) by (vm_cast_no_check (eq_refl true)).
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
"""


@dataclass(frozen=True)
class PoissonNoise:
    """The noise of P_UT with gamma n users, half of which is among the ones of a pool."""

    lam: Fraction
    gamma: Fraction
    pair: bool

    @property
    def mean(self) -> Fraction:
        """The mean of the noise among the ones of a pool."""
        return self.lam * self.gamma / 2

    def fields(self) -> Fields:
        """The numbers as they stand in the Coq file."""
        found: Fields = {"u": self.mean.numerator, "w": self.mean.denominator}
        return found | {"lam": quotient(self.lam), "gamma": quotient(self.gamma)}

    def tries(self, target: Target) -> Tries:
        """Sizes to try; where all is seen, a weight has at most so many bits."""
        for bits, places in PAIR_PRECISIONS if self.pair else PRECISIONS:
            ratio, read = target.read(places)
            scale = max(0, bits - int(self.mean * 3 / 2)) if self.pair else bits
            row = poisson_weights(scale, self.mean)
            if self.pair:
                shift = max(0, max(high for _, high in row).bit_length() - bits)
                row = row[: max(2, int(2 * self.mean) + 1, sum(high >> shift > 0 for _, high in row)) + 1]
                read["shift"] = shift
                accepted = accepts_poisson_pair(row, shift, ratio, target.delta, self.mean)
            else:
                accepted = accepts_poisson_pool(row, ratio, target.delta)
            yield accepted, {"one": f"(2 ^ {scale})", "rows": len(row) - 2, **read}


def poisson_noise_of(claim: Claim) -> PoissonNoise:
    """The noise of a claim.  Raises: InputError."""
    lam, gamma = fraction(claim.parameters["lam"], "lam"), fraction(claim.parameters["gamma"], "gamma")
    noise = PoissonNoise(lam, gamma, claim.view == "pair")
    largest = LARGEST_OF_PAIR if noise.pair else LARGEST_MEAN
    if not 0 < noise.mean <= largest:
        raise InputError(f"the kernel replays a mean gamma lam/2 above 0 and of at most {largest}")
    return noise


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
    lows, highs = tails(row)
    total = b * row[0][1] * (highs[0] + rest) + b * rest * (highs[0] + rest)
    for y in range(1, len(row) - 1):
        x = a * y // b
        high = highs[x] if x < len(highs) else 0
        low = lows[x + 1] if x + 1 < len(lows) else 0
        total += b * row[y][1] * (high + rest) - a * row[y - 1][0] * low
    return total * delta.denominator <= delta.numerator * b * lows[0] * lows[0]


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


# P_DE: a pool, or the pair that a changed user touches, with real messages.
#
# The computation was proved sound in `DistinctCertificate.v`.

MOST_WORK = 500_000
"""Products of masses over all backgrounds: twelve users with three messages, 200,000, take Coq fifteen seconds."""
DISTINCT_PROOF = """  assert (accepted : {accepts} {m} {B} {ql} {qh} {users} {a} {b} {c} {d} = true) by (vm_cast_no_check (eq_refl true)).
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
"""
MessageRows = tuple[list[int], list[int], list[int]]
"""The masses of a holder's messages, and of another user's from below and from above."""


@dataclass(frozen=True)
class NoisyMessages:
    """The messages of gamma n users of P_DE, made for n users, with an eps or e^eps of its own."""

    users: int
    n: int
    m: int
    own: Target
    pair: bool

    def fields(self) -> Fields:
        """The numbers as they stand in the Coq file."""
        positive = "lra" if self.own.eps is not None else "rewrite <- ln_1; apply ln_increasing; lra"
        found: Fields = {"users": self.users, "n": self.n, "m": self.m, "own": self.own.text, "positive": positive}
        accepts, sound = (
            ("accepts_distinct", "distinct_sound") if self.pair else ("accepts_pool", "distinct_pool_sound")
        )
        return found | {"accepts": accepts, "sound": sound}

    def tries(self, target: Target) -> Tries:
        """Sizes to try."""
        accepts = accepts_distinct if self.pair else accepts_distinct_pool
        for bits, places in PRECISIONS:
            ratio, read = target.read(places)
            (low, why_low), (high, why_high) = self.own.below(bits), above(self.own, bits)
            ql, qh = share_bounds(1 << bits, self.n, low, high)
            read |= {"B": f"(2 ^ {bits})", "ql": ql, "qh": qh, "low": why_low, "high": why_high}
            read |= {"a1": low.numerator, "b1": low.denominator, "a2": high.numerator, "b2": high.denominator}
            yield accepts(message_rows(self.m, 1 << bits, ql, qh), ratio, target.delta, self.users), read


def messages_of(claim: Claim) -> NoisyMessages:
    """The messages of a claim.  Raises: InputError."""
    if "eps" in claim.parameters:
        own = Target(Fraction(0), fraction(claim.parameters["eps"], "eps"), None)
    elif "exp-eps" in claim.parameters:
        own = Target(Fraction(0), None, fraction(claim.parameters["exp-eps"], "exp-eps"))
    else:
        raise InputError("the kernel replays P_DE that is given by its eps or e^eps")
    found = NoisyMessages(claim.users(), claim.count("n"), claim.count("m"), own, claim.view == "pair")
    if found.pair and claim.count("k", 2) == 2:
        raise InputError("the kernel replays all messages of P_DE for three elements or more")
    if claim.holders is not None:
        raise InputError("the kernel replays P_DE for all backgrounds")
    of_pool = found.users * found.m + 1
    if found.users**2 * of_pool * (of_pool if found.pair else found.m + 1) > MOST_WORK:
        raise InputError(
            f"the kernel replays small pools of P_DE: {found.users} users with {found.m} messages are too many"
        )
    return found


def above(own: Target, bits: int) -> tuple[Fraction, str]:
    """A rational at least e^eps, and why Coq believes that; e^eps itself where it is rational."""
    if own.eps is None:
        return own.below(bits)
    row = poisson_weights(bits, own.eps)
    sound = f"(2 ^ {bits}) {own.eps.numerator} {own.eps.denominator} {len(row) - 2}"
    why = f"apply (PoissonCertificate.above_exp_sound {sound}); vm_cast_no_check (eq_refl true)"
    return Fraction(sum(high for _, high in row) + 2 * row[-1][1], 1 << bits), why


def share_bounds(scale: int, n: int, low: Fraction, high: Fraction) -> tuple[int, int]:
    """Whole numbers below and above scale (1 - 1/e)^(1/n), for e between low and high.

    >>> share_bounds(1000, 2, Fraction(4, 3), Fraction(4, 3))
    (500, 500)
    """
    below, above = scale**n * (1 - 1 / low), scale**n * (1 - 1 / high)
    ql, qh = (int(fmpz(int(number)).root(n)) for number in (below, -(-above.numerator // above.denominator)))
    return max(ql, 1), qh + (qh**n < above)


def message_rows(m: int, scale: int, ql: int, qh: int) -> MessageRows:
    """The masses of a holder's number of ones, and those of another user from below and above, times 2^m scale."""
    rows = [
        [comb(m, i) * (scale + (odd if i % 2 else even)) for i in range(m + 1)]
        for even, odd in ((0, 0), (ql, -qh), (qh, -ql))
    ]
    return rows[0], rows[1], rows[2]


def law_of_pool(parts: list[list[int]], scale: int, up: bool) -> list[int]:
    """The number of ones that users send together, the last user first, rounded down or up after each.

    >>> law_of_pool([[1, 1], [1, 1]], 2, up=False), law_of_pool([[1, 3], [1, 3]], 4, up=True)
    ([0, 1, 0], [1, 2, 3])
    """
    law = fmpz_poly([scale])
    for row in reversed(parts):
        law = fmpz_poly([-(-mass // scale) if up else mass // scale for mass in (law * fmpz_poly(row)).coeffs()])
    return [int(law[ones]) for ones in range(sum(len(row) - 1 for row in parts) + 1)]


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


VALUES = "forall (Element : Type) (same : forall a b : Element, {{a = b}} + {{a <> b}})"
COMMON = "Closeness BinomialMechanism ExpBound BinomialCertificate"
HISTOGRAM = f"{COMMON} PairCertificate PanHistogram HistogramPair"
POISSON = "forall (X : Type) (U : universe X) (n honest : nat)"
HONEST = "(0 < honest <= n)%nat -> INR honest = {gamma} * INR n ->\n  private_on honest {eps} ({c} / {d})"
DISTINCT = "Law Closeness Shuffle ShuffleModel Shares Distinct ExpBound EvenMessages DistinctCertificate"
FORMS = {
    ("binomial", "whole"): Form(
        COMMON,
        "forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->\n"
        "  private_on n {eps} ({c} / {d}) (binomial_mechanism {l} ({u} / {whole}) f)",
        HIDDEN + "  exact (proj1 (hides_one_iff {l} ({u} / {whole}) {eps} ({c} / {d})) hides).\n",
        coins_of,
    ),
    ("binary-sum", "whole"): Form(
        f"{COMMON} ShuffleModel BinarySum",
        "private_on {l} {eps} ({c} / {d}) (view (R_zsum ({u} / {whole})))",
        HIDDEN + "  exact (zsum_private_given ({u} / {whole}) {eps} ({c} / {d}) {l} hides).\n",
        coins_of,
    ),
    ("pan-sum", "whole"): Form(
        f"{COMMON} Online PanSum",
        "forall n : nat, pan_private n {eps} ({c} / {d}) (zsum_initial {l}) zsum_update (zsum_output {l})",
        HIDDEN + "  exact (fun n => zsum_private {l} {eps} ({c} / {d}) n hides).\n",
        coins_of,
    ),
    ("pan-histogram", "pool"): Form(
        HISTOGRAM,
        VALUES + " (n t : nat) (j : Element),\n"
        "  private_on n {eps} ({c} / {d}) (fun x => bin_view Element same {l} t x j)",
        HIDDEN + "  intros; apply bin_private; exact hides.\n",
        coins_of,
    ),
    ("pan-histogram", "pair"): Form(
        f"{HISTOGRAM} Online",
        VALUES + " (K : list Element) (n : nat), NoDup K ->\n"
        "  pan_private n {eps} ({c} / {d}) (hist_initial Element K {l}) (hist_update Element same K) (hist_output {l})",
        HIDDEN_PAIR + "  intros; apply histogram_private_pair; [assumption | {nonneg} | lra | exact hides].\n",
        coins_of,
    ),
    ("shuffle-histogram", "pool"): Form(
        HISTOGRAM,
        VALUES + " (j : Element),\n"
        "  private_on {l} {eps} ({c} / {d}) (fun x => pool_view Element same ({u} / {whole}) x j)",
        HIDDEN + "  intros; apply pool_private; exact hides.\n",
        coins_of,
    ),
    ("shuffle-histogram", "pair"): Form(
        HISTOGRAM,
        VALUES + " (K : list Element), NoDup K ->\n"
        "  private_on {l} {eps} ({c} / {d}) (histogram_view Element same K ({u} / {whole}))",
        HIDDEN_PAIR + "  intros; apply histogram_shuffle_private; [assumption | lra | {nonneg} | lra | exact hides].\n",
        coins_of,
    ),
    ("uniformity", "pool"): Form(
        "Countable ExpBound PoissonPools PoissonCertificate Paper",
        POISSON + f" (j : X),\n  {HONEST}\n"
        "    (fun x => bind (concatenated (map (fun i => PoissonPools.labelled U {lam} n i j) x)) shuffle)",
        POOL_PROOF,
        poisson_noise_of,
    ),
    ("uniformity", "pair"): Form(
        "Countable ExpBound PoissonPairCertificate Paper",
        POISSON + f",\n  (2 <= length (elements U))%nat -> {HONEST} (view (R_UT U {{lam}} n))",
        PAIR_PROOF,
        poisson_noise_of,
    ),
    ("distinct-elements", "pool"): Form(
        DISTINCT,
        VALUES + " (j : Element),\n"
        "  private_on {users} {eps} ({c} / {d}) (fun x => bind (col Element same {n} {own} (R_MOD {m}) j x) shuffle)",
        DISTINCT_PROOF,
        messages_of,
        named="PoissonCertificate",
    ),
    ("distinct-elements", "pair"): Form(
        DISTINCT,
        VALUES + " (K : list Element),\n  NoDup K -> (forall a : Element, In a K) ->\n"
        "  private_on {users} {eps} ({c} / {d}) (view (R_DE Element same K {n} {own} (R_MOD {m})))",
        DISTINCT_PROOF,
        messages_of,
        named="PoissonCertificate",
    ),
}
"""The protocols and views that are replayed."""
