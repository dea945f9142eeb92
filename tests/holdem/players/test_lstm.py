"""The fast network equals its equations, forgets when it should, and sees what training sees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard._jit import fused_kernel
from holecard.holdem.game.view import VIEW
from holecard.holdem.players.lstm import MEMORY, ChipsSeen, features, forget_session, pack, tanh, think
from holecard.holdem.players.lstm_reference import ReferenceNetwork
from holecard.holdem.players.presets import preset_named

LAYOUTS = [
    preset_named("pokernet").layout,
    preset_named("paper").layout,
    replace(preset_named("paper").layout, hidden=20, initial_states=False),
    replace(preset_named("pokernet").layout, initial_states=True, hidden=5),
    preset_named("author").layout,
    replace(preset_named("pokernet").layout, inputs="author"),
    replace(preset_named("paper").layout, cells="plain"),
    replace(preset_named("paper").layout, inputs="logs"),
    replace(preset_named("pokernet").layout, inputs="stacks"),
]


@fused_kernel
def answers(networks, memories, views, outputs):
    forget_session(networks[0], memories[0])
    for at in range(views.shape[0]):
        outputs[at] = think(networks[0], memories[0], views[at])


def genome_of(layout, seed=1, deviation=0.5):
    return (deviation * np.random.default_rng(seed).standard_normal(layout.genes)).astype(np.float32)


def random_views(n, decisions_a_hand, seed=2):
    rng = np.random.default_rng(seed)
    views = np.zeros(n, VIEW)
    views["buy_in"], views["big_blind"] = 1000, 10
    views["street"] = rng.integers(0, 4, n)
    views["equity"] = rng.random(n)
    views["paid"], views["other_paid"] = rng.integers(0, 1000, n), rng.integers(0, 1000, n)
    views["to_call"] = rng.integers(0, 500, n)
    views["stack"], views["other_stack"] = rng.integers(0, 2000, n), rng.integers(0, 2000, n)
    views["pot"] = views["paid"] + views["other_paid"] + 1
    views["hand_number"] = np.arange(n) // decisions_a_hand
    return views


def reference_answers(layout, genome, views):
    network = ReferenceNetwork(genome, layout)
    network.new_session()
    x, outputs, hand = np.zeros(8, np.float32), [], -1
    for view in views:
        if view["hand_number"] != hand:
            network.new_hand()
            hand = view["hand_number"]
        features(view, x, ChipsSeen.of(layout))
        outputs.append(network.output(x.astype(float)))
    return np.array(outputs)


def fast_answers(layout, genome, views):
    outputs = np.zeros(len(views))
    answers(pack(genome[None], layout), np.zeros(1, MEMORY), views, outputs)
    return outputs


IDS = ["pokernet", "paper", "paper-plain", "pokernet-initial", "author", "inputs", "cells", "logs", "stacks"]


@pytest.mark.parametrize("layout", LAYOUTS, ids=IDS)
@pytest.mark.parametrize("decisions_a_hand", [1, 3, 8])
def test_the_kernel_equals_the_reference(layout, decisions_a_hand):
    for seed in range(3):
        genome, views = genome_of(layout, seed), random_views(400, decisions_a_hand, seed)
        expected = reference_answers(layout, genome, views)
        close = 1e-5 if layout.cells == "tanh" else 1e-3  # plain states have no limit: what is rounded grows with them
        assert np.abs(fast_answers(layout, genome, views) - expected).max() < close
        assert expected.std() > 0.01, "a network that answers"


@pytest.mark.parametrize("layout", LAYOUTS[:2], ids=["pokernet", "paper"])
def test_plain_python_runs_the_same_rules(layout):
    genome, views = genome_of(layout), random_views(3, 2)
    network, memory = pack(genome[None], layout)[0], np.zeros(1, MEMORY)[0]
    forget_session(network, memory)
    plain = [think(network, memory, view) for view in views]
    assert np.abs(plain - reference_answers(layout, genome, views)).max() < 1e-5


@pytest.mark.parametrize("layout", LAYOUTS[:2], ids=["pokernet", "paper"])
def test_the_game_module_forgets_every_hand_and_the_opponent_module_does_not(layout):
    genome, views = genome_of(layout), random_views(8, 2)
    arrays = layout.arrays(genome)
    deaf = genome.copy()
    layout.arrays(deaf)["head.W"][50:] = 0  # nothing of the opponent module reaches the head
    late = views[4:].copy()
    assert np.array_equal(fast_answers(layout, deaf, views)[4:], fast_answers(layout, deaf, late))
    assert not np.allclose(fast_answers(layout, genome, views)[4:], fast_answers(layout, genome, late), atol=1e-4)
    assert arrays["head.W"][50:].any()


@given(st.floats(-50, 50, width=32))
def test_tanh_is_exact_to_float32(x):
    assert abs(float(tanh(np.float32(x))) - np.tanh(x)) < 3e-7
    assert abs(float(tanh(np.float32(x)))) <= 1


def test_features_are_the_eight_of_the_model_card():
    view = np.zeros(1, VIEW)[0]
    for name, value in {"street": 2, "equity": 0.6, "paid": 250, "other_paid": 500, "buy_in": 1000}.items():
        view[name] = value
    view["to_call"], view["pot"] = 250, 750
    x = np.ones(8, np.float32)
    assert features(view, x, ChipsSeen.BUY_INS) == 2
    assert x.tolist() == pytest.approx([0, 0, 1, 0, 0.6, 0.25, 0.5, 0.25])
    view["big_blind"] = 10
    features(view, x, ChipsSeen.LOGS)
    assert x.tolist() == pytest.approx([0, 0, 1, 0, 0.6, np.log(26) / np.log(101), np.log(51) / np.log(101), 0.25])
    view["stack"], view["other_stack"] = 650, 150
    features(view, x, ChipsSeen.STACKS)
    assert x[5:].tolist() == pytest.approx([np.log(26) / np.log(101), np.log(41) / np.log(101), 0.25])
    view["stack"] = 60  # a call of 250 is all-in
    features(view, x, ChipsSeen.STACKS)
    assert x[6] == pytest.approx(np.log(7) / np.log(101))
    view["other_paid"] = 1_700  # a carried stack may exceed the buy-in
    features(view, x, ChipsSeen.BUY_INS)
    assert x[6] == 1
