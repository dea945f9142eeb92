"""Options made from fields, as Typer sees them."""

from dataclasses import dataclass

import typer
from typer.testing import CliRunner

from holecard.settings import setting
from holecard.ui.signature import with_settings


@dataclass(frozen=True, kw_only=True)
class Settings:
    size: int = setting(10, low=2, high=50, help="How many.")
    names: tuple[str, ...] = setting(("a", "b"), help="Who.")
    rate: tuple[float, float] = setting((0.2, 0.1), help="How often.")
    count: int = setting(1_000, help="How long.")
    tidy: bool = setting(True, help="Whether.")
    secret: int = setting(1, has_option=False, help="Not from here.")


def run(*words, presets=None):
    seen = {}

    @with_settings(Settings, presets=presets)
    def command(first: str = "x", *, settings: dict) -> None:
        seen.update(settings, first=first)

    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "120"}), seen


def test_defaults_are_the_fields_and_what_is_typed_is_read():
    result, seen = run()
    assert result.exit_code == 0
    assert seen == {"size": 10, "count": 1_000, "tidy": True, "first": "x"}, "tuples are left to the configuration"
    _, seen = run("--names", "c, d", "--rate", "0.5", "--count", "2M", "--no-tidy", "--size", "7", "--first", "y")
    assert seen == {
        "size": 7, "names": ("c", "d"), "rate": (0.5, 0.5), "count": 2_000_000, "tidy": False, "first": "y"
    }  # fmt: skip


def test_limits_are_the_fields():
    assert run("--size", "1")[0].exit_code == 2
    assert run("--size", "51")[0].exit_code == 2
    assert run("--secret", "3")[0].exit_code == 2


def test_with_presets_only_what_is_given_counts_and_the_help_says_what_each_has():
    presets = {"usual": {}, "large": {"size": 40, "tidy": False}}
    assert run(presets=presets)[1] == {"first": "x"}
    told = " ".join(run("--help", presets=presets)[0].stdout.split())
    assert "How many (10; large: 40)." in told
    assert "How often (0.2:0.1)." in told
    assert "Whether (tidy; large: no-tidy)." in told
