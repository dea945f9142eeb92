"""The table page says what the library says, and its switches are the rules."""

import pytest

from holecard.blackjack import PRESETS, Rules, effects_of_removal, price_rules, solve
from holecard.ui.studio.tables import GROUPS, TITLES, offered_fields, switches
from tests.ui.studio.helpers import client

RULES = "2d S17 LS"


@pytest.fixture(scope="module")
def ask():
    studio = client()

    def call(name, **body):
        answer = studio.post(f"/api/table/{name}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return call


def test_the_chart_is_the_solver_s(ask):
    found, solution = ask("chart", rules=RULES), solve(Rules.from_text(RULES))
    assert (found["ev"], found["house_edge"]) == (solution.ev, -solution.ev)
    assert found["ev_total_dependent"] == solution.ev_total_dependent
    assert found["chart"] == {name: [list(row) for row in rows.items()] for name, rows in solution.chart.items()}
    assert found["options"] == "--decks 2 --s17 --surrender late"
    assert "late surrender" in found["words"]


def test_the_rest_is_the_solver_s_too(ask):
    rules = Rules.from_text(RULES)
    solution, found = solve(rules), ask("outcomes", rules=RULES)
    assert (found["win"], found["stdev"]) == (solution.outcomes.win, solution.stdev)
    cells = ask("cells", rules=RULES)
    assert [each["text"] for each in cells["exceptions"]] == [str(each) for each in solution.exceptions()]
    sixteen = cells["hands"]["hard 16 v 10"]
    assert [each["hand"] for each in sixteen] == ["6,10", "7,9"]
    assert sixteen[0]["ev"] == solution.evs_of("6,10", "10")
    removal = {each["card"]: each["kept"] for each in ask("removal", rules=RULES)["effects"]}
    assert removal["5"] == effects_of_removal(rules).effect("5")
    assert ask("removal", rules="inf")["effects"] == []


def test_prices_are_those_of_the_command(ask):
    found = ask("prices", rules="classic")["prices"]
    wanted = {change.rule: change.difference for change in price_rules(Rules.preset("classic")).changes}
    assert wanted.items() <= found.items()
    assert set(found) - set(wanted) <= {"3d", "5d", "7d"}  # the slider has every number of decks


def test_every_rule_of_a_round_has_a_switch():
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(offered_fields()) == sorted(TITLES)


@pytest.mark.parametrize("preset", PRESETS)
def test_switches_lead_from_table_to_table(preset):
    rules = Rules.preset(preset)
    for group in switches(rules):
        for switch in group["switches"]:
            assert sum(value["chosen"] for value in switch["values"]) == 1
            for value in switch["values"]:
                if "problem" in value:
                    assert value["problem"]
                    continue
                changed = Rules.from_text(value["rules"])
                assert (changed == rules) is value["chosen"]
                assert str(changed) == value["rules"]


@pytest.mark.parametrize("line", ["dealt", "9d", "6d 6d nothing", "RSA 2-hands", "deck:A=1", "6d" * 300])
def test_tables_that_cannot_be_are_refused(line):
    answer = client().post("/api/table/chart", json={"rules": line})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]


@pytest.mark.parametrize(
    ("form", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("csv", b"hand,"), ("txt", b"# the")]
)
def test_downloads(form, start):
    answer = client().post("/api/table/download", json={"rules": "classic", "form": form})
    assert answer.content.startswith(start)
    assert f'filename="holecard-table.{form}"' in answer.headers["content-disposition"]
