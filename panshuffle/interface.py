"""The Python interface: what `import panshuffle` offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from panshuffle.answer import Answer, NumberAnswer
    from panshuffle.answers.accuracy import AccuracyAnswer
    from panshuffle.answers.attack import AttackAnswer
    from panshuffle.answers.calibrate import CalibrateAnswer
    from panshuffle.answers.crosscheck import CrosscheckAnswer
    from panshuffle.answers.export import Exported
    from panshuffle.answers.plan import PlanAnswer
    from panshuffle.answers.privacy import CurveAnswer, PrivacyAnswer
    from panshuffle.answers.verify import VerifyAnswer
    from panshuffle.dataset import Datum
    from panshuffle.question import Question
    from panshuffle.symbolic.prove import Proof


def protocol_names() -> tuple[str, ...]:
    """The names of the protocols.

    >>> "distinct-elements" in protocol_names()
    True
    """
    from panshuffle.arguments import PROTOCOLS

    return PROTOCOLS


def protocol(name: str, **params: object) -> Protocol:
    """A protocol with the paper's letters, such as `protocol("distinct-elements", n=1000, k=50, eps=1, delta="1e-6")`.

    *Raises* `ValueError` for an unknown name.  The parameters are those of the command line, with an underscore for a
    dash: n, k, eps, exp_eps, q, delta, m, lam, alpha, c, p, l, tau, k_hat, copies, votes, gamma, as_printed.
    """
    from panshuffle.card import card

    return Protocol(card(str(name)).name, tuple(params.items()))


def asked(kind: str, subject: str, given: Mapping[str, object]) -> Question:
    """A question with the options as Python names them."""
    from panshuffle.question import Question

    return Question.of(kind, subject, {name.replace("_", "-"): value for name, value in given.items()})


def answered(kind: str, subject: str, given: Mapping[str, object]) -> Answer:
    """The answer to a question with the options as Python names them, by modules that are loaded when it is asked."""
    from panshuffle.answer import answer

    return answer(asked(kind, subject, given))


@dataclass(frozen=True)
class Protocol:
    """A protocol of the paper and its parameters.  Every method takes more of them and its command's options."""

    name: str
    params: tuple[tuple[str, object], ...]

    def asked(self, kind: str, options: Mapping[str, object]) -> Question:
        """The question of a kind with the parameters and the options."""
        return asked(kind, self.name, {**dict(self.params), **options})

    def answered(self, kind: str, options: Mapping[str, object]) -> Answer:
        """The answer to such a question."""
        return answered(kind, self.name, {**dict(self.params), **options})

    def privacy(self, **options: object) -> NumberAnswer:
        """The certified delta at `at_eps` (or `at_exp_eps`), or eps at `at_delta`.

        Further options: gamma, pool, pair, direction, holders, t, digits; tv and ones for P_MOD.

        >>> protocol("uniformity", lam=400).privacy(at_delta="1e-6").upper
        '0.5804338181'
        """
        return cast("NumberAnswer", self.answered("privacy", options))

    def calibrate(self, **options: object) -> CalibrateAnswer:
        """The least noise that meets `at_eps` and `at_delta`, with the deltas at it and at the next value.

        >>> protocol("uniformity").calibrate(at_eps=1, at_delta="1e-6", gamma="1/2").exact
        '301'
        """
        return cast("CalibrateAnswer", self.answered("calibrate", options))

    def accuracy(self, **options: object) -> AccuracyAnswer:
        """The exact error: P[|error| > alpha] at `alpha`, the least alpha at `beta`, or a tester's answer.

        >>> protocol("distinct-elements", k=16, exp_eps=2).accuracy(beta="1/10").exact
        '14'
        """
        return cast("AccuracyAnswer", self.answered("accuracy", options))

    def curve(self, **options: object) -> CurveAnswer:
        """The certified curve of delta over eps, at `points` values from `start` to `to`; a picture in a notebook."""
        given = {("from" if name == "start" else name): value for name, value in options.items()}
        return cast("CurveAnswer", self.answered("curve", given))

    def attack(self, **options: object) -> AttackAnswer:
        """The optimal distinguisher of two neighbours at `at_eps`, and a run of it on samples (`runs`, `seed`)."""
        return cast("AttackAnswer", self.answered("attack", options))

    def export(self, **options: object) -> Exported:
        """The exact pair of laws behind an answer, or with `pld` privacy losses that cover all neighbours."""
        return cast("Exported", self.answered("export", options))

    def sample(
        self, data: Sequence[Datum] | None = None, runs: object = 1, seed: object = None, **options: object
    ) -> list[dict[str, object]]:
        """Runs of the protocol on the data, or on generated ones (`uniform`, `paired`, `distinct`, `ones`).

        Each run is what `panshuffle sample` writes as a line.  Further options: t, messages.
        """
        from panshuffle.answers.sample import sample
        from panshuffle.dataset import Source

        source, rest = Source.in_python(data, options)
        return sample(self.asked("sample", rest), source, runs, seed)

    def crosscheck(
        self,
        runs: Iterable[Mapping[str, object]],
        data: Sequence[Datum] | None = None,
        alarm: object = "1e-9",
        **options: object,
    ) -> CrosscheckAnswer:
        """Somebody's runs, as `sample` gives them, against the exact laws on the data (or `distinct`, `ones`).

        A right implementation is called inconsistent with probability at most `alarm`, however many runs there are.
        """
        from panshuffle.answers.crosscheck import crosscheck
        from panshuffle.dataset import Source

        source, rest = Source.in_python(data, options)
        return crosscheck(self.asked("crosscheck", rest), source, runs, alarm)


