"""For each protocol: which neighbouring pair is the worst, and why."""
