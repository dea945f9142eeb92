"""Exact EVs of a spot: as the solver says where it can be asked, and as brute force says after splits."""

from dataclasses import replace
from functools import cache

import pytest

from holecard.blackjack.exact import solve
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.players.exact import ExactAgent
from holecard.blackjack.players.registry import make_agent
from holecard.blackjack.players.valuation import seen_shoe, value_actions


def name_of(card):
    return VALUES[value_of(card) - 1]


def asked(solution, view):
    """The solver's EVs of a hand, those that are legal here."""
    evs = solution.evs_of(",".join(name_of(card) for card in view.cards), VALUES[view.upcard - 1])
    return {
        Action[name.upper()]: ev for name, ev in evs.items() if name != "natural" and Action[name.upper()] in view.legal
    }


def stacked(cards, rules):
    game = Game(rules)
    game.stack(cards)
    return game


CARD = {name: [code for code in range(52) if name_of(code) == name] for name in VALUES}


def codes(names):
    """Cards of these values, suits as they come."""
    used = {}
    out = []
    for name in names.split():
        out.append(CARD[name][used.get(name, 0) % len(CARD[name])])
        used[name] = used.get(name, 0) + 1
    return out


@pytest.mark.parametrize(
    "text",
    [
        *(
            "casino",
            "1d S17 LS",
            "classic",
            "2d ENHC D9",
            "inf",
            "6d 5-charlie",
            "gymnasium",
            "6d S17 OBO value",
            "2d ES",
        ),
        *("2d ES10 double-any push-22", "1d ENHC LS ties-lose"),
    ],
)
def test_first_decisions_on_a_fresh_shoe_are_the_solver_s(text):
    rules = Rules.from_text(text)
    solution, game = solve(rules), Game(rules, seed=5)
    for _ in range(25):
        view = game.deal()
        while view is not None:
            if view.n_hands == 1:
                assert value_actions(view).evs == pytest.approx(asked(solution, view), abs=1e-12)
            view = game.apply(Action.SPLIT if Action.SPLIT in view.legal else view.legal[-1 if view.total > 11 else 0])


def test_a_shoe_dealt_down_is_solved_as_it_was_seen():
    """The shoe is counted here from the finished rounds, hole cards and all."""
    rules = Rules(shoe="dealt", decks=2)
    game, agent = Game(rules, seed=11), make_agent("basic", rules)
    gone, checked = [], 0
    for _ in range(12):
        view = game.deal()
        while view is not None:
            if view.n_hands == 1:
                counts = list(Composition.of_rules(rules).values)
                for card in gone:
                    counts[value_of(card) - 1] -= 1
                solution = solve(rules, deck=Composition.of_values(tuple(counts)))
                assert value_actions(view).evs == pytest.approx(asked(solution, view), abs=1e-12)
                checked += 1
            view = game.apply(agent.act(view))
        record = game.record()
        gone += [*record.dealer, *(card for hand in record.hands for card in hand.cards)]
        if len(gone) > 0.75 * 104:
            break
    assert checked >= 8


