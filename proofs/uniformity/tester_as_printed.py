"""The printed threshold: does the tester notice a far distribution?"""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import computed, kernel, kernel_refutation
from panshuffle.symbolic.decision import Decision, Status

# The paired alternative: p_j = (1 +- 2a)/k, at total variation a from uniform.


def notices(constant: int, k: int, factor: str = "1/2") -> Decision:
    """Whether P['not uniform'] >= 21/50 is possible at alpha = 1/4, a = 26/100, lambda = 2500, by Cantelli's inequality.

    m is `constant` times (k^(3/4) lambda^(1/2)/alpha + k^(2/3) lambda^(1/3)/alpha^(4/3) + k^(1/2)/alpha^2); the
    threshold is the printed one with factor k^2 lambda/m in it.
    """
    from panshuffle.exact.real import parse, sqrt

    lam, alpha, a = parse("2500"), parse("1/4"), parse("26/100")
    root, three_quarters, two_thirds = parse(f"({k})^(1/2)"), parse(f"({k})^(3/4)"), parse(f"({k})^(2/3)")
    m = constant * (three_quarters * 50 / alpha + two_thirds * parse("2500^(1/3)/(1/4)^(4/3)") + root / (alpha * alpha))
    spread = 5 * k * root * lam / m + 10 * k * 50 / sqrt(m) + 5 * k * root * 50 / m
    tau = 3 * alpha * alpha * m / 250 + parse(factor) * k * k * lam / m + spread
    mean = k * k * lam / (4 * m) + 4 * a * a * m
    gap = (tau - mean).ball(256)
    if not gap > 0:
        return Decision(Status.PROVED if gap < 0 else Status.UNDECIDED, "ball computation")
    mu, d = m / k, 2 * a * m / k
    term = 2 * (mu * mu + d * d) + 4 * mu * d * d + lam * lam / 8 + 5 * lam / 16 + lam * mu + lam * d * d
    variance = ((k / m) * (k / m) * k * term).ball(256)
    chance = variance / (variance + gap * gap)
    text = (
        f"k = 10^{len(str(k)) - 1}, alpha = 1/4, lambda = 2500, the paired D at total variation 26/100, m = {constant} (...): "
        f"P['not uniform'] <= {float(chance.upper()):.1e}"
    )
    refuted = bool(chance < parse("21/50").ball(64))
    return Decision(Status.REFUTED if refuted else Status.UNDECIDED, "ball computation", text)


def notices_in_practice(k: int, m: int) -> Decision:
    """The same at eps = 1, delta = 10^-6, the printed lambda, where every inequality that the proof asks for holds."""
    from fractions import Fraction

    from panshuffle.exact.accuracy.tester import chance_bounds, proof_conditions
    from panshuffle.exact.accuracy.uniformity import Statistic
    from panshuffle.exact.parameters import lam_uniformity, threshold_as_printed
    from panshuffle.exact.real import real

    distance, alpha = Fraction(26, 100), real("1/4")
    lam = real(lam_uniformity(k, real(1), real("1e-6")))
    if not all(proof_conditions(k, lam, real(m), alpha, distance).values()):
        return Decision(Status.UNDECIDED, "ball computation")
    law = tuple(((1 + sign * 2 * distance) / k, k // 2) for sign in (1, -1))
    most = chance_bounds(Statistic(real(m), lam, law), threshold_as_printed(k, lam, real(m), alpha))[1]
    text = (
        f"k = {k}, m = {m}, lambda = {lam}, alpha = 1/4, the paired D at 26/100: P['not uniform'] <= {float(most):.2e}"
    )
    return Decision(Status.REFUTED if most < Fraction(21, 50) else Status.UNDECIDED, "ball computation", text)


def at(says: str, constant: int, k: int, factor: str = "1/2") -> Step:
    """The claim at one constant and one k."""
    return computed(
        says,
        lambda: notices(constant, k, factor),
        "ball",
        "none is needed: the formulas of the steps, evaluated by Arb",
    )


STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, the threshold tau = (z'-upper) of A_UT: 'the probability of erroneously reporting uniform is at most 29/50'",
    kind="step",
    printed="For a constant C and m >= C (k^(3/4) lambda^(1/2)/alpha + k^(2/3) lambda^(1/3)/alpha^(4/3) + k^(1/2)/alpha^2), the tester with the printed tau says 'not uniform' with probability at least 21/50 on every D at total variation above alpha.",
    severity="fatal",
    steps=(
        computed(
            "at k = 2*10^7, m = 8*10^8, eps = 1, delta = 10^-6, where every inequality that the proof asks for holds",
            lambda: notices_in_practice(2 * 10**7, 8 * 10**8),
            "ball",
            "chance_bounds against the exact law of the statistic, tests/test_accuracy_tester.py",
        ),
        kernel_refutation(
            "paper-tester-as-printed",
            "for every C: k = q^12 with an even q >= 20 max(1, C), alpha = 1/4, eps = 1, delta = 1/2, m = lambda^(1/2) q^10 and the paired D at "
            "total variation 26/100: 'not uniform' has a probability of at most 1/5",
        ),
    ),
    why=(
        "tau contains k^2 lambda/(2m) where Z' has the mean k^2 lambda/(4m) + E[Z]. The difference k^2 lambda/(4m) outgrows E[Z] = 4a^2 m "
        "as soon as m < k lambda^(1/2)/(4a), so for every C the tester fails for large k."
    ),
    repair=Repair(
        "The threshold k^2 lambda/(4m) + sqrt(2 Var), Var the variance of Z' under the uniform law: with it the tester works.",
        (kernel("paper-thm-ut-upper-bound-prelim"),),
    ),
    survives="The printed tester does not survive; the theorem does with the repaired threshold, even without its middle term.",
    twins=(
        at("with C = 100, at k = 10^24", 100, 10**24),
        at("with C = 1000 and 0.45 k^2 lambda/m in the threshold", 1000, 10**24, "0.45"),
        at("with C = 1000, at k = 10^24", 1000, 10**24),
    ),
)
