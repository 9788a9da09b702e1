"""Second zoo: generators of its own that are weak, shared, or made anew too often."""

from __future__ import annotations

from random import Random


class Antithetic(Random):
    """Each number is followed by its complement."""

    last: float | None = None

    def random(self) -> float:
        if self.last is None:
            self.last = super().random()
            return self.last
        number, self.last = 1 - self.last, None
        return min(number, 1 - 2**-53)

    def getrandbits(self, k: int) -> int:
        return super().getrandbits(k)


class VanDerCorput(Random):
    """A quasi-random sequence: evenly spread, not random."""

    place = 0

    def random(self) -> float:
        self.place += 1
        return int(f"{self.place:032b}"[::-1], 2) / 2**32

    def getrandbits(self, k: int) -> int:
        return super().getrandbits(k)


class MiddleSquare(Random):
    """Von Neumann's generator on eight digits, started again where it dies."""

    word = 0
    start = 0

    def step(self) -> int:
        self.word = self.word * self.word // 10**4 % 10**8
        if self.word < 10**4:
            self.start += 1
            self.word = 61857431 + 10007 * self.start
        return self.word

    def random(self) -> float:
        return self.step() / 10**8

    def getrandbits(self, k: int) -> int:
        total = 0
        for _ in range(0, k, 8):
            total = total << 8 | self.step() // 1000 % 256
        return total % (1 << k)


class LowBitCongruential(Random):
    """x -> 5x + 3 mod 2^16, of which the lowest bits are used for bits."""

    word = 1

    def step(self) -> int:
        self.word = (5 * self.word + 3) % (1 << 16)
        return self.word

    def random(self) -> float:
        return self.step() / (1 << 16)

    def getrandbits(self, k: int) -> int:
        return sum((self.step() & 1) << i for i in range(k))


class Alternating(Random):
    """Fractions from the lower and the upper half in turn: the sequence is too even."""

    turn = 0

    def random(self) -> float:
        self.turn ^= 1
        return (super().random() + self.turn) / 2

    def getrandbits(self, k: int) -> int:
        return super().getrandbits(k)


class TenThousandNumbers(Random):
    """A file of 10,000 numbers, read in a circle."""

    def __init__(self, rng: Random):
        super().__init__(0)
        self.file = [rng.random() for _ in range(10_000)]
        self.place = 0

    def random(self) -> float:
        self.place = (self.place + 1) % len(self.file)
        return self.file[self.place]

    def getrandbits(self, k: int) -> int:
        return sum((self.random() < 0.5) << i for i in range(k))


class Faulty(Random):
    """A hardware source that sticks at 0 for ten words, once in about two thousand."""

    left = 0

    def random(self) -> float:
        self.left = self.left - 1 if self.left else 10 * (super().getrandbits(11) == 0)
        return 0.0 if self.left else super().random()

    def getrandbits(self, k: int) -> int:
        return super().getrandbits(k)


def started(kind: type[Random]):
    """A generator of this kind, started from the good one."""

    def source(rng: Random) -> Random:
        weak = kind(rng.getrandbits(32))
        if isinstance(weak, MiddleSquare | LowBitCongruential):
            weak.word = rng.getrandbits(16) | 1
        return weak

    return source
