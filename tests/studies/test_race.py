"""The race: the same seed the same numbers, a killed race the same race, and an order that the exact values give."""

import builtins
import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest

from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.errors import FileProblem, HolecardError, SettingError
from holecard.evolve.observer import Observer
from holecard.files import is_held
from holecard.holdem.arena.adaptation import Trace, traces
from holecard.holdem.players.named import player_named
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.race import PartId, RaceConfig, Row, open_race, ranked, run_race, start_race
from holecard.studies.race.context import RaceContext
from holecard.studies.race.parts import PARTS, parts_of
from holecard.studies.race.parts.champion import HANDS
from holecard.studies.race.race import RESULTS

TINY = RaceConfig(
    rules=Rules(),
    seed=3,
    population=8,
    bits_generations=3,
    bits_hands=50,
    letters_generations=3,
    programs=8,
    programs_generations=3,
    rounds=200,
    budgets=(5, 20),
    players=4,
    holdem_generations=2,
    hands=10,
    duel_hands=40,
)
NAMES = [part.name for part in parts_of(TINY)]
(CHAMPION,) = (part.name for part in parts_of(TINY) if part.id == PartId.CHAMPION)


def numbers(race):
    """Everything a race found, but how long it took."""

    def without_times(value):
        if isinstance(value, dict):
            kept = {name: each for name, each in value.items() if "seconds" not in name}
            return {name: without_times(each) for name, each in kept.items()}
        return [without_times(each) for each in value] if isinstance(value, list) else value

    return without_times(race.results().by_name)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    race = start_race(TINY, tmp_path_factory.mktemp("races") / "whole", command=["holecard", "race"])
    shares, records = [], []
    results = run_race(
        race, threads=2, observer=Observer(progress=lambda share, _: shares.append(share), record=records.append)
    )
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    assert [each["part"] for each in records] == NAMES == list(results.by_name)
    return race


def know_champion(race, whole):
    """Give a race what the champion's hands were recorded as: half of its time, the same whatever else is raced."""
    (race.path / RESULTS).mkdir(exist_ok=True)
    (race.path / RESULTS / f"{CHAMPION}.json").write_bytes((whole.path / RESULTS / f"{CHAMPION}.json").read_bytes())


def test_every_part_leaves_its_result(whole):
    assert list(whole.results().by_name) == NAMES
    assert whole.results().seconds > 0
    assert {path.name for path in whole.path.iterdir()} == {
        "config.json", RESULTS, "bits", "letters", "trees", "holdem-pokernet",
    }  # fmt: skip


def test_every_identifier_has_its_parts_and_names_do_not_clash():
    assert list(PARTS) == list(PartId)
    config = RaceConfig.full(Rules())
    parts = parts_of(config)
    assert {part.id for part in parts} == set(PartId)
    assert len({part.name for part in parts}) == len(parts)
    assert [part.name for part in parts if part.id == PartId.SEARCH] == [f"search-{each}" for each in config.budgets]
    assert all(part.weight > 0 for part in parts)


def test_the_champions_traces_are_read_back_to_the_last_bit(whole):
    config, recorded = NeuroevolutionConfig.preset("paper"), whole.results().of(PartId.CHAMPION)["traces"]
    assert tuple(each["opponent"] for each in recorded) == config.opponents
    assert [Trace.from_dict(each).as_dict() for each in recorded] == recorded
    (played,) = traces(player_named("champion:paper"), config.opponents[:1], config.rules, hands=HANDS)
    for column in ("hand", "street", "equity", "action", "state"):
        read, true = getattr(Trace.from_dict(recorded[0]), column), getattr(played, column)
        assert read.dtype == true.dtype
        assert np.array_equal(read, true)


def test_other_processes_give_the_same_race(whole, tmp_path):
    race = start_race(TINY, tmp_path / "elsewhere", command=["holecard", "race"])
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        run_race(race, executor=executor)
    assert numbers(race) == numbers(whole)


def test_the_table_is_in_the_order_of_the_exact_values(whole):
    table = whole.results().table
    exact = [row["ev"] for row in table if row["exact"]]
    assert exact == sorted(exact, reverse=True)
    assert table[0]["name"] == "exact optimum"
    evs = {row["name"]: row["ev"] for row in table}
    assert evs["basic"] > evs["aggressive"] > evs["mimic-dealer"] > evs["random"]
    assert len(table) == 2 + 5 + 3 + 1 + len(TINY.budgets)
    shares = {row["name"]: row["share"] for row in table}
    assert (shares["exact optimum"], shares["random"]) == (1.0, 0.0)
    for row in table:
        assert row["regret"] == pytest.approx(table[0]["ev"] - row["ev"])
        assert row["stderr"] == 0.0 or not row["exact"]
        assert len(row["leaks"]) <= 3


