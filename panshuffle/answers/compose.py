"""Several mechanisms on the same data, each used several times: their certified curve from both sides.

From above, every part is replaced by a pair of laws that dominates it (`exact.curves.dominating_pair`, which has the
proofs): the product of these pairs covers all neighbours, in either order, and each part may be chosen with the
outputs before it in hand.  From below, the laws of two neighbours of each part are multiplied: all parts run
independently, each on a column of the data of its own, and one user's row changes in every column.  A part for which no
such laws are known is left out there, which is post-processing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from flint import arb

from panshuffle.answer import AskedView
from panshuffle.answers.from_file import own_of, pair_in, users_of
from panshuffle.arguments import PROTOCOLS
from panshuffle.card import FILES, OWN, Viewed, refuse_file, selection_of, viewed
from panshuffle.exact.curves import composition
from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    THIS_PAIR,
    TWO_SIDED,
    UPPER_BOUND,
    Curve,
    View,
    enclosed,
    worse,
)
from panshuffle.exact.errors import InputError, shortened
from panshuffle.exact.randomizers.shuffled_view import response_laws
from panshuffle.exact.real import Certified, Real, real
from panshuffle.question import Json, Question, Setting, ViewSelection, number, whole

MOST_PARTS = 20
"""This many kinds of mechanisms take seconds."""
MOST_KINKS = 2000
"""Up to this many kinks of a curve are its points; a longer table is read on a grid."""
WIDTH = Fraction(1, 10**4)
"""The relative width of a lower bound from laws that are only enclosed."""
WHOLE = ("at-eps", "at-exp-eps", "at-delta", "digits")
"""Options of a composition that no part has."""
FLOOR_DIGITS = 30
"""Of the masses of a long table."""
ABOVE = (
    "Above: the certified curve of {each} covers its neighbours in either order; chords between points of it are the "
    "curve of a pair of laws, and the product of these pairs covers all uses together, each chosen after the outputs "
    "before it."
)
BELOW = "  Below: two neighbours of {whom}, in all uses at once, each on a column of the data of its own."
SAMPLED = (
    "  A row that does not take part is replaced by a fixed one; the upper end also holds for a random subset of rows."
)


@dataclass(frozen=True)
class Part:
    """A mechanism: points of its curve from above, independent laws of two of its neighbours if known, its uses."""

    name: str
    points: Sequence[composition.Point]
    floor: Sequence[composition.Laws]
    uses: int
    scope: str
    sampled: bool


def composed_view(question: Question) -> Callable[[], AskedView]:
    """The view of all parts of a composition, or of the uses of one mechanism, checked."""
    parts, about = [question], dict[str, Json](question.params.given)
    about |= {name: text for name in ("uses", "sampled") if (text := question.get(name)) is not None}
    if question.kind == "compose":
        parts = [read_part(text) for text in texts_of(question.subject)]
        about = {"parts": [{"protocol": part.subject, **dict(part.options)} for part in parts]}
    if len(parts) > MOST_PARTS:
        raise InputError(f"{len(parts)} parts are given, and at most {MOST_PARTS} are composed")
    finders = [finder(part) for part in parts]

    def find() -> AskedView:
        view, floored = composed([find() for find in finders])
        return AskedView(view, about, TWO_SIDED if floored else UPPER_BOUND)

    return find


def composed(parts: Sequence[Part]) -> tuple[View, bool]:
    """The view of all parts, and whether every one of them counts below."""
    above = composition.mixed_curve(
        [composition.Used(*composition.dominating_pair(part.points), part.uses) for part in parts]
    )
    floors = [part for part in parts if part.floor]
    scope = ALL_NEIGHBOURS if all(part.scope == ALL_NEIGHBOURS for part in parts) else THIS_PAIR
    why = ABOVE.format(each="each part" if len(parts) > 1 else "one use")
    if floors:
        why += BELOW.format(whom=", ".join(dict.fromkeys(part.name for part in floors)))
    if any(part.sampled for part in parts):
        why += SAMPLED
    below = floor_curve([(laws, part.uses) for part in floors for laws in part.floor])
    return View(enclosed(below, above), scope, why), len(floors) == len(parts)


def floor_curve(floors: Sequence[tuple[composition.Laws, int]]) -> Curve:
    """The curve of the products of laws, in the worse order; nothing where there are none."""
    if not floors:
        return Curve(lambda exp_eps, precision: Certified.of(0).ball(precision), lambda e: Fraction(0), None, zero)
    orders = [[composition.Used(laws[i], laws[1 - i], uses) for laws, uses in floors] for i in (0, 1)]
    if all(law.exact is not None for laws, _ in floors for law in laws):
        return worse(*(composition.mixed_curve(order) for order in orders))
    return worse(*(Curve(lower_ball(order), None, None, zero) for order in orders))


def zero() -> Certified:
    """What is known of the pure eps of laws that are only enclosed."""
    return Certified.of(0)


def lower_ball(order: Sequence[composition.Used]) -> Callable[[Real, int], arb]:
    """delta of a product of laws that are only enclosed, computed once for each e^eps."""

    @lru_cache(maxsize=256)
    def found(exp_eps: Real) -> arb:
        return composition.mixed_delta(order, exp_eps, WIDTH)

    return lambda exp_eps, precision: found(exp_eps)


def texts_of(subject: str) -> list[str]:
    """The parts of a composition: each begins with the name of a protocol, or of what stands in its place."""
    names = "|".join(sorted((*PROTOCOLS, *OWN), key=len, reverse=True))
    return [text.strip() for text in re.split(rf"\s\+\s(?=\s*(?:{names})(?:\s|$))", f" {subject} ")]


def part_text(question: Question) -> str:
    """A question about privacy as a part, without its point of the curve."""
    if question.kind != "privacy":
        raise InputError(f"a part of a composition is a question about privacy, not about {question.kind}")
    kept = replace(question, options=tuple(item for item in question.options if item[0] not in WHOLE))
    return shlex.join([kept.subject, *kept.arguments])


def read_part(text: str) -> Question:
    """The question that a part is: what would stand behind `privacy`, without a point of the curve."""
    try:
        part = Question.read(f"privacy {text}")
        _ = part.key  # its numbers are read here
    except (IndexError, ValueError) as problem:
        reason = problem if isinstance(problem, InputError) else "an option has no value, or a quotation no end"
        raise InputError(f"the part '{shortened(text)}': {reason}") from None
    for option in WHOLE:
        if part.has(option):
            raise InputError(f"--{option} belongs to the whole composition, not to the part '{shortened(text)}'")
    return part


def finder(question: Question) -> Callable[[], Part]:
    """The part that a question denotes, checked; calling it reads its curve."""
    for option in ("direction", "holders", "tv", "ones"):
        if question.has(option):
            whom = "all backgrounds, and both orders of neighbours"
            raise InputError(f"--{option} has no meaning in a composition, which covers {whom}")
    sampled, uses = question.get("sampled"), question.get("uses")
    q = None if sampled is None or question.subject == "pmf" else number("sampled", sampled)
    composition.sampled_points((), q or real(1))  # which checks q
    count = 1 if uses is None else whole("uses", uses, 1, composition.MOST_USES)
    view, floor, one_pair = own_view(question) if question.subject in OWN else protocol_view(question)

    def find() -> Part:
        laws = floor(q is not None)
        points = composition.curve_points(
            view.curve, composition.ratios_of(laws[0], MOST_KINKS) if one_pair and len(laws) == 1 else []
        )
        if q is not None:
            points, laws = composition.sampled_points(points, q), [composition.sampled_laws(one, q) for one in laws]
        return Part(question.subject, points, laws, count, view.scope, q is not None)

    return find


Floor = Callable[[bool], Sequence[composition.Laws]]
"""Independent laws of two neighbours, if known; if asked, only such as serve with a random part of the data."""


def own_view(question: Question) -> tuple[View, Floor, bool]:
    """The view of one use of what somebody brings along, two neighbours of it, and whether there are no others."""
    taken = ("uses",) if question.subject == "pmf" else ("uses", "sampled")
    once = replace(question, options=tuple(item for item in question.options if item[0] not in taken))
    own, params = own_of(once), question.params
    if question.subject == "pmf":
        pair = pair_in(once)
        return own.view, lambda sampled: [composition.floor_laws(pair)], True
    if question.subject in FILES:
        return own.view, lambda sampled: [], False
    return own.view, lambda sampled: [response_laws(params.real("eps0"), users_of(params))], False


def protocol_view(question: Question) -> tuple[View, Floor, bool]:
    """The view of one use of a protocol, two neighbours of it, and whether all others are like them."""
    refuse_file(question)
    found = viewed(question, selection_of(question))
    if found.view.scope != ALL_NEIGHBOURS:
        raise InputError(f"no composition: this view of {question.subject} covers {found.view.scope} only")
    one_pair = found.card.export is not None and not found.card.export.holders
    return found.view, lambda sampled: neighbours_of(found, question, sampled), one_pair


def neighbours_of(found: Viewed, question: Question, sampled: bool) -> Sequence[composition.Laws]:
    """The laws of two neighbours, in a bad background where there are several; none where no table has them.

    Where the table of a pair of pools is too long, its pools are two independent laws, one of which gains what the
    other one loses.  With a random part of the data only one law that does not depend on a background serves: then the
    others' rows may be the row that stands in for one that does not take part.
    """
    export, part = found.card.export, selection_of(question)
    if export is None or found.view.upper_bound or 1 in export.sizes(found.record).values():
        return []
    if export.holders:
        background = found.view.background_at(real(2))
        part = replace(part, holders=background)
        return [] if background is None or sampled else laws_in(found, question, part)
    whole_table = laws_in(found, question, part)
    if whole_table or sampled or part.pool or not found.card.seen.pools:
        return whole_table
    return [
        laws for gain in laws_in(found, question, replace(part, pool=True, pair=False)) for laws in (gain, gain[::-1])
    ]


def laws_in(found: Viewed, question: Question, part: ViewSelection) -> Sequence[composition.Laws]:
    """The laws of a table of a protocol, exact where it is short; none where it is too long."""
    assert found.card.export is not None
    setting = Setting(question.params, found.card.gamma(question.params), part)
    try:
        pair = found.card.export.pair(found.record, setting, FLOOR_DIGITS)
        if len(pair.outcomes) <= MOST_KINKS:
            pair = found.card.export.pair(found.record, setting, None)
    except InputError:
        return []
    return [composition.floor_laws(pair)]
