"""Golden hands as text; `python -m tests.holdem.game.test_playthroughs` from the repository's root writes them anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.seated import seated

FOLDER = Path(__file__).parent / "playthroughs"
MATCHES = [("smart", "hothead-maniac"), ("candid-statistician", "loose-aggressive"), ("scared-limper", "min-raiser")]


def playthrough(first, second):
    """Four hands between two opponents, every event and every reason."""
    rules = replace(preset_named("pokernet").rules, ante=1)
    players = [seated(name, seed=at, buy_in=rules.stack) for at, name in enumerate((first, second))]
    lines = []
    for number in range(4):
        hand = HandState(rules, button=number & 1, cards=deal_cards(2026, number))
        lines.append(f"hand {number + 1}: seat 0 {first}, seat 1 {second}")
        told = 0
        while True:
            lines += [f"  {event}" for event in hand.events[told:]]
            told = len(hand.events)
            if hand.actor is None:
                break
            player = players[hand.actor]
            hand.apply(player.act(hand.view(hand.actor), number))
            lines.append(f"    ({player.last_reason})")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("first", "second"), MATCHES)
def test_hands_play_as_they_always_have(first, second):
    expected = (FOLDER / f"{first}--{second}.txt").read_text(encoding="utf-8")
    assert playthrough(first, second) == expected


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for match in MATCHES:
        (FOLDER / f"{'--'.join(match)}.txt").write_text(playthrough(*match), encoding="utf-8")
