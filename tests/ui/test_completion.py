"""Shell completion: what a shell asks the program, and what it is told."""

import os
import subprocess
import sys

import pytest

PROGRAM = "import sys; sys.argv[0] = 'holecard'; from holecard.ui.cli import program; program()"


def answer(*arguments, **asked):
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("holecard ev", ["evaluate", "evolve"]),
        ("holecard solve --sur", ["--surrender"]),
        ("holecard holdem du", ["duel"]),
    ],
)
def test_bash_is_told_what_fits(typed, told):
    words = len(typed.split()) - 1
    assert answer(_HOLECARD_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=str(words)).split() == told


def test_a_shell_is_given_its_script():
    assert "_HOLECARD_COMPLETE=complete_zsh" in answer(_HOLECARD_COMPLETE="source_zsh")