class Brute:
    """Standing, hitting and doubling by recursion over every card, in a game with S17, a peek and 3:2."""

    def __init__(self, shoe, upcard):
        self.shoe, self.upcard = shoe, upcard

    @staticmethod
    def count(cards):
        hard = sum(cards)
        return (hard + 10, True) if 1 in cards and hard + 10 <= 21 else (hard, False)

    @staticmethod
    def draw(shoe):
        left = sum(shoe)
        for value in range(1, 11):
            if shoe[value - 1]:
                rest = list(shoe)
                rest[value - 1] -= 1
                yield value, shoe[value - 1] / left, tuple(rest)

    @cache  # noqa: B019
    def dealer(self, shoe, cards):
        """Chances of the dealer's totals, given no natural."""
        total, _ = self.count(cards)
        if total >= 17:
            return {min(total, 22): 1.0}
        ends = {}
        draws = [
            (value, chance, rest)
            for value, chance, rest in self.draw(shoe)
            if not (len(cards) == 1 and sorted((cards[0], value)) == [1, 10])
        ]
        whole = sum(chance for _, chance, _ in draws)
        for value, chance, rest in draws:
            for end, share in self.dealer(rest, (*cards, value)).items():
                ends[end] = ends.get(end, 0.0) + share * chance / whole
        return ends

    def stand(self, shoe, cards):
        total, _ = self.count(cards)
        return sum(
            share * (1 if end == 22 or end < total else -1 if end > total else 0)
            for end, share in self.dealer(shoe, (self.upcard,)).items()
        )

    def draw_given_no_natural(self, shoe):
        """The next card when the dealer's hole card, drawn before it, makes no natural."""
        bad = {1: 10, 10: 1}.get(self.upcard)
        left = sum(shoe)
        live = left - (shoe[bad - 1] if bad else 0)
        for value, _, rest in self.draw(shoe):
            ways = shoe[value - 1] * (live - (value != bad)) if bad else shoe[value - 1] * (left - 1)
            yield value, ways / (live * (left - 1)), rest

    @cache  # noqa: B019
    def best(self, shoe, cards):
        total, _ = self.count(cards)
        if total > 21:
            return -1.0
        stand = self.stand(shoe, cards)
        return stand if total == 21 else max(stand, self.hit(shoe, cards))

    def hit(self, shoe, cards):
        return sum(
            chance * self.best(rest, tuple(sorted((*cards, value))))
            for value, chance, rest in self.draw_given_no_natural(shoe)
        )

    def double(self, shoe, cards):
        return 2 * sum(
            chance * (-1.0 if self.count((*cards, value))[0] > 21 else self.stand(rest, (*cards, value)))
            for value, chance, rest in self.draw_given_no_natural(shoe)
        )


@pytest.mark.parametrize(
    ("names", "actions"),
    [
        ("8 10 8 7 10 3 9 9 9 9 9", [Action.SPLIT, Action.STAND]),  # the second eight drew a three: 11, may be doubled
        ("9 6 9 7 10 5 2 9 9 9 9", [Action.SPLIT, Action.STAND, Action.HIT]),  # three cards on the second hand
        ("7 A 7 6 9 8 9 9 9 9 9", [Action.SPLIT, Action.STAND]),  # an ace up, peeked at
    ],
)
def test_after_a_split_every_card_on_the_table_counts(names, actions):
    rules = Rules(decks=1, h17=False, split="value")
    game = stacked(codes(names), rules)
    view = game.deal()
    for action in actions:
        view = game.apply(action)
    assert view.hand == 2
    shoe = [4] * 9 + [16]
    for card in [view.upcard_card, *(card for hand in view.hands for card in hand)]:
        shoe[value_of(card) - 1] -= 1
    brute, cards = Brute(tuple(shoe), view.upcard), tuple(sorted(value_of(card) for card in view.cards))
    expected = {Action.STAND: brute.stand(tuple(shoe), cards), Action.HIT: brute.hit(tuple(shoe), cards)}
    if Action.DOUBLE in view.legal:
        expected[Action.DOUBLE] = brute.double(tuple(shoe), cards)
    assert value_actions(view).evs == pytest.approx(expected, abs=1e-12)


def test_a_pair_after_a_split_is_worth_what_the_room_left_allows():
    rules = Rules(decks=1, split="value")
    game = stacked(codes("8 6 8 10 8 8 9 9 9 9 9 9"), rules)
    game.deal()
    view = game.apply(Action.SPLIT)  # eight and eight again: three hands are allowed, a fourth after that
    assert Action.SPLIT in view.legal
    counts = [4] * 7 + [3, 4, 16]  # the other eight lies on the table
    room = solve(Rules(decks=1, split="value", max_hands=3), deck=Composition.of_values(tuple(counts)))
    assert value_actions(view).evs[Action.SPLIT] == pytest.approx(room.ev_of("8,8", "6", "split"), abs=1e-12)


def test_resplit_aces_with_one_split_left():
    rules = Rules(decks=2, max_hands=3, rsa=True)
    game = stacked(codes("A 6 A 10 A 9 9 9 9 9 9 9"), rules)
    game.deal()
    view = game.apply(Action.SPLIT)
    assert view.legal == (Action.STAND, Action.SPLIT)
    evs = value_actions(view).evs
    assert evs[Action.SPLIT] > evs[Action.STAND]


