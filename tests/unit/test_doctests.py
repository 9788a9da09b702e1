"""The examples in docstrings."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import panshuffle
from panshuffle import crosscheck, exact, proofs, protocols, symbolic


def modules(package):
    """A package's modules, those with a main program left out."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [module.name for module in found if not module.name.endswith("__main__")]


@pytest.mark.parametrize("package", [panshuffle, exact, symbolic, protocols, proofs, crosscheck])
def test_examples_in_docstrings(package):
    results = [doctest.testmod(import_module(name)) for name in modules(package)]
    assert sum(result.attempted for result in results)
    assert not sum(result.failed for result in results)
