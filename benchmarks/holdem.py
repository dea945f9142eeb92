"""Hold'em, validated and then timed beside phevaluator, eval7 and PokerKit in the same run, one core.

    PYTHONPATH=src python benchmarks/holdem.py [--build]

`--build` also builds the equity tables from nothing, on two threads. Ratios matter more than rates on a shared machine.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import eval7
import numpy as np
import pokerkit
from phevaluator import _pheval  # its C function; the public wrapper spends 20 times as long on checks
from results import record

from holecard._jit import kernel
from holecard.cards import card_text, cards_text, parse_cards
from holecard.holdem.arena.match import play_sessions
from holecard.holdem.equities import lookup
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.ranges import parse_range
from holecard.holdem.equities.tables import EQUITY, build_equity, equity_tables
from holecard.holdem.game.hand import deal_cards
from holecard.holdem.game.ranking import rank_many
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named


def best_seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """CPU seconds of the fastest of several runs: what one core can do when it is left alone."""
    work()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def report(name: str, ours: float, target: str, **peers: float) -> None:
    """One line: our rate per second, the target, each peer's rate and how many times faster we are."""
    for peer, rate in peers.items() or (("", 0.0),):
        record(name, ours, "/s", peer, rate)
    beside = "  ".join(f"{peer} {rate:,.0f} (×{ours / rate:,.1f})" for peer, rate in peers.items())
    print(f"{name:<34}{ours:>14,.0f}/s  {1e6 / ours:9.4f} µs  target {target:<14}{beside}")


def random_hands(n: int, size: int) -> np.ndarray:
    keys = np.random.default_rng(1).random((n, 52), dtype=np.float32)
    return keys.argpartition(size, axis=1)[:, :size].astype(np.uint8)


def ranking() -> None:
    hands = random_hands(2_000_000, 7)
    few = hands[:100_000].tolist()
    assert rank_many(hands[:100_000]).tolist() == [7463 - _pheval.evaluate_7cards(*hand) for hand in few]
    their_cards = [[eval7.Card(card_text(card)) for card in hand] for hand in few]
    report(
        "seven-card ranking",
        len(hands) / best_seconds(lambda: rank_many(hands)),
        "60,000,000/s",
        phevaluator=len(few) / best_seconds(lambda: [_pheval.evaluate_7cards(*hand) for hand in few], 2),
        eval7=len(few) / best_seconds(lambda: [eval7.evaluate(hand) for hand in their_cards], 2),
    )


@kernel
def look_up(tables: Any, spots: Any, dealt: Any, equities: Any) -> None:
    work = np.empty(1, lookup.RIVER_WORK)
    for at in range(spots.shape[0]):
        a, b, board = spots[at, 0], spots[at, 1], spots[at, 2:]
        equities[at] = lookup.equity_vs_random(tables[0], a, b, board, dealt, work[0], False)


def river_by_phevaluator(hole: list[int], board: list[int]) -> float:
    mine = _pheval.evaluate_7cards(*hole, *board)
    unseen = [card for card in range(52) if card not in {*hole, *board}]
    others = [_pheval.evaluate_7cards(*other, *board) for other in combinations(unseen, 2)]
    return sum(1.0 if mine < other else 0.5 if mine == other else 0.0 for other in others) / len(others)


EVERYONE = eval7.HandRange("22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32")


def river_by_eval7(hole: list[int], board: list[int]) -> float:
    cards = [[eval7.Card(card_text(card)) for card in some] for some in (hole, board)]
    return eval7.py_hand_vs_range_exact(cards[0], EVERYONE, cards[1])


def river_peers(spots: list[list[int]], found: np.ndarray) -> dict[str, float]:
    few = [(spot[:2], spot[2:]) for spot in spots]
    assert np.allclose(found, [river_by_phevaluator(*spot) for spot in few])
    assert np.allclose(found, [river_by_eval7(*spot) for spot in few])
    return {
        "phevaluator": len(few) / best_seconds(lambda: [river_by_phevaluator(*spot) for spot in few], 3),
        "eval7": len(few) / best_seconds(lambda: [river_by_eval7(*spot) for spot in few], 3),
    }


