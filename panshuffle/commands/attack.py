"""`panshuffle attack`: the optimal distinguisher of two neighbours as an event, and a run of it on samples."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from panshuffle.commands.privacy import add_view, choice_of
from panshuffle.parameters import Parameters, add_parameters

if TYPE_CHECKING:
    from fractions import Fraction

    from exact.certificates.events import Event
    from exact.certificates.writer import Entry, Place, Subject
    from exact.curves.curve import View
    from exact.numbers.real import Real
    from protocols.randomness.coins import Coins

DEFAULT_RUNS = 2000
MOST_RUNS = 10**7
DEFAULT_DRAWS, MOST_DRAWS = 500_000, 200_000_000
DEFAULT_ALARM = "1e-9"

Data = Sequence[int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    place = parser.add_argument_group("where the curve is read")
    place.add_argument("--at-eps", metavar="X", help="the event with the largest P - e^eps Q at this epsilon")
    place.add_argument("--at-exp-eps", metavar="X", help="the same at this e^epsilon")
    add_view(parser)
    parser.add_argument("--runs", metavar="R", help=f"runs on each neighbour (default up to {DEFAULT_RUNS}; 0: none)")
    parser.add_argument("--seed", metavar="S", help="a whole number that makes the runs reproducible")
    parser.add_argument("--alarm", metavar="A", default=DEFAULT_ALARM, help="false-alarm probability (default 1e-9)")
    parser.add_argument("--digits", metavar="D", help="certified digits (default 10)")
    parser.add_argument("--certificate", metavar="FILE", help="write the lower bound for python -m exact.check")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Runs the command: 0, or 1 where the samples contradict the exact probabilities."""
    from exact.certificates.writer import Place
    from exact.errors import InputError
    from panshuffle.questions import subject_of, view_of
    from panshuffle.reading import digits_of, exp_eps_of, shown

    parameters = Parameters.of(args)
    exp_eps, digits, choice = exp_eps_of(args), digits_of(args.digits), choice_of(args)
    if exp_eps is None:
        raise InputError("a place on the curve is needed: --at-eps or --at-exp-eps")
    if choice.t is not None:
        raise InputError("--t has no meaning for attack, which looks at the last state")
    alarm, runs, seed = alarm_of(args.alarm), runs_of(args.runs), seed_of(args.seed)
    given = dict(parameters.given)
    view = view_of(parameters, choice)
    subject, place = subject_of(parameters, choice), Place.of(exp_eps, args.at_eps)
    answer = view.curve.delta(exp_eps)
    result: dict[str, Any] = {"protocol": args.protocol, "parameters": given | parameters.resolved}
    result |= {"at": {place.name: place.text}, "delta": shown(answer, digits), "scope": view.scope}
    if result["delta"]["upper"] == "0":
        return no_event(args, result)
    entry = lower_bound(subject, view, exp_eps, place, digits)
    event = event_at(entry)
    scene = Scene(parameters, event, choice.pool)
    result |= exact_part(event, scene, exp_eps, digits)
    runs = scene.affordable(runs)
    result |= sampled_part(event, scene, exp_eps, runs, seed, alarm) if runs else {"runs": 0}
    if args.certificate is not None:
        write(args.certificate, entry)
    print(json.dumps(result)) if args.json else print_attack(result)
    return 0 if result.get("consistent", True) else 1


def no_event(args: argparse.Namespace, result: dict[str, Any]) -> int:
    """What is said where delta is 0."""
    from exact.errors import InputError

    if args.certificate is not None:
        raise InputError("no certificate: delta is 0 here, so no event tells two neighbours apart")
    result |= {"event": None, "runs": 0}
    print(json.dumps(result) if args.json else "delta is 0 here: no event has P > e^eps Q")
    return 0


def runs_of(text: str | None) -> int | None:
    """The number of runs that was asked for."""
    from panshuffle.commands.sample import plain_count

    return None if text is None else plain_count("runs", text, 0, MOST_RUNS)


def seed_of(text: str | None) -> int | None:
    """The seed that was given."""
    from panshuffle.commands.sample import plain_count

    return None if text is None else plain_count("seed", text, 0)


def alarm_of(text: str) -> Fraction:
    """The false-alarm probability."""
    from exact.errors import ParameterError
    from panshuffle.reading import number

    alarm = number("alarm", text).fraction
    if alarm is None or not 0 < alarm < 1:
        raise ParameterError("alarm", text, "a rational strictly between 0 and 1")
    return alarm


