"""An independent judge for tiny decks: it deals every card of every round in the order of play.

Nothing here comes from the solver. Hole cards are drawn and looked at, split hands are played one after another from
the cards that are left, and a round's net result is summed over all ways to deal it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache, lru_cache

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import Kind
from holecard.blackjack.strategy.letters import MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER, PLAY_ANY
from holecard.blackjack.strategy.strategy import Strategy

Deck = tuple[int, ...]
"""Counts of 13 ranks, 2 … K, A."""
Law = dict[float, float]
"""Net result → probability."""
ACTIONS = ("hit", "stand", "double", "split", "surrender")


class RanOutError(Exception):
    """A hand needs a card and there is none."""


def value_of(rank: int) -> int:
    return 1 if rank == 12 else min(rank + 2, 10)


def total_of(hand: tuple[int, ...], rules: Rules) -> tuple[int, bool]:
    pips = sum(value_of(rank) for rank in hand)
    soft = 12 in hand and pips + rules.ace_bonus <= rules.limit
    return pips + (rules.ace_bonus if soft else 0), soft


def is_natural(hand: tuple[int, ...]) -> bool:
    return len(hand) == 2 and sorted(map(value_of, hand)) == [1, 10]


def draws(deck: Deck):
    size = sum(deck)
    if size == 0:
        raise RanOutError
    for rank, count in enumerate(deck):
        if count:
            yield rank, count / size, (*deck[:rank], count - 1, *deck[rank + 1 :])


class Brute:
    """Every round of a game, dealt out; `decide(hand, up, options, after_split)` gives shares of actions by name."""

    def __init__(self, rules: Rules, deck: Deck) -> None:
        self.rules, self.deck = rules, deck
        self.dealer_law = lru_cache(maxsize=None)(self._dealer_law)
        self.known: dict[tuple, Law] = {}

    # ------------------------------------------------------------------ dealer

    def _dealer_law(self, hand: tuple[int, ...], deck: Deck) -> dict[int, float]:
        """The dealer's end from a hand of two or more cards: total, 0 for a bust, −1 for a natural, −2 for a 22.

        A natural is one only where it counts, a 22 where it pushes.
        """
        rules = self.rules
        total, soft = total_of(hand, rules)
        if rules.bj is not None and rules.dealer_natural and is_natural(hand):
            return {-1: 1.0}
        if total > rules.limit:
            return {-2 if rules.dealer_22 == "push" and total == rules.limit + 1 else 0: 1.0}
        if not (total < rules.target or (total == rules.target and soft and rules.h17)):
            return {total: 1.0}
        law: dict[int, float] = defaultdict(float)
        for rank, chance, rest in draws(deck):
            for end, p in self.dealer_law(
                tuple(sorted((*hand, rank))) if len(hand) > 1 else (*hand, rank), rest
            ).items():
                law[end] += chance * p
        return dict(law)

    # ------------------------------------------------------------------ what is legal

    def is_pair(self, hand: tuple[int, ...]) -> bool:
        same = value_of(hand[0]) == value_of(hand[1])
        return len(hand) == 2 and (hand[0] == hand[1] if self.rules.split == "rank" else same)

    def ended(self, hand: tuple[int, ...]) -> bool:
        return total_of(hand, self.rules)[0] == self.rules.limit or len(hand) >= (self.rules.charlie or 99)

    def legal(self, hand: tuple[int, ...], hands: int) -> list[str]:
        """Legal actions of a hand when so many hands are held (1: not split)."""
        rules = self.rules
        total, soft = total_of(hand, rules)
        if self.ended(hand):
            return ["stand"]
        split_ace = hands > 1 and value_of(hand[0]) == 1
        actions = ["stand"]
        if not split_ace or rules.hsa:
            actions.append("hit")
        low, high, may_soft = {
            "any": (0, 99, True),
            "9-11": (9, 11, False),
            "10-11": (10, 11, False),
            "none": (1, 0, False),
        }[rules.double]
        if (
            (len(hand) == 2 or rules.double_cards == "any")
            and (not split_ace or rules.dsa)
            and (hands == 1 or rules.das)
            and low <= total <= high
            and (may_soft or not soft)
        ):
            actions.append("double")
        resplits = hands == 1 or value_of(hand[0]) != 1 or rules.rsa
        if len(hand) == 2 and self.is_pair(hand) and hands < rules.max_hands and resplits:
            actions.append("split")
        if len(hand) == 2 and hands == 1 and rules.surrender != "none":
            actions.append("surrender")
        return actions

    # ------------------------------------------------------------------ fixed play, splits dealt in order

    def round_law(self, decide: Callable) -> Law:
        """The law of a round's net result."""
        law: Law = defaultdict(float)
        self.known.clear()
        for (first, second, up), chance, deck in self.deals():
            for net, p in self.hand_law(first, second, up, deck, decide).items():
                law[net] += chance * p
        return law

    def deals(self):
        """First hand and upcard, in the order of the cards, with probability and what is left."""
        for first, p1, d1 in draws(self.deck):
            for second, p2, d2 in draws(d1):
                for up, p3, d3 in draws(d2):
                    yield (first, second, up), p1 * p2 * p3, d3

    def hand_law(self, first: int, second: int, up: int, deck: Deck, decide: Callable) -> Law:
        rules = self.rules
        law: Law = defaultdict(float)
        total, _ = total_of((first, second), rules)
        for hole, chance, rest in draws(deck):
            dealer_has = is_natural((up, hole))
            if rules.bj is not None and is_natural((first, second)):
                law[0.0 if dealer_has else float(rules.bj)] += chance
            elif total > rules.limit:
                law[-1.0] += chance
            else:
                for net, p in self.play(((first, second),), (), 1, up, hole, rest, decide).items():
                    law[net] += chance * p
        return law

    def play(self, waiting, done, hands, up, hole, deck, decide) -> Law:
        """`_play`, each situation once."""
        key = (decide, waiting, tuple(sorted(done, key=str)), hands, up, hole, deck)
        if key not in self.known:
            self.known[key] = self._play(waiting, key[2], hands, up, hole, deck, decide)
        return self.known[key]

    def _play(self, waiting, done, hands, up, hole, deck, decide) -> Law:
        """Play the first waiting hand; `done` holds (status or total, bets) of finished ones."""
        if not waiting:
            return self.settle(done, up, hole, deck)
        hand, later = waiting[0], waiting[1:]
        law: Law = defaultdict(float)

        def add(chance, waiting, done, hands, deck):
            for net, p in self.play(waiting, done, hands, up, hole, deck, decide).items():
                law[net] += chance * p

        if len(hand) == 1:
            for rank, chance, rest in draws(deck):
                add(chance, ((*hand, rank), *later), done, hands, rest)
            return law
        total, _ = total_of(hand, self.rules)
        if total > self.rules.limit:
            add(1.0, later, (*done, ("bust", 1)), hands, deck)
            return law
        for action, share in decide(hand, up, self.legal(hand, hands), hands).items():
            if share == 0:
                continue
            if action == "stand":
                status = "charlie" if len(hand) >= (self.rules.charlie or 99) else total
                add(share, later, (*done, (status, 1)), hands, deck)
            elif action == "hit":
                for rank, chance, rest in draws(deck):
                    add(share * chance, ((*hand, rank), *later), done, hands, rest)
            elif action == "double":
                for rank, chance, rest in draws(deck):
                    new, _ = total_of((*hand, rank), self.rules)
                    status = "bust" if new > self.rules.limit else new
                    if len(hand) + 1 >= (self.rules.charlie or 99) and status != "bust":
                        status = "charlie"
                    add(share * chance, later, (*done, (status, 2)), hands, rest)
            elif action == "split":
                add(share, ((hand[0],), (hand[1],), *later), done, hands + 1, deck)
            else:
                add(share, later, (*done, ("surrender", 1)), hands, deck)
        return law

    def settle(self, done, up, hole, deck) -> Law:
        rules = self.rules
        ace_ten = is_natural((up, hole))
        counts = rules.bj is not None and rules.dealer_natural and ace_ten
        if done[0][0] == "surrender":
            early = rules.surrender == "early" or (rules.surrender == "early-10" and value_of(up) == 10)
            return {-0.5 if early or not ace_ten else -1.0: 1.0}
        if counts and (rules.peek or rules.obo):
            return {-1.0: 1.0}
        law: Law = defaultdict(float)
        waiting = any(isinstance(status, int) for status, _ in done)
        ends = self.dealer_law(tuple(sorted((up, hole))), deck) if waiting else {0: 1.0}
        for end, chance in ends.items():
            net = 0.0
            for status, bets in done:
                if status == "bust":
                    net -= bets
                elif status == "charlie" or end == 0:
                    net += bets
                elif end == -1:
                    net -= bets
                else:
                    net += bets * self.compare(status, end)
            law[net] += chance
        return law

    def compare(self, total: int, end: int) -> int:
        """1 if a total wins against the dealer's end, −1 if it loses; no natural, no bust."""
        if end == -2:
            return 0
        if total == end:
            return -1 if self.rules.ties == "lose" else 0
        return 1 if total > end else -1

    # ------------------------------------------------------------------ best play of one unsplit hand

    def best_actions(self, hand: tuple[int, ...], up: int, deck: Deck) -> dict[str, float]:
        """EVs of stand, hit and double, given no natural where the dealer peeks; `deck` holds the hole card too."""
        values = {"stand": self._stand(hand, up, deck)}
        if self.ended(hand):
            return values
        values["hit"] = self._draw(hand, up, deck, lambda new, rest: self._best(new, up, rest))
        if "double" in self.legal(hand, 1):
            values["double"] = 2 * self._draw(hand, up, deck, lambda new, rest: self._stand(new, up, rest))
        return values

    def _holes(self, up: int, deck: Deck):
        """Hole cards with their chance; none that makes a natural where that has been seen or is settled so."""
        rules = self.rules
        counts = rules.bj is not None and rules.dealer_natural and (rules.peek or rules.obo)
        holes = [(rank, p, rest) for rank, p, rest in draws(deck) if not (counts and is_natural((up, rank)))]
        whole = sum(p for _, p, _ in holes)
        return [(rank, p / whole, rest) for rank, p, rest in holes] if whole > 0 else []

    def _stand(self, hand, up, deck) -> float:
        total, _ = total_of(hand, self.rules)
        if total > self.rules.limit:
            return -1.0
        if len(hand) >= (self.rules.charlie or 99):
            return 1.0
        value = 0.0
        for hole, p, rest in self._holes(up, deck):
            for end, q in self.dealer_law(tuple(sorted((up, hole))), rest).items():
                value += p * q * (1 if end == 0 else -1 if end == -1 else self.compare(total, end))
        return value

    def _draw(self, hand, up, deck, then) -> float:
        """The mean over the next card; the hole card is not the player's to see."""
        chances: dict[int, float] = defaultdict(float)
        for _, p, rest in self._holes(up, deck):
            for rank, q, _ in draws(rest):
                chances[rank] += p * q
        value = 0.0
        for rank, chance in chances.items():
            rest = (*deck[:rank], deck[rank] - 1, *deck[rank + 1 :])
            value += chance * then((*hand, rank), rest)
        return value

    def _best(self, hand, up, deck) -> float:
        if total_of(hand, self.rules)[0] > self.rules.limit:
            return -1.0
        return max(self.best_actions(hand, up, deck).values())

    # ------------------------------------------------------------------ the zero-memory optimum

    def zero_memory(self) -> Callable:
        """Play split hands by the best actions before a split; split again whenever that is allowed."""

        @cache
        def choice(hand: tuple[int, ...], up: int) -> dict[str, float]:
            left = list(self.deck)
            for rank in (*hand, up):
                left[rank] -= 1
            # after a split a hand can hold cards that an unsplit one could not be dealt with this deck: never here
            return self.best_actions(hand, up, tuple(left))

        def decide(hand, up, legal, hands):
            if hands > 1 and "split" in legal:
                return {"split": 1.0}
            if len(legal) == 1:
                return {legal[0]: 1.0}
            values = choice(tuple(sorted(hand)), up)
            allowed = [action for action in ("stand", "hit", "double") if action in legal and action in values]
            best = allowed[0]
            for action in allowed[1:]:
                if values[action] > values[best] + 1e-13:
                    best = action
            return {best: 1.0}

        return decide

    def optimal_ev(self) -> float:
        """The EV of the zero-memory optimum, first hands decided by the better of all legal actions."""
        after = self.zero_memory()
        ev = 0.0
        groups: dict[tuple, list] = defaultdict(list)
        for (first, second, up), chance, deck in self.deals():
            tens = self.rules.split == "rank" and first >= 8 and first == second and first < 12
            key = (tuple(sorted(map(value_of, (first, second)))), value_of(up), tens)
            groups[key].append(((first, second), up, chance, deck))
        for members in groups.values():
            ev += self._best_first(members, after)
        return ev

    def _best_first(self, members, after) -> float:
        """The best of all actions for first hands that look alike: the same values, and a pair or not."""
        worth: dict[str, float] = defaultdict(float)

        @cache
        def forced(action):
            def decide(now, up, legal, hands):
                return {action: 1.0} if len(now) == 2 and hands == 1 else after(now, up, legal, hands)

            return decide

        self.known.clear()
        for hand, up, chance, deck in members:
            legal = ["stand"] if total_of(hand, self.rules)[0] >= self.rules.limit else self.legal(hand, 1)
            for action in legal:
                law = self.hand_law(*hand, up, deck, forced(action))
                worth[action] += chance * sum(net * p for net, p in law.items())
        return max(worth.values())


def table_decides(strategy: Strategy, rules: Rules) -> Callable:
    """How a strategy table plays, read through `Strategy.plays`."""
    plays = strategy.plays()

    def decide(hand, up, legal, hands):
        if len(legal) == 1:
            return {legal[0]: 1.0}
        total, soft = total_of(hand, rules)
        same = hand[0] == hand[1] if rules.split == "rank" else value_of(hand[0]) == value_of(hand[1])
        if len(hand) == 2 and same:
            kind, row = Kind.PAIR, sum(map(value_of, hand))
        else:
            kind = Kind.SOFT if soft else Kind.HARD_ACE if 12 in hand else Kind.HARD
            row = total
        options = (
            MAY_DOUBLE * ("double" in legal) + MAY_SPLIT * ("split" in legal) + MAY_SURRENDER * ("surrender" in legal)
        )
        action = plays[options, min(len(hand), 4) - 2, kind, row, value_of(up) - 1]
        if action == PLAY_ANY:
            return {name: 1 / len(legal) for name in legal}
        name = ACTIONS[action]
        return {name if name in legal else "stand": 1.0}

    return decide
