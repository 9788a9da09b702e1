"""Accountants of other people, judged against certified truth."""
