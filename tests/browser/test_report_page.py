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


def test_the_first_screen_says_what_is_wrong(page):
    """The two worst findings stand there in words and with their numbers, and the picture beside them."""
    inside = "const b = arguments[0].getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight"
    cards = page.all(".findings.worst .finding")
    assert len(cards) == 2 and all(page.run(inside, card) for card in cards)
    assert "uniformity tester does not work as printed" in cards[0].text and "0.9999996" in cards[0].text
    assert "152,581" in cards[1].text
    squares = page.all(".strip dd a")
    assert len(squares) == len(page.all(".statement"))
    assert page.run(inside, squares[0]) and page.run(inside, page.one(".strip dd a.fatal"))


def test_a_chosen_statement_shows_what_it_rests_on_and_what_rests_on_it(page):
    data = page.run("return [...document.querySelectorAll('#map .chip')].map((c) => [c.dataset.slug, c.dataset.needs])")
    needs = {slug: set(below.split()) for slug, below in data}
    slug = max(needs, key=lambda name: len(needs[name]))
    chip = page.one(f"#map .chip[data-slug='{slug}']")
    page.run("arguments[0].closest('details')?.setAttribute('open', ''); arguments[0].scrollIntoView()", chip)
    page.run("arguments[0].click()", chip)
    assert page.one("#focus").is_displayed()
    below = page.run("return [...document.querySelectorAll('#below li:not(.far) button')].map((b) => b.textContent)")
    assert {text.split()[-1] for text in below} == needs[slug]
    names = "return [...document.querySelectorAll('#below button')].map((b) => b.textContent)"
    deep = {text.split()[-1] for text in page.run(names)}
    waiting, seen = [slug], set()
    while waiting:
        for other in needs[waiting.pop()] - seen:
            seen.add(other)
            waiting.append(other)
    assert deep == seen
    page.run("document.querySelector('#below button').click()")
    above = page.run("return [...document.querySelectorAll('#above button')].map((b) => b.textContent)")
    assert slug in {text.split()[-1] for text in above}
    page.one("#forget").click()
    assert not page.one("#focus").is_displayed()


def test_a_link_to_a_statement_that_a_filter_hides_shows_it(page):
    choose(page, "filter-verdict", "cited")
    slug = page.one(".strip dd a.proved").get_attribute("href").partition("#")[2]
    assert page.run("return document.getElementById(arguments[0]).hidden", slug)
    page.run("document.querySelector('.strip dd a.proved').click()")
    shown = (
        "const s = document.getElementById(arguments[0]); return s.open && !s.hidden && s.getBoundingClientRect().top"
    )
    assert 0 <= page.run(shown, slug) < DESKTOP[1]


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
    assert page.misfits(size, opened) == (0, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(page, scheme):
    page.media("", scheme)
    assert page.faint() == []
    paper = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper)[:3])) > 600) == (scheme == "light")


def test_a_faint_text_would_be_found(page):
    page.run("""const p = document.createElement('p'); p.textContent = 'faint';
      p.style.color = '#999'; document.body.append(p)""")
    assert len(page.faint()) == 1


def test_the_focus_goes_down_the_page(page):
    reached = page.focused(4)
    assert "to the content" in reached[0] and "search" in reached[1]
    assert "What a reader must know" in reached[2] and "Errata" in reached[3]


def test_on_paper_everything_is_unfolded(page):
    page.media("print")
    assert not page.one(".filters").is_displayed()
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.all("details:not([open])") == []
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.all("details[open]") == []
