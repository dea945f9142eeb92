"""Sessions between networks and rule players on a GPU: one warp a session, a network's lanes spread over its threads.

Every thread of a warp follows the whole game in a table of its own, so that no rule of it is written again; the
network's memory is the warp's, and each thread works on every 32nd lane of it. The warps of a block play the sessions
of one individual, so that its weights stay near.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated, rule
from holecard.device import gpu
from holecard.holdem.arena.sessions import hand_chances, hand_equities, play_session
from holecard.holdem.arena.table import KNOWN, TABLE, hand_key
from holecard.holdem.equities.lookup import RIVER_WORK
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import HAND
from holecard.holdem.game.rules import HoldemRules, Stakes
from holecard.holdem.game.statistics import TALLY
from holecard.holdem.players.decision_rules import move_by
from holecard.holdem.players.lstm import MEMORY, forget_session, think_together
from holecard.holdem.players.rule_players import RulePlayer, rule_move
from holecard.seeds import checked_seed

WARP: Final = 32
"""Threads that share a session."""
_WARPS: Final = 1 if is_simulated() else 8
"""Sessions of an individual that share a block."""
_ROWS: Final = 2048
"""Individuals to a launch, so that what they need fits a small GPU."""
_HAND_THREADS: Final = 64


@rule
def _meet_warp() -> None:
    cuda.syncwarp()


@rule
def _meet_block() -> None:
    cuda.syncthreads()


@rule
def _every_32nd(first: int, last: int) -> Iterable[int]:
    """The numbers that a thread of a warp works on."""
    return range(first + cuda.threadIdx.x % WARP, last, WARP)


_meet = _meet_block if is_simulated() else _meet_warp  # the simulator knows blocks only; its blocks are one warp


@rule
def _decide_together(view: Any, player: int, players: Any) -> int:
    """The move of the network (player 0) or of the rule player: `players` is (network, memory, rule)."""
    network, memory, opponent = players
    if player == 1:
        return rule_move(view, opponent)
    return move_by(network["decision_rule"], view, think_together(network, memory, view, _every_32nd, _meet))


@rule
def _clear_tally(tally: Any) -> None:
    """Begin to count: a thread's own memory may hold anything, and records are cleared field by field."""
    tally["hands"] = tally["entered"] = tally["raised_preflop"] = tally["aggressive"] = tally["passive"] = 0
    tally["flops"] = tally["showdowns"] = tally["half_wins"] = tally["all_ins"] = 0
    tally["folds"] = tally["checks"] = tally["calls"] = tally["raises"] = 0
    tally["entered_now"] = tally["raised_now"] = False


