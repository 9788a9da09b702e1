"""Theorem ut-app-upper-bound: T_1, T_2, T_3 and the three cases."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, smt

K = {"k": "[1, inf)", "h": "(0, inf)", "a": "(0, 1)", "e": "(0, inf)"}
ALPHA = "(a*h^(1/2)/(477*(10*k)^(1/2)))"
X = "(k^(2/3)*e^(4/3)*a^(-4/3))"

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, proof of Theorem ut-app-upper-bound, the displays with T_1, T_2, T_3",
    kind="display",
    printed=(
        "With alpha^ = alpha sqrt(k^)/(477 sqrt(10k)): k^^(3/4)/(alpha^ eps) = O(T_1), k^^(2/3)/(alpha^^(4/3) eps^(2/3)) = O(T_2), "
        "k^^(1/2)/alpha^^2 = O(T_3), T_1 = k^(1/2) k^^(1/4)/(alpha eps), T_2 = k^(2/3)/(alpha^(4/3) eps^(2/3)), T_3 = k/(alpha^2 k^^(1/2)); "
        "case by case T_1 + T_2 + T_3 is O(k^(1/2)/(alpha eps)), O(k^(1/2)/alpha^2) and O(k^(2/3)/(alpha^(4/3) eps^(2/3)))."
    ),
    hypotheses=("k^ <= k, as the paper says beside the display",),
    reading="ln(k/delta) >= 1, because delta = o(1).",
    covers=("display-32", "display-33", "display-34", "display-35"),
    steps=(
        identity(f"h^(3/4)/({ALPHA}*e) = 477*10^(1/2)*(k^(1/2)*h^(1/4)/(a*e))", says="T_1", **K),
        identity(f"h^(2/3)/({ALPHA}^(4/3)*e^(2/3)) = 477^(4/3)*10^(2/3)*(k^(2/3)/(a^(4/3)*e^(2/3)))", says="T_2", **K),
        identity(f"h^(1/2)/{ALPHA}^2 = 477^2*10*(k/(a^2*h^(1/2)))", says="T_3", **K),
        smt("t^2 <= t^3", says="ln^(1/3) <= ln^(1/2), with t = ln^(1/6)", t="[1, inf)"),
        smt(
            "s <= 1.7*b",
            ("s^4*v^4 < 8*b^4*v^4",),
            says="Case 1: k^(2/3) eps^(4/3) < 2 alpha^(4/3) gives k^(1/2) <= 1.7 alpha/eps; s = k^(1/2), b = alpha/eps, v a scale",
            s="(0, inf)",
            b="(0, inf)",
            v="(0, inf)",
        ),
        smt(
            "s*s/(a*a) <= 1.7*s/(a*e)",
            ("s*e <= 1.7*a",),
            says="Case 1: T_3 <= 1.7 k^(1/2)/(alpha eps)",
            s="(0, inf)",
            a="(0, 1)",
            e="(0, inf)",
        ),
        smt(
            "s*u/(p^4*q^2) <= 1.7*s/(p^3*q^3)",
            ("u*q <= 1.7*p",),
            says="Case 1: T_2, with u = k^(1/6), p = alpha^(1/3), q = eps^(1/3), u <= 1.7 p/q",
            s="(0, inf)",
            u="(0, inf)",
            p="(0, 1)",
            q="(0, inf)",
        ),
        smt(
            "s*f/(a*e) <= s/(a*a)",
            ("f < e/a",),
            says="Case 2: T_1, with f = k^(1/4) < eps/alpha",
            s="(0, inf)",
            f="(0, inf)",
            a="(0, 1)",
            e="(0, inf)",
        ),
        smt(
            "s*u/(p^4*q^2) <= s/p^6",
            ("u < q^2/p^2",),
            says="Case 2: T_2, with u = k^(1/6) < (eps/alpha)^(2/3)",
            s="(0, inf)",
            u="(0, inf)",
            p="(0, 1)",
            q="(0, inf)",
        ),
        identity(
            f"k^(1/2)*{X}^(1/4)/(a*e) = k^(2/3)/(a^(4/3)*e^(2/3))",
            says="Case 3: T_1",
            k="[1, inf)",
            a="(0, 1)",
            e="(0, inf)",
        ),
        identity(
            f"k/(a^2*{X}^(1/2)) = k^(2/3)/(a^(4/3)*e^(2/3))", says="Case 3: T_3", k="[1, inf)", a="(0, 1)", e="(0, inf)"
        ),
    ),
    argument=(
        "The first three steps substitute alpha^ and find T_1, T_2 and T_3 with constant factors; k^ <= k and the fourth step put ln^(1/2)(k/delta) in front. Case 1, k^ = 2: k^(2/3) eps^(4/3) < 2 alpha^(4/3) says k^(1/2) < 8^(1/4) alpha/eps, and 8^(1/4) < 1.7; its cube root gives k^(1/6) <= 1.7 (alpha/eps)^(1/3); so "
        "T_3 and T_2 are O(k^(1/2)/(alpha eps)), and so is T_1, where k^ is 2. Case 2, k^ = k < k^(2/3) (eps/alpha)^(4/3): k^(1/4) < eps/alpha and k^(1/6) < (eps/alpha)^(2/3), which bound T_1 and T_2 by k^(1/2)/alpha^2 = T_3. Case 3: the last two steps; T_2 is the bound itself."
    ),
    constants=(Constant("1.7", twin="Case 1 with 1.68", by="1.68"),),
    twins=(
        identity(
            f"k^(1/2)*{X}^(1/3)/(a*e) = k^(2/3)/(a^(4/3)*e^(2/3))",
            says="T_1 with k^^(1/3)",
            k="[1, inf)",
            a="(0, 1)",
            e="(0, inf)",
        ),
        smt("s <= 1.68*b", ("s^4*v^4 < 8*b^4*v^4",), says="Case 1 with 1.68", s="(0, inf)", b="(0, inf)", v="(0, inf)"),
        smt("t^2 <= t^3", says="for ln(k/delta) below 1", t="(0, inf)"),
    ),
)
