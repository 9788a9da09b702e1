"""Mistakes in different areas that give the same laws: no number of runs tells them apart, so both are named."""

from __future__ import annotations

from crosscheck.reference.model import ANALYZER, DATA, DROPOUTS, NOISE, RUNS

DRAWN_AGAIN = "outcomes that are too far out are drawn again: no law goes beyond what was met"
TWINS = {
    DRAWN_AGAIN: ("runs with such outcomes are made again", RUNS),
    "the sum is off by one": ("one user too many, or one too few, is summed", DROPOUTS),
    "the count is off by one": ("one of the two draws of noise counts trials, not failures", NOISE),
    "one user's bit is wrong or missing": ("a user takes part in another's place", DROPOUTS),
    "wrong p': 1 - p' in place of p'": ("the last share is negated", DATA),
    "the data is left out: holders send Ber(p'), too": ("holders draw the coin of all others", NOISE),
    "holders send a sure 1 in place of a fair bit": ("the coin of holders always shows 1", NOISE),
    "holders send a sure 0 in place of a fair bit": ("the coin of holders always shows 0", NOISE),
    "the data is left out: the answer is Ber(e^-eps/2)": ("all rows have to be 1, not any", ANALYZER),
}
"""By the name of the one, the name of the other and its area."""
