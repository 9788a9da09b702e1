"""The documentation in a real browser: every page that `make docs` built can be read on a phone, in light and dark."""

from pathlib import Path

import pytest

from tests.browser.window import DESKTOP, PHONE

BUILT = Path(__file__).parents[2] / "build" / "docs"


@pytest.fixture(scope="module")
def pages():
    if not (BUILT / "index.html").exists():
        pytest.skip("the documentation is not built: make docs")
    found = sorted(path for path in BUILT.rglob("*.html") if "_static" not in path.parts)
    assert len(found) > 20
    return found


def test_nothing_comes_from_elsewhere_and_nothing_complains(window, pages):
    for path in pages:
        window.open(path.as_uri())
        assert [address for address in window.requested() if not address.startswith(("file:", "data:"))] == [], (
            path.name
        )
        assert window.complaints() == [], path.name


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_no_page_scrolls_sideways(window, pages, size):
    window.media()
    window.size(*size)
    wide = {}
    for path in pages:
        window.open(path.as_uri())
        wide[path.name] = (window.too_wide(size[0]), window.sideways())
    assert {name: found for name, found in wide.items() if found[0] > 0 or found[1]} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(window, pages, scheme):
    window.size(*DESKTOP)
    window.media("", scheme)
    faint = {}
    for path in pages:
        window.open(path.as_uri())
        faint[path.name] = window.faint()
    assert {name: found for name, found in faint.items() if found} == {}
