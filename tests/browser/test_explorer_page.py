"""The explorer in a real browser: its numbers are those of the command, and it talks to nobody else."""

import json
import shlex
import subprocess

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.window import DESKTOP, PHONE, PROGRAM

SECONDS = 40


@pytest.fixture
def page(window, explorer):
    window.size(*DESKTOP)
    window.media()
    window.open(explorer)
    settled(window)
    return window


def settled(page, part="#answer"):
    """Waits until what the page shows in a part is what was asked for last."""
    shown = "const part = document.querySelector(arguments[0]); return part.textContent && !part.ariaBusy"
    WebDriverWait(page.driver, SECONDS, 0.1).until(lambda _: page.run(shown, part))


def choose(page, slug, value):
    """Chooses in a list."""
    script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
    page.run(script, page.one(f"#{slug}"), value)


def type_in(page, letter, text):
    """Types into the field of a letter."""
    field = page.one(f"#text-{letter}")
    field.clear()
    field.send_keys(text)


def printed(command):
    """What the command prints with --json."""
    name, *words = shlex.split(command)
    assert name == "panshuffle"
    words += [] if "--json" in words else ["--json"]
    result = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def numbers(page):
    """The two ends that the page shows."""
    value = page.one("#value").text.rpartition("= ")[2]
    ends = value.strip("[]").split(", ")
    return ends if len(ends) == 2 else ends * 2


def agrees(page):
    """Asserts that the page shows what its command prints."""
    answer = printed(page.one("#command").text)
    assert numbers(page) == [answer["lower"], answer["upper"]]
    paper = answer["paper"]
    assert page.one("#paper").text.startswith(paper["value"] if paper else "no bound")


@pytest.mark.parametrize(
    ("protocol", "letter"),
    [
        ("binomial", "l"),
        ("binary-sum", "n"),
        ("distinct-elements", "eps"),
        ("uniformity", "gamma"),
        ("pan-sum", "lam"),
        ("pan-histogram", "k"),
        ("shuffle-histogram", "p"),
        ("modular-sum", "m"),
    ],
)
def test_a_moved_slider_gives_the_number_of_the_command(page, protocol, letter):
    choose(page, "protocol", protocol)
    settled(page)
    before = page.one("#command").text
    assert before.startswith(f"panshuffle privacy {protocol} ")
    slider = page.one(f"#slider-{letter}")
    slider.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    settled(page)
    after = page.one("#command").text
    assert after != before
    assert f"--{letter} {page.one(f'#text-{letter}').get_attribute('value')} " in f"{after} "
    agrees(page)
    assert page.complaints() == []


def test_an_exact_number_can_be_typed_and_read_at_a_delta(page):
    choose(page, "read", "at-delta")
    type_in(page, "at-delta", "1/2^20")
    type_in(page, "l", "1000")
    settled(page)
    assert page.one("#command").text == "panshuffle privacy binomial --l 1000 --p 1/2 --at-delta '1/2^20'"
    agrees(page)


def test_the_curve_is_that_of_its_command(page):
    WebDriverWait(page.driver, SECONDS).until(lambda _: len(page.all("#points tr")) == 31)
    page.one("summary").click()
    rows = printed(page.one("#curve-command").text)["rows"]
    cells = [[cell.text for cell in row.find_elements("css selector", "td")] for row in page.all("#points tr")]
    assert cells == [[row["eps"], row["lower"], row["upper"], row["paper"] or "none"] for row in rows]
    assert len(page.all("#picture .dot")) == len(rows)
    assert len(page.all("#picture .square")) == sum(row["paper"] != "" and float(row["paper"]) <= 1 for row in rows)


def test_the_error_is_that_of_its_command(page):
    settled(page, "#error")
    answer = printed(page.one("#error code").text)
    assert answer["quantity"] == "alpha"
    assert page.one("#error b").text == answer["upper"] == answer["lower"]


def test_the_paper_s_formula_can_be_chosen(page):
    choose(page, "way", "1")
    settled(page)
    assert page.one("#command").text == "panshuffle privacy binomial --eps 1 --delta 1e-6 --p 1/2 --at-eps 1"
    agrees(page)


def test_bad_input_gets_the_command_s_sentence(page):
    type_in(page, "l", "1.5")
    settled(page)
    assert page.one("#problem").text == "l = 1.5 is not allowed: l must be a whole number, at least 0"
    assert page.one("#value").text == "no answer"
    type_in(page, "l", "200")
    settled(page)
    assert not page.one("#problem").is_displayed()
    agrees(page)


