"""How the documentation is built: `make docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent

project = "panshuffle"
copyright = "the panshuffle authors"
extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = ["build"]
html_theme = "alabaster"  # Sphinx's own; docs.css makes it fit a phone and the dark
html_theme_options = {"description": "Exact answers on the shuffle model and pan-privacy", "fixed_sidebar": True}
html_title = "panshuffle"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
html_show_sphinx = False
html_copy_source = False
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository, which a test resolves


def setup(_: object) -> None:
    """Writes the API reference before the pages are read."""
    sys.path.insert(0, str(HERE))
    from reference import write_reference

    write_reference(HERE.parent, HERE / "api")
