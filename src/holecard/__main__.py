"""`python -m holecard`."""

from holecard.ui.cli import program

program()
