"""Pictures of the tables of studies: lines beside the paper's bounds, or heat maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, isfinite, log10, nan
from typing import TYPE_CHECKING, Any

from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real
from panshuffle.plotting import COLOURS, finish, number, pyplot, save
from panshuffle.study.table import FIRST, LAST, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS, MOST_LINES, MOST_CELLS = 48, 8, 150
FEWEST_FOR_HEAT = 3
PALETTE = [COLOURS[name] for name in ("exact", "second", "third")]
PALETTE += ["#1b7837", "#8c2d04", "#01665e", "#762a83", "#525252"]
"""Of exact values; the paper's bounds have a colour of their own."""
MOST_NAMED = 8
"""An axis has the values as they were written where they are few."""
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Panel:
    """The rows of one picture: those of one protocol and one kind of answer."""

    title: str
    rows: Sequence[Row]
    varying: Sequence[str]
    heat: bool


def draw_table(path: str, title: str, rows: Sequence[Row], how: str | None = None) -> None:
    """Draws one picture a protocol into an SVG or PNG file.

    One parameter that varies gives a line.  Two give a heat map, or lines where the paper has a bound to compare with
    or one of them has two values only.  More give a picture for each choice of the others.

    *Raises* `InputError` where nothing can be drawn.
    """
    panels = panels_of(rows, how)
    if not panels:
        raise InputError("nothing can be drawn: no parameter varies among the rows that have a number")
    if len(panels) > MOST_PANELS:
        raise InputError(f"the table has {len(panels)} pictures, at most {MOST_PANELS} fit: draw a smaller study")
    columns = min(3, len(panels))
    shape = (ceil(len(panels) / columns), columns)
    size = (5.2 * columns, 3.9 * shape[0])
    figure, axes = pyplot().subplots(*shape, figsize=size, layout="constrained", squeeze=False)
    for place, panel in zip(axes.flat, panels, strict=False):
        (draw_heat if panel.heat else draw_lines)(figure, place, panel)
    for place in list(axes.flat)[len(panels) :]:
        place.set_axis_off()
    figure.suptitle(title, fontsize=11)
    save(figure, path)


def panels_of(rows: Sequence[Row], how: str | None) -> list[Panel]:
    """The pictures that the table gives: two parameters in one, the others beside each other."""
    numbers = [row for row in rows if isfinite(number(row["upper"]))]
    found: list[Panel] = []
    for (_, names), group in grouped(numbers, lambda row: (tuple(row[name] for name in KINDS), given(row))):
        varying = varying_in(group, names)
        fixed = [name for name in names if name not in varying[:2]]
        for _, part in grouped(group, lambda row, fixed=fixed: tuple(row[name] for name in fixed)):
            if varying:
                found.append(Panel(title_of(part[0], fixed), part, varying[:2], is_heat(part, varying, how)))
    return found


KINDS = (*FIRST, "answer")


def given(row: Row) -> tuple[str, ...]:
    """The parameters that a row has."""
    return tuple(name for name, value in row.items() if value is not None and name not in FIRST + LAST)


def title_of(row: Row, fixed: Sequence[str]) -> str:
    """What a picture shows."""
    parts = [name if row[name] == "true" else f"{name} = {row[name]}" for name in fixed]
    return "\n".join([f"{row['quantity']} {row['protocol']}: {row['answer']}", *([", ".join(parts)] if parts else [])])


def grouped(rows: Sequence[Row], key: Callable[..., Key]) -> list[tuple[Key, list[Row]]]:
    """The rows by a key, in the order of its first use."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.items())


def varying_in(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The parameters that take several values, the one with the most values first."""
    counts = {name: len({row[name] for row in rows}) for name in names}
    return sorted((name for name in names if counts[name] > 1), key=lambda name: -counts[name])


def is_heat(rows: Sequence[Row], varying: Sequence[str], how: str | None) -> bool:
    """Whether the rows are drawn as a heat map."""
    if how is not None or len(varying) < 2:
        return how == "heat" and len(varying) >= 2
    no_paper = not any(row["paper"] for row in rows)
    return no_paper and all(len({row[name] for row in rows}) >= FEWEST_FOR_HEAT for name in varying[:2])


