"""Pictures of privacy curves and of bounds, drawn the same way every time."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from panshuffle.exact.errors import InputError
from panshuffle.line_plot import EXACT, PAPER, Line, draw
from panshuffle.output import destination

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = tuple[str, str, str, str]


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
    figure.savefig(stream, format="svg", metadata=dict.fromkeys(left_out), bbox_inches="tight", transparent=True)
    pyplot().close(figure)
    text = stream.getvalue()
    return text[text.index("<svg") :]


def curve_figure(protocol: str, parameters: Mapping[str, object], rows: Sequence[Row]) -> Figure:
    """Delta over eps, with the paper's bound where there is one.  *Raises* `InputError` where matplotlib is missing."""
    figure, axes = pyplot().subplots(figsize=(6.4, 4.0))
    lines = [Line("exact (certified)", tuple((float(x), number(low), number(high)) for x, low, high, _ in rows))]
    if any(row[3] for row in rows):
        lines.append(Line("the paper's bound", tuple((float(x), number(p), number(p)) for x, _, _, p in rows), PAPER))
    draw(axes, lines, log_x=False, log_y=True)
    axes.set_xlabel("ε (nats)")
    axes.set_ylabel("δ (probability)")
    axes.set_title(f"{protocol}: " + ", ".join(f"{name} = {value}" for name, value in parameters.items()), fontsize=9)
    found: Figure = figure
    return found


def draw_rows(
    path: str, title: str, what: str, letter: str, labels: Sequence[str], rows: Sequence[Sequence[int | str]]
) -> None:
    """Draws an exact value and two bounds over a letter, on logarithmic axes, into an SVG or PNG file.

    A row has the letter, both ends of the exact value and the bounds, as decimals; what is absent is empty and left
    out.  *Raises* `InputError` where matplotlib is missing or the file can't be written.
    """
    lines = []
    for label, low, high, kind in zip(labels, (1, 3, 4), (2, 3, 4), (EXACT, PAPER, PAPER), strict=True):
        drawn = [(float(row[0]), str(row[low] or row[high]), str(row[high])) for row in rows if row[high]]
        lines.append(Line(label, tuple((x, number(lower), number(upper)) for x, lower, upper in drawn), kind))
    figure, axes = pyplot().subplots(figsize=(6.4, 4.4))
    draw(axes, lines, log_x=True, log_y=True)
    axes.set_xlabel(letter)
    axes.set_ylabel(what.partition(",")[0], fontsize=9)
    axes.set_title(f"{title}\n{what}", fontsize=8)
    save(figure, path)


def number(text: str) -> float:
    """A number to draw; what is absent is none."""
    return float(text) if text else float("nan")


def save(figure: Figure, path: str) -> None:
    """Writes a picture into an SVG or PNG file, in one step, and closes it.  *Raises* `InputError`."""
    ending = Path(path).suffix
    with destination(path) as stream:
        metadata = {"Date": None} if ending == ".svg" else {"Software": None}
        figure.savefig(stream.buffer, format=ending[1:], metadata=metadata, bbox_inches="tight")
    pyplot().close(figure)
