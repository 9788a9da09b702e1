"""`panshuffle check`: replay a certificate, by `exact.check` or as a theorem of the proof kernel."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass

from exact.check import Claim, Data, Rejected, claims_of, contents, in_words, verdict
from exact.errors import InputError

REFUSED = 1


@dataclass(frozen=True)
class Replayed:
    """A claim in words, what became of it, why it was refused, and the theorem that Coq was asked to prove."""

    claim: str
    state: str
    reason: str | None = None
    theorem: str | None = None

    def __str__(self) -> str:
        return f"{self.state}: {self.claim}" + (f" ({self.reason})" if self.reason else "")


def run(args: argparse.Namespace) -> int:
    """Replays the file: 0 where it is accepted, 1 where it is not."""
    try:
        data = contents(args.file)
    except (OSError, ValueError) as problem:
        raise InputError(f"{args.file} can't be read ({type(problem).__name__})") from None
    accepted, lines, rows = in_the_kernel(data) if args.kernel else by_the_checker(data)
    print(json.dumps({"accepted": accepted, "claims": rows}) if args.json else "\n".join(lines))
    return 0 if accepted else REFUSED


def by_the_checker(data: bytes) -> tuple[bool, list[str], list[dict[str, str | None]]]:
    """What `exact.check` says."""
    accepted, lines = verdict(data)
    rows = [line.partition(": ") for line in lines]
    return accepted, lines, [asdict(Replayed(words, state)) for state, _, words in rows]


def in_the_kernel(data: bytes) -> tuple[bool, list[str], list[dict[str, str | None]]]:
    """What Coq says of each upper bound; a lower bound is no theorem about privacy, and is not replayed."""
    try:
        found = [replayed(claim, entry) for claim, entry in claims_of(data)]
    except Rejected as reason:
        found = [Replayed(str(reason), "rejected")]
    proved = [one.state == "proved in Coq" for one in found]
    accepted = any(proved) and all(one.state in ("proved in Coq", "not replayed") for one in found)
    return accepted, [str(one) for one in found], [asdict(one) for one in found]


def replayed(claim: Claim, entry: Data) -> Replayed:
    """What becomes of one claim.  *Raises* `InputError` where the kernel has no theorem of its kind."""
    from proofs.kernel.certificates import theorem_of
    from proofs.kernel.replay import proved
    from symbolic.decision import Status

    words = in_words(claim, entry)
    if not claim.upper:
        return Replayed(words, "not replayed", "a lower bound")
    theorem = theorem_of(claim, entry, words)
    answer = proved(theorem.source, theorem.modules)
    state = "proved in Coq" if answer.status is Status.PROVED else "refused"
    return Replayed(words, state, answer.witness, theorem.source)
