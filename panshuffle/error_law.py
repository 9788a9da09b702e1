"""Questions about a protocol's error, and what is found: the parts that error laws of several protocols share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import check_open_unit
from panshuffle.exact.real import Certified, Real, real
from panshuffle.question import Json, Question, Setting, number, whole

if TYPE_CHECKING:
    from panshuffle.exact.accuracy.estimates import AffineError, Cases

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
