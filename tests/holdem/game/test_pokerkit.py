"""PokerKit as judge: the same actor, the same limits, the same end and the same payoffs on 20,000 random hands."""

import random
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pokerkit
import pytest

from holecard.cards import cards_text
from holecard.holdem.game.hand import HandState
from holecard.holdem.game.history import HandHistory
from holecard.holdem.game.rules import HoldemRules

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)


class Pair:
    """One hand at our table and at PokerKit's, where the big blind is player 0 and the button player 1."""

    def __init__(self, rng, uneven):
        small, big = rng.choice([(50, 100), (5, 10), (1, 2), (25, 100), (0, 10)])
        ante = rng.choice([0, 0, 0, big // 10, big])
        deep = rng.choice([3, 10, 200])
        stacks = (rng.randint(1, deep * big), rng.randint(1, deep * big)) if uneven else (deep * big, deep * big)
        cards = rng.sample(range(52), 9)
        button = rng.randint(0, 1)
        self.rng = rng
        rules = HoldemRules(small_blind=small, big_blind=big, ante=ante)
        self.ours = HandState(rules, button=button, stacks=stacks, cards=cards)
        self.player = {1 - button: 0, button: 1}
        self.boards = [cards_text(cards[4:7]), cards_text(cards[7:8]), cards_text(cards[8:9])]
        self.theirs = pokerkit.NoLimitTexasHoldem.create_state(
            AUTOMATIONS, True, ante, (small, big), big, (stacks[1 - button], stacks[button]), 2
        )
        for seat in (1 - button, button):
            self.theirs.deal_hole(cards_text(cards[2 * seat : 2 * seat + 2]))
        self.deal_boards()

    def deal_boards(self):
        while self.theirs.status and (self.theirs.can_burn_card("??") or self.theirs.can_deal_board()):
            if self.theirs.can_burn_card("??"):
                self.theirs.burn_card("??")
            self.theirs.deal_board(self.boards.pop(0))

    def compare(self):
        ours, theirs = self.ours, self.theirs
        assert (None if ours.actor is None else self.player[ours.actor]) == theirs.actor_index
        if ours.actor is not None:
            assert ours.to_call == theirs.checking_or_calling_amount
            assert ours.min_raise_to == theirs.min_completion_betting_or_raising_to_amount
            assert ours.max_raise_to == theirs.max_completion_betting_or_raising_to_amount
            assert ours.pot == theirs.total_pot_amount

    def move(self):
        legal, throw = self.ours.legal_actions(), self.rng.random()
        if legal.can_raise and throw < 0.4:
            low, high = legal.min_raise_to, legal.max_raise_to
            chips = self.rng.choice([low, self.rng.randint(low, high), self.rng.randint(low, high), high])
            self.ours.raise_to(chips)
            self.theirs.complete_bet_or_raise_to(chips)
        elif legal.to_call and throw < 0.7:
            self.ours.fold()
            self.theirs.fold()
        else:
            self.ours.check_or_call()
            self.theirs.check_or_call()
        self.deal_boards()

    def play(self):
        self.compare()
        while self.ours.actor is not None:
            self.move()
            self.compare()
        assert self.ours.is_over
        assert not self.theirs.status
        assert self.ours.payoffs == tuple(self.theirs.payoffs[self.player[seat]] for seat in (0, 1))


def play_hands(seed, hands, uneven):
    rng = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns about unknown burn cards
        for _ in range(hands):
            pair = Pair(rng, uneven)
            try:
                pair.play()
            except AssertionError as difference:
                told = [str(event) for event in pair.ours.events]
                raise AssertionError(f"seed {seed}: {difference} {pair.theirs.operations} {told}") from difference
    return hands


@pytest.mark.parametrize("uneven", [False, True])
def test_random_hands(uneven):
    assert play_hands(100 + uneven, 1000, uneven) == 1000


@pytest.mark.slow
def test_twenty_thousand_random_hands_with_even_and_uneven_stacks():
    jobs = [(seed, 1000, seed % 2 == 1) for seed in range(20)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert sum(pool.map(play_hands, *zip(*jobs, strict=True))) == 20_000


@pytest.mark.parametrize("uneven", [False, True])
def test_written_histories_replay_in_pokerkit(uneven):
    rng = random.Random(99 + uneven)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(150):
            pair = Pair(rng, uneven)
            pair.play()
            history = HandHistory.of(pair.ours, players=("Ann", "Bob"))
            text = history.to_phh()
            assert HandHistory.from_phh(text) == history
            *_, last = pokerkit.HandHistory.loads(text)
            assert not last.status
            assert pair.ours.payoffs == tuple(last.payoffs[pair.player[seat]] for seat in (0, 1))


def test_histories_that_pokerkit_writes_are_read():
    rng = random.Random(5)
    game = pokerkit.NoLimitTexasHoldem(AUTOMATIONS, True, 0, (50, 100), 100)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(50):
            pair = Pair(rng, uneven=True)
            pair.play()
            small, big, ante = pair.ours.stakes
            game = pokerkit.NoLimitTexasHoldem(AUTOMATIONS, True, ante, (small, big), big)
            text = pokerkit.HandHistory.from_game_state(game, pair.theirs).dumps()
            read = HandHistory.from_phh(text).replay()
            assert read.payoffs == tuple(pair.theirs.payoffs)
