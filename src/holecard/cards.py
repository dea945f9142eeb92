"""The 52 cards as small integers: `rank * 4 + suit`, ranks 2 … A, suits clubs, diamonds, hearts, spades.

Both games use this code; blackjack counts a card through `blackjack.hand.value_of`, hold'em ranks it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from holecard.errors import CardError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SIGNS = "♣♦♥♠"
ACE_RANK = 12


def card_text(card: int) -> str:
    """The card as two letters.

    >>> card_text(51), card_text(0)
    ('As', '2c')
    """
    return RANKS[card >> 2] + SUITS[card & 3]


def card_sign(card: int) -> str:
    """The card as people draw it: `A♠`, `10♥`."""
    rank = RANKS[card >> 2]
    return ("10" if rank == "T" else rank) + SUIT_SIGNS[card & 3]


def parse_cards(text: str) -> list[int]:
    """The cards of a text such as `AhKh` or `Ah Kh 10d`, in order; duplicates are refused.

    >>> [card_text(card) for card in parse_cards("Ah 10d, ks")]
    ['Ah', 'Td', 'Ks']
    """
    letters = "".join(character for character in text if not character.isspace() and character != ",")
    letters = letters.replace("10", "T")
    if len(letters) % 2:
        raise CardError(f"cards are a rank and a suit each, such as AhKd; got {text!r}")
    cards = [_parse_card(letters[at : at + 2], text) for at in range(0, len(letters), 2)]
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            raise CardError(f"{card_text(card)} appears twice in {text!r}; a deck has one of each card")
        seen.add(card)
    return cards


def _parse_card(letters: str, whole: str) -> int:
    rank = RANKS.find(letters[0].upper())
    suit = SUITS.find(letters[1].lower())
    if rank < 0:
        raise CardError(f"unknown rank {letters[0]!r} in {whole!r}; ranks are {' '.join(RANKS)}")
    if suit < 0:
        raise CardError(f"unknown suit {letters[1]!r} in {whole!r}; suits are c d h s")
    return rank * 4 + suit


def cards_text(cards: Iterable[int]) -> str:
    """Several cards as one word: `AhKh`."""
    return "".join(card_text(card) for card in cards)
