"""Write the golden playthroughs anew: `make playthroughs`. Read the difference before you commit it."""

from __future__ import annotations

from pathlib import Path

from holecard.blackjack.game.events import play_stacked
from holecard.blackjack.game.rules import Rules
from holecard.cards import RANKS, SUITS
from tests.playthroughs.scripts import LETTERS, SCRIPTS
from tests.playthroughs.transcript import transcript

FOLDER = Path(__file__).parent


def playthrough(name: str) -> str:
    """The text of one playthrough."""
    text, cards, letters = SCRIPTS[name]
    rules = Rules.from_text(text)
    codes = [RANKS.index(card[0]) * 4 + SUITS.index(card[1]) for card in cards.split()]
    events = play_stacked(codes, [LETTERS[letter] for letter in letters], rules)
    return f"# {name.replace('-', ' ')}\nrules {text}\n\n{transcript(events, rules)}"


def main() -> None:
    """Write every file and remove those without a script."""
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in SCRIPTS:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
    print(f"wrote {len(SCRIPTS)} playthroughs")


if __name__ == "__main__":
    main()
