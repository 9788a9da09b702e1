"""Laws by their names, as people write them: "Pois(3)", "Bin(10, 1/3)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from math import erf, floor, sqrt

from flint import arb, arb_poly, ctx
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.noise import (
    binomial_mass_ball,
    poisson_mass_ball,
    skellam_beyond,
    skellam_masses,
    skellam_reach,
)
from panshuffle.exact.laws.pool_law import Coin, Ones, Shares
from panshuffle.exact.pairs.parity_pair import middle_norm_upper
from panshuffle.exact.real import Real, real, scaled_bounds

BITS = 160  # of every ball
SMALLEST = 140  # masses down to 2^-140 of the largest are listed, whatever their number
ABSURD = 1010  # masses down to 2^-1010, about 1e-304, the end of the doubles, are listed where that is cheap:
CHEAP = 20_000  # up to so many of them on each side
MOST_ENTRIES = 2_000_000  # outcomes of a law: some hundred megabytes
LARGEST_POLYNOMIAL = 6_000  # messages of a pool up to which its generating function is multiplied out
LARGEST_FEW_SHARES = 20_000  # the same where an ideal pool is too far from the truth: some seconds
CLOSE_TO_IDEAL = 60  # an ideal pool is taken where it leaves out less than 2^-60, which no number of runs could show


@dataclass(frozen=True, eq=False)
class MassTable:
    """Masses of first, first + 1, ...; at most `tail` lies on other outcomes between `least` and `most`."""

    first: int
    masses: tuple[arb, ...]
    tail: arb
    least: int | None
    most: int | None

    def items(self) -> Iterator[tuple[int, arb]]:
        """The outcomes that are listed, and their masses."""
        return enumerate(self.masses, start=self.first)

    def mass(self, x: int) -> arb:
        """The enclosed mass of an outcome."""
        if 0 <= x - self.first < len(self.masses):
            return self.masses[x - self.first]
        outside = (self.least is not None and x < self.least) or (self.most is not None and x > self.most)
        return arb(0) if outside else self.tail.union(arb(0))

    def possible(self, x: int) -> bool:
        """Whether the mass is not known to be 0."""
        return not self.mass(x).is_zero()

    def up_to(self, x: int) -> arb:
        """P[X <= x]."""
        listed = max(0, min(len(self.masses), x + 1 - self.first))
        with ctx.workprec(BITS):
            total = sum(self.masses[:listed], arb(0))
            return total if self.tail == 0 else total.union(total + self.tail)

    def moved(self, by: int) -> MassTable:
        """The law of X + by."""
        least, most = (None if end is None else end + by for end in (self.least, self.most))
        return replace(self, first=self.first + by, least=least, most=most)

    def plus(self, other: MassTable) -> MassTable:
        """The law of the sum of independent draws.  *Raises* `InputError` for one with too many outcomes."""
        if len(self.masses) + len(other.masses) > MOST_ENTRIES:
            raise InputError("the law of a sum has too many outcomes to be listed")
        with ctx.workprec(BITS):
            product = arb_poly(list(self.masses)) * arb_poly(list(other.masses))
            tail = self.tail + other.tail
            masses = widened([product[i] for i in range(len(self.masses) + len(other.masses) - 1)], tail)
        least, most = end_of(sum, self.least, other.least), end_of(sum, self.most, other.most)
        return MassTable(self.first + other.first, masses, tail, least, most)

    def mean(self) -> float:
        """About the mean, for words only."""
        return sum((self.first + i) * float(mass.mid()) for i, mass in enumerate(self.masses))

    def variance(self) -> float:
        """About the variance, for words only."""
        mean = self.mean()
        return sum((self.first + i - mean) ** 2 * float(mass.mid()) for i, mass in enumerate(self.masses))


def end_of(choose: Callable[[list[int]], int], *ends: int | None) -> int | None:
    """The sum, the least or the largest of some ends of laws; None where one of them has no end."""
    known = [end for end in ends if end is not None]
    return choose(known) if len(known) == len(ends) else None


def widened(masses: Sequence[arb], tail: arb) -> tuple[arb, ...]:
    """The masses, where a tail of unknown place may lie on top of each."""
    return tuple(masses) if tail == 0 else tuple(mass.union(mass + tail) for mass in masses)


def point(value: int) -> MassTable:
    """All mass at one value."""
    return MassTable(value, (arb(1),), arb(0), value, value)


def listed(masses: dict[int, arb] | dict[int, float]) -> MassTable:
    """The law with these masses and no others.

    >>> float(listed({0: 0.25, 2: 0.75}).mass(1))
    0.0
    """
    first, last = min(masses), max(masses)
    return MassTable(first, tuple(arb(masses.get(x, 0)) for x in range(first, last + 1)), arb(0), first, last)


def bernoulli(p: Real) -> MassTable:
    """Ber(p)."""
    return binomial(1, p)


@lru_cache(maxsize=64)
def binomial(n: int, p: Real) -> MassTable:
    """Bin(n, p), which many coordinates share.

    >>> binomial(2, real("1/2")).mass(1).contains(0.5)
    True
    """
    if n == 0 or p.fraction in (0, 1):
        return point(n if p.fraction == 1 else 0)
    centre = min((p * (n + 1)).floor(), n)
    with ctx.workprec(BITS):
        odds = p.ball_here() / (1 - p.ball_here())
        up = recurrence(centre, n, lambda x: odds * (n - x) / (x + 1))
        down = recurrence(centre, 0, lambda x: x / (odds * (n - x + 1)))
        return around(centre, binomial_mass_ball(n, p, centre, BITS), up, down, 0, n)


def poisson(mu: Real) -> MassTable:
    """Pois(mu); mu = 0 is allowed.

    >>> round(float(poisson(real(2)).up_to(1)), 6)
    0.406006
    """
    if mu.fraction == 0:
        return point(0)
    centre = mu.floor()
    with ctx.workprec(BITS):
        mean = mu.ball_here()
        up = recurrence(centre, None, lambda x: mean / (x + 1))
        down = recurrence(centre, 0, lambda x: x / mean)
        return around(centre, poisson_mass_ball(mu, centre, BITS), up, down, 0, None)


@lru_cache(maxsize=1024)
def table_of(ones: Ones) -> MassTable:
    """The law of a number of ones: coins, and shares that users send, all of them equally many."""
    tables = [binomial(count, draw.p) for draw, count in ones.draws if isinstance(draw, Coin)]
    shares = [(draw, count) for draw, count in ones.draws if isinstance(draw, Shares)]
    if shares:
        (own, holders), (other, rest) = shares[0], shares[-1] if len(shares) > 1 else (shares[0][0], 0)
        tables.append(parity_pool(holders + rest, holders, own.size, other.sign, own.sign))
    return reduce(MassTable.plus, tables).moved(ones.certain) if tables else point(ones.certain)


def negative_binomial(l: int, p: Real) -> MassTable:
    """The failures before the l-th success of a coin, from about the mode outward.

    >>> negative_binomial(2, real("1/2")).mass(1).contains(0.25)
    True
    """
    if l == 0 or p.fraction == 1:
        return point(0)
    centre = max(0, scaled_bounds((l - 1) * (1 - p) / p, 0)[0])
    with ctx.workprec(BITS):
        failure = (1 - p).ball_here()
        mass = p.accurate_ball(BITS) * binomial_mass_ball(centre + l - 1, p, l - 1, BITS)
        up = recurrence(centre, None, lambda x: failure * (x + l) / (x + 1))
        down = recurrence(centre, 0, lambda x: x / (failure * (x + l - 1)))
        return around(centre, mass, up, down, 0, None)


def skellam(v: Real) -> MassTable:
    """The difference of two Poisson draws, with variance v.

    >>> skellam(real(1)).mass(-1).str(6, radius=False)
    '0.207910'
    """
    far = skellam_reach(v, 0, ABSURD)
    found = skellam_masses(v, (far if far <= CHEAP else skellam_reach(v, 0, SMALLEST)) + 1, BITS)
    with ctx.workprec(BITS):
        tail = (2 * skellam_beyond(found[-2], found[-1])).upper()
    return MassTable(2 - len(found), (*found[-2:0:-1], *found[:-1]), tail, None, None)


def recurrence(centre: int, end: int | None, ratio: Callable[[int], arb]) -> list[arb]:
    """Masses relative to the centre's, one step after another, until they are negligible or the end is reached."""
    step = -1 if end == 0 else 1
    x, value = centre, arb(1)
    result: list[arb] = []
    smallest, absurd = arb(2) ** -SMALLEST, arb(2) ** -ABSURD
    while x != end and (value > smallest or (len(result) < CHEAP and value > absurd)):
        value *= ratio(x)
        x += step
        result.append(value)
        if len(result) > MOST_ENTRIES:
            raise InputError("the law of a coordinate has too many outcomes to be listed")
    return result


