"""Fifth zoo: the tools that its modules share."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

from tests.blind_zoo_bug import Bug, bug, evidence_of
from tests.blind_zoo_draws import convolved, entropy
from tests.blind_zoo_online import machine


def known(name, scene, area, cause, runs, laws, right=None, **changes) -> Bug:
    """A bug of replaced steps whose laws are given; `right` defaults to the laws of the right machine."""
    evidence = evidence_of(laws, right or machine(scene).coordinates(), runs)
    return bug(name, scene, area, cause, runs, evidence, **changes)


def counted(name, scene, area, cause, runs, **changes) -> Bug:
    """A bug of replaced steps after which the wrong machine still tells its own laws."""
    return known(name, scene, area, cause, runs, machine(scene, **changes).coordinates(), **changes)


def mapped(law, change):
    """The law of a function of a value."""
    total = Counter()
    for value, mass in law.items():
        total[change(value)] += mass
    return dict(total)


def mixed(parts):
    """The law of a value drawn from one of some laws, each as likely as the others."""
    parts, total = list(parts), Counter()
    for law in parts:
        for value, mass in law.items():
            total[value] += mass / len(parts)
    return dict(total)


def folded(law, count):
    """The law of a sum of so many independent values of one law."""
    total = {0: 1.0}
    for _ in range(count):
        total = convolved(total, law)
    return total


def together(laws):
    """The law of the vector of independent quantities."""
    return {
        tuple(value for value, _ in items): math.prod(mass for _, mass in items)
        for items in product(*(law.items() for law in laws))
    }


def vectors_summed(parts):
    """The law of a sum of independent vectors."""
    total = {(0,) * len(next(iter(parts[0]))): 1.0}
    for part in parts:
        new = Counter()
        for (a, p), (b, q) in product(total.items(), part.items()):
            new[tuple(map(sum, zip(a, b, strict=True)))] += p * q
        total = dict(new)
    return total


def well_shuffled(law, size):
    """The entropy of so many bits in a random order, of which a number of this law are ones."""
    return entropy(law) + sum(mass * math.log(math.comb(size, ones)) for ones, mass in law.items() if mass > 0)


def flat(vectors):
    """The messages of all users, one user after the other."""
    return [message for vector in vectors for message in vector]
