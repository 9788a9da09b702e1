"""`panshuffle privacy`: the certified delta at an eps, or eps at a delta."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from panshuffle.parameters import Parameters, add_parameters

OWN = ("pmf", "randomizer")

if TYPE_CHECKING:
    from exact.curves.curve import View
    from panshuffle.questions import Choice
    from panshuffle.reading import Point


def add_view(parser: argparse.ArgumentParser) -> None:
    """The options that choose a part of the view."""
    group = parser.add_argument_group("what is seen")
    group.add_argument("--pool", action="store_true", help="one pool (one bin)")
    group.add_argument("--pair", action="store_true", help="both pools that a changed user touches (default)")
    group.add_argument("--direction", choices=("gain", "lose"), help="one direction of one pool (default: the worse)")
    group.add_argument("--holders", metavar="CA,CB", help="other holders of the two elements (default: the worst)")
    group.add_argument("--t", metavar="T", help="time of the intrusion (default: the worst)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    from panshuffle.reading_options import add_reading

    add_parameters(parser)
    add_reading(parser)
    add_view(parser)
    parser.add_argument("--tv", action="store_true", help="modular-sum: total variation from the ideal sum")
    parser.add_argument("--ones", metavar="H", help="modular-sum --tv: an input with H ones (default: the worst)")
    parser.add_argument("--digits", metavar="D", help="certified digits (default 10)")
    parser.add_argument("--certificate", metavar="FILE", help="write a certificate for python -m exact.check")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_file(parser)


def add_file(parser: argparse.ArgumentParser) -> None:
    """The option for what somebody brings along, in place of a protocol of the paper."""
    group = parser.add_argument_group("your own, with pmf or randomizer in place of PROTOCOL")
    group.add_argument("--file", metavar="FILE", help="pmf: a pair of laws; randomizer: a randomizer (needs --n)")


def choice_of(args: argparse.Namespace) -> Choice:
    """The part of the view that was chosen."""
    from exact.errors import InputError, ParameterError
    from panshuffle.questions import Choice

    if args.pool and args.pair:
        raise InputError("--pool and --pair exclude each other")
    t = None if args.t is None else Parameters("", {"t": args.t}).count("t", 0)
    if args.holders is None:
        return Choice(args.pool, args.pair, args.direction, None, t)
    parts = args.holders.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts) or len(parts) != 2 - args.pool:
        raise ParameterError("holders", args.holders, "C with --pool, and CA,CB otherwise (whole numbers)")
    return Choice(args.pool, args.pair, args.direction, tuple(int(part) for part in parts), t)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from panshuffle.questions import view_of
    from panshuffle.reading import digits_of, factor, paper_json, place_of, point_of, read, shown

    if args.protocol in OWN:
        return run_own(args)
    refuse_file(args)
    parameters = Parameters.of(args)
    if args.tv or args.ones is not None:
        return run_tv(args, parameters)
    point, digits, choice = point_of(args), digits_of(args.digits), choice_of(args)
    given = dict(parameters.given)
    view = view_of(parameters, choice)
    answer = read(view, point, digits)
    result: dict[str, Any] = {
        "protocol": args.protocol,
        "parameters": given | parameters.resolved,
        "quantity": point.quantity,
        **shown(answer, digits),
        "scope": view.scope,
        "kind": "upper bound" if view.upper_bound else "exact",
        "background": view.background_at(place_of(point, answer)),
        "paper": paper_json(view, point),
    }
    if args.certificate is not None:
        write_certificate(args, parameters, choice, view, digits)
    if args.json:
        print(json.dumps(result))
    else:
        print_answer(args, result, point, factor(view, point, answer), view.why)
    return 0


def refuse_file(args: argparse.Namespace) -> None:
    """*Raises* `InputError` for a file beside a protocol of the paper."""
    from exact.errors import InputError

    if args.file is not None:
        raise InputError(f"--file has no meaning for {args.protocol}: it belongs to {' and '.join(OWN)}")


def run_own(args: argparse.Namespace) -> int:
    """Runs the command on a file."""
    from panshuffle.own import own_of
    from panshuffle.reading import digits_of, place_of, point_of, read, shown

    point, digits = point_of(args), digits_of(args.digits)
    own = own_of(args)
    answer = read(own.view, point, digits)
    result: dict[str, Any] = {
        "protocol": args.protocol,
        "parameters": own.parameters,
        "quantity": point.quantity,
        **shown(answer, digits),
        "scope": own.view.scope,
        "kind": own.kind,
        "background": None,
    }
    bounded = not answer.infinite and result["upper"] != "inf"
    place = place_of(point, answer) if point.exp_eps is not None or bounded else None
    result |= own.worst_at(place) if place is not None else {}
    result["paper"] = None
    if args.json:
        print(json.dumps(result))
    else:
        print_own(args, result, point, own.view.why)
    return 0


def print_own(args: argparse.Namespace, result: dict[str, Any], point: Point, why: str) -> None:
    """The answer for a person."""
    print_value(args, result, point)
    print(f"covers {result['scope']} ({result['kind']})")
    if result.get("neighbours"):
        first, second = result["neighbours"]
        others = ", ".join(f"{count} hold {name}" for name, count in (result["background"] or {}).items())
        what = "worst" if result["kind"] == "exact" else "lower end from"
        print(f"{what}: {first} against {second}; of the others, {others or 'there are none'}")
    print(f"why: {why}")


def write_certificate(
    args: argparse.Namespace, parameters: Parameters, choice: Choice, view: View, digits: int
) -> None:
    """Writes what the answer claims in a form that needs nothing of ours but `exact.check`."""
    from exact.certificates.answers import certificate_of_delta, certificate_of_epsilon
    from exact.certificates.writer import Place
    from panshuffle.output import destination
    from panshuffle.questions import subject_of
    from panshuffle.reading import point_of, read

    subject, point = subject_of(parameters, choice), point_of(args)
    if point.exp_eps is not None:
        place = Place.of(point.exp_eps, args.at_eps)
        text = certificate_of_delta(subject, view, point.exp_eps, place, digits)
    elif point.delta is not None:
        text = certificate_of_epsilon(subject, view, point.delta, read(view, point, digits), digits)
    with destination(args.certificate) as stream:
        stream.write(text)


def print_answer(args: argparse.Namespace, result: dict[str, Any], point: Point, times: str | None, why: str) -> None:
    """The answer for a person."""
    print_value(args, result, point)
    print(f"covers {result['scope']} ({result['kind']})", end="")
    print(f", worst background {tuple(result['background'])}" if result["background"] else "")
    if result["paper"]:
        print(f"paper: {result['paper']['value']}" + (f", {times} times as much" if times else ""))
    else:
        print("paper: no bound at this point")
    print(f"why: {why}")


def print_value(args: argparse.Namespace, result: dict[str, Any], point: Point) -> None:
    """The line with the number."""
    place = args.at_delta or args.at_eps or f"log({args.at_exp_eps})"
    where = f"at {'delta' if point.exp_eps is None else 'eps'} = {place}"
    value = result["exact"] if result["exact"] is not None and len(result["exact"]) < 40 else None
    ends = f"[{result['lower']}, {result['upper']}]"
    print(f"{result['quantity']} {where}: {f'{value} = {ends}' if value not in (None, 'inf') else value or ends}")


def run_tv(args: argparse.Namespace, parameters: Parameters) -> int:
    """The total variation of P_MOD."""
    from exact.errors import InputError, ParameterError
    from exact.numbers.certified import Certified
    from exact.pairs.share_distance import share_tv, worst_share_tv
    from panshuffle.questions import fraction_taking_part
    from panshuffle.reading import digits_of, shown
    from panshuffle.recipes import record_of

    if args.certificate is not None:
        raise InputError("--certificate has no meaning for --tv")
    if parameters.protocol != "modular-sum" or not args.tv:
        raise InputError("--tv and --ones have a meaning for modular-sum --tv only")
    if (args.at_eps, args.at_exp_eps, args.at_delta) != (None, None, None):
        raise InputError("--tv and a point of the curve exclude each other")
    gamma = fraction_taking_part(parameters)
    record = record_of(parameters)
    users = (gamma * record.n).floor()
    if args.ones is not None:
        ones = Parameters("", {"ones": args.ones}).count("ones", 0)
        if ones > users:
            raise ParameterError("ones", ones, f"a whole number from 0 to {users}")
        value = share_tv(users, ones, record.m)
    else:
        value, ones = worst_share_tv(users, record.m)
    digits = digits_of(args.digits)
    result: dict[str, Any] = {"protocol": "modular-sum", "parameters": parameters.given, "quantity": "tv"}
    result |= {**shown(Certified.of(value), digits), "scope": "all inputs" if args.ones is None else "this pair"}
    result |= {"background": [ones], "paper": None}
    if args.json:
        print(json.dumps(result))
    else:
        print(f"total variation with {ones} ones: {result['exact']} = [{result['lower']}, {result['upper']}]")
    return 0
