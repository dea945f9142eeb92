"""Hold'em: exact equities of hands and ranges on the 13 × 13 grid, push or fold, duels, a seat at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Final

import numpy as np

from holecard.cards import cards_text, parse_cards
from holecard.errors import CardError
from holecard.holdem.equilibrium.push_fold import PushFold, solve_push_fold
from holecard.holdem.equities.equity import Equity, equity, verify_spot
from holecard.holdem.equities.ranges import Hole, Range, parse_range, starting_hand_name
from holecard.holdem.equities.starting_hands import (
    BOARDS_OF_TWO_HANDS,
    STARTING_HAND_NAMES,
    all_holes,
    combinations,
    disjoint_combinations,
    matchup_wins,
)
from holecard.ui.hand_grid import grid_names
from holecard.ui.push_fold import share_of_hands, solution_json
from holecard.ui.studio.duels import duel_costs, duel_hand
from holecard.ui.studio.holdem_players import choices
from holecard.ui.studio.page import Call, Endpoint, Page
from holecard.ui.studio.sittings import sit, sit_costs, take_place
from holecard.ui.studio.work import Job

_LONGEST: Final = 1500
"""Characters of a range."""
_MOST_SHOWDOWNS: Final = 2_500_000_000
"""Showdowns that one answer may count: some ten seconds."""
_LEAST_OF_A_PAIR: Final = 8_000
"""What two hands count at least: calling a kernel takes time too."""
_ALL_HANDS: Final = 1326
_NUMBER: Final = {name: number for number, name in enumerate(STARTING_HAND_NAMES)}
_COMBINATIONS: Final = dict(zip(STARTING_HAND_NAMES, map(int, combinations()), strict=True))

Counts = dict[str, tuple[int, int, int]]
"""Wins, ties and all ways, by the name of the starting hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """What was asked: hands, against which, on which board."""

    mine: Range
    """The player's hands."""
    against: Range
    """The other's."""
    board: tuple[int, ...]
    """0, 3, 4 or 5 cards."""


def equity_of(call: Call) -> dict[str, Any]:
    """Wins, ties and losses of a hand or range, in all and by starting hand."""
    mine = parse_range(call.body.text("mine", longest=_LONGEST))
    spot = _spot(call, mine)
    found = _counts(spot, call.job)
    one = len(mine.hands) == 1
    return {
        **_ways(*(sum(each) for each in zip(*found.values(), strict=True))),
        "board": [cards_text([card]) for card in spot.board],
        "mine": _range_json(mine),
        "against": _range_json(spot.against),
        "hole": [cards_text([card]) for card in parse_cards(mine.text.strip())] if one else None,
        "options": _options(spot) if one else None,
    }


def grid_of(call: Call) -> dict[str, Any]:
    """The same of every starting hand: the grid's colours."""
    spot = _spot(call, Range("random", tuple(all_holes())))
    found = _counts(spot, call.job)
    return {
        "names": grid_names(),
        "hands": {name: _ways(*found[name]) if name in found else None for name in STARTING_HAND_NAMES},
    }


def push_or_fold(call: Call) -> dict[str, Any]:
    """Both charts of push or fold at a stack, solved exactly."""
    stack, ante = call.body.number("stack", 0, 10_000), call.body.number("ante", 0, 1_000, default=0.0)
    solution = solve_push_fold(PushFold(stack=stack, ante=ante))
    found = solution_json(solution, None)
    return {
        **found,
        "names": grid_names(),
        "words": solution.game.in_words,
        "shares": {key: share_of_hands(found[key]) for key in ("push", "call")},
        "options": f"--stack {stack:g}" + (f" --ante {ante:g}" if ante else ""),
    }


def _spot(call: Call, mine: Range) -> Spot:
    board = tuple(parse_cards(call.body.text("board", "", longest=40)))
    left = mine.hands if len(mine.hands) == 1 else mine.without(set(board))
    against = parse_range(call.body.text("against", "random", longest=_LONGEST))
    for hand in {*mine.hands, *against.hands}:
        if hand[0] == hand[1]:
            raise CardError(f"{cards_text(hand)} is one card twice; a deck has one of each")
    if not left:
        raise CardError(f"no hand of {str(mine)[:80]!r} is left: {cards_text(board)} are already dealt")
    verify_spot(left[0], board)
    return Spot(mine=Range(mine.text, left), against=against, board=board)


def _counts(spot: Spot, job: Job) -> Counts:
    """What each starting hand of the player's wins, ties and could come to."""
    if not spot.board and _is_whole(spot.mine) and _is_whole(spot.against):
        return _counts_of_kinds(spot)
    _refuse_long(spot)
    found = _counts_against_one(spot, job) if len(spot.against.hands) == 1 else _counts_by_hand(spot, job)
    if not found:
        raise CardError(
            f"no hand of {str(spot.against)[:80]!r} is left: its cards are already dealt or held by the other player"
        )
    return found


def _counts_of_kinds(spot: Spot) -> Counts:
    """Before the flop, of whole starting hands: sums of the stored table of all matchups."""
    columns = sorted({_NUMBER[starting_hand_name(hand)] for hand in spot.against.hands})
    wins, deals = matchup_wins(), disjoint_combinations() * BOARDS_OF_TWO_HANDS
    found = {}
    for name in dict.fromkeys(starting_hand_name(hand) for hand in spot.mine.hands):
        row = _NUMBER[name]
        win, lose, total = (int(np.sum(part)) for part in (wins[row, columns], wins[columns, row], deals[row, columns]))
        if total:
            found[name] = (win, total - win - lose, total)
    return found


