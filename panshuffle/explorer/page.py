"""The explorer's page: one file, its script and its style inside, and the policy that allows nothing else."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256

from panshuffle.explorer.script import SCRIPT
from panshuffle.explorer.style import STYLE
from panshuffle.explorer.subjects import description, subjects
from panshuffle.report.markup import Markup, tag

TITLE = "panshuffle explore"
INTRODUCTION = (
    "Move a slider or type an exact number (1e-6, 1/3, log(2)). Every number is what the command below it prints:"
    " certified, and rounded outward."
)


def policy() -> str:
    """The content security policy: this script, this style, requests to this server, and nothing else."""
    allowed = {
        "default-src": "'none'",
        "script-src": digest(SCRIPT),
        "style-src": digest(STYLE),
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in allowed.items())


def digest(text: str) -> str:
    """The hash of an inline script or style, as the policy has it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def page() -> str:
    """The whole page."""
    data = json.dumps(description(), ensure_ascii=False).replace("<", "\\u003c")
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<link rel="icon" href="data:,">'),
        tag("title", TITLE),
        tag("style", Markup(STYLE)),
    )
    body = tag(
        "body",
        tag("header", tag("h1", TITLE), tag("p", INTRODUCTION)),
        tag("noscript", tag("p", "This page needs its script, which is inside it: please allow it.")),
        tag("main", headline(), controls(), details()),
        tag("script", Markup(data), type="application/json", id="description"),
        tag("script", Markup(SCRIPT)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def controls() -> Markup:
    """The part where one chooses; the script puts in the letters of the chosen protocol."""
    names = [tag("option", f"{name}: {subject.words}", value=name) for name, subject in subjects().items()]
    return tag(
        "form",
        tag("label", tag("span", "protocol"), tag("select", *names, id="protocol"), class_="line"),
        tag("label", tag("span", "given by"), tag("select", id="way"), class_="line"),
        tag("fieldset", tag("legend", "the protocol's parameters"), tag("div", id="letters")),
        tag(
            "fieldset",
            tag("legend", "what is asked"),
            tag("label", tag("span", "asked for"), tag("select", id="read"), class_="line", id="read-line"),
            tag("div", id="asked"),
        ),
        id="controls",
        autocomplete="off",
    )


def headline() -> Markup:
    """The number, or why there is none."""
    number = tag(
        "p",
        tag("span", "", id="quantity"),
        tag("span", "", id="value"),
        id="answer",
        role="status",
        aria_live="polite",
        aria_atomic="true",
    )
    problem = tag("p", "", id="problem", role="alert", hidden=True)
    return tag("section", tag("h2", "Answer", id="answer-title"), number, problem, id="headline", aria_label="answer")


def details() -> Markup:
    """All else that comes back: what the number covers, the command, the curve."""
    names = (
        ("paper", "the paper's bound"),
        ("covers", "covers"),
        ("messages", "messages a user sends"),
        ("error", "error"),
    )
    return tag(
        "section",
        tag("dl", *(tag("div", tag("dt", name), tag("dd", "", id=slug)) for slug, name in names)),
        tag("h2", "Command"),
        command("command", "the command that gives this number"),
        tag("h2", "Curve", id="curve-title"),
        tag("p", "", id="curve-problem", hidden=True),
        figure(),
        id="rest",
        aria_label="more on the answer",
    )


def command(slug: str, words: str) -> Markup:
    """A command line with its button."""
    button = tag("button", "copy", type="button", data_copies=slug, aria_label=f"copy {words}")
    return tag("p", tag("code", "", id=slug, tabindex="0"), " ", button, class_="command")


def figure() -> Markup:
    """The place of the curve, its legend, its points and its command."""
    rows = tag("tbody", "", id="points")
    heads = [tag("th", name, scope="col") for name in ("ε", "δ, lower end", "δ, upper end", "the paper's bound")]
    table = tag("table", tag("caption", "Points of the curve"), tag("thead", tag("tr", *heads)), rows)
    return tag(
        "figure",
        tag("div", "", id="picture"),
        tag("figcaption", "", id="legend"),
        tag(
            "details",
            tag("summary", "the points, and the command that gives them"),
            command("curve-command", "the command that gives the points"),
            tag("div", table, class_="scroll", tabindex="0", role="region", aria_label="points of the curve"),
        ),
        id="curve",
    )
