"""Evolving adaptive poker players: dual-LSTM networks bred by TSER against opponents that need opposite answers.

`run` makes a run directory: `config.json`, `history.jsonl` (one record a generation, without times), checkpoints, and
`champion.safetensors`: the fittest of the last generation in finals on fresh cards, scored once more on others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from holecard.device import Device, chosen_device
from holecard.errors import FileProblem, SettingError
from holecard.estimate import finite
from holecard.evolve.engine import Evolution, Limits, graded
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness
from holecard.evolve.tser import TserConfig, TserEngine, tiers_of
from holecard.holdem.arena.duel import duel
from holecard.holdem.arena.earnings import Decks, Earnings, Luck, average_normalized_earnings, earnings_of
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import Statistics
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.network import Layout
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RULE_PLAYERS, rule_player_named
from holecard.seeds import checked_seed, drawn_seed, stream

_CARDS: Final = 1  # the branch of the seed that deals a generation's cards
_FINALS: Final = 2  # the one that deals the finals'
_FRESH_CARDS: Final = 3  # the one that deals the champion's


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuroevolutionConfig:
    """A whole study, with PokerNet's defaults; `preset` makes the paper's."""

    setting: str = "pokernet"
    """The preset of table, network and decision algorithm: pokernet or paper."""
    opponents: tuple[str, ...] = tuple(player.title for player in preset_named("pokernet").opponents)
    """Whom everybody plays, by name."""
    hidden: int = 32
    """Neurons between the modules and the output."""
    initial_states: bool = False
    """The states both modules start from are genes."""
    population: int = 50
    """Individuals in a generation."""
    generations: int = 250
    """Generations to evaluate."""
    hands: int = 500
    """Hands of a session; every opponent is played in two."""
    deck_sets: int = 1
    """Deck sets against each opponent in a generation, two sessions each; more of them, less luck in the fitness."""
    survival: float = 0.30
    """The share of the population that survives."""
    least_elites: int = 1
    """So many survivors are elites even below the survivors' mean; the paper wants two."""
    tiers: bool = True
    """False: plain truncation, every survivor is kept as it is and reproduces."""
    fitness: Literal["ane", "earnings"] = "ane"
    """Average normalised earnings, or the mean of the raw ones."""
    mutation_rate: tuple[float, float] = (0.25, 0.05)
    """The chance of each gene to be mutated, in the first and in the last generation."""
    mutation_strength: tuple[float, float] = (0.50, 0.10)
    """The standard deviation of a mutation, in the first and in the last generation."""
    initial_deviation: float = 0.5
    """The standard deviation of the first generation's weights."""
    decks: Decks = "shared"
    """Whether everybody in a generation is dealt the same cards, or each individual its own."""
    samples: int = 0
    """Random deals behind each equity; 0: exact."""
    luck: Luck = "averaged"
    """Whether earnings leave out what boards bring beyond their average, or count it as it was dealt."""
    finals: int = 30
    """Fresh deck sets against each opponent on which the last generation plays for the championship; 0: its fitness as
    it was observed decides, luck included."""
    score_hands: int = 20_000
    """Fresh hands against each opponent that the champion is scored on."""
    seed: int = 0
    """The root of all chance."""
    device: Device = "cpu"
    """Where sessions are played; a GPU rounds a network's sums otherwise, so it is part of the study."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run."""
        if not self.opponents:
            raise SettingError("nobody to play: name one opponent or more")
        for name in self.opponents:
            rule_player_named(name)
        if len(set(self.opponents)) < len(self.opponents):
            raise SettingError(f"every opponent is played once; got {', '.join(self.opponents)}")
        if self.decks not in ("shared", "fresh"):
            raise SettingError(f"decks are shared or fresh; got {self.decks!r}")
        if self.luck not in ("averaged", "dealt"):
            raise SettingError(f"luck is averaged or dealt; got {self.luck!r}")
        if self.fitness not in ("ane", "earnings"):
            raise SettingError(f"fitness is ane or earnings; got {self.fitness!r}")
        if self.samples < 0:
            raise SettingError(f"samples must be 0 (exact) or more; got {self.samples}")
        if self.score_hands < 2:
            raise SettingError(f"score_hands must be 2 or more; got {self.score_hands}")
        if self.deck_sets < 1 or self.finals < 0:
            raise SettingError(f"deck_sets must be 1 or more, finals 0 or more; got {self.deck_sets}, {self.finals}")
        if self.device not in ("cpu", "cuda"):
            raise SettingError(f"device must be cpu or cuda; got {self.device!r}")
        checked_seed(self.seed)
        _ = self.layout, self.rules, self.engine, Limits(generations=self.generations)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> NeuroevolutionConfig:
        """The study of a preset, with changes.

        >>> NeuroevolutionConfig.preset("paper", population=10).opponents[0]
        'scared-limper'
        """
        preset = preset_named(name)
        own: dict[str, Any] = {
            "setting": name,
            "opponents": tuple(player.title for player in preset.opponents),
            "hidden": preset.layout.hidden,
            "initial_states": preset.layout.initial_states,
            "least_elites": preset.least_elites,
        }
        return cls(**(own | changes))

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> NeuroevolutionConfig:
        """The study a run directory was made for; older ones counted luck as it was dealt."""
        given: dict[str, Any] = {"luck": "dealt"} | {
            name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
        }
        try:
            return cls(**given)
        except TypeError as error:
            raise FileProblem("not a run of `holecard holdem evolve`; look into its config.json") from error

    @property
    def command(self) -> str:
        """The command line that runs this study.

        >>> NeuroevolutionConfig.preset("paper", deck_sets=4, tiers=False, seed=2).command
        'holecard holdem evolve --preset paper --deck-sets 4 --no-tiers --seed 2'
        """
        usual, words = self.preset(self.setting), [f"holecard holdem evolve --preset {self.setting}"]
        for name in (each.name for each in fields(self)):
            value = getattr(self, name)
            flag = name.replace("_", "-")
            if value == getattr(usual, name):
                continue
            if isinstance(value, bool):
                words.append(f"--{flag}" if value else f"--no-{flag}")
            elif name == "samples":
                words.append(f"--equity monte-carlo --samples {value}")
            elif isinstance(value, tuple):
                words.append(f"--{flag} " + (":" if name.startswith("mutation") else ",").join(map(str, value)))
            else:
                words.append(f"--{flag} {value}")
        return " ".join(words)

    @property
    def layout(self) -> Layout:
        """Which gene is which weight."""
        return replace(preset_named(self.setting).layout, hidden=self.hidden, initial_states=self.initial_states)

    @property
    def rules(self) -> HoldemRules:
        """The table."""
        return replace(preset_named(self.setting).rules, hands=self.hands)

    @property
    def engine(self) -> TserEngine:
        """How one generation follows from another."""
        config = TserConfig(
            genes=self.layout.genes,
            population=self.population,
            generations=self.generations,
            survival=self.survival,
            least_elites=self.least_elites,
            mutation_rate=self.mutation_rate,
            mutation_strength=self.mutation_strength,
            initial_deviation=self.initial_deviation,
        )
        return TserEngine(config if self.tiers else _truncating(config))


