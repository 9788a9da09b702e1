"""Pictures of privacy curves, drawn the same way every time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exact.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = tuple[str, str, str, str]


def draw_curve(path: str, protocol: str, parameters: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Draws delta over eps, with the paper's bound where there is one, into an SVG or PNG file.

    *Raises* `InputError` where matplotlib is missing or the file can't be written.
    """
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError:
        raise InputError("a picture needs matplotlib: install the extra panshuffle[plot]") from None
    mpl.rcParams["svg.hashsalt"] = "panshuffle"
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    eps = [float(row[0]) for row in rows]
    axes.plot(eps, [positive(row[2]) for row in rows], color="black", label="exact (certified)")
    if any(row[3] for row in rows):
        axes.plot(eps, [positive(row[3]) for row in rows], color="tab:orange", linestyle="--", label="paper's bound")
    axes.set_yscale("log")
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ (probability)")
    axes.set_title(f"{protocol}: " + ", ".join(f"{name} = {value}" for name, value in parameters.items()), fontsize=9)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    save(figure, path)
    plt.close(figure)


def positive(text: str) -> float:
    """A number to draw; what is absent or zero is left out."""
    return float(text) if text and float(text) > 0 else float("nan")


def save(figure: Figure, path: str) -> None:
    """Writes the picture beside its place and moves it there in one step."""
    target = Path(path)
    metadata = {"Date": None} if target.suffix == ".svg" else {"Software": None}
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
    except OSError as problem:
        raise InputError(f"{path}: the file can't be written ({problem.strerror})") from None
    try:
        figure.savefig(temporary, format=target.suffix[1:], metadata=metadata)
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
