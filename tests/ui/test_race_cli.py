"""`holecard race` and its report as a user meets them."""

import csv
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path

import pytest

from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.studies.race import PartId, RaceConfig, open_race
from holecard.ui import options
from holecard.ui.report import REPORT
from holecard.ui.report.commands import Commands
from holecard.ui.report.overview import pictures_of
from holecard.ui.report.page import render
from holecard.ui.report.parts import PART_REPORTS
from holecard.ui.report.section import Section
from tests.studies.test_race import NAMES, TINY, numbers

KEYS = {"out", "rules", "seed", "table", "seconds", "report"}
ROW = {"name", "ev", "stderr", "regret", "share", "used", "seconds", "leaks"}
FIGURES = {
    "cost", "learning", "learning-bits", "learning-letters", "learning-trees", "search", "duels", "actions",
    "adaptation", "earnings-pokernet", "styles-pokernet", "strategy-basic", "strategy-best-chart",
    "strategy-evolved-bits", "strategy-evolved-letters", "strategy-evolved-trees", "strategy-network",
    "strategy-aggressive", "strategy-mimic-dealer", "strategy-never-bust", "strategy-mcts-5-simulations",
    "strategy-mcts-20-simulations", *(f"tree-{upcard}" for upcard in ("A", *map(str, range(2, 11)))),
}  # fmt: skip


@pytest.fixture(scope="module")
def race(tmp_path_factory):
    """A tiny race run by the command line."""
    folder = tmp_path_factory.mktemp("races") / "race"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RaceConfig, "fast", classmethod(lambda cls, rules, seed=0: replace(TINY, rules=rules, seed=seed)))
        import io
        from contextlib import redirect_stdout

        from holecard.ui.cli import main

        printed = io.StringIO()
        with redirect_stdout(printed), pytest.raises(SystemExit) as caught:
            main(["race", "--out", str(folder), "--seed", "3", "--json"])
    assert caught.value.code == 0
    return folder, json.loads(printed.getvalue())


def test_json_has_the_keys_and_the_table_its_columns(race):
    folder, result = race
    assert result.keys() >= KEYS
    assert all(row.keys() >= ROW for row in result["table"])
    assert (result["out"], result["report"], result["seed"]) == (str(folder), str(folder / REPORT), 3)
    assert result["rules"]["decks"] == 6
    assert [row["name"] for row in result["table"]] == [row.name for row in open_race(folder).results().rows]


class Page(HTMLParser):
    """What a page shows and asks for."""

    def __init__(self, text):
        super().__init__()
        self.figures, self.links, self.drawn, self.depth = [], [], set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "figure":
            self.figures.append(given["id"].removeprefix("figure-"))
        if tag == "svg" and self.figures:
            self.drawn.add(self.figures[-1])
        for name in ("src", "href", "xlink:href", "srcset", "data", "action"):
            if given.get(name):
                self.links.append(given[name])


def test_the_report_has_every_figure_and_asks_for_nothing_outside(race):
    folder, result = race
    text = (folder / REPORT).read_text(encoding="utf-8")
    page = Page(text)
    assert set(page.figures) == page.drawn == FIGURES
    assert len(page.figures) == len(FIGURES)
    local = [link for link in page.links if not link.startswith(("#", "data:"))]
    assert all((folder / link).exists() for link in local), "links lead to files of the race"
    assert not re.findall(r"url\((?!#|\"?data:)", text)
    assert "@import" not in text
    assert "prefers-color-scheme: dark" in text
    for row in result["table"]:
        assert f"<strong>{row['name']}</strong>" in text
    assert "--seed 3" in text
    assert 'name="viewport"' in text


def test_every_reference_inside_the_page_is_answered(race):
    text = (race[0] / REPORT).read_text(encoding="utf-8")
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', text)) <= set(ids)


def test_every_picture_is_also_png_svg_and_csv(race):
    folder = race[0] / "figures"
    assert {path.name for path in folder.iterdir()} == {
        f"{name}.{ending}" for name in FIGURES for ending in ("png", "svg", "csv")
    }
    for name in FIGURES:
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        assert rows
        assert all(len(row) == len(header) for row in rows)
    with (folder / "cost.csv").open(newline="", encoding="utf-8") as file:
        costs = {row["name"]: float(row["regret"]) for row in csv.DictReader(file)}
    assert costs == {row["name"]: row["regret"] for row in race[1]["table"]}


def test_pictures_drawn_again_are_the_same(race, tmp_path):
    again = [picture for picture in islice(pictures_of(open_race(race[0]).results()), 3) if picture.name in FIGURES]
    assert len(again) == 3
    for picture in again:
        picture.write(tmp_path)
    for path in tmp_path.iterdir():
        if path.suffix != ".png":
            assert path.read_bytes() == (race[0] / "figures" / path.name).read_bytes()


def test_every_part_has_its_report():
    assert set(PART_REPORTS) == set(PartId)


def test_a_report_is_drawn_from_records_and_plays_nothing(race, monkeypatch):
    def play(*arguments, **options):
        raise AssertionError("a report plays nothing")

    for loop in ("holecard.holdem.arena.sessions.play_hand", "holecard.holdem.arena.histories.play_hand"):
        monkeypatch.setattr(loop, play)
    again = {picture.name for picture in pictures_of(open_race(race[0]).results())}
    assert again == FIGURES


