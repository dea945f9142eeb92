"""`holecard score` of an agent that follows no chart: it plays, and every decision is judged exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.settings import check_settings, seed_setting, setting
from holecard.ui.console import progress
from holecard.ui.options import refuse_gpu

if TYPE_CHECKING:
    from rich.table import Table

    from holecard.blackjack.arena.judging import Judgement
    from holecard.estimate import Estimate

PANEL: Final = "An agent that follows no chart"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """How an agent is let play to be judged."""

    rounds: int = setting(10_000, low=2, high=10**9, help="Rounds that it plays.")
    seed: int = seed_setting()
    threads: int | None = setting(None, low=1, high=100_000, help="Threads to use; one per core by default.")
    device: str = setting("auto", metavar="auto|cpu|cuda", help="Where it plays: on processors.")
    cluster: str | None = setting(
        None, metavar="tcp://HOST:8786", help="Play on the Dask cluster of this scheduler: docs/scale.md."
    )

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What an agent is worth, measured from a chart whose exact EV is known, on the same cards."""

    judgement: Judgement
    ev: Estimate
    """Per initial bet."""
    optimal_ev: float

    @property
    def regret(self) -> float:
        """What it loses against the optimum."""
        return self.optimal_ev - self.ev.mean

    def as_json(self, leaks: int) -> dict[str, Any]:
        """As `--json` shows it."""
        return {
            "strategy": self.judgement.name,
            "rules": self.judgement.rules.as_dict(),
            "ev": self.ev.mean,
            "stderr": self.ev.stderr,
            "rounds": self.judgement.rounds,
            "optimal_ev": self.optimal_ev,
            "regret": self.regret,
            "leaks": [leak.as_json() for leak in self.judgement.leaks[:leaks]],
        }

    def tables(self, title: str, shown: int) -> list[Table]:
        """As a terminal shows it."""
        from rich.table import Table

        table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
        table.add_row("EV per bet", f"{self.ev.mean:+.6f} ± {self.ev.stderr:.6f}")
        table.add_row("optimum", f"{self.optimal_ev:+.6f}")
        table.add_row("regret", f"{self.regret:.6f} ± {self.ev.stderr:.6f}")
        table.add_row("rounds", f"{self.judgement.rounds:,}, {self.judgement.decisions:,} decisions")
        costly = [leak for leak in self.judgement.leaks if leak.cost > 0]
        if not shown or not costly:
            return [table]
        leaks = Table(title=f"leaks, costliest first, of {len(costly)}", title_justify="left", box=None, padding=(0, 2))
        for heading in ("cell", "plays", "best", "frequency", "cost per round"):
            leaks.add_column(heading, justify="left" if heading == "cell" else "right")
        for leak in costly[:shown]:
            leaks.add_row(str(leak.cell), leak.plays, leak.best, f"{leak.frequency:.6f}", f"{leak.cost:.9f}")
        return [table, leaks]


def judged(name: str, rules: Rules, judging: Judging, options: AgentOptions) -> Judged:
    """Let an agent play and measure it from a chart that plays the same cards."""
    from holecard.blackjack.arena.judging import judge
    from holecard.blackjack.exact import optimum, score
    from holecard.blackjack.players.registry import make_agent
    from holecard.blackjack.strategy.named import named_strategy
    from holecard.cluster import connected

    refuse_gpu(judging.device, "agents decide")
    make_agent(name, rules, options=options)  # whoever cannot play is refused before anybody does
    yardstick = "basic" if (rules.limit, rules.ace_bonus) == (21, 10) else "mimic-dealer"
    known = score(named_strategy(yardstick, rules), rules)
    rounds = judging.rounds
    with connected(judging.cluster) as executor, progress(f"{name} plays", 2 * rounds) as report:

        def play(who: str, before: int) -> Judgement:
            return judge(
                who,
                rules,
                rounds,
                seed=judging.seed,
                options=options,
                threads=judging.threads,
                executor=executor,
                progress=lambda done: report(before + done) if report else None,
            )

        judgement, measure = play(name, 0), play(yardstick, rounds)
    return Judged(judgement=judgement, ev=judgement.ev(measure, known.ev), optimal_ev=optimum(rules).ev)
