"""The k-fold composition of one mechanism, given by its pair of laws: certified bounds from both sides on its delta.

delta(E) is the sum over k-tuples of outcomes of max(prod upper - E prod lower, 0).  Outcomes with one ratio upper/lower
are merged; a tuple counts through its type, how often each ratio occurs in it.  Few types are summed, exactly or in
balls.  Where there are many, write the loss of an outcome as ln(upper/lower): the sum over tuples of finite loss is the
mean gain that `mean_gain` encloses from above and from below, for any k and however small it is.  A tuple with an
outcome that `lower` misses counts in full: 1 - (1 - their mass)^k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, factorial, log2

from flint import arb, ctx

from exact.curves.curve import Curve
from exact.errors import InputError, ParameterError
from exact.laws.law import Law, Number
from exact.numbers.certified import Certified, quotient
from exact.numbers.real import Real, log, real
from exact.pairs.divergence import check_exp_eps
from exact.parameters import check_count

MOST_TYPES = 20_000
EXACT_TYPES = 2_000
LARGEST_PURE = 1 << 16
NARROWEST = Fraction(1, 10**8)
WIDEST = Fraction(1, 10**6)
PRECISIONS = (128, 256, 512, 1024)


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


def composed_delta(upper: Law, lower: Law, k: int, exp_eps: Real, relative_width: Fraction) -> arb:
    """An enclosure of delta at e^eps for k independent runs of one mechanism, as narrow as asked for where possible.

    Few types (see above) are enclosed to any width; otherwise widths below about 1e-9 are not reached, nor is any where
    the sum of the losses has an atom at eps or where k is beyond 10^6: the enclosure is then wider.
    *Exactness*: enclosure.  *Raises* `ParameterError` unless k >= 1, e^eps >= 1 and 0 < relative_width < 1.

    >>> from exact.laws.families import law_of_bernoulli
    >>> said, meant = law_of_bernoulli(real("3/4")), law_of_bernoulli(real("1/4"))
    >>> composed_delta(said, meant, 2, real(2), Fraction(1, 10**9)).str(8, radius=False)  # 9/16 - 2 * 1/16
    '0.43750000'
    """
    check_exp_eps(exp_eps)
    check_count("k", k)
    if not 0 < relative_width < 1:
        raise ParameterError("relative_width", relative_width, "strictly between 0 and 1")
    best = arb.pos_inf()
    for precision in PRECISIONS:
        bits = precision + ceil(log2(1 / relative_width)) + 2 * k.bit_length()
        pairs = pairs_of(upper, lower, bits)
        ball = delta_at(pairs, k, exp_eps, relative_width, bits)
        shrinks = not best.is_finite() or ball.rad() < 0.5 * best.rad()
        best = ball if not best.is_finite() or ball.rad() < best.rad() else best
        with ctx.workprec(bits):
            if not shrinks or 2 * best.rad() <= best.lower() * arb(quotient(relative_width)):
                break
        if pairs.complete and types(len(pairs.shared), k) > MOST_TYPES:
            break
    return best


def composed_curve(upper: Law, lower: Law, k: int) -> Curve:
    """delta as a function of e^eps for k independent runs of one mechanism.

    *Raises* `InputError` for laws without exact masses (their pure eps is not known).
    """
    check_count("k", k)
    if upper.exact is None or lower.exact is None:
        raise InputError("the curve of a composition needs laws with exact masses")
    shared, missed = merged(upper, lower)
    exact: Callable[[Fraction], Fraction] | None = None
    if types(len(shared), k) <= EXACT_TYPES:
        exact = lru_cache(maxsize=64)(lambda e: type_sum(shared, k, e) + 1 - (1 - missed) ** k)
    pure, pure_epsilon = (None, None) if missed else pure_of([p / q for p, q in shared], k)
    narrow = types(len(shared), k) <= MOST_TYPES

    @lru_cache(maxsize=64)
    def ball_of_width(exp_eps: Real, width: Fraction) -> arb:
        return composed_delta(upper, lower, k, exp_eps, width)

    def ball(exp_eps: Real, precision: int) -> arb:
        return ball_of_width(
            exp_eps, Fraction(1, 1 << precision) if narrow else WIDEST if precision < 96 else NARROWEST
        )

    return Curve(ball, exact, pure, pure_epsilon)


def pure_of(ratios: Sequence[Fraction], k: int) -> tuple[Real | None, Callable[[], Certified] | None]:
    """The least e^eps at which delta is 0, the k-th power of the largest ratio; or its logarithm where it is long."""
    largest = max(ratios, default=Fraction(1))
    if k * largest.numerator.bit_length() <= LARGEST_PURE and k * largest.denominator.bit_length() <= LARGEST_PURE:
        return real(largest) ** k, None
    return None, lambda: Certified.of(log(real(largest)) * k)


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


def delta_at(pairs: Pairs, k: int, exp_eps: Real, relative_width: Fraction, precision: int) -> arb:
    """The gain of the tuples of finite loss, the mass of the others, and what the tails may add."""
    with ctx.workprec(precision):
        factor = exp_eps.ball_here()
        certain = 1 - (1 - pairs.missed) ** k
        if types(len(pairs.shared), k) <= MOST_TYPES:
            gain = type_sum(pairs.shared, k, factor)
        else:
            from exact.curves.mean_gain import mean_gain

            share = factor.log() / k
            losses = [(p / q).log() - share for p, q in pairs.shared]
            spare = max(float(certain.lower()), 0.0)
            gain = mean_gain([p for p, _ in pairs.shared], losses, k, float(relative_width) * 0.95, spare)
        return gain + certain + (-k * factor * pairs.doubt).union(k * pairs.tail)


def type_sum(pairs: Sequence[tuple[Number, Number]], k: int, factor: Number) -> Number:
    """The sum over types of max(upper - factor * lower, 0): k! times products of mass^n/n!, n adding up to k."""
    total = factor - factor
    tables = [(divided_powers(p, k), divided_powers(q, k)) for p, q in pairs]
    stack = [(0, k, total + factorial(k), factor * factorial(k))] if pairs else []
    while stack:
        (i, left, p, q) = stack.pop()
        if left and i < len(tables) - 1:
            above, below = tables[i]
            stack.extend((i + 1, left - n, p * above[n], q * below[n]) for n in range(left + 1))
        else:
            total += positive(p * tables[i][0][left] - q * tables[i][1][left])
    return total


def divided_powers(mass: Number, k: int) -> list[Number]:
    """mass^n/n! for n from 0 to k."""
    found = [mass - mass + 1]
    for n in range(1, k + 1):
        found.append(found[-1] * mass / n)
    return found


def positive(value: Number) -> Number:
    """max(value, 0)."""
    return value.nonnegative_part() if isinstance(value, arb) else max(value, Fraction(0))
