"""The accountants: those of the folder, and a function of yours."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from crosscheck.court import accountants
from crosscheck.court.question import Question
from exact.errors import InputError

EXTRA = "pip install 'panshuffle[court]'"


@dataclass(frozen=True)
class Accountant:
    """Who is asked.  `reference` is a module of the folder, or FILE.py:FUNCTION."""

    name: str
    reference: str
    promise: str = "upper bound"
    package: str | None = None

    @property
    def own(self) -> bool:
        """Whether it is a function of the user."""
        return ".py:" in self.reference

    @property
    def version(self) -> str | None:
        """The version that is installed; None for one that is missing, and "yours" for a function."""
        if self.package is None:
            return "yours"
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return None

    def script(self, question: Question) -> str | None:
        """The program that puts the question to it; None where it can't be put."""
        if self.own:
            path, _, function = self.reference.rpartition(":")
            letters = dict(question.letters)
            return (
                f"import sys\nfrom types import SimpleNamespace\nsys.path.insert(0, {str(Path(path).parent)!r})\n"
                f"from {Path(path).stem} import {function}\n"
                f"question = SimpleNamespace(family={question.family!r}, letters={letters!r}, k={question.k}, "
                f"quantity={question.quantity!r}, at={question.at!r})\n"
                f"upper = {function}(question)\n"
            )
        found: str | None = adapter(self.reference).script(question)
        return found


def adapter(reference: str) -> Any:
    """The module of the folder."""
    return import_module(f"{accountants.__name__}.{reference}")


@lru_cache
def known() -> dict[str, Accountant]:
    """Every accountant of the folder, by name."""
    found = {}
    for module in sorted(pkgutil.iter_modules(accountants.__path__), key=lambda module: module.name):
        one = adapter(module.name)
        found[one.NAME] = Accountant(one.NAME, module.name, one.PROMISE, one.PACKAGE)
    return found


def accountant_of(text: str) -> Accountant:
    """The accountant of this name, or FILE.py:FUNCTION.  *Raises* `InputError` for anything else."""
    if ".py:" in text:
        path, _, function = text.rpartition(":")
        if not Path(path).is_file() or not function.isidentifier():
            raise InputError(f"accountant = {text} is not allowed: it must be FILE.py:FUNCTION with a file that exists")
        return Accountant(f"{Path(path).stem}:{function}", f"{Path(path).resolve()}:{function}")
    if text not in known():
        raise InputError(
            f"accountant = {text} is not known: it must be FILE.py:FUNCTION or one of {', '.join(known())}"
        )
    return known()[text]


def accountant_from(function: Callable[[Any], Any]) -> Accountant:
    """The accountant that is this function, which must stand at the top of a file.

    *Raises* `InputError` for any other function.
    """
    path = inspect.getsourcefile(function)
    if path is None or not path.endswith(".py") or not function.__qualname__.isidentifier():
        raise InputError(f"accountant = {function.__qualname__} is not allowed: it must stand at the top of a file")
    return accountant_of(f"{path}:{function.__qualname__}")


def function_of(reference: str) -> Callable[[Any], Any]:
    """The function FILE.py:FUNCTION.  *Raises* `InputError` where the file has none."""
    path, _, name = reference.rpartition(":")
    spec = spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} can't be imported")
    module: ModuleType = module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(f"{Path(path).name} has no function {name}")
    found: Callable[[Any], Any] = function
    return found
