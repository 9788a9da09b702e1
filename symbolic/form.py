"""Forms: sums of products of powers, the normal form in which the identity prover and the ball prover calculate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import gcd, lcm

from flint import Ordering, fmpz, fmpz_mpoly, fmpz_mpoly_ctx
from panshuffle.symbolic.term import Number, Symbol, Term

# Rationals as the provers' normal forms need them: a common unit, prime powers, roots.

SMALL_PRIMES = 1_229
"""How many primes are divided out: those below 10,000."""


def common_unit(values: Iterable[Fraction]) -> Fraction:
    """The largest rational of which all values, not all of them 0, are whole multiples.

    >>> common_unit([Fraction(2, 3), Fraction(-1, 2)])
    Fraction(1, 6)
    """
    known = list(values)
    return Fraction(gcd(*(value.numerator for value in known)), lcm(*(value.denominator for value in known)))


def prime_powers(value: Fraction) -> dict[int, int]:
    """The prime factors of a positive rational with their exponents; a factor without small divisors stays whole.

    >>> prime_powers(Fraction(12, 5))
    {2: 2, 3: 1, 5: -1}
    """
    above, below = (fmpz(part).factor(trial_limit=SMALL_PRIMES) for part in value.as_integer_ratio())
    return {int(p): int(e) for p, e in above} | {int(p): -int(e) for p, e in below}


# Forms: sums of products of powers, the normal form in which the identity prover and the ball prover calculate.
#
# A form is a rational combination of monomials; a monomial is a product of bases, each to an exponent that is a form
# again.  A base is a variable, a whole number, e, a logarithm or a sum.  Forms with the same text are equal numbers
# wherever they are defined; where the bases of exponents that are not whole are positive, the rules used here hold.

LARGEST_POWER_BITS = 4096


class Unfit(Exception):
    """A form that cannot be made: it is undefined, or too large."""


class Base:
    """What is raised to a power: kind is "variable", "number", "e", "log" or "sum"."""

    __slots__ = ("form", "kind", "number", "symbols", "text")

    def __init__(self, kind: str, text: str, number: int = 0, form: Form | None = None) -> None:
        self.kind = kind
        self.text = text
        self.number = number
        self.form = form
        self.symbols = form.symbols if form is not None else frozenset({text} if kind == "variable" else ())

    def inside(self) -> Form:
        """The form in a logarithm or a sum."""
        if self.form is None:
            raise Unfit(f"{self.text} has nothing inside")
        return self.form


Monomial = tuple[tuple[Base, "Form"], ...]


class Form:
    """A rational combination of monomials, in a canonical order.  *Raises* `Unfit` for a number of absurd size."""

    __slots__ = ("rational", "symbols", "terms", "text")

    def __init__(self, terms: tuple[tuple[Monomial, Fraction], ...]) -> None:
        self.terms = terms
        try:
            self.text = "+".join(f"{weight}{monomial_text(monomial)}" for monomial, weight in terms) or "0"
        except ValueError:  # Python writes no integer of thousands of digits
            raise Unfit("a number has too many digits") from None
        factors = (factor for monomial, _ in terms for factor in monomial)
        self.symbols: frozenset[str] = frozenset().union(*(base.symbols | exp.symbols for base, exp in factors))
        self.rational: Fraction | None = None
        if not terms:
            self.rational = Fraction(0)
        elif len(terms) == 1 and not terms[0][0]:
            self.rational = terms[0][1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Form({self.text})"


def monomial_text(monomial: Monomial) -> str:
    """The canonical text of a monomial."""
    return "".join(f"*{base.text}^{{{exponent.text}}}" for base, exponent in monomial)


def number(value: Fraction | int) -> Form:
    """A rational as a form."""
    return Form((((), Fraction(value)),)) if value else Form(())


ZERO_FORM = number(0)
UNIT = number(1)
EXPONENTIAL = Base("e", "@e")


def power_of(base: Base, exponent: Form = UNIT) -> Form:
    """A power of a base as a form, not yet brought to its normal form."""
    return Form(((((base, exponent),), Fraction(1)),))


def variable(name: str) -> Form:
    """A variable as a form."""
    return power_of(Base("variable", name))


def add(*forms: Form) -> Form:
    """The sum."""
    weights: dict[str, tuple[Monomial, Fraction]] = {}
    for form in forms:
        for monomial, weight in form.terms:
            text = monomial_text(monomial)
            old = weights.get(text)
            weights[text] = (monomial, weight if old is None else old[1] + weight)
    kept = sorted((text, monomial, weight) for text, (monomial, weight) in weights.items() if weight)
    return Form(tuple((monomial, weight) for _, monomial, weight in kept))


def scale(form: Form, factor: Fraction) -> Form:
    """factor * form."""
    if factor == 0:
        return ZERO_FORM
    return Form(tuple((monomial, weight * factor) for monomial, weight in form.terms))


def negative(form: Form) -> Form:
    """-form."""
    return scale(form, Fraction(-1))


def is_whole(exponent: Form) -> bool:
    """Whether an exponent is a whole number."""
    return exponent.rational is not None and exponent.rational.denominator == 1


class Algebra:
    """Products, powers, exponentials and logarithms of forms, given which bases are known to be positive."""

    largest_expanded = 12
    most_monomials = 400

    def __init__(self, positive: Callable[[Base], bool]) -> None:
        self.positive = positive

    def multiply(self, *forms: Form) -> Form:
        """The product, multiplied out."""
        result = UNIT
        for form in forms:
            if result.rational is not None:
                result = scale(form, result.rational)
            elif form.rational is not None:
                result = scale(result, form.rational)
            else:
                result = self.expanded(result, form)
        return result

    def expanded(self, left: Form, right: Form) -> Form:
        """The product of two forms with variables."""
        if len(left.terms) * len(right.terms) > 4 * self.most_monomials:
            raise Unfit("a product is too large")
        result = add(*(self.product((*one, *two), a * b) for one, a in left.terms for two, b in right.terms))
        if len(result.terms) > self.most_monomials:
            raise Unfit("a form has too many monomials")
        return result

    def product(self, factors: Iterable[tuple[Base, Form]], weight: Fraction) -> Form:
        """weight times a product of powers, with the powers of one base collected."""
        collected: dict[str, tuple[Base, Form]] = {}
        for base, exponent in factors:
            old = collected.get(base.text)
            collected[base.text] = (base, exponent if old is None else add(old[1], exponent))
        kept: list[tuple[Base, Form]] = []
        extra: list[Form] = []
        for base, exponent in collected.values():
            weight *= self.settle(base, exponent, kept, extra)
        kept.sort(key=lambda factor: factor[0].text)
        result = Form(((tuple(kept), weight),))
        return self.multiply(result, *extra) if extra else result

    def settle(self, base: Base, exponent: Form, kept: list[tuple[Base, Form]], extra: list[Form]) -> Fraction:
        """The rational in base^exponent; the rest goes to `kept`, or to `extra` if it must be multiplied out."""
        value = exponent.rational
        if value == 0:
            return Fraction(1)
        if base.kind == "number":
            whole = constant_part(exponent).__floor__()
            rest = add(exponent, number(-whole))
            if rest.rational != 0:
                kept.append((base, rest))
            return rational_power(Fraction(base.number), whole)
        if base.kind == "e":
            rest = self.without_logarithms(exponent, extra)
            if rest.rational != 0:
                kept.append((base, rest))
            return Fraction(1)
        if base.kind == "sum" and value is not None and value.denominator == 1 and 0 < value <= self.largest_expanded:
            extra += [base.inside()] * int(value)
            return Fraction(1)
        kept.append((base, exponent))
        return Fraction(1)

    def without_logarithms(self, exponent: Form, extra: list[Form]) -> Form:
        """An exponent of e without its logarithms: e^(c*log(a)) is a^c."""
        rest: list[tuple[Monomial, Fraction]] = []
        for monomial, weight in exponent.terms:
            logs = [base for base, degree in monomial if base.kind == "log" and degree.rational == 1]
            if len(logs) != 1:
                rest.append((monomial, weight))
                continue
            others = tuple(factor for factor in monomial if factor[0].text != logs[0].text)
            extra.append(self.power(logs[0].inside(), Form(((others, weight),))))
        return Form(tuple(rest))

    def power(self, form: Form, exponent: Form) -> Form:
        """form^exponent.  *Raises* `Unfit` for 0 to an exponent that is not a positive constant."""
        value = exponent.rational
        if value == 0:
            return UNIT
        if value == 1:
            return form
        if form.rational == 0:
            if value is None or value < 0:
                raise Unfit("0 to a power that is not positive")
            return ZERO_FORM
        if form.rational is not None:
            return self.number_power(form.rational, exponent)
        if is_whole(exponent) and value is not None:
            return self.whole_power(form, int(value))
        content, factors, rest = self.factored(form)
        powers = [(base, self.multiply(degree, exponent)) for base, degree in factors]
        powers += [] if rest == UNIT else [(sum_base(rest), exponent)]
        return self.multiply(self.number_power(content, exponent), self.product(powers, Fraction(1)))

    def whole_power(self, form: Form, exponent: int) -> Form:
        """form^exponent, multiplied out where that is not too long."""
        if len(form.terms) == 1:
            ((monomial, weight),) = form.terms
            factors = [(base, scale(degree, Fraction(exponent))) for base, degree in monomial]
            return self.product(factors, rational_power(weight, exponent))
        if 0 < exponent <= self.largest_expanded:
            return self.multiply(*[form] * exponent)
        content = content_of(form)
        return self.product([(sum_base(scale(form, 1 / content)), number(exponent))], rational_power(content, exponent))

    def factored(self, form: Form) -> tuple[Fraction, list[tuple[Base, Form]], Form]:
        """(content, factors, rest) with form = content * factors * rest; where it is positive, each of them is."""
        content = common_unit(weight for _, weight in form.terms)
        monomial, weight = form.terms[0]
        if len(form.terms) == 1 and self.separates(monomial, weight):
            return content, list(monomial), UNIT
        return content, [], scale(form, 1 / content)

    def number_power(self, value: Fraction, exponent: Form) -> Form:
        """A rational to an exponent.  *Raises* `Unfit` where that is not defined."""
        if is_whole(exponent) and exponent.rational is not None:
            return number(rational_power(value, int(exponent.rational)))
        if value <= 0:
            raise Unfit("a power of a number that is not positive")
        factors = [
            (Base("number", str(prime), prime), scale(exponent, Fraction(degree)))
            for prime, degree in prime_powers(value).items()
        ]
        return self.product(factors, Fraction(1))

    def separates(self, monomial: Monomial, weight: Fraction) -> bool:
        """Whether every factor of a monomial that is positive is positive itself."""
        if weight <= 0:
            return False
        unsure = [degree.rational or 0 for base, degree in monomial if not self.sure(base, degree)]
        return not unsure or (len(unsure) == 1 and unsure[0] % 2 == 1)

    def sure(self, base: Base, exponent: Form) -> bool:
        """Whether base is known to be positive."""
        return base.kind in ("number", "e") or not is_whole(exponent) or self.positive(base)

    def exponential(self, form: Form) -> Form:
        """e^form."""
        return self.product([(EXPONENTIAL, form)], Fraction(1))

    def logarithm(self, form: Form) -> Form:
        """log(form).  *Raises* `Unfit` for a rational that is not positive."""
        if form.rational is not None:
            return self.number_logarithm(form.rational)
        content, factors, rest = self.factored(form)
        parts = [self.multiply(degree, self.base_logarithm(base)) for base, degree in factors]
        return add(self.number_logarithm(content), *parts, *([] if rest == UNIT else [logarithm_base(rest)]))

    def base_logarithm(self, base: Base) -> Form:
        """log of a base."""
        if base.kind == "e":
            return UNIT
        if base.kind == "number":
            return logarithm_base(number(base.number))
        if base.kind == "sum":
            return logarithm_base(base.inside())
        return logarithm_base(power_of(base))

    def number_logarithm(self, value: Fraction) -> Form:
        """log of a rational, by its prime factors."""
        if value <= 0:
            raise Unfit("log of a number that is not positive")
        parts = [
            scale(logarithm_base(number(prime)), Fraction(degree)) for prime, degree in prime_powers(value).items()
        ]
        return add(ZERO_FORM, *parts)

    def form(self, term: Term) -> Form:
        """The form of a term.  *Raises* `Unfit` where there is none.

        It equals the term where the term is defined and the bases of exponents that are not whole are positive.
        """
        if isinstance(term, Number):
            return number(term.value)
        if isinstance(term, Symbol):
            return variable(term.name)
        parts = [self.form(argument) for argument in term.arguments]
        if term.operator == "+":
            return add(*parts)
        if term.operator == "-":
            return add(parts[0], negative(parts[1]))
        if term.operator == "*":
            return self.multiply(*parts)
        if term.operator == "/":
            return self.multiply(parts[0], self.power(parts[1], number(-1)))
        if term.operator == "exp":
            return self.exponential(parts[0])
        if term.operator == "log":
            return self.logarithm(parts[0])
        if term.operator == "sqrt":
            return self.power(parts[0], number(Fraction(1, 2)))
        if parts[0].rational == 0 and parts[1].rational is None:
            return ZERO_FORM
        return self.power(*parts)


def logarithm_base(form: Form) -> Form:
    """The logarithm as a base of its own."""
    return power_of(Base("log", f"log({form.text})", form=form))


def sum_base(form: Form) -> Base:
    """A form as a base."""
    return Base("sum", f"({form.text})", form=form)


def polynomial(form: Form) -> list[tuple[dict[str, Fraction], Fraction]]:
    """The monomials of a form in rational powers of variables, each with its weight.  *Raises* `Unfit` for others."""
    found = []
    for monomial, weight in form.terms:
        powers = {base.text: exponent.rational for base, exponent in monomial if base.kind == "variable"}
        known = {name: power for name, power in powers.items() if power is not None}
        if len(known) < len(monomial):
            raise Unfit("a form is no polynomial")
        found.append((known, weight))
    return found


def constant_part(form: Form) -> Fraction:
    """The rational summand of a form."""
    return next((weight for monomial, weight in form.terms if not monomial), Fraction(0))


def rational_power(value: Fraction, exponent: int) -> Fraction:
    """value^exponent.  *Raises* `Unfit` for 0^-1 and results of absurd size."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if (value == 0 and exponent < 0) or (abs(value) != 1 and bits * abs(exponent) > LARGEST_POWER_BITS):
        raise Unfit("a power is undefined or too large")
    return value**exponent


