"""Evolving adaptive poker players: dual-LSTM networks bred against opponents that need opposite answers.

`run` makes a run directory: `config.json`, `history.jsonl` (one record a generation, without times), checkpoints, and
`champion.safetensors`: the fittest of the last generation in finals on fresh cards, scored once more on others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.device import Device, chosen_device
from holecard.errors import FileProblem
from holecard.estimate import finite
from holecard.evolve.engine import Evolution, Limits, graded
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness, centred_ranks
from holecard.holdem.arena.deck_sets import Dealing
from holecard.holdem.arena.duel import duel
from holecard.holdem.arena.earnings import Earnings, average_normalized_earnings, earnings_of
from holecard.holdem.exploit.known import known_value
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import Statistics, vpip_and_af
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.seeds import drawn_seed, stream
from holecard.studies.champion_traces import TRACES
from holecard.studies.folder import configuration
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

_CARDS: Final = 1  # the branch of the seed that deals a generation's cards
_FINALS: Final = 2  # the one that deals the finals'
_FRESH_CARDS: Final = 3  # the one that deals the champion's


class Neuroevolution:
    """One study at work: evaluates and breeds a generation at a time."""

    def __init__(
        self, config: NeuroevolutionConfig, *, threads: int | None = None, executor: Executor | None = None
    ) -> None:
        self.config = config
        self._executor = executor
        self.evolution = Evolution(config.new_engine(), seed=config.seed, limits=Limits(generations=config.generations))
        self._threads = threads
        self._players = [RULE_PLAYERS[name] for name in config.opponents]
        self._records = np.full(len(config.opponents), -np.inf)

    @property
    def finished(self) -> bool:
        """True once the last generation has been played."""
        return self.evolution.finished

    def state(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint needs; the records only where earnings are divided by them."""
        return self.evolution.state() | ({"best_earnings": self._records} if self.config.normaliser == "record" else {})

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up `state` where another process left it."""
        missing = self.state().keys() - state.keys()
        if missing:
            raise FileProblem(f"the checkpoint is of another kind of run: it has no {', '.join(sorted(missing))}")
        self.evolution.restore(state)
        if self.config.normaliser == "record":
            self._records = np.array(state["best_earnings"], np.float64)

    def step(self) -> dict[str, Any]:
        """Play one generation, breed the next; returns the record."""
        earned = self.play(self.config.deck_sets, _CARDS, self.evolution.generation)
        records = self._records if self.config.normaliser == "record" else None
        record = self.evolution.tell(fitness_of(earned, self.config, records))
        assert self.evolution.grades is not None
        return record.as_dict() | _details(earned, int(self.evolution.grades.argmax()), self.config)

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
            self.config.training_rules,
            Dealing(
                seed=_seed_of(self.config.seed, *cards),
                deck_sets=deck_sets,
                decks=self.config.decks,
                samples=self.config.samples,
                luck=self.config.luck,
            ),
            threads=self._threads,
            executor=self._executor,
            device=self.config.device,
        )


_FLATTENED: Final[Mapping[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]]] = {
    "roots": np.sqrt,
    "logs": np.log1p,
}
"""What is made of big blinds won a hand, so that more of them counts less where many are won."""


def fitness_of(earned: Earnings, config: NeuroevolutionConfig, records: NDArray[np.float64] | None = None) -> Fitness:
    """One number per individual, as `config.fitness` says; ANE has PokerNet's normaliser max(BB / buy-in, best).

    `records` are the best earnings so far, (opponents), where ANE divides by them; they are brought up to date.
    """
    if config.fitness == "earnings":
        return np.asarray(earned.buy_ins.mean(axis=1))
    if config.fitness == "per-hand":
        return np.asarray(mbb_per_hand(earned, config).mean(axis=1))
    if config.fitness == "ranks":
        return ranks_over_opponents(earned.buy_ins)
    if config.fitness in _FLATTENED:
        big_blinds = mbb_per_hand(earned, config) / 1000
        return np.asarray((np.sign(big_blinds) * _FLATTENED[config.fitness](np.abs(big_blinds))).mean(axis=1))
    if config.fitness == "of-best":
        return np.asarray(shares_of_best(earned, config).mean(axis=1))
    return average_normalized_earnings(earned.buy_ins, config.rules.big_blind / config.rules.stack, records)


def ranks_over_opponents(earnings: NDArray[np.float64]) -> Fitness:
    """The mean over opponents of everybody's rank against it, −½ … ½; NaN for whoever has no earnings.

    >>> ranks_over_opponents(np.array([[5.0, 0.0], [7.0, 1.0], [9.0, 0.0]]))
    array([-0.375,  0.25 ,  0.125])
    """
    comparable = np.where(np.isnan(earnings), -np.inf, earnings)
    ranks = np.mean([centred_ranks(column) for column in comparable.T], axis=0)
    return np.where(np.isnan(earnings).any(axis=1), np.nan, ranks)


def mbb_per_hand(earned: Earnings, config: NeuroevolutionConfig) -> NDArray[np.float64]:
    """What was won a hand in thousandths of a big blind, (individuals, opponents)."""
    big_blinds = earned.buy_ins * config.rules.stack / config.rules.big_blind
    return np.asarray(1000 * big_blinds / np.maximum(earned.played, 1))


def shares_of_best(earned: Earnings, config: NeuroevolutionConfig) -> NDArray[np.float64]:
    """What was won a hand as a share of the most that can be won, (individuals, opponents).

    Where that is not known, of the most that anybody here won, at least a big blind.
    """
    known = [known_value(name, config.rules) for name in config.opponents]
    won = mbb_per_hand(earned, config)
    here = np.max(np.where(np.isfinite(won), won, -np.inf), axis=0)
    best = [max(here[at], 1000.0) if each is None else each.mbb_per_hand for at, each in enumerate(known)]
    return np.asarray(won / np.array(best))


def _seed_of(seed: int, *path: int) -> int:
    return drawn_seed(stream(seed, *path))


def _of_best(opponent: str, buy_ins: float, rules: HoldemRules) -> dict[str, float | None]:
    """The share of the most that can be won, given what both sessions of a deck set brought; empty where unknown.

    Sessions that end early have no fixed number of hands, so nothing is said where stacks are carried.
    """
    known = None if rules.carried else known_value(opponent, rules)
    if known is None:
        return {}
    return {"of_best": finite(1000 * buy_ins * rules.stack / rules.big_blind / (2 * rules.hands) / known.mbb_per_hand)}


def _details(earned: Earnings, best: int, config: NeuroevolutionConfig) -> dict[str, Any]:
    """What a generation's record says beyond its fitness: opponents, the style of the best, everybody's."""
    style = Statistics.of(earned.tallies[best])
    return {
        "hands": earned.hands,
        "opponents": {
            name: {
                "earnings": finite(float(earned.buy_ins[best, column])),
                "mean_earnings": finite(float(np.nanmean(earned.buy_ins[:, column]))),
                "won": int(earned.won[:, column].sum()),
                "lost": int(earned.lost[:, column].sum()),
                "tied": int(earned.tied[:, column].sum()),
                **_of_best(name, float(earned.buy_ins[best, column]), config.training_rules),
            }
            for column, name in enumerate(config.opponents)
        },
        "style": {
            **{name: finite(getattr(style, name)) for name in ("vpip", "pfr", "af", "wsd", "wsdw")},
            "bets": int(earned.tallies[best]["aggressive"]),
            "calls": int(earned.tallies[best]["passive"]),
        },
        "shares": {name: finite(share) for name, share in style.shares.items()},
        "styles": [[_short(vpip), _short(af), _short(_aggression(af))] for vpip, af in vpip_and_af(earned.tallies)],
    }


def _aggression(af: float) -> float:
    """Bets and raises as a share of bets, raises and calls: 1 where nothing was called."""
    return 1.0 if af == inf else af / (1 + af)


def _short(number: float) -> float | None:
    return finite(round(number, 4))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NeuroevolutionOutcome:
    """How a run ended."""

    config: NeuroevolutionConfig
    """What was asked for."""
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
    observer: Observer | None = None,
    command: Sequence[str] | None = None,
) -> NeuroevolutionOutcome:
    """Run a study in `folder` to its end, or go on with the one that lies there; `device` overrides the study's."""
    observer = observer or Observer()
    began = configuration(config, folder, NeuroevolutionConfig, resume=resume)
    config = replace(began, device=device or began.device)
    if resume and config.device != began.device:
        observer.note(f"this run began on {began.device} and continues on {config.device}: equal within rounding only")
    chosen_device(config.device)  # says that there is no GPU before there is a folder
    study = Neuroevolution(config, threads=threads, executor=executor)
    directory = RunDirectory.open(folder) if resume else RunDirectory.create(folder, config.options(), command)
    carry_on(study, study.step, directory, steps=config.generations, observer=observer)
    champion = scored(study.champion(), config, threads=threads)
    champion.save(directory.path / CHAMPION)
    (directory.path / TRACES).unlink(missing_ok=True)  # of a champion before it
    return NeuroevolutionOutcome(
        config=config,
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
        if result.of_best is not None:
            scores[name]["of_best"] = result.of_best.interval_as_json()
    card = champion.card | {"command": config.command, "generations": config.generations, "scores": scores}
    return Champion(layout=champion.layout, genome=champion.genome, card=card)
