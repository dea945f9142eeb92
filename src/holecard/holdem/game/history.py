"""A finished (or unfinished) hand as a value: who sat where, the cards, the moves. It replays, and is read and written
as PHH (Kim 2024, "Recording and describing poker hands"), the TOML format that PokerKit plays.

PHH heads-up numbers the players by position: `p1` posts the big blind, `p2` has the button and the small blind. Seat
numbers are kept in the field `_button`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from holecard.cards import cards_text, parse_cards
from holecard.errors import FileProblem, HolecardError
from holecard.files import read_text, write_file
from holecard.holdem.game.actions import Acted, BoardDealt, Kind, Posted, Shown, hole_text
from holecard.holdem.game.betting import BOARD, CALL, FOLD, cards_dealt, other_seat
from holecard.holdem.game.hand import UNKNOWN, HandState
from holecard.holdem.game.rules import MOST_CHIPS, HoldemRules, Stakes

_PLAYABLE: Final = "a heads-up no-limit hold'em PHH file has variant NT, two stacks, blinds and a list of actions"
_SHOWN: Final = 60
"""Characters of a damaged field that a message repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """All that is needed to play a hand again."""

    stakes: Stakes
    """Blinds and ante."""
    button: int
    """The seat with the button."""
    stacks: tuple[int, int]
    """Chips before the hand, by seat."""
    cards: tuple[int, ...]
    """Seat 0's two, seat 1's two, the board's five; UNKNOWN where nobody wrote them down."""
    moves: tuple[int, ...]
    """The players' moves in order, as the betting rules take them."""
    players: tuple[str, str] = ("seat 0", "seat 1")
    """Names, by seat."""

    @classmethod
    def of(cls, hand: HandState, players: tuple[str, str] = ("seat 0", "seat 1")) -> HandHistory:
        """The history of a hand so far, undealt board cards left out."""
        record = hand.record
        return cls(
            stakes=hand.stakes,
            button=hand.button,
            stacks=(int(record["start"][0]), int(record["start"][1])),
            cards=cards_seen(record),
            moves=hand.moves,
            players=players,
        )

    def states(self) -> Iterator[HandState]:
        """The hand after the deal and after each move: one state, moved on; an impossible move is refused."""
        rules = HoldemRules(**self.stakes._asdict())
        hand = HandState(rules, button=self.button, stacks=self.stacks, cards=self.cards)
        yield hand
        for move in self.moves:
            hand.apply(hand.legal_actions().of_move(move))
            yield hand

    def replay(self) -> HandState:
        """The hand after its last move."""
        *_, last = self.states()
        return last

    def to_phh(self) -> str:
        """The hand as PHH text."""
        by_position = (other_seat(self.button), self.button)
        lines = [
            "variant = 'NT'",
            "ante_trimming_status = true",
            f"antes = [{self.stakes.ante}, {self.stakes.ante}]",
            f"blinds_or_straddles = [{self.stakes.small_blind}, {self.stakes.big_blind}]",
            f"min_bet = {self.stakes.big_blind}",
            f"starting_stacks = {[self.stacks[seat] for seat in by_position]}",
            f"actions = {self._phh_actions(by_position)}",
            f"players = {[_plain(self.players[seat]) for seat in by_position]}",
            f"_button = {self.button}",
        ]
        return "\n".join(lines) + "\n"

    def _phh_actions(self, by_position: tuple[int, int]) -> list[str]:
        hand = self.replay()
        name = {seat: f"p{position}" for position, seat in enumerate(by_position, start=1)}
        actions = []
        for seat in by_position:
            hole = hand.hole(seat)
            actions.append(f"d dh {name[seat]} {hole_text(None if UNKNOWN in hole else hole)}")
        first = _first_to_show(hand)
        shown = sorted((e for e in hand.events if isinstance(e, Shown)), key=lambda event: event.seat != first)
        shows = [f"{name[event.seat]} sm {cards_text(event.cards)}" for event in shown]
        moves_left = len(self.moves)
        for event in hand.events:
            if isinstance(event, Acted):
                moves_left -= 1
                actions.append(f"{name[event.seat]} {_phh_move(event)}")
            elif isinstance(event, BoardDealt):
                if moves_left == 0:  # all-in: hands are turned over before the rest of the board
                    actions += shows
                    shows = []
                actions.append(f"d db {cards_text(event.cards)}")
        return actions + shows

    @classmethod
    def from_phh(cls, text: str, source: str = "PHH text") -> HandHistory:
        """The hand of a PHH text; what cannot be read or played is refused with the reason."""
        try:
            fields = tomllib.loads(text)
            history, actors = cls._from_fields(fields)
            history._verify(actors)
        except (tomllib.TOMLDecodeError, RecursionError) as problem:
            raise FileProblem(f"{source} is not PHH: {problem}") from problem
        except (KeyError, TypeError, ValueError, IndexError) as problem:
            reason = f"no {problem}" if isinstance(problem, KeyError) else problem
            raise FileProblem(f"{source} is not a hand this game can play ({reason}); {_PLAYABLE}") from problem
        except HolecardError as problem:
            raise FileProblem(f"{source} cannot be replayed: {problem}") from problem
        return history

    @classmethod
    def _from_fields(cls, fields: dict[str, Any]) -> tuple[HandHistory, list[int]]:
        """The hand, not yet played, and the seats that are said to have made its moves."""
        chips = _numbers(fields, "starting_stacks")
        if fields["variant"] != "NT" or len(chips) != 2:
            raise ValueError(f"variant {fields['variant']!r} with {len(chips)} players")
        antes, blinds = _numbers(fields, "antes"), _numbers(fields, "blinds_or_straddles")
        if antes[0] != antes[1]:
            raise ValueError(f"unequal antes {antes}")
        button_position = 1 if blinds[0] <= blinds[1] else 0
        button = fields.get("_button", button_position)
        if button not in (0, 1):
            raise ValueError(f"_button {button!r}, not 0 or 1")
        seat_of = {f"p{button_position + 1}": button, f"p{2 - button_position}": other_seat(button)}
        stacks = {seat_of[f"p{at + 1}"]: stack for at, stack in enumerate(chips)}
        players = _texts(fields, "players") if "players" in fields else ["p1", "p2"]
        names = {seat_of[f"p{at + 1}"]: name for at, name in enumerate(players)}
        if len(players) != 2:
            raise ValueError(f"{len(players)} names for two players")
        cards, moves, actors = _read_actions(_texts(fields, "actions"), seat_of)
        history = cls(
            stakes=Stakes(min(blinds), max(blinds), antes[0]),
            button=button,
            stacks=(stacks[0], stacks[1]),
            cards=cards,
            moves=moves,
            players=(names[0], names[1]),
        )
        return history, actors

    def _verify(self, actors: Sequence[int]) -> None:
        """Play the hand; a move that cannot be made, or not by that seat, is refused."""
        states = self.states()
        for number, actor in enumerate(actors, 1):
            if next(states).actor != actor:
                raise ValueError(f"move {number} is made out of turn")
        next(states)

    def save(self, path: Path) -> None:
        """Write the hand as a PHH file."""
        write_file(path, self.to_phh())

    @classmethod
    def load(cls, path: Path) -> HandHistory:
        """Read a PHH file."""
        return cls.from_phh(read_text(path), str(path))


