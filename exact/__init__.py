"""Exact and certified computation: numbers, formulas and parameter domains."""