def content_of(form: Form) -> Fraction:
    """The rational c for which form/c has coprime whole weights, the first of them positive."""
    size = common_unit(weight for _, weight in form.terms)
    return size if form.terms[0][1] > 0 else -size


# A form as a product: common powers are taken out, and the polynomial that is left is factored.

LARGEST_FACTORED = 40
LARGEST_DEGREE = 30

Generator = tuple[Base, Monomial]
Factor = tuple[Form, int]


def factors_of(algebra: Algebra, form: Form, sign_of: Callable[[Base], int]) -> list[Factor]:
    """Forms with multiplicities whose product has the sign of the form wherever that is defined.

    `sign_of` says which bases have one strict sign on the box in question; powers of others are not taken out.
    """
    sign, rest = taken_out(algebra, form, sign_of)
    rest = scale(rest, 1 / abs(content_of(rest))) if rest.terms else rest
    if len(rest.terms) == 1 or len(rest.terms) > LARGEST_FACTORED:
        return [(rest if sign > 0 else negative(rest), 1)]
    try:
        return polynomial_factors(algebra, rest, sign)
    except Unfit:
        return [(rest if sign > 0 else negative(rest), 1)]


def taken_out(algebra: Algebra, form: Form, sign_of: Callable[[Base], int]) -> tuple[int, Form]:
    """The sign of the common powers of all monomials, and what is left of the form without them."""
    sign, inverse = 1, list[tuple[Base, Form]]()
    for base in bases_of(form):
        exponent = least_exponent(form, base)
        if exponent.rational == 0:
            continue
        if is_whole(exponent) and base.kind not in ("number", "e"):
            base_sign = sign_of(base)
            if base_sign == 0:
                continue
            sign *= base_sign if exponent.rational is not None and exponent.rational.numerator % 2 else 1
        inverse.append((base, negative(exponent)))
    parts = [algebra.product((*monomial, *inverse), weight) for monomial, weight in form.terms]
    return sign, expanded_sums(algebra, add(*parts))


