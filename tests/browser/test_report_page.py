"""The report in a real browser, from a file: nothing is fetched, and what it offers works."""

import re

import pytest

from tests.browser.window import DESKTOP, PHONE

SHOWN = "return [...document.querySelectorAll('.statement')].filter((item) => item.offsetHeight > 0)"


@pytest.fixture
def page(window, report):
    window.size(*DESKTOP)
    window.media()
    window.open(report.as_uri())
    return window


def choose(page, slug, value):
    """Chooses in a filter, as the browser does it for a person."""
    script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
    page.run(script, page.one(f"#{slug}"), value)


def test_nothing_is_fetched_and_nothing_complains(page, report):
    assert set(page.requested()) == {report.as_uri()}
    assert page.complaints() == []
    names = page.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert all(name.startswith("data:") for name in names)


@pytest.mark.parametrize("verdict", ["proved", "repaired", "cited"])
def test_a_filter_shows_only_its_statements(page, verdict):
    total = len(page.all(".statement"))
    assert page.one("#count").text == f"{total} of {total} statements"
    expected = len(page.all(f".statement[data-verdict={verdict}]"))
    assert 0 < expected < total
    choose(page, "filter-verdict", verdict)
    shown = page.run(SHOWN)
    assert page.one("#count").text == f"{expected} of {total} statements"
    assert len(shown) == expected
    assert {item.get_attribute("data-verdict") for item in shown} == {verdict}
    page.one("#reset").click()
    assert len(page.run(SHOWN)) == total


def test_filters_and_words_narrow_together(page):
    choose(page, "filter-verdict", "proved")
    before = len(page.run(SHOWN))
    page.one("#search").send_keys("bernoulli-inequality")
    after = page.run(SHOWN)
    assert 0 < len(after) < before
    assert all("bernoulli-inequality" in item.get_attribute("textContent") for item in after)
    assert page.one("#count").text.startswith(f"{len(after)} of ")


def test_a_box_of_the_graph_opens_its_statement(page):
    choose(page, "filter-verdict", "cited")  # a statement that a filter hides is shown all the same
    box = page.one("#graph-picture a.proved")
    slug = box.get_attribute("data-slug")
    assert page.run("return document.getElementById(arguments[0]).hidden", slug)
    page.run("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", box)
    box.click()
    place = "const b = document.getElementById(arguments[0]).getBoundingClientRect(); return [b.top, innerHeight]"
    top, height = page.run(place, slug)
    assert 0 <= top < height
    assert page.run("const s = document.getElementById(arguments[0]); return s.open && !s.hidden", slug)


def test_focus_on_a_box_brings_out_what_it_rests_on(page):
    edge = page.one("#graph-picture path")
    above, below = edge.get_attribute("data-from"), edge.get_attribute("data-to")
    page.run("document.querySelector(`#graph-picture a[data-slug='${arguments[0]}']`).focus()", above)
    near = page.run("return [...document.querySelectorAll('#graph-picture a.near')].map((box) => box.dataset.slug)")
    assert {above, below} <= set(near)
    assert len(near) < len(page.all("#graph-picture a"))
    dim = "return [...document.querySelectorAll('#graph-picture a:not(.near)')].map((b) => getComputedStyle(b).opacity)"
    assert {float(value) for value in page.run(dim)} == {0.2}
    page.run("document.activeElement.blur()")
    assert page.all("#graph-picture.chosen") == []


def test_the_names_in_the_graph_fit_their_boxes(page):
    script = """return [...document.querySelectorAll('#graph-picture a')].filter((box) =>
      box.querySelector('text').getBBox().x + box.querySelector('text').getBBox().width >
      box.querySelector('rect').getBBox().x + box.querySelector('rect').getBBox().width).map((b) => b.dataset.slug)"""
    assert page.run(script) == []


def test_formulas_are_drawn(page):
    page.run("for (const item of document.querySelectorAll('.statement')) item.open = true")
    boxes = "return [...document.querySelectorAll('math')].map((m) => m.getBoundingClientRect())"
    sizes = page.run(f"{boxes}.map((b) => [b.width, b.height])")
    assert len(sizes) > 100
    assert all(width > 0 and height > 0 for width, height in sizes)
    flat, tall = page.run("""const m = document.createElement('p'); document.body.append(m);
      m.innerHTML = '<math><mn>1</mn></math> <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>';
      return [...m.children].map((x) => x.getBoundingClientRect().height)""")
    assert tall > flat  # the browser sets fractions, it does not print them in one line


def test_every_link_stays_on_the_page(page):
    links = page.run("return [...document.querySelectorAll('[href]')].map((a) => a.getAttribute('href'))")
    ids = page.run("return [...document.querySelectorAll('[id]')].map((item) => item.id)")
    assert len(ids) == len(set(ids))
    assert {link for link in links if not link.startswith("#")} == {"data:,"}
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    sources = page.run("return [...document.querySelectorAll('[src], [srcset]')].map((a) => a.outerHTML)")
    assert sources == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("opened", [False, True], ids=["folded", "opened"])
def test_the_page_fits_the_window(page, size, opened):
    page.size(*size)
    if opened:
        page.run("for (const item of document.querySelectorAll('details')) item.open = true")
    assert page.too_wide(size[0]) <= 0


def contrast(first, second):
    """The ratio of luminances of two rgb() colours, as the accessibility guidelines define it."""

    def luminance(colour):
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(page, scheme):
    page.media("", scheme)
    style = "return getComputedStyle(arguments[0]).getPropertyValue(arguments[1])"
    paper = page.run(style, page.one("body"), "background-color")
    for selector in ("body", "a", ".badge.proved", ".badge.repaired", ".badge.cited", ".tier"):
        assert contrast(page.run(style, page.one(selector), "color"), paper) >= 4.5, selector
    assert (contrast(paper, "rgb(0, 0, 0)") > 10) == (scheme == "light")


def test_on_paper_everything_is_unfolded(page):
    page.media("print")
    assert not page.one(".filters").is_displayed()
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.all("details:not([open])") == []
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.all("details[open]") == []
