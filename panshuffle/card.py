"""What a card says of a protocol, and what cards are made of: the least noise that is looked for, and error laws.

A capability that a protocol lacks is absent on its card, and is refused by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from panshuffle.arguments import PROTOCOLS
from panshuffle.exact.curves.curve import Curve, View
from panshuffle.exact.errors import LONGEST_QUOTATION, InputError, ParameterError, shortened
from panshuffle.exact.parameters import check_open_unit, honest_users
from panshuffle.exact.real import Certified, Real, real
from panshuffle.question import Json, Params, Question, Seen, Setting, ViewSelection, number, whole

if TYPE_CHECKING:
    from panshuffle.crosscheck.reference.model import Reference
    from panshuffle.dataset import Datum, Source, Universe
    from panshuffle.exact.accuracy.estimates import AffineError, Cases
    from panshuffle.exact.curves.calibration import Calibration
    from panshuffle.exact.curves.law_pair import LawPair
    from panshuffle.running import Play, Runner

# The search for the least noise that meets a target (eps, delta).

MOST_MESSAGES = 400
"""Messages a user sends to a pool: far more than any target needs that a double could hold."""
LARGEST_EPS = 1 << 12
"""An eps beyond which no promise is left."""
MORE_NOISE = "The least value: more of this noise is post-processing, so every larger value meets the target too."
TRIED = "The least value that is certified to meet the target: every smaller one was tried."
CROSSING = "Both ends of the enclosure are witnesses; that the curve is monotone between other values is not claimed."
NO_NEIGHBOURS = "every value meets this target: no two neighbours differ"


@dataclass(frozen=True)
class CalibrationProblem:
    """What is looked for: its parameter, the search, what is claimed of the result; `bound`: of an upper bound only."""

    parameter: str
    find: Callable[[], Calibration]
    note: str
    bound: bool = False


@dataclass(frozen=True, kw_only=True)
class Calibrator(Setting):
    """A target (eps, delta) and what the search has to know of the question."""

    exp_eps: Real
    delta: Real
    digits: int
    real: bool = False
    sigma: Real | None = None

    @property
    def pool(self) -> bool:
        """Whether one pool is calibrated."""
        return self.selection.pool

    def check_neighbours(self, *sizes: int) -> None:
        """*Raises* `InputError` where one of these sizes is 1, so that no two neighbours differ."""
        if 1 in sizes:
            raise InputError(NO_NEIGHBOURS)

    def least(self, parameter: str, curve_at: Callable[[int], Curve], start: int = 1) -> CalibrationProblem:
        """The least whole amount of a noise of which more does no harm."""

        def find() -> Calibration:
            from panshuffle.exact.curves.calibration import least_integer

            return least_integer(curve_at, self.exp_eps, self.delta, start)

        return CalibrationProblem(parameter, find, MORE_NOISE)

    def least_real(self, parameter: str, curve_at: Callable[[Real], Curve]) -> CalibrationProblem:
        """The same for Poisson noise, whole or real."""

        def find() -> Calibration:
            whole = self.least(parameter, lambda amount: curve_at(real(amount))).find()
            if not self.real:
                return whole
            good = whole.value.exact or Fraction(1)
            found = self.crossing(curve_at, good, good - 1 if good > 1 else Fraction(1, 10**30))
            if found.fails is None:
                raise InputError(f"every {parameter} from 10^-30 on meets this target")
            return found

        return CalibrationProblem(parameter, find, MORE_NOISE)

    def largest_p(self, curve_at: Callable[[Real], Curve]) -> CalibrationProblem:
        """The largest p, from 1/2 up."""
        return CalibrationProblem("p", lambda: self.crossing(curve_at, Fraction(1, 2), Fraction(1)), CROSSING)

    def least_p(
        self, curve_at: Callable[[Real], Curve], good: Fraction, bad: Fraction, note: str
    ) -> CalibrationProblem:
        """The least p, between one that meets every target and one that meets none."""
        return CalibrationProblem("p", lambda: self.crossing(curve_at, good, bad), note)

    def first_m(self, curve_at: Callable[[int], Curve]) -> CalibrationProblem:
        """The first m."""
        from panshuffle.exact.curves.calibration import first_integer

        search = partial(first_integer, curve_at, self.exp_eps, self.delta, 1, MOST_MESSAGES)
        return CalibrationProblem("m", search, TRIED)

    def largest_eps(self, curve_at: Callable[[Real], Curve]) -> CalibrationProblem:
        """The largest eps."""
        return CalibrationProblem("eps", lambda: self.largest_epsilon(curve_at), CROSSING)

    def crossing(self, curve_at: Callable[[Real], Curve], good: Fraction, bad: Fraction) -> Calibration:
        """The real value where the target stops being met."""
        from panshuffle.exact.curves.calibration import boundary

        return boundary(curve_at, self.exp_eps, self.delta, good, bad, self.digits)

    def largest_epsilon(self, curve_at: Callable[[Real], Curve]) -> Calibration:
        """The largest eps that meets the target."""

        def compare(eps: Fraction) -> int:
            return curve_at(Real(eps)).compare_at(self.exp_eps, self.delta)

        good, undecided = Fraction(1), False
        while (sign := compare(good)) != -1:
            good, undecided = good / 2, undecided or sign == 0
            if good < Fraction(1, 2**60):
                raise InputError(f"no eps above 2^-60 {'is certified to meet' if undecided else 'meets'} this target")
        bad = 2 * good
        while (sign := compare(bad)) != 1:
            good, bad = bad if sign == -1 else good, 2 * bad
            if bad > LARGEST_EPS:
                words = "meets" if good == bad / 2 else "may meet"
                raise InputError(f"every eps up to {LARGEST_EPS} {words} this target")
        return self.crossing(curve_at, good, bad)


# Questions about an error, and what is found: what the error laws of several protocols share.

ALL, THIS = "all inputs", "this input"
NONE_OR_HALF = "the inputs without ones, and with half of them"
PAPER = "paper"
MOST_SEARCHED = 10_000_000
"""More distinct elements than that are not tried one by one."""


@dataclass(frozen=True)
class ErrorFound:
    """What was found: a quantity, what it covers, the paper's bound beside it, and why.

    `ends` are the two ends where only they are known.
    """

    quantity: str
    value: Certified
    scope: str
    why: str
    paper: Real | None = None
    slug: str = ""
    alpha: Real | None = None
    ends: tuple[Real, Real] | None = None
    more: Mapping[str, Json] = field(default_factory=dict)


ErrorLaw = Callable[[], ErrorFound]
"""A question about an error that is checked; calling it computes."""


@dataclass(frozen=True)
class Goal:
    """An alpha at which the probability is asked for, or a beta for which the least alpha is; and for which input."""

    alpha: Real | None
    beta: Real | None
    scope: str
    printed_at: Real | None = None

    @property
    def quantity(self) -> str:
        """What is asked for."""
        return "alpha" if self.alpha is None else "beta"

    @property
    def at_beta(self) -> Real:
        """The beta, where no alpha was given."""
        return self.beta if self.beta is not None else real(0)

    def value(self, chance: Callable[[Real], Certified], least: Callable[[Real], Real | int]) -> Certified:
        """What is asked for, from the probability at an alpha and the least alpha at a beta."""
        return chance(self.alpha) if self.alpha is not None else Certified.of(least(self.at_beta))

    def found(self, value: Certified, why: str, scope: str = ALL, **more: Any) -> ErrorFound:
        """What is found."""
        return ErrorFound(self.quantity, value, scope, why, alpha=self.alpha, **more)

    def over_all(
        self, chance: Callable[[Real], Certified], least: Callable[[Real], Real | int], why: str
    ) -> ErrorFound:
        """What is found where it is the same for all inputs, and the paper says nothing."""
        return self.found(self.value(chance, least), why)

    def over_cases(self, cases: Cases, why: str, paper: Real | None = None, slug: str = "") -> ErrorFound:
        """The worst of the cases."""
        from panshuffle.exact.accuracy.estimates import worst_alpha, worst_chance

        if self.alpha is not None:
            value, where = worst_chance(cases, self.alpha)
        else:
            alpha, where = worst_alpha(cases, self.at_beta)
            value = Certified.of(alpha)
        more = {"distinct": where.distinct} | bias(where.error)
        return self.found(value, why, self.scope, paper=paper, slug=slug, more=more)

    def additive(
        self, error: AffineError, bins: int, why: str, paper: Real | None = None, slug: str = ""
    ) -> ErrorFound:
        """Additive noise in every bin."""
        from panshuffle.exact.accuracy.estimates import largest_error, least_alpha_of

        value = self.value(partial(largest_error, error, bins), partial(least_alpha_of, error, bins))
        return self.found(value, why, paper=paper, slug=slug, more=bias(error))

    def flipped_bits(self, users: int, m: int, p: Real, why: str, bins: int = 1, absent: int = 0) -> ErrorFound:
        """Sums of flipped bits in one bin or several, for the worst number of ones in each."""
        from panshuffle.exact.accuracy.estimates import all_cases, any_of, cases, share_of, worst_alpha, worst_chance

        found, scope = cases(users, m, p, absent), ALL if all_cases(users, m) else NONE_OR_HALF
        value = self.value(
            lambda alpha: any_of(worst_chance(found, alpha)[0], bins),
            lambda beta: worst_alpha(found, share_of(beta, bins))[0],
        )
        return self.found(value, why, scope, more=bias(found.at(0).error))

    def bound(self, alpha_of: Callable[[Real], Real], beta_of: Callable[[Real], Real | None]) -> Real | None:
        """The paper's bound on what is asked for; None where it says nothing."""
        if self.alpha is not None:
            bound = beta_of(self.alpha) if self.printed_at is None else self.printed_at
            return None if bound is not None and bound >= 1 else bound
        return None if self.beta is None or not (self.beta > 0 and self.beta < 1) else alpha_of(self.beta)


