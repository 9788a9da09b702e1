"""One file for each protocol: its card.  A file that is put here is a protocol that everything knows."""
