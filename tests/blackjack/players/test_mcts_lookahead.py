"""What the search works out beforehand is close to what the exact solver says, and tells nothing hidden."""

import numpy as np
import pytest

from holecard.blackjack.exact import solve
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.mcts import MctsAgent
from holecard.blackjack.players.mcts_lookahead import look_ahead, new_lookahead, rollout_action
from holecard.blackjack.players.options import AgentOptions
from holecard.cards import parse_cards


def ahead_of(cards, rules):
    game = Game(rules)
    game.stack(parse_cards(cards) + [0] * 30)
    view = game.deal()
    concealed, possible = game.concealed()
    ahead = new_lookahead()
    look_ahead(ahead, concealed[0], possible, rules.table())
    return ahead, view


@pytest.mark.parametrize(("cards", "upcard"), [("Tc 6d 6h 9s", "6"), ("Tc Td 6h 9s", "10"), ("Tc Ad 6h 9s", "A")])
def test_where_the_dealer_ends(cards, upcard):
    rules = Rules.preset("casino")
    ahead, _ = ahead_of(cards, rules)
    exact = solve(rules).dealer(upcard, "T,6")
    ends = {str(total): ahead.ends[total] for total in range(17, 22)} | {"bust": ahead.ends[22:].sum()}
    assert ends == pytest.approx(exact, abs=0.002), "cards are put back here: six decks hardly notice"
    assert ahead.ends.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("6c 5d 5h 9s", Action.DOUBLE),
        ("8c 6d 8h 9s", Action.SPLIT),
        ("Tc 6d 3h 9s", Action.STAND),
        ("Tc Ad 6h 9s", Action.HIT),
        ("Ac 6d 6h 9s", Action.DOUBLE),
        ("Tc 6d Th 9s", Action.STAND),
        ("5c 4d 3h 9s", Action.HIT),
    ],
)
def test_a_rollout_plays_well_by_itself(cards, best):
    ahead, view = ahead_of(cards, Rules.preset("casino"))
    state, _ = view.concealed()
    assert rollout_action(ahead, state[0], 1, view.legal_bits) == best


def test_a_hidden_card_changes_nothing():
    one, other = (ahead_of(f"9c Td 7h {hole}", Rules.preset("casino"))[0] for hole in ("5s", "9s"))
    assert all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("cards", ["7c 6d 7h 9s", "8c 5d 8h 9s"])
def test_few_simulations_split_what_is_to_be_split(cards):
    agent = MctsAgent(Rules(), options=AgentOptions(simulations=200))
    _, view = ahead_of(cards, Rules())
    assert agent.act(view) == Action.SPLIT
