"""`panshuffle calibrate`: the least noise that meets a target, with both witnesses."""

from __future__ import annotations

import argparse
import json
from typing import Any

from panshuffle.parameters import Parameters, add_parameters
from panshuffle.reading_options import add_reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    add_reading(parser)
    group = parser.add_argument_group("what is seen")
    group.add_argument("--pool", action="store_true", help="one pool (one bin)")
    group.add_argument("--pair", action="store_true", help="both pools that a changed user touches (default)")
    parser.add_argument("--real", action="store_true", help="a real lambda as an enclosure (Poisson noise)")
    parser.add_argument("--sigma", metavar="S", help="modular-sum: the least m with total variation below 2^-S")
    parser.add_argument("--digits", metavar="D", help="certified digits (default 10)")
    parser.add_argument("--certificate", metavar="FILE", help="write both witnesses for python -m exact.check")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from exact.errors import InputError
    from exact.numbers.certified import MOST_DIGITS
    from panshuffle.output import destination
    from panshuffle.reading import digits_of, shown
    from panshuffle.unknowns import BOUND, certificate, paper, solve

    parameters = Parameters.of(args)
    if args.pool and args.pair:
        raise InputError("--pool and --pair exclude each other")
    given = dict(parameters.given)
    digits = digits_of(args.digits)
    unknown, found, note = solve(args, parameters, digits)
    result: dict[str, Any] = {"protocol": args.protocol, "parameters": given, "quantity": unknown}
    result |= shown(found.value, digits)
    more = digits if found.value.exact is not None else min(digits + 8, MOST_DIGITS)
    result["meets"] = shown(found.meets, more)
    result["fails"] = None if found.fails is None else shown(found.fails, more)
    kind = "upper bound" if note == BOUND else "exact"
    result |= {"scope": "all neighbours", "kind": kind, "paper": paper(args, unknown, parameters), "note": note}
    if args.certificate is not None:
        text = certificate(args, given, unknown, found, digits)
        with destination(args.certificate) as stream:
            stream.write(text)
    if args.json:
        print(json.dumps(result))
        return 0
    value = result["exact"] or f"[{result['lower']}, {result['upper']}]"
    print(f"{unknown} = {value}")
    print(f"meets: delta in [{result['meets']['lower']}, {result['meets']['upper']}]")
    if result["fails"]:
        what = "the bound at the next value is above the target" if kind == "upper bound" else "the next value fails"
        print(f"{what}: delta in [{result['fails']['lower']}, {result['fails']['upper']}]")
    if result["paper"]:
        print(f"paper: {unknown} = {result['paper']['value']}")
    print(note)
    return 0
