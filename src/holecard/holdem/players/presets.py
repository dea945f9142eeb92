"""Presets: what belongs to one published experiment, as one value with a name.

A new preset is one more entry of `PRESETS`; files, JSON and the command line know it by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from holecard.errors import SettingError, unknown_name
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.network import Layout
from holecard.holdem.players.rule_players import RulePlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The game, the network and the opponents of one experiment."""

    rules: HoldemRules
    """Blinds, stacks and the length of a session."""
    layout: Layout
    """Which gene of a network is which weight, what it sees, and how its output becomes a move."""
    opponents: tuple[RulePlayer, ...]
    """Whom a population is trained against."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the study that differ from what they usually are, by name."""
    tser: Mapping[str, Any] = field(default_factory=dict)
    """Settings of its engine `tser` that do."""

    @property
    def name(self) -> str:
        """The name people type."""
        return self.layout.preset


PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset(  # PokerNet's game; `--preset card` is the study of its model card
            rules=HoldemRules(small_blind=5, big_blind=10, stack=1_000, carried=True),
            layout=Layout(preset="pokernet", blocks=1, peepholes=False, initial_states=False, hidden=32),
            opponents=(RulePlayer.CHECK_FOLD, RulePlayer.CALL, RulePlayer.RAISE, RulePlayer.SMART),
            training={
                "decision": "thirds",
                "inputs": "stacks",
                "first_weights": "level",
                "fitness": "roots",
                "stacks": "rebuys",
                "generations": 300,
            },
            tser={"mutation_rate": (0.10, 0.03), "mutation_strength": (0.30, 0.02)},
        ),
        Preset(  # Li and Miikkulainen (2017)
            rules=HoldemRules(small_blind=50, big_blind=100, stack=20_000, carried=False),
            layout=Layout(preset="paper", blocks=10, peepholes=True, initial_states=True, hidden=7, decision="paper"),
            opponents=(
                RulePlayer.SCARED_LIMPER,
                RulePlayer.CALLING_MACHINE,
                RulePlayer.HOTHEAD_MANIAC,
                RulePlayer.CANDID_STATISTICIAN,
            ),
            tser={"least_elites": 2},
        ),
        Preset(  # the program of the paper's first author, autumn 2016
            rules=HoldemRules(small_blind=50, big_blind=100, stack=20_000, carried=False),
            layout=Layout(
                preset="author",
                blocks=10,
                peepholes=True,
                initial_states=True,
                hidden=7,
                decision="author",
                inputs="author",
                cells="plain",
                ties="win",
            ),
            opponents=(
                RulePlayer.AUTHOR_SCARED_LIMPER,
                RulePlayer.AUTHOR_CALLING_MACHINE,
                RulePlayer.AUTHOR_HOTHEAD_MANIAC,
                RulePlayer.AUTHOR_CANDID_STATISTICIAN,
            ),
            training={"first_weights": "author", "normaliser": "record"},
            tser={"least_elites": 2, "mutation_rate": (0.10, 0.05), "crossover": "author"},
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
