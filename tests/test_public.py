"""The public face: six packages, one list of names each, and nothing that users read imports from anywhere else."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PACKAGES = ["holecard", *(f"holecard.{name}" for name in ("blackjack", "holdem", "evolve", "studies", "envs"))]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def stub_of(package):
    return SOURCES.joinpath(*package.split("."), "__init__.pyi")


def public(package):
    """What a type checker sees: every line of the stub is one name imported from its home under the same name."""
    names = {}
    for line in ast.parse(stub_of(package).read_text(encoding="utf-8")).body:
        assert isinstance(line, ast.ImportFrom), f"{package}: line {line.lineno} of the stub is no import"
        (alias,) = line.names
        assert alias.name == alias.asname, f"{package}: {alias.name} is not exported"
        assert alias.name not in names, f"{package}: {alias.name} stands twice"
        names[alias.name] = line.module
    return names


PUBLIC = {package: public(package) for package in PACKAGES}
NAMES = [(package, name) for package in PACKAGES for name in PUBLIC[package]]


STAR_IMPORTS = """
import json, sys
found = {}
for package in sys.argv[1:]:
    exec(f"from {package} import *", scope := {})
    found[package] = sorted(name for name in scope if name[:2] != "__")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def star_imports():
    """The names that a star import of each package gives, in a process that has imported nothing else."""
    command = [sys.executable, "-c", STAR_IMPORTS, *PACKAGES]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_star_import_gives_what_the_stub_lists(package, star_imports):
    assert star_imports[package] == sorted(name for name in PUBLIC[package] if name != "__version__")


@pytest.mark.parametrize("package", PACKAGES)
def test_all_is_sorted_and_dir_shows_it(package):
    module = import_module(package)
    assert module.__all__ == sorted(PUBLIC[package]) == dir(module)
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'Chess'"):
        _ = module.Chess


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_is_what_its_home_defines(package):
    for name, home in PUBLIC[package].items():
        wanted = import_module(f"{home}.{name}") if home == package else getattr(import_module(home), name)
        assert getattr(import_module(package), name) is wanted


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_is_also_a_module(package):
    """`from package import name` would mean one or the other by the order of imports."""
    folder = stub_of(package).parent
    modules = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert not modules & {name for name, home in PUBLIC[package].items() if home != package}


def test_the_top_holds_names_of_the_packages_below():
    below = {pair for package in PACKAGES[1:] for pair in PUBLIC[package].items()}
    shared = ("holecard._version", "holecard.cluster", "holecard.errors", "holecard.estimate")
    assert {pair for pair in PUBLIC["holecard"].items() if pair[1] not in shared} <= below


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_it_has_a_docstring(package, name):
    home = PUBLIC[package][name]
    if home == package:
        assert ast.get_docstring(tree_of(f"{home}.{name}"))
        return
    body = tree_of(home).body
    following_of = zip(reversed(body), [None, *reversed(body[1:])], strict=True)
    for node, following in following_of:  # from the end: of overloads the last has the docstring
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            assert ast.get_docstring(node)
            return
        if name in assigned(node):
            assert is_text(following), f"{home}: no line says what {name} is"
            return
    pytest.fail(f"{home} does not define {name}")


def is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def assigned(node):
    targets = {ast.Assign: lambda: node.targets, ast.AnnAssign: lambda: [node.target]}.get(type(node), list)()
    return {target.id for target in targets if isinstance(target, ast.Name)}


@cache
def tree_of(module):
    place = SOURCES.joinpath(*module.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def imports_of(text, name):
    """(module, name) of every import of this package; the name is empty in `import module`."""
    for node in ast.walk(ast.parse(text, name)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "holecard":
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.partition(".")[0] == "holecard")


def shown_code():
    """Every block of Python in the pages, and every example."""
    for page in PAGES:
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
            yield page.name, block
    for example in EXAMPLES:
        yield example.name, example.read_text(encoding="utf-8")


def test_readme_docs_and_examples_import_public_names_only():
    seen = [(place, *pair) for place, block in shown_code() for pair in imports_of(block, place)]
    assert len(seen) > 60
    private = [row for row in seen if (row[1] not in PUBLIC if not row[2] else row[2] not in PUBLIC.get(row[1], ()))]
    assert not private


def test_pages_speak_of_public_names_only():
    """A dotted name in the text, such as `holecard.judge`, is one that can be imported."""
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for module, name in re.findall(r"`(holecard(?:\.[a-z]\w*)*?)(?:\.(\w+))?(?=[`(])", text):
            dotted = f"{module}.{name}" if name else module
            assert dotted in PUBLIC or name in PUBLIC.get(module, ()), f"{page.name}: {dotted}"


def test_modules_import_from_homes_not_from_the_public_face():
    """Else a name loaded late would hide a cycle, and the cache of kernels could not see what a kernel reaches."""
    for file in SOURCES.rglob("*.py"):
        for module, name in imports_of(file.read_text(encoding="utf-8"), str(file)):
            assert name not in PUBLIC.get(module, ()), f"{file}: {name} is imported from {module}"
