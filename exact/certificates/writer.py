"""Claims as they are written: whom they speak of, where, how their numbers are rounded, and the file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Any

from panshuffle.exact import check
from panshuffle.exact.check import GUARD, Bounds, Claim, Interval, rational
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import Real, decimal_ends, fraction_text

LONGEST_EXACT = 60
TOO_SMALL = f"no certificate: it would need more than {check.MOST_BITS} bits"

Entry = dict[str, Any]
"""A claim, a witness or an event as JSON has it."""
Found = tuple[str, Entry]
"""The delta that is claimed, and its witness."""


@dataclass(frozen=True)
class Subject:
    """What a claim speaks of: a protocol, its parameters as texts, and a part of its view."""

    protocol: str
    parameters: dict[str, str]
    view: str
    direction: str | None = None
    holders: tuple[int, ...] | None = None

    @property
    def scope(self) -> str:
        """Whom the claim covers."""
        return "all neighbours" if self.direction is None and self.holders is None else "this pair"


@dataclass(frozen=True)
class Place:
    """Where the curve is read: {"eps": text} or {"exp_eps": text}."""

    name: str
    text: str

    @classmethod
    def of(cls, exp_eps: Real, eps_text: str | None) -> Place:
        """e^eps itself where it is rational, or the text of eps, or of e^eps."""
        if exp_eps.fraction is not None:
            return cls("exp_eps", number_text(exp_eps))
        return cls("exp_eps", number_text(exp_eps)) if eps_text is None else cls("eps", eps_text)

    def enclosure(self, bits: int) -> Interval:
        """Rationals around e^eps: what a checker with the given number of bits finds, rounded outward."""
        own = check.enclose(self.text, bits + GUARD)
        own = check.exp(own, bits + GUARD) if self.name == "eps" else own
        return check.cut_off(own[0], bits, up=False), check.cut_off(own[1], bits, up=True)


class CertificateError(InputError):
    """No certificate can be written."""


def number_text(value: Real) -> str:
    """An exact number as text that the checker reads.  *Raises* `CertificateError` for a long one."""
    text = str(value)
    if len(text) > check.LONGEST_TEXT:
        raise CertificateError("no certificate: a parameter has too many digits to be written down")
    return text


def bits_for(delta: Fraction, exp_eps: float, digits: int) -> int:
    """Bits that give the given number of digits of delta, in steps of 32.

    >>> bits_for(Fraction(1, 10**6), 2.7, 10)
    96
    """
    small = log2(delta.denominator) - log2(delta.numerator) if delta > 0 else 0.0
    needed = int(3.33 * digits + max(0.0, small) + log2(max(exp_eps, 1.0))) + 32
    bits = -(-needed // 32) * 32
    if bits > check.MOST_BITS:
        raise CertificateError(TOO_SMALL)
    return bits


def readable(wanted: str) -> Fraction:
    """The delta of a claim.  *Raises* `CertificateError` for one that the checker does not read."""
    if int(wanted.lower().partition("e-")[2] or 0) > check.LARGEST_EXPONENT:
        raise CertificateError(TOO_SMALL)
    return rational(wanted)


def draft(subject: Subject, kind: str, place: Place, bits: int) -> Claim:
    """The claim as the checker sees it, with a delta and a witness still to be found."""
    delta = Fraction(1) if kind == "upper" else Fraction(0)
    return Claim(kind=kind, **vars(subject), exp_eps=place.enclosure(bits), delta=delta, bits=bits, witness={})


def masses(bounds: Bounds, upper: bool, bits: int) -> dict[str, str]:
    """P and Q of an event as texts, rounded in the direction that the kind of the claim needs."""
    digits = bits * 3 // 10 + 2
    p, q = (bounds.p_high, bounds.q_low) if upper else (bounds.p_low, bounds.q_high)
    return {"P": end_text(p, upper, digits), "Q": end_text(q, not upper, digits)}


def end_text(value: Fraction, up: bool, digits: int) -> str:
    """A short rational as it is, another one rounded up or down."""
    text = fraction_text(value)
    return text if len(text) <= LONGEST_EXACT else decimal_ends(value, digits)[up]


def advantage(claim: Claim, event: Entry) -> Fraction:
    """P - E Q for the masses as they were written."""
    return rational(event["P"]) - claim.factor * rational(event["Q"])


@dataclass(frozen=True)
class Goal:
    """The delta that a claim is to have, or come close to if it is not `fixed`, and how many digits it has then.

    `background` is where a lower bound on P_DE, or on any local randomizer, is taken.
    """

    delta: str
    digits: int
    fixed: bool = False
    background: tuple[int, ...] | None = None

    def claimed(self, value: Fraction, upper: bool, digits: int | None = None) -> str:
        """The delta to claim: as wanted if the value shows it, else the value rounded; that only if it is not fixed."""
        target = rational(self.delta)
        if (value <= target) if upper else (value >= target):
            return self.delta
        if self.fixed:
            relation = "at most" if upper else "at least"
            raise CertificateError(f"no certificate: the replay does not show that delta is {relation} {self.delta}")
        return rounded(value, upper, digits or self.digits)

    def by_events(self, claim: Claim, events: list[Entry]) -> Found:
        """The claim by events: the largest advantage of any of them, and all that an upper bound needs or the best."""
        best = max(events, key=lambda event: advantage(claim, event))
        return self.claimed(advantage(claim, best), claim.upper), {"events": events if claim.upper else [best]}


def rounded(value: Fraction, up: bool, digits: int) -> str:
    """A probability, rounded up or down."""
    return decimal_ends(min(max(value, Fraction(0)), Fraction(1)), digits)[up]


def entry_of(subject: Subject, claim: Claim, place: Place, delta: str, witness: Entry) -> Entry:
    """The claim as it is written."""
    entry: Entry = {"kind": claim.kind, "protocol": subject.protocol, "parameters": subject.parameters}
    entry |= {"view": subject.view, "direction": subject.direction}
    entry |= {"holders": None if subject.holders is None else [*subject.holders], "scope": subject.scope}
    entry |= {"at": {place.name: place.text}, "delta": delta}
    ends = [fraction_text(end) for end in claim.exp_eps]
    return entry | {"witness": {"bits": claim.bits, "exp_eps": ends, **witness}}


def certificate_text(entries: list[Entry]) -> str:
    """The file.  *Raises* `CertificateError` where the checker does not accept it."""
    text = json.dumps({"format": check.FORMAT, "version": check.VERSION, "claims": entries}, indent=1) + "\n"
    if len(text) > check.LARGEST_FILE:
        raise CertificateError("no certificate: the file would be too long")
    accepted, lines = check.verdict(text.encode())
    if not accepted:
        raise CertificateError(f"no certificate: the checker says '{lines[0]}'")
    return text
