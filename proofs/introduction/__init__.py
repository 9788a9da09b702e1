"""Section 1: what is claimed up front, Figure 1 cell by cell."""
