"""Eric Farmer's solver, built from a copy of its sources and timed: `exact.py --farmer DIR`.

His program is at github.com/possibly-wrong/blackjack (GPL). Nothing of it is part of this package: the lines below
call its public class, and are compiled together with the copy that the caller names.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from holecard.blackjack.exact.memory import SplitMemory
from holecard.blackjack.game.rules import Rules

_COMPILERS: Final = ("c++", "g++", "clang++")
_MEMORY: Final[dict[SplitMemory, str]] = {
    "zero-memory": "true, true",
    "pair-aware": "false, true",
    "pair-count": "false, false",
}
"""What a split hand remembers, as the arguments of his `BJStrategy`: CDZ-, CDP1, CDP."""
_PROGRAM: Final = """
#include "blackjack.h"
#include <cstdio>
#include <ctime>

struct Silent : BJProgress {{ void indicate(int) {{}} }};

int main() {{
    BJRules rules({h17}, true, true, true, false, {das}, true, false, false, 1.5);
    BJStrategy strategy({memory});
    BJShoe shoe({decks});
    Silent silent;
    double least = 1e9, value = 0.0;
    for (int time = 0; time < {repeat}; time++) {{
        const std::clock_t start = std::clock();
        BJPlayer *player = new BJPlayer(shoe, rules, strategy, silent);
        const double took = double(std::clock() - start) / CLOCKS_PER_SEC;
        least = took < least ? took : least;
        value = player->getValue();
        delete player;
    }}
    std::printf("%.17g %.17g\\n", value, least);
}}
"""


class Solved(NamedTuple):
    """What his program says of a game."""

    ev: float
    seconds: float
    """The least processor seconds of some runs."""


def solved_by_farmer(sources: Path, rules: Rules, memory: SplitMemory, repeat: int) -> Solved:
    """Compile his solver for a game (any two cards doubled, four hands, peek, 3:2) and run it."""
    compiler = next((found for name in _COMPILERS if (found := shutil.which(name))), None)
    if compiler is None:
        raise SystemExit(f"--farmer needs a C++ compiler ({', '.join(_COMPILERS)}); none was found")
    library = next(iter(sorted(sources.rglob("blackjack.cpp"))), None)
    if library is None:
        raise SystemExit(f"no blackjack.cpp in {sources}; --farmer names a copy of Eric Farmer's sources")
    text = _PROGRAM.format(
        h17=str(rules.h17).lower(), das=str(rules.das).lower(), memory=_MEMORY[memory], decks=rules.decks, repeat=repeat
    )
    with tempfile.TemporaryDirectory() as folder:
        program, source = Path(folder) / "farmer", Path(folder) / "timed.cpp"
        source.write_text(text, encoding="utf-8")
        subprocess.run(
            [
                compiler,
                "-O3",
                "-march=native",
                "-w",
                f"-I{library.parent}",
                str(source),
                str(library),
                "-o",
                str(program),
            ],
            check=True,
        )
        ev, seconds = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    return Solved(float(ev), float(seconds))
