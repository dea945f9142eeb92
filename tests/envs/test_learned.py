"""A learner asked about every cell becomes the chart it would play."""

import gymnasium
import numpy as np
import pytest

from holecard.blackjack.exact import score
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.kernels import strategy_actions
from holecard.blackjack.strategy.named import named_strategy
from holecard.envs.learned import learned_strategy


@pytest.mark.parametrize("text", ["casino", "votes", "classic", "atlantic-city"])
def test_a_learner_that_has_learned_a_chart_gives_it_back(text):
    """Basic strategy answers the environment's own observations; a chart made of the answers scores the same."""
    rules = Rules.from_text(text)
    basic = named_strategy("basic", rules)
    tables = gymnasium.make_vec("holecard/Blackjack-v0", num_envs=512, rules=text, autoreset_mode="SameStep")
    tables.reset(seed=1)
    learned: dict[tuple[int, ...], int] = {}
    plays, actions = basic.plays().ravel(), np.zeros(512, np.int64)
    for _ in range(400):
        batch = tables.unwrapped.batch
        strategy_actions(batch.states, plays, batch.record, actions)
        seen = tables.unwrapped.face.observe(batch, batch.views)
        for observation, action, deciding in zip(seen.tolist(), actions.tolist(), batch.views["hand"] > 0, strict=True):
            if deciding and observation[5:] == [1, 1, 0]:
                observation[4] = min(observation[4], 4)
                learned[tuple(observation)] = action
        tables.step(np.where(batch.views["hand"] > 0, actions, Action.STAND))

    def prefer(observations):
        preferences = np.zeros((len(observations), len(Action)))
        for row, observation in enumerate(observations.tolist()):
            preferences[row, learned.get(tuple(observation), Action.STAND)] = 1
        return preferences

    chart = learned_strategy(prefer, rules)
    assert score(basic, rules).ev - score(chart, rules).ev < 2e-3, "what was never seen is stood on"
