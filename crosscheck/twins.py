"""Mistakes in different areas that give the same laws: no number of runs tells them apart, so both are named."""

from __future__ import annotations

from panshuffle.crosscheck.reference.model import (
    ANALYZER,
    DATA,
    DROPOUTS,
    MESSAGES,
    NOISE,
    PARAMETERS,
    POOLS,
    RUNS,
    STATE,
)

DRAWN_AGAIN = "outcomes that are too far out are drawn again: no law goes beyond what was met"
FEWER = ("one user too many, or one too few, is summed", DROPOUTS)
INSTEAD = ("a user takes part in another's place", DROPOUTS)
CUT_OFF = DRAWN_AGAIN.replace("drawn again", "cut off")
ONCE_MORE = "some outcomes are drawn again, once"
EVENED_OUT = "the noise bits are evened out"
EVEN_NUMBERS = ("numbers of the generator are evened out: antithetic or quasi-random ones", RUNS)
TWINS = {
    CUT_OFF: (("what is put out is cut to a range", ANALYZER),),
    "the data is counted twice": (("users who dropped out are counted", DROPOUTS),),
    DRAWN_AGAIN: (("runs with such outcomes are made again", RUNS),),
    "the sum is off by one": (FEWER, ("the noise counts trials, not failures, or starts at 1", NOISE)),
    "the count is off by one": (("one of the two draws of noise counts trials, not failures", NOISE),),
    "for about {:.0%} of the users a bit 1 is sent as 0": (
        ("some users whose bit is 1 are replaced by others, whose bit is 0", DROPOUTS),
    ),
    "the output is de-biased by lam": (("the noise after the stream is subtracted", NOISE),),
    ONCE_MORE: (("runs with some outcomes are made again, once", RUNS),),
    "Poisson noise of {:.3g} times the mean": (("a random mean is drawn once and kept for all runs", RUNS),),
    "chance of the noise bit of users whose bit is 1": (("the noise bit is made from the bit", DATA),),
    "chance that a coin is 1": (("the bits of the generator are biased", RUNS),),
    "chance that a free share is 1": (("some of a user's shares are not drawn", DATA),),
    "a user's noise bits for a pool are evened out": (("noise bits are handed out in turn", POOLS),),
    EVENED_OUT: (EVEN_NUMBERS,),
    "the mean of two draws is added, rounded down": (EVEN_NUMBERS,),
    "all copies of a bit are flipped together": (("a bit is flipped before it is copied", DATA),),
    "all users have the same coins for their shares": (("the free shares are drawn once for all users", DATA),),
    "about {:.0%} of the messages are lost": (
        ("users do not send all of their messages: a loop ends early", MESSAGES),
    ),
    "about {:.0%} of the messages are sent twice": (("users send some of their messages again", MESSAGES),),
    "lam before the stream": (("the start adds noise twice, in part or not at all", STATE),),
    "lam after the stream": (("the last step adds noise twice, in part or not at all", STATE),),
    "each copy is flipped from the copy before, not from the bit": (("a flipped bit is kept for the next copy", DATA),),
    "one of the copies of a bit is sent as it is, not flipped": (("the first copy is sent without noise", DATA),),
    "noise is only added to zeros": (("the bit and its flip are joined by OR, not XOR", DATA),),
    "noise is only added to ones": (("the bit and its flip are joined by AND NOT, not XOR", DATA),),
    "no noise before the stream": (("the state starts without noise", STATE),),
    "no noise after the stream": (("the state is released as it is", STATE),),
    "no element of the stream is used": (("the share 2/9 is rounded to 0", PARAMETERS),),
    "all elements of the stream are used": (("the share 2/9 is rounded to 1", PARAMETERS),),
    "one user's bit is wrong or missing": (INSTEAD,),
    "another data set": (INSTEAD,),
    "the dropouts are missing, or others take part": (("another data set is read", DATA),),
    "wrong p': 1 - p' in place of p'": (("the last share is negated", DATA),),
    "the shares are free bits: their parity is not the bit": (
        ("all shares are drawn, none is computed, or their sum leaves one out or is not set back", NOISE),
    ),
    "the data is left out: holders send Ber(p'), too": (("holders draw the coin of all others", NOISE),),
    "holders send a sure 1 in place of a fair bit": (("the coin of holders always shows 1", NOISE),),
    "holders send a sure 0 in place of a fair bit": (("the coin of holders always shows 0", NOISE),),
    "the data is left out: the answer is Ber(e^-eps/2)": (("all rows have to be 1, not any", ANALYZER),),
}
"""By the name of the one, up to a colon with what it is like, the names of the others and their areas."""


def twins_of(name: str) -> tuple[tuple[str, str], ...]:
    """The mistakes with the same laws as a known one."""
    return TWINS.get(name) or TWINS.get(name.partition(":")[0], ())
