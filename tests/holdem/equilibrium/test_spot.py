"""Spots: closed forms, and a plain game tree as judge."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.errors import HolecardError
from holecard.holdem.equilibrium import spot_solution
from holecard.holdem.equilibrium.regret import solve_tree
from holecard.holdem.equilibrium.spot import ALL_IN, Spot, bets_text, parse_bets, parse_weights
from holecard.holdem.equilibrium.spot_report import decision_as_json, hands_of_decision
from holecard.holdem.equilibrium.spot_solution import hands_of, solve_spot
from holecard.holdem.equilibrium.spot_tree import DECISION, tree_of_spot
from holecard.holdem.equilibrium.tree import CHANCE, TERMINAL, build_tree
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.ranges import parse_range
from holecard.holdem.game.ranking import rank

RIVER = tuple(parse_cards("2c3d7h9sKc"))
TURN = tuple(parse_cards("2c3d7h9s"))


def spot_of(first, other, **changes):
    settings = {"board": RIVER, "pot": 100.0, "stack": 100.0, "bets": (1.0,), "raises": 1} | changes
    return Spot(first=parse_weights(first), other=parse_weights(other), **settings)


@pytest.mark.parametrize("bet", [0.5, 1.0, 2.0])
def test_bluffs_and_calls_are_those_of_the_closed_form(bet):
    """Nuts or nothing against a bluff catcher: bluff : value = bet / (pot + bet), and calls make bluffs indifferent."""
    spot = spot_of("KhKd,QsJs", "AhAd", stack=1000.0, bets=(bet,))
    solved = solve_spot(spot, accuracy=1e-6, iterations=20_000)
    begin = solved.decisions[0]
    nuts, air = (solved.holes.index(parse_range(text).hands[0]) for text in ("KhKd", "QsJs"))
    assert begin.actions == ("check", f"bet {100 * bet:g}")
    assert begin.shares[1, nuts] == pytest.approx(1, abs=1e-3)
    assert begin.shares[1, air] == pytest.approx(bet / (1 + bet), abs=2e-3)
    facing = next(each for each in solved.decisions if each.path == (f"bet {100 * bet:g}",))
    catcher = solved.holes.index(parse_range("AhAd").hands[0])
    assert facing.shares[1, catcher] == pytest.approx(1 / (1 + bet), abs=2e-3)
    # the nuts win the pot and the bet where it is called; what checks or bluffs with nothing wins nothing
    assert solved.value == pytest.approx(0.5 * (100 + 100 * bet / (1 + bet)), abs=0.01)


def test_without_bets_everybody_gets_his_equity():
    solved = solve_spot(spot_of("AA,QJs,77", "KQs,99,T9s", bets=(), raises=0), iterations=1)
    shares, equities = solved.decisions[0].weights, solved.equities[0]
    expected = 100 * float(np.nansum(shares * np.nan_to_num(equities)))
    assert solved.value == pytest.approx(expected, abs=1e-4)
    assert solved.exploitability == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("board", [RIVER, TURN])
def test_equities_are_those_of_the_equity_command(board):
    solved = solve_spot(spot_of("AhKh,QsQd,7c6c", "JJ,A9s", board=board, bets=(), raises=0), iterations=1)
    for at, hole in enumerate(solved.holes):
        if hole in solved.spot.first:
            assert solved.equities[0, at] == pytest.approx(
                equity(hole, board, against=parse_range("JJ,A9s")).equity, abs=1e-6
            )


@lru_cache(maxsize=100_000)
def strength(cards):
    return rank(list(cards))


@dataclass(frozen=True)
class PlainSpot:
    """The same game as a plain tree: every deal is a node, the betting is written down anew."""

    spot: Spot
    holes: tuple = ()
    river: int = -1
    paid: tuple = (0.0, 0.0)
    start: float = 0.0
    words: tuple = ()
    street: tuple = ()

    def __hash__(self):
        return hash((self.holes, self.river, self.words))

    @property
    def ended(self):
        return len(self.street) >= 2 and self.street[-1] in ("call", "check") and self.paid[0] == self.paid[1]

    @property
    def board(self):
        return self.spot.board if self.river < 0 else (*self.spot.board, self.river)

    @property
    def actor(self):
        if not self.holes:
            return CHANCE
        if self.words and self.words[-1] == "fold":
            return TERMINAL
        if self.ended:
            return CHANCE if len(self.board) == 4 else TERMINAL
        if self.street == () and min(self.paid) >= self.spot.stack:
            return TERMINAL
        return len(self.street) % 2

    @property
    def information(self):
        return f"{self.holes[self.actor]} {self.river} {self.words}"

    @property
    def payoff(self):
        half = self.spot.pot / 2
        if self.words and self.words[-1] == "fold":
            folded = (len(self.street) - 1) % 2
            return (half + self.paid[1]) * (-1 if folded == 0 else 1) if folded else -(half + self.paid[0])
        mine, theirs = (strength(tuple(sorted((*hole, *self.board)))) for hole in self.holes)
        return (half + self.paid[0]) * ((mine > theirs) - (mine < theirs))

    def moves(self):
        actor = self.actor
        if actor == TERMINAL:
            return []
        if actor == CHANCE and not self.holes:
            deals = {
                (mine, theirs): p * q
                for mine, p in self.spot.first.items()
                for theirs, q in self.spot.other.items()
                if len({*mine, *theirs, *self.spot.board}) == 4 + len(self.spot.board)
            }
            total = sum(deals.values())
            return [("deal", weight / total, replace(self, holes=deal)) for deal, weight in deals.items()]
        if actor == CHANCE:
            left = [card for card in range(52) if card not in {*self.board, *self.holes[0], *self.holes[1]}]
            return [("river", 1 / len(left), replace(self, river=card, street=(), start=self.paid[0])) for card in left]
        mine, theirs = self.paid[actor], self.paid[1 - actor]
        found = [("fold", mine), ("call", theirs)] if theirs > mine else [("check", mine)]
        bets = sum(word.startswith(("bet", "raise", "all")) for word in self.street)
        if bets < self.spot.raises and max(mine, theirs) < self.spot.stack:
            highest = max(mine, theirs)
            for size in self.spot.bets:
                to = highest + size * (self.spot.pot + 2 * highest) if size < ALL_IN else self.spot.stack
                to = max(to, 2 * highest - min(mine, theirs))
                to = self.spot.stack if to > highest + 0.97 * (self.spot.stack - highest) else to
                found.append((f"bet to {to}", to))
        return [(word, 1.0, self._after(word, to)) for word, to in dict(found).items()]

    def _after(self, word, to):
        paid = (to, self.paid[1]) if self.actor == 0 else (self.paid[0], to)
        return replace(self, paid=paid, words=(*self.words, word), street=(*self.street, word))


@pytest.mark.parametrize(
    "spot",
    [
        spot_of("AA,QsJs,7c6c,KQs:0.5", "KJs,99:0.25,T8s,QsTs", bets=(0.5, 1.0), raises=2, stack=170.0),
        spot_of("AhAd,QsJs", "KhQh,8c8d", bets=(1.0,), raises=1, stack=250.0, board=TURN),
    ],
    ids=["river", "turn"],
)
def test_a_plain_game_tree_finds_the_same_value(spot):
    solved = solve_spot(spot, accuracy=2e-5, iterations=5_000)
    plain = solve_tree(build_tree(PlainSpot(spot)), iterations=1500)
    assert plain.judged.exploitability < 0.02
    assert solved.exploitability <= 2e-5 * spot.pot
    assert solved.value - spot.pot / 2 == pytest.approx(plain.judged.value, abs=0.03)


def test_full_ranges_are_solved_to_a_thousandth_of_the_pot():
    spot = spot_of("random", "random", bets=(1 / 3, 0.75, 1.5), raises=3, stack=300.0)
    solved = solve_spot(spot, accuracy=0.001)
    assert solved.exploitability <= 0.1
    assert len(solved.holes) == 1081
    assert solved.steps[0].exploitability > 10 * solved.exploitability
    for decision in solved.decisions:
        assert decision.shares.sum(axis=0) == pytest.approx(1)
        assert decision.weights.sum() == pytest.approx(1)
    chances = {each.path: each.chance for each in solved.decisions}
    assert sum(chances[path] for path in chances if len(path) == 1) == pytest.approx(1)


def test_evs_of_the_first_decision_average_to_the_value():
    solved = solve_spot(spot_of("22+,AKs,QJs", "A2s+,KQo", bets=(0.5, ALL_IN), raises=2), accuracy=1e-4)
    begin = solved.decisions[0]
    assert float(begin.ev @ begin.weights) == pytest.approx(solved.value, abs=1e-3)
    reports = hands_of_decision(solved, begin)
    assert sum(report.weight for report in reports.values()) == pytest.approx(1)
    assert sum(report.ev * report.weight for report in reports.values()) == pytest.approx(solved.value, abs=1e-3)
    shown = decision_as_json(solved, begin)
    assert shown["hands"]["KK"]["evs"]["check"] <= shown["hands"]["KK"]["ev"] + 0.1


def test_trees_end_with_all_chips_in_the_middle():
    spot = spot_of("AA", "KK", bets=(0.5, 1.0, ALL_IN), raises=3, stack=120.0)
    tree = tree_of_spot(spot, hands_of(spot)[1])
    assert tree.actions[0] == ("check", "bet 50", "bet 100", "all-in")
    after = next(at for at, path in enumerate(tree.paths) if path == ("all-in",) and tree.actions[at])
    assert tree.actions[after] == ("fold", "call")
    assert tree.arrays.amount.max() == 50 + 120
    assert tree.size == sum(tree.arrays.children[tree.arrays.kind == DECISION])


def test_sizes_and_weights_are_read():
    assert parse_bets("1/3, 0.75,all-in,0.75") == (1 / 3, 0.75, ALL_IN)
    assert parse_bets("none") == ()
    assert bets_text(()) == "none"
    assert parse_weights("AA:0.5,AhAd") == {hole: 1.0 if hole == (50, 49) else 0.5 for hole in parse_range("AA").hands}
    assert parse_weights("AA:0") == {}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"board": TURN[:3]}, "turn or river"),
        ({"board": (*TURN, TURN[0])}, "appears twice"),
        ({"pot": 0.0}, "pot must be above 0"),
        ({"stack": float("inf")}, "stack must be above 0"),
        ({"stack": float("nan")}, "stack must be above 0"),
        ({"raises": 7}, "raises must be 0 to 6"),
        ({"bets": (0.0,)}, "sizes above 0"),
        ({"first": {}}, "no hand of --range"),
        ({"other": parse_weights("KcKd")}, "no hand of --against"),
        ({"first": parse_weights("AsAh"), "other": parse_weights("AsAd")}, "leave no deal"),
    ],
)
def test_spots_that_cannot_be_are_refused(changes, message):
    with pytest.raises(HolecardError, match=message):
        replace(spot_of("AA", "QQ"), **changes)


@pytest.mark.parametrize("text", ["AA:x", "AA:-1", "AA:1.5", "AA:", "XX", ""])
def test_weights_that_cannot_be_are_refused(text):
    with pytest.raises(HolecardError):
        parse_weights(text)


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "1/0", "nan", "1e9"])
def test_bets_that_cannot_be_are_refused(text):
    with pytest.raises(HolecardError):
        parse_bets(text)


def test_an_interrupt_leaves_the_iterations_done_so_far(monkeypatch):
    go_on = spot_solution._Solver.go_on

    def interrupted(solver, iterations):
        go_on(solver, iterations)
        if solver.iterations > 40:
            raise KeyboardInterrupt

    monkeypatch.setattr(spot_solution._Solver, "go_on", interrupted)
    solved = solve_spot(spot_of("AA,QJs", "KQs,KJs"), accuracy=0)
    assert solved.iterations == 41
    assert solved.exploitability == solved.steps[-1].exploitability


def test_limits_of_the_solver():
    spot = spot_of("AA", "QQ")
    with pytest.raises(HolecardError, match="iterations"):
        solve_spot(spot, iterations=0)
    with pytest.raises(HolecardError, match="accuracy"):
        solve_spot(spot, accuracy=-1)
    wide = spot_of("random", "random", board=TURN, bets=(0.1, 0.2, 0.3, 0.4), raises=6, stack=1e6)
    with pytest.raises(HolecardError, match="too large"):
        solve_spot(wide)
