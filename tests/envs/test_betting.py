"""Bets as the first decision of every round."""

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.envs.betting import FIRST_BET
from holecard.envs.blackjack import BlackjackEnv, BlackjackVectorEnv
from holecard.errors import IllegalAction, SettingError
from holecard.seeds import drawn_seed

RULES = Rules(decks=1, shoe="dealt", insurance=True)
BETS = (1, 2, 4.5, 0)


@pytest.mark.parametrize("observation", ["hand", "features"])
@pytest.mark.parametrize("masked", [False, True])
def test_passes_gymnasiums_checker(observation, masked):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = BlackjackEnv(rules=RULES, observation=observation, masked=masked, bets=BETS)
        check_env(env, skip_render_check=True)


def chosen(mask, random):
    return int(random.choice(np.flatnonzero(mask)))


def test_bets_are_legal_before_a_deal_and_actions_after_it():
    env, random = BlackjackEnv(rules=RULES, bets=BETS, render_mode="ansi"), np.random.default_rng(1)
    assert env.action_space.n == len(Action) + len(BETS)
    observation, info = env.reset(seed=4)
    for _ in range(40):
        assert info["action_mask"].tolist() == [0] * len(Action) + [1] * len(BETS)
        assert (observation[:8] == 0).all()
        assert env.render() == "a bet is due"
        refused = env.step(int(Action.STAND))
        assert refused[4]["illegal"]
        assert (refused[0] == observation).all()
        observation, reward, over, _, info = env.step(FIRST_BET + 1)
        assert (reward, over) == (0.0, False)
        while not over:
            assert not info["action_mask"][FIRST_BET:].any()
            observation, reward, over, _, info = env.step(chosen(info["action_mask"], random))
        assert (reward * 2).is_integer()
        observation, info = env.reset()
    assert env.reset()[0].tolist() == observation.tolist()  # a bet is due still: nothing was dealt in between


def test_episodes_are_the_rounds_of_a_game_weighed_by_their_bets():
    env, random = BlackjackEnv(rules=RULES, bets=BETS), np.random.default_rng(2)
    observation, info = env.reset(seed=7)
    game = Game(RULES, seed=drawn_seed(np.random.default_rng(np.random.PCG64(np.random.SeedSequence(7)))))
    for _ in range(60):
        assert tuple(observation[8:]) == game.table_view().seen_by_value
        bet = int(random.integers(len(BETS)))
        observation, reward, over, _, info = env.step(FIRST_BET + bet)
        view = game.deal(BETS[bet])
        while not over:
            if view is not None:
                assert observation[8:].sum() == view.seen.sum()
                action = chosen(info["action_mask"], random)
                view = game.apply(Action(action))
            else:
                action = Action.STAND
            observation, reward, over, _, info = env.step(int(action))
        assert reward == game.net
        observation, info = env.reset()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("illegal", ["refuse", "stand"])
def test_a_vector_plays_what_its_tables_play(mode, illegal):
    many = BlackjackVectorEnv(3, rules=RULES, bets=BETS, autoreset_mode=mode, illegal=illegal)
    random = np.random.default_rng(5)
    observations, info = many.reset(seed=3)
    assert many.observation_space.contains(observations)
    dealt, bets = 0, np.zeros(3)
    for _ in range(150):
        masks = info["action_mask"].astype(bool)
        due = masks[:, FIRST_BET:].all(axis=1)
        assert (due == (observations[:, :8] == 0).all(axis=1)).all()
        actions = np.array([chosen(mask, random) if mask.any() else 0 for mask in masks])
        bets = np.where(due, np.array(BETS)[np.maximum(actions - FIRST_BET, 0)], bets)
        observations, reward, over, _, info = many.step(actions)
        assert many.observation_space.contains(observations)
        assert (reward[~over] == 0).all()
        assert (reward[over & (bets == 0)] == 0).all()
        halves = reward[over & (bets > 0)] / bets[over & (bets > 0)] * 2
        assert (halves == np.round(halves)).all()
        if mode == "SameStep":
            assert (info["action_mask"][over, FIRST_BET:] == 1).all()
            assert not over.any() or (info["final_obs"][over, 0] > 0).all()
        dealt += int(over.sum())
    assert dealt > 40
    at = int(np.flatnonzero(info["action_mask"].any(axis=1))[0])
    wrong = np.array([chosen(mask, random) if mask.any() else 0 for mask in info["action_mask"]])
    wrong[at] = 0 if info["action_mask"][at, FIRST_BET] else FIRST_BET
    assert many.step(wrong)[4]["illegal"][at]


def test_one_table_and_a_vector_of_one_are_the_same_game():
    one, many = BlackjackEnv(rules=RULES, bets=BETS), BlackjackVectorEnv(1, rules=RULES, bets=BETS)
    random = np.random.default_rng(3)
    observation, info = one.reset(seed=9)
    observations, _ = many.reset(seed=9)
    for _ in range(80):
        assert (observations[0] == observation).all()
        action = chosen(info["action_mask"], random)
        observation, reward, over, _, info = one.step(action)
        observations, rewards, ends, _, _ = many.step(np.array([action]))
        assert (rewards[0], ends[0]) == (reward, over)
        if over:
            observation, info = one.reset()
            observations, *_ = many.step(np.array([0]))


def test_bets_need_a_dealt_shoe_and_numbers():
    with pytest.raises(SettingError, match='need shoe="dealt"'):
        BlackjackEnv(rules="casino", shoe="fresh", bets=BETS)
    for bets in ((), "1248", (1, -2), range(30)):
        with pytest.raises(SettingError):
            BlackjackEnv(rules=RULES, bets=bets)
    env = BlackjackEnv(rules=RULES, bets=BETS, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"cannot take action 1; legal there: bet 1, bet 2, bet 4\.5, bet 0"):
        env.step(1)
