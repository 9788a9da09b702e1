"""How many messages a user sends, in words."""

from __future__ import annotations

from collections.abc import Mapping

from exact.numbers.certified import Certified
from exact.numbers.real import Real, fraction_text, real

NO_USERS = "none: the data is in one hand"
NO_MESSAGES = "none: the elements come in a stream"


def messages_of(protocol: str, letters: Mapping[str, str]) -> str:
    """The messages of one user who takes part; a question mark and what is missing where a letter is.

    >>> messages_of("distinct-elements", {"n": "100", "k": "10", "m": "23"})
    '230 (23 to each of 10 pools)'
    >>> messages_of("uniformity", {"n": "1000", "k": "10", "lam": "200"})
    '12 in the mean (1 + 1/5 to each of 10 pools)'
    """
    if protocol == "binomial":
        return NO_USERS
    if protocol.startswith("pan-"):
        return NO_MESSAGES
    missing = [letter for letter in NEEDED[protocol] if letter not in letters]
    if missing:
        return f"? (it needs {' and '.join(missing)})"
    value = {letter: real(letters[letter]) for letter in NEEDED[protocol]}
    if protocol == "binary-sum":
        return "2 (the bit and a noise bit)"
    if protocol == "shuffle-histogram":
        return f"{shown(2 * value['k'])} (2 to each of {letters['k']} pools)"
    if protocol == "modular-sum":
        return shown(value["m"])
    if protocol == "distinct-elements":
        return f"{shown(value['m'] * value['k'])} ({letters['m']} to each of {letters['k']} pools)"
    noise = value["lam"] / value["n"]
    return f"{shown(value['k'] * (1 + noise))} in the mean (1 + {shown(noise)} to each of {letters['k']} pools)"


NEEDED: dict[str, tuple[str, ...]] = {
    "binary-sum": (),
    "shuffle-histogram": ("k",),
    "modular-sum": ("m",),
    "distinct-elements": ("k", "m"),
    "uniformity": ("n", "k", "lam"),
}


def shown(value: Real) -> str:
    """A short rational number, or the upper end of an enclosure."""
    exact = value.fraction
    text = None if exact is None else fraction_text(exact)
    return text if text is not None and len(text) < 16 else f"at most {Certified.of(value).enclosure(6)[1]}"
