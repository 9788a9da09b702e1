"""The paper's letters on the command line, and the exact numbers that they denote."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exact.numbers.real import Real

PROTOCOLS = (
    "binomial",
    "binary-sum",
    "modular-sum",
    "distinct-elements",
    "hashed-distinct-elements",
    "uniformity",
    "compressed-uniformity",
    "pan-sum",
    "pan-histogram",
    "shuffle-histogram",
    "pan-distinct-elements",
    "pan-uniformity",
    "randomized-or",
    "two-bit-sum",
    "geometric-distinct-elements",
)

LARGEST_COUNT = 10**100

LETTERS = {
    "n": "number of users (for the transformations, of the shuffle protocol)",
    "k": "size of the data universe [k]",
    "eps": "the protocol's epsilon",
    "exp-eps": "e^epsilon, in place of --eps",
    "q": "1 - 2p', in place of --eps",
    "delta": "the protocol's delta",
    "m": "messages a user sends to a pool, or 'paper'; for uniformity the expected sample size (default n)",
    "lam": "noise scale lambda (default: the printed formula for --eps and --delta)",
    "alpha": "distance of the uniformity tester",
    "c": "constant of the hashed domain (default 1)",
    "p": "noise or flip probability",
    "l": "number of coins of the binomial mechanism",
    "tau": "threshold of the uniformity tester (default: the repaired one)",
    "k-hat": "size of the compressed domain (default: the printed rule for --eps and --alpha)",
    "copies": "copies of the uniformity tester that vote (default 1); --m is for all of them together",
    "votes": "copies that have to say 'not uniform' (default: the fewest that keep the type I error at 1/3)",
    "gamma": "fraction of users who take part (default 1)",
}


class Once(argparse.Action):
    """An option that may be given once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Keeps the value.  *Raises* `ArgumentError` for a second one."""
        if getattr(namespace, self.dest) is not None:
            raise argparse.ArgumentError(self, "the option is given twice")
        setattr(namespace, self.dest, values)


def add_parameters(parser: argparse.ArgumentParser) -> None:
    """The protocol's name and its letters."""
    parser.add_argument("protocol", metavar="PROTOCOL", help="one of: " + ", ".join(PROTOCOLS))
    group = parser.add_argument_group("parameters, in exact notation such as 1e-6, 1/3 or log(2)")
    for letter, meaning in LETTERS.items():
        group.add_argument(f"--{letter}", metavar=letter.upper(), help=meaning, action=Once)
    group.add_argument("--as-printed", action="store_true", help="the printed threshold of the tester (needs --alpha)")


class Parameters:
    """The letters that were given; each one has to be used by somebody."""

    def __init__(self, protocol: str, given: dict[str, str]) -> None:
        self.protocol = protocol
        self.given = given
        self.used: set[str] = set()
        self.resolved: dict[str, str] = {}

    @classmethod
    def of(cls, args: argparse.Namespace) -> Parameters:
        """Those of a parsed command line.  *Raises* `InputError` for an unknown protocol."""
        from exact.errors import InputError

        if args.protocol not in PROTOCOLS:
            raise InputError(f"protocol = {args.protocol} is not known: it must be one of {', '.join(PROTOCOLS)}")
        given = {letter: getattr(args, letter.replace("-", "_")) for letter in LETTERS}
        given = {letter: text for letter, text in given.items() if text is not None}
        return cls(args.protocol, given | ({"as-printed": ""} if args.as_printed else {}))

    def has(self, letter: str) -> bool:
        """Whether the letter was given; asking counts as a use."""
        self.used.add(letter)
        return letter in self.given

    def text(self, letter: str, otherwise: str = "") -> str:
        """The letter's text.  *Raises* `InputError` if it was not given."""
        from exact.errors import InputError

        if not self.has(letter):
            raise InputError(f"{self.protocol} needs --{letter}{otherwise}")
        return self.given[letter]

    def real(self, letter: str, otherwise: str = "") -> Real:
        """The exact number."""
        from exact.errors import NumberError, shortened
        from exact.numbers.real import real

        text = self.text(letter, otherwise)
        try:
            return real(text)
        except NumberError as problem:
            raise NumberError(f"{letter} = {shortened(text)} is not allowed: {problem}") from None

    def count(self, letter: str, least: int = 1, otherwise: str = "") -> int:
        """The whole number.  *Raises* `ParameterError` for anything else."""
        from exact.errors import ParameterError

        value = self.real(letter, otherwise).fraction
        if value is None or value.denominator != 1 or value < least:
            raise ParameterError(letter, self.given[letter], f"a whole number, at least {least}")
        if value > LARGEST_COUNT:
            raise ParameterError(letter, self.given[letter], "a whole number, at most 10^100")
        return value.numerator

    def finish(self) -> None:
        """*Raises* `InputError` for a letter that this protocol does not have."""
        from exact.errors import InputError

        unknown = [letter for letter in self.given if letter not in self.used]
        if unknown:
            letters = ", ".join(f"--{letter}" for letter in (*LETTERS, "as-printed") if letter in self.used)
            raise InputError(f"--{unknown[0]} has no meaning for {self.protocol}, which takes {letters}")
