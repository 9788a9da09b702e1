"""What is likely wrong, from the data and the parameters alone: the cause that explains the runs best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from flint import arb
from panshuffle.crosscheck.bad_shuffles import SEEDS
from panshuffle.crosscheck.bets import LIKELIHOOD, MARGINAL, OUTLIER, Bet
from panshuffle.crosscheck.causes import Cause, Ranking, ranked
from panshuffle.crosscheck.columns import Columns
from panshuffle.crosscheck.dependence import (
    between_pools,
    between_runs,
    filled,
    freshness,
    reused,
    sums_with_right_mean,
)
from panshuffle.crosscheck.drift_bets import Drift
from panshuffle.crosscheck.given_bets import Conditional
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.order_bets import SAME_LABELS, SAME_ORDER, WITH_AS_MANY, Order
from panshuffle.crosscheck.output_slips import plain, relation, slip_of
from panshuffle.crosscheck.pool_bets import Pools
from panshuffle.crosscheck.pool_sizes import within_pool
from panshuffle.crosscheck.reference.model import (
    ANALYZER,
    DATA,
    DROPOUTS,
    LABELS,
    NOISE,
    ORDER,
    PARAMETERS,
    POOLS,
    RUNS,
    STATE,
    Reference,
)
from panshuffle.crosscheck.reuse_bets import Reuse
from panshuffle.crosscheck.run_bets import Lags
from panshuffle.crosscheck.run_patterns import FirstRuns
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.shuffle_likeness import in_numbers, like_known, most_like, now_and_then_like
from panshuffle.crosscheck.signs import SPREADS, WORDS, meaning
from panshuffle.crosscheck.single_runs import SINGLE, odd_runs
from panshuffle.crosscheck.unexplained import EVENED, IRREGULAR, SAME, in_words, kept_draws, step_of, too_even

MARGIN = 2.0  # how much more evidence of dependence than of a known mistake it takes to name the dependence
VARIED = 5  # outcomes that a coordinate has to take before what they have in common says anything
NEARLY = 0.8  # of the deviation: a mistake that explains less does not say which area it is
OF_PARAMETERS = (
    "wrong ",
    "off by one in ",
    "computed with ",
    "another m",
    "is drawn from Bin",
    "twice lam",
    "half of lam",
)
"""Parts of the names of mistakes in the value of a parameter."""
OFTEN = 10.0  # times that something has to be expected, or met, before it is no chance
STALE = 0.5  # with less than this part of the outcomes that there should be, runs come again, or a law is too narrow


@dataclass(frozen=True)
class Diagnosis:
    """The likely cause, the area that it lies in, how much of the deviation it explains, and areas that fit as well."""

    cause: str
    area: str
    explained: float
    others: tuple[str, ...] = ()

    @property
    def areas(self) -> tuple[str, ...]:
        """The area, and others where the runs can't tell which of several causes it is."""
        return (self.area, *self.others)


class Examined(Protocol):
    """What is known of the runs: the reference, what was counted, and outputs that were right and wrong."""

    reference: Reference
    columns: Columns
    pools: Pools
    lags: Lags
    reuse: Reuse
    drifts: list[Drift]
    order: Order
    first_runs: FirstRuns
    given: list[Conditional]
    mistaken: int
    wrong_outputs: list[tuple[int, Run, object]]
    right_outputs: list[tuple[int, Run, object]]


