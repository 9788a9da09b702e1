"""For each protocol: the pair of laws that the adversary must tell apart, why it is the worst, the paper's bound."""