def cards_seen(hand: Any) -> tuple[int, ...]:
    """The cards of a `HAND` record, UNKNOWN for those of the board that were not dealt."""
    dealt = BOARD + cards_dealt(int(hand["street"]))
    return tuple(int(card) if at < dealt else UNKNOWN for at, card in enumerate(hand["card"]))


def _plain(name: str) -> str:
    return "".join(character for character in name if character.isprintable() and character not in "'\"\\")


def _phh_move(event: Acted) -> str:
    if event.action.kind == Kind.FOLD:
        return "f"
    return f"cbr {event.action.raise_to}" if event.action.kind == Kind.RAISE else "cc"


def _first_to_show(hand: HandState) -> int:
    """Who bet last on the last street with a decision; without a bet, who was first to act there (PokerKit's order)."""
    blinds = {event.seat: event.blind for event in hand.events if isinstance(event, Posted)}
    big = other_seat(hand.button)
    first = hand.button if blinds[big] > blinds[hand.button] else big
    moves_left = len(hand.moves)
    for event in hand.events:
        if isinstance(event, BoardDealt) and moves_left > 0:
            first = big
        elif isinstance(event, Acted):
            moves_left -= 1
            if event.action.kind == Kind.RAISE:
                first = event.seat
    return first


def _numbers(fields: dict[str, Any], name: str) -> list[int]:
    """A field that is a list of two chips or more; halves of a chip and words are refused."""
    found = fields[name]
    if not isinstance(found, list) or len(found) < 2 or not all(isinstance(each, int | float) for each in found):
        raise ValueError(f"{name} must be a list of numbers, one for each player; it is {str(found)[:_SHOWN]}")
    if not all(0 <= each <= MOST_CHIPS and each == int(each) for each in found):
        raise ValueError(f"{name} must be whole numbers from 0 to {MOST_CHIPS:,}; they are {str(found)[:_SHOWN]}")
    return [int(each) for each in found]


def _texts(fields: dict[str, Any], name: str) -> list[str]:
    """A field that is a list of texts."""
    found = fields[name]
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(f"{name} must be a list of texts; it is {str(found)[:_SHOWN]}")
    return found


def _read_actions(
    actions: Sequence[str], seat_of: dict[str, int]
) -> tuple[tuple[int, ...], tuple[int, ...], list[int]]:
    """The nine cards, the moves, and the seats that made them."""
    cards = [UNKNOWN] * 9
    board = BOARD
    moves: list[int] = []
    actors: list[int] = []
    for line in actions:
        words = line.partition("#")[0].split()
        match words:
            case ["d", "dh", player, hole] if "?" not in hole:
                seat = seat_of[player]
                cards[2 * seat : 2 * seat + 2] = parse_cards(hole)
            case ["d", "dh", _, _] | []:
                pass
            case ["d", "db", dealt]:
                fresh = parse_cards(dealt)
                cards[board : board + len(fresh)] = fresh
                board += len(fresh)
            case [player, "sm", *shown]:
                if shown and "?" not in shown[0] and shown[0] != "-":
                    seat = seat_of[player]
                    cards[2 * seat : 2 * seat + 2] = parse_cards(shown[0])
            case [player, "f"]:
                moves.append(FOLD)
                actors.append(seat_of[player])
            case [player, "cc"]:
                moves.append(CALL)
                actors.append(seat_of[player])
            case [player, "cbr", chips] if chips.isdecimal() and int(chips) > 0:
                moves.append(int(chips))
                actors.append(seat_of[player])
            case _:
                raise ValueError(f"unknown action {line[:_SHOWN]!r}")
    return tuple(cards), tuple(moves), actors
