"""The annotated paper in a real browser, made of a small text of our own."""

import pytest
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.pins import pins
from panshuffle.proofs.verdict import Verdict

from panshuffle.annotated.page import annotated, copy_of
from tests.browser.window import DESKTOP, PHONE
from tests.faces.test_annotated import SMALL

SUM = " + ".join(rf"\frac{{a_{{{i}}}}}{{b}}" for i in range(40))
LONG = f"$$ x = {SUM} $$ In a line: $x + {SUM}$, and $y \\in \\{{ y_i \\mid y_i = (j, 0), (j, 1), (j, 2), (j, 3) \\}}$."


@pytest.fixture(scope="session")
def paper(tmp_path_factory):
    """The page, with verdicts as they are pinned, and a display that is wider than any window."""
    verdicts = {}
    for slug, pin in pins().items():
        witness = "x = 1" if pin["severity"] else None
        columns = (pin["here"], pin["provers"], pin["kernel"])
        verdicts[slug] = Verdict(slug, pin["verdict"], *columns, witness)
    text = SMALL.replace(r"\end{document}", LONG + r"\end{document}")
    path = tmp_path_factory.mktemp("paper") / "annotated.html"
    path.write_text(annotated(copy_of(text), statements(), verdicts).page, encoding="utf-8")
    return path


@pytest.fixture
def page(window, paper):
    window.size(*DESKTOP)
    window.media()
    window.open(paper.as_uri())
    return window


def test_nothing_is_fetched_and_nothing_complains(page, paper):
    assert set(page.requested()) == {paper.as_uri()}
    assert page.complaints() == []


def test_the_notes_stand_in_the_margin_beside_what_they_are_about(page):
    script = """const lemma = document.getElementById("at-lem:b_noise");
      const box = (s) => lemma.querySelector(s).getBoundingClientRect();
      return [box(".notes"), box(".head")].map((b) => [b.left, b.right, b.top])"""
    (left, _, top), (_, right, beside) = page.run(script)
    assert left >= right - 40 and abs(top - beside) < 200


def test_the_errors_are_visited_one_by_one(page):
    total = int(page.one(".side b").text)
    seen = []
    for number in range(1, 4):
        page.one("#next").click()
        assert page.one("#where").text == f"{number} of {total}"
        seen.append(page.run("return document.activeElement.parentElement.id"))
    assert len(set(seen)) == 3


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("opened", [False, True], ids=["folded", "opened"])
def test_the_page_fits_the_window(page, size, opened):
    assert page.misfits(size, opened) == (0, [])
    page.media("print")
    assert page.too_wide(size[0]) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(page, scheme):
    page.media("", scheme)
    page.unfold()
    assert page.faint() == []
