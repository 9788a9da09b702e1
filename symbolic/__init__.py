"""The provers: each takes a claim and answers proved, refuted with a witness, or undecided."""
