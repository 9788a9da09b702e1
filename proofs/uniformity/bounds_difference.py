"""Section 4.1.1: the difference of the two bounds, and the constants h_1 and h_2."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, smt

LOWER = "29*a^2*m/100 + k^2/(2*m)*lam - 5*k^(3/2)/m*lam - 5*k^(3/2)/m*lam^(1/2)"
UPPER = "(3*a^2*m/250 + k^2/(2*m)*lam + 5*k^(3/2)/m*lam + 10*k/m^(1/2)*lam^(1/2) + 5*k^(3/2)/m*lam^(1/2))"
DIFFERENCE = "278*a^2*m/1000 - 10*k^(3/2)/m*lam - 10*k/m^(1/2)*lam^(1/2) - 10*k^(3/2)/m*lam^(1/2)"
POSITIVE = {"a": "(0, 1)", "k": "[1, inf)", "m": "(0, inf)", "lam": "[1, inf)"}

STATEMENT = Statement(
    where="section 4.1.1, the last display of the proof, and the constants h_1 and h_2",
    kind="display",
    printed="(z'-lower) - (z'-upper) = 278 alpha^2 m/1000 - 10k^(3/2) lambda/m - 10k lambda^(1/2)/m^(1/2) - 10k^(3/2) lambda^(1/2)/m, which is "
    "positive for m > (h_1/alpha) k^(3/4) lambda^(1/2) and m > (h_2/alpha^(4/3)) k^(2/3) lambda^(1/3), for some constants.",
    hypotheses=("lambda in N",),
    covers=("display-28",),
    steps=(
        kernel("bounds-difference"),
        kernel("bounds-difference-positive"),
    ),
    constants=(
        Constant("278", twin="with 279", by="279"),
        Constant("12", twin="h_1 = 11.9", by="11.9"),
        Constant("18", twin="h_2 = 17.2", by="17.2"),
    ),
    twins=(
        identity(f"{LOWER} - {UPPER} = {DIFFERENCE}".replace("278", "279"), says="with 279", **POSITIVE),
        smt(
            "278*a^2*m/2000 - 10*q^6*l^2/m - 10*q^6*l/m > 0",
            ("m*a > 11.9*q^3*l",),
            says="h_1 = 11.9",
            a="(0, 1)",
            q="[1, inf)",
            l="[1, inf)",
            m="(0, inf)",
        ),
        smt(
            "278*b^6*s^2/2000 - 10*r^3*t^3/s > 0",
            ("s^2*b^4 > 17.2*r^2*t^2",),
            says="h_2 = 17.2",
            b="(0, 1)",
            r="[1, inf)",
            t="[1, inf)",
            s="(0, inf)",
        ),
    ),
)