def test_the_command_can_be_copied(page, explorer):
    origin = explorer[: explorer.index("/", 8)]
    allowed = {"origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    page.driver.execute_cdp_cmd("Browser.grantPermissions", allowed)
    page.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    # the button says so for a moment only, which a busy machine may miss: every text that it had is kept
    page.run("""window.said = [];
      const button = document.querySelector("[data-copies=command]");
      new MutationObserver(() => said.push(button.textContent)).observe(button, { childList: true })""")
    page.one("[data-copies=command]").click()
    WebDriverWait(page.driver, SECONDS, 0.1).until(lambda _: page.run("return said.length") > 0)
    assert page.run("return said")[0] == "copied"
    copied = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    page.driver.execute_cdp_cmd("Browser.resetPermissions", {})
    assert copied == page.one("#command").text


def test_it_talks_to_its_own_address_only(page, explorer):
    WebDriverWait(page.driver, SECONDS).until(lambda _: len(page.all("#points tr")) == 31)
    asked = page.requested()
    assert asked[0] == explorer
    assert len(asked) == 5  # the page, the number, the points twice, the error
    assert all(address.startswith(explorer) for address in asked)
    assert page.complaints() == []


def test_another_origin_and_a_missing_token_are_refused(page, explorer, tmp_path):
    base = explorer[: explorer.index("/", 8)]
    fetch = """const done = arguments[arguments.length - 1];
      const failed = (problem) => done([0, String(problem)]);
      fetch(arguments[0], arguments[1]).then((r) => r.text().then((t) => done([r.status, t])), failed)"""
    status, text = page.driver.execute_async_script(fetch, f"{base}/ask/privacy", {"method": "POST"})
    assert (status, "token" in text) == (403, True)
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("<!doctype html><title>another origin</title>")
    page.open(elsewhere.as_uri())
    options = {"method": "POST", "mode": "no-cors", "body": "{}"}
    status, _ = page.driver.execute_async_script(fetch, f"{explorer}ask/privacy", options)
    assert status == 0  # opaque, and in the log:
    logged = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
    answers = [entry["params"] for entry in logged if entry["method"] == "Network.responseReceivedExtraInfo"]
    assert [answer["statusCode"] for answer in answers] == [403]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_page_fits_the_window(page, size):
    for protocol in ("binomial", "uniformity"):
        page.size(*size)
        choose(page, "protocol", protocol)
        settled(page)
        page.unfold()
        assert page.too_wide(size[0]) <= 0


def test_every_control_has_a_name_and_the_answer_is_announced(page):
    unnamed = """return [...document.querySelectorAll('input, select, button')].filter((item) =>
      !item.labels?.length && !item.getAttribute('aria-label')).map((item) => item.outerHTML)"""
    assert page.run(unnamed) == []
    assert page.one("#answer").get_attribute("aria-live") == "polite"
    assert page.one("#slider-l").get_attribute("aria-valuetext") == "200"


def test_the_dark_page_is_dark(page):
    page.media("", "dark")
    assert page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"


def test_nothing_of_the_question_before_is_shown(page):
    settled(page, "#error")
    choose(page, "protocol", "uniformity")
    names = ["value", "paper", "covers", "messages", "error", "command", "python"]
    shown = "return arguments[0].map((id) => document.getElementById(id).textContent)"
    assert page.run(shown, names) == ["…", *[""] * 6]
    settled(page)
    assert page.one("#command").text.startswith("panshuffle privacy uniformity ")


def test_a_link_holds_the_whole_question(page):
    choose(page, "protocol", "uniformity")
    choose(page, "read", "calibrate")
    type_in(page, "k", "20")
    type_in(page, "at-eps", "1/2")
    settled(page)
    command, link = page.one("#command").text, page.one("#link").text
    assert command == "panshuffle calibrate uniformity --n 1000 --k 20 --gamma 1 --at-eps 1/2 --at-delta 1e-6"
    page.open("about:blank")
    page.open(link)
    settled(page)
    assert page.one("#command").text == command
    assert page.one("#value").text.rpartition("= ")[2] == printed(command)["lower"]


def test_two_protocols_in_one_picture(page):
    wait = WebDriverWait(page.driver, SECONDS)
    wait.until(lambda _: len(page.all("#picture .dot")) > 5)
    page.one("#keep").click()
    choose(page, "protocol", "pan-sum")
    wait.until(lambda _: len(page.all("#picture .dot")) > 5)
    assert len(page.all("#picture .compared")) == 1 and len(page.all("#picture .ring")) > 5
    assert "binomial --l 200" in page.one("#legend").text
    page.one("#drop").click()
    assert page.all("#picture .compared") == []


def test_a_plan_is_that_of_its_command(page):
    choose(page, "task", "histogram")
    page.one("#plan-form button").click()
    wait = WebDriverWait(page.driver, SECONDS)
    wait.until(lambda _: page.one("#plan-status").text.startswith("choice"))
    answer = printed(page.one("#plan-command").text)
    assert page.one("#plan-status").text == f"choice: {answer['choice']}"
    assert len(page.all("#plans tr")) == len(answer["plans"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(page, scheme):
    page.media("", scheme)
    settled(page, "#error")
    assert page.faint() == []
