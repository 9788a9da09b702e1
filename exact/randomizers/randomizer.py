"""Any randomizer with finitely many inputs and messages: for each input a law over multisets of messages.

*Raises* everywhere: `InputError`, one sentence that says which input and which entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from panshuffle.exact.curves.law_pair import exact_mass, total_text
from panshuffle.exact.curves.pair_text import Json, loaded, number_of
from panshuffle.exact.errors import InputError, shortened
from panshuffle.exact.numbers.algebra import sums_to_one
from panshuffle.exact.numbers.real import Real, real

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
