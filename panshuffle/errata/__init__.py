"""The errata of the paper as a sheet: LaTeX, Markdown or JSON."""
