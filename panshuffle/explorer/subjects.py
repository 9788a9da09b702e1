"""What can be explored: the protocols, the parameters that each takes, and the steps of their sliders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from panshuffle.exact.real import Certified, Real, fraction_text, real

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
LARGE_SHARES = ("3/5", "7/10", "4/5", "9/10", "19/20", "99/100", "199/200", "999/1000")
TENTHS = ("1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10", "1")
TWENTIETHS = ("1/20", "1/10", "3/20", "1/5", "1/4", "3/10", "7/20", "2/5", "9/20", "1/2")
EPS = (*(f"{i / 20:g}" for i in range(1, 20)), *(f"{i / 4:g}" for i in range(4, 17)), "5", "6", "8")
SIZES = decades(1, 6)
SLIDERS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "n": (SIZES, "1000", "users"),
    "k": (("2", "3", "4", "5", "6", "8", *decades(1, 4)), "10", "size of the data universe"),
    "m": (tuple(str(i) for i in range(2, 61)), "20", "messages a user sends to a pool"),
    "l": (("1", "2", "3", "4", "5", "6", "8", *decades(1, 9)), "200", "coins"),
    "lam": (("1", "2", "3", "4", "5", "6", "8", *decades(1, 5)), "200", "λ, the noise scale"),
    "p": ((*SHARES, *LARGE_SHARES), "1/10", "p, the probability of a noise bit"),
    "eps": (EPS, "1", "ε, the protocol's"),
    "delta": (small(15), "1e-6", "δ, the protocol's"),
    "gamma": (TENTHS, "1", "γ, the fraction of users who take part"),
    "alpha": (TWENTIETHS, "1/4", "α, the distance from uniform that is tested"),
    "beta": (SHARES, "1/10", "β, the probability of a larger error"),
    "at-eps": (("0", *EPS), "1", "read at ε"),
    "at-delta": (("0", *small(15)), "1e-6", "read at δ"),
    "to": (EPS, "2", "curve up to ε"),
}
"""The parameters: the steps of each slider, where it stands first, and what it means."""
STEPS = {parameter: steps for parameter, (steps, _, _) in SLIDERS.items()}
DEFAULTS = {parameter: default for parameter, (_, default, _) in SLIDERS.items()}
MEANINGS = {parameter: meaning for parameter, (_, _, meaning) in SLIDERS.items()}
PRINTED = "ε and δ, by the printed formula"
NO_USERS = "none: the data is in one hand"
NO_MESSAGES = "none: the elements come in a stream"


@dataclass(frozen=True)
class Explored:
    """How a protocol is explored: its place and words in the list, and the ways to give its parameters.

    `messages` says how many messages a user sends, from parameters that include `needs`; `error` is what the error is
    asked with; the rest is where the protocol's sliders differ from others'.
    """

    place: int
    words: str
    ways: tuple[tuple[str, tuple[str, ...]], ...]
    messages: Callable[[Mapping[str, str]], str]
    needs: tuple[str, ...] = ()
    error: str | None = "beta"
    curve: bool = True
    steps: tuple[tuple[str, tuple[str, ...]], ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()

    @property
    def params(self) -> set[str]:
        """Every parameter that some way takes."""
        return {parameter for _, params in self.ways for parameter in params}

    @property
    def reads(self) -> tuple[str, ...]:
        """What can be asked for: delta at an eps and eps at a delta, or a total variation."""
        return ("at-eps", "at-delta") if self.curve else ("tv",)

    def messages_with(self, params: Mapping[str, str]) -> str:
        """The messages of one user who takes part; a question mark and what is missing where a parameter is."""
        missing = [parameter for parameter in self.needs if parameter not in params]
        return f"? (it needs {' and '.join(missing)})" if missing else self.messages(params)

    def description(self) -> dict[str, object]:
        """All of it as the page's script reads it."""
        return {
            "words": self.words,
            "ways": [{"words": words, "parameters": params} for words, params in self.ways],
            "error": self.error,
            "reads": self.reads,
            "steps": dict(self.steps),
            "defaults": dict(self.defaults),
            "meanings": dict(self.meanings),
        }


