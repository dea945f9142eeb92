"""Every agent by name, one contract for all: legal actions, a reason, and nothing hidden seen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.protocol import Agent
from holecard.blackjack.players.registry import AGENTS, make_agent
from holecard.errors import AgentError, SettingError
from tests.conftest import any_rules

QUICK = AgentOptions(simulations=60, determinizations=6)
THINKERS = [name for name in AGENTS if name != "heuristic"]


def seated(name, rules, seed=1):
    return make_agent(name, rules, seed=seed, options=QUICK)


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_acts_legally_and_says_why(name):
    game, agent = Game(Rules(), seed=3), seated(name, Rules())
    assert isinstance(agent, Agent)
    for _ in range(12):
        game.play(agent.act)
        assert agent.last_reason


@pytest.mark.parametrize("name", THINKERS)
def test_what_is_hidden_changes_no_choice(name):
    """The hole card swapped with any card in the shoe that the peek allows, the undealt order permuted."""
    rules, random = Rules(), np.random.default_rng(1)
    game = Game(rules, seed=11)
    for _ in range(8):
        view = game.deal()
        if view is None:
            continue
        chosen = seated(name, rules).act(view)
        state = game._state
        kept = state.copy()
        for _ in range(4):
            _permute_hidden(state[0], random)
            assert seated(name, rules).act(view) == chosen
            state[0] = kept[0]
        while view is not None:
            view = game.apply(Action.STAND)


def _permute_hidden(round, random):
    """Deal the unseen cards anew: to the hole card's place and to all places still in the shoe."""
    shoe, dealer = round["shoe"], round["hands"][0]
    size = int(shoe["size"])
    hole_card = int(dealer["cards"][1])
    out = shoe["stamps"][:size] >= shoe["since"]
    hole_place = np.flatnonzero(out & (shoe["cards"][:size] == hole_card))[0]
    places = np.append(np.flatnonzero(~out), hole_place)
    upcard_rank = int(dealer["cards"][0]) >> 2
    natural = (lambda c: 8 <= c >> 2 <= 11) if upcard_rank == 12 else (lambda c: c >> 2 == 12)
    peeked = upcard_rank == 12 or 8 <= upcard_rank <= 11
    while True:
        cards = random.permutation(shoe["cards"][places])
        if not (peeked and natural(int(cards[-1]))):
            break
    shoe["cards"][places] = cards
    dealer["cards"][1] = cards[-1]


@settings(max_examples=40)
@given(any_rules(), st.integers(0, 2**40))
def test_search_plays_every_game_there_is(rules, seed):
    game = Game(rules, seed=seed)
    agent = make_agent("mcts", rules, options=AgentOptions(simulations=20, determinizations=4, rollout="random"))

    def act(view):
        action = agent.act(view)
        assert action in view.legal
        tried = agent.values()
        assert set(tried) == set(view.legal), "20 simulations try each of at most seven actions"
        assert sum(visits for visits, _ in tried.values()) == 20
        return action

    for _ in range(3):
        game.play(act)


def test_a_class_of_yours_plays(tmp_path, monkeypatch):
    (tmp_path / "cautious_player.py").write_text(
        "from holecard import Action\n"
        "class Cautious:\n"
        "    name, last_reason = 'cautious', ''\n"
        "    def act(self, view):\n"
        "        self.last_reason = f'{view.total} against {view.upcard}'\n"
        "        return Action.HIT if view.total < 12 else Action.STAND\n"
        "class Mute:\n"
        "    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    agent = make_agent("cautious_player:Cautious", Rules())
    Game(Rules(), seed=2).play_session(agent.act, 10)
    assert "against" in agent.last_reason
    with pytest.raises(AgentError, match="needs name, last_reason and act"):
        make_agent("cautious_player:Mute", Rules())
    with pytest.raises(AgentError, match="has no 'Nobody'"):
        make_agent("cautious_player:Nobody", Rules())
    with pytest.raises(AgentError, match="cannot import"):
        make_agent("no_such_module:Agent", Rules())


def test_names_that_are_none():
    with pytest.raises(SettingError, match="did you mean heuristic"):
        make_agent("heuristics", Rules())


@pytest.mark.parametrize(
    ("field", "value"), [("simulations", 0), ("determinizations", 500), ("ucb_c", -1.0), ("rollout", "psychic")]
)
def test_options_have_limits(field, value):
    with pytest.raises(SettingError, match=field.split("_")[0]):
        AgentOptions(**{field: value})
