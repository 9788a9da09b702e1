"""The questions of the zoo: a protocol, its parameters as the command line's texts, a data set, and a time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """What is run: `t` is the time of the intrusion of an online algorithm; None shows its output only."""

    protocol: str
    parameters: dict[str, str]
    data: list[int] | list[tuple[int, int]]
    t: int | None = None


BITS = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
PAIRS = [(1, 0), (1, 1), (0, 0), (1, 0), (1, 1), (1, 0), (0, 0), (1, 0), (0, 1), (1, 0)]

SCENES: dict[str, Scene] = {
    "binary-sum": Scene("binary-sum", {"n": "10", "p": "1/3"}, BITS),
    "binary-sum-large": Scene("binary-sum", {"n": "60", "p": "3/4"}, [1] * 18 + [0] * 42),
    "binary-sum-dropouts": Scene(
        "binary-sum", {"n": "12", "p": "1/2", "gamma": "2/3"}, [1, 1, 0, 1, 0, 1, 0, 0] + [1] * 4
    ),
    "binary-sum-formula": Scene("binary-sum", {"n": "130", "eps": "8", "delta": "1/100"}, [1] * 20 + [0] * 110),
    "binomial": Scene("binomial", {"n": "6", "l": "40"}, [1, 1, 0, 0, 1, 0]),
    "binomial-uneven": Scene("binomial", {"n": "6", "l": "30", "p": "3/10"}, [1, 1, 1, 0, 1, 0]),
    "binomial-formula": Scene("binomial", {"n": "6", "eps": "1", "delta": "1/100"}, [1, 1, 0, 0, 1, 0]),
    "compressed": Scene(
        "compressed-uniformity",
        {"n": "10", "k": "6", "k-hat": "3", "lam": "15", "tau": "15"},
        [1, 1, 1, 2, 2, 3, 1, 4, 1, 1],
    ),
    "compressed-padded": Scene(
        "compressed-uniformity",
        {"n": "9", "k": "7", "k-hat": "3", "lam": "9", "tau": "12"},
        [1, 1, 7, 2, 1, 1, 7, 1, 1],
    ),
    "distinct": Scene("distinct-elements", {"n": "6", "k": "4", "exp-eps": "2", "m": "3"}, [1, 1, 2, 2, 4, 1]),
    "distinct-few-messages": Scene("distinct-elements", {"n": "5", "k": "6", "eps": "1", "m": "2"}, [6, 6, 6, 2, 6]),
    "distinct-formula": Scene("distinct-elements", {"n": "4", "k": "3", "eps": "1", "delta": "1/100"}, [1, 1, 3, 1]),
    "distinct-dropouts": Scene(
        "distinct-elements",
        {"n": "8", "k": "4", "q": "9/10", "m": "2", "gamma": "1/2"},
        [1, 1, 2, 2, 3, 3, 3, 3],
    ),
    "geometric": Scene("geometric-distinct-elements", {"n": "8", "k": "10", "eps": "1"}, [1, 1, 2, 5, 5, 7, 7, 9]),
    "geometric-wide": Scene("geometric-distinct-elements", {"n": "5", "k": "4", "exp-eps": "5/4"}, [1, 1, 2, 4, 4]),
    "hashed": Scene("hashed-distinct-elements", {"n": "5", "k": "40", "exp-eps": "3", "m": "2"}, [3, 17, 17, 24, 38]),
    "hashed-wide": Scene(
        "hashed-distinct-elements", {"n": "3", "k": "100", "exp-eps": "20", "m": "1", "c": "2"}, [5, 50, 95]
    ),
    "modular": Scene("modular-sum", {"n": "6", "m": "4"}, [1, 0, 1, 1, 0, 0]),
    "modular-short": Scene("modular-sum", {"n": "4", "m": "2"}, [1, 1, 1, 0]),
    "modular-dropouts": Scene("modular-sum", {"n": "9", "m": "3", "gamma": "2/3"}, [1, 0, 0, 0, 0, 0, 1, 1, 0]),
    "negative-binomial": Scene("negative-binomial", {"n": "6", "l": "5", "p": "1/3"}, [1, 1, 0, 1, 1, 0]),
    "negative-binomial-rare": Scene("negative-binomial", {"n": "4", "l": "2", "p": "1/10"}, [1, 1, 0, 1]),
    "pan-distinct": Scene("pan-distinct-elements", {"n": "12", "k": "4", "exp-eps": "2", "m": "2"}, [2, 2, 3, 2], 2),
    "pan-distinct-odd": Scene(
        "pan-distinct-elements", {"n": "14", "k": "3", "exp-eps": "5", "m": "3"}, [2, 3, 3, 2], 4
    ),
    "pan-histogram": Scene("pan-histogram", {"n": "6", "k": "4", "lam": "30"}, [1, 1, 2, 1, 4, 4], 3),
    "pan-histogram-start": Scene("pan-histogram", {"n": "5", "k": "6", "lam": "9"}, [1, 5, 5, 2, 5], 0),
    "pan-sum": Scene("pan-sum", {"n": "8", "lam": "24"}, [1, 0, 1, 1, 0, 1, 0, 1], 5),
    "pan-sum-formula": Scene("pan-sum", {"n": "6", "eps": "2", "delta": "1/50"}, [1, 1, 0, 1, 0, 1], 3),
    "pan-sum-end": Scene("pan-sum", {"n": "5", "lam": "12"}, [1, 0, 1, 1, 0], None),
    "pan-uniformity": Scene("pan-uniformity", {"n": "18", "k": "3", "lam": "18", "tau": "8"}, [1, 1, 1, 1, 2, 1], 2),
    "pan-uniformity-late": Scene("pan-uniformity", {"n": "20", "k": "4", "lam": "10", "tau": "11"}, [1] * 6, 6),
    "poisson-binomial": Scene("poisson-binomial", {"n": "8", "m": "3", "p": "1/4"}, [1, 1, 0, 1, 0, 1, 1, 0]),
    "poisson-binomial-dropouts": Scene(
        "poisson-binomial", {"n": "8", "m": "4", "p": "1/5", "gamma": "3/4"}, [1, 1, 0, 0, 0, 1, 1, 1]
    ),
    "randomized-or": Scene("randomized-or", {"n": "4", "exp-eps": "3"}, [0, 0, 0, 0]),
    "randomized-or-some": Scene("randomized-or", {"n": "4", "eps": "1"}, [0, 0, 1, 0]),
    "histogram": Scene("shuffle-histogram", {"n": "8", "k": "5", "p": "1/2"}, [1, 1, 1, 1, 2, 2, 5, 1]),
    "histogram-uneven": Scene("shuffle-histogram", {"n": "7", "k": "4", "p": "3/4"}, [1, 1, 1, 4, 4, 1, 2]),
    "histogram-dropouts": Scene(
        "shuffle-histogram", {"n": "8", "k": "3", "p": "2/3", "gamma": "3/4"}, [1, 1, 1, 1, 2, 1, 3, 3]
    ),
    "skellam": Scene("skellam", {"n": "6", "lam": "10"}, [1, 1, 0, 1, 1, 0]),
    "skellam-dropouts": Scene("skellam", {"n": "8", "lam": "6", "gamma": "1/2"}, [1, 1, 0, 1, 1, 1, 1, 1]),
    "two-bit-sum": Scene("two-bit-sum", {"n": "10", "p": "1/4"}, PAIRS),
    "two-bit-sum-dropouts": Scene("two-bit-sum", {"n": "10", "p": "1/10", "gamma": "7/10"}, PAIRS),
    "uniformity": Scene("uniformity", {"n": "10", "k": "4", "lam": "20", "tau": "25"}, [1, 1, 1, 1, 1, 1, 2, 2, 3, 1]),
    "uniformity-default": Scene("uniformity", {"n": "8", "k": "3", "lam": "8"}, [2, 2, 2, 2, 2, 1, 3, 2]),
    "uniformity-formula": Scene("uniformity", {"n": "6", "k": "2", "eps": "4", "delta": "1/10"}, [1, 1, 2, 1, 1, 1]),
    "uniformity-dropouts": Scene(
        "uniformity", {"n": "12", "k": "3", "lam": "12", "tau": "6", "gamma": "2/3"}, [1] * 6 + [2, 3] + [2] * 4
    ),
}
