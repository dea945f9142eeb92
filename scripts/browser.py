"""Look at a race's report as a reader does: in headless Chromium, at three widths, light and dark.

    python scripts/browser.py runs/race/report.html [--pictures docs/pictures]

Checks that every figure is there and has a size, that nothing is fetched from outside, that the console is silent, that
no page is wider than its window and that the theme can be changed. Needs `pip install -e '.[browser]'` and a Chromium:
`playwright install chromium`, or the system's own (`apt install chromium`).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any

INSTALL = "install it with: .venv/bin/pip install -e '.[browser]' && .venv/bin/playwright install --with-deps chromium"
WINDOWS = ((390, 1500, "light"), (1024, 1300, "dark"), (1920, 1400, "light"))
SYSTEM = ("chromium", "chromium-browser", "google-chrome", "chrome")
MOST_BYTES = 400_000


def main() -> None:
    """Check the report; say what is wrong and exit 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("--pictures", type=Path, help="where screenshots go")
    options = parser.parse_args()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit(f"playwright is not installed; {INSTALL}")
    with sync_playwright() as playwright:
        browser = _browser(playwright)
        problems = [
            problem
            for width, height, scheme in WINDOWS
            for problem in look(browser, options.report.resolve(), width, height, scheme, options.pictures)
        ]
        browser.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        sys.exit(1)
    print(f"{options.report}: every figure is there at {', '.join(str(width) for width, *_ in WINDOWS)} pixels")


def _browser(playwright: Any) -> Any:
    """Playwright's own Chromium, else the system's."""
    from playwright.sync_api import Error

    try:
        return playwright.chromium.launch()
    except Error:
        found = next((path for name in SYSTEM if (path := shutil.which(name))), None)
        if found is None:
            sys.exit(f"no Chromium is installed; {INSTALL}")
        return playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])


def look(browser: Any, report: Path, width: int, height: int, scheme: str, pictures: Path | None) -> list[str]:
    """What is wrong with the report in a window of that size; leaves a screenshot."""
    where, problems = f"at {width} pixels, {scheme}", []
    page = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
    page.on("console", lambda message: problems.append(f"{where}: the console says {message.text!r}"))
    page.on("pageerror", lambda error: problems.append(f"{where}: {error}"))
    page.on("request", lambda request: problems.extend(_outside(request.url, where)))
    page.goto(report.as_uri())
    figures = page.eval_on_selector_all(
        "figure",
        "all => all.map(each => { const box = each.querySelector('svg')?.getBoundingClientRect();"
        " return [each.id, box ? box.width : 0, box ? box.height : 0]; })",
    )
    names = {path.stem for path in (report.parent / "figures").glob("*.svg")}
    problems += [f"{where}: {name} is missing" for name in sorted(names - {row[0][7:] for row in figures})]
    problems += [f"{where}: {name} has no size" for name, wide, high in figures if wide < 100 or high < 50]
    if (whole := page.evaluate("document.documentElement.scrollWidth")) > width:
        problems.append(f"{where}: the page is {whole} pixels wide")
    if pictures:
        _photograph(page, pictures / f"report-{width}.png")
        if width == WINDOWS[-1][0]:
            page.evaluate("document.querySelector('#strategies').scrollIntoView()")
            _photograph(page, pictures / "report-strategies.png")
            page.evaluate("scrollTo(0, 0)")
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    page.click("#theme")
    if page.evaluate(paper) == before:
        problems.append(f"{where}: the theme does not change")
    page.context.close()
    return problems if figures else [*problems, f"{where}: there is no figure"]


def _outside(url: str, where: str) -> list[str]:
    return [] if url.startswith(("file:", "data:")) else [f"{where}: it asks for {url}"]


def _photograph(page: Any, path: Path) -> None:
    """Save what the window shows, in few colours."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(path))
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(128)
    few.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        sys.exit(f"{path} is {path.stat().st_size:,} bytes; {MOST_BYTES:,} are the most")


if __name__ == "__main__":
    main()