def diagnose(examination: Examined, groups: Sequence[Sequence[Bet]], limit: arb) -> Diagnosis:
    """The likely cause of an inconsistency.

    Signs of dependence count only as far as the laws that the coordinates were seen to have leave them over, and signs
    of wrong laws only as far as runs are new.  What has more evidence is named: a known mistake if it explains them.
    """
    bar = float(limit.mid()) / 2
    groups = [[bet for bet in group if not is_copied(examination, bet)] for group in groups]
    groups = [[bet for bet in group if bet.kind == STATE or not about_answer(examination, bet)] for group in groups]
    aside = examination.pools.sums_off_centre()
    groups = [[bet for bet in group if bet.where not in aside] for group in groups]
    most = {kind: best(groups, kind) for kind in (MARGINAL, LIKELIHOOD, OUTLIER, POOLS, RUNS, ORDER, STATE)}
    fresh = freshness(examination.columns)
    centred = sums_with_right_mean(examination.columns)
    summed = best([[bet for bet in group if bet.where in centred] for group in groups], POOLS)
    off = max(0.0, strength(most[MARGINAL]))
    tied = max(between_pools(examination.pools), strength(summed) - off, strength(most[POOLS]) - 2 * off)
    again = reused(examination.columns, examination.reuse, bound=tied > bar and fresh > STALE)
    orders = best([[bet for bet in group if bet.event == SAME_ORDER] for group in groups], RUNS)
    lasting = best(
        [[bet for bet in group if "one run before" not in bet.event and bet.event != SAME_LABELS] for group in groups],
        ORDER,
    )
    whole = copies_labels(examination)
    kept = not whole and (
        fixed_order(examination, fresh) or (fresh > STALE and again < bar and 2 * strength(lasting) > strength(orders))
    )
    copied = strength(orders) if orders is not None and not kept else 0.0
    after = max(between_runs(examination.lags), at_any_distance(groups, most))
    ranking = ranked(examination.reference, examination.columns.counts)
    repeated = stale(examination) and (orders is None or copied > bar)
    narrow = filled(examination.columns) and max(again, after, copied) < bar
    stuck = fresh < STALE and repeated and not narrow and not explains(ranking.best, bar)
    scale = fresh if stuck and max(again, after, copied) > bar else 1.0
    ranking = ranked(examination.reference, examination.columns.counts, scale) if scale < 1 else ranking
    laws = max(strength(most[MARGINAL]), strength(most[LIKELIHOOD])) * scale
    signs = {
        POOLS: min(strength(most[POOLS]), tied) * scale,
        RUNS: max(min(strength(most[RUNS]), after), again, copied),
        ORDER: max(strength(lasting), strength(most[ORDER]) - max(0.0, copied)),
    }
    kind = max(signs, key=lambda name: signs[name])
    known = ranking.best
    explained = explains(known, bar)
    odd = odd_runs(examination.columns, bar) if not explained else None
    rare = Diagnosis(odd, RUNS, 1.0, (examination.reference.rest,)) if odd is not None else None
    pattern = examination.first_runs.pattern() if not explained else None
    shown = rare or (Diagnosis(*pattern[:2], 1.0, pattern[2]) if pattern is not None else moving(examination, bar))
    if shown is not None:
        return shown
    if not explained and in_steps(examination.columns):
        return from_laws(examination, ranking, False)
    if stuck and not explained:
        return from_sign(examination, RUNS, most[RUNS])
    impossible = next(examination.columns.impossible(), None) is not None
    weight = known.gain * MARGIN if explained and known is not None else laws
    if impossible or (laws > bar and weight > signs[kind]):
        return from_laws(examination, ranking, explained or impossible)
    if signs[kind] > bar:
        return from_sign(examination, kind, most[kind])
    if laws > bar:
        return from_laws(examination, ranking, explained)
    if examination.mistaken:
        return from_output(examination)
    if strength(most[STATE]) > bar:
        likely = explains(known, bar / 2)
        return from_laws(examination, ranking, likely) if likely else from_released(examination, most[STATE])
    absurd = most[OUTLIER]
    if absurd is not None and strength(absurd) > bar:
        return Diagnosis(f"{SINGLE}: {absurd.event}", RUNS, 1.0, (examination.reference.rest,))
    strongest = max((bet for bet in most.values() if bet is not None), key=strength, default=None)
    if strongest is not None and strongest.kind in WORDS:
        return from_sign(examination, strongest.kind, strongest)
    return from_laws(examination, ranking, explained)


def copies_labels(examination: Examined) -> bool:
    """Whether labels are in an earlier order about as often as all of the messages are: then whole runs come again.

    Where all labels are the same, this is so if numbers of ones come again too often as well.
    """
    again, labels = examination.order.orders.again, examination.order.label_orders.again
    if again.hits <= OFTEN + 2 * again.expected:
        return False
    if len(examination.order.label_orders.seen) == 1:
        return not as_often_as_usual(examination.reuse)
    return labels.expected < OFTEN and labels.hits <= 1 + 1.1 * again.hits


def is_copied(examination: Examined, bet: Bet) -> bool:
    """Whether a bet on the order of a run is won only because all of an earlier run comes again."""
    order = examination.order
    again = order.orders.again.hits
    if bet.event == SAME_LABELS:
        return order.label_orders.again.hits <= 1 + 1.1 * again
    return again > 0 and WITH_AS_MANY in bet.event and ("all through run" in bet.event or copies_labels(examination))


def about_answer(examination: Examined, bet: Bet) -> bool:
    """Whether a bet is on the coordinate that the others end in: what follows from them is looked at given them."""
    answer = examination.reference.answer
    return answer is not None and bet.where == examination.columns.names[answer]


def moving(examination: Examined, bar: float) -> Diagnosis | None:
    """The diagnosis where the mean of a law moves: what just was goes on better than what was all the time."""
    drift = examination.drifts[0]
    excess = drift.excess()
    i = drift.indices[int(np.argmax(excess))] if len(excess) else -1
    if i < 0 or excess.max() < bar:
        return None
    name = examination.columns.names[i]
    words = f"the law of {name} moves from run to run: drift, waves, sorted runs, a start that is unlike the rest"
    words += ", or a seed or a public choice that is kept for some runs"
    return Diagnosis(words, RUNS, 1.0, (examination.reference.rest,))


