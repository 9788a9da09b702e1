"""For tests of one's own implementation: assertions that hold for right ones, but for a chosen false-alarm probability.

    from panshuffle.testing import assert_law

    def test_my_sampler():
        assert_law(my_sampler, {0: "1/4", 1: "1/2", 2: "1/4"})

An assertion draws until it fails or has seen `runs` outcomes, looking at 64, 128, 256, ... of them.  Whatever it sees,
a right implementation fails with probability at most `alarm`, 1e-9 unless another one is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from panshuffle.namesakes import our_packages

with our_packages():
    from crosscheck.examination import DEFAULT_ALARM, Verdict, examine
    from crosscheck.reference.model import Reference
    from crosscheck.runs import Run, run_of
    from crosscheck.tables import BITS, Table
    from exact.errors import InputError, ParameterError
    from exact.numbers.grammar import parse
    from exact.numbers.real import Real, real
    from panshuffle.references import reference_of

DEFAULT_RUNS = 4096
WIDEST = 100_000
"""Whole numbers that lie farther apart are coded by their place in the law, as other outcomes are."""

Mass = Fraction | Real | int | str
Datum = int | tuple[int, int]
Masses = Mapping[Any, Mass]


def assert_law(
    sample: Callable[[], Hashable], law: Masses | Table, runs: int = DEFAULT_RUNS, alarm: Fraction = DEFAULT_ALARM
) -> None:
    """*Raises* `AssertionError` where the draws of `sample` are not consistent with the law.

    A law is a mapping from all outcomes to exact masses, such as "1/3", or a table of `crosscheck.tables`.

    >>> from random import Random
    >>> rng = Random(1)
    >>> assert_law(lambda: rng.randrange(2), {0: "1/2", 1: "1/2"}, runs=256)
    """
    assert_laws(lambda: (sample(),), (law,), runs, alarm)


def assert_independent(
    sample: Callable[[], Sequence[Hashable]],
    laws: Sequence[Masses | Table],
    runs: int = DEFAULT_RUNS,
    alarm: Fraction = DEFAULT_ALARM,
) -> None:
    """*Raises* `AssertionError` unless the draws are tuples of independent outcomes, each with its law."""
    assert_laws(sample, laws, runs, alarm)


def assert_laws(
    sample: Callable[[], Sequence[Hashable]], laws: Sequence[Masses | Table], runs: int, alarm: Fraction
) -> None:
    """The same for any number of coordinates."""
    check_runs(runs)
    parts = [coded(law) for law in laws]
    names = ("the outcome",) if len(parts) == 1 else tuple(f"outcome {i}" for i in range(1, len(parts) + 1))
    reference = Reference(names, tuple(table for table, _ in parts), lambda run: run.output, (0,) * len(parts))

    def draws() -> Iterator[Run]:
        for _ in range(runs):
            outcome = sample()
            if len(outcome) != len(parts):
                raise InputError(f"the sampler gave {len(outcome)} outcomes where there are {len(parts)} laws")
            yield Run(output=tuple(code(value) for value, (_, code) in zip(outcome, parts, strict=True)))

    check(examine(reference, draws(), alarm), parts, laws)


def check(verdict: Verdict, parts: Sequence[tuple[Table, object]], laws: Sequence[Masses | Table]) -> None:
    """*Raises* `AssertionError` with the verdict's sentence, and with the outcomes behind the codes."""
    if verdict.consistent:
        return
    named = [f"{i} is {key!r}" for law in laws if isinstance(law, Mapping) for i, key in enumerate(law) if i != key]
    note = f" (where {', '.join(named[:20])})" if named else ""
    raise AssertionError(verdict.sentence() + note)


def coded(law: Masses | Table) -> tuple[Table, Callable[[Any], int]]:
    """The law as a table, and the whole number that stands for each outcome."""
    if isinstance(law, Table):
        return law, lambda value: value
    outcomes, exact = list(law), [real(mass) for mass in law.values()]
    total = sum(exact, real(0))
    if not outcomes or any(mass < 0 for mass in exact) or total > 1 or total < 1:
        raise InputError("the masses of a law must not be negative and must sum to 1")
    whole = all(isinstance(x, int) and not isinstance(x, bool) for x in outcomes)
    whole = whole and max(outcomes) - min(outcomes) < WIDEST
    codes = {outcome: outcome if whole else i for i, outcome in enumerate(outcomes)}
    outside = max(codes.values()) + 1
    with ctx.workprec(BITS):
        masses = {codes[outcome]: mass.ball_here() for outcome, mass in zip(outcomes, exact, strict=True)}
    first, last = min(masses), max(masses)
    table = Table(first, tuple(masses.get(x, arb(0)) for x in range(first, last + 1)), arb(0), first, last)
    return table, lambda value: codes.get(value, outside)


def assert_protocol(
    run: Callable[[], Mapping[str, object]],
    record: object,
    data: Sequence[Datum],
    t: int | None = None,
    runs: int = DEFAULT_RUNS,
    alarm: Fraction = DEFAULT_ALARM,
) -> None:
    """*Raises* `AssertionError` where runs, as `panshuffle sample` writes them, are not the protocol's on the data.

    The record says which protocol and parameters, e.g. `protocols.binary_sum.BinarySum(n, p)`; the sentence of the
    error says where the runs deviate and what the likely cause is.
    """
    check_runs(runs)
    reference = reference_of(record, data, t)
    lines = (run_of(dict(run()), f"run {number}") for number in range(1, runs + 1))
    verdict = examine(reference, lines, alarm)
    if not verdict.consistent:
        raise AssertionError(verdict.sentence())


def options(alarm: str, runs: str) -> dict[str, Fraction | int]:
    """The arguments `alarm` and `runs` from their texts on a command line.

    *Raises* `InputError` unless they are numbers in range.
    """
    chance, most = parse(alarm).constant, parse(runs).constant
    if not 0 < chance < 1 or most.denominator != 1 or most < 1:
        raise InputError("--crosscheck-alarm must lie between 0 and 1, --crosscheck-runs be a whole number")
    return {"alarm": chance, "runs": most.numerator}


def check_runs(runs: int) -> None:
    """*Raises* `ParameterError` unless there is at least one run."""
    if runs < 1:
        raise ParameterError("runs", runs, "a whole number, at least 1")
