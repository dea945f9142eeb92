"""The studio's speed, in the browser: from a keystroke to the new chart on the screen; the first page; fifty clients.

    python benchmarks/studio.py [--strokes 60]

Needs the extras `studio` and `browser` and a Chromium. Every chart is compared with the library's before it is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from results import record

from holecard.blackjack import Rules, solve

SYSTEM = ("chromium", "chromium-browser", "google-chrome", "chrome")
CLIENTS = 50
MOST_MEGABYTES = 1500
"""Of the server after everything below."""

SEEN = """
(place, act) => new Promise((resolve) => {
  const start = performance.now();
  const watcher = new MutationObserver(() => {
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start), 0));
  });
  watcher.observe(document.getElementById(place), { childList: true, subtree: true, characterData: true });
  act();
})
"""
"""Milliseconds from an act until what it changes in a place has been drawn: until after the frame that has it."""
STROKE = f"""
async ([rule, word]) => {{
  const seen = {SEEN};
  const price = document.querySelector(`[data-rule="${{rule}}"] [data-price="${{word}}"]`);
  return await seen("table-figures", () => price.closest("label").querySelector("input").click());
}}
"""
"""Chooses another rule; the figures are shown anew in the same turn as the chart."""
LETTER = f"""
async ([cell, letter]) => {{
  const seen = {SEEN};
  const node = document.querySelector(`td[data-cell="${{cell}}"]`);
  node.focus();
  const press = new KeyboardEvent("keydown", {{ key: letter, bubbles: true, cancelable: true }});
  return await seen("chart-figures", () => node.dispatchEvent(press));
}}
"""
"""Types a letter on a cell of the chart page."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strokes", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help="fewer keystrokes")
    options = parser.parse_args()
    strokes = 15 if options.quick else options.strokes
    if missing := what_is_missing():
        print(f"not measured: {missing}")
        return
    command = [sys.executable, "-m", "holecard", "studio", "--port", "0", "--no-browser"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
            seconds = time.perf_counter() - began
            print(f"{os.cpu_count()} cores, load {busy:.1f} before; the address is printed after {seconds:.2f} s")
            in_browser(address, strokes, server.pid)
            many_clients(address)
            print(f"memory of the server: {megabytes(server.pid):.0f} MB")
            if megabytes(server.pid) > MOST_MEGABYTES:
                sys.exit("that is too much")
        finally:
            server.terminate()


def what_is_missing() -> str:
    if find_spec("playwright") is None or find_spec("starlette") is None:
        return "install the extras studio and browser"
    return "" if any(map(shutil.which, SYSTEM)) else "install a Chromium"


def in_browser(address: str, strokes: int, server: int) -> None:
    from playwright.sync_api import sync_playwright

    found = next((path for name in SYSTEM if (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        warm(browser, address)
        usable = [first_page(browser, address) for _ in range(5)]
        print(f"first page usable: {1000 * statistics.median(usable):.0f} ms (median of 5, a new browser window each)")
        record("studio: first page usable", statistics.median(usable), "s")
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.goto(address)
        page.wait_for_load_state("networkidle")
        show("a rule changed, six decks", *rule_strokes(page, strokes, server))
        page.goto(address.partition("/?")[0] + "/chart")
        page.wait_for_load_state("networkidle")
        show("a letter typed, six decks", *letter_strokes(page, strokes, server))
        browser.close()


def warm(browser: Any, address: str) -> None:
    """One visit that loads every kernel."""
    page = browser.new_context().new_page()
    page.set_default_timeout(240_000)
    page.goto(address)
    page.locator("#table-outcomes p").wait_for()
    page.wait_for_load_state("networkidle")
    page.context.close()


def first_page(browser: Any, address: str) -> float:
    """Seconds from asking for the address to the chart on the screen."""
    page = browser.new_context().new_page()
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator('td[data-cell="hard 16 v 10"][data-letter]').wait_for()
    seconds = time.perf_counter() - start
    page.context.close()
    return seconds


CHANGES = [
    *[
        ("h17", "S17"),
        ("das", "NDAS"),
        ("surrender", "LS"),
        ("rsa", "RSA"),
        ("bj", "6:5"),
        ("hsa", "HSA"),
        ("peek", "ENHC"),
    ],
    *[
        ("h17", "H17"),
        ("surrender", "ES"),
        ("double", "D9"),
        ("das", "DAS"),
        ("bj", "7:5"),
        ("rsa", "NRSA"),
        ("peek", "PEEK"),
    ],
    *[
        ("double", "D10"),
        ("surrender", "ES10"),
        ("bj", "2:1"),
        ("hsa", "NHSA"),
        ("double", "DOA"),
        ("surrender", "NS"),
        ("bj", "3:2"),
    ],
]
"""Rules of six decks that are changed in turn; after all of them the table is what it was."""


def rule_strokes(page: Any, strokes: int, server: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each change to the screen, and the server's CPU milliseconds till then.

    What was solved before comes from what is kept, so each round is of other tables.
    """
    taken: list[float] = []
    worked: list[float] = []
    lines = [
        "",
        "6d dsa",
        "6d 3-hands",
        "6d value",
        "6d ins",
        "6d 5-charlie",
        "6d 6-charlie",
        "6d double-any",
        "6d ties-lose",
    ]
    for line in lines:
        if len(taken) >= strokes:
            break
        page.locator("#table-line").fill(line or "casino")
        page.locator("#table-line").press("Enter")
        page.wait_for_load_state("networkidle")
        for rule, word in CHANGES:
            if len(taken) >= strokes:
                break
            before = cpu_milliseconds(server)
            taken.append(page.evaluate(STROKE, [rule, word]))
            worked.append(cpu_milliseconds(server) - before)
            check_chart(page)
            page.wait_for_timeout(0 if len(taken) % 3 else 300)  # some follow at once, while slow figures are at work
    return taken, worked


def check_chart(page: Any) -> None:
    """The edge and the chart on the screen are the library's."""
    solution = solve(Rules.from_text(page.locator("#table-line").input_value()))
    assert page.locator("#edge").inner_text() == f"{100 * solution.house_edge:.4f} %".replace("-", "−")
    read = "all => all.map(each => [each.dataset.cell, each.textContent])"
    shown = dict(page.eval_on_selector_all("td[data-cell]", read))
    upcards = ["A", *map(str, range(2, 11))]
    for section, rows in solution.chart.items():
        for label, letters in rows.items():
            for upcard, letter in zip(upcards, letters, strict=True):
                assert shown[f"{section} {label} v {upcard}"] == letter


def letter_strokes(page: Any, strokes: int, server: int) -> tuple[list[float], list[float]]:
    taken, worked = [], []
    for number in range(strokes):
        cell = f"hard {12 + number % 5} v {2 + number // 5 % 8}"
        now = page.locator(f'td[data-cell="{cell}"]').inner_text()
        before = cpu_milliseconds(server)
        taken.append(page.evaluate(LETTER, [cell, "H" if now == "S" else "S"]))
        worked.append(cpu_milliseconds(server) - before)
    return taken, worked


def show(what: str, taken: list[float], worked: list[float]) -> None:
    taken = sorted(taken)
    middle, late = statistics.median(taken), taken[int(0.95 * (len(taken) - 1))]
    print(f"{what}: keystroke to screen {middle:.0f} ms median, {late:.0f} ms at the 95th percentile of {len(taken)}")
    print(f"    CPU time of the server till then: {statistics.median(worked):.0f} ms median")
    record(f"{what}: keystroke to screen, 95th percentile", late, "ms")


def many_clients(address: str) -> None:
    """Fifty clients ask for fifty tables at once; every answer is compared with the library's own."""
    site, _, token = address.partition("/?token=")
    tables = [
        Rules.from_text(f"{decks}d {soft} {surrender} {das}")
        for decks in (1, 2, 3, 4, 5, 6, 7)
        for soft in ("S17", "H17")
        for surrender in ("NS", "LS")
        for das in ("DAS", "NDAS")
    ][:CLIENTS]
    answers: dict[str, Any] = {}

    def ask(rules: Rules) -> None:
        request = urllib.request.Request(
            f"{site}/api/table/chart",
            json.dumps({"rules": str(rules)}).encode(),
            {"content-type": "application/json", "x-studio-token": token},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            answers[str(rules)] = json.load(answer)

    threads = [threading.Thread(target=ask, args=(rules,)) for rules in tables]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - start
    wrong = 0
    for rules in tables:
        solution, answer = solve(rules), answers.get(str(rules))
        chart = {section: [list(row) for row in rows.items()] for section, rows in solution.chart.items()}
        wrong += answer is None or answer["ev"] != solution.ev or answer["chart"] != chart
    print(
        f"{len(tables)} clients, {len(tables)} tables at once: {seconds:.1f} s, {len(answers)} answers, {wrong} wrong"
    )
    if wrong:
        sys.exit("an answer is wrong")


def cpu_milliseconds(process: int) -> float:
    """CPU time of a process so far, all threads, where the system tells it; what else runs does not count."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process: int) -> float:
    """Resident memory, where the system tells it."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