def test_an_estimate_above_the_optimum_does_not_lead():
    def row(name, ev, exact=True):
        return Row(
            name=name, way="", ev=ev, stderr=0.0 if exact else 0.1, exact=exact, used=0, unit="", seconds=0.0,
            leaks=[], cells={},
        )  # fmt: skip

    rows = [row("lucky", 0.5, exact=False), row("poor", -0.4), row("optimum", 0.1), row("good", 0.05)]
    assert [each.name for each in ranked(rows, 0.1)] == ["optimum", "lucky", "good", "poor"]


def test_cells_say_what_is_played_and_what_it_costs(whole):
    rows = {row.name: row for row in whole.results().rows}
    for name in ("basic", "evolved letters", "network", "mcts, 20 simulations"):
        assert {section: len(lines) for section, lines in rows[name].cells.items()} == {
            "hard": 17, "soft": 9, "pair": 10,
        }  # fmt: skip
    dealer = rows["mimic-dealer"].cells["hard"]["16"][5]
    assert dealer[0] == "H"
    assert dealer[1] == pytest.approx(rows["mimic-dealer"].leaks[0]["cost"])
    assert rows["basic"].cells["pair"]["88"][0][0] == "P"


@pytest.mark.parametrize("at", range(len(NAMES)), ids=NAMES)
def test_a_race_cut_short_in_any_part_goes_on_to_the_same_numbers(whole, at, tmp_path):
    class CutError(Exception):
        pass

    def cut(share, words):
        if words.startswith(f"{at + 1}/") and (": " in words or at == 0):
            raise CutError

    race = start_race(TINY, tmp_path / "race", command=[])
    for name in NAMES[:at]:  # what came before is known already
        (race.path / RESULTS).mkdir(exist_ok=True)
        (race.path / RESULTS / f"{name}.json").write_bytes((whole.path / RESULTS / f"{name}.json").read_bytes())
    for folder in ("bits", "letters", "trees", "holdem-pokernet"):
        if (whole.path / folder).exists() and any(name.startswith(folder) for name in NAMES[:at]):
            (race.path / folder).mkdir()
            for path in (whole.path / folder).iterdir():
                (race.path / folder / path.name).write_bytes(path.read_bytes())
    with pytest.raises(CutError):
        run_race(race, threads=1, observer=Observer(progress=cut))
    assert list(race.results().by_name) == NAMES[:at]
    if NAMES[at] != CHAMPION:
        know_champion(race, whole)
    run_race(open_race(race.path), threads=1)
    assert numbers(race) == numbers(whole)


KILLED = """
import os, sys
from pathlib import Path
from holecard.evolve.observer import Observer
from holecard.files import is_held
from holecard.studies.race import open_race, run_race
def kill(share, words):
    if words.endswith(sys.argv[2]):
        os._exit(9)
run_race(open_race(Path(sys.argv[1])), observer=Observer(progress=kill))
"""


def test_a_killed_process_leaves_a_race_that_goes_on(whole, tmp_path):
    race = start_race(TINY, tmp_path / "race", command=[])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(race.path), "letters on exact values: generation 2 of 3"], check=False
    )
    assert done.returncode == 9
    assert list(race.results().by_name) == ["solve", "charts", "bits"]
    assert (race.path / "letters" / "config.json").exists()
    run_race(open_race(race.path))
    assert numbers(race) == numbers(whole)


def test_without_torch_the_race_goes_on_and_says_how_to_install_it(whole, tmp_path, monkeypatch):
    race = start_race(TINY, tmp_path / "race", command=[])
    (race.path / RESULTS).mkdir()
    for name in set(NAMES) - {"network"}:
        (race.path / RESULTS / f"{name}.json").write_bytes((whole.path / RESULTS / f"{name}.json").read_bytes())
    real = builtins.__import__
    monkeypatch.setattr(
        builtins, "__import__", lambda name, *rest: _no_torch() if name == "torch" else real(name, *rest)
    )
    notes = []
    run_race(race, observer=Observer(note=notes.append))
    assert notes == ["the dnn agent needs torch; install it with: pip install 'holecard[dnn]'"]
    assert race.results().of(PartId.NETWORK)["rows"] == []
    assert "network" not in {row["name"] for row in race.results().table}
    monkeypatch.undo()
    run_race(race)
    assert numbers(race) == numbers(whole), "once it is installed, resuming fills the gap"


