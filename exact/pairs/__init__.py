"""Pairs of neighbouring laws, and the divergences between them."""
