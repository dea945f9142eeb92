"""The studio: the lab in a browser. `holecard studio` starts it; everything it shows comes from the library.

How to add a page called `race`
-------------------------------
1. `pages/race.py` with its endpoints and one `PAGE`:

       def results(call: Call) -> Any:
           name = call.body.text("run", longest=200)          # checked; a wrong type is refused with status 400
           folder = call.studio.run_folder(name)               # never outside --runs
           return {"rows": ...}                                # plain JSON; nan and inf become null

       PAGE = Page(
           name="race",                                        # the address /race and the module static/race.js
           title="Race",                                       # the word in the menu
           about="Every way to play, side by side.",           # a line below the heading
           endpoints=(Endpoint(name="results", answer=results),),
       )

   An endpoint is `POST /api/PAGE/NAME` with one JSON object. It runs on a thread. Raise a `HolecardError` for what a
   user did wrong: it becomes status 422 and its own line. Anything else that is raised is a bug of ours: status 500.
   `Endpoint(kept=True)` keeps answers by what was asked: only for pure functions of the body.
   `Endpoint(slow=True)` is for work of more than 0.2 s: it waits in a line of its own, and long loops call
   `call.job.check()` now and then, which raises once a newer request of the same tab and endpoint has come.
   An answer may be JSON, a `Download` (bytes with a file name), or, with `Endpoint(stream=True)`, an iterator of JSON
   objects: they are sent as server-sent events, one by one, until the iterator ends or the tab is closed. A stream that
   has nothing to say yields `None` once a second, so that a closed tab is noticed.
2. A line in `pages/__init__.py`. The order there is that of the menu.
3. `static/race.js`, an ES module with one function:

       export async function open(main, page) { …; return () => {…}; }

   `main` is the empty `<main>`; build it with `h()` of `lib/dom.js`, which never reads text as markup. What is returned
   is called when the page is left. `lib/api.js` has `ask(path, body)` (an older request of the same path is aborted and
   its promise never settles), `listen(path, body, onEvent)` (a stream; returns what stops it), `download(path, body)`.
   `lib/address.js` keeps the state of a page in the address. `lib/chart.js` draws strategy charts, `lib/plot.js` curves
   with uPlot, `lib/cards.js` cards, `lib/say.js` writes numbers and shows messages and errors.
4. Style: `static/studio.css` has the colours and the pieces (`.panel`, `.figures`, `.button`, `.chip`, `table.plain`).
   Rules that only one page needs stand in `static/NAME.css`; `index.html.j2` links it where the file exists.
5. Tests: `tests/ui/studio/helpers.py` has `client()` and `bad_bodies()`; `test_pages.py` finds every endpoint by itself
   and sends it bad input. In the browser: `tests/browser/walks.py`, one function a page; `make test-browser` runs it.

No arithmetic of a game belongs in JavaScript, and no rule: the server says what may be chosen and what it is worth.

`server.py` is the app, `guard.py` who may ask, `body.py` what may be asked, `work.py` where it is worked out,
`page.py` what a page is, `command.py` the command. `runs.py`, `races.py` and `steering.py` begin, find, pause and
resume processes; `seat.py` is a seat at a table, `play_log.py` what is kept of it.
"""