@dataclass(frozen=True, kw_only=True)
class ErrorQuestion(Setting):
    """A question about an error."""

    question: Question

    def goal(self, printed: Callable[[Real], Real] | None = None) -> Goal:
        """The alpha or the beta that was given; `--alpha paper` is the printed alpha at --beta."""
        from panshuffle.exact.accuracy.estimates import check_beta

        alpha, text = self.question.get("alpha"), self.question.get("beta")
        beta = None if text is None else number("beta", text)
        scope = THIS if self.question.has("distinct") else ALL
        if beta is not None:
            check_beta(beta)
        if alpha == PAPER:
            if printed is None:
                no_alpha = "the paper has no alpha for it"
                raise InputError(f"--alpha paper has no meaning for {self.question.subject}: {no_alpha}")
            if beta is None:
                raise InputError("--alpha paper needs --beta")
            check_open_unit("beta", beta)
            return Goal(printed(beta), None, scope, beta)
        if (alpha is None) == (beta is None):
            raise InputError(f"{self.question.subject} needs one of --alpha and --beta (or --alpha paper and --beta)")
        if alpha is None:
            return Goal(None, beta, scope)
        value = number("alpha", alpha)
        if value < 0:
            raise ParameterError("alpha", alpha, "at least 0")
        return Goal(value, None, scope)

    def counts(self, most: int, searched: int = MOST_SEARCHED) -> Sequence[int]:
        """The numbers of distinct elements to look at: the given one, or all.  *Raises* `ParameterError`."""
        text = self.question.get("distinct")
        if text is not None:
            found = whole("distinct", text, 0)
            if not 0 <= found <= most:
                raise ParameterError("distinct", text, f"a whole number from 0 to {most}")
            return [found]
        if most > searched:
            raise ParameterError("distinct", "absent", f"given where there may be more than {searched} elements")
        return range(1, most + 1)

    def probability(self, value: Real) -> Real:
        """p, which the error law takes at both ends, too."""
        if not (value >= 0 and value <= 1):
            raise ParameterError("p", self.params.text("p"), "between 0 and 1")
        return value