def around(centre: int, mass: arb, up: Sequence[arb], down: Sequence[arb], least: int, most: int | None) -> MassTable:
    """The table from a mass at the centre and the ratios to it on both sides, which fall faster and faster."""
    masses = [mass * value for value in [*reversed(down), arb(1), *up]]
    first = centre - len(down)
    below = arb(0) if first == least else mass * beyond(down)
    above = arb(0) if first + len(masses) - 1 == most else mass * beyond(up)
    return MassTable(first, tuple(masses), (below + above).upper(), least, most)


def beyond(values: Sequence[arb]) -> arb:
    """At most what follows the last two values, where each quotient of neighbours is no larger than the one before."""
    before, last = [arb(1), *values][-2:]
    return last * last / (before - last) if last < before else arb.pos_inf()


def parity_pool(users: int, holders: int, m: int, q: Real, held: Real) -> MassTable:
    """The ones of a pool: the coefficients of (A + qB)^(users - holders) (A + held*B)^holders.

    A user who holds the element shares a Ber((1 - held)/2) bit, another one a Ber((1 - q)/2) bit.
    Beyond some thousand messages only A^N and B^N are kept: for |s| <= 1 what is left out is at most the sum of
    C(N, j) ||A^(N-j) B^j||_1 over 0 < j < N, which is added to every mass.  With few shares a user that sum is not
    small, so the polynomial is kept for longer.
    """
    if users == 0:
        return point(0)
    if m == 1:
        return binomial(users - holders, (1 - q) / 2).plus(binomial(holders, (1 - held) / 2))
    with ctx.workprec(BITS):
        signs = [(users - holders, q.ball_here()), (holders, held.ball_here())]
        if users * m > LARGEST_POLYNOMIAL and (users * m > LARGEST_FEW_SHARES or close_to_ideal(users, m)):
            return ideal_pool(users, m, signs)
        plus, minus = arb_poly([0.5, 0.5]) ** m, arb_poly([0.5, -0.5]) ** m
        total = arb_poly([1])
        for count, sign in signs:
            total *= (plus + minus * arb_poly([sign])) ** count
        return MassTable(0, tuple(total[i] for i in range(users * m + 1)), arb(0), 0, users * m)


