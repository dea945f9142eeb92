"""The documentation leads somewhere: links are answered, files that pages name exist, commands are commands."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import typer

from holecard.ui.cli import app
from holecard.ui.lazy import whole

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "holecard"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name if page.parent == ROOT else f"docs/{page.name}")
def test_every_link_leads_to_a_file(page):
    links = re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert not missing


def test_the_index_lists_every_page():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", index)) == pages


def test_the_site_shows_every_page():
    """`make docs` would refuse a page that is not in its menu, or a menu without its page."""
    shown = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), flags=re.MULTILINE))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} | {"contributing.md", "changelog.md"}
    packages = {path.parent.name for path in PACKAGE.rglob("__init__.pyi")}
    assert shown == pages | {f"reference/{package}.md" for package in packages}


def test_every_link_to_a_heading_finds_it():
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([\w/.-]*)#([\w-]+)\)", page.read_text(encoding="utf-8")):
            text = (page.parent / target if target else page).read_text(encoding="utf-8")
            headings = [re.sub(r"[^\w\s-]", "", line).strip() for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
            assert heading in [re.sub(r"[\s-]+", "-", line.lower()) for line in headings], f"{page.name}: #{heading}"


def built(root, site):
    """`make docs`, elsewhere."""
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


NEEDS_MKDOCS = pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="needs pip install -e '.[docs]'")


@NEEDS_MKDOCS
@pytest.mark.slow
def test_the_site_is_built_and_fetches_nothing(tmp_path):
    done = built(ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'id="holecard.blackjack.solve"' in (tmp_path / "reference" / "blackjack.html").read_text(encoding="utf-8")
    for page in tmp_path.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"<(?:script|img|iframe)[^>]+src=[\"']?(?:https?:)?//[^>]*>", text)
        assert not re.findall(r"<link[^>]+href=[\"']?(?:https?:)?//[^>]*>", text)


@NEEDS_MKDOCS
@pytest.mark.slow
def test_the_site_refuses_a_broken_link_and_a_name_without_words(tmp_path):
    for name in ("docs", "src", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("mkdocs.yml", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    with (tmp_path / "docs" / "faq.md").open("a", encoding="utf-8") as page:
        page.write("[lost](nowhere.md)")
    estimate = tmp_path / "src" / "holecard" / "estimate.py"
    estimate.write_text(
        re.sub(r'(class Estimate:\n)    """.*?"""', r"\1", estimate.read_text("utf-8"), flags=re.DOTALL), "utf-8"
    )
    done = built(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "nowhere.md" in done.stderr
    assert "Estimate is public and has no docstring" in done.stderr


def test_the_words_of_the_glossary_are_sorted():
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for section in text.split("\n## ")[1:]:
        rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")][1:]
        words = [row[0].strip().lower() for row in rows]
        assert words == sorted(words), section.splitlines()[0]
        assert all(len(row) == 3 and row[1].strip() for row in rows)


def test_origins_are_named_not_numbered():
    """The table in architecture.md alone knows their numbers."""
    files = [
        *PAGES,
        *(path for folder in ("src", "tests", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py")),
    ]
    numbered = [path.name for path in files if re.search(r"(?i)seeds? 00\d", path.read_text(encoding="utf-8"))]
    assert [name for name in numbered if name != "architecture.md"] == []


def files_named(name):
    """The files or folders that a page may mean by such a name: a path, or the end of one."""
    roots = [ROOT / name, PACKAGE / name]
    return [path for path in [*roots, *PACKAGE.rglob(f"*/{name.rstrip('/')}")] if path.exists()]


def test_architecture_names_files_that_exist():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/.-]+(?:\.py|/))`", text))
    assert len(named) > 100
    assert [name for name in named if not files_named(name)] == []


def test_architecture_names_things_that_are_in_those_files():
    """`returns.py` (`has_ended`, `may_double`), or `CROSSOVERS` (`evolve/genetic.py`): they stand in that file."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"`([\w/]+\.py)`\s\(([^)]*`[^)]*)\)", text)
    pairs = [(file, name) for file, things in listed for name in re.findall(r"`([\w.]+)`", things) if "/" not in things]
    pairs += [(file, name) for name, file in re.findall(r"`(\w[\w.]*)`\s\(`([\w/]+\.py)`", text)]
    assert len(pairs) > 35
    for file, name in pairs:
        sources = "".join(path.read_text(encoding="utf-8") for path in files_named(file))
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", sources), f"{file}: {name}"


def test_architecture_draws_the_storeys_and_floors_that_are_held():
    held = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    storeys, floors = ([_names(row) for row in contract["layers"]] for contract in held)
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing, _, table = page.partition("```")[2].partition("```")
    shown = [_names(line.partition("  ")[0]) for line in drawing.splitlines()]
    assert [names for names in shown if names in storeys] == storeys
    rows = [set(re.findall(r"`(\w+)`", line.split("|")[1])) for line in table.splitlines() if line.startswith("| `")]
    assert rows[: len(floors)] == floors


def _names(row: str) -> set[str]:
    """The folders of one row of the contract or of the drawing: `(exact) | (play)` is exact and play."""
    return {name.strip(" ()").removeprefix("holecard.") for name in row.split("|")}


def test_commands_of_the_pages_are_commands():
    commands = set(typer.main.get_command(app).commands)
    for page in PAGES:
        for line in re.findall(r"^(?:\S*/)?holecard ([a-z]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            assert line in commands, f"{page.name}: holecard {line}"


@cache
def options_by_command():
    """The options of every command, `holdem duel` among them."""
    found = {}

    def collect(group, path):
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                collect(command, (*path, name))
            else:
                found[" ".join((*path, name))] = {
                    option for each in command.params for option in (*each.opts, *each.secondary_opts)
                }

    collect(whole(typer.main.get_command(app)), ())
    return found


def test_options_that_pages_show_exist():
    """A line of a page that calls a command gives it options it has."""
    calls = 0
    for page in PAGES:
        for line in re.findall(r"^(?:\S*/)?holecard (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            words = re.split(r"\s{2,}| #| && | \| ", line)[0].split()
            name = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in options_by_command()), None)
            given = {word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z][a-z0-9-]*(=.*)?", word)}
            if name is not None:
                calls += 1
                assert given - {"--help"} <= options_by_command()[name], f"{page.name}: holecard {line}"
    assert calls > 60


def test_what_the_pages_say_of_seeds_and_resuming_is_so():
    page = (ROOT / "docs" / "reproducibility.md").read_text(encoding="utf-8")
    said = page.partition("These take `--seed`")[2].partition("## After")[0]
    takes, none = (re.findall(r"`([a-z ]+)`", part) for part in said.split("every time", 1))
    assert len(takes) > 10
    assert len(none) > 3
    assert all("--seed" in options_by_command()[name] for name in takes)
    assert not any("--seed" in options_by_command()[name] for name in none)
    resumes = {name for name, options in options_by_command().items() if "--resume" in options}
    assert resumes == set(re.findall(r"^holecard ([a-z ]+) --resume", page, flags=re.MULTILINE))
