"""Any randomizer with finitely many inputs and messages: for each input a law over multisets of messages.

*Raises* everywhere: `InputError`, one sentence that says which input and which entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise, permutations, product
from math import comb, prod

from panshuffle.exact.accuracy.estimates import AffineError, CountLaw
from panshuffle.exact.curves.law_pair import Json, exact_mass, loaded, number_of, total_text
from panshuffle.exact.errors import InputError, ParameterError, shortened
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.real import HALF, Certified, Real, largest_of, real, sums_to_one

FORMAT = "panshuffle-randomizer-1"
MOST_INPUTS = 64
MOST_MESSAGES = 64
MOST_ENTRIES = 4096
LONGEST = 64
MOST_PERMUTED = 6

Multiset = tuple[int, ...]
"""How often each message is in it, in the order of the messages."""
UserLaw = Mapping[Multiset, Real]


@dataclass(frozen=True)
class Randomizer:
    """Inputs, messages, and for each input the law of the multiset of messages that a user sends.

    >>> answer = randomizer_of_text('{"no": {"0": "2/3", "1": "1/3"}, "yes": {"0": "1/3", "1": "2/3"}}')
    >>> answer.inputs, answer.messages, answer.is_single
    (('no', 'yes'), ('0', '1'), True)
    """

    inputs: tuple[str, ...]
    messages: tuple[str, ...]
    laws: tuple[UserLaw, ...]

    @property
    def is_single(self) -> bool:
        """Whether every user sends exactly one message."""
        return all(sum(letter) == 1 for letter in self.letters)

    @property
    def is_rational(self) -> bool:
        """Whether every probability is a rational number."""
        return all(mass.fraction is not None for law in self.laws for mass in law.values())

    @cached_property
    def letters(self) -> tuple[Multiset, ...]:
        """All multisets that some input can send."""
        return tuple(dict.fromkeys(letter for law in self.laws for letter in law))

    def mass(self, index: int, letter: Multiset) -> Real:
        """The probability that input number `index` sends this multiset."""
        return self.laws[index].get(letter, real(0))

    def merged(self) -> Randomizer:
        """The same without the inputs whose law another input has: nobody can tell them apart."""
        kept: dict[frozenset[tuple[Multiset, Real]], int] = {}
        for index, law in enumerate(self.laws):
            kept.setdefault(frozenset(law.items()), index)
        chosen = list(kept.values())
        return Randomizer(tuple(self.inputs[i] for i in chosen), self.messages, tuple(self.laws[i] for i in chosen))

    def symmetries(self) -> list[tuple[int, ...]]:
        """Permutations of the inputs that a renaming of the messages undoes; with many messages, only the identity."""
        identity = tuple(range(len(self.inputs)))
        if len(self.messages) > MOST_PERMUTED:
            return [identity]
        rows = {frozenset(law.items()): index for index, law in enumerate(self.laws)}
        found = {identity}
        for order in permutations(range(len(self.messages))):
            images = [
                rows.get(frozenset((tuple(letter[i] for i in order), mass) for letter, mass in law.items()))
                for law in self.laws
            ]
            image = tuple(index for index in images if index is not None)
            if len({*image}) == len(self.inputs):
                found.add(image)
        return sorted(found)


def randomizer_of_text(text: str) -> Randomizer:
    """The checked randomizer that a JSON text denotes."""
    value = loaded(text)
    if not isinstance(value, dict):
        raise InputError("the JSON is not an object")
    inputs = value.get("inputs") if "inputs" in value else value
    if "inputs" in value:
        unknown = sorted({*value} - {"format", "messages", "inputs", "about"})
        if unknown:
            raise InputError(
                f"the key '{shortened(unknown[0])}' is unknown: the keys are format, about, messages, inputs"
            )
        if value.get("format", FORMAT) != FORMAT:
            raise InputError(f'the format is not "{FORMAT}"')
    if not isinstance(inputs, dict) or not inputs:
        raise InputError("'inputs' is not an object with at least one input")
    if len(inputs) > MOST_INPUTS:
        raise InputError(f"there are {len(inputs)} inputs, more than {MOST_INPUTS}")
    entries = {name: list(entries_of(name, law)) for name, law in inputs.items()}
    messages = messages_of(value.get("messages") if "inputs" in value else None, entries)
    return Randomizer(tuple(entries), messages, tuple(law_of(name, messages, rows) for name, rows in entries.items()))


def entries_of(name: str, value: Json) -> Iterator[tuple[Real, list[str]]]:
    """(probability, messages) for each entry of an input's law."""
    what = f"input '{shortened(name)}'"
    if isinstance(value, dict):
        rows: list[Json] = [[probability, [message]] for message, probability in value.items()]
    elif isinstance(value, list):
        rows = value
    else:
        raise InputError(f"{what}: its law is neither an object nor a list")
    if not 0 < len(rows) <= MOST_ENTRIES:
        raise InputError(f"{what}: its law has {len(rows)} entries where 1 to {MOST_ENTRIES} are allowed")
    for i, row in enumerate(rows, start=1):
        where = f"{what}, entry {i}"
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
            raise InputError(f"{where}: an entry is [probability, [message, ...]]")
        if len(row[1]) > LONGEST:
            raise InputError(f"{where}: {len(row[1])} messages are more than {LONGEST}")
        yield number_of(row[0], where), [name_of(message, where) for message in row[1]]


