"""Exact error laws: how far the protocols' answers are from the truth."""
