"""Section 1.2: pan-private distinct elements before this paper."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 1.2, first paragraph",
    kind="prose",
    printed="Dwork et al. count distinct elements pan-privately to additive accuracy O(sqrt(k)/eps); Mir et al. have a low-memory analogue with the same accuracy and a matching (for n >= k) lower bound based on linear program decoding, both for user-level pan-privacy.",
    reading="Matching in k: the lower bound has no dependence on eps that would match 1/eps.",
    rests_on=("pan-privacy",),
    cited="Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010 and Mir, Muthukrishnan, Nikolov, Wright 2011, as the paper cites them; not re-proved here",
)
