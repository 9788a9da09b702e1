"""The family prover: a claim for all n, exactly up to some n and by an analytic tail beyond."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from symbolic.answer import Answer, Status
from symbolic.exhaustive import TIER


def check_family(
    claim: Callable[[int], bool | None],
    start: int,
    last: int,
    tail: Callable[[], Answer] | None = None,
    describe: Callable[[int], str] = "n = {}".format,
    indices: Iterable[int] | None = None,
) -> Answer:
    """Proved if the claim holds at each n from start to last, and the tail is proved, which is about every n > last.

    Without a tail the family ends at `last`.  `indices` restricts it, for example to multiples of 3.  The claim is
    decided exactly; None leaves the family undecided unless a later n refutes it.  The tier is the tail's, because
    that is the weaker evidence.

    >>> check_family(lambda n: 2**n >= n * n, 4, 50).status
    <Status.PROVED: 'proved'>
    >>> check_family(lambda n: 2**n >= n * n, 2, 50).witness
    'n = 3'
    """
    cases = range(start, last + 1) if indices is None else [n for n in indices if start <= n <= last]
    results = {}
    for n in cases:
        results[n] = claim(n)
        if results[n] is False:
            return Answer(Status.REFUTED, TIER, describe(n))
    if not results or not all(value is True for value in results.values()):
        return Answer(Status.UNDECIDED, TIER)
    if tail is None:
        return Answer(Status.PROVED, TIER)
    beyond = tail()
    if beyond.status is Status.PROVED:
        return Answer(Status.PROVED, beyond.tier)
    return Answer(Status.UNDECIDED, TIER)