def _truncating(config: TserConfig) -> TserConfig:
    """The same without a second tier: all survivors are elites."""
    return replace(config, least_elites=config.survivors)


class Neuroevolution:
    """One study at work: evaluates and breeds a generation at a time."""

    def __init__(
        self, config: NeuroevolutionConfig, *, threads: int | None = None, executor: Executor | None = None
    ) -> None:
        self.config = config
        self._executor = executor
        self.evolution = Evolution(config.engine, seed=config.seed, limits=Limits(generations=config.generations))
        self._threads = threads
        self._players = [RULE_PLAYERS[name] for name in config.opponents]

    def step(self) -> dict[str, Any]:
        """Play one generation, breed the next; returns the record."""
        generation = self.evolution.generation
        earned = self.play(self.config.deck_sets, _CARDS, generation)
        fitness = fitness_of(earned, self.config)
        details = _details(earned, graded(fitness, len(fitness), generation), self.config)
        return self.evolution.tell(fitness).as_dict() | details

    def champion(self) -> Champion:
        """The fittest of the last generation: in the finals, or as observed where there are none."""
        observed = self.evolution.fitness
        assert observed is not None, "the last generation has been played"
        final = fitness_of(self.play(self.config.finals, _FINALS), self.config) if self.config.finals else observed
        best = int(graded(final, len(final), self.evolution.generation).argmax())
        card = {"seed": self.config.seed, "fitness": float(observed[best]), "finals": float(final[best])}
        return Champion(layout=self.config.layout, genome=self.evolution.population[best], card=card)

    def play(self, deck_sets: int, *cards: int) -> Earnings:
        """What the population earns on that branch of the seed's cards."""
        return earnings_of(
            self.evolution.ask(),
            self.config.layout,
            self._players,
            self.config.rules,
            seed=_seed_of(self.config.seed, *cards),
            deck_sets=deck_sets,
            decks=self.config.decks,
            samples=self.config.samples,
            luck=self.config.luck,
            threads=self._threads,
            executor=self._executor,
            device=self.config.device,
        )


