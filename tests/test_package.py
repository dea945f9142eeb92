"""The package as a stranger installs it."""

import os
import site
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]


def test_import_is_light():
    probe = "import sys, holecard; print(set(sys.modules) & {'torch', 'pygame', 'matplotlib', 'numba', 'scipy'})"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_command_line_loads_no_extra():
    heavy = ("torch", "pygame", "matplotlib", "dask", "distributed", "gymnasium", "pettingzoo", "tensorboard")
    probe = f"import sys, holecard.ui.cli; print(set(sys.modules) & set({heavy!r}))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def output_of(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options)


def test_a_built_wheel_runs_in_a_clean_venv(tmp_path):
    """Dependencies are lent by a .pth file: what is tested is that the wheel holds all of ours."""
    source, venv = tmp_path / "source", tmp_path / "venv"
    output_of("git", "clone", "--quiet", ROOT, source)
    output_of(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path, source)
    (wheel,) = tmp_path.glob("holecard-*.whl")
    with ZipFile(wheel) as packed:
        assert "holecard/ui/report/report.html.j2" in packed.namelist()
    output_of(sys.executable, "-m", "venv", "--without-pip", venv)
    python = venv / ("Scripts" if os.name == "nt" else "bin") / "python"
    where = output_of(python, "-c", "import site; print(site.getsitepackages()[0])").stdout.strip()
    output_of(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", where, wheel)
    Path(where, "lent.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    command = [python, "-m", "holecard", "simulate", "basic", "--rounds", "1000", "--json"]
    environment = {**os.environ, "PYTHONPATH": "", "HOLECARD_CACHE": str(tmp_path / "cache")}
    first = output_of(*command, cwd=tmp_path, env=environment)
    assert '"rounds": 1000' in first.stdout
    assert "compiling" in first.stderr
    again = output_of(*command, cwd=tmp_path, env=environment)
    assert "compiling" not in again.stderr, "compiled once"
