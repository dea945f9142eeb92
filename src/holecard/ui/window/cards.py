"""Playing cards drawn as shapes, crisp at any size: each is drawn four times as large and scaled down once."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Final

import pygame

from holecard.cards import RANKS
from holecard.ui.window.theme import BLACK_SUIT, CARD, RED_SUIT, Colour, Theme

RATIO: Final = 1.4
"""Height of a card over its width."""
_FINE: Final = 4
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = range(4)
_BACK: Final[Colour] = (28, 62, 122)
_BACK_LIGHT: Final[Colour] = (92, 136, 204)
_SHADOW: Final = (0, 0, 0, 70)
_LEFT, _MIDDLE, _RIGHT = 0.3, 0.5, 0.7
_PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "2": ((_MIDDLE, 0.2), (_MIDDLE, 0.8)),
    "3": ((_MIDDLE, 0.2), (_MIDDLE, 0.5), (_MIDDLE, 0.8)),
    "4": tuple((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.8)),
    "5": (*((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.8)), (_MIDDLE, 0.5)),
    "6": tuple((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.5, 0.8)),
    "7": (*((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.5, 0.8)), (_MIDDLE, 0.35)),
    "8": (*((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.5, 0.8)), (_MIDDLE, 0.35), (_MIDDLE, 0.65)),
    "9": (*((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.4, 0.6, 0.8)), (_MIDDLE, 0.5)),
    "T": (*((x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.4, 0.6, 0.8)), (_MIDDLE, 0.3), (_MIDDLE, 0.7)),
}
"""Where the suit signs of a rank stand, as shares of the card."""


@cache
def suit_outline(suit: int) -> tuple[tuple[tuple[float, float], ...], ...]:
    """A suit as polygons in a box from −1 to 1, y downwards."""
    if suit == _DIAMONDS:
        return (_curved_diamond(),)
    if suit == _HEARTS:
        return (_heart(1.0),)
    stem = ((-0.07, 0.2), (0.07, 0.2), (0.1, 0.6), (0.34, 0.96), (-0.34, 0.96), (-0.1, 0.6))
    if suit == _SPADES:
        return _heart(-1.0), stem
    return _disc(0, -0.48, 0.44), _disc(-0.5, 0.2, 0.44), _disc(0.5, 0.2, 0.44), _disc(0, 0.0, 0.26), stem


def _heart(way: float) -> tuple[tuple[float, float], ...]:
    """A heart (way 1), or upside down the leaf of a spade (way −1)."""
    points = []
    for at in range(96):
        angle = 2 * math.pi * at / 96
        x = 16 * math.sin(angle) ** 3 / 17
        y = -(13 * math.cos(angle) - 5 * math.cos(2 * angle) - 2 * math.cos(3 * angle) - math.cos(4 * angle)) / 16.2
        y = 0.98 * (y - 0.08)
        points.append((x, y) if way > 0 else (x, 0.84 * -y - 0.1))
    return tuple(points)


def _curved_diamond() -> tuple[tuple[float, float], ...]:
    corners, bend = ((0.0, -1.0), (0.78, 0.0), (0.0, 1.0), (-0.78, 0.0)), 0.06
    points: list[tuple[float, float]] = []
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for step in range(12):
            share = step / 12
            inward = 1.0 - bend * 4 * share * (1 - share)
            points.append(((x0 + share * (x1 - x0)) * inward, (y0 + share * (y1 - y0)) * inward))
    return tuple(points)


def _disc(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (x + radius * math.cos(2 * math.pi * at / 40), y + radius * math.sin(2 * math.pi * at / 40)) for at in range(40)
    )


def draw_suit(surface: pygame.Surface, suit: int, centre: tuple[float, float], size: float, way: int = 1) -> None:
    """Draw a suit sign so many pixels high, upside down with `way` −1."""
    colour = RED_SUIT if suit in (_DIAMONDS, _HEARTS) else BLACK_SUIT
    for outline in suit_outline(suit):
        pygame.draw.polygon(
            surface, colour, [(centre[0] + x * size / 2, centre[1] + way * y * size / 2) for x, y in outline]
        )


@lru_cache(maxsize=64)
def suit_picture(suit: int, size: int) -> pygame.Surface:
    """A suit sign so many pixels high, with soft edges."""
    sheet = pygame.Surface((size * _FINE, size * _FINE), pygame.SRCALPHA)
    draw_suit(sheet, suit, sheet.get_rect().center, 0.98 * size * _FINE)
    return pygame.transform.smoothscale(sheet, (size, size))


@lru_cache(maxsize=512)
def card_picture(card: int | None, width: int) -> pygame.Surface:
    """A card of so many pixels, face up or (None) its back, with a soft edge."""
    large = (width * _FINE, round(width * RATIO) * _FINE)
    sheet = pygame.Surface(large, pygame.SRCALPHA)
    radius = large[0] // 11
    pygame.draw.rect(sheet, CARD, sheet.get_rect(), border_radius=radius)
    if card is None:
        _draw_back(sheet, radius)
    else:
        _draw_face(sheet, card)
    pygame.draw.rect(sheet, (120, 124, 120), sheet.get_rect(), width=_FINE, border_radius=radius)
    return pygame.transform.smoothscale(sheet, (width, round(width * RATIO)))


def draw_shadow(surface: pygame.Surface, width: int, at: tuple[int, int]) -> None:
    """The shadow of a card of that width whose left upper corner is at a place: light comes from above."""
    surface.blit(_shadow(width), (at[0] - width // 14, at[1] - width // 20))


@lru_cache(maxsize=64)
def _shadow(width: int) -> pygame.Surface:
    """The shadow of a card, a little larger than it."""
    margin = max(width // 14, 2)
    size = (width + 2 * margin, round(width * RATIO) + 2 * margin)
    sheet = pygame.Surface((size[0] // 4, size[1] // 4), pygame.SRCALPHA)
    inner = sheet.get_rect().inflate(-max(margin // 2, 1), -max(margin // 2, 1))
    pygame.draw.rect(sheet, _SHADOW, inner, border_radius=max(width // 40, 2))
    return pygame.transform.smoothscale(sheet, size)


def _draw_face(sheet: pygame.Surface, card: int) -> None:
    width, height = sheet.get_size()
    rank, suit = RANKS[card >> 2], card & 3
    colour = RED_SUIT if suit in (_DIAMONDS, _HEARTS) else BLACK_SUIT
    _draw_corner(sheet, "10" if rank == "T" else rank, suit, colour)
    if rank in _PIPS:
        for x, y in _PIPS[rank]:
            middle = (width * (0.5 + (x - 0.5) * 0.92), height * (0.5 + (y - 0.5) * 1.02))
            draw_suit(sheet, suit, middle, 0.17 * width, -1 if y > 0.5 else 1)
    elif rank == "A":
        draw_suit(sheet, suit, (width / 2, height / 2), 0.5 * width)
    else:
        _draw_court(sheet, rank, suit, colour)


def _draw_corner(sheet: pygame.Surface, rank: str, suit: int, colour: Colour) -> None:
    """Rank and suit in the upper left, and upside down in the lower right."""
    width, height = sheet.get_size()
    font = _corner_font(round(width * 0.24))
    words = font.render(rank, True, colour)
    if rank == "10":
        words = pygame.transform.smoothscale(words, (round(words.get_width() * 0.68), words.get_height()))
    corner = pygame.Surface((width, height), pygame.SRCALPHA)
    middle = 0.13 * width
    corner.blit(words, words.get_rect(center=(middle, 0.135 * width)))
    draw_suit(corner, suit, (middle, 0.34 * width), 0.15 * width)
    sheet.blit(corner, (0, 0))
    sheet.blit(pygame.transform.rotate(corner, 180), (0, 0))


@lru_cache(maxsize=16)
def _corner_font(size: int) -> pygame.font.Font:
    return Theme((1280, 800)).font(size, True)


def _draw_court(sheet: pygame.Surface, rank: str, suit: int, colour: Colour) -> None:
    """A court card: a framed field, a crown, the letter, and a suit above and below."""
    width, height = sheet.get_size()
    frame = pygame.Rect(0, 0, width * 0.54, height * 0.7)
    frame.center = (width // 2, height // 2)
    tint = (255, 240, 226) if suit in (_DIAMONDS, _HEARTS) else (230, 236, 246)
    pygame.draw.rect(sheet, tint, frame, border_radius=width // 24)
    pygame.draw.rect(sheet, (198, 160, 70), frame, width=max(width // 70, 2), border_radius=width // 24)
    words = _corner_font(round(width * 0.4)).render(rank, True, colour)
    sheet.blit(words, words.get_rect(center=(width // 2, height * 0.52)))
    _draw_crown(sheet, (width / 2, height * 0.335), width * 0.26, {"J": 2, "Q": 3, "K": 5}[rank])
    for x, y, way in ((frame.left + 0.09 * width, frame.top, 1), (frame.right - 0.09 * width, frame.bottom, -1)):
        draw_suit(sheet, suit, (x, y + way * 0.1 * width), 0.12 * width, way)


def _draw_crown(sheet: pygame.Surface, centre: tuple[float, float], width: float, points: int) -> None:
    gold = (206, 160, 52)
    left, top, height = centre[0] - width / 2, centre[1] - width * 0.28, width * 0.56
    outline = [(left, top + height)]
    for at in range(points):
        outline.append((left + width * (at + 0.5) / points, top))
        if at + 1 < points:
            outline.append((left + width * (at + 1) / points, top + height * 0.55))
    outline.append((left + width, top + height))
    pygame.draw.polygon(sheet, gold, outline)
    for at in range(points):
        pygame.draw.circle(sheet, gold, (left + width * (at + 0.5) / points, top), width * 0.06)


def _draw_back(sheet: pygame.Surface, radius: int) -> None:
    """A lattice inside a white border."""
    field = sheet.get_rect().inflate(-sheet.get_width() * 0.1, -sheet.get_width() * 0.1)
    lattice = pygame.Surface(field.size)
    lattice.fill(_BACK)
    step = max(field.width // 7, 4)
    for offset in range(-field.height, field.width + field.height, step):
        pygame.draw.line(lattice, _BACK_LIGHT, (offset, 0), (offset + field.height, field.height), step // 7)
        pygame.draw.line(lattice, _BACK_LIGHT, (offset, field.height), (offset + field.height, 0), step // 7)
    mask = pygame.Surface(field.size, pygame.SRCALPHA)
    pygame.draw.rect(mask, (255, 255, 255, 255), mask.get_rect(), border_radius=radius // 2)
    mask.blit(lattice, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    sheet.blit(mask, field)
    pygame.draw.rect(sheet, _BACK_LIGHT, field, width=max(sheet.get_width() // 60, 2), border_radius=radius // 2)
