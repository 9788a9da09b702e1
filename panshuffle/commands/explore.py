"""`panshuffle explore`: a local page with sliders."""

from __future__ import annotations

import argparse
import importlib.util
import json
import webbrowser
from secrets import token_urlsafe
from threading import Thread

from panshuffle.exact.errors import InputError
from panshuffle.question import whole


def run(args: argparse.Namespace) -> int:
    """Serves the page until it is interrupted, which is no error: the status is 0.

    *Raises* `InputError` where the libraries of the explorer are missing.
    """
    port = 0 if args.port is None else whole("port", args.port, 1, 65535)  # 0 is any free one
    missing = [name for name in ("starlette", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(f"explore needs {' and '.join(missing)}: pip install 'panshuffle[explore]'")
    from panshuffle.explorer.server import HOST, listening, serve

    door, token = listening(port), token_urlsafe(24)
    address = f"http://{HOST}:{door.getsockname()[1]}/{token}/"
    print(json.dumps({"address": address}) if args.json else f"{address} (Ctrl-C ends it)", flush=True)
    if not args.no_browser:  # beside the server
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    serve(door, token)
    return 0
