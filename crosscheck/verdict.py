"""What is said of runs that are not consistent: what is proved, what it looks like, and what to do next.

Only the first part rests on bets.  The second compares the runs with other values of each parameter, and with some
mistakes that no parameter expresses, by the share of the deviation that each explains; it proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log, sqrt

from panshuffle.crosscheck.bets import LIKELIHOOD, MARGINAL, OUTLIER, Bet, Columns
from panshuffle.crosscheck.e_values import Counts, ends_of, law_likelihood, moments, saturated
from panshuffle.crosscheck.mass_tables import MassTable
from panshuffle.crosscheck.order_bets import SAME_LABELS, SAME_ORDER, WITH_AS_MANY
from panshuffle.crosscheck.reference.areas import (
    ANALYZER,
    DATA,
    DROPOUTS,
    LABELS,
    MESSAGES,
    NOISE,
    ORDER,
    PARAMETERS,
    POOLS,
    RUNS,
    STATE,
)
from panshuffle.crosscheck.reference.model import Fit, Laws, Reference, WrongAnalyzer
from panshuffle.crosscheck.run_bets import STRETCHES, WHOLE_RUNS
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real

IMPOSSIBLE = "impossible"
SHOWN = 3  # statistics that are shown
MOST_FINDINGS = 12  # that are kept
CLEAR = 3.0  # standard errors from which a mean or a standard deviation is a finding


@dataclass(frozen=True)
class Finding:
    """Something that the law does not explain: where, what was seen, what is expected, and by how many standard errors.

    Its evidence is ln of an e-value, infinite where no run may show it, and nan where it was not bet on.
    """

    area: str
    where: str
    event: str
    seen: str
    expected: str
    log_evidence: float
    errors: float | None = None

    def sentence(self, runs: int) -> str:
        """The finding as a person says it."""
        off = "" if self.errors is None else f" ({in_errors(self.errors)})"
        if self.area in (IMPOSSIBLE, ANALYZER):
            return f"{self.where} {self.event}"
        if not self.seen:
            return f"{self.where}: {self.event}"
        if self.event in ("mean", "standard deviation"):
            return f"{self.where}: the {self.event} is {self.seen}, expected {self.expected}{off}"
        if self.event.startswith("place "):
            often = f"in {int(self.seen):,} of {runs:,} runs"
            return f"{self.where}: {self.event} {often}, expected {rounded(self.expected)}"
        if self.area == MARGINAL:
            often = f"in {int(self.seen):,} of {runs:,} runs"
            return f"{self.where} {self.event} {often}, expected {rounded(self.expected)}{off}"
        return f"{self.where}: {self.event}: {int(float(self.seen)):,} times, expected {rounded(self.expected)}"


def in_errors(errors: float) -> str:
    """So many standard errors, in words."""
    size = f"{abs(errors):,.0f}" if abs(errors) >= 10 else f"{abs(errors):.1f}"
    return f"{size} standard errors {'more' if errors > 0 else 'less'}"


def rounded(expected: str) -> str:
    """An expected number with as many digits as a person reads."""
    if not expected:
        return "fewer"
    return f"{float(expected):,.0f}" if float(expected) >= 1000 else f"{float(expected):.4g}"


def strength(bet: Bet | None) -> float:
    """The evidence of a bet, as a number."""
    return float("-inf") if bet is None else bet.log_e


def impossible(columns: Columns) -> Iterator[Finding]:
    """What can't happen at all, coordinate by coordinate."""
    met: dict[int, Counter[int]] = {}
    for i, x, count in columns.impossible():
        met.setdefault(i, Counter())[x] += count
    for i, values in met.items():
        law, name = columns.laws[i], columns.names[i]
        parities = {x % 2 for x, _ in law.items() if law.possible(x)} if len(law.masses) > 1 else set()
        times = sum(count for x, count in values.items() if x % 2 not in parities) if len(parities) == 1 else 0
        if times:
            words = ("odd", "even") if parities == {0} else ("even", "odd")
            event = f"is {words[0]} in {times:,} of {columns.runs:,} runs; on this data it is always {words[1]}"
        else:
            times = values.total()
            only = f"only {law.first} is" if len(law.masses) == 1 else f"{law.least} to {law.most} are"
            only = only if law.most is not None else f"{law.least} or more is"
            others = " or another number that can't be" if len(values) > 1 else ""
            often = f"in {times:,} of {columns.runs:,} runs"
            event = f"is {values.most_common(1)[0][0]}{others} {often}; {only} possible"
        yield Finding(IMPOSSIBLE, name, event, f"{times}", "0", float("inf"))


