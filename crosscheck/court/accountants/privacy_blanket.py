"""The privacy blanket of Balle, Bell, Gascon and Nissim (2019), by the inequalities of Hoeffding and of Bennett."""

from __future__ import annotations

from functools import partial

from panshuffle.crosscheck.court.accountant import Accountant, Checkout
from panshuffle.crosscheck.court.families import local_randomizer, optimised_unary, shuffled_response, symmetric_unary
from panshuffle.crosscheck.court.family import DELTA, Case

CHECKOUT = Checkout(
    "blanket", "https://github.com/BorjaBalle/amplification-by-shuffling", "shuffleddp/amplification_bounds.py"
)
IMPORTS = ("shuffleddp.amplification_bounds", "shuffleddp.mechanisms")
DOCUMENTED = (
    'README.md: "Python implementation of the privacy amplification by shuffling results proved in the paper"; '
    'amplification_bounds.py, get_eps: "Find the minimum eps giving <= delta"'
)


def program(case: Case, bound: str) -> str | None:
    """A bound for k-ary response, or the generic one for every randomizer."""
    eps0 = case["eps0"] if "eps0" in dict(case.letters) else None
    if case.family is shuffled_response.FAMILY:
        mechanism, call = "RRMechanism", f"RRMechanism({eps0!r}, {case['values']})"
    elif case.family in (local_randomizer.FAMILY, symmetric_unary.FAMILY, optimised_unary.FAMILY):
        mechanism, call = "LDPMechanism", f"LDPMechanism({eps0!r})"
    else:
        return None
    asked = (
        f"get_delta({case.at!r}, {eps0!r}, {case['n']})"
        if case.quantity == DELTA
        else f"get_eps({eps0!r}, {case['n']}, {case.at!r})"
    )
    return (
        f"from shuffleddp.amplification_bounds import {bound}\nfrom shuffleddp.mechanisms import {mechanism}\n"
        f"upper = {bound}({call}).{asked}\n"
    )


ACCOUNTANTS = tuple(
    Accountant(name, partial(program, bound=bound), IMPORTS, checkout=CHECKOUT, documented=DOCUMENTED)
    for name, bound in (("blanket-hoeffding", "Hoeffding"), ("blanket-bennett", "BennettExact"))
)
