"""The stages of a race, each a function from what is known so far to a result that is plain JSON."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from holecard.blackjack.arena.judging import Judgement, judge
from holecard.blackjack.exact import optimum, score, solve
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.players.dnn import import_torch, shipped_card
from holecard.blackjack.players.protocol import AgentOptions
from holecard.blackjack.strategy.named import NAMED, named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import MissingExtra, SettingError
from holecard.evolve.history import finite
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import CONFIG, RunDirectory
from holecard.holdem.arena.duel import Duel, duel
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.studies import genetic, neuroevolution, programs
from holecard.studies.demonstrations import read_dataset, write_dataset
from holecard.studies.imitation import train
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.table import Row, estimate_json, judged_cells, leak_json, table_row

Result = dict[str, Any]
STYLE = ("vpip", "pfr", "af", "wsd", "wsdw")
OPTIMUM, CHART = "exact optimum", "best chart"


@dataclass(kw_only=True)
class Course:
    """What a stage works with."""

    config: RaceConfig
    path: Path
    """The race's folder."""
    threads: int | None
    executor: Executor | None = None
    """A cluster, or another executor, for what can travel; duels, scores and training stay here."""
    tell: Callable[[float, str], None]
    """Told the share of the stage that is done, and a word about it."""
    note: Callable[[str], None] = field(default=lambda text: None)
    """Told what a user should know."""

    @cached_property
    def yardstick(self) -> Judgement:
        """Basic strategy on the common cards: its exact EV is known, so others are measured from it."""
        return self.judged("basic")

    def judged(self, name: str, options: AgentOptions | None = None) -> Judgement:
        """An agent on the common cards."""
        rounds = self.config.rounds
        return judge(
            name,
            self.config.rules,
            rounds,
            seed=self.config.seed,
            options=options,
            threads=self.threads,
            executor=self.executor,
            progress=lambda done: self.tell(done / rounds, f"{done:,} of {rounds:,} rounds"),
        )

    @property
    def observer(self) -> Observer:
        """What a study inside the race is told to call."""
        return Observer(note=self.note, progress=self.tell)

    def folder(self, name: str, options: Mapping[str, Any]) -> RunDirectory:
        """The run of a study inside the race: the one that was cut short, else a new one."""
        path = self.path / name
        return RunDirectory.open(path) if (path / CONFIG).exists() else RunDirectory.create(path, options)


def solve_game(course: Course) -> Result:
    """The exact optimum, and the best chart by total."""
    rules = course.config.rules
    optimum(rules).strategy()  # once before the clock starts: kernels are loaded then, and others use it
    start = time.process_time()
    solution = solve(rules)
    solved = time.process_time() - start
    chart = solution.strategy()
    charted = time.process_time() - start
    best = Row(
        name=OPTIMUM,
        way="solved",
        ev=solution.ev,
        stderr=0.0,
        exact=True,
        used=0,
        unit="",
        seconds=solved,
        leaks=[],
        cells={},
    )
    rows = [best, table_row(CHART, "solved", chart, score(chart, rules), seconds=charted)]
    return {
        "rows": _plain(rows),
        "ev": solution.ev,
        "stdev": solution.stdev,
        "exceptions": [str(departure) for departure in solution.exceptions()[:20]],
    }


def score_named(course: Course) -> Result:
    """The published chart and the yardsticks."""
    rules, rows = course.config.rules, []
    for done, name in enumerate(NAMED, 1):
        start = time.process_time()
        strategy = named_strategy(name, rules)
        rows.append(_scored(name, "published", strategy, course, seconds=time.process_time() - start))
        course.tell(done / len(NAMED), name)
    return {"rows": _plain(rows)}


def evolve_bits(course: Course) -> Result:
    """Hit or stand, bred by sampled hands."""
    study = course.config.bits
    used = study.population * study.generations * study.hands
    return _evolve_letters("evolved bits", study, "bits", course, used=used, unit="hands")


def evolve_letters(course: Course) -> Result:
    """Every letter of the chart, bred by exact values."""
    study = course.config.letters
    used = study.population * study.generations
    return _evolve_letters("evolved letters", study, "letters", course, used=used, unit="tables")


def _evolve_letters(
    name: str, study: genetic.GeneticStudy, folder: str, course: Course, *, used: int, unit: str
) -> Result:
    run = course.folder(folder, study.options())
    start = time.process_time()
    outcome = genetic.run_study(
        study,
        run,
        threads=course.threads,
        executor=course.executor,
        observer=course.observer,
    )
    seconds = time.process_time() - start
    row = _scored(name, "evolved", outcome.winner, course, used=used, unit=unit, seconds=seconds)
    return {
        "rows": _plain([row]),
        "run": folder,
        "verdict": outcome.verdict.as_dict(),
        "generations": outcome.generations,
    }


def evolve_trees(course: Course) -> Result:
    """Ten programs that vote, bred by exact values."""
    study = course.config.trees
    run = course.folder("trees", study.options())
    start = time.process_time()
    outcome = programs.run_study(
        study,
        run,
        threads=course.threads,
        executor=course.executor,
        observer=course.observer,
    )
    seconds = time.process_time() - start
    used = 10 * study.population * study.generations
    row = _scored("evolved trees", "evolved", outcome.winner, course, used=used, unit="programs", seconds=seconds)
    return {
        "rows": _plain([row]),
        "run": "trees",
        "verdict": outcome.verdict.as_dict(),
        "generations": outcome.generations,
    }


