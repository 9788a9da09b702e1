"""The paper's bounds against the truth: a table and figures, each number with the command that gives it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exact.numbers.certified import Certified
from panshuffle.figure import pyplot
from panshuffle.report.asking import ask, value_of
from panshuffle.report.markup import Markup, joined, prose, table, tag

Points = Sequence[tuple[float, float]]

TIGHT = (
    ("coins of the binomial mechanism", "calibrate binomial --at-eps 1 --at-delta 1e-6"),
    ("noise of the pan-private sum", "calibrate pan-sum --at-eps 1 --at-delta 1e-6"),
    ("noise of the pan-private histogram", "calibrate pan-histogram --k 100 --at-eps 1 --at-delta 1e-6"),
    ("noise of P_UT, k = 100", "calibrate uniformity --k 100 --at-eps 1 --at-delta 1e-6"),
    (
        "noise of P_UT with half of the users dropped",
        "calibrate uniformity --k 100 --at-eps 1 --at-delta 1e-6 --gamma 1/2",
    ),
    ("noise bit of P^zsum, n = 10,000", "calibrate binary-sum --n 10000 --at-eps 1 --at-delta 1e-6"),
    ("eps of P_DE, n = 100", "privacy distinct-elements --n 100 --k 10 --eps 1 --delta 1e-6 --at-delta 1e-5"),
    ("eps of P_UT at the printed lam, k = 100", "privacy uniformity --k 100 --eps 1 --delta 1e-6 --at-delta 1e-6"),
    ("delta of the binomial mechanism, l = 1,359", "privacy binomial --l 1359 --at-eps 1"),
)


@dataclass(frozen=True)
class Figure:
    """A picture: its title, axes, lines (label, points) and the commands behind it."""

    slug: str
    title: str
    x: str
    y: str
    lines: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    commands: tuple[str, ...]
    log_x: bool = False
    log_y: bool = True


def tight_table() -> Markup:
    """Least noise and true privacy loss beside what the paper's bounds ask for."""
    rows = []
    for words, command in TIGHT:
        answer = ask(command)
        paper = answer["paper"]
        rows.append([prose(words), value_of(answer), paper["value"] if paper else "no bound here", code(command)])
    header = ["what", "exact (certified)", "the paper's bound", "command"]
    return table(header, rows, "Tight values beside the paper's bounds")


def code(command: str) -> Markup:
    """A command line."""
    return tag("code", f"panshuffle {command}")


def number(answer: dict[str, Any], key: str = "upper") -> float:
    """An end of an enclosure as a number to draw."""
    return float(answer[key])


def paper_number(answer: dict[str, Any]) -> float | None:
    """The paper's value as a number to draw."""
    return float(answer["paper"]["value"]) if answer["paper"] else None


def line(label: str, xs: Sequence[str], commands: Sequence[str], read: Callable[[dict[str, Any]], float | None]) -> Any:
    """A line through what the commands answer; absent values are left out."""
    points = [(to_float(x), read(ask(command))) for x, command in zip(xs, commands, strict=True)]
    return label, tuple((x, y) for x, y in points if y is not None)


def to_float(text: str) -> float:
    """A number in exact notation, to draw."""
    from exact.numbers.grammar import parse

    return float(parse(text))


def figures() -> Iterator[Figure]:
    """All figures, one by one."""
    yield curve_figure()
    yield noise_over_eps()
    yield noise_over_delta()
    yield shares_figure()
    yield robustness_figure()
    yield power_figure()


def curve_figure() -> Figure:
    """The privacy curve of P_UT at the printed lam, and the paper's point."""
    xs = [f"{i}/10" for i in range(1, 11)]
    base = "privacy uniformity --k 100 --lam 400"
    commands = [f"{base} --at-eps {x}" for x in xs]
    return Figure(
        "curve",
        "Privacy curve of P_UT with λ = 400, and what is proved in the paper for two pools",
        "ε (nats)",
        "δ (probability)",
        (line("exact (certified)", xs, commands, number), line("the paper's bound", xs, commands, paper_number)),
        (f"{base} --at-eps X",),
    )


def noise_over_eps() -> Figure:
    """The least l over eps."""
    xs = ["1/10", "1/5", "2/5", "3/5", "4/5", "1", "3/2", "2"]
    commands = [f"calibrate binomial --at-eps {x} --at-delta 1e-6" for x in xs]
    return Figure(
        "noise-eps",
        "Coins that the binomial mechanism needs, δ = 10⁻⁶",
        "ε (nats)",
        "coins ℓ",
        (line("least (certified)", xs, commands, number), line("the paper's bound", xs, commands, paper_number)),
        ("calibrate binomial --at-eps X --at-delta 1e-6",),
        log_x=True,
    )


def noise_over_delta() -> Figure:
    """The least lam of P_UT over delta, with and without dropouts."""
    xs = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-8", "1e-10", "1e-12"]
    base = "calibrate uniformity --k 100 --at-eps 1 --at-delta"
    full, half = [f"{base} {x}" for x in xs], [f"{base} {x} --gamma 1/2" for x in xs]
    return Figure(
        "noise-delta",
        "Noise that P_UT needs for ε = 1, k = 100",
        "δ (probability)",
        "λ (expected noise bits a pool)",
        (
            line("least (certified)", xs, full, number),
            line("least, half of the users dropped", xs, half, number),
            line("the paper's bound", xs, full, paper_number),
        ),
        (f"{base} X", f"{base} X --gamma 1/2"),
        log_x=True,
    )