def _no_torch():
    raise ImportError("no torch")


def test_a_network_is_trained_where_demonstrations_are_asked_for(whole, tmp_path):
    config = replace(TINY, games=30, epochs=2)
    race = start_race(config, tmp_path / "race", command=[])
    (race.path / RESULTS).mkdir()
    for name in set(NAMES) - {"network"}:
        (race.path / RESULTS / f"{name}.json").write_bytes((whole.path / RESULTS / f"{name}.json").read_bytes())
    run_race(race)
    result = race.results().of(PartId.NETWORK)
    assert result["shipped"] is False
    assert result["card"]["epochs"] == 2
    (row,) = result["rows"]
    assert row["unit"] == "demonstrations"
    assert 200 < row["used"] < 1000
    assert (race.path / "network" / "blackjack_mlp.pt").exists()


def test_options_are_read_back():
    config = RaceConfig.full(Rules.preset("european"), seed=7)
    assert RaceConfig.from_options(json.loads(json.dumps(config.options()))) == config
    with pytest.raises(FileProblem, match="not a run of `holecard race`"):
        RaceConfig.from_options({"study": "evolve ga"})
    with pytest.raises(FileProblem, match="does not describe a race"):
        RaceConfig.from_options({"study": "race", "rules": "6d", "laps": 3})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": replace(Rules(), shoe="dealt")}, "use --shoe fresh"),
        ({"rules": Rules(bj=None, limit=22)}, "no published basic chart"),
        ({"rounds": 10}, "rounds must be 100 or more"),
        ({"budgets": (0,)}, "simulations must be 1"),
        ({"population": 1}, "population must be 2"),
        ({"seed": -1}, "seed must be 0"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_run(changes, message):
    with pytest.raises(HolecardError, match=message):
        replace(TINY, **changes)


def test_folders_that_are_taken_or_no_races(whole, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(FileProblem, match="is not empty"):
        start_race(TINY, tmp_path)
    with pytest.raises(FileProblem, match="is not empty"):
        start_race(TINY, whole.path)
    with pytest.raises(FileProblem, match="holds no run"):
        open_race(tmp_path)
    with pytest.raises(FileProblem, match="not a run of `holecard race`"):
        open_race(whole.path / "bits")
    with pytest.raises(FileProblem, match="has not come to 'exact optimum' yet"):
        _ = start_race(TINY, tmp_path / "new", command=[]).results().table
    race = start_race(TINY, tmp_path / "race", command=[])
    (race.path / RESULTS).mkdir()
    (race.path / RESULTS / "solve.json").write_text('{"rows": ')
    with pytest.raises(FileProblem, match=r"cannot read .*solve.json"):
        run_race(race)


@pytest.mark.parametrize("game", ["gymnasium", "european", "2d LS INS value"])
def test_it_runs_on_any_rules(whole, game, tmp_path):
    rules = Rules.preset(game) if game in PRESETS else Rules.from_text(game)
    config = replace(TINY, rules=rules, settings=(), budgets=(5,), duel_hands=2)
    race = start_race(config, tmp_path / "race", command=[])
    know_champion(race, whole)
    run_race(race)
    table = race.results().table
    assert table[0]["name"] == "exact optimum"
    assert table[0]["regret"] == 0.0
    assert all(row["regret"] > -4 * row["stderr"] - 1e-12 for row in table)


def test_surrender_cannot_be_demonstrated_so_the_shipped_model_plays(tmp_path):
    notes = []
    config = replace(TINY, rules=Rules.from_text("LS"), games=5)
    race = start_race(config, tmp_path / "race", command=[])
    (part,) = PARTS[PartId.NETWORK](config)
    result = part.run(
        RaceContext(config=config, path=race.path, threads=1, tell=lambda done, word: None, note=notes.append)
    )
    assert result["shipped"] is True
    assert "the shipped model plays instead" in notes[0]


def test_settings_outside_their_limits_are_settings_errors():
    with pytest.raises(SettingError):
        replace(TINY, duel_hands=1)


def test_one_process_at_a_time_works_on_a_race(tmp_path):
    race, held = start_race(TINY, tmp_path / "race", command=["holecard", "race"]), []

    class EnoughError(Exception):
        pass

    def look(_):
        held.append(is_held(race.path))
        with pytest.raises(FileProblem, match="another process"):
            run_race(open_race(race.path))
        raise EnoughError

    with pytest.raises(EnoughError):
        run_race(race, threads=1, observer=Observer(record=look))
    assert held == [True]
    assert not is_held(race.path)