def times(factor: str | int, text: str) -> str:
    """The product of two numbers, in short.

    >>> times("23", "10")
    '230'
    """
    return short(real(factor) * real(text))


def in_the_mean(params: Mapping[str, str]) -> str:
    """The messages of P_UT.

    >>> in_the_mean({"n": "1000", "k": "10", "lam": "200"})
    '12 in the mean (1 + 1/5 to each of 10 pools)'
    """
    noise = real(params["lam"]) / real(params["n"])
    total = short(real(params["k"]) * (1 + noise))
    return f"{total} in the mean (1 + {short(noise)} to each of {params['k']} pools)"


def short(value: Real) -> str:
    """A short rational number, or the upper end of an enclosure."""
    exact = value.fraction
    text = None if exact is None else fraction_text(exact)
    return text if text is not None and len(text) < 16 else f"at most {Certified.of(value).enclosure(6)[1]}"


EXPLORED = {
    "binary-sum": Explored(
        2,
        "a sum of bits, shuffled (P^zsum)",
        (("the noise bit", ("n", "p", "gamma")), (PRINTED, ("n", "eps", "delta", "gamma"))),
        lambda params: "2 (the bit and a noise bit)",
        defaults=(("n", "10000"), ("p", "1/100")),
    ),
    "binomial": Explored(
        1,
        "the binomial mechanism, central",
        (("the coins", ("l", "p")), (PRINTED, ("eps", "delta", "p"))),
        lambda params: NO_USERS,
        defaults=(("p", "1/2"),),
    ),
    "distinct-elements": Explored(
        3,
        "the number of distinct elements, shuffled (P_DE)",
        (
            ("the messages", ("n", "k", "eps", "m", "gamma")),
            ("δ, and as many messages as it needs", ("n", "k", "eps", "delta", "gamma")),
        ),
        lambda params: f"{times(params['m'], params['k'])} ({params['m']} to each of {params['k']} pools)",
        needs=("k", "m"),
        defaults=(("m", "25"),),
    ),
    "modular-sum": Explored(
        8,
        "a sum of bits mod 2, shuffled (P_MOD)",
        (("the messages", ("n", "m", "gamma")),),
        lambda params: times(1, params["m"]),
        needs=("m",),
        error=None,
        curve=False,
        defaults=(("n", "10"), ("m", "10")),
    ),
    "pan-histogram": Explored(
        6,
        "a histogram, pan-private",
        (("the noise", ("k", "lam")), (PRINTED, ("k", "eps", "delta"))),
        lambda params: NO_MESSAGES,
    ),
    "pan-sum": Explored(
        5,
        "a sum of bits, pan-private (Q_ZSUM)",
        (("the noise", ("lam",)), (PRINTED, ("eps", "delta"))),
        lambda params: NO_MESSAGES,
    ),
    "shuffle-histogram": Explored(
        7,
        "a histogram, shuffled",
        (("the noise bit", ("n", "k", "p", "gamma")), (PRINTED, ("n", "k", "eps", "delta", "gamma"))),
        lambda params: f"{times(2, params['k'])} (2 to each of {params['k']} pools)",
        needs=("k",),
        defaults=(("n", "10000"), ("p", "1/100")),
    ),
    "uniformity": Explored(
        4,
        "a test of uniformity, shuffled (P_UT)",
        (("the noise", ("n", "k", "m", "lam", "gamma")), (PRINTED, ("n", "k", "m", "eps", "delta", "gamma"))),
        in_the_mean,
        needs=("n", "k", "lam"),
        error="alpha",
        steps=(("m", SIZES),),
        defaults=(("m", "1000"),),
        meanings=(("m", "expected number of samples"),),
    ),
}
"""How each protocol is explored; those that are not listed are not."""