def in_steps(columns: Columns) -> bool:
    """Whether a coordinate takes every third outcome only, or fewer of them."""
    alone = (i for i in columns.random if i not in columns.reference.aside)
    varied = [i for i in alone if len(columns.counts[i]) >= VARIED]
    return any(step_of(columns.counts[i]) > 2 for i in varied)


def explains(cause: Cause | None, bar: float) -> bool:
    """Whether a cause leaves nothing over."""
    return cause is not None and cause.whole and cause.gain > bar


def stale(examination: Examined) -> bool:
    """Whether most runs are repeats."""
    return len(examination.reuse.repeats.seen) <= examination.columns.runs / 4


def fixed_order(examination: Examined, fresh: float) -> bool:
    """Whether messages come in about one order for each number of ones and labels, although runs are new."""
    few = len(examination.order.orders.seen) <= 2 * len(examination.reuse.repeats.seen)
    return fresh > STALE and as_often_as_usual(examination.reuse) and few


def as_often_as_usual(reuse: Reuse) -> bool:
    """Whether the numbers of a run were there before about as often as they should."""
    return reuse.repeats.tilt.hits <= 1.5 * reuse.repeats.tilt.expected + 0.5


def at_any_distance(groups: Sequence[Sequence[Bet]], most: Mapping[str, Bet | None]) -> float:
    """The evidence of reuse at a distance, as far as the laws of the coordinates are right."""
    far = best([[bet for bet in group if bet.event.endswith("before")] for group in groups], RUNS)
    return strength(far) - 2 * max(0.0, strength(most[MARGINAL]))


def best(groups: Sequence[Sequence[Bet]], kind: str) -> Bet | None:
    """The bet of one kind with the most evidence; of the marginals only those of one coordinate."""
    bets = [bet for group in groups for bet in group if bet.kind == kind and bet.alone]
    return max(bets, key=strength, default=None)


def strength(bet: Bet | None) -> float:
    """The evidence, as a number."""
    return float("-inf") if bet is None else float(bet.log_e.mid())


def sign(kind: str, bet: Bet | None) -> Diagnosis:
    """The diagnosis of one kind of dependence, with its strongest sign."""
    words = f"; {bet.where}: {bet.event}{meaning(bet.event, bet.seen, bet.expected)}" if bet is not None else ""
    return Diagnosis(WORDS[kind] + words, kind, 1.0)


def from_released(examination: Examined, bet: Bet | None) -> Diagnosis:
    """The mistake by which what is released together does not belong together, or the sign of it."""
    found = [one for given in examination.given for one in given.mistakes()]
    if found:
        words, areas = "; or: ".join(name for name, _ in found), dict.fromkeys(area for _, area in found)
        first, *others = dict.fromkeys((*areas, STATE, ANALYZER))
        return Diagnosis(f"given the state, the output is as if {words}", first, 1.0, tuple(others))
    about_output = bet is not None and bet.where.startswith("output")
    return replace(sign(STATE, bet), others=(ANALYZER, POOLS) if about_output else ())


def from_sign(examination: Examined, kind: str, bet: Bet | None) -> Diagnosis:
    """The same; runs that come again and again are counted."""
    distinct = len(examination.reuse.repeats.seen)
    if kind == RUNS and freshness(examination.columns) < STALE and stale(examination):
        return Diagnosis(f"only {distinct} different runs come again and again: {WORDS[RUNS]}", RUNS, 1.0)
    kept = kept_draws(examination.columns) if kind == RUNS else None
    if kept is not None:
        return Diagnosis(kept, RUNS, 1.0, kept_areas(examination))
    inside = within_pool(examination.pools) if kind == POOLS else None
    if inside is not None:
        return Diagnosis(*inside)
    event = bet.event if bet is not None else ""
    across: tuple[str, ...] = (POOLS,) if kind == RUNS and "neighbour" in event else ()
    across += (DATA,) if kind == RUNS and examination.reference.conditioned is not None else ()
    ordered = {RUNS: (ORDER,), ORDER: (RUNS,)}[kind] if event == SAME_ORDER or "one run before" in event else ()
    found = replace(sign(kind, bet), others=(*across, *ordered))
    if event == SAME_ORDER:
        found = replace(found, cause=found.cause + in_numbers(examination.order))
    if kind == ORDER or event == SAME_ORDER:
        send = examination.reference.send
        fit = most_like(examination.order, send) if kind == ORDER else now_and_then_like(examination.order, send)
        repeated = (RUNS,) if kind == ORDER and RUNS not in found.others and set(fit) & set(SEEDS) else ()
        found = replace(found, cause=like_known(found.cause, fit), others=(*found.others, *repeated))
    mirrored = "mirror" in event
    even = (too_even(examination.columns) or examination.first_runs.evened()) if kind == RUNS and not mirrored else None
    if even is not None:
        words = f"{even} is spread more evenly than chance spreads it: quasi-random numbers, draws from a bag"
        words += ", or a draw that one run adds and the next one takes off"
        found = replace(found, cause=f"{words} ({found.cause})")
    summed = examination.pools.sum_of(bet.where) if kind == POOLS and bet is not None else None
    return found if summed is None else about_sum(found, *summed)


