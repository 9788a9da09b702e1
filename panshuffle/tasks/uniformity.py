"""Plans to test uniformity."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from panshuffle.answers.plan import Drawn, Given, Plan, Target, calibrated, line, over_k, privacy_of, searching
from panshuffle.card import AnyCard, Model
from panshuffle.catalogue.compressed_uniformity import CARD as COMPRESSED
from panshuffle.catalogue.pan_uniformity import CARD as PAN
from panshuffle.catalogue.uniformity import CARD as PLAIN
from panshuffle.exact import parameters as formulas
from panshuffle.exact.accuracy.tester import (
    Statistic,
    is_at_most,
    least_samples,
    paired_law,
    repaired,
    sufficient_samples,
    uniform_law,
)
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import THIRD
from panshuffle.exact.real import Real, real
from panshuffle.question import Json

LARGEST_SEARCHED = 200
"""Beyond that k the exact law is too slow to search for the least m with it."""
LARGEST_STEPPED = 2_000
"""Beyond that k there is no exact law."""
REPAIRED = "repaired theorem at the printed λ (the paper has no constant)"
IS_TEST = True
HAS_ELEMENTS = True


def plans(target: Target) -> list[Plan]:
    """The tester with the repaired threshold, on the elements and on groups of them."""
    alpha = distance_of(target)
    first = plain(alpha, target)
    first.notes.append(f"{PAN.name} is left out: the exact law of its answer is known for small streams alone")
    second = compressed(alpha, target, first)
    if second is None:
        first.notes.append("no compressed tester is listed: no k-hat has an exact law that is small enough here")
        return [first]
    return [first, second]


def distance_of(target: Target) -> Fraction:
    """The distance of the paired alternative.  *Raises* `ParameterError` where there is no such alternative."""
    alpha = None if target.alpha is None else target.alpha.fraction
    if alpha is None or not 0 < alpha <= Fraction(1, 2):
        raise ParameterError("alpha", target.alpha if target.alpha is not None else "absent", "a rational in (0, 1/2]")
    if target.k % 2:
        raise ParameterError("k", target.k, "even, for the paired alternative")
    return alpha


def plain(alpha: Fraction, target: Target) -> Plan:
    """P_UT."""
    k, size = target.k, {"k": str(target.k)}
    lam = calibrated(PLAIN, size, target)
    every = sufficient_samples(k, real(lam), real(alpha)) if Fraction(lam) >= 1 else None
    m, users, notes = samples_for(target.n, k, real(lam), alpha, every)
    works = is_certified(k, real(lam), alpha, m)
    if every is not None:
        notes.append(f"m = {every} is enough for every distribution at distance {alpha} (uniformity-tester-theorem)")
    sends = f"{k} and Pois({lam}/n) fair bits to each of {k} pools"
    found = Tester(PLAIN, size, {"lam": lam}, m, users, works)
    return found.plan(sends, alpha, target, {}, printed(k, alpha, target), notes)


@dataclass(frozen=True)
class Tester:
    """A tester for m expected samples: its parameters before and after m, the users that suffice, and if it works."""

    card: AnyCard
    size: Given
    noise: Given
    m: int
    users: int
    works: bool

    def plan(self, sends: str, alpha: Fraction, target: Target, digits: Given, paper: Given, notes: list[str]) -> Plan:
        """The plan, with what is known of its errors and the commands that verify it."""
        card, params, measured = self.card, self.size | self.noise, self.size | {"m": str(self.m)} | self.noise
        privacy, private_enough = privacy_of(card, params, target)
        error: dict[str, Json] = {"quantity": "both errors", "m": str(self.m), "users": self.users, "at most": "1/3"}
        error |= {"certified": self.works, "scope": f"paired {alpha}"}
        verify = [
            line("privacy", card, {**params, **target.gamma_for(card)}, at_eps=target.eps),
            line("accuracy", card, measured, uniform=True, **digits),
            line("accuracy", card, measured, paired=str(alpha), **digits),
        ]
        meets = private_enough and self.works
        return Plan(card.name, card.model.value, measured, sends, privacy, error, meets, paper, verify, notes)


def compressed(alpha: Fraction, target: Target, first: Plan) -> Plan | None:
    """P_UT on groups, with one copy or three, at the same noise; None where no number of groups is looked at."""
    from panshuffle.exact.accuracy.tester import cheapest

    k, n, lam, users = target.k, target.n, first.parameters["lam"], first.error["users"]
    if k > LARGEST_SEARCHED or not first.error["certified"] or not isinstance(users, int):
        return None
    with searching() as progress:
        found = cheapest(k, real(lam), users, paired_law(k, alpha), progress)
    if found is None:
        return None
    tester, m = found
    copies = {} if tester.copies == 1 else {"copies": str(tester.copies), "votes": str(tester.votes)}
    works = n is None or m <= n
    sends = f"{tester.k_hat} and Pois({lam}/n) fair bits to each of {tester.copies * tester.k_hat} pools"
    notes = ["m is certified by the exact law over all partitions; it was found among a few k-hat and copies"]
    notes += [] if works else [f"n = {n} is less than m"]
    size = {"k": str(k), "k-hat": str(tester.k_hat)}
    one = Tester(COMPRESSED, size, {"lam": lam} | copies, m, m if n is None else n, works)
    return one.plan(sends, alpha, target, {"digits": "4"}, {}, notes)


def samples_for(n: int | None, k: int, lam: Real, alpha: Fraction, every: int | None) -> tuple[int, int, list[str]]:
    """m and how many users are enough: n where it is given, else the least m, and that as a multiple of k."""
    if n is not None:
        return n, n, []
    if k > LARGEST_STEPPED and every is not None:
        return -(-every // k) * k, every, [f"a smaller m is not looked for above k = {LARGEST_STEPPED}"]
    if k > LARGEST_SEARCHED and every is not None:
        return stepped_samples(k, lam, alpha, every)
    with searching() as progress:
        found = least_samples(repaired(k, lam), paired_law(k, alpha), progress=progress)
    note = f"m = {found.m} is enough against the paired alternative, and {found.m - 1} is not, by the exact law; "
    return -(-found.m // k) * k, found.m, [note + "rounded up to a multiple of k, where the law is quick to compute"]


def stepped_samples(k: int, lam: Real, alpha: Fraction, every: int) -> tuple[int, int, list[str]]:
    """The same by bisection over multiples of k/4, or k/2, where the law is quick to compute, below what is enough."""
    step = k // 4 if k % 4 == 0 else k // 2
    low, high = 0, -(-every // step)
    with searching() as progress:
        while high - low > 1:
            middle = (low + high) // 2
            progress(f"m = {middle * step}")
            low, high = (low, middle) if is_certified(k, lam, alpha, middle * step) else (middle, high)
    less = f"{low * step} is not" if low else "no smaller multiple was looked at"
    note = f"m = {high * step} is enough against the paired alternative, and {less}, by the exact law"
    return high * step, high * step, [f"{note}; only multiples of {step} were looked at, by bisection"]


def is_certified(k: int, lam: Real, alpha: Fraction, m: int) -> bool:
    """Whether both errors of the tester with m expected samples are certified to be at most 1/3."""
    far, flat = (Statistic(real(m), lam, law) for law in (paired_law(k, alpha), uniform_law(k)))
    tau = formulas.threshold(k, lam, real(m))
    return is_at_most(far, tau, THIRD, False) and is_at_most(flat, tau, THIRD, True)


def printed_noise(k: int, target: Target) -> int:
    """The printed lam for the target."""
    return formulas.lam_uniformity(k, target.at_eps / 2, (target.at_delta / 8) ** (1 / real(target.gamma)))


def printed(k: int, alpha: Fraction, target: Target) -> Given:
    """The printed lam for the target; with it, what the theorem on the repaired tester asks for."""
    lam = printed_noise(k, target)
    m = sufficient_samples(k, real(lam), real(alpha))
    return {"lam": str(lam), "m": f"no constant is printed; with this lam the repaired tester has {m}"}


def values(target: Target) -> Drawn:
    """The least m of the repaired tester against the paired alternative, and the theorem's at the printed lam."""
    if target.n is not None:
        raise InputError(f"--n has no meaning for a figure of {PLAIN.name}, which is about the least m")
    alpha = distance_of(target)
    lam = calibrated(PLAIN, {"k": str(target.k)}, target)

    def at(size: int) -> tuple[str, str, str]:
        paper = str(sufficient_samples(size, real(printed_noise(size, target)), real(alpha)))
        if size > LARGEST_SEARCHED:
            return "", "", paper
        found = str(least_samples(repaired(size, real(Fraction(lam))), paired_law(size, alpha)).m)
        return found, found, paper

    what = f"least m of {PLAIN.name}, lam = {lam}, paired {alpha}"
    return over_k(what, at, REPAIRED, (Model.SHUFFLE.value, "lower"), target, step=2, alpha=target.alpha)
