"""A session as something to show: steps, standing, verdicts and the summary, with no screen."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import holecard.ui.session
from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.ui.session.action_bar import ActionBar, verdict_on
from holecard.ui.session.agents import agent_choice, agent_choices
from holecard.ui.session.background_session import BackgroundSession, Phase
from holecard.ui.session.playback import Playback
from holecard.ui.session.preferences import SPEEDS, Preferences
from holecard.ui.session.settings import Settings
from holecard.ui.session.standing import standing_at
from holecard.ui.session.summary import LAST_ROUNDS, Summary, free_path

MODULES = sorted(path.stem for path in Path(holecard.ui.session.__file__).parent.glob("[a-z]*.py"))
WITHOUT_PYGAME = (
    "import sys; import {modules}; sys.exit('pygame' in sys.modules or 'holecard.ui.window' in sys.modules)"
)


@pytest.fixture(scope="module")
def session():
    settings = Settings(agent="random", rounds=20, seed=5, rules=Rules.from_text("1d dealt ES INS"))
    table = WatchedTable(settings.terms(), settings.agent)
    for _ in play_ahead(seated_agent(settings.agent, settings.terms(), settings.options), table):
        pass
    return table.session()


def test_nothing_here_imports_pygame():
    names = ", ".join(f"holecard.ui.session.{name}" for name in MODULES)
    assert len(MODULES) > 5
    assert subprocess.run([sys.executable, "-c", WITHOUT_PYGAME.format(modules=names)], check=False).returncode == 0


def test_the_standing_follows_the_session_to_its_end(session):
    playback = Playback.of(session)
    first, last = (standing_at(playback, at, len(session.rounds)) for at in (0, len(playback) - 1))
    assert (first.bankroll, first.net, first.given_away, first.round) == (session.bankroll, 0, 0, 1)
    assert (last.bankroll, last.net) == (session.final_bankroll, session.net)
    assert last.given_away == pytest.approx(session.given_away)
    assert (last.wins, last.pushes, last.losses) == Summary.of(session).outcomes
    assert last.bankrolls == Summary.of(session).bankrolls
    costs = [standing_at(playback, at, len(session.rounds)).given_away for at in range(len(playback))]
    assert costs == sorted(costs)


def test_the_summary_counts_what_was_played(session):
    summary = Summary.of(session)
    assert sum(summary.outcomes) == len(session.rounds)
    assert sum(map(summary.share, summary.outcomes)) == pytest.approx(1)
    numbers = [each.number for each in session.rounds]
    assert [line.number for line in summary.last] == numbers[: -LAST_ROUNDS - 1 : -1]
    assert sum(mistake.cost for mistake in summary.mistakes) == pytest.approx(session.given_away)


def test_a_verdict_names_the_cost_and_the_best_action(session):
    decisions = [decision for each in session.rounds for decision in each.decisions]
    good = next(decision for decision in decisions if decision.cost == 0)
    bad = max(decisions, key=lambda decision: decision.cost)
    assert verdict_on(good) == f"{good.action.label.lower()}: the best action"
    assert ActionBar.of(good).good
    assert not ActionBar.of(bad).good
    assert f"gives away {bad.cost:.3f} of a bet; best is {bad.best.label.lower()}" in ActionBar.of(bad).verdict
    little = replace(bad, evs=((Action.HIT, 0.1), (Action.STAND, 0.1 - 1e-5)), action=Action.STAND)
    assert verdict_on(little) == "stand gives away 1.0e-05 of a bet; best is hit"


def test_a_file_that_is_there_is_not_overwritten(session, tmp_path):
    first = free_path(session, tmp_path)
    assert first.name == "holecard-random-5.json"
    first.touch()
    assert free_path(session, tmp_path).name == "holecard-random-5-2.json"
    elsewhere = replace(session, agent="some/where/winner.txt")
    assert free_path(elsewhere, tmp_path).name == "holecard-some-where-winner-txt-5.json"


def test_agents_are_announced_by_their_titles(tmp_path):
    assert agent_choice("mcts").title == "Monte Carlo tree search"
    assert agent_choice("runs/mine/winner.txt").title == "mine"
    assert agent_choice("a:B").about == "an agent of yours"
    names = [choice.name for choice in agent_choices("basic", tmp_path)]
    assert names[-1] == "you"
    assert "basic" not in names, "heuristic is the same"


def test_a_session_in_the_background_counts_its_rounds_and_says_what_went_wrong():
    background = BackgroundSession(Settings(rounds=3, agent="exact"))
    assert (background.share, background.phase) == (0, Phase.STARTING)
    background.start()
    background.join(120)
    assert (background.done, background.share, background.phase) == (3, 1, Phase.PLAYING)
    assert len(background.session.rounds) == 3
    wrong = BackgroundSession(Settings(agent="nobody"))
    wrong.start()
    wrong.join(120)
    assert wrong.session is None
    assert "nobody" in wrong.error


def test_speeds_stop_at_both_ends():
    preferences = Preferences.at_speed(1.9)
    assert preferences.speed == 2.0
    preferences.faster(100)
    assert preferences.speed == SPEEDS[-1]
    preferences.faster(-100)
    assert preferences.speed == SPEEDS[0]
