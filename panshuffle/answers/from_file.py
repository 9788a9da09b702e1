"""What somebody brings along: a pair of laws, or a randomizer, in a file, or any local one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from panshuffle.answer import AskedView, Worst
from panshuffle.arguments import PARAMS
from panshuffle.card import FILES, LOCAL, LOCALS
from panshuffle.exact.curves.composition import repeated_curve, sampled_pair
from panshuffle.exact.curves.curve import THIS_PAIR, Curve, EnclosedCurve, View, enclosed, worse
from panshuffle.exact.curves.law_pair import LawPair, pair_of_text
from panshuffle.exact.curves.losses import curve_of, losses_of_text
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.randomizers.randomizer import Randomizer, randomizer_of_text
from panshuffle.exact.randomizers.shuffled_view import LARGEST_EPS0, ShuffledView, local_view, shuffled_view
from panshuffle.exact.real import Real, exp
from panshuffle.output import located, read_text
from panshuffle.question import Json, Params, Question, number, whole

Found = TypeVar("Found")
MOST_BYTES = 1 << 26
"""A file beyond that would take minutes to read, and is a mistake."""
INPUTS = ("first", "second")
"""The inputs of binary response; its messages have the same names."""
LOCAL_LETTERS = ("eps0", "n", "gamma")
LETTERS_OF: dict[str, tuple[str, ...]] = {"pmf": (), "pld": (), "randomizer": ("n", "gamma")}
LETTERS_OF |= dict.fromkeys(LOCALS, LOCAL_LETTERS)
NAMED_LETTERS = ("k", "eps0")
MANY = ("uses", "sampled")
REFUSED = ("as-printed", "pool", "pair", "tv", "holders", "t", "ones")
WHY = "The masses are those of the file; both directions are covered, and nothing is said of other neighbours."
ONE_WAY = "The masses are those of the file, in this direction; nothing is said of other neighbours."
OF_LOSSES = "The losses are those of the file, whose masses are taken as they are; nothing is said of what they bound."


def own_in_text(question: Question, text: str) -> Callable[[], AskedView]:
    """The view of a randomizer in a text, checked."""
    if question.has("file"):
        raise InputError("file has no meaning here: the randomizer is given")
    check_options(question)
    own = own_shuffled(question, randomizer_of_text(text), {})
    return lambda: own


def own_of(question: Question) -> AskedView:
    """The view of --file.  *Raises* `InputError` for an option without a meaning, and for what is wrong in the file."""
    check_options(question)
    if question.subject in LOCALS:
        return own_local(question)
    path, name = question.get("file"), question.get("named")
    if name is not None:
        return own_named(question, name)
    if path is None:
        raise InputError(f"{question.subject} needs --file{' or --named' if question.subject == 'randomizer' else ''}")
    if question.subject == "pld":
        losses = in_file(path, losses_of_text)
        return AskedView(View(curve_of(*losses), THIS_PAIR, OF_LOSSES), {"file": path}, "upper bound")
    if question.subject == "pmf":
        return own_pair(question, path)
    return in_file(path, lambda text: own_shuffled(question, randomizer_of_text(text), {"file": path}))


def check_options(question: Question) -> None:
    """*Raises* `InputError` for an option that has no meaning for a pair or a randomizer from a file."""
    name = question.subject
    named = name == "randomizer" and question.has("named")
    taken = (*LETTERS_OF[name], *(NAMED_LETTERS if named else ()))
    question.refuse(parameter for parameter in PARAMS if parameter not in taken)
    question.refuse((*REFUSED, *(() if name == "pmf" else MANY), *(() if name == "randomizer" else ("named",))))
    question.refuse(() if name in FILES else ("file",))
    if question.has("direction") and name != "pmf":
        raise InputError(f"--direction has no meaning for {name}: both directions are covered")


def in_file(path: str, read: Callable[[str], Found]) -> Found:
    """What is read from a file of a size that can be read, with the file's name in front of what is wrong."""
    text = read_text(path, MOST_BYTES)
    with located(path):
        return read(text)


