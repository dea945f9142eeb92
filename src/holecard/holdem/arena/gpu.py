"""Sessions between networks and rule players on a GPU: one warp a session, a network's lanes spread over its threads.

Every thread of a warp plays the whole session in a record of its own, so that no rule is written again; the network's
memory is the warp's, and each thread works on every 32nd lane of it. The warps of a block play the sessions
of one individual, so that its weights stay near.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated, rule
from holecard.device import gpu
from holecard.holdem.arena.deck_sets import Dealing, DeckSet, TiesLookedAt, hand_chances, hand_equities, hand_key
from holecard.holdem.arena.hand_loop import KNOWN, SESSION, Session
from holecard.holdem.arena.sessions import SessionResult, SessionSums, play_session
from holecard.holdem.equities.lookup import RIVER_WORK
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import HAND
from holecard.holdem.game.rules import HoldemRules, SessionTerms
from holecard.holdem.game.statistics import TALLY
from holecard.holdem.game.view import View
from holecard.holdem.players.decision_rules import move_by
from holecard.holdem.players.lstm import MEMORY, NETWORK, forget_session, pack, pack_into, think_in_parallel
from holecard.holdem.players.network import Genome, Layout
from holecard.holdem.players.rule_players import RulePlayer, counts_ties, rule_move
from holecard.seeds import checked_seed

WARP: Final = 32
"""Threads that share a session."""
_WARPS: Final = 1 if is_simulated() else 2
"""Sessions of an individual that share a block: those against one opponent, which last about as long."""
_REGISTERS: Final = 128
"""The most to a thread of a session. On an H200 anything from 64 to 244, and one to eight warps, took the same time."""
_ROWS: Final = 1 if is_simulated() else 1024
"""Individuals to a launch, so that what they need fits a small GPU and the first of them wait for few."""
_SLOTS: Final = 1 if is_simulated() else 3
"""Launches that a GPU has at a time: it plays one, and is sent the next."""
_slots_in_use: Final = threading.Lock()
_HAND_THREADS: Final = 64


@rule
def _warp_barrier() -> None:
    cuda.syncwarp()


@rule
def _block_barrier() -> None:
    cuda.syncthreads()


@rule
def _lanes_of_thread(first: int, last: int) -> Iterable[int]:
    """Every 32nd of the lanes from `first` to `last`: those that a thread of a warp works on."""
    return range(first + cuda.threadIdx.x % WARP, last, WARP)


_barrier = _block_barrier if is_simulated() else _warp_barrier  # simulated blocks are one warp


@rule
def _decide_in_parallel(view: View, player: int, players: Any) -> int:
    """The move of the network (player 0) or of the rule player; `players` is (network, memory, its number)."""
    network, memory, opponent = players
    if player == 1:
        return rule_move(view, opponent)
    return move_by(network["decision_rule"], view, think_in_parallel(network, memory, view, _lanes_of_thread, _barrier))


@rule
def _clear_tally(tally: Any) -> None:
    """Begin to count: a thread's own memory may hold anything, and records are cleared field by field."""
    tally["hands"] = tally["entered"] = tally["raised_preflop"] = tally["aggressive"] = tally["passive"] = 0
    tally["flops"] = tally["showdowns"] = tally["half_wins"] = tally["all_ins"] = 0
    tally["folds"] = tally["checks"] = tally["calls"] = tally["raises"] = 0
    tally["entered_now"] = tally["raised_now"] = False


class _DealtSets(NamedTuple):
    """The deck sets of one launch, on the GPU."""

    seed: np.uint64
    for_opponent: int
    """Deck sets against each opponent."""
    is_shared: bool
    """Everybody is dealt the same cards; otherwise the sets of one individual follow those of another."""
    first: int
    """The number of the first individual of this launch."""
    equities: Any
    """float64 (deck sets, hands, 2, 4), or (deck sets, 0, 2, 4) where nobody looks at them."""
    ties_win: Any
    """The same with a tie as a win."""
    chances: Any
    """int64 (deck sets, hands, 4), or (deck sets, 0, 4) where luck counts as it was dealt."""
    nothing: Any
    """float64 (0)."""


class _Results(NamedTuple):
    """What one launch fills in, on the GPU: a row for each individual, a column for each session."""

    nets: Any
    """int64 (n, sessions, hands), to work in."""
    chips: Any
    """int64 (n, sessions), zero before."""
    board_luck: Any
    """int64 (n, sessions)."""
    tallies: Any
    """TALLY (n, sessions)."""


@rule
def _prepare_session(session: Session, network: Any, opponent: int) -> None:
    """Make a record of a thread's own memory, which may hold anything, ready for a session with known equities."""
    session["ties_win"][0] = network["ties_win"]
    session["ties_win"][1] = counts_ties(opponent)
    for player in range(2):
        session["wants_equity"][player] = KNOWN
        _clear_tally(session["tally"][player])


