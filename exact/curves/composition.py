"""The composition of mechanisms, each given by its pair of laws and a number of uses: certified from both sides.

delta(E) is the sum over tuples of outcomes, one for each use, of max(prod upper - E prod lower, 0).  Outcomes with one
ratio upper/lower are merged; a tuple counts through its type, how often each ratio of each mechanism occurs in it.  Few
types are summed, exactly or in balls.  Where there are many, write the loss of an outcome as ln(upper/lower): the sum
over tuples of finite loss is the mean gain that `mean_gain` encloses from above and from below, for any number of uses
and however small it is.  A tuple with an outcome that its `lower` misses counts in full: 1 - prod (1 - missed mass).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import ceil, comb, factorial, log2, prod

from flint import arb, ctx
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.law import Law, Number
from panshuffle.exact.numbers.certified import Certified, quotient
from panshuffle.exact.numbers.real import Real, exp, log, real
from panshuffle.exact.pairs.divergence import check_exp_eps
from panshuffle.exact.parameters import check_count, refuse_if

MOST_TYPES = 20_000
EXACT_TYPES = 2_000
LARGEST_PURE = 1 << 16
NARROWEST = Fraction(1, 10**8)
WIDEST = Fraction(1, 10**6)
PRECISIONS = (128, 256, 512, 1024)
SMALL_BITS = 100


@dataclass(frozen=True)
class Pairs:
    """Masses (upper, lower) of the outcomes that both have; for the others, bounds on what they add.

    `missed` is the mass under upper of outcomes that lower does not list, `doubt` a bound on theirs under lower, and
    `tail` a bound on the mass under upper of all others.  Tuples with a missed outcome gain at least their mass under
    upper less k * doubt * E; those with neither gain what the shared ones do, and at most k * tail more.
    """

    shared: Sequence[tuple[arb, arb]]
    missed: arb
    doubt: arb
    tail: arb

    @property
    def complete(self) -> bool:
        """Whether there is nothing that a higher precision would add."""
        return self.doubt.is_zero() and self.tail.is_zero()

    def without_small(self) -> Pairs:
        """The same with masses below 2^-SMALL_BITS in the tail: a first attempt, for a delta that is not tiny."""
        least = arb(2) ** -SMALL_BITS
        kept = [(p, q) for p, q in self.shared if not p < least]
        dropped = sum((p.upper() for p, _ in self.shared if p < least), arb(0))
        return Pairs(kept, self.missed, self.doubt, self.tail + dropped.upper()) if kept else self


@dataclass(frozen=True)
class Used:
    """A mechanism: the two laws of its view, and how often it is used."""

    upper: Law
    lower: Law
    uses: int

    @cached_property
    def known(self) -> dict[int, Pairs]:
        """The masses at the precisions that were asked for: one curve asks for few."""
        return {}

    def pairs(self, precision: int) -> Pairs:
        """The masses as balls of so many bits."""
        if precision not in self.known:
            self.known[precision] = pairs_of(self.upper, self.lower, precision)
        return self.known[precision]


def composed_delta(upper: Law, lower: Law, k: int, exp_eps: Real, relative_width: Fraction) -> arb:
    """An enclosure of delta at e^eps for k independent runs of one mechanism, as narrow as asked for where possible.

    *Exactness*: enclosure.  *Raises* as `mixed_delta`.

    >>> from panshuffle.exact.laws.families import law_of_bernoulli
    >>> said, meant = law_of_bernoulli(real("3/4")), law_of_bernoulli(real("1/4"))
    >>> composed_delta(said, meant, 2, real(2), Fraction(1, 10**9)).str(8, radius=False)  # 9/16 - 2 * 1/16
    '0.43750000'
    """
    return mixed_delta([Used(upper, lower, k)], exp_eps, relative_width)


def mixed_delta(parts: Sequence[Used], exp_eps: Real, relative_width: Fraction) -> arb:
    """An enclosure of delta at e^eps for independent runs of several mechanisms, as narrow as asked for where possible.

    Few types (see above) are enclosed to any width; otherwise widths below about 1e-9 are not reached, nor is any where
    the sum of the losses has an atom at eps or where the uses are beyond 10^6: the enclosure is then wider.
    *Exactness*: enclosure.  *Raises* `ParameterError` unless uses >= 1, e^eps >= 1 and 0 < relative_width < 1.
    """
    check_exp_eps(exp_eps)
    uses = checked_uses(parts)
    refuse_if(not 0 < relative_width < 1, "relative_width", relative_width, "strictly between 0 and 1")
    best = arb.pos_inf()
    for precision in PRECISIONS:
        bits = precision + ceil(log2(1 / relative_width)) + 2 * uses.bit_length()
        found = [(part.pairs(bits), part.uses) for part in parts]
        if precision == PRECISIONS[0] and all_types(found) > MOST_TYPES:
            found = [(pairs.without_small(), k) for pairs, k in found]
        ball = delta_at(found, exp_eps, relative_width, bits)
        shrinks = not best.is_finite() or ball.rad() < 0.5 * best.rad()
        best = ball if not best.is_finite() or ball.rad() < best.rad() else best
        with ctx.workprec(bits):
            if not shrinks or 2 * best.rad() <= best.lower() * arb(quotient(relative_width)):
                break
        if all(pairs.complete for pairs, _ in found) and all_types(found) > MOST_TYPES:
            break
    return best


def checked_uses(parts: Sequence[Used]) -> int:
    """How many uses there are.  *Raises* `ParameterError` where there are none, or a mechanism has none."""
    for part in parts:
        check_count("k", part.uses)
    check_count("k", sum(part.uses for part in parts))
    return sum(part.uses for part in parts)


def mixed_curve(parts: Sequence[Used]) -> Curve:
    """delta as a function of e^eps for independent runs of several mechanisms.

    *Raises* `InputError` for laws without exact masses (their pure eps is not known).
    """
    checked_uses(parts)
    if any(law.exact is None for part in parts for law in (part.upper, part.lower)):
        raise InputError("the curve of a composition needs laws with exact masses")
    tables = [(*merged(part.upper, part.lower), part.uses) for part in parts]
    size = prod(types(len(shared), k) for shared, _, k in tables)
    exact: Callable[[Fraction], Fraction] | None = None
    if size <= EXACT_TYPES:
        certain = 1 - prod((1 - missed) ** k for _, missed, k in tables)
        exact = lru_cache(maxsize=64)(lambda e: type_sum([(shared, k) for shared, _, k in tables], e) + certain)
    lost = [(missed, k) for _, missed, k in tables if missed]
    pure, pure_epsilon = (None, None) if lost else pure_of([(largest_ratio(shared), k) for shared, _, k in tables])

    @lru_cache(maxsize=64)
    def ball_of_width(exp_eps: Real, width: Fraction) -> arb:
        return mixed_delta(parts, exp_eps, width)

    def ball(exp_eps: Real, precision: int) -> arb:
        narrow = size <= MOST_TYPES
        return ball_of_width(
            exp_eps, Fraction(1, 1 << precision) if narrow else WIDEST if precision < 96 else NARROWEST
        )

    return Curve(ball, exact, pure, pure_epsilon, limit_of(lost))


def largest_ratio(shared: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The largest upper/lower."""
    return max((p / q for p, q in shared), default=Fraction(1))


