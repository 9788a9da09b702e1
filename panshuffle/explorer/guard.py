"""Who may ask: only a page of our own address that knows the token."""

from __future__ import annotations

from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