def bias(error: AffineError) -> dict[str, Json]:
    """The exact bias of an estimate, where it has one."""
    mean = error.mean()
    if mean.fraction == 0 or abs(float(mean)) < 1e-30:
        return {}
    lower, upper = Certified.of(mean).enclosure(10)
    return {"bias": {"lower": lower, "upper": upper}}


# The card.

Record = TypeVar("Record")
FILES = ("pmf", "randomizer", "pld")
"""What stands in place of a protocol's name for what somebody brings along in a file."""
LOCAL = "local"
"""Any locally private randomizer, each of which may depend on the messages before it."""
LOCALS = (LOCAL, "local-nonadaptive")
"""The same with those that are all chosen beforehand."""
OWN = (*FILES, *LOCALS)
LARGEST_ECHOED = 1 << 100
"""A larger number is said by its length."""
NOTHING = Seen()
"""A view without parts: there is one pair of laws, and one direction."""


class Model(Enum):
    """Who is trusted with what."""

    SHUFFLE = "robust shuffle"
    AGGREGATE = "secure aggregation"
    ONLINE = "pan-private"
    CENTRAL = "central"

    @property
    def has_dropouts(self) -> bool:
        """Whether the noise is that of the users, some of whom may be missing."""
        return self in (Model.SHUFFLE, Model.AGGREGATE)


