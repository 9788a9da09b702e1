"""The local server: one page, answers to what the page asks, and who may ask: only that page, which knows the token."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from hmac import compare_digest

import uvicorn
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from panshuffle.arguments import TASKS
from panshuffle.exact.errors import InputError
from panshuffle.explorer.asking import DEFAULTS, EXPLORED, MEANINGS, QUESTIONS, STEPS, TABLE, calibrated_params
from panshuffle.explorer.calculator import LIMIT, Calculator
from panshuffle.question import Json
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


METHODS = ("GET", "HEAD", "POST")
OWN_SITE = ("same-origin", "none")
FIXED = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """The application behind it sees only requests with our own host, our own origin or none, and the token."""

    def __init__(self, app: ASGIApp, token: str, port: int, policy: str) -> None:
        self.app, self.token, self.host = app, token, f"127.0.0.1:{port}"
        self.headers = FIXED | {"Content-Security-Policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses with one sentence, or passes the request on; every answer gets the headers that protect it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        refusal = self.refusal(Headers(scope=scope), scope["path"])
        if refusal is not None:
            await PlainTextResponse(f"{refusal}\n", 403)(scope, receive, guarded)
        elif scope["method"] not in METHODS:
            words = f"The method is not allowed: it must be one of {', '.join(METHODS)}.\n"
            await PlainTextResponse(words, 405, {"Allow": ", ".join(METHODS)})(scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)

    def refusal(self, headers: Headers, path: str) -> str | None:
        """Why a request is refused; None where it is not."""
        if headers.getlist("host") != [self.host]:
            return f"The host is not allowed: it must be {self.host}."
        if any(origin != f"http://{self.host}" for origin in headers.getlist("origin")):
            return "The origin is not allowed: only the explorer's own page may ask."
        if any(site not in OWN_SITE for site in headers.getlist("sec-fetch-site")):
            return "The site is not allowed: only the explorer's own page may ask."
        first = path.removeprefix("/").partition("/")[0]
        if not compare_digest(first.encode("utf-8", "surrogateescape"), self.token.encode()):
            return "The token is missing or wrong: open the address that panshuffle explore printed."
        return None


HOST = "127.0.0.1"
LARGEST_BODY = 10_000
SLOWEST_BODY = 2.0
"""Seconds for a question to arrive; a client that takes longer is dropped."""
SENTENCES = {404: "There is nothing at this address.", 405: "The method is not allowed at this address."}


def application(token: str, port: int, limit: float = LIMIT) -> ASGIApp:
    """The whole application for one token and one port; `limit` is the seconds that an answer may take."""
    calculator, text = Calculator(limit), page()

    async def shown(request: Request) -> Response:
        return HTMLResponse(text)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        yield
        await calculator.stop()

    routes = [
        Route(f"/{token}/", shown),
        Route(f"/{token}/ask/{{part}}", partial(answer, calculator), methods=["POST"]),
    ]
    app = Starlette(routes=routes, lifespan=life, exception_handlers={HTTPException: sentence})
    app.router.redirect_slashes = False
    return Guard(app, token, port, policy())


async def sentence(request: Request, problem: Exception) -> Response:
    """The answer to a request that makes no sense, as one sentence."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    detail = problem.detail if isinstance(problem, HTTPException) else ""
    return PlainTextResponse(f"{SENTENCES.get(status, detail)}\n", status)


async def answer(calculator: Calculator, request: Request) -> Response:
    """The answers to what was sent, each with the command line that gives it."""
    question = await question_of(request)
    part = request.path_params["part"]
    if part not in QUESTIONS:
        raise HTTPException(404)
    try:
        asked = QUESTIONS[part](question)
    except InputError as problem:
        return JSONResponse({"answers": [{"problem": str(problem)}]})
    found: list[dict[str, Json]] = []
    for one in asked:
        answered = await calculator.ask(one.question, request.is_disconnected)
        said = {"command": one.command, "python": one.python, "words": one.words, "lead": one.lead}
        found.append({**said, **answered})
    return JSONResponse({"answers": found})


async def question_of(request: Request) -> dict[str, object]:
    """The object that was sent.  *Raises* `HTTPException` for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "The question must be sent as application/json.")
    body = b""
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    raise HTTPException(413, f"The question is too long: at most {LARGEST_BODY} bytes are allowed.")
    except TimeoutError:
        raise HTTPException(408, f"The question did not arrive within {SLOWEST_BODY:g} seconds.") from None
    except ClientDisconnect:
        raise HTTPException(400, "The question did not arrive.") from None
    try:
        question = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "The question is no JSON.") from None
    if not isinstance(question, dict):
        raise HTTPException(400, "The question must be a JSON object.")
    return question


def listening(port: int) -> socket.socket:
    """A socket that only this machine reaches.  *Raises* `InputError` where the port is taken."""
    try:
        return socket.create_server((HOST, port))
    except OSError as problem:
        raise InputError(f"port = {port} can't be used on {HOST} ({os.strerror(problem.errno or 0)})") from None


def serve(door: socket.socket, token: str, limit: float = LIMIT) -> None:
    """Answers until it is interrupted."""
    config = uvicorn.Config(
        application(token, door.getsockname()[1], limit),
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    try:
        uvicorn.Server(config).run(sockets=[door])
    except KeyboardInterrupt:
        return
