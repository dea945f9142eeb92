import pytest

from holecard.ui.cli import main


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(list(arguments))
        output = capsys.readouterr()
        return caught.value.code, output.out, output.err

    return call
