"""Section 6: further questions."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import smt

no_separation_yet = Statement(
    where="section 6, third question, its last sentence",
    kind="prose",
    printed="The pan-private lower bounds for distinct elements and for uniformity testing do not give a separation from robust shuffle privacy that is polynomial in the "
    "domain size.",
    reading=r"For fixed $\varepsilon$, $\alpha$, $\beta$ and, but for logarithms, $\delta$. That there are no other pan-private lower bounds that do not hold for central privacy "
    "is a remark on the literature of 2020.",
    rests_on=("uniformity-lower-bound-pan", "compressed-tester", "distinct-lower-bound-pan", "distinct-accuracy"),
    for_all="r in [1, inf); x, y, z in (0, inf)",
    steps=(
        smt("r^3 <= r^4", says=r"$k^{1/2} \le k^{2/3}$, with $r = k^{1/6}$"),
        smt(
            "x*r^4 + y*r^3 + z*r^3 <= (x + y + z)*r^4",
            says=r"so both sample sizes of uniformity testing, in which the other factors are fixed, have the order $k^{2/3}$, up to $\ln^{1/2}(k/\delta)$",
        ),
    ),
    argument=(
        r"Uniformity testing: the pan-private lower bound has the term $k^{2/3}$, and $P_{\mathrm{UT}}$ on groups needs $k^{2/3}$, $k^{1/2}$ and $k^{1/2}$ with fixed factors, by "
        r"the steps $O(k^{2/3} \ln^{1/2}(k/\delta))$. Distinct elements: no pan-private algorithm has an error of order below $\sqrt{k}$, and that of $P_{\mathrm{DE}}$ is "
        r"$\frac{e^{\varepsilon}}{e^{\varepsilon}-1} \sqrt{2k \ln(2/\beta)}$. The powers of $k$ agree."
    ),
    near_misses=smt("r^4 <= r^3", says=r"The lower bound's $k^{2/3}$ is matched by a sample size of order $k^{1/2}$."),
)


noise_alone_differs = Statement(
    where="section 6, second question",
    kind="prose",
    printed=r"$P_{\mathrm{DE}}$ is structurally similar to its pan-private counterpart, and the only difference is in the distributed noise; $P_{\mathrm{UT}}$ differs from the "
    "pan-private tester only in the kind of noise added.",
    cited="Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010 and Amin, Joseph, Mao 2019, whose algorithms are compared, as the paper cites them; they are not at hand here",
)


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
