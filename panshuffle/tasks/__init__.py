"""One file for each task that `panshuffle plan` plans."""
