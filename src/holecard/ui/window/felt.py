"""The felt: markings, shoe, cards, totals, bets, and what each hand won."""

from __future__ import annotations

from functools import lru_cache

import pygame

from holecard.blackjack.arena.scene import HandScene, Scene
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.round import DEALER
from holecard.blackjack.game.rules import Rules
from holecard.ui.session.wording import markings, money, total_text
from holecard.ui.window.cards import RATIO, card_picture, draw_shadow
from holecard.ui.window.motion import FeltLayout, Motion, row_of
from holecard.ui.window.theme import GOLD, INK, LOSS, PUSH, RAIL, TEXT, WIN, Colour, Theme, outcome_colour

_MARKING: Colour = (150, 178, 118)


def draw_felt(surface: pygame.Surface, theme: Theme, felt: FeltLayout, rules: Rules, *, marked: bool = True) -> None:
    """The felt without cards, and the shoe; unmarked where a banner takes the middle."""
    surface.blit(theme.felt(felt.area.size), felt.area)
    width = felt.card
    for layer in range(4):
        at = (felt.shoe[0] + layer * theme.px(2), felt.shoe[1] - layer * theme.px(2) + theme.px(4))
        if layer == 0:
            draw_shadow(surface, width, at)
        surface.blit(card_picture(None, width), at)
    if marked:
        at, room = (felt.area.centerx, _middle(felt)), felt.area.width - theme.px(40)
        theme.write(surface, markings(rules), at, 16, _MARKING, bold=True, anchor="center", width=room)


def _middle(felt: FeltLayout) -> int:
    """Half way between the dealer's labels and the player's cards."""
    return (felt.dealer.top + felt.card_height + felt.columns[0].top) // 2 + round(felt.card * 0.13)


def draw_cards(surface: pygame.Surface, motion: Motion, time: float) -> None:
    """The cards, wherever they are at that time."""
    for _, place, look in motion.at(time):
        picture = card_picture(place.card, place.width)
        at = (round(place.x), round(place.y))
        if look < 1.0:
            width = max(round(place.width * look), 1)
            picture = _narrow(place.card, place.width, width)
            at = (at[0] + (place.width - width) // 2, at[1])
        else:
            draw_shadow(surface, place.width, at)
        surface.blit(picture, at)


@lru_cache(maxsize=1024)
def _narrow(card: int | None, width: int, look: int) -> pygame.Surface:
    return pygame.transform.smoothscale(card_picture(card, width), (look, round(width * RATIO)))


def draw_labels(surface: pygame.Surface, theme: Theme, felt: FeltLayout, scene: Scene, bet: float) -> None:
    """Totals under every hand; bets, or what came of them, under the player's."""
    for hand in (scene.dealer, *scene.hands):
        seen = [lying for lying in hand.cards if lying.card is not None]
        if not seen:
            continue
        corners = row_of(felt, hand)
        middle = (corners[0][0] + corners[-1][0] + felt.card) / 2
        y = corners[0][1] + felt.card_height + theme.px(6)
        colour = GOLD if hand.natural else LOSS if hand.bust else TEXT
        _badge(surface, theme, (middle, y), total_text(hand), colour)
        if hand.index != DEALER:
            _draw_stake(surface, theme, (middle, y + theme.px(32)), hand, bet)
    if scene.active is not None and scene.net is None and len(scene.hands) > 1:
        _mark_active(surface, theme, felt, scene.hand(scene.active))
    notes = [scene.note] if scene.note and scene.net is None else []
    if scene.insurance is not None:
        notes = [f"insurance {money(scene.insurance * bet, signed=True)}"]
    elif scene.insured:
        notes.append(f"insured for {money(bet / 2)}")
    if notes:
        at = (felt.area.left + theme.px(20), felt.area.top + theme.px(16))
        theme.write(surface, " · ".join(notes), at, 15, GOLD, width=round(felt.area.width * 0.3))


def _draw_stake(surface: pygame.Surface, theme: Theme, at: tuple[float, float], hand: HandScene, bet: float) -> None:
    if hand.net is None:
        words = " · doubled" if hand.bets > 1 else " · surrendered" if hand.last == Action.SURRENDER else ""
        theme.write(surface, f"bet {money(bet * hand.bets)}{words}", at, 14, TEXT, anchor="midtop")
        return
    word = "win" if hand.net > 0 else "loss" if hand.net < 0 else "push"
    text = f"{word} {money(hand.net * bet, signed=True)}" if hand.net else word
    theme.write(surface, text, at, 16, outcome_colour(hand.net), bold=True, anchor="midtop")


def _badge(surface: pygame.Surface, theme: Theme, at: tuple[float, float], text: str, colour: Colour) -> None:
    words = theme.words(text, 16, colour, bold=True)
    rect = pygame.Rect(0, 0, words.get_width() + theme.px(22), theme.px(28))
    rect.midtop = (round(at[0]), round(at[1]))
    theme.panel(surface, rect, RAIL, edge=colour, radius=14, alpha=215)
    surface.blit(words, words.get_rect(center=rect.center))


def _mark_active(surface: pygame.Surface, theme: Theme, felt: FeltLayout, hand: HandScene) -> None:
    corners = row_of(felt, hand)
    if not corners:
        return
    rect = pygame.Rect(
        round(corners[0][0]), round(corners[0][1]), round(corners[-1][0] - corners[0][0]) + felt.card, felt.card_height
    ).inflate(theme.px(12), theme.px(12))
    pygame.draw.rect(surface, GOLD, rect, width=theme.px(3), border_radius=theme.px(14))


def draw_banner(surface: pygame.Surface, theme: Theme, felt: FeltLayout, net: float, grown: float) -> None:
    """WIN, LOSS or PUSH with the money, over the middle of the felt; `grown` is 0 to 1 as it opens."""
    word, colour = ("WIN", WIN) if net > 0 else ("LOSS", LOSS) if net < 0 else ("PUSH", PUSH)
    text = f"{word}  {money(net, signed=True)}" if net else word
    words = theme.words(text, 26, INK, bold=True)
    width = round((words.get_width() + theme.px(64)) * max(grown, 0.05))
    rect = pygame.Rect(0, 0, width, theme.px(42))
    rect.center = (felt.area.centerx, _middle(felt))
    pygame.draw.rect(surface, colour, rect, border_radius=theme.px(21))
    pygame.draw.rect(surface, INK, rect, width=1, border_radius=theme.px(21))
    if grown > 0.85:
        surface.blit(words, words.get_rect(center=rect.center))
