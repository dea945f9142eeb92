"""Luck taken out of duels: the mean stays, the interval shrinks."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.holdem.arena.duel import duel
from holecard.holdem.arena.imagined import (
    _answer,
    _beyond_the_mean,
    _imagine,
    _keep,
    forget_hands,
    imagined,
    note_showdown,
)
from holecard.holdem.arena.luck import CONTROLS, _dice_luck, luck_free, luck_of, throws_of_players, without_luck
from holecard.holdem.arena.sessions import policy_players
from holecard.holdem.equities.runout import all_half_wins
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import CALL, HAND, apply, post
from holecard.holdem.game.view import VIEW, look
from holecard.holdem.players.blueprint import blueprint_move
from holecard.holdem.players.equilibrium import shipped_policy
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.record import two_players
from holecard.holdem.players.rule_players import rule_move


@pytest.mark.parametrize(
    ("first", "other", "preset"),
    [
        ("smart", "candid-statistician", "paper"),
        ("calling-machine", "candid-statistician", "paper"),
        ("smart", "raise", "pokernet"),
    ],
)
def test_every_kind_of_luck_has_mean_0(first: str, other: str, preset: str) -> None:
    players = player_named(first), player_named(other)
    played = duel(*players, preset_named(preset).rules, hands=10_000, seed=3)
    luck = luck_of(played, *players, seed=3)
    assert luck.shape == (len(played.by_deck.won), CONTROLS)
    assert np.isfinite(luck).all()
    error = luck.std(axis=0) / np.sqrt(len(luck))
    assert (np.abs(luck.mean(axis=0)) <= 4 * error).all()
    assert luck[:, 0].std() > 0
    freed = luck_free(played.by_deck, luck).mbb_per_hand
    plain = played.mbb_per_hand
    assert freed.stderr < plain.stderr
    difference = played.by_deck.won - luck_free(played.by_deck, luck).won
    assert abs(freed.mean - plain.mean) < 4 * difference.std() / np.sqrt(len(luck))


def test_dice_are_luck_of_who_throws_them_only() -> None:
    rules = preset_named("paper").rules
    smart, call = player_named("smart"), player_named("call")
    thrown = luck_of(duel(smart, call, rules, hands=4000), smart, call, seed=0)
    assert (thrown[:, 1:3] != 0).any()
    none = luck_of(duel(call, player_named("raise"), rules, hands=400), call, player_named("raise"), seed=0)
    assert (none[:, 1:3] == 0).all()


def test_the_same_on_any_number_of_threads() -> None:
    rules, players = preset_named("pokernet").rules, (player_named("smart"), player_named("call"))
    played = duel(*players, rules, hands=2000)
    one = luck_of(played, *players, seed=0, threads=1)
    assert np.array_equal(one, luck_of(played, *players, seed=0, threads=3))


def test_taking_luck_out_moves_no_mean() -> None:
    """Coefficients come from other decks, so no draw of decks is favoured."""
    won = np.array([3.0, -1.0, 2.0, -4.0])
    luck = np.array([[1.0], [-1.0], [0.5], [-0.5]])  # mean 0 over the four decks there are
    assert luck.mean() == 0
    random = np.random.default_rng(2)
    means = []
    for _ in range(4000):
        drawn = random.integers(4, size=40)
        means.append(without_luck(won[drawn], luck[drawn]).mean())
    assert abs(np.mean(means) - won.mean()) < 4 * np.std(means) / np.sqrt(len(means))
    assert np.std(means) < won.std() / np.sqrt(40)


def test_boards_bring_nothing_on_average_over_every_river() -> None:
    ranking, cards = equity_tables()[0]["ranking"], np.array(parse_cards("AsKdQh9hAhTd4c2s3s"), np.uint8)
    won, boards = all_half_wins(ranking, cards, 4)
    rivers = [card for card in range(52) if card not in cards[:8].tolist()]
    outcomes = [all_half_wins(ranking, np.array([*cards[:8], river], np.uint8), 5)[0] for river in rivers]
    assert len(rivers) == boards
    assert sum(outcomes) == won


def _facing(pot: int) -> np.void:
    """A view on the flop that faces a bet."""
    view = np.zeros(1, VIEW)[0]
    view["hole"], view["board"], view["dealt"], view["street"] = (51, 38), (0, 5, 22, 255, 255), 3, 1
    view["on_button"], view["to_call"], view["pot"], view["equity"] = True, pot, 2 * pot, 0.55
    view["stack"] = view["other_stack"] = 10_000
    view["other_bet"], view["other_raises"], view["paid"], view["other_paid"] = pot, 1, pot // 2, 3 * pot // 2
    view["min_raise_to"], view["max_raise_to"], view["big_blind"], view["small_blind"] = 2 * pot, 10_000, 100, 50
    view["start"] = view["buy_in"] = 20_000
    return view


@pytest.mark.parametrize("name", ["smart", "mixed-random"])
def test_dice_bring_nothing_on_average_over_every_throw(name: str) -> None:
    player, view = player_named(name), _facing(600)
    players = two_players(player.record, player.record)
    throws, both = throws_of_players(players, (None, None)), policy_players(players, (None, None))
    with np.errstate(over="ignore"):
        lucks = []
        for chance in throws.first:
            view["chance"] = chance
            move = rule_move(view, int(players[0]["rule_player"]))
            lucks.append(_dice_luck(view, 0, both, throws, move, 0.4, False))
    assert sum(lucks) == pytest.approx(0, abs=1e-6)
    assert len(set(lucks)) > 1


def test_a_mixed_strategy_brings_nothing_on_average_over_every_64th() -> None:
    policy, view = shipped_policy(preset_named("paper").rules), _facing(600)
    players = two_players(player_named("call").record, player_named("call").record)
    both, none = policy_players(players, (policy, None)), throws_of_players(players, (policy, None))
    for folded_to in (False, True):
        lucks = []
        for part in range(64):
            view["chance"] = np.uint64(part) << np.uint64(58) | np.uint64(12345)
            move = blueprint_move(policy.blueprint, view)
            lucks.append(_dice_luck(view, 0, both, none, move, 0.4, folded_to))
        assert sum(lucks) == pytest.approx(0, abs=1e-6)


def test_known_hands_shorten_intervals_and_networks_have_none() -> None:
    rules, call, smart = preset_named("paper").rules, player_named("call"), player_named("smart")
    played = duel(smart, call, rules, hands=4000)
    luck = luck_of(played, smart, call, seed=0)
    without = luck.copy()
    without[:, 3:] = 0.0
    freed, less = (luck_free(played.by_deck, each).mbb_per_hand.stderr for each in (luck, without))
    assert freed < 0.9 * less
    network = player_named("champion:paper")
    unknown = luck_of(duel(network, call, rules, hands=100), network, call, seed=0)
    assert (unknown[:, 3:5] == 0).all()
    assert (unknown[:, 5:] != 0).any()


def _to_act_on_the_flop() -> tuple[np.void, np.void]:
    """A hand in which seat 1 faces a bet on the flop, and what it sees."""
    stakes = preset_named("paper").rules.stakes
    hand, view = np.zeros(1, HAND)[0], np.zeros(1, VIEW)[0]
    hand["card"] = parse_cards("AsKdQh9hAhTd4c2s3s")
    post(hand, 1, 20_000, 20_000, stakes)
    for move in (300, CALL, 400):
        apply(hand, move, stakes)
    look(hand, 1, stakes, view)
    view["buy_in"] = 20_000
    return hand, view


@pytest.mark.parametrize("name", ["candid-statistician", "loose-aggressive"])
def test_cards_bring_nothing_on_average_over_every_hand(name: str) -> None:
    rules, (hand, view) = preset_named("paper").rules, _to_act_on_the_flop()
    player, tables = imagined(player_named(name).record, None, rules), equity_tables()[0]
    held, shown = player.held, 0.0
    forget_hands(player)
    player.past[0], player.state[1] = view, 1
    with np.errstate(over="ignore"):
        _imagine(tables, player, hand, 1)
        _answer(tables, player, 0)
    assert held.belief.sum() == 45 * 44 / 2
    odds = held.belief[:, None].repeat(held.moves.shape[1], 1) / held.belief.sum() / held.moves.shape[1]
    moves = {int(move): float(odds[held.moves == move].sum()) for move in np.unique(held.moves[held.belief > 0])}
    assert len(moves) > 1
    for folded_to in (False, True):
        lucks = {move: _beyond_the_mean(player, view, move, folded_to) for move in moves}
        assert max(lucks.values()) > 1
        assert sum(moves[move] * lucks[move] for move in moves) == pytest.approx(0, abs=1e-6)
    _keep(player, CALL)
    hand["paid"] = 700
    for wins in (0.0, 0.5, 1.0):
        hand["net"][1], luck = 700 * (2 * wins - 1), np.zeros(2)
        note_showdown(player, hand, 1, luck)
        shown += held.belief[(player.wins == wins) & (held.belief > 0)].sum() * luck[0]
    assert shown == pytest.approx(0, abs=1e-6)
