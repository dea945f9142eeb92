"""Presets: what belongs to one published experiment, as one value with a name.

A new preset is one more entry of `PRESETS`; files, JSON and the command line know it by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from holecard.errors import SettingError, unknown_name
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.decision_rules import DecisionRule
from holecard.holdem.players.network import Layout
from holecard.holdem.players.rule_players import RulePlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The game, the network and the opponents of one experiment."""

    rules: HoldemRules
    """Blinds, stacks and the length of a session."""
    layout: Layout
    """Which gene of a network is which weight."""
    decision_rule: DecisionRule
    """How a network's output becomes a move."""
    opponents: tuple[RulePlayer, ...]
    """Whom a population is trained against."""
    least_elites: int
    """So many survivors are elites even if they lie below the survivors' mean."""

    @property
    def name(self) -> str:
        """The name people type."""
        return self.layout.preset


PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset(  # PokerNet's model card
            rules=HoldemRules(small_blind=5, big_blind=10, stack=1_000, carried=True),
            layout=Layout(preset="pokernet", blocks=1, peepholes=False, initial_states=False, hidden=32),
            decision_rule=DecisionRule.POKERNET,
            opponents=(RulePlayer.CHECK_FOLD, RulePlayer.CALL, RulePlayer.RAISE, RulePlayer.SMART),
            least_elites=1,
        ),
        Preset(  # Li and Miikkulainen (2017)
            rules=HoldemRules(small_blind=50, big_blind=100, stack=20_000, carried=False),
            layout=Layout(preset="paper", blocks=10, peepholes=True, initial_states=True, hidden=7),
            decision_rule=DecisionRule.PAPER,
            opponents=(
                RulePlayer.SCARED_LIMPER,
                RulePlayer.CALLING_MACHINE,
                RulePlayer.HOTHEAD_MANIAC,
                RulePlayer.CANDID_STATISTICIAN,
            ),
            least_elites=2,
        ),
    )
}
"""Every preset by name; the first is the default."""


def preset_named(name: str) -> Preset:
    """The preset of that name.

    >>> preset_named("pokernet").layout.genes, preset_named("paper").rules.stack
    (14545, 20000)
    """
    if name not in PRESETS:
        raise SettingError(unknown_name("preset", name, PRESETS))
    return PRESETS[name]
