"""Q_P for uniformity testing: a robust shuffle tester as an online algorithm, with uniform dummies."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import Labelled
from panshuffle.protocols.model.transformation import collect, in_random_order
from panshuffle.protocols.uniformity import Uniformity

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


TWO_NINTHS = real(Fraction(2, 9))


class State(NamedTuple):
    """The messages so far, as a multiset, and how many of the coming elements are still used."""

    messages: Counter[Labelled]
    n_left: int


@dataclass(frozen=True)
class PanUniformity:
    """The transformation of P_UT for n users; the stream has n/3 elements, of which the first n' are used.

    The printed state holds the messages only, but the update at time i has to know whether i <= n';
    so the state here also holds n' less the elements used so far.
    """

    protocol: Uniformity

    @property
    def length(self) -> int:
        """The number of elements of the stream."""
        return blocks(self.protocol.n)[1]

    def initial(self, coins: Coins) -> State:
        """I_0 = (S o R^{n/3})(U, ..., U), and n' ~ Bin(n, 2/9), capped at n/3."""
        messages = self.dummies(blocks(self.protocol.n)[0], coins)
        return State(messages, min(coins.binomial(self.protocol.n, TWO_NINTHS), self.length))

    def update(self, state: State, x: int, coins: Coins) -> State:
        """I_i = S(I_{i-1}, R(x_i)) for i <= n', and S(I_{i-1}, R(U)) after that."""
        used = x if state.n_left else self.dummy(coins)
        messages = state.messages + Counter(self.protocol.randomize(used, coins))
        return State(messages, max(0, state.n_left - 1))

    def output(self, state: State, coins: Coins) -> str:
        """A(S(I_{n/3}, R^{n/3}(U, ..., U)))."""
        final = state.messages + self.dummies(blocks(self.protocol.n)[2], coins)
        return self.protocol.analyze(in_random_order(final, coins))

    def dummy(self, coins: Coins) -> int:
        """One uniform element of [k]."""
        return 1 + coins.below(self.protocol.k)

    def dummies(self, count: int, coins: Coins) -> Counter[Labelled]:
        """R^count on uniform elements."""
        return collect(self.protocol.randomize(self.dummy(coins), coins) for _ in range(count))
