"""Section 2.3: the example's p, and the lemma that is said to imply it."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import image, total
from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, inequality, smt


def ones(data: tuple[int, ...], p: Fraction) -> dict[object, Fraction]:
    """The number of ones among bits that are each flipped with probability p."""
    return dict(image(total([{bit: 1 - p, 1 - bit: p} for bit in data]), lambda x: x))


def noise_is_common(says: str, p: Fraction, shifted: bool) -> Step:
    """The view of n = 2 bits is the sum plus noise of a law that does not depend on the data."""
    base = ones((0, 0), p)

    def holds(data: tuple[int, ...]) -> bool:
        law = ones(data, p)
        moved = {x - sum(data): mass for x, mass in law.items() if isinstance(x, int)} if shifted else law
        return moved == base

    return exhaustive(
        says, holds, [(0, 0), (0, 1), (1, 1)], lambda data: f"p = {p}, bits {data}: the noise is another one"
    )


def sensitivity(says: str, at_most: int, unlabelled: bool) -> Step:
    """Changing a user changes the sum of all bits (or of one position's bits) by at most so much."""
    rows = [(a, b) for a in (0, 1) for b in (0, 1)]
    return exhaustive(
        says,
        lambda pair: (
            abs(sum(pair[0]) - sum(pair[1])) <= at_most
            if unlabelled
            else max(abs(a - b) for a, b in zip(pair[0], pair[1], strict=True)) <= at_most
        ),
        [(x, y) for x in rows for y in rows],
        lambda pair: f"user {pair[0]} becomes {pair[1]}",
        whole=True,
    )


STATEMENT = Statement(
    where="section 2.3, the example after the definition of shuffle privacy",
    kind="prose",
    printed="Lemma b_noise implies that setting p ~ log(1/delta)/(eps^2 n) guarantees (eps, delta)-shuffle privacy of the protocol in which each user flips both bits with probability p.",
    reading="'~' is up to constants; the lemma is said to apply to the example: the view, 2n shuffled bits, is a 1-sensitive sum plus binomial noise.",
    steps=(
        sensitivity("unlabelled bits: a changed user changes the sum by at most 1", 1, True),
        noise_is_common("p = 1/4: the noise does not depend on the data", Fraction(1, 4), True),
    ),
    why=(
        "A changed user may change the sum of all bits by 2, and a flipped bit is not a bit plus independent noise: the law of the noise depends on the data. The lemma does not apply as "
        "it is."
    ),
    severity="unproved step",
    repair=Repair(
        "With p <= 1/2 and p(n-1) >= 20 ((e^(eps/2)+1)/(e^(eps/2)-1))^2 ln(8/delta), for which p(n-1) >= 388 ln(8/delta)/eps^2 is enough if eps <= 2, the protocol is (eps, delta)-shuffle "
        "private, with labelled bits and so without labels.",
        (
            sensitivity("each position's sum changes by at most 1", 1, False),
            identity(
                "(1 - p)*b + p*(1 - b) = 2*p*(1/2) + (1 - 2*p)*b",
                says="a bit b flipped with probability p is a fair coin with probability 2p and b otherwise: P[1], b in {0, 1}",
                p="[0, 1/2]",
                b="[0, 1]",
            ),
            inequality(
                "exp(-m*(1 - 1/2) + m/2*log(2)) <= exp(-m/8)",
                says="P[R <= m/2] <= 2^(m/2) E[2^-R] <= e^(m ln(2)/2 - m/2) <= e^(-m/8) for R ~ Bin(n-1, 2p), m = 2p(n-1)",
                m="[0, inf)",
            ),
            inequality("log(1 - x/2) <= -x/2", says="E[2^-R] = (1 - 2p/2)^(n-1) <= e^(-m/2), x = 2p", x="[0, 1]"),
            inequality(
                "(d/8)^5 <= d/128", says="e^(-m/8) <= e^(-5 ln(8/delta)) = (delta/8)^5 <= delta/128", d="(0, 1)"
            ),
            smt("2*(d/4 + d/128) < d", says="two positions: 2(delta/4 + delta/128) < delta", d="(0, 1)"),
            inequality(
                "20*((exp(x) + 1)/(exp(x) - 1))^2 <= 97/x^2", says="c^2 20 <= 97/(eps/2)^2 = 388/eps^2", x="(0, 1]"
            ),
        ),
        (
            "exponential-markov",
            "markov",
            "binomial-generating-function",
            "binomial-mechanism",
            "composition",
            "post-processing",
        ),
        argument=(
            "Take one position. By the second step every other user's message is replaced by a fair coin with probability 2p, independently of the data; let R ~ Bin(n-1, 2p) be how many are. Given "
            "which ones, the number of ones is the changed user's message plus the kept bits plus Bin(R, 1/2). The message is 0 or 1, so at any two of its values this is Bin(R, 1/2) shifted by at "
            "most 1, and the inequality, which holds for every pair of values, stays when both sides are averaged over the message's coins: binomial-mechanism with l = R and p = 1/2 gives (eps/2, delta/4) if R/2 >= 10 c^2 ln(8/delta), "
            "c = (e^(eps/2)+1)/(e^(eps/2)-1). The law of R does not depend on the data, so the position is (eps/2, delta/4 + P[R < 20 c^2 ln(8/delta)])-private. With m = 2p(n-1) >= 40 c^2 ln(8/delta), that "
            "probability is at most P[R <= m/2], which exponential-markov at s = ln 2 and binomial-generating-function bound by e^(-m/8) <= e^(-5 c^2 ln(8/delta)), and c >= 1: at most delta/128. The two "
            "positions have independent coins; composition gives (eps, 2(delta/4 + delta/128)). Without labels the view is a function of the labelled one: post-processing."
        ),
    ),
    survives="The example's conclusion holds up to constants, as printed; nothing else rests on it.",
    twins=(
        sensitivity("labelled bits: no position's sum changes", 0, False),
        noise_is_common("p = 1/3: the view itself does not depend on the data", Fraction(1, 3), False),
        inequality("20*((exp(x) + 1)/(exp(x) - 1))^2 <= 93/x^2", says="with 372 in place of 388", x="(0, 1]"),
        smt("2*(d/4 + d/128) < 0.51*d", says="with 0.51 delta", d="(0, 1)"),
    ),
    constants=(
        Constant("388", twin="with 372 in place of 388", by="372"),
        Constant("20", slack="not tight: the binomial mechanism's own constant has a factor of 9.7 to spare"),
        Constant("8", slack="not tight: delta (1/2 + 1/64) is promised, delta is claimed"),
    ),
)
