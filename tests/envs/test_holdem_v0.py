"""holdem_v0: PettingZoo's own checks, zero sums, hidden cards, and the engine's rules behind every action."""

import warnings

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's tests import an environment of its own by a deprecated path
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from holecard.envs import holdem_v0
from holecard.errors import IllegalAction, SettingError
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.seated import seated

KINDS = [
    {},
    {"masked": True},
    {"rules": "pokernet", "hands": 20},
    {"rules": "pokernet", "raises": "free", "hands": 5},
    {"rules": HoldemRules(stack=350, ante=10, carried=True), "hands": 50, "sizes": (0.33, 0.75)},
]


@pytest.mark.filterwarnings("ignore:Observation ")  # it warns of dictionaries, which its own card games give too
@pytest.mark.parametrize("options", KINDS, ids=str)
def test_passes_pettingzoos_checks(options, capsys):
    api_test(holdem_v0.env(**options), num_cycles=200, verbose_progress=False)
    seed_test(lambda: holdem_v0.env(**options), num_cycles=50)


def play(environment, seed, episodes=1):
    """Rewards by agent and every move of random legal players, with the cards it was made on."""
    rng, totals, moves = np.random.default_rng(3), dict.fromkeys(environment.possible_agents, 0.0), []
    for episode in range(episodes):
        environment.reset(seed=seed if episode == 0 else None)
        for agent in environment.agent_iter():
            seen, reward, over, _, info = environment.last()
            totals[agent] += reward
            action = None if over else int(rng.choice(np.flatnonzero(info["action_mask"])))
            if action is not None:
                cards = seen["observation"] if isinstance(seen, dict) else seen
                moves.append((agent, action, np.flatnonzero(cards[:104]).tolist()))
            environment.step(action)
    return totals, moves


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_rewards_are_zero_sum_and_seeded(options):
    environment = holdem_v0.env(**options)
    totals, moves = play(environment, seed=1, episodes=6)
    assert sum(totals.values()) == pytest.approx(0)
    assert any(totals.values())
    assert play(environment, seed=1, episodes=6) == (totals, moves)
    assert play(environment, seed=2, episodes=6) != (totals, moves)


def test_a_session_ends_when_a_stack_is_gone():
    environment = holdem_v0.raw_env(rules=HoldemRules(stack=300, carried=True), hands=1000)
    totals, _ = play(environment, seed=4)
    assert sorted(totals.values()) == [-3.0, 3.0]


def test_the_button_changes_from_hand_to_hand():
    environment = holdem_v0.raw_env()
    environment.reset(seed=1)
    first = environment.agent_selection
    environment.reset()
    assert environment.agent_selection != first
    assert environment.observe(environment.agent_selection)[108] == 1


def test_sizes_are_pots_between_the_minimum_and_all_in():
    environment = holdem_v0.raw_env(rules="paper")  # 50/100, stacks of 20,000
    environment.reset(seed=1)
    assert environment.infos[environment.agent_selection]["action_mask"].tolist() == [1, 1, 1, 0, 1, 1, 1]
    environment.step(4)  # the pot after a call is 200: raise to 100 + 200
    assert max(environment._hand.bets) == 300
    environment.step(2)
    assert max(environment._hand.bets) == 500, "the minimum re-raise is by 200"
    environment.step(6)
    assert max(environment._hand.bets) == 20_000
    assert environment.infos[environment.agent_selection]["action_mask"].tolist() == [1, 1, 0, 0, 0, 0, 0]


def test_free_amounts_are_chips():
    environment = holdem_v0.raw_env(rules="pokernet", raises="free")  # 5/10, stacks of 1,000
    environment.reset(seed=1)
    mask = environment.infos[environment.agent_selection]["action_mask"]
    assert np.flatnonzero(mask).tolist() == [0, 1, *range(21, 1002)]
    environment.step(38)
    assert max(environment._hand.bets) == 37
    with pytest.raises(IllegalAction, match="action 2 is not legal; legal here: fold, call 27, raise to 64 … 1000"):
        environment.step(2)


