"""Duels: two players, duplicate decks with the seats swapped, results in thousandths of a big blind per hand.

Sessions of 500 hands, memories cleared between; a bust starts the next session. What is dealt after an all-in is luck:
the adjusted result averages over it, and is unbiased too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, count
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.estimate import Estimate
from holecard.executor import in_order
from holecard.holdem.arena.deck_sets import DeckSet
from holecard.holdem.arena.match import DeckResults, Match, deck_results, policies_of, stderr_of
from holecard.holdem.arena.sessions import Policies, SessionPairs, play_pairs
from holecard.holdem.exploit.known import share_of_best
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import add_tallies
from holecard.holdem.players.named import NamedPlayer
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.holdem.players.record import two_players
from holecard.seeds import checked_seed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Duel(Match):
    """What two players did to each other."""

    adjusted: NDArray[np.float64]
    """Chips won by the first player, (sessions, hands), averaged over the cards dealt after an all-in."""

    @property
    def adjusted_mbb_per_hand(self) -> Estimate:
        """The first player's result with the luck after an all-in taken out."""
        return deck_results(self.rules, self.adjusted, self.played).mbb_per_hand


def duel(
    first: NamedPlayer,
    other: NamedPlayer,
    rules: HoldemRules | None = None,
    *,
    hands: int,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Duel:
    """Play so many hands in all, half of them with the seats swapped (an odd number is rounded up).

    Without `rules` it is played by those of the first champion's preset (`rules_for`). `progress` is told how many
    hands are played.
    """
    if hands < 2:
        raise SettingError(f"a duel needs 2 hands or more, one from each seat; got {hands}")
    rules = rules_for([first, other]) if rules is None else rules
    seats = _Seats(two_players(first.record, other.record), policies_of(first, other, rules), rules, checked_seed(seed))
    pairs, done = [], 0
    for pair in _pairs(seats, hands, threads, executor):
        pairs.append(pair)
        done += int(pair.played.sum())
        if progress:
            progress(min(done, hands))
    return Duel(
        rules=rules,
        names=(first.name, other.name),
        net=_rows([pair.net for pair in pairs]),
        adjusted=_rows([pair.adjusted for pair in pairs]),
        played=np.concatenate([pair.played for pair in pairs]),
        tallies=add_tallies([pair.tallies for pair in pairs]),
    )


class _Seats(NamedTuple):
    """Who plays what on which cards; travels as values."""

    players: NDArray[Any]
    policies: Policies
    rules: HoldemRules
    seed: int

    def play(self, number: int, hands: int) -> SessionPairs:
        """Two sessions of so many hands on a deck set, the seats swapped."""
        deck_set = DeckSet.of(self.seed, number)
        return play_pairs(self.players.copy(), self.rules, deck_set, hands=hands, adjust=True, policies=self.policies)


def _play_some(seats: _Seats, numbers: range) -> list[SessionPairs]:
    """Whole sessions on some deck sets."""
    return [seats.play(number, seats.rules.hands) for number in numbers]


_SETS_AWAY: Final = 32
"""Deck sets to a job on an executor."""


def _pairs(seats: _Seats, hands: int, threads: int | None, executor: Executor | None) -> Iterator[SessionPairs]:
    """Pairs of sessions until all hands are played; the last ones are cut short to fit."""
    left, whole = hands, 2 * seats.rules.hands
    size = _SETS_AWAY if executor else 1
    jobs = (range(at, at + size) for at in count(0, size))
    played: Any = in_order(partial(_play_some, seats), jobs, threads=threads, executor=executor)
    with closing(played) as parts:
        ahead = chain.from_iterable(parts)
        for number in count():
            pair = next(ahead) if left >= whole else seats.play(number, (left + 1) // 2)
            left -= int(pair.played.sum())
            yield pair
            if left <= 0:
                return


def _rows(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Pairs of rows under each other, shorter ones filled up with zeros."""
    longest = max(part.shape[1] for part in parts)
    return np.concatenate([np.pad(part, ((0, 0), (0, longest - part.shape[1]))) for part in parts])


def league(
    players: Sequence[NamedPlayer],
    rules: HoldemRules,
    *,
    hands: int,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Duel]:
    """Everybody against everybody, so many hands each, on the same decks; `progress` is told how many are played."""
    if len(players) < 2:
        raise SettingError(f"a league needs 2 players or more; got {len(players)}")
    names = [player.name for player in players]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingError(f"every player of a league is named once; {twice} is named {names.count(twice)} times")
    duels: list[Duel] = []
    for first, other in combinations(players, 2):

        def told(done: int, before: int = hands * len(duels)) -> None:
            if progress:
                progress(before + done)

        duels.append(
            duel(first, other, rules, hands=hands, seed=seed, threads=threads, executor=executor, progress=told)
        )
    return duels


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's place in a league."""

    name: str
    """The player."""
    mbb_per_hand: Estimate
    """The mean of its duels' results. All duels are dealt the same decks, so its error is that of its sums by deck."""
    of_best: float | None
    """The mean share of what there is to win, over its duels with players of whom that is known."""


def standings(players: Sequence[NamedPlayer], duels: Sequence[Duel]) -> list[Standing]:
    """Everybody's mean mBB/hand over their duels, the best first."""
    rows = [_standing(player.name, [each for each in duels if player.name in each.names]) for player in players]
    return sorted(rows, key=lambda row: -row.mbb_per_hand.mean)


def _standing(name: str, duels: Sequence[Duel]) -> Standing:
    shares = [share for share in (_share(name, each) for each in duels) if share is not None]
    return Standing(
        name=name,
        mbb_per_hand=mean_over_duels(name, [(each.names, each.by_deck) for each in duels]),
        of_best=sum(shares) / len(shares) if shares else None,
    )


def mean_over_duels(name: str, results: Sequence[tuple[tuple[str, str], DeckResults]]) -> Estimate:
    """A player's mean over its duels, given who played and what the first won by deck; all had the same decks."""
    mean, moved = 0.0, np.zeros(max(len(result.won) for _, result in results))
    for names, result in results:
        sign = 1 if names[0] == name else -1
        mean += sign * result.mean / len(results)
        moved[: len(result.won)] += sign * result.deviations / len(results)
    return Estimate(mean=mean, stderr=stderr_of(moved), n=len(moved))


def _share(name: str, each: Duel) -> float | None:
    """What a player won of the most that can be won from the other, where that is known."""
    first = each.names[0] == name
    won = each.mbb_per_hand if first else replace(each.mbb_per_hand, mean=-each.mbb_per_hand.mean)
    share = share_of_best(won, each.names[1 if first else 0], each.rules)
    return None if share is None else share.mean


def rules_for(players: Sequence[NamedPlayer], preset: str | None = None) -> HoldemRules:
    """The rules of a duel: of the preset that is asked for, else of the first champion's own, else of the first preset.

    >>> rules_for([]) == preset_named("pokernet").rules
    True
    """
    if preset is not None:
        return preset_named(preset).rules
    own = (player.preset for player in players if player.preset is not None)
    return next(own, next(iter(PRESETS.values()))).rules
