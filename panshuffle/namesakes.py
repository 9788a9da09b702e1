"""Our packages beside a project's own modules of the same names, as somebody's `exact.py` or folder `crosscheck`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

PACKAGES = ("exact", "symbolic", "protocols", "proofs", "crosscheck")
ROOT = Path(__file__).resolve().parent.parent


def found_at(name: str) -> str | None:
    """The file that `import name` gives at this moment, loaded or not."""
    module = sys.modules.get(name)
    if module is not None:
        return module.__file__
    spec = PathFinder.find_spec(name)
    return None if spec is None else spec.origin


def shadowed() -> dict[str, str]:
    """The packages of ours that another module hides, and its file."""
    files = {name: found_at(name) for name in PACKAGES}
    ours = {name: (ROOT / name / "__init__.py").resolve() for name in PACKAGES}
    return {name: file for name, file in files.items() if file is not None and Path(file).resolve() != ours[name]}


@contextmanager
def our_packages() -> Iterator[None]:
    """Imports in the block find our packages; after it, hidden names belong to the project again.

    *Raises* `ImportError`, one sentence, where ours can't be loaded beside the project's.
    """
    hidden = shadowed()
    if not hidden:
        yield
        return
    theirs = modules_of(hidden)
    for name in theirs:
        del sys.modules[name]
    sys.path.insert(0, str(ROOT))
    try:
        yield
    except ImportError as problem:
        name, file = next(iter(hidden.items()))
        raise ImportError(f"panshuffle can't load its package {name} beside {file}, which has its name") from problem
    finally:
        sys.path.remove(str(ROOT))
        for name in modules_of(hidden):
            if name in theirs or offered(name, hidden):
                del sys.modules[name]
        sys.modules.update(theirs)


def modules_of(names: dict[str, str]) -> dict[str, ModuleType]:
    """The loaded modules with these names and below them."""
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] in names}


def offered(name: str, hidden: dict[str, str]) -> bool:
    """Whether the project has a module of this name; what it does not have stays loaded, for our own later imports."""
    top, _, rest = name.partition(".")
    folder = Path(hidden[top])
    return not rest or (
        folder.name == "__init__.py" and PathFinder.find_spec(rest.partition(".")[0], [str(folder.parent)]) is not None
    )
