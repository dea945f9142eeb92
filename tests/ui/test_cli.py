"""The command line as a user meets it: in this process, with its output caught."""

import json
import subprocess
import sys

import pytest

KEYS = {"ev", "stderr", "rounds", "rounds_per_second", "outcomes"}


def test_simulate_json_is_one_object_with_the_contracts_keys(run):
    code, out, _ = run("simulate", "basic", "--rounds", "20k", "--json", "--seed", "3")
    result = json.loads(out)
    assert code == 0
    assert result.keys() >= KEYS
    assert result["rounds"] == 20_000
    assert set(result["outcomes"]) == {"win", "push", "lose"}
    assert sum(result["outcomes"].values()) == pytest.approx(1)
    assert run("simulate", "basic", "--rounds", "20k", "--json", "--seed", "3")[1] != ""


def test_the_same_seed_says_the_same(run):
    results = [json.loads(run("simulate", "basic", "--rounds", "1e4", "--json", "--threads", n)[1]) for n in "12"]
    assert results[0]["ev"] == results[1]["ev"]


def test_simulate_prints_a_table(run):
    code, out, _ = run("simulate", "mimic-dealer", "--rules", "classic", "--rounds", "10000")
    assert code == 0
    assert "EV per bet" in out
    assert "±" in out
    assert "mimic-dealer, 1 deck, dealer stands on soft 17" in out


def test_bankroll_adds_the_risk_of_ruin(run):
    code, out, _ = run("simulate", "basic", "--rounds", "50k", "--bankroll", "5", "--trip", "100", "--json")
    result = json.loads(out)
    assert code == 0
    assert 0 < result["ruin"]["value"] < 1
    assert result["ruin"]["trips"] == 500
    assert "risk of ruin" in run("simulate", "basic", "--rounds", "5k", "--bankroll", "5")[1]


def test_every_rule_option_reaches_the_rules(run):
    options = (
        "--rules downtown --decks 8 --s17 --no-peek --obo --bj 6:5 --double 10-11 --no-das --max-hands 3 --rsa --hsa "
        "--dealer-22 push --ties lose --double-cards any --dsa --deck A=32,2=32,3=32,4=32,5=32,10=64 "
        "--split rank --surrender early --insurance --charlie 6 --target 17 --limit 21 --ace-bonus 10 --shoe dealt "
        "--penetration 0.5 --cut 200"
    )
    result = json.loads(run("simulate", "basic", "--rounds", "1000", "--json", *options.split())[1])
    assert {name: value for name, value in result["rules"].items() if name != "text"} == {
        "decks": 8, "h17": False, "peek": False, "obo": True, "bj": "6:5", "dealer_natural": True, "double": "10-11",
        "das": False, "max_hands": 3, "rsa": True, "hsa": True, "split": "rank", "surrender": "early",
        "insurance": True, "charlie": 6, "target": 17, "limit": 21, "ace_bonus": 10, "shoe": "dealt",
        "penetration": 0.5, "dealer_22": "push", "ties": "lose", "double_cards": "any", "dsa": True,
        "deck": "A=32,2=32,3=32,4=32,5=32,10=64", "cut": 200,
    }  # fmt: skip


def test_obo_alone_means_no_peek(run):
    result = json.loads(run("simulate", "basic", "--rounds", "1000", "--json", "--obo")[1])
    assert (result["rules"]["peek"], result["rules"]["obo"]) == (False, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("simulate", "Missing argument"),
        ("simulate basic --rounds 0", "whole number from 1"),
        ("simulate basic --rounds 3x", "1e6 or 1M"),
        ("simulate basic --rounds 1.5", "whole number"),
        ("simulate basic --decks 0", "decks must be 1 to 8 or inf; got 0"),
        ("simulate basic --decks many", "1 to 8 or inf"),
        ("simulate basic --rules qqqq", "choose casino"),
        ("simulate basic --bj 3-2", "3:2"),
        ("simulate basic --charlie 4", "none, 5, 6 or 7"),
        ("simulate basic --double 12", "any, 9-11, 10-11 or none"),
        ("simulate basic --peek --obo", "without a peek"),
        ("simulate basic --double none --double-cards any", "drop double_cards or allow it"),
        ("simulate basic --max-hands 2 --rsa", "3 hands or more"),
        ("simulate basic --target 30", "above the limit"),
        ("simulate basic --limit 25", "use plain"),
        ("simulate basic --deck A=-1", "counts start at 0"),
        ("simulate basic --deck 10=7", "add cards"),
        ("simulate basic --seed -1", "--seed"),
        ("simulate basic --threads 0", "--threads"),
        ("simulate basic --bankroll 0", "bankroll must be"),
        ("simulate basix", "did you mean basic?"),
        ("simulate no/such/chart.txt", "no strategy chart"),
        ("simulate basic --roundz 3", "--rounds"),
        ("simulat basic", "Did you mean 'simulate'"),
        ("chart basic --png /dev/null/x.png", "cannot write"),
        ("chart basic --png x.doc", ".png, .svg or .pdf"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(run, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments.split())
    assert code == 2
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
    assert err.startswith("holecard: ")
    assert list(tmp_path.iterdir()) == [], "nothing is written"


def test_chart_on_a_fixed_width_console(run):
    code, out, _ = run("chart", "--rules", "atlantic-city")
    lines = [line.rstrip() for line in out.splitlines()]
    assert code == 0
    assert lines[0] == "basic, 8 decks, dealer stands on soft 17, late surrender"
    assert lines[1].split() == [
        "hard",
        "A",
        *"23456789",
        "10",
        "soft",
        "A",
        *"23456789",
        "10",
        "pair",
        "A",
        *"23456789",
        "10",
    ]
    row = next(line for line in lines if line.strip().startswith("16"))
    assert row.split()[:11] == ["16", "R", "S", "S", "S", "S", "S", "H", "H", "R", "R"]


def test_chart_text_can_be_played_again(run, tmp_path):
    text = run("chart", "aggressive", "--text")[1]
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    evs = [
        json.loads(run("simulate", name, "--rounds", "1e4", "--json")[1])["ev"] for name in (str(path), "aggressive")
    ]
    assert evs[0] == evs[1]


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_chart_as_a_picture(run, tmp_path, ending):
    path = tmp_path / f"chart.{ending}"
    code, out, err = run("chart", "basic", "--png", str(path))
    assert (code, out) == (0, "")
    assert "wrote" in err
    assert path.stat().st_size > 10_000
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_version_and_help(run):
    assert run("--version")[1].startswith("holecard ")
    code, out, _ = run("--help")
    assert code == 0
    assert "simulate" in out
    assert "--penetration" in run("simulate", "--help")[1]


def test_help_does_not_load_what_is_slow():
    probe = (
        "import sys\nfrom holecard.ui.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted(set(sys.modules) & {'numba', 'numpy', 'scipy', 'matplotlib', 'torch', 'pygame'}))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
