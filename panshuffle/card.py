"""What a card says of a protocol.  A capability that a protocol lacks is absent on its card, and is refused by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from panshuffle.arguments import PROTOCOLS
from panshuffle.exact.errors import LONGEST_QUOTATION, InputError, ParameterError, shortened
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import Real, real
from panshuffle.question import Params, Question, Seen, Setting, ViewSelection, whole

if TYPE_CHECKING:
    from panshuffle.calibrator import CalibrationProblem, Calibrator
    from panshuffle.crosscheck.reference.model import Reference
    from panshuffle.dataset import Datum, Source, Universe
    from panshuffle.error_law import ErrorLaw, ErrorQuestion
    from panshuffle.exact.curves.curve import View
    from panshuffle.exact.curves.law_pair import LawPair
    from panshuffle.exact.real import Certified
    from panshuffle.running import Play, Runner

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
    from panshuffle.running import Central

    return Central(record.n, record.release)


class Small(Generic[Record]):
    """How records at small parameters are made: by what, and of which parameters (`panshuffle.strategies.PARAMS`)."""

    def __init__(self, make: Callable[..., Record], *params: str) -> None:
        self.make, self.params = make, params


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
    small: Small[Record]
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
