"""What a card asks the report to show: a row of the table of tight values, or a figure; and where it stands there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TightRow:
    """A row: its place, what it is about, and the command, with {} for the protocol's name.

    `slug` is the statement that the number stands beside where the paper prints no number of its own.
    """

    place: int
    words: str
    command: str
    slug: str = ""


@dataclass(frozen=True)
class Drawing:
    """A figure: its place, title and axes, the values of X, and for each line its label, command and what is read.

    In a command {} stands for the protocol's name and X for the value.  What is read of the answer is EXACT, both ends
    of it; THRESHOLD, the same, of what the paper prints; or PAPER, the paper's bound.  A line that reads FORMULA has an
    expression in X in place of a command: a bound that the paper prints.  `seen` says what the picture shows.
    """

    place: int
    slug: str
    title: str
    x: str
    y: str
    xs: tuple[str, ...]
    lines: tuple[tuple[str, str, str], ...]
    seen: str = ""
    log_x: bool = False
    log_y: bool = True


EXACT, THRESHOLD, PAPER, FORMULA = "exact", "threshold", "paper", "formula"


def beside_paper(command: str, exact: str = "exact (certified)") -> tuple[tuple[str, str, str], ...]:
    """The lines of a command's answer and of the paper's bound beside it."""
    return (exact, command, EXACT), ("the paper's bound", command, PAPER)


Reported = TightRow | Drawing


POWER = "accuracy {} --k 20 --lam 100 --m X "
NOISE = "calibrate {} --k 100 --at-eps 1 --at-delta "
REPORTED: dict[str, tuple[Reported, ...]] = {
    "binary-sum": (
        TightRow(
            6, r"noise bit of $P^{\mathrm{zsum}}$, $n = 10{,}000$", "calibrate {} --n 10000 --at-eps 1 --at-delta 1e-6"
        ),
    ),
    "binomial": (
        TightRow(1, "coins of the binomial mechanism", "calibrate {} --at-eps 1 --at-delta 1e-6"),
        TightRow(9, r"$\delta$ of the binomial mechanism, $l = 1{,}359$", "privacy {} --l 1359 --at-eps 1"),
        Drawing(
            2,
            "noise-eps",
            "Coins that the binomial mechanism needs, δ = 10⁻⁶",
            "ε (nats)",
            "coins ℓ",
            ("1/10", "1/5", "2/5", "3/5", "4/5", "1", "3/2", "2"),
            beside_paper("calibrate {} --at-eps X --at-delta 1e-6", "least (certified)"),
            seen="The paper's bound asks for about 17 times the coins that are exactly enough, at every "
            r"$\varepsilon$.",
            log_x=True,
        ),
    ),
    "distinct-elements": (
        TightRow(
            10, r"error of $P_{\mathrm{DE}}$, $k = 100$, $\beta = 1/10$", "accuracy {} --k 100 --eps 1 --beta 1/10"
        ),
        TightRow(
            7,
            r"$\varepsilon$ of $P_{\mathrm{DE}}$, $n = 100$",
            "privacy {} --n 100 --k 10 --eps 1 --delta 1e-6 --at-delta 1e-5",
        ),
        Drawing(
            5,
            "robustness",
            "ε of P_DE at δ = 10⁻⁵ when a fraction γ of 20 users takes part",
            "γ (fraction of users)",
            "ε (nats)",
            ("1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10", "1"),
            (
                (
                    "exact (certified)",
                    "privacy {} --n 20 --k 10 --eps 1/2 --delta 1e-7 --at-delta 1e-5 --gamma X",
                    EXACT,
                ),
                ("the paper, first bound", "2*(1/2 + log(1/(X)))", FORMULA),
                ("the paper, second bound", "4*(1/2)^(X)/(X)", FORMULA),
            ),
            seen="The fewer users take part, the larger the loss; the two bounds of Theorem de_upper are above it.",
            log_y=False,
        ),
        Drawing(
            7,
            "error",
            "Law of P_DE's error, k = 100, ε = 1",
            "α (error)",
            "P[|z − D| > α]",
            ("5", "10", "15", "20", "25", "30", "40", "50"),
            beside_paper("accuracy {} --k 100 --eps 1 --alpha X"),
            seen="The probability of a large error, for the worst input, falls much faster than the paper's bound.",
        ),
    ),
    "hashed-distinct-elements": (
        TightRow(
            11,
            r"error of $P_{\mathrm{HDE}}$, $n = 20$, $\beta = 1/10$",
            "accuracy {} --n 20 --k 300 --eps 1 --beta 1/10",
        ),
    ),
    "modular-sum": (
        TightRow(
            12,
            r"messages of $P_{\mathrm{MOD}}$, $n = 10$, $\sigma = 20$",
            "calibrate {} --n 10 --sigma 20",
            "ikos-messages",
        ),
        Drawing(
            4,
            "shares",
            "Messages a user sends so that the shares hide all but the parity, with σ bits of security",
            "users N",
            "least m",
            ("2", "3", "4", "6", "8", "12", "16", "24", "32", "64"),
            tuple((f"σ = {sigma}", f"calibrate {{}} --n X --sigma {sigma}", EXACT) for sigma in (10, 20, 40)),
            seen="More users do not need more messages: the least number falls, where the paper's grows with "
            r"$\log n$.",
            log_x=True,
            log_y=False,
        ),
    ),
    "pan-histogram": (
        TightRow(3, "noise of the pan-private histogram", "calibrate {} --k 100 --at-eps 1 --at-delta 1e-6"),
    ),
    "pan-sum": (TightRow(2, "noise of the pan-private sum", "calibrate {} --at-eps 1 --at-delta 1e-6"),),
    "uniformity": (
        TightRow(4, r"noise of $P_{\mathrm{UT}}$, $k = 100$", f"{NOISE}1e-6"),
        TightRow(5, r"noise of $P_{\mathrm{UT}}$ with half of the users dropped", f"{NOISE}1e-6 --gamma 1/2"),
        TightRow(
            8,
            r"$\varepsilon$ of $P_{\mathrm{UT}}$ at the printed $\lambda$, $k = 100$",
            "privacy {} --k 100 --eps 1 --delta 1e-6 --at-delta 1e-6",
        ),
        Drawing(
            1,
            "curve",
            "Privacy curve of P_UT with λ = 400",
            "ε (nats)",
            "δ (probability)",
            tuple(f"{i}/10" for i in range(1, 11)),
            beside_paper("privacy {} --k 100 --lam 400 --at-eps X"),
            seen="With 400 noise bits a pool the paper's theorem gives no bound here; the exact loss is small already.",
        ),
        Drawing(
            3,
            "noise-delta",
            "Noise that P_UT needs for ε = 1, k = 100",
            "δ (probability)",
            "λ (expected noise bits a pool)",
            ("1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-8", "1e-10", "1e-12"),
            (
                ("least (certified)", f"{NOISE}X", EXACT),
                ("least, half of the users dropped", f"{NOISE}X --gamma 1/2", EXACT),
                ("the paper's bound", f"{NOISE}X", PAPER),
            ),
            seen=r"The paper's $\lambda$ is 60 to 260 times what is exactly enough.",
            log_x=True,
        ),
        Drawing(
            6,
            "power",
            "Probability that the tester answers “not uniform”, k = 20, λ = 100",
            "m (expected samples)",
            "probability",
            ("50", "100", "150", "200", "300", "400", "600"),
            (
                ("repaired, far (α = 1/4)", f"{POWER}--paired 1/4", EXACT),
                ("repaired, uniform", f"{POWER}--uniform", EXACT),
                ("as printed, far (α = 1/4)", f"{POWER}--paired 1/4 --as-printed --alpha 1/4", THRESHOLD),
                ("as printed, uniform", f"{POWER}--uniform --as-printed --alpha 1/4", THRESHOLD),
            ),
            seen="With the repaired threshold a far distribution is noticed; with the printed one it is not.",
            log_y=False,
        ),
    ),
}
"""What the report shows of each protocol."""
