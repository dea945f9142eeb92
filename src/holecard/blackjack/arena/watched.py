"""A session to look at: every round's events, every decision with its reason, and what each legal action was worth.

`WatchedTable` keeps a session while somebody plays it, decision by decision; `play_ahead` lets an agent play it. What
they leave behind is frozen, so pictures and files need no engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Event
from holecard.blackjack.game.game import View
from holecard.blackjack.game.records import RoundRecord
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms, agent_seed
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.game.table_view import TableView
from holecard.blackjack.players.chart_agent import cell_of, spot_of
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.protocol import Agent, BettingAgent
from holecard.blackjack.players.registry import make_agent
from holecard.blackjack.players.valuation import Valuation, value_actions
from holecard.errors import IllegalAction

MISTAKE: Final = 1e-9
"""What a decision must give away to be one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision: what was done, why, and what everything legal was worth. EVs are per initial bet."""

    hand: int
    """Which hand decided, 1 to 4."""
    spot: str
    """The situation in words: `hard 16 against 10`."""
    action: Action
    evs: tuple[tuple[Action, float], ...]
    """Exact EVs of the legal actions, for the shoe as seen so far."""
    reason: str = ""
    """Why, in the agent's words."""
    fresh: bool = False
    """True if the EVs are a full shoe's, because too few cards were left to say."""

    @property
    def valuation(self) -> Valuation:
        """The EVs with what follows from them."""
        return Valuation(dict(self.evs), self.fresh)

    @property
    def best(self) -> Action:
        """What should have been done."""
        return self.valuation.best

    @property
    def cost(self) -> float:
        """What it gave away, in initial bets."""
        return self.valuation.cost(self.action)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedRound:
    """A finished round."""

    number: int
    """1 for the first of the session."""
    events: tuple[Event, ...]
    decisions: tuple[Decision, ...]
    net: float
    """Money won or lost."""
    bankroll: float
    """Money after it."""
    purse: int
    """Chips behind the bet when it was dealt, `rules.unit` to this round's bet: what doubles and splits could cost."""
    bets: float = 1.0
    """Base bets made before the deal."""

    @property
    def outcome(self) -> str:
        """`win`, `push` or `loss`, by the sign of the net result."""
        return "win" if self.net > 0 else "loss" if self.net < 0 else "push"

    @property
    def given_away(self) -> float:
        """The sum of what its decisions gave away, in initial bets."""
        return sum(decision.cost for decision in self.decisions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """The same mistake, as often as it was made."""

    spot: str
    action: Action
    best: Action
    times: int
    cost: float
    """What all of them gave away, in initial bets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedSession:
    """Rounds at one table, and the terms they were played on."""

    agent: str
    rules: Rules
    seed: int
    bet: float
    bankroll: float
    """Money at the start."""
    rounds: tuple[WatchedRound, ...]

    @property
    def net(self) -> float:
        """Money won or lost."""
        return self.final_bankroll - self.bankroll if self.rounds else 0.0

    @property
    def final_bankroll(self) -> float:
        """Money at the end."""
        return self.rounds[-1].bankroll if self.rounds else self.bankroll

    def count(self, outcome: str) -> int:
        """How many rounds ended as `win`, `push` or `loss`."""
        return sum(each.outcome == outcome for each in self.rounds)

    @property
    def win_rate(self) -> float:
        """Wins over rounds."""
        return self.count("win") / len(self.rounds) if self.rounds else 0.0

    @property
    def given_away(self) -> float:
        """The sum over decisions of best EV − chosen EV, in initial bets."""
        return sum(each.given_away for each in self.rounds)

    def mistakes(self) -> list[Mistake]:
        """What gave EV away, costliest first."""
        found: dict[tuple[str, Action, Action], list[float]] = {}
        for each in self.rounds:
            for decision in each.decisions:
                if decision.cost > MISTAKE:
                    found.setdefault((decision.spot, decision.action, decision.best), []).append(decision.cost)
        listed = [
            Mistake(spot=spot, action=action, best=best, times=len(costs), cost=sum(costs))
            for (spot, action, best), costs in found.items()
        ]
        return sorted(listed, key=lambda mistake: -mistake.cost)


class WatchedTable:
    """A session in play: deal, look, decide, and all of it is kept."""

    def __init__(self, terms: SessionTerms, agent: str) -> None:
        self.terms, self.agent = terms, agent
        self._game = terms.game(0)
        self._rounds: list[WatchedRound] = []
        self._decisions: list[Decision] = []
        self._valuation: Valuation | None = None

    @property
    def view(self) -> View | None:
        """What the player sees now; None between rounds."""
        return self._game.view

    @property
    def is_over(self) -> bool:
        """True if all rounds are played or the bankroll does not pay another bet."""
        played = len(self._rounds) >= self.terms.rounds or self._game.bankroll < self.terms.bet
        return self.view is None and played

    def table_view(self) -> TableView:
        """What the player sees between rounds, before he bets."""
        return self._game.table_view()

    def deal(self, bets: float = 1.0) -> None:
        """Deal the next round for so many base bets, or for all there is; naturals may end it at once."""
        self._decisions, self._valuation = [], None
        self._game.deal(min(bets, self._game.bankroll / self.terms.bet))
        self._keep_if_over()

    def replay(self, actions: Iterable[Action], bets: float = 1.0) -> None:
        """Play a round to its end that was judged before: nothing is valued, and the session does not have it."""
        self._game.deal(bets)
        for action in actions:
            self._game.apply(action)
        if self.view is not None:
            raise IllegalAction(f"round {self._game.rounds} is not over; {self.spot()} is to be decided")

    def valuation(self) -> Valuation:
        """What the legal actions are worth at the decision that is due."""
        view = self.view
        assert view is not None, "no decision is due"
        if self._valuation is None:
            self._valuation = value_actions(view)
        return self._valuation

    def spot(self) -> str:
        """The decision that is due, in words."""
        view = self.view
        assert view is not None, "no decision is due"
        if view.legal_bits >> Action.DECLINE & 1:
            return f"insurance against {VALUES[view.upcard - 1]}"
        return spot_of(cell_of(view, self.terms.rules.ace_bonus))

    def decide(self, action: Action, reason: str = "") -> Decision:
        """Carry out a decision; what it was and what it cost."""
        view, valuation = self.view, self.valuation()
        assert view is not None
        decision = Decision(
            hand=view.hand,
            spot=self.spot(),
            action=Action(action),
            evs=tuple(valuation.evs.items()),
            reason=reason,
            fresh=valuation.fresh,
        )
        self._game.apply(action)
        self._decisions.append(decision)
        self._valuation = None
        self._keep_if_over()
        return decision

    def current(self) -> tuple[tuple[Event, ...], tuple[Decision, ...]]:
        """The events and decisions of the round in play, or of the last one."""
        return self._game.events(), tuple(self._decisions)

    @property
    def last(self) -> WatchedRound | None:
        """The round that was finished last."""
        return self._rounds[-1] if self._rounds else None

    def record(self) -> RoundRecord:
        """The cards and results of the round that was finished last."""
        return self._game.record()

    def session(self) -> WatchedSession:
        """The rounds finished so far."""
        terms = self.terms
        return WatchedSession(
            agent=self.agent,
            rules=terms.rules,
            seed=terms.seed,
            bet=terms.bet,
            bankroll=terms.bankroll,
            rounds=tuple(self._rounds),
        )

    def _keep_if_over(self) -> None:
        if self.view is None:
            game = self._game
            self._rounds.append(
                WatchedRound(
                    number=game.rounds,
                    events=game.events(),
                    decisions=tuple(self._decisions),
                    net=game.net,
                    bankroll=game.bankroll,
                    purse=game.purse,
                    bets=game.bets,
                )
            )


def seated_agent(name: str, terms: SessionTerms, options: AgentOptions | None = None) -> Agent:
    """The agent as `evaluate` seats it at the first session of the same seed.

    It does the same things there, but for charts with chance in them, which draw other numbers in a batch.
    """
    return make_agent(name, terms.rules, seed=agent_seed(terms.seed, 0), options=options)


def play_ahead(agent: Agent, table: WatchedTable) -> Iterator[WatchedRound]:
    """Let an agent play the session, round by round as they are asked for."""
    while not table.is_over:
        table.deal(agent.bet(table.table_view()) if isinstance(agent, BettingAgent) else 1.0)
        while (view := table.view) is not None:
            action = agent.act(view)
            table.decide(action, agent.last_reason)
        assert table.last is not None
        yield table.last
