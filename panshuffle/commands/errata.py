"""`panshuffle errata`: the errata sheet."""

from __future__ import annotations

import argparse

from panshuffle.errata import FORMATS, errata
from panshuffle.output import destination, progress
from panshuffle.proofs.check import check_ledger
from panshuffle.proofs.ledger import statements


def run(args: argparse.Namespace) -> int:
    """Checks the ledger anew and writes the sheet."""
    known = statements()
    with destination(args.output) as stream, progress("checking the ledger", len(known)) as (_, advance):
        verdicts = check_ledger(list(known), advance)
        stream.write(FORMATS[args.format](errata(known, verdicts, args.conventions)))
    return 0
