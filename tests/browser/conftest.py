"""The studio in a real browser: Playwright drives Chromium against a server of its own.

`make test-browser` runs these; `make test` does not, because they need a Chromium. The system's is taken where
Playwright has none of its own.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PICTURES = HERE.parents[1] / "docs" / "pictures"
SYSTEM = ("chromium", "chromium-browser", "google-chrome", "chrome")
MOST_BYTES = 400_000
"""Of a picture."""
AXE = (HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8")

if not os.environ.get("HOLECARD_BROWSER"):
    collect_ignore_glob = ["test_*.py", "walks.py"]


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    found = next((path for name in SYSTEM if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """A folder of runs with two finished evolutions and a finished race in it."""
    folder = tmp_path_factory.mktemp("runs")
    words = ["--preset", "tuned", "--population", "60", "--generations", "40", "--hands", "1000"]
    for name, seed in (("ga", "0"), ("ga-again", "1")):
        command = ["evolve", "ga", *words, "--seed", seed, "--out", str(folder / name)]
        subprocess.run([sys.executable, "-m", "holecard", *command], check=True, capture_output=True, timeout=300)
    _add_race(folder)
    return folder


def _add_race(folder):
    """A race that is finished: a small one, with its report."""
    from holecard.blackjack import Rules
    from holecard.studies.race import RaceConfig, run_race, start_race
    from holecard.ui.report import write_report

    small = {"population": 8, "bits_generations": 3, "bits_hands": 50, "letters_generations": 3, "programs": 8}
    fewer = {"programs_generations": 3, "rounds": 200, "players": 4, "holdem_generations": 2, "hands": 10}
    config = RaceConfig(rules=Rules(), budgets=(5, 20), duel_hands=40, **small, **fewer)
    race = start_race(config, folder / "race", command=["holecard", "race"])
    run_race(race)
    write_report(race)


@pytest.fixture(scope="session")
def address(runs):
    """A studio's address; the server ends with the session."""
    command = [sys.executable, "-m", "holecard", "studio", "--port", "0", "--no-browser", "--runs", runs.name]
    with subprocess.Popen(command, cwd=runs.parent, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


class Visitor:
    """Somebody with a browser window who notes everything that is wrong."""

    def __init__(self, browser, address, width, scheme, height=900, motion="no-preference"):
        self.site, _, self.query = address.partition("/?")
        self.width, self.scheme = width, scheme
        self.problems = []
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion=motion,
            accept_downloads=True,
            has_touch=width < 500,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("request", self._watch)
        self.page.on("response", self._judge)
        self.page.goto(address)

    def _note(self, kind, text):
        if kind in ("error", "warning"):
            self.problems.append(f"console: {text}")

    def _watch(self, request):
        if not request.url.startswith((self.site, "data:", "blob:")):
            self.problems.append(f"fetched from outside: {request.url}")

    def _judge(self, response):
        if response.status >= 400 and response.status not in self.allowed:
            self.problems.append(f"status {response.status}: {response.url}")

    allowed = ()
    """Statuses that the walk asks for."""

    def open(self, path):
        """Open a page of the studio by its address and wait until it is quiet."""
        self.page.goto(f"{self.site}{path}")
        self.page.wait_for_load_state("networkidle")
        return self.page

    def check(self):
        """Nothing went wrong, nothing is wider than the window, and axe finds nothing serious."""
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        if wide > self.width:
            self.problems.append(f"the page is {wide} pixels wide in a window of {self.width}")
        self.page.evaluate(AXE)
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)")
        for each in found:
            if each["impact"] in ("serious", "critical"):
                places = [node["html"][:150] for node in each["nodes"][:3]]
                self.problems.append(f"axe: {each['id']}: {each['help']}: {places}")
        assert not self.problems, "\n".join(self.problems)

    def photograph(self, name):
        """Save what the window shows, in few colours."""
        from PIL import Image

        path = PICTURES / f"{name}.png"
        self.page.screenshot(path=str(path))
        with Image.open(path) as picture:
            few = picture.convert("RGB").quantize(256)
        few.save(path, optimize=True)
        assert path.stat().st_size <= MOST_BYTES

    def leave(self):
        self.context.close()


@pytest.fixture
def visit(browser, address):
    """Opens windows: `visit(width, scheme)` is a `Visitor`."""
    visitors = []

    def open_window(width=1024, scheme="light", **more):
        visitors.append(Visitor(browser, address, width, scheme, **more))
        return visitors[-1]

    yield open_window
    for each in visitors:
        each.leave()


@pytest.fixture(scope="session")
def command_line():
    """What the command line prints as JSON."""
    import json

    def call(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "holecard", *arguments, "--json"],
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        return json.loads(done.stdout)

    return call
