"""Any eps0-locally private randomizer behind a shuffler: between its clones and its floor.

Legend: p = e^eps0, E = e^eps, N users.

*From above.*  Feldman, McMillan and Talwar (2021): whatever the randomizers are, each chosen with the messages so far
in hand, the shuffled view of two neighbours is a function of a pair (A + D, C - A + 1 - D) and its mirror, where
C ~ Bin(N-1, 1/p) others are clones, A ~ Bin(C, 1/2) of them send the first letter, and the changed user sends it with
probability p/(p+1), or 1/(p+1) for the other input.  That is one user hidden among letters of the weights 1/(2p) and
1/(2p) (`hidden_user`); the mirror is the same pair with the letters exchanged.

*From above, not adaptive.*  If all users share one randomizer with finitely many messages, one a user, chosen
beforehand, the weights are 1/(p+1) each: the ledger's stronger-clones, a theorem of the kernel.  With R(x) = p U + V
and R(x') = U + p V every law is at least max(U, V), a blanket whose noise is no more spread out than that of the two
letters.

*From below.*  Binary response, (p, 1)/(p+1) against (1, p)/(p+1), is such a randomizer: its worst background that was
looked at is a lower bound (`two_messages`).

Both have the pure eps0, which n times the same message reaches.
"""

from __future__ import annotations

from flint import arb, ctx
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, Curve, View, enclosed
from panshuffle.exact.curves.floor_pair import Laws, Rows, laws_of_rows
from panshuffle.exact.laws.noise import around, binomial_law, working_bits
from panshuffle.exact.numbers.certified import Certified
from panshuffle.exact.numbers.real import Real, exp, real
from panshuffle.exact.parameters import check_count, refuse_if
from panshuffle.exact.randomizers.hidden_user import BITS, Case
from panshuffle.exact.randomizers.two_messages import Coins, Worst

MOST_USERS = 10**9
"""As for a randomizer in a file."""
LARGEST_EPS0 = 64
"""Nothing is left of privacy beyond."""
FLOOR_BITS = 100
"""Masses below 2^-100 change no lower bound that is shown."""
BELOW = "Below: binary response with this eps0, which is one of these randomizers, and this background."
WHY = (
    "Above: the clones of Feldman, McMillan and Talwar: every other user sends, with probability e^-eps0, a coin that "
    "does not depend on the data, and the changed user is one more coin with odds e^eps0; this pair covers every "
    f"eps0-locally private randomizer, also if each is chosen after the messages before it.  {BELOW}"
)
WHY_NOT_ADAPTIVE = (
    "Above: every other user sends, with probability 2/(e^eps0 + 1), a coin that does not depend on the data, and the "
    "changed user is one more coin with odds e^eps0 (stronger-clones, a theorem of the kernel): this pair covers every "
    "eps0-locally private randomizer with finitely many messages, one a user, that all users share and that is chosen "
    f"beforehand.  {BELOW}"
)


def clones_curve(eps0: Real, users: int, adaptive: bool = True) -> Curve:
    """The curve of the clones: an upper bound for every eps0-locally private randomizer, adaptive or chosen before."""
    check_local(eps0, users)
    p = exp(eps0)
    often, seldom, weight = p / (p + 1), 1 / (p + 1), 1 / (2 * p) if adaptive else 1 / (p + 1)
    case = Case.of(((often, seldom, weight), (seldom, often, weight)), complete=False)
    known: dict[Real, arb] = {}

    def ball(exp_eps: Real, precision: int) -> arb:
        if exp_eps not in known:
            known[exp_eps] = case.delta(users, exp_eps.ball(BITS)).upper().min(1)
        return known[exp_eps]

    return Curve(ball, None, p)


def check_local(eps0: Real, users: int) -> None:
    """*Raises* `ParameterError` unless 0 < eps0 <= 64 and there are 1 to 10^9 users."""
    refuse_if(not (eps0 > 0 and eps0 <= LARGEST_EPS0), "eps0", eps0, f"above 0 and at most {LARGEST_EPS0}")
    check_count("n", users)
    refuse_if(users > MOST_USERS, "n", users, f"such that at most {MOST_USERS} users take part")


def floor_of(eps0: Real, users: int) -> Worst:
    """The backgrounds of binary response."""
    p = exp(eps0)
    return Worst([Coins(p / (p + 1), 1 / (p + 1))], users)


def local_view(eps0: Real, users: int, adaptive: bool = True) -> View:
    """The view of N users of any eps0-locally private randomizer, from both sides."""
    above, worst = clones_curve(eps0, users, adaptive), floor_of(eps0, users)
    below = Curve(
        lambda exp_eps, precision: worst.best(exp_eps).value.nonnegative_part(),
        None,
        None,
        lambda: Certified.of(eps0),
    )
    why = WHY if adaptive else WHY_NOT_ADAPTIVE
    return View(enclosed(below, above), ALL_NEIGHBOURS, why, background_at=lambda exp_eps: held(worst, exp_eps))


def held(worst: Worst, exp_eps: Real | None) -> tuple[int, int]:
    """How many of the others hold the changed user's first and second input where the floor is reached."""
    place = worst.best(exp_eps if exp_eps is not None else real(1))
    return place.ones, place.zeros


def response_laws(eps0: Real, users: int) -> Laws:
    """How many of N users of binary response say the second input: all hold the first one, but the changed user.

    Under `lower` that user holds the first one, too, and the count is Bin(N, 1/(p+1)); `upper` has (p x + (N-x)/p)/N
    times its mass at x.
    """
    check_local(eps0, users)
    odds = exp(eps0)
    chance = 1 / (odds + 1)

    def rows(precision: int) -> Rows:
        with ctx.workprec(working_bits(precision, users)):
            law, p = binomial_law(users, chance, working_bits(precision, users)), odds.ball_here()
            first, lower = around(law, int(float(law.centre()[0].mid())), FLOOR_BITS)
            masses = [((p * x + (users - x) / p) / users * mass, mass) for x, mass in enumerate(lower, start=first)]
            rests = [1 - sum((row[side] for row in masses), arb(0)) for side in (0, 1)]
            return Rows(masses, (rests[0].nonnegative_part(), rests[1].nonnegative_part()))

    return laws_of_rows(rows)