def moments_off(columns: Columns) -> Iterator[Finding]:
    """Means and standard deviations of single coordinates that are off."""
    for i in columns.random:
        counter, law = columns.counts[i], columns.laws[i]
        runs, (mean, variance) = counter.total(), moments(counter)
        right, usual = law.mean(), law.variance()
        if runs < 2 or not usual > 0:
            continue
        kurtosis = sum(max(0.0, float(mass.mid())) * (x - right) ** 4 for x, mass in law.items()) / usual**2
        off = (mean - right) / sqrt(usual / runs)
        wide = (variance - usual) / (usual * sqrt(max(kurtosis - 1, 1e-3) / runs))
        for event, seen, expected, errors in (
            ("mean", mean, right, off),
            ("standard deviation", sqrt(variance), sqrt(usual), wide),
        ):
            if abs(errors) > CLEAR:
                texts = f"{seen:.4g}", f"{expected:.4g}"
                yield Finding(MARGINAL, columns.names[i], event, *texts, float("nan"), errors)


def counted(bet: Bet, runs: int) -> Finding:
    """A bet as a finding; how often an event of one coordinate happened is given in standard errors, too."""
    errors = None
    if bet.kind == MARGINAL and bet.alone and bet.seen and bet.expected:
        expected = float(bet.expected)
        spread = sqrt(max(expected * (1 - expected / max(runs, 1)), 1e-12))
        errors = (float(bet.seen) - expected) / spread if expected > 1 else None
    event = bet.event.replace("= ", "is ", 1) if bet.event.startswith("= ") else bet.event
    event = f"is {event}" if event.startswith(("<=", ">")) else event
    return Finding(bet.kind, bet.where, event, bet.seen, bet.expected, strength(bet), errors)


def plain(bet: Bet) -> bool:
    """Whether a bet is on an event that needs no explanation: a cut, an outcome, or parity."""
    return bool(bet.seen) and (bet.event.startswith(("<=", "=", ">")) or bet.event == "is even")


def found(columns: Columns, groups: Sequence[Sequence[Bet]], bar: float, area: str) -> Iterator[Finding]:
    """The strongest statistics: of single coordinates, and the bet with the most evidence of each other group.

    Where laws are wrong, dependence that only follows from it is left out, unless it is what the runs look like.
    """
    off = sorted(moments_off(columns), key=lambda one: -abs(one.errors or 0.0))
    bets = [bet for group in groups for bet in group if strength(bet) > bar and bet.kind != LIKELIHOOD]
    marginal = max(
        (bet for bet in bets if bet.kind == MARGINAL and bet.alone and plain(bet)), key=strength, default=None
    )
    laws_first = area not in (POOLS, RUNS, ORDER, STATE)
    laws = [counted(marginal, columns.runs), *off[:2]] if marginal is not None else []
    best: dict[str, Bet] = {}
    for bet in bets:
        kind = "places" if bet.event.startswith("place ") else bet.kind
        if kind != MARGINAL and strength(bet) > strength(best.get(kind)):
            best[kind] = bet
    others = [counted(bet, columns.runs) for bet in best.values() if not laws or bet.kind in (area, ORDER)]
    others.sort(key=lambda one: (one.area != area, -one.log_evidence))
    yield from (*laws, *others) if laws_first else (*others, *laws)


SEARCH = 20  # steps of the golden section, each of which leaves 0.618 of the interval: 1e-4 of it in the end
FACTORS = (*(Fraction(1, 2**i) for i in range(8, -1, -1)), *(Fraction(i, 2) for i in (3, 4, 6, 8, 12)))
"""How many times as large a parameter is tried to be before it is looked for more closely."""
MOST_OUTCOMES = 20_000  # of all laws together, up to which parameters are fitted: some seconds
LEAST_SHARE, WHOLE = 0.05, 0.9  # of the deviation: below the one a value is not shown, above the other it is enough
CLOSE = 0.05  # of the deviation: explanations that are as near to the best one are looked for in their areas, too
MORE = 0.005  # of the deviation that a listed mistake has to explain beyond what a parameter does


@dataclass(frozen=True)
class Explanation:
    """Another value of a parameter, or a listed mistake: in words, its area, the share it explains, and its laws."""

    words: str
    area: str
    share: float
    laws: Laws
    fitted: bool


