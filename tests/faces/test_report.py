"""The report without a browser: formulas, escaping, and a page that is the same twice and asks nothing of elsewhere."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from math import e, expm1, log, log1p, sqrt
from types import SimpleNamespace

import pytest
from panshuffle.proofs.check import check_slug
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.pins import pins
from panshuffle.proofs.statement import Repair, Statement, supports
from panshuffle.proofs.verdict import StepResult, Verdict

from panshuffle.report import ledger, numbers
from panshuffle.report.ledger import colour_of, sections
from panshuffle.report.page import FINDINGS, PACKAGE, page
from panshuffle.template import filled, kept
from tests.every import every


def test_everything_that_is_not_markup_is_escaped():
    bad = '<script>alert("1")</script>'
    safe = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"
    shown = filled(PACKAGE, "again.html", versions=[[bad, bad]])
    assert shown.count(f"<td>{safe}</td>") == 2 and "<script" not in shown


def test_a_statement_with_markup_in_every_text_stays_text():
    bad = "<script>alert(1)</script>"
    found = StepResult(*(bad for _ in StepResult.__dataclass_fields__))
    names = ("where", "printed", "reading", "argument", "checked", "why", "cited", "survives", "referee")
    statement = Statement(**dict.fromkeys(names, bad), kind="claim", severity="false", repair=Repair(bad, argument=bad))
    verdict = Verdict("slug", "refuted", bad, bad, bad, bad, (found,), (), (found,), (found,), (bad,), 0.0, bad)
    known, verdicts = {"slug": statement}, {"slug": verdict}
    shown = ledger.statements(known, verdicts) + ledger.errata(known, verdicts)
    assert "<script" not in shown
    assert shown.count("&lt;script") >= 10


def test_the_page_has_the_witnesses_of_all_near_misses():
    found = {name: StepResult("says", name, "x > 1", "refuted", "tier", f"seen by {name}") for name in ("smt", "ball")}
    verdict = Verdict("slug", "proved", near_misses=tuple(found.values()))
    shown = ledger.statements({"slug": Statement("section 1", "claim", "x > 0")}, {"slug": verdict})
    assert "smt: refuted" in shown
    assert "seen by ball" in shown and "seen by smt" in shown


def test_the_map_has_every_statement_in_its_section_with_what_it_rests_on():
    known = statements()
    verdicts = {slug: Verdict(slug, "proved") for slug in known}
    found = sections(known, verdicts)
    places = {place.slug: place for section in found for place in section.places}
    assert Counter(place.slug for section in found for place in section.places) == Counter(list(known))
    assert {slug: set(place.needs) for slug, place in places.items()} == {
        slug: set(supports(statement)) for slug, statement in known.items()
    }
    order = [section.number for section in found]
    assert order[0] == "abstract" and order[-1] == "0"
    assert order[1:-1] == sorted(order[1:-1], key=lambda number: (number[0].isalpha(), number))
    assert places["tester-as-printed"] in next(section.places for section in found if section.number == "4.1.1")


@every(
    ("verdict", "severity", "premises", "colour"),
    [
        ("repaired", "fatal", (), "fatal"),
        ("refuted", "false", (), "false"),
        ("repaired", "convention", ("markov",), "convention"),
        ("proved", "", ("markov",), "leaning"),
        ("proved", "", (), "proved"),
        ("cited", "", (), "cited"),
        ("definition", "", (), "definition"),
    ],
)
def test_the_colour_says_what_came_of_a_statement(verdict, severity, premises, colour):
    statement = Statement("section 1", "claim", "x > 0", severity=severity)
    assert colour_of(statement, Verdict("a", verdict, premises=premises)) == colour


def test_a_near_miss_that_is_refuted_is_as_it_must_be():
    right = StepResult("says", "smt", "x > 1", "refuted", "tier", None)
    other = StepResult("says", "smt", "x > 2", "proved", "tier", None)
    verdict = Verdict("slug", "proved", near_misses=(right, other))
    shown = ledger.statements({"slug": Statement("section 1", "claim", "x > 0")}, {"slug": verdict})
    assert shown.count("smt: refuted, as it must be") == 1 and 'class="step refuted"' not in shown


def test_the_findings_are_all_that_is_fatal_or_false_each_once():
    """By the pins; those that take their number from a witness find it in the one that is computed."""
    wrong = {slug for slug, pin in pins().items() if pin["severity"] in ("fatal", "false")}
    assert Counter(slug for finding in FINDINGS for slug in finding.slugs) == Counter(wrong)
    slugs = ("tester-as-printed", "compression-keeps-uniform", "laplace-comparison")
    witness = {slug: check_slug(slug).witness for slug in slugs}
    numbers = {finding.slugs[0]: finding.value(witness) for finding in FINDINGS}
    assert float(numbers["tester-as-printed"]) == 0.9999996  # 1 - 3.29e-7, rounded down
    assert numbers["compression-keeps-uniform"] == "1/6"
    loss, fraction = 0.01, 1 / 3
    eps = -log1p(-((-expm1(-loss / 2)) ** (1 / fraction)))  # of the protocol, so that 2 eps' is the loss
    alpha = sqrt(2 * log(2 / (1 / 3))) / -expm1(-eps)
    assert int(numbers["robust-distinct-error"].replace(",", "")) == int(alpha * loss)
    laplace = 20 * 2 * (sqrt(e) + 1) ** 2 / (sqrt(e) - 1) ** 2 * log(4e6)
    assert int(numbers["laplace-comparison"]) == int(laplace) == 10137
    assert int(numbers["binomial-mechanism-error"]) == int(10 * ((e + 1) / (e - 1)) ** 2 * log(2e6))


class Reader(HTMLParser):
    """What the page's elements point to, and what they are called."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.fetched, self.open = [], [], [], []

    def handle_starttag(self, name, attributes):
        values = dict(attributes)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[key] for key in ("href", "xlink:href") if key in values]
        self.fetched += [(name, values[key]) for key in ("src", "srcset", "action", "data", "poster") if key in values]
        if name not in ("meta", "link", "input", "br", "wbr", "path", "use", "rect", "image"):
            self.open.append(name)

    def handle_endtag(self, name):
        if name in self.open:
            assert self.open.pop() == name


