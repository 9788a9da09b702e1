"""What is looked for where any locally private randomizer may be used: the largest eps0, or the least n."""

from __future__ import annotations

from exact.errors import InputError
from exact.numbers.real import Real, real
from exact.randomizers.any_local import clones_curve
from panshuffle.answer import digits_of
from panshuffle.card import LOCAL, part_of
from panshuffle.question import Question
from panshuffle.search import Search, Unknown
from panshuffle.setting import Setting

LEAST_USERS = (
    "The least n whose upper bound, the clones, meets the target: more users are post-processing; a smaller n may meet "
    "it for one's own randomizer, which `privacy randomizer` tells."
)
LARGEST_LOCAL = (
    "The largest eps0 whose upper bound, the clones, meets the target; one's own randomizer may be allowed more, which "
    "`privacy randomizer` tells.  That the bound is monotone between other values is not claimed."
)


def search_of(question: Question, target: tuple[Real, Real]) -> Search:
    """The search, checked."""
    for option in ("pool", "pair", "real", "sigma"):
        if question.has(option):
            raise InputError(f"--{option} has no meaning for {question.subject}")
    letters = question.letters
    letters.check_known(("eps0", "n", "gamma"))
    gamma = letters.real("gamma") if letters.has("gamma") else real(1)
    return Search(Setting(letters, gamma, part_of(question)), *target, digits_of(question), False, None)


def unknown_of(search: Search, subject: str) -> Unknown:
    """The least n where eps0 is given, the largest eps0 where n is."""
    letters, adaptive = search.letters, subject == LOCAL
    if letters.has("eps0") == letters.has("n"):
        raise InputError(f"{subject} needs --eps0, to look for the least n, or --n, to look for the largest eps0")
    if letters.has("n"):
        users = search.users()
        return Unknown(
            "eps0",
            lambda: search.largest_epsilon(lambda eps0: clones_curve(eps0, users, adaptive)),
            LARGEST_LOCAL,
            True,
        )
    if letters.has("gamma"):
        raise InputError("--gamma needs --n: without it, the users who take part are looked for")
    eps0 = letters.real("eps0")
    clones_curve(eps0, 1)
    return Unknown("n", lambda: search.integer(lambda n: clones_curve(eps0, n, adaptive)), LEAST_USERS, True)