class Deviation:
    """How much likelier any laws could make the runs than the right ones do."""

    def __init__(self, reference: Reference, counts: Counts) -> None:
        self.reference = reference
        self.counts = [Counter[int]() if i in reference.excluded else one for i, one in enumerate(counts)]
        self.right = [law_likelihood(one, law) for one, law in zip(self.counts, reference.laws, strict=True)]
        self.total = sum(map(saturated, self.counts)) - sum(self.right)

    def share(self, laws: Laws) -> float:
        """The part of it that other laws explain."""
        pairs = zip(self.counts, self.reference.laws, laws, self.right, strict=False)
        gain = sum(0.0 if law is other else law_likelihood(one, other) - value for one, law, other, value in pairs)
        return gain / self.total if self.total > 0 else 0.0

    def fitted(self, fit: Fit) -> Explanation | None:
        """The value of a parameter that explains most; None where none is better than the right one."""
        known: dict[Fraction, float] = {}

        def share(x: Fraction) -> float:
            x = Fraction(floor(x + Fraction(1, 2))) if fit.whole else x
            if x not in known:
                try:
                    known[x] = self.share(fit.laws(real(x)))
                except InputError:
                    known[x] = -1e300
            return known[x]

        golden(share, *around_best(share, fit))
        value = max((fit.least, fit.most, *known), key=share)
        if known[value] < LEAST_SHARE:
            return None
        laws = fit.laws(real(value))
        return Explanation(fit.sentence(float(value)), fit.area, known[value], laws, fitted=True)

    def explanations(self) -> list[Explanation]:
        """All that explain some of it, the best first."""
        if self.total <= 0:
            return []
        reference = self.reference
        quick = sum(len(law.masses) for law in reference.laws) <= MOST_OUTCOMES
        fits = (self.fitted(fit) for fit in (*reference.knobs, *reference.fits)) if quick else ()
        listed = ((bug, reference.listed_laws(bug)) for bug in reference.bugs)
        every = [*(fit for fit in fits if fit is not None)]
        every += [Explanation(bug.name, bug.area, self.share(laws), laws, fitted=False) for bug, laws in listed]
        every.sort(key=lambda one: (-round(one.share, 3), not one.fitted))
        return [one for one in every if one.share > LEAST_SHARE]


def around_best(value: Callable[[Fraction], float], fit: Fit) -> tuple[Fraction, Fraction]:
    """Where to look more closely: far from the best value no law lists what was met, and there is no slope."""
    asked = Fraction(float(fit.asked))
    grid = [fit.least, *(asked * factor for factor in FACTORS if fit.least < asked * factor < fit.most), fit.most]
    place = max(range(1, len(grid) - 1), key=lambda i: value(grid[i]), default=0)
    return (grid[place - 1], grid[place + 1]) if place else (fit.least, fit.most)


def golden(value: Callable[[Fraction], float], low: Fraction, high: Fraction) -> None:
    """Evaluates a function with one peak nearer and nearer to it."""
    step = Fraction(618, 1000)
    for _ in range(SEARCH):
        a, b = ((high - step * (high - low)), (low + step * (high - low)))
        a, b = a.limit_denominator(10**6), b.limit_denominator(10**6)
        low, high = (low, b) if value(a) > value(b) else (a, high)


LOOKS = {
    POOLS: "parts of one run depend on each other, as with shared coins or noise that is drawn once for several places",
    RUNS: "runs depend on earlier ones, as with a seed, a cache or a state that is used again",
    ORDER: "the order of the messages is not uniformly random",
    STATE: "the state and the output of a run do not belong together as they should",
    ANALYZER: "the output does not follow from the pools of its own run",
}
NEXT = {
    NOISE: "check the law of one user's noise alone: assert_law in panshuffle.testing tests a single sampler",
    DATA: "run again on data where one user alone holds an element: it shows how data enters",
    MESSAGES: "count the messages of one user in one run",
    DROPOUTS: "run again with all n users present: if that is consistent, dropouts are handled wrongly",
    LABELS: "run again on data where all users hold one element: it shows which label they get",
    STATE: "run again with another --t, and with none: it shows whether the state or what follows it is wrong",
    POOLS: "print the random numbers of one run: look for a draw that two users or two pools share",
    RUNS: "print the seed, or the first random number, of each run: look for one that comes twice",
    ORDER: "shuffle the numbers 1 to 6 many times and count all 720 orders: assert_law tests that, too",
    ANALYZER: "run the analyzer alone on the pools of the run that is named",
    PARAMETERS: "print the parameters as the program reads them",
}


