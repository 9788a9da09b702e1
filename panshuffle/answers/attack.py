"""The optimal distinguisher of two neighbours as an event, and a run of it on samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from flint import arb, ctx, fmpq

from panshuffle.answer import NumberAnswer, digits_of, exp_eps_of, shown
from panshuffle.answers.certificate import subject_in, subject_of
from panshuffle.answers.from_file import INPUTS, view_of
from panshuffle.card import LOCALS, Model, Viewed, card, names_with, selection_of
from panshuffle.crosscheck.e_values import frequency_divergence
from panshuffle.crosscheck.mass_tables import BITS
from panshuffle.dataset import Datum, elements
from panshuffle.exact.certificates import witness
from panshuffle.exact.check import Rejected
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import InputError, ParameterError, shortened
from panshuffle.exact.real import Certified, Real, exp, real
from panshuffle.exact.real import span as between
from panshuffle.output import with_progress
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Json, Params, Question, number, whole
from panshuffle.running import Line, Play

DEFAULT_RUNS = 2000
MOST_RUNS = MOST_ROWS = 10**7
DEFAULT_DRAWS, MOST_DRAWS = 500_000, 200_000_000
"""A run of the default size takes a second or two, the largest one some minutes."""
WORD = 64
"""A draw with an irrational probability takes about this many fair bits at the most."""
NOTHING = "delta is 0 here: no event has P > e^eps Q"

Data = Sequence[Any]
"""What each user holds, the changed one first; or how many hold what."""


@dataclass(frozen=True, kw_only=True, repr=False)
class AttackAnswer(NumberAnswer):
    """The event with the largest P - e^eps Q, its certified probabilities, and how often it occurred in runs."""

    entry: witness.Entry | None = field(repr=False)
    place: witness.Place
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
        return witness.certificate_text([self.entry])

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
    subject, view, parameters, scene_of_event = target_of(question)
    if exp_eps is None:
        raise InputError("a place on the curve is needed: --at-eps or --at-exp-eps")
    sampling, place = sampling_of(question), witness.Place.of(exp_eps, question.get("at-eps"))

    def find() -> AttackAnswer:
        value = view.delta(exp_eps)
        found: dict[str, Json] = {"event": None, "runs": 0}
        entry: witness.Entry | None = None
        if value.enclosure(digits)[1] != "0":
            lower = witness.ends_of(value, digits)[0]
            entry = witness.certify(subject, "lower", place, lower, digits, background=view.background_at(exp_eps))
            try:
                event = witness.event_of(entry)
            except Rejected as reason:
                raise InputError(f"no event: {reason}") from None
            scene = scene_of_event(event)
            found = exact_part(event, scene, exp_eps, digits) | sampling(event, scene, exp_eps)
        about = ("delta", value, digits, parameters, view.scope, "exact", view.why)
        return AttackAnswer(question, *about, entry=entry, place=place, found=found)

    return find


Target = tuple[witness.Subject, View, Mapping[str, Json], Callable[[witness.Event], "Scene"]]
"""What is attacked: the subject of its certificate, its view, its parameters, and the scene of an event."""


def target_of(question: Question) -> Target:
    """A protocol, or any locally private randomizer: binary response, which is one of them, is attacked."""
    params = question.params
    if question.subject in LOCALS:
        question.refuse(("pool", "pair", "direction", "holders", "t"))
        return subject_of(question), view_of(question), dict(params.given), partial(local_scene, params)
    card(question.subject)
    part = selection_of(question)
    if part.t is not None:
        raise InputError("--t has no meaning for attack, which looks at the last state")
    protocol, subject = subject_in(question, part)
    if protocol.card.attack is None:
        who = names_with(lambda one: one.attack)
        raise InputError(f"{question.subject} has no attack: {who} have one")
    return subject, protocol.view, protocol.parameters, partial(scene_of, protocol, question, part.pool)


@dataclass(frozen=True)
class Scene:
    """Two neighbours, in words too, what a run on one of them shows the event, and about how many draws that takes."""

    neighbours: tuple[Data, Data]
    words: dict[str, Json]
    run: Callable[[Data, Coins], list[int]]
    draws: int


def scene_of(protocol: Viewed, question: Question, pool: bool, event: witness.Event) -> Scene:
    """The scene of a protocol.  *Raises* `ParameterError` for more rows than can be written out."""
    found, attack, record = protocol.card, protocol.card.attack, protocol.record
    assert attack is not None
    runner, holders = found.runner(record), event.holders or ()
    rows = (found.gamma(question.params) * runner.rows).floor() if found.model.has_dropouts else runner.rows
    if rows > MOST_ROWS:
        raise ParameterError("n", shortened(rows), f"at most {MOST_ROWS} for an attack, which writes the data out")
    if attack.play is not None:
        play = attack.play(record, rows, holders)
    elif attack.inner is not None:
        inner, size, what = attack.inner(record)
        play = Play.of(inner, elements(size), rows, holders, what)
    else:
        play = Play.of(runner, found.universe(record), rows, holders)
    time = play.runner.rows if found.model is Model.ONLINE else None

    def run(data: Data, coins: Coins) -> list[int]:
        return read(attack.reading, play.runner.once(data, coins, t=time), play.others, pool)

    changed = play.changed if attack.changed is None else attack.changed(record)
    values = changed[::-1] if event.direction == "lose" else changed
    parts = [f"{play.others.count(value)} hold {value}" for value in sorted(set(play.others))]
    others = play.elsewhere or (f"; of the others {', '.join(parts)}" if parts else "")
    words: dict[str, Json] = {
        law: f"one user holds the {play.what} {value}{others}" for law, value in zip(("P", "Q"), values, strict=True)
    }
    first, second = ([value, *play.others] for value in values)
    return Scene((first, second), words, run, attack.draws(record, len(play.others) + 1))


def read(reading: str, line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """What an event reads of a run, given the other users' rows and whether it is about one pool.

    "output" and "state" are numbers, where the other users hold nothing that counts; "ones" are those of the pools
    that the change touches, or the counters of a state; "ones and zeros" are ones and zeros of the pool that gains,
    zeros and ones of the one that loses.  What is "less" leaves out what the others put there.
    """
    if reading in ("output", "state"):
        return [line[reading]]
    if reading == "output less distinct":
        return [line["output"] - len(set(others))]
    everything = line["state"] if reading == "counts less others" else [ones for _, ones in line["pools"].values()]
    counts: list[int] = everything[: 1 if pool else 2]
    if reading == "ones":
        return counts
    mine = [count - others.count(j) for j, count in enumerate(counts, start=1)]
    if reading != "ones and zeros":
        return mine
    pools = enumerate(line["pools"].values(), start=1)
    rest = [zeros - (len(others) - others.count(j)) for j, (zeros, _) in pools]
    return [mine[0], rest[0]] if pool else [mine[0], rest[0], rest[1], mine[1]]


def local_scene(params: Params, event: witness.Event) -> Scene:
    """The scene of binary response, whose data are how many hold each input; a run shows how many say the first.

    *Raises* `InputError` for an event without a background.
    """
    if event.holders is None or len(event.holders) != len(INPUTS):
        raise InputError("no event: the background of binary response is not known")
    first, second = event.holders
    right = 1 / (1 + exp(-params.real("eps0")))

    def run(data: Data, coins: Coins) -> list[int]:
        return [coins.binomial(data[0], right) + coins.binomial(data[1], real(1) - right)]

    parts = [f"{count} hold {name}" for name, count in zip(INPUTS, event.holders, strict=True) if count]
    others = f"; of the others {', '.join(parts)}" if parts else ""
    words: dict[str, Json] = {
        law: f"one user holds {name}{others}" for law, name in zip(("P", "Q"), INPUTS, strict=True)
    }
    draws = (1 + first.bit_length() + second.bit_length()) * WORD  # of many equal coins, their number digit by digit
    return Scene(((first + 1, second), (first, second + 1)), words, run, draws)


def exact_part(event: witness.Event, scene: Scene, exp_eps: Real, digits: int) -> dict[str, Json]:
    """The event, its certified probabilities and what it is worth."""
    bounds = event.bounds
    p, q = enclosed(bounds.p_low, bounds.p_high), enclosed(bounds.q_low, bounds.q_high)
    worth = Certified(lambda precision: p.ball(precision) - exp_eps.ball(precision) * q.ball(precision))
    result: dict[str, Json] = {"neighbours": scene.words, "event": {"words": event.words, "data": event.data}}
    result |= {"P": shown(p, digits), "Q": shown(q, digits), "advantage": shown(worth, digits)}
    return result | {"background": None if event.holders is None else list(event.holders)}


def enclosed(low: Fraction, high: Fraction) -> Certified:
    """A probability between two rationals, or the rational that it is."""
    if low == high:
        return Certified.of(low)
    return Certified(lambda precision: between(low, high, precision), probability=True)


def sampling_of(question: Question) -> Callable[[witness.Event, Scene, Real], dict[str, Json]]:
    """The options on runs, checked: what gives how often an event occurred, and whether its probabilities agree."""
    wanted, seed, alarm = question.get("runs"), question.get("seed"), alarm_of(question.text("alarm"))
    most = None if wanted is None else whole("runs", wanted, 0, MOST_RUNS)
    start = None if seed is None else whole("seed", seed, 0)

    def sampled(event: witness.Event, scene: Scene, exp_eps: Real) -> dict[str, Json]:
        size = 2 * scene.draws  # one run on each neighbour, about
        runs = min(DEFAULT_RUNS, DEFAULT_DRAWS // size) if most is None else most
        if runs > MOST_DRAWS // size:
            few = f"a run takes about {size} draws, so at most {MOST_DRAWS // size}"
            raise InputError(f"runs = {runs} is not allowed: {few}")
        if not runs:
            return {"runs": 0}
        coins, hits = Coins(start), [0, 0]
        for _ in with_progress(range(runs), "attack"):
            for i, data in enumerate(scene.neighbours):
                hits[i] += event.contains(scene.run(data, coins))
        advantage = hits[0] / runs - float(exp_eps) * hits[1] / runs
        result: dict[str, Json] = {"runs": runs, "hits": {"P": hits[0], "Q": hits[1]}, "sampled_advantage": advantage}
        return result | {"alarm": str(alarm), "consistent": agrees(event, hits, runs, alarm)}

    return sampled


def alarm_of(text: str) -> Fraction:
    """The false-alarm probability."""
    alarm = number("alarm", text).fraction
    if alarm is None or not 0 < alarm < 1:
        raise ParameterError("alarm", text, "a rational strictly between 0 and 1")
    return alarm


def agrees(event: witness.Event, hits: Sequence[int], runs: int, alarm: Fraction) -> bool:
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
