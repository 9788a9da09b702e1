"""Plans to test uniformity."""

from __future__ import annotations

from fractions import Fraction

from exact import parameters as formulas
from exact.accuracy.tester import is_at_most, least_samples, paired_law, repaired, sufficient_samples, uniform_law
from exact.accuracy.uniformity import Statistic
from exact.errors import InputError, ParameterError
from exact.numbers.real import Real, real
from exact.parameters import THIRD
from panshuffle.answer import Json
from panshuffle.card import AnyCard, Model
from panshuffle.catalogue.compressed_uniformity import CARD as COMPRESSED
from panshuffle.catalogue.uniformity import CARD as PLAIN
from panshuffle.planning import Given, Plan, Target, Values, calibrated, line, privacy_of, searching

LARGEST_SEARCHED = 200
"""Beyond that k the exact law is too slow to search for the least m with it."""
REPAIRED = "repaired theorem at the printed λ (the paper has no constant)"
IS_TEST = True


def plans(n: int | None, k: int, target: Target) -> list[Plan]:
    """The tester with the repaired threshold, on the elements and on groups of them."""
    alpha = distance_of(target, k)
    first = plain(n, k, alpha, target)
    second = compressed(n, k, alpha, target, first)
    if second is None:
        first.notes.append("no compressed tester is listed: no k-hat has an exact law that is small enough here")
        return [first]
    return [first, second]


def distance_of(target: Target, k: int) -> Fraction:
    """The distance of the paired alternative.  *Raises* `ParameterError` where there is no such alternative."""
    alpha = None if target.alpha is None else target.alpha.fraction
    if alpha is None or not 0 < alpha <= Fraction(1, 2):
        raise ParameterError("alpha", target.alpha if target.alpha is not None else "absent", "a rational in (0, 1/2]")
    if k % 2:
        raise ParameterError("k", k, "even, for the paired alternative")
    return alpha


def plain(n: int | None, k: int, alpha: Fraction, target: Target) -> Plan:
    """P_UT."""
    size = {"k": str(k)}
    lam = calibrated(PLAIN, size, target)
    letters = size | {"lam": lam}
    privacy, private_enough = privacy_of(PLAIN, letters, target)
    every = sufficient_samples(k, real(lam), real(alpha)) if Fraction(lam) >= 1 else None
    m, users, notes = samples_for(n, k, real(lam), alpha, every)
    far, flat = (Statistic(real(m), real(lam), law) for law in (paired_law(k, alpha), uniform_law(k)))
    tau = formulas.threshold(k, real(lam), real(m))
    works = is_at_most(far, tau, THIRD, False) and is_at_most(flat, tau, THIRD, True)
    error = both_errors(m, users, works, alpha)
    measured = size | {"m": str(m), "lam": lam}
    verify = commands(PLAIN, letters, measured, alpha, target)
    if every is not None:
        notes.append(f"m = {every} is enough for every distribution at distance {alpha} (uniformity-tester-theorem)")
    paper = printed(k, alpha, target)
    sends = f"{k} and Pois({lam}/n) fair bits to each of {k} pools"
    meets, model = private_enough and works, Model.SHUFFLE.value
    return Plan(PLAIN.name, model, measured, sends, privacy, error, meets, paper, verify, notes)


def both_errors(m: int, users: int, works: bool, alpha: Fraction) -> dict[str, Json]:
    """What is known of a tester's errors, and how many users are enough."""
    known: dict[str, Json] = {
        "quantity": "both errors",
        "m": str(m),
        "users": users,
        "at most": "1/3",
        "certified": works,
    }
    return known | {"scope": f"paired {alpha}"}


def commands(
    card: AnyCard, letters: Given, measured: Given, alpha: Fraction, target: Target, digits: Given | None = None
) -> list[str]:
    """The commands that verify a tester's plan."""
    more = digits or {}
    return [
        line("privacy", card, {**letters, **target.gamma_for(card)}, at_eps=target.eps),
        line("accuracy", card, measured, uniform=True, **more),
        line("accuracy", card, measured, paired=str(alpha), **more),
    ]


