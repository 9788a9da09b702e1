"""Exact sampling from fair bits."""
