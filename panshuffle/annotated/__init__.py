"""The reader's own copy of the paper, with the verdict on every statement in its margin."""
