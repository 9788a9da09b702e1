"""The accountants: how each is asked, as its own documentation says, and a function of yours.

An adapter takes a question and gives an upper end, {"upper": u, "lower": l} for both, or None where it can't express
the question.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module, metadata
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from math import comb, exp, floor, isqrt, log, sqrt
from pathlib import Path
from typing import Any

from panshuffle.crosscheck.accountants.questions import DELTA, EPSILON, Question
from panshuffle.exact.errors import InputError

Adapter = Callable[[Question], object]
UPPER, LOWER, BOTH, ESTIMATE = "upper bound", "lower bound", "both bounds", "estimate"


@dataclass(frozen=True)
class Accountant:
    """Who is asked, and how: its distribution on PyPI or its repository, and what it promises.

    The first of its modules is there where it is installed; the others are imported once for all questions.
    """

    name: str
    answer: Adapter
    source: str = ""
    modules: tuple[str, ...] = ()
    promise: str = UPPER
    file: str = ""

    @property
    def reference(self) -> str:
        """The text by which another process finds it."""
        return self.file or self.name

    @property
    def is_here(self) -> bool:
        """Whether it can be imported."""
        try:
            return not self.modules or find_spec(self.modules[0]) is not None
        except ModuleNotFoundError:
            return False

    @property
    def version(self) -> str:
        """The version of a distribution; of anything else, what it is."""
        if not self.source:
            return "yours"
        return "a checkout" if "/" in self.source else metadata.version(self.source)

    @property
    def how_to_get(self) -> str:
        """How a person gets one that is missing."""
        if "/" in self.source:
            return f"git clone https://github.com/{self.source} FOLDER, and PYTHONPATH=FOLDER"
        return "pip install 'panshuffle[accountants]'"

    def load(self) -> None:
        """Imports what it needs, once."""
        for module in self.modules[1:]:
            import_module(module)


# dp-accounting (Google) ----------------------------------------------------------------------------------------------

LISTED = 10_000  # up to so many coins all outcomes are listed, and beyond it those of a window


def dp_accounting(
    question: Question, side: str = "upper", truncation: Mapping[str, float] | None = None, alone: bool = True
) -> object:
    """Its privacy loss distributions, pessimistic for an upper end; `alone` asks about single runs, too."""
    runs = 2 if question.mechanism == "poisson-pair" else question.k
    if runs == 1 and not alone:
        return None
    law = losses(question, pessimistic_estimate=side == "upper")
    if law is None:
        return None
    total = law.self_compose(runs, **(truncation or {})) if runs > 1 else law
    ask = total.get_delta_for_epsilon if question.quantity == DELTA else total.get_epsilon_for_delta
    return {side: ask(question.at)}


def losses(question: Question, **options: bool) -> Any:
    """The law of one run in dp-accounting; None where the window of its outcomes is too long."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    from scipy.stats import binom, poisson

    if question.mechanism == "binomial-noise" and question["l"] <= 10**9:
        l = question["l"]
        near = range(l + 1) if l <= LISTED else range(l // 2 - 37 * isqrt(l) // 2, l // 2 + 37 * isqrt(l) // 2 + 1)
        logs = zip(near, binom.logpmf(near, l, 0.5).tolist(), strict=True)
        plain = {x: mass for x, mass in logs if l <= LISTED or mass > -686}  # above 1e-298
        return pld.from_two_probability_mass_functions(plain, moved(plain), **options)
    if question.mechanism in ("poisson-pool", "poisson-pair"):
        near = range(int(question["mu"] + 40 * question["mu"] ** 0.5) + 60)
        plain = dict(zip(near, poisson.logpmf(near, question["mu"]).tolist(), strict=True))
        ones = pld.from_two_probability_mass_functions(plain, moved(plain), **options)
        return ones.compose(pld.from_two_probability_mass_functions(moved(plain), plain, **options))
    if question.mechanism == "parity-pool":
        pools = (parity_masses(question, question["holders"] + more) for more in (0, 1))
        return pld.from_two_probability_mass_functions(*pools, **options)
    named = {
        "randomized-response": lambda: pld.from_randomized_response(2 * question["p"], 2, **options),
        "geometric": lambda: pld.from_discrete_laplace_mechanism(question["a"], **options),
        "gaussian": lambda: pld.from_gaussian_mechanism(question["sigma"], **options),
        "discrete-gaussian": lambda: pld.from_discrete_gaussian_mechanism(question["sigma"], **options),
    }
    return named.get(question.mechanism, lambda: None)()


def moved(masses: Mapping[int, float]) -> dict[int, float]:
    """The masses of 1 + X."""
    return {x + 1: mass for x, mass in masses.items()}


def parity_masses(question: Question, holders: int) -> dict[int, float]:
    """The logarithms of the masses of a parity pool, the users' laws convolved one by one."""
    users, m, q = (question[name] for name in ("users", "m", "q"))
    total = [Fraction(1)]
    for user in range(users):
        odd = Fraction(1, 2) if user < holders else (1 - Fraction(q)) / 2
        one = [comb(m, x) * (odd if x % 2 else 1 - odd) / 2 ** (m - 1) for x in range(m + 1)]
        total = [
            sum((total[x - y] * one[y] for y in range(m + 1) if 0 <= x - y < len(total)), Fraction(0))
            for x in range(len(total) + m)
        ]
    return {x: log(mass) for x, mass in enumerate(total) if mass}


# prv-accountant (Microsoft) ------------------------------------------------------------------------------------------


def prv_accountant(question: Question, eps_error: float = 0.1) -> object:
    """Both ends, with a delta_error of a thousandth of delta, or 1e-10 where there is none, as its manual suggests.

    The finer eps_error is close to its limits: it is asked for eps of compositions only.
    """
    from prv_accountant import GaussianMechanism, PRVAccountant, PureDPMechanism

    fine = eps_error < 0.1
    if (fine and (question.quantity == DELTA or question.k == 1)) or (question.quantity == EPSILON and not question.at):
        return None
    if question.mechanism == "binomial-noise" and question["l"] <= 10**5:
        variable = coins(question["l"])
    elif question.mechanism == "gaussian":
        variable = GaussianMechanism(question["sigma"])
    elif question.mechanism == "randomized-response":
        variable = PureDPMechanism(log((1 - question["p"]) / question["p"]))
    elif question.mechanism == "geometric":
        variable = PureDPMechanism(question["a"])
    else:
        return None
    error = 1e-10 if question.quantity == DELTA else question.at / 1000
    accountant = PRVAccountant([variable], eps_error, error, max_self_compositions=[question.k])
    ask = accountant.compute_delta if question.quantity == DELTA else accountant.compute_epsilon
    lower, _, upper = ask(question.at, [question.k])
    return {"upper": upper, "lower": lower}


def coins(l: int) -> object:
    """The loss log((l + 1 - x)/x) of x ~ Bin(l, 1/2) against 1 + Bin(l, 1/2), as a variable of prv-accountant."""
    import numpy as np
    from prv_accountant import PrivacyRandomVariable
    from scipy.special import logsumexp
    from scipy.stats import binom

    x, tails = np.arange(1, l + 1), binom.sf(np.arange(-1, l + 1), l, 0.5)  # P[x >= 0], P[x >= 1], ...

    def cdf(_: object, t: float) -> object:
        return tails[np.ceil((l + 1) / (1 + np.exp(np.float64(t)))).astype(int)]

    def rdp(_: object, alpha: float) -> object:
        return logsumexp(binom.logpmf(x, l, 0.5) + (alpha - 1) * np.log((l + 1 - x) / x)) / (alpha - 1)

    return type("Coins", (PrivacyRandomVariable,), {"pm_inf": 2.0**-l, "cdf": cdf, "rdp": rdp})()


# autodp, opendp, scipy -----------------------------------------------------------------------------------------------


def autodp(question: Question, composition: str = "Composition", **options: bool) -> object:
    """Renyi accounting, as its tutorials compose mechanisms, or the analytical Fourier accountant (ComposeAFA)."""
    from autodp import mechanism_zoo as zoo
    from autodp import transformer_zoo

    if question.mechanism == "gaussian":
        mechanism = zoo.GaussianMechanism(question["sigma"], **options)
    elif question.mechanism == "randomized-response":
        mechanism = zoo.RandresponseMechanism(1 - question["p"], **options)
    elif question.mechanism == "discrete-gaussian" and not options:
        mechanism = zoo.DiscreteGaussianMechanism(question["sigma"])
    else:
        return None
    law = getattr(transformer_zoo, composition)()([mechanism], [question.k])
    return (law.approx_delta if question.quantity == DELTA else law.approxDP)(question.at)


def opendp(question: Question) -> object:
    """Its privacy maps, with directed rounding; for pure mechanisms eps at any delta is the sum of their eps."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    pure = question.quantity == EPSILON
    if question.mechanism == "discrete-gaussian":
        law = dp.m.make_gaussian(*space, scale=question["sigma"])
    elif pure and question.mechanism == "geometric" and Fraction(1 / question["a"]) * Fraction(question["a"]) == 1:
        law = dp.m.make_laplace(*space, scale=1 / question["a"])
    elif pure and question.mechanism == "randomized-response" and (1 - question["p"]) + question["p"] == 1:
        law = dp.m.make_randomized_response_bool(prob=1 - question["p"])
    else:
        return None
    total = dp.c.make_composition([law] * question.k) if question.k > 1 else law
    if question.mechanism != "discrete-gaussian":
        return total.map(1)
    curve = dp.c.make_zCDP_to_approxDP(total).map(1)
    return curve.epsilon(delta=question.at) if pure else curve.delta(epsilon=question.at)


def scipy_by_beta(question: Question) -> object:
    """scipy's regularized incomplete beta function as the binomial tail, as people write it."""
    from scipy.special import betainc

    if question.mechanism != "binomial-noise" or question.k > 1 or question.quantity != DELTA:
        return None
    l, factor = question["l"], exp(question.at)
    c = floor((l + 1) / (1 + factor))  # Bin(l, 1/2) is e^eps times as likely as 1 + Bin(l, 1/2) up to c
    return betainc(l - c, c + 1, 0.5) - factor * betainc(l - c + 1, c, 0.5)


def scipy_by_cdf(question: Question) -> object:
    """One minus a cumulative distribution function, and the normal tails of the closed form."""
    from scipy.stats import binom, norm

    factor = exp(question.at)
    if question.quantity == DELTA and question.mechanism == "gaussian":
        mu = sqrt(question.k) / question["sigma"]
        return norm.cdf(mu / 2 - question.at / mu) - factor * norm.cdf(-mu / 2 - question.at / mu)
    if question.quantity == DELTA and question.mechanism == "binomial-noise" and question.k == 1:
        l = question["l"]
        t = floor(factor * (l + 1) / (1 + factor)) + 1  # 1 + Bin(l, 1/2) is e^eps times as likely from t on
        return (1 - binom.cdf(t - 2, l, 0.5)) - factor * (1 - binom.cdf(t - 1, l, 0.5))
    return None


def scipy_by_sum(question: Question) -> object:
    """The sum of the positive parts of the masses."""
    import numpy as np
    from scipy.stats import binom

    if (
        question.quantity == DELTA
        and question.mechanism == "binomial-noise"
        and question.k == 1
        and question["l"] <= 10**7
    ):
        x = np.arange(question["l"] + 2)
        pair = binom.pmf(x - 1, question["l"], 0.5), binom.pmf(x, question["l"], 0.5)
    elif question.quantity == DELTA and question.mechanism == "randomized-response":
        x, k, p = np.arange(question.k + 1), question.k, question["p"]
        pair = binom.pmf(x, k, 1 - p), binom.pmf(x, k, p)
    else:
        return None
    return np.maximum(pair[0] - exp(question.at) * pair[1], 0).sum()


# the shuffle model's own, from repositories --------------------------------------------------------------------------


def apple_clones(question: Question, step: int = 1) -> object:
    """The clones of Feldman, McMillan and Talwar (2021), numerically; a step of 100 is that of its example."""
    from computeamplification import deltacomp, numericalanalysis

    if "eps0" not in question.parameters:
        return None
    n, eps0 = question["n"], question["eps0"]
    width = step if n <= 10**4 else 100  # for more users the finest step takes minutes
    if question.quantity == DELTA:
        return deltacomp(n, eps0, question.at, 1.0, width) if step == 1 else None
    return numericalanalysis(n, eps0, question.at, 20, width, True)


def apple_closed_form(question: Question) -> object:
    """The closed form of the same paper."""
    from computeamplification import closedformanalysis

    if "eps0" not in question.parameters or question.quantity == DELTA:
        return None
    return closedformanalysis(question["n"], question["eps0"], question.at)


def blanket(question: Question, bound: str) -> object:
    """The privacy blanket of Balle, Bell, Gascon and Nissim (2019), of k-ary response or of any randomizer."""
    from shuffleddp import amplification_bounds, mechanisms

    if "eps0" not in question.parameters:
        return None
    n, eps0 = question["n"], question["eps0"]
    k_ary = question.mechanism == "shuffled-response"
    mechanism = mechanisms.RRMechanism(eps0, question["values"]) if k_ary else mechanisms.LDPMechanism(eps0)
    found = getattr(amplification_bounds, bound)(mechanism)
    return found.get_delta(question.at, eps0, n) if question.quantity == DELTA else found.get_eps(eps0, n, question.at)


def decomposition(question: Question, side: str) -> object:
    """The blanket's mean by a Fourier transform, from both sides: Su, Cheng and Wang (2025)."""
    import numpy

    sys.modules["cupy"] = numpy  # its transforms run on a GPU; numpy has the same functions
    import amplification_bounds
    import mechanisms

    n, eps0, d = (question.parameters.get(name) for name in ("n", "eps0", "values"))
    made = {
        ("shuffled-response", "upper"): lambda: mechanisms.RRMechanism(eps0, d),
        ("shuffled-response", "lower"): lambda: mechanisms.RRMechanism_lowerbound(eps0, d),
        ("symmetric-unary", "upper"): lambda: mechanisms.RapporMechanism_not_asymptotic(eps0, d),
        ("symmetric-unary", "lower"): lambda: mechanisms.RapporMechanism_lowerbound(eps0),
    }
    if (question.mechanism, side) not in made:
        return None
    bound = amplification_bounds.FFTbound if side == "upper" else amplification_bounds.FFTLowerBound
    found = bound(made[question.mechanism, side]())
    delta = question.quantity == DELTA
    return {side: found.get_delta(question.at, eps0, n) if delta else found.get_eps(eps0, n, question.at)}


def numerical_shuffler(question: Question) -> object:
    """Koskela, Heikkila and Honkela (2023): k-ary response among known clones, as the figures of the paper call it."""
    if question.mechanism != "shuffled-response" or question.quantity == DELTA or question["n"] > 10**4:
        return None
    from blankets_fig4.compute_epsilon_bin_tight import get_epsilons, get_omega

    n, k, nx, reach = question["n"], question["values"], 10**6, 10
    gamma = k / (exp(question["eps0"]) + k - 1)
    omega, grid, error = get_omega(n, gamma, k, nx, reach)
    return get_epsilons(omega, error, grid, n=n, gamma=gamma, k=k, n_c=1, nx=nx, L=reach, target_delta=question.at)


def variation_ratio(question: Question) -> object:
    """Wang and others (2024), with the p, beta and q of its README's table."""
    from unifiedamplification import Delta, amplificationUB

    n = question.parameters.get("n")
    if question.mechanism == "flipped-bits":
        f = question["f"]
        p, beta, q = ((1 - f) / f) ** 2, 1 - 2 * f, (1 - f) / f
    elif question.mechanism in ("shuffled-response", "symmetric-unary"):
        p = q = exp(question["eps0"])
        response = question.mechanism == "shuffled-response"
        root, others = (p, question["values"] - 1) if response else (exp(question["eps0"] / 2), 1)
        beta = (root - 1) / (root + others)
    else:
        return None
    if question.quantity == DELTA:
        alpha = beta * p / (p - 1) / q
        return Delta(question.at, beta / (p - 1), alpha, alpha, n, p)
    return amplificationUB(p, beta, q, q, n, question.at, 20)


# all of them, and a function of yours --------------------------------------------------------------------------------

PLD = ("dp_accounting", "dp_accounting.pld.privacy_loss_distribution", "scipy.stats")
PRV, OPENDP = ("prv_accountant", "scipy.stats"), ("opendp", "opendp.prelude")
AUTODP = ("autodp", "autodp.mechanism_zoo", "autodp.transformer_zoo")
BALLE = ("shuffleddp", "shuffleddp.amplification_bounds", "shuffleddp.mechanisms")
google = partial(Accountant, source="dp-accounting", modules=PLD)
untruncated = partial(dp_accounting, truncation={"tail_mass_truncation": 0}, alone=False)
microsoft = partial(Accountant, source="prv-accountant", modules=PRV, promise=BOTH)
apple = partial(
    Accountant, source="apple/ml-shuffling-amplification", modules=("computeamplification", "numpy", "scipy.stats")
)
balle = partial(Accountant, source="BorjaBalle/amplification-by-shuffling", modules=BALLE)
su = partial(
    Accountant,
    source="Optimal-amplification-bound/Decomposition-Based-Optimal-Bounds-for-Shuffle-DP",
    modules=("amplification_bounds", "numpy", "scipy.stats"),
)

ACCOUNTANTS = {
    one.name: one
    for one in (
        google("dp-accounting", dp_accounting),
        google("dp-accounting-untruncated", untruncated),
        google("dp-accounting-optimistic", partial(dp_accounting, side="lower"), promise=LOWER),
        google("dp-accounting-optimistic-untruncated", partial(untruncated, side="lower"), promise=LOWER),
        microsoft("prv-accountant", prv_accountant),
        microsoft("prv-accountant-fine", partial(prv_accountant, eps_error=0.001)),
        Accountant("autodp", autodp, "autodp", AUTODP),
        Accountant("autodp-phi", partial(autodp, composition="ComposeAFA", phi_off=False), "autodp", AUTODP, ESTIMATE),
        Accountant("opendp", opendp, "opendp", OPENDP),
        Accountant("scipy-betainc", scipy_by_beta, "scipy", ("scipy", "scipy.special"), ESTIMATE),
        Accountant("scipy-cdf", scipy_by_cdf, "scipy", ("scipy", "scipy.stats"), ESTIMATE),
        Accountant("scipy-sum", scipy_by_sum, "scipy", ("scipy", "scipy.stats"), ESTIMATE),
        apple("apple-clones", apple_clones),
        apple("apple-clones-step-100", partial(apple_clones, step=100)),
        apple("apple-closed-form", apple_closed_form),
        balle("blanket-hoeffding", partial(blanket, bound="Hoeffding")),
        balle("blanket-bennett", partial(blanket, bound="BennettExact")),
        su("decomposition", partial(decomposition, side="upper")),
        su("decomposition-lower", partial(decomposition, side="lower"), promise=LOWER),
        Accountant(
            "numerical-shuffler",
            numerical_shuffler,
            "DPBayes/numerical-shuffler-experiments",
            ("blankets_fig4", "numpy", "scipy.special"),
            ESTIMATE,
        ),
        Accountant(
            "variation-ratio",
            variation_ratio,
            "wangsw/PrivacyAmplification",
            ("unifiedamplification", "numpy", "scipy.stats"),
        ),
    )
}


def accountant_named(text: str) -> Accountant:
    """The accountant of this name, or FILE.py:FUNCTION.  *Raises* `InputError` for anything else."""
    if text in ACCOUNTANTS:
        return ACCOUNTANTS[text]
    path, _, name = text.rpartition(":")
    if not path.endswith(".py") or not Path(path).is_file() or not name.isidentifier():
        known = ", ".join(ACCOUNTANTS)
        raise InputError(
            f"accountant = {text} is not known: it must be FILE.py:FUNCTION, with a file, or one of {known}"
        )
    return Accountant(f"{Path(path).stem}:{name}", function_of(path, name), file=f"{Path(path).resolve()}:{name}")


def function_of(path: str, name: str) -> Adapter:
    """The function of a file.  *Raises* `InputError` where the file has none."""
    sys.path.insert(0, str(Path(path).resolve().parent))
    spec = spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} can't be imported")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Adapter | None = vars(module).get(name)
    if not callable(function):
        raise InputError(f"{Path(path).name} has no function {name}")
    return function
