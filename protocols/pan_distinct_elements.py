"""Q_P for distinct elements: a robust shuffle protocol as an online algorithm, with dummy 1s."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import Real
from panshuffle.protocols.model.shuffle import Labelled, ShuffleProtocol
from panshuffle.protocols.model.transformation import collect, in_random_order

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


DUMMY = 1


@dataclass(frozen=True)
class PanDistinctElements:
    """The transformation of a protocol P for n users; the stream has n/3 elements.

    A state of the paper is a shuffled vector, that is, a multiset in uniformly random order; the state
    here is the multiset.  The paper states an integer in [k] as the output; it is what the analyzer
    of P returns, for P_DE a real number that may be negative.
    """

    protocol: ShuffleProtocol[int, Labelled, Real]

    @property
    def length(self) -> int:
        """The number of elements of the stream."""
        return blocks(self.protocol.n)[1]

    def initial(self, coins: Coins) -> Counter[Labelled]:
        """I_0 = (S o R^{n/3})(1, ..., 1)."""
        return self.dummies(blocks(self.protocol.n)[0], coins)

    def update(self, state: Counter[Labelled], x: int, coins: Coins) -> Counter[Labelled]:
        """I_i = S(I_{i-1}, R(x_i))."""
        return state + Counter(self.protocol.randomize(x, coins))

    def output(self, state: Counter[Labelled], coins: Coins) -> Real:
        """A(S(I_{n/3}, R^{n/3}(1, ..., 1)))."""
        final = state + self.dummies(blocks(self.protocol.n)[2], coins)
        return self.protocol.analyze(in_random_order(final, coins))

    def dummies(self, count: int, coins: Coins) -> Counter[Labelled]:
        """R^count(1, ..., 1)."""
        return collect(self.protocol.randomize(DUMMY, coins) for _ in range(count))