@lru_cache(maxsize=1)
def _session_kernel() -> Any:
    """The kernel that plays all sessions of some individuals."""

    def play_sessions(
        equity_tables: Any, networks: Any, opponents: Any, dealt: _DealtSets, terms: SessionTerms, results: _Results
    ) -> None:
        """Block b plays individual b // parts of `networks` (n) NETWORK against `opponents` (m) int64."""
        memories = cuda.shared.array(_WARPS, MEMORY)
        own = cuda.local.array(1, SESSION)
        warp, thread = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
        sessions = results.nets.shape[1]
        parts = (sessions + _WARPS - 1) // _WARPS
        row = cuda.blockIdx.x // parts
        column = cuda.blockIdx.x % parts * _WARPS + warp
        if column >= sessions:
            return
        memory, network = memories[warp], networks[row]
        number = column // 2
        opponent = opponents[number // dealt.for_opponent]
        _prepare_session(own[0], network, opponent)
        forget_session(network, memory)
        _barrier()
        at = number if dealt.is_shared else row * (sessions // 2) + number
        from_first = 0 if dealt.is_shared else dealt.first * (sessions // 2)
        deck_set = DeckSet(dealt.seed, from_first + at, dealt.equities[at], dealt.chances[at], dealt.ties_win[at])
        net = results.nets[row, column]
        result = SessionResult(net, dealt.nothing)
        players = (network, memory, opponent)
        played = play_session(
            own[0], equity_tables[0], deck_set, terms, _decide_in_parallel, players, column % 2, result
        )
        won = 0
        for hand in range(thread, played, WARP):
            won += net[hand]
        cuda.atomic.add(results.chips, (row, column), won)
        if thread == 0:
            results.board_luck[row, column] = own[0]["board_luck"]
            results.tallies[row, column] = own[0]["tally"][0]

    return cuda_kernel(play_sessions, max_registers=_REGISTERS)


@lru_cache(maxsize=1)
def _equity_kernel() -> Any:
    """The kernel that finds the equities of deck sets, one thread a hand."""

    def find_equities(
        equity_tables: Any, seed: np.uint64, first: int, samples: int, ties_win: bool, equities: Any
    ) -> None:
        """Fill `equities` float64 (deck sets, hands, 2, 4) of the deck sets from number `first` on."""
        hand, work = cuda.local.array(1, HAND), cuda.local.array(1, RIVER_WORK)
        hands = equities.shape[1]
        for at in range(cuda.grid(1), equities.shape[0] * hands, cuda.gridsize(1)):
            key = hand_key(seed, first + at // hands, at % hands)
            found = equities[at // hands, at % hands]
            hand_equities(equity_tables[0], hand[0], work[0], key, samples, ties_win, found)

    return cuda_kernel(find_equities)


@lru_cache(maxsize=1)
def _chance_kernel() -> Any:
    """The kernel that finds the chances of deck sets' hands against each other, one thread a hand."""

    def find_chances(equity_tables: Any, seed: np.uint64, first: int, chances: Any) -> None:
        """Fill `chances` int64 (deck sets, hands, 4) of the deck sets from number `first` on."""
        hand = cuda.local.array(1, HAND)
        hands = chances.shape[1]
        for at in range(cuda.grid(1), chances.shape[0] * hands, cuda.gridsize(1)):
            key = hand_key(seed, first + at // hands, at % hands)
            hand_chances(equity_tables[0], hand[0], key, chances[at // hands, at % hands])

    return cuda_kernel(find_chances)


@lru_cache(maxsize=1)
def _equity_tables() -> Any:
    """The equity tables on the GPU, 106 MB."""
    return cuda.to_device(np.array(equity_tables()))


def _equities(seed: int, first: int, samples: int, ties_win: bool, shape: tuple[int, int], stream: Any = 0) -> Any:
    """The equities of (deck sets, hands), float64 (deck sets, hands, 2, 4), on the GPU."""
    found = cuda.device_array((*shape, 2, 4), np.float64)
    if shape[1]:
        grid = _grid(shape[0] * shape[1])
        _equity_kernel()[*grid, stream](_equity_tables(), np.uint64(seed), first, samples, ties_win, found)
    return found


def _chances(seed: int, first: int, deck_sets: int, hands: int, stream: Any = 0) -> Any:
    """The chances of so many deck sets' hands against each other, int64 (deck sets, hands, 4), on the GPU."""
    found = cuda.device_array((deck_sets, hands, 4), np.int64)
    if hands:
        _chance_kernel()[*_grid(deck_sets * hands), stream](_equity_tables(), np.uint64(seed), first, found)
    return found


def _grid(hands: int) -> tuple[int, int]:
    """Blocks and threads of a kernel that gives every hand a thread."""
    threads = 4 if is_simulated() else _HAND_THREADS
    return min(-(-hands // threads), 64 * gpu().multiprocessors), threads


def deck_equities(
    *, seed: int, number: int, hands: int, samples: int = 0, ties_win: bool = False
) -> NDArray[np.float64]:
    """The equities (hands, 2, 4) of a deck set, as `deck_sets.deck_equities` finds them, bit for bit."""
    return np.asarray(_equities(checked_seed(seed), number, samples, ties_win, (1, hands)).copy_to_host()[0])


def deck_chances(*, seed: int, number: int, hands: int) -> NDArray[np.int64]:
    """The chances (hands, 4) of a deck set's hands against each other, as `deck_sets.deck_chances` finds them."""
    return np.asarray(_chances(checked_seed(seed), number, 1, hands).copy_to_host()[0])


class _Slot(NamedTuple):
    """Room for one launch, taken up again by a later one: to give memory back, a GPU would stop playing."""

    packed: NDArray[Any]
    """NETWORK (rows) in memory that the GPU reads by itself."""
    networks: Any
    """The same on the GPU."""
    results: _Results
    stream: Any
    """The queue of the GPU in which its sessions stand."""

    def sums(self, rows: int) -> SessionSums:
        """What the sessions of so many individuals came to, once they have been played."""
        found = (self.results.chips, self.results.board_luck, self.results.tallies)
        sums = SessionSums(*(each[:rows].copy_to_host(stream=self.stream) for each in found))
        self.stream.synchronize()
        return sums


@lru_cache(maxsize=_SLOTS)
def _slot(number: int, layout: Layout, rows: int, sessions: int, hands: int) -> _Slot:
    """The slot of that number for so many networks of one layout, nothing in it yet."""
    packed, shape = cuda.pinned_array(rows, NETWORK), (rows, sessions)
    packed.view(np.uint8)[:] = 0
    results = _Results(
        nets=cuda.device_array((*shape, hands), np.int64),
        chips=cuda.device_array(shape, np.int64),
        board_luck=cuda.device_array(shape, np.int64),
        tallies=cuda.device_array(shape, TALLY),
    )
    return _Slot(packed, cuda.device_array(rows, NETWORK), results, cuda.stream())


def play_population(
    population: Genome, layout: Layout, opponents: Sequence[RulePlayer], rules: HoldemRules, dealing: Dealing
) -> SessionSums:
    """What every session came to, (individuals, opponents · deck sets · 2), seats swapped last.

    The processor packs individuals and sends them while the GPU plays those before them.
    """
    with _slots_in_use:
        parts = list(_played(population, layout, opponents, rules, dealing))
    return SessionSums(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _played(
    population: Genome, layout: Layout, opponents: Sequence[RulePlayer], rules: HoldemRules, dealing: Dealing
) -> Iterator[SessionSums]:
    """What the sessions of one part of the population after another came to."""
    deck_sets, rows = len(opponents) * dealing.deck_sets, min(_ROWS, len(population))
    players = cuda.to_device(np.array([int(player) for player in opponents], np.int64))
    deal = partial(_deal, dealing, TiesLookedAt.by(pack(population[:1], layout), opponents), rules.hands)
    shared, nothing = deal(0, deck_sets) if dealing.is_shared else None, cuda.device_array(0, np.float64)
    playing: deque[tuple[_Slot, int]] = deque()
    for first in range(0, len(population), rows):
        if len(playing) == _SLOTS:
            slot, count = playing.popleft()
            yield slot.sums(count)
        part = population[first : first + rows]
        slot = _slot(first // rows % _SLOTS, layout, rows, 2 * deck_sets, rules.hands)
        equities, ties_win, chances = shared or deal(first * deck_sets, len(part) * deck_sets, slot.stream)
        dealt = _DealtSets(
            seed=np.uint64(checked_seed(dealing.seed)),
            for_opponent=dealing.deck_sets,
            is_shared=dealing.is_shared,
            first=first,
            equities=equities,
            ties_win=ties_win,
            chances=chances,
            nothing=nothing,
        )
        pack_into(slot.packed[: len(part)], part, layout)
        _launch(slot, len(part), players, rules, dealt)
        playing.append((slot, len(part)))
    for slot, count in playing:
        yield slot.sums(count)


def _deal(
    dealing: Dealing, looked_at: TiesLookedAt, hands: int, first: int, deck_sets: int, stream: Any = 0
) -> tuple[Any, Any, Any]:
    """Equities, with ties as halves and as wins, and chances of the deck sets from number `first` on, on the GPU."""
    half, win = (
        _equities(dealing.seed, first, dealing.samples, ties_win, (deck_sets, hands if wanted else 0), stream)
        for ties_win, wanted in ((False, looked_at.half), (True, looked_at.win))
    )
    return half, win, _chances(dealing.seed, first, deck_sets, hands if dealing.averages_luck else 0, stream)


def _launch(slot: _Slot, rows: int, opponents: Any, rules: HoldemRules, dealt: _DealtSets) -> None:
    """Have the sessions of the first `rows` individuals in a slot played, once they have been sent."""
    networks, stream = slot.networks[:rows], slot.stream
    networks.copy_to_device(slot.packed[:rows], stream=stream)
    slot.results.chips.copy_to_device(np.zeros(slot.results.chips.shape, np.int64), stream=stream)
    blocks = rows * -(-slot.results.chips.shape[1] // _WARPS)
    _session_kernel()[blocks, WARP * _WARPS, stream](
        _equity_tables(), networks, opponents, dealt, rules.session_terms, slot.results
    )
