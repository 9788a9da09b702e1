"""Exact and certified answers on the shuffle model and pan-privacy.

Three jobs, each with a function or a method:

* the true privacy of a protocol, and the least noise for a target: `protocol(...).privacy`, `.calibrate`, `.curve`,
  `.attack`, `.accuracy`, and `randomizer(...)` for a local randomizer of one's own;
* the statements of the paper, checked: `verify("hash-collisions")`;
* somebody's implementation against the exact laws: `protocol(...).crosscheck(runs)`, with `.sample` for our own runs.

`plan(...)` says which protocol meets a target, `compose(...)` what several mechanisms reveal together, and
`prove("log(1 + x) <= x", x="> -1")` decides a lemma of one's own.  Numbers are
whole numbers, `Fraction`, `Decimal` or texts in exact notation ("1e-6", "1/3", "log(2)"); a float is refused, since 0.1
is not one tenth.

>>> coins = protocol("binomial", l=20)
>>> coins.privacy(at_exp_eps=2).exact
'4265/262144'
>>> protocol("binomial").calibrate(at_eps=1, at_delta="1e-6").exact
'80'
>>> verify("hash-collisions").verdict
'repaired'
>>> bits = protocol("binary-sum", n=6, p="1/3")
>>> runs = bits.sample(ones=2, runs=200, seed=1)
>>> bits.crosscheck(runs, ones=2).consistent
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from panshuffle.interface import (
        Protocol,
        Randomizer,
        compose,
        from_dp_accounting,
        plan,
        protocol,
        protocol_names,
        prove,
        randomizer,
        to_dp_accounting,
        verify,
    )

__all__ = [
    "Protocol",
    "Randomizer",
    "compose",
    "from_dp_accounting",
    "plan",
    "protocol",
    "protocol_names",
    "prove",
    "randomizer",
    "to_dp_accounting",
    "verify",
]


def __getattr__(name: str) -> object:
    """What is offered, loaded when it is first used: the command line and `--help` need none of it."""
    if name not in __all__:
        raise AttributeError(f"module 'panshuffle' has no attribute {name!r}")
    from panshuffle import interface

    return getattr(interface, name)


def __dir__() -> list[str]:
    return __all__
