"""The exact law of an algorithm, by running it under every outcome of its coins."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import comb


class AllCoins:
    """Coins that follow a script of choices and note the branches that were open.

    Only draws with finitely many outcomes and rational masses can be enumerated.  A shuffle is left out:
    outcomes must be functions of counts.
    """

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.choices: list[tuple[int, int]] = []
        self.mass = Fraction(1)

    def choose(self, masses: list[Fraction]) -> int:
        position = len(self.choices)
        choice = self.script[position] if position < len(self.script) else 0
        self.choices.append((choice, len(masses)))
        self.mass *= masses[choice]
        return choice

    def below(self, bound: int) -> int:
        return self.choose([Fraction(1, bound)] * bound)

    def bits(self, count: int) -> int:
        return self.below(2**count)

    def bit_list(self, count: int) -> list[int]:
        value = self.bits(count)
        return [value >> i & 1 for i in range(count)]

    def bernoulli(self, p) -> int:
        return self.choose([1 - p.fraction, p.fraction])

    def binomial(self, n: int, p) -> int:
        q = p.fraction
        return self.choose([comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(n + 1)])

    def shuffled(self, items: Iterable) -> list:
        return list(items)


def law_of(algorithm: Callable) -> dict:
    """outcome -> exact mass, over all coins."""
    law: dict = {}
    script: list[int] | None = []
    while script is not None:
        coins = AllCoins(script)
        outcome = algorithm(coins)
        if coins.mass:
            law[outcome] = law.get(outcome, Fraction(0)) + coins.mass
        script = following([choice for choice, _ in coins.choices], [size for _, size in coins.choices])
    return law


def following(choices: list[int], sizes: list[int]) -> list[int] | None:
    """The next script in lexicographic order."""
    for position in range(len(choices) - 1, -1, -1):
        if choices[position] + 1 < sizes[position]:
            return [*choices[:position], choices[position] + 1]
    return None
