"""Count how often each of the 169 starting hands beats each other one, and write the file that the package ships.

python scripts/matchups.py            # under three minutes on two cores
python scripts/matchups.py --check    # compare with the file instead of writing it
"""

from __future__ import annotations

import sys
import time
from io import BytesIO
from pathlib import Path

import numpy as np

import holecard.holdem.equities.starting_hands as home
from holecard.files import write_file
from holecard.holdem.equities.matchup_counts import count_matchups


def main() -> None:
    """Count, then write or compare."""
    start = time.perf_counter()
    wins = count_matchups(progress=lambda done, total: print(f"\r{done:,} of {total:,} turns", end="", file=sys.stderr))
    print(f"\ncounted in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if "--check" in sys.argv[1:]:
        same = np.array_equal(wins, home.matchup_wins())
        print("the same as the file" if same else "not the same as the file")
        sys.exit(0 if same else 1)
    stored = BytesIO()
    np.savez_compressed(stored, wins=wins.astype(np.uint32))
    path = Path(home.__file__).with_name(home.MATCHUPS_FILE)
    write_file(path, stored.getvalue())
    print(f"wrote {path}, {len(stored.getvalue()):,} bytes")


if __name__ == "__main__":
    main()
