"""Samples of an implementation against an exact law."""