def fitness_of(earned: Earnings, config: NeuroevolutionConfig) -> Fitness:
    """One number per individual: ANE with PokerNet's normaliser max(BB / buy-in, best), or mean earnings."""
    if config.fitness == "earnings":
        return np.asarray(earned.buy_ins.mean(axis=1))
    return average_normalized_earnings(earned.buy_ins, floor=config.rules.big_blind / config.rules.stack)


def _seed_of(seed: int, *path: int) -> int:
    return drawn_seed(stream(seed, *path))


def _details(earned: Earnings, grades: Fitness, config: NeuroevolutionConfig) -> dict[str, Any]:
    """What a generation's record says beyond its fitness: opponents, the best one's style, everybody's."""
    best = int(grades.argmax())
    engine = config.engine.config
    tiers = tiers_of(grades, engine.survivors, engine.least_elites)
    style = Statistics.of(earned.tallies[best])
    styles = [Statistics.of(tally) for tally in earned.tallies]
    return {
        "elites": len(tiers.elites),
        "second_tier": len(tiers.second),
        "hands": earned.hands,
        "opponents": {
            name: {
                "earnings": finite(float(earned.buy_ins[best, column])),
                "mean_earnings": finite(float(np.nanmean(earned.buy_ins[:, column]))),
                "won": int(earned.won[:, column].sum()),
                "lost": int(earned.lost[:, column].sum()),
            }
            for column, name in enumerate(config.opponents)
        },
        "style": {name: finite(getattr(style, name)) for name in ("vpip", "pfr", "af", "wsd", "wsdw")},
        "shares": {name: finite(share) for name, share in style.shares.items()},
        "styles": [[_short(each.vpip), _short(each.af)] for each in styles],
    }


def _short(number: float) -> float | None:
    return finite(round(number, 4))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """How a run ended."""

    run: RunDirectory
    """Its folder."""
    generations: int
    """Generations evaluated."""
    best: float
    """The highest fitness of the last generation, as observed."""
    champion: Champion
    """The champion, its scores in its card."""


def run(
    config: NeuroevolutionConfig | None,
    folder: Path,
    *,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    device: Device | None = None,
    command: Sequence[str] | None = None,
    on_start: Callable[[NeuroevolutionConfig, list[dict[str, Any]]], None] = lambda config, records: None,
    observer: Observer | None = None,
) -> Outcome:
    """Run a study in `folder` to its end, or go on with the one that lies there; `device` overrides the study's."""
    observer = observer or Observer()
    if resume:
        directory = RunDirectory.open(folder)
        began = NeuroevolutionConfig.from_options(directory.options)
        config = replace(began, device=device or began.device)
        if config.device != began.device:
            observer.note(
                f"this run began on {began.device} and goes on with {config.device}: the same within rounding only"
            )
        chosen_device(config.device)
    else:
        assert config is not None, "a new run needs a configuration"
        config = replace(config, device=device or config.device)
        chosen_device(config.device)  # says that there is no GPU before there is a folder
        directory = RunDirectory.create(folder, asdict(config), command)
    study = Neuroevolution(config, threads=threads, executor=executor)
    on_start(config, directory.history.records())
    carry_on(study.evolution, study.step, directory, steps=config.generations, observer=observer)
    champion = scored(study.champion(), config, threads=threads)
    champion.save(directory.path / CHAMPION)
    return Outcome(
        run=directory,
        generations=study.evolution.generation + 1,
        best=directory.history.records()[-1]["best"],
        champion=champion,
    )


def scored(champion: Champion, config: NeuroevolutionConfig, *, threads: int | None = None) -> Champion:
    """The champion with its mBB/hand against each opponent on fresh cards in its card."""
    seat = NamedPlayer.of_champion(champion, "champion")
    scores: dict[str, Any] = {}
    for name in config.opponents:
        other = player_named(name)
        seed = _seed_of(config.seed, _FRESH_CARDS)
        result = duel(seat, other, config.rules, hands=config.score_hands, seed=seed, threads=threads)
        scores[name] = {"hands": result.hands, "mbb_per_hand": result.mbb_per_hand.interval_as_json()}
    card = champion.card | {"command": config.command, "generations": config.generations, "scores": scores}
    return Champion(layout=champion.layout, genome=champion.genome, card=card)
