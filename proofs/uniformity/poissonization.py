"""Section 4: n ~ Pois(m) samples in place of m."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, moment

PEEL = {"m": "(0, inf)", "s": "[0, inf)", "t": "[0, 1]", "p": "[0, 1]", "z": "(0, 1)"}

STATEMENT = Statement(
    where="section 4, the paragraph on Poissonization",
    kind="prose",
    printed=(
        "Using n ~ Pois(m) samples in place of m ensures that sampled counts of different elements are independent over the randomness of drawing n; Pois(m) concentrates around m, so "
        "O(m) samples are guaranteed at the cost of a constant decrease in success probability."
    ),
    reading="The counts are independent, and the count of an element of probability p_j is Pois(m p_j), which is what is used.",
    rests_on=("markov", "poisson-generating-function"),
    steps=(
        identity(
            "exp(m*((s + p*z) - (t + p))) = exp(m*(s - t))*exp(m*p*(z - 1))",
            says="one element is split off: s and t are the sums of p_j z_j and p_j over the others",
            **PEEL,
        ),
        moment("value = m", {"X": "Pois(m)"}, mean_of="X", says="E[n] = m", m="(0, inf)"),
        identity("m/(10*m) = 1/10", says="Markov: P[n >= 10m] <= 1/10, for every m", m="(0, inf)"),
    ),
    argument=(
        "Given n, the counts are multinomial: E[product of z_j^(c_j)] = (sum p_j z_j)^n. Over n ~ Pois(m) the generating function at sum p_j z_j gives e^(m(sum p_j z_j - 1)), and 1 = sum p_j. By the first step, used once for each element, this is the product of the functions e^(m p_j (z_j - 1)) of Pois(m p_j). "
        "A law on tuples of whole numbers is determined by its generating function on (0, 1)^k, so the counts are independent with these laws. By Markov's inequality n is below 10m except with probability 1/10, which is the decrease."
    ),
    constants=(Constant("10", slack="10m and 1/10 are one choice: P[n >= 2m] is at most 2 e^(-m/4) already"),),
    twins=(
        identity(
            "exp(m*((s + p*z) - (t + p))) = exp(m*(s - t))*exp(0.98*m*p*(z - 1))", says="with Pois(0.98 m p)", **PEEL
        ),
        moment("value = 1.02*m", {"X": "Pois(m)"}, mean_of="X", says="with mean 1.02m", m="(0, inf)"),
    ),
)
