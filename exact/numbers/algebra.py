"""Whether an expression is 0 by algebra alone: as a rational function of its exponentials, logarithms and powers.

Balls never show that a number is 0; this does, for expressions such as 1/(1+exp(1)) + exp(1)/(1+exp(1)) - 1.  Each
family of exponentials exp(c*x), c rational, is a power of one unknown, and so is each family of powers of one base.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx
from panshuffle.exact.numbers.certified import quotient
from panshuffle.exact.numbers.real import Atom, Real, combination

Family = tuple[str, Real]
Quotient = tuple[fmpq_mpoly, fmpq_mpoly]


def is_zero_by_algebra(x: Real) -> bool:
    """Whether x is 0 as a rational function; False says nothing.

    >>> from panshuffle.exact.numbers.real import real
    >>> is_zero_by_algebra(real("1/(1+exp(1)) + exp(1)/(1+exp(1)) - 1"))
    True
    >>> is_zero_by_algebra(real("(1+sqrt(2))*(sqrt(2)-1) - 1"))
    True
    >>> is_zero_by_algebra(real("exp(1) - 2"))
    False
    """
    if x.fraction is not None:
        return x.fraction == 0
    steps: dict[Family, Fraction] = {}
    for family, multiple in families(x):
        steps[family] = common_step(steps.get(family, Fraction(0)), multiple)
    numerator, denominator = Algebra(steps).quotient(x)
    return not numerator and bool(denominator)


def common_step(a: Fraction, b: Fraction) -> Fraction:
    """The largest rational of which both are whole multiples."""
    return Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator)


def family_of(atom: Atom) -> tuple[Family, Fraction] | None:
    """The family of an atom that algebra does not see into, and which multiple of it the atom is."""
    if atom.kind == "exp":
        argument = atom.args[0]
        lead = argument.constant or argument.terms[0][1]
        return ("exp", argument * (1 / lead)), lead
    exponent = atom.args[1].fraction if atom.kind == "pow" else None
    if atom.kind == "pow" and exponent is not None and exponent.denominator > 1:
        return ("pow", atom.args[0]), exponent
    if atom.kind == "log" or (atom.kind == "pow" and exponent is None):
        return (atom.kind, Real(Fraction(0), ((atom, Fraction(1)),))), Fraction(1)
    return None


def families(x: Real) -> Iterator[tuple[Family, Fraction]]:
    """The families in an expression."""
    for atom, _ in x.terms:
        found = family_of(atom)
        if found is not None:
            yield found
        else:
            for argument in atom.args:
                yield from families(argument)


class Algebra:
    """Expressions as quotients of polynomials, one unknown a family."""

    def __init__(self, steps: dict[Family, Fraction]) -> None:
        self.steps = steps
        self.context = fmpq_mpoly_ctx.get(tuple(f"t{i}" for i in range(len(steps))), "lex")
        self.unknowns = dict(zip(steps, self.context.gens(), strict=True))

    def number(self, value: Fraction) -> fmpq_mpoly:
        """A constant."""
        return self.context.constant(quotient(value))

    def quotient(self, x: Real) -> Quotient:
        """(numerator, denominator) of an expression."""
        top, bottom = self.number(x.constant), self.number(Fraction(1))
        for atom, weight in x.terms:
            above, below = self.atom(atom)
            top, bottom = self.reduced(top * below + bottom * above * self.number(weight)), self.reduced(bottom * below)
        return top, bottom

    def atom(self, atom: Atom) -> Quotient:
        """(numerator, denominator) of an atom."""
        found = family_of(atom)
        if found is not None:
            family, multiple = found
            return self.power((self.unknowns[family], self.number(Fraction(1))), int(multiple / self.steps[family]))
        if atom.kind == "mul":
            (a, b), (c, d) = self.quotient(atom.args[0]), self.quotient(atom.args[1])
            return self.reduced(a * c), self.reduced(b * d)
        return self.power(self.quotient(atom.args[0]), int(atom.args[1].constant))

    def power(self, value: Quotient, exponent: int) -> Quotient:
        """A whole power."""
        top, bottom = value if exponent >= 0 else (value[1], value[0])
        return self.reduced(top ** abs(exponent)), self.reduced(bottom ** abs(exponent))

    def reduced(self, value: fmpq_mpoly) -> fmpq_mpoly:
        """The same with t^q replaced by b where t is the q-th root of a rational b."""
        for index, ((kind, base), step) in enumerate(self.steps.items()):
            number = base.fraction if kind == "pow" else None
            if number is None:
                continue
            unit = number**step.numerator
            masses: dict[tuple[int, ...], fmpq] = {}
            for powers, weight in value.to_dict().items():
                turns, rest = divmod(int(powers[index]), step.denominator)
                key = tuple(rest if i == index else int(power) for i, power in enumerate(powers))
                factor = unit**turns
                masses[key] = masses.get(key, fmpq(0)) + weight * quotient(factor)
            value = self.context.from_dict(masses)
        return value


def sums_to_one(values: list[Real]) -> bool | None:
    """Whether exact numbers sum to 1; None where neither algebra nor balls tell.

    >>> from panshuffle.exact.numbers.real import real
    >>> sums_to_one([real("1/3"), real("2/3")]), sums_to_one([real("exp(-1)"), real("2/3")])
    (True, False)
    """
    constant = sum((value.constant for value in values), Fraction(0))
    total = combination(constant - 1, (term for value in values for term in value.terms))
    if total.fraction is not None:
        return total.fraction == 0
    if is_zero_by_algebra(total):
        return True
    return None if total.ball(1024).contains(0) else False