def imitate(course: Course) -> Result:
    """The network: trained here where demonstrations are asked for, else the shipped one."""
    try:
        import_torch()
    except MissingExtra as missing:
        course.note(str(missing))
        return {"rows": [], "missing": str(missing)}
    model, card = (None, shipped_card()) if not course.config.games else _trained(course)
    judged = course.judged("dnn", AgentOptions(model=model))
    row = _judged_row("network", "trained", judged, course, used=card["data"]["decisions"], unit="demonstrations")
    made = {key: card[key] for key in ("epochs", "best_epoch", "accuracy", "agreement", "seconds", "config")}
    return {
        "rows": _plain([_with_seconds(row, card["seconds"])]),
        "shipped": model is None,
        "trained_on": str(card["rules"]["text"] or "casino"),
        "card": made,
        "judged": estimate_json(judged.judged),
        "decision_seconds": judged.thought / judged.decisions,
    }


def _trained(course: Course) -> tuple[Path | None, Mapping[str, Any]]:
    config = course.config
    sessions = SessionTerms(rules=config.rules, rounds=config.demonstrated_rounds, seed=config.seed)
    folder = course.path / "network"
    data, model = folder / "demonstrations.npz", folder / "blackjack_mlp.pt"
    try:
        write_dataset(data, "basic", sessions, config.games)
    except SettingError as problem:  # surrender and insurance cannot be demonstrated
        course.note(f"{problem}; the shipped model plays instead")
        return None, shipped_card()
    course.tell(0.0, "training")
    training = train(
        read_dataset(data),
        model,
        config.imitation,
        observer=Observer(progress=course.tell),
    )
    if training.interrupted:
        raise KeyboardInterrupt
    return model, training.card


def search(budget: int) -> Callable[[Course], Result]:
    """The stage of MCTS with so many simulations to a decision."""

    def stage(course: Course) -> Result:
        judged = course.judged("mcts", course.config.searches[budget])
        row = _judged_row(
            f"mcts, {budget:,} simulations", "searched", judged, course, used=budget, unit="simulations a decision"
        )
        return {
            "rows": _plain([_with_seconds(row, judged.thought)]),
            "simulations": budget,
            "judged": estimate_json(judged.judged),
            "decision_seconds": judged.thought / judged.decisions,
        }

    return stage


def evolve_players(setting: str) -> Callable[[Course], Result]:
    """The stage that breeds hold'em players in a setting."""

    def stage(course: Course) -> Result:
        config, folder = course.config.neuroevolutions[setting], course.path / f"holdem-{setting}"
        start = time.process_time()
        outcome = neuroevolution.run(
            config,
            folder,
            resume=(folder / CONFIG).exists(),
            threads=course.threads,
            executor=course.executor,
            observer=course.observer,
        )
        return {
            "rows": [],
            "run": folder.name,
            "setting": setting,
            "generations": outcome.generations,
            "best": outcome.best,
            "command": config.command,
            "scores": outcome.champion.card["scores"],
            "cpu_seconds": time.process_time() - start,
        }

    return stage


def duel_players(course: Course) -> Result:
    """Everybody who was bred, here or before, against the rule players of their setting, and against each other."""
    pairs = [pair for setting in ("pokernet", "paper") for pair in _meetings(course, setting)]
    duels = []
    for done, (setting, first, other) in enumerate(pairs, 1):
        rules = neuroevolution.NeuroevolutionConfig.preset(setting, hands=course.config.hands).rules
        result = duel(
            first, other, rules, hands=course.config.duel_hands, seed=course.config.seed, threads=course.threads
        )
        duels.append({"setting": setting, **_duel_json(result)})
        course.tell(done / len(pairs), f"{first.name} against {other.name}")
    return {"rows": [], "duels": duels}


def _meetings(course: Course, setting: str) -> list[tuple[str, NamedPlayer, NamedPlayer]]:
    shipped = player_named(f"champion:{setting}")
    bred = []
    if setting in course.config.settings:
        folder = player_named(str(course.path / f"holdem-{setting}"))
        bred.append(NamedPlayer(name=f"evolved here, {setting}", record=folder.record, preset=folder.preset))
    opponents = neuroevolution.NeuroevolutionConfig.preset(setting).opponents
    meetings = [(setting, player, player_named(name)) for player in (*bred, shipped) for name in opponents]
    return meetings + [(setting, player, shipped) for player in bred]


def _duel_json(result: Duel) -> Result:
    style = result.statistics(0)
    return {
        "player": result.names[0],
        "opponent": result.names[1],
        "hands": result.hands,
        "mbb_per_hand": neuroevolution.told(result.mbb_per_hand),
        "style": {name: finite(getattr(style, name)) for name in STYLE},
    }


def _scored(
    name: str, way: str, strategy: Strategy, course: Course, *, used: int = 0, unit: str = "", seconds: float
) -> Row:
    rules = course.config.rules
    return table_row(name, way, strategy, score(strategy, rules), used=used, unit=unit, seconds=seconds)


def _judged_row(name: str, way: str, judged: Judgement, course: Course, *, used: int, unit: str) -> Row:
    """The row of a player that is no table: its EV is basic's exact one plus what it gains on the same cards."""
    rules = course.config.rules
    basic = named_strategy("basic", rules)
    ev = judged.ev(course.yardstick, score(basic, rules).ev)
    return Row(
        name=name,
        way=way,
        ev=ev.mean,
        stderr=ev.stderr,
        exact=False,
        used=used,
        unit=unit,
        seconds=0.0,
        leaks=[leak_json(leak) for leak in judged.leaks[:10] if leak.cost > 1e-12],
        cells=judged_cells(judged.leaks, optimum(rules).strategy()),
    )


def _with_seconds(row: Row, seconds: float) -> Row:
    return Row(**{**asdict(row), "seconds": seconds})


def _plain(rows: list[Row]) -> list[Result]:
    return [asdict(row) for row in rows]
