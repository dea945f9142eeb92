"""Genomes and the tables they stand for."""

import numpy as np
import pytest

from holecard.blackjack.exact import optimum, score_many
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import simulate_many
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy
from holecard.errors import SettingError
from holecard.evolve.genetic import GeneticEngine
from holecard.evolve.registry import GeneticSettings
from holecard.seeds import stream
from holecard.studies.game import ACTIONS, restricted
from holecard.studies.genome import FOLLOW, Encoding

CLASSIC = Rules.preset("classic")
GAMES = ["classic", "casino", "atlantic-city", "textbook", "european"]


def random_genomes(encoding, count=5, seed=1):
    return GeneticEngine(encoding.alphabet, GeneticSettings(population=count)).first(stream(seed))


def test_the_classic_game_has_seed_000s_260_loci_in_its_order():
    encoding = Encoding(rules=restricted(CLASSIC, "hit-stand"))
    genomes = random_genomes(encoding, 50)
    assert genomes.shape == (50, GENOME_BITS)
    for genome in genomes:
        assert encoding.strategy(genome) == Strategy.from_genome((genome == Letter.HIT).astype(np.uint8))


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize("game", GAMES)
def test_genomes_and_tables_go_into_each_other(game, actions):
    encoding = Encoding(rules=restricted(Rules.preset(game), actions))
    for genome in random_genomes(encoding):
        strategy = encoding.strategy(genome)
        assert encoding.strategy(encoding.genome(strategy)) == strategy
        plays = encoding.plays(genome[None]).reshape(-1, *strategy.cells.shape)
        np.testing.assert_array_equal(plays, strategy.plays()[: len(plays)])


@pytest.mark.parametrize("actions", ACTIONS)
def test_the_best_chart_is_a_genome(actions):
    """The optimum drawn as a line is one that evolution can reach."""
    encoding = Encoding(rules=restricted(Rules.preset("atlantic-city"), actions))
    best = optimum(encoding.rules).strategy()
    genome = encoding.genome(best)
    assert all(letter in letters for letter, letters in zip(genome, encoding.alphabet, strict=True))
    again = score_many(encoding.cells(genome[None]), encoding.rules).ev[0]
    assert again == pytest.approx(optimum(encoding.rules).ev_total_dependent, abs=1e-12)


def test_tables_with_pairs_play_as_the_strategies_they_stand_for():
    rules = restricted(Rules.preset("atlantic-city"), "all")
    encoding = Encoding(rules=rules)
    genomes = random_genomes(encoding, 4)
    assert (genomes == FOLLOW).any()
    theirs = np.stack([encoding.strategy(genome).plays() for genome in genomes])
    np.testing.assert_array_equal(
        simulate_many(encoding.plays(genomes), rules, 3000, seed=2), simulate_many(theirs, rules, 3000, seed=2)
    )


def test_games_with_other_limits_have_other_rows():
    rules = Rules(bj=None, limit=15, target=12, ace_bonus=4, split="value")
    encoding = Encoding(rules=restricted(rules, "hit-stand"))
    assert [row for _, row in encoding.rows] == [*range(4, 15), *range(6, 15)]


def test_bad_actions_and_dealt_shoes_are_refused():
    with pytest.raises(SettingError, match="unknown actions 'fold'; choose hit-stand"):
        restricted(CLASSIC, "fold")
    with pytest.raises(SettingError, match="fresh shoe each round"):
        restricted(Rules(shoe="dealt"), "all")
