"""The example of section 2.3: the analyzer estimates both sums from two unlabelled bits a user."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation

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


def sums(data: Dataset) -> tuple[int, int]:
    """Both sums."""
    return sum(row[0] for row in data), sum(row[1] for row in data)


def separates(labelled: bool, p: Fraction) -> Step:
    """Datasets with different pairs of sums give different laws; otherwise no analyzer is unbiased for both."""
    rows = [(first, second) for first in (0, 1) for second in (0, 1)]
    datasets: list[Dataset] = [*product(rows, repeat=1), *product(rows, repeat=2)]
    pairs = [(x, y) for x in datasets for y in datasets if len(x) == len(y) and sums(x) != sums(y)]
    kind = "labelled" if labelled else "unlabelled"
    return exhaustive(
        f"{kind} bits, p = {p}, n <= 2: datasets with other sums give other laws of the messages",
        lambda pair: law_of_messages(pair[0], p, labelled) != law_of_messages(pair[1], p, labelled),
        pairs,
        lambda pair: f"p = {p}: the datasets {pair[0]} and {pair[1]} have other sums but one law of the messages",
    )


STATEMENT = Statement(
    where="section 2.3, the example after the definition of shuffle privacy",
    kind="prose",
    printed="Each user flips both bits with probability p and sends the two randomized bits; from the 2n shuffled messages the analyzer can recover unbiased estimates of both sums by "
    "rescaling according to p and n.",
    steps=(
        kernel_refutation(
            "two-bits-refuted",
            "for every p and n >= 1: (0, 1) and (1, 0) have other first sums but one law of the messages, so no estimate is unbiased for both",
        ),
    ),
    why="The shuffler mixes first and second bits: only the sum of both sums is left. Two datasets with other sums and one law of the messages have one mean of any estimate, so it "
    "cannot be unbiased for both.",
    severity="false",
    repair=Repair(
        "Each bit is sent with its position; the count c of ones with that position gives the unbiased (c - pn)/(1 - 2p).",
        (kernel("labelled-bits"),),
    ),
    survives="Nothing rests on the example.",
    twins=(
        separates(labelled=False, p=Fraction(1, 5)),
        separates(labelled=True, p=Fraction(1, 2)),
    ),
)
