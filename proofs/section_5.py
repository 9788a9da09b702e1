"""Section 5: histograms."""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import exhaustive, identity, inequality, no_constant, refutation, smt, theorems

pointer_chasing = Statement(
    where="section 5, last paragraph; section 1.1, third item",
    kind="prose",
    printed=(
        "Pan-privacy inherits the separations from (sequentially interactive) local privacy that Balcer and Cheu have for shuffle privacy: the histogram gives "
        r"an $(\varepsilon, \delta)$-pan-private solution to pointer chasing on vectors of length $l$ with $O((1/\varepsilon^{2}) \log(1/\delta))$ samples; "
        r"sequentially interactive $(\varepsilon, \delta)$-local privacy needs $\Omega(l)$."
    ),
    reading=r"Theorem hist-pan is for $(2 \varepsilon, 2 \delta)$, so the histogram is run with $\varepsilon/2$ and $\delta/2$, which changes the constant of the "
    "$O$ only.",
    rests_on=("pan-histogram",),
    cited="Balcer, Cheu 2020 and Joseph, Mao, Roth 2020, as the paper cites them; not re-proved here",
)


pan_sum_range = Statement(
    where=r"section 5, Algorithm $Q_{\mathrm{ZSUM}}$, its output",
    printed=r"The output $z$ is in $N$, where $N = \{1, 2, \dots\}$.",
    covers=("alg:zerocount-pan",),
    severity="convention",
    steps=exhaustive(
        "the output is at least 1, for every stream of two bits, lam in {1, 2} and all draws",
        lambda case: sum(case[0]) + case[2] + case[3] >= 1,
        [
            (stream, lam, first, second)
            for lam in (1, 2)
            for stream in product((0, 1), repeat=2)
            for first, second in product(range(lam + 1), repeat=2)
        ],
        lambda case: (
            f"stream {case[0]}, lam = {case[1]}, draws {case[2]} and {case[3]}: the output is {sum(case[0]) + case[2] + case[3]}"
        ),
    ),
    kernel=refutation("sum-range-refuted", r"$\lambda = 1$ and the stream (0): the output is 0 with probability $1/4$"),
    why=r"On a stream of zeros both draws are 0 with probability $4^{-\lambda}$, and $N$ begins with 1 in this paper.",
    repair=Repair(
        r"The output is a whole number from 0 to $n + 2 \lambda$.",
        smt(
            "0 <= s + a + b <= n + 2*lam",
            ("s <= n", "a <= lam", "b <= lam"),
            says=r"the sum $s$ of $n$ bits and two draws of $\mathrm{Bin}(\lambda, 1/2)$",
            for_all="s, a, b in integer [0, inf); n, lam in integer [1, inf)",
        ),
        kernel=theorems("sum-range"),
    ),
    survives="Theorem zerocount-pan does not use the range.",
    near_misses=smt(
        "s + a + b <= n + 2*lam - 1",
        ("s <= n", "a <= lam", "b <= lam"),
        says=r"The output is at most $n + 2 \lambda - 1$.",
        for_all="s, a, b in integer [0, inf); n, lam in integer [1, inf)",
    ),
)


LATER_NOISE = identity(
    "(i + s + e) - i = s + e",
    says=r"the output $I_{n} + \eta$ less the state $I_{t}$ is the later elements' count plus the second noise",
    for_all="i, s, e in [0, inf)",
)

