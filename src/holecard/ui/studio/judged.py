"""Decisions of a hand judged by the best response, where that is known, and a network's memory, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from holecard.errors import SettingError
from holecard.holdem.arena.sitting import Decision, Sitting
from holecard.holdem.exploit.decision import ActionValues, action_values, unknown_because
from holecard.holdem.exploit.menu import DEFAULT_MENU
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.holdem.players.seated import Thought
from holecard.ui.studio.work import Job

YOU: Final = "you"
"""Whom a person's opponent plays."""
HERO: Final = "hero"
"""The person's name in what is told of a hand, as in the terminal."""


def verdicts(sitting: Sitting, names: Sequence[str], judged: Sequence[int], job: Job) -> dict[str, Any]:
    """What the best response to the other player would do at every decision of the judged seats, and what it costs.

    By the decision's number in the hand, with the sums by seat, in big blinds; None of a seat that decided nothing, or
    whose opponent's best response is not known.
    """
    found: dict[int, dict[str, Any]] = {}
    costs: tuple[list[float | None], list[float | None]] = ([], [])
    for at, decision in enumerate(sitting.decisions):
        if decision.seat in judged:
            job.check()
            found[at] = _verdict(sitting, at, names[1 - decision.seat], job)
            costs[decision.seat].append(found[at].get("cost"))
    return {
        "verdicts": {str(at): each for at, each in found.items()},
        "given_away": [sum(each) if each and None not in each else None for each in costs],
    }


def why_unknown(opponent: str, hand_number: int) -> str | None:
    """Why nobody can say what is best against a player; None where it is known."""
    if opponent == YOU:
        return "nobody knows how you play"
    player = RULE_PLAYERS.get(opponent)
    if player is None:
        return f"{opponent} looks at its cards; what is best against it is not known decision by decision"
    return unknown_because(player, hand_number)


def _verdict(sitting: Sitting, at: int, opponent: str, job: Job) -> dict[str, Any]:
    reason = why_unknown(opponent, sitting.number)
    if reason is not None:
        return {"known": False, "words": f"not known: {reason}"}
    hand = sitting.replayed(at)
    taken = sitting.decisions[at].action
    try:
        found = action_values(RULE_PLAYERS[opponent], hand, taken, hand_number=sitting.number, check=job.check)
    except SettingError as problem:
        return {"known": False, "words": f"not known: {problem}"}
    return _known(found, sitting.rules.big_blind)


def _known(found: ActionValues, big_blind: int) -> dict[str, Any]:
    cost = found.cost / big_blind
    best, taken = found.actions[found.best], found.actions[found.taken]
    sizes = "no raise of any size wins more" if found.all_sizes else f"the best of {DEFAULT_MENU}"
    good = found.best == found.taken
    words = f"{taken}: nothing is better" if good else f"{best} wins {cost:.4f} big blinds more than {taken}"
    return {
        "known": True,
        "good": good,
        "best": str(best),
        "taken": str(taken),
        "cost": 0.0 if good else cost,
        "values": [
            {"action": str(action), "value": chips / big_blind, "best": at == found.best, "taken": at == found.taken}
            for at, (action, chips) in enumerate(zip(found.actions, found.chips, strict=True))
        ],
        "words": f"{words} ({sizes})",
    }


def thought_json(decision: Decision) -> dict[str, float] | None:
    """What a network answered at a decision, and where its memory stood."""
    return None if decision.thought is None else decision.thought._asdict()


def memory_json(thoughts: Sequence[Thought | None]) -> dict[str, Any] | None:
    """How far a network's memory was from the session's beginning after each hand; None of other players."""
    known = [each for each in thoughts if each is not None]
    if not known:
        return None
    first, last = known[0], known[-1]
    return {
        "opponent": [None if each is None else each.opponent for each in thoughts],
        "game": [None if each is None else each.game for each in thoughts],
        "words": (
            f"What it remembers of its opponent (10 cells) is {last.opponent:.3f} away from where the session began; "
            f"after its first hand it was {first.opponent:.3f}. What it remembers of the hand (50 cells) starts "
            f"afresh in every hand; after the last it was {last.game:.3f} away."
        ),
    }
