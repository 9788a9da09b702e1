"""What is likely wrong, from the data and the parameters alone: the cause that explains the runs best.

How strongly coordinates depend on each other, and runs on earlier ones, is measured given whatever laws the coordinates
have: a mistake in the law of a coordinate is no sign of dependence.  All values are in nats, and rough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Protocol

import numpy as np
from flint import arb
from panshuffle.crosscheck.bets import LIKELIHOOD, MARGINAL, OUTLIER, Bet, Columns, law_bets
from panshuffle.crosscheck.causes import Cause, Ranking, place_of, ranked
from panshuffle.crosscheck.doubles import Doubles, Whole, ends_of, moments
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.order_bets import SAME_LABELS, SAME_ORDER, WITH_AS_MANY, Order
from panshuffle.crosscheck.output_mistakes import known_mistake, plain, relation
from panshuffle.crosscheck.pool_bets import CENTRED, Conditional, Pools
from panshuffle.crosscheck.reference.areas import (
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
)
from panshuffle.crosscheck.reference.model import Reference
from panshuffle.crosscheck.run_bets import Drift, Lags, Reuse
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.shuffles import SEEDS, in_numbers, like_known, most_like, now_and_then_like
from panshuffle.crosscheck.unexplained import (
    EVENED,
    IRREGULAR,
    SAME,
    FirstRuns,
    in_words,
    kept_draws,
    step_of,
    too_even,
)

WORDS = {
    POOLS: "the pools are correlated: coins are reused",
    RUNS: "a run depends on earlier ones: coins are reused between runs",
    ORDER: "the messages are not in random order: unshuffled, or shuffled badly",
    STATE: "what is released together does not belong together",
}
HINTS = {
    SAME_ORDER: "a seed or a permutation that comes again, or some runs that are not shuffled at all",
    SAME_LABELS: "a permutation comes again: its seed is kept, has few values, or is computed from the messages",
    "in every second run": "pairs of runs share coins: antithetic numbers, or numbers that are drawn two at a time",
    "the mirror": "antithetic runs: the coins are those of the run before, inverted",
    "neighbour": "the coins of a run are those of an earlier one, moved by one place",
    "it depends on how many": "draws are evened out, as from a bag that is emptied first, or go on as they were",
    "on the same side": "runs are sorted, evened out or changed in turn, or a part of their coins comes again",
    "equal to": "a generator of a short period, workers with one seed, or runs that are kept and shown again",
    "in a row were there before": "a seed that comes again, or a generator of a short period",
    "that was sent": "not shuffled at all, users are shuffled and not messages, or only some messages change places",
    "every second message": "users are shuffled, not messages: the two messages of a user stay together, in order",
    "each place": "messages stay near the place where they were sent, or their content decides on their place",
    "place ": "this place is not shuffled, or is filled after the shuffle",
    "first half": "parts are shuffled one by one, messages move a little only, or their content decides on their place",
    "with as many ones": "the permutation is computed from the messages, or is the same in every run",
    "there one run before": "the same permutation in every run, or messages that are sorted by pool or user",
    "one more than": "each user's messages stay together and in order",
    "as the one before": "messages are sorted, or some of them stay together",
    "both even": "the noise of one is that of the other, or its complement",
    "the same noise": "the noise is drawn once for several pools",
    "goes together": "a coin, a share or a number of noise bits is drawn once for several pools",
    "about -": "what one gets the other does not: complements, or a fixed total",
    "their correlation": "some of the coins are drawn once for several pools",
    "is even": "users draw one coin for several pools, or the number of noise ones is made even",
    "is odd": "users draw one coin for several pools, or the number of noise ones is made odd",
}
"""By a part of an event, the first that fits, what it comes from."""


SPREADS = {
    False: "its variance is too small: a fixed total, draws without replacement, or what one gets the other does not",
    True: "its variance is too large: some of the coins are drawn once for several pools",
}


RARER = "such runs are drawn again, or left out"
TOO_RARE = 0.5  # of what is expected: an event that is met less often is avoided


def meaning(event: str, seen: str = "", expected: str = "") -> str:
    """What an event comes from, as the end of a sentence; one that is met too rarely is avoided."""
    if "equal to" in event and seen.isdigit() and expected and int(seen) < TOO_RARE * float(expected):
        return f" in {seen} runs only, not in {float(expected):.4g} ({RARER})"
    return next((f" ({words})" for part, words in HINTS.items() if part in event), "")


RARELY = 0.02  # of the runs, at either end, that are not looked at for gaps
NEARLY_ALL = 0.9
LEAST_FILLED = 5  # outcomes, of fewer of which nothing is said


def information(table: Doubles, rows: int, columns: int) -> Doubles:
    """N times the mutual information of tables whose rows and columns are along two axes."""
    total = np.maximum(table.sum(axis=(rows, columns), keepdims=True), 1.0)
    expected = table.sum(axis=columns, keepdims=True) * table.sum(axis=rows, keepdims=True) / total
    terms = np.where(table > 0, table * np.log(np.maximum(table, 1e-300) / np.maximum(expected, 1e-300)), 0.0)
    return np.asarray(terms.sum(axis=(rows, columns)))


def over_chance(cells: Whole) -> float:
    """The evidence of the best table of some, and of all of them together."""
    if not len(cells):
        return 0.0
    each = information(cells.reshape(len(cells), 2, 2).astype(np.float64), 1, 2) - 0.5  # what chance gives in the mean
    return max(float(each.max()) - log(len(each)), agreement(cells))


def agreement(cells: Whole) -> float:
    """Half the squared number of deviations by which all tables together agree too often, given their margins."""
    table = cells.astype(np.float64)
    total = np.maximum(table.sum(axis=1), 1.0)
    first, second = (table[:, 0] + table[:, 1]) / total, (table[:, 0] + table[:, 2]) / total
    expected = total * (first * second + (1 - first) * (1 - second))
    variance = total * 4 * first * (1 - first) * second * (1 - second)
    excess = (table[:, 0] + table[:, 3] - expected).sum()
    return float(excess**2 / (2 * variance.sum())) if variance.sum() > 0 else 0.0


def between_pools(pools: Pools) -> float:
    """The evidence that coordinates of a run depend on each other."""
    if not pools.pairs:
        return max(0.0, equal_noise(pools))
    a, b = np.array(pools.pairs).T
    return max(0.0, *(over_chance(signs.cells(a, b)) for signs in (pools.sides, pools.even)), equal_noise(pools))


def equal_noise(pools: Pools) -> float:
    """The same from noise that is equal in two coordinates more often than their observed laws give."""
    best = 0.0
    for i, gap in enumerate(pools.gaps):
        for j, hits in enumerate(pools.equal[i].tolist()):
            met = int(pools.both_here[i][j])
            first, second = (pools.columns.counts[pools.indices[place]] for place in (j, j + gap))
            by = int(pools.firsts[j + gap] - pools.firsts[j])
            p = sum(count * second[x + by] for x, count in first.items()) / max(1, first.total() * second.total())
            if met and hits > met * p:
                rest = (met - hits) * log((met - hits) / (met * (1 - p))) if hits < met and p < 1 else 0.0
                best = max(best, hits * log(hits / (met * p)) + rest - log(10 * len(pools.pairs))) if p > 0 else best
    return best


def between_runs(lags: Lags) -> float:
    """The evidence that coordinates depend on those of the runs shortly before."""
    tables = [
        np.stack([lags.low_low, lags.low_met - lags.low_low, lags.high_low, lags.high_met - lags.high_low], axis=2)
    ]
    cells = np.concatenate(tables).reshape(-1, 4)
    each = over_chance(cells) if lags.indices else 0.0
    by_lag = [agreement(tables[0][i]) for i in range(len(tables[0]))] if lags.indices else [0.0]
    return max(each, after_windows(lags), *by_lag)


def after_windows(lags: Lags) -> float:
    """The same from how many of some runs before were on one side: N times the mutual information, less chance."""
    best = 0.0
    for window, (lows, met) in lags.after.items():
        found = information(np.stack([lows, met - lows]).astype(np.float64), 1, 0) - window / 2
        best = max(best, float(found.max(initial=0.0)) - log(len(found) or 1) - 1.0)
    return best


def reused(columns: Columns, reuse: Reuse, bound: bool) -> float:
    """The evidence that runs, or stretches of noise, come again more often than the observed laws give.

    Where the coordinates of a run are `bound` to each other a run has no more outcomes than its most varied coordinate.
    """
    repeats = reuse.repeats
    logs = [collision(columns, i) for i in repeats.indices]
    each = min(logs, default=0.0) if bound else sum(logs)
    found = surprise(repeats.tilt.hits, np.exp(min(0.0, each)) * columns.runs**2 / 2)
    for sequence, width in [(reuse.together, max(1, len(logs))), *((one, 1) for one in reuse.alone)]:
        if sequence is not None:
            pairs = len(sequence.symbols) ** 2 / (2 * sequence.length)
            found = max(found, surprise(sequence.tilt.hits, np.exp(sequence.length / width * each) * pairs))
    return found


def surprise(hits: int, expected: float) -> float:
    """About -ln of the chance of so many rare events where so many are expected; 0 where they are no surprise."""
    expected = max(expected, 1e-300)
    return hits * log(hits / expected) - hits + expected if hits > 2 * expected else 0.0


def freshness(columns: Columns) -> float:
    """How many outcomes the most varied coordinate has, over how many it should have: 1 where runs are new."""
    shares = []
    for i in columns.random:
        high = ends_of(columns.laws[i])[1]
        seen = columns.counts[i].total()
        expected = float((1 - (1 - np.minimum(1.0, high)) ** seen).sum())
        shares.append(len(columns.counts[i]) / max(1.0, expected))
    return min(1.0, max(shares, default=1.0))


def filled(columns: Columns) -> bool:
    """Whether the most varied coordinate takes nearly every outcome between its rare ones, as draws from a law do."""
    counts = max((columns.counts[i] for i in columns.random), key=len, default=Counter[int]())
    values = np.sort(np.repeat(list(counts), list(counts.values()))) if counts else np.zeros(0)
    low, high = (values[round(share * (len(values) - 1))] for share in (RARELY, 1 - RARELY)) if len(values) else (0, 0)
    usual = sum(low <= x <= high for x in counts)
    return usual >= LEAST_FILLED and bool(usual > NEARLY_ALL * (high - low + 1))


def sums_with_right_mean(columns: Columns) -> set[str]:
    """The names of those sums of coordinates whose means are right: what else is off in others says nothing."""
    found = set()
    for i in columns.reference.sums:
        law, counts, runs = columns.laws[i], columns.counts[i], columns.counts[i].total()
        off = sum(x * count for x, count in counts.items()) - runs * law.mean()
        if off**2 <= CENTRED**2 * runs * law.variance():
            found.add(columns.names[i])
    return found


def collision(columns: Columns, i: int) -> float:
    """ln of the chance that two draws from the observed law of a coordinate are equal."""
    counts = columns.counts[i]
    total = counts.total()
    return log(sum(count * count for count in counts.values()) / total**2) if total else 0.0


NO_VARIANCE = 1e-6  # of the right variance: less is none
SURELY_RELATED = 4.0  # deviations of the sum of all correlations within pools that are no chance


def within_pool(pools: Pools) -> tuple[str, str, float, tuple[str, ...]] | None:
    """The cause, its area, what it explains and other areas, where two coordinates of the same pool go together."""
    names = [pools.columns.names[i] for i in pools.indices]
    seen = pools.covariances()
    a, b = most_related(seen, [owner(name) for name in names], pools.complete)
    pool = owner(names[a])
    if pool != owner(names[b]):
        return None
    if "state" in names[a] or "state" in names[b]:
        words = f"{names[a]} and {names[b]} are not independent: the noise before and after the stream is reused"
        return words, POOLS, 1.0, (STATE,)
    variance = seen[a, a] + seen[b, b] + 2 * seen[a, b]
    right = sum(pools.columns.laws[pools.indices[i]].variance() for i in (a, b))
    words = f"the messages of {pool} have variance {variance:.6g}, not {right:.6g}"
    if variance < NO_VARIANCE * right:
        return f"{words}: their number is fixed, or drawn once and kept for all runs", NOISE, 0.0, (RUNS,)
    return None if fixed_total(seen) else (f"{words}: their number has another law", NOISE, 0.0, ())


def most_related(seen: Doubles, owners: Sequence[str], runs: int) -> tuple[int, int]:
    """The two coordinates that are correlated most; two of a pool where those of all pools together are, surely."""
    spread = np.sqrt(np.maximum(np.diag(seen), 1e-300))
    relation = seen / np.outer(spread, spread) - np.eye(len(owners))
    inside = np.array(
        [[i != j and first == second for j, second in enumerate(owners)] for i, first in enumerate(owners)]
    )
    together = [abs(relation[part].sum()) / np.sqrt(2 * max(1, part.sum())) for part in (inside, ~inside)]
    a, b = np.unravel_index(int(np.argmax(np.abs(relation))), seen.shape)
    if not inside[a, b] and together[0] * np.sqrt(runs) > max(SURELY_RELATED, together[1] * np.sqrt(runs)):
        a, b = np.unravel_index(int(np.argmax(np.where(inside, np.abs(relation), 0.0))), seen.shape)
    return int(a), int(b)


def fixed_total(seen: Doubles) -> bool:
    """Whether all coordinates together are the same in all runs, although each changes: what one gets others do not."""
    return bool(seen.sum() < NO_VARIANCE * np.trace(seen))


def owner(name: str) -> str:
    """The pool that a coordinate belongs to, or the stream, or the coordinate itself."""
    return "the stream" if ":" not in name and "state" in name else place_of(name)


FEW_RUNS = 0.002  # of all runs, that show what can't be: single runs, not a law, are wrong
NEVER_EXPECTED = 1e-6  # times that an outcome is expected in all runs: it should not be met
WORDS_OF = (8, 7, 16, 15, 32, 31, 64, 63, 12, 10, 6)
"""Bits of a word that numbers may wrap around in, the usual ones first."""
SINGLE = "single runs are not like the others"


def odd_runs(columns: Columns, bar: float) -> str | None:
    """What a few runs only show, in words, where the others show nothing unusual."""
    found = list(absurd(columns))
    together = Counter[int]()
    for i, _, count in found:
        together[i] += count
    times = max(together.values(), default=0)
    if not found or times > max(1, columns.runs * FEW_RUNS) or others_are_off(columns, bar):
        return None
    i, x, _ = max(found, key=lambda one: one[2])
    never = "is absurd" if columns.laws[i].possible(x) else "can't be"
    met = f"is met in {times} of {columns.runs} runs{wrapped(columns.laws[i], x)}"
    return f"{SINGLE}: {columns.names[i]} = {x} {never}, and {met}"


def absurd(columns: Columns) -> Iterator[tuple[int, int, int]]:
    """Coordinates, outcomes that should not be met at all in so many runs, and how often they are."""
    for i in range(len(columns.laws)):
        for x, count in columns.counts[i].items():
            if is_absurd(columns, i, x):
                yield i, x, count


def is_absurd(columns: Columns, i: int, x: int) -> bool:
    """Whether an outcome should not be met at all in so many runs."""
    return float(columns.laws[i].mass(x).upper()) * columns.runs < NEVER_EXPECTED


def wrapped(law: MassTable, x: int) -> str:
    """The usual number that an absurd one is when it wraps around, in words."""
    for bits in WORDS_OF:
        for usual in (x + 2**bits, x - 2**bits):
            if float(law.mass(usual).mid()) > NEVER_EXPECTED:
                return f", as if {usual} had wrapped around at 2^{bits}: an overflow"
    return ""


def others_are_off(columns: Columns, bar: float) -> bool:
    """Whether the outcomes that can be are not as often met as they should."""
    for i in columns.independent:
        law = columns.laws[i]
        usual = Counter({x: count for x, count in columns.counts[i].items() if not is_absurd(columns, i, x)})
        if any(float(bet.log_e.mid()) > bar for bet in law_bets(usual, law, columns.names[i])):
            return True
    return False


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
    alone = (i for i in columns.random if i not in columns.reference.excluded)
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
    _, variance = moments(seen)
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
    known = known_mistake(examination.reference.wrong_analyzers, examination.reference.output, wrong, right) or plain(
        [*wrong, *right]
    )
    if known is not None:
        present = any(words in known for words in ("users who take part", "all n users"))
        return Diagnosis(known, ANALYZER, 1.0, (DROPOUTS,) if present else ())
    words = relation(wrong, right, examination.mistaken, examination.columns.runs)
    return Diagnosis(words or "the output is not what the analyzer computes from these pools", ANALYZER, 0.0)
