"""Exact against simulated: `python benchmarks/validation.py --rounds 1e9 --write` writes into docs/validation.md.

With `--device cuda` a GPU plays, and the table goes where the GPU's stands; `--lines FILE` keeps it for later.
`--published` sets our values beside the published ones of tests/reference instead.

For each rule set the exact EV of the basic chart (the solver's arithmetic) and the EV of as many simulated rounds
(the engine's cards) must agree within four standard errors; the two share no code but the rules.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from results import record

from holecard import Rules, named_strategy, score, simulate, solve
from holecard.device import gpu

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.blackjack.exact.reference import FIGURES, RULE_SETS, rules_of

DOCS = Path(__file__).parents[1] / "docs" / "validation.md"
MARKS = {"cpu": "<!-- simulated -->", "cuda": "<!-- simulated on a GPU -->", "published": "<!-- published -->"}
MEMORIES = {"CD": "pair-count", "CD (CDP1)": "pair-aware", "TD": None}
"""What we compare a published kind of play with; None: the best chart."""


def row(text: str, rounds: int, seed: int, device: str) -> tuple[str, float]:
    """One line of the table, and how many standard errors apart the two are."""
    rules = Rules.from_text(text)
    basic = named_strategy("basic", rules)
    exact, played = score(basic, rules), simulate(basic, rules, rounds, seed=seed, device=device)
    z = played.ev.z(exact.ev)
    shares = max(abs(played.win.mean - exact.outcomes.win), abs(played.push.mean - exact.outcomes.push))
    line = (
        f"| `{text}` | {RULE_SETS[text]} | {exact.ev:+.9f} | {played.ev.mean:+.7f} ± {played.ev.stderr:.7f} | {z:+.2f} "
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


def simulated(rounds: int, seed: int, device: str) -> list[str]:
    """Exact values beside simulated ones."""
    asked = f"--rounds {rounds:g} --seed {seed}".replace("e+0", "e").replace("e+", "e")
    lines = [
        f"`python benchmarks/validation.py {asked}{' --device cuda' if device == 'cuda' else ''} --write` printed"
        + (f" on {gpu()}:" if device == "cuda" else ":"),
        "",
        "| rules | what they try | exact EV | simulated EV | z | worst share | exact sd | simulated sd |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for text in RULE_SETS:
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
    options.add_argument("--lines", type=Path, help="also write the table into this file")
    options.add_argument("--write", action="store_true", help="put the table into docs/validation.md")
    options.add_argument("--quick", action="store_true", help="a million rounds each")
    chosen = options.parse_args()
    rounds = 1_000_000 if chosen.quick else int(chosen.rounds)
    lines = published() if chosen.published else simulated(rounds, chosen.seed, chosen.device)
    if chosen.lines:
        chosen.lines.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if chosen.write:
        write(MARKS["published" if chosen.published else chosen.device], lines)


if __name__ == "__main__":
    main()
