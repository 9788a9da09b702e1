"""`panshuffle export`: the exact pair of laws behind an answer, as JSON or CSV."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from panshuffle.commands.privacy import choice_of
from panshuffle.parameters import Parameters, add_parameters

if TYPE_CHECKING:
    from exact.curves.law_pair import LawPair
    from exact.numbers.real import Real
    from panshuffle.questions import Choice

ENDINGS = (".json", ".csv")
ONES = "the number of ones"
BOUNDS = {
    "pan-distinct-elements": "distinct-elements",
    "pan-uniformity": "uniformity",
}
NEED_HOLDERS = ("distinct-elements", "hashed-distinct-elements", "two-bit-sum")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    group = parser.add_argument_group("what is seen")
    group.add_argument("--pool", action="store_true", help="one pool (one bin)")
    group.add_argument("--pair", action="store_true", help="both pools that a changed user touches (default)")
    group.add_argument("--direction", choices=("gain", "lose"), help="which law is upper: default gain, one more")
    group.add_argument("--holders", metavar="CA,CB", help="other holders of the two elements (or of 1 in each pool)")
    parser.add_argument("--digits", metavar="D", help="write enclosures of so many digits (default: exact if rational)")
    parser.add_argument("-o", "--output", metavar="FILE", help="FILE.json or FILE.csv (default: CSV, printed)")
    parser.add_argument("--json", action="store_true", help="print JSON, or what was written, instead")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from exact.curves.pair_text import csv_of_pair, json_of_pair
    from exact.errors import InputError
    from panshuffle.output import destination
    from panshuffle.reading import digits_of

    if args.output is not None and not args.output.endswith(ENDINGS):
        raise InputError(f"output = {args.output} is not allowed: output must end in .json or .csv")
    args.t = None
    parameters, choice = Parameters.of(args), choice_of(args)
    given = dict(parameters.given)
    digits = None if args.digits is None else digits_of(args.digits)
    pair, outcome = pair_of(parameters, choice, digits)
    pair = pair.swapped() if choice.direction == "lose" else pair
    about = about_of(parameters.protocol, given, choice, outcome)
    as_json = args.json if args.output is None else args.output.endswith(".json")
    with destination(args.output) as stream:
        stream.write(json_of_pair(pair, about) if as_json else csv_of_pair(pair))
    if args.output is not None:
        print_written(args, pair, about)
    return 0


def print_written(args: argparse.Namespace, pair: LawPair, about: dict[str, Any]) -> None:
    """What was written, for a person or as JSON."""
    kind = "exact" if pair.is_exact else "enclosure"
    if args.json:
        print(json.dumps(about | {"output": args.output, "outcomes": len(pair.outcomes), "kind": kind}))
    else:
        print(f"{args.output}: {len(pair.outcomes)} outcomes ({about['outcome']}), {kind} masses")


def about_of(protocol: str, given: dict[str, str], choice: Choice, outcome: str) -> dict[str, Any]:
    """Where a pair comes from."""
    about: dict[str, Any] = {"protocol": protocol, "parameters": given, "outcome": outcome}
    about |= {"direction": choice.direction or "gain"}
    return about | ({} if choice.holders is None else {"background": list(choice.holders)})


def pair_of(parameters: Parameters, choice: Choice, digits: int | None) -> tuple[LawPair, str]:
    """The pair of laws of a protocol's view, and what its outcomes are.  *Raises* `InputError` where there is none."""
    from exact.errors import InputError
    from panshuffle.questions import fill_in, fraction_taking_part
    from panshuffle.recipes import record_of
    from panshuffle.views import innermost

    check(parameters.protocol, choice)
    gamma = fraction_taking_part(parameters)
    fill_in(parameters, choice)
    record = record_of(parameters)
    inner = innermost(record)
    if 1 in (getattr(record, "k", 2), getattr(inner, "k", 2)):
        raise InputError("with k = 1 no two neighbours differ: there is no pair to export")
    if parameters.protocol == "geometric-distinct-elements" and record.n == 1:
        raise InputError("with n = 1 no two neighbours differ: there is no pair to export")
    return laws_of(parameters.protocol, inner, gamma, choice, digits)


def check(protocol: str, choice: Choice) -> None:
    """*Raises* `InputError` for a part of a view that the protocol does not have, or a pair that is not one."""
    from exact.errors import InputError
    from panshuffle.questions import WITH_POOLS

    if protocol in BOUNDS:
        raise InputError(
            f"the answer for {protocol} is a bound, not one pair of laws: export {BOUNDS[protocol]} instead"
        )
    if (choice.pool or choice.pair) and protocol not in WITH_POOLS:
        raise InputError(
            f"--{'pool' if choice.pool else 'pair'} has no meaning for {protocol}, whose view has no pools"
        )
    if choice.holders is None and protocol in NEED_HOLDERS:
        raise InputError(f"{protocol} needs --holders: a pair of laws has one background")
    if choice.holders is not None and protocol not in NEED_HOLDERS:
        raise InputError(f"--holders has no meaning for {protocol}")


def laws_of(protocol: str, r: Any, gamma: Real, choice: Choice, digits: int | None) -> tuple[LawPair, str]:
    """The pair of laws, and what its outcomes are."""
    from exact.numbers.real import HALF
    from exact.parameters import honest_users
    from exact.views import pair_tables as exported

    pool, holders = choice.pool, choice.holders or ()
    both = ONES if pool else f"{ONES} in the pool that gains, and in the one that loses"
    if protocol == "binomial":
        return exported.binomial_pair(r.l, r.p, True, digits), "the output less f"
    if protocol == "pan-sum":
        return exported.binomial_pair(r.lam, HALF, True, digits), "the state less the sum of the others' bits"
    if protocol == "pan-histogram":
        return exported.binomial_pair(r.lam, HALF, pool, digits), both
    if protocol in ("uniformity", "compressed-uniformity"):
        counts = "ones and zeros less the others'"
        return exported.poisson_pair(gamma * r.lam / 2, pool, digits), counts if pool else f"{counts}, in either pool"
    if protocol == "randomized-or":
        return exported.or_pair(r.eps), "the output"
    if protocol == "geometric-distinct-elements":
        return exported.geometric_pair(r.eps), "the output less the number of distinct elements"
    users = honest_users(r.n, gamma)
    if protocol in ("binary-sum", "shuffle-histogram"):
        one = protocol == "binary-sum" or pool
        return exported.binomial_pair(users, r.p, one, digits), (ONES if one else both) + ", less the others'"
    if protocol == "modular-sum":
        return exported.share_pair(users, r.m, digits), f"{ONES}, where all others hold 0"
    if protocol == "two-bit-sum":
        return exported.two_bit_pair(users, r.p, holders, pool, digits), ONES if pool else f"{ONES} in each pool"
    check_two(r.k, users, holders)
    return exported.parity_pair(users, r.m, 1 - 2 * r.p_prime, holders, pool, digits), both


def check_two(k: int, users: int, holders: tuple[int, ...]) -> None:
    """*Raises* `ParameterError` for two elements of which somebody holds neither."""
    from exact.errors import ParameterError

    if k == 2 and len(holders) == 2 and sum(holders) != users - 1:
        raise ParameterError("holders", f"{holders[0]},{holders[1]}", f"two counts with sum {users - 1} (k = 2)")
