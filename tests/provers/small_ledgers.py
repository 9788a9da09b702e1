"""Steps and statements with a known verdict."""

from pathlib import Path

from panshuffle.proofs.ledger import statements
from panshuffle.proofs.statement import Statement, Step
from panshuffle.symbolic.decision import Decision, Status

ROOT = Path(__file__).parents[2]


LEDGER = statements()


def step(status, tier="exact rational computation"):
    return Step("says", "test", "text", lambda: Decision(status, tier, "here" if status is Status.REFUTED else None))


def lemma(*steps, rests_on=(), **more):
    return Statement("", "lemma", "", steps=steps, rests_on=rests_on, **more)
