"""Bets and the moment between rounds: at one table, in batches, in sessions."""

import math

import numpy as np
import pytest

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import LINGER, Batch
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_batch import SessionBatch
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.game.table_view import TableView
from holecard.errors import HolecardError, IllegalAction, SettingError

DEALT = Rules(shoe="dealt", decks=1)


def first_legal(view):
    return view.legal[0] if view.legal[0] != Action.HIT or view.total < 17 else Action.STAND


def by_tens(table: TableView) -> float:
    """A bet that hangs on what has been seen: one more for every ten that is missing."""
    return 1.0 + max(0.0, table.seen_by_value[9] - table.cards_left * 4 / 13)


def test_all_cards_of_a_round_are_seen_after_it_and_none_after_a_shuffle():
    game, shuffles, seen = Game(DEALT, seed=5), 0, 0
    for number in range(1, 40):
        table = game.table_view()
        assert table.cards_left + table.seen.sum() == 52
        assert sum(table.seen_by_value) == table.seen.sum()
        assert table.round_number == number
        if table.cards_left == 52:
            shuffles, seen = shuffles + 1, 0
        assert table.seen.sum() == seen
        game.play(first_legal)
        record = game.record()
        for card in (*record.dealer, *(card for hand in record.hands for card in hand.cards)):
            table.seen[card] += 1
        seen += len(record.dealer) + sum(len(hand.cards) for hand in record.hands)
        after = game.table_view()
        assert after.cards_left == 52 or (after.seen == table.seen).all()
    assert shuffles > 3


def test_the_hole_card_is_not_seen_before_the_bet_of_a_later_round_only():
    game = Game(DEALT, seed=1)
    view = game.deal()
    assert view is not None
    with pytest.raises(IllegalAction, match="bets are made between rounds"):
        game.table_view()


def test_a_round_is_linear_in_its_bet_and_deals_the_same_cards():
    flat, tall, watched = (Game(DEALT, seed=2) for _ in range(3))
    for bets in (1, 2, 3.5, 8, 0.5) * 8:
        net = flat.play(first_legal)
        assert tall.play(first_legal, lambda table, bets=bets: bets) == bets * net
        assert watched.play(first_legal, lambda table: 0) == 0
        one, other = flat.record(), tall.record()
        assert (one.dealer, one.actions) == (other.dealer, other.actions) == (watched.record().dealer, one.actions)
        assert other.bet == bets
        assert [hand.bet for hand in other.hands] == [bets * hand.bet for hand in one.hands]


def test_the_purse_pays_doubles_of_the_bet_that_was_made():
    game = Game(Rules(), bankroll=10, bet=2)
    game.stack([4 * 4, 4 * 4 + 1, 3 * 4, 5 * 4] + [0] * 20)  # 6 and 5 against a 6: doubled everywhere
    view = game.deal(2.5)
    assert Action.DOUBLE in view.legal
    assert view.bets == 2.5
    again = Game(Rules(), bankroll=10, bet=2)
    again.stack([4 * 4, 4 * 4 + 1, 3 * 4, 5 * 4] + [0] * 20)
    assert Action.DOUBLE not in again.deal(2.6).legal


@pytest.mark.parametrize("bets", [-1, math.nan, math.inf, "two", True])
def test_what_is_no_bet_is_refused_before_anything_is_dealt(bets):
    game = Game(DEALT)
    with pytest.raises(SettingError, match="a round's bet is 0 to 1,000,000 base bets; got"):
        game.play(first_legal, lambda table: bets)
    assert game.rounds == 0


def test_a_bet_above_the_bankroll_is_refused_at_the_table_and_cut_in_a_session():
    with pytest.raises(HolecardError, match="does not pay a bet of 30"):
        Game(DEALT, bankroll=20, bet=10).deal(3)
    game = Game(DEALT, seed=1, bankroll=0.7 * 3, bet=0.7)
    result = game.play_session(first_legal, 1, bet=lambda table: 50)
    assert result.staked == pytest.approx(0.7 * 3)


def test_sessions_of_a_batch_bet_as_their_games_do():
    terms = SessionTerms(rules=Rules(shoe="dealt", decks=1, insurance=True), rounds=30, seed=3, bankroll=40, bet=2)
    batch = SessionBatch(terms, first=2, n=6, asks_bets=True)
    while batch.playing.any() or batch.betting.any():
        if batch.betting.any():
            views = batch.table_views()
            batch.bet(
                np.array(
                    [
                        by_tens(TableView(rules=terms.rules, seen=seen, cards_left=int(left)))
                        for seen, left in zip(views.seen, views.cards_left, strict=True)
                    ]
                )
            )
        bits = np.maximum(batch.legal(), 1)
        batch.step(np.log2(bits & -bits).astype(np.int64))
    stakes = set()
    for at in range(6):
        session = terms.game(2 + at).play_session(lambda view: view.legal[0], 30, bet=by_tens)
        result = batch.results[at]
        counts = (session.rounds, session.wins, session.pushes, session.decisions)
        assert tuple(result[name] for name in ("rounds", "wins", "pushes", "decisions")) == counts
        assert result["net"] / terms.rules.unit * terms.bet == pytest.approx(session.net)
        assert result["staked"] * terms.bet == pytest.approx(session.staked)
        stakes.add(round(session.staked / session.rounds, 3))
    assert len(stakes) > 1


def test_a_batch_takes_bets_where_a_round_is_to_be_dealt():
    flat, tall = (Batch(DEALT, n=3, seed=9, pace=LINGER) for _ in range(2))
    flat.open()
    tall.open()
    stand, bets, won = np.full(3, Action.STAND), np.array([2.0, 0.0, 5.5]), 0
    assert (tall.table_views().cards_left == 52).all()
    for _ in range(60):
        one, _ = flat.step(stand)
        other, ended = tall.step(stand, bets)
        assert (other == one * bets).all()
        won += ended.sum()
    assert won > 60
    assert (tall.table_views().cards_left < 52).any()
    with pytest.raises(SettingError, match="got -1"):
        tall.step(stand, np.array([1.0, 1.0, -1.0]))