def lower_bound(subject: Subject, view: View, exp_eps: Real, place: Place, digits: int) -> Entry:
    """The claim that the event proves."""
    from exact.certificates.answers import ends_of
    from exact.certificates.writer import certify

    lower = ends_of(view.curve.delta(exp_eps), digits)[0]
    return certify(subject, "lower", place, lower, digits, background=view.background_at(exp_eps))


def event_at(entry: Entry) -> Event:
    """The event of the claim.  *Raises* `InputError` where the checker refuses it."""
    from exact.certificates.events import event_of
    from exact.check import Rejected
    from exact.errors import InputError

    try:
        return event_of(entry)
    except Rejected as reason:
        raise InputError(f"no event: {reason}") from None


class Scene:
    """Two neighbours, and what a run of the protocol on one of them shows the event."""

    def __init__(self, parameters: Parameters, event: Event, pool: bool) -> None:
        from panshuffle.questions import fraction_taking_part
        from panshuffle.recipes import record_of

        self.protocol, self.record, self.pool = parameters.protocol, record_of(parameters), pool
        rows = getattr(self.record, "length", None) or (fraction_taking_part(parameters) * self.record.n).floor()
        self.others = self.elsewhere(rows - 1, event.holders)
        self.neighbours = self.both(event.direction == "lose")

    def elsewhere(self, count: int, holders: tuple[int, ...] | None) -> Data:
        """The rows of the other users: zeros, or elements such that so many hold 1 and 2 and the rest the last one."""
        if not hasattr(self.record, "k"):
            return [0] * count
        held = [element for element, number in enumerate(holders or (), start=1) for _ in range(number)]
        return held + [self.record.k] * (count - len(held))

    def both(self, lose: bool) -> tuple[Data, Data]:
        """The data under P and under Q; `lose` exchanges them."""
        other = 2 if hasattr(self.record, "k") else 0
        gained = ([1, *self.others], [other, *self.others])
        return (gained[1], gained[0]) if lose else gained

    def affordable(self, runs: int | None) -> int:
        """The number of runs.  *Raises* `InputError` for more than a computer should be asked for."""
        from exact.errors import InputError

        if runs is None:
            return min(DEFAULT_RUNS, DEFAULT_DRAWS // self.size())
        most = MOST_DRAWS // self.size()
        if runs > most:
            raise InputError(f"runs = {runs} is not allowed: a run takes about {self.size()} draws, so at most {most}")
        return runs

    def size(self) -> int:
        """About how many draws one run on each neighbour takes."""
        record, rows = self.record, len(self.others) + 1
        each = getattr(record, "m", 1) if self.protocol == "distinct-elements" else 2
        noise = record.lam.ceil() if self.protocol == "uniformity" else 0
        return int(2 * getattr(record, "k", 1) * (rows * each + noise))

    def outcome(self, data: Data, coins: Coins) -> list[int]:
        """One run: what the view shows, less what the other users put there."""
        from panshuffle import views

        if self.protocol == "binomial":
            return [self.record.release(data, coins)]
        if hasattr(self.record, "initial"):
            state = views.online_view(self.record, data, coins, self.record.length)["state"]
            return [state] if isinstance(state, int) else self.less([[0, count] for count in state], 0)
        pools = [*views.shuffle_view(self.record, data, coins, False)["pools"].values()]
        return self.less(pools, len(self.others))

    def less(self, pools: Sequence[Sequence[int]], zeros: int) -> list[int]:
        """The counts of the pools that the change touches, without the other users' data."""
        if self.protocol == "distinct-elements":
            ones = [pool[1] for pool in pools]
        else:
            ones = [pool[1] - self.others.count(j) for j, pool in enumerate(pools, start=1)]
        if self.protocol == "binary-sum":
            return [pools[0][1] - sum(self.others)]
        if self.protocol != "uniformity":
            return ones[:1] if self.pool else ones[:2]
        rest = [pool[0] - (zeros - self.others.count(j)) for j, pool in enumerate(pools, start=1)]
        return [ones[0], rest[0]] if self.pool else [ones[0], rest[0], rest[1], ones[1]]

    def words(self) -> dict[str, str]:
        """The two neighbours for a person."""
        what = "bit" if not hasattr(self.record, "k") else "element"
        others = summary(self.others, what)
        return {
            law: f"one user holds the {what} {data[0]}{others}"
            for law, data in zip(("P", "Q"), self.neighbours, strict=True)
        }


def summary(others: Data, what: str) -> str:
    """How many other users hold what."""
    parts = [f"{others.count(value)} hold {value}" for value in sorted(set(others))]
    return f"; of the others {', '.join(parts)}" if parts else ""


def exact_part(event: Event, scene: Scene, exp_eps: Real, digits: int) -> dict[str, Any]:
    """The event, its certified probabilities and what it is worth."""
    from exact.numbers.certified import Certified
    from exact.numbers.certified import span as between
    from panshuffle.reading import shown

    bounds = event.bounds
    p = Certified(lambda precision: between(bounds.p_low, bounds.p_high, precision), probability=True)
    q = Certified(lambda precision: between(bounds.q_low, bounds.q_high, precision), probability=True)
    p, q = (Certified.of(low) if low == high else ball for low, high, ball in ((*bounds[:2], p), (*bounds[2:], q)))
    worth = Certified(lambda precision: p.ball(precision) - exp_eps.ball(precision) * q.ball(precision))
    result: dict[str, Any] = {"neighbours": scene.words(), "event": {"words": event.words, "data": event.data}}
    result |= {"P": shown(p, digits), "Q": shown(q, digits), "advantage": shown(worth, digits)}
    return result | {"background": event.holders}


def sampled_part(
    event: Event, scene: Scene, exp_eps: Real, runs: int, seed: int | None, alarm: Fraction
) -> dict[str, Any]:
    """How often the event occurred on each neighbour, and whether that agrees with its probabilities."""
    from panshuffle.output import with_progress
    from protocols.randomness.coins import Coins

    coins = Coins(seed)
    hits = [0, 0]
    for _ in with_progress(range(runs), "attack"):
        for i, data in enumerate(scene.neighbours):
            hits[i] += event.contains(scene.outcome(data, coins))
    sampled = hits[0] / runs - float(exp_eps) * hits[1] / runs
    result: dict[str, Any] = {"runs": runs, "hits": {"P": hits[0], "Q": hits[1]}, "sampled_advantage": sampled}
    return result | {"alarm": str(alarm), "consistent": agrees(event, hits, runs, alarm)}


def agrees(event: Event, hits: Sequence[int], runs: int, alarm: Fraction) -> bool:
    """Whether both counts agree with the event's probabilities.

    Each of two counts can be too large or too small, and each has probability at most e^(-N KL) (Chernoff), so an
    alarm where N KL > ln(4/alarm) has probability at most `alarm`.
    """
    from flint import arb, ctx, fmpq

    from crosscheck.consistency import PRECISION, divergence
    from exact.numbers.certified import span as between

    bounds = event.bounds
    ends = ((bounds.p_low, bounds.p_high), (bounds.q_low, bounds.q_high))
    with ctx.workprec(PRECISION):
        limit = (4 / arb(fmpq(alarm.numerator, alarm.denominator))).log()
        masses = [between(*pair, PRECISION) for pair in ends]
        return not any(divergence(count, runs, mass) > limit for count, mass in zip(hits, masses, strict=True))


def write(path: str, entry: Entry) -> None:
    """Writes the certificate of the lower bound."""
    from exact.certificates.writer import certificate_text
    from panshuffle.output import destination

    text = certificate_text([entry])
    with destination(path) as stream:
        stream.write(text)


def print_attack(result: dict[str, Any]) -> None:
    """The attack for a person."""

    def ends(name: str) -> str:
        return f"[{result[name]['lower']}, {result[name]['upper']}]"

    print(f"event: {result['event']['words']}")
    for law in ("P", "Q"):
        print(f"probability {law}: {ends(law)} where {result['neighbours'][law]}")
    print(f"advantage P - e^eps Q: {ends('advantage')}; the most that any event has: {ends('delta')}")
    if not result["runs"]:
        print("no runs")
        return
    hits, runs = result["hits"], result["runs"]
    print(f"sampled: {hits['P']} and {hits['Q']} of {runs} runs each, advantage {result['sampled_advantage']:.6g}")
    verdict = "agree" if result["consistent"] else "do NOT agree"
    print(f"the samples {verdict} with the exact probabilities (false-alarm probability at most {result['alarm']})")