@dataclass(frozen=True)
class Calibrated:
    """What `calibrate` looks for: the parameters that it takes, the search, and the printed formula for the unknown."""

    params: tuple[str, ...]
    problem: Callable[[Calibrator], CalibrationProblem]
    slug: str = ""
    printed: Callable[[Calibrator, Real, Real], str | None] = lambda calibrator, eps, delta: None
    poisson: bool = False
    sigma: bool = False


@dataclass(frozen=True)
class Accuracy:
    """The error law of a protocol, and the options and parameters that it takes beside those of the card."""

    law: Callable[[ErrorQuestion], ErrorLaw]
    options: tuple[str, ...]
    params: tuple[str, ...] = ("alpha",)


@dataclass(frozen=True)
class Export(Generic[Record]):
    """The pair of laws behind an answer, and what its outcomes are; `holders` says that it needs a background."""

    pair: Callable[[Record, Setting, int | None], LawPair]
    outcome: Callable[[ViewSelection], str]
    holders: bool = False
    sizes: Callable[[Record], dict[str, int]] = lambda record: {}


def pool_table(pools: int = 1, both: bool = False) -> Callable[[Any, Setting, int | None], LawPair]:
    """The pair of laws of one pool, or of two, from what the record says that a user adds to a pool."""

    def pair(record: Any, setting: Setting, digits: int | None) -> LawPair:
        from panshuffle.exact.views.pair_tables import pool_pair

        holders = setting.selection.holders or (0,) * (1 if setting.selection.pool else pools)
        return pool_pair(record.pool_law, setting.users(record.n), holders, digits, both)

    return pair


@dataclass(frozen=True)
class Attack(Generic[Record]):
    """What an event reads of a run, as `panshuffle.answers.attack.read` knows it, and the draws of a run.

    `changed` is what the changed user holds in either dataset, where it is not what the universe says.  Where it is not
    the protocol itself that runs on the data of its universe, `inner` runs the one that does on elements up to a size,
    and says what these are called; or `play` is who runs which data, for this many rows and holders.
    """

    reading: str
    draws: Callable[[Record, int], int]
    changed: Callable[[Record], tuple[Datum, Datum]] | None = None
    inner: Callable[[Record], tuple[Runner, int, str]] | None = None
    play: Callable[[Record, int, Sequence[int]], Play] | None = None


def bits(record: object) -> Universe:
    """The universe of a protocol whose users hold bits."""
    from panshuffle.dataset import BITS

    return BITS


def released(record: Any) -> Runner:
    """The runner of a mechanism of a trusted curator."""
    from panshuffle.running import central

    return central(record.n, record.release)