@pytest.fixture(scope="module")
def pages():
    """Two pages of the whole ledger, with verdicts and numbers that stand in for those that take minutes."""

    def stub(command):
        paper = SimpleNamespace(value="7")
        return SimpleNamespace(exact=None, lower=f"{len(command)}", upper=f"{len(command) + 1}", paper=paper)

    known = statements()
    kinds = ("proved", "repaired", "refuted")
    verdicts = {
        slug: Verdict(slug, kinds[i % 3], witness="total variation 1: 2.5... <= 1e-9", seconds=i / 7)
        for i, slug in enumerate(known)
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "ask", stub)
        figures = [replace(figure) for figure in numbers.FIGURES if figure.slug in ("curve", "shares")]
        patch.setattr(numbers, "FIGURES", figures)
        yield page(known, verdicts, lambda _: None), page(known, dict(verdicts), lambda _: None)


def test_the_page_is_the_same_twice(pages):
    first, second = pages
    assert first == second
    assert len(first) > 100_000


def test_nothing_of_the_page_is_elsewhere(pages):
    text = pages[0]
    addresses = re.findall(r"[^\s\"'(]*https?://[^\s\"')<]*", re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text))
    assert addresses == []
    assert re.findall(r"@import|url\((?!#)", text) == []
    reader = Reader()
    reader.feed(text)
    assert reader.fetched == []
    assert {link for link in reader.links if not link.startswith("#")} == {"data:,"}


def test_ids_are_unique_and_links_resolve(pages):
    reader = Reader()
    reader.feed(pages[0])
    assert [name for name, times in Counter(reader.ids).items() if times > 1] == []
    inner = {link[1:] for link in reader.links if link.startswith("#")}
    assert inner <= set(reader.ids)
    assert {slug for statement in statements().values() for slug in supports(statement)} <= inner


def test_the_script_and_the_style_can_stand_inside_the_page(pages):
    for text in (kept(PACKAGE, f"static/{file}") for file in ("report.js", "shared.css", "report.css")):
        assert "</" not in text
        assert text in pages[0]
    assert pages[0].count("<script") == 1
