"""What signs of dependence mean, in words."""

from __future__ import annotations

from panshuffle.crosscheck.order_bets import SAME_LABELS, SAME_ORDER
from panshuffle.crosscheck.reference.model import ORDER, POOLS, RUNS, STATE

WORDS = {
    POOLS: "the pools are correlated: coins are reused",
    RUNS: "a run depends on earlier ones: coins are reused between runs",
    ORDER: "the messages are not in random order: unshuffled, or shuffled badly",
    STATE: "what is released together does not belong together",
}
HINTS = {
    SAME_ORDER: "a seed or a permutation that comes again, or some runs that are not shuffled at all",
    SAME_LABELS: "a permutation comes again: its seed is kept, has few values, or is computed from the messages",
    "in every second run": "pairs of runs share coins: antithetic numbers, or numbers that are drawn two at a time",
    "the mirror": "antithetic runs: the coins are those of the run before, inverted",
    "neighbour": "the coins of a run are those of an earlier one, moved by one place",
    "it depends on how many": "draws are evened out, as from a bag that is emptied first, or go on as they were",
    "on the same side": "runs are sorted, evened out or changed in turn, or a part of their coins comes again",
    "equal to": "a generator of a short period, workers with one seed, or runs that are kept and shown again",
    "in a row were there before": "a seed that comes again, or a generator of a short period",
    "that was sent": "not shuffled at all, users are shuffled and not messages, or only some messages change places",
    "every second message": "users are shuffled, not messages: the two messages of a user stay together, in order",
    "each place": "messages stay near the place where they were sent, or their content decides on their place",
    "place ": "this place is not shuffled, or is filled after the shuffle",
    "first half": "parts are shuffled one by one, messages move a little only, or their content decides on their place",
    "with as many ones": "the permutation is computed from the messages, or is the same in every run",
    "there one run before": "the same permutation in every run, or messages that are sorted by pool or user",
    "one more than": "each user's messages stay together and in order",
    "as the one before": "messages are sorted, or some of them stay together",
    "both even": "the noise of one is that of the other, or its complement",
    "the same noise": "the noise is drawn once for several pools",
    "goes together": "a coin, a share or a number of noise bits is drawn once for several pools",
    "about -": "what one gets the other does not: complements, or a fixed total",
    "their correlation": "some of the coins are drawn once for several pools",
    "is even": "users draw one coin for several pools, or the number of noise ones is made even",
    "is odd": "users draw one coin for several pools, or the number of noise ones is made odd",
}
"""By a part of an event, the first that fits, what it comes from."""


SPREADS = {
    False: "its variance is too small: a fixed total, draws without replacement, or what one gets the other does not",
    True: "its variance is too large: some of the coins are drawn once for several pools",
}


RARER = "such runs are drawn again, or left out"
TOO_RARE = 0.5  # of what is expected: an event that is met less often is avoided


def meaning(event: str, seen: str = "", expected: str = "") -> str:
    """What an event comes from, as the end of a sentence; one that is met too rarely is avoided."""
    if "equal to" in event and seen.isdigit() and expected and int(seen) < TOO_RARE * float(expected):
        return f" in {seen} runs only, not in {float(expected):.4g} ({RARER})"
    return next((f" ({words})" for part, words in HINTS.items() if part in event), "")
