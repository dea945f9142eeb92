"""Commands that are imported when they are called: `holecard --help` shows all of them and loads none."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Lazy(NamedTuple):
    """A command that is not imported yet."""

    target: str
    """Where its function is, `module:function` inside `holecard.ui`."""
    summary: str
    """The first paragraph of the function's docstring, which lists of commands show."""

    def load(self, name: str) -> Any:
        """The command itself, imported."""
        module, _, function = self.target.partition(":")
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name)(getattr(import_module(f"holecard.ui.{module}"), function))
        return typer.main.get_command(alone)


def lazy_group(help: str, commands: Mapping[str, Lazy]) -> typer.Typer:
    """A group of such commands, in their order; groups may be added to it."""

    class Group(TyperGroup):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            shown = {name: TyperCommand(name, help=lazy.summary) for name, lazy in commands.items()}
            self.commands = {**shown, **self.commands}

        def load(self, name: str) -> None:
            """Put the command itself in the place of its summary."""
            if name in commands:
                self.commands[name] = commands[name].load(name)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            self.load(args[0])
            return super().resolve_command(ctx, args)

    return typer.Typer(
        help=help,
        cls=Group,
        callback=lambda: None,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def whole(group: Any) -> Any:
    """A group of Click's with every command in it imported, for whoever walks through all of them."""
    for name in list(group.commands):
        group.load(name)
        if hasattr(group.commands[name], "commands"):
            whole(group.commands[name])
    return group