def kept_areas(examination: Examined) -> tuple[str, ...]:
    """Areas besides that of runs that draws which are kept for all of them may be looked for in."""
    state = (STATE,) if any("state" in name for name in examination.columns.names) else ()
    return tuple(dict.fromkeys((examination.reference.rest, *state, NOISE)))


def about_sum(found: Diagnosis, seen: Counter[int], law: MassTable) -> Diagnosis:
    """The same with what is off in a sum over pools: it is cut off, or it spreads too little or too much."""
    runs, top = seen.total(), max(seen)
    if (
        len(seen) > 1
        and runs * float((1 - law.up_to(top)).mid()) > OFTEN
        and seen[top] > OFTEN + 2 * runs * float(law.mass(top).mid())
    ):
        words = f" (it is never above {top}, and {seen[top]} times just that: what is more is lost, or cut off)"
        return replace(found, cause=found.cause + words, others=(*found.others, DROPOUTS))
    mean = sum(x * count for x, count in seen.items()) / runs
    variance = sum((x - mean) ** 2 * count for x, count in seen.items()) / runs
    return replace(found, cause=f"{found.cause} ({SPREADS[variance > law.variance()]})")


def from_laws(examination: Examined, ranking: Ranking, named: bool) -> Diagnosis:
    """The known mistake under which the runs are most likely, if it explains them, else what is off, in words."""
    cause = ranking.best
    if cause is not None and cause.whole and named:
        online = examination.reference.online
        areas = (*ranking.areas(), *(area for one in ranking.named() for area in also_in(one, online)))
        return Diagnosis(ranking.sentence(), cause.area, 1.0, tuple(dict.fromkeys(areas))[1:])
    kept = kept_draws(examination.columns)
    if kept is not None:
        return Diagnosis(kept, RUNS, 0.0, kept_areas(examination))
    words, area, beside = in_words(examination.columns)
    unsure = (RUNS,) if area != RUNS and any(word in words for word in (SAME, EVENED, IRREGULAR)) else ()
    others = (*unsure, *beside)
    share = cause.gain / ranking.deviation if cause is not None and ranking.deviation > 0 else 0.0
    nearest = max(ranking.causes, key=lambda one: one.gain, default=None)
    if nearest is not None and nearest.gain > ranking.deviation / 2:
        settled = nearest.gain < NEARLY * ranking.deviation or area in (ANALYZER, RUNS)
        text = f"{words}; nearest known mistake: {nearest.name}"
        first = area if settled else nearest.area
        return Diagnosis(text, first, max(0.0, share), tuple(one for one in (*others, area) if one != first))
    return Diagnosis(words, area, max(0.0, share), others)


def also_in(cause: Cause, online: bool) -> Iterator[str]:
    """Other headings that a cause may stand under: the value of a parameter, how a state is kept, what is drawn."""
    if cause.name.startswith(OF_PARAMETERS) or ": wrong " in cause.name or "drawn from Bin" in cause.name:
        yield PARAMETERS
    if online and (cause.area in (DATA, LABELS, PARAMETERS) or "the stream" in cause.name or "only in" in cause.name):
        yield STATE
    if cause.area == POOLS:  # what is drawn once too seldom is noise
        yield NOISE


def from_output(examination: Examined) -> Diagnosis:
    """The mistake of an analyzer that explains the outputs, if a known one does, or what they have in common."""
    wrong, right = examination.wrong_outputs, examination.right_outputs
    known = slip_of(examination.reference.slips, examination.reference.output, wrong, right) or plain([*wrong, *right])
    if known is not None:
        present = any(words in known for words in ("users who take part", "all n users"))
        return Diagnosis(known, ANALYZER, 1.0, (DROPOUTS,) if present else ())
    words = relation(wrong, right, examination.mistaken, examination.columns.runs)
    return Diagnosis(words or "the output is not what the analyzer computes from these pools", ANALYZER, 0.0)
