"""`holecard evolve` as a user meets it, and its figures by their data."""

import json
import subprocess
import sys

import numpy as np
import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.programs import VOCABULARY
from holecard.blackjack.strategy.letters import Letter
from holecard.evolve.trees import parse_tree
from holecard.studies.consensus import Consensus
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.upcard_columns import best_letters, strategy_of_letters
from holecard.ui.figures.evolution import CURVES, animate_consensus, consensus_figure, fitness_figure
from holecard.ui.figures.programs import grid_figure, laid_out, tree_figure

KEYS = {"out", "generations", "best", "seconds"}
SMALL = ("--population", "12", "--generations", "3", "--hands", "100")
GA_FILES = {"config.json", "history.jsonl", "checkpoint.npz", "winner.txt", "consensus.txt", "consensus.gif"} | {
    f"{name}.{ending}" for name in ("fitness", "consensus", "disagreement", "winner") for ending in ("png", "svg")
}
GP_FILES = {"config.json", "history.jsonl", "checkpoint.npz", "winner.txt", "consensus.txt", "programs.txt"} | {
    "fitness.png", "fitness.svg", "grid.png", "grid.svg", "tree-A.svg", "tree-10.svg",
}  # fmt: skip


def test_ga_json_has_the_contracts_keys_and_leaves_its_files(run, tmp_path):
    code, out, _ = run("evolve", "ga", *SMALL, "--out", str(tmp_path / "run"), "--json", "--seed", "3")
    result = json.loads(out)
    assert code == 0
    assert result.keys() >= KEYS
    assert (result["out"], result["generations"]) == (str(tmp_path / "run"), 3)
    assert result["gap"] == pytest.approx(result["observed"] - result["best"])
    assert {path.name for path in (tmp_path / "run").iterdir()} >= GA_FILES
    again = json.loads(run("evolve", "ga", "--resume", str(tmp_path / "run"), "--json", "--no-figures")[1])
    assert {**again, "seconds": 0} == {**result, "seconds": 0}


def test_gp_json_has_the_contracts_keys_and_leaves_its_files(run, tmp_path):
    code, out, _ = run(
        "evolve", "gp", "--population", "20", "--generations", "2", "--out", str(tmp_path / "run"), "--json"
    )
    result = json.loads(out)
    assert code == 0
    assert result.keys() >= KEYS
    assert {path.name for path in (tmp_path / "run").iterdir()} >= GP_FILES
    assert result["best"] <= result["optimum"]


