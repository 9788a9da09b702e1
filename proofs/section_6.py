"""Section 6: further questions."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

summation_lower_bound = Statement(
    where="section 6, third question",
    kind="prose",
    printed=(
        "Almost all multi-message robust shuffle privacy lower bounds are imported from central privacy or from pan-privacy; one exception is the summation lower bound of Ghazi et al., which holds only if each user is limited to polylogarithmic "
        "communication."
    ),
    rests_on=("pan-privacy",),
    cited="Ghazi, Golowich, Kumar, Manurangsi, Pagh, Velingker 2020, as the paper cites it; not re-proved here",
)
