"""Small questions for the court."""

from panshuffle.crosscheck.court.family import family_named


def ask(family, quantity, at, k=1, **letters):
    return family_named(family).case(quantity, at, k, **letters)


# The truth of this question is (3/4)^2 - e (1/4)^2 = 0.39260...
RESPONSE = ask("randomized-response", "delta", 1.0, k=2, p=0.25)
