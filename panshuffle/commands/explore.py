"""`panshuffle explore`: a local page with sliders."""

from __future__ import annotations

import argparse
import json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", metavar="P", help="port on 127.0.0.1 (default: a free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
    parser.add_argument("--json", action="store_true", help="print the address as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Serves the page until it is interrupted, which is no error: the status is 0."""
    from secrets import token_urlsafe

    port = port_of(args.port)
    needed()
    from panshuffle.explorer.server import HOST, listening, serve

    door, token = listening(port), token_urlsafe(24)
    address = f"http://{HOST}:{door.getsockname()[1]}/{token}/"
    print(json.dumps({"address": address}) if args.json else f"{address} (Ctrl-C ends it)", flush=True)
    if not args.no_browser:
        show(address)
    serve(door, token)
    return 0


def port_of(text: str | None) -> int:
    """The port; 0, which is any free one, where none was given.  *Raises* `ParameterError` for what is no port."""
    from exact.errors import ParameterError
    from panshuffle.question import whole

    if text is None:
        return 0
    port = whole("port", text)
    if port > 65535:
        raise ParameterError("port", text, "a whole number from 1 to 65535")
    return port


def needed() -> None:
    """*Raises* `InputError` where the libraries of the explorer are missing."""
    from importlib.util import find_spec

    from exact.errors import InputError

    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise InputError(f"explore needs {' and '.join(missing)}: pip install 'panshuffle[explore]'")


def show(address: str) -> None:
    """Opens the page in the person's browser, beside the server."""
    import webbrowser
    from threading import Thread

    Thread(target=webbrowser.open, args=(address,), daemon=True).start()
