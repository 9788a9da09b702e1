"""Pictures of privacy curves and of bounds, drawn the same way every time."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exact.errors import InputError
from panshuffle.output import destination

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = tuple[str, str, str, str]


class BoundRow(NamedTuple):
    """One k: the enclosure of the exact value, the paper's bound and the figure's, as decimals, empty where absent."""

    k: int
    lower: str
    upper: str
    paper: str
    figure_1: str


class PeerRow(NamedTuple):
    """One n: the certified ends of eps at delta, and two published closed forms, as decimals, empty where absent."""

    n: int
    lower: str
    upper: str
    clones: str
    blanket: str


def pyplot() -> Any:
    """The drawing module, set up to draw the same way every time.  *Raises* `InputError` where it is missing."""
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError:
        raise InputError("a picture needs matplotlib: install the extra panshuffle[plot]") from None
    mpl.rcParams["svg.hashsalt"] = "panshuffle"
    return plt


def curve_svg(protocol: str, parameters: Mapping[str, object], rows: Sequence[Row]) -> str:
    """The same picture as SVG text, for a notebook; empty where matplotlib is missing."""
    try:
        figure = curve_figure(protocol, parameters, rows)
    except InputError:
        return ""
    return svg_of(figure, "Date")


def svg_of(figure: Figure, *left_out: str) -> str:
    """A picture as SVG text without a file's header and some of its metadata; it is closed."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata=dict.fromkeys(left_out))
    pyplot().close(figure)
    text = stream.getvalue()
    return text[text.index("<svg") :]


def curve_figure(protocol: str, parameters: Mapping[str, object], rows: Sequence[Row]) -> Figure:
    """Delta over eps, with the paper's bound where there is one.  *Raises* `InputError` where matplotlib is missing."""
    figure, axes = pyplot().subplots(figsize=(6.4, 4.0), layout="constrained")
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
    found: Figure = figure
    return found


def draw_bounds(path: str, title: str, what: str, paper: str, rows: Sequence[BoundRow]) -> None:
    """Draws the paper's bound, the exact value and the lower bound of Figure 1 over k into an SVG or PNG file.

    *Raises* `InputError` where matplotlib is missing or the file can't be written.
    """
    lines = (
        ([row.paper for row in rows], "tab:orange", "--", paper),
        ([row.upper for row in rows], "black", "-", "exact (certified)"),
        ([row.figure_1 for row in rows], "tab:blue", ":", "lower bound of Figure 1, with constant 1"),
    )
    draw_lines(path, title, what, ("k", [row.k for row in rows]), lines)


def draw_amplification(path: str, title: str, what: str, rows: Sequence[PeerRow]) -> None:
    """Draws both certified ends of eps and the published closed forms over n into an SVG or PNG file.

    *Raises* as `draw_bounds`.
    """
    lines = (
        ([row.clones for row in rows], "tab:orange", "--", "Feldman, McMillan, Talwar (2021), Theorem 3.1"),
        ([row.blanket for row in rows], "tab:blue", ":", "Balle, Bell, Gascón, Nissim (2019), Theorem 3.1"),
        ([row.upper for row in rows], "black", "-", "certified, upper end"),
        ([row.lower for row in rows], "tab:gray", "-.", "certified, lower end"),
    )
    draw_lines(path, title, what, ("n", [row.n for row in rows]), lines)


Line = tuple[list[str], str, str, str]
"""The values as decimals, the colour, the style and the label."""


def draw_lines(path: str, title: str, what: str, axis: tuple[str, list[int]], lines: Sequence[Line]) -> None:
    """Draws lines on logarithmic axes into an SVG or PNG file."""
    figure, axes = pyplot().subplots(figsize=(6.4, 4.4), layout="constrained")
    letter, places = axis
    for texts, colour, style, label in lines:
        if any(texts):
            axes.plot(
                places, [positive(text) for text in texts], color=colour, linestyle=style, marker=".", label=label
            )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(letter)
    axes.set_ylabel(what.partition(",")[0], fontsize=9)
    axes.set_title(f"{title}\n{what}", fontsize=8)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8)
    save(figure, path)


def positive(text: str) -> float:
    """A number to draw; what is absent or zero is left out."""
    return float(text) if text and float(text) > 0 else float("nan")


def save(figure: Figure, path: str) -> None:
    """Writes a picture into an SVG or PNG file, in one step, and closes it.  *Raises* `InputError`."""
    ending = Path(path).suffix
    with destination(path) as stream:
        figure.savefig(
            stream.buffer, format=ending[1:], metadata={"Date": None} if ending == ".svg" else {"Software": None}
        )
    pyplot().close(figure)