@dataclass(frozen=True, kw_only=True)
class Card(Generic[Record]):
    """A protocol: its name, its parameters, and for each thing that can be asked of it who answers.

    If nothing else is said, users hold bits, and a trusted curator releases a number.
    `width` is how many numbers a row has in a file, and `rows_tell_n` says that its rows are those of n users;
    `n_is_open` and `k_is_open` say where the privacy does not depend on them; `derived` are parameters that follow from
    others.  `reference` names the function, in a module of `crosscheck.reference`, that has the exact laws of a run.
    `seconds` is about what a calibration takes at eps = 1 and delta = 1e-6.
    """

    name: str
    model: Model
    params: tuple[str, ...]
    records: tuple[type, ...]
    record: Callable[[Params], Record]
    universe: Callable[[Record], Universe] = bits
    runner: Callable[[Any], Runner] = released
    view: Callable[[Record, Setting], View]
    reference: str
    derived: Callable[[Record], dict[str, Real | int]] = lambda record: {}
    seen: Seen = NOTHING
    n_is_open: bool = False
    k_is_open: Callable[[Params], bool] = lambda params: False
    rows_tell_n: bool = True
    width: int = 1
    calibration: Calibrated | None = None
    accuracy: Accuracy | None = None
    certificate: Callable[[Record, Setting], dict[str, Real | int]] | None = None
    export: Export[Record] | None = None
    exported_instead: str = ""
    attack: Attack[Record] | None = None
    distance: Callable[[Record, int, int | None], tuple[Certified, int]] | None = None
    examples: tuple[str, ...] = ()
    seconds: float = 0.02

    @property
    def laws(self) -> Callable[..., Reference]:
        """The function that `reference` names: of a record and data, for an online algorithm also of a time."""
        module, _, name = self.reference.partition(".")
        found: Callable[..., Reference] = vars(import_module(f"panshuffle.crosscheck.reference.{module}"))[name]
        return found

    def setting(self, params: Params, part: ViewSelection) -> Setting:
        """What is asked, checked as far as that takes no record.  *Raises* `InputError` for a part that is not seen."""
        seen, no_meaning = self.seen, f"has no meaning for {self.name}"
        if (part.pool or part.pair) and not seen.pools:
            raise InputError(f"--{'pool' if part.pool else 'pair'} {no_meaning}, whose view has no pools")
        if part.direction and not (seen.pools or seen.shift):
            raise InputError(f"--direction {no_meaning}")
        if part.direction and seen.symmetric:
            raise InputError(f"--direction {no_meaning}: both directions of a pool are the same")
        if part.direction and seen.pools and not part.pool:
            raise InputError("--direction needs --pool: the pair of pools contains both directions")
        if part.holders is not None and not seen.holders:
            raise InputError(f"--holders {no_meaning}")
        if part.t is not None and not seen.time:
            raise InputError(f"--t {no_meaning}, which has no internal state")
        return Setting(params, self.gamma(params), part)

    def gamma(self, params: Params) -> Real:
        """The fraction of users who take part.  *Raises* `InputError` where only all users, or no users, make sense."""
        self.check_dropouts(params)
        if not params.has("gamma"):
            return real(1)
        gamma = params.real("gamma")
        if not (gamma > 0 and gamma <= 1):
            raise ParameterError("gamma", params.text("gamma"), "above 0 and at most 1")
        if params.has("n"):
            honest_users(params.count("n"), gamma)
        return gamma

    def check_dropouts(self, params: Params) -> None:
        """*Raises* `InputError` for a fraction of users where nobody can be missing."""
        if params.has("gamma") and not self.model.has_dropouts:
            raise InputError(
                f"--gamma has no meaning for {self.name}: only where users add the noise they may be missing"
            )

    def record_of(self, params: Params) -> Record:
        """The record that the parameters denote.  *Raises* `InputError` for a parameter too many or too few."""
        self.check_dropouts(params)
        found = self.record(params)
        params.check_known(self.params)
        return found

    def taking_part(self, params: Params, rows: int) -> int:
        """How many of the given number of rows are of users who take part."""
        gamma = self.gamma(params)
        return honest_users(rows, gamma) if params.has("gamma") else rows

    def with_rows(self, params: Params, source: Source) -> Params:
        """The parameters; where n is absent, a file with the rows of all users tells it."""
        if source.path is None or not self.rows_tell_n or params.has("gamma"):
            return params
        return params.with_more({"n": str(len(source.numbers) // self.width)})

    def assumed(self, params: Params, part: ViewSelection) -> Params:
        """The parameters, with n and k where the answer does not depend on them: any n, and k = 3 for all larger k."""
        more = {}
        if self.n_is_open:
            copies = params.count_or("copies", 1) if "copies" in self.params else 1
            more["n"] = str(max(2, part.t or 0, copies))
        if self.k_is_open(params):
            more["k"] = "3"
        return params.with_more(more)


AnyCard: TypeAlias = Card[Any]
"""A card of whatever protocol."""


@cache
def card(name: str) -> AnyCard:
    """The card of a protocol.  *Raises* `InputError` for an unknown name."""
    if name not in PROTOCOLS:
        raise InputError(f"protocol = {name} is not known: it must be one of {', '.join(PROTOCOLS)}")
    found: AnyCard = import_module(f"panshuffle.catalogue.{name.replace('-', '_')}").CARD
    return found


def cards() -> Iterator[AnyCard]:
    """All cards, in the order of their names."""
    return map(card, PROTOCOLS)


def card_of(record: object) -> AnyCard:
    """The card of a protocol's record.  *Raises* `InputError` for what is no record."""
    for one in cards():
        if isinstance(record, one.records):
            return one
    raise InputError(f"no reference is known for {type(record).__name__}")


def reference_of(record: Any, data: Sequence[Datum], t: int | None = None) -> Reference:
    """What correct runs of the protocol on the data show; of an online algorithm, with the state at a time.

    *Holds when* the data are the rows of those who take part.  *Raises* `InputError` for what is no record.
    """
    found = card_of(record)
    return found.laws(record, list(data), *((t,) if found.model is Model.ONLINE else ()))


def names_with(has: Callable[[AnyCard], object]) -> str:
    """The protocols that have a capability, for a sentence that refuses another one."""
    return ", ".join(one.name for one in cards() if has(one))


def examples(command: str) -> list[str]:
    """The examples of a command that stand on the cards, without the program's name."""
    found = [line.replace("{}", one.name) for one in cards() for line in one.examples]
    return [line for line in found if line.startswith(f"{command} ")]


def refuse_file(question: Question) -> None:
    """*Raises* `InputError` for a file beside a protocol of the paper."""
    if question.has("file"):
        raise InputError(f"--file has no meaning for {question.subject}: it belongs to {', '.join(FILES)}")
    if question.has("named"):
        raise InputError(f"--named has no meaning for {question.subject}: it belongs to {FILES[1]}")


@dataclass(frozen=True)
class Viewed:
    """A protocol of which something is asked: its card, its record and its view."""

    card: AnyCard
    record: object
    view: View
    parameters: Mapping[str, str]


def viewed(question: Question, part: ViewSelection) -> Viewed:
    """The protocol with its view.  *Raises* `InputError` for what has no meaning."""
    found = card(question.subject)
    setting = found.setting(question.params, part)
    record = found.record_of(found.assumed(question.params, part))
    if part.t is not None:
        from panshuffle.running import check_time

        check_time(part.t, found.runner(record).rows)
    given = question.params.given
    derived = {parameter: echoed(value) for parameter, value in found.derived(record).items() if parameter not in given}
    return Viewed(found, record, found.view(record, setting), {**given, **derived})


def echoed(value: Real | int) -> str:
    """A parameter that follows from others, as text; one that would fill lines is shortened."""
    if isinstance(value, int) and value >= LARGEST_ECHOED:
        return shortened(value)
    text = str(value)
    return text if len(text) <= LONGEST_QUOTATION else shortened(value)


def selection_of(question: Question) -> ViewSelection:
    """The part of the view that the options say.  *Raises* `InputError` for options that exclude each other."""
    pool, pair = question.has("pool"), question.has("pair")
    if pool and pair:
        raise InputError("--pool and --pair exclude each other")
    t, holders = question.get("t"), question.get("holders")
    counts = holders.split(",") if holders is not None else []
    are_whole = all(count.isascii() and count.isdigit() and len(count) < 20 for count in counts)
    if holders is not None and (not are_whole or len(counts) != (1 if pool else 2)):
        raise ParameterError("holders", holders, "C with --pool, and CA,CB otherwise (whole numbers)")
    background = None if holders is None else tuple(map(int, counts))
    return ViewSelection(pool, pair, question.get("direction"), background, None if t is None else whole("t", t, 0))
