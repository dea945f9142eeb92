"""The terms of a session and the seeds that follow from one."""

import pytest

from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms, agent_seed, session_seed
from holecard.errors import SettingError
from holecard.seeds import MAX_SEED


def test_seeds_of_games_and_agents_stay_what_they_were():
    assert session_seed(3, 5) == 14694836086070225932
    assert agent_seed(3, 5) == 11487447889840040009
    assert agent_seed(3, 5) == session_seed(MAX_SEED - 3, 5)


def test_no_agent_shares_the_seed_of_its_shoe():
    games = {session_seed(7, number) for number in range(1000)}
    agents = {agent_seed(7, number) for number in range(1000)}
    assert len(games) == len(agents) == 1000
    assert not games & agents


def test_a_seed_beyond_the_limits_is_refused_by_its_own_value():
    with pytest.raises(SettingError, match="got -1"):
        agent_seed(-1, 0)
    with pytest.raises(SettingError, match=f"got {MAX_SEED + 1}"):
        SessionTerms(rules=Rules(), seed=MAX_SEED + 1)


def test_a_session_deals_the_shoes_of_its_game():
    terms = SessionTerms(rules=Rules(shoe="dealt"), seed=4, bankroll=100, bet=5)
    game, same = terms.game(2), Game(Rules(shoe="dealt"), session_seed(4, 2), bankroll=100, bet=5)
    for _ in range(50):
        assert game.deal() == same.deal() or game.events() == same.events()
        while (view := game.view) is not None:
            action = view.legal[-1]
            game.apply(action)
            same.apply(action)
        assert game.record() == same.record()
        game.bankroll = same.bankroll = 100.0


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"rounds": 0}, "rounds must be 1 or more; got 0"),
        ({"bet": 0.0}, "bet must be above 0; got 0"),
        ({"bankroll": 3, "bet": 5}, "the bankroll must pay a bet of 5; got 3"),
    ],
)
def test_terms_that_cannot_be_are_refused(terms, message):
    with pytest.raises(SettingError, match=message):
        SessionTerms(rules=Rules(), **terms)
