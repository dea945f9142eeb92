"""Long work that goes on: what is finished is kept, and the end is as if nobody had stopped it."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.counting import compositions, race
from holecard.blackjack.counting.indices import find_indices
from holecard.blackjack.counting.kept import Kept
from holecard.blackjack.counting.race import CountRace, _kept_shoes
from holecard.blackjack.counting.solved_shoes import solve_shoes
from holecard.blackjack.counting.strategy import CountingStrategy
from holecard.blackjack.counting.system import find_system
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import FileProblem

RULES = replace(Rules.preset("classic"), decks=2)
SHOES = 100


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(compositions, "PART", 20)


def stop_after(number):
    def progress(done):
        if done >= number:
            raise KeyboardInterrupt

    return progress


def test_solved_shoes_go_on_where_they_were_stopped(tmp_path, monkeypatch, small_parts):
    with pytest.raises(KeyboardInterrupt):
        solve_shoes(RULES, shoes=SHOES, progress=stop_after(65), kept=Kept(tmp_path))
    assert len(list(tmp_path.iterdir())) == 3
    solved, before = [], compositions.solve_many
    monkeypatch.setattr(
        compositions,
        "solve_many",
        lambda decks, *rest, **more: solved.append(len(decks)) or before(decks, *rest, **more),
    )
    went_on = solve_shoes(RULES, shoes=SHOES, threads=2, kept=Kept(tmp_path))
    assert solved == [20, 20]
    again = solve_shoes(RULES, shoes=SHOES, threads=1)
    assert np.array_equal(went_on.lead, again.lead, equal_nan=True)
    assert find_indices(find_system("hi-lo"), went_on) == find_indices(find_system("hi-lo"), again)
    with pytest.raises(KeyboardInterrupt):
        solve_shoes(RULES, shoes=SHOES, seed=1, progress=stop_after(1), kept=Kept(tmp_path))
    assert len(solved) == 2 + 5 + 1  # nothing of another seed is taken


def test_a_counter_that_has_played_is_not_played_again(tmp_path, monkeypatch):
    rules = Rules.from_text("1d H17 INS dealt cut=0.5")
    chart = named_strategy("basic", replace(rules, shoe="fresh", insurance=False))
    config = CountRace(rules=rules, chart=chart, rounds=20_000)
    player = CountingStrategy(system=find_system("zen"), chart=chart)
    plain = _kept_shoes(player, config, Kept(), {"threads": 1})
    first = _kept_shoes(player, config, Kept(tmp_path), {"threads": 2})
    monkeypatch.setattr(race, "play_shoes", None)
    again = _kept_shoes(player, config, Kept(tmp_path), {})
    for shoes in (first, again):
        assert np.array_equal(shoes.tally, plain.tally)
        assert np.array_equal(shoes.results, plain.results)
    with pytest.raises(TypeError):
        _kept_shoes(replace(player, insurance=3), config, Kept(tmp_path), {})


def test_a_damaged_part_is_named(tmp_path):
    kept = Kept(tmp_path)
    kept.part("a", (1,), lambda: np.zeros(3))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(FileProblem, match="is damaged; delete it"):
        kept.part("a", (1,), lambda: np.zeros(3))
