"""`python -m holecard`."""

from holecard.ui.cli import main

main()
