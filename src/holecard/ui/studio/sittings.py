"""Hold'em against any player: a sitting is its players, its table, its seed and your moves, played again at every call.

Nothing has to be kept: whoever has the address has the sitting. The last ones are remembered all the same, so that a
move at hand 500 takes no longer than the first. What the opponent holds, saw and thought is in no answer before a
showdown; how far its memory has moved is told of hands that are over.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from typing import Any, Final

from holecard.errors import HolecardError, IllegalAction
from holecard.estimate import finite
from holecard.holdem.arena.sitting import Sitting
from holecard.holdem.exploit.menu import DEFAULT_MENU
from holecard.holdem.game.actions import Acted, Shown
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.ui.studio.body import BadRequest
from holecard.ui.studio.duels import cards_json, event_text
from holecard.ui.studio.holdem_players import RUN, make_ready, read_player, take_seat
from holecard.ui.studio.judged import HERO, YOU, memory_json, thought_json, verdicts, why_unknown
from holecard.ui.studio.page import Call, Studio

_LONGEST: Final = 60_000
"""Characters of all moves of a sitting."""
_MOVE: Final = re.compile(r"[fca]|n|r[0-9]{1,13}")
_MOST_KEPT: Final = 32
"""Sittings that are remembered."""
_NEXT: Final = "n"
Key = tuple[str, str, int]
"""Opponent, table, seed."""


class Remembered:
    """The last sittings with the moves that led to them; one that is being played is taken out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, tuple[Sitting, list[str]]] = OrderedDict()

    def take(self, key: Key, moves: list[str]) -> tuple[Sitting, list[str]] | None:
        """The sitting, if it has come no farther than these moves, and the moves it has seen."""
        with self._lock:
            found = self._kept.pop(key, None)
        return found if found is not None and moves[: len(found[1])] == found[1] else None

    def put(self, key: Key, sitting: Sitting, moves: list[str]) -> None:
        """Remember a sitting; the one that was not played for longest is dropped."""
        with self._lock:
            self._kept[key] = (sitting, moves)
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)


def _remembered(studio: Studio) -> Remembered:
    found: Remembered = studio.shared.setdefault("sittings", Remembered())
    return found


def take_place(call: Call) -> dict[str, Any]:
    """An opponent sits down: what it plays by is loaded, or worked out, before the first card."""
    key, _ = _asked(call, moves=False)
    rules = preset_named(key[1]).rules
    make_ready(call, key[0], rules)
    return {"opponent": key[0], "words": rules.in_words, "hands": rules.hands, "unknown": why_unknown(key[0], 0)}


def sit(call: Call) -> dict[str, Any]:
    """The table after your moves, as you see it."""
    key, moves = _asked(call)
    sitting = _played(call, key, moves)
    try:
        return _seen(sitting, key)
    finally:
        _remembered(call.studio).put(key, sitting, moves)


def sit_costs(call: Call) -> dict[str, Any]:
    """What the best response would have done at your decisions of this hand, where it is known."""
    key, moves = _asked(call)
    sitting = _played(call, key, moves)
    try:
        return verdicts(sitting, [YOU, key[0]], (0,), call.job)
    finally:
        _remembered(call.studio).put(key, sitting, moves)


def _asked(call: Call, *, moves: bool = True) -> tuple[Key, list[str]]:
    body = call.body
    seed = body.whole("seed", 0, 2**32 - 1)
    key = read_player(call, "opponent"), body.choice("preset", PRESETS), seed
    return key, _split(body.text("moves", "", longest=_LONGEST)) if moves else []


def _split(text: str) -> list[str]:
    """The moves of a text such as `cr300fn`."""
    found = _MOVE.findall(text)
    if "".join(found) != text:
        raise BadRequest(
            "moves are f (fold), c (check or call), r300 (raise to 300), a (all-in), n (next hand) in a row"
        )
    return found


def _new(call: Call, key: Key) -> Sitting:
    opponent, preset, seed = key
    rules = preset_named(preset).rules
    return Sitting(rules, (None, take_seat(call, opponent, seed=seed, buy_in=rules.stack)), seed)


