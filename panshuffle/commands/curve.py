"""`panshuffle curve`: the certified curve of delta over eps, as CSV or as a picture."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from panshuffle.commands.privacy import OWN, add_file, add_view, choice_of, refuse_file
from panshuffle.parameters import Parameters, add_parameters

if TYPE_CHECKING:
    from exact.curves.curve import View
    from exact.numbers.real import Real

ENDINGS = (".csv", ".svg", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    add_view(parser)
    parser.add_argument("--from", dest="start", metavar="EPS", default="0", help="first eps (default 0)")
    parser.add_argument("--to", metavar="EPS", default="2", help="last eps (default 2)")
    parser.add_argument("--points", metavar="P", default="41", help="number of points (default 41)")
    parser.add_argument("--digits", metavar="D", help="certified digits (default 10)")
    parser.add_argument("-o", "--output", metavar="FILE", help="FILE.csv, FILE.svg or FILE.png (default: CSV, printed)")
    parser.add_argument("--json", action="store_true", help="print one JSON object with the rows")
    add_file(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    import json

    from exact.errors import InputError
    from panshuffle.output import destination
    from panshuffle.reading import digits_of

    if args.output is not None and not args.output.endswith(ENDINGS):
        raise InputError(f"output = {args.output} is not allowed: output must end in .csv, .svg or .png")
    digits, grid = digits_of(args.digits), grid_of(args)
    view, given = own_view(args) if args.protocol in OWN else protocol_view(args)
    rows = rows_of(view, grid, digits)
    if args.output is not None and not args.output.endswith(".csv"):
        from panshuffle.figure import draw_curve

        draw_curve(args.output, args.protocol, given, rows)
    elif args.json:
        keys = ("eps", "lower", "upper", "paper")
        table = [dict(zip(keys, row, strict=True)) for row in rows]
        print(json.dumps({"protocol": args.protocol, "parameters": given, "scope": view.scope, "rows": table}))
    else:
        with destination(args.output) as stream:
            stream.write("eps,lower,upper,paper\n")
            stream.writelines(",".join(row) + "\n" for row in rows)
    return 0


def protocol_view(args: argparse.Namespace) -> tuple[View, dict[str, str]]:
    """The view of a protocol of the paper, and its parameters as they were given."""
    from panshuffle.questions import view_of

    refuse_file(args)
    parameters = Parameters.of(args)
    given = dict(parameters.given)
    return view_of(parameters, choice_of(args)), given


def own_view(args: argparse.Namespace) -> tuple[View, dict[str, str]]:
    """The view of what is in --file, and its parameters."""
    from panshuffle.own import own_of

    own = own_of(args)
    return own.view, own.parameters


def grid_of(args: argparse.Namespace) -> list[Real]:
    """The eps to read at, as exact numbers."""
    from exact.errors import ParameterError
    from panshuffle.reading import number

    start, stop = number("from", args.start), number("to", args.to)
    points = Parameters("", {"points": args.points}).count("points", 2)
    if not start >= 0:
        raise ParameterError("from", args.start, "a finite number, at least 0")
    if not stop > start:
        raise ParameterError("to", args.to, "above --from")
    if points > 10_000:
        raise ParameterError("points", points, "at most 10000")
    return [start + (stop - start) * i / (points - 1) for i in range(points)]


def rows_of(view: View, grid: list[Real], digits: int) -> list[tuple[str, str, str, str]]:
    """eps, lower, upper and the paper's bound at each point."""
    from exact.numbers.certified import Certified
    from exact.numbers.real import exp
    from panshuffle.output import with_progress
    from panshuffle.reading import Point, paper_of

    rows = []
    for eps in with_progress(grid, "curve"):
        lower, upper = view.curve.delta(exp(eps)).enclosure(digits)
        bound = paper_of(view, Point(exp(eps), None))
        paper = "" if bound is None else Certified.of(bound).enclosure(6)[1]
        rows.append((Certified.of(eps).enclosure(12)[0], lower, upper, paper))
    return rows
