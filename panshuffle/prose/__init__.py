"""Sentences of the ledger with their formulas typeset: as MathML on a page, as LaTeX on a sheet."""