def test_it_prints_a_table_with_the_winners_curse_and_nothing_else(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ga-tuned-0", "ga-tuned-0-2"):
        code, out, err = run("evolve", "ga", "--preset", "tuned", *SMALL, "--no-figures")
        assert code == 0
        assert f"runs/{name}: 3 generations" in out
        assert "winner's curse" in out
        assert "winner, on fresh cards" in out
        assert "generation" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ga", "--preset", "best"), "unknown preset 'best'; choose classic, tuned, exact"),
        (("ga", "--selection", "luck"), "unknown selection 'luck'; choose roulette"),
        (("ga", "--generations", "0"), "Invalid value for '--generations'"),
        (("ga", "--hands", "many"), "'many' is not a number"),
        (("ga", "--rules", "casino", "--actions", "all"), "roulette needs a fitness of 0 or more"),
        (("ga", "--resume", "nowhere"), "nowhere holds no run"),
        (("ga", "--resume", "nowhere", "--elites", "3"), "keeps the settings it began with; drop --elites"),
        (("gp", "--resume", "nowhere", "--seed", "3", "--decks", "2"), "began with; drop --seed, --decks"),
        (("gp", "--fitness", "luck"), "fitness must be exact or sampled"),
        (("gp", "--shoe", "dealt"), "fresh shoe each round"),
        (("gp", "--max-size", "0"), "Invalid value for '--max-size'"),
        (("gp", "--parsimony", "nan"), "parsimony must be a finite number, 0 or more; got nan"),
        (("gp", "--population", "1000000000"), "Invalid value for '--population'"),
        (("ga", "--population", "1000000000"), "Invalid value for '--population'"),
        (("ga", "--mutation", "nan"), "mutation_rate must be a finite number, 0 to 1; got nan"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("evolve", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_a_run_of_the_other_kind_and_a_taken_folder_are_refused(run, tmp_path):
    run("evolve", "ga", *SMALL, "--out", str(tmp_path), "--no-figures")
    assert "not a run of `holecard evolve gp`" in run("evolve", "gp", "--resume", str(tmp_path))[2]
    assert "holds a run already" in run("evolve", "ga", *SMALL, "--out", str(tmp_path))[2]


def test_help_is_light():
    probe = (
        "import sys\nfrom holecard.ui.cli import main\n"
        "try: main(['evolve', 'ga', '--help'])\nexcept SystemExit: pass\n"
        "print(set(sys.modules) & {'numpy', 'numba', 'matplotlib', 'scipy'}, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "set()"
    assert "--mutation" in done.stdout


def record(generation, consensus):
    return {
        "generation": generation,
        "consensus": consensus.as_dict(),
        **{name: 0.4 + 0.01 * generation for name, *_ in CURVES},
    }


@pytest.fixture
def encoding():
    return GeneticConfig.preset("classic", Rules.preset("classic")).encoding


@pytest.fixture
def half():
    letters = np.array([Letter.HIT, Letter.STAND] * 130, np.uint8)
    return Consensus(letters=letters, shares=np.full(260, 0.75))


def test_the_fitness_figure_shows_every_curve_and_the_optimum(half):
    figure = fitness_figure([record(generation, half) for generation in range(5)], 0.4786, "win + ½ push", "Title")
    lines = figure.axes[0].get_lines()
    assert len(lines) == len(CURVES) + 1
    np.testing.assert_allclose(lines[0].get_ydata(), 0.4 + 0.01 * np.arange(5))
    np.testing.assert_allclose(lines[-1].get_ydata(), 0.4786)
    assert figure.axes[0].get_title() == "Title"


def test_the_consensus_figure_says_how_many_hit_and_outlines_disagreement(half, encoding):
    figure = consensus_figure(half, encoding, "Consensus", against=np.where(np.arange(260) < 3, 7, half.letters))
    hard, soft = figure.axes[:2]
    assert hard.images[0].get_array().shape == (17, 10)
    assert soft.images[0].get_array().shape == (9, 10)
    np.testing.assert_allclose(hard.images[0].get_array()[0], [75, 25] * 5)
    assert [label.get_text() for label in hard.get_yticklabels()][-1] == "20"
    assert hard.images[0].origin == "lower"
    assert len(hard.patches) == 2 * 3
    assert not soft.patches
    assert "3 of 260 cells" in figure.get_suptitle()


def test_the_animation_is_a_gif_of_all_generations(half, encoding):
    from io import BytesIO

    from PIL import Image

    records = [record(0, half), record(1, Consensus(letters=1 - half.letters, shares=half.shares))]
    picture = Image.open(BytesIO(animate_consensus(records, encoding, "Consensus")))
    assert (picture.format, picture.n_frames) == ("GIF", 2)


def test_shallow_programs_need_no_other_setting(run, tmp_path):
    words = ["--max-depth", "2", "--population", "20", "--generations", "1", "--no-figures"]
    code, _, err = run("evolve", "gp", *words, "--out", str(tmp_path / "run"), "--json")
    assert code == 0, err
    assert json.loads((tmp_path / "run" / "config.json").read_text())["options"]["initial_depth"] == [2, 2]


def test_damaged_records_of_a_finished_run_are_told_in_one_line(run, tmp_path):
    folder = tmp_path / "run"
    run("evolve", "ga", *SMALL, "--out", str(folder), "--no-figures")
    history = folder / "history.jsonl"
    *lines, last = history.read_text(encoding="utf-8").splitlines()
    history.write_text("\n".join([*lines, json.dumps(json.loads(last) | {"exact": "much"})]) + "\n", encoding="utf-8")
    code, _, err = run("evolve", "ga", "--resume", str(folder))
    assert code == 2
    assert "history.jsonl is damaged: in line 3 exact is not a number" in err


def test_the_grid_shows_two_card_play_and_stars_what_changes():
    figure = grid_figure(strategy_of_letters(best_letters(Rules.preset("votes"))), "Grid")
    hard, soft = figure.axes
    assert [label.get_text() for label in hard.get_yticklabels()] == [str(total) for total in range(4, 21)]
    assert [label.get_text() for label in soft.get_yticklabels()] == ["A-A", *(f"A-{rest}" for rest in range(2, 10))]
    texts = [text.get_text() for text in hard.texts]
    assert len(texts) == 170
    assert {text[0] for text in texts} == {"H", "S", "D"}


def test_a_tree_is_laid_out_leaf_by_leaf():
    program = parse_tree(VOCABULARY, "Or(HitIf(Has16),Not(HasAce))")
    nodes = laid_out(program)
    assert [(node.name, node.depth, node.parent) for node in nodes] == [
        ("Or", 0, -1), ("HitIf", 1, 0), ("Has16", 2, 1), ("Not", 1, 0), ("HasAce", 2, 3),
    ]  # fmt: skip
    assert [node.height for node in nodes] == [0.5, 0, 0, 1, 1]
    assert len(tree_figure(program, "Tree").axes[0].texts) == 5
