"""The certified delta at an eps, eps at a delta, and the curve: of a protocol, a file of one's own, or several uses."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from panshuffle.answer import ZERO, AskedView, NumberAnswer, Point, Worst, digits_of, kind_of, write
from panshuffle.card import FILES, OWN, card, names_with, refuse_file, selection_of, viewed
from panshuffle.exact.curves.curve import EXACT, TWO_SIDED, View
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import Certified, Real, exp
from panshuffle.output import with_progress
from panshuffle.question import Json, Question, ViewSelection, number, whole

EXACT_LAWS = "By the exact laws of both inputs."
LEADING_TERM = "By the first term of the difference of both laws, and a bound of all others."


@dataclass(frozen=True, kw_only=True, repr=False)
class PrivacyAnswer(NumberAnswer):
    """A point of a privacy curve.

    `worst` has what the others hold, and the neighbours of one's own randomizer, where they are known; `limit` is a
    delta that no eps goes below, where eps is infinite; `times` says how many times the answer the paper's bound is.
    """

    point: Point
    worst: Worst = field(default_factory=dict)
    limit: str | None = None
    times: str | None = None

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        found = {**self.named_numbers(), "scope": self.scope, "kind": self.kind, "background": None, **self.worst}
        return {**found, "paper": self.paper_dict()} | ({} if self.limit is None else {"limit": self.limit})

    def __str__(self) -> str:
        background, neighbours = self.worst.get("background"), self.worst.get("neighbours")
        worst = f", worst background {(*background,)}" if isinstance(background, list) and background else ""
        lines = [f"{self.quantity} {self.point.words}: {self.short_value()}"]
        lines.append(f"covers {self.scope} ({self.kind}){worst}")
        if is_of_protocol(self.question):
            more = f", {self.times} times as much" if self.times else ""
            lines.append("paper: no bound at this point" if self.paper is None else f"paper: {self.paper.value}{more}")
        if self.limit is not None:
            lines.append(f"delta is at least {self.limit} at every eps: some outcomes have mass under one law only")
        if isinstance(neighbours, list):
            held = background.items() if isinstance(background, dict) else ()
            others = ", ".join(f"{count} hold {name}" for name, count in held) or "there are none"
            what = "worst" if self.kind == EXACT else "lower end from"
            lines.append(f"{what}: {neighbours[0]} against {neighbours[1]}; of the others, {others}")
        return "\n".join([*lines, f"why: {self.why}"])

    def certificate(self) -> str:
        """The certificate of the point.  *Raises* `InputError` for what the checker can't derive."""
        if is_composed(self.question):
            raise InputError("no certificate: compositions have none")
        if self.question.subject in FILES:
            raise InputError(f"--certificate has no meaning for {self.question.subject}")
        from panshuffle.answers.certificate import certificate_of_point

        return certificate_of_point(self.question, self.point, self.value, self.digits)

    def picture(self) -> str:
        """The curve around the point of a protocol."""
        from panshuffle.answer import answer

        return answer(around(self.question)).picture() if is_of_protocol(self.question) else ""


def around(question: Question) -> Question:
    """The question for the curve that a point of it belongs to, up to about twice its eps."""
    names = {option for option, _ in question.options} - {"at-eps", "at-exp-eps", "at-delta", "digits"}
    given = {name: value for name, value in question.options if name in names}
    at = question.get("at-eps")
    return Question.of("curve", question.subject, {**given, "to": f"2*({at})+1" if at else "2", "points": "21"})


def is_composed(question: Question) -> bool:
    """Whether several uses are asked about; those of a table of two laws are one law again."""
    several = question.has("uses") or question.has("sampled")
    return question.kind == "compose" or (several and question.subject != "pmf")


def is_of_protocol(question: Question) -> bool:
    """Whether one use of a protocol is asked about."""
    return question.subject not in OWN and not is_composed(question)


def resolve(question: Question) -> Callable[[], NumberAnswer]:
    """The question, checked."""
    if is_of_protocol(question):
        refuse_file(question)
        card(question.subject)
        if question.has("tv") or question.has("ones"):
            return resolve_distance(question)
    return resolve_curve(question) if question.kind == "curve" else resolve_point(question, asked_view)


def resolve_point(
    question: Question, viewer: Callable[[Question], Callable[[], AskedView]]
) -> Callable[[], PrivacyAnswer]:
    """The question about a point of the curve of what is viewed, checked."""
    point, digits = Point.of(question), digits_of(question)
    find_view = viewer(question)

    def find() -> PrivacyAnswer:
        asked = find_view()
        view, value = asked.view, point.read(asked.view, digits)
        kind = EXACT if is_composed(question) and value.exact is not None else asked.kind
        about = (question, point.quantity, value, digits, asked.parameters, view.scope, kind, view.why)
        limit = view.curve.limit if value.infinite and not is_of_protocol(question) else ZERO
        return PrivacyAnswer(
            *about,
            paper=point.printed(view.paper),
            point=point,
            worst=asked.worst_at(point.place(value)),
            limit=Certified.of(limit).enclosure(digits)[0] if limit.sign() > 0 else None,
            times=point.times(view.paper, value),
        )

    return find


