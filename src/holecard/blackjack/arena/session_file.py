"""A watched session as a file: versioned JSON that the engine plays again when it is read, so it cannot lie.

A round is kept as its cards in the order they were dealt and what was done; its events are what the engine makes of
them. Money, decisions and a checksum must agree with that, or the file is refused.
"""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.arena.watched import Decision, WatchedRound, WatchedSession
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Acted, Event, Over, cards_in_order, play_stacked
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.table_view import checked_bets
from holecard.cards import RANKS, SUITS, cards_text
from holecard.errors import FileProblem, HolecardError
from holecard.files import write_json

FORMAT: Final = "holecard session"
VERSION: Final = 1
MAX_BYTES: Final = 200_000_000
_CENT: Final = 1e-6


def save_session(session: WatchedSession, path: Path) -> None:
    """Write a session; a file in the way is replaced."""
    body = {
        "agent": session.agent,
        "rules": str(session.rules),
        "seed": session.seed,
        "bet": session.bet,
        "bankroll": None if session.bankroll == math.inf else session.bankroll,
        "rounds": [_plain_round(each) for each in session.rounds],
    }
    whole = {"format": FORMAT, "version": VERSION, "checksum": _checksum(body), **body}
    write_json(path, whole, indent=1)


def load_session(path: Path) -> WatchedSession:
    """The session of a file, every round of it played again by the engine."""
    body = _read(path)
    try:
        return _session(body)
    except (HolecardError, KeyError, TypeError, ValueError, IndexError, OverflowError) as problem:
        reason = f"no {problem}" if isinstance(problem, KeyError) else str(problem)
        raise FileProblem(f"{path} is a damaged session: {reason}; save it again") from None


def _read(path: Path) -> dict[str, Any]:
    """What stands in the file, if it is a session of a version we know and nothing in it has changed."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileProblem(f"{path} is no saved session: over {MAX_BYTES // 1_000_000} MB")
        whole = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileProblem(f"no session at {path}; save one with S on the results screen of holecard watch") from None
    except OSError as problem:
        raise FileProblem(f"cannot read {path}: {problem.strerror}") from None
    except (ValueError, RecursionError):
        raise FileProblem(f"{path} is no saved session: it is not JSON, or cut short") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise FileProblem(f"{path} is no saved session of holecard watch: it does not say format {FORMAT!r}")
    if whole.get("version") != VERSION:
        raise FileProblem(f"{path} is a session of version {whole.get('version')}; this program reads {VERSION}")
    body = {name: value for name, value in whole.items() if name not in ("format", "version", "checksum")}
    if whole.get("checksum") != _checksum(body):
        raise FileProblem(f"{path} is a damaged session: its checksum does not fit; save it again")
    return body


def _checksum(body: dict[str, Any]) -> str:
    text = json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_round(each: WatchedRound) -> dict[str, Any]:
    plain = {
        "cards": cards_text(cards_in_order(each.events)),
        "purse": each.purse,
        "net": each.net,
        "bankroll": None if each.bankroll == math.inf else each.bankroll,
        "decisions": [_plain_decision(decision) for decision in each.decisions],
    }
    return plain if each.bets == 1.0 else plain | {"bets": each.bets}


def _plain_decision(decision: Decision) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "seat": decision.hand,  # files of version 1 call a hand a seat
        "spot": decision.spot,
        "action": decision.action.word,
        "evs": {action.word: ev for action, ev in decision.evs},
        "reason": decision.reason,
    }
    return plain | {"fresh": True} if decision.fresh else plain


def _session(body: dict[str, Any]) -> WatchedSession:
    rules, bet = Rules.from_text(_text(body["rules"])), float(body["bet"])
    bankroll = math.inf if body["bankroll"] is None else float(body["bankroll"])
    if not 0 < bet < math.inf or not bankroll >= bet:
        raise ValueError(f"a bet of {bet:g} on a bankroll of {bankroll:g}")
    rounds: list[WatchedRound] = []
    money = bankroll
    for number, plain in enumerate(body["rounds"], start=1):
        rounds.append(_round(plain, number, rules, bet, money))
        money = rounds[-1].bankroll
    if not rounds:
        raise ValueError("it has no rounds")
    return WatchedSession(
        agent=_text(body["agent"]),
        rules=rules,
        seed=int(body["seed"]),
        bet=bet,
        bankroll=bankroll,
        rounds=tuple(rounds),
    )


def _round(plain: dict[str, Any], number: int, rules: Rules, bet: float, money: float) -> WatchedRound:
    decisions = tuple(_decision(each) for each in plain["decisions"])
    actions = [decision.action for decision in decisions]
    events = play_stacked(_cards(_text(plain["cards"])), actions, rules, int(plain["purse"]))
    acted = [event.hand for event in events if isinstance(event, Acted)]
    if not isinstance(events[-1], Over) or acted != [decision.hand for decision in decisions]:
        raise ValueError(f"round {number} does not end where its decisions do")
    net, bets = float(plain["net"]), checked_bets(plain.get("bets", 1.0))
    won = _net(events) * bets * bet
    if abs(won - net) > _CENT * bet:
        raise ValueError(f"round {number} pays {won:g} and not {net:g}")
    bankroll = math.inf if plain["bankroll"] is None else float(plain["bankroll"])
    if money != math.inf and abs(money + net - bankroll) > _CENT * bet:
        raise ValueError(f"round {number} leaves {money + net:g} and not {bankroll:g}")
    return WatchedRound(
        number=number,
        events=events,
        decisions=decisions,
        net=net,
        bankroll=bankroll,
        purse=int(plain["purse"]),
        bets=bets,
    )


def _net(events: tuple[Event, ...]) -> float:
    return next(event.net for event in events if isinstance(event, Over))


def _decision(plain: dict[str, Any]) -> Decision:
    evs = tuple((Action.parse(name), float(ev)) for name, ev in plain["evs"].items())
    action = Action.parse(_text(plain["action"]))
    if action not in dict(evs) or not all(math.isfinite(ev) for _, ev in evs):
        raise ValueError(f"the EVs of a {action.word} are missing")
    return Decision(
        hand=int(plain["seat"]),
        spot=_text(plain["spot"]),
        action=action,
        evs=evs,
        reason=_text(plain["reason"]),
        fresh=bool(plain.get("fresh", False)),
    )


def _cards(text: str) -> list[int]:
    """Card codes of a text such as `AhTd`; several decks hold the same card more than once."""
    if len(text) % 2:
        raise ValueError("cards are a rank and a suit each")
    return [RANKS.index(text[at]) * 4 + SUITS.index(text[at + 1]) for at in range(0, len(text), 2)]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is {value!r}")
    return value
