"""The binomial mechanism lemma with the constant 1.03 in place of 10."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import computed, derivative, inequality, smt
from symbolic.decision import Decision, Status

RANGE = {"p": "(0, 1/2]", "E": "(1, inf)"}
K = "1.03"


SECOND = "shift_delta against sums of masses, tests/test_shift.py"


def too_small(constant: str) -> Decision:
    """Whether the constant fulfils the lemma at l = 3*10^8, p = 1/1000, E = 30, delta = 2 e^(-lp/(K c^2))."""
    from exact.numbers.grammar import parse
    from exact.numbers.real import exp, real
    from exact.pairs.shift import shift_delta

    l, p, exp_eps = 300_000_000, parse("1/1000"), real(30)
    promised = real(2) * exp(-(l * p) / (parse(constant) * parse("(31/29)^2")))
    truth = shift_delta(l, p, exp_eps, 256)
    text = f"l = {l}, p = 1/1000, e^eps = 30: the true delta is above the promised 2 e^(-lp/({constant} c^2))"
    if truth > promised.ball(256):
        return Decision(Status.REFUTED, "ball computation", text)
    return Decision(Status.PROVED if truth < promised.ball(256) else Status.UNDECIDED, "ball computation")


def fails(constant: str) -> Decision:
    """Proved if the constant fails at that point."""
    found = too_small(constant)
    swap = {Status.REFUTED: Status.PROVED, Status.PROVED: Status.REFUTED}
    return Decision(swap.get(found.status, found.status), found.tier, found.witness)


STATEMENT = Statement(
    where="beside Lemma b_noise, section 2.1",
    kind="sharper",
    printed="Lemma b_noise holds with the constant 1.03 in place of 10, and with none below 1.025.",
    hypotheses=(
        "f is 1-sensitive",
        "l in N, p in (0,1), eps > 0, delta in (0,1)",
        "l min(p,1-p) >= 1.03 c^2 ln(2/delta)",
    ),
    rests_on=("exponential-markov", "markov", "binomial-generating-function", "binomial-worst-neighbour"),
    steps=(
        smt(
            "(l - x + 1)*p <= E*x*(1 - p)",
            ("x >= (l + 1)*p/(p + E*(1 - p))",),
            says="losing: the ratio b(x)/b(x-1) = (l-x+1)p/(x(1-p)) is at most E from x = (l+1)a on",
            l="[1, inf)",
            x="[0, inf)",
            **RANGE,
        ),
        smt(
            "x*(1 - p) <= E*(l - x + 1)*p",
            ("x <= (l + 1)*p*E/(1 - p + p*E)",),
            says="gaining: b(x-1)/b(x) is at most E up to x = (l+1)b",
            l="[1, inf)",
            x="[0, inf)",
            **RANGE,
        ),
        derivative(
            "b*log(b/t) + (1 - b)*log((1 - b)/(1 - t))",
            "t",
            "-(b - t)/(t*(1 - t))",
            says="the relative entropy D(b|t) falls at the rate (b-t)/(t(1-t)) as t goes from p to b, and D(b|b) = 0",
            b="(0, 1)",
            t="(0, 1)",
        ),
        smt(
            "(p - p/(p + E*(1 - p)))^2/(2*p*(1 - p)) >= p*((E - 1)/(E + 1))^2",
            says="losing, E <= 12/5: D(a|p) >= (p-a)^2/(2p(1-p)) >= p/c^2",
            p="(0, 1/2]",
            E="(1, 12/5]",
        ),
        inequality(
            "-log(1 - s) >= s + s^2/2 + s^3/3", says="losing, E >= 12/5: the series, s = p(1-1/E)", s="[0, 1/2]"
        ),
        inequality(
            f"{K}*((1 - v)*(1 + p*(1 - v)/2 + (p*(1 - v))^2/3) + v*log(v)/(1 - p*(1 - v))) >= ((1 - v)/(1 + v))^2",
            says="losing, 12/5 <= E <= 10^6, v = 1/E: 1.03 D(a|p)/p >= 1/c^2",
            p="[0, 1/2]",
            v="[1/1000000, 5/12]",
        ),
        inequality("-v*log(v) <= sqrt(v)", says="losing, E >= 10^6: v ln(1/v) <= sqrt v", v="(0, 1/1000000]"),
        smt(
            f"{K}*((1 - v)*(1 + p*(1 - v)/2 + (p*(1 - v))^2/3) - r/(1 - p*(1 - v))) >= ((1 - v)/(1 + v))^2",
            ("r^2 = v",),
            says="losing, E >= 10^6: the same with r = sqrt v",
            p="[0, 1/2]",
            v="(0, 1/1000000]",
            r="(0, 1/1000]",
        ),
        smt("p/(p + E*(1 - p)) <= 1/(1 + E)", says="losing: a <= 1/(1+E)", **RANGE),
        inequality(
            "log(E) <= (1 + E)*log(2)", says="losing: so E^a <= 2, which the 2 in ln(2/delta) pays", E="(1, inf)"
        ),
        smt(
            "2*(p*E/(1 - p + p*E) - p)^2 >= p*((E - 1)/(E + 1))^2",
            says="gaining, p >= 1/5: D(b|p) >= 2(b-p)^2 >= p/c^2",
            p="[1/5, 1/2]",
            E="(1, inf)",
        ),
        smt(
            "(p*E/(1 - p + p*E) - p)^2/(2*(p*E/(1 - p + p*E))*(1 - p)) >= p*((E - 1)/(E + 1))^2",
            says="gaining, p <= 1/5: D(b|p) >= (b-p)^2/(2b(1-p)) >= p/c^2",
            p="(0, 1/5]",
            E="(1, inf)",
        ),
        smt(
            "2*p*(1 - p)*(E + 1)^2/(1 - p + p*E) >= 0.64*(E + 1)",
            says="gaining, p >= 1/5: 2(b-p)^2 c^2/p against (1-b) ln E",
            p="[1/5, 1/2]",
            E="(1, inf)",
        ),
        inequality(
            f"{K}*log(2)*0.64*(E + 1) >= log(E)",
            says="gaining, p >= 1/5: at mu = 1.03 c^2 ln 2 already mu D(b|p)/p >= (1-b) ln E",
            E="(1, inf)",
        ),
        inequality(
            f"{K}*log(2)*(E + 1)^2/(2*E) >= log(E)",
            says="gaining, p <= 1/5: the same",
            E="(1, inf)",
        ),
        computed(
            "1.025 is too small: at l = 3*10^8, p = 1/1000, e^eps = 30 the true delta is above the promised one",
            lambda: fails("1.025"),
            "ball",
            SECOND,
            whole=True,
        ),
    ),
    argument=(
        "Letters: E = e^eps > 1, c = (E+1)/(E-1), X ~ Bin(l, p) with masses b(x), mu = lp, L = ln(2/delta) > ln 2; p <= 1/2, because X -> l - X exchanges the two directions and p with "
        "1 - p. By binomial-worst-neighbour the pair to look at is X against X + 1, both ways. Losing: b(y)/b(y-1) falls in y and exceeds E only for y < x = (l+1)a, a = p/(p + E(1-p)), so "
        "delta <= P[X < x], by exponential-markov at s = ln E and binomial-generating-function at most E^x (1 - p + p/E)^l = E^a e^(-l D(a|p)), where "
        "D(a|p) = -a ln E - ln(1 - p + p/E) is the relative entropy. Gaining: b(y-1)/b(y) exceeds E only for y > x = (l+1)b, b = pE/(1 - p + pE), so delta <= P[X > x - 1], at most "
        "E^(1-b) e^(-l D(b|p)). D(b|p) is the integral of |b - t|/(t(1-t)) between p and b, so at least (b-p)^2/(2M) where t(1-t) <= M in between: M = p(1-p) for a, "
        "M = 1/4 or b(1-p) for b. The steps show 1.03 c^2 D(a|p) >= p, so e^(-l D(a|p)) <= e^-L, and E^a <= 2: delta <= 2e^-L. For b they show k = c^2 D(b|p)/p >= 1 and "
        "1.03 k ln 2 >= (1-b) ln E; so 1.03 k L >= L - ln 2 + (1-b) ln E at L = ln 2 and, the slope being at least 1, for all larger L: delta <= 2e^-L = delta as promised. "
        "That nothing below 1.025 will do: at the last step's point l p = K c^2 ln(2/delta) promises a delta below the true one for K = 1.025, and a smaller K promises a smaller delta."
    ),
    constants=(Constant("1.03", twin="with the constant 1.025", by="1.025"),),
    twins=(
        computed("with the constant 1", lambda: too_small("1"), "ball", SECOND),
        computed("with the constant 1.025", lambda: too_small("1.025"), "ball", SECOND),
        smt(
            "(p - p/(p + E*(1 - p)))^2/(2*p*(1 - p)) >= p*((E - 1)/(E + 1))^2",
            says="losing, for E up to 5/2",
            p="(0, 1/2]",
            E="(1, 5/2]",
        ),
    ),
)
