"""Section 2: preliminaries."""
