"""Breed a strategy by the genetic algorithm and see how much of its fitness was luck.

python examples/evolve_a_strategy.py [generations]
"""

import sys
from pathlib import Path
from tempfile import mkdtemp

from holecard import Rules, write_chart
from holecard.evolve import Observer
from holecard.studies import GeneticConfig, run

generations = int(sys.argv[1]) if len(sys.argv) > 1 else 60
config = GeneticConfig.preset("tuned", Rules.preset("classic"), generations=generations, seed=1)
observer = Observer(record=lambda record: print(record["generation"], record["best"], record["exact"]))
outcome = run(config, Path(mkdtemp()) / "run", observer=observer)
verdict = outcome.verdict
print(f"observed {verdict.observed:.4f}, truly {verdict.exact:.4f}: a winner's curse of {verdict.gap:.4f}")
print(f"on fresh cards {verdict.fresh}; the best table there is {verdict.optimum:.4f}")
print(write_chart(outcome.winner))