def name_of(value: Json, where: str) -> str:
    """A message's name."""
    if not isinstance(value, str):
        raise InputError(f"{where}: a message is text or a whole number")
    return str(value)


def messages_of(given: Json, entries: Mapping[str, list[tuple[Real, list[str]]]]) -> tuple[str, ...]:
    """The messages: as given, or in the order of their first use.  *Raises* `InputError` for one that is not listed."""
    used = tuple(dict.fromkeys(message for rows in entries.values() for _, sent in rows for message in sent))
    if given is None:
        names = used
    elif isinstance(given, list):
        names = tuple(name_of(message, "messages") for message in given)
        if len({*names}) < len(names):
            raise InputError("a message is listed twice")
    else:
        raise InputError("'messages' is not a list")
    missing = [message for message in used if message not in names]
    if missing:
        raise InputError(f"the message '{shortened(missing[0])}' is sent but not listed in 'messages'")
    if len(names) > MOST_MESSAGES:
        raise InputError(f"there are {len(names)} messages, more than {MOST_MESSAGES}")
    return names


def law_of(name: str, messages: tuple[str, ...], rows: list[tuple[Real, list[str]]]) -> UserLaw:
    """The law of an input, entries with the same messages added.  *Raises* `InputError` unless it sums to 1."""
    verdict = sums_to_one([probability for probability, _ in rows])
    if verdict is None:
        raise InputError(
            f"input '{shortened(name)}': whether its probabilities sum to exactly 1 can't be told from the "
            "expressions: write one of them as 1 minus the others"
        )
    if not verdict:
        total = total_text([exact_mass(probability) for probability, _ in rows])
        raise InputError(f"input '{shortened(name)}': its probabilities sum to {total}, and must sum to exactly 1")
    law: dict[Multiset, Real] = {}
    for probability, sent in rows:
        if probability.sign():
            letter = tuple(sent.count(message) for message in messages)
            law[letter] = law.get(letter, real(0)) + probability
    return law


# Local randomizers with a name, for k inputs and p = e^eps0, with the letters of their papers.
#
# Each sends one message; the largest ratio of two inputs' masses of a message is p.


Table = Mapping[str, list[Real]]
"""The messages, and the mass of each under every input."""


def k_ary(k: int, p: Real) -> Table:
    """k-ary response: the input with odds p against each other value (Kairouz, Bonawitz, Ramage 2016)."""
    return {str(y): [(p if x == y else real(1)) / (p + k - 1) for x in range(k)] for y in range(k)}


def unary(k: int, own: Real, other: Real) -> Table:
    """A bit for each value, 1 with probability `own` for the input and `other` for the rest."""

    def mass(x: int, bits: tuple[int, ...]) -> Real:
        chances = (own if x == y else other for y in range(k))
        return prod((chance if bit else 1 - chance for chance, bit in zip(chances, bits, strict=True)), start=real(1))

    return {"".join(map(str, bits)): [mass(x, bits) for x in range(k)] for bits in product((0, 1), repeat=k)}


def symmetric_bits(p: Real) -> tuple[Real, Real]:
    """The probabilities that the own bit is set, and another one, each flipped with probability 1/(1 + sqrt p).

    *Source*: basic RAPPOR (Erlingsson, Pihur, Korolova 2014).
    """
    root = p ** Fraction(1, 2)
    return root / (root + 1), 1 / (root + 1)


