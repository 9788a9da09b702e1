"""The accountants: those of the folder, and a function of yours."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module, metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from subprocess import CalledProcessError, run
from typing import Any

from panshuffle.crosscheck.court import accountants
from panshuffle.crosscheck.court.family import Case
from panshuffle.exact.errors import InputError

EXTRA = "pip install 'panshuffle[court]'"
UPPER_BOUND, ESTIMATE = "upper bound", "estimate"


@dataclass(frozen=True)
class Checkout:
    """Code that is on no package index: the name it has on the command line, its repository, and a file of it."""

    name: str
    repository: str
    file: str

    @property
    def address(self) -> str:
        """Its repository for a sentence, which is no link."""
        return self.repository.removeprefix("https://")

    def check(self, folder: str) -> None:
        """*Raises* `InputError` where a folder is no checkout of it."""
        if not (Path(folder) / self.file).is_file():
            raise InputError(
                f"checkout = {self.name}={folder} is not allowed: it must be a folder with {self.file}, "
                f"such as a clone of {self.repository}"
            )


@dataclass(frozen=True)
class Accountant:
    """Who is asked.  `script` gives the program that puts a case to it, or None where that can't be put.

    `imports` are the modules that the programs need, `package` their distribution on PyPI, and `file` that of a
    function of the user, which has no package; `checkout` is the code of those that are in a repository only, and
    `folder` where that is.  `documented` says where its own documentation promises what it is judged by, and `note`
    what a reader of its rulings should know.
    """

    name: str
    script: Callable[[Case], str | None]
    imports: tuple[str, ...] = ()
    package: str | None = None
    promise: str = UPPER_BOUND
    file: str | None = None
    checkout: Checkout | None = None
    folder: str | None = None
    documented: str = ""
    note: str = ""

    @property
    def version(self) -> str | None:
        """The version, or the commit; None for one that is missing, and "yours" for a function."""
        if self.checkout is not None:
            return None if self.folder is None else commit_of(self.folder)
        if self.package is None:
            return "yours"
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return None

    @property
    def reference(self) -> str:
        """The text by which another process finds it."""
        if self.folder is not None:
            return f"{self.name}@{self.folder}"
        return self.name if self.file is None else f"{self.file}:{self.name.rpartition(':')[2]}"

    @property
    def how_to_get(self) -> str:
        """How a person gets one that is missing."""
        if self.checkout is None:
            return EXTRA
        return f"git clone {self.checkout.repository}, then --checkout {self.checkout.name}=FOLDER"


def commit_of(folder: str) -> str:
    """The first digits of the commit that a folder holds; "no commit" where git can't say."""
    try:
        asked = run(
            ["git", "-C", folder, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=True
        )
    except (OSError, CalledProcessError):
        return "no commit"
    return asked.stdout.strip()


@cache
def known() -> dict[str, Accountant]:
    """Every accountant of the folder, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(accountants.__path__))
    modules = [import_module(f"{accountants.__name__}.{name}") for name in names]
    return {one.name: one for module in modules for one in module.ACCOUNTANTS}


def accountant_of(text: str) -> Accountant:
    """The accountant of this name, or FILE.py:FUNCTION.  *Raises* `InputError` for anything else."""
    if ".py:" in text:
        path, _, function = text.rpartition(":")
        if not Path(path).is_file() or not function.isidentifier():
            raise InputError(f"accountant = {text} is not allowed: it must be FILE.py:FUNCTION with a file that exists")
        file = Path(path).resolve()
        return Accountant(f"{file.stem}:{function}", lambda case: program_of(file, function, case), file=str(file))
    name, _, folder = text.partition("@")
    if folder and name in known():
        return replace(known()[name], folder=folder)
    if text not in known():
        raise InputError(
            f"accountant = {text} is not known: it must be FILE.py:FUNCTION or one of {', '.join(known())}"
        )
    return known()[text]


def with_checkouts(found: Iterable[Accountant], given: Iterable[str]) -> list[Accountant]:
    """The accountants, those of a repository with the folder that NAME=FOLDER names.

    *Raises* `InputError` for a name that no repository has, and for a folder that is none.
    """
    names = {one.checkout.name: one.checkout for one in known().values() if one.checkout is not None}
    folders = {}
    for text in given:
        name, sign, folder = text.partition("=")
        if not sign or name not in names:
            raise InputError(
                f"checkout = {text} is not allowed: it must be NAME=FOLDER, NAME one of {', '.join(names)}"
            )
        names[name].check(folder)
        folders[name] = str(Path(folder).resolve())
    return [replace(one, folder=folders.get(one.checkout.name)) if one.checkout else one for one in found]


def program_of(file: Path, function: str, case: Case) -> str:
    """The program that puts a case to a function of the user."""
    return (
        f"import sys\nfrom types import SimpleNamespace\nsys.path.insert(0, {str(file.parent)!r})\n"
        f"from {file.stem} import {function}\n"
        f"question = SimpleNamespace(family={case.family.name!r}, letters={dict(case.letters)!r}, k={case.k}, "
        f"quantity={case.quantity!r}, at={case.at!r})\n"
        f"upper = {function}(question)\n"
    )


def accountant_from(function: Callable[[Any], object]) -> Accountant:
    """The accountant that is this function, which must stand at the top of a file.

    *Raises* `InputError` for any other function.
    """
    path = inspect.getsourcefile(function)
    if path is None or not path.endswith(".py") or not function.__qualname__.isidentifier():
        raise InputError(f"accountant = {function.__qualname__} is not allowed: it must stand at the top of a file")
    return accountant_of(f"{path}:{function.__qualname__}")


def function_of(reference: str) -> Callable[[object], object]:
    """The function FILE.py:FUNCTION.  *Raises* `InputError` where the file has none."""
    path, _, name = reference.rpartition(":")
    spec = spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} can't be imported")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[[object], object] | None = vars(module).get(name)
    if not callable(function):
        raise InputError(f"{Path(path).name} has no function {name}")
    return function
