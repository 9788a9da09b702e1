"""A small reader of LaTeX: from a paper's source to a page that shows its text and its formulas."""

import tomllib
from pathlib import Path

KNOWN = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
"""What is known of commands, environments and signs."""
