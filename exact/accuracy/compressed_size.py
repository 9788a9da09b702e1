"""The least number of samples of the compressed tester: floats search, the exact law decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import ctx
from panshuffle.exact.accuracy.compressed import TwoKinds
from panshuffle.exact.accuracy.repeated import tail_ends
from panshuffle.exact.accuracy.tester import uniform_law
from panshuffle.exact.accuracy.tester_float import spectrum
from panshuffle.exact.accuracy.uniformity import Distribution, Statistic
from panshuffle.exact.errors import Undecided
from panshuffle.exact.numbers.real import Real, real
from panshuffle.exact.parameters import THIRD, threshold

BITS, CUT = (36, 72, 144, 288), 12
CANDIDATES = 3
COPIES = (1, 3)


@dataclass(frozen=True)
class CompressedTester:
    """k_hat groups, copies that vote, the noise, and the repaired threshold for every m; m is that of all copies."""

    k_hat: int
    copies: int
    votes: int
    lam: Real
    far: Distribution

    def statistics(self, m: int) -> tuple[Statistic, TwoKinds]:
        """The statistic of one copy on uniform and on far samples."""
        one = real(m) / self.copies
        return Statistic(one, self.lam, uniform_law(self.k_hat)), TwoKinds(one, self.lam, self.k_hat, self.far)

    def works(self, m: int) -> bool:
        """Whether both errors are at most 1/3, by the exact laws at growing precision.  *Raises* `Undecided`."""
        flat, far = self.statistics(m)
        tau = threshold(self.k_hat, self.lam, real(m) / self.copies)
        return self.is_at_least(far, tau, 1 - THIRD) and not self.is_at_least(flat, tau, THIRD)

    def is_at_least(self, of: Statistic | TwoKinds, tau: Real, limit: Fraction) -> bool:
        """Whether the copies say "not uniform" with at least this probability."""
        for bits in BITS:
            one = of.chance_ball(tau, bits, bits - CUT)
            with ctx.workprec(bits):
                ends = tail_ends([(one, self.copies)], self.votes)
                low, high = (end * limit.denominator - limit.numerator for end in ends)
            if low > 0 or high < 0:
                return bool(low > 0)
        raise Undecided(f"whether a probability is at least {limit} is not decided with {bits} bits")

    def seems_to_work(self, m: int) -> bool:
        """The same in floating point, for a search."""
        flat, far = self.statistics(m)
        tau = float(threshold(self.k_hat, self.lam, real(m) / self.copies))
        both = [tail_float(self.copies, of.chance_above(tau), self.votes) for of in (spectrum(flat), far.spectrum())]
        return both[0] <= THIRD and both[1] >= 1 - THIRD

    def least_float(self, most: int) -> int | None:
        """About the least multiple of copies * k_hat that works, up to a given m.

        None where that does not work, or where its exact law is too large.
        """
        unit = self.copies * self.k_hat
        low, high = 0, -(-most // unit)
        if not self.statistics(unit * high)[1].is_small() or not self.seems_to_work(unit * high):
            return None
        while high - low > 1:
            middle = (low + 3 * high) // 4 if low == 0 else (low + high) // 2
            low, high = (low, middle) if self.seems_to_work(unit * middle) else (middle, high)
        return unit * high

    def least(self, guess: int, progress: Callable[[str], None]) -> int:
        """The first multiple of copies * k_hat from the guess on that is certified to work."""
        m = guess
        progress(f"m = {m}")
        while not self.works(m):
            m += self.copies * self.k_hat
            progress(f"m = {m}")
        return m


def tail_float(copies: int, p: float, votes: int) -> float:
    """P[Bin(copies, p) >= votes] in floating point."""
    return sum(comb(copies, i) * p**i * (1 - p) ** (copies - i) for i in range(votes, copies + 1))


def candidates(k: int, lam: Real, m: int, far: Distribution) -> list[CompressedTester]:
    """Testers with k_hat near 8m/lam, and one or three copies.

    At 4m/lam samples and noise contribute alike; with more groups the partitions vary less.

    >>> law = ((Fraction(1, 24), 6), (Fraction(1, 8), 6))
    >>> [(one.k_hat, one.copies, one.votes) for one in candidates(12, real(40), 30, law)]
    [(6, 1, 1), (6, 3, 1), (6, 3, 2), (4, 1, 1), (4, 3, 1), (4, 3, 2), (3, 1, 1), (3, 3, 1), (3, 3, 2)]
    """
    best = max(2.0, 8 * m / float(lam))
    divisors = [h for h in range(2, k // 2 + 1) if k % h == 0]
    nearest = sorted(divisors, key=lambda h: max(h / best, best / h))[:CANDIDATES]
    rules = [(copies, votes) for copies in COPIES for votes in range(1, copies // 2 + 2)]
    return [CompressedTester(h, copies, votes, lam, far) for h in nearest for copies, votes in rules]


def cheapest(
    k: int, lam: Real, m: int, far: Distribution, progress: Callable[[str], None] = lambda text: None
) -> tuple[CompressedTester, int] | None:
    """The tester of the candidates that needs the fewest samples, by floats, and its certified m; None without any.

    Those that need more than m are looked at only where all do, up to 16 m.
    """
    testers = candidates(k, lam, m, far)
    for most in (m, 2 * m, 4 * m, 16 * m):
        found, least = [], most
        for tester in testers:
            progress(f"{tester.k_hat} groups, copies = {tester.copies}")
            guess = tester.least_float(least)
            if guess is not None:
                found.append((guess, tester))
                least = min(least, guess)
        if found:
            guess, tester = min(found, key=lambda pair: (pair[0], pair[1].copies * pair[1].k_hat))
            return tester, tester.least(guess, progress)
    return None
