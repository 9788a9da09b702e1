"""Parameters: their domains, and the paper's formulas for them."""
