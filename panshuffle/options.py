"""The options of every kind of question, said once: the command line, study files and the Python API read them here."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

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
    "eps0": "epsilon of each user's randomizer, for local and local-nonadaptive",
    "gamma": "fraction of users who take part (default 1)",
}
AS_PRINTED = "as-printed"


@dataclass(frozen=True)
class Option:
    """An option: its name without dashes, what it means, and what its value is called; a flag has none."""

    name: str
    meaning: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    default: str | None = None

    @property
    def is_flag(self) -> bool:
        """Whether the option takes no value."""
        return self.metavar is None and not self.choices


@dataclass(frozen=True)
class Group:
    """Options under a title."""

    title: str
    options: tuple[Option, ...]


PARAMETERS = Group(
    "parameters, in exact notation such as 1e-6, 1/3 or log(2)",
    (
        *(Option(letter, meaning, letter.upper()) for letter, meaning in LETTERS.items()),
        Option(AS_PRINTED, "the printed threshold of the tester (needs --alpha)"),
    ),
)
READING = Group(
    "where the curve is read",
    (
        Option("at-eps", "delta at this epsilon", "X"),
        Option("at-exp-eps", "delta at this e^epsilon", "X"),
        Option("at-delta", "epsilon at this delta", "X"),
    ),
)
POOL = Option("pool", "one pool (one bin)")
PAIR = Option("pair", "both pools that a changed user touches (default)")
TIME = Option("t", "the state after T elements of the stream", "T")
VIEW = Group(
    "what is seen",
    (
        POOL,
        PAIR,
        Option("direction", "one direction of one pool (default: the worse)", choices=("gain", "lose")),
        Option("holders", "other holders of the two elements (default: the worst)", "CA,CB"),
        Option("t", "time of the intrusion (default: the worst)", "T"),
    ),
)
DIGITS = Option("digits", "certified digits (default 10)", "D")
FILE = Group(
    "your own, with pmf, randomizer or pld in place of PROTOCOL",
    (
        Option("file", "pmf: a pair of laws; randomizer: a randomizer (needs --n); pld: privacy losses", "FILE"),
        Option("named", "randomizer: one with a name, in place of --file (needs --k, --eps0 and --n)", "NAME"),
    ),
)
COMPOSED = Group(
    "several uses, and a random part of the data",
    (
        Option("uses", "so many uses, each with its own randomness (default 1)", "K"),
        Option("sampled", "every row takes part with this probability, anew in every use (default 1)", "Q"),
    ),
)

QUESTIONS: dict[str, tuple[Group | Option, ...]] = {
    "privacy": (
        PARAMETERS,
        READING,
        VIEW,
        Option("tv", "P_MOD: total variation from the ideal sum"),
        Option("ones", "P_MOD with --tv: an input with H ones (default: the worst)", "H"),
        DIGITS,
        FILE,
        COMPOSED,
    ),
    "calibrate": (
        PARAMETERS,
        READING,
        Group("what is seen", (POOL, PAIR)),
        Option("real", "a real lambda as an enclosure (Poisson noise)"),
        Option("sigma", "P_MOD: the least m with total variation below 2^-S", "S"),
        DIGITS,
    ),
    "accuracy": (
        PARAMETERS,
        Group(
            "what is asked (--alpha A: the probability of an error above A, or 'paper')",
            (
                Option("beta", "the least alpha whose probability of failure is at most B", "B"),
                Option("distinct", "number of distinct elements (default: the worst)", "D"),
                Option("corrected", "P_DE: unbiased with dropouts, too"),
                Option("raw", "sums and histograms: the output as it is, not de-biased"),
            ),
        ),
        Group(
            "the testers: the distribution of the samples (or --p P1,P2,...)",
            (
                Option("uniform", "the uniform distribution"),
                Option("paired", "(1 + 2 ALPHA)/k and (1 - 2 ALPHA)/k in turn", "ALPHA"),
                Option("fixed", "shuffle testers: exactly N samples in place of Pois(m)", "N"),
            ),
        ),
        DIGITS,
    ),
    "attack": (
        PARAMETERS,
        Group(
            "where the curve is read",
            (
                Option("at-eps", "the event with the largest P - e^eps Q at this epsilon", "X"),
                Option("at-exp-eps", "the same at this e^epsilon", "X"),
            ),
        ),
        VIEW,
        Option("runs", "runs on each neighbour (default up to 2000; 0: none)", "R"),
        Option("seed", "a whole number that makes the runs reproducible", "S"),
        Option("alarm", "false-alarm probability (default 1e-9)", "A", default="1e-9"),
        DIGITS,
    ),
    "curve": (
        PARAMETERS,
        VIEW,
        Option("from", "first eps (default 0)", "EPS", default="0"),
        Option("to", "last eps (default 2)", "EPS", default="2"),
        Option("points", "number of points (default 41)", "P", default="41"),
        DIGITS,
        FILE,
        COMPOSED,
    ),
    "export": (
        PARAMETERS,
        Group(
            "what is seen",
            (
                POOL,
                PAIR,
                Option("direction", "which law is upper: default gain, one more", choices=("gain", "lose")),
                Option("holders", "other holders of the two elements (or of 1 in each pool)", "CA,CB"),
            ),
        ),
        Option("digits", "write enclosures of so many digits (default: exact if rational)", "D"),
        Option("pld", "a pair that covers all neighbours, as privacy losses in multiples of H", "H"),
    ),
    "plan": (
        Option("n", "number of users (for uniformity, of samples; default: the least that is enough)", "N"),
        Option("k", "size of the data universe [k]", "K"),
        Option("at-eps", "the privacy that is asked for: epsilon", "EPS"),
        Option("at-delta", "and delta", "DELTA"),
        Option("gamma", "fraction of users who take part for sure (default 1)", "GAMMA"),
        Option("alpha", "largest error; for uniformity, the distance of the alternative", "ALPHA"),
        Option("beta", "largest probability of a larger error (default 1/10)", "BETA"),
    ),
    "sample": (PARAMETERS, TIME, Option("messages", "show every message, in the shuffled order")),
    "crosscheck": (PARAMETERS, TIME),
    "analyze": (PARAMETERS,),
    "compose": (READING, DIGITS),
    "verify": (),
}
"""The kinds of questions; what is not asked, such as the file that an answer is written to, belongs to the commands."""


def options_of(kind: str) -> dict[str, Option]:
    """The options of a kind of question by their names, in their order."""
    parts = (part.options if isinstance(part, Group) else (part,) for part in QUESTIONS[kind])
    return {option.name: option for options in parts for option in options}


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


def add_question(parser: argparse.ArgumentParser, kind: str, certificate: str | None) -> None:
    """The options of a command that is a question and nothing else."""
    add_options(parser, kind)
    if certificate is None:
        parser.set_defaults(certificate=None)
    else:
        parser.add_argument(
            "--certificate", metavar="FILE", help=f"write {certificate} for python -m panshuffle.exact.check"
        )
    add_json(parser)


def add_options(parser: argparse.ArgumentParser, kind: str) -> None:
    """The protocol's name and all options of a kind of question."""
    add_protocol(parser)
    add_parts(parser, QUESTIONS[kind])


def add_protocol(parser: argparse.ArgumentParser) -> None:
    """The protocol's name."""
    from panshuffle.catalogue import PROTOCOLS

    parser.add_argument("protocol", metavar="PROTOCOL", help="one of: " + ", ".join(PROTOCOLS))


def add_parts(parser: argparse._ActionsContainer, parts: tuple[Group | Option, ...]) -> None:
    """Options, by themselves or in groups."""
    for part in parts:
        if isinstance(part, Group):
            add_parts(parser.add_argument_group(part.title), part.options)
            continue
        flag = f"--{part.name}"
        if part.is_flag:
            parser.add_argument(flag, action="store_true", help=part.meaning)
        elif part.choices:
            parser.add_argument(flag, choices=part.choices, help=part.meaning)
        elif part.default is not None:
            parser.add_argument(flag, metavar=part.metavar, default=part.default, help=part.meaning)
        else:
            parser.add_argument(flag, metavar=part.metavar, help=part.meaning, action=Once)


def add_json(parser: argparse.ArgumentParser, meaning: str = "print one JSON object") -> None:
    """The option that every command has."""
    parser.add_argument("--json", action="store_true", help=meaning)
