"""The optimal distinguisher of two neighbours as an event, and a run of it on samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb, ctx, fmpq

from panshuffle.answer import NumberAnswer, digits_of, exp_eps_of, shown
from panshuffle.answers.certificate import subject_in
from panshuffle.answers.local import Stage, subject_of, view_of
from panshuffle.attacking import Play, read
from panshuffle.card import LOCALS, Model, Viewed, card, names_with, selection_of
from panshuffle.crosscheck.e_values import frequency_divergence
from panshuffle.crosscheck.mass_tables import BITS
from panshuffle.dataset import elements
from panshuffle.exact.certificates.witness import (
    Entry,
    Event,
    Place,
    Subject,
    certificate_text,
    certify,
    ends_of,
    event_of,
)
from panshuffle.exact.check import Rejected
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import InputError, ParameterError, shortened
from panshuffle.exact.real import Certified, Real
from panshuffle.exact.real import span as between
from panshuffle.output import with_progress
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Json, Question, number, whole
from panshuffle.running import Line

DEFAULT_RUNS = 2000
MOST_RUNS = MOST_ROWS = 10**7
DEFAULT_DRAWS, MOST_DRAWS = 500_000, 200_000_000
"""A run of the default size takes a second or two, the largest one some minutes."""
NOTHING = "delta is 0 here: no event has P > e^eps Q"

Data = Sequence[Any]
"""What each user holds, the changed one first; or how many hold what."""


@dataclass(frozen=True, kw_only=True, repr=False)
class AttackAnswer(NumberAnswer):
    """The event with the largest P - e^eps Q, its certified probabilities, and how often it occurred in runs."""

    entry: Entry | None = field(repr=False)
    place: Place
    found: Mapping[str, Json] = field(default_factory=dict)

    @property
    def consistent(self) -> bool:
        """Whether the samples agree with the exact probabilities."""
        return bool(self.found.get("consistent", True))

    def show(self, as_json: bool, certificate: str | None, output: str | None) -> int:
        """As any answer is shown; the status is 1 where the samples contradict the exact probabilities."""
        return super().show(as_json, certificate, output) or int(not self.consistent)

    def as_dict(self) -> dict[str, Json]:
        """The attack as one JSON object."""
        found: dict[str, Json] = {"at": {self.place.name: self.place.text}, "delta": self.numbers, "scope": self.scope}
        return self.head() | found | dict(self.found)

    def certificate(self) -> str:
        """The certificate of the lower bound.  *Raises* `InputError` where there is no event."""
        if self.entry is None:
            raise InputError("no certificate: delta is 0 here, so no event tells two neighbours apart")
        return certificate_text([self.entry])

    def __str__(self) -> str:
        if self.found["event"] is None:
            return NOTHING
        event, neighbours = self.found["event"], self.found["neighbours"]
        assert isinstance(event, dict) and isinstance(neighbours, dict)
        lines = [f"event: {event['words']}"]
        lines += [f"probability {law}: {self.ends_of(law)} where {neighbours[law]}" for law in ("P", "Q")]
        most = f"the most that any event has: [{self.lower}, {self.upper}]"
        lines.append(f"advantage P - e^eps Q: {self.ends_of('advantage')}; {most}")
        return "\n".join([*lines, *self.sampled()])

    def ends_of(self, name: str) -> str:
        """An enclosure among what was found."""
        numbers = self.found[name]
        assert isinstance(numbers, dict)
        return f"[{numbers['lower']}, {numbers['upper']}]"

    def sampled(self) -> list[str]:
        """What the runs showed."""
        hits, runs = self.found.get("hits"), self.found["runs"]
        if not isinstance(hits, dict):
            return ["no runs"]
        verdict = "agree" if self.consistent else "do NOT agree"
        alarm = f"false-alarm probability at most {self.found['alarm']}"
        advantage = f"advantage {self.found['sampled_advantage']:.6g}"
        return [
            f"sampled: {hits['P']} and {hits['Q']} of {runs} runs each, {advantage}",
            f"the samples {verdict} with the exact probabilities ({alarm})",
        ]


def resolve(question: Question) -> Callable[[], AttackAnswer]:
    """The question, checked."""
    exp_eps, digits = exp_eps_of(question), digits_of(question)
    target = local_target(question) if question.subject in LOCALS else protocol_target(question)
    if exp_eps is None:
        raise InputError("a place on the curve is needed: --at-eps or --at-exp-eps")
    sampling, view = Sampling.of(question), target.view
    place = Place.of(exp_eps, question.get("at-eps"))

    def find() -> AttackAnswer:
        value = view.delta(exp_eps)
        found: dict[str, Json] = {"event": None, "runs": 0}
        entry: Entry | None = None
        if value.enclosure(digits)[1] != "0":
            lower = ends_of(value, digits)[0]
            entry = certify(target.subject, "lower", place, lower, digits, background=view.background_at(exp_eps))
            try:
                event = event_of(entry)
            except Rejected as reason:
                raise InputError(f"no event: {reason}") from None
            scene = target.scene(event)
            found = exact_part(event, scene, exp_eps, digits) | sampling.run(event, scene, exp_eps)
        about = ("delta", value, digits, target.parameters, view.scope, "exact", view.why)
        return AttackAnswer(question, *about, entry=entry, place=place, found=found)

    return find


@dataclass(frozen=True)
class Target:
    """What is attacked: the subject of its certificate, its view, its parameters, and the scene of an event."""

    subject: Subject
    view: View
    parameters: Mapping[str, Json]
    scene: Callable[[Event], Scene | Stage]


def protocol_target(question: Question) -> Target:
    """A protocol with a card."""
    card(question.subject)
    part = selection_of(question)
    if part.t is not None:
        raise InputError("--t has no meaning for attack, which looks at the last state")
    protocol, subject = subject_in(question, part)
    if protocol.card.attack is None:
        who = names_with(lambda one: one.attack)
        raise InputError(f"{question.subject} has no attack: {who} have one")
    scene = partial(Scene, protocol, question, part.pool)
    return Target(subject, protocol.view, protocol.parameters, scene)


def local_target(question: Question) -> Target:
    """Any locally private randomizer: binary response, which is one of them, is attacked."""
    question.refuse(("pool", "pair", "direction", "holders", "t"))
    params = question.params
    return Target(subject_of(question), view_of(question), dict(params.given), partial(Stage.of, params))


class Scene:
    """Two neighbours, what a run of the protocol on one of them shows the event, and about how many draws it takes."""

    def __init__(self, protocol: Viewed, question: Question, pool: bool, event: Event) -> None:
        assert protocol.card.attack is not None
        self.card, self.attack, self.record, self.pool = protocol.card, protocol.card.attack, protocol.record, pool
        runner, dropouts, holders = self.card.runner(self.record), self.card.model.has_dropouts, event.holders or ()
        rows = (self.card.gamma(question.params) * runner.rows).floor() if dropouts else runner.rows
        if rows > MOST_ROWS:
            raise ParameterError("n", shortened(rows), f"at most {MOST_ROWS} for an attack, which writes the data out")
        if self.attack.play is not None:
            self.play = self.attack.play(self.record, rows, holders)
        elif self.attack.inner is not None:
            inner, size, what = self.attack.inner(self.record)
            self.play = Play.of(inner, elements(size), rows, holders, what)
        else:
            self.play = Play.of(runner, self.card.universe(self.record), rows, holders)
        values = self.play.changed if self.attack.changed is None else self.attack.changed(self.record)
        more, fewer = ([value, *self.play.others] for value in values)
        self.neighbours: tuple[Data, Data] = (more, fewer) if event.direction != "lose" else (fewer, more)

    @property
    def draws(self) -> int:
        """About how many draws a run takes."""
        return self.attack.draws(self.record, len(self.play.others) + 1)

    def outcome(self, data: Data, coins: Coins) -> list[int]:
        """One run: what the view shows, less what the other users put there."""
        time = self.play.runner.rows if self.card.model is Model.ONLINE else None
        line: Line = self.play.runner.once(data, coins, t=time)
        return read(self.attack.reading, line, self.play.others, self.pool)

    def words(self) -> dict[str, Json]:
        """The two neighbours for a person."""
        play = self.play
        parts = [f"{play.others.count(value)} hold {value}" for value in sorted(set(play.others))]
        others = play.elsewhere or (f"; of the others {', '.join(parts)}" if parts else "")
        return {
            law: f"one user holds the {play.what} {data[0]}{others}"
            for law, data in zip(("P", "Q"), self.neighbours, strict=True)
        }


def affordable(scene: Scene | Stage, runs: int | None) -> int:
    """The number of runs.  *Raises* `InputError` for more than a computer should be asked for."""
    size = 2 * scene.draws  # one run on each neighbour, about
    if runs is None:
        return min(DEFAULT_RUNS, DEFAULT_DRAWS // size)
    if runs > MOST_DRAWS // size:
        most = MOST_DRAWS // size
        raise InputError(f"runs = {runs} is not allowed: a run takes about {size} draws, so at most {most}")
    return runs


def exact_part(event: Event, scene: Scene | Stage, exp_eps: Real, digits: int) -> dict[str, Json]:
    """The event, its certified probabilities and what it is worth."""
    bounds = event.bounds
    p, q = enclosed(bounds.p_low, bounds.p_high), enclosed(bounds.q_low, bounds.q_high)
    worth = Certified(lambda precision: p.ball(precision) - exp_eps.ball(precision) * q.ball(precision))
    result: dict[str, Json] = {"neighbours": scene.words(), "event": {"words": event.words, "data": event.data}}
    result |= {"P": shown(p, digits), "Q": shown(q, digits), "advantage": shown(worth, digits)}
    return result | {"background": None if event.holders is None else list(event.holders)}


def enclosed(low: Fraction, high: Fraction) -> Certified:
    """A probability between two rationals, or the rational that it is."""
    if low == high:
        return Certified.of(low)
    return Certified(lambda precision: between(low, high, precision), probability=True)


@dataclass(frozen=True)
class Sampling:
    """How many runs to make, from which seed, and with which false-alarm probability to judge them."""

    runs: int | None
    seed: int | None
    alarm: Fraction

    @classmethod
    def of(cls, question: Question) -> Sampling:
        """What the options say."""
        runs, seed = question.get("runs"), question.get("seed")
        alarm = alarm_of(question.text("alarm"))
        most = None if runs is None else whole("runs", runs, 0, MOST_RUNS)
        return cls(most, None if seed is None else whole("seed", seed, 0), alarm)

    def run(self, event: Event, scene: Scene | Stage, exp_eps: Real) -> dict[str, Json]:
        """How often the event occurred on each neighbour, and whether that agrees with its probabilities."""
        runs = affordable(scene, self.runs)
        if not runs:
            return {"runs": 0}
        coins, hits = Coins(self.seed), [0, 0]
        for _ in with_progress(range(runs), "attack"):
            for i, data in enumerate(scene.neighbours):
                hits[i] += event.contains(scene.outcome(data, coins))
        sampled = hits[0] / runs - float(exp_eps) * hits[1] / runs
        result: dict[str, Json] = {"runs": runs, "hits": {"P": hits[0], "Q": hits[1]}, "sampled_advantage": sampled}
        return result | {"alarm": str(self.alarm), "consistent": agrees(event, hits, runs, self.alarm)}


def alarm_of(text: str) -> Fraction:
    """The false-alarm probability."""
    alarm = number("alarm", text).fraction
    if alarm is None or not 0 < alarm < 1:
        raise ParameterError("alarm", text, "a rational strictly between 0 and 1")
    return alarm


def agrees(event: Event, hits: Sequence[int], runs: int, alarm: Fraction) -> bool:
    """Whether both counts agree with the event's probabilities.

    Each of two counts can be too large or too small, and each has probability at most e^(-N KL) (Chernoff), so an
    alarm where N KL > ln(4/alarm) has probability at most `alarm`.
    """
    bounds = event.bounds
    ends = ((bounds.p_low, bounds.p_high), (bounds.q_low, bounds.q_high))
    with ctx.workprec(BITS):
        limit = (4 / arb(fmpq(alarm.numerator, alarm.denominator))).log()
        masses = [between(*pair, BITS) for pair in ends]
        return not any(
            frequency_divergence(count, runs, mass) > limit for count, mass in zip(hits, masses, strict=True)
        )
