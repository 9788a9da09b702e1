"""`panshuffle prove`: somebody's lemma, by all provers that can read it."""

from __future__ import annotations

import argparse
import json

from panshuffle.symbolic.lemma import lemma_of
from panshuffle.symbolic.prove import proof_of, smt_texts, sympy_texts

STATUSES = {"proved": 0, "refuted": 1, "undecided": 3}


def run(args: argparse.Namespace) -> int:
    """Prints the answer, or the texts of the claim; status 0 for proved, 1 for refuted, 3 for undecided."""
    lemma = lemma_of(args.claim, [*(args.domains or ()), *(args.given or ())])
    if args.smt2 or args.sympy:
        print(smt_texts(lemma) if args.smt2 else sympy_texts(lemma), end="")
        return 0
    proof = proof_of(lemma)
    if args.json:
        print(json.dumps(proof.jsonable()))
    else:
        print(f"{proof}\n{proof.explanation()}" if args.explain else proof)
    return STATUSES[proof.status]
