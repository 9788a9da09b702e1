"""Facts that the paper uses and does not prove."""

from __future__ import annotations

from itertools import accumulate

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import (
    average,
    computed,
    derivative,
    identity,
    inequality,
    series,
    smt,
    theorems,
)
from panshuffle.symbolic.decision import Decision, Status

binomial_generating_function = Statement(
    where="used in section 2.1, the binomial mechanism",
    kind="fact",
    printed=r"For $X \sim \mathrm{Bin}(l, p)$: $E[E^{X}]$ = ($1 - p$ + pE)^$l$.",
    hypotheses=(r"$l \ge 0$ is a whole number", r"$0 \le p \le 1$", "$E > 0$"),
    for_all="l in integer [0, inf); p, q, E in (0, inf)",
    steps=(
        series(
            "(q + p*E)^l",
            "q^l",
            "((l - x)/(x + 1)*(p/q)*E)",
            "p*E/q",
            "l",
            says=r"the sum of the masses times $E^{x}$, $q = 1 - p > 0$: the mass at 0 is $q^{l}$, and that at $x + 1$ is $\frac{l - x}{x + 1} \frac{p}{q}$ times that at $x$",
        ),
        identity("E^l = (1 - 1 + 1*E)^l", says="for $p = 1$ there are $l$ ones"),
        identity("1 = (1 - 0 + 0*E)^l", says="for $p = 0$ none"),
    ),
    kernel=theorems("binomial-generating-function"),
    near_misses=series(
        "(q + p*E)^(l + 1)", "q^l", "((l - x)/(x + 1)*(p/q)*E)", "p*E/q", "l", says="The mean is the power $l + 1$."
    ),
)


