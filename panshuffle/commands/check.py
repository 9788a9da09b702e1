"""`panshuffle check`: replay a certificate, by `exact.check` or as a theorem of the proof kernel."""

from __future__ import annotations

import argparse
import json

from panshuffle.exact.check import Claim, Data, Rejected, claims_of, contents, in_words, verdict
from panshuffle.exact.errors import InputError

REFUSED = 1
PROVED, LEFT = "proved in Coq", "not replayed"


Row = dict[str, str | None]
"""A claim in words, what became of it, why it was refused, and the theorem that Coq was asked to prove."""


def run(args: argparse.Namespace) -> int:
    """Replays the file: 0 where it is accepted, 1 where it is not."""
    try:
        data = contents(args.file)
    except (OSError, ValueError) as problem:
        raise InputError(f"{args.file} can't be read ({type(problem).__name__})") from None
    accepted, rows = in_the_kernel(data) if args.kernel else by_the_checker(data)
    if args.json:
        print(json.dumps({"accepted": accepted, "claims": rows}))
    else:
        print("\n".join("{state}: {claim}".format(**row) + f" ({row['reason']})" * bool(row["reason"]) for row in rows))
    return 0 if accepted else REFUSED


def row_of(claim: str, state: str, reason: str | None = None, theorem: str | None = None) -> Row:
    """What became of a claim."""
    return {"claim": claim, "state": state, "reason": reason, "theorem": theorem}


def by_the_checker(data: bytes) -> tuple[bool, list[Row]]:
    """What `exact.check` says."""
    accepted, lines = verdict(data)
    return accepted, [row_of(words, state) for state, _, words in (line.partition(": ") for line in lines)]


def in_the_kernel(data: bytes) -> tuple[bool, list[Row]]:
    """What Coq says of each upper bound; a lower bound is no theorem about privacy, and is not replayed."""
    try:
        found = replayed(list(claims_of(data)))
    except Rejected as reason:
        found = [row_of(str(reason), "rejected")]
    states = [row["state"] for row in found]
    return PROVED in states and set(states) <= {PROVED, LEFT}, found


def replayed(claims: list[tuple[Claim, Data]]) -> list[Row]:
    """What becomes of the claims.  *Raises* `InputError` where the kernel has no theorem of one's kind."""
    from panshuffle.proofs.kernel.certificates import theorem_of
    from panshuffle.proofs.kernel.replay import proved
    from panshuffle.symbolic.decision import Status

    words = [in_words(claim, entry) for claim, entry in claims]
    theorems = {
        said: theorem_of(claim, entry, said) for said, (claim, entry) in zip(words, claims, strict=True) if claim.upper
    }
    answers = dict(zip(theorems, proved(list(theorems.values())) if theorems else [], strict=True))
    states = {said: PROVED if answer.status is Status.PROVED else "refused" for said, answer in answers.items()}
    return [
        row_of(said, states[said], answers[said].witness, theorems[said].source)
        if said in theorems
        else row_of(said, LEFT, "a lower bound")
        for said in words
    ]