def shares_figure() -> Figure:
    """The least m of P_MOD over N, for several sigma."""
    xs = ["2", "3", "4", "6", "8", "12", "16", "24", "32", "64"]
    lines, commands = [], []
    for sigma in (10, 20, 40):
        asked = [f"calibrate modular-sum --n {x} --sigma {sigma}" for x in xs]
        lines.append(line(f"σ = {sigma}", xs, asked, number))
        commands.append(f"calibrate modular-sum --n X --sigma {sigma}")
    title = "Messages a user sends so that the shares hide all but the parity up to 2 to the power −σ"
    return Figure("shares", title, "users N", "least m", tuple(lines), tuple(commands), log_x=True, log_y=False)


def robustness_figure() -> Figure:
    """eps of P_DE when only a fraction gamma takes part."""
    xs = ["1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10", "1"]
    base = "privacy distinct-elements --n 20 --k 10 --eps 1 --delta 1e-6 --at-delta 1e-5"
    commands = [f"{base} --gamma {x}" for x in xs]
    return Figure(
        "robustness",
        "ε of P_DE at δ = 10⁻⁵ when a fraction γ of 20 users takes part",
        "γ (fraction of users)",
        "ε (nats)",
        (line("exact (certified)", xs, commands, number), line("the paper's bound", xs, commands, paper_number)),
        (f"{base} --gamma X",),
        log_y=False,
    )


def power_figure() -> Figure:
    """How often the tester answers "not uniform"."""
    xs = ["50", "100", "150", "200", "300", "400", "600"]
    base = "accuracy uniformity --k 20 --lam 100 --m"
    lines, commands = [], []
    for label, rest in (
        ("repaired, far (α = 1/4)", "--paired 1/4"),
        ("repaired, uniform", "--uniform"),
        ("as printed, far (α = 1/4)", "--paired 1/4 --as-printed --alpha 1/4"),
        ("as printed, uniform", "--uniform --as-printed --alpha 1/4"),
    ):
        lines.append(line(label, xs, [f"{base} {x} {rest}" for x in xs], number))
        commands.append(f"{base} X {rest}")
    title = "Probability that the tester answers “not uniform”, k = 20, λ = 100"
    return Figure("power", title, "m (expected samples)", "probability", tuple(lines), tuple(commands), log_y=False)


STYLES = (("#1b1b1b", "-", "o"), ("#b35806", "--", "s"), ("#2166ac", ":", "^"), ("#5e3c99", "-.", "d"))


def drawn(figure: Figure) -> Markup:
    """The figure as SVG with its data and its commands."""
    plt = pyplot()
    picture, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for (label, points), (colour, dash, mark) in zip(figure.lines, STYLES, strict=False):
        if points:
            xs, ys = zip(*points, strict=True)
            axes.plot(xs, ys, color=colour, linestyle=dash, marker=mark, markersize=4, label=label)
    axes.set_xscale("log" if figure.log_x else "linear")
    axes.set_yscale("log" if figure.log_y else "linear")
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8)
    stream = io.StringIO()
    picture.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(picture)
    svg = inlined(stream.getvalue(), figure)
    caption = tag("figcaption", figure.title)
    return tag("figure", caption, svg, data_table(figure), id=f"figure-{figure.slug}")


def inlined(text: str, figure: Figure) -> Markup:
    """The picture without its file header and metadata, with names that are unique on the page."""
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    for mark in ('id="', "url(#", 'href="#'):
        body = body.replace(mark, f"{mark}{figure.slug}-")
    return Markup(body.replace("<svg ", f'<svg role="img" aria-label="{figure.title}" ', 1))


def data_table(figure: Figure) -> Markup:
    """The points of a figure, and the commands that give them, folded."""
    rows = [[label, f"{x:g}", f"{y:.10g}"] for label, points in figure.lines for x, y in points]
    asked = joined([tag("p", code(command)) for command in figure.commands])
    inside = table(["line", figure.x, figure.y], rows, f"Data: {figure.title}")
    return tag("details", tag("summary", "the numbers, and the commands that give them"), asked, inside)


def figure_1() -> Markup:
    """The cells of the paper's Figure 1 with numbers."""
    from exact.accuracy.figure1 import FIGURE_1
    from exact.numbers.real import real

    rows = []
    for cell in FIGURE_1:
        values = [cell.value(k, real(1), real("1e-6"), real("1/4")) for k in (100, 10_000)]
        shown = [Certified.of(value).enclosure(4)[1] for value in values]
        rows.append([cell.task, cell.model, cell.kind, *shown, link(cell.slug)])
    header = ["task", "model", "bound", "k = 100", "k = 10,000", "statement"]
    return table(
        header, rows, "Figure 1 with ε = 1, δ = 10⁻⁶, α = 1/4 and the constant 1 wherever the paper has O or Ω"
    )


def link(slug: str) -> Markup:
    """A link to a statement."""
    return tag("a", slug, href=f"#{slug}")
