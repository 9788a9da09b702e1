"""One file for each package of accountants: `ACCOUNTANTS`, each with the program that puts a case to it.

A program sets `upper` (and `lower`, where the accountant has one) and needs nothing of ours: what the court runs is
what a reproduction shows.  There is none for a case that the accountant can't express.
"""
