"""The main menu: who plays, at which table, for how long. What is typed is checked at every stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pygame

from holecard.blackjack.game.rule_words import INFINITE
from holecard.blackjack.game.rules import PRESETS, SURRENDERS, Rules
from holecard.errors import HolecardError
from holecard.ui.session.agents import YOU, agent_choices
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import (
    FIELDS,
    HIGHEST_SIMULATIONS,
    LOWEST_SIMULATIONS,
    Settings,
    problem_with,
    rules_with,
)
from holecard.ui.window.cards import suit_picture
from holecard.ui.window.carousel import Carousel
from holecard.ui.window.screens import ENTER, HINT_BAR, LEAVE, Hint, HintBar, Quit, Start, Transition
from holecard.ui.window.theme import CARD, GOLD, LOSS, MUTED, PANEL, TEXT, Theme
from holecard.ui.window.widgets import Button, Choice, Field, FocusRing, Widget

_DECKS: Final = ("1", "2", "4", "6", "8", "inf")
_STEPS: Final = {"rounds": 10, "bet": 5, "bankroll": 100, "seed": 1, "simulations": 20}
_YOUR_KEYS: Final = "Keys: H hit · S stand · D double · P split · U surrender · I insurance"
_SWITCHES: Final[dict[str, tuple[str, dict[str, object]]]] = {
    "h17": ("Soft 17", {"dealer stands": False, "dealer hits": True}),
    "das": ("Double after split", {"no": False, "yes": True}),
    "insurance": ("Insurance", {"no": False, "offered": True}),
    "peek": ("Hole card", {"no peek": False, "peek": True}),
    "ties": ("Ties", {"push": "push", "lose": "lose"}),
    "dealer_22": ("Dealer's 22", {"bust": "bust", "push": "push"}),
    "double_cards": ("Double on", {"two cards": "2", "any cards": "any"}),
}
"""Rules with two sides: the label, and what each side is called and means."""


def model_note(text: str) -> str:
    """What is at a model's path: the indicator beside the field."""
    if not text.strip():
        return "the model that comes with the package"
    path = Path(text.strip()).expanduser()
    try:
        return f"found, {path.stat().st_size / 1000:,.0f} kB" if path.is_file() else "no file there"
    except (OSError, ValueError):
        return "no file there"