def asked_view(question: Question) -> Callable[[], AskedView]:
    """The view that is asked about, checked; calling it finds it."""
    if is_composed(question):
        from panshuffle.answers.compose import composed_view

        return composed_view(question)
    if question.subject in OWN:
        from panshuffle.answers.from_file import own_of

        own = own_of(question)
        return lambda: own
    found = viewed(question, selection_of(question))

    def worst_at(exp_eps: Real | None) -> Worst:
        background = found.view.background_at(exp_eps)
        return {"background": None if background is None else list(background)}

    return lambda: AskedView(found.view, found.parameters, kind_of(found.view), worst_at)


@dataclass(frozen=True, kw_only=True, repr=False)
class DistanceAnswer(NumberAnswer):
    """A total variation distance from an ideal protocol, on an input with the given number of ones."""

    ones: int

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        return {**self.named_numbers(), "scope": self.scope, "background": [self.ones], "paper": None}

    def certificate(self) -> str:
        """*Raises* `InputError`: the checker has no such claim."""
        raise InputError("--certificate has no meaning for --tv")

    def __str__(self) -> str:
        exact = "" if self.exact is None else f"{self.exact} = "
        return f"total variation with {self.ones} ones: {exact}[{self.lower}, {self.upper}]"


def resolve_distance(question: Question) -> Callable[[], NumberAnswer]:
    """The question about a total variation, checked."""
    found = card(question.subject)
    if found.distance is None or not question.has("tv"):
        who = names_with(lambda one: one.distance)
        raise InputError(f"--tv and --ones have a meaning for {who} --tv only")
    if any(question.has(name) for name in ("at-eps", "at-exp-eps", "at-delta")):
        raise InputError("--tv and a point of the curve exclude each other")
    setting, text = found.setting(question.params, ViewSelection()), question.get("ones")
    record, distance = found.record_of(question.params), found.distance
    users, digits = honest_users(found.runner(record).rows, setting.gamma), digits_of(question)
    ones = None if text is None else whole("ones", text, 0)
    if ones is not None and ones > users:
        raise ParameterError("ones", ones, f"a whole number from 0 to {users}")

    def find() -> DistanceAnswer:
        value, where = distance(record, users, ones)
        scope = "all inputs" if ones is None else "this pair"
        kind, why = (EXACT, EXACT_LAWS) if value.exact is not None else (TWO_SIDED, LEADING_TERM)
        return DistanceAnswer(question, "tv", value, digits, question.params.given, scope, kind, why, ones=where)

    return find


MOST_POINTS = 10_000
COLUMNS = ("eps", "lower", "upper", "paper")
Row = tuple[str, str, str, str]


@dataclass(frozen=True, kw_only=True, repr=False)
class CurveAnswer(NumberAnswer):
    """A curve: eps, lower, upper and the paper's bound at each point, as decimals; empty where there is no bound."""

    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, Json]:
        """The curve as one JSON object."""
        table: list[Json] = [dict(zip(COLUMNS, row, strict=True)) for row in self.rows]
        return {**self.head(), "scope": self.scope, "rows": table}

    def __str__(self) -> str:
        return "\n".join(",".join(row) for row in (COLUMNS, *self.rows))

    def show(self, as_json: bool, certificate: str | None, output: str | None) -> int:
        """Draws the curve, or writes it as CSV."""
        if output is not None and not output.endswith(".csv"):
            from panshuffle.plotting import curve_figure, save

            save(curve_figure(self.question.subject, self.parameters, self.rows), output)
        elif as_json:
            print(json.dumps(self.as_dict()))
        else:
            write(output, f"{self}\n")
        return 0

    def picture(self) -> str:
        """The curve as SVG; empty where matplotlib is missing."""
        from panshuffle.plotting import curve_svg

        return curve_svg(self.question.subject, self.parameters, self.rows)


def resolve_curve(question: Question) -> Callable[[], CurveAnswer]:
    """The question, checked."""
    digits, grid = digits_of(question), grid_of(question)
    find_view = asked_view(question)

    def find() -> CurveAnswer:
        asked = find_view()
        view, parameters = asked.view, {name: text for name, text in asked.parameters.items() if question.has(name)}
        rows, first = tuple(row_of(view, eps, digits) for eps in with_progress(grid, "curve")), exp(grid[0])
        about = ("delta", view.delta(first), digits, parameters, view.scope, kind_of(view), view.why)
        return CurveAnswer(question, *about, rows=rows)

    return find


def grid_of(question: Question) -> list[Real]:
    """The eps to read at, as exact numbers."""
    start, stop = number("from", question.text("from")), number("to", question.text("to"))
    points = whole("points", question.text("points"), 2)
    if not start >= 0:
        raise ParameterError("from", question.text("from"), "a finite number, at least 0")
    if not stop > start:
        raise ParameterError("to", question.text("to"), "above --from")
    if points > MOST_POINTS:
        raise ParameterError("points", points, f"at most {MOST_POINTS}")
    return [start + (stop - start) * i / (points - 1) for i in range(points)]


def row_of(view: View, eps: Real, digits: int) -> Row:
    """eps, lower, upper and the paper's bound at one point."""
    lower, upper = view.delta(exp(eps)).enclosure(digits)
    printed = Point(exp(eps)).printed(view.paper)
    return Certified.of(eps).enclosure(12)[0], lower, upper, "" if printed is None else printed.value
