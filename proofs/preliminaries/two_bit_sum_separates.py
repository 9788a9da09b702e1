"""The example of section 2.3: the analyzer estimates both sums from two unlabelled bits a user."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.exhaustive import check_all

Dataset = tuple[tuple[int, int], ...]


def law_of_messages(data: Dataset, p: Fraction, labelled: bool) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """The law of the shuffled messages, as a multiset, when each bit is flipped with probability p."""
    law: dict[tuple[tuple[int, int], ...], Fraction] = {}
    for flips in product((0, 1), repeat=2 * len(data)):
        bits = [bit for row in data for bit in row]
        messages = sorted(
            (i % 2 if labelled else 0, bit ^ flip) for i, (bit, flip) in enumerate(zip(bits, flips, strict=True))
        )
        mass = Fraction(1)
        for flip in flips:
            mass *= p if flip else 1 - p
        law[tuple(messages)] = law.get(tuple(messages), Fraction(0)) + mass
    return law


def check(labelled: bool) -> Answer:
    """Datasets with different pairs of sums give different laws; otherwise no analyzer is unbiased for both."""
    rows = [(first, second) for first in (0, 1) for second in (0, 1)]
    datasets: list[Dataset] = [*product(rows, repeat=1), *product(rows, repeat=2)]
    pairs = [(x, y) for x in datasets for y in datasets if len(x) == len(y) and sums(x) != sums(y)]
    quarter = Fraction(1, 4)
    return check_all(
        lambda pair: law_of_messages(pair[0], quarter, labelled) != law_of_messages(pair[1], quarter, labelled),
        pairs,
        lambda pair: f"p = 1/4: the datasets {pair[0]} and {pair[1]} have other sums but one law of the messages",
    )


def sums(data: Dataset) -> tuple[int, int]:
    """Both sums."""
    return sum(row[0] for row in data), sum(row[1] for row in data)


STATEMENT = Statement(
    label=None,
    where="section 2.3, the example after the definition of shuffle privacy",
    printed="From 2n shuffled bits without labels the analyzer can recover unbiased estimates of both sums.",
    check=lambda: check(labelled=False),
    repair="Each bit is sent with its position.",
)