def test_the_other_hand_and_the_cards_to_come_are_hidden():
    environment = holdem_v0.raw_env()
    environment.reset(seed=1)
    environment.step(1)
    seen = environment.observe("player_0")
    cards = environment._hand._record["card"]
    cards[2:] = [card for card in range(52) if card not in cards][:7]
    assert np.array_equal(environment.observe("player_0"), seen)
    assert not np.array_equal(environment.observe("player_1"), seen)


def test_render_tells_the_hand():
    environment = holdem_v0.env(render_mode="ansi")
    environment.reset(seed=1)
    environment.step(1)
    assert "call" in environment.render()
    silent = holdem_v0.raw_env()
    silent.reset(seed=1)
    assert silent.render() is None
    silent.close()


def test_a_person_reads_every_event_once(capsys):
    environment = holdem_v0.env(render_mode="human", hands=3)
    play(environment, seed=1)
    said = capsys.readouterr().out.splitlines()
    assert sum("is dealt" in line for line in said) == 6
    assert environment.render() is None
    assert capsys.readouterr().out == ""


def test_pettingzoos_other_tests(capsys):
    render_test(lambda render_mode: holdem_v0.env(masked=True, render_mode=render_mode))
    parallel = turn_based_aec_to_parallel(holdem_v0.env(illegal="fold", hands=5))
    parallel_api_test(parallel, num_cycles=100)


def test_masks_are_the_same_in_info_and_observation():
    environment = holdem_v0.raw_env(masked=True, hands=3)
    environment.reset(seed=2)
    acting = environment.agent_selection
    waiting = next(agent for agent in environment.agents if agent != acting)
    assert np.array_equal(environment.observe(acting)["action_mask"], environment.infos[acting]["action_mask"])
    assert environment.observe(acting) in environment.observation_space(acting)
    assert not environment.observe(waiting)["action_mask"].any()


def test_an_illegal_action_may_fold_or_check():
    environment = holdem_v0.raw_env(illegal="fold")
    environment.reset(seed=1)
    actor = environment.agent_selection
    environment.step(3)  # half a pot is less than the minimum
    assert environment.terminations[actor]
    assert environment.rewards[actor] == -0.5
    environment.reset(seed=1)
    environment.step(1)
    environment.step(0)  # to fold where checking is free
    assert not any(environment.terminations.values())
    assert len(environment._hand.board) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hands": 0}, "hands must be 1 or more; got 0"),
        ({"raises": "all"}, "raises must be sizes or free; got 'all'"),
        ({"sizes": (0.5, -1)}, "sizes are pots above 0"),
        ({"render_mode": "rgb_array"}, "render_mode must be ansi, human or None"),
        ({"illegal": "lose"}, "illegal must be raise or fold; got 'lose'"),
        ({"rules": HoldemRules(stack=100)}, "stack must exceed ante and big blind"),
        ({"rules": HoldemRules(stack=10**7), "raises": "free"}, "free raises take a stack of 1,000,000"),
    ],
)
def test_bad_options_are_told(options, words):
    with pytest.raises(SettingError, match=words):
        holdem_v0.env(**options)


def test_an_unknown_preset_is_told():
    with pytest.raises(SettingError, match="unknown preset 'pokernett'; did you mean pokernet"):
        holdem_v0.env(rules="pokernett")


@pytest.mark.parametrize(
    ("name", "raises"), [("equilibrium", "sizes"), ("equilibrium", "free"), ("hothead-maniac", "sizes")]
)
def test_players_of_the_house_take_a_seat(name, raises):
    environment = holdem_v0.env(rules="pokernet", hands=6, raises=raises)
    player, choices = seated(name, seed=2, buy_in=1000), set()
    environment.reset(seed=5)
    for agent in environment.agent_iter():
        _, _, over, _, info = environment.last()
        action = None if over else 1
        if agent == "player_1" and not over:
            action = environment.unwrapped.choice_of(player)
            assert info["action_mask"][action]
            choices.add(action)
        environment.step(action)
    assert choices
