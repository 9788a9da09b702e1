"""Section 4: uniformity testing."""
