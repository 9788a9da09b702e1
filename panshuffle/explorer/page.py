"""The explorer's page: one file, its script and its style inside, and the policy that allows nothing else."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256

from markupsafe import Markup

from panshuffle.arguments import TASKS
from panshuffle.explorer.asking import DEFAULTS, EXPLORED, MEANINGS, STEPS, TABLE, calibrated_params
from panshuffle.template import filled, kept

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
    described = {
        name: explored.description() | {"calibrates": calibrated_params(name)} for name, explored in EXPLORED.items()
    }
    read = {"steps": STEPS, "defaults": DEFAULTS, "meanings": MEANINGS, "subjects": described}
    data = Markup(json.dumps(read, ensure_ascii=False).replace("<", "\\u003c"))
    shown = {"subjects": EXPLORED, "tasks": TASKS, "planned": TABLE["plan"]}
    return filled(PACKAGE, "explorer.html", **shown, data=data, script=script(), style=style())
