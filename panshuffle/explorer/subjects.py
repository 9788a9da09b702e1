"""What can be explored: the protocols, the letters that each takes, and the steps of their sliders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MANTISSAS = ("1", "2", "3", "4", "5", "6", "8")


def decades(first: int, last: int) -> tuple[str, ...]:
    """Round whole numbers from 10^first to 10^last.

    >>> decades(1, 2)
    ('10', '20', '30', '40', '50', '60', '80', '100')
    """
    inner = [mantissa + "0" * zeros for zeros in range(first, last) for mantissa in MANTISSAS]
    return (*inner, "1" + "0" * last)


def small(last: int) -> tuple[str, ...]:
    """Round numbers below one, from 10^-last to 1/10.

    >>> small(2)
    ('1e-2', '2e-2', '5e-2', '1e-1')
    """
    inner = [f"{mantissa}e-{zeros}" for zeros in range(last, 1, -1) for mantissa in (1, 2, 5)]
    return (*inner, "1e-1")


SHARES = ("1/1000", "1/500", "1/200", "1/100", "1/50", "1/20", "1/10", "1/5", "3/10", "2/5", "1/2")
EPS = (*(f"{i / 20:g}" for i in range(1, 20)), *(f"{i / 4:g}" for i in range(4, 17)), "5", "6", "8")
SIZES = decades(1, 6)
STEPS: dict[str, tuple[str, ...]] = {
    "n": SIZES,
    "k": ("2", "3", "4", "5", "6", "8", *decades(1, 4)),
    "m": tuple(str(i) for i in range(2, 61)),
    "l": ("1", "2", "3", "4", "5", "6", "8", *decades(1, 9)),
    "lam": ("1", "2", "3", "4", "5", "6", "8", *decades(1, 5)),
    "p": (*SHARES, "3/5", "7/10", "4/5", "9/10", "19/20", "99/100", "199/200", "999/1000"),
    "eps": EPS,
    "delta": small(15),
    "gamma": ("1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10", "1"),
    "alpha": ("1/20", "1/10", "3/20", "1/5", "1/4", "3/10", "7/20", "2/5", "9/20", "1/2"),
    "beta": SHARES,
    "at-eps": ("0", *EPS),
    "at-delta": ("0", *small(15)),
    "to": EPS,
}
DEFAULTS = {
    "n": "1000",
    "k": "10",
    "m": "20",
    "l": "200",
    "lam": "200",
    "p": "1/10",
    "eps": "1",
    "delta": "1e-6",
    "gamma": "1",
    "alpha": "1/4",
    "beta": "1/10",
    "at-eps": "1",
    "at-delta": "1e-6",
    "to": "2",
}
MEANINGS = {
    "n": "users",
    "k": "size of the data universe",
    "m": "messages a user sends to a pool",
    "l": "coins",
    "lam": "λ, the noise scale",
    "p": "p, the probability of a noise bit",
    "eps": "ε, the protocol's",
    "delta": "δ, the protocol's",
    "gamma": "γ, the fraction of users who take part",
    "alpha": "α, the distance from uniform that is tested",
    "beta": "β, the probability of a larger error",
    "at-eps": "read at ε",
    "at-delta": "read at δ",
    "to": "curve up to ε",
}
PRINTED = "ε and δ, by the printed formula"


@dataclass(frozen=True)
class Subject:
    """A protocol: the ways to give its parameters (name and letters), and what its error is asked with."""

    words: str
    ways: tuple[tuple[str, tuple[str, ...]], ...]
    error: str | None = "beta"
    curve: bool = True
    steps: tuple[tuple[str, tuple[str, ...]], ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()

    @property
    def letters(self) -> set[str]:
        """Every letter that some way takes."""
        return {letter for _, letters in self.ways for letter in letters}

    @property
    def reads(self) -> tuple[str, ...]:
        """What can be asked for: delta at an eps and eps at a delta, or a total variation."""
        return ("at-eps", "at-delta") if self.curve else ("tv",)


SUBJECTS = {
    "binomial": Subject(
        "the binomial mechanism, central",
        (("the coins", ("l", "p")), (PRINTED, ("eps", "delta", "p"))),
        defaults=(("p", "1/2"),),
    ),
    "binary-sum": Subject(
        "a sum of bits, shuffled (P^zsum)",
        (("the noise bit", ("n", "p", "gamma")), (PRINTED, ("n", "eps", "delta", "gamma"))),
        defaults=(("n", "10000"), ("p", "1/100")),
    ),
    "distinct-elements": Subject(
        "the number of distinct elements, shuffled (P_DE)",
        (
            ("the messages", ("n", "k", "eps", "m", "gamma")),
            ("δ, and as many messages as it needs", ("n", "k", "eps", "delta", "gamma")),
        ),
        defaults=(("m", "25"),),
    ),
    "uniformity": Subject(
        "a test of uniformity, shuffled (P_UT)",
        (("the noise", ("n", "k", "m", "lam", "gamma")), (PRINTED, ("n", "k", "m", "eps", "delta", "gamma"))),
        error="alpha",
        steps=(("m", SIZES),),
        defaults=(("m", "1000"),),
        meanings=(("m", "expected number of samples"),),
    ),
    "pan-sum": Subject("a sum of bits, pan-private (Q_ZSUM)", (("the noise", ("lam",)), (PRINTED, ("eps", "delta")))),
    "pan-histogram": Subject(
        "a histogram, pan-private", (("the noise", ("k", "lam")), (PRINTED, ("k", "eps", "delta")))
    ),
    "shuffle-histogram": Subject(
        "a histogram, shuffled",
        (("the noise bit", ("n", "k", "p", "gamma")), (PRINTED, ("n", "k", "eps", "delta", "gamma"))),
        defaults=(("n", "10000"), ("p", "1/100")),
    ),
    "modular-sum": Subject(
        "a sum of bits mod 2, shuffled (P_MOD)",
        (("the messages", ("n", "m", "gamma")),),
        error=None,
        curve=False,
        defaults=(("n", "10"), ("m", "10")),
    ),
}


def description() -> dict[str, Any]:
    """All of it as the page's script reads it."""
    return {
        "steps": STEPS,
        "defaults": DEFAULTS,
        "meanings": MEANINGS,
        "subjects": {
            name: {
                "words": subject.words,
                "ways": [{"words": words, "letters": letters} for words, letters in subject.ways],
                "error": subject.error,
                "reads": subject.reads,
                "steps": dict(subject.steps),
                "defaults": dict(subject.defaults),
                "meanings": dict(subject.meanings),
            }
            for name, subject in SUBJECTS.items()
        },
    }