def _played(call: Call, key: Key, moves: list[str]) -> Sitting:
    """The sitting after these moves; one that cannot be made is refused, and what came before it is remembered."""
    known = _remembered(call.studio).take(key, moves)
    sitting, done = known if known is not None else (_new(call, key), [])
    for at in range(len(done), len(moves)):
        try:
            call.job.check()
            _make(sitting, moves[at])
        except BaseException as problem:
            _remembered(call.studio).put(key, sitting, moves[:at])
            if isinstance(problem, HolecardError):
                raise type(problem)(f"move {at + 1:,}, hand {sitting.number + 1}: {problem}") from None
            raise
    return sitting


def _make(sitting: Sitting, move: str) -> None:
    if move == _NEXT:
        sitting.next_hand()
    elif sitting.hand.is_over:
        raise IllegalAction("the hand is over; n deals the next one")
    else:
        sitting.act(sitting.hand.legal_actions().parse(move))


def _seen(sitting: Sitting, key: Key) -> dict[str, Any]:
    """What you may see, as JSON."""
    hand, names = sitting.hand, [HERO, key[0]]
    view = hand.view(0)
    shown = any(isinstance(event, Shown) and event.seat == 1 for event in view.events)
    return {
        "opponent": key[0],
        "preset": key[1],
        "seed": key[2],
        "words": sitting.rules.in_words,
        "hand": sitting.number + 1,
        "over": hand.is_over,
        "is_last": sitting.is_last,
        "street": str(hand.street),
        "button": hand.button,
        "stacks": list(hand.stacks),
        "bets": list(hand.bets),
        "pot": hand.pot,
        "board": cards_json(hand.board),
        "mine": cards_json(hand.hole(0)),
        "theirs": cards_json(hand.hole(1)) if shown else None,
        "net": hand.payoffs[0] if hand.is_over else None,
        "legal": None if hand.is_over else _legal(sitting),
        "events": _events(sitting, view.events, names, shown=shown),
        "totals": _totals(sitting),
        "memory": memory_json(sitting.thoughts[1]),
        "unknown": why_unknown(key[0], sitting.number),
        "command": _command(sitting, key),
    }


def _command(sitting: Sitting, key: Key) -> str | None:
    """The same sitting in the terminal; a run's player has another name there."""
    opponent, preset, seed = key
    if opponent.startswith(RUN):
        return None
    return f"holecard holdem play --opponent {opponent} --preset {preset} --seed {seed} --hands {sitting.rules.hands}"


def _legal(sitting: Sitting) -> dict[str, Any]:
    """What you may do, with the menu's sizes."""
    legal, record = sitting.hand.legal_actions(), sitting.hand.record
    return {
        "words": str(legal),
        "fold": legal.to_call > 0,
        "call": f"Call {legal.to_call:,}" if legal.to_call else "Check",
        "least": legal.min_raise_to or None,
        "most": legal.max_raise_to or None,
        "sizes": [
            {"word": _size(word), "to": to}
            for to, word in (DEFAULT_MENU.raises(record, sitting.rules.stakes) if legal.can_raise else {}).items()
        ],
    }


def _size(word: str) -> str:
    return {"min": "minimum", "1": "pot", "1/2": "½ pot", "all-in": "all-in"}.get(word, f"{word} pots")


def _events(sitting: Sitting, events: tuple[object, ...], names: list[str], *, shown: bool) -> list[dict[str, Any]]:
    """What has happened; why the opponent did what it did, only once its cards lie open."""
    decisions, found = iter(sitting.decisions), []
    for event in events:
        each: dict[str, Any] = {"text": event_text(event, names)}
        if isinstance(event, Acted):
            decision = next(decisions)
            open_now = shown and decision.seat == 1
            each |= {
                "seat": decision.seat,
                "pot": decision.pot,
                "why": decision.why if open_now else "",
                "thought": thought_json(decision) if open_now else None,
            }
        found.append(each)
    return found


def _totals(sitting: Sitting) -> dict[str, Any]:
    earned = sitting.earned
    won, chips = [], 0
    for result in sitting.results:
        chips += result
        won.append(chips / sitting.rules.big_blind)
    return {
        "hands": earned.n,
        "chips": chips,
        "mbb": earned.mean if earned.n else None,
        "stderr": finite(earned.stderr),
        "by_hand": won,
    }
