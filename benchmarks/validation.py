"""Exact against simulated: `python benchmarks/validation.py --rounds 1e9 --write` writes into docs/validation.md.

For each rule set the exact EV of the basic chart (the solver's arithmetic) and the EV of as many simulated rounds
(the engine's cards) must agree within four standard errors; the two share no code but the rules.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from results import record

from holecard import Rules, named_strategy, score, simulate

DOCS = Path(__file__).parents[1] / "docs" / "validation.md"
MARK = "<!-- simulated -->"
RULE_SETS = {
    "casino": "the default: 6 decks, H17, DAS, split by rank to 4",
    "1d S17 value": "one deck, resplit to 4, DAS",
    "european": "no peek, double 9–11, one split",
    "6d S17 OBO RSA HSA value": "original bets only, aces resplit and hit",
    "2d 6:5 D10 NDAS LS value": "6:5 naturals, double 10–11, late surrender",
    "8d S17 ES RSA": "early surrender, resplit aces by rank",
    "6d 5-charlie value": "five-card charlie",
    "1d S17 ENHC 3-hands value": "one deck, no peek, three hands",
    "inf S17 value": "infinite deck",
    "textbook": "plain naturals, surrender always a half",
    "gymnasium": "hit and stand, dealer naturals are ordinary 21s",
}


def row(text: str, rounds: int, seed: int) -> tuple[str, float]:
    """One line of the table, and how many standard errors apart the two are."""
    rules = Rules.from_text(text)
    basic = named_strategy("basic", rules)
    exact, played = score(basic, rules), simulate(basic, rules, rounds, seed=seed)
    z = played.ev.z(exact.ev)
    shares = max(abs(played.win - exact.outcomes.win), abs(played.push - exact.outcomes.push))
    line = (
        f"| `{text}` | {RULE_SETS[text]} | {exact.ev:+.9f} | {played.ev.mean:+.6f} ± {played.ev.stderr:.6f} | {z:+.2f} "
        f"| {shares:.1e} | {exact.outcomes.stdev:.6f} | {played.stdev:.6f} |"
    )
    return line, z


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=float, default=1e8)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--write", action="store_true", help="put the table into docs/validation.md")
    options.add_argument("--quick", action="store_true", help="a million rounds each")
    chosen = options.parse_args()
    chosen.rounds = 1e6 if chosen.quick else chosen.rounds
    lines = [
        f"`python benchmarks/validation.py --rounds {chosen.rounds:g} --seed {chosen.seed} --write` printed:",
        "",
        "| rules | what they try | exact EV | simulated EV | z | worst share | exact sd | simulated sd |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for text in RULE_SETS:
        line, z = row(text, int(chosen.rounds), chosen.seed)
        print(line, flush=True)
        assert abs(z) < 4, text
        record(f"exact and {int(chosen.rounds):,} simulated rounds of `{text}` apart", abs(z), "s.e.")
        lines.append(line)
    if chosen.write:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(MARK)
        _, _, after = rest.partition(MARK)
        DOCS.write_text(f"{before}{MARK}\n{chr(10).join(lines)}\n{MARK}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