def bases_of(form: Form) -> list[Base]:
    """The bases of a form's monomials."""
    found = {base.text: base for monomial, _ in form.terms for base, _ in monomial}
    return list(found.values())


def least_exponent(form: Form, base: Base) -> Form:
    """The exponent with the least coefficients among those of one base in all monomials."""
    least: dict[str, tuple[Monomial, Fraction]] = {}
    columns = [exponent_of(monomial, base) for monomial, _ in form.terms]
    for exponent in columns:
        for part, _ in exponent.terms:
            least.setdefault(monomial_text(part), (part, Fraction(0)))
    for text, (part, _) in least.items():
        weights = [coefficient(exponent, text) for exponent in columns]
        least[text] = (part, min(weights))
    return add(*(Form(((part, weight),)) for part, weight in least.values() if weight), number(0))


def exponent_of(monomial: Monomial, base: Base) -> Form:
    """The exponent of a base in a monomial."""
    return next((exponent for other, exponent in monomial if other.text == base.text), number(0))


def coefficient(form: Form, text: str) -> Fraction:
    """The weight of a monomial, given by its text."""
    return next((weight for monomial, weight in form.terms if monomial_text(monomial) == text), Fraction(0))


def expanded_sums(algebra: Algebra, form: Form) -> Form:
    """The form with s^(g+1) as s^g * s, multiplied out."""
    parts: list[Form] = []
    for monomial, weight in form.terms:
        kept: list[tuple[Base, Form]] = []
        extra: list[Form] = []
        for base, exponent in monomial:
            whole = constant_part(exponent).__floor__() if base.kind == "sum" else 0
            if 0 < whole <= LARGEST_DEGREE and not is_whole(exponent):
                extra += [base.inside()] * whole
                kept.append((base, add(exponent, number(-whole))))
            else:
                kept.append((base, exponent))
        parts.append(algebra.multiply(Form(((tuple(kept), weight),)), *extra))
    return add(*parts)