@dataclass(frozen=True)
class Diagnosis:
    """What the runs look like, the areas where to look, the share of the deviation explained, and what to do next."""

    cause: str
    area: str
    explained: float
    others: tuple[str, ...] = ()
    following: str = ""

    @property
    def areas(self) -> tuple[str, ...]:
        """The most likely area, and then the others."""
        return self.area, *(area for area in self.others if area != self.area)


def share_text(share: float) -> str:
    """A share in percent: never all of it where something is left."""
    return f"{min(100, floor(100 * share + 0.5)) if share >= 0.995 else min(99, round(100 * share))} %"


def looks(ranked: Sequence[Explanation]) -> str:
    """The two values of parameters that explain most, and a listed mistake that explains more."""
    fitted = [one for one in ranked if one.fitted and one.share > ranked[0].share / 2][:2]
    listed = next((one for one in ranked if not one.fitted), None)
    most = max((one.share for one in fitted), default=0.0)
    if max((one.share for one in ranked), default=0.0) < 0.5:
        if not ranked:
            return "nothing known explains any of it"
        return f"nothing known explains more than {share_text(ranked[0].share)}"
    words = [f"{one.words}, and explains {share_text(one.share)}" for one in fitted]
    if listed is not None and listed.share > most + MORE:
        words.insert(0, f'"{listed.words}" explains {share_text(listed.share)}')
    return "; ".join(words)


def reused(bet: Bet) -> bool:
    """Whether a bet is won by something that comes again as a whole."""
    return bet.where == WHOLE_RUNS or bet.where.startswith(STRETCHES) or bet.event == SAME_ORDER


def area_of_deviation(columns: Columns, ranked: Sequence[Explanation], signs: dict[str, float], bar: float) -> str:
    """Where to look first.  `signs` has the evidence of each kind of bet."""
    laws = max(signs[MARGINAL], signs[LIKELIHOOD])
    excluded = list(columns.impossible())
    best = ranked[0] if ranked else None
    explained = best is not None and best.share > WHOLE
    again = 0.0 if explained else signs["reuse"] - laws
    # a wrong law of one coordinate is counted twice in a pair of them, or of runs, and makes repeats more frequent
    left = {
        POOLS: signs[POOLS] - 2 * laws,
        RUNS: max(signs[RUNS] - 2 * laws, again),
        ORDER: signs[ORDER],
        STATE: signs[STATE] - laws,
    }
    kind = max(left, key=lambda name: left[name])
    if best is not None and best.share > (0.5 if laws > bar else WHOLE) and laws > left[kind]:
        return best.area
    if left[kind] > bar and (left[kind] > laws / 2 or not excluded):
        return kind
    for i, _, _ in excluded:
        name = columns.names[i]
        if "label" in name:
            return LABELS
        if name.endswith("messages"):
            return MESSAGES
    if laws > bar or excluded:
        return best.area if best is not None and best.share > 0.5 else columns.reference.rest
    return best.area if explained and best is not None else ""


def diagnose(
    columns: Columns,
    groups: Sequence[Sequence[Bet]],
    bar: float,
    outputs: tuple[Sequence[tuple[int, Run, object]], Sequence[tuple[int, Run, object]]],
) -> Diagnosis:
    """What runs look like that are not consistent; `outputs` are some runs with a wrong, and with a right one."""
    ranked = Deviation(columns.reference, columns.counts).explanations()
    kinds = (MARGINAL, LIKELIHOOD, OUTLIER, POOLS, RUNS, ORDER, STATE)
    every = [bet for group in groups for bet in group]
    signs = {
        kind: max((strength(bet) for bet in every if bet.kind == kind and not reused(bet)), default=0.0)
        for kind in kinds
    }
    if max((strength(bet) for bet in every if reused(bet)), default=0.0) > bar / 2:
        orders = (
            bet for bet in every if bet.kind == ORDER and bet.event != SAME_LABELS and WITH_AS_MANY not in bet.event
        )
        signs[ORDER] = max(map(strength, orders), default=0.0)  # an order comes again with its run
    laws = max(signs[MARGINAL], signs[LIKELIHOOD])
    # where parts of a run depend on each other, there are fewer runs to choose from, and they come again more often
    within = 2 * max(0.0, signs[POOLS] - laws)
    signs["reuse"] = max((strength(bet) for bet in every if reused(bet)), default=0.0) - within
    whole = next((bet for bet in every if bet.where == WHOLE_RUNS), None)
    many = whole is not None and float(whole.seen) > columns.runs / 2 > 2 * float(whole.expected)
    few = many and strength(whole) > bar / 2 and laws > bar
    area = (
        RUNS if few and not (ranked and ranked[0].share > WHOLE) else area_of_deviation(columns, ranked, signs, bar / 2)
    )
    share = ranked[0].share if ranked else 0.0
    if not area and outputs[0]:
        area = ANALYZER
    area = area or (RUNS if signs[OUTLIER] > bar / 2 else columns.reference.rest)
    close = tuple(dict.fromkeys(one.area for one in ranked if one.share > max(0.5, share - CLOSE)))
    close += (PARAMETERS,) if close and ranked[0].fitted else ()
    others = (*close, columns.reference.rest) if area not in LOOKS else close if share > WHOLE else ()
    names = [columns.names[i] for i, _, _ in columns.impossible()]
    others += (MESSAGES,) if any(name.endswith("messages") for name in names) else ()
    others += (ANALYZER,) if area == STATE else ()
    if area in LOOKS and not (ranked and ranked[0].area == area):
        words = LOOKS[area]
        slip = explained_output(columns.reference.wrong_analyzers, outputs) if area == ANALYZER else None
        words += f": {slip}" if slip is not None else ""
        return Diagnosis(words, area, 0.0, others, NEXT[area])
    words, following = looks(ranked), NEXT[area]
    if outputs[0]:
        others = (*others, ANALYZER)
    return Diagnosis(words, area, max(0.0, share), others, f"{following}{apart(columns, ranked)}")


