"""A small study, and what tests ask of studies."""

import sys
from fractions import Fraction
from math import comb
from pathlib import Path

from mpmath import mp

from panshuffle.question import Question
from panshuffle.study.engine import StudyOutcome
from panshuffle.study.study_file import Entry
from panshuffle.study.table import read_table

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
PANSHUFFLE = [sys.executable, "-m", "panshuffle"]
SMALL = """
title = "Small"
[[question]]
quantity = "calibrate"
protocol = ["binomial", "pan-sum"]
at-eps = [0.1, "1/2", 1, 2]
at-delta = ["1e-6", "1e-9", 1e-12, 1e-15]
[[question]]
quantity = "calibrate"
protocol = "binary-sum"
n = 10
at-eps = "1/10"
at-delta = "1e-9"
"""


def study(folder, text=SMALL, name="study.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def entry(lines):
    return f'[[question]]\nquantity = "calibrate"\nprotocol = "binomial"\nat-eps = "1"\n{lines}\n'


def lines_of(store):
    """The whole lines of a store."""
    path = Path(store) / "answers"
    content = path.read_bytes() if path.exists() else b""
    return [line for line in content.splitlines(keepends=True) if line.endswith(b"\n")]


def found(**more):
    return StudyOutcome(**({"answer": {"x": 1}, "error": None, "seconds": 0.5, "lasting": True} | more))


def asked(kind, subject, options):
    return Entry(Question.of(kind, subject, options))


QUESTIONS = [asked("calibrate", "binomial", {"at-eps": "1", "at-delta": f"1e-{i}"}) for i in range(1, 9)]


def kept(path):
    return read_table(str(ROOT / "examples" / "results" / f"{path.stem}.csv"))


def binomial_delta(l, p, eps):
    with mp.workdps(60):
        growth = Fraction(str(mp.exp(mp.mpf(eps.numerator) / eps.denominator)))
    masses = [Fraction(comb(l, i)) * p**i * (1 - p) ** (l - i) for i in range(l + 1)]
    first, second = [*masses, Fraction(0)], [Fraction(0), *masses]
    pairs = list(zip(first, second, strict=True))
    return max(sum(max(0, a - growth * b) for a, b in pairs), sum(max(0, b - growth * a) for a, b in pairs))
