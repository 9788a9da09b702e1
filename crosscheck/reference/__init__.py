"""What a correct run of each protocol shows: the exact laws of its coordinates, and those of likely bugs."""