def _counts_against_one(spot: Spot, job: Job) -> Counts:
    """Seen from the other side: the one hand against every starting hand."""
    other = spot.against.hands[0]
    verify_spot(other, spot.board)
    found = {}
    for name, hands in _by_kind(spot.mine.hands).items():
        job.check()
        their = Range(name, tuple(hands))
        if their.without({*other, *spot.board}):
            seen = equity(other, spot.board, against=their)
            found[name] = (seen.lose, seen.tie, seen.total)
    return found


def _counts_by_hand(spot: Spot, job: Job) -> Counts:
    found: Counts = {}
    for name, hands in _by_kind(spot.mine.hands).items():
        ways = [0, 0, 0]
        for hand in hands:
            job.check()
            if spot.against.without({*hand, *spot.board}):
                seen = equity(hand, spot.board, against=spot.against)
                ways = [ways[0] + seen.win, ways[1] + seen.tie, ways[2] + seen.total]
        if ways[2]:
            found[name] = (ways[0], ways[1], ways[2])
    return found


def _refuse_long(spot: Spot) -> None:
    if len(spot.against.hands) == _ALL_HANDS:
        return
    boards = comb(48 - len(spot.board), 5 - len(spot.board))
    pairs = len(spot.mine.hands) * len(spot.against.hands)
    if pairs * max(boards, _LEAST_OF_A_PAIR) > _MOST_SHOWDOWNS:
        most = _MOST_SHOWDOWNS // max(boards, _LEAST_OF_A_PAIR)
        raise CardError(
            f"{len(spot.mine.hands):,} hands against {len(spot.against.hands):,} are {pairs:,} pairs; on this board at "
            f"most {most:,} are counted: name fewer hands, more of the board, or, before the flop, whole starting hands"
        )


def _by_kind(hands: Sequence[Hole]) -> dict[str, list[Hole]]:
    found: dict[str, list[Hole]] = {}
    for hand in hands:
        found.setdefault(starting_hand_name(hand), []).append(hand)
    return found


def _is_whole(range_: Range) -> bool:
    """True if every starting hand in it is there in all its suits."""
    return all(len(hands) == _COMBINATIONS[name] for name, hands in _by_kind(range_.hands).items())


def _ways(win: int, tie: int, total: int) -> dict[str, Any]:
    found = Equity(win=win, tie=tie, lose=total - win - tie)
    return {
        "win": win,
        "tie": tie,
        "lose": found.lose,
        "equity": found.equity,
        "shares": {"win": win / total, "tie": tie / total, "lose": found.lose / total},
    }


def _range_json(range_: Range) -> dict[str, Any]:
    """A range as the grid paints it: by starting hand the parts that write it, and its share of the suits."""
    kinds = _by_kind(range_.hands)
    whole = Counter({name: len(hands) for name, hands in kinds.items()})
    return {
        "hands": len(range_.hands),
        "share": len(range_.hands) / _ALL_HANDS,
        "parts": {
            name: [name] if whole[name] == _COMBINATIONS[name] else [cards_text(hand) for hand in hands]
            for name, hands in kinds.items()
        },
        "painted": {name: count / _COMBINATIONS[name] for name, count in whole.items()},
    }


def _options(spot: Spot) -> str:
    board = f" {cards_text(spot.board)}" if spot.board else ""
    against = "" if len(spot.against.hands) == _ALL_HANDS else f' --against "{spot.against}"'
    return f"{cards_text(spot.mine.hands[0])}{board}{against}"


_DUEL: Final = {"first": "champion:author", "second": "calling-machine", "preset": "author", "seed": 1, "hand": 2}
_PLACE: Final = {"opponent": "call", "preset": "pokernet", "seed": 5}
_SPOT: Final = {"mine": "AhKh", "against": "QQ+,AKs", "board": "2c7h9s"}
PAGE: Final = Page(
    name="holdem",
    title="Hold'em",
    about="Exact equities, when to push or fold, duels hand by hand, and a seat against any player.",
    endpoints=(
        Endpoint(name="equity", answer=equity_of, kept=True, slow=True, example=_SPOT),
        Endpoint(name="grid", answer=grid_of, kept=True, slow=True, example={"against": "QQ", "board": "2c7h9s3dKc"}),
        Endpoint(name="pushfold", answer=push_or_fold, kept=True, example={"stack": 10, "ante": 0}),
        Endpoint(name="players", answer=choices),
        Endpoint(name="duel", answer=duel_hand, slow=True, example=_DUEL),
        Endpoint(name="duelcosts", answer=duel_costs, slow=True, example={**_DUEL, "second": "smart"}),
        Endpoint(name="place", answer=take_place, slow=True, example=_PLACE),
        Endpoint(name="sit", answer=sit, example={**_PLACE, "moves": "cr30ccn"}),
        Endpoint(name="sitcosts", answer=sit_costs, slow=True, example={**_PLACE, "opponent": "smart", "moves": "c"}),
    ),
)