def pair_in(question: Question) -> LawPair:
    """The pair of laws in a file, subsampled if that is asked for.  *Raises* `InputError` without a file."""
    path, sampled = question.get("file"), question.get("sampled")
    if path is None:
        raise InputError(f"{question.subject} needs --file")
    pair: LawPair = in_file(path, pair_of_text)
    return pair if sampled is None else sampled_pair(pair, number("sampled", sampled))


def own_pair(question: Question, path: str) -> AskedView:
    """The pair of laws in a file, in one direction or in the worse of both."""
    pair, sampled, uses = pair_in(question), question.get("sampled"), question.get("uses")
    count = 1 if uses is None else whole("uses", uses, 1)
    direction = question.get("direction")
    if direction is not None:
        view = View(repeated_curve(pair if direction == "gain" else pair.swapped(), count), THIS_PAIR, ONE_WAY)
    else:
        view = View(both(repeated_curve(pair, count), repeated_curve(pair.swapped(), count)), THIS_PAIR, WHY)
    given = {name: text for name, text in (("sampled", sampled), ("uses", uses)) if text is not None}
    kind = "two-sided" if count > 1 and view.curve.exact is None else "exact" if pair.is_exact else "enclosure"
    return AskedView(view, {"file": path, **given}, kind)


def both(gain: Curve, lose: Curve) -> Curve:
    """The worse direction, of curves that may be known from both sides only."""
    if isinstance(gain, EnclosedCurve) and isinstance(lose, EnclosedCurve):
        return enclosed(worse(gain.below, lose.below), worse(gain.above, lose.above))
    return worse(gain, lose)


def own_named(question: Question, name: str) -> AskedView:
    """The same for a randomizer with a name."""
    from panshuffle.exact.randomizers.randomizer import named_randomizer

    if question.has("file"):
        raise InputError("--named and --file exclude each other")
    params = question.params
    eps0 = params.real("eps0")
    if not (eps0 > 0 and eps0 <= LARGEST_EPS0):
        raise ParameterError("eps0", params.text("eps0"), f"above 0 and at most {LARGEST_EPS0}")
    return own_shuffled(question, named_randomizer(name, params.count("k"), exp(eps0)), {"named": name})


def own_shuffled(question: Question, randomizer: Randomizer, about: dict[str, Json]) -> AskedView:
    """The shuffled messages of N users of a randomizer."""
    found: ShuffledView = shuffled_view(randomizer, users_of(question.params))

    def worst_at(exp_eps: Real | None) -> Worst:
        if exp_eps is None:
            return {}
        worst, names = found.worst_at(exp_eps), found.randomizer.inputs
        if worst is None:
            return {"background": None, "neighbours": None}
        held: dict[str, Json] = {names[i]: count for i, count in enumerate(worst.background) if count}
        return {"background": held, "neighbours": [names[worst.upper], names[worst.lower]]}

    kind = "exact" if found.is_exact else "two-sided"
    return AskedView(found.view, {**about, **question.params.given}, kind, worst_at)


def own_local(question: Question) -> AskedView:
    """Any eps0-locally private randomizer of N users."""
    view = view_of(question)

    def worst_at(exp_eps: Real | None) -> Worst:
        if exp_eps is None:
            return {}
        held = zip(INPUTS, view.background_at(exp_eps) or (), strict=False)
        return {"background": {name: count for name, count in held if count}, "neighbours": [*INPUTS]}

    return AskedView(view, dict(question.params.given), "two-sided", worst_at)


def users_of(params: Params) -> int:
    """N = gamma*n."""
    n = params.count("n")
    return honest_users(n, params.real("gamma")) if params.has("gamma") else n


def view_of(question: Question) -> View:
    """The view of the N users, from both sides."""
    params = question.params
    return local_view(params.real("eps0"), users_of(params), question.subject == LOCAL)
