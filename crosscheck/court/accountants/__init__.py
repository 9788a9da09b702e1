"""One file for each accountant: NAME, PACKAGE, IMPORTS, PROMISE, and `script`, the program that puts a question to it.

A script sets `upper` (and `lower`, where the accountant has one) and needs nothing of ours: what the court runs is what
a reproduction shows.  It is None for a question that the accountant can't express.
"""
