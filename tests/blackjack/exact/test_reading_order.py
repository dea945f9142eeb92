"""docs/exact-solver.md tells the truth about the code: the order of its modules, and the numbers of the worked hand."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

from .reference import FIGURES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "exact-solver.md").read_text(encoding="utf-8")
FOLDER = ROOT / "src" / "holecard" / "blackjack" / "exact"
PACKAGE = "holecard.blackjack.exact."
MOST_PARAMETERS = 8


def modules() -> dict[str, ast.Module]:
    files = sorted(FOLDER.glob("[!_]*.py"))
    return {file.stem: ast.parse(file.read_text(encoding="utf-8")) for file in files}


def test_modules_import_only_what_stands_above_them():
    section = PAGE.partition("## Reading the code")[2].partition("### Its words")[0]
    listed = re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)
    assert sorted(listed) == sorted(modules())
    for name, tree in modules().items():
        imported = {
            node.module.removeprefix(PACKAGE)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(PACKAGE)
        }
        below = imported - set(listed[: listed.index(name)])
        assert not below, f"{name} imports {below}"


def test_no_function_takes_more_than_eight_parameters():
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                taken = [
                    each.arg for each in (*node.args.args, *node.args.kwonlyargs) if each.arg not in ("self", "cls")
                ]
                assert len(taken) <= MOST_PARAMETERS, f"{name}.{node.name}"


def test_every_place_of_a_rule_exists():
    section = PAGE.partition("### Where the rules are")[2].partition("###")[0]
    trees = modules()
    for module, function in re.findall(r"`(\w+)\.(_?[a-z]\w*)`", section):
        if module in trees:
            assert function in {node.name for node in ast.walk(trees[module]) if isinstance(node, ast.FunctionDef)}


def test_the_worked_hand_is_what_the_script_prints():
    printed = list(runpy.run_path(str(ROOT / "scripts" / "worked_hand.py"))["lines"]())
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)
    assert shown.splitlines() == printed
    for hand, words in (([6, 10], ("stand", "hit", "double")), ([8, 8], ("split",))):
        row = next(
            row
            for row in FIGURES["situations_measured"]["rows"]
            if (row["rules"], row["hand"], row["upcard"]) == ("1d_S17_DAS_4hands_peek", hand, 10)
        )
        for word in words:
            assert any(line.split() == [word, f"{row[word]:+.12f}"] for line in printed)
