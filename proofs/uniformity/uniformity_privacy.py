"""Theorem ut-upper-bound-prelim: the privacy of P_UT."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality, smt

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, Theorem ut-upper-bound-prelim, privacy",
    kind="theorem",
    printed="Let gamma in (0,1], eps > 0 and delta in (0,1). There is a lambda in N, lambda = 40 ((e^eps+1)/(e^eps-1))^2 ln(2k/delta), such that P_UT is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private.",
    reading="lambda is that number rounded up, or any larger one: it is irrational in general, and so is the number gamma lambda/2 of coins in the proof. The randomizer appends its data message. gamma n is a whole number.",
    rests_on=(
        "binomial-mechanism",
        "poisson-concentration",
        "composition",
        "poisson-sums",
        "countable-laws",
        "uniformity-worst-neighbour",
        "uniformity-randomizer-keeps-messages:repaired",
        "uniformity-noise",
    ),
    steps=(
        identity(
            "(g*lam/2)^2/(2*(g*lam + g*lam/2)) = g*lam/12",
            says="P[Pois(gamma lambda) < gamma lambda/2] <= 2 exp(-gamma lambda/12)",
            g="(0, 1]",
            lam="(0, inf)",
        ),
        smt(
            "lam/12 >= L",
            ("lam >= 40*c2*Lk", "Lk >= L"),
            says="lambda/12 >= ln(2/delta), with L = ln(2/delta) <= Lk = ln(2k/delta)",
            lam="(0, inf)",
            c2="[1, inf)",
            L="(0, inf)",
            Lk="(0, inf)",
        ),
        identity("exp(-g*log(2/d)) = (d/2)^g", says="so it is at most 2(delta/2)^gamma", g="(0, 1]", d="(0, 1)"),
        inequality("(d/2)^g < d^g", says="which is below 2 delta^gamma", g="(0, 1]", d="(0, 1)"),
        smt(
            "l/2 >= g*10*c2*Lk",
            ("l >= g*lam/2", "lam >= 40*c2*Lk"),
            says="given l >= gamma lambda/2 noise messages, the binomial mechanism applies",
            l="[0, inf)",
            g="(0, 1]",
            lam="(0, inf)",
            c2="[1, inf)",
            Lk="(0, inf)",
        ),
        identity(
            "g*log(2*k/d) = log(2/(2*(d/(2*k))^g))",
            says="with delta'' = 2(delta/2k)^gamma in place of delta",
            g="(0, 1]",
            k="[1, inf)",
            d="(0, 1)",
        ),
        smt(
            "y/(2*k) <= y",
            says="and delta/2k <= delta, so delta'' <= 2 delta^gamma; a pool has 2 + 2, the pair 8 delta^gamma",
            y="(0, 1)",
            k="[1, inf)",
        ),
    ),
    argument=(
        "By the statement on neighbours each of the two pools that change is, given its L ~ Pois(gamma lambda) noise messages, a shift of Bin(L, 1/2) by 1, and L is visible and independent of the data. With probability at most 2 exp(-gamma lambda/12) <= 2(delta/2)^gamma < 2 delta^gamma, L < gamma lambda/2: the concentration lemma at t = gamma lambda/2 and the first four steps. Otherwise the binomial mechanism applies with p = 1/2 and delta'' = 2(delta/2k)^gamma: the fifth "
        "and sixth steps (if delta'' >= 1 nothing is claimed), and delta'' <= 2 delta^gamma by the last. So a pool is (eps, 4 delta^gamma)-private, and the two compose to (2 eps, 8 delta^gamma). Any gamma' >= gamma has more noise and gives 8 delta^gamma' <= 8 delta^gamma. Composition is the kernel's, for finite laws; countable-laws bridges to Poisson counts."
    ),
    constants=(
        Constant("40", slack="not tight: 2.65 c^2 ln(2/delta), without k, suffices (uniformity-noise)"),
        Constant("8", slack="not tight: 4(delta/2)^gamma holds (uniformity-noise)"),
    ),
    twins=(
        smt(
            "lam/12 >= L",
            ("lam >= 11.9*c2*Lk", "Lk >= L"),
            says="with 11.9 in place of 40",
            lam="(0, inf)",
            c2="[1, inf)",
            L="(0, inf)",
            Lk="(0, inf)",
        ),
        smt(
            "l/2 >= g*10*c2*Lk",
            ("l >= g*lam/2", "lam >= 39*c2*Lk"),
            says="with 39 in place of 40",
            l="[0, inf)",
            g="(0, 1]",
            lam="(0, inf)",
            c2="[1, inf)",
            Lk="(0, inf)",
        ),
    ),
)
