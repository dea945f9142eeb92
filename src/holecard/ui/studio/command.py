"""`holecard studio`: the lab in the browser. Loads Starlette and uvicorn only when it is called."""

from __future__ import annotations

import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from holecard.errors import MissingExtra
from holecard.ui.console import say, warn_if_compiling

INSTALL: Final = "holecard studio needs Starlette and uvicorn; install them with: pip install 'holecard[studio]'"


def studio(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: any that is free.")] = 8417,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; others than this machine's are reachable.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in the browser, or not.")] = True,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The folder whose runs are shown.")] = Path("runs"),
) -> None:
    """Open the lab in the browser: tables, charts and shoes whose exact numbers follow every change.

    It prints its address, which holds a token: who has it may use the studio. Ctrl-C ends it.
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise MissingExtra(INSTALL)
    from holecard.blackjack.exact import KERNELS
    from holecard.ui.studio.guard import Access
    from holecard.ui.studio.server import listen, make_app, serve, warm_up

    with listen(host, port) as listening:
        access = Access(port=listening.getsockname()[1], host=host)
        app = make_app(access, runs)
        warn_if_compiling(*KERNELS)
        print(access.address, flush=True)
        warm_up()
        if browser:
            threading.Thread(target=webbrowser.open, args=(access.address,), daemon=True).start()
        else:
            say("open this address in a browser; Ctrl-C ends the studio")
        serve(app, listening)