@pytest.mark.parametrize("names", ["10 A 6 9 9 9 9 9", "A A 10 9 9 9 9", "8 A 8 9 9 9 9 9", "10 A 10 9 9 9"])
def test_insurance_is_worth_the_tens_that_nobody_has_seen(names):
    rules = Rules(decks=1, insurance=True, split="value")
    view = stacked(codes(names), rules).deal()
    assert view.legal == (Action.INSURE, Action.DECLINE)
    evs = value_actions(view).evs
    tens = 16 - sum(value_of(card) == 10 for card in view.cards)
    natural = tens / 49
    assert evs[Action.INSURE] - evs[Action.DECLINE] == pytest.approx(0.5 * (3 * natural - 1), abs=1e-12)
    played = solve(rules).evs_of(",".join(name_of(card) for card in view.cards), "A")
    if "natural" in played:
        assert evs[Action.DECLINE] == pytest.approx(1.5 * (1 - natural), abs=1e-12)
    else:
        best = max(played.values())
        assert evs[Action.DECLINE] == pytest.approx((1 - natural) * best - natural, abs=1e-12)


def test_early_surrender_is_weighed_before_the_peek():
    """15 against an ace: hitting is better than half a bet once the peek is past, and worse before it."""
    rules = Rules(decks=1, surrender="early", h17=False)
    view = stacked(codes("10 A 5 9 9 9 9"), rules).deal()
    valued, natural = value_actions(view), 15 / 49
    before, after = solve(rules).evs_of("10,5", "A"), solve(replace(rules, surrender="late")).evs_of("10,5", "A")
    assert valued.evs[Action.SURRENDER] == pytest.approx(-0.5)
    for action in (Action.HIT, Action.STAND, Action.DOUBLE):
        assert valued.evs[action] == pytest.approx(before[action.name.lower()], abs=1e-12)
        assert valued.evs[action] == pytest.approx((1 - natural) * after[action.name.lower()] - natural, abs=1e-12)
    assert valued.best == Action.SURRENDER
    assert ExactAgent(rules).act(view) == Action.SURRENDER


def test_original_bets_only_counts_the_natural_that_nobody_has_seen():
    rules = Rules(decks=1, peek=False, obo=True)
    game = stacked(codes("8 A 8 9 10 2 9 9 9 9 9 9"), rules)
    view = game.deal()
    peek = Rules(decks=1)  # pays the same, and has looked
    before, natural = solve(peek).evs_of("8,8", "A"), 16 / 49
    assert value_actions(view).evs[Action.STAND] == pytest.approx((1 - natural) * before["stand"] - natural, abs=1e-12)
    game.apply(Action.SPLIT)
    view = game.apply(Action.STAND)
    deck = Composition.of_values((4, 4, 4, 4, 4, 4, 4, 3, 4, 15))
    second, natural = solve(peek, deck=deck).evs_of("8,2", "A"), 15 / 47
    for action, ev in value_actions(view).evs.items():
        assert ev == pytest.approx((1 - natural) * second[action.name.lower()], abs=1e-12), (
            "it loses no bet to a natural"
        )


def test_too_few_cards_are_told():
    """A pack dealt to its end: where a hand could run it out, a full pack answers and says so."""
    rules = Rules(decks=1, shoe="dealt", penetration=1.0, max_hands=1)
    fresh = 0
    for seed in range(8):
        game = Game(rules, seed=seed)
        for _ in range(14):
            view = game.deal()
            while view is not None:
                valued = value_actions(view)
                fresh += valued.fresh
                if valued.fresh:
                    assert valued.evs == pytest.approx(asked(solve(rules), view), abs=1e-12)
                view = game.apply(Action.STAND)
    assert fresh > 0


def test_the_shoe_as_seen_holds_the_spot():
    view = Game(Rules(), seed=1).deal()
    assert seen_shoe(view) == Composition.of_decks(6)
    assert seen_shoe(Game(Rules(decks=float("inf")), seed=1).deal()).size == 52


def test_ties_go_to_the_quiet_action():
    from holecard.blackjack.players.valuation import Valuation

    even = Valuation({Action.HIT: -0.5, Action.STAND: -0.5 - 1e-14, Action.SURRENDER: -0.6})
    assert even.best == Action.STAND
    assert even.cost(Action.SURRENDER) == pytest.approx(0.1)
