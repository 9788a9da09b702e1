"""Section 2.2, a footnote: several intrusions."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, image, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt


def noisy_counter(says: str, intrusions: int, allowed: Fraction) -> Step:
    """A counter that starts at Bin(20, 1/2) and adds x: delta at e^eps = 2 of the state after, or of both states."""

    def view(x: int) -> Law:
        return image(binomial(20, Fraction(1, 2)), lambda i: (i + x,) if intrusions == 1 else (i, i + x))

    def delta(_: int) -> Fraction:
        return max(stick(view(1), view(0), Fraction(2)), stick(view(0), view(1), Fraction(2)))

    return exhaustive(
        says,
        lambda case: delta(case) <= allowed,
        [0],
        lambda case: f"20 coins, e^eps = 2, {intrusions} intrusions: delta is {delta(case)}",
        whole=True,
    )


STATEMENT = Statement(
    where="section 2.2, a footnote",
    kind="prose",
    printed=(
        "The precise assumption of one internal state intrusion is necessary: pan-privacy against multiple internal state intrusions collapses to the much stronger notion of local "
        "privacy."
    ),
    reading=(
        "For delta = 0, intrusions at any two neighbouring times, countably many states and sequentially interactive local privacy: the states before and after an element are eps-private together if and only if every element is "
        "put through a randomizer, chosen by the state before, that is eps-private. The paper cites Amin, Joseph and Mao for it."
    ),
    rests_on=("pan-privacy", "post-processing"),
    steps=(
        smt(
            "p <= E*q",
            ("w*p <= E*(w*q)",),
            says="the states before and after, (i, i'), have the masses w p and w q, w being the mass of i, which x_t does not change",
            w="(0, 1]",
            p="[0, 1]",
            q="[0, 1]",
            E="[1, inf)",
        ),
        smt(
            "w*p*r <= E*(w*q*r)",
            ("p <= E*q",),
            says="the other way: w is the probability of the transcript before, r that of what comes after",
            w="[0, 1]",
            p="[0, 1]",
            q="[0, 1]",
            r="[0, 1]",
            E="[1, inf)",
        ),
        identity(
            "z - (z - 1) = 1",
            says="two-sided geometric noise, z >= 1: a shift by 1 changes e^(-eps |z|) by e^eps",
            z="[1, inf)",
        ),
        identity("(-z) - (1 - z) = -1", says="z <= 0: by e^-eps", z="(-inf, 0]"),
    ),
    argument=(
        "Let streams differ at time t. The state I_(t-1) has one law for both, with mass w at i; given i, I_t = i' has probability p under x_t and q under x'_t, so (i, i') has w p and w q, and eps-privacy of the pair with delta = 0 gives w p <= e^eps w q at every point, so p <= e^eps q "
        "where w > 0: the map from x_t to I_t given I_(t-1) = i is an eps-private randomizer. The algorithm is then a sequentially interactive locally private protocol, each user being asked with the randomizer that the state before chooses, and the output a function of the last answer. "
        "Conversely, if every element goes through such a randomizer, all states together, the whole transcript, have a likelihood that contains x_t in one factor only: eps-private, however many states are seen, and so is the output (post-processing). That one intrusion is weaker, for delta = 0, too: a counter "
        "that starts at two-sided geometric noise, with masses proportional to e^(-eps |z|), adds the elements 0 or 1 and has a constant output is eps-pan-private, because a shift by 1 changes every mass by a factor e^eps or e^-eps (the last two steps); and its states before and after tell x_t (a twin, with coins as noise)."
    ),
    twins=(
        noisy_counter("two intrusions: the same delta", 2, Fraction(4265, 262144)),
        smt(
            "p <= E*q",
            ("w*p <= 1.02*E*(w*q)",),
            says="from a guarantee that is two per cent weaker",
            w="(0, 1]",
            p="[0, 1]",
            q="[0, 1]",
            E="[1, inf)",
        ),
    ),
)
