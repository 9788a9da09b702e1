"""Certificates: what is written so that `exact.check` can replay it."""
