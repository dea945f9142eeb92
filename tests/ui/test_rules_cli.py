import json

import pytest

from holecard.blackjack import PRESETS, Rules, solve


def test_presets_side_by_side(run):
    code, out, err = run("rules", "--json")
    assert (code, err) == (0, "")
    presets = json.loads(out)["presets"]
    assert {row["name"] for row in presets} == set(PRESETS)
    assert [row["house_edge"] for row in presets] == sorted(row["house_edge"] for row in presets)
    for row in presets:
        assert row["ev"] == solve(Rules.preset(row["name"])).ev == -row["house_edge"]
    code, out, _ = run("rules", "--rules", "votes", "--h17")
    assert "yours" in out
    assert "yours" not in run("rules", "--rules", "votes")[1]


def test_prices(run):
    options = ["--rules", "votes"]
    result = json.loads(run("rules", "--price", "--json", *options)[1])
    base = Rules.preset("votes")
    assert result["ev"] == solve(base).ev
    by_rule = {change["rule"]: change for change in result["changes"]}
    for rule in ("H17", "6:5", "inf"):
        ev = solve(Rules.from_text(f"{base} {rule}")).ev
        assert by_rule[rule]["ev"] == ev
        assert by_rule[rule]["difference"] == pytest.approx(ev - result["ev"], abs=1e-15)
    assert by_rule["H17"]["option"] == "--h17"
    assert by_rule["H17"]["words"] == "dealer hits soft 17"
    assert {change["rule"] for change in result["left_out"]} >= {"RSA", "HSA"}
    table = run("rules", "--price", *options)[1]
    assert "H17" in table
    assert "left out" in table


def test_pictures(run, tmp_path):
    for name, extra in (("prices.png", ["--price"]), ("presets.png", [])):
        path = tmp_path / name
        code, out, err = run("rules", "--rules", "votes", "--png", str(path), *extra)
        assert (code, out) == (0, "")
        assert "wrote" in err
        assert path.stat().st_size > 10_000


def test_what_is_refused(run):
    for options in (
        ["--shoe", "dealt"],
        ["--price", "--shoe", "dealt"],
        ["--price", "--png", "x.txt", "--rules", "votes"],
    ):
        code, out, err = run("rules", *options)
        assert (code, out, err.count("\n")) == (2, "", 1)
