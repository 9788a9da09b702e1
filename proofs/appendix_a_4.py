"""Appendix A.4: the binary sum P^zsum and its histogram."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality, smt, theorems

binary_sum_as_written = Statement(
    where=r"Appendix A.4, the source of $P^{\mathrm{zsum}}$",
    kind="fact",
    printed=r"$P^{\mathrm{zsum}}$ has $p = 1 - (50/(\varepsilon^{2} n)) \ln(2/\delta)$, and its authors show its privacy for $\varepsilon \le 1$.",
    cited="Balcer, Cheu 2020, whom the paper cites, from memory of that paper, which is not at hand here: the paper that is checked prints the replaced form only, and 50 agrees with it",
)


robust_binary_sum = Statement(
    where="Appendix A.4, Claim robust_bc",
    printed=r"For any $\varepsilon > 0$, $\gamma \in (0,1]$ and $\delta \in (0,1)$ with $n \ge 20$ $\left(\frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}\right)^{2} "
    r"\ln(2/\delta)$ users, $P^{\mathrm{zsum}}$ is $(\varepsilon, 2(\delta/2)^{\gamma}, \gamma)$-robustly shuffle private.",
    reading=r"The interval of $\gamma$ is misprinted as (01,]. The definition of robust privacy speaks of all $n$; this claim is for the $n$ that it states (for "
    r"small $n$ the $p$ of $P^{\mathrm{zsum}}$ is no probability). $\gamma' n$ is a whole number for the $\gamma'$ considered, as section 2.3 assumes. "
    r"Where $2(\delta/2)^{\gamma}$ is 1 or more, nothing is claimed.",
    covers=("claim:robust_bc", "display-55", "display-57"),
    for_all="n, c2 in [1, inf); L in (0, inf); h, g in (0, 1]; d in (0, 1)",
    steps=(
        smt("1/2 <= 1 - 10*c2*L/n", ("n >= 20*c2*L",), says=r"$p \ge 1/2$, so $\min(p, 1-p) = 1 - p$"),
        smt(
            "h*n*(10*c2*L/n) >= g*10*c2*L",
            ("h >= g",),
            says=r"$\gamma' n \min(p, 1-p) \ge \gamma \cdot 10 c^{2} \ln(2/\delta)$",
        ),
        identity(
            "g*10*c2*log(2/d) = 10*c2*log(2/(2*(d/2)^g))",
            says=r"which is $10 c^{2} \ln\left(\frac{2}{2(\delta/2)^{\gamma}}\right)$",
        ),
    ),
    argument=(
        r"With $\gamma' n$ honest users the shuffled bits are a function of their number and of their sum, $\sum x_{i} + \mathrm{Bin}(\gamma' n, p)$, and $\sum x_{i}$ is "
        r"1-sensitive. By the steps Lemma b_noise holds with $2(\delta/2)^{\gamma}$ for its $\delta$ where that is below 1; otherwise nothing is claimed."
    ),
    kernel=theorems("paper-claim-robust-bc", "robust-binary-sum"),
    constants=(
        Constant("20", by="19.5"),
        Constant("10", slack="not tight: 1.03 suffices (binomial-mechanism-constant)"),
    ),
    near_misses=smt(
        "1/2 <= 1 - 10*c2*L/n",
        ("n >= 19.5*c2*L",),
        says=r"For $n \ge 19.5 c^{2} \ln(2/\delta)$ the $p$ is at least $1/2$.",
    ),
    rests_on=("binomial-mechanism", "binomial-mechanism-constant", "post-processing"),
)


binary_sum_substitution = Statement(
    where="Appendix A.4, before Claim robust_bc",
    kind="prose",
    printed=r"As written, $P^{\mathrm{zsum}}$ only ensures privacy for $\varepsilon \le 1$, but this limitation is lifted by replacing instances of $\varepsilon$ "
    r"with $\frac{\sqrt{5}(e^{\varepsilon}-1)}{e^{\varepsilon}+1}$.",
    rests_on=("binary-sum-as-written", "robust-binary-sum"),
    for_all="E in (1, inf); e in (0, 1.2]",
    steps=(
        identity("50/(sqrt(5)*(E - 1)/(E + 1))^2 = 10*((E + 1)/(E - 1))^2", says="the constants agree: $50/5 = 10$"),
        inequality(
            "50/e^2 >= 10*((exp(e) + 1)/(exp(e) - 1))^2",
            says=r"for $\varepsilon \le 1.2$, and so for $\varepsilon \le 1$, the written $p$ has at least that much noise",
        ),
    ),
    argument=(
        r"With the replacement the cited $p$ becomes $1 - (10/n) c^{2} \ln(2/\delta)$, $c = \frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}$, by the first step: "
        r"the $p$ of Claim robust_bc, which is private for every $\varepsilon > 0$ (at $\gamma = 1$). For $\varepsilon \le 1.2$ (the crossing is at 1.204...) "
        "the second step says that the $p$ as written is at most that one, so there is at least as much noise where the $p$ as written is at least $1/2$, $n "
        r"\ge (100/\varepsilon^{2}) \ln(2/\delta)$: $1 - p$ is then the chance of the rarer noise bit."
    ),
    constants=(Constant("5", by="4.9"), Constant("1.2", by="1.21", near_miss=1)),
    near_misses=(
        identity(
            "50/(sqrt(4.9)*(E - 1)/(E + 1))^2 = 10*((E + 1)/(E - 1))^2",
            says=r"The constants agree with $\sqrt{4.9}$ in place of $\sqrt{5}$.",
        ),
        inequality(
            "50/e^2 >= 10*((exp(e) + 1)/(exp(e) - 1))^2",
            says=r"The written $p$ has at least that much noise for $\varepsilon$ up to 1.21.",
            e="(0, 1.21]",
        ),
    ),
)


general_binomial_lemma = Statement(
    where="Appendix A.4, proof of Claim robust_bc: 'Lemma b_noise is a special case of a more general lemma'",
    kind="prose",
    printed=r"Lemma b_noise is a special case of the lemma with $\delta \in (0,1]$ for $l$, $p$ and $f$ with $l \min(p, 1-p) \ge 10 c^{2} \ln(2/\delta)$.",
    reading=r"Special in the range of $\delta$ alone: the lemmas have one condition and one claim on privacy, and at $\delta = 1$ the general one claims nothing.",
    for_all="d in (0, inf); p, q in [0, 1]; E in [1, inf)",
    steps=(
        smt("d <= 1", ("d < 1",), says=r"$\delta \in (0,1)$ is in $(0,1]$"),
        smt(
            "p <= E*q + d",
            ("d >= 1",),
            says=r"every algorithm is $(\varepsilon, 1)$-differentially private",
            d="[0, inf)",
        ),
    ),
    near_misses=smt("d < 1", ("d <= 1",), says=r"The general lemma is for no more $\delta$ than Lemma b_noise."),
)
