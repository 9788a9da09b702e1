"""Reference implementations of the protocols of the paper, one module each."""
