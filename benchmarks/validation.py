"""Exact against simulated: `python benchmarks/validation.py --rounds 1e9 --write` writes into docs/validation.md.

With `--device cuda` a GPU plays, and the table goes where the GPU's stands; `--lines FILE` keeps it for later.
`--published` sets our values beside the published ones of tests/reference instead. `--few` is for the rules that few
games have: their rule sets, played by their best charts, or with `--published` what is published of them.

For each rule set the exact EV of the basic chart (the solver's arithmetic) and the EV of as many simulated rounds
(the engine's cards) must agree within four standard errors; the two share no code but the rules.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from results import record

from holecard import Rules, named_strategy, score, simulate, solve
from holecard.blackjack.exact.memory import SplitMemory
from holecard.device import gpu

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.blackjack.exact.reference import FIGURES, NEW_RULE_SETS, PUSH_22, RULE_SETS, chance_of_22, rules_of

DOCS = Path(__file__).parents[1] / "docs" / "validation.md"
MARKS = {"cpu": "<!-- simulated -->", "cuda": "<!-- simulated on a GPU -->", "published": "<!-- published -->"}
FEW_MARKS = {kind: mark.replace(" -->", ", few games -->") for kind, mark in MARKS.items()}
MEMORIES: dict[str, SplitMemory | None] = {"CD": "pair-count", "CD (CDP1)": "pair-aware", "TD": None}
"""What we compare a published kind of play with; None: the best chart."""


def row(text: str, rounds: int, seed: int, device: str) -> tuple[str, float]:
    """One line of the table, and how many standard errors apart the two are."""
    rules = Rules.from_text(text)
    chart = named_strategy("basic", rules) if text in RULE_SETS else solve(rules).strategy()
    exact, played = score(chart, rules), simulate(chart, rules, rounds, seed=seed, device=device)
    z, what = played.ev.z(exact.ev), (RULE_SETS | NEW_RULE_SETS)[text]
    shares = max(abs(played.win.mean - exact.outcomes.win), abs(played.push.mean - exact.outcomes.push))
    line = (
        f"| `{text}` | {what} | {exact.ev:+.9f} | {played.ev.mean:+.7f} ± {played.ev.stderr:.7f} | {z:+.2f} "
        f"| {shares:.1e} | {exact.outcomes.stdev:.6f} | {played.stdev.mean:.6f} |"
    )
    return line, z


def published() -> list[str]:
    """Our values beside published ones, those of optimal play and of the best chart."""
    lines = [
        "`python benchmarks/validation.py --published --write` printed:",
        "",
        "| rules | play | published | ours | apart | source |",
        "|---|---|---|---|---|---|",
    ]
    for each in FIGURES["overall_published"]:
        if each["strategy"] not in MEMORIES:
            continue
        rules, memory = rules_of(each), MEMORIES[each["strategy"]]
        ours = solve(rules, split_play=memory).ev if memory else solve(rules).ev_total_dependent
        apart, source = abs(ours - each["ev"]), each["source"].partition("(")[0].partition(",")[0].partition(";")[0]
        assert apart < 1e-5, rules
        play = memory or "best chart"
        lines.append(f"| `{rules}` | {play} | {each['ev']:+.10g} | {ours:+.12f} | {apart:.0e} | {source.strip()} |")
        print(lines[-1], flush=True)
    return lines


def published_few() -> list[str]:
    """Our values beside published ones of rules that few games have."""
    lines = [
        "`python benchmarks/validation.py --few --published --write` printed:",
        "",
        "| figure | published | ours | apart | source |",
        "|---|---|---|---|---|",
    ]

    def add(what: str, theirs: float, ours: float, source: str) -> None:
        lines.append(
            f"| {what} | {theirs:+.6g} | {ours:+.7f} | {abs(ours - theirs):.0e} | {source.partition(', http')[0]} |"
        )
        print(lines[-1], flush=True)

    for soft in ("H17", "S17"):
        for decks, chance in PUSH_22["chance_of_22"][soft].items():
            source = PUSH_22["chance_of_22"]["source"]
            add(f"P(the dealer ends on 22), `{decks}d {soft}`", chance, chance_of_22(int(decks), soft), source)
    hands = PUSH_22["twelve_against_four"]
    for word in ("bust-22", "push-22"):
        for action, ev in hands[word].items():
            ours = solve(Rules.from_text(f"inf value {word}")).ev_of("T,2", "4", action)
            add(f"{action} hard 12 against a four, `inf {word}`", ev, ours, hands["source"])
    for each in PUSH_22["effects"]["rows"]:
        before, after = (solve(Rules.from_text(text)).ev for text in (each["base"], f"{each['base']} {each['rule']}"))
        add(f"`{each['rule']}` beside `{each['base']}`, %", each["effect"], 100 * (after - before), each["source"])
    return lines


def simulated(rounds: int, seed: int, device: str, few: bool) -> list[str]:
    """Exact values beside simulated ones."""
    asked = f"--rounds {rounds:g} --seed {seed}".replace("e+0", "e").replace("e+", "e")
    asked = f"{'--few ' if few else ''}{asked}{' --device cuda' if device == 'cuda' else ''}"
    lines = [
        f"`python benchmarks/validation.py {asked} --write` printed" + (f" on {gpu()}:" if device == "cuda" else ":"),
        "",
        "| rules | what they try | exact EV | simulated EV | z | worst share | exact sd | simulated sd |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for text in NEW_RULE_SETS if few else RULE_SETS:
        line, z = row(text, rounds, seed, device)
        print(line, flush=True)
        assert abs(z) < 4, text
        record(f"exact and {rounds:,} simulated rounds of `{text}` apart", abs(z), "s.e.")
        lines.append(line)
    return lines


def write(mark: str, lines: list[str]) -> None:
    """Put lines between two marks of docs/validation.md."""
    before, _, rest = DOCS.read_text(encoding="utf-8").partition(mark)
    _, _, after = rest.partition(mark)
    DOCS.write_text(f"{before}{mark}\n{chr(10).join(lines)}\n{mark}{after}", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=float, default=1e8)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    options.add_argument("--published", action="store_true", help="published values instead of simulated ones")
    options.add_argument("--few", action="store_true", help="the rules that few games have")
    options.add_argument("--lines", type=Path, help="also write the table into this file")
    options.add_argument("--write", action="store_true", help="put the table into docs/validation.md")
    options.add_argument("--quick", action="store_true", help="a million rounds each")
    chosen = options.parse_args()
    rounds = 1_000_000 if chosen.quick else int(chosen.rounds)
    if chosen.published:
        lines = published_few() if chosen.few else published()
    else:
        lines = simulated(rounds, chosen.seed, chosen.device, chosen.few)
    if chosen.lines:
        chosen.lines.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if chosen.write:
        write((FEW_MARKS if chosen.few else MARKS)["published" if chosen.published else chosen.device], lines)


if __name__ == "__main__":
    main()