class Menu:
    """The first screen."""

    def __init__(self, settings: Settings, preferences: Preferences, message: str = "") -> None:
        self.message, self.preferences = message, preferences
        self._base = settings
        choices = agent_choices(settings.agent)
        names = [choice.name for choice in choices]
        agent = "heuristic" if settings.agent == "basic" else settings.agent
        self.carousel = Carousel(choices, names.index(agent), self._agent_changed)
        texts = _texts(settings)
        self.fields = {
            name: Field(label, texts[name], read, step=_STEPS[name]) for name, (label, read) in FIELDS.items()
        }
        model = settings.options.model
        self.model = Field("Model", "" if model is None else str(model), _read_path, note=model_note)
        self.preset = Choice("Game", list(PRESETS), list(PRESETS).index(settings.preset), self._preset_changed)
        self.decks = Choice("Decks", _DECKS)
        self.surrender = Choice("Surrender", SURRENDERS)
        self.switches = {name: Choice(label, tuple(sides)) for name, (label, sides) in _SWITCHES.items()}
        self._show_rules(settings.rules)
        self.start = Button("START", self._press_start, main=True)
        rules = (self.preset, self.decks, self.surrender, *self.switches.values())
        session = tuple(self.fields[name] for name in ("rounds", "bet", "bankroll", "seed"))
        self.ring = FocusRing([self.carousel, self.fields["simulations"], self.model, *rules, *session, self.start])
        self.hints = HintBar(
            [
                Hint("← →", "choose", pygame.K_RIGHT),
                Hint("Tab ↑ ↓", "next field", pygame.K_TAB),
                Hint("Enter", "start", pygame.K_RETURN),
                Hint("Q", "quit", pygame.K_q),
                Hint("M", "less motion", pygame.K_m),
                Hint("F1", "help", pygame.K_F1),
            ]
        )
        self._started, self._noted = False, ""
        self.theme = Theme((1280, 800))
        self._agent_changed()

    def _show_rules(self, rules: Rules) -> None:
        decks = "inf" if rules.decks == INFINITE else f"{rules.decks:.0f}"
        if decks not in self.decks.values:
            self.decks.values = sorted({*self.decks.values, decks}, key=float)
        self.decks.at = self.decks.values.index(decks)
        self.surrender.at = SURRENDERS.index(rules.surrender)
        for name, switch in self.switches.items():
            switch.at = list(_SWITCHES[name][1].values()).index(getattr(rules, name))

    def _preset_changed(self) -> None:
        self._show_rules(Rules.preset(self.preset.value))
        self._base = replace(self._base, rules=rules_with(self.preset.value), preset=self.preset.value)

    def _agent_changed(self) -> None:
        self.fields["simulations"].enabled = self.carousel.choice.name == "mcts"
        self.model.enabled = self.carousel.choice.name == "dnn"

    def _press_start(self) -> None:
        self._started = True

    def settings(self) -> Settings:
        """What the menu says now; ValueError or HolecardError where that cannot be played."""
        changes: dict[str, object] = {
            "decks": INFINITE if self.decks.value == "inf" else int(self.decks.value),
            "surrender": self.surrender.value,
            **{name: _SWITCHES[name][1][switch.value] for name, switch in self.switches.items()},
        }
        if changes["peek"]:
            changes["obo"] = False
        base = self._base.rules
        shoe = "fresh" if changes["decks"] == INFINITE else base.shoe if base.decks != INFINITE else "dealt"
        rules = replace(base, **{**changes, "shoe": shoe})  # type: ignore[arg-type]
        options = self._base.options
        if self.fields["simulations"].enabled:
            simulations = int(str(self.fields["simulations"].value))
            worlds = min(options.determinizations, simulations)
            options = replace(options, simulations=simulations, determinizations=worlds)
        if self.model.enabled:
            options = replace(options, model=self.model.value)  # type: ignore[arg-type]
        numbers = {name: self.fields[name].value for name in ("rounds", "bet", "bankroll", "seed")}
        return replace(self._base, agent=self.carousel.choice.name, rules=rules, options=options, **numbers)  # type: ignore[arg-type]

    def problem(self) -> str:
        """Why it cannot start, in a line; empty if it can."""
        for field in (*self.fields.values(), self.model):
            if field.enabled and field.problem:
                return f"{field.label}: {field.problem}"
        try:
            return problem_with(self.settings())
        except (HolecardError, ValueError) as problem:
            return str(problem)

    def layout(self, theme: Theme) -> None:
        """Two columns: the player at the left, table and session at the right."""
        self.theme = theme
        width, height = theme.size
        px, edge = theme.px, theme.px(36)
        top, bottom = px(104), height - px(HINT_BAR) - px(86)
        column = (width - 3 * edge) // 2
        row = px(78)
        self.carousel.rect = pygame.Rect(edge, top, column, bottom - top - row - px(28))
        below = self.carousel.rect.bottom + px(28)
        third = (column - px(16)) * 2 // 5
        self.fields["simulations"].rect = pygame.Rect(edge, below, third, row)
        self.model.rect = pygame.Rect(edge, below, column, row)  # only one of the two is shown
        left = 2 * edge + column
        self._boxes = (
            pygame.Rect(left, top, column, (bottom - top) * 3 // 5 - px(10)),
            pygame.Rect(left, top + (bottom - top) * 3 // 5 + px(10), column, (bottom - top) * 2 // 5 - px(10)),
        )
        switches = list(self.switches.values())
        table = [[self.preset, self.decks], [self.surrender, switches[0]], switches[1:4], switches[4:]]
        _grid(table, self._boxes[0], theme, px(40))
        session = [[self.fields["rounds"], self.fields["seed"]], [self.fields["bet"], self.fields["bankroll"]]]
        _grid(session, self._boxes[1], theme, px(40))
        self.start.rect = pygame.Rect(0, 0, px(300), px(56))
        self.start.rect.midtop = (width // 2, bottom + px(20))
        self.hints.layout(theme)

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """Keys and clicks; while a text has the keyboard, letters belong to it."""
        key = event.key if event.type == pygame.KEYDOWN else None
        if key in ENTER:
            self._press_start()
        elif key == pygame.K_ESCAPE and self.typing:
            self.ring.at = 0
        elif key in LEAVE and not (self.typing and event.unicode):
            return Quit()
        else:
            self.ring.handle(event)
            if not self.ring.focused.enabled:
                self.ring.at = 0
        if self._started:
            self._started = False
            self.message = self.problem()
            if not self.message:
                return Start(self.settings())
        return None

    @property
    def stale(self) -> bool:
        """True until the carousel was drawn at rest, and when a model's file comes or goes."""
        return self.carousel.stale or self._noted != model_note(self.model.text)

    @property
    def typing(self) -> bool:
        """True while letters belong to a field."""
        return isinstance(self.ring.focused, Field)

    def update(self, seconds: float) -> Transition | None:
        """Let the carousel turn."""
        self.carousel.less_motion = self.preferences.less_motion
        self.carousel.update(seconds)
        return None

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the menu."""
        self._noted = model_note(self.model.text)
        theme, px = self.theme, self.theme.px
        surface.blit(theme.felt(theme.size), (0, 0))
        self._draw_title(surface)
        for box, title in zip(self._boxes, ("THE TABLE", "THE SESSION"), strict=True):
            theme.panel(surface, box, PANEL, alpha=235)
            theme.write(surface, title, (box.left + px(18), box.top + px(12)), 14, GOLD, bold=True)
        if self.carousel.choice.name == YOU:
            at = (self.carousel.rect.left, self.model.rect.top + px(8))
            theme.write(surface, _YOUR_KEYS, at, 14, MUTED, width=self.carousel.rect.width)
        problem = self.problem()
        self.start.main = not problem
        hidden = [widget for widget in (self.fields["simulations"], self.model) if not widget.enabled]
        for widget in self.ring.widgets:
            if widget not in hidden:
                widget.draw(surface, theme, widget is self.ring.focused)
        line = problem or self.message
        if line:
            at = (self.theme.size[0] // 2, self.start.rect.top - px(4))
            theme.write(surface, line, at, 15, LOSS, bold=True, anchor="midbottom", width=theme.size[0] - px(72))
        self.hints.draw(surface, theme)

    def _draw_title(self, surface: pygame.Surface) -> None:
        theme, px = self.theme, self.theme.px
        at = px(36)
        for suit in (3, 2, 0, 1):
            plate = pygame.Rect(at, px(30), px(34), px(46))
            pygame.draw.rect(surface, CARD, plate, border_radius=px(5))
            sign = suit_picture(suit, px(26))
            surface.blit(sign, sign.get_rect(center=plate.center))
            at += px(40)
        title = theme.write(surface, "HOLECARD", (at + px(14), px(53)), 40, TEXT, bold=True, anchor="midleft")
        theme.write(
            surface,
            "watch them play, or play yourself: every decision is priced exactly",
            (title.right + px(24), px(58)),
            16,
            MUTED,
            anchor="midleft",
            width=theme.size[0] - title.right - px(60),
        )


def _texts(settings: Settings) -> dict[str, str]:
    """What stands in the fields at first."""
    simulations = min(max(settings.options.simulations, LOWEST_SIMULATIONS), HIGHEST_SIMULATIONS)
    return {
        "rounds": str(settings.rounds),
        "bet": f"{settings.bet:.15g}",
        "bankroll": f"{settings.bankroll:.15g}",
        "seed": str(settings.seed),
        "simulations": str(simulations),
    }


def _read_path(text: str) -> Path | None:
    if not text.strip():
        return None
    if model_note(text).startswith("no "):
        raise ValueError("no file there; empty: the package's own model")
    return Path(text.strip()).expanduser()


def _grid(rows: Sequence[Sequence[Widget]], box: pygame.Rect, theme: Theme, head: int) -> None:
    """Put widgets into a box, row by row, below its head."""
    px = theme.px
    room = box.height - head - px(8)
    height = room // len(rows)
    for number, row in enumerate(rows):
        columns = max(2, len(row))
        width = (box.width - px(36) - (columns - 1) * px(18)) // columns
        for at, widget in enumerate(row):
            left = box.left + px(18) + at * (width + px(18))
            widget.rect = pygame.Rect(left, box.top + head + number * height, width, min(height, px(72)))
