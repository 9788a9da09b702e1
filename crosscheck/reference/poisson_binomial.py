"""The Poisson-binomial sum: one pool of flipped bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from panshuffle.crosscheck.mass_tables import MassTable, bernoulli, binomial, mixture, point, stretched
from panshuffle.crosscheck.reference.bit_families import DEAR, crowd, pools_of
from panshuffle.crosscheck.reference.bit_pools import Bits, arranged, flip_bugs
from panshuffle.crosscheck.reference.model import DATA, DROPOUTS, MESSAGES, NOISE, POOLS, Bug, Reference, Slip, fixed
from panshuffle.crosscheck.reference.pools import pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.real import Real
from panshuffle.protocols.poisson_binomial import PoissonBinomial


@dataclass(frozen=True)
class Copies(Bits):
    """Every user sends their bit m times, each flipped with probability p: as many users, who send one bit each."""

    m: int = 1

    def suspicions(self) -> Iterator[Bug]:
        """Copies of a bit that are not flipped independently."""
        m, p = self.m, self.p
        flips = {"all copies of a bit are flipped together": stretched(bernoulli(p), m)}
        if m * p <= 1:
            flips["at most one of the copies of a bit is flipped"] = bernoulli(m * p)
        flips["only one of the copies of a bit is flipped, with probability p"] = bernoulli(p)
        users, held = self.users // m, self.counts[0] // m
        masses = enumerate(binomial(m, p).masses)
        alike = mixture([(mass, point(held * (m - flipped) + (users - held) * flipped)) for flipped, mass in masses])
        yield Bug("all users flip alike", POOLS, partial(pools_of, self.users, [alike]))
        words = "only one of the copies carries the bit, the others a 0"
        yield self.but(words, DATA, counts=tuple(c // m for c in self.counts))
        for lost, again in product((0, 1), repeat=2):
            rest, others = held - lost - again, users - 2
            if 0 <= rest <= others:
                twice = stretched(binomial(m, 1 - p if again else p), 2)
                both = twice.plus(binomial(rest * m, 1 - p)).plus(binomial((others - rest) * m, p))
                words = f"a user whose bit is {lost} sends the messages of another, whose bit is {again}, once more"
                yield replace(fixed(words, DROPOUTS, *pools_of(self.users, [both])), price=DEAR)
        flips["one of the copies of a bit is sent as it is, not flipped"] = binomial(m - 1, p)
        flips["each copy is flipped from the copy before, not from the bit"] = piled_up(m, p)
        for name, law in flips.items():
            counts = [c // m for c in self.counts]
            ones = crowd((law.negated().moved(m), law), self.users // m, counts)
            area = POOLS if "together" in name else NOISE
            yield Bug(name, area, partial(pools_of, self.users, ones))


def piled_up(m: int, p: Real) -> MassTable:
    """How many of m copies are unlike the bit, where each is flipped from the one before."""
    law = {(0, 0): 1.0}
    for _ in range(m):
        step: dict[tuple[int, int], float] = {}
        for (now, count), mass in law.items():
            for flip, chance in ((0, 1 - float(p)), (1, float(p))):
                key = now ^ flip, count + (now ^ flip)
                step[key] = step.get(key, 0.0) + mass * chance
        law = step
    return mixture([(mass, point(count)) for (_, count), mass in law.items()])


def reference(record: PoissonBinomial, data: Sequence[int]) -> Reference:
    """The ones of m bits a user."""
    good = copies(record, data, record.m)
    bugs = (*flip_bugs(good, record.n * record.m), *copy_bugs(record, data, good))
    return pool_reference(
        good,
        1,
        bugs,
        lambda run: record.analyze_pools(run.pools_up_to(1)),
        slips(record),
        knobs=good.knobs(),
        relabelled=False,
        arrangement=arranged((1, x) for x in data for _ in range(record.m)),
        n=record.n * record.m,
    )


def copies(record: PoissonBinomial, data: Sequence[int], m: int) -> Copies:
    """The setting where every user sends m bits."""
    return Copies(len(data) * m, (sum(data) * m,), record.p, kind="flip", m=m)


def copy_bugs(record: PoissonBinomial, data: Sequence[int], good: Bits) -> Iterator[Bug]:
    """Mistakes in the number of copies."""
    for m in {record.m - 1, record.m + 1, 2 * record.m, 1} - {0, record.m}:
        other = copies(record, data, m)
        yield good.but("a wrong number of bits a user", MESSAGES, users=other.users, counts=other.counts)


def slips(record: PoissonBinomial) -> tuple[Slip, ...]:
    """Likely mistakes of the analyzer."""
    m, p, n = record.m, record.p, record.n

    def ones(run: Run) -> int:
        return run.pool(1)[1]

    def right(run: Run) -> Real:
        return record.analyze_pools([run.pool(1)])

    return (
        Slip("the number of ones is put out", ones),
        Slip("the mean is subtracted, but there is no division", lambda run: ones(run) - sum(run.pool(1)) * p),
        Slip("the estimate divides by 1 - p, not 1 - 2p", lambda run: (1 - 2 * p) / (1 - p) * right(run)),
        Slip("the estimate is not divided by m", lambda run: m * right(run)),
        Slip("the mean of all n users is subtracted", lambda run: (ones(run) - n * m * p) / (m * (1 - 2 * p))),
        Slip("the zeros are counted", lambda run: record.analyze_pools([run.pool(1)[::-1]])),
    )