pan_sum = Statement(
    where="section 5, Theorem zerocount-pan, privacy",
    printed=r"Given $\varepsilon > 0$, $\delta \in (0,1)$ and $\lambda \ge 20$ $\left(\frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}\right)^{2} \ln(2/\delta)$, "
    r"$Q_{\mathrm{ZSUM}}$ is $(\varepsilon, \delta)$-pan-private.",
    hypotheses=(r"$\lambda \in N$",),
    covers=("theorem:zerocount-pan",),
    for_all="lam, c2 in [1, inf); L in (0, inf); e in [10, 11]; d in (0, 10^(-13)]",
    steps=(
        smt(
            "lam/2 >= 10*c2*L",
            ("lam >= 20*c2*L",),
            says=r"$\lambda \min(1/2, 1/2) \ge 10 c^{2} \ln(2/\delta)$, the condition of Lemma b_noise",
        ),
        LATER_NOISE,
    ),
    argument=(
        r"The sum of the first $t$ bits and that of the later ones are 1-sensitive. If the changed bit is at a place up to $t$, the state is the first sum plus "
        r"$\mathrm{Bin}(\lambda, 1/2)$, $(\varepsilon, \delta)$-private by Lemma b_noise, and the output is a function of the state, the later bits and independent noise. "
        r"Otherwise the state does not depend on it, and by the second step the view shows the state and, independently, the later sum plus $\mathrm{Bin}(\lambda, 1/2)$, "
        "which is private by the same lemma."
    ),
    kernel=theorems("paper-thm-zerocount-pan"),
    constants=(
        Constant(
            "20",
            slack="not tight: 2.06 c^2 ln(2/delta) coins are enough, since 1.03 suffices in place of 10 (binomial-mechanism-constant)",
        ),
    ),
    near_misses=inequality(
        "2^(-1.3*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)) <= d",
        says=(
            r"It holds with 1.3 in place of 20. (The largest value of $\mathrm{Bin}(\lambda, 1/2) + 1$ has probability $2^{-\lambda}$, and none under "
            r"$\mathrm{Bin}(\lambda, 1/2)$.)"
        ),
    ),
    rests_on=("binomial-mechanism", "binomial-mechanism-constant", "post-processing"),
)


PRINTED_LAMBDA = "20*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

pan_sum_error = Statement(
    label="theorem:zerocount-pan",
    where="section 5, Theorem zerocount-pan, error; the same sentence in Theorem hist-pan",
    kind="theorem",
    printed=r"Given $\varepsilon > 0$, $\delta \in (0,1)$ and $\lambda \ge 20 c^{2} \ln(2/\delta)$, $c = \frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}$, "
    r"$Q_{\mathrm{ZSUM}}$ computes binary sums with error at most $2 \lambda = O((1/\varepsilon^{2}) \log(1/\delta))$.",
    severity="convention",
    for_all="a, b, M in [0, inf); lam, c in [1, inf); e in (0, 1]; d in (0, 1/2]; L in [0.69, inf)",
    steps=(
        smt(
            "a + b <= 2*lam",
            ("a <= lam", "b <= lam"),
            says=r"the error is the sum of two draws of $\mathrm{Bin}(\lambda, 1/2)$",
        ),
        no_constant(
            r"for every $\varepsilon > 0$: some constant $C$ bounds the least $2 \lambda$, $40 c^{2} \ln(2/\delta)$, by $(C/\varepsilon^{2}) \ln(1/\delta)$",
            inequality(
                "40*((exp(C) + 1)/(exp(C) - 1))^2*log(4) > log(2)/C",
                says=r"at $\varepsilon = C$ and $\delta = 1/2$ the least $2 \lambda$, $40 c^{2} \ln 4$, is above $(C/\varepsilon^{2}) \ln 2 = \frac{\ln 2}{C}$, for every $C "
                r"\ge 1$",
                C="[1, inf)",
            ),
            "C",
        ),
    ),
    why=(
        r"For $\varepsilon$ going to infinity $c$ goes to 1, for $\delta$ going to 1 $\ln(2/\delta)$ goes to $\ln 2$, and $\lambda$ may be larger than the least one. "
        r"Evidently the order is that of the least $\lambda$, for $\varepsilon = O(1)$ and $\delta$ bounded away from 1, as Figure 1 says."
    ),
    repair=Repair(
        r"The error is at most $2 \lambda$; for the least whole $\lambda$, $\varepsilon \le 1$ and $\delta \le 1/2$ that is at most $\frac{380}{\varepsilon^{2}} "
        r"\ln(1/\delta)$.",
        (
            inequality("(exp(e) + 1)/(exp(e) - 1) <= 2.17/e", says=r"$c \le 2.17/\varepsilon$ for $\varepsilon \le 1$"),
            inequality("log(2/d) <= 2*log(1/d)", says=r"$\ln(2/\delta) \le 2 \ln(1/\delta)$"),
            inequality("log(1/d) >= 0.69", says=r"$\ln(1/\delta) \ge 0.69$"),
            smt(
                "2*(20*c^2*M + 1) <= 380*L/e^2",
                ("c*e <= 2.17", "M <= 2*L"),
                says=r"the least whole $\lambda$ is below $20 c^{2} \ln(2/\delta) + 1$; $M = \ln(2/\delta)$, $L = \ln(1/\delta)$",
            ),
        ),
        argument=(
            r"The output is the sum of the bits plus two draws of $\mathrm{Bin}(\lambda, 1/2)$, so the error is at most $2 \lambda$ by the first step of the statement. The steps "
            r"bound the least $\lambda$: $c$ and $\ln(2/\delta)$ first, and then what they make of $20 c^{2} \ln(2/\delta) + 1$."
        ),
        kernel=theorems("paper-thm-zerocount-pan", "paper-thm-zerocount-pan-order"),
    ),
    survives="The comparison in section 5 and Figure 1 is made for such parameters.",
    constants=(Constant("380", by="370", near_miss=1), Constant("2", by="1.99")),
    near_misses=(
        smt("a + b <= 1.99*lam", ("a <= lam", "b <= lam"), says=r"The error is at most $1.99 \lambda$."),
        inequality(
            f"2*{PRINTED_LAMBDA} <= 370/e^2*log(1/d)",
            says=r"The least $2 \lambda$ is at most $\frac{370}{\varepsilon^{2}} \ln(1/\delta)$.",
        ),
    ),
)