def verify(name: str) -> VerifyAnswer:
    """The verdict on a statement of the paper, by its slug, label or printed number, checked anew."""
    return cast("VerifyAnswer", answered("verify", str(name), {}))


def prove(claim: object, *given: object, **domains: object) -> Proof:
    """A lemma of one's own, as a text, a sympy relation or a z3 formula: proved, refuted with a point, or undecided.

    >>> prove("log(1 + x) <= x", x="> -1").status
    'proved'
    >>> prove("log(1 + x) < x", x="> -1").witness
    {'x': Fraction(0, 1)}
    """
    from panshuffle.symbolic.prove import prove as proved

    return proved(claim, *given, **domains)


def plan(task: str, **options: object) -> PlanAnswer:
    """Which protocol meets a privacy and an accuracy target: `plan("histogram", k=100, at_eps=1, at_delta="1e-6")`."""
    return cast("PlanAnswer", answered("plan", task, options))


def compose(*parts: str | Protocol | NumberAnswer, **options: object) -> PrivacyAnswer:
    """Several mechanisms on the same data: delta at `at_eps` (or `at_exp_eps`), or eps at `at_delta`, from both sides.

    A part is a text as `panshuffle compose` takes it, a protocol, or an answer on its privacy, whose point of the
    curve is left out; `uses` and `sampled` are parameters of a part.

    >>> coins = protocol("binomial", l=1)  # delta = 1/2 at every eps: a coin is 0 or 2, or it says nothing
    >>> compose(coins, "binomial --l 1 --uses 2", at_exp_eps=2).exact
    '7/8'
    >>> compose(protocol("binomial", l=10), "distinct-elements --n 2 --k 2 --eps 1 --m 3", at_delta="1e-2").kind
    'two-sided'
    """
    return cast("PrivacyAnswer", answered("compose", " + ".join(map(text_of, parts)), options))


def text_of(part: str | Protocol | NumberAnswer) -> str:
    """A part of a composition as the command line takes it."""
    from panshuffle.answers.compose import part_text

    if isinstance(part, str):
        return part
    return part_text(part.asked("privacy", {}) if isinstance(part, Protocol) else part.question)


def to_dp_accounting(part: str | Protocol | NumberAnswer, interval: float = 1e-4) -> object:
    """A mechanism as a PrivacyLossDistribution of dp-accounting, whose delta is at least ours at every eps.

    A part is what `compose` takes, without uses; dp-accounting has to be installed (the extra `accountants`).
    """
    from panshuffle.answers.compose import read_part
    from panshuffle.answers.export import losses_in
    from panshuffle.crosscheck.export import dp_accounting

    losses = losses_in(read_part(text_of(part)), interval)
    return dp_accounting().PrivacyLossDistribution.create_from_rounded_probability(
        dict(losses.masses), losses.infinite, losses.interval, pessimistic_estimate=True
    )


def from_dp_accounting(found: Any, path: str) -> str:
    """Writes a PrivacyLossDistribution of dp-accounting to a file, and gives the part that `compose` takes.

    *Raises* `InputError` for an optimistic one, which bounds nothing from above.
    """
    from panshuffle.answer import write
    from panshuffle.answers.export import losses_from
    from panshuffle.exact.curves.losses import json_of_losses

    remove, add = losses_from(found._pmf_remove), losses_from(found._pmf_add)
    write(path, json_of_losses(remove, None if add == remove else add, {"from": "dp-accounting"}))
    return f"pld --file {path}"


def randomizer(inputs: Mapping[str, object], n: int, **params: object) -> Randomizer:
    """A local randomizer of one's own, shuffled among n users: for each input the probabilities of its messages.

    >>> flip = randomizer({"0": {"0": "2/3", "1": "1/3"}, "1": {"0": "1/3", "1": "2/3"}}, n=2)
    >>> flip.privacy(at_exp_eps=1).exact
    '2/9'
    """
    import json

    from panshuffle.question import exact_texts

    return Randomizer(json.dumps(exact_texts(inputs)), (("n", n), *params.items()))


@dataclass(frozen=True)
class Randomizer:
    """A local randomizer in the shuffle model, as JSON text, and its parameters n and gamma."""

    text: str
    params: tuple[tuple[str, object], ...]

    def privacy(self, **options: object) -> NumberAnswer:
        """The certified delta at `at_eps` (or `at_exp_eps`), or eps at `at_delta`, over all neighbours."""
        from panshuffle.answers.from_file import own_in_text
        from panshuffle.answers.privacy import resolve_point

        question = asked("privacy", "randomizer", {**dict(self.params), **options})
        return resolve_point(question, partial(own_in_text, text=self.text))()