@lru_cache(maxsize=1)
def _session_kernel() -> Any:
    """The kernel that plays all sessions of some individuals."""

    def play_sessions(
        tables: Any,
        networks: Any,
        opponents: Any,
        equities: Any,
        chances: Any,
        stakes: Stakes,
        carried: bool,
        buy_in: int,
        seed: np.uint64,
        deck_sets: int,
        own_decks: bool,
        first: int,
        nets: Any,
        chips: Any,
        lucks: Any,
        tallies: Any,
    ) -> None:
        """Block b plays individual b // parts of `networks` NETWORK (n).

        `opponents` int64 (m), `equities` float64 (decks, hands, 2, 4), `chances` int64 (decks, hands or 0, 4), `nets`
        int64 (n, 2·m·deck_sets, hands) to work in, `chips` and `lucks` int64 (n, 2·m·deck_sets), all zero, `tallies`
        TALLY (the same); `first` is the number of the first individual where each has its own decks.
        """
        memories = cuda.shared.array(_WARPS, MEMORY)
        state = cuda.local.array(1, TABLE)
        warp, thread = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
        sessions = nets.shape[1]
        parts = (sessions + _WARPS - 1) // _WARPS
        row = cuda.blockIdx.x // parts
        session = cuda.blockIdx.x % parts * _WARPS + warp
        if session >= sessions:
            return
        place, memory, network = state[0], memories[warp], networks[row]
        swapped, deck = session % 2, session // 2
        place["buy_in"] = buy_in
        place["ties_win"] = False
        for seat in range(2):
            place["wants_equity"][seat] = KNOWN
            place["player_in"][seat] = swapped if seat == 0 else 1 - swapped
            _clear_tally(place["tally"][seat])
        forget_session(network, memory)
        _meet()
        dealt = row * (sessions // 2) + deck if own_decks else deck
        known = equities[dealt]
        number = (first + row) * (sessions // 2) + deck if own_decks else deck
        net = nets[row, session]
        players = (network, memory, opponents[deck // deck_sets])
        played = play_session(
            place, tables[0], known, chances[dealt], _decide_together, players, stakes, carried, seed, number, swapped,
            net, known[0, 0, :0],
        )  # fmt: skip
        won = 0
        for hand in range(thread, played, WARP):
            won += net[hand]
        cuda.atomic.add(chips, (row, session), won)
        if thread == 0:
            lucks[row, session] = place["luck"]
            tallies[row, session] = place["tally"][0]

    return cuda_kernel(play_sessions)


@lru_cache(maxsize=1)
def _equity_kernel() -> Any:
    """The kernel that finds the equities of deck sets, one thread a hand."""

    def find_equities(tables: Any, seed: np.uint64, first: int, samples: int, equities: Any) -> None:
        """Fill `equities` float64 (decks, hands, 2, 4) of the deck sets from number `first` on."""
        hand, work = cuda.local.array(1, HAND), cuda.local.array(1, RIVER_WORK)
        hands = equities.shape[1]
        for at in range(cuda.grid(1), equities.shape[0] * hands, cuda.gridsize(1)):
            key = hand_key(seed, first + at // hands, at % hands)
            hand_equities(tables[0], hand[0], work[0], key, samples, equities[at // hands, at % hands])

    return cuda_kernel(find_equities)


@lru_cache(maxsize=1)
def _chance_kernel() -> Any:
    """The kernel that finds the chances of deck sets' hands against each other, one thread a hand."""

    def find_chances(tables: Any, seed: np.uint64, first: int, chances: Any) -> None:
        """Fill `chances` int64 (decks, hands, 4) of the deck sets from number `first` on."""
        hand = cuda.local.array(1, HAND)
        hands = chances.shape[1]
        for at in range(cuda.grid(1), chances.shape[0] * hands, cuda.gridsize(1)):
            key = hand_key(seed, first + at // hands, at % hands)
            hand_chances(tables[0], hand[0], key, chances[at // hands, at % hands])

    return cuda_kernel(find_chances)


@lru_cache(maxsize=1)
def _tables() -> Any:
    """The equity tables on the GPU, 106 MB."""
    return cuda.to_device(np.array(equity_tables()))


def _equities(seed: int, first: int, decks: int, hands: int, samples: int) -> Any:
    """The equities of so many deck sets, float64 (decks, hands, 2, 4), on the GPU."""
    found = cuda.device_array((decks, hands, 2, 4), np.float64)
    _equity_kernel()[_grid(decks * hands)](_tables(), np.uint64(seed), first, samples, found)
    return found


def _chances(seed: int, first: int, decks: int, hands: int) -> Any:
    """The chances of so many deck sets' hands against each other, int64 (decks, hands, 4), on the GPU."""
    found = cuda.device_array((decks, hands, 4), np.int64)
    if hands:
        _chance_kernel()[_grid(decks * hands)](_tables(), np.uint64(seed), first, found)
    return found


def _grid(hands: int) -> tuple[int, int]:
    """Blocks and threads of a kernel that gives every hand a thread."""
    threads = 4 if is_simulated() else _HAND_THREADS
    return min(-(-hands // threads), 64 * gpu().multiprocessors), threads


def deck_equities(*, seed: int, deck: int, hands: int, samples: int = 0) -> NDArray[np.float64]:
    """The equities (hands, 2, 4) of a deck set, as `sessions.deck_equities` finds them, bit for bit."""
    return np.asarray(_equities(checked_seed(seed), deck, 1, hands, samples).copy_to_host()[0])


def deck_chances(*, seed: int, deck: int, hands: int) -> NDArray[np.int64]:
    """The chances (hands, 4) of a deck set's hands against each other, as `sessions.deck_chances` finds them."""
    return np.asarray(_chances(checked_seed(seed), deck, 1, hands).copy_to_host()[0])


def play_population(
    networks: NDArray[Any],
    opponents: Sequence[RulePlayer],
    rules: HoldemRules,
    *,
    seed: int,
    deck_sets: int,
    own_decks: bool,
    samples: int = 0,
    averaged: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Chips, luck and counts TALLY of every session, (individuals, opponents · deck_sets · 2), seats swapped last.

    `networks` NETWORK (individuals); with `own_decks` every individual is dealt its own cards, else all the same. Luck
    is in millionths of chips, 0 unless it is to be `averaged` over.
    """
    decks = len(opponents) * deck_sets
    players = cuda.to_device(np.array([int(player) for player in opponents], np.int64))
    counted_hands = rules.hands if averaged else 0
    shared = None if own_decks else _equities(seed, 0, decks, rules.hands, samples)
    shared_chances = None if own_decks else _chances(seed, 0, decks, counted_hands)
    chips, lucks, tallies = [], [], []
    for first in range(0, len(networks), _ROWS):
        part = networks[first : first + _ROWS]
        shape = (len(part), 2 * decks)
        known = _equities(seed, first * decks, len(part) * decks, rules.hands, samples) if own_decks else shared
        chances = _chances(seed, first * decks, len(part) * decks, counted_hands) if own_decks else shared_chances
        nets = cuda.device_array((*shape, rules.hands), np.int64)
        won, brought = cuda.to_device(np.zeros(shape, np.int64)), cuda.to_device(np.zeros(shape, np.int64))
        counted = cuda.to_device(np.zeros(shape, TALLY))
        blocks = len(part) * -(-2 * decks // _WARPS)
        _session_kernel()[blocks, WARP * _WARPS](
            _tables(), cuda.to_device(part), players, known, chances, rules.stakes, rules.carried, rules.stack,
            np.uint64(checked_seed(seed)), deck_sets, own_decks, first, nets, won, brought, counted,
        )  # fmt: skip
        chips.append(won.copy_to_host())
        lucks.append(brought.copy_to_host())
        tallies.append(counted.copy_to_host())
    return np.concatenate(chips), np.concatenate(lucks), np.concatenate(tallies)
