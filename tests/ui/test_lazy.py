import inspect
import subprocess
import sys

import pytest
import typer

from holecard.ui.cli import app
from holecard.ui.lazy import whole


def leaves(group, path=()):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, (*path, name))
        else:
            yield (*path, name), command


SUMMARIES = {path: command.help for path, command in leaves(typer.main.get_command(app))}
LOADED = dict(leaves(whole(typer.main.get_command(app))))


@pytest.mark.parametrize("path", SUMMARIES, ids=" ".join)
def test_lists_of_commands_show_the_first_paragraph_of_the_docstring(path):
    first = inspect.cleandoc(LOADED[path].help).split("\n\n")[0]
    assert SUMMARIES[path] == " ".join(first.split())


PROBE = """
import sys
from holecard.ui.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(sorted(name for name in sys.modules if name.startswith("holecard.")), file=sys.stderr)
"""


def test_help_imports_no_command():
    done = subprocess.run([sys.executable, "-c", PROBE, "--help"], capture_output=True, text=True, check=True)
    assert "evaluate" in done.stdout
    assert "holecard.ui.solve" not in done.stderr
    assert "holecard.blackjack" not in done.stderr


def test_one_command_imports_no_other():
    done = subprocess.run([sys.executable, "-c", PROBE, "chart", "--help"], capture_output=True, text=True, check=True)
    assert "holecard.ui.play" in done.stderr
    assert "holecard.ui.evolve" not in done.stderr
