"""The network agent: what it sees, offset by offset, what it is shipped with, and what it refuses to load."""

import pickle
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from holecard.blackjack.arena.evaluation import difference, evaluate
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import Batch
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.players import features as encoding
from holecard.blackjack.players.dnn import DnnAgent, load_model, new_model
from holecard.blackjack.players.features import encode
from holecard.blackjack.players.registry import make_agent
from holecard.cards import parse_cards
from holecard.errors import FileProblem, MissingExtra

FIRST = "8c 9d 8h Ks 3c 2d Td 5s 9h Jc"


def features_of(cards, then=(), **options):
    game = Game(Rules(), **options)
    game.stack(parse_cards(cards))
    view = game.deal()
    for action in then:
        view = game.apply(action)
    return encode(view.concealed()[0], np.array([view.round_number]), rules_record(Rules()))[0]


def cards_at(features, offset):
    return sorted(np.flatnonzero(features[offset : offset + 52]).tolist())


def test_offset_0_is_the_hand():
    assert encoding.HAND == 0
    assert cards_at(features_of(FIRST), 0) == sorted(parse_cards("8c8h"))


def test_offset_52_is_what_has_been_seen():
    assert encoding.SEEN == 52
    assert cards_at(features_of(FIRST), 52) == sorted(parse_cards("8c8h9d")), "the hole card is not"


def test_offset_104_is_the_upcard():
    assert encoding.UPCARD == 104
    assert cards_at(features_of(FIRST), 104) == parse_cards("9d")


@pytest.mark.parametrize(
    ("offset", "name", "cards", "then", "value"),
    [
        (156, "TOTAL", FIRST, (), 16 / 21),
        (156, "TOTAL", "Ac 9d 6h Ks", (), 17 / 21),
        (157, "SOFT", FIRST, (), 0),
        (157, "SOFT", "Ac 9d 6h Ks", (), 1),
        (158, "FIRST", FIRST, (), 1),
        (158, "FIRST", "2c 9d 3h Ks 4c 5c", (Action.HIT,), 0),
        (159, "LEFT", FIRST, (), 309 / 312),
        (160, "BANKROLL", FIRST, (), 1),
        (161, "BET", FIRST, (), 1 / 500),
        (162, "ROUND_NUMBER", FIRST, (), 1 / 100),
        (163, "IS_SPLIT", FIRST, (), 0),
        (163, "IS_SPLIT", FIRST, (Action.SPLIT,), 1),
    ],
)
def test_offsets_from_156_are_numbers(offset, name, cards, then, value):
    assert getattr(encoding, name) == offset
    assert features_of(cards, then)[offset] == pytest.approx(value)


def test_a_bankroll_counts_in_base_bets():
    assert features_of(FIRST, bankroll=2000, bet=4)[160] == pytest.approx(0.05)


def test_offset_164_is_reserved():
    assert encoding.RESERVED == 164
    assert features_of(FIRST).shape == (192,)
    assert not features_of(FIRST)[164:].any()


@pytest.mark.parametrize("shoe", ["fresh", "dealt"])
def test_a_table_seen_whole_is_encoded_as_the_player_sees_it(shoe):
    """The batch encodes records that hold the hole card; concealed records do not have it."""
    game = Game(replace(Rules(decks=1), shoe=shoe), seed=8)
    record = rules_record(game.rules)
    for _ in range(30):
        view = game.deal()
        while view is not None:
            number = np.array([view.round_number])
            assert (encode(game._state, number, record) == encode(view.concealed()[0], number, record)).all()
            view = game.apply(view.legal[0])


def test_a_batch_decides_what_single_views_decide():
    sessions = SessionTerms(rules=replace(Rules(), shoe="dealt"), rounds=20, seed=3)
    batch = evaluate("dnn", sessions, 5)
    nets = [sessions.game(n).play_session(make_agent("dnn", sessions.rules).act, 20).net for n in range(5)]
    assert (batch.sessions["net"] / 2).tolist() == nets


def test_the_shipped_model_is_basic_strategy():
    sessions = SessionTerms(rules=replace(Rules(), shoe="dealt"), rounds=50, seed=9)
    dnn, basic = (evaluate(name, sessions, 1000) for name in ("dnn", "basic"))
    paired = difference(dnn, basic)
    assert abs(paired.interval.value) < 0.002 + 3 * paired.stderr
    batch, agent = Batch(Rules(), n=20_000, seed=10), DnnAgent.load(Rules())
    batch.deal()
    expert = make_agent("basic", Rules())
    for _ in range(3):
        due = np.ones(20_000, np.int64)
        actions = expert.act_batch(batch.states, due)
        assert (agent.act_batch(batch.states, due) == actions).mean() > 0.99
        batch.step(actions)


def test_illegal_actions_are_never_chosen():
    agent = DnnAgent(Rules(), new_model())
    logits = agent.logits(np.zeros((3, 192), np.float32), np.array([3, 7, 15]))
    assert np.isinf(logits[0, 2:]).all()
    assert np.isfinite(logits[2]).all()


def refuse(path, match):
    with pytest.raises(FileProblem, match=match) as refusal:
        load_model(path)
    assert not re.search(r"trust|weights_only|unsafe|\x1b|\n", str(refusal.value)), "no advice of torch's"


class Harmful:
    def __reduce__(self):
        return print, ("never",)


def test_bad_checkpoints_are_refused(tmp_path, capsys):
    path = tmp_path / "model.pt"
    refuse(path, "no model at")
    refuse(tmp_path, "cannot read")
    path.write_text("not a model")
    refuse(path, "not a checkpoint of weights alone")
    path.write_bytes(pickle.dumps(Harmful()))
    refuse(path, "not a checkpoint of weights alone")
    torch.save(Harmful(), path)
    refuse(path, "not a checkpoint of weights alone")
    assert "never" not in capsys.readouterr().out
    torch.save(new_model().state_dict(), path)
    load_model(path)
    path.write_bytes(path.read_bytes()[:5000])
    refuse(path, "not a checkpoint of weights alone")
    torch.save([1, 2], path)
    refuse(path, "no named tensors")
    weights = new_model().state_dict()
    torch.save({**weights, "0.weight": torch.zeros(256, 191)}, path)
    refuse(path, r"0.weight should be \(256, 192\), is \(256, 191\)")
    torch.save({**weights, "0.bias": torch.full((256,), float("nan"))}, path)
    refuse(path, "not numbers")


def test_without_torch_the_install_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"pip install 'holecard\[dnn\]'"):
        new_model()
