"""`panshuffle errata`: the errata sheet."""

from __future__ import annotations

import argparse

from panshuffle.errata import FORMATS, errata
from panshuffle.last_run import verdicts_of
from panshuffle.output import destination, progress
from panshuffle.proofs.ledger import statements


def run(args: argparse.Namespace) -> int:
    """Takes the verdicts of the last run, or checks the ledger, and writes the sheet."""
    known = statements()
    with destination(args.output) as stream, progress("checking the ledger", len(known)) as (_, advance):
        verdicts = verdicts_of(known, advance, args.anew)
        stream.write(FORMATS[args.format](errata(known, verdicts, args.conventions)))
    return 0
