"""What a session is played with: the choices of the menu, checked as they are typed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.errors import HolecardError, SettingError

if TYPE_CHECKING:
    from holecard.blackjack.game.session_terms import SessionTerms

LOWEST_SIMULATIONS, HIGHEST_SIMULATIONS = 20, 1000
"""Simulations to a decision that the menu offers."""
MAX_ROUNDS: Final = 10_000
"""Rounds that somebody would watch."""
MAX_MONEY: Final = 1e9
"""The largest bet and bankroll that a field takes."""


def _number(low: float, high: float, *, whole: bool) -> Callable[[str], float]:
    limits = f"{low:,.0f} to {high:,.0f}" if low >= 1 or low == 0 else f"above 0, to {high:,.0f}"

    def parse(text: str) -> float:
        text = text.strip().replace(",", "").replace("_", "")
        if not text:
            raise ValueError(f"needs a number: {limits}")
        try:
            number = int(text) if whole else float(text)
        except ValueError:
            raise ValueError(f"not a {'whole ' if whole else ''}number: {limits}") from None
        if not low <= number <= high:
            raise ValueError(f"must be {limits}")
        return number

    return parse


FIELDS: Final[dict[str, tuple[str, Callable[[str], float]]]] = {
    "rounds": ("Rounds", _number(1, MAX_ROUNDS, whole=True)),
    "bet": ("Base bet", _number(0.01, MAX_MONEY, whole=False)),
    "bankroll": ("Bankroll", _number(0.01, MAX_MONEY, whole=False)),
    "seed": ("Seed", _number(0, (1 << 63) - 1, whole=True)),
    "simulations": ("Simulations a move", _number(LOWEST_SIMULATIONS, HIGHEST_SIMULATIONS, whole=True)),
}
"""What can be typed: its label and how it is read, with the limits in the refusal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A session as it was asked for."""

    agent: str = "heuristic"
    rules: Rules = field(default_factory=lambda: Rules(shoe="dealt"))
    preset: str = "casino"
    """The named game the rules started from."""
    rounds: int = 20
    bet: float = 10.0
    bankroll: float = 1000.0
    seed: int = 0
    options: AgentOptions = field(default_factory=AgentOptions)

    def terms(self) -> SessionTerms:
        """The terms as the engine takes them; refuses a bankroll that does not pay the bet, and too much to watch."""
        from holecard.blackjack.game.session_terms import SessionTerms

        if self.rounds > MAX_ROUNDS:
            raise SettingError(f"rounds to watch must be 1 to {MAX_ROUNDS:,}; got {self.rounds:,}")
        return SessionTerms(rules=self.rules, rounds=self.rounds, seed=self.seed, bankroll=self.bankroll, bet=self.bet)

    def again(self) -> Settings:
        """The same with the next seed: other cards."""
        return replace(self, seed=self.seed + 1)


def preset_of(rules: Rules) -> str:
    """The named game that these rules are or come nearest to."""

    def differences(name: str) -> int:
        other = Rules.preset(name)
        return sum(getattr(rules, each) != getattr(other, each) for each in rules.__dataclass_fields__)

    return min(PRESETS, key=differences)


def rules_title(rules: Rules) -> str:
    """What a table is called: a named game, or the rules themselves; however its shoe is dealt.

    >>> rules_title(Rules(shoe="dealt")), rules_title(Rules(decks=2, das=False))
    ('casino', '2d NDAS')
    """
    plain = replace(rules, shoe="fresh", penetration=0.75, cut=None)
    return next((name for name in PRESETS if Rules.preset(name) == plain), str(plain))


def rules_with(preset: str, **changes: object) -> Rules:
    """A preset's rules with some changed, dealt down where the shoe can be; contradictions are refused."""
    rules = Rules.preset(preset)
    shoe = "fresh" if changes.get("decks", rules.decks) == math.inf else "dealt"
    return replace(rules, **{"shoe": shoe, **changes})  # type: ignore[arg-type]


def problem_with(settings: Settings) -> str:
    """Why a session cannot start, in a line; empty if it can. The engine, which loads slowly, words the refusals."""
    if 1 <= settings.rounds <= MAX_ROUNDS and 0 < settings.bet <= settings.bankroll and 0 <= settings.seed < 1 << 64:
        return ""
    try:
        settings.terms()
    except HolecardError as problem:
        return str(problem)
    return ""
