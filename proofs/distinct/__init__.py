"""Section 3: distinct elements."""