def draw_lines(figure: Figure, axes: Axes, panel: Panel) -> None:
    """The exact value over the parameter with the most values, a line for each choice of the others."""
    along, *others = panel.varying
    lines = grouped(panel.rows, lambda row: tuple(row[name] for name in others))
    ticks = positions(panel.rows, along)
    for i, (values, rows) in enumerate(lines[:MOST_LINES]):
        label = ", ".join(f"{name} = {value}" for name, value in zip(others, values, strict=True)) or "exact"
        points = sorted(
            (ticks[row[along]], *(number(row[name]) for name in ("lower", "upper", "paper"))) for row in rows
        )
        x, lower, upper, paper = zip(*points, strict=True)
        colour = PALETTE[i % len(PALETTE)]
        axes.plot(x, upper, color=colour, marker=".", label=label)
        axes.fill_between(x, lower, upper, color=colour, alpha=0.15, linewidth=0)
        if any(isfinite(value) for value in paper):
            axes.plot(x, paper, color=COLOURS["paper"], linestyle="--", marker="s", markersize=2.5, linewidth=1.2)
    left = f" ({len(lines) - MOST_LINES} more lines are not drawn)" if len(lines) > MOST_LINES else ""
    heights = [number(row[name]) for row in panel.rows for name in ("upper", "paper")]
    axes.set_yscale("log" if is_wide(heights) else "linear")
    axes.set_xscale("log" if is_wide(list(ticks.values())) else "linear")
    finish(axes)
    if len(ticks) <= MOST_NAMED:
        axes.set_xticks(list(ticks.values()), [str(value) for value in ticks], fontsize=7)
        axes.set_xticks([], minor=True)
    axes.set_xlabel(along)
    dashed = ", dashed: the paper's" if any(row["paper"] for row in panel.rows) else ""
    axes.set_title(f"{panel.title}{dashed}{left}", fontsize=8)
    axes.legend(fontsize=7)


def draw_heat(figure: Figure, axes: Axes, panel: Panel) -> None:
    """The exact value over two parameters, with its number in each cell where there is room."""
    across, up = panel.varying[:2]
    columns, lines = (list(positions(panel.rows, name)) for name in (across, up))
    cells = [[nan] * len(columns) for _ in lines]
    for row in panel.rows:
        cells[lines.index(row[up])][columns.index(row[across])] = number(row["upper"])
    values = [value for line in cells for value in line if isfinite(value)]
    logarithmic = is_wide(values)
    shades = [[log10(value) if logarithmic and isfinite(value) else value for value in line] for line in cells]
    known = [shade for line in shades for shade in line if isfinite(shade)]
    middle = (min(known) + max(known)) / 2
    image = axes.imshow(shades, origin="lower", aspect="auto", cmap="viridis")
    figure.colorbar(image, ax=axes, label="log10" if logarithmic else None)
    if len(columns) * len(lines) <= MOST_CELLS:
        for j, line in enumerate(cells):
            for i, value in enumerate(line):
                colour = "black" if shades[j][i] > middle else "white"
                text = "" if not isfinite(value) else f"{value:.3g}" if 0.01 <= abs(value) < 1e5 else f"{value:.1e}"
                axes.text(i, j, text, ha="center", va="center", fontsize=5, color=colour)
    axes.set_xticks(range(len(columns)), [str(value) for value in columns], fontsize=7)
    axes.set_yticks(range(len(lines)), [str(value) for value in lines], fontsize=7)
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(panel.title, fontsize=8)


def positions(rows: Sequence[Row], name: str) -> dict[str | None, float]:
    """Where each value of a parameter lies: at its number, or in turn where one of them is no number."""
    values = list(dict.fromkeys(row[name] for row in rows))
    places = {value: place(value) for value in values}
    if not all(isfinite(place) for place in places.values()):
        return {value: float(place) for place, value in enumerate(values)}
    return dict(sorted(places.items(), key=lambda item: item[1]))


def place(text: str | None) -> float:
    """Where a value lies that was typed: nan where it is no number."""
    try:
        return nan if text is None else float(real(text))
    except (InputError, ArithmeticError):
        return nan


def is_wide(values: Sequence[float]) -> bool:
    """Whether numbers are positive and spread over more than a factor of ten."""
    known = [value for value in values if isfinite(value)]
    return bool(known) and min(known) > 0 and max(known) > 10 * min(known)
