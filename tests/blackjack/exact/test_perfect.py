"""Splits with perfect memory: against Eric Farmer's program, and against a plain search of tiny decks."""

from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.blackjack import Composition, Rules, effects_of_removal, solve
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.perfect import perfect_splits
from holecard.blackjack.exact.perfect_law import law_of_splits
from holecard.errors import CardError, RulesError

from .brute import Brute, draws, total_of, value_of
from .reference import HANDS

GAMES = {
    "1d_S17_NDAS_2hands_peek": "1d S17 NDAS 2-hands value",
    "1d_S17_DAS_2hands_peek": "1d S17 DAS 2-hands value",
    "1d_H17_NDAS_2hands_peek": "1d H17 NDAS 2-hands value",
    "1d_H17_DAS_2hands_peek": "1d H17 DAS 2-hands value",
}


@pytest.mark.parametrize(
    "game",
    ["1d_S17_NDAS_2hands_peek", *(pytest.param(game, marks=pytest.mark.slow) for game in list(GAMES)[1:])],
)
def test_every_pair_of_one_deck(game):
    """Farmer's values count a dealer's natural as a bet lost."""
    solution = solve(Rules.from_text(GAMES[game]), split_play="perfect")
    odds, printed = solution.odds, HANDS["perfect_memory_optimal_split"][game]
    assert len(printed) == 100
    for key, ev in printed.items():
        pair, upcard = (int(value) - 1 for value in key.split(","))
        live = odds.returns.live[odds.hands.find((pair, pair)), upcard]
        assert solution.perfect.net[upcard, pair] - (1.0 - live) == pytest.approx(ev, abs=1e-14)
    if game in HANDS:
        assert solution.ev == pytest.approx(ev_of_rows(HANDS[game]["rows"], printed), abs=1e-11)
    else:
        assert solution.ev == pytest.approx(OVERALL[game], abs=5e-10)


def ev_of_rows(rows, splits):
    """The EV of a game whose two-card hands are worth what the reference prints, 12 digits, and splits as given."""
    return sum(
        prob * (max(best, splits[f"{low},{upcard}"]) if low == high else best)
        for upcard, low, high, prob, *_, best, _, _ in rows
    )


OVERALL = {  # `blackjack.json`, overall_perfect_memory_measured; 2e-10 off what its own splits give, as the rows show
    "1d_S17_DAS_2hands_peek": 0.001549689372,
    "1d_H17_NDAS_2hands_peek": -0.001680299934,
    "1d_H17_DAS_2hands_peek": -0.000360999759,
}


class PerfectMemory(Brute):
    """One split of a tiny deck, searched: the hole card is drawn, every card seen is known, ties go to the plainer."""

    def split(self, rank, up):
        """The best law of the net of both hands, given that the dealer has no natural where that is known."""
        deck = list(self.deck)
        for card in (rank, rank, up):
            deck[card] -= 1
        self.up, self.rank = up, rank
        self.best = cache(self._best_law)
        return self.best((rank,), 1, False, (rank,), 1, False, tuple(deck))

    def _best_law(self, one, one_bets, one_over, two, two_bets, two_over, deck):
        if two_over:
            return self.settled(((one, one_bets), (two, two_bets)), deck)
        hand = two if one_over else one

        def after(new, bets, over, rest):
            new = tuple(sorted(new))
            over = over or total_of(new, self.rules)[0] > self.rules.limit
            if one_over:
                return self.best(one, one_bets, True, new, bets, over, rest)
            return self.best(new, bets, over, two, two_bets, False, rest)

        def drawn(bets, over):
            law = defaultdict(float)
            for rank, chance, rest in self.next_cards(deck):
                for net, p in after((*hand, rank), bets, over, rest).items():
                    law[net] += chance * p
            return dict(law)

        if len(hand) == 1:
            return drawn(1, False)
        laws = {"stand": after(hand, 1, True, deck)}
        total, _ = total_of(hand, self.rules)
        drawn_cards = list(hand)
        drawn_cards.remove(self.rank)
        legal = self.legal((self.rank, *drawn_cards), 2)
        if "hit" in legal:
            laws["hit"] = drawn(1, False)
            if total < self.rules.target and sum(map(value_of, hand)) + 10 <= self.rules.limit:
                del laws["stand"]  # a card never makes it worse
        if "double" in legal:
            laws["double"] = drawn(2, True)
        best = None
        for law in laws.values():
            if best is None or mean(law) > mean(best) + 1e-12:
                best = law
        return best

    def next_cards(self, deck):
        chances = defaultdict(float)
        for _, p, rest in self._holes(self.up, deck):
            for rank, q, _ in draws(rest):
                chances[rank] += p * q
        for rank, chance in chances.items():
            yield rank, chance, (*deck[:rank], deck[rank] - 1, *deck[rank + 1 :])

    def settled(self, hands, deck):
        if all(total_of(hand, self.rules)[0] > self.rules.limit for hand, _ in hands):
            return {-sum(bets for _, bets in hands): 1.0}  # the dealer draws nothing, and may have nothing to draw
        law = defaultdict(float)
        for hole, p, rest in self._holes(self.up, deck):
            for end, q in self.dealer_law(tuple(sorted((self.up, hole))), rest).items():
                law[sum(bets * self.result(hand, end) for hand, bets in hands)] += p * q
        return dict(law)

    def result(self, hand, end):
        total, _ = total_of(hand, self.rules)
        if total > self.rules.limit:
            return -1
        if len(hand) >= (self.rules.charlie or 99) or end == 0:
            return 1
        return -1 if end == -1 else self.compare(total, end)


