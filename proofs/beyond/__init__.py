"""Beyond the paper: amplification by shuffling, and a published bound that is none."""
