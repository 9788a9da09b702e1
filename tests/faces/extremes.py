"""Extreme but valid command lines, drawn from a seed: sizes to 10^100, eps from 1e-3000 to 1e15."""

from random import Random

SIZES = ("1", "2", "3", "10", "100", "4096", "1000002", "10000000000", "1" + "0" * 30, "1" + "0" * 100)
REALS = ("1e-3000", "1e-300", "1e-30", "1e-9", "1/7", "1", "3/2", "7", "100", "1e5", "1e15")
SHARES = ("1/2", "999999/1000000", "1e-9", "1/3", "1e-300")
FLIPS = ("1/3", "499999/1000000", "1e-9", "1e-300")
DELTAS = ("0", "1e-3000", "1e-300", "1e-9", "1/1000", "1/2", "1-1e-9")
VALUES = {
    **dict.fromkeys(("n", "k", "m", "l", "lam"), SIZES),
    **dict.fromkeys(("eps", "eps0"), REALS),
    **dict.fromkeys(("p", "q", "alpha"), SHARES),
    "flip": FLIPS,
    "few": ("1", "2", "5", "64"),
    "delta": DELTAS[1:],
}
FORMS = {
    "binary-sum": ("n p", "n eps delta"),
    "binomial": ("l p", "l", "eps delta"),
    "compressed-uniformity": ("k lam k-hat=7",),
    "distinct-elements": ("n k eps m", "n k eps delta", "n k q m"),
    "geometric-distinct-elements": ("n k eps",),
    "hashed-distinct-elements": ("n k eps m",),
    "local": ("eps0 n",),
    "modular-sum": ("n m",),
    "pan-distinct-elements": ("n k eps m",),
    "pan-histogram": ("n k lam", "n k eps delta"),
    "pan-sum": ("n lam", "n eps delta"),
    "pan-uniformity": ("n k lam",),
    "poisson-binomial": ("n m=few p=flip",),
    "randomized-or": ("n eps",),
    "shuffle-histogram": ("n k p", "n k eps delta"),
    "two-bit-sum": ("n p=flip",),
    "uniformity": ("n k lam", "n k eps delta"),
}
"""Letters that belong together, with the values that they take where these are not the letter's own."""
UNKNOWN = {"l", "lam", "p", "m", "delta", "q"}
"""What a calibration looks for, or derives it from; with eps given P_DE's is m, with m given eps."""
ASKED = {
    "privacy": (("at-eps", REALS), ("at-delta", DELTAS), ("at-exp-eps", ("1", "1.000000001", "2", "1e300", "1e3000"))),
    "attack": (("at-eps", REALS),),
    "accuracy": (("beta", ("1/2", "1/10", "1e-9", "1e-300")),),
    "curve": (("points", ("2", "5")),),
}
NO_ERROR = ("local", "modular-sum", "randomized-or", "two-bit-sum")


def extreme_line(seed: int) -> str:
    """The command line of a seed."""
    rng = Random(seed)
    command = rng.choice(("privacy", "privacy", "privacy", "calibrate", "accuracy", "curve", "attack"))
    name = rng.choice([name for name in FORMS if command != "accuracy" or name not in NO_ERROR])
    form = [letter.partition("=") for letter in rng.choice(FORMS[name]).split()]
    if command == "calibrate":
        form = [item for item in form if item[0] not in UNKNOWN and not (name != "local" and item[0] == "eps")]
    words = [command, name]
    for letter, _, kind in form:
        words += [f"--{letter}", kind if kind.isdigit() else rng.choice(VALUES[kind or letter])]
    if "uniformity" in name and command == "accuracy":
        words += ["--m", rng.choice(SIZES), "--alpha", rng.choice(SHARES[:3])]
    elif command == "calibrate":
        words += ["--at-eps", rng.choice(REALS), "--at-delta", rng.choice(DELTAS)]
    else:
        option, values = rng.choice(ASKED[command])
        words += [f"--{option}", rng.choice(values)]
    return " ".join(words)
