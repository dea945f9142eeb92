"""The chart page: edits cost what the library says, leaks are mended, and nothing outside is read."""

import pytest

from holecard.blackjack import Rules, load_strategy, named_strategy, read_chart, score, solve, write_chart
from tests.ui.studio.helpers import client

CLASSIC = Rules.preset("classic")


@pytest.fixture
def runs(tmp_path):
    run = tmp_path / "runs" / "ga"
    run.mkdir(parents=True)
    (run / "winner.txt").write_text(write_chart(named_strategy("mimic-dealer", CLASSIC)), encoding="utf-8")
    (tmp_path / "winner.txt").write_text((run / "winner.txt").read_text(), encoding="utf-8")
    return tmp_path / "runs"


@pytest.fixture
def ask(runs):
    studio = client(runs)
    return lambda name, **body: studio.post(f"/api/chart/{name}", json=body)


def test_a_named_strategy_has_its_score(ask):
    found, wanted = (
        ask("scored", rules="2d", strategy="aggressive").json(),
        score(named_strategy("aggressive", Rules(decks=2)), Rules(decks=2)),
    )
    assert (found["ev"], found["regret"]) == (wanted.ev, wanted.regret)
    assert [leak["cost"] for leak in found["leaks"]] == [leak.cost for leak in wanted.leaks]


def test_an_edit_costs_what_the_library_says(ask):
    found = ask(
        "scored", rules="classic", strategy="best", edits=["hard 16 v 10=H", "hard 16 v 10=S", "soft@3 A7 v 9=S"]
    ).json()
    strategy = read_chart(found["text"])
    assert found["ev"] == score(strategy, CLASSIC).ev
    assert dict(map(tuple, found["chart"]["hard"]))["16"][9] == "S"
    assert [block["cards"] for block in found["by_cards"]] == ["2", "3", "4+"]
    again = ask("scored", rules="classic", text=found["text"]).json()
    assert again["ev"] == found["ev"]


def test_mending_leads_to_the_best_chart_and_ends(ask):
    edits, regret = ["hard 16 v 6=H", "soft A7 v 9=S", "hard 11 v 10=S", "pair 88 v 7=S"], 1.0
    for _ in range(40):
        found = ask("scored", rules="classic", strategy="best", edits=edits).json()
        assert found["regret"] < regret
        regret = found["regret"]
        if found["mend"] is None:
            break
        edits.append(found["mend"]["edit"])
    assert found["mend"] is None
    best = solve(CLASSIC)  # its chart plays pairs by their total; a pair's own cell can do better
    assert best.ev_total_dependent - 1e-12 <= found["ev"] <= best.ev


def test_where_it_differs_from_the_best(ask):
    assert ask("scored", rules="classic", strategy="best").json()["differs"] == {}
    found = ask("scored", rules="classic", strategy="best", edits=["hard 20 v 6=H"]).json()
    assert found["differs"] == {"hard 20 v 6": "S"}


def test_the_winner_of_a_run(ask, runs):
    assert ask("sources").json()["runs"] == [{"name": "run:ga", "title": "ga"}]
    found = ask("scored", rules="classic", strategy="run:ga").json()
    assert found["ev"] == score(load_strategy(runs / "ga" / "winner.txt"), CLASSIC).ev


@pytest.mark.parametrize(
    "name",
    [
        "run:..",
        "run:../runs/../",
        "run:/etc",
        "run:",
        "run:nothing",
        "run:ga/../..",
        "/etc/passwd",
        "os:system",
        "winner.txt",
        "mcts",
        "run:\x00",
    ],
)
def test_nothing_else_is_read_or_imported(ask, name):
    answer = ask("scored", rules="classic", strategy=name)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_a_link_that_leads_out_is_not_followed(ask, runs):
    (runs / "out").symlink_to(runs.parent, target_is_directory=True)
    assert ask("scored", rules="classic", strategy="run:out").status_code == 422


@pytest.mark.parametrize(
    "edit", ["hard 99 v 10=S", "hard 16 v 10=X", "hard 16 v 10", "=S", "pair 89 v 2=S", "hard 16 v 11=S", ""]
)
def test_edits_that_cannot_be(ask, edit):
    answer = ask("scored", rules="classic", strategy="basic", edits=[edit])
    assert answer.status_code == 422


def test_a_broken_chart_is_told_with_line_and_column(ask):
    answer = ask("scored", rules="classic", text="hard A 2 3\n")
    assert answer.status_code == 422
    assert "line 1, column 6" in answer.json()["error"]


def test_a_chart_of_another_game_is_refused(ask):
    text = write_chart(solve(Rules.from_text("classic limit=20 ace=9")).strategy())
    assert "limit" in ask("scored", rules="classic", text=text).json()["error"]
