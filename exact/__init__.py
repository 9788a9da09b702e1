"""Exact and certified computation: numbers, laws, pairs of laws, curves, views, errors, certificates."""