@lru_cache(maxsize=256)
def close_to_ideal(users: int, m: int) -> bool:
    """Whether what an ideal pool leaves out is negligible."""
    with ctx.workprec(BITS):
        return bool(dropped(users, m) < arb(2) ** -CLOSE_TO_IDEAL)


def ideal_pool(users: int, m: int, signs: Iterable[tuple[int, arb]]) -> MassTable:
    """The same where users and messages are many: A^N + (product of all signs) B^N, and a bound on the rest.

    No mass is more than that of its parity, which is half of 1 and that product or of 1 less it, or than Chernoff's
    bound, so that what is absurd is known to be.
    """
    signs, total = list(signs), users * m
    sign = arb(1)
    for count, value in signs:
        sign *= value**count
    coins = binomial(total, real(Fraction(1, 2)))
    rest = dropped(users, m)
    factors = (1 + sign, 1 - sign)
    masses = []
    for x, (mass, far) in enumerate(zip(coins.masses, far_out(coins, m, signs), strict=True), start=coins.first):
        factor = factors[x % 2]
        top = (mass * factor + rest).upper().min((factor / 2).upper()).min(far)
        masses.append((mass * factor - rest).lower().max(arb(0)).min(top).union(top))
    ends = (x for x in (coins.first - 1, coins.first + len(masses)) if 0 <= x <= total)
    tail = sum((chernoff(m, signs, tilt_at(m, signs, x), x) for x in ends), arb(0))
    return MassTable(coins.first, tuple(masses), tail.upper(), 0, total)


def far_out(coins: MassTable, m: int, signs: Sequence[tuple[int, arb]]) -> Iterator[arb]:
    """Chernoff's bound on the mass of every outcome that fair coins list, tilted anew every so many outcomes."""
    end = coins.first + len(coins.masses)
    step = max(1, round(sqrt(len(coins.masses)) / 4))
    for start in range(coins.first, end, step):
        tilt = tilt_at(m, signs, start)
        bound = chernoff(m, signs, tilt, start)
        for _ in range(start, min(start + step, end)):
            yield bound.upper()
            bound /= tilt


def tilt_at(m: int, signs: Sequence[tuple[int, arb]], x: int) -> arb:
    """About the z such that the law, tilted by z^x, has mean x: any z gives a bound.

    Two shares of a user depend on each other, three or more are independent in pairs, so that fair coins have the
    variance of the law.
    """
    users = sum(count for count, _ in signs)
    z = arb(2 * x + 1) / (2 * (users * m - x) + 1)
    if m > 2:
        return z
    return z ** (1 / (1 + sum((count * sign for count, sign in signs), arb(0)) / users + arb(2) ** -10))


def chernoff(m: int, signs: Iterable[tuple[int, arb]], z: arb, x: int) -> arb:
    """E[z^X]/z^x, which bounds P[X = x], and P[X >= x] where z >= 1, and P[X <= x] where z <= 1."""
    plus, minus = ((1 + z) / 2) ** m, ((1 - z) / 2) ** m
    value = z**-x
    for count, sign in signs:
        value *= (plus + sign * minus) ** count
    return value


