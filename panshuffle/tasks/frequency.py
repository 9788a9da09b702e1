"""Plans for how often one of k values is held, from one message a user."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from panshuffle.answer import shown
from panshuffle.answers import plan as planning
from panshuffle.answers import privacy
from panshuffle.answers.plan import DIGITS, DRAWN_EPS0, Drawn, Plan, Target
from panshuffle.card import Model
from panshuffle.catalogue.geometric_distinct_elements import CARD as GEOMETRIC
from panshuffle.catalogue.shuffle_histogram import CARD as HISTOGRAM
from panshuffle.exact.accuracy.estimates import AffineError, noise_error
from panshuffle.exact.errors import InputError
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.randomizers.enumeration import cost
from panshuffle.exact.randomizers.randomizer import ORACLES, Randomizer, named_randomizer, supports_of
from panshuffle.exact.randomizers.shuffled_view import EXACT_COST, shuffled_view, upper_ball
from panshuffle.exact.real import Certified, Real, exp, real
from panshuffle.output import with_progress
from panshuffle.question import Json, Question

STEP, MOST_STEPS = Fraction(1, 100), 1600
"""eps0 is looked for among the multiples of 1/100 up to 16, beyond which a message shows the value."""
BITS = 64
"""Of the ball that is compared with delta."""
ONE_VALUE = "one value that nobody holds"
HALVES = "two-sided geometric noise in each count at half the eps: one user moves two counts by 1"
IS_TEST = False
HAS_ELEMENTS = True


def plans(target: Target) -> list[Plan]:
    """The randomizers with a name that count values, the shuffle histogram, and the central baseline."""
    n = target.users()
    honest_users(n, real(target.gamma))
    rows: list[tuple[str, Callable[[], Plan]]] = [(name, partial(oracle, name, n, target)) for name in ORACLES]
    rows.append((HISTOGRAM.name, lambda: histogram(n, target)))
    return planning.possible(with_progress(rows, "randomizers"), central(target))


def oracle(name: str, n: int, target: Target) -> Plan:
    """A randomizer with a name at the largest eps0 that was found."""
    eps0 = largest_eps0(name, n, target)
    params = {"named": name, "k": str(target.k), "eps0": planning.decimal_above(real(eps0)), "n": str(n)}
    params |= {} if target.gamma == "1" else {"gamma": target.gamma}
    asked = Question.of("privacy", "randomizer", params | {"at-eps": target.eps, "digits": DIGITS})
    found = privacy.resolve(asked)()
    counts = supports_of(name, target.k, exp(real(eps0)))
    (error, accurate), notes = measured(n, counts.error, counts.variance, target)
    verify = [" ".join(["panshuffle privacy randomizer", *(f"--{name} {text}" for name, text in params.items())])]
    verify[0] += f" --at-eps {target.eps} --digits {DIGITS}"
    meets = accurate and found.value.decide(target.at_delta) <= 0
    bits = (len(named_randomizer(name, target.k, exp(real(eps0))).letters) - 1).bit_length()
    return Plan(name, Model.SHUFFLE.value, params, f"1, {bits} bits", found.numbers, error, meets, {}, verify, notes)


def largest_eps0(name: str, n: int, target: Target) -> Fraction:
    """The last multiple of 1/100 that bisection finds to meet the target, so that its view is certified to.

    Randomizers with too many messages are passed by, at whichever end of the multiples they are.  *Raises* `InputError`
    where no other one meets the target.
    """
    taking_part = honest_users(n, real(target.gamma))

    def one(step: int) -> Randomizer | None:
        try:
            return named_randomizer(name, target.k, exp(real(step * STEP)))
        except InputError:
            return None

    too_large_above = one(MOST_STEPS) is None

    def fails(step: int) -> bool:
        randomizer = one(step)
        if randomizer is None:
            return too_large_above
        return not is_private(randomizer, taking_part, exp(target.at_eps), target.at_delta)

    last = bisect_right(range(1, MOST_STEPS + 1), False, key=fails)
    if not last or one(last) is None:
        raise InputError(f"no eps0 from {STEP} on with few enough messages is certified to meet the target")
    return last * STEP


def is_private(randomizer: Randomizer, users: int, exp_eps: Real, delta: Real) -> bool:
    """Whether the blanket, or for few users all backgrounds, show that the target is met."""
    if upper_ball(randomizer, users)(exp_eps, BITS) <= delta.ball(BITS):
        return True
    if len(randomizer.letters) > 2 and cost(randomizer, users) > EXACT_COST:
        return False
    return shuffled_view(randomizer, users).view.curve.compare_at(exp_eps, delta) == -1


def measured(
    n: int, law: Callable[[int], AffineError], variance: Callable[[int], Certified], target: Target
) -> tuple[planning.Measured, list[str]]:
    """The error of one count of those who are left, whether it and that of all users are small enough, and a note."""

    def of(users: int) -> planning.Measured:
        return counted(law(users), variance(users), target)

    left = honest_users(n, real(target.gamma))
    return planning.with_dropouts(lambda: of(left), None if target.gamma == "1" else lambda: of(n))


def counted(law: AffineError, variance: Certified, target: Target) -> planning.Measured:
    """The error of one count, and whether it is as small as it is asked to be."""
    alpha = Certified.of(law.least_alpha(target.beta))
    error: dict[str, Json] = {"quantity": "alpha", "beta": str(target.beta), **shown(alpha, DIGITS)}
    error["scope"] = ONE_VALUE
    error |= {"gamma": target.gamma} if target.gamma != "1" else {}
    return error | {"variance": variance.enclosure(DIGITS)[1]}, target.alpha is None or alpha.decide(target.alpha) <= 0


def histogram(n: int, target: Target) -> Plan:
    """Noise bits in every bin, shuffled; the error is that of one bin."""
    size = {"n": str(n), "k": str(target.k)}
    p = planning.calibrated(HISTOGRAM, size, target)
    params, chance = size | {"p": p}, real(p)
    found, private = planning.privacy_of(HISTOGRAM, params, target)
    spread = chance * (1 - chance)
    (error, accurate), notes = measured(
        n, lambda users: noise_error(users, chance, True), lambda users: Certified.of(users * spread), target
    )
    asked = params | target.gamma_for(HISTOGRAM)
    verify = [planning.line("privacy", HISTOGRAM, asked, at_eps=target.eps, digits=str(DIGITS))]
    model, meets = HISTOGRAM.model.value, private and accurate
    return Plan(HISTOGRAM.name, model, params, planning.sent(2, target.k), found, error, meets, {}, verify, notes)


def central(target: Target) -> Plan:
    """The central baseline."""
    half = str(target.at_eps / 2)
    params, ratio = {"k": str(target.k), "eps": half}, exp(-target.at_eps / 2)
    error, accurate = planning.error_of(GEOMETRIC, params, target)
    error |= {"scope": ONE_VALUE, "variance": planning.decimal_above(2 * ratio / (1 - ratio) ** 2)}
    none: dict[str, Json] = {"lower": "0", "upper": "0", "exact": "0"}
    verify = [
        planning.line("privacy", GEOMETRIC, params, at_eps=half),
        planning.line("accuracy", GEOMETRIC, params, beta=str(target.beta)),
    ]
    model = GEOMETRIC.model.value
    return Plan(GEOMETRIC.name, model, params, "the data itself", none, error, accurate, {}, verify, [HALVES])


def values(target: Target) -> Drawn:
    """The eps of k-ary response over n."""
    target.users()
    randomizer = named_randomizer(ORACLES[0], target.k, exp(DRAWN_EPS0))
    what = f"eps at delta of {ORACLES[0]} response, k = {target.k}, eps0 = {DRAWN_EPS0}"
    return planning.over_n(what, target.k, lambda size: shuffled_view(randomizer, size).view.curve, target)
