"""Replays a certificate with the standard library only: `python -m exact.check FILE`.

A file holds claims, "delta of this protocol is at most (at least) this at this eps", each with a witness.  The law is
derived here from the protocol's name and parameters; the file brings the numbers that make the replay short.  Prints
`accepted: ...` for every claim and exits with 0, or `rejected: reason` and exits with 1.

Everything is integers and fractions with explicit rounding.  Read in this order: this file (the format),
`check_forms` (which law, which inequality), `check_laws` (binomial and Poisson noise), `check_parity` and
`check_ideal` (distinct elements), `check_numbers` (rationals around expressions).
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Mapping, Sequence

from exact.check import (
    LONGEST_TEXT,
    PRINTABLE,
    PROTOCOLS,
    Claim,
    Data,
    Interval,
    Rejected,
    enclose,
    exp,
    integer,
    rational,
    short,
)

FORMAT, VERSION = "panshuffle certificate", 1
LARGEST_FILE, MOST_CLAIMS, LONGEST_INTEGER = 1 << 20, 4, 18
LEAST_BITS, MOST_BITS = 32, 2048
GUARD = 64
FIELDS = {"kind", "protocol", "parameters", "view", "direction", "holders", "scope", "at", "delta", "witness"}
WITNESS = {"bits", "exp_eps", "events", "nodes", "form"}
EVENT = {"direction", "holders", "at_most", "at_least", "ratio_above", "nodes", "cuts", "P", "Q"}


def pairs_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object.  *Raises* `Rejected` for a key that is there twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Rejected("a key is there twice")
    return found


def short_integer(text: str) -> int:
    """A whole number.  *Raises* `Rejected` for a long one."""
    if len(text) > LONGEST_INTEGER:
        raise Rejected(f"a whole number has more than {LONGEST_INTEGER} characters")
    return int(text)


def no_float(text: str) -> float:
    """*Raises* `Rejected`: a binary float is no exact number."""
    raise Rejected("a number with a point is not written as a text")


def read(data: bytes) -> object:
    """The JSON value of a file.  *Raises* `Rejected` for anything else."""
    if len(data) > LARGEST_FILE:
        raise Rejected(f"the file is longer than {LARGEST_FILE} bytes")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=pairs_once,
            parse_int=short_integer,
            parse_float=no_float,
            parse_constant=no_float,
        )
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise Rejected("the file is not JSON in UTF-8") from None
    except RecursionError:
        raise Rejected("the file is nested too deeply") from None


def record(value: object, what: str, fields: set[str]) -> Data:
    """An object that has no other fields than these."""
    if not isinstance(value, dict):
        raise Rejected(f"{what} is not an object")
    unknown = sorted(set(value) - fields)
    if unknown:
        raise Rejected(f"{what} has a field that is not known ({shortened(unknown[0])})")
    return value


def shortened(text: str) -> str:
    """The beginning of a text from the file, without what can't be printed."""
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text[:60])


def chosen(value: object, what: str, allowed: Sequence[str | None]) -> str | None:
    """One of the allowed values."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise Rejected(f"{what} is not one of {', '.join(str(choice) for choice in allowed)}")
    return value


def parameters_of(value: object, letters: Sequence[str]) -> Mapping[str, str]:
    """The parameters, as texts of the letters that the protocol has."""
    found = record(value, "parameters", set(letters))
    texts = {letter: text for letter, text in found.items() if isinstance(text, str)}
    if len(texts) != len(found) or not all(PRINTABLE.fullmatch(t) and len(t) <= LONGEST_TEXT for t in texts.values()):
        raise Rejected("a parameter is not a short text")
    return texts


def exp_eps_of(at: Data, witness: Data, bits: int) -> Interval:
    """The file's enclosure of e^eps, if it encloses our own, and if eps >= 0."""
    if len(at) != 1:
        raise Rejected("'at' needs one of eps and exp_eps")
    ((name, text),) = at.items()
    own = enclose(text, bits + GUARD)
    own = exp(own, bits + GUARD) if name == "eps" else own
    stated = witness.get("exp_eps")
    if not isinstance(stated, list) or len(stated) != 2:
        raise Rejected("the witness has no two rationals around e^eps")
    lower, upper = (short(rational(end), bits) for end in stated)
    if not lower <= own[0] <= own[1] <= upper:
        raise Rejected("the rationals of the witness do not enclose e^eps")
    if lower < 1:
        raise Rejected("eps is negative, or too close to 0 for the enclosure of e^eps")
    return lower, upper


def holders_of(value: object) -> tuple[int, ...] | None:
    """The other holders that a claim fixes."""
    if value is None:
        return None
    if not isinstance(value, list) or not 1 <= len(value) <= 2:
        raise Rejected("holders are not one or two counts")
    return tuple(integer(item, "a number of holders") for item in value)