def pure_of(ratios: Sequence[tuple[Fraction, int]]) -> tuple[Real | None, Callable[[], Certified] | None]:
    """The least e^eps at which delta is 0, the product of the powers of the largest ratios; or its logarithm."""
    bits = sum(k * max(ratio.numerator.bit_length(), ratio.denominator.bit_length()) for ratio, k in ratios)
    if bits <= LARGEST_PURE:
        return real(prod(ratio**k for ratio, k in ratios)), None
    return None, lambda: Certified.of(sum((log(real(ratio)) * k for ratio, k in ratios), real(0)))


def limit_of(lost: Sequence[tuple[Fraction, int]]) -> Real:
    """delta as eps grows: the mass under upper of tuples with a missed outcome."""
    if any(missed == 1 for missed, _ in lost):
        return real(1)
    if sum(k * missed.denominator.bit_length() for missed, k in lost) <= LARGEST_PURE:
        return real(1 - prod((1 - missed) ** k for missed, k in lost))
    return 1 - exp(sum((log(real(1 - missed)) * k for missed, k in lost), real(0)))


def all_types(parts: Sequence[tuple[Pairs, int]]) -> int:
    """How many types there are of tuples of shared outcomes."""
    return prod(types(len(pairs.shared), k) for pairs, k in parts)


def types(ratios: int, k: int) -> int:
    """How many types there are of k-tuples with so many ratios.

    >>> types(3, 2)
    6
    """
    return comb(k + ratios - 1, k) if ratios else 0


