"""A small reader of LaTeX: from a paper's source to a page that shows its text and its formulas."""
