"""Golden playthroughs: readable rounds that must come out to the letter. `make playthroughs` writes them anew."""

import pytest

from tests.playthroughs.regenerate import FOLDER, playthrough
from tests.playthroughs.scripts import SCRIPTS


@pytest.mark.parametrize("name", SCRIPTS)
def test_playthrough(name):
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == playthrough(name)


def test_no_playthrough_without_a_script():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCRIPTS)
