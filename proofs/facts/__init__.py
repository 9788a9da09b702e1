"""Facts of probability that the paper uses without saying so, each from pointwise inequalities."""
