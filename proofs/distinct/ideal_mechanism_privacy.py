"""Section 3.1: 'our new goal is to prove that M is eps'-differentially private'."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, mixture, shares, stick, total
from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation


def ideal(u: tuple[int, ...], m: int) -> Law:
    """M(u): the shuffled shares of (sum of u mod 2, 0, ..., 0)."""
    return total([shares(sum(u) % 2, m), *[shares(0, m)] * (len(u) - 1)])


def of_data(holders: int, users: int, q: Fraction, m: int) -> Law:
    """M(u) with u drawn from data with so many holders: fair bits, and bits that are 1 with probability (1-q)/2."""
    bias = Fraction(0) if holders else q**users
    return mixture([(ideal((0,) * users, m), (1 + bias) / 2), (ideal((1,) + (0,) * (users - 1), m), (1 - bias) / 2)])


def private(says: str, on_data: bool, exp_eps: Fraction) -> Step:
    """delta = 0 at e^eps for neighbouring inputs u, or for data with one holder and with none."""
    q, m, users = Fraction(1, 2), 3, 2

    def delta(_: int) -> Fraction:
        first = of_data(1, users, q, m) if on_data else ideal((0, 0), m)
        second = of_data(0, users, q, m) if on_data else ideal((1, 0), m)
        return max(stick(first, second, exp_eps), stick(second, first, exp_eps))

    return exhaustive(
        says,
        lambda case: delta(case) == 0,
        [0],
        lambda case: f"u = (0, 0) against (1, 0), m = {m}: delta = {delta(case)} at e^eps = {exp_eps}",
        whole=True,
    )


STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper: M(u), to which Lemma bbgn_close is applied",
    kind="step",
    printed="M, which maps u to (S o R_MOD^(gamma n))((sum of u_t mod 2, 0, ..., 0)), is eps'-differentially private, eps' = ln(1/(1 - (1-e^-eps)^gamma)).",
    steps=(
        kernel_refutation(
            "ideal-of-bits-refuted",
            "u = (1, 0, ..., 0) and u' = (0, ..., 0): the parity of the messages is 1 surely, and 0 surely",
        ),
    ),
    why="As a function of the bits u, M is not private at any eps: the parity of its messages tells the parity of u. What Equation zs_ineq is about, and what is true, is M of the users' random bits as a function of the data. "
    "(The randomizer R_{DE,*} of the same paragraph is defined nowhere.)",
    severity="unproved step",
    repair=Repair(
        "M of the users' random bits u^(a), as a function of the data, is eps'-differentially private, and its distance from the shuffled messages of u^(a) is at most 2^-sigma, as for each value of u^(a).",
        (
            kernel("ideal-of-data"),
            kernel("paper-eq-zs-ineq"),
        ),
    ),
    survives="Theorem de_upper survives.",
    twins=(
        private("for data, at e^eps = 1.3 in place of 4/3", True, Fraction(13, 10)),
        private("for neighbouring u, at e^eps = 10^6", False, Fraction(10**6)),
    ),
)