def dropped(users: int, m: int) -> arb:
    """A bound on the sum of C(N, j) ||A^(N-j) B^j||_1 over 0 < j < N; 1, which bounds any mass, where it is no less.

    For m = 1 and m = 2 the terms 1 and N - 1 alone add up to more than 1.
    """
    return middle_norm_upper(users, m, real(1), BITS).min(arb(1)) if m > 2 else arb(1)


def normal(mean: float, variance: float) -> MassTable:
    """A rounded Gaussian, in floating point: for alternatives only, which may be any numbers that sum to at most 1."""
    spread = sqrt(2 * variance)
    ends = range(floor(mean - 9 * sqrt(variance)), floor(mean + 9 * sqrt(variance)) + 2)

    def below(x: int) -> float:
        return erf((x - 0.5 - mean) / spread)

    return listed({x: max(0.0, (below(x + 1) - below(x)) / 2 * (1 - 1e-9)) for x in ends})


def symmetric_geometric(ratio: Real) -> MassTable:
    """The two-sided geometric law with mass in proportion to ratio^|v|."""
    with ctx.workprec(BITS):
        step = ratio.ball_here()
        powers = recurrence(0, None, lambda x: step)
        return replace(around(0, (1 - step) / (1 + step), powers, powers, 0, None), least=None)


def mixture(parts: Sequence[tuple[arb | Fraction | float, MassTable]]) -> MassTable:
    """The law that is each part with its weight."""
    first = min(table.first for _, table in parts)
    last = max(table.first + len(table.masses) for _, table in parts)
    with ctx.workprec(BITS):
        masses = [arb(0)] * (last - first)
        tail = arb(0)
        for weight, table in parts:
            share = weight if isinstance(weight, arb) else real(Fraction(weight)).ball_here()
            tail += share * table.tail
            for i, mass in enumerate(table.masses, start=table.first - first):
                masses[i] += share * mass
    least, most = end_of(min, *(table.least for _, table in parts)), end_of(max, *(table.most for _, table in parts))
    return MassTable(first, widened(masses, tail), tail, least, most)


def stretched(table: MassTable, factor: int) -> MassTable:
    """The law of factor * X."""
    return image(table, lambda x: factor * x)


def image(table: MassTable, function: Callable[[int], int]) -> MassTable:
    """The law of function(X)."""
    masses: dict[int, arb] = {}
    with ctx.workprec(BITS):
        for x, mass in table.items():
            masses[function(x)] = masses.get(function(x), arb(0)) + mass
        first, last = min(masses), max(masses)
        values = widened([masses.get(x, arb(0)) for x in range(first, last + 1)], table.tail)
    ends = (first, last) if table.tail == 0 else (None, None)
    return MassTable(first, values, table.tail, *ends)


NAMED = re.compile(r"\s*([A-Za-z]+)\s*\((.*)\)\s*", re.DOTALL)
MOST_FACES = 100_000  # outcomes of a uniform law


def whole(value: Real, name: str) -> int:
    """A parameter that has to be a whole number.  *Raises* `InputError` for another one."""
    if value.fraction is None or value.fraction.denominator != 1:
        raise InputError(f"the law {name} needs whole numbers, not {value}")
    return value.fraction.numerator


def uniform(low: Real, high: Real) -> MassTable:
    """Every whole number between the two, equally likely."""
    first, last = whole(low, "Unif"), whole(high, "Unif")
    if not 0 <= last - first < MOST_FACES:
        raise InputError("the law Unif(a, b) needs whole numbers a <= b that are not too far apart")
    mass = real(Fraction(1, last - first + 1)).ball(160)
    return listed(dict.fromkeys(range(first, last + 1), mass))


LAWS: dict[str, tuple[int, Callable[..., MassTable]]] = {
    "Ber": (1, bernoulli),
    "Bin": (2, lambda n, p: binomial(whole(n, "Bin"), p)),
    "Pois": (1, poisson),
    "NB": (2, lambda l, p: negative_binomial(whole(l, "NB"), p)),
    "Geo": (1, lambda p: negative_binomial(1, p)),
    "Skellam": (1, skellam),
    "DLap": (1, symmetric_geometric),
    "Unif": (2, uniform),
}
"""How many parameters a law has; NB and Geo count failures, Skellam(v) has variance v, DLap(r) is as r^|x|."""


def named_law(text: str) -> MassTable:
    """The law of that name.  *Raises* `InputError` for a name or parameters that are not known.

    >>> float(named_law("Bin(2, 1/2)").mass(1))
    0.5
    """
    found = NAMED.fullmatch(text)
    if found is None or found[1] not in LAWS:
        raise InputError(f"the law '{text[:40]}' is not known: laws are {', '.join(LAWS)}")
    wanted, law = LAWS[found[1]]
    parts = [part for part in found[2].split(",") if part.strip()]
    if len(parts) != wanted:
        raise InputError(f"the law '{text[:40]}' has {len(parts)} parameters where {wanted} are needed")
    return law(*(real(part.strip()) for part in parts))