def compressed(n: int | None, k: int, alpha: Fraction, target: Target, first: Plan) -> Plan | None:
    """P_UT on groups, with one copy or three, at the same noise; None where no number of groups is looked at."""
    from exact.accuracy.compressed_size import cheapest

    lam, far = first.parameters["lam"], paired_law(k, alpha)
    users = first.error["users"]
    if k > LARGEST_SEARCHED or not first.error["certified"] or not isinstance(users, int):
        return None
    with searching() as progress:
        found = cheapest(k, real(lam), users, far, progress)
    if found is None:
        return None
    tester, m = found
    size = {"k": str(k), "k-hat": str(tester.k_hat)}
    copies = {} if tester.copies == 1 else {"copies": str(tester.copies), "votes": str(tester.votes)}
    letters = size | {"lam": lam}
    privacy, private_enough = privacy_of(COMPRESSED, letters | copies, target)
    works = n is None or m <= n
    measured = size | {"m": str(m), "lam": lam} | copies
    verify = commands(COMPRESSED, letters | copies, measured, alpha, target, {"digits": "4"})
    sends = f"{tester.k_hat} and Pois({lam}/n) fair bits to each of {tester.copies * tester.k_hat} pools"
    notes = ["m is certified by the exact law over all partitions; it was found among a few k-hat and copies"]
    notes += [] if works else [f"n = {n} is less than m"]
    error = both_errors(m, m if n is None else n, works, alpha)
    meets, model = private_enough and works, Model.SHUFFLE.value
    return Plan(COMPRESSED.name, model, measured, sends, privacy, error, meets, {}, verify, notes)


def samples_for(n: int | None, k: int, lam: Real, alpha: Fraction, every: int | None) -> tuple[int, int, list[str]]:
    """m and how many users are enough: n where it is given, else the least m, and that as a multiple of k."""
    if n is not None:
        return n, n, []
    if k > LARGEST_SEARCHED and every is not None:
        return -(-every // k) * k, every, [f"the least m is not searched for above k = {LARGEST_SEARCHED}"]
    with searching() as progress:
        found = least_samples(repaired(k, lam), paired_law(k, alpha), progress=progress)
    note = f"m = {found.m} is enough against the paired alternative, and {found.m - 1} is not, by the exact law; "
    return -(-found.m // k) * k, found.m, [note + "rounded up to a multiple of k, where the law is quick to compute"]


def printed(k: int, alpha: Fraction, target: Target) -> Given:
    """The printed lam for the target; with it, what the theorem on the repaired tester asks for."""
    inner = (target.at_delta / 8) ** (1 / real(target.gamma))
    lam = formulas.lam_uniformity(k, target.at_eps / 2, inner)
    m = sufficient_samples(k, real(lam), real(alpha))
    return {"lam": str(lam), "m": f"no constant is printed; with this lam the repaired tester has {m}"}


def values(n: int | None, k: int, target: Target) -> Values:
    """The least m of the repaired tester against the paired alternative, and the theorem's at the printed lam."""
    if n is not None:
        raise InputError(f"--n has no meaning for a figure of {PLAIN.name}, which is about the least m")
    alpha = distance_of(target, k)
    lam = calibrated(PLAIN, {"k": str(k)}, target)
    inner = (target.at_delta / 8) ** (1 / real(target.gamma))

    def at(size: int) -> tuple[str, str, str]:
        noise = formulas.lam_uniformity(size, target.at_eps / 2, inner)
        paper = str(sufficient_samples(size, real(noise), real(alpha)))
        if size > LARGEST_SEARCHED:
            return "", "", paper
        found = str(least_samples(repaired(size, real(Fraction(lam))), paired_law(size, alpha)).m)
        return found, found, paper

    what = f"least m of {PLAIN.name}, lam = {lam}, paired {alpha}"
    return Values(what, at, REPAIRED, Model.SHUFFLE.value, "lower", step=2, alpha=target.alpha)
