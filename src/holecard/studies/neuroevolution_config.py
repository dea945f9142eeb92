"""What a neuroevolution of poker players can be told. Light: the command line makes its options from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from holecard import settings
from holecard.errors import FileProblem, SettingError
from holecard.evolve.registry import ENGINES, EngineSettings, Size, TserSettings, engine_named, name_of
from holecard.holdem.players.layout_choices import LAYOUT_CHOICES

if TYPE_CHECKING:
    from holecard.evolve.engine import Engine
    from holecard.holdem.game.rules import HoldemRules
    from holecard.holdem.players.network import Layout
    from holecard.holdem.players.presets import Preset
GENOMES: Final = "weights"
"""What an engine must evolve to be of use here."""
CARD: Final = "card"
"""The name of the study of PokerNet's model card, at the table of the preset `pokernet`."""


def _opponents(preset: str = "pokernet") -> tuple[str, ...]:
    from holecard.holdem.players.presets import preset_named

    return tuple(player.title for player in preset_named(preset).opponents)


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuroevolutionConfig:
    """A whole study, as PokerNet's model card has it; `preset` makes the others."""

    setting: str = "pokernet"
    """The preset of table, network and decision algorithm: pokernet, paper or author."""
    opponents: tuple[str, ...] = settings.setting(
        factory=_opponents, metavar="A,B,…", usual="the preset's four", help="Whom everybody plays."
    )
    hidden: int = settings.setting(32, usual="pokernet 32, paper 7", help="Neurons of the head.")
    """Neurons between the modules and the output."""
    initial_states: bool = settings.setting(False, usual="paper yes, pokernet no", help="Evolve them.")
    """The states both modules start from are genes."""
    decision: str = settings.setting(
        "pokernet",
        choices=LAYOUT_CHOICES["decision"],
        usual="pokernet thirds, else the preset's",
        help="The rule from a network's output to its move.",
    )
    inputs: str = settings.setting(
        "eight",
        choices=LAYOUT_CHOICES["inputs"],
        usual="pokernet stacks, author author, else eight",
        help="What a network sees.",
    )
    """Eight features 0 … 1, or the author's five."""
    cells: str = settings.setting(
        "tanh", choices=LAYOUT_CHOICES["cells"], usual="author plain, else tanh", help="What leaves a cell."
    )
    """The tanh of its state, or the plain state."""
    ties: str = settings.setting(
        "half", choices=LAYOUT_CHOICES["ties"], usual="author win, else half", help="What a tie counts in its equity."
    )
    first_weights: str = settings.setting(
        "alike",
        choices=("alike", "author", "level"),
        usual="pokernet level, author author, else alike",
        help="The first weights' deviations.",
    )
    """All alike; the author's: 1 over the inputs, cells or neurons beside a weight; or level: 1 over the root of those,
    and an output of 0. The engine es draws its first mean so; where they are alike, that is 0."""
    normaliser: str = settings.setting(
        "best", choices=("best", "record"), usual="author record, else best", help="What ane divides earnings by."
    )
    """The best of the generation, or the record of all generations so far."""
    population: int = settings.setting(50, low=2, high=100_000, help="Individuals in a generation.")
    generations: int = settings.setting(
        250, low=1, high=10_000_000, usual="pokernet 300, else 250", help="Generations to evaluate."
    )
    hands: int = settings.setting(500, low=1, high=20_000, help="Hands of a session; two sessions per opponent.")
    deck_sets: int = settings.setting(1, low=1, high=100_000, help="Deck sets per opponent, two sessions each.")
    """More of them, less luck in the fitness."""
    engine: EngineSettings = field(default_factory=TserSettings)
    """How one generation follows from another: the settings of an engine of weights, which say which one it is."""
    fitness: Literal["ane", "earnings", "per-hand", "of-best", "ranks", "roots", "logs"] = settings.setting(
        "ane",
        usual="pokernet roots, else ane",
        choices=("ane", "earnings", "per-hand", "of-best", "ranks", "roots", "logs"),
        help="ane (normalised), earnings (raw), per-hand, of-best (shares of what can be won), ranks, roots, or logs.",
    )
    """Average normalised earnings, the mean of the raw ones, that of what is won a hand, or of its share of the best.

    What is won a hand is another thing than earnings where sessions end early: who busts somebody in fewer hands wins
    more.

    Ranks are the mean over opponents of everybody's rank there, −½ … ½: every opponent pulls alike, however much or
    little there is to win from it, and no sum of one outweighs the others'.

    Roots are the mean over opponents of the root of what is won a hand in big blinds, of a loss less its root: the more
    is won from somebody already, the less more of it counts, whatever anybody else earns. Logs are the same with the
    logarithm of 1 + big blinds: an opponent who pays little counts for still more beside one who pays much.

    Where nobody knows the most that can be won from an opponent, its share is of the best of the generation."""
    stacks: Literal["preset", "reset", "rebuys"] = settings.setting(
        "preset",
        choices=("preset", "reset", "rebuys"),
        usual="pokernet rebuys, else the preset's",
        help="reset: every hand begins with full stacks; rebuys: carried on, both buy in again when one is gone.",
    )
    """What training does with stacks from hand to hand; the champion is scored by the preset's rules."""
    decks: Literal["shared", "fresh"] = settings.setting(
        "shared", choices=("shared", "fresh"), help="shared by the population, or fresh for each individual."
    )
    """Whether everybody in a generation is dealt the same cards, or each individual its own."""
    samples: int = settings.setting(
        0, low=0, flag="--equity monte-carlo --samples", help="Deals behind a Monte Carlo equity."
    )
    """Random deals behind each equity; 0: exact."""
    luck: Literal["averaged", "dealt"] = settings.setting(
        "averaged", choices=("averaged", "dealt"), help="averaged over all boards, or dealt: counted as they fall."
    )
    """Whether earnings leave out what boards bring beyond their average."""
    finals: int = settings.setting(
        30, low=0, high=100_000, help="Fresh deck sets that decide who is champion; 0: none."
    )
    """So many against each opponent; without them the fitness as it was observed decides, luck included."""
    score_hands: int = settings.setting(20_000, low=2, help="Fresh hands per opponent for the champion.")
    seed: int = settings.seed_setting()
    device: Literal["cpu", "cuda"] = settings.setting("cpu", choices=("cpu", "cuda"), help="Where sessions are played.")
    """A GPU adds up a network's sums in another order and so rounds otherwise: the device is part of the study."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run."""
        from holecard.holdem.players.rule_players import rule_player_named

        settings.check_settings(self)
        if not self.opponents:
            raise SettingError("nobody to play: name one opponent or more")
        for name in self.opponents:
            rule_player_named(name)
        if len(set(self.opponents)) < len(self.opponents):
            raise SettingError(f"every opponent is played once; got {', '.join(self.opponents)}")
        _ = self.layout, self.rules, self.new_engine()

    @classmethod
    def preset(cls, name: str, engine: str = "tser", **changes: Any) -> NeuroevolutionConfig:
        """The study of a preset, with changes of its settings and of the engine's.

        >>> NeuroevolutionConfig.preset("paper", population=10, survival=0.5).opponents[0]
        'scared-limper'
        >>> NeuroevolutionConfig.preset("card") == NeuroevolutionConfig()
        True
        """
        from holecard.holdem.players.presets import preset_named

        preset = preset_named("pokernet" if name == CARD else name)
        own = {**_own_settings(preset), **({} if name == CARD else preset.training)}
        theirs = {key: value for key, value in changes.items() if key not in _names(cls)}
        usual = preset.tser if engine == "tser" and name != CARD else {}
        made = _engine_settings(engine, {**usual, **theirs})
        return cls(engine=made, **(own | {key: value for key, value in changes.items() if key not in theirs}))

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> NeuroevolutionConfig:
        """The study a run directory was made for; older ones counted luck as it was dealt, and all were TSER's."""
        from holecard.holdem.players.presets import PRESETS

        given: dict[str, Any] = {"luck": "dealt", "engine": "tser"} | settings.from_json(options)
        engine = given.pop("engine")
        if given.get("setting") in PRESETS:
            given = _own_settings(PRESETS[given["setting"]]) | given
        try:
            theirs = _names(ENGINES[engine].settings)
            made = ENGINES[engine].settings(**{key: given.pop(key) for key in theirs if key in given})
            return cls(engine=made, **given)
        except (KeyError, TypeError) as error:
            raise FileProblem("not a run of `holecard holdem evolve`; look into its config.json") from error

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON, the engine's settings beside the study's; `from_options` reads it back."""
        plain = asdict(self)
        return plain | plain["engine"] | {"engine": name_of(self.engine)}

    @property
    def command(self) -> str:
        """The command line that runs this study.

        >>> NeuroevolutionConfig.preset("paper", deck_sets=4, tiers=False, seed=2).command
        'holecard holdem evolve --preset paper --deck-sets 4 --no-tiers --seed 2'
        """
        engine = name_of(self.engine)
        studies = (self.setting, CARD) if self.setting == "pokernet" else (self.setting,)
        words = {name: list(settings.option_words(self, self.preset(name, engine))) for name in studies}
        study = min(studies, key=lambda name: len(words[name]))
        chosen = [] if engine == "tser" else [f"--engine {engine}"]
        return " ".join([f"holecard holdem evolve --preset {study}", *chosen, *words[study]])

    @property
    def layout(self) -> Layout:
        """Which gene is which weight."""
        from holecard.holdem.players.presets import preset_named

        changes = {name: getattr(self, name) for name in ("hidden", "initial_states", *LAYOUT_CHOICES)}
        return replace(preset_named(self.setting).layout, **changes)

    @property
    def rules(self) -> HoldemRules:
        """The table that champions are scored at."""
        from holecard.holdem.players.presets import preset_named

        return replace(preset_named(self.setting).rules, hands=self.hands)

    @property
    def training_rules(self) -> HoldemRules:
        """The table that populations play at."""
        if self.stacks == "preset":
            return self.rules
        return replace(self.rules, carried=self.stacks == "rebuys", rebuys=self.stacks == "rebuys")

    def new_engine(self) -> Engine[Any]:
        """The engine, looked up by its settings."""
        from holecard.holdem.players.network import author_deviations, author_positions, level_deviations

        deviations = {"author": author_deviations, "level": level_deviations}.get(self.first_weights)
        size = Size(
            genes=self.layout.genes,
            population=self.population,
            generations=self.generations,
            first_deviations=deviations(self.layout) if deviations else None,
            author_positions=author_positions(self.layout),
        )
        made: Engine[Any] = ENGINES[name_of(self.engine)].engine(self.engine, size)
        return made


def _own_settings(preset: Preset) -> dict[str, Any]:
    """The settings of a study that a preset's table and network decide."""
    layout = {name: getattr(preset.layout, name) for name in ("hidden", "initial_states", *LAYOUT_CHOICES)}
    return {
        "setting": preset.name,
        "opponents": _opponents(preset.name),
        **layout,
    }


def _names(configuration: type) -> list[str]:
    return [each.name for each in fields(configuration)]


def _engine_settings(engine: str, given: Mapping[str, Any]) -> EngineSettings:
    """The settings of an engine; a setting of another one is refused."""
    entry = engine_named(engine, GENOMES)
    known = _names(entry.settings)
    for name in given:
        if name not in known:
            others = [other for other, each in ENGINES.items() if name in _names(each.settings)]
            whose = f"a setting of {', '.join(others)}" if others else "not a setting"
            raise SettingError(f"{name} is {whose}; the engine {engine} has {', '.join(known)}")
    made: EngineSettings = entry.settings(**given)
    return made
