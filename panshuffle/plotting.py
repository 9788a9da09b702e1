"""Pictures, drawn the same way every time: curves, bounds, and figures of the report.

Exact values are black, with both ends; the paper's bounds are orange and dashed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from panshuffle.exact.errors import InputError
from panshuffle.output import destination

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EXACT, PAPER = "exact", "paper"
COLOURS = {"exact": "#1c1d21", "paper": "#b35806", "second": "#2166ac", "third": "#5e3c99"}
INK, GRID = "#2b2d33", "#c9cad1"
DASHES = {"exact": ("-", "-", "-"), "paper": ("--", "-.", ":")}
MARKS = {"exact": "o", "paper": "s", "second": "^", "third": "d"}
THEMED = {
    COLOURS["exact"]: "var(--exact)", COLOURS["paper"]: "var(--bound)", COLOURS["second"]: "var(--other)",
    COLOURS["third"]: "var(--third)", INK: "currentColor", GRID: "var(--line)",
    # kept in rows: with one entry a line the table can't be seen at once
}  # fmt: skip
"""The colours by the names that a page's style sheet gives them, for light, dark and paper."""
NEAREST = 0.065
"""Labels at the ends of lines are at least this part of the picture's height apart."""
MOST_TICKS = 6
Points = tuple[str, str, str, str]
"""A point of a curve: eps, both ends of delta, and the paper's bound, empty where there is none."""


@dataclass(frozen=True)
class Line:
    """A line: its label, its points (x, lower end, upper end), and whether it is exact or the paper's."""

    label: str
    points: tuple[tuple[float, float, float], ...]
    kind: str = EXACT


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


def draw(axes: Axes, lines: Sequence[Line], log_x: bool, log_y: bool) -> None:
    """Draws the lines with labels at their ends; between two ends of an enclosure that differ it is filled."""
    axes.set_xscale("log" if log_x else "linear")
    axes.set_yscale("log" if log_y else "linear")
    seen = {EXACT: 0, PAPER: 0}
    ends: list[tuple[float, float, str, str]] = []
    for line in lines:
        points = [(x, low, high) for x, low, high in line.points if isfinite(high) and (high > 0 or not log_y)]
        if not points:
            continue
        name = PAPER if line.kind == PAPER else ("exact", "second", "third")[min(seen[EXACT], 2)]
        dash = DASHES[line.kind][min(seen[line.kind], 2)]
        seen[line.kind] += 1
        xs, lows, highs = zip(*points, strict=True)
        axes.plot(xs, highs, color=COLOURS[name], linestyle=dash, marker=MARKS[name], markersize=3.5, linewidth=1.6)
        if any(low < high * 0.98 for low, high in zip(lows, highs, strict=True)):
            axes.plot(xs, lows, color=COLOURS[name], linestyle=":", linewidth=1.2)
            axes.fill_between(xs, lows, highs, color=COLOURS[name], alpha=0.15, linewidth=0)
        last = -1 if xs[-1] >= xs[0] else 0
        ends.append((xs[last], highs[last], line.label, COLOURS[name]))
    finish(axes)
    label_ends(axes, ends)


def finish(axes: Axes) -> None:
    """The frame: few ticks, a quiet grid, no box."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, NullLocator

    for axis, scale in ((axes.xaxis, axes.get_xscale()), (axes.yaxis, axes.get_yscale())):
        if scale == "log":
            low, high = axis.get_view_interval()
            narrow = low > 0 and log10(high / low) < 2
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,), numticks=MOST_TICKS))
            axis.set_minor_locator(NullLocator())
            axis.set_minor_formatter(NullFormatter())
            if narrow and high < 1e5 and low > 1e-3:
                axis.set_major_formatter("{x:g}")
        else:
            axis.set_major_locator(MaxNLocator(MOST_TICKS))
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(INK)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    axes.title.set_color(INK)


def label_ends(axes: Axes, ends: Sequence[tuple[float, float, str, str]]) -> None:
    """A label beside the right end of each line, moved apart where they would collide."""
    axes.autoscale_view()
    heights = [
        (axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1], text, colour)
        for x, y, text, colour in ends
    ]
    lowest = -1.0
    for height, text, colour in sorted(heights):
        lowest = max(height, lowest + NEAREST)
        axes.annotate(
            text, (1.02, lowest), xycoords="axes fraction", color=colour, fontsize=9, va="center", annotation_clip=False
        )


def ratios(axes: Axes, lines: Sequence[Line]) -> None:
    """How many times the paper's bound is above the exact value, at the first, the middle and the last point."""
    exact = next((line for line in lines if line.kind == EXACT), None)
    paper = next((line for line in lines if line.kind == PAPER), None)
    if exact is None or paper is None:
        return
    bounds = {x: high for x, _, high in paper.points}
    common = [(x, high, bounds[x]) for x, _, high in exact.points if x in bounds and high > 0 and bounds[x] > 2 * high]
    for x, low, high in {common[i] for i in (0, len(common) // 2, len(common) - 1)} if common else ():
        times = high / low
        text = f"{times:,.0f}×" if times < 1e5 else f"10^{log10(times):.0f}×"
        axes.annotate(text, (x, (low * high) ** 0.5), color=INK, fontsize=9, ha="center", va="center")


def themed(svg: str) -> str:
    """A picture whose colours are those of the page that it stands on."""
    found = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, name in THEMED.items():
        found = found.replace(colour, name)
    return found


def curve_svg(protocol: str, parameters: Mapping[str, object], rows: Sequence[Points]) -> str:
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


def curve_figure(protocol: str, parameters: Mapping[str, object], rows: Sequence[Points]) -> Figure:
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
    path: str, title: str, what: str, parameter: str, labels: Sequence[str], rows: Sequence[Sequence[int | str]]
) -> None:
    """Draws an exact value and two bounds over a parameter, on logarithmic axes, into an SVG or PNG file.

    A row has the parameter, both ends of the exact value and the bounds, as decimals; what is absent is empty and left
    out.  *Raises* `InputError` where matplotlib is missing or the file can't be written.
    """
    lines = []
    for label, low, high, kind in zip(labels, (1, 3, 4), (2, 3, 4), (EXACT, PAPER, PAPER), strict=True):
        drawn = [(float(row[0]), str(row[low] or row[high]), str(row[high])) for row in rows if row[high]]
        lines.append(Line(label, tuple((x, number(lower), number(upper)) for x, lower, upper in drawn), kind))
    figure, axes = pyplot().subplots(figsize=(6.4, 4.4))
    draw(axes, lines, log_x=True, log_y=True)
    axes.set_xlabel(parameter)
    axes.set_ylabel(what.partition(",")[0], fontsize=9)
    axes.set_title(f"{title}\n{what}", fontsize=8)
    save(figure, path)


def number(text: str | None) -> float:
    """A number to draw; what is absent is none."""
    return float(text) if text else float("nan")


def save(figure: Figure, path: str) -> None:
    """Writes a picture into an SVG or PNG file, in one step, and closes it.  *Raises* `InputError`."""
    ending = Path(path).suffix
    with destination(path) as stream:
        metadata = {"Date": None} if ending == ".svg" else {"Software": None}
        figure.savefig(stream.buffer, format=ending[1:], metadata=metadata, bbox_inches="tight")
    pyplot().close(figure)