def mean(law):
    return sum(net * p for net, p in law.items())


SMALL = {"bj": None, "limit": 12, "target": 9, "ace_bonus": 1, "charlie": 5}
"""Hands of low cards; the rest of the rules is drawn."""
USUAL = {"bj": Fraction(3, 2)}
"""The usual totals, with aces and high cards only."""


@pytest.mark.parametrize(("usual", "ranks"), [(False, (2, 3, 4, 8, 12)), (True, (5, 6, 8, 12))])
@given(st.data())
@settings(max_examples=25)
def test_a_plain_search_of_tiny_decks_finds_the_same(usual, ranks, data):
    flags = {name: data.draw(st.booleans(), label=name) for name in ("h17", "peek", "das", "hsa", "dsa")}
    flags["dealer_22"] = data.draw(st.sampled_from(("bust", "push")))
    flags["ties"] = data.draw(st.sampled_from(("push", "lose")))
    flags["double_cards"] = data.draw(st.sampled_from(("2", "any")))
    rules = Rules(decks=1, max_hands=2, split="value", **flags, **(USUAL if usual else SMALL))
    counts = [data.draw(st.integers(2, 3)) if rank in ranks else 0 for rank in range(13)]
    pips = sum(count * value_of(rank) for rank, count in enumerate(counts))
    counts[8] += max(0, -(-(2 * rules.limit + 29 - pips) // 10))
    odds = Odds.of(rules, Composition(tuple(counts)))
    splits = perfect_splits(odds)
    law = law_of_splits(splits, np.ones((10, 10), np.bool_))
    rank, up = data.draw(st.sampled_from(ranks)), data.draw(st.sampled_from(ranks))
    pair, upcard = value_of(rank) - 1, value_of(up) - 1
    if not odds.first_hands.can_split[upcard, pair]:
        return
    found = PerfectMemory(rules, tuple(counts)).split(rank, up)
    live = odds.returns.live[odds.hands.find((pair, pair)), upcard]
    assert splits.net[upcard, pair] / live == pytest.approx(mean(found), abs=1e-12)
    for net in range(-4, 5):
        assert law[upcard, pair, net + 4] / live == pytest.approx(found.get(net, 0.0), abs=1e-12)


def test_memory_never_costs_and_an_endless_deck_has_none():
    evs = [
        solve(Rules.from_text("1d H17 ENHC D9 2-hands"), split_play=m).ev
        for m in ("zero-memory", "pair-aware", "perfect")
    ]
    assert evs == sorted(evs)
    endless = Rules.from_text("inf 2-hands")
    assert solve(endless, split_play="perfect").ev == solve(endless, split_play="pair-aware").ev
    unsplit = Rules.from_text("1d 1-hands")
    assert solve(unsplit, split_play="perfect").ev == solve(unsplit).ev


def test_what_is_out_of_reach_is_refused_in_one_line():
    with pytest.raises(RulesError, match="one split; got max_hands 4"):
        solve(Rules(), split_play="perfect")
    with pytest.raises(RulesError, match="perfect memory"):
        effects_of_removal(Rules(decks=1, max_hands=2), split_play="perfect")
    with pytest.raises(CardError, match="run this deck out"):
        solve(Rules(decks=1, max_hands=2), deck=Composition.from_text("A=2,5=2,6=2,10=3"), split_play="perfect")
