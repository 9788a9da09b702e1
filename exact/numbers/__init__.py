"""Exact real numbers, and numbers that are enclosed by balls."""