pan_histogram = Statement(
    where="section 5, Theorem hist-pan, privacy and l-infinity error",
    printed=r"For $\lambda \ge 20$ $\left(\frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}\right)^{2} \ln(2/\delta)$, $Q_{\mathrm{ZSUM}}$ on every bin is $(2 "
    r"\varepsilon, 2 \delta)$-pan-private and its l-infinity error is at most $2 \lambda$.",
    hypotheses=(r"$\varepsilon > 0$, $\delta \in (0,1)$, $\lambda \in N$",),
    covers=("theorem:hist-pan",),
    for_all="x, y, x1, x2, y1, y2 in [0, 1]; a, b in [0, inf); lam in [1, inf)",
    steps=(
        smt(
            "-1 <= x - y <= 1",
            ("x*(1 - x) = 0", "y*(1 - y) = 0"),
            says="an element counts 0 or 1 in a bin, so changing it moves the bin's stream in one bit",
        ),
        smt(
            "x1 + x2 + y1 + y2 <= 2",
            ("x1 + x2 <= 1", "y1 + y2 <= 1"),
            says="and it is in one bin before and in one after: at most two bins change",
        ),
        smt(
            "a + b <= 2*lam",
            ("a <= lam", "b <= lam"),
            says=r"the error of every bin is the sum of two draws of $\mathrm{Bin}(\lambda, 1/2)$",
        ),
    ),
    argument=(
        r"Each bin runs $Q_{\mathrm{ZSUM}}$ on the bits that say which elements are in it, with noise of its own. A changed element changes one bit in at most two of these "
        r"streams; the views of the two bins, state and output, are independent and $(\varepsilon, \delta)$-private each (pan-sum), so together they are $(2 \varepsilon, 2 "
        r"\delta)$-private by composition, and the views of the other bins are a common factor."
    ),
    kernel=theorems("paper-thm-hist-pan"),
    constants=(
        Constant(
            "20",
            slack="as for one sum: 2.06 c^2 ln(2/delta) coins are enough for one bin (binomial-mechanism-constant)",
        ),
        Constant("2", by="1.99"),
    ),
    near_misses=smt("a + b <= 1.99*lam", ("a <= lam", "b <= lam"), says=r"The error is at most $1.99 \lambda$."),
    rests_on=("pan-sum", "composition", "common-factor", "binomial-mechanism-constant"),
)


