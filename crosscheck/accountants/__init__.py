"""A benchmark of privacy accountants: questions whose exact answers are computed here, and what others say to them."""
