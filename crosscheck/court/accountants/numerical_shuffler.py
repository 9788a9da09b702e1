"""The numerical accountant of Koskela, Heikkilä and Honkela (2023), for k-ary response among known clones."""

from __future__ import annotations

from panshuffle.crosscheck.court.accountant import ESTIMATE, Accountant, Checkout
from panshuffle.crosscheck.court.families import shuffled_response
from panshuffle.crosscheck.court.family import EPSILON, Case

CHECKOUT = Checkout(
    "numerical-shuffler",
    "https://github.com/DPBayes/numerical-shuffler-experiments",
    "blankets_fig4/compute_epsilon_bin_tight.py",
)
MOST_USERS = 10**4  # its loops over two counts take minutes beyond
DOCUMENTED = (
    'blankets_fig4/compute_epsilon_bin_tight.py: "Computing tight DP guarantees for the strong adversary", "place the '
    'mass to the right end point of the interval -> upper bound for delta", "Throw away very small tails"; called as '
    "in blanket_strong_fa_tight.py, with the grid of get_epsilons"
)
NOTE = (
    "The repository is made for the figures of the paper, and promises no bound for other inputs.  Losses that are "
    "infinite (no clone sent the other value) are left out with the tails, so that its eps is too small where the "
    "clones are few; and its bisection, to 1e-5, gives the lower end."
)
PROGRAM = """\
from math import exp
n, k, nx, L = {n}, {k}, int(1E6), 10
gamma = k / (exp({eps0!r}) + k - 1)
from blankets_fig4.compute_epsilon_bin_tight import get_epsilons, get_omega
omega, grid, error = get_omega(n, gamma, k, nx, L)
upper = get_epsilons(omega, error, grid, n=n, gamma=gamma, k=k, n_c=1, nx=nx, L=L, target_delta={delta!r})
"""


def program(case: Case) -> str | None:
    """Its eps for k-ary response."""
    if case.family is not shuffled_response.FAMILY or case.quantity != EPSILON or case["n"] > MOST_USERS:
        return None
    return PROGRAM.format(n=case["n"], k=case["values"], eps0=case["eps0"], delta=case.at)


ACCOUNTANTS = (
    Accountant(
        "numerical-shuffler",
        program,
        ("numpy", "scipy.special"),
        None,
        ESTIMATE,
        checkout=CHECKOUT,
        documented=DOCUMENTED,
        note=NOTE,
    ),
)
