"""Fast simulation in floating point: approximate, for experiments, never for a proof or a test of a law."""