def polynomial_factors(algebra: Algebra, form: Form, sign: int) -> list[Factor]:
    """The irreducible factors of a form as a polynomial in the powers that occur in it."""
    generators, units = generators_of(form)
    if not generators:
        return [(form if sign > 0 else negative(form), 1)]
    ring = fmpz_mpoly_ctx.get(tuple(f"g{i}" for i in range(len(generators))), Ordering.lex)
    denominator = lcm(*(weight.denominator for _, weight in form.terms))
    weights: dict[tuple[int, ...], int] = {}
    for monomial, weight in form.terms:
        powers = [coefficient(exponent_of(monomial, base), monomial_text(part)) for base, part in generators]
        degrees = tuple(int(power / unit) for power, unit in zip(powers, units, strict=True))
        weights[degrees] = weights.get(degrees, 0) + int(weight * denominator)
    content, factors = ring.from_dict(weights).factor()
    sign = sign if int(content) > 0 else -sign
    found = [(form_of_polynomial(algebra, part, generators, units), int(degree)) for part, degree in factors]
    if not found:
        return [(number(sign), 1)]
    return with_sign(found, sign)


def with_sign(factors: list[Factor], sign: int) -> list[Factor]:
    """The factors of the product times a sign."""
    if sign > 0:
        return factors
    for i, (form, degree) in enumerate(factors):
        if degree % 2:
            return [*factors[:i], (negative(form), degree), *factors[i + 1 :]]
    return [*factors, (number(-1), 1)]