def optimised_bits(p: Real) -> tuple[Real, Real]:
    """The same where the own bit is kept with probability 1/2, every other one set with 1/(1 + p).

    *Source*: Wang, Blocki, Li, Jha (2017).
    """
    return HALF, 1 / (p + 1)


def subset_selection(k: int, p: Real) -> Table:
    """A set of d values, those with the input with odds p; d nearest to k/(p+1), at least 1 (Ye, Barg 2018)."""
    d = max(1, sum(1 for size in range(1, k) if (2 * size - 1) * (p + 1) < 2 * k))
    if comb(k, d) > MOST_MESSAGES:
        raise too_many(k)
    total = p * comb(k - 1, d - 1) + comb(k - 1, d)
    sets = combinations(range(k), d)
    return {"+".join(map(str, chosen)): [(p if x in chosen else real(1)) / total for x in range(k)] for chosen in sets}


def hadamard(k: int, p: Real) -> Table:
    """A place where the input's row of Hadamard's matrix is 1, with odds p (Acharya, Sun, Zhang 2019)."""
    size = 1 << k.bit_length()
    total = (p + 1) * (size // 2)
    return {str(y): [(real(1) if ((x + 1) & y).bit_count() % 2 else p) / total for x in range(k)] for y in range(size)}


def clipped_laplace(k: int, p: Real) -> Table:
    """The input plus two-sided geometric noise of ratio p^(-1/(k-1)), clipped to 0, ..., k - 1."""
    a = p ** Fraction(-1, k - 1)

    def mass(x: int, y: int) -> Real:
        return a ** abs(x - y) * (real(1) if y in (0, k - 1) else 1 - a) / (1 + a)

    return {str(y): [mass(x, y) for x in range(k)] for y in range(k)}


def truncated_gaussian(k: int, p: Real) -> Table:
    """The input plus discrete Gaussian noise (Canonne, Kamath, Steinke 2020), given that it stays in 0, ..., k - 1.

    *Formula*: P_x(y) = a^((x-y)^2)/Z_x, a = p^(-1/(k-1)^2), so sigma^2 = (k-1)^2/(2 eps0).  That leaves p as the
    largest ratio: P_x(y)/P_x'(y) is monotone in y, and P_x(0) = 1/(the sum of a^(i^2-2ix) over i) falls in x, so the
    largest ratio is P_0(0)/P_(k-1)(0) = a^-((k-1)^2), since Z_0 = Z_(k-1).
    """
    a = p ** Fraction(-1, (k - 1) ** 2)
    totals = [sum((a ** ((x - y) ** 2) for y in range(k)), real(0)) for x in range(k)]
    return {str(y): [a ** ((x - y) ** 2) / totals[x] for x in range(k)] for y in range(k)}


def hashed(k: int, p: Real, g: int) -> Table:
    """A random hash h and k-ary response on its g values: the message is (h, y) (Wang, Blocki, Li, Jha 2017).

    *The family*, for a prime g: with x written as d digits to the base g, h(x) is the sum of a_i x_i mod g, for every
    vector a whose first digit other than 0 is 1.  Two inputs collide with probability (g^(d-1) - 1)/(g^d - 1), less
    than 1/g, so the family is universal; where k <= g it is one function without collisions.
    """
    d = next(d for d in range(1, k + 1) if g**d >= k)
    digits = [[x // g**i % g for i in range(d)] for x in range(k)]
    family = [a for a in product(range(g), repeat=d) if next((one for one in a if one), 0) == 1]
    values = {a: [sum(one * digit for one, digit in zip(a, row, strict=True)) % g for row in digits] for a in family}
    total = (p + g - 1) * len(family)
    return {
        "+".join(map(str, a)) + f":{y}": [(p if value == y else real(1)) / total for value in values[a]]
        for a in family
        for y in range(g)
    }


def optimised_hashing(k: int, p: Real) -> Table:
    """Local hashing with g the prime nearest to p + 1, where the variance is least; of two, the lesser."""
    if p > MOST_MESSAGES:
        raise ParameterError("eps0", "log of " + str(p), f"at most log({MOST_MESSAGES}), for this many messages")
    primes = [g for g in range(2, 2 * MOST_MESSAGES) if all(g % f for f in range(2, g))]
    return hashed(k, p, next(g for g, after in pairwise(primes) if 2 * (p + 1) <= g + after))


NAMED: Mapping[str, Callable[[int, Real], Table]] = {
    "k-ary": k_ary,
    "unary-symmetric": lambda k, p: unary(k, *symmetric_bits(p)),
    "unary-optimised": lambda k, p: unary(k, *optimised_bits(p)),
    "subset-selection": subset_selection,
    "hadamard": hadamard,
    "clipped-laplace": clipped_laplace,
    "truncated-gaussian": truncated_gaussian,
    "hashing-binary": lambda k, p: hashed(k, p, 2),
    "hashing-optimised": optimised_hashing,
}


def too_many(k: int) -> ParameterError:
    """What is said where there are more messages than are looked at."""
    return ParameterError("k", k, f"such that there are at most {MOST_MESSAGES} messages")


def named_randomizer(name: str, k: int, p: Real) -> Randomizer:
    """The randomizer of this name.

    *Raises* `InputError` for an unknown name and for more than 64 messages, `ParameterError` unless k >= 2 and p > 1.
    """
    if name not in NAMED:
        raise InputError(f"named = {name} is not known: it must be one of {', '.join(NAMED)}")
    check_count("k", k)
    refuse_if(not 2 <= k <= MOST_MESSAGES, "k", k, f"from 2 to {MOST_MESSAGES}")
    if not p > 1:
        raise ParameterError("eps0", "log of " + str(p), "above 0")
    if name.startswith("unary-") and 2**k > MOST_MESSAGES:
        raise too_many(k)
    table = NAMED[name](k, p)
    if len(table) > MOST_MESSAGES:
        raise too_many(k)
    units = [tuple(int(i == j) for j in range(len(table))) for i in range(len(table))]
    laws = tuple(dict(zip(units, column, strict=True)) for column in zip(*table.values(), strict=True))
    return Randomizer(tuple(map(str, range(k))), tuple(table), laws)


# How well a randomizer with a name counts one value: messages support values, and the supports are counted.
#
# Legend: q1 the probability that a message supports the value that its user holds, q0 that it supports another given
# one, n users, of whom n_v hold the value v.
#
# The supports of v are Bin(n_v, q1) + Bin(n - n_v, q0), so (supports - n q0)/(q1 - q0) is an unbiased estimate of n_v.
# Its variance is affine in n_v, and is largest where all users hold v, or none.


UNARY = {"unary-symmetric": symmetric_bits, "unary-optimised": optimised_bits}
"""A message supports the values whose bits are set."""
ORACLES = ("k-ary", *UNARY, "subset-selection", "hadamard", "hashing-binary", "hashing-optimised")
"""In the others every mass is p times a constant or that constant, and a message supports those who send it with p."""


@dataclass(frozen=True)
class Supports:
    """q1 and q0."""

    held: Real
    other: Real

    def variance(self, users: int) -> Certified:
        """The largest variance of an estimate, over all numbers of holders."""
        square = (self.held - self.other) ** 2
        return largest_of(Certified.of(users * q * (1 - q) / square) for q in (self.held, self.other))

    def error(self, users: int, holders: int = 0) -> AffineError:
        """The law of the error for a value that the given number of users hold."""
        law = CountLaw(((holders, self.held), (users - holders, self.other)))
        return AffineError(law, self.held - self.other, law.mean())


def supports_of(name: str, k: int, p: Real, value: int = 0, other: int = 1) -> Supports:
    """q1 and q0 of a randomizer with a name; they are the same for every value and every other one.

    *Raises* `InputError` for a randomizer that does not count values, and as `named_randomizer`.

    >>> supports_of("k-ary", 3, real(4))
    Supports(held=Real('2/3'), other=Real('1/6'))
    """
    if name not in ORACLES:
        raise InputError(f"named = {name} does not count values: it must be one of {', '.join(ORACLES)}")
    found = named_randomizer(name, k, p)
    if name in UNARY:
        return Supports(*UNARY[name](p))
    least = min(mass for mass in found.laws[value].values())
    chosen = {letter for letter, mass in found.laws[value].items() if mass != least}
    held, away = (share(law, chosen, least, p) for law in (found.laws[value], found.laws[other]))
    return Supports(held, away)


def share(law: UserLaw, chosen: Collection[Multiset], least: Real, p: Real) -> Real:
    """The probability of some messages: (a p + b)/(A p + B), where as many masses of them and of all are larger."""
    larger = {letter for letter, mass in law.items() if mass != least}
    a, b = len(larger & {*chosen}), len({*chosen} - larger)
    of, rest = len(larger), len(law) - len(larger)
    return real(Fraction(a, of)) if a * rest == b * of else (a * p + b) / (of * p + rest)
