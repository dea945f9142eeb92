"""Words and numbers of a session as people read them."""

from __future__ import annotations

from holecard.blackjack.arena.scene import HandScene
from holecard.blackjack.game.round import DEALER
from holecard.blackjack.game.rules import Rules


def money(amount: float, *, signed: bool = False) -> str:
    """An amount of money as the table shows it, with a true minus sign.

    >>> money(-1234.5), money(20, signed=True), money(float("inf"))
    ('−1,234.5', '+20', 'no limit')
    """
    if amount in (float("inf"), float("-inf")):
        return "no limit"
    text = f"{round(amount, 2):{'+' if signed else ''},.2f}".rstrip("0").rstrip(".")
    if text in ("-0", "+0"):
        text = "0"
    return text.replace("-", "−")


def ev_text(ev: float, digits: int = 3) -> str:
    """An EV with its sign.

    >>> ev_text(-0.0412)
    '−0.041'
    """
    text = f"{ev:+.{digits}f}"
    return (text[1:] if float(text) == 0 else text).replace("-", "−")


def markings(rules: Rules) -> str:
    """What is printed on the felt."""
    pays = (
        "NATURALS ARE PLAIN 21s"
        if rules.bj is None
        else f"BLACKJACK PAYS {rules.bj.numerator} TO {rules.bj.denominator}"
    )
    drawn = f"DEALER {'HITS' if rules.h17 else 'STANDS ON'} SOFT {rules.target}"
    lost = ["DEALER WINS TIES"] * (rules.ties == "lose")
    pushed = [f"DEALER {rules.limit + 1} PUSHES"] * (rules.dealer_22 == "push")
    return "   ·   ".join([pays, drawn, *lost, *pushed])


def total_text(hand: HandScene) -> str:
    """What a hand counts, in words."""
    hidden = any(lying.card is None for lying in hand.cards)
    if hand.natural:
        return "BLACKJACK"
    if hand.bust or hand.pushes:
        return f"{hand.total}  {'bust' if hand.bust else 'push'}"
    if hand.index == DEALER and hidden:
        return f"shows {'A' if hand.soft else hand.total}"
    return f"soft {hand.total}" if hand.soft else str(hand.total)
