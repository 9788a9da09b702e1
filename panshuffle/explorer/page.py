"""The explorer's page: one file, its script and its style inside, and the policy that allows nothing else."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256

from markupsafe import Markup

from crosscheck.template import filled, kept
from panshuffle.explorer.asking import subjects
from panshuffle.explorer.subjects import DEFAULTS, MEANINGS, STEPS

PACKAGE = "panshuffle.explorer"


def script() -> Markup:
    """The script: it asks the server and draws what comes back; it computes no answer itself."""
    return kept(PACKAGE, "static/explorer.js")


def style() -> Markup:
    """The style sheet."""
    return kept(PACKAGE, "static/explorer.css")


def policy() -> str:
    """The content security policy: this script, this style, requests to this server, and nothing else."""
    allowed = {
        "default-src": "'none'",
        "script-src": digest(script()),
        "style-src": digest(style()),
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
    known = subjects()
    described = {name: explored.description() for name, explored in known.items()}
    read = {"steps": STEPS, "defaults": DEFAULTS, "meanings": MEANINGS, "subjects": described}
    data = Markup(json.dumps(read, ensure_ascii=False).replace("<", "\\u003c"))
    return filled(PACKAGE, "explorer.html", subjects=known, data=data, script=script(), style=style())