laplace_comparison = Statement(
    where="section 5, before Theorem hist-pan: 'This improves over a naive solution'",
    kind="prose",
    printed=r"The error of the histogram, at most $2 \lambda$, improves over that of a naive solution that adds Laplace noise to each bin.",
    reading=r"Both are $(\varepsilon, \delta)$-pan-private, so the histogram is run with $\varepsilon/2$ and $\delta/2$, and the naive solution adds $\mathrm{Lap}(2/\varepsilon)$ "
    "before the stream and again after it.",
    severity="false",
    rests_on=("laplace-histogram",),
    for_all="e in (0, inf); l in [0, inf); lam in [1, inf)",
    steps=(
        identity(
            "2*1000*exp(-25/2) = 2*1000*exp(-(50/2)/(2/1))",
            says=r"at $\varepsilon = 1$ and $k = 1000$ some bin's two draws have a sum above 50 with probability at most $2k e^{-25/2}$",
        ),
        inequality("2*1000*exp(-25/2) < 1/100", says="which is below $1/100$"),
        inequality(
            "2*20*((exp(1/2) + 1)/(exp(1/2) - 1))^2*log(4*10^6) <= 50",
            says=r"at $\varepsilon = 1$, $\delta = 10^{-6}$ and $k = 1000$: $2 \lambda \le 50$",
        ),
    ),
    why=r"$2 \lambda$ does not depend on $k$, but it is large: above 10000 at $\varepsilon = 1$ and $\delta = 10^{-6}$, where Laplace noise in 1000 bins errs by more than 50 "
    r"with probability below $1/100$. The comparison is one of orders as $k$ grows.",
    repair=Repair(
        r"It improves where $\ln k \ge \varepsilon \lambda$, so for $\ln k$ above a constant times $\ln(1/\delta)/\varepsilon$: there the naive error is above $2 \lambda$ with "
        "probability above 0.63.",
        smt("2/e*l >= 2*lam", ("l >= e*lam",), says=r"$b \ln k \ge 2 \lambda$ for $b = 2/\varepsilon$, $l = \ln k$"),
        argument=(
            r"By laplace-histogram the largest of $k$ draws of $\mathrm{Lap}(b)$ is above $b \ln k$ with probability above 0.63. A second draw only adds to that: it has the "
            r"sign of the first with probability $1/2$, and a sum of two is above $t$ in size with probability $(1 + \frac{t}{2b}) e^{-t/b} \ge e^{-t/b}$."
        ),
    ),
    survives="Theorem hist-pan is not about the comparison.",
    near_misses=inequality(
        "2*10^9*exp(-25/2) < 1/100",
        says=r"With a thousand million bins the naive error is within 50 with probability above $99/100$, by the same bound.",
    ),
)


laplace_histogram = Statement(
    where="section 5, before Theorem hist-pan",
    kind="prose",
    printed="A naive solution that adds Laplace noise to each bin incurs a logarithmic dependence on the domain size.",
    reading=r"$k \ge 2$ bins, independent $\mathrm{Lap}(b)$ noise in each, $b = \Theta(1/\varepsilon)$; the l-infinity error is the largest of the $k$ noises.",
    for_all="b in (0, inf); k in [2, inf); x in (0, 1/2]",
    steps=(
        identity("exp(-(b*log(k))/b) = 1/k", says=r"$P[|\mathrm{Lap}(b)| > b \ln k] = e^{-\ln k} = 1/k$"),
        inequality("log(1 - x) <= -x", says=r"with $x = 1/k$: $(1 - 1/k)^{k} \le 1/e$"),
        inequality("exp(-1) < 0.37", says="$1/e < 0.37$"),
    ),
    argument=(
        r"$|\mathrm{Lap}(b)|$ is exponential with mean $b$, so P[|noise_j| > $b \ln k$] = $1/k$ for each bin. The bins are independent, so all $k$ noises are "
        r"within $b \ln k$ with probability $(1 - 1/k)^{k} \le 1/e < 0.37$: with probability above 0.63 the l-infinity error is above $b \ln k$, which is "
        r"$\Theta\left(\frac{\log(k)}{\varepsilon}\right)$."
    ),
    near_misses=inequality("log(1 - x) <= -1.02*x", says="$(1 - 1/k)^{k}$ is at most $e^{-1.02}$."),
)
