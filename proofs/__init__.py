"""The paper, statement by statement, each with a verdict and the evidence for it."""
