"""Every picture of a race, made from its results and the records of its runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.players.programs import UPCARD_NAMES, read_programs
from holecard.evolve.run_directory import RunDirectory
from holecard.holdem.arena.adaptation import ACTIONS, Trace, principal_plane, traces
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.named import player_named
from holecard.studies.neuroevolution import NeuroevolutionConfig
from holecard.studies.race import Race
from holecard.ui.figures import neuroevolution, race
from holecard.ui.figures.evolution import CURVES, fitness_figure
from holecard.ui.figures.programs import evolution_figure, laid_out, tree_figure
from holecard.ui.report.commands import Commands
from holecard.ui.report.picture import Picture

ADAPTED: Final = "paper"
"""The setting whose shipped champion is shown adapting: it was bred for longest."""
_HANDS: Final = 200
_BITS_AND_LETTERS: Final = {"bits": "Bits", "letters": "Letters"}


def pictures_of(given: Race) -> Iterator[Picture]:
    """The pictures of a finished race, in the order of the report."""
    commands = Commands(given.config)
    yield _cost(given, commands)
    yield from _strategies(given, commands)
    yield from _learning(given, commands)
    yield from _programs(given, commands)
    yield from _searching(given, commands)
    yield from _holdem(given, commands)


def _cost(given: Race, commands: Commands) -> Picture:
    table = given.table()
    return Picture(
        name="cost",
        section="cost",
        title="Regret against cost",
        caption="How much each strategy loses per round against the optimum, and how long it took to find; both axes "
        "are logarithmic. The optimum itself has no regret and is not shown. A search finds nothing beforehand: its "
        "seconds are those it thought during its rounds.",
        command=commands.race,
        figure=race.cost_figure(table),
        header=("name", "way", "seconds", "regret", "stderr", "exact"),
        rows=[[row["name"], row["way"], row["seconds"], row["regret"], row["stderr"], row["exact"]] for row in table],
    )


def _strategies(given: Race, commands: Commands) -> Iterator[Picture]:
    for row, told in zip(given.rows(), given.table(), strict=True):
        if not row.cells or row.name == "random":
            continue
        error = f" ± {row.stderr:.5f}" if not row.exact else ""
        yield Picture(
            name=f"strategy-{_slug(row.name)}",
            section="strategies",
            title=row.name,
            caption="as a table, exact" if row.exact else "what it mostly did before a split; · never came up",
            command=commands.of_strategy(row.name, given.path),
            figure=race.strategy_figure(row.name, row.cells, f"EV {row.ev:+.5f}{error}, regret {told['regret']:.5f}"),
            header=("section", "row", "upcard", "letter", "cost"),
            rows=[
                [section, label, value, letter, cost]
                for section, lines in row.cells.items()
                for label, line in lines.items()
                for value, (letter, cost) in zip(VALUES, line, strict=True)
            ],
            narrow=True,
        )


def _learning(given: Race, commands: Commands) -> Iterator[Picture]:
    results = given.results()
    histories = {name: RunDirectory.open(given.path / name).history.records() for name in ("bits", "letters", "trees")}
    optimum = results["solve"]["ev"]
    yield Picture(
        name="learning",
        section="learning",
        title="Three evolutions",
        caption="The best of every generation as it was observed, at its exact value. Bits can only hit and stand and "
        "programs cannot split, so neither reaches the optimum; letters can.",
        command=commands.race,
        figure=race.learning_figure(histories, optimum),
        header=("run", "generation", "exact"),
        rows=[[run, each["generation"], each["exact"]] for run, records in histories.items() for each in records],
    )
    for run, title in _BITS_AND_LETTERS.items():
        verdict = results[run]["verdict"]
        curves = [name for name, *_ in CURVES]
        yield Picture(
            name=f"learning-{run}",
            section="learning",
            title=title,
            caption=f"Fitness by generation, observed and exact. The winner was observed at {verdict['observed']:+.5f} "
            f"and is worth {verdict['exact']:+.5f}: a winner's curse of {verdict['gap']:.5f}.",
            command=commands.of_run(run),
            figure=fitness_figure(histories[run], verdict["optimum"], verdict["measure"], title),
            header=("generation", *curves),
            rows=[[each["generation"], *(each[name] for name in curves)] for each in histories[run]],
        )
    verdict, names = results["trees"]["verdict"], ("best", "exact", "mean")
    yield Picture(
        name="learning-trees",
        section="learning",
        title="Programs",
        caption=f"Ten programs together. The best table they could say is worth {verdict['optimum']:+.5f}.",
        command=commands.of_run("trees"),
        figure=evolution_figure(histories["trees"], verdict["optimum"], "Ten voting programs"),
        header=("generation", *names),
        rows=[[each["generation"], *(each[name] for name in names)] for each in histories["trees"]],
    )


def _programs(given: Race, commands: Commands) -> Iterator[Picture]:
    programs = read_programs((given.path / "trees" / "programs.txt").read_text(encoding="utf-8"))
    for upcard, program in zip(UPCARD_NAMES, programs, strict=True):
        nodes = laid_out(program)
        yield Picture(
            name=f"tree-{upcard}",
            section="programs",
            title=f"Against {upcard}",
            caption=f"{len(program)} nodes",
            command=commands.of_run("trees"),
            figure=tree_figure(program, f"The program against {upcard}"),
            header=("node", "name", "depth", "parent"),
            rows=[[at, node.name, node.depth, node.parent] for at, node in enumerate(nodes)],
        )


def _searching(given: Race, commands: Commands) -> Iterator[Picture]:
    results, told = given.results(), {row["name"]: row for row in given.table()}
    searches = [
        {**results[f"search-{budget}"], **told[results[f"search-{budget}"]["rows"][0]["name"]]}
        for budget in given.config.budgets
    ]
    if searches:
        basic = told["basic"]["regret"]
        yield Picture(
            name="search",
            section="search",
            title="Monte Carlo tree search by budget",
            caption=f"Every search played the same {given.config.rounds:,} rounds as basic strategy.",
            command=commands.of_search(given.config.budgets[-1]),
            figure=race.search_figure(searches, basic),
            header=("simulations", "regret", "stderr", "judged", "judged_stderr", "decision_seconds"),
            rows=[
                [
                    each["simulations"],
                    each["regret"],
                    each["stderr"],
                    each["judged"]["value"],
                    each["judged"]["stderr"],
                    each["decision_seconds"],
                ]
                for each in searches
            ],
        )


def _holdem(given: Race, commands: Commands) -> Iterator[Picture]:
    results = given.results()
    duels = results["duels"]["duels"]
    yield Picture(
        name="duels",
        section="holdem",
        title="Who wins what from whom",
        caption=f"{given.config.duel_hands:,} hands each on duplicate decks with the seats swapped; thin lines are "
        "95 % intervals. Champions ship with the package; the others were evolved in this race, for a while.",
        command=commands.duel(given.path),
        figure=race.duels_figure(duels),
        header=("setting", "player", "opponent", "mbb_per_hand", "low", "high", "hands"),
        rows=[
            [each["setting"], each["player"], each["opponent"], *each["mbb_per_hand"].values(), each["hands"]]
            for each in duels
        ],
    )
    for setting in given.config.settings:
        yield from _bred(given, setting, results[f"holdem-{setting}"]["command"])
    yield from _champion()


def _bred(given: Race, setting: str, command: str) -> Iterator[Picture]:
    records = RunDirectory.open(given.path / f"holdem-{setting}").history.records()
    yield Picture(
        name=f"earnings-{setting}",
        section="holdem",
        title=f"Earnings by generation, {setting}",
        caption="Buy-ins won from each opponent by the fittest and by the average player.",
        command=command,
        figure=neuroevolution.earnings_figure(records),
        header=("generation", "opponent", "earnings", "mean_earnings"),
        rows=[
            [record["generation"], name, each["earnings"], each["mean_earnings"]]
            for record in records
            for name, each in record["opponents"].items()
        ],
    )
    yield Picture(
        name=f"styles-{setting}",
        section="holdem",
        title=f"Styles by generation, {setting}",
        caption="How often everybody put money in voluntarily, and how aggressively they bet.",
        command=command,
        figure=neuroevolution.style_figure(records),
        header=("generation", "vpip", "af"),
        rows=[[record["generation"], *style] for record in records for style in record["styles"]],
    )


def _champion() -> Iterator[Picture]:
    config = NeuroevolutionConfig.preset(ADAPTED)
    played = traces(player_named(f"champion:{ADAPTED}"), config.opponents, config.rules, hands=_HANDS)
    command = str(Champion.shipped(ADAPTED).card["command"])
    yield Picture(
        name="actions",
        section="holdem",
        title="What champion:paper does",
        caption="Shares of its actions by its chance to win, street and opponent.",
        command=command,
        figure=neuroevolution.action_figure(played),
        header=("opponent", "street", "equity_bin", *ACTIONS),
        rows=[
            [trace.opponent, street, at / 10, *shares]
            for trace in played
            for street in range(4)
            for at, shares in enumerate(neuroevolution.action_shares(trace, street).tolist())
        ],
    )
    yield Picture(
        name="adaptation",
        section="holdem",
        title="How champion:paper adapts",
        caption="The state of its opponent module on its two principal axes, and how far it drifts from where other "
        "opponents lead it on the same cards.",
        command=command,
        figure=neuroevolution.adaptation_figure(played),
        header=("opponent", "hand", "first_axis", "second_axis"),
        rows=_plane(played),
    )


def _plane(played: Sequence[Trace]) -> list[list[Any]]:
    paths = principal_plane([trace.state for trace in played])
    return [
        [trace.opponent, int(hand), *point]
        for trace, path in zip(played, paths, strict=True)
        for hand, point in zip(trace.hand, path.tolist(), strict=True)
    ]


def _slug(name: str) -> str:
    """A name as a file's.

    >>> _slug("mcts, 1,000 simulations")
    'mcts-1000-simulations'
    """
    return "-".join(name.replace(",", "").split())