def explained_output(
    known: Sequence[WrongAnalyzer],
    outputs: tuple[Sequence[tuple[int, Run, object]], Sequence[tuple[int, Run, object]]],
) -> str | None:
    """The listed mistake of the analyzer that gives all of these outputs, wrong and right."""
    runs = [run for side in outputs for _, run, _ in side]
    return next((f"as if {one.name}" for one in known if all(one.explains(run) for run in runs)), None)


TELLING = 10.0  # nats by which one explanation is to be better than another


def apart(columns: Columns, ranked: Sequence[Explanation]) -> str:
    """How many runs tell the two best explanations apart, where these runs don't."""
    close = [one for one in ranked if one.share > WHOLE][:2]
    if len(close) < 2:
        return ""
    gain = sum(divergence(a, b) for a, b in zip(*(one.laws for one in close), strict=False) if a is not b)
    if gain < 1e-9:
        return "; the two best explanations give the same laws, and no number of runs tells them apart on this data"
    runs = ceil(TELLING / gain)
    if runs <= columns.runs:
        return ""
    return f"; about {runs:,} runs (--runs {runs}) tell the two best explanations apart"


def divergence(law: MassTable, other: MassTable) -> float:
    """About how many nats a run that follows the law speaks for it and against the other."""
    found = 0.0
    for x, mass in law.items():
        p, q = max(0.0, float(mass.mid())), max(1e-12, float(other.mass(x).mid()))
        found += p * log(p / q) if p > 0 else 0.0
    return max(0.0, found)


BARS, WIDTH = 12, 24  # rows of the chart, and characters of its longest bar


def chart(columns: Columns) -> list[str]:
    """Bars of the law and of the runs, for the coordinate that is farthest off."""
    off = [
        (saturated(columns.counts[i]) - law_likelihood(columns.counts[i], columns.laws[i]), i) for i in columns.random
    ]
    if not off:
        return []
    i = max(off)[1]
    law, counter = columns.laws[i], columns.counts[i]
    runs, usual = max(1, counter.total()), ends_of(law)[0]
    seen = [law.first + place for place, mass in enumerate(usual.tolist()) if mass > 1e-3]
    low, high = min([*seen, *counter]), max([*seen, *counter])
    step = max(1, ceil((high - low + 1) / BARS))
    rows = []
    for start in range(low, high + 1, step):
        cell = range(start, start + step)
        p = sum(max(0.0, float(law.mass(x).mid())) for x in cell)
        rows.append((f"{start}" if step == 1 else f"{start}-{cell[-1]}", p, sum(counter[x] for x in cell) / runs))
    top = max(max(p, q) for _, p, q in rows)
    lines = [f"{columns.names[i]}: the law (=) and the runs (#)"]
    for name, p, q in rows:
        lines.append(f"{name:>9} {p:7.4f} {'=' * round(WIDTH * p / top)}")
        lines.append(f"{'':>9} {q:7.4f} {'#' * round(WIDTH * q / top)}")
    return lines
