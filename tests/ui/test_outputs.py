"""Files that commands write where they are told to: never over a file of another kind, and refused before any work."""

import pytest

from tests.ui.test_fuzz import LEAVES, SMALL

WRITTEN = {"--png": ".png", "--csv": ".csv", "--save": ".txt", "--output": ".jsonl", "--record": ".gif"}
"""Options that name a file to write, and its ending."""
READ = {"--dataset", "--replay", "--model"}
FOLDERS = {"--out", "--resume", "--runs", "--keep"}
"""A new run wants an empty folder: tests/evolve/test_run_directory.py."""
ELSEWHERE = {"holdem play", "train"}
"""The first numbers its hands in a folder; of weights see tests/studies/test_imitation.py."""
CASES = [
    (leaf.name, option.opts[0])
    for leaf in LEAVES
    for option in leaf.command.params
    if option.opts[0] in WRITTEN and leaf.name not in ELSEWHERE
]


@pytest.mark.parametrize(("command", "option"), CASES, ids=map(" ".join, CASES))
def test_no_command_writes_over_a_file_of_another_kind(run, tmp_path, monkeypatch, command, option):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"thesis{WRITTEN[option]}"
    path.write_text("years of work\n")
    small = SMALL.get(command, [])
    if "--output" in small:
        small = small[: small.index("--output")]
    code, out, err = run(*command.split(), *small, option, path.name)
    assert (code, out) == (2, "")
    assert "thesis" in err
    assert err.count("\n") == 1, err
    assert path.read_text() == "years of work\n"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_every_option_that_names_a_file_is_known():
    paths = {
        option.opts[0]
        for leaf in LEAVES
        for option in leaf.command.params
        if option.param_type_name == "option" and (option.metavar or "").startswith(("FILE", "FOLDER", "DIR", "PATH"))
    }
    assert paths <= set(WRITTEN) | READ | FOLDERS
    assert paths >= {"--png", "--csv", "--output", "--record", "--out", "--dataset"}


def test_a_picture_and_a_table_of_ours_are_written_anew(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        code, _, err = run("holdem", "pushfold", "--stack", "2", "--png", "a.png", "--csv", "a.csv")
        assert (code, err) == (0, "wrote a.png\nwrote a.csv\n")
