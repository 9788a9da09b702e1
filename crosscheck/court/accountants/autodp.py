"""autodp: Renyi accounting, as its tutorials compose mechanisms, and the analytical Fourier accountant."""

from __future__ import annotations

from panshuffle.crosscheck.court.accountant import ESTIMATE, Accountant
from panshuffle.crosscheck.court.families import discrete_gaussian, gaussian, randomized_response
from panshuffle.crosscheck.court.family import DELTA, Case

PACKAGE = "autodp"
IMPORTS = ("autodp.mechanism_zoo", "autodp.transformer_zoo")
MECHANISMS = {
    gaussian.FAMILY: "GaussianMechanism({sigma!r}{options})",
    discrete_gaussian.FAMILY: "DiscreteGaussianMechanism({sigma!r}{options})",
    randomized_response.FAMILY: "RandresponseMechanism(1 - {p!r}{options})",
}


def program(case: Case, composition: str = "Composition", options: str = "") -> str | None:
    """The program with one of autodp's ways to compose."""
    if case.family not in MECHANISMS:
        return None
    method = "approx_delta" if case.quantity == DELTA else "approxDP"
    mechanism = MECHANISMS[case.family].format(**dict(case.letters), options=options)
    return (
        f"from autodp.mechanism_zoo import {mechanism.partition('(')[0]}\n"
        f"from autodp.transformer_zoo import {composition}\n"
        f"law = {composition}()([{mechanism}], [{case.k}])\n"
        f"upper = law.{method}({case.at!r})\n"
    )


def by_characteristic_functions(case: Case) -> str | None:
    """The program of the analytical Fourier accountant."""
    if case.family not in (gaussian.FAMILY, randomized_response.FAMILY):
        return None
    return program(case, "ComposeAFA", ", phi_off=False")


SCIPY = (
    "Its eps of Gaussian noise is negative from scipy 1.10 on, whose minimize_scalar heeds the bounds it is given; "
    "with scipy 1.9.3 the same calls give 2.9210 for sigma = 5, 10 times, at delta = 1e-6 (the truth is 2.9216)."
)
ACCOUNTANTS = (
    Accountant("autodp", program, IMPORTS, PACKAGE),
    Accountant("autodp-phi", by_characteristic_functions, IMPORTS, PACKAGE, ESTIMATE, note=SCIPY),
)
