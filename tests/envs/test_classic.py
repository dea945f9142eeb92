"""ClassicBlackjack-v0 is Gymnasium's game: step by step on the same cards, and in the mean against the optimum."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import holecard.envs
from holecard.blackjack.exact import optimum, score
from holecard.blackjack.game.dealing import stack
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.named import named_strategy
from holecard.envs.classic import ClassicBlackjackEnv, classic_rules, policy_of, strategy_of
from holecard.errors import IllegalAction, SettingError
from holecard.estimate import Estimate

NAME = "holecard/ClassicBlackjack-v0"
OPTIMUM = {False: -0.0465559771, True: -0.0431131054}
"""By `sab`; an exact rational computation of Gymnasium's game."""
OPTIONS = [{"natural": natural, "sab": sab} for natural in (False, True) for sab in (False, True)]


class Scripted:
    """Random numbers for Gymnasium's environment that deal given values in order."""

    def __init__(self, values):
        self.values = list(values)

    def choice(self, options):
        return self.values.pop(0) if 1 in options else options[0]


def card_of(value):
    """A card code that counts `value`."""
    return 48 if value == 1 else (value - 2) * 4


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_step_is_gymnasiums_on_the_same_cards(options):
    rng = np.random.default_rng(7)
    theirs = gymnasium.make("Blackjack-v1", **options).unwrapped
    ours = ClassicBlackjackEnv(**options)
    ours._batch.record["infinite"] = False  # an endless deck cannot be stacked
    ours.reset(seed=1)
    ours.step(0)
    shoe = ours._batch.states[0]["shoe"]
    deck = [1, *range(2, 10), 10, 10, 10, 10]
    hit_21 = naturals = 0
    for episode in range(1500):
        cards = [int(value) for value in rng.choice(deck, 40)]
        if episode % 3 == 0:
            cards[1:4] = [10, 1, 10]  # the dealer's hole card, then the player's natural
        upcard, hole, first, second, *rest = cards
        theirs._np_random = Scripted(rest)
        theirs.dealer, theirs.player = [upcard, hole], [first, second]
        stack(shoe, [card_of(value) for value in (first, upcard, second, hole, *rest)])
        seen, _ = ours.reset()
        assert seen == theirs._get_obs()
        naturals += seen[0] == 21
        over = False
        while not over:
            action = int(rng.integers(2))
            hit_21 += action == 1 and seen[0] == 21
            seen, reward, over, *_ = ours.step(action)
            assert (seen, reward, over) == theirs.step(action)[:3]
    assert naturals > 400
    assert hit_21 > 100


def test_spaces_and_defaults_are_gymnasiums():
    theirs, ours = gymnasium.make("Blackjack-v1").unwrapped, gymnasium.make(NAME).unwrapped
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert (ours.natural, ours.sab) == (theirs.natural, theirs.sab) == (False, True)
    observation, info = ours.reset(seed=1)
    assert info == {}
    assert [type(number) for number in observation] == [int, int, int]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_passes_gymnasiums_checker(options):
    check_env(gymnasium.make(NAME, **options).unwrapped, skip_render_check=True)


def mean_return(environment, policy, hands, seed=3):
    """The mean return per episode of a policy on a vector environment."""
    (total, upcard, usable), _ = environment.reset(seed=seed)
    sums = np.zeros(3)
    while sums[2] < hands:
        (total, upcard, usable), rewards, over, _, _ = environment.step(policy[total, upcard, usable])
        sums += rewards.sum(), (rewards**2).sum(), over.sum()
    return Estimate.from_sums(sums[0], sums[1], int(sums[2]))


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
@pytest.mark.parametrize("sab", [False, True])
def test_the_optimal_table_returns_the_optimum(sab, mode):
    rules = classic_rules(natural=False, sab=sab)
    best = optimum(rules).strategy()
    assert score(best, rules).ev == pytest.approx(OPTIMUM[sab], abs=1e-10)
    environment = gymnasium.make_vec(NAME, num_envs=2048, sab=sab, autoreset_mode=mode)
    assert abs(mean_return(environment, policy_of(best), 2_000_000).z(OPTIMUM[sab])) < 4


@pytest.mark.slow
@pytest.mark.parametrize("sab", [False, True])
def test_the_optimal_table_returns_the_optimum_over_1e8_hands(sab):
    best = optimum(classic_rules(natural=False, sab=sab)).strategy()
    environment = gymnasium.make_vec(NAME, num_envs=2048, sab=sab, autoreset_mode="SameStep")
    assert abs(mean_return(environment, policy_of(best), 100_000_000).z(OPTIMUM[sab])) < 4


@pytest.mark.parametrize("sab", [False, True])
def test_one_table_and_the_fused_simulator_agree_with_the_optimum_too(sab):
    rules = classic_rules(natural=False, sab=sab)
    best = optimum(rules).strategy()
    assert abs(simulate(best, rules, 4_000_000, seed=5).ev.z(OPTIMUM[sab])) < 4
    environment, policy = gymnasium.make(NAME, sab=sab), policy_of(best)
    returns = []
    seen, _ = environment.reset(seed=2)
    while len(returns) < 4000:
        seen, reward, over, _, _ = environment.step(int(policy[seen]))
        if over:
            returns.append(reward)
            seen, _ = environment.reset()
    assert abs(Estimate.from_sums(sum(returns), sum(r * r for r in returns), len(returns)).z(OPTIMUM[sab])) < 4


def test_a_policy_and_its_table_are_the_same():
    rules = classic_rules(natural=False, sab=True)
    for name in ("mimic-dealer", "never-bust"):
        table = named_strategy(name, rules)
        assert score(strategy_of(policy_of(table)), rules).ev == pytest.approx(score(table, rules).ev, abs=1e-12)


def test_bad_options_are_told():
    with pytest.raises(SettingError, match="autoreset_mode must be NextStep or SameStep; got 'Never'"):
        gymnasium.make_vec(NAME, num_envs=2, autoreset_mode="Never")
    environment = gymnasium.make_vec(NAME, num_envs=2)
    with pytest.raises(IllegalAction, match="call reset first"):
        environment.step(np.zeros(2, int))
    environment.reset(seed=1)
    with pytest.raises(IllegalAction, match="actions are 0 to 1; got 0, 2"):
        environment.step(np.array([0, 2]))
    with pytest.raises(IllegalAction, match="one action per table"):
        environment.step(np.zeros(3, int))


def test_registration_is_idempotent():
    holecard.envs.register()
    assert NAME in gymnasium.registry
    assert gymnasium.make(f"holecard.envs:{NAME}").unwrapped.sab is True
