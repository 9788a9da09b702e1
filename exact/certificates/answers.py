"""Certificates of answers: of delta at an eps, of eps at a delta, of both witnesses of a calibration."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from panshuffle.exact.certificates.witness import certify
from panshuffle.exact.certificates.writer import CertificateError, Entry, Place, Subject, certificate_text
from panshuffle.exact.curves.calibration import Calibration
from panshuffle.exact.curves.curve import View
from panshuffle.exact.numbers.certified import Certified
from panshuffle.exact.numbers.real import Real, exp, fraction_text

SPARE_DIGITS = 4
LONGEST_EXACT = 60
TARGET_DIGITS = 30


def ends_of(answer: Certified, digits: int) -> tuple[str, str]:
    """The answer's ends as texts: twice the rational that it is, where that is short."""
    if answer.exact is not None and len(fraction_text(answer.exact)) <= LONGEST_EXACT:
        return (fraction_text(answer.exact),) * 2
    return answer.enclosure(digits)


def certificate_of_delta(subject: Subject, view: View, exp_eps: Real, place: Place, digits: int) -> str:
    """delta at an eps, from above and from below."""
    answer = view.delta(exp_eps)
    lower, upper = ends_of(answer, digits)
    entries = [certify(subject, "upper", place, upper, digits)]
    if Fraction(lower) > 0:
        background = view.background_at(exp_eps)
        entries += from_below(view, lambda: certify(subject, "lower", place, lower, digits, background=background))
    return certificate_text(entries)


def from_below(view: View, entry: Callable[[], Entry]) -> list[Entry]:
    """The lower end, or nothing where the answer is known from two sides and the checker knows the upper one only."""
    try:
        return [entry()]
    except CertificateError:
        if view.two_sided:
            return []
        raise


def certificate_of_epsilon(subject: Subject, view: View, delta: Real, answer: Certified, digits: int) -> str:
    """eps at a delta: delta is met at the upper end and not met, or just met, at the lower end."""
    if answer.infinite:
        raise CertificateError("no certificate: no finite eps reaches this delta")
    lower, upper = answer.enclosure(digits)
    below, above = ends_of(Certified.of(delta), TARGET_DIGITS)
    entries = [certify(subject, "upper", Place("eps", upper), below, digits + SPARE_DIGITS, fixed=True)]
    if Fraction(lower) > 0 and Fraction(above) > 0:
        background = view.background_at(exp(Real(Fraction(lower))))
        place = Place("eps", lower)
        entries += from_below(
            view, lambda: certify(subject, "lower", place, above, digits + SPARE_DIGITS, True, background)
        )
    return certificate_text(entries)


def certificate_of_calibration(
    subjects: tuple[Subject, Subject | None],
    background: tuple[int, ...] | None,
    found: Calibration,
    delta: Real,
    place: Place,
    digits: int,
) -> str:
    """The value that was found meets the target, and the next one does not."""
    good, bad = subjects
    target = ends_of(Certified.of(delta), TARGET_DIGITS)
    entries: list[Entry] = [certify_met(good, found.meets, target[0], place, digits)]
    if bad is not None and found.fails is not None:
        entries.append(certify_missed(bad, found.fails, target[1], place, digits, background))
    return certificate_text(entries)


def certify_missed(
    subject: Subject,
    fails: Certified,
    target: str,
    place: Place,
    digits: int,
    background: tuple[int, ...] | None,
) -> Entry:
    """delta at the next value: as it was printed, or what the replay shows, but above the target."""
    lower = fails.enclosure(digits)[0]
    entry = certify(subject, "lower", place, lower, digits, background=background)
    if Fraction(entry["delta"]) <= Fraction(target):
        middle = (Fraction(lower) + Fraction(target)) / 2
        if middle <= Fraction(target):
            raise CertificateError("no certificate: the next value is too close to the target")
        wanted = fraction_text(middle)
        entry = certify(subject, "lower", place, wanted, digits + SPARE_DIGITS, True, background)
    return entry


def certify_met(subject: Subject, meets: Certified, target: str, place: Place, digits: int) -> Entry:
    """delta at the value that was found: as it was printed if that is below the target, else the target."""
    upper = meets.enclosure(digits)[1]
    entry = certify(subject, "upper", place, upper if Fraction(upper) <= Fraction(target) else target, digits)
    if Fraction(entry["delta"]) <= Fraction(target):
        return entry
    return certify(subject, "upper", place, target, digits + SPARE_DIGITS, fixed=True)
