"""Counters against each other on the same shoes, and all against the perfect one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.best import CountSetting, best_count
from holecard.blackjack.counting.compositions import NOT_KEPT
from holecard.blackjack.counting.effects import effects_of
from holecard.blackjack.counting.indices import find_indices
from holecard.blackjack.counting.insurance import insurance_index
from holecard.blackjack.counting.kept import Kept
from holecard.blackjack.counting.perfect import PerfectCounter, exact_shoes, perfect_counter
from holecard.blackjack.counting.ramp import optimal_bets, ramp
from holecard.blackjack.counting.shoes import CountedShoes, counted_shoes, play_shoes
from holecard.blackjack.counting.solved_shoes import SolvedShoes, solve_shoes
from holecard.blackjack.counting.strategy import ILLUSTRIOUS_INSURANCE, CountingStrategy, illustrious_18
from holecard.blackjack.counting.system import SYSTEMS, CountSystem
from holecard.blackjack.counting.text import counter_text
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.strategy import Strategy
from holecard.estimate import Estimate

Say = Callable[[float, str], None]
"""Takes the share that is done and what is being done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRace:
    """What a race of counters is run with."""

    rules: Rules
    """The game; its shoe is dealt."""
    chart: Strategy
    """What is played where the count says nothing else."""
    spread: float = 8.0
    """The highest bet, in lowest bets."""
    rounds: int = 50_000_000
    """Rounds that each counter plays."""
    solved: int = 1200
    """Shoes in play that are solved, for indices and for the perfect counter each."""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RacedCounter:
    """How a counter did."""

    name: str
    ev: Estimate
    """Per round, in lowest bets."""
    average_bet: float
    score: Estimate
    share: Estimate
    """Of the perfect counter's SCORE."""
    tags: Mapping[str, float] = field(default_factory=dict)
    """Its count by value A … 10; empty where it does not count by tags."""
    used_as: str = ""
    """A true count, a running one, or none."""
    counts: tuple[Mapping[str, float], ...] = ()
    """By count before the deal: share of rounds, EV of a unit with its error, deviation, bet."""


def run_count_race(
    config: CountRace,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    say: Say | None = None,
    kept: Kept = NOT_KEPT,
) -> list[RacedCounter]:
    """Let the counters play, each with its best bets within the spread; the perfect counter comes last.

    Shoes that are solved and counters that have played are `kept`: the same race goes on from there.
    """
    tell = say or (lambda share, words: None)
    rules, fresh = config.rules, replace(config.rules, shoe="fresh")
    work = {"threads": threads, "executor": executor}
    tell(0.0, "solving shoes in play")
    solved = solve_shoes(fresh, shoes=config.solved, seed=config.seed, kept=kept, **work)  # type: ignore[arg-type]
    entrants = list(_entrants(config, solved))
    raced: list[tuple[str, CountSystem, CountedShoes, float]] = []
    for number, (name, player, spread) in enumerate(entrants):
        tell(0.25 + 0.5 * number / len(entrants), name)
        shoes = _kept_shoes(player, config, kept, {**work, "device": device})
        raced.append((name, player.system, shoes, spread))
    tell(0.75, "the perfect counter")
    exact = exact_shoes(
        config.chart,
        rules,
        solved=config.solved,
        seed=config.seed,
        kept=kept,
        device=device,
        **work,  # type: ignore[arg-type]
    )
    perfect = perfect_counter(exact, _variance(raced[-1][2]), config.spread)
    return [*(_raced(*each, perfect) for each in raced), _as_raced(perfect)]


def _kept_shoes(player: CountingStrategy, config: CountRace, kept: Kept, work: dict[str, Any]) -> CountedShoes:
    """What a counter brings; None of it is kept if it was stopped in the middle."""
    found: list[CountedShoes] = []

    def tally() -> NDArray[np.int64]:
        found.append(play_shoes(player, config.rules, config.rounds, seed=config.seed, **work))
        if not found[-1].complete:
            raise KeyboardInterrupt
        return found[-1].tally

    follows_from = (str(config.rules), counter_text(player), config.rounds, config.seed)
    counted = kept.part("counter", follows_from, tally)
    return found[0] if found else counted_shoes(counted, config.rules)


def _entrants(config: CountRace, solved: SolvedShoes) -> Iterator[tuple[str, CountingStrategy, float]]:
    """Name, strategy and spread of every counter."""
    rules, hi_lo = config.rules, SYSTEMS["Hi-Lo"]
    flat = CountingStrategy(system=hi_lo, chart=config.chart)
    yield "flat bets, basic", flat, 1.0
    yield "Ace-Five", replace(flat, system=SYSTEMS["Ace-Five"]), config.spread
    insurance = ILLUSTRIOUS_INSURANCE if rules.insurance else None
    yield "Hi-Lo, 18 indices", replace(flat, departures=illustrious_18(rules), insurance=insurance), config.spread
    effects = effects_of(replace(rules, shoe="fresh"))
    setting = CountSetting(effects=effects, aim="both", penetration=rules.share_dealt, spread=config.spread)
    known: list[CountSystem] = [hi_lo, *(SYSTEMS[name] for name in ("KO", "Zen", "Halves"))]
    for system in [*known, *(_best(setting, level) for level in (1, 2))]:
        departures = tuple(each.departure for each in find_indices(system, solved))
        taken = insurance_index(system, rules.packs, rules.share_dealt) if rules.insurance else None
        player = replace(flat, system=system, departures=departures, insurance=taken)
        yield f"{system.name}, all indices", player, config.spread


def _best(setting: CountSetting, level: int) -> CountSystem:
    return replace(best_count(setting, level, balanced=True), name=f"best level {level}")


def _variance(shoes: CountedShoes) -> float:
    """The variance of a round with one unit bet."""
    played = shoes.by_count.sum(axis=0)
    mean = float((played * shoes.results).sum() / played.sum())
    return float((played * shoes.results**2).sum() / played.sum()) - mean**2


def _raced(name: str, system: CountSystem, shoes: CountedShoes, spread: float, perfect: PerfectCounter) -> RacedCounter:
    bets = np.ones(len(shoes.counts)) if spread == 1.0 else optimal_bets(shoes, spread)
    found = ramp(shoes, bets)
    return RacedCounter(
        name=name,
        ev=found.ev,
        average_bet=found.average_bet.mean,
        score=found.score,
        share=_ratio(found.score, perfect.score),
        tags={} if spread == 1.0 else system.tags_by_value(),
        used_as="" if spread == 1.0 else system.used_as,
        counts=tuple(found.by_count()),
    )


def _as_raced(perfect: PerfectCounter) -> RacedCounter:
    return RacedCounter(
        name="perfect",
        ev=perfect.ev,
        average_bet=perfect.average_bet,
        score=perfect.score,
        share=Estimate(mean=1.0, stderr=0.0, n=perfect.score.n),
    )


def _ratio(score: Estimate, perfect: Estimate) -> Estimate:
    """A share with the errors of both."""
    share = score.mean / perfect.mean
    error = ((score.stderr / perfect.mean) ** 2 + (share * perfect.stderr / perfect.mean) ** 2) ** 0.5
    return Estimate(mean=share, stderr=error, n=score.n)