def fair_bits_upper_tail(k: int, above: int) -> int:
    """How many of the 2^k outcomes of k bits have at least k/2 + above ones, k/2 rounded down."""
    return sum(accumulate(range(k, k // 2 + above, -1), lambda term, x: term * x // (k - x + 1), initial=1))


FAIR_BITS, ABOVE_HALF = 20_000, 1_000


def larger_exponent() -> Decision:
    """P[C - k/2 >= t] <= e^(-2.1 t^2/k) for k = 20000 fair bits and t = 1000, in whole numbers and a ball (it is not)."""
    from flint import arb, ctx

    with ctx.workprec(200):
        chance = arb(fair_bits_upper_tail(FAIR_BITS, ABOVE_HALF)) / arb(2) ** FAIR_BITS
        bound = (arb(-21) / 10 * ABOVE_HALF**2 / FAIR_BITS).exp()
        if chance > bound:
            witness = f"k = {FAIR_BITS} fair bits, t = {ABOVE_HALF}: the probability is {chance.str(5)}, the bound {bound.str(5)}"
            return Decision(Status.REFUTED, "ball computation", witness)
    return Decision(Status.UNDECIDED, "ball computation")


hoeffding = Statement(
    where="used in section 3.1, Accuracy (II)",
    kind="fact",
    printed=r"For independent bits $X_{1}$, ..., $X_{k}$ with $\sum C$ and $t \ge 0$: $P[C - E[C] \ge t] \le e^{-2t^{2}/k}$, the same for $E[C] - C$, and so $P[|C "
    r"- E[C]| \ge t] \le 2 e^{-2t^{2}/k}$.",
    hypotheses=(r"$k \ge 1$; $X_{j} \in \{0, 1\}$, independent, not necessarily of one law", r"$t \ge 0$"),
    for_all="p in (0, 1); s in (-inf, inf); q in [0, 1]; k in [1, inf); t in [0, inf)",
    steps=(
        derivative(
            "log(1 - p + p*exp(s)) - p*s",
            "s",
            "p*exp(s)/(1 - p + p*exp(s)) - p",
            says=r"$\phi(s) = \ln E[e^{s(X - p)}]$ of one bit has $\phi' = q - p$, $q = \frac{p e^{s}}{1 - p + p e^{s}}$",
        ),
        derivative(
            "p*exp(s)/(1 - p + p*exp(s)) - p",
            "s",
            "p*exp(s)/(1 - p + p*exp(s))*(1 - p*exp(s)/(1 - p + p*exp(s)))",
            says=r"and $\phi'' = q(1 - q)$",
        ),
        identity(
            "log(1 - p + p*exp(0)) - p*0 + (p*exp(0)/(1 - p + p*exp(0)) - p) = 0", says=r"$\phi(0) = \phi'(0) = 0$"
        ),
        smt("q*(1 - q) <= 1/4", says=r"$\phi'' \le 1/4$"),
        identity("k*(4*t/k)^2/8 - (4*t/k)*t = -2*t^2/k", says="the exponent $k s^{2}/8 - st$ at $s = 4t/k$"),
    ),
    argument=(
        r"For a bit with probability $p$ of 1, $0 < p < 1$, Taylor's formula with $\phi(0) = \phi'(0) = 0$ and $\phi'' \le 1/4$ gives $\phi(s) \le s^{2}/8$; for "
        r"$p = 0$ and $p = 1$ the bit is its mean and $\phi = 0$. The bits are independent, so $E[e^{s(C - E[C])}] \le e^{k s^{2}/8}$, and for $s = 4t/k \ge 0$ "
        r"the exponential moment bound gives $P[C - E[C] \ge t] \le e^{k s^{2}/8 - st} = e^{-2t^{2}/k}$. The bits $1 - X_{j}$ give the other side, and the two sides add up."
    ),
    rests_on=("exponential-markov",),
    kernel=theorems("hoeffding"),
    constants=(Constant("2", by="2.1", near_miss=1), Constant("1/4", by="0.24")),
    near_misses=(
        smt("q*(1 - q) <= 0.24", says=r"The second derivative of $\phi$ is at most 0.24."),
        computed(
            "One side holds with $e^{-2.1 t^{2}/k}$, at $k = 20000$.",
            larger_exponent,
            "ball",
            "the same tail by math.comb, tests/test_ledger_honesty.py",
        ),
    ),
)


CANTELLI_INDICATOR = ("i*(1 - i) = 0", "i*(x - mu - t) >= 0")

cantelli = Statement(
    where="not in the paper; used for the repaired threshold of section 4.1",
    kind="fact",
    printed=r"For $t > 0$: $P[X - \mu \ge t] \le \frac{v}{v + t^{2}}$, $\mu$ being the mean and $v$ the variance of $X$.",
    hypotheses=("$t > 0$", "$v$ is finite"),
    for_all="mu, u in (-inf, inf); v in [0, inf); t in (0, inf)",
    steps=average(
        "P <= v/(v + t^2)",
        "i*(t + v/t)^2 <= (x - mu + v/t)^2",
        CANTELLI_INDICATOR,
        outcome={"x": "(-inf, inf)", "i": "[0, 1]"},
        means={"i": "P", "x": "mu", "x^2": "v + mu^2"},
        says=r"with the indicator $i$ of $X - \mu \ge t$, whose mean is $P$: $i(t + u)^{2} \le (X - \mu + u)^{2}$ at $u = v/t$",
    ),
    kernel=theorems("cantelli"),
    constants=(Constant("1", by="1.04"),),
    near_misses=smt(
        "v/(v + t^2) <= v/(v + 1.04*t^2)",
        says="It holds with $1.04 t^{2}$. (The law with the two values $t$ and $-v/t$ attains the bound.)",
        v="(0, inf)",
    ),
)


CHEBYSHEV_INDICATOR = ("i*(1 - i) = 0", "i*((x - mu)^2 - t^2) >= 0")

chebyshev = Statement(
    where="used in section 4.1, both cases of the tester",
    kind="fact",
    printed=r"For $t > 0$: $P[|X - \mu| \ge t] \le \frac{\mathrm{Var}[X]}{t^{2}}$, $\mu$ being the mean of $X$.",
    hypotheses=("$t > 0$", r"$\mathrm{Var}[X]$ is finite"),
    for_all="mu in (-inf, inf); t in (0, inf)",
    steps=average(
        "P <= v/t^2",
        "t^2*i <= (x - mu)^2",
        CHEBYSHEV_INDICATOR,
        outcome={"x": "(-inf, inf)", "i": "[0, 1]"},
        means={"i": "P", "x": "mu", "x^2": "v + mu^2"},
        says=r"with the indicator $i$ of $|X - \mu| \ge t$, whose mean is $P$, and the variance $v$",
    ),
    kernel=theorems("chebyshev"),
    constants=(Constant("1", by="1/1.02"),),
    near_misses=smt(
        "1.02*t^2*i <= (x - mu)^2",
        CHEBYSHEV_INDICATOR,
        says="It holds, outcome by outcome, with the constant $1/1.02$.",
        for_all="x in (-inf, inf); i in [0, 1]",
    ),
)


poisson_generating_function = Statement(
    where="used in section 4.1",
    kind="fact",
    printed=r"For $X \sim \mathrm{Pois}(\mu)$: $E[E^{X}] = e^{{\mu(E-1)}}$.",
    hypotheses=(r"$\mu > 0$", "$E > 0$"),
    for_all="mu, E in (0, inf)",
    steps=series(
        "exp(mu*(E - 1))",
        "exp(-mu)",
        "(mu/(x + 1)*E)",
        "mu*E",
        says=r"the sum of the masses times $E^{x}$: the mass at 0 is $e^{-\mu}$, and that at $x + 1$ is $\frac{\mu}{x + 1}$ times that at $x$",
    ),
    kernel=theorems("poisson-generating-function"),
    near_misses=series("exp(mu*E - 1)", "exp(-mu)", "(mu/(x + 1)*E)", "mu*E", says=r"The mean is $e^{\mu E - 1}$."),
)


MARKOV_INDICATOR = ("i*(1 - i) = 0", "i*(x - a) >= 0")

markov = Statement(
    where="used in Appendix A.2, the hash lemma",
    kind="fact",
    printed=r"For $X \ge 0$ and $a > 0$: $P[X \ge a] \le \frac{E[X]}{a}$.",
    hypotheses=(r"$X \ge 0$", "$a > 0$"),
    for_all="a in (0, inf)",
    steps=average(
        "P <= M/a",
        "a*i <= x",
        MARKOV_INDICATOR,
        outcome={"x": "[0, inf)", "i": "[0, 1]"},
        means={"i": "P", "x": "M"},
        says=r"with the indicator $i$ of $X \ge a$, whose mean is $P$, and $M = E[X]$",
    ),
    kernel=theorems("markov"),
    constants=(Constant("1", by="1/1.05"),),
    near_misses=smt(
        "1.05*a*i <= x",
        MARKOV_INDICATOR,
        says="It holds, outcome by outcome, with the constant $1/1.05$.",
        for_all="x in [0, inf); i in [0, 1]",
    ),
)


binomial_poisson_distance = Statement(
    where="not in the paper; used for testers with a fixed number of users",
    kind="fact",
    printed=(
        r"For whole $0 < m < n$ the mean of a bounded function $f \ge 0$ under $\mathrm{Bin}(n, m/n)$ is at most $\left(\frac{n}{n-m}\right)^{1/2}$ times its "
        r"mean under $\mathrm{Pois}(m)$. The total variation of the two laws is at most $1 - (1 - m/n)^{1/2}$."
    ),
    for_all="m, l in integer [1, inf); x in integer [0, inf); n in [2, inf); y in (0, 1]",
    steps=(
        identity(
            "m/(m + l) = (1 - m/(m + l))*(m/l)", says=r"with $n = m + l$ the odds of $\frac{m}{n}$ are $\frac{m}{l}$"
        ),
        identity(
            "((m + l - x)/(x + 1)*(m/l))/(m/(x + 1)) = (m + l - x)/l",
            says=(
                r"from $x$ to $x + 1$ the ratio $r(x)$ of the masses, $\mathrm{Bin}(n, m/n)$ to $\mathrm{Pois}(m)$, is multiplied by $\frac{n - x}{n - m}$"
            ),
        ),
        smt(
            "(n - x - (n - m))*(m - x) >= 0",
            says=r"which is at least 1 up to $x = m$ and at most 1 from there, so $r(x) \le r(m)$",
            for_all="m in [1, inf); x in [0, inf)",
        ),
        identity(
            "exp(1)*(n/(n + 1))^n*(n/(n + 1))^(1/2) = exp(1 - (n + 1/2)*log(1 + 1/n))",
            says=r"with $a_{n} = n!\,e^{n}/n^{n}$: the quotient of $a_{n+1}/\sqrt{n+1}$ and $a_{n}/\sqrt{n}$",
            n="[1, inf)",
        ),
        inequality(
            "(1 + y/2)*log(1 + y) >= y",
            says=r"$(n + 1/2) \ln(1 + 1/n) \ge 1$, $y = 1/n$: so $a_{n}/\sqrt{n}$ does not increase",
        ),
    ),
    argument=(
        r"For $x > n$ the binomial mass is 0. For $x \le n$ the first two steps say that $r(x) \le r(m) = C(n, m) (m/n)^{m} (1 - m/n)^{n-m} m!\,e^{m}/m^{m} = "
        r"a_{n}/a_{n-m}$, $a_{n} = n!\,e^{n}/n^{n}$. By the last two $a_{n}/\sqrt{n}$ does not increase, so $r(m) \le \left(\frac{n}{n-m}\right)^{1/2} = F$. Each "
        r"mass is at most $F$ times the other, and so is the mean of every $f \ge 0$. The total variation is 1 less the sum of the smaller masses, which are at "
        r"least $1/F$ times the binomial ones: at most $1 - 1/F = 1 - (1 - m/n)^{1/2}$."
    ),
    kernel=theorems("binomial-below-poisson", "binomial-poisson-distance"),
    constants=(
        Constant(
            "1/2",
            slack="the exponent is the right one for large n - m, by Stirling's formula; 0.95 times the factor is refuted",
        ),
    ),
    near_misses=inequality(
        "1/2 <= 0.95*2^(1/2)*exp(-1)",
        says="The means are within 0.95 times the factor, at $n = 2$, $m = 1$ for the mass at 1.",
    ),
)


common_factor = Statement(
    where="used wherever the paper says that it suffices to look at the messages that differ",
    kind="fact",
    printed=r"If $R$ is independent of $P$ and of $Q$, the divergence of $(P, R)$ from $(Q, R)$ is that of $P$ from $Q$, at every $e^{\varepsilon}$.",
    for_all="w, x, y, r in [0, 1]; t in (-inf, inf); s in [0, inf); E in (0, inf)",
    steps=(
        smt(
            "w*t <= w*s",
            ("t <= s",),
            says=r"a test's gain $t$ given $R = r$ is at most the divergence $s$ of $P$ from $Q$; weighted with the mass $w$ of $r$ it stays so",
        ),
        identity(
            "w*x - E*(w*y) = w*(x - E*y)",
            says=r"the gain $P[T] - e^{\varepsilon} Q[T]$ of a test of $(P, R)$ is the mean over $r$ of the gains of its sections",
        ),
    ),
    argument=(
        r"The divergence is the largest $P[T] - e^{\varepsilon} Q[T]$ over all events $T$. For an event $T$ of pairs let $T_{r}$ be the $p$ with $(p, r)$ in $T$; "
        r"$R$ is independent, so by the second step $T$ gains the mean over $r$ of what the $T_{r}$ gain, and by the first that is at most the divergence of $P$ "
        r"from $Q$. An event $T$ of $P$ alone is one of pairs, too, so nothing is lost."
    ),
    kernel=theorems("common-factor"),
    near_misses=smt(
        "r*x <= 0", ("x <= 1/100",), says=r"A weight of $r$ makes a gain of at most $1/100$ none.", x="(-inf, inf)"
    ),
)


countable_laws = Statement(
    where="used wherever noise is Poisson",
    kind="fact",
    printed="Laws on countably many outcomes may be composed: if $d$ and every $k(a)$ are probability laws, so is the law that draws a from $d$ and then an "
    "outcome from $k(a)$, and the mean of a bounded $f$ under it is the mean over a of the means under $k(a)$. Two laws with the same masses have the same "
    "mean of every bounded $f$. Nothing is said of moments, which need not exist.",
    for_all="w, d, k in [0, 1]; f in (-inf, inf); b in [0, inf)",
    steps=(
        smt(
            "-b*w <= w*f <= b*w",
            ("-b <= f", "f <= b"),
            says=r"a term $w f$ of the double sum, $w$ the product of the masses, is at most $b w$ in size",
        ),
        identity("d*(k*f) = (d*k)*f", says="and it is the same in either order of summation"),
    ),
    argument=(
        r"The sum over a and $y$ of $d(a) k(a)(y) f(y)$ converges absolutely for $|f| \le b$, by the first step and because the masses $d(a) k(a)(y)$ sum to 1, first over "
        r"$y$ and then over a. An absolutely convergent double series may be summed in any order: over $y$ first it is the mean of the means, over a first the mean under "
        r"the composed law, and with $f = 1$ its masses sum to 1. Equal masses give equal sums, term by term."
    ),
    kernel=theorems("countable-bind", "countable-proper", "countable-masses", "paper-laws-are-proper"),
    near_misses=smt(
        "-b*w <= w*f <= b*w", ("-b <= f",), says="The terms are as small for an $f$ that is bounded from below alone."
    ),
)


exponential_markov = Statement(
    where="used in sections 2.1, 3.1 and 4.1",
    kind="fact",
    printed=r"For $s \ge 0$: $P[X \ge a] \le E[e^{{s(X-a)}}]$, and $P[X \le a] \le E[e^{{s(a-X)}}]$.",
    hypotheses=(r"$s \ge 0$",),
    for_all="y in [0, inf)",
    steps=(
        inequality("exp(y) >= 1", says=r"on the event $y = s(X - a) \ge 0$, or $s(a - X) \ge 0$: $e^{y} \ge 1$"),
        inequality("exp(y) > 0", says="off the event: $e^{y}$ is positive", y="(-inf, inf)"),
        average(
            "P <= M",
            "i <= w",
            ("i*(1 - i) = 0", "i*(w - 1) >= 0"),
            outcome={"w": "(0, inf)", "i": "[0, 1]"},
            means={"i": "P", "w": "M"},
            says=r"so with the indicator $i$ of the event, whose mean is $P$: $i \le e^{y}$, and $M = E[e^{y}]$",
        ),
    ),
    kernel=theorems("exponential-markov"),
    constants=(Constant("1", by="1.01"),),
    near_misses=inequality("exp(y) >= 1.01", says="It holds with a constant above 1."),
)


krawtchouk_norm = Statement(
    where="not in the paper; used for the number of messages",
    kind="fact",
    printed=r"The sum of the absolute values of the coefficients of $\left(\frac{1+z}{2}\right)^{b} \left(\frac{1-z}{2}\right)^{a}$ is at most $C(a+b, a)^{-1/2}$, "
    r"for whole a, $b \ge 0$: a = mj, $b = m(N-j)$ for $A^{N-j} B^{j}$.",
    for_all="y, z, w in (-inf, inf); h, x in [0, inf)",
    steps=(
        identity(
            "((1 + y)*(1 + z) + (1 - y)*(1 - z))/2 = 1 + y*z",
            says=r"so the mean of $(1-y)^{x}(1+y)^{M-x}(1-z)^{x}(1+z)^{M-x}$ over $x \sim \mathrm{Bin}(M, 1/2)$ is $(1 + yz)^{M}$",
        ),
        identity(
            "(1 + z) + w*(1 - z) = (1 + w) + z*(1 - w)",
            says=r"so $\sum_{x} C(M, x) w^{x} (1-z)^{x}(1+z)^{M-x} = \sum_{d} C(M, d) z^{d} (1-w)^{d}(1+w)^{M-d}$",
        ),
        smt(
            "2*h*x - h^2 <= x^2",
            says=r"Cauchy-Schwarz: with $h = E|L|$, the mean over $x = |L|$ gives $(E|L|)^{2} \le E[L^{2}]$",
        ),
    ),
    argument=(
        r"Let $M = a + b$, $x \sim \mathrm{Bin}(M, 1/2)$, and $L_{x}$ the coefficient of $z^{a}$ in $(1-z)^{x}(1+z)^{M-x}$. The first step and the binomial theorem "
        r"say that $E[L_{x}^{2}]$, the coefficient of $y^{a} z^{a}$ in $(1 + yz)^{M}$, is $C(M, a)$. The second, whose both sides are powers $M$ of its terms, "
        r"says that the coefficient $K_{x}$ of $w^{x}$ in $(1-w)^{a}(1+w)^{b}$ is $C(M, x) L_{x}/C(M, a)$ (coefficients of $w^{x} z^{a}$). So the sum of "
        r"$2^{-M} |K_{x}|$ is $E|L_{x}|/C(M, a) \le C(M, a)^{1/2}/C(M, a)$, by the third step."
    ),
    kernel=theorems("share-norm"),
    constants=(Constant("1", by="0.98"),),
    near_misses=inequality(
        "((1 + 1)/2)^b <= 0.98*1^(-1/2)", says=r"The sum is at most $0.98 C(a+b, a)^{-1/2}$, for $a = 0$.", b="[0, inf)"
    ),
)
