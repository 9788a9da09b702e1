"""Pictures of privacy curves and of bounds, drawn the same way every time."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exact.errors import InputError
from panshuffle.line_plot import PAPER, Line, draw
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


def draw_bounds(path: str, title: str, what: str, paper: str, rows: Sequence[BoundRow]) -> None:
    """Draws the paper's bound, the exact value and the lower bound of Figure 1 over k into an SVG or PNG file.

    *Raises* `InputError` where matplotlib is missing or the file can't be written.
    """
    lines = (
        Line("exact (certified)", points([(row.k, row.lower, row.upper) for row in rows])),
        Line(paper, points([(row.k, row.paper, row.paper) for row in rows]), PAPER),
        Line("Figure 1, constant 1", points([(row.k, row.figure_1, row.figure_1) for row in rows]), PAPER),
    )
    draw_lines(path, title, what, "k", lines)


def draw_amplification(path: str, title: str, what: str, rows: Sequence[PeerRow]) -> None:
    """Draws both certified ends of eps and the published closed forms over n into an SVG or PNG file.

    *Raises* as `draw_bounds`.
    """
    lines = (
        Line("certified, both ends", points([(row.n, row.lower, row.upper) for row in rows])),
        Line("Feldman et al. (2021), Thm 3.1", points([(row.n, row.clones, row.clones) for row in rows]), PAPER),
        Line("Balle et al. (2019), Thm 3.1", points([(row.n, row.blanket, row.blanket) for row in rows]), PAPER),
    )
    draw_lines(path, title, what, "n", lines)


def points(rows: Sequence[tuple[int, str, str]]) -> tuple[tuple[float, float, float], ...]:
    """Points of a line from decimals; what is absent is left out."""
    return tuple((float(x), number(low or high), number(high)) for x, low, high in rows if high)


def draw_lines(path: str, title: str, what: str, letter: str, lines: Sequence[Line]) -> None:
    """Draws lines on logarithmic axes into an SVG or PNG file."""
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
