"""Where results go: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from exact.errors import InputError
from exact.real import Real

Item = TypeVar("Item")


@contextmanager
def destination(path: str | None) -> Iterator[TextIO]:
    """A text stream; a file is put in place at the end, in one step, and not at all after an error."""
    if path is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as problem:
        raise InputError(f"{path}: the file can't be written ({problem.strerror})") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            yield stream
        Path(temporary).chmod(0o666 & ~current_umask())
        Path(temporary).replace(target)
    except OSError as problem:
        raise InputError(f"{path}: the file can't be written ({problem.strerror})") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def current_umask() -> int:
    """The process's file mode mask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def with_progress(items: Sequence[Item], what: str) -> Iterable[Item]:
    """The items, with a progress bar on the terminal if there is one and there are several."""
    if len(items) < 2 or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, description=what, console=Console(stderr=True), transient=True)


def jsonable(value: Any) -> Any:
    """A value as JSON: whole numbers stay whole, other exact reals become the nearest double."""
    if isinstance(value, Real):
        exact = value.fraction
        return exact.numerator if exact is not None and exact.denominator == 1 else float(value)
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    return value
