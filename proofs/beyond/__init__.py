"""Beyond the paper: amplification by shuffling, a published bound that is none, and one that was withdrawn and holds."""