def merged(upper: Law, lower: Law) -> tuple[list[tuple[Fraction, Fraction]], Fraction]:
    """The exact masses of each ratio upper/lower, and the mass under upper of what lower misses."""
    if upper.exact is None or lower.exact is None:
        raise InputError("this law has no exact masses: ask for its enclosure")
    found: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    missed = Fraction(0)
    for outcome, p in upper.exact.items():
        q = lower.exact.get(outcome)
        if q is None:
            missed += p
            continue
        ratio = quotient(p) / quotient(q)
        key = (int(ratio.p), int(ratio.q))
        (above, below) = found.get(key, (0, 0))
        found[key] = (above + p, below + q) if above else (p, q)
    return list(found.values()), missed


def pairs_of(upper: Law, lower: Law, precision: int) -> Pairs:
    """The masses as balls; a listed one that is not told apart from 0 counts as not listed."""
    with ctx.workprec(precision):
        if upper.exact is not None and lower.exact is not None:
            shared, missed = merged(upper, lower)
            return Pairs(
                [(arb(quotient(p)), arb(quotient(q))) for p, q in shared], arb(quotient(missed)), arb(0), arb(0)
            )
        above, below = upper.enclose(precision), lower.enclose(precision)
        pairs, lost, doubt, tail = list[tuple[arb, arb]](), arb(0), below.tail.upper(), above.tail.upper()
        for outcome, p in above.listed.items():
            q = below.listed.get(outcome, arb(0))
            if p > 0 and q > 0:
                pairs.append((p, q))
            elif p > 0:
                lost += p
                doubt += q.upper()
            else:
                tail += p.upper()
        return Pairs(pairs, lost, doubt, tail)


def delta_at(parts: Sequence[tuple[Pairs, int]], exp_eps: Real, relative_width: Fraction, precision: int) -> arb:
    """The gain of the tuples of finite loss, the mass of the others, and what the tails may add."""
    with ctx.workprec(precision):
        factor, uses = exp_eps.ball_here(), sum(k for _, k in parts)
        certain = 1 - prod(((1 - pairs.missed) ** k for pairs, k in parts), start=arb(1))
        if all_types(parts) <= MOST_TYPES:
            gain = type_sum([(pairs.shared, k) for pairs, k in parts], factor)
        else:
            from panshuffle.exact.curves.mean_gain import total_gain

            share = factor.log() / uses
            kinds = [
                ([p for p, _ in pairs.shared], [(p / q).log() - share for p, q in pairs.shared], k)
                for pairs, k in parts
            ]
            gain = total_gain(kinds, float(relative_width) * 0.95, max(float(certain.lower()), 0.0))
        doubt = sum((k * pairs.doubt for pairs, k in parts), arb(0))
        return gain + certain + (-factor * doubt).union(sum((k * pairs.tail for pairs, k in parts), arb(0)))


def type_sum(parts: Sequence[tuple[Sequence[tuple[Number, Number]], int]], factor: Number) -> Number:
    """The sum over types of max(upper - factor * lower, 0), a type being one of every mechanism."""
    zero = factor - factor
    total = zero
    for types in product(*(type_masses(pairs, k, zero) for pairs, k in parts)):
        above, below = zero + 1, factor
        for p, q in types:
            above, below = above * p, below * q
        total += positive(above - below)
    return total


def type_masses(pairs: Sequence[tuple[Number, Number]], k: int, zero: Number) -> Iterator[tuple[Number, Number]]:
    """The masses of the types of k-tuples: k! times products of mass^n/n!, n adding up to k."""
    tables = [(divided_powers(p, k), divided_powers(q, k)) for p, q in pairs]
    stack = [(0, k, zero + factorial(k), zero + factorial(k))] if pairs else []
    while stack:
        (i, left, p, q) = stack.pop()
        above, below = tables[i]
        if left and i < len(tables) - 1:
            stack.extend((i + 1, left - n, p * above[n], q * below[n]) for n in range(left + 1))
        else:
            yield p * above[left], q * below[left]


def divided_powers(mass: Number, k: int) -> list[Number]:
    """mass^n/n! for n from 0 to k."""
    found = [mass - mass + 1]
    for n in range(1, k + 1):
        found.append(found[-1] * mass / n)
    return found


def positive(value: Number) -> Number:
    """max(value, 0)."""
    return value.nonnegative_part() if isinstance(value, arb) else max(value, Fraction(0))
