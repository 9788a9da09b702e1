"""Certificates of answers: what they claim, in a form that needs nothing of ours but `exact.check`."""

from __future__ import annotations

from panshuffle.answer import Point
from panshuffle.answers.from_file import LOCAL_LETTERS, view_of
from panshuffle.card import LOCALS, Viewed, names_with, selection_of, viewed
from panshuffle.exact.certificates import witness
from panshuffle.exact.check import PROTOCOLS
from panshuffle.exact.curves.calibration import Calibration
from panshuffle.exact.errors import CertificateError
from panshuffle.exact.real import MOST_DIGITS, Certified, Real, real
from panshuffle.question import Question, Setting, ViewSelection


def subject_in(question: Question, part: ViewSelection) -> tuple[Viewed, witness.Subject]:
    """The protocol of a question, and what a certificate about it speaks of.

    *Raises* `CertificateError` where the checker has no law.
    """
    protocol = viewed(question, part)
    card = protocol.card
    if card.certificate is None:
        raise CertificateError(f"no certificate: they are written for {names_with(lambda one: one.certificate)}")
    values = card.certificate(protocol.record, Setting(question.params, card.gamma(question.params), part))
    if values.get("k") == 1:
        raise CertificateError("no certificate: with k = 1 no two neighbours differ")
    view = "pool" if part.pool else "pair" if "pair" in PROTOCOLS[card.name].views else "whole"
    texts = {parameter: witness.number_text(real(value)) for parameter, value in values.items()}
    return protocol, witness.Subject(card.name, texts, view, part.direction, part.holders)


def certificate_of_point(question: Question, point: Point, value: Certified, digits: int) -> str:
    """The certificate of a point of a curve; of any local randomizer: the clones above, binary response below."""
    if question.subject in LOCALS:
        subject, view = subject_of(question), view_of(question)
    else:
        protocol, subject = subject_in(question, selection_of(question))
        view = protocol.view
    if point.exp_eps is not None:
        place = witness.Place.of(point.exp_eps, question.get("at-eps"))
        return witness.certificate_of_delta(subject, view, point.exp_eps, place, digits)
    return witness.certificate_of_epsilon(subject, view, point.delta, value, digits)


def certificate_of_calibrated(
    question: Question, unknown: str, found: Calibration, exp_eps: Real, delta: Real, digits: int
) -> str:
    """The certificate of both witnesses: the value that was found and the next one, or the ends of its enclosure.

    Of any local randomizer, that the next value fails is not claimed.
    """
    exact, is_local = found.value.exact, question.subject in LOCALS
    more = digits if exact is not None else min(digits + 8, MOST_DIGITS)
    ends = found.value.enclosure(more if is_local else digits)
    good, bad = ends[::-1] if found.larger_meets else ends
    if exact is not None:
        good, bad = str(exact), str(exact - 1)
    failing, background = None, None
    if is_local:
        meeting = subject_of(with_letter(question, unknown, good))
    else:
        part = selection_of(question)
        _, meeting = subject_in(with_letter(question, unknown, good), part)
        if found.fails is not None:
            protocol, subject = subject_in(with_letter(question, unknown, bad), part)
            if not protocol.view.upper_bound:
                failing, background = subject, protocol.view.background_at(exp_eps)
    place = witness.Place.of(exp_eps, question.get("at-eps"))
    return witness.certificate_of_calibration((meeting, failing), background, found, delta, place, more)


def subject_of(question: Question) -> witness.Subject:
    """What a certificate on any local randomizer speaks of: the worst of all with this eps0."""
    params = question.params
    params.check_known(LOCAL_LETTERS)
    given = {parameter: params.real(parameter) for parameter in LOCAL_LETTERS if params.has(parameter)}
    return witness.Subject(
        question.subject, {parameter: witness.number_text(value) for parameter, value in given.items()}, "whole"
    )


def with_letter(question: Question, parameter: str, text: str) -> Question:
    """A question of the same protocol about its privacy, with one more parameter."""
    return Question.of("privacy", question.subject, {**question.params.given, parameter: text})
