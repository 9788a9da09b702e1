"""Where results go: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import isfinite
from operator import index
from pathlib import Path
from typing import TextIO, TypeVar

from panshuffle.exact.errors import InputError, Undecided
from panshuffle.exact.real import Certified, Real

Item = TypeVar("Item")


@contextmanager
def destination(path: str | None) -> Iterator[TextIO]:
    """A text stream; a file is put in place at the end, in one step, and not at all after an error."""
    if path is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with writing(path), target.open("w", encoding="utf-8") as stream:
            yield stream
        return
    with writing(path):
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with writing(path):
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                yield stream
            Path(temporary).chmod(0o666 & ~current_umask())
            Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)


@contextmanager
def writing(path: str) -> Iterator[None]:
    """What goes wrong while a file is written, as one sentence."""
    try:
        yield
    except OSError as problem:
        raise InputError(f"{path}: the file can't be written ({problem.strerror})") from None


def read_text(path: str, most: int | None = None) -> str:
    """The text of a file that is not empty.  *Raises* `InputError` for one that can't be read, or has more bytes."""
    try:
        size = Path(path).stat().st_size
        if most is not None and size > most:
            raise InputError(f"{path}: the file has {size} bytes, more than {most}")
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: the file is not UTF-8 text (byte {problem.start})") from None
    except OSError as problem:
        raise InputError(f"{path}: the file can't be read ({problem.strerror})") from None
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    return text


@contextmanager
def located(place: str) -> Iterator[None]:
    """A place, such as a file, in front of what is wrong in it."""
    try:
        yield
    except (InputError, Undecided) as problem:
        raise InputError(f"{place}: {problem}") from None


def current_umask() -> int:
    """The process's file mode mask."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_place(path: str) -> None:
    """*Raises* `InputError` where no file can be put at the path."""
    target = Path(path).resolve()
    if target.is_dir():
        raise InputError(f"{path}: the file can't be written (Is a directory)")
    if target.is_file() or not target.exists():
        with writing(path), tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
            pass


def shows_progress() -> bool:
    """Whether somebody looks: the standard error is a terminal, and --quiet was not given."""
    return sys.stderr.isatty() and not os.environ.get("PANSHUFFLE_QUIET")


@contextmanager
def progress(what: str, total: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """A bar on the terminal if there is one and something to count: how to say what is done, and how to advance."""
    if total < 2 or not shows_progress():
        yield (lambda words: None), (lambda: None)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield (lambda words: bar.update(task, description=words[:60])), (lambda: bar.advance(task))


def with_progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items, with a progress bar on the terminal if there is one and there are several."""
    with progress(what, len(items)) as (_, advance):
        for item in items:
            yield item
            advance()


def jsonable(value: object) -> object:
    """A value as JSON: whole numbers stay whole, other exact reals become the nearest double, or text beyond them."""
    if isinstance(value, Real):
        if value.fraction is not None and value.fraction.denominator == 1:
            return value.fraction.numerator
        with suppress(OverflowError):
            if isfinite(float(value)):
                return float(value)
        return Certified.of(value).enclosure(17)[0]
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if hasattr(value, "__index__") and not isinstance(value, bool) and not hasattr(value, "tolist"):
        return index(value)
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    numpy = sys.modules.get("numpy")  # a value of NumPy's can't be there unless it is loaded
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return jsonable(value.tolist())
    return value
