"""The pair of laws behind a view, as a table: exact where it is finite and rational, enclosed otherwise.

`upper` is the law with the changed user on the side that gains: one more in a sum, a holder more in a pool.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, ctx
from panshuffle.exact.curves.law_pair import NONE, LawPair, Mass, exact_mass, number_text, plain_number
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.law import Law, Masses, Outcome, enclosed_law, law_of_poisson, product
from panshuffle.exact.laws.pool_law import PoolLaw
from panshuffle.exact.real import HALF, LONGEST_TEXT, Real, ball_ends, exp, real

DEFAULT_DIGITS = 20
POISSON_DIGITS = 10
SMALLEST = 4
MOST_CELLS = 200_000
MOST_BITS = 1 << 28
GEOMETRIC_CELLS = 8

Laws = tuple[Law, Law]


def check_cells(cells: int, bits: int = 0) -> None:
    """*Raises* `InputError` for a table that is too large to be written, or to be written exactly."""
    if cells > MOST_CELLS:
        raise InputError(f"the pair of laws has about {cells} outcomes, more than {MOST_CELLS} (--pool has fewer)")
    if cells * bits > MOST_BITS:
        size = cells * bits * 3 // 10 >> 20
        raise InputError(f"the exact masses would take about {size} megabytes: --digits D writes enclosures instead")


def table(laws: Laws, digits: int | None) -> LawPair:
    """Two laws side by side: exact if they are and no digits are asked for, else enclosed with that many digits.

    *Holds when* the listed masses are whole masses, and the tails lie on outcomes that are not listed (caller).
    """
    upper, lower = laws
    if upper.exact is not None and lower.exact is not None and digits is None:
        names = sorted({*upper.exact, *lower.exact}, key=coordinates)
        columns = [tuple(exact_mass(law.mass(name)) for name in names) for law in laws]
        return LawPair(tuple(label(name) for name in names), columns[0], columns[1])
    shown = DEFAULT_DIGITS if digits is None else digits
    precision = shown * 10 // 3 + 32
    enclosures = trimmed([law.enclose(precision) for law in laws], shown)
    names = sorted({name for masses in enclosures for name in masses.listed}, key=coordinates)
    columns = [tuple(enclosed_mass(masses, name, shown) for name in names) for masses in enclosures]
    rests = [enclosed_mass(masses, None, shown) for masses in enclosures]
    return LawPair(tuple(label(name) for name in names), columns[0], columns[1], rests[0], rests[1])


def trimmed(enclosures: Sequence[Masses], digits: int) -> list[Masses]:
    """The masses without the outcomes that are negligible under both laws, which go to the tails."""
    with ctx.workprec(64):
        least = arb(10) ** (-SMALLEST * digits)
        names = {name for masses in enclosures for name in masses.listed}
        zero = arb(0)
        dropped = {name for name in names if all(masses.listed.get(name, zero) < least for masses in enclosures)}
        return [
            Masses(
                {name: mass for name, mass in masses.listed.items() if name not in dropped},
                masses.tail + sum((masses.listed.get(name, zero) for name in dropped), zero),
            )
            for masses in enclosures
        ]


def enclosed_mass(masses: Masses, name: object, digits: int) -> Mass:
    """The mass of an outcome with that many digits, rounded outward; what is not listed is at most the tail."""
    if name in masses.listed:
        ends = ball_ends(masses.listed[name], digits)
        return number(ends[0]), number(ends[1])
    if masses.tail.is_zero():
        return NONE
    return real(0), number(ball_ends(masses.tail, digits)[1])


def number(text: str) -> Real:
    """A decimal end, as the number that it denotes; a negative one is 0."""
    return real(0) if text.startswith("-") else plain_number(text) or real(text)


def coordinates(name: Outcome) -> tuple[int, ...]:
    """An outcome as a tuple, to sort by."""
    return name if isinstance(name, tuple) else (name,)


def label(name: object) -> str:
    """An outcome as text: numbers separated by spaces.

    >>> label((3, 4)), label(5)
    ('3 4', '5')
    """
    return " ".join(str(part) for part in name) if isinstance(name, tuple) else str(name)


def two_pools(first: Laws, second: Laws) -> Laws:
    """Both pools that a changed user touches: the first gains what the second loses."""
    return product(first[0], second[1]), product(first[1], second[0])


def pool_pair(pool: PoolLaw, users: int, holders: tuple[int, ...], digits: int | None, both: bool = False) -> LawPair:
    """A pool that gains a holder, or two, the second of which loses one, or gains one, too, if `both` do.

    `holders` says for each of them how many of the other users hold its element.
    """
    size = 1 + max(pool.ones(users, count).largest for count in (0, 1))
    check_cells(size ** len(holders), pool.ones(users, 1).bits() if digits is None else 0)
    if any(count > users - 1 for count in holders) or (not both and sum(holders) > users - 1):
        allowed = f"whole numbers from 0 to {users - 1}" if both else f"at most {users - 1} in all, the other users"
        raise ParameterError("holders", ",".join(map(str, holders)), allowed)
    enclosed = digits is not None
    pools = [(pool.ones(users, c + 1).law(enclosed), pool.ones(users, c).law(enclosed)) for c in holders]
    if len(pools) == 2:
        pools = [two_pools(pools[0], pools[1][::-1] if both else pools[1])]
    return table(pools[0], digits)


def poisson_pair(mu: Real, pool: bool, digits: int | None) -> LawPair:
    """(1 + O, Z) against (O, 1 + Z) with O and Z independent Pois(mu); by default two pools of it.

    The default shows (ones, zeros) of the pool that gains, then (ones, zeros) of the pool that loses.
    """
    if mu > MOST_CELLS:
        check_cells(mu.floor() ** 2)
    shown = POISSON_DIGITS if digits is None else digits
    counts = poisson_axis(law_of_poisson(mu).enclose(shown * 10 // 3 + 32), shown + 1)
    side = len(counts[0].listed)
    check_cells(side**2 if pool else side**4)
    more, fewer = fixed(counts[0]), fixed(counts[1])
    if pool:
        return table(two_pools((more, fewer), (more, fewer)), shown)
    return table((product(more, fewer, fewer, more), product(fewer, more, more, fewer)), shown)


def fixed(masses: Masses) -> Law:
    """The law that is enclosed once and for all."""
    return enclosed_law(lambda precision: masses)


def poisson_axis(masses: Masses, digits: int) -> tuple[Masses, Masses]:
    """1 + Pois and Pois on the same outcomes 0, ..., S, with tails below 10^-digits."""
    last, tail = max(masses.listed), masses.tail
    while last > 1 and tail + masses.listed[last] + masses.listed[last - 1] < arb(10) ** -digits:
        tail += masses.listed[last]
        last -= 1
    fewer = {x: masses.listed[x] for x in range(last + 1)}
    more = {0: arb(0)} | {x + 1: masses.listed[x] for x in range(last)}
    return Masses(more, tail + masses.listed[last]), Masses(fewer, tail)


def or_pair(eps: Real) -> LawPair:
    """Ber(1/2) against Ber(1/(2e^eps))."""
    lower = exp(-eps) / 2
    half = exact_mass(HALF)
    return LawPair(("0", "1"), (half, half), (exact_mass(1 - lower), exact_mass(lower)))


def geometric_pair(eps: Real) -> LawPair:
    """The symmetric geometric law against its shift by one; each tail is one outcome, where the ratio is constant.

    *Raises* `InputError` where an expression is longer than what is read back.
    """
    s = exp(-eps)
    top, bottom = (1 - s) / (1 + s), 1 / (1 + s)
    last = GEOMETRIC_CELLS
    upper, lower = (
        (
            exact_mass(bottom * s ** (last + 1 + centre)),
            *(exact_mass(top * s ** abs(v - centre)) for v in range(-last, last + 1)),
            exact_mass(bottom * s ** (last + 1 - centre)),
        )
        for centre in (0, 1)
    )
    names = (f"{-last - 1} or less", *(str(v) for v in range(-last, last + 1)), f"{last + 1} or more")
    longest = max(len(number_text(mass[0])) for mass in (*upper, *lower))
    if longest > LONGEST_TEXT:
        raise InputError(f"a mass is an expression of {longest} characters: write eps or exp-eps in a shorter way")
    return LawPair(names, upper, lower)
