"""`panshuffle accuracy`: the exact error of a protocol, or the probability of the tester's answer."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from panshuffle.parameters import Parameters, add_parameters

if TYPE_CHECKING:
    from panshuffle.accuracy_questions import Answer

SAMPLES = ("uniform", "paired", "p")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_parameters(parser)
    group = parser.add_argument_group("what is asked (--alpha A: the probability of an error above A, or 'paper')")
    group.add_argument("--beta", metavar="B", help="the least alpha whose probability of failure is at most B")
    group.add_argument("--distinct", metavar="D", help="number of distinct elements (default: the worst)")
    group.add_argument("--corrected", action="store_true", help="distinct-elements: unbiased with dropouts, too")
    group.add_argument("--raw", action="store_true", help="sums and histograms: the output as it is, not de-biased")
    samples = parser.add_argument_group("the testers: the distribution of the samples (or --p P1,P2,...)")
    samples.add_argument("--uniform", action="store_true", help="the uniform distribution")
    samples.add_argument("--paired", metavar="ALPHA", help="(1 + 2 ALPHA)/k and (1 - 2 ALPHA)/k in turn")
    samples.add_argument("--fixed", metavar="N", help="shuffle testers: exactly N samples in place of Pois(m)")
    parser.add_argument("--digits", metavar="D", help="certified digits (default 10)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from panshuffle.reading import digits_of

    parameters, digits = Parameters.of(args), digits_of(args.digits)
    answer = answer_of(args, parameters)
    parameters.finish()
    result: dict[str, Any] = {"protocol": args.protocol, "parameters": echoed(args, parameters)}
    result |= {"quantity": answer.quantity, **numbers(answer, digits), "scope": answer.scope, **answer.more}
    if answer.alpha is not None and args.alpha == "paper":
        result["alpha"] = shown_at(answer, digits)
    result["paper"] = paper_of(answer)
    if args.json:
        print(json.dumps(result))
    else:
        print_answer(args, result, answer)
    return 0


def answer_of(args: argparse.Namespace, parameters: Parameters) -> Answer:
    """The answer.  *Raises* `InputError` for options that the protocol does not have."""
    from exact.errors import InputError
    from panshuffle.accuracy_questions import QUESTIONS
    from panshuffle.accuracy_tester import TESTERS

    name = args.protocol
    if name not in QUESTIONS and name not in TESTERS:
        raise InputError(f"{name} has no error law here: accuracy knows {', '.join((*QUESTIONS, *TESTERS))}")
    refused = {
        "distinct": args.distinct is not None and not name.endswith("distinct-elements"),
        "corrected": args.corrected and name != "distinct-elements",
        "raw": args.raw and not name.endswith(("-sum", "-histogram", "binomial")),
        "uniform": args.uniform and name not in TESTERS,
        "paired": args.paired is not None and name not in TESTERS,
        "beta": args.beta is not None and name in TESTERS,
        "fixed": args.fixed is not None and name not in ("uniformity", "compressed-uniformity"),
    }
    for option, given in refused.items():
        if given:
            raise InputError(f"--{option} has no meaning for {name}")
    if name in TESTERS:
        return TESTERS[name](args, parameters)
    parameters.has("alpha")
    return QUESTIONS[name](args, parameters)


def echoed(args: argparse.Namespace, parameters: Parameters) -> dict[str, Any]:
    """What was given."""
    more = {
        name: getattr(args, name) for name in ("beta", "distinct", "paired", "fixed") if getattr(args, name) is not None
    }
    flags = {name: True for name in ("corrected", "raw", "uniform") if getattr(args, name)}
    given = {name: text if name != "as-printed" else True for name, text in parameters.given.items()}
    return {**given, **more, **flags}


def numbers(answer: Answer, digits: int) -> dict[str, Any]:
    """lower, upper and exact of the answer."""
    from exact.numbers.certified import Certified
    from panshuffle.reading import shown

    if answer.ends is None:
        return shown(answer.value, digits)
    low, high = (Certified.of(end).enclosure(digits) for end in answer.ends)
    return {"lower": low[0], "upper": high[1], "exact": None}


def shown_at(answer: Answer, digits: int) -> dict[str, Any]:
    """The alpha of `--alpha paper`, as numbers."""
    from exact.numbers.certified import Certified
    from panshuffle.reading import shown

    return shown(Certified.of(answer.alpha or 0), digits)


def paper_of(answer: Answer) -> dict[str, Any] | None:
    """The paper's bound, rounded up, and what the ledger says of it."""
    from exact.numbers.certified import Certified
    from panshuffle.ledger import verdict_of

    if answer.paper is None or not answer.slug:
        return None
    value = Certified.of(answer.paper).enclosure(6)[1]
    return {"value": value, "slug": answer.slug, "verdict": verdict_of(answer.slug)}


def print_answer(args: argparse.Namespace, result: dict[str, Any], answer: Answer) -> None:
    """The answer for a person."""
    exact = result["exact"] if result["exact"] is not None and len(result["exact"]) < 40 else None
    ends = f"[{result['lower']}, {result['upper']}]"
    shown = exact if exact is not None and exact == result["lower"] else f"{exact} = {ends}" if exact else ends
    print(f"{heading(args, result, answer)}: {shown}")
    where = f", worst at D = {result['distinct']}" if "distinct" in result and args.distinct is None else ""
    print(f"covers {result['scope']}{where}")
    if "bias" in result:
        print(f"bias: [{result['bias']['lower']}, {result['bias']['upper']}]")
    if "tau" in result:
        print(f"threshold: {result['tau']}...")
    paper = result["paper"]
    print(
        f"paper: {paper['value']} ({paper['slug']}: {paper['verdict']})" if paper else "paper: no bound at this point"
    )
    print(f"why: {answer.why}")


def heading(args: argparse.Namespace, result: dict[str, Any], answer: Answer) -> str:
    """What the number is."""
    if answer.quantity == "beta":
        place = f"{args.alpha} = {result['alpha']['lower']}..." if "alpha" in result else args.alpha
        return f"P[|error| > alpha] at alpha = {place}"
    return f"least alpha at beta = {args.beta}" if answer.quantity == "alpha" else answer.quantity
