"""The options of every kind of question, said once: the command line, study files and the Python API read them here."""

from __future__ import annotations

import argparse
from argparse import SUPPRESS, ArgumentParser
from dataclasses import dataclass
from pathlib import Path


def names_in(folder: str) -> tuple[str, ...]:
    """The names of the modules of one of our folders, as they are written on the command line."""
    modules = (Path(__file__).parent / folder).glob("[a-z]*.py")
    return tuple(sorted(module.stem.replace("_", "-") for module in modules))


PROTOCOLS = names_in("catalogue")
"""The protocols: a card is found by its file, and loaded when it is asked for."""
TASKS = names_in("tasks")
"""What `panshuffle plan` plans."""
PARAMS = {
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
        *(Option(parameter, meaning, parameter.upper()) for parameter, meaning in PARAMS.items()),
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
        Option("uses", "number of uses, each with its own randomness (default 1)", "K"),
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
        Option("digits", "write enclosures with this many digits (default: exact if rational)", "D"),
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


# What each command takes on its line.  Nothing of what it does is loaded here, so that help is instant.


DEFAULT_RUNS, DEFAULT_SECONDS = "10000", "10"
"""The most runs of a program that is cross-checked, and the longest wait for one of its answers."""
SHELLS = ("bash", "zsh", "fish")
ROWS = "whole numbers, one for each user; both bits of a pair for each user"


def add_output(parser: ArgumentParser, meaning: str = "write to a file instead of the standard output") -> None:
    """The file that a command writes."""
    parser.add_argument("-o", "--output", metavar="FILE", help=meaning)


def add_lines(parser: ArgumentParser) -> None:
    """The end of a command that writes JSON lines."""
    add_output(parser)
    add_json(parser, "JSON lines, which is what is always written")


def add_parameters(parser: ArgumentParser) -> None:
    """The protocol's name and its parameters."""
    add_protocol(parser)
    add_parts(parser, (PARAMETERS,))


def verify(parser: ArgumentParser) -> None:
    """The options of `verify`."""
    words = "statements to check, by slug, label or printed number such as 'Theorem 3.2' (default: all of them)"
    parser.add_argument("slug", metavar="SLUG", nargs="*", help=words)
    parser.add_argument("--section", metavar="N", help="the statements of a section, such as 4 or A.2")
    parser.add_argument("--search", metavar="WORDS", help="list the statements with these words; nothing is checked")
    parser.add_argument("--list", action="store_true", help="list the statements as pinned; nothing is checked")
    parser.add_argument("--explain", action="store_true", help="print a page each: what holds, why, how it was checked")
    parser.add_argument("--steps", action="store_true", help="add every step and near miss, as the provers get them")
    parser.add_argument("--coq", action="store_true", help="add the theorems of the proof kernel, in Coq")
    parser.add_argument("--anew", action="store_true", help="check again what the statements rest on, too")
    parser.add_argument("--kernel", action="store_true", help="run the proof kernel (Coq), too")
    parser.add_argument("--errata", metavar="FILE", help="write the errata page")
    add_json(parser, "print one array, one object a statement")


def prove(parser: ArgumentParser) -> None:
    """The options of `prove`."""
    parser.add_argument("claim", metavar="CLAIM", help="relations such as '2^g/(2^g-1) <= 2/g', with <= < >= > = !=")
    domain = "a variable's domain: 'x in (0, 1]', '0 < x <= 1', 'x real', 'n in 1, 2, ...' (repeatable)"
    parser.add_argument("--for", dest="domains", metavar="DOMAIN", action="append", help=domain)
    hypothesis = "a hypothesis, such as 'x + y <= 1' (repeatable)"
    parser.add_argument("--given", metavar="RELATION", action="append", help=hypothesis)
    parser.add_argument("--explain", action="store_true", help="print what each prover did, and proofs step by step")
    texts = parser.add_mutually_exclusive_group()
    texts.add_argument(
        "--smt2", action="store_true", help="print the SMT-LIB texts that the solvers get, prove nothing"
    )
    texts.add_argument("--sympy", action="store_true", help="print the claim as sympy has it, prove nothing")
    add_json(parser)


def check(parser: ArgumentParser) -> None:
    """The options of `check`."""
    parser.add_argument("file", metavar="FILE", help="a certificate, as --certificate writes it")
    parser.add_argument("--kernel", action="store_true", help="prove its upper bounds as theorems in Coq and coqchk")
    add_json(parser)


def plan(parser: ArgumentParser) -> None:
    """The options of `plan`."""
    parser.add_argument("protocol", metavar="TASK", help="one of: " + ", ".join(TASKS))
    add_parts(parser, QUESTIONS["plan"])
    for name in ("eps", "delta"):
        parser.add_argument(f"--{name}", dest=f"own_{name}", help=SUPPRESS)
    parser.add_argument("--figure", metavar="FILE", help="FILE.csv, .svg or .png: paper, exact and lower bound over k")
    parser.add_argument("--points", metavar="P", help="number of k in the figure, from 4 to --k (default 8)")
    add_json(parser)


def compose(parser: ArgumentParser) -> None:
    """The options of `compose`."""
    words = "a protocol with its parameters, --uses K and --sampled Q, as one word in quotation marks"
    parser.add_argument("parts", metavar="PART", nargs="+", help=words)
    add_parts(parser, QUESTIONS["compose"])
    add_json(parser)


def curve(parser: ArgumentParser) -> None:
    """The options of `curve`."""
    add_options(parser, "curve")
    add_output(parser, "FILE.csv, FILE.svg or FILE.png (default: CSV, printed)")
    add_json(parser, "print one JSON object with the rows")


def export(parser: ArgumentParser) -> None:
    """The options of `export`."""
    add_options(parser, "export")
    add_output(parser, "FILE.json or FILE.csv (default: CSV, printed)")
    add_json(parser, "print JSON, or what was written, instead")


def sample(parser: ArgumentParser) -> None:
    """The options of `sample`."""
    add_parameters(parser)
    data = parser.add_argument_group("data (one of these)")
    data.add_argument("--input", metavar="FILE", help=ROWS)
    data.add_argument("--uniform", action="store_true", help="independent uniform data, new in each run")
    data.add_argument("--paired", metavar="ALPHA", help="independent data at distance ALPHA from uniform")
    data.add_argument("--distinct", metavar="D", help="data with exactly D distinct elements")
    data.add_argument("--ones", metavar="H", help="bits of which H are 1")
    parser.add_argument("--runs", metavar="R", default="1", help="number of runs (default 1)")
    parser.add_argument("--seed", metavar="S", help="a whole number that makes the runs reproducible")
    parser.add_argument("--t", metavar="T", help="show the internal state after T elements of the stream")
    parser.add_argument("--messages", action="store_true", help="show every message, in the shuffled order")
    parser.add_argument("--approximate", action="store_true", help="simulate in floating point: fast, not exact")
    add_lines(parser)


def explore(parser: ArgumentParser) -> None:
    """The options of `explore`."""
    parser.add_argument("--port", metavar="P", help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    add_json(parser, "print the address as one JSON object")


def add_anew(parser: ArgumentParser) -> None:
    """Whether the ledger is checked again where a run with these sources is kept."""
    parser.add_argument("--anew", action="store_true", help="check every statement, even if the last run is kept")


def report(parser: ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the page, FILE.html")
    add_json(parser, "print one JSON object: what was written")
    add_anew(parser)


def annotate(parser: ArgumentParser) -> None:
    """The options of `annotate`."""
    parser.add_argument("paper", metavar="PAPER.tex", help="your copy of the paper's LaTeX source, one file")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the page, FILE.html")
    add_json(parser, "print one JSON object: what was matched, what was not, and what is not understood")
    add_anew(parser)


def errata(parser: ArgumentParser) -> None:
    """The options of `errata`."""
    parser.add_argument("--format", choices=("latex", "md", "json"), default="md", help="the form (default: md)")
    parser.add_argument("--conventions", action="store_true", help="list what is a mere convention, too")
    add_output(parser, "the file (default: standard output)")
    add_anew(parser)


def crosscheck(parser: ArgumentParser) -> None:
    """The options of `crosscheck`."""
    add_parameters(parser)
    data = parser.add_argument_group("the data that the runs were made on (one of these)")
    data.add_argument("--input", metavar="FILE", help=ROWS)
    data.add_argument("--distinct", metavar="D", help="the data of sample --distinct D")
    data.add_argument("--ones", metavar="H", help="the data of sample --ones H")
    source = parser.add_argument_group("the implementation (one of these)")
    runs = "its runs: JSON lines as of sample, .csv or .npy; - for standard input"
    source.add_argument("--samples", metavar="FILE", help=runs)
    program = "a program: a request a line in, a run a line out"
    source.add_argument("--command", dest="program", metavar="CMD", help=program)
    parser.add_argument("--runs", metavar="R", help=f"most runs of the program (default {DEFAULT_RUNS})")
    parser.add_argument("--seconds", metavar="S", help=f"longest wait for one answer (default {DEFAULT_SECONDS})")
    parser.add_argument("--keep", metavar="FILE", help="write the program's answers to a file, as JSON lines")
    parser.add_argument("--t", metavar="T", help="the state in the runs is that after T elements of the stream")
    parser.add_argument("--alarm", metavar="A", default="1e-9", help="false-alarm probability (default 1e-9)")
    modes = parser.add_argument_group("what counts as right")
    modes.add_argument("--hash", choices=("any", "own"), help="a hash or partition of any family (default), or of ours")
    modes.add_argument("--analyzer", metavar="NAME", help="another reading of the analyzer: bc20, a sum as a frequency")
    modes.add_argument("--tolerance", metavar="T", help="the part of an output that rounding may change (default 1e-5)")
    parser.add_argument("--at-least", metavar="N", help='fewer runs are "too few to say", exit status 3')
    privacy = parser.add_argument_group("privacy of the samples (with --samples)")
    privacy.add_argument("--neighbour-samples", metavar="FILE", help="runs on a neighbouring input")
    privacy.add_argument("--neighbour-input", metavar="FILE", help="that input, as of --input")
    privacy.add_argument("--at-delta", metavar="X", help="the lower bound on eps is for this delta")
    add_json(parser)


def doctor(parser: ArgumentParser) -> None:
    """The options of `doctor`."""
    add_json(parser)


def completion(parser: ArgumentParser) -> None:
    """The options of `completion`."""
    parser.add_argument("shell", choices=SHELLS, help='for bash: eval "$(panshuffle completion bash)"')
    add_json(parser, "print one JSON object: the words of each command")


def analyze(parser: ArgumentParser) -> None:
    """The options of `analyze`."""
    add_parameters(parser)
    lines = 'JSON lines with "messages" or "pools", as sample writes them'
    parser.add_argument("--input", metavar="FILE", required=True, help=lines)
    add_lines(parser)


def accountants(parser: ArgumentParser) -> None:
    """The options of `accountants`."""
    who = "only this one, or FILE.py:FUNCTION for yours (repeatable; default: all that are installed)"
    parser.add_argument("--accountant", metavar="NAME", action="append", help=who)
    what = "only this question, or those of this mechanism or group (repeatable; default: all)"
    parser.add_argument("--question", metavar="NAME", action="append", help=what)
    parser.add_argument("--seconds", metavar="LIMIT", default="30", help="for each answer (default 30)")
    parser.add_argument("--list", action="store_true", help="print the accountants and the questions, and ask nothing")
    add_json(parser)


def study(parser: ArgumentParser) -> None:
    """The options of `study`."""
    parser.add_argument("study", metavar="STUDY", help="STUDY.toml; or the table of a study, to draw it")
    parser.add_argument("-o", "--output", metavar="OUT", help="the table: OUT.parquet, OUT.csv or OUT.jsonl")
    parser.add_argument("--store", metavar="DIR", help="where answers are kept as they arrive (default OUT.store)")
    where = parser.add_argument_group("where it runs (the table is the same)")
    here = "processes on this machine (default: one a core)"
    where.add_argument("--workers", "--local-cluster", metavar="N", help=here)
    where.add_argument("--scheduler", metavar="ADDRESS", help="an existing Dask cluster, such as tcp://10.0.0.1:8786")
    picture = parser.add_argument_group("a picture of the table")
    picture.add_argument("--figure", metavar="FILE", help="FILE.svg or FILE.png")
    picture.add_argument("--draw", choices=("lines", "heat"), help="how (default: by the number of parameters)")
    add_json(parser, "print one JSON object on what was done")


ARGUMENTS = {
    adder.__name__: adder
    for adder in (
        verify, prove, check, plan, compose, curve, export, sample, explore, annotate, errata, report, crosscheck,
        doctor, completion, analyze, accountants, study,
    )
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
"""What the commands take; those that are a question and nothing else are not among them."""
