"""The version, as installed; in a checkout that was never installed, as `pyproject.toml` says."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def _version_of_checkout() -> str:
    import tomllib

    project = Path(__file__).parents[2] / "pyproject.toml"
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def _version() -> str:
    try:
        return version("holecard")
    except PackageNotFoundError:
        return _version_of_checkout()


__version__ = _version()
"""The version of this package, such as `0.2.0`."""
