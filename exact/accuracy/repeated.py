"""r independent copies of a tester that vote: the law of the number of copies that say "not uniform".

For Pois(m) samples of which each goes to a copy of its own choice, every copy has Pois(m/r) of them, independently; and
so has every copy its own noise and, after domain compression, its own partition.  So the votes are independent, each
with the exact probability of one copy.  For a fixed number of samples in equal shares they are independent as well.
The least number of samples of the compressed tester is searched for in floats and decided by the exact law.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from flint import arb, arb_poly, ctx

from exact.accuracy.compressed import TwoKinds
from exact.accuracy.tester import THIRD, uniform_law
from exact.accuracy.uniformity import Distribution, Statistic
from exact.errors import ParameterError, Undecided
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real, sqrt
from exact.parameters import check_count, check_open_unit, threshold

MOST_COPIES = 1_000
LARGEST_EXACT_BITS = 4_000
FIRST_BITS, LAST_BITS, CUT = 36, 288, 12
CANDIDATES = 3
COPIES = (1, 3)


def check_copies(copies: int) -> None:
    """*Raises* `ParameterError` unless there are between 1 and 1000 copies."""
    check_count("copies", copies)
    if copies > MOST_COPIES:
        raise ParameterError("copies", copies, f"at most {MOST_COPIES}")


def votes_needed(copies: int, p: Fraction = THIRD, limit: Fraction = THIRD) -> int:
    """The least number of votes with P[Bin(copies, p) >= votes] <= limit, so that the type I error is at most that.

    A copy with the repaired threshold errs with at most p = 1/3 on uniform samples, whatever its m and lam.

    >>> [votes_needed(copies) for copies in (1, 2, 3, 5, 9, 15)]
    [1, 2, 2, 3, 5, 7]
    >>> votes_needed(5, Fraction(1, 21))
    1
    """
    check_copies(copies)
    top, bottom = p.numerator, p.denominator
    total, votes = 0, copies + 1
    while votes > 0:
        total += comb(copies, votes - 1) * top ** (votes - 1) * (bottom - top) ** (copies - votes + 1)
        if Fraction(total, bottom**copies) > limit:
            break
        votes -= 1
    return max(votes, 1)


def repeated_chance(parts: Sequence[tuple[Certified, int]], votes: int) -> Certified:
    """P[at least so many votes], for each (chance, count) of `parts` that many independent copies with this chance.

    It grows with every chance, so an enclosure of a chance gives one of the answer.

    >>> repeated_chance([(Certified.of(Fraction(1, 3)), 2), (Certified.of(Fraction(1, 2)), 1)], 2).exact
    Fraction(1, 3)
    """
    copies = sum(count for _, count in parts)
    check_copies(copies)
    if not 1 <= votes <= copies:
        raise ParameterError("votes", votes, f"a whole number from 1 to {copies}, the number of copies")
    exact = [(chance.exact, count) for chance, count in parts if chance.exact is not None]
    if len(exact) == len(parts) and sum(p.denominator.bit_length() * n for p, n in exact) <= LARGEST_EXACT_BITS:
        return Certified.of(exact_tail(exact, votes))

    def ball(precision: int) -> arb:
        chances = [(chance.ball(precision + 16), count) for chance, count in parts]
        with ctx.workprec(precision + 32):
            ends = [tail_ball([(end(chance), count) for chance, count in chances], votes) for end in (lowest, highest)]
            return ends[0].union(ends[1])

    return Certified(ball, probability=True)


def exact_tail(parts: Sequence[tuple[Fraction, int]], votes: int) -> Fraction:
    """The same for rational chances."""
    law = [Fraction(1)]
    for p, count in parts:
        for _ in range(count):
            law = [
                (law[i] * (1 - p) if i < len(law) else Fraction(0)) + (law[i - 1] * p if i else Fraction(0))
                for i in range(len(law) + 1)
            ]
    return sum(law[votes:], Fraction(0))


def lowest(chance: arb) -> arb:
    """The lower end of an enclosure, at least 0."""
    return chance.lower().max(arb(0))


def highest(chance: arb) -> arb:
    """The upper end of an enclosure, at most 1."""
    return chance.upper().min(arb(1))


def tail_ball(parts: Sequence[tuple[arb, int]], votes: int) -> arb:
    """The tail at given chances: all terms of the product are positive."""
    product = arb_poly([1])
    for p, count in parts:
        product *= arb_poly([1 - p, p]) ** count
    return sum((product[i] for i in range(votes, product.degree() + 1)), arb(0))


def shares(n: int, copies: int) -> list[tuple[int, int]]:
    """(size, how many copies have it) for n users in shares that differ by one at most.

    >>> shares(7, 3), shares(6, 3)
    ([(2, 2), (3, 1)], [(2, 3)])
    """
    size, larger = divmod(n, copies)
    return [part for part in ((size, copies - larger), (size + 1, larger)) if part[1]]


def sufficient_compressed(k: int, k_hat: int, lam: Real, alpha: Real) -> tuple[int, int]:
    """(copies, m in all) with which the compressed tester keeps both errors at 1/3 against every far distribution.

    *Formula*: alpha_hat = alpha (k/K) sqrt((k_hat - 1)/(4K)), K the padded size; each copy has m/copies of at least
    540 sqrt(k_hat)/alpha_hat^2 and 4 sqrt(10) k_hat^(3/4) sqrt(lam)/alpha_hat; one copy for k_hat >= 10, else five;
    the threshold is the one with g = 10, and one vote is enough.
    *Source*: compressed-tester-constants.  *Raises* `ParameterError` for k_hat outside of 2, ..., k/2 or lam < 1.

    >>> sufficient_compressed(100, 10, real(301), real("1/4"))
    (1, 1214315)
    """
    check_count("k", k)
    check_open_unit("alpha", alpha)
    if k_hat < 2 or 2 * k_hat > k:
        raise ParameterError("k-hat", k_hat, f"from 2 to {k // 2}, half of k")
    if lam < 1:
        raise ParameterError("lam", lam, "at least 1, for the theorem on the compressed tester")
    padded = -(-k // k_hat) * k_hat
    square = alpha * alpha * (real(k) / padded) ** 2 * (k_hat - 1) / (4 * padded)
    root = sqrt(real(k_hat))
    one = max((540 * root / square).ceil(), (4 * sqrt(real(10)) * root * sqrt(root) * sqrt(lam) / sqrt(square)).ceil())
    copies = 1 if k_hat >= 10 else 5
    return copies, copies * one


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
        bits = FIRST_BITS
        while bits <= LAST_BITS:
            one = of.chance_ball(tau, bits, bits - CUT)
            with ctx.workprec(bits):
                ends = [tail_ball([(end(one), self.copies)], self.votes) for end in (lowest, highest)]
                low, high = (end * limit.denominator - limit.numerator for end in ends)
            if low > 0 or high < 0:
                return bool(low > 0)
            bits *= 2
        raise Undecided(f"whether a probability is at least {limit} is not decided with {LAST_BITS} bits")

    def seems_to_work(self, m: int) -> bool:
        """The same in floating point, for a search."""
        from exact.accuracy.tester_float import spectrum

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
