"""The package as a stranger installs it."""

import os
import re
import site
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from zipfile import ZipFile

import pytest

from holecard import _version

ROOT = Path(__file__).parents[1]


def test_import_is_light():
    """The public packages load a name when it is asked for; `envs` alone needs its library to register."""
    faces = "holecard, holecard.blackjack, holecard.holdem, holecard.evolve, holecard.studies"
    heavy = {"torch", "pygame", "matplotlib", "numba", "scipy", "numpy"}
    probe = f"import sys, {faces}; print(set(sys.modules) & {heavy})"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_version_is_the_projects():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert _version._version_of_checkout() == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(version)} – \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE), (
        "the changelog has it, dated"
    )


def test_a_checkout_that_is_not_installed_has_a_version_too(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(_version, "version", missing)
    assert _version._version() == _version._version_of_checkout()


def test_the_command_line_loads_no_extra():
    heavy = ("torch", "pygame", "matplotlib", "dask", "distributed", "gymnasium", "pettingzoo", "tensorboard")
    probe = f"import sys, holecard.ui.cli; print(set(sys.modules) & set({heavy!r}))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def output_of(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of what is committed here."""
    folder = tmp_path_factory.mktemp("wheel")
    output_of("git", "clone", "--quiet", ROOT, folder / "source")
    output_of(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, folder / "source")
    (built,) = folder.glob("holecard-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """An empty environment with the wheel in it; a .pth file lends the dependencies, the wheel holds all of ours."""
    venv = tmp_path_factory.mktemp("venv")
    output_of(sys.executable, "-m", "venv", "--without-pip", venv)
    python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
    where = output_of(python, "-c", "import site; print(site.getsitepackages()[0])").stdout.strip()
    output_of(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", where, wheel)
    Path(where, "lent.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return python


@pytest.fixture
def elsewhere(tmp_path):
    """Where a user stands: not in the checkout, with a cache of their own."""
    return {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": "", "HOLECARD_CACHE": str(tmp_path / "cache")}}


def test_the_wheel_holds_what_is_not_python(wheel):
    with ZipFile(wheel) as packed:
        held = set(packed.namelist())
    tracked = output_of("git", "ls-files", "src/holecard", cwd=ROOT).stdout.splitlines()
    assert {name.removeprefix("src/") for name in tracked} <= held


def test_the_public_face_works_where_only_the_wheel_is(python, elsewhere):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    lines = [
        "import holecard, holecard.blackjack, holecard.holdem, holecard.evolve, holecard.studies, holecard.envs",
        "print(holecard.__version__, holecard.__file__)",
        "from holecard import *",
        "from holecard.holdem import preset_named",
        "print(Rules.preset('casino').decks, preset_named('paper').rules.stack, parse_cards('AhKh'))",
        "print(all(map(callable, (solve, score, simulate, judge, evaluate, equity, duel, make_agent))))",
    ]
    shown, values, callable_ = output_of(python, "-c", "\n".join(lines), **elsewhere).stdout.splitlines()
    assert shown.startswith(f"{version} {python.parents[1]}"), "this wheel, not a checkout"
    assert values == "6 20000 [50, 46]"
    assert callable_ == "True"


def test_the_command_compiles_once_where_only_the_wheel_is(python, elsewhere):
    command = [python, "-m", "holecard", "holdem", "solve", "kuhn", "--iterations", "20", "--json"]  # little to compile
    first = output_of(*command, **elsewhere)
    assert '"iterations": 20' in first.stdout
    assert "compiling" in first.stderr
    assert "compiling" not in output_of(*command, **elsewhere).stderr