def claim_of(value: object) -> Claim:
    """The claim, its fields checked."""
    entry = record(value, "a claim", FIELDS)
    missing = FIELDS - {"direction", "holders"} - set(entry)
    if missing:
        raise Rejected(f"a claim has no field {min(missing)}")
    name = chosen(entry["protocol"], "the protocol", [*PROTOCOLS]) or ""
    protocol = PROTOCOLS[name]
    view = chosen(entry["view"], "the view", protocol.views) or ""
    direction = chosen(entry.get("direction"), "the direction", (None, "gain", "lose"))
    if direction and view not in protocol.directions:
        raise Rejected("a direction has no meaning for this view")
    holders = holders_of(entry.get("holders"))
    if holders is not None and name != "distinct-elements":
        raise Rejected("holders have no meaning for this protocol")
    scope = "all neighbours" if direction is None and holders is None else "this pair"
    chosen(entry["scope"], "the scope", (scope,))
    witness = record(entry["witness"], "the witness", WITNESS)
    events = witness.get("events", [])
    for event in events if isinstance(events, list) else [None]:
        record(event, "an event", EVENT)
    bits = integer(witness.get("bits"), "bits")
    if not LEAST_BITS <= bits <= MOST_BITS:
        raise Rejected(f"bits is not from {LEAST_BITS} to {MOST_BITS}")
    delta = rational(entry["delta"])
    if not 0 <= delta <= 1:
        raise Rejected("delta is not between 0 and 1")
    return Claim(
        kind=chosen(entry["kind"], "the kind", ("upper", "lower")) or "",
        protocol=name,
        parameters=parameters_of(entry["parameters"], protocol.letters),
        view=view,
        direction=direction,
        holders=holders,
        exp_eps=exp_eps_of(record(entry["at"], "'at'", {"eps", "exp_eps"}), witness, bits),
        delta=delta,
        bits=bits,
        witness=witness,
    )


def in_words(claim: Claim, entry: Data) -> str:
    """The claim as a sentence."""
    at = record(entry["at"], "'at'", {"eps", "exp_eps"})
    ((name, place),) = at.items()
    letters = ", ".join(f"{letter} = {text}" for letter, text in claim.parameters.items())
    seen = {"whole": "", "pool": ", view of one pool", "pair": ", view of a pair of pools"}[claim.view]
    whom = "all neighbours" if claim.direction is None and claim.holders is None else "this pair only"
    fixed = f", direction {claim.direction}" if claim.direction else ""
    fixed += f", holders {list(claim.holders)}" if claim.holders is not None else ""
    relation = "<=" if claim.upper else ">="
    where = f"{'eps' if name == 'eps' else 'e^eps'} = {place}"
    return f"delta {relation} {entry['delta']} at {where} for {claim.protocol} ({letters}){seen}{fixed}; {whom}"


def check(data: bytes) -> list[str]:
    """The claims of a certificate in words.  *Raises* `Rejected` unless every one of them is proved."""
    top = record(read(data), "the file", {"format", "version", "claims"})
    if top.get("format") != FORMAT or integer(top.get("version"), "the version") != VERSION:
        raise Rejected(f"the file is not a {FORMAT} of version {VERSION}")
    claims = top.get("claims")
    if not isinstance(claims, list) or not 1 <= len(claims) <= MOST_CLAIMS:
        raise Rejected(f"there are not 1 to {MOST_CLAIMS} claims")
    words = []
    for entry in claims:
        claim = claim_of(entry)
        PROTOCOLS[claim.protocol].replay(claim)
        words.append(in_words(claim, entry))
    return words


def verdict(data: bytes) -> tuple[bool, list[str]]:
    """Whether the file is accepted, and the lines that say so; whatever goes wrong is a rejection."""
    try:
        return True, [f"accepted: {words}" for words in check(data)]
    except Rejected as reason:
        return False, [f"rejected: {reason}"]
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as problem:
        return False, [f"rejected: the replay broke off ({type(problem).__name__})"]


def contents(path: str) -> bytes:
    """The beginning of a regular file; a pipe or a device is not waited for.  Raises: OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("not a regular file")
        return stream.read(LARGEST_FILE + 1)


def main(arguments: Sequence[str]) -> int:
    """Checks the file that is named; 0 for accepted, 1 for rejected, 2 for wrong usage."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m exact.check FILE\n")
        return 2
    try:
        data = contents(arguments[0])
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"the file can't be read ({type(problem).__name__})\n")
        return 2
    accepted, lines = verdict(data)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if accepted else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
