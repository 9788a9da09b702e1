"""Sections 3.2 and 4.2: lower bounds."""
