"""The app of the studio: pages, their endpoints, errors as JSON, and the server that runs it."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import uvicorn
from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from holecard.errors import HolecardError
from holecard.ui.palette import LETTER_COLOURS
from holecard.ui.studio.body import LARGEST, BadRequest, Body
from holecard.ui.studio.guard import Access, Guard
from holecard.ui.studio.page import Call, Download, Endpoint, Page, Studio
from holecard.ui.studio.pages import PAGES
from holecard.ui.studio.work import Busy, Job, Kept, Pool, Superseded

STATIC: Final = Path(__file__).parent / "static"
PATIENCE: Final = 10.0
"""Seconds that a client may take to send its request."""
_DRAINED: Final = 32 * 1024 * 1024
"""Bytes of a body that is too large which are read and dropped, so that its sender hears the refusal."""
_MOST_CONNECTIONS: Final = 300
_TURN: Final = 0.001
"""Seconds for which a thread keeps Python to itself while others wait: short, so that quick answers are quick."""
_LONGEST_TAB: Final = 40
"""Characters of the name that a tab gives itself."""


def make_app(
    access: Access, runs: Path, pages: tuple[Page, ...] = PAGES, begin: Callable[..., Any] | None = None
) -> ASGIApp:
    """The studio as an ASGI app, guarded. `begin` takes the place of what begins the process of a run."""
    templates = Environment(loader=FileSystemLoader(STATIC), autoescape=True)
    studio, pool, kept = Studio(runs=runs, begin=begin), Pool(), Kept()
    routes: list[Route | Mount] = [Route("/", partial(_page, templates, access, pages, pages[0]))]
    for page in pages:
        routes.append(Route(f"/{page.name}", partial(_page, templates, access, pages, page)))
        for endpoint in page.endpoints:
            path = f"/api/{page.name}/{endpoint.name}"
            routes.append(Route(path, _Handler(path, endpoint, studio, pool, kept), methods=["POST"]))
    routes += [Route("/palette.css", _palette), Mount("/static", StaticFiles(directory=STATIC))]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refused, Exception: _failed})
    app.router.redirect_slashes = False
    return Guard(app, access)


async def _page(
    templates: Environment, access: Access, pages: tuple[Page, ...], page: Page, request: Request
) -> Response:
    """A page: one frame for all, which loads the page's module. Who came with the token gets it as a cookie."""
    styled = {each.name for each in pages if (STATIC / f"{each.name}.css").is_file()}
    response = HTMLResponse(templates.get_template("index.html.j2").render(pages=pages, page=page, styled=styled))
    response.set_cookie(access.cookie, access.token, httponly=True, samesite="strict", path="/")
    return response


async def _palette(request: Request) -> Response:
    """The colours of letters, as the terminal and the figures have them."""
    names = {letter: f"--letter-{ord(letter)}" for letter in LETTER_COLOURS}
    content = ":root{" + "".join(f"{names[letter]}:{colour};" for letter, colour in LETTER_COLOURS.items()) + "}\n"
    content += "".join(f'[data-letter="{letter}"]{{--paint:var({name})}}\n' for letter, name in names.items())
    return PlainTextResponse(content, media_type="text/css", headers={"cache-control": "no-cache"})


