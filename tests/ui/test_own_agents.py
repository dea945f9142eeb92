"""Agents of other people: what is wrong with one is told in a line that names it, whichever command plays it."""

from textwrap import dedent

import numpy as np
import pytest

from holecard.blackjack.arena.evaluation import evaluate
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.players.protocol import BatchAgent, StrategyAgent
from holecard.blackjack.players.registry import make_agent
from holecard.errors import AgentError

GOOD = """
    from holecard.blackjack import Action

    class Bot:
        name, last_reason = "bot", "because"
        def act(self, view):
            {act}
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def module(name, text):
        (tmp_path / f"{name}.py").write_text(dedent(text))
        return f"{name}.py:Bot"

    return module


def faulty(act):
    return GOOD.format(act=act)


FAULTS = {
    "none": (faulty("return None"), "agent none.py:Bot answered None to "),
    "word": (faulty("return 'hit'"), "agent word.py:Bot answered 'hit' (str) to "),
    "far": (faulty("return 99"), "agent far.py:Bot answered 99 (int) to "),
    "truth": (faulty("return True"), "agent truth.py:Bot answered True (bool) to "),
    "illegal": (faulty("return Action.SURRENDER"), "answered <Action.SURRENDER: 4> (Action) to "),
    "raises": (faulty("return 1 / 0"), "agent raises.py:Bot raised ZeroDivisionError: division by zero in act"),
    "wants": (
        "class Bot:\n    name = last_reason = ''\n    def __init__(self, a, b, c): pass\n    act = print\n",
        "cannot make agent wants.py:Bot: TypeError: ",
    ),
    "thing": ("Bot = 5\n", "thing.py:Bot is no class but 5 (int); write module:Class"),
    "empty": ("class Box: pass\n", "module 'empty.py' has no 'Bot'; it has no class with act"),
    "mute": (
        "class Bot:\n    name = ''\n",
        "mute.py:Bot is no agent: it needs name, last_reason and act(view); it lacks",
    ),
    "syntax": ("class Bot(:\n", "cannot import 'syntax.py' of agent 'syntax.py:Bot': SyntaxError: "),
    "exits": ("raise SystemExit('no')\n", "cannot import 'exits.py' of agent 'exits.py:Bot': SystemExit: no"),
}
COMMANDS = {
    "evaluate": "evaluate --games 2 --rounds 3 --agent {}",
    "watch": "watch --rounds 2 --record film.gif --agent {}",
    "dataset": "dataset --games 2 --output d.jsonl --agent {}",
    "score": "score {} --rounds 10",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_faulty_agent_is_one_line_that_names_it(run, write, tmp_path, command, fault):
    text, told = FAULTS[fault]
    code, out, err = run(*COMMANDS[command].format(write(fault, text)).split())
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("holecard: ")
    assert told in last
    assert fault in last
    assert not (tmp_path / "film.gif").exists()
    assert not (tmp_path / "d.jsonl").exists()


def test_an_agent_that_is_missing_is_told_too(run, write):
    for name, told in (
        ("nowhere:Bot", "No module named 'nowhere'"),
        ("gone.py:Bot", "No such file"),
        (":Bot", "agent"),
    ):
        code, _, err = run("evaluate", "--games", "1", "--agent", name)
        assert (code, told in err, err.count("\n")) == (2, True, 1), err


def test_a_good_agent_plays_everywhere(run, write, tmp_path):
    name = write("good", faulty("return 0 if view.total < 17 else 1"))
    assert make_agent(name, Rules()).act.__self__.name == "bot"
    for line in COMMANDS.values():
        assert run(*line.format(name).split())[0] == 0, line
    assert run("evaluate", "--games", "2", "--rounds", "3", "--agent", "good:Bot")[0] == 0
    code, _, err = run("simulate", name, "--rounds", "100")
    assert (code, err) == (
        2,
        f"holecard: {name} is an agent and no chart; let it play: holecard score {name}, or evaluate --agent {name}\n",
    )


def test_an_agent_keeps_what_it_can(write):
    name = write(
        "able",
        """
        import numpy as np
        from holecard.blackjack import Rules, named_strategy

        class Bot:
            name, last_reason = "able", ""
            def __init__(self, rules, seed):
                self.strategy, self.seed = named_strategy("mimic-dealer", rules), seed
            def act(self, view):
                return 1
            def act_batch(self, states, rounds):
                return np.ones(len(states), np.int64)
        """,
    )
    agent = make_agent(name, Rules(), seed=3)
    assert isinstance(agent, StrategyAgent)
    assert isinstance(agent, BatchAgent)
    assert evaluate(name, SessionTerms(rules=Rules(), rounds=5), 4).rounds == 20


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("None", "answered None; act_batch returns"),
        ("np.zeros(1)", "act_batch returns 4 whole numbers"),
        ("np.full(len(states), 99)", "answered 99 at table 0 in act_batch; legal there: hit, stand"),
        ("np.full(len(states), -1)", "answered -1 at table 0 in act_batch"),
        ("1 / 0", "raised ZeroDivisionError: division by zero in act_batch"),
    ],
)
def test_answers_for_many_tables_are_looked_at(write, answer, told):
    number = abs(hash(answer)) % 10**9
    name = write(
        f"batch{number}",
        f"""
        import numpy as np

        class Bot:
            name = last_reason = "bot"
            def act(self, view):
                return 1
            def act_batch(self, states, rounds):
                return {answer} if len(states) > 1 else np.ones(1, np.int64)
        """,
    )
    with pytest.raises(AgentError, match=f"agent {name} ") as caught:
        evaluate(name, SessionTerms(rules=Rules(), rounds=5), 4, threads=1)
    assert told in str(caught.value)


def test_numpys_numbers_are_actions(write):
    agent = make_agent(write("numpys", faulty("import numpy; return numpy.int64(1)")), Rules())
    assert evaluate(agent._title, SessionTerms(rules=Rules(), rounds=2), 2).rounds == 4
    assert np.int64(1) == 1