def test_a_race_without_the_champions_record_says_what_is_left_out(race, tmp_path):
    """As in folders from before the champion was recorded."""
    folder = tmp_path / "old"
    shutil.copytree(race[0], folder, ignore=shutil.ignore_patterns("figures"))
    (folder / "stages" / "champion.json").unlink()
    results = open_race(folder).results()
    assert {picture.name for picture in pictures_of(results)} == FIGURES - {"actions", "adaptation"}
    page = render(results, {section: [] for section in Section})
    assert f"“record champion:paper” was not run in this race; holecard race --resume {folder} runs it" in page


def test_resuming_a_finished_race_prints_the_table_again(race, run, monkeypatch):
    monkeypatch.setattr("holecard.ui.report.page.write_report", lambda race: race.path / REPORT)
    monkeypatch.setattr("holecard.ui.report.write_report", lambda race: race.path / REPORT)
    folder, result = race
    before = numbers(open_race(folder))
    code, out, err = run("race", "--resume", str(folder), "--json")
    assert code == 0
    assert json.loads(out)["table"] == result["table"]
    assert numbers(open_race(folder)) == before
    assert err.count("\n") == len(NAMES)
    for columns in ("80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        code, out, _ = run("race", "--resume", str(folder))
        assert code == 0
        assert max(map(len, out.splitlines()[:-1])) <= int(columns)
        for row in result["table"]:
            assert f"{row['ev']:+.6f}" in out
        assert REPORT in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--shoe", "dealt"), "use --shoe fresh"),
        (("--rules", "casin"), "unknown"),
        (("--seed", "-1"), "Invalid value for '--seed'"),
        (("--out", "taken"), "taken is not empty; resume a race with --resume taken"),
        (("--resume", "nowhere"), "nowhere holds no run"),
        (("--resume", "taken", "--full", "--s17", "--decks", "2"), "it began with; drop --full, --decks, --s17"),
        (("--limit", "22", "--bj", "plain"), "no published basic chart"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "note.txt").write_text("mine")
    code, out, err = run("race", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_another_kind_of_run_is_not_resumed(run, race):
    code, _, err = run("race", "--resume", str(race[0] / "letters"))
    assert code == 2
    assert "not a run of `holecard race`" in err


ODD = ["6d S17 OBO RSA HSA value", "2d 6:5 D10 NDAS LS", "inf 5-charlie INS", "1d plain ND 1-hands ENHC cut=0.5"]


@pytest.mark.parametrize("rules", [*map(Rules.preset, PRESETS), *map(Rules.from_text, ODD)], ids=str)
def test_the_rules_words_say_the_rules(rules):
    words, given = options.rules_words(rules).split(), {}
    for at, word in enumerate(words):
        for name, (_, option) in options._RULE_OPTIONS.items():
            on, _, off = options._flag_of(option).partition("/")
            if word in (on, off):
                plain = at + 1 == len(words) or words[at + 1].startswith("--")
                given[name] = word == on if plain else words[at + 1]
    typed = {name: _as_typed(name, value) for name, value in given.items()}
    assert options.rules_from(typed) == rules


def _as_typed(name, value):
    numbers = {"max_hands": int, "target": int, "limit": int, "ace_bonus": int, "penetration": float}
    return numbers.get(name, lambda value: value)(value)


def test_commands_name_what_differs_from_the_usual():
    fast = Commands(RaceConfig.fast(Rules.preset("european"), seed=4))
    assert fast.race == "holecard race --fast --rules european --seed 4"
    full = Commands(RaceConfig.full(Rules()))
    assert full.race == "holecard race --full --seed 0"
    ((_, command),) = PART_REPORTS[PartId.LETTERS].commands(full, Path("race"))
    assert command.startswith("holecard evolve ga --rules casino --preset exact --actions all --population 200")
    assert "see config.json" in Commands(TINY).race


@pytest.mark.parametrize("part", [PartId.BITS, PartId.LETTERS, PartId.TREES])
def test_commands_are_accepted_by_the_command_line(run, part, tmp_path, monkeypatch):
    """The command that the report gives makes the very study that the race ran."""
    from holecard.evolve.run_directory import RunDirectory

    monkeypatch.chdir(tmp_path)
    ((_, command),) = PART_REPORTS[part].commands(Commands(TINY), tmp_path)
    code, _, err = run(*command.split()[1:], "--no-figures", "--json", "--out", "made")
    assert code == 0, err
    assert RunDirectory.open(tmp_path / "made").options == json.loads(json.dumps(getattr(TINY, part).options()))


def test_a_report_is_drawn_whatever_a_configuration_says_of_its_machine(race):
    """Folders travel; a config.json that somebody shortened is no reason for a traceback."""
    results = open_race(race[0]).results()
    for missing in ({}, {"commit": None, "machine": {}}, {"versions": "1", "machine": []}):
        kept = {"options": results.run.config["options"], **missing}
        results.run.config = kept
        assert "an unknown system, ? cores" in render(results, {section: [] for section in Section})
