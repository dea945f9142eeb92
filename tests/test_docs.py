"""The documentation leads somewhere: links are answered, files that pages name exist, commands are commands."""

import re
import tomllib
from pathlib import Path

import pytest

from holecard.ui.cli import app

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "holecard"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name if page.parent == ROOT else f"docs/{page.name}")
def test_every_link_leads_to_a_file(page):
    links = re.findall(r"\]\(([^)#\s]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert not missing


def test_the_index_lists_every_page():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", index)) == pages


def test_architecture_names_files_that_exist():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w/.-]+(?:\.py|/))`", text))
    assert len(named) > 60
    known = {path.name for path in [*PACKAGE.rglob("*.py"), *ROOT.glob("*.py")]}
    known |= {f"{path.name}/" for path in PACKAGE.rglob("*") if path.is_dir()}
    missing = [
        name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists() and name not in known
    ]
    assert not missing


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
    groups = {group.name: group.typer_instance for group in app.registered_groups}
    commands = {command.name or command.callback.__name__ for command in app.registered_commands} | set(groups)
    for page in PAGES:
        for line in re.findall(r"^(?:\S*/)?holecard ([a-z]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            assert line in commands, f"{page.name}: holecard {line}"
