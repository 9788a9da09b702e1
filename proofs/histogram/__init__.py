"""Section 5: pan-private histograms."""
