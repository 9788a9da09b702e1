"""What wrong outputs have in common with the right ones: for the diagnosis, where no known mistake explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, islice, pairwise
from math import ceil, floor, gcd

from panshuffle.crosscheck.reference.model import WrongAnalyzer, as_list, same
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.real import Real

Kept = Sequence[tuple[int, Run, object]]  # the number of a run, the run, and the output that it should have
Pools = list[tuple[int, int]]
MISREAD: dict[str, Callable[[Pools], Pools]] = {
    "the zeros and ones of the pools are exchanged": lambda pools: [(b, a) for a, b in pools],
    "the first pool is read as empty": lambda pools: [(0, 0), *pools[1:]],
    "the last pool is read as empty": lambda pools: [*pools[:-1], (0, 0)],
    "the pools are read from the last to the first": lambda pools: pools[::-1],
    "the pools are read one label too high": lambda pools: [*pools[1:], pools[0]],
    "the pools are read one label too low": lambda pools: [pools[-1], *pools[:-1]],
    "the counts pile up from pool to pool": lambda pools: list(
        accumulate(pools, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    ),
    "the ones pile up from pool to pool": lambda pools: list(accumulate(pools, lambda a, b: (b[0], a[1] + b[1]))),
    "every pool is read as the last one": lambda pools: [pools[-1]] * len(pools),
    "every pool is read as the first one": lambda pools: [pools[0]] * len(pools),
    "every pool is read as all of them together": lambda pools: [
        (sum(a for a, _ in pools), sum(b for _, b in pools)) for _ in pools
    ],
    "only the first pool is read": lambda pools: [pools[0], *((0, 0) for _ in pools[1:])],
    "only the last pool is read": lambda pools: [*((0, 0) for _ in pools[1:]), pools[-1]],
    "one message with a one is missed in every pool": lambda pools: [(a, max(0, b - 1)) for a, b in pools],
    "one message with a zero is missed in every pool": lambda pools: [(max(0, a - 1), b) for a, b in pools],
}
"""How an analyzer may misread pools."""
PARTS = (2, 3, 4, 5, 6, 8, 10)  # of the messages, one or all but one of which an analyzer may read
FINISHES: dict[str, Callable[[float], object] | None] = {
    "": None,
    ", and negative values are set to 0": lambda x: max(0.0, x),
    ", rounded": round,
    ", rounded down": floor,
    ", rounded, and negative values are set to 0": lambda x: max(0, round(x)),
    ", rounded up": ceil,
    ", cut to a whole number": int,
    ", rounded to one decimal": lambda x: round(x, 1),
    ", rounded to two decimals": lambda x: round(x, 2),
    ", rounded to tens": lambda x: round(x, -1),
    ", and the sign is lost": abs,
    ", negated": lambda x: -x,
}
"""What may be done with a value before it is put out."""
SOUND = "the value is right"
MOST_MISTAKES = 3  # mistakes of an analyzer that one sentence names
MOST_OUTPUTS = 50  # wrong outputs that a known mistake of the analyzer has to explain
RARE = 0.1  # of all runs, with a wrong output: single outputs are wrong, not the analyzer
FEW = 5  # outputs that have to agree before what they have in common says anything
MOST_MODULUS = 64
WORDS = {8, 15, 16, 31, 32, 63, 64}  # bits of numbers that wrap around
CLOSE = 1e-6  # how near two numbers are that are taken to be equal


def known_mistake(
    wrong_analyzers: Sequence[WrongAnalyzer], output: Callable[[Run], object] | None, wrong: Kept, right: Kept
) -> str | None:
    """The known mistake that explains all outputs: of an analyzer, of what it reads, or of what becomes of a value."""
    runs = [run for _, run, _ in (*wrong[:MOST_OUTPUTS], *right)]
    sound = [WrongAnalyzer(SOUND, output)] if output is not None else []
    misread = (
        [WrongAnalyzer(name, seen_as(output, read)) for name, read in MISREAD.items()] if output is not None else []
    )
    misread += [WrongAnalyzer(name, only_some(output, name)) for name in missed(0)] if output is not None else []
    parts = ((wrong_analyzers, [""]), (sound, FINISHES), (misread, [""]), ((*wrong_analyzers, *misread), FINISHES))
    for some, finishes in parts:
        tried = ((mistake, words) for words in finishes for mistake in some)
        found = (
            mistake.name + words
            for mistake, words in tried
            if all(agrees(mistake, FINISHES[words], run) for run in runs)
        )
        names = list(dict.fromkeys(islice(found, MOST_MISTAKES)))
        if names:
            return ("several mistakes fit: " if len(names) > 1 else "") + "; or: ".join(names)
    return None


def agrees(mistake: WrongAnalyzer, finish: Callable[[float], object] | None, run: Run) -> bool:
    """Whether a mistaken analyzer, whose value something is done with, gives the output of a run."""
    if finish is None:
        return mistake.explains(run)
    values = [finish(float(x)) if isinstance(x, (int, float, Real)) else x for x in as_list(mistake.output(run))]
    return same(values, as_list(run.output))


def missed(size: int) -> dict[str, slice]:
    """Parts of so many messages that an analyzer may read in place of all of them."""
    found = {
        "the first message is missed": slice(1, None),
        "the last message is missed": slice(None, -1),
        "every second message is missed": slice(None, None, 2),
        "the first of every two messages is missed": slice(1, None, 2),
    }
    for parts in PARTS:
        found[f"only the first of {parts} parts of the messages is read"] = slice(size // parts)
        found[f"the last of {parts} parts of the messages is not read"] = slice(size - size // parts)
    return found


def only_some(output: Callable[[Run], object], name: str) -> Callable[[Run], object]:
    """The right analyzer of some of the messages, in the order in which they are shown."""

    def of(run: Run) -> object:
        messages = run.messages or ()
        read = Counter(messages[missed(len(messages))[name]])
        return output(replace(run, pools={j: (read[j, 0], read[j, 1]) for j, _ in read}))

    return of


def seen_as(output: Callable[[Run], object], read: Callable[[Pools], Pools]) -> Callable[[Run], object]:
    """The right analyzer of pools that are read wrongly."""

    def of(run: Run) -> object:
        pools = run.pools_up_to(max(run.pools or (1,)))
        return output(replace(run, pools=dict(enumerate(read(pools), start=1))))

    return of


def plain(everything: Kept) -> str | None:
    """What all outputs have in common so plainly that no mistake of the analyzer need be compared with them."""
    outputs = [run.output for _, run, _ in everything]
    if len(outputs) < FEW:
        return None
    first = outputs[0]
    if isinstance(first, str) and set(outputs) == {first} and len({expected for *_, expected in everything}) > 1:
        return (
            f'the answer is always "{first}": the statistic does not depend on the pools, or never meets its threshold'
        )
    pairs = [pair for _, run, expected in everything for pair in numbers(expected, run.output)]
    if any(a > 0 for a, _ in pairs) and any(b < 0 for _, b in pairs) and all(b <= 0 and a * b == 0 for a, b in pairs):
        return "values above 0 are set to 0, not those below: the wrong side is cut off"
    return of_modulus(everything)


def of_modulus(everything: Kept) -> str | None:
    """The number modulo which the ones are counted, where there is one."""
    counted = [(sum(b for _, b in (run.pools or {}).values()), run.output) for _, run, _ in everything]
    if not all(type(output) is int and 0 <= output < MOST_MODULUS for _, output in counted):
        return None
    for modulus in range(3, MOST_MODULUS):
        all_fit = all(ones % modulus == output for ones, output in counted)
        if all_fit and len({ones for ones, _ in counted if ones >= modulus}) >= FEW:
            return f"the ones are counted modulo {modulus}"
    return None


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
    if found is None and mistaken > RARE * runs:
        whole = len(everything) == runs
        found = (of_places(wrong, right) if lists else None) or (of_part(wrong, right) if whole else None)
    return found or of_some(wrong, everything, mistaken, runs)


def of_places(wrong: Kept, right: Kept) -> str | None:
    """What the outputs at some places of a list are, where those at all others are right."""
    pairs = [list(zip(as_list(expected), as_list(run.output), strict=False)) for _, run, expected in (*wrong, *right)]
    size = min(map(len, pairs))
    off = [j for j in range(size) if not all(same(*row[j]) for row in pairs)]
    if not 0 < len(off) < size:
        return None
    values = [pair for row in pairs for j in off for pair in numbers(*row[j])]
    found = of_numbers(values) if len(values) == len(pairs) * len(off) else None
    return f"only output {', '.join(str(j + 1) for j in off)} is wrong" + (f": {found}" if found else "")


def of_part(wrong: Kept, right: Kept) -> str | None:
    """When, or for which values, outputs are wrong, and what they then are, where others are right."""
    if len(wrong) < FEW or not right:
        return None
    found = of_numbers([pair for _, run, expected in wrong for pair in numbers(expected, run.output)] or [(0, 0)])
    then = f": {found}" if found else ""
    late, early = [number for number, _, _ in wrong], [number for number, _, _ in right]
    if min(late) > max(early):
        return f"outputs are wrong from run {min(late)} on{then}"
    if max(late) < min(early):
        return f"outputs are wrong up to run {max(late)}{then}"
    if (step := step_between(wrong)) > 1 and not any((number - late[0]) % step == 0 for number in early):
        return f"the outputs of one run in {step} are wrong{then}"
    ours, theirs = ([x for _, run, a in part for x, _ in numbers(a, run.output)] for part in (wrong, right))
    if len(ours) == len(wrong) and len(theirs) == len(right) and min(ours) > max(theirs):
        return f"outputs are wrong where they should be more than {max(theirs):.6g}{then}"
    if len(ours) == len(wrong) and len(theirs) == len(right) and max(ours) < min(theirs):
        return f"outputs are wrong where they should be less than {min(theirs):.6g}{then}"
    return None


def step_between(wrong: Kept) -> int:
    """The number of runs that wrong outputs are always a multiple of apart."""
    return gcd(*(number - wrong[0][0] for number, _, _ in wrong))


def of_lists(lists: Sequence[tuple[list[object], list[object]]]) -> str | None:
    """What lists of outputs have in common."""
    if all(same(list(reversed(a)), b) for a, b in lists):
        return "the outputs are given in reverse order"
    values = [([float(x) for x, _ in pairs], [y for _, y in pairs]) for pairs in (numbers(a, b) for a, b in lists)]
    if len(values) < FEW or any(len(a) != len(lists[0][0]) or len(a) < 2 for a, _ in values):
        return None
    if any(all(all(map(near, sorted(a, reverse=down), b)) for a, b in values) for down in (False, True)):
        return "the outputs are sorted"
    flat = [(x, y) for a, b in values for x, y in zip(a, b, strict=True)]
    small, large = [x for x, y in flat if y == 0 != x], [x for x, y in flat if y != 0]
    if small and large and max(small) < min(large) and all(near(x, y) for x, y in flat if y):
        return f"values below {min(large):.6g} are set to 0: small ones are suppressed"
    for place, column in enumerate(zip(*(b for _, b in values), strict=True)):
        if len(set(column)) == 1 and len({a[place] for a, _ in values}) > 1:
            return f"output {place + 1} is always {column[0]:.6g}"
    if all(all(map(near, accumulate(a), b)) for a, b in values):
        return "the outputs are running sums"
    sums = {round(sum(b), 6) for _, b in values}
    if len(sums) == 1 and len({round(sum(a), 6) for a, _ in values}) > 1:
        return f"the outputs are scaled, or moved, to the sum {sums.pop():.6g}"
    most = max(sums)
    if len(sums) > 1 and all(
        abs(y * sum(a) - x * most) <= sum(a) for a, b in values for x, y in zip(a, b, strict=True)
    ):
        return f"the outputs are scaled to the sum {most:.6g}, and rounded"
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
        step = step_between(wrong)
        often = f", that of one run in {step}" if step > 1 and mistaken >= FEW else ""
        return f"single outputs are wrong: {mistaken} of {runs}{often}, all others are right"
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
    if low == high and len(pairs) >= FEW and any(not near(a, b) for a, b in pairs):
        return f"the output does not depend on the pools: it is always {low:.6g}"
    if low < high and all(near(b, min(max(a, low), high)) for a, b in pairs):
        return f"the output is clipped to {low:.6g}..{high:.6g}"
    if all(abs(a - b) <= 1 and b == round(b) for a, b in pairs) and any(a != round(a) for a, _ in pairs):
        return "the output is rounded to a whole number"
    return affine(pairs) or wrapping(pairs)


def wrapping(pairs: Sequence[tuple[float, float]]) -> str | None:
    """The size of a word that wrong numbers wrap around in, where there is one."""
    off = [round(abs(b - a)) for a, b in pairs if not near(a, b)]
    sizes = {(by - 1).bit_length() for by in off}  # what lies below 0 may have been meant to be cut off there
    if len(sizes) != 1 or not sizes <= WORDS or 16 * min(off) <= 15 * 2 ** max(sizes):
        return None
    return f"numbers wrap around at 2^{sizes.pop()}, as those without a sign do below 0: an overflow"


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
