"""What wrong outputs have in common with the right ones: for the diagnosis, where no known mistake explains them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from crosscheck.reference.model import as_list, same
from crosscheck.runs import Run
from exact.numbers.real import Real

Kept = Sequence[tuple[int, Run, object]]
"""The number of a run, the run, and the output that it should have."""
RARE = 0.1  # of all runs, with a wrong output: single outputs are wrong, not the analyzer
FEW = 5  # outputs that have to agree before what they have in common says anything
CLOSE = 1e-6  # how near two numbers are that are taken to be equal


def relation(wrong: Kept, right: Kept, mistaken: int, runs: int) -> str | None:
    """The relation in words, or None where none is known."""
    everything = sorted((*wrong, *right), key=lambda kept: kept[0])
    if of_the_run_before(everything):
        return "the output is that of the run before"
    lists = [(as_list(expected), run.output) for _, run, expected in everything if isinstance(run.output, list)]
    found = of_lists(lists) if lists and len(lists) == len(everything) else None
    pairs = [pair for _, run, expected in everything for pair in numbers(expected, run.output)]
    if found is None and len(pairs) >= len(everything) > 1:
        found = of_numbers(pairs)
    return found or of_some(wrong, everything, mistaken, runs)


def of_lists(lists: Sequence[tuple[list[object], list[object]]]) -> str | None:
    """What lists of outputs have in common."""
    if all(same(list(reversed(a)), b) for a, b in lists):
        return "the outputs are given in reverse order"
    values = [([float(x) for x, _ in pairs], [y for _, y in pairs]) for pairs in (numbers(a, b) for a, b in lists)]
    if len(values) < FEW or any(len(a) != len(lists[0][0]) or len(a) < 2 for a, _ in values):
        return None
    if any(all(all(map(near, sorted(a, reverse=down), b)) for a, b in values) for down in (False, True)):
        return "the outputs are sorted"
    for place, column in enumerate(zip(*(b for _, b in values), strict=True)):
        if len(set(column)) == 1 and len({a[place] for a, _ in values}) > 1:
            return f"output {place + 1} is always {column[0]:.6g}"
    sums = {round(sum(b), 6) for _, b in values}
    if len(sums) == 1 and len({round(sum(a), 6) for a, _ in values}) > 1:
        return f"the outputs are scaled, or moved, to the sum {sums.pop():.6g}"
    return None


def of_some(wrong: Kept, everything: Kept, mistaken: int, runs: int) -> str | None:
    """What single wrong outputs have in common, or answers that are texts."""
    expected = {number: value for number, _, value in everything}
    near_by = [(run, [expected[i] for i in (number - 1, number + 1) if i in expected]) for number, run, _ in wrong]
    beside = sum(any(same(value, run.output) for value in values) for run, values in near_by)
    answers = {run.output for _, run, _ in wrong if isinstance(run.output, str)}
    if len(wrong) >= FEW and all(isinstance(run.output, str) for _, run, _ in wrong) and len(answers) == 1:
        words = f'{mistaken} of {runs} answers are "{answers.pop()}" and should not be, none the reverse'
        return f"another threshold, or equality counts otherwise, or another statistic: {words}"
    if len(wrong) >= FEW and beside > len(wrong) / 2 and mistaken <= RARE * runs:
        return f"outputs of neighbouring runs are exchanged: {mistaken} of {runs} are wrong"
    if mistaken <= RARE * runs:
        return f"single outputs are wrong: {mistaken} of {runs}, all others are right"
    if all(isinstance(run.output, str) for _, run, _ in wrong):
        return f"another threshold or statistic: {mistaken} of {runs} answers are the other one"
    return None


def of_the_run_before(everything: Kept) -> bool:
    """Whether every output is the one that the run before should have had."""
    neighbours = [(a, b) for a, b in pairwise(everything) if b[0] == a[0] + 1]
    differ = sum(not same(a[2], b[1].output) for a, b in neighbours)
    return len(neighbours) > 4 and differ == 0 and any(not same(b[2], b[1].output) for _, b in neighbours)


def numbers(expected: object, output: object) -> list[tuple[float, float]]:
    """Pairs of numbers that should be equal."""
    found = []
    for a, b in zip(as_list(expected), as_list(output), strict=False):
        if isinstance(a, (int, float, Real)) and isinstance(b, (int, float)) and not isinstance(b, bool):
            found.append((float(a), float(b)))
    return found


def of_numbers(pairs: Sequence[tuple[float, float]]) -> str | None:
    """What the outputs are in place of the right numbers."""
    low, high = min(b for _, b in pairs), max(b for _, b in pairs)
    if low == high and len(pairs) >= FEW and len({a for a, _ in pairs}) > 1:
        return f"the output does not depend on the pools: it is always {low:.6g}"
    if low < high and all(near(b, min(max(a, low), high)) for a, b in pairs):
        return f"the output is clipped to {low:.6g}..{high:.6g}"
    if all(abs(a - b) <= 1 and b == round(b) for a, b in pairs) and any(a != round(a) for a, _ in pairs):
        return "the output is rounded to a whole number"
    return affine(pairs)


def affine(pairs: Sequence[tuple[float, float]]) -> str | None:
    """The straight line through the points, where there is one."""
    (x0, y0), (x1, y1) = min(pairs), max(pairs)
    if x0 == x1:
        return None
    slope = (y1 - y0) / (x1 - x0)
    constant = y0 - slope * x0
    if not all(near(b, slope * a + constant) for a, b in pairs):
        return None
    if near(slope, 1.0):
        return f"the output is off by a constant: {constant:+.6g}"
    if near(constant, 0.0):
        return f"the output is {slope:.6g} times what it should be"
    return f"the output is {slope:.6g} times what it should be, {constant:+.6g}"


def near(a: float, b: float) -> bool:
    """Whether two numbers are about equal."""
    return abs(a - b) <= CLOSE * max(1.0, abs(a), abs(b))
