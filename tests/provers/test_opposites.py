"""The opposite of every claim that the ledger's steps prove: it is false at every point, and no prover accepts it."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest
from panshuffle.proofs.steps import claim_text
from panshuffle.symbolic.ball import check_inequality
from panshuffle.symbolic.claim import Relation, claim
from panshuffle.symbolic.decision import Status
from panshuffle.symbolic.identity import check_identity
from panshuffle.symbolic.smt import check_smt
from panshuffle.symbolic.term import Apply, Number, TermError

from tests.provers.small_ledgers import LEDGER

PROVERS = {"ball": check_inequality, "identity": check_identity, "smt": check_smt}
OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}


def claims():
    """The claims of the steps that are one claim without hypotheses, each with its prover."""
    for statement in LEDGER.values():
        for step in statement.repair.steps if statement.repair else statement.steps:
            conclusion = step.text.partition("  for  ")[0]
            if step.prover in PROVERS and step.text == claim_text(conclusion, (), dict(step.domains)):
                with suppress(TermError):  # a step of another kind, such as "there is a c ..."
                    yield step.prover, claim(conclusion, (), **step.domains)


CLAIMS = list(claims())


def opposites(found):
    """Each relation of a claim turned around; of two equal terms one is said to be the other and 1."""
    for one in found.conclusion:
        if one.relation in OPPOSITE:
            yield replace(found, conclusion=(Relation(one.left, OPPOSITE[one.relation], one.right),))
        elif one.relation == "=":
            yield replace(found, conclusion=(Relation(one.left, "=", Apply("+", (one.right, Number(Fraction(1))))),))


def test_there_are_many():
    assert len(CLAIMS) >= 250


@pytest.mark.parametrize("prover", PROVERS)
def test_no_prover_accepts_the_opposite_of_what_it_proves(prover):
    own = [found for name, found in CLAIMS if name == prover]
    answers = [PROVERS[prover](opposite).status for found in own for opposite in opposites(found)]
    assert Status.PROVED not in answers
    assert answers.count(Status.REFUTED) >= 0.95 * len(answers) > 10
