"""For tests of one's own implementation: assertions that hold for right ones, but for a chosen false-alarm probability.

    from panshuffle.testing import assert_law

    def test_my_sampler():
        assert_law(my_sampler, {0: "1/4", 1: "1/2", 2: "1/4"})

An assertion draws until it fails or has seen `runs` outcomes, looking at 64, 128, 256, ... of them.  Whatever it sees,
a right implementation fails with probability at most `alarm`, 1e-9 unless another one is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypedDict

from flint import ctx

from panshuffle.answers.crosscheck import read_as
from panshuffle.card import reference_of
from panshuffle.crosscheck.examination import DEFAULT_ALARM, examine
from panshuffle.crosscheck.mass_tables import BITS, MassTable, listed, named_law
from panshuffle.crosscheck.reference.model import Reference
from panshuffle.crosscheck.runs import Run, run_of
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.real import Real, parse, real
from panshuffle.output import jsonable

DEFAULT_RUNS = 4096  # a change of a probability by some hundredths is seen
WIDEST = 100_000  # whole numbers that lie farther apart are coded by their place in the law, as other outcomes are
MOST_NAMED = 20  # codes that are explained in the sentence of an error

ExactLaw = Mapping[Any, Fraction | Real | int | str] | MassTable | str


def assert_law(
    sample: Callable[[], Hashable],
    law: ExactLaw,
    runs: int = DEFAULT_RUNS,
    alarm: Fraction = DEFAULT_ALARM,
) -> None:
    """*Raises* `AssertionError` where the draws of `sample` are not consistent with the law.

    A law is a mapping from all outcomes to exact masses, such as "1/3", a name such as "Pois(3)" or "Bin(10, 1/3)", or
    a table of `crosscheck.mass_tables`.

    >>> from random import Random
    >>> rng = Random(1)
    >>> assert_law(lambda: rng.randrange(2), {0: "1/2", 1: "1/2"}, runs=256)
    """
    assert_independent(lambda: (sample(),), (law,), runs, alarm)


def assert_independent(
    sample: Callable[[], Sequence[Hashable]],
    laws: Sequence[ExactLaw],
    runs: int = DEFAULT_RUNS,
    alarm: Fraction = DEFAULT_ALARM,
) -> None:
    """*Raises* `AssertionError` unless the draws are tuples of independent outcomes, each with its law.

    The error names the outcomes behind the codes.
    """
    parts = [coded(law) for law in laws]
    names = ("the outcome",) if len(parts) == 1 else tuple(f"outcome {i}" for i in range(1, len(parts) + 1))

    def read(run: Run) -> tuple[int, ...]:
        outcome = run.output
        if not isinstance(outcome, tuple) or len(outcome) != len(parts):
            given = len(outcome) if isinstance(outcome, tuple) else "no"
            raise InputError(f"the sampler gave {given} outcomes where there are {len(parts)} laws")
        return tuple(code(value) for value, (_, code) in zip(outcome, parts, strict=True))

    reference = Reference(names, tuple(table for table, _ in parts), read)
    named = [f"{i} is {key!r}" for law in laws if isinstance(law, Mapping) for i, key in enumerate(law) if i != key]
    note = f" (where {', '.join(named[:MOST_NAMED])})" if named else ""
    assert_consistent(reference, lambda number: Run(output=tuple(sample())), runs, alarm, note)


def assert_consistent(
    reference: Reference, run: Callable[[int], Run], runs: int, alarm: Fraction, note: str = ""
) -> None:
    """*Raises* `AssertionError` where the runs, numbered from 1, are not consistent with the reference."""
    if runs < 1:
        raise ParameterError("runs", runs, "a whole number, at least 1")
    found = examine(reference, map(run, range(1, runs + 1)), alarm)
    if not found.consistent:
        raise AssertionError(found.sentence() + note)


def coded(law: ExactLaw) -> tuple[MassTable, Callable[[Any], int]]:
    """The law as a table, and the whole number that stands for each outcome."""
    law = named_law(law) if isinstance(law, str) else law
    if isinstance(law, MassTable):
        return law, whole_number
    masses = {outcome: real(mass) for outcome, mass in law.items()}
    total = sum(masses.values(), real(0))
    if not masses or any(mass < 0 for mass in masses.values()) or total > 1 or total < 1:
        raise InputError("the masses of a law must not be negative and must sum to 1")
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in masses)
    whole = whole and max(masses) - min(masses) < WIDEST
    codes = {outcome: outcome if whole else i for i, outcome in enumerate(masses)}

    def code(value: Hashable) -> int:
        if value not in codes:
            raise AssertionError(f"inconsistent: the sampler gave {value!r}, which is not an outcome of the law")
        return codes[value]

    with ctx.workprec(BITS):
        table = listed({codes[outcome]: mass.ball_here() for outcome, mass in masses.items()})
    return table, code


def whole_number(value: Any) -> int:
    """The value, where it is a whole number: 2.0 is one.  *Raises* `AssertionError` for any other, which no law has."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != value:
        raise AssertionError(
            f"inconsistent: the sampler gave {value!r}, and every outcome of the law is a whole number"
        )
    return number


def assert_protocol(
    run: Callable[[], Mapping[str, object]],
    record: object,
    data: Sequence[int | tuple[int, int]],
    t: int | None = None,
    runs: int = DEFAULT_RUNS,
    alarm: Fraction = DEFAULT_ALARM,
) -> None:
    """*Raises* `AssertionError` where runs, as `panshuffle sample` writes them, are not the protocol's on the data.

    The record says which protocol and parameters, e.g. `protocols.binary_sum.BinarySum(n, p)`; the sentence of the
    error says where the runs deviate and what the likely cause is.
    """
    reference = read_as(reference_of(record, data, t))
    assert_consistent(reference, lambda number: run_of(jsonable(run()), f"run {number}"), runs, alarm)


def assert_proved(claim: object, *given: object, **domains: object) -> None:
    """*Raises* `AssertionError` unless a lemma is proved; it says where the lemma fails, or why it is undecided.

    >>> assert_proved("exp(x) - 1 <= 2*x", x="[0, 1]")
    """
    from panshuffle.symbolic.prove import prove

    found = prove(claim, *given, **domains)
    if found.status != "proved":
        raise AssertionError(str(found))


class Options(TypedDict):
    """The arguments that all assertions have."""

    alarm: Fraction
    runs: int


def options(alarm: str, runs: str) -> Options:
    """The arguments from their texts on a command line.  *Raises* `InputError` unless they are numbers in range."""
    chance, most = parse(alarm).constant, parse(runs).constant
    if not 0 < chance < 1 or most.denominator != 1 or most < 1:
        raise InputError("--crosscheck-alarm must lie between 0 and 1, --crosscheck-runs be a whole number")
    return {"alarm": chance, "runs": most.numerator}
