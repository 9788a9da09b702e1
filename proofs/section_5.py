"""Section 5: histograms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from panshuffle.proofs.finite import Law, binomial, image, independent, neighbours, stick
from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, inequality, kernel, kernel_refutation, no_constant, smt

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


PAN_SUM_OUTPUTS = [
    (stream, lam, first, second)
    for lam in (1, 2)
    for stream in product((0, 1), repeat=2)
    for first, second in product(range(lam + 1), repeat=2)
]


def every_pan_sum_output(says: str, holds: Callable[[int, int], bool]) -> Step:
    """A claim about the output z and lam; every outcome of the two Bin(lam, 1/2) draws has positive probability."""
    return exhaustive(
        says + ", for every stream of two bits, lam <= 2 and all draws",
        lambda case: holds(sum(case[0]) + case[2] + case[3], case[1]),
        PAN_SUM_OUTPUTS,
        lambda case: (
            f"stream {case[0]}, lam = {case[1]}, draws {case[2]} and {case[3]}: "
            f"the output is {sum(case[0]) + case[2] + case[3]}"
        ),
    )


pan_sum_range = Statement(
    label="alg:zerocount-pan",
    where=r"section 5, Algorithm $Q_{\mathrm{ZSUM}}$, its output",
    kind="algorithm",
    printed=r"The output $z$ is in $N$, where $N = \{1, 2, \dots\}$.",
    covers=("alg:zerocount-pan",),
    severity="convention",
    kernel=(
        kernel_refutation(
            "sum-range-refuted", r"$\lambda = 1$ and the stream (0): the output is 0 with probability $1/4$"
        ),
    ),
    why=r"On a stream of zeros both draws are 0 with probability $4^{-\lambda}$, and $N$ begins with 1 in this paper.",
    repair=Repair(r"The output is a whole number from 0 to $n + 2 \lambda$.", (), kernel=(kernel("sum-range"),)),
    survives="Theorem zerocount-pan does not use the range.",
    near_misses=(
        every_pan_sum_output("the output is at most n + 2 lam - 1", lambda z, lam: z <= 2 + 2 * lam - 1),
        every_pan_sum_output("the output is at most n + lam", lambda z, lam: z <= 2 + lam),
    ),
)


Stream = tuple[int, ...]

PanSumCase = tuple[int, Stream, Stream, int, Fraction]

HALF = Fraction(1, 2)


def pan_sum_view(stream: Stream, t: int, lam: int, last: int) -> Law:
    """The law of (I_t, output) with Bin(lam, 1/2) before the stream and Bin(last, 1/2) after it."""
    before, after = sum(stream[:t]), sum(stream[t:])
    return image(
        independent(binomial(lam, HALF), binomial(last, HALF)),
        lambda draws: (before + draws[0], before + draws[0] + after + draws[1]),
    )


def shift_delta(lam: int, exp_eps: Fraction) -> Fraction:
    """The divergence of Bin(lam, 1/2) from 1 + Bin(lam, 1/2); by symmetry also the other way round."""
    return stick(binomial(lam, HALF), image(binomial(lam, HALF), lambda x: x + 1), exp_eps)


PAN_SUM_CASES: list[PanSumCase] = [
    (lam, x, y, t, Fraction(e, 2))
    for lam in (1, 2, 4)
    for x, y in neighbours((0, 1), 2)
    for t in range(3)
    for e in (2, 3, 5)
]


def same_as_one_shift(says: str, fewer: int = 0, wider: Fraction = Fraction(1)) -> Step:
    """The joint view is as private as one shift of Bin(lam, 1/2), at `wider` times the same e^eps."""

    def holds(case: PanSumCase) -> bool:
        lam, x, y, t, exp_eps = case
        return stick(
            pan_sum_view(x, t, lam, lam - fewer), pan_sum_view(y, t, lam, lam - fewer), exp_eps
        ) == shift_delta(lam, wider * exp_eps)

    return exhaustive(
        says,
        holds,
        PAN_SUM_CASES,
        lambda case: f"lam = {case[0]}, streams {case[1]} and {case[2]}, t = {case[3]}, e^eps = {case[4]}",
    )


pan_sum = Statement(
    label="theorem:zerocount-pan",
    where="section 5, Theorem zerocount-pan, privacy",
    kind="theorem",
    printed=r"Given $\varepsilon > 0$, $\delta \in (0,1)$ and $\lambda \ge 20$ $\left(\frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}\right)^{2} \ln(2/\delta)$, "
    r"$Q_{\mathrm{ZSUM}}$ is $(\varepsilon, \delta)$-pan-private.",
    hypotheses=(r"$\lambda \in N$",),
    covers=("theorem:zerocount-pan",),
    kernel=(kernel("paper-thm-zerocount-pan"),),
    constants=(
        Constant(
            "20",
            slack="not tight: 2.06 c^2 ln(2/delta) coins are enough, since 1.03 suffices in place of 10 (binomial-mechanism-constant)",
        ),
    ),
    near_misses=(
        same_as_one_shift("the view is worth one shift also with one coin fewer after the stream", fewer=1),
        same_as_one_shift("the view is worth one shift read at 1.04 e^eps", wider=Fraction(26, 25)),
        smt("lam/2 >= 10*c2*L", ("lam >= 19*c2*L",), says="with 19", lam="[1, inf)", c2="[1, inf)", L="(0, inf)"),
    ),
    rests_on=("binomial-mechanism-constant",),
)


PRINTED_LAMBDA = "20*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

pan_sum_error = Statement(
    label="theorem:zerocount-pan",
    where="section 5, Theorem zerocount-pan, error; the same sentence in Theorem hist-pan",
    kind="theorem",
    printed=r"Given $\varepsilon > 0$, $\delta \in (0,1)$ and $\lambda \ge 20 c^{2} \ln(2/\delta)$, $c = \frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}$, "
    r"$Q_{\mathrm{ZSUM}}$ computes binary sums with error at most $2 \lambda = O((1/\varepsilon^{2}) \log(1/\delta))$.",
    reading=r"The order is that of the least $\lambda$ allowed, for $\varepsilon = O(1)$ and $\delta$ bounded away from 1, as Figure 1 says $(\varepsilon = O(1), "
    r"\delta < 1/n)$. For $\varepsilon$ going to infinity $c$ does not go to 0, and for $\delta$ going to $1 \ln(2/\delta)$ does not: the near misses.",
    kernel=(kernel("paper-thm-zerocount-pan"), kernel("paper-thm-zerocount-pan-order")),
    constants=(
        Constant("2.17", near_miss=r"$c \le 2.1/\varepsilon$ for $\varepsilon \le 1$", by="2.1"),
        Constant("2", near_miss=r"error $1.99 \lambda$", by="1.99"),
    ),
    near_misses=(
        smt(
            "a + b <= 1.99*lam",
            ("a <= lam", "b <= lam"),
            says=r"error $1.99 \lambda$",
            a="[0, inf)",
            b="[0, inf)",
            lam="[1, inf)",
        ),
        inequality(
            "(exp(e) + 1)/(exp(e) - 1) <= 2.1/e", says=r"$c \le 2.1/\varepsilon$ for $\varepsilon \le 1$", e="(0, 1]"
        ),
        inequality(
            f"2*{PRINTED_LAMBDA} <= 380/e^2*log(1/d)",
            says=r"with 380 for $\delta$ up to $9/10$",
            e="(0, 1]",
            d="(0, 9/10]",
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
)


TWO_ELEMENT_STREAMS = list(product((1, 2, 3), repeat=2))

NEIGHBOURING_STREAMS = [
    (x, y)
    for x in TWO_ELEMENT_STREAMS
    for y in TWO_ELEMENT_STREAMS
    if sum(a != b for a, b in zip(x, y, strict=True)) <= 1
]


def bins_change(says: str, at_most: int, by: Fraction = Fraction(1)) -> Step:
    """Neighbouring streams differ in at most `at_most` bins, each by `by` at most."""

    def holds(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        changes = [abs(case[0].count(j) - case[1].count(j)) for j in (1, 2, 3)]
        return sum(change > 0 for change in changes) <= at_most and all(change <= by for change in changes)

    return exhaustive(says + ", for k = 3 and streams of length two", holds, NEIGHBOURING_STREAMS, str)


pan_histogram = Statement(
    label="theorem:hist-pan",
    where="section 5, Theorem hist-pan, privacy and l-infinity error",
    kind="theorem",
    printed=r"For $\lambda \ge 20$ $\left(\frac{e^{\varepsilon}+1}{e^{\varepsilon}-1}\right)^{2} \ln(2/\delta)$, $Q_{\mathrm{ZSUM}}$ on every bin is $(2 "
    r"\varepsilon, 2 \delta)$-pan-private and its l-infinity error is at most $2 \lambda$.",
    hypotheses=(r"$\varepsilon > 0$, $\delta \in (0,1)$, $\lambda \in N$",),
    covers=("theorem:hist-pan",),
    kernel=(kernel("paper-thm-hist-pan"),),
    constants=(
        Constant(
            "20",
            slack="as for one sum: 2.06 c^2 ln(2/delta) coins are enough for one bin (binomial-mechanism-constant)",
        ),
        Constant("2", near_miss=r"error $1.99 \lambda$", by="1.99"),
    ),
    near_misses=(
        bins_change("changing one element changes at most one bin", 1),
        smt(
            "a + b <= 1.99*lam",
            ("a <= lam", "b <= lam"),
            says=r"error $1.99 \lambda$",
            a="[0, inf)",
            b="[0, inf)",
            lam="[1, inf)",
        ),
    ),
    rests_on=("binomial-mechanism-constant",),
)


laplace_histogram = Statement(
    where="section 5, before Theorem hist-pan",
    kind="prose",
    printed="A naive solution that adds Laplace noise to each bin incurs a logarithmic dependence on the domain size.",
    reading=r"$k \ge 2$ bins, independent $\mathrm{Lap}(b)$ noise in each, $b = \Theta(1/\varepsilon)$; the l-infinity error is the largest of the $k$ noises.",
    steps=(
        identity(
            "exp(-(b*log(k))/b) = 1/k",
            says=r"$P[|\mathrm{Lap}(b)| > b \ln k] = e^{-\ln k} = 1/k$",
            b="(0, inf)",
            k="[2, inf)",
        ),
        inequality("log(1 - x) <= -x", says=r"with $x = 1/k$: $(1 - 1/k)^{k} \le 1/e$", x="(0, 1/2]"),
        inequality("exp(-1) < 0.37", says="$1/e < 0.37$"),
    ),
    argument=(
        r"$|\mathrm{Lap}(b)|$ is exponential with mean $b$, so P[|noise_j| > $b \ln k$] = $1/k$ for each bin. The bins are independent, so all $k$ noises are "
        r"within $b \ln k$ with probability $(1 - 1/k)^{k} \le 1/e < 0.37$: with probability above 0.63 the l-infinity error is above $b \ln k$, which is "
        r"$\Theta\left(\frac{\log(k)}{\varepsilon}\right)$."
    ),
    near_misses=(
        inequality("log(1 - x) <= -1.02*x", says="at most $e^{-1.02}$", x="(0, 1/2]"),
        identity("exp(-(b*log(k))/b) = 1/k^2", says="with $1/k^{2}$", b="(0, inf)", k="[2, inf)"),
        inequality("exp(-1) < 0.36", says="$1/e < 0.36$"),
    ),
)
