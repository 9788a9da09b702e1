"""Figure 1, pan, histograms."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality

STATEMENT = Statement(
    where="Figure 1, pan, histograms",
    kind="figure",
    printed="Pan, histograms: l-infinity error O((1/eps^2) log(1/delta)), for eps = O(1) and delta < 1/n < eps.",
    reading="eps is at most a constant, and n >= 2, so that delta < 1/2; (eps, delta) is the whole loss, so the theorem is used with eps/2 and delta/2.",
    rests_on=("pan-histogram",),
    steps=(
        inequality("(exp(x) + 1)/(exp(x) - 1) <= 2.63/x", says="c <= 2.63/x for x = eps/2 <= 2", x="(0, 2]"),
        inequality("log(4/d) <= 3*log(1/d)", says="ln(2/(delta/2)) <= 3 ln(1/delta)", d="(0, 1/2]"),
        inequality(
            "2*(20*(2*2.63)^2*3*y + 1*16) <= 3400*y",
            says="2 lambda <= (3400/eps^2) ln(1/delta), rounding up included, y = ln(1/delta), eps <= 4",
            y="[log(2), inf)",
        ),
    ),
    argument=(
        "pan-histogram with eps/2 and delta/2 is (eps, delta)-pan-private for lambda the least integer that is at least 20 c^2 ln(4/delta), "
        "c = (e^(eps/2)+1)/(e^(eps/2)-1), and errs by at most 2 lambda <= 2(20 c^2 ln(4/delta) + 1). The first two steps bound c by 2 * 2.63/eps and ln(4/delta) by "
        "3 ln(1/delta); 1 <= 16/eps^2; the third step adds up, for eps <= 4. For 4 < eps <= c run it with eps = 4: the error is at most (3400/16) ln(1/delta) <= (3400 c^2/(16 eps^2)) ln(1/delta)."
    ),
    twins=(
        inequality("(exp(x) + 1)/(exp(x) - 1) <= 2.6/x", says="with 2.6", x="(0, 2]"),
        inequality("log(4/d) <= 3*log(1/d)", says="for delta up to 0.51", d="(0, 0.51]"),
        inequality("2*(20*(2*2.63)^2*3*y + 1*16) <= 3360*y", says="with 3360", y="[log(2), inf)"),
    ),
    constants=(Constant("3400", twin="with 3360", by="3360"),),
)
