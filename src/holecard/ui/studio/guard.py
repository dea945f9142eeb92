"""Who may ask: somebody with the token, from the studio's own pages, by an address of this machine.

As with a local notebook: whoever reads the terminal has the token. Another site in the same browser has neither it nor
our Origin, and a name that its owner points at 127.0.0.1 is no Host that is answered (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
_OPEN: Final = ("/static/", "/palette.css", "/favicon.ico")
"""Paths without secrets, which take no token."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Refusal(NamedTuple):
    """Why a request is not answered."""

    status: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request must show."""

    port: int
    """The port that is listened on."""
    host: str = "127.0.0.1"
    """The address that is listened on."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """The secret of the address."""

    @property
    def cookie(self) -> str:
        """The cookie that holds the token once a page was opened; one for each port."""
        return f"holecard-studio-{self.port}"

    @property
    def address(self) -> str:
        """What is opened in the browser."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "") else "[::1]" if self.host == "::" else self.host
        if ":" in host and not host.startswith("["):
            host = f"[{host}]"
        return f"http://{host}:{self.port}/?token={self.token}"

    def refusal(self, scope: Scope) -> Refusal | None:
        """Why a request is not answered, or None if it is."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_host(host):
            return Refusal(403, "this address is not the studio's; open the one that it printed")
        if not self._is_origin(headers, host):
            return Refusal(403, "requests from other sites are not answered")
        if scope["path"].startswith(_OPEN):
            return None
        shown = self._shown_token(scope, headers)
        if not shown:
            return Refusal(401, "a token is needed; open the address that `holecard studio` printed")
        if not any(secrets.compare_digest(each.encode(errors="replace"), self.token.encode()) for each in shown):
            return Refusal(403, "this is not the token of this studio; open the address that it printed last")
        return None

    def _is_host(self, text: str) -> bool:
        """True for this machine's own names, and for bare addresses where the studio listens on others than its own."""
        name, _, port = text.rpartition(":")
        if not port.isascii() or not port.isdigit() or int(port[:6]) != self.port:
            return False
        if name.lower() in (*_LOCAL_NAMES, self.host.lower(), f"[{self.host.lower()}]"):
            return True
        if self.host in _LOCAL_NAMES:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))  # a name could be anybody's, an address is what was typed
        except ValueError:
            return False
        return True

    @staticmethod
    def _is_origin(headers: Headers, host: str) -> bool:
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            return False
        is_opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return site in ("same-origin", "none") or is_opened

    def _shown_token(self, scope: Scope, headers: Headers) -> list[str]:
        shown = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=100).get("token", [])
        shown += headers.getlist("x-studio-token")
        if shown:
            return shown
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return []
        return [morsel.value] if morsel else []


class Guard:
    """Answers refusals itself, and adds to every answer what a browser is to keep to."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on or refuse."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            refusal = self.access.refusal(scope)
        except ValueError:  # a query of too many fields
            refusal = Refusal(400, "the address cannot be read")
        if refusal is None:
            await self.app(scope, receive, send_guarded)
        else:
            await JSONResponse({"error": refusal.message}, refusal.status)(scope, receive, send_guarded)
