"""Blackjack-v0: any rules, masks, the same rounds in one table and in many, and returns that are the exact EV."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import holecard.envs
from holecard.blackjack.exact import score
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.kernels import strategy_actions
from holecard.blackjack.strategy.named import named_strategy
from holecard.cards import card_sign
from holecard.envs.blackjack import BlackjackEnv, BlackjackVectorEnv
from holecard.envs.picture import table_picture
from holecard.errors import IllegalAction, RulesError, SettingError
from holecard.estimate import Estimate

NAME = "holecard/Blackjack-v0"
GAMES = ["casino", "classic", "textbook", "european", "atlantic-city", "gymnasium", "2d INS LS RSA HSA dealt"]


@pytest.mark.parametrize("observation", ["hand", "features"])
@pytest.mark.parametrize("rules", GAMES)
def test_passes_gymnasiums_checker(rules, observation):
    check_env(gymnasium.make(NAME, rules=rules, observation=observation).unwrapped, skip_render_check=True)


def test_rules_by_keyword():
    environment = gymnasium.make(NAME, rules="vegas-strip", decks=1, h17=True, bj="6:5", surrender="late").unwrapped
    assert str(environment.rules) == "1d 6:5 value LS"
    assert gymnasium.make_vec(NAME, num_envs=3, decks="inf").rules.is_infinite
    with pytest.raises(RulesError, match="unknown rule 'deks'; did you mean decks"):
        gymnasium.make(NAME, deks=2)
    with pytest.raises(RulesError, match="deck is a Composition or counts such as"):
        gymnasium.make(NAME, deck=2)
    tenless = gymnasium.make(NAME, deck="A=8,2=8,3=8,4=8,5=8,6=8,7=8,8=8,9=8,J=8,Q=8,K=8").unwrapped
    assert tenless.rules.deck.size == 96
    with pytest.raises(RulesError, match="decks must be 1 to 8"):
        gymnasium.make(NAME, decks=9)
    with pytest.raises(SettingError, match="observation must be hand or features; got 'cards'"):
        gymnasium.make(NAME, observation="cards")


def played(environment, episodes, seed):
    """Every (observation, action, reward) of a masked random player."""
    rng, lines = np.random.default_rng(1), []
    for episode in range(episodes):
        seen, info = environment.reset(seed=seed if episode == 0 else None)
        over = False
        while not over:
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            lines.append((seen.tolist(), action))
            seen, reward, over, truncated, info = environment.step(action)
            assert environment.observation_space.contains(seen)
            assert not truncated
        assert info["action_mask"].sum() == 0
        lines.append((seen.tolist(), reward))
    return lines


@pytest.mark.parametrize("rules", GAMES)
def test_the_same_seed_is_the_same_game_and_another_is_not(rules):
    environment = BlackjackEnv(rules=rules)
    first = played(environment, 30, seed=4)
    assert played(environment, 30, seed=4) == first == played(BlackjackEnv(rules=rules), 30, seed=4)
    assert played(environment, 30, seed=5) != first


def test_seeds_are_local():
    np.random.seed(1)
    before = np.random.get_state()[1].tolist()
    one, other = BlackjackEnv(), BlackjackEnv()
    first = played(one, 5, seed=1)
    other.reset(seed=2)
    assert np.random.get_state()[1].tolist() == before
    one.reset(seed=1)
    played(other, 3, seed=3)
    assert played(one, 5, seed=1) == first


def test_a_vector_of_one_plays_what_one_table_plays():
    one, many = BlackjackEnv(rules="casino"), BlackjackVectorEnv(1, rules="casino")
    seen, info = one.reset(seed=9)
    batch, batch_info = many.reset(seed=9)
    rng = np.random.default_rng(2)
    for _ in range(400):
        assert np.array_equal(seen, batch[0])
        assert np.array_equal(info["action_mask"], batch_info["action_mask"][0])
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        seen, reward, over, _, info = one.step(action)
        batch, rewards, ended, _, batch_info = many.step(np.array([action]))
        assert (reward, over) == (rewards[0], ended[0])
        assert np.array_equal(seen, batch[0])
        if over:
            seen, info = one.reset()
            batch, rewards, ended, _, batch_info = many.step(np.array([6]))  # ignored: the next deal is shown
            assert (rewards[0], ended[0]) == (0.0, False)


def returns(environment, strategy, rules, hands):
    """Results of whole rounds of a table that plays a vector environment."""
    plays, actions = strategy.plays().ravel(), np.zeros(environment.num_envs, np.int64)
    environment.reset(seed=1)
    sums = np.zeros(3)
    while sums[2] < hands:
        deciding = environment.batch.views["hand"] > 0
        strategy_actions(environment.batch.states, plays, environment.batch.record, actions)
        _, rewards, over, _, _ = environment.step(np.where(deciding, actions, Action.STAND))
        sums += rewards.sum(), (rewards**2).sum(), over.sum()
    return Estimate.from_sums(sums[0], sums[1], int(sums[2]))


@pytest.mark.parametrize(
    "rules", ["casino", "european", "atlantic-city", "2d push-22 ties-lose double-any DSA ES10 value"]
)
def test_returns_are_the_exact_ev_naturals_included(rules):
    game = Rules.from_text(rules)
    basic = named_strategy("basic", game)
    environment = BlackjackVectorEnv(1024, rules=game, autoreset_mode="SameStep")
    assert abs(returns(environment, basic, game, 1_000_000).z(score(basic, game).ev)) < 4


def test_a_round_that_naturals_end_has_one_step():
    environment = BlackjackEnv(rules="casino", render_mode="ansi")
    shown = 0
    seen, info = environment.reset(seed=3)
    for _ in range(200):
        if seen[5] == 0:
            shown += 1
            assert info["action_mask"].tolist() == [0, 1, 0, 0, 0, 0, 0]
            _, reward, over, _, _ = environment.step(Action.STAND)
            assert over
            assert reward in (1.5, 0.0, -1.0)
            assert "??" not in environment.render()
        seen, info = environment.reset()
        assert ("??" in environment.render()) is True
    assert shown > 3


def test_illegal_actions_change_nothing_or_raise():
    environment = BlackjackEnv(rules="classic")
    before, _ = environment.reset(seed=1)
    seen, reward, over, _, info = environment.step(int(Action.SPLIT))
    assert (seen.tolist(), reward, over, info["illegal"]) == (before.tolist(), 0.0, False, True)
    strict = BlackjackEnv(rules="classic", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match="legal there: hit, stand"):
        strict.step(int(Action.SPLIT))
    with pytest.raises(IllegalAction, match="actions are 0 to 6; got 7"):
        strict.step(7)
    many = BlackjackVectorEnv(4, rules="classic")
    first, _ = many.reset(seed=1)
    after, _, over, _, info = many.step(np.array([3, 1, 3, 0]))
    assert info["illegal"].tolist() == [True, False, True, False]
    assert np.array_equal(first[[0, 2]], after[[0, 2]])
    assert not over[[0, 2]].any()
    with pytest.raises(SettingError, match="illegal must be refuse, raise or stand; got 'lose'"):
        BlackjackEnv(illegal="lose")


def test_an_illegal_action_may_stand_so_that_nobody_gains_by_waiting():
    table, stood = BlackjackEnv(illegal="stand"), BlackjackEnv()
    for seed in range(20):
        table.reset(seed=seed)
        stood.reset(seed=seed)
        seen, reward, over, _, info = table.step(int(Action.INSURE))
        right = stood.step(int(Action.STAND))
        assert (seen.tolist(), reward, over) == (right[0].tolist(), *right[1:3])
        assert info["illegal"]
        assert over
    many, calm = (BlackjackVectorEnv(8, illegal=kind) for kind in ("stand", "raise"))
    many.reset(seed=3)
    calm.reset(seed=3)
    _, rewards, over, _, info = many.step(np.array([Action.INSURE, Action.STAND] * 4))
    assert np.array_equal(rewards, calm.step(np.full(8, Action.STAND))[1])
    assert over.all()
    assert info["illegal"].tolist() == [True, False] * 4
    offered = BlackjackEnv(rules="1d INS", illegal="stand")
    while not offered.reset()[0][7]:
        pass
    seen, _, over, _, _ = offered.step(int(Action.SURRENDER))
    assert over or not seen[7], "where insurance is offered, an illegal action declines it first"


@pytest.mark.parametrize("observation", ["hand", "features"])
def test_the_mask_may_be_part_of_the_observation(observation):
    check_env(gymnasium.make(NAME, observation=observation, masked=True).unwrapped, skip_render_check=True)
    plain, masked = (BlackjackEnv(observation=observation, masked=each) for each in (False, True))
    for seed in range(10):
        (seen, info), (both, _) = plain.reset(seed=seed), masked.reset(seed=seed)
        assert np.array_equal(both["observation"], seen)
        assert np.array_equal(both["action_mask"], info["action_mask"])
        assert both in masked.observation_space
        both, _, over, _, _ = masked.step(int(Action.STAND))
        assert over
        assert both["action_mask"].all(), "at the end anything goes: a learner that looks there finds numbers"
    many = gymnasium.make_vec(NAME, num_envs=5, masked=True, observation=observation, autoreset_mode="SameStep")
    seen, info = many.reset(seed=1)
    assert seen in many.observation_space
    assert np.array_equal(seen["action_mask"], info["action_mask"])
    *_, info = many.step(np.full(5, Action.STAND))
    assert info["final_obs"]["action_mask"].shape == (5, 7)


def test_same_step_shows_the_end_of_a_round_in_info():
    many = BlackjackVectorEnv(64, rules="casino", autoreset_mode="SameStep")
    many.reset(seed=1)
    seen, _, over, _, info = many.step(np.full(64, Action.STAND))
    assert over.all()
    assert info["_final_obs"].all()
    assert (info["final_obs"][:, 0] >= 4).all()
    assert not np.array_equal(info["final_obs"], seen)
    assert (info["action_mask"].sum(axis=1) > 0).all()


def test_a_dealt_shoe_goes_on_from_episode_to_episode():
    environment = BlackjackEnv(rules="1d dealt H17")
    shoe = environment._batch.states[0]["shoe"]
    environment.reset(seed=1)
    out = []
    for _ in range(8):
        out.append(int(shoe["out"]))
        environment.reset()
    assert out[0] == 0
    assert sorted(out[:4]) == out[:4]
    assert out[3] > 8


def test_the_hole_card_is_hidden():
    """Another hole card leaves what is observed unchanged."""
    for observation in ("hand", "features"):
        environment = BlackjackEnv(rules="european", observation=observation)
        seen, _ = environment.reset(seed=2)
        dealer, shoe = environment._batch.states[0]["hands"][0], environment._batch.states[0]["shoe"]
        size, hole = int(shoe["size"]), int(dealer["cards"][1])
        out = shoe["stamps"][:size] >= shoe["since"]
        place = next(at for at in range(size) if out[at] and shoe["cards"][at] == hole)
        other = next(at for at in range(size) if not out[at] and shoe["cards"][at] >> 2 != hole >> 2)
        shoe["cards"][[place, other]] = shoe["cards"][[other, place]]
        dealer["cards"][1] = shoe["cards"][place]
        assert np.array_equal(environment._observation(), seen)


def test_everything_is_registered():
    assert {NAME, "holecard/ClassicBlackjack-v0"} <= set(gymnasium.registry)
    assert holecard.envs.__doc__


def test_masks_as_sb3_contrib_asks_for_them():
    one, many = BlackjackEnv(rules="casino"), BlackjackVectorEnv(4, rules="casino")
    _, info = one.reset(seed=2)
    assert np.array_equal(one.action_masks(), info["action_mask"].astype(bool))
    _, info = many.reset(seed=2)
    assert np.array_equal(many.action_masks(), info["action_mask"].astype(bool))
    *_, info = one.step(Action.STAND)
    assert info["action_mask"].sum() == 0
    assert one.action_masks().all(), "a learner needs something to choose from where nothing is at stake"
    classic = gymnasium.make("holecard/ClassicBlackjack-v0").unwrapped
    classic.reset(seed=1)
    assert classic.action_masks().tolist() == [True, True]


def pixels_apart(one, other):
    return int((one.astype(int) != other.astype(int)).any(axis=2).sum())


def test_the_table_as_pixels_hides_the_hole_card_until_the_end():
    environment = gymnasium.make(NAME, rules="casino", render_mode="rgb_array")
    check_env(environment.unwrapped)
    environment.reset(seed=7)
    before = environment.render()
    assert (before.shape, before.dtype) == ((400, 640, 3), np.uint8)
    hole = environment.unwrapped._batch.states[0]["hands"][0]["cards"]
    hole[1] = (int(hole[1]) + 17) % 52
    assert pixels_apart(before, environment.render()) == 0, "another hole card, the same picture"
    environment.step(Action.STAND)
    assert pixels_apart(before, environment.render()) > 500
    silent = gymnasium.make(NAME)
    silent.reset(seed=7)
    assert silent.unwrapped.render() is None


def test_every_card_looks_different():
    shown = [table_picture(["A♠"], [[card_sign(card)]], -1, "") for card in range(52)]
    assert len({picture.tobytes() for picture in shown}) == 52
    assert (
        pixels_apart(table_picture(["A♠"], [["2♣"], ["3♣"]], 0, ""), table_picture(["A♠"], [["2♣"], ["3♣"]], 1, ""))
        > 100
    )


def test_a_vector_shows_every_table():
    tables = gymnasium.make_vec(NAME, num_envs=3, render_mode="rgb_array")
    tables.reset(seed=1)
    assert len({picture.tobytes() for picture in tables.render()}) == 3
    with pytest.raises(SettingError, match="render_mode must be ansi, rgb_array or None; got 'human'"):
        BlackjackEnv(render_mode="human")
