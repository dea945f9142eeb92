"""`holecard count drill`: cards flash by and you say the count; what to bet, what to play; the price of a mistake."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.errors import HolecardError, SettingError
from holecard.ui.console import out, print_json, warn_if_compiling
from holecard.ui.count import counted, with_count_rules
from holecard.ui.numbers import counts
from holecard.ui.options import Json, Seed

if TYPE_CHECKING:
    from holecard.ui.session.drill import Drill, DrillKind, DrillVerdict, Question


@with_count_rules()
def drill(
    counter: Annotated[
        str, typer.Argument(metavar="[SYSTEM]", help="A count such as hi-lo, ten tags, or a counter's file.")
    ] = "hi-lo",
    ask: Annotated[str, typer.Option(metavar="count|bet|play|all", help="What is asked.")] = "all",
    questions: Annotated[int, typer.Option(parser=counts(1, 10_000), metavar="N", help="How many.")] = 10,
    cards: Annotated[int, typer.Option(parser=counts(1, 52), metavar="N", help="Cards that flash by.")] = 8,
    pace: Annotated[float, typer.Option(min=0.05, max=10, help="Seconds that a card is shown, on a terminal.")] = 0.8,
    seed: Seed = 0,
    window: Annotated[bool, typer.Option("--window", help="Ask in a window; needs pygame-ce.")] = False,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """A counter's drill: the running count as cards flash by, the bet, the play, and what a mistake costs exactly.

    Answers are read line by line; actions may be letters (h, s, d, p, u). Ctrl-D ends the drill.
    """
    from holecard.blackjack.exact import KERNELS
    from holecard.ui.session.drill import KINDS, Drill

    if ask not in (*KINDS, "all"):
        raise SettingError(f"a drill asks for count, bet, play or all; got {ask!r}")
    training = Drill(counter, counted(rules), seed)
    kinds = [each for each in KINDS if ask in (each, "all") and (ask != "all" or training.has(each))]
    warn_if_compiling(*KERNELS)
    if window:
        _summary(_in_window(training, kinds, questions=questions, cards=cards, pace=pace), json)
        return
    answers = []
    for number in range(questions):
        asked = training.question(kinds[number % len(kinds)], number, cards)
        _show(asked, training, pace)
        verdict = _answered(asked)
        if verdict is None:
            break
        answers.append(verdict)
        _say(("right; " if verdict.right else f"wrong, by {verdict.price:+.4f} units: ") + verdict.words)
    _summary(answers, json)


def _in_window(training: Drill, kinds: list[DrillKind], **how: Any) -> list[DrillVerdict]:
    """The same questions in a window, until it is closed; returns the verdicts."""
    from holecard.ui.window.command import need_pygame

    need_pygame()
    from holecard.ui.session.preferences import Preferences
    from holecard.ui.session.settings import Settings
    from holecard.ui.window.app import App
    from holecard.ui.window.drill import DrillScreen
    from holecard.ui.window.window import Window

    preferences = Preferences()
    asking = DrillScreen(training, kinds, preferences, **how)
    opened = Window(None)
    try:
        app = App(opened, Settings(rules=training.rules), preferences=preferences)
        app.screen = asking
        asking.layout(app.theme)
        app.run()
    finally:
        opened.close()
    return asking.verdicts


def _show(asked: Question, training: Drill, pace: float) -> None:
    from holecard.cards import card_sign
    from holecard.ui.session.drill import BetQuestion, CountQuestion, signed

    if isinstance(asked, CountQuestion):
        packs = "1 deck" if training.rules.packs == 1 else f"{training.rules.packs} decks"
        _say(f"running count {signed(asked.before.running)}, {asked.before.left} cards left of {packs}")
        _flash([card_sign(card) for card in asked.cards], pace)
        _say("the running count now? ", end="")
        return
    shoe = asked.shoe
    known = f"running count {signed(shoe.running)}, {shoe.left} cards left"
    if isinstance(asked, BetQuestion):
        _say(f"{known}: how many units? ", end="")
    else:
        _say(f"{' '.join(asked.hand)} against {asked.upcard}, {known}: {', '.join(asked.evs)}? ", end="")


def _flash(signs: list[str], pace: float) -> None:
    """One card after another in the same place on a terminal; elsewhere a line."""
    if not sys.stderr.isatty():
        _say(" ".join(signs))
        return
    for sign in signs:
        _say(f"\r  {sign}   ", end="")
        time.sleep(pace)
        _say("\r        ", end="")
        time.sleep(pace / 4)
    _say("\r", end="")


def _answered(asked: Question) -> DrillVerdict | None:
    """What was typed, judged; None at the end of the input. What cannot be read is asked for again."""
    from holecard.ui.session.drill import PlayQuestion, parse_number, parse_play

    while True:
        line = sys.stdin.readline()
        if not line:
            _say("")
            return None
        try:
            if isinstance(asked, PlayQuestion):
                return asked.verdict(parse_play(line))
            return asked.verdict(parse_number(line))
        except HolecardError as problem:
            _say(f"{problem}; once more: ", end="")


def _summary(answers: list[DrillVerdict], as_json: bool) -> None:
    right, price = sum(each.right for each in answers), sum(each.price for each in answers)
    if as_json:
        rows: list[dict[str, Any]] = [
            {"right": each.right, "expected": each.expected, "price": each.price} for each in answers
        ]
        print_json({"questions": len(answers), "right": right, "price": price, "answers": rows})
        return
    out().print(f"{right} of {len(answers)} right; given away {price:+.4f} units")


def _say(text: str, end: str = "\n") -> None:
    sys.stderr.write(text + end)
    sys.stderr.flush()