class _Handler:
    """Answers the requests to one endpoint."""

    def __init__(self, path: str, endpoint: Endpoint, studio: Studio, pool: Pool, kept: Kept) -> None:
        self.path, self.endpoint, self.studio, self.pool, self.kept = path, endpoint, studio, pool, kept

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Starlette takes an object with this signature as an app."""
        request = Request(scope, receive)
        try:
            response = await self._respond(request)
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        try:
            return await self._answer(request)
        except BadRequest as problem:
            return _error(400, str(problem))
        except HolecardError as problem:
            return _error(422, str(problem))
        except Superseded:
            return _error(409, "a newer request has come")
        except TimeoutError:
            return _error(504, "this takes too long; ask for less")
        except Busy:
            return _error(503, "too much is asked at once; try again in a moment")
        except MemoryError:
            return _error(503, "there is not enough memory for this; ask for less")
        except HTTPException as problem:
            return _error(problem.status_code, problem.detail)

    async def _answer(self, request: Request) -> Response:
        body = Body.parse(await _read(request))
        tab = request.headers.get("x-studio-tab", "")[:_LONGEST_TAB]
        slot = f"{tab} {self.path}" if tab else None
        if self.endpoint.stream:
            return self._stream(request, body, slot)
        key = f"{self.path} {body.key}"
        if self.endpoint.kept and (content := self.kept.get(key)) is not None:
            return Response(content, media_type="application/json")
        work = partial(_work, self.endpoint, self.studio, body)
        answer = await self.pool.run(work, slot=slot, slow=self.endpoint.slow, gone=partial(_gone, request))
        if isinstance(answer, Download):
            headers = {"content-disposition": f'attachment; filename="{answer.name}"'}
            return Response(answer.content, media_type=answer.media_type, headers=headers)
        if self.endpoint.kept:
            self.kept.put(key, answer)
        return Response(answer, media_type="application/json")

    def _stream(self, request: Request, body: Body, slot: str | None) -> Response:
        job = self.pool.open(slot)
        call = Call(body=body, job=job, studio=self.studio)
        events = _events(partial(self.endpoint.answer, call), request, partial(self.pool.close, slot, job), job)
        return StreamingResponse(events, media_type="text/event-stream")


def _work(endpoint: Endpoint, studio: Studio, body: Body, job: Job) -> bytes | Download:
    """Runs on a thread: the answer of an endpoint, written."""
    answer = endpoint.answer(Call(body=body, job=job, studio=studio))
    return answer if isinstance(answer, Download) else as_json(answer)


async def _events(
    begin: Callable[[], Iterator[Any]], request: Request, close: Callable[[], None], job: Job
) -> AsyncIterator[bytes]:
    """Server-sent events of an iterator that runs on threads; an error is the last event, named `problem`."""
    try:
        found = await asyncio.to_thread(begin)
        while not job.is_over and not await request.is_disconnected():
            event = await asyncio.to_thread(next, found, _END)
            if event is _END:
                return
            yield b": \n\n" if event is None else b"data: " + as_json(event) + b"\n\n"
    except (HolecardError, BadRequest) as problem:
        yield b"event: problem\ndata: " + as_json({"error": str(problem)}) + b"\n\n"
    except Superseded:
        return
    finally:
        job.give_up()
        close()


_END: Final = object()


async def _gone(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _read(request: Request) -> bytes:
    """The body of a request, within limits of kind, size and time."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "send JSON, with the content type application/json")
    try:
        return await asyncio.wait_for(_collect(request), PATIENCE)
    except TimeoutError:
        raise HTTPException(408, "the request came too slowly") from None


async def _collect(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= LARGEST:
            parts.append(part)
        elif size > _DRAINED:
            break
    if size > LARGEST:
        raise HTTPException(413, f"a request has at most {LARGEST:,} bytes")
    return b"".join(parts)


def as_json(value: Any) -> bytes:
    """Plain JSON in ASCII; what is no number is null."""
    return json.dumps(_plain(value), separators=(",", ":"), allow_nan=False, default=str).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return value


def _error(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status)


async def _refused(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    words = {404: "there is no such address here", 405: "this address takes another method"}
    headers = dict(problem.headers or {})
    message = words.get(problem.status_code, problem.detail)
    return JSONResponse({"error": message}, problem.status_code, headers=headers)


async def _failed(request: Request, problem: Exception) -> Response:
    """A bug of ours: told on the terminal in full, to the client in a line."""
    traceback.print_exception(problem, file=sys.stderr)
    return _error(500, f"the studio failed: {type(problem).__name__}; the terminal says where")


class _Impatient(H11Protocol):
    """Closes connections that say nothing, or never finish their headers."""

    def connection_made(self, transport: Any) -> None:
        """A client is there; it has some seconds to ask something."""
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes any that is free."""
    if not host.strip():
        raise HolecardError("--host must be an address such as 127.0.0.1; got none")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(128)
    except (OSError, ValueError, TypeError) as problem:  # the last two of a host that is no name at all
        found.close()
        why = (problem.strerror if isinstance(problem, OSError) else None) or "this is no address of this machine"
        raise HolecardError(f"cannot listen on {host}:{port}: {why}; choose another with --port or --host") from None
    return found


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Run the app until it is interrupted."""
    sys.setswitchinterval(_TURN)
    config = uvicorn.Config(
        app,
        http=_Impatient,
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=32 * 1024,
    )
    uvicorn.Server(config).run(sockets=[listening])


def warm_up() -> None:
    """Load the kernels that the first page needs, on a thread of its own."""

    def load() -> None:
        from holecard.ui.studio.pages.table import warm

        with suppress(RuntimeError):  # who stops the studio at once stops this too
            warm()

    threading.Thread(target=load, name="warm-up", daemon=True).start()
