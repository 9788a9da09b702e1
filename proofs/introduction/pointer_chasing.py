"""Section 5, last paragraph."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 5, last paragraph; section 1.1, third item",
    kind="prose",
    printed=(
        "Pan-privacy inherits the separations from (sequentially interactive) local privacy that Balcer and Cheu have for shuffle privacy: the histogram gives an "
        "(eps, delta)-pan-private solution to pointer chasing on vectors of length l with O((1/eps^2) log(1/delta)) samples; sequentially interactive "
        "(eps, delta)-local privacy needs Omega(l)."
    ),
    reading="Theorem hist-pan is for (2 eps, 2 delta), so the histogram is run with eps/2 and delta/2, which changes the constant of the O only.",
    rests_on=("pan-histogram",),
    cited="Balcer, Cheu 2020 and Joseph, Mao, Roth 2020, as the paper cites them; not re-proved here",
)
