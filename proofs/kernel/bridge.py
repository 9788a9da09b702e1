"""The bridge between the two worlds: numbers that Python computed become theorems that Coq checks by computation.

`replay` turns a claim about the binomial mechanism into a Coq file, with a theorem about every 1-sensitive function;
`compare_share_law` lets Coq compute the law of the shares and compares it with the one that `exact.laws` computes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.laws.law import convolution, law_of_shares
from panshuffle.proofs.kernel.certificates import FORMS, LARGEST_L, Numbers, stated
from panshuffle.proofs.kernel.coq import checker_faults, coqc, first_error
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.kernel.replay import Theorem, built, proved, refused
from panshuffle.proofs.kernel.sources import LIBRARY
from panshuffle.proofs.kernel.targets import Target
from panshuffle.proofs.verdict import KERNEL
from panshuffle.symbolic.decision import Decision, Status

SHARES = "ShareLaw"
COMPARE = """From Coq Require Import ZArith List.
From {library} Require Import ShareLaw.
Import ListNotations.
Open Scope Z_scope.

"""


def certificate_theorem(l: int, exp_eps: Fraction, delta: Fraction, p: Fraction = Fraction(1, 2)) -> Theorem:
    """The Coq file that replays: f(x) + Bin(l, p) is (ln exp_eps, delta)-differentially private.

    Holds when: 1 <= l <= 5000, 0 < p < 1, exp_eps >= 1 and delta >= 0, all checked.
    """
    if not 1 <= l <= LARGEST_L:
        raise ParameterError("l", l, f"a whole number from 1 to {LARGEST_L}")
    if not 0 < p < 1:
        raise ParameterError("p", p, "between 0 and 1")
    if exp_eps < 1:
        raise ParameterError("exp_eps", exp_eps, "a rational number, at least 1")
    if delta < 0:
        raise ParameterError("delta", delta, "a rational number, at least 0")
    words = f"f(x) + Bin({l}, {p}) at e^eps = {exp_eps} and delta = {delta}, for every 1-sensitive f"
    return stated(FORMS["binomial", "whole"], Numbers(l, p, Target(delta, None, exp_eps)), words)


def replay(
    l: int,
    exp_eps: Fraction,
    delta: Fraction,
    p: Fraction = Fraction(1, 2),
    build: Path | None = None,
    folder: Path = HERE,
) -> Decision:
    """Proved where Coq accepts the certificate as a theorem, with the four axioms only; undecided with the reason else.

    Raises: InputError, where Coq is not on the machine or the sources are not the pinned ones, and ParameterError.
    """
    return proved([certificate_theorem(l, exp_eps, delta, p)], build, folder)[0]


def share_row(bits: tuple[int, ...], m: int) -> list[int]:
    """The masses of 0, 1, ..., Nm ones in the pool, times 2^((m-1)N), by the laws of the Python code.

    >>> share_row((1, 1), 2)
    [0, 0, 4, 0, 0]
    """
    law = convolution(*(law_of_shares(bit, m) for bit in bits))
    scaled = [law.mass(ones) * 2 ** ((m - 1) * len(bits)) for ones in range(m * len(bits) + 1)]
    if any(mass.denominator != 1 for mass in scaled):
        raise ArithmeticError(f"the law of the shares of {bits} is not in whole numbers")
    return [int(mass) for mass in scaled]


def share_law_source(cases: Iterable[tuple[tuple[int, ...], int]]) -> str:
    """The Coq file that compares the rows of Coq and of Python, one theorem a case (bits, m)."""
    text = COMPARE.format(library=LIBRARY)
    for number, (bits, m) in enumerate(cases):
        held = "; ".join("true" if bit else "false" for bit in bits)
        row = "; ".join(str(mass) for mass in share_row(bits, m))
        text += f"Theorem case_{number} : trimmed (pool_row {m} [{held}]) = trimmed [{row}].\n"
        text += "Proof. vm_compute. reflexivity. Qed.\n"
    return text


def share_cases(users: int, messages: int) -> list[tuple[tuple[int, ...], int]]:
    """All inputs of 1, ..., `users` users with 1, ..., `messages` messages each."""
    return [
        (bits, m) for n in range(1, users + 1) for bits in product((0, 1), repeat=n) for m in range(1, messages + 1)
    ]


def compare_share_law(users: int = 3, messages: int = 5, build: Path | None = None) -> Decision:
    """Proved where Coq computes the same law as Python for every input of up to `users` users and `messages` messages.

    Raises: InputError, where Coq is not on the machine or the sources are not the pinned ones.
    """
    with built([SHARES], build) as folder:
        (folder / "Compare.v").write_text(share_law_source(share_cases(users, messages)), encoding="utf-8")
        status, errors = coqc("Compare.v", folder)
        if status:
            return refused(f"Coq says {first_error(errors)[1]}")
        faults = checker_faults(["Compare"], folder)
    return refused(faults[0].reason) if faults else Decision(Status.PROVED, KERNEL)


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m panshuffle.proofs.kernel.bridge L EXP_EPS DELTA [P]`: exit status 0 where Coq proves it."""
    parser = argparse.ArgumentParser(
        prog="python -m panshuffle.proofs.kernel.bridge", description="Replay a certificate in Coq."
    )
    parser.add_argument("l", type=int, help=f"coins of the binomial mechanism, at most {LARGEST_L}")
    parser.add_argument("exp_eps", type=Fraction, help="e^eps, a rational number such as 3/2")
    parser.add_argument("delta", type=Fraction, help="a rational number such as 1e-6")
    parser.add_argument("p", type=Fraction, nargs="?", default=Fraction(1, 2), help="default 1/2")
    chosen = parser.parse_args(arguments)
    try:
        source = certificate_theorem(chosen.l, chosen.exp_eps, chosen.delta, chosen.p).source
        answer = replay(chosen.l, chosen.exp_eps, chosen.delta, chosen.p)
    except InputError as error:
        parser.error(str(error))
    claim = (
        f"Bin({chosen.l}, {chosen.p}) noise is (ln({chosen.exp_eps}), {chosen.delta})-private for every 1-sensitive f"
    )
    if answer.status is not Status.PROVED:
        sys.stdout.write(f"not proved: {claim} ({answer.witness or 'no reason was given'})\n")
        return 1
    sys.stdout.write(f"{source}\nproved by Coq, on the four axioms of its real numbers: {claim}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