def equity_on(dealt: int, street: str, target: str) -> None:
    tables, spots = equity_tables(), random_hands(300_000 if dealt < 5 else 50_000, 7)
    found = np.zeros(len(spots))
    look_up(tables, spots, dealt, found)
    peers = river_peers(spots[:50].tolist(), found[:50]) if dealt == 5 else {}
    seconds = best_seconds(lambda: look_up(tables, spots, dealt, found))
    report(f"exact equity, {street}", len(spots) / seconds, target, **peers)


def equities() -> None:
    equity_on(0, "preflop", "–")
    equity_on(3, "flop", "0.15 µs")
    equity_on(4, "turn", "0.15 µs")
    equity_on(5, "river", "2.5 µs")
    hole, queens = parse_cards("AhKh"), parse_range("QdQs")
    assert equity(hole, against=queens).win == 787_966
    report("AhKh against QdQs, exact", 1 / best_seconds(lambda: equity(hole, against=queens)), "instantly")


def pokerkit_call_down(hands: int) -> None:
    """Check and call to the river."""
    automations = tuple(item for item in pokerkit.Automation if "RUNOUT" not in item.name)
    dealt = {pokerkit.Automation.HOLE_DEALING, pokerkit.Automation.BOARD_DEALING, pokerkit.Automation.CARD_BURNING}
    automations = tuple(item for item in automations if item not in dealt)
    rng = random.Random(1)
    for _ in range(hands):
        cards = deal_cards(rng.randrange(1 << 30))
        state = pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (50, 100), 100, (20_000, 20_000), 2)
        state.deal_hole(cards_text(cards[:2]))
        state.deal_hole(cards_text(cards[2:4]))
        board = [cards_text(cards[4:7]), cards_text(cards[7:8]), cards_text(cards[8:9])]
        while state.status:
            if state.can_burn_card("??"):
                state.burn_card("??")
            if state.can_deal_board():
                state.deal_board(board.pop(0))
            else:
                state.check_or_call()


def sessions(pairings: tuple[tuple[str, str], ...]) -> None:
    raiser, limper = player_named("min-raiser"), player_named("scared-limper")
    result = play_sessions(raiser, limper, preset_named("paper").rules, deck_sets=2)
    assert (result.net == 100).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = 200 / best_seconds(lambda: pokerkit_call_down(200), 2)
    for preset in ("paper", "pokernet"):
        rules = preset_named(preset).rules
        for first, other in pairings:
            play = partial(play_sessions, player_named(first), player_named(other), rules, deck_sets=40)
            hands, seconds = play().hands, best_seconds(play, 3)
            peer = {"PokerKit": theirs} if first == other == "call" else {}
            report(f"{preset}: {first}, {other}", hands / seconds, "500,000/s", **peer)


PAIRINGS = (
    ("call", "call"),
    ("raise", "check-fold"),
    ("smart", "raise"),
    ("smart", "call"),
    ("smart", "smart"),
    ("candid-statistician", "calling-machine"),
    ("candid-statistician", "hothead-maniac"),
)


def build() -> None:
    tables = np.zeros(1, EQUITY)
    start = time.perf_counter()
    build_equity(tables, threads=2)
    seconds = time.perf_counter() - start
    assert tables["turn"].tobytes() == equity_tables()["turn"].tobytes()
    record("all equity tables built", seconds, "s")
    print(f"all equity tables built in {seconds:.1f} s on two threads (target 60 s), {EQUITY.itemsize / 1e6:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two pairings of each setting")
    parser.add_argument("--build", action="store_true", help="build the equity tables from nothing too")
    options = parser.parse_args()
    ranking()
    equities()
    sessions(PAIRINGS[:2] if options.quick else PAIRINGS)
    if options.build:
        build()


if __name__ == "__main__":
    main()