def generators_of(form: Form) -> tuple[list[Generator], list[Fraction]]:
    """The powers that occur, as (base, monomial of the exponent), each with the unit of which it is a multiple."""
    found: dict[tuple[str, str], tuple[Generator, list[Fraction]]] = {}
    for monomial, _ in form.terms:
        for base, exponent in monomial:
            for part, weight in exponent.terms:
                key = (base.text, monomial_text(part))
                found.setdefault(key, ((base, part), []))[1].append(weight)
    units = [unit_of(weights) for _, weights in found.values()]
    return [generator for generator, _ in found.values()], units


def unit_of(weights: list[Fraction]) -> Fraction:
    """The largest rational of which all weights are whole multiples.  *Raises* `Unfit` for a negative weight."""
    if any(weight < 0 for weight in weights):
        raise Unfit("a power is not a polynomial")
    unit = common_unit(weights)
    if max(weights) / unit > LARGEST_DEGREE:
        raise Unfit("a degree is too large")
    return unit


def form_of_polynomial(
    algebra: Algebra, polynomial: fmpz_mpoly, generators: list[Generator], units: list[Fraction]
) -> Form:
    """The form of a polynomial in the generators."""
    parts: list[Form] = []
    for degrees, weight in polynomial.to_dict().items():
        powers = [
            (base, Form(((part, unit * int(degree)),)))
            for (base, part), unit, degree in zip(generators, units, degrees, strict=True)
            if degree
        ]
        parts.append(algebra.product(powers, Fraction(int(weight))))
    return add(UNIT, *parts, number(-1))
