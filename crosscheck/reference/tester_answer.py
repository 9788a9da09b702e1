"""The answer of the transformed tester: its law, alone and given the state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flint import arb, ctx
from panshuffle.crosscheck.columns import MISSING
from panshuffle.crosscheck.mass_tables import BITS, MassTable, point
from panshuffle.crosscheck.reference.model import ANALYZER, Given, Laws, Reference, fixed
from panshuffle.crosscheck.reference.poisson_pools import noise_fit
from panshuffle.crosscheck.reference.tester_ending import Ending
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM

ANSWER = 'output ("not uniform")'
CONSTANT = {f'the answer is always "{answer}"': point(value) for value, answer in enumerate((UNIFORM, NOT_UNIFORM))}
MOST_WORK = 1_000_000  # masses that are multiplied for the law of the answer: about a second


def answer_alone(ending: Ending, chosen: MassTable, lam: Real) -> Reference:
    """The answer where no state is shown.  *Raises* `InputError` where its law takes too long."""
    if not is_quick(ending, len(chosen.masses)):
        raise InputError(
            "the law of this tester's output takes too long to compute, so it is cross-checked by its state: say with"
            " --t when that was looked at"
        )
    constant = [fixed(words, ANALYZER, law) for words, law in CONSTANT.items()]
    others = [fixed(words, area, answer_law(other, chosen)) for words, area, other in ending.mistakes()]

    def laws(mean: Real) -> Laws:
        return (answer_law(replace(ending, mean=mean), chosen),)

    bugs, knobs = (*constant, *others), (noise_fit(ending.n, lam, laws),)
    law = answer_law(ending, chosen)
    return Reference((ANSWER,), (law,), lambda run: (answered(run),), bugs, knobs=knobs, rest=ANALYZER)


def is_quick(ending: Ending, times: int) -> bool:
    """Whether the law of the answer, for so many numbers of used elements, takes no more than about a second."""
    work = ending.work()
    return work is not None and work * times <= MOST_WORK


def answer_law(ending: Ending, chosen: MassTable) -> MassTable:
    """The law of the answer of a run, for a random number of used elements."""
    with ctx.workprec(BITS):
        start, total = (0,) * ending.k, arb(0)
        for used_elements, weight in enumerate(chosen.masses, start=chosen.first):
            total += weight * ending.chance((*start, used_elements))
        p = total.union(total + chosen.tail)
        return MassTable(0, (1 - p, p), arb(0), 0, 1)


def answer_given_state(ending: Ending) -> Given:
    """The answer, given the pools and the elements still used."""
    left = 2 * ending.k + 1

    def key(row: Sequence[int]) -> tuple[int, ...]:
        return *(2 * row[2 * j] - row[2 * j - 1] for j in range(1, ending.k + 1)), row[left]

    def value(row: Sequence[int]) -> int | None:
        return None if row[left + 1] == MISSING else row[left + 1]

    constant = [(words, ANALYZER, lambda key, law=law: law) for words, law in CONSTANT.items()]
    mistakes = (*constant, *((words, area, other.law) for words, area, other in ending.mistakes()))
    return Given(f"{ANSWER} given the state", value, key, ending.law, True, mistakes)


def answered(run: Run) -> int:
    """The answer of a run, 1 for "not uniform".  *Raises* `InputError` for any other."""
    if run.output not in (None, UNIFORM, NOT_UNIFORM):
        raise InputError(f'the output {str(run.output)[:40]} is neither "{UNIFORM}" nor "{NOT_UNIFORM}"')
    return MISSING if run.output is None else int(run.output == NOT_UNIFORM)
