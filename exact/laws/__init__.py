"""Exact laws on integers and tuples of integers, and how they combine."""
