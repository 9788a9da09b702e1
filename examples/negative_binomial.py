"""A mechanism that is not in the paper: a sum of bits plus the failures before the l-th success of a coin.

NB(l, p) has the masses b(x) = C(x+l-1, x) p^l (1-p)^x.  One bit moves the sum by one, so the view is NB(l, p) against
1 + NB(l, p), in both directions.  The ratio b(x)/b(x-1) = (1-p)(x+l-1)/x never rises, so each direction has one cut:

* lose, NB as the upper law: the event {view <= c}, with c the last x where b(x) > E b(x-1), E = e^eps;
* gain, 1 + NB as the upper law: the event {view >= c}, with c the first x where b(x-1) > E b(x), if E (1-p) < 1.

    python examples/negative_binomial.py
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor
from random import Random

from flint import arb
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, Curve, View
from panshuffle.exact.parameters import check_between, check_bit, check_count, check_rows
from panshuffle.exact.real import Real, exp, log, real, scaled_bounds
from panshuffle.protocols.randomness.coins import Coins

from panshuffle.testing import assert_law

WHY = "One bit moves the sum by at most 1; both directions are covered, and a shift by 0 gives delta = 0."


@dataclass(frozen=True)
class NegativeBinomial:
    """f(x) + NB(l, p) for n bits, with f(x) their sum."""

    n: int
    l: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("l", self.l)
        check_between("p", self.p, Fraction(0), Fraction(1))

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The noisy sum: the failures before one success are geometric, and those before l are l such draws."""
        check_rows(data, self.n, self.n)
        for x in data:
            check_bit(x)
        return sum(data) + sum(coins.geometric(-log(1 - self.p)) for _ in range(self.l))


def view(l: int, p: Fraction) -> View:
    """The view for a rational p.

    >>> view(3, Fraction(1, 2)).curve.delta(real(1)).exact
    Fraction(3, 16)
    """

    def worse(exp_eps: Fraction) -> Fraction:
        return max(lose(l, p, exp_eps), gain(l, p, exp_eps))

    def ball(exp_eps: Real, precision: int) -> arb:
        """delta falls in e^eps, so that rationals on either side of it enclose."""
        low, high = (Fraction(end, 1 << precision) for end in scaled_bounds(exp_eps, precision))
        return real(worse(high)).ball(precision).union(real(worse(low)).ball(precision))

    return View(Curve(ball, worse, limit=real(p**l)), ALL_NEIGHBOURS, WHY)


def up_to(l: int, p: Fraction, x: int) -> Fraction:
    """P[NB <= x]."""
    return sum((comb(i + l - 1, i) * p**l * (1 - p) ** i for i in range(x + 1)), Fraction(0))


def lose(l: int, p: Fraction, e: Fraction) -> Fraction:
    """F(c) - E F(c-1) for the last c with b(c) > E b(c-1)."""
    c = max(0, ceil((1 - p) * (l - 1) / (e - 1 + p)) - 1)
    return up_to(l, p, c) - e * up_to(l, p, c - 1)


def gain(l: int, p: Fraction, e: Fraction) -> Fraction:
    """P[NB >= c-1] - E P[NB >= c] for the first c with b(c-1) > E b(c); 0 where there is none."""
    share = e * (1 - p)
    if share >= 1:
        return Fraction(0)
    c = floor(share * (l - 1) / (1 - share)) + 1
    return 1 - up_to(l, p, c - 2) - e * (1 - up_to(l, p, c - 1))


def least_l(p: Fraction, eps: Real, delta: Fraction) -> int:
    """The least l that meets a target: more noise is post-processing, so that bisection finds it."""

    def meets(l: int) -> bool:
        return view(l, p).curve.delta(exp(eps)).decide(real(delta)) <= 0

    high = 1
    while not meets(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return high


def main() -> None:
    """The privacy at one point, the least l for a target, and our own sampler against the exact law."""
    print("delta at eps = log(2):", view(3, Fraction(1, 2)).curve.delta(real(2)).exact)
    print("least l for p = 1/2, eps = 1, delta = 1e-6:", least_l(Fraction(1, 2), real(1), Fraction(1, 10**6)))
    mechanism, coins = NegativeBinomial(2, 3, real("1/2")), Coins(Random(1).getrandbits(64))
    assert_law(lambda: mechanism.release([0, 0], coins), "NB(3, 1/2)", runs=2000)
    print("2000 samples of the mechanism agree with NB(3, 1/2)")


if __name__ == "__main__":
    main()
